"""Lists to act on: what to adjudicate, which labels to merge, what the numbers are called, how many items more."""

from __future__ import annotations

import math
from collections.abc import Sequence

from adjudge.diagnosis.limits import ValueWithLimits
from adjudge.diagnosis.raters.consensus import Consensus, mace
from adjudge.diagnosis.raters.distinct_ratings import DistinctRatings
from adjudge.diagnosis.raters.items import REASONS, adjudication_queue, hardest_items
from adjudge.diagnosis.raters.labels import confused_labels
from adjudge.diagnosis.raters.margins import MarginTest, category_test, margin_balance, margin_tests
from adjudge.diagnosis.raters.scales import SCALES, band, caution, reached_band
from adjudge.errors import with_minus
from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.panels import Cell, TablePanel, finite
from adjudge.inference.many.multiplicity import holm
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics.base import Metric
from adjudge.metrics.weightings import Measurement
from adjudge.statistics.base import Array, steady_product

MOST_ITEMS = 50
MOST_PAIRS = 20


def _votes(votes: dict[str, int]) -> str:
    return ", ".join(f"{label} ×{count}" for label, count in votes.items())


def queue_table(
    table: DistinctRatings, items: Sequence[str] | None, measurement: Measurement, fitted: Consensus
) -> TablePanel:
    """The items to adjudicate first."""
    queue = adjudication_queue(table, items, measurement=measurement, most=MOST_ITEMS, model=fitted)
    counts = ", ".join(plural(count, reason) for reason, count in queue.by_reason.items() if count)
    meaning = " ".join(f"{reason}: {REASONS[reason]}." for reason, count in queue.by_reason.items() if count)
    open_items = f"{queue.open:,} {'item is' if queue.open == 1 else 'items are'} open"
    note = f"{open_items} ({counts}). {meaning}" if queue.open else ""
    rows: list[list[Cell]] = [
        [one.item, ", ".join(one.reasons), _votes(one.votes), one.label, one.probability, finite(one.influence)]
        for one in queue.entries
    ]
    columns = ["item", "reason", "votes", "probable label", "probability", "influence on alpha"]
    return TablePanel("Adjudication queue", note, columns, rows)


def hardest_table(table: DistinctRatings, items: Sequence[str] | None, measurement: Measurement) -> TablePanel:
    """The items that pull agreement down most."""
    rows: list[list[Cell]] = [
        [one.item, _votes(one.votes), one.agreement, one.entropy, finite(one.influence)]
        for one in hardest_items(table, items, measurement, MOST_ITEMS)
    ]
    note = "Influence is alpha with the item less alpha without it. Entropy is in bits."
    return TablePanel("Hardest items", note, ["item", "votes", "agreement", "entropy", "influence on alpha"], rows)


def confused_table(table: DistinctRatings, measurement: Measurement, settings: Bootstrap, level: float) -> TablePanel:
    """The labels that meet most often on the same item."""
    confusions = confused_labels(table, measurement, settings=settings, level=level, most=MOST_PAIRS)
    rows: list[list[Cell]] = [
        [
            f"{one.first} / {one.second}",
            one.observed,
            *map(finite, (one.expected, one.ratio, one.gain.value, one.gain.low, one.gain.high)),
            one.items,
        ]
        for one in confusions
    ]
    note = (
        "Gain is how much alpha would rise if the two labels were one. Merging rare labels raises it little, "
        "and a gain is no reason to merge labels that must be told apart."
    )
    columns = ["labels", "observed", "expected by chance", "ratio", "gain", "gain low", "gain high", "items with both"]
    return TablePanel("Most confused labels", note, columns, rows)


def consensus_table(table: DistinctRatings, fitted: Consensus, shown: list[int]) -> TablePanel:
    """How reliable each rater turns out to be in models of the true label."""
    spammers = mace(table.by_row)
    place = {name: number for number, name in enumerate(fitted.raters)}
    rows: list[list[Cell]] = [
        [
            name,
            finite(fitted.accuracy[place[name]]),
            finite(spammers.competence[place[name]]),
            round(float(given)),
        ]
        for name, given in (
            (table.raters[rater], float(steady_product(table.counts, table.rated[:, rater]))) for rater in shown
        )
    ]
    said = "" if fitted.converged else " The model did not converge."
    note = (
        "Accuracy: how often the rater is right, by Dawid and Skene's model. "
        "Competence: how often the rater knows the label "
        f"rather than guesses, by MACE. Both assume that raters err independently.{said}"
    )
    return TablePanel("Reliability of each rater", note, ["rater", "accuracy", "competence", "ratings"], rows)


def margins_table(table: DistinctRatings) -> TablePanel:
    """Tests that raters use the categories alike."""
    columns = ["test", "statistic", "degrees of freedom", "p", "p after Holm", "items", "note"]
    title = "Do raters use the scale alike?"
    if len(table.raters) < 2:
        return TablePanel(title, "", columns, [])
    how = ""
    if table.cluster is not None:
        how = " A cluster is one observation, however many items it has; with few clusters p is rough."
    elif table.weight is not None:
        how = " Items count by their weights."
    if len(table.raters) == 2:
        indices = margin_balance(table.vectors.table_of(0, 1))
        note = "Small p: the raters use the categories differently, which no agreement coefficient tells from noise."
        if indices is not None:
            prevalence, bias = (with_minus(one, "+.3f") for one in (indices.prevalence, indices.bias))
            note += f" Prevalence index {prevalence}, bias index {bias}."
        rows = [_test_row(test.name, test, None) for test in margin_tests(table)]
        return TablePanel(title, note + how, columns, rows)
    names = table.categories[-1:] if len(table.categories) == 2 else table.categories
    tests = [(name, category_test(table, name)) for name in names]
    if len({test.note for _, test in tests}) == 1 and all(test.note for _, test in tests):  # none could be made
        tests = [("every category", tests[0][1])]
    adjusted = holm([test.p_value for _, test in tests])
    rows = [
        _test_row(f"{test.name}: {name}", test, finite(float(p)))
        for (name, test), p in zip(tests, adjusted, strict=True)
    ]
    note = "Each category against all others, on items rated by every rater shown. Small p: raters differ in its use."
    return TablePanel(title, note + how, columns, rows)


def _test_row(name: str, test: MarginTest, adjusted: float | None) -> list[Cell]:
    return [
        name,
        finite(test.statistic),
        test.degrees,
        finite(test.p_value),
        adjusted,
        round(test.n),
        test.note,
    ]


def scales_table(metric: Metric, whole: ValueWithLimits, draws: Array) -> TablePanel:
    """What the coefficient is called on every scale made for it."""
    made_for = {scale.made_for for scale in SCALES.values()} & {metric.name}
    scales = [scale for scale in SCALES.values() if scale.made_for == (metric.name if made_for else "kappa")]
    rows: list[list[Cell]] = []
    for scale in scales if not math.isnan(whole.low) else []:
        reached = reached_band(scale, draws)
        rows.append([scale.source, band(scale, whole.value), reached.band, reached.probability, scale.convention])
    note = (
        f"{metric.label} {with_minus(whole.value, '.3f')}. Reached: the highest band that holds "
        f"with 95 % probability, by the draws of the interval. {caution(scales[0], metric.name)}"
    ).strip()
    columns = ["scale", "band of the value", "band reached", "probability", "edges"]
    return TablePanel("What the value is called", note, columns, rows)
