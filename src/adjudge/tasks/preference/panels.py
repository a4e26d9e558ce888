"""The numbers behind the report: what the reference prefers, how pairs look, and who voted how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from adjudge.data.judgements.votes import KINDS
from adjudge.engines.base import WHOLE
from adjudge.errors import percent
from adjudge.evaluation.declaration import Page
from adjudge.evaluation.panels import Cell, ForestLine, ForestPanel, MatrixPanel, Panels, TablePanel, finite
from adjudge.evaluation.results import ResultTable, slice_name
from adjudge.inference.intervals.closed_form import METHODS, closed_form, wilson
from adjudge.inference.many.multiplicity import benjamini_hochberg, holm
from adjudge.metrics import (
    answer_length,
    preference_accuracy,
    preference_relevance,
    prefers_first,
    prefers_longer,
)
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import ratio
from adjudge.statistics.preferences.choice_sums import CHOSE, NAMES, ChoiceSums
from adjudge.tasks.preference.differences import difference_tables, spreads_of
from adjudge.tasks.preference.explanations import explanation_panels, explanations_of
from adjudge.tasks.preference.judges import judge_tables, judged_of, turned_of
from adjudge.tasks.preference.ranking import model_panels, ranked_models
from adjudge.tasks.preference.reading import CHOICES, MODEL
from adjudge.tasks.preference.rows import Findings, completed_rows
from adjudge.tasks.preference.shown_votes import ShownVotes, TraitCell

if TYPE_CHECKING:
    from adjudge.tasks.preference.study import PreferenceStudy

PREFERS = "What the reference prefers"


def preference_found(study: PreferenceStudy, page: Page) -> tuple[ResultTable, Panels]:
    """All rows, and every picture and list."""
    shown = ShownVotes.of(study, page)
    fits = spreads_of(shown), ranked_models(shown), explanations_of(shown), judged_of(shown), turned_of(shown)
    findings = Findings(shown, *fits)
    explanations, ranking = explanation_panels(shown, findings.explanations), model_panels(shown, findings.ranked)
    tables = [
        _prefers(shown),
        *_overall(shown),
        *difference_tables(findings.spreads),
        *ranking.tables,
        *explanations.tables,
        *judge_tables(findings.judged, findings.turned),
        _votes(shown),
        *_no_votes(shown),
    ]
    panels = Panels(
        forests=[_forest(shown), *ranking.forests],
        matrices=[*_heat_map(shown), *ranking.matrices, *explanations.matrices],
        tables=tables,
    )
    return completed_rows(findings), panels


def _prefers(shown: ShownVotes) -> TablePanel:
    """Strengths with their tests, adjusted over everything that is shown, and what they say in words."""
    every = list(shown.cells.values())
    p = [cell.p for cell in every]
    adjusted = {id(cell): both for cell, *both in zip(every, holm(p), benjamini_hochberg(p), strict=True)}
    rows: list[list[Cell]] = []
    for cell in (one for column in shown.study.reading.columns for one in shown.beside(column)):
        by_holm, by_rate = adjusted[id(cell)]
        many = cell.column if len(shown.study.reading.columns) > 1 else ""
        numbers = map(finite, (*cell.limits, cell.p, cell.mid_p, by_holm, by_rate))
        rows.append([cell.annotator, many, *numbers, in_words(cell)])
    head = [
        "annotator",
        "beside",
        "strength",
        "low",
        "high",
        "p",
        "mid-p",
        "p, Holm",
        "p, false discoveries",
        "in words",
    ]
    note = (
        "Above 0 the reference chooses what the annotator chooses, below 0 the other answer; near 0 it does not matter "
        f"or seldom applies. p: {shown.test}; adjusted over all {len(every):,} strengths shown (slices included)."
    )
    return TablePanel(PREFERS, note, head, rows)


def in_words(cell: TraitCell) -> str:
    """A strength as a sentence: of what feedback encourages, or of what a model shows."""
    table, name = cell.table, cell.annotator.removeprefix("AI: ")
    relevance, accuracy = (float(metric.values(table)) for metric in (preference_relevance, preference_accuracy))
    if not np.isfinite(relevance) or not np.isfinite(accuracy):
        return "nothing can be said: there is no pair in which both chose"
    about = f"“{name}” tells the answers apart in {percent(relevance)} of pairs"
    if cell.column.startswith(MODEL):
        model = cell.column.removeprefix(MODEL)
        said = f"{about}; there it is {model}'s answer in {percent(accuracy)}"
        verdict = (f"{model} shows it more than the others", f"{model} shows it less than the others")
    else:
        said = f"{about}; there the reference chose the same answer in {percent(accuracy)}"
        verdict = ("it is encouraged", "it is discouraged")
    if cell.low > 0 or cell.high < 0:
        return f"{said}: {verdict[cell.high < 0]}"
    return f"{said}: it could be chance"


def _forest(shown: ShownVotes) -> ForestPanel:
    lines = []
    for cell in shown.first:
        value, low, high = map(finite, cell.limits)
        lines.append(ForestLine(cell.annotator, value, low, high, round(float(cell.table.both_asked))))
    note = "Strength with Tango's interval. Right of the line the reference prefers what the annotator chooses."
    return ForestPanel(f"Strength beside {shown.study.reading.columns[0]}", note, "Strength", lines, 0.0)


def _heat_map(shown: ShownVotes) -> Iterator[MatrixPanel]:
    """Every annotator under every column and slice, where there are several."""
    columns, rows = shown.columns, list(dict.fromkeys(cell.annotator for cell in shown.first))
    if len(columns) < 2:
        return
    cells = [[shown.cells.get((annotator, column)) for column in columns] for annotator in rows]

    def picked(place: int) -> list[list[float | None]]:
        return [[None if cell is None else finite(cell.limits[place]) for cell in row] for row in cells]

    n = [[0 if cell is None else round(float(cell.table.both_asked)) for cell in row] for row in cells]
    note = "Strength of each annotator beside each column."
    yield MatrixPanel("Strengths side by side", note, rows, columns, picked(0), picked(1), picked(2), n, (-1.0, 1.0))


# The general statistics of pairs, as Feedback Forensics calls them.
SHARES = {"Prop preferring text_a": prefers_first, "Prop preferring longer text": prefers_longer}
EQUAL = "Prop of equally long texts"
LENGTHS = {
    "Avg len text_a": answer_length.using(of="a"),
    "Avg len text_b": answer_length.using(of="b"),
    "Avg len pref. text": answer_length,
    "Avg len rej. text": answer_length.using(of="rejected"),
}


def _overall(shown: ShownVotes) -> Iterator[TablePanel]:
    """The general statistics of every column and slice."""
    collected, columns = shown.page.collected, shown.study.reading.columns
    counts: list[list[Cell]] = []
    lengths: list[list[Cell]] = []
    for key in collected.slices():
        for column in columns if key == WHOLE else columns[:1]:
            sums = collected.sums_of(f"{CHOICES}{column}", ChoiceSums, key)
            where = column if key == WHOLE else slice_name(key)
            shares = [_general(metric, sums, shown.level) for metric in SHARES.values()]
            shares.append(_equally_long(sums, shown.level))
            chose = round(float(sums.sums.of(CHOSE)))
            counts.append([where, sums.rows, chose, *(one for share in shares for one in share)])
            means = [_general(metric, sums, shown.level) for metric in LENGTHS.values()]
            lengths.append([where, *(one for mean in means for one in (mean[0], _reach(mean)))])
    head = ["beside", "Number of preference pairs", "pairs it chose between"]
    head += [one for name in (*SHARES, EQUAL) for one in (name, "low", "high")]
    note = (
        "Wilson's intervals. Texts of equal length count as neither longer nor shorter; None where texts are not known."
    )
    yield TablePanel("Overall statistics", note, head, counts)
    if any(one is not None for row in lengths for one in row[1:]):
        note = "In characters, of the pairs it chose between. Student's intervals."
        head = ["beside", *(one for name in LENGTHS for one in (name, "±"))]
        yield TablePanel("Overall statistics of lengths", note, head, lengths)


def _reach(mean: list[Cell]) -> float | None:
    return None if mean[0] is None or mean[2] is None else float(mean[2]) - float(mean[0])


def _general(metric: Metric, sums: ChoiceSums, level: float) -> list[Cell]:
    """A general statistic with its limits."""
    every = (closed_form(name, metric, sums, level) for name in metric.intervals if name in METHODS)
    bounds = next((one for one in every if one is not None), None)
    ends = (np.nan, np.nan) if bounds is None else (float(bounds.low), float(bounds.high))
    return [finite(float(metric.values(sums))), *map(finite, ends)]


def _equally_long(sums: ChoiceSums, level: float) -> list[Cell]:
    whole = sums.sums.of("measured")
    share = Share(whole - sums.sums.of("unequal"), whole, sums.squares[NAMES.index("measured")])
    return [finite(float(ratio(share.part, whole))), *(finite(float(end)) for end in wilson(share, level))]


def _votes(shown: ShownVotes) -> TablePanel:
    """Who said what how often, every way of not choosing by itself."""
    rows: list[list[Cell]] = []
    for place, cell in enumerate(shown.first):
        if place == 0:
            rows.append([cell.column, *(round(float(one)) for one in cell.table.counts.sum(1))])
        rows.append([cell.annotator, *(round(float(one)) for one in cell.table.counts.sum(0))])
    note = "Only a and b are choices. Missing: the annotator has no vote for the pair."
    return TablePanel("Votes", note, ["annotator", *KINDS], rows)


def _no_votes(shown: ShownVotes) -> Iterator[TablePanel]:
    unused = shown.page.collected.facts.unused
    if unused:
        rows: list[list[Cell]] = [[what, n] for what, n in sorted(unused.items(), key=lambda one: (-one[1], one[0]))]
        yield TablePanel("Words that are no votes", "They count as invalid.", ["what", "n"], rows)
