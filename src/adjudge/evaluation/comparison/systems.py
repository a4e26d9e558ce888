"""Two or more systems in one table: each minus its baseline, or every two of them, under the same draws."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from adjudge.evaluation.comparison.contender import Contender
from adjudge.evaluation.comparison.difference import Difference, How
from adjudge.evaluation.comparison.margin_claims import claim_row, margin_claims
from adjudge.evaluation.comparison.not_paired import NOT_PAIRED, added_limits
from adjudge.evaluation.comparison.settings import MAX_T
from adjudge.evaluation.measuring.one_number import OneNumber, each_number
from adjudge.evaluation.results import Row
from adjudge.inference.many.multiplicity import MaxT, holm, max_t
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array

DRAWN_APART = (
    f"{NOT_PAIRED}: with so many rows each system is drawn by itself; wider than need be where errors go together"
)


def difference_rows(contenders: Sequence[Contender], how: How) -> Iterator[Row]:
    """Every metric of every system minus that of its baseline; those with the same `contest` are compared."""
    for rivals in rivalries(contenders, how.comparing.baseline):
        for number in compared_numbers(rivals[0]):
            for family in families(number, rivals, how):
                with np.errstate(all="ignore"):
                    yield from _rows(family)
            yield from _drawn_apart(number, rivals)


def _drawn_apart(number: OneNumber, rivals: Sequence[Contender]) -> Iterator[Row]:
    """Of so many rows that each system is drawn by itself: both limits squared and added, wider than need be."""
    first = rivals[0]
    apart = []
    for one in rivals[1:]:
        replicated = first.sources[number.metric] is not None and one.sources.get(number.metric) is not None
        if replicated and not is_paired(number.metric, one, first) and not number.metric.by_category:
            rows = [contender.row(number) for contender in (one, first)]
            apart += [added_limits(rows[0], rows[1])] if rows[0] is not None and rows[1] is not None else []
    paid = holm([math.nan if row.p is None else row.p for row in apart])
    for row, p in zip(apart, paid.tolist(), strict=True):
        adjusted_p = None if row.p is None else p
        named = replace(row, baseline=first.view.name, p_adjusted=adjusted_p, family=len(apart))
        yield replace(named, note=DRAWN_APART) if row.p is not None else named


def rivalries(contenders: Sequence[Contender], baseline: str | None) -> list[list[Contender]]:
    """Those that are compared with each other, the baseline first."""
    rivals_in: dict[str, list[Contender]] = {}
    for contender in contenders:
        if contender.view.contest is not None:
            rivals_in.setdefault(contender.view.contest, []).append(contender)
    return [sorted(rivals, key=lambda one: one.view.system_name != baseline) for rivals in rivals_in.values()]


def families(number: OneNumber, rivals: Sequence[Contender], how: How) -> Iterator[list[Difference]]:
    """The differences that are judged together: of all systems to the baseline, or of every two."""
    paired = [one for one in rivals[1:] if is_paired(number.metric, one, rivals[0])]
    if not paired:
        return
    if how.comparing.against == "all":
        yield every_two(number, [rivals[0], *paired], how)
    else:
        yield [Difference.of(number, rivals[0], one, how) for one in paired]


def every_two(number: OneNumber, rivals: Sequence[Contender], how: How) -> list[Difference]:
    """Each later one minus each earlier one."""
    return [Difference.of(number, first, other, how) for first, other in combinations(rivals, 2)]


def is_paired(metric: Metric, one: Contender, other: Contender) -> bool:
    """Whether two systems were measured under the same draws, by the same categories."""
    same_draws = other.sources[metric] is not None and one.sources.get(metric) == other.sources[metric]
    return same_draws and _categories(metric, one) == _categories(metric, other)


def _categories(metric: Metric, one: Contender) -> tuple[str, ...]:
    return one.measured.statistics[metric.over].categories if metric.by_category else ()


def compared_numbers(first: Contender) -> list[OneNumber]:
    """What was measured of the first system, and so is compared."""
    positive = first.measured.positive
    return [number for metric in first.points for number in each_number(metric, _categories(metric, first), positive)]


def adjusted(family: Sequence[Difference]) -> tuple[Array, Array, MaxT | None]:
    """The p-values of differences judged together, those that pay for how many there are, and what max-T gives."""
    how = family[0].how
    values, draws, finite = _correlated(family)
    by_form = np.array([one.pairs.exact is not None for one in family])  # tests that need neither draws nor a value
    tested = [bool(known) and not one.refused for one, known in zip(family, finite | by_form, strict=True)]
    p = np.array([one.told[1] if known else np.nan for one, known in zip(family, tested, strict=True)])
    together = None
    if not by_form.any() and len(draws) >= 2 and finite.any() and len(family) > 1:
        centred = draws[:, finite] - values[finite]
        together = max_t(values[finite], centred, centred.std(axis=0), how.level)
    if how.comparing.adjust != MAX_T or together is None:
        return p, how.comparing.adjusted(p), together
    by_draws = np.full(len(family), np.nan)
    by_draws[finite] = together.p
    return p, np.fmax(p, by_draws), together


def simultaneous(family: Sequence[Difference], together: MaxT | None) -> list[tuple[float, float] | None]:
    """Limits that hold for all differences at once; None where there is one, or it never moves."""
    if together is None or not math.isfinite(together.quantile):
        return [None] * len(family)
    reaches = [together.quantile * float(np.nanstd(one.draws)) if len(one.known) else 0.0 for one in family]
    return [
        (one.value - reach, one.value + reach) if reach > 0 else None
        for one, reach in zip(family, reaches, strict=True)
    ]


def _rows(family: Sequence[Difference]) -> Iterator[Row]:
    p, paid, together = adjusted(family)
    limits = simultaneous(family, together)
    for place, one in enumerate(family):
        yield from one.rows((float(p[place]), float(paid[place])), len(family), limits[place])
    margin = family[0].how.comparing.margin(family[0].number.metric)
    kept = [one for one in family if math.isfinite(one.value) and not one.refused] if margin is not None else []
    if margin is None or not kept or not family[0].how.level > 0.5:  # one-sided limits would have no level
        return
    claims = [margin_claims(one, margin) for one in kept]
    for same_claim in zip(*claims, strict=True):
        by_holm = holm([claim.p for claim in same_claim])
        for one, claim, p_adjusted in zip(kept, same_claim, by_holm, strict=True):
            yield claim_row(one, claim, float(p_adjusted), len(kept))


def _correlated(differences: Sequence[Difference]) -> tuple[Array, Array, Array]:
    """The values of several differences, their paired draws without those that are undefined, and which are known."""
    draws = np.stack([one.draws for one in differences], axis=1)
    values = np.array([one.value for one in differences])
    finite = np.isfinite(values) & ~np.isnan(draws).all(axis=0)
    whole = ~np.isnan(draws[:, finite]).any(axis=1)
    return values, draws[whole], finite
