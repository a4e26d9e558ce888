"""Where evidence comes from, for any task: from the rows of its table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from adjudge.evaluation.answers.claims import NORMAL, Evidence
from adjudge.evaluation.comparison.panels import COMPARISON
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import StandingsPanel
from adjudge.evaluation.results import BASELINE, WHOLE_NAME, Row
from adjudge.inference.differences.shares_apart import fisher_p
from adjudge.inference.intervals.interval import normal_below
from adjudge.metrics.base import Direction
from adjudge.metrics.catalogue import parse
from adjudge.statistics.confusion import Confusion

EvidenceSource = Callable[[Outcome], Iterable[Evidence]]


def metric_in(outcome: Outcome, *patterns: str) -> str | None:
    """The first of these metrics that was measured: "ndcg(at=*)" is any cut-off."""
    return next((name for pattern in patterns for name in outcome.metrics if fnmatchcase(name, pattern)), None)


def row_of(
    outcome: Outcome, metric: str | None, system: str, *, slice: str = WHOLE_NAME, category: str | None = None
) -> Row | None:
    """The row to read of one system."""
    for row in outcome.table:
        of_it = row.metric == metric and row.system == system and row.slice == slice
        if of_it and row.baseline is None and category in (None, row.category):
            return row
    return None


def leader(outcome: Outcome) -> str:
    """The system that the screen is about: the one alone, that which is compared, or the first of the standings."""
    for panel in outcome.panels.standings:
        return panel.lines[0].system
    alone = outcome.systems[0] if outcome.systems else ""
    return next((row.system for row in outcome.table if row.baseline is not None), alone)


def sign_of(metric: str) -> int:
    """1 where higher is better, -1 where lower is."""
    return -1 if parse(metric).direction is Direction.LOWER else 1


def width_of(metric: str) -> float:
    """How far apart the ends of a metric's range lie.

    >>> width_of("recall"), width_of("cohen_kappa"), width_of("rmse")
    (1.0, 2.0, inf)
    """
    low, high = parse(metric).range
    return high - low


def of_row(row: Row, subject: str, *, whole: bool = False, **facts: str | float) -> Evidence:
    """A row as evidence about a subject."""
    of_it = (row.estimate, row.low, row.high, row.n, row.level, row.note)
    return Evidence(subject, *of_it, whole, width=width_of(row.metric), facts=facts)


def against_baseline(*patterns: str) -> EvidenceSource:
    """Each system's main figure, and what the best constant answer gets."""

    def evidence(outcome: Outcome) -> Iterator[Evidence]:
        metric = metric_in(outcome, *patterns)
        for system in outcome.systems:
            row = row_of(outcome, metric, system)
            base = row_of(outcome, f"{BASELINE}_{metric}", system)
            if row is not None:
                value = math.nan if base is None else base.estimate
                yield of_row(row, system, whole=True, baseline=value, metric=row.metric)

    return evidence


def of_differences(*patterns: str) -> EvidenceSource:
    """Every system minus its baseline, turned so that above 0 is better: the whole, then every slice.

    Of the metrics the first that has a value; one that is of a label, such as ROC AUC, is that of the positive one, and
    no mean of rows, so that nothing follows for the others from a slice.
    """

    def evidence(outcome: Outcome) -> Iterator[Evidence]:
        rows = list(outcome.table.differences.first_methods())
        names = list(dict.fromkeys(row.metric for row in rows))
        fitting = [name for pattern in patterns for name in names if fnmatchcase(name, pattern)]
        defined = {row.metric for row in rows if not math.isnan(row.estimate)}
        metric = next((name for name in fitting if name in defined), next(iter(fitting), ""))
        own = [row for row in rows if row.metric == metric]
        chosen = [row for row in own if not row.category]
        of_label = [] if chosen else [row for row in own if row.category == outcome.settings.positive]
        whole = [row for row in chosen or of_label if row.slice == WHOLE_NAME]
        of_decisions = bool(metric) and issubclass(parse(metric).over, Confusion)
        for row in chosen or of_label if len(whole) == 1 else []:
            one = difference(row, sign_of(metric), whole[0] if chosen and row.slice != WHOLE_NAME else None)
            yield one if chosen or of_decisions else replace(one, differing=None)  # scores differ where answers do not

    return evidence


def difference(row: Row, sign: int, whole: Row | None = None) -> Evidence:
    """One difference in the metric's good direction; of a slice, how it differs from the others, too."""
    low, high = (row.low, row.high) if sign > 0 else (-row.high, -row.low)
    is_whole = row.slice == WHOLE_NAME
    facts: dict[str, str | float] = {"system": row.system, "baseline": row.baseline or "", "metric": row.metric}
    if whole is not None:
        facts |= differs(row, whole)
        if "rest" in facts:
            facts["rest"] = sign * float(facts["rest"])
    return Evidence(
        row.system if is_whole else row.slice,
        sign * row.estimate,
        low,
        high,
        row.n,
        row.level,
        row.note,
        is_whole,
        row.p_adjusted if is_whole else row.p,
        row.differing,
        2 * width_of(row.metric),
        facts,
    )


