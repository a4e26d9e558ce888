"""Everything that the panels of preference estimate, as rows of the result; and tests beside strengths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row
from adjudge.inference.multiplicity import holm
from adjudge.metrics import preference_strength
from adjudge.metrics.base import Metric
from adjudge.tasks.preference import fits
from adjudge.tasks.preference.behind import LONGER, TOO_FEW, Behind
from adjudge.tasks.preference.differences import NOT_PAIRED, PAIRED, StrengthDifference, StrengthSpread
from adjudge.tasks.preference.judges import JudgedTrait, Turned
from adjudge.tasks.preference.panels import ShownVotes
from adjudge.tasks.preference.ranking import RankedModels

# More differences than this are told by the largest of each annotator alone.
MOST_DIFFERENCES = 5_000
Three = Sequence[float]


@dataclass(frozen=True)
class Findings:
    """Everything that was fitted for one request."""

    shown: ShownVotes
    spreads: list[StrengthSpread]
    ranked: RankedModels | None
    behind: Behind | None
    judged: list[JudgedTrait]
    turned: list[Turned]


def completed_rows(findings: Findings) -> ResultTable:
    """The estimates with the tests of strengths, followed by what was fitted, as far as it was asked for."""
    request = findings.shown.page.request
    chosen = {metric.name for metric in request.chosen(request.task.metrics)}
    added = (row for row in _fitted(findings) if row.metric in chosen)
    return ResultTable((*_tested(findings.shown), *added))


def _tested(shown: ShownVotes) -> Iterator[Row]:
    """Strengths with the p of no preference: adjusted by Holm over everything that is shown."""
    cells = list(shown.cells.values())
    exact = _by_cell(shown, [cell.p for cell in cells])
    middle = _by_cell(shown, [cell.mid_p for cell in cells])
    tests = {"tango": (shown.test, exact), "plus_three": ("binomial, mid-p", middle)}
    for row in shown.page.table:
        row_tests = tests.get(row.method) if row.metric == preference_strength.name else None
        if row_tests is None or row.baseline is not None or row.is_limit:
            yield row
            continue
        test, adjusted = row_tests
        p = adjusted.get((row.system, row.slice))
        if p is None or not np.isfinite(p[0]):
            yield row
        else:
            yield replace(row, test=test, p=p[0], p_adjusted=p[1], family=len(cells))


def _by_cell(shown: ShownVotes, p: list[float]) -> dict[tuple[str, str], tuple[float, float]]:
    """p and adjusted p by the view and the slice."""
    pairs = zip(p, holm(p).tolist(), strict=True)
    return {(cell.view, cell.slice): both for cell, both in zip(shown.cells.values(), pairs, strict=True)}


def _fitted(findings: Findings) -> Iterator[Row]:
    yield from _differences(findings)
    if findings.behind is not None:
        yield from _behind(findings, findings.behind)
    for one in findings.judged:
        values = (
            (np.nan,) * 3 if one.corrected is None else (one.corrected.strength, one.corrected.low, one.corrected.high)
        )
        note = "undefined: too few votes of people" if one.corrected is None else one.corrected.note
        yield _row(
            findings,
            fits.corrected_strength,
            one.judge,
            values,
            one.method,
            n=one.n,
            note=note or f"by votes of {one.people}",
        )
    for turned in findings.turned:
        values = (turned.share, turned.low, turned.high)
        yield _row(findings, fits.turned_votes, turned.annotator, values, "wilson", n=turned.n)
    if findings.ranked is not None:
        yield from _models(findings, findings.ranked)


def _row(
    findings: Findings,
    metric: Metric,
    system: str,
    values: Three,
    method: str,
    *,
    n: int,
    category: str = "",
    **more: Any,
) -> Row:
    value, low, high = (float(one) for one in values)
    note = more.pop("note", "") or ("" if np.isfinite(value) else f"undefined: {metric.undefined}")
    limits = (low, high) if np.isfinite(high - low) else (np.nan, np.nan)
    method = method if np.isfinite(high - low) else "none"
    return Row(system, WHOLE_NAME, category, metric.name, value, *limits, findings.shown.level, method, n, note, **more)


def _differences(findings: Findings) -> Iterator[Row]:
    for among in dict.fromkeys(spread.among for spread in findings.spreads):
        spreads = [spread for spread in findings.spreads if spread.among == among]
        if spreads[0].paired:
            of_each, of_largest = fits.strength_difference_by_prompt, fits.largest_strength_difference_by_prompt
        else:
            of_each, of_largest = fits.strength_difference, fits.largest_strength_difference
        test = PAIRED if spreads[0].paired else NOT_PAIRED
        largest = [(spread.annotator, spread.largest) for spread in spreads]
        several = len(spreads[0].each) > 1
        method = "simultaneous" if several else spreads[0].method
        yield from _compared(findings, of_largest, largest, method, f"largest, {test}")
        each = [(spread.annotator, one) for spread in spreads for one in spread.each]
        if len(each) <= MOST_DIFFERENCES:
            yield from _compared(findings, of_each, each, spreads[0].method, test)


def _compared(
    findings: Findings, metric: Metric, differences: list[tuple[str, StrengthDifference]], method: str, test: str
) -> Iterator[Row]:
    """Differences with their tests, adjusted over all of them."""
    p = [one.p for _, one in differences]
    family = int(np.isfinite(p).sum())
    for (annotator, one), adjusted in zip(differences, holm(p).tolist(), strict=True):
        tested: dict[str, Any] = {}
        if np.isfinite(one.p):
            tested = {"test": test, "p": one.p, "p_adjusted": adjusted, "family": family}
        names = f"{one.first} − {one.second}"
        yield _row(
            findings, metric, annotator, (one.value, one.low, one.high), method, n=one.n, category=names, **tested
        )


def _behind(findings: Findings, behind: Behind) -> Iterator[Row]:
    n, wald = len(behind.traits.votes), _wald(behind.traits.folded.prompts is not None)
    for name, one in zip(behind.traits.names, behind.lengths, strict=False):
        values = (one.strength, one.low, one.high)
        yield _row(findings, fits.strength_at_equal_length, name, values, wald, n=n, note=one.note)
    if (joint := behind.joint) is not None:
        low, high = joint.limits(findings.shown.level)
        for k, name in enumerate(behind.names):
            note = TOO_FEW if joint.few else ""
            system = name if name != LONGER else findings.shown.study.reading.columns[0]
            category = "" if name != LONGER else LONGER
            values = (joint.fit.beta[k], low[k], high[k])
            yield _row(findings, fits.joint_coefficient, system, values, wald, n=n, category=category, note=note)


def _wald(by_prompt: bool) -> str:
    return "wald_by_prompt" if by_prompt else "wald"


def _models(findings: Findings, ranked: RankedModels) -> Iterator[Row]:
    wald, names, notes = _wald(ranked.strengths.groups > 0), ranked.games.models, ranked.strengths.note
    level = findings.shown.level
    for k in ranked.order:
        n = round(float(ranked.played[k]))
        best, worst = (ends[k] for ends in ranked.ranks)
        ranks = f"rank {best} to {worst}" if best < worst else f"rank {best}"
        note = "; ".join(filter(None, (ranks if ranked.strengths.connected else "", notes)))
        yield _row(findings, fits.model_strength, names[k], ranked.limits(k), wald, n=n, note=note)
        if ranked.draws is not None:
            ends = np.quantile(ranked.draws[:, k], [(1 - level) / 2, (1 + level) / 2])
            values = (ranked.strengths.values[k], *ends)
            yield _row(findings, fits.model_strength, names[k], values, "bootstrap", n=n, note=note)
    for k, other in ranked.pairs:
        n, against = round(float(ranked.rates[3][k, other])), f"against {names[other]}"
        rates = [float(one[k, other]) for one in ranked.rates[:3]]
        yield _row(findings, fits.win_rate, names[k], rates, "tango", n=n, category=against)
        chance = ranked.strengths.chance(k, other, level)
        yield _row(findings, fits.win_probability, names[k], chance, wald, n=n, category=against)
    yield from _advantages(findings, ranked, wald)
    if (worth := ranked.worth_of_place) is not None:
        n = len(ranked.games.first)
        yield _row(findings, fits.worth_of_first_place, findings.shown.study.reading.columns[0], worth, wald, n=n)


def _advantages(findings: Findings, ranked: RankedModels, wald: str) -> Iterator[Row]:
    """Every two models by their strengths: the p of no difference, adjusted over all of them."""
    from scipy.special import ndtr, stdtr

    names, groups = ranked.games.models, ranked.strengths.groups
    pairs = list(ranked.pairs)
    ratios = [
        abs(value) / error if error > 0 else np.nan for value, error in (ranked.strengths.difference(*p) for p in pairs)
    ]
    p = [float(2 * (stdtr(max(groups - 1, 1), -one) if groups else ndtr(-one))) for one in ratios]
    family = int(np.isfinite(p).sum())
    for (k, other), own, adjusted in zip(pairs, p, holm(p).tolist(), strict=True):
        values, n = ranked.difference(k, other), round(float(ranked.rates[3][k, other]))
        against = f"against {names[other]}"
        tested = {"test": "Wald", "p": own, "p_adjusted": adjusted, "family": family}
        yield _row(findings, fits.model_strength_difference, names[k], values, wald, n=n, category=against, **tested)
