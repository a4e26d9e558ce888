"""Everything that the panels of preference estimate, as rows of the result: tests beside strengths, requirements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Unpack

import numpy as np

from adjudge.errors import SettingError, listed, noted
from adjudge.evaluation.gates.requirement_rows import rows_of_bounds
from adjudge.evaluation.gates.requirement_scope import system_of
from adjudge.evaluation.gates.requirements import Requirement
from adjudge.evaluation.results import WHOLE_NAME, ResultTable, Row, Tested
from adjudge.inference.many.multiplicity import holm
from adjudge.inference.reach import Reach
from adjudge.metrics import pair_fits as fits
from adjudge.metrics import preference_strength
from adjudge.metrics.base import Metric
from adjudge.tasks.preference.differences import NOT_PAIRED, PAIRED, StrengthDifference, StrengthSpread
from adjudge.tasks.preference.explanations import LONGER, TOO_FEW, Explanations
from adjudge.tasks.preference.judges import JudgedTrait, Turned
from adjudge.tasks.preference.ranking import RankedModels
from adjudge.tasks.preference.shown_votes import ShownVotes

# More differences than this are told by the largest of each annotator alone.
MOST_DIFFERENCES = 5_000


@dataclass(frozen=True)
class Findings:
    """Everything that was fitted for one request."""

    shown: ShownVotes
    spreads: list[StrengthSpread]
    ranked: RankedModels | None
    explanations: Explanations | None
    judged: list[JudgedTrait]
    turned: list[Turned]


def completed_rows(findings: Findings) -> ResultTable:
    """The estimates with the tests of strengths, followed by what was fitted, as far as it was asked for."""
    request = findings.shown.page.request
    chosen = {metric.name for metric in request.candidates}
    fitted = [one for one in _fitted(findings) if one.row.metric in chosen]
    required = required_rows(request.requirements, fitted, held=findings.shown.units is not None)
    return ResultTable((*_tested(findings.shown), *(one.row for one in fitted), *required))


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


def _fitted(findings: Findings) -> Iterator[FittedRow]:
    yield from _differences(findings)
    if findings.explanations is not None:
        yield from _explained(findings, findings.explanations)
    for one in findings.judged:
        note = "undefined: too few votes of people" if one.corrected is None else one.corrected.note
        note = note or f"by votes of {one.people}"
        yield _row(findings, fits.corrected_strength, one.judge, one.at, one.method, n=one.n, note=note)
    for turned in findings.turned:
        yield _row(findings, fits.turned_votes, turned.annotator, turned.at, "wilson", n=turned.n)
    if findings.ranked is not None:
        yield from _models(findings, findings.ranked)


def _row(
    findings: Findings,
    metric: Metric,
    system: str,
    at: At,
    method: str,
    *,
    n: int,
    category: str = "",
    units: int | None = None,
    note: str = "",
    **tested: Unpack[Tested],
) -> FittedRow:
    level = findings.shown.level
    at = partial(_within, metric.range, at)
    value, low, high = at(level)
    note = note or ("" if np.isfinite(value) else f"undefined: {metric.undefined}")
    limits = (low, high) if np.isfinite(high - low) else (np.nan, np.nan)
    method = method if np.isfinite(high - low) else "none"
    row = Row(system, WHOLE_NAME, category, metric.name, value, *limits, level, method, n, note, **tested)
    return FittedRow(row, at, n if units is None else units)


def _within(ends: tuple[float, float], at: At, level: float) -> tuple[float, float, float]:
    """Limits cut to what the number can be, as wide as the estimate at least."""
    value, low, high = (float(one) for one in at(level))
    return value, min(max(low, ends[0]), value), max(min(high, ends[1]), value)


def _differences(findings: Findings) -> Iterator[FittedRow]:
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
) -> Iterator[FittedRow]:
    """Differences with their tests, adjusted over all of them."""
    p = [one.p for _, one in differences]
    family = int(np.isfinite(p).sum())
    for (annotator, one), adjusted in zip(differences, holm(p).tolist(), strict=True):
        tested: Tested = {}
        if np.isfinite(one.p):
            tested = {"test": test, "p": one.p, "p_adjusted": adjusted, "family": family}
        names = f"{one.first} − {one.second}"
        yield _row(findings, metric, annotator, one.at, method, n=one.n, category=names, **tested)


def _explained(findings: Findings, explanations: Explanations) -> Iterator[FittedRow]:
    traits = explanations.traits
    n, prompts = len(traits.votes), traits.folded.prompts
    wald, units = _wald(prompts is not None), n if prompts is None else int(prompts.max(initial=-1)) + 1
    for k, (name, one) in enumerate(zip(traits.names, explanations.lengths, strict=False)):
        at = partial(explanations.at_equal_length, k)
        yield _row(findings, fits.strength_at_equal_length, name, at, wald, n=n, units=units, note=one.note)
    if (joint := explanations.joint) is not None:
        for k, name in enumerate(explanations.names):
            note = TOO_FEW if joint.few else ""
            system = name if name != LONGER else findings.shown.study.reading.columns[0]
            category, at = "" if name != LONGER else LONGER, partial(joint.coefficient, k)
            metric = fits.joint_coefficient
            yield _row(findings, metric, system, at, wald, n=n, category=category, note=note, units=units)


def _wald(by_prompt: bool) -> str:
    return "wald_by_prompt" if by_prompt else "wald"


def _models(findings: Findings, ranked: RankedModels) -> Iterator[FittedRow]:
    wald, names, notes = _wald(ranked.strengths.groups > 0), ranked.games.models, ranked.strengths.note
    groups = ranked.strengths.groups or None
    for k in ranked.order:
        n = round(float(ranked.played[k]))
        best, worst = (ends[k] for ends in ranked.ranks)
        ranks = f"rank {best} to {worst}" if best < worst else f"rank {best}"
        note = noted(ranks, notes)
        ways = [(partial(ranked.limits, k), wald)]
        if ranked.draws is not None:
            ways.append((partial(ranked.drawn_limits, k), "bootstrap"))
        for at, method in ways:
            yield _row(findings, fits.model_strength, names[k], at, method, n=n, units=groups, note=note)
    for k, other in ranked.pairs:
        n, against = round(float(ranked.rates[3][k, other])), f"against {names[other]}"
        yield _row(findings, fits.win_rate, names[k], partial(ranked.rate, k, other), "tango", n=n, category=against)
        chance = partial(ranked.strengths.chance, k, other)
        yield _row(findings, fits.win_probability, names[k], chance, wald, n=n, category=against, units=groups)
    yield from _advantages(findings, ranked, wald)
    if ranked.strengths.place is not None:
        reference, n = findings.shown.study.reading.columns[0], len(ranked.games.first)
        yield _row(findings, fits.worth_of_first_place, reference, ranked.worth_of_place, wald, n=n, units=groups)


def _advantages(findings: Findings, ranked: RankedModels, wald: str) -> Iterator[FittedRow]:
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
        at, n = partial(ranked.difference, k, other), round(float(ranked.rates[3][k, other]))
        tested: Tested = {"test": "Wald", "p": own, "p_adjusted": adjusted, "family": family}
        metric, against = fits.model_strength_difference, f"against {names[other]}"
        yield _row(findings, metric, names[k], at, wald, n=n, category=against, units=groups or None, **tested)


At = Callable[[float], Sequence[float]]  # an estimate and its limits at a level
# Limits from draws cannot tell an error that is rarer than a few of these.
BY_DRAWS = {"simultaneous": 0.001, "judge_table": 0.001, "bootstrap": 0.01}


@dataclass(frozen=True)
class FittedRow:
    """A row of a fit, and its limits at any level."""

    row: Row
    at: At
    units: int  # what varies by itself: pairs, or prompts

    @property
    def reach(self) -> Reach | str:
        """How far the estimate may be off; why that is not known."""
        row = self.row
        if row.method == "none":
            return row.note or "there is no interval"

        def limits(level: float) -> tuple[float, float]:
            _, low, high = self.at(level)
            return float(low), float(high)

        return Reach(row.method, row.estimate, limits, self.units, smallest=BY_DRAWS.get(row.method, 1e-12))


def required_rows(
    requirements: Sequence[Requirement], fitted: Sequence[FittedRow], *, held: bool = True
) -> Iterator[Row]:
    """The rows of all requirements of fits; `held`: whether the pairs are at hand."""
    for one in requirements:
        if one.measured is not None and getattr(one.measured.over, "fitted", False):
            chosen = _chosen(one, fitted, held)
            shown = replace(chosen.row, p=None, p_adjusted=None, family=None, low=np.nan, high=np.nan, method="none")
            yield from rows_of_bounds(one, shown, chosen.reach)


def _chosen(one: Requirement, fitted: Sequence[FittedRow], held: bool) -> FittedRow:
    """The row that is meant, of the first method."""
    if one.is_difference or one.slice_columns:
        raise SettingError(
            f"{one.metric} must be required of all pairs and of one system, since it comes from a fit of all pairs. "
            "Use a metric of votes, such as preference_strength, for slices, and *_difference for differences."
        )
    rows = [row for row in fitted if row.row.metric == one.measure_name]
    if not rows:
        why = "no models, texts or people ask for it" if held else 'a stream has no fits: use engine="memory"'
        raise SettingError(f"What is required must be measured here, but {one.metric} is not: {why}.")
    system = system_of(one.system, list(dict.fromkeys(row.row.system for row in rows)))
    rows = [row for row in rows if row.row.system == system]
    known = list(dict.fromkeys(row.row.category for row in rows))
    category = known[0] if one.category is None and len(known) == 1 else one.category
    if category not in known:
        raise SettingError(
            f'{one.metric} of {system} must name one of {listed(known)}, such as {one.metric}["{known[0]}"].'
        )
    return next(row for row in rows if row.row.category == category)