def differs(part: Row, whole: Row) -> dict[str, str | float]:
    """What the others gain, and the p of a slice that gains as they do."""
    rest, error = _of_rest(part, whole)
    facts: dict[str, str | float] = {} if math.isnan(rest) else {"rest": rest}
    if facts and error > 0:
        facts["p_differs"] = 2 * normal_below(-abs(part.estimate - rest) / error)
    return facts


def _of_rest(part: Row, whole: Row) -> tuple[float, float]:
    """What the others have, for the whole is the mean of both, and the standard error of the difference; or NaN."""
    rest_n = whole.n - part.n
    if rest_n < 1 or math.isnan(part.low) or math.isnan(whole.low):
        return math.nan, math.nan
    rest = (whole.n * whole.estimate - part.n * part.estimate) / rest_n
    reach = 2 * NORMAL.inv_cdf((1 + part.level) / 2)
    errors = [(one.high - one.low) / reach for one in (part, whole)]
    beyond = max(math.frexp(max(errors))[1], 0)  # powers of 2, without which squares of 1e200 would be no numbers
    of_part, of_whole = (math.ldexp(one, -beyond) for one in errors)
    variance = max(0.0, (whole.n * of_whole) ** 2 - (part.n * of_part) ** 2) / rest_n**2 + of_part**2
    return rest, math.ldexp(math.sqrt(variance), beyond)


def against_rest(*patterns: str) -> EvidenceSource:
    """Every slice of the last system: its figure less that of all others, in the good direction."""

    def evidence(outcome: Outcome) -> Iterator[Evidence]:
        metric = metric_in(outcome, *patterns)
        system = leader(outcome)
        whole = row_of(outcome, metric, system)
        if metric is None or whole is None or math.isnan(whole.estimate):
            return
        yield of_row(whole, system, whole=True, metric=metric)
        for row in outcome.table.estimates.first_methods():
            if (row.metric, row.system) == (metric, system) and row.slice != WHOLE_NAME and not row.category:
                yield from _beside_rest(row, whole, sign_of(metric))

    return evidence


def _beside_rest(row: Row, whole: Row, sign: int) -> Iterator[Evidence]:
    """A slice beside the rest; one that is everything is beside nothing."""
    rest_n = whole.n - row.n
    if rest_n < 1:
        return
    facts: dict[str, str | float] = {"value": row.estimate, "low": row.low, "high": row.high, "metric": row.metric}
    rest, error = _of_rest(row, whole)
    if math.isnan(row.estimate) or math.isnan(rest):
        yield Evidence(row.slice, row.estimate, math.nan, math.nan, row.n, row.level, row.note, facts=facts)
        return
    gap = sign * (row.estimate - rest)
    if parse(row.metric).unit == "share":
        p = fisher_p(row.estimate, row.n, rest, rest_n)
    else:
        p = 2 * normal_below(-abs(gap) / error) if error > 0 else math.nan
    facts |= {"rest": rest, "excess": -gap * row.n}
    reach = NORMAL.inv_cdf((1 + row.level) / 2) * error
    ends = (gap - reach, gap + reach) if 0 < error < math.inf else (math.nan, math.nan)
    width = 2 * width_of(row.metric)
    yield Evidence(
        row.slice, gap, *ends, row.n, row.level, row.note, p=None if math.isnan(p) else p, width=width, facts=facts
    )


def of_categories(
    pattern: str, facts_of: Callable[[Outcome, Row], dict[str, str | float]] | None = None
) -> EvidenceSource:
    """A metric of every category of the last system."""

    def evidence(outcome: Outcome) -> Iterator[Evidence]:
        metric = metric_in(outcome, pattern)
        system = leader(outcome)
        for row in outcome.table.estimates.first_methods():
            if (row.metric, row.system, row.slice) == (metric, system, WHOLE_NAME) and row.category:
                more = {} if facts_of is None else facts_of(outcome, row)
                n = round(float(more.get("support", row.n)))
                yield replace(of_row(row, row.category), n=n, facts={"metric": row.metric, **more})

    return evidence


def differences_by_category(pattern: str) -> EvidenceSource:
    """What a system gains in each category."""

    def evidence(outcome: Outcome) -> Iterator[Evidence]:
        system = leader(outcome)
        for row in outcome.table.differences.first_methods():
            if row.metric == pattern and row.slice == WHOLE_NAME and row.category and row.system == system:
                yield replace(difference(row, sign_of(pattern)), subject=row.category, whole=False, p=row.p)

    return evidence


def in_slices(outcome: Outcome, metric: str | None, system: str) -> Sequence[Row]:
    """A system's figure in every slice."""
    rows = outcome.table.estimates.first_methods()
    return [r for r in rows if (r.metric, r.system) == (metric, system) and r.slice != WHOLE_NAME and not r.category]


def compared_margin(outcome: Outcome) -> float | None:
    """The margin that was given for the metric that leads, in its own unit; None where none was."""
    head = COMPARISON.format("")
    for forest in outcome.panels.forests:
        if forest.title.startswith(head) and len(forest.limits) == 2:
            return max(forest.limits)
    return None


def standings_of(outcome: Outcome, metric: str) -> StandingsPanel | None:
    """Three or more systems by one metric, the best first; None where that was not worked out."""
    return next((one for one in outcome.panels.standings if one.metric == metric and len(one.lines) > 2), None)
