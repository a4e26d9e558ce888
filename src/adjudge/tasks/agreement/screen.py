"""The first screen of agreement: the coefficient on its scale, who is apart, what is confused, what is to decide."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from shlex import quote

from adjudge.data.judgements.labels import MISSING_WORDS
from adjudge.errors import percent
from adjudge.evaluation.answers.answering import answers_of, measured, plain, plural
from adjudge.evaluation.answers.claims import ABOVE_ZERO, Claim, Evidence, Words, unspoken_claim
from adjudge.evaluation.answers.evidence import metric_in, of_categories, of_row, row_of
from adjudge.evaluation.answers.screen import (
    Advice,
    Answering,
    GridOf,
    ListOf,
    PairsOf,
    Remark,
    Screen,
    SpokenNumber,
    StandingsOf,
)
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import Cell, ForestPanel, TablePanel
from adjudge.tasks.agreement.rater_evidence import (
    EDGES,
    GUESSING,
    KRIPPENDORFF,
    MAJORITY,
    RATER,
    forest_of,
    raters_apart,
    severities,
    shown_apart,
    without_whom,
)
from adjudge.tasks.agreement.rater_panels import MEAN, PAIRS

ALPHA = ("krippendorff_alpha(*", "interval_alpha", "krippendorff_alpha", "set_alpha(*", "icc(form=A,1)")
STRICT, OVERLAP = "pairwise_span_f(match=strict)", "pairwise_span_f(match=partial)"
# What another rater marked where one did, in the words of the first screen; and what a guideline could say of it.
SPANS = {
    "the same span and label": "alike",
    "other boundaries, the same label": "with other boundaries",
    "the same boundaries, another label": "with another label",
    "other boundaries, another label": "with another label and other boundaries",
    "nothing that overlaps": "not at all",
}
GUIDELINE = {
    "with other boundaries": "where a span begins and ends",
    "with another label": "which label is for what",
    "not at all": "what is marked and what is not",
}
LABEL = Words(one="label", many="labels", unit="item")


def _alpha(outcome: Outcome) -> str | None:
    return metric_in(outcome, *ALPHA)


def _whole(outcome: Outcome) -> str:
    return outcome.systems[0] if outcome.systems else ""


def _main(outcome: Outcome) -> Sequence[Evidence]:
    """The coefficient, with whom it would reach the scale without, and what else the reader asks first."""
    row = row_of(outcome, _alpha(outcome), _whole(outcome))
    if row is None:
        return []
    one = of_row(row, row.system, whole=True, metric=row.metric)
    if math.isnan(row.estimate):
        return [replace(one, note=_undefined(outcome, row.note))]
    facts: dict[str, str | float] = dict(one.facts)
    if names := without_whom(outcome):
        facts["without"] = names
    equal = row_of(outcome, metric_in(outcome, "percent_agreement", "same_set_agreement"), _whole(outcome))
    if equal is not None and not math.isnan(equal.low):
        low, high, value = (round(100 * x) for x in (equal.low, equal.high, equal.estimate))
        facts["also"] = f"ratings are equal in {value} % [{low}, {high}]"
    return [replace(one, facts=facts)]


def _undefined(outcome: Outcome, note: str) -> str:
    """Why there is no coefficient: nobody to agree with, or nothing to differ in."""
    labels = outcome.data.categories
    if outcome.settings.choices.get("Items with two ratings or more") == "0":
        return "no item has two ratings"
    if len(labels) == 1:
        return f"all ratings are “{labels[0]}”; nothing to correct for chance with"
    return note


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    guessing = [one.subject for one in raters_apart(outcome) if one.facts.get("also") == GUESSING]
    if len(guessing) > 1:
        names = ", ".join(map(plain, guessing[:10]))
        count = len(list(raters_apart(outcome)))
        yield Remark("guessing", f"{len(guessing)} of {count} raters are {GUESSING}: {names}", mark="beyond", rank=1)
    yield from _prevalence(outcome)
    for forest in outcome.panels.forests:
        if fnmatchcase(forest.title, "Can * stand in for a human?"):
            yield Remark("stand-in", plain(forest.note), rank=2)
    batches = forest_of(outcome, "Agreement by batch")
    if batches is not None:
        yield from _lowest_batch(batches)
    if confused := _confused(outcome):
        name, observed, _, _, gain, low, high, *both = confused
        which = plain(str(name)) + (f", both given to {plural(round(float(both[0] or 0)), 'item')}" if both else "")
        if isinstance(gain, float) and isinstance(low, float) and isinstance(high, float) and low > 0:
            figure = SpokenNumber(gain, low, high, limits=(0.0,))
            text = f"{which}; merged into one label, α would rise by {{gain}}"
            yield Remark("confused", text, {"gain": figure}, rank=3)
        elif observed:
            yield Remark("confused", f"most often {which}", rank=4)
    if shares := _span_shares(outcome):
        same, *others = (f"{percent(share)} {words}" for words, share in shares.items() if share)
        yield Remark("instead", f"of one rater's spans, another rater marks {', '.join([same, *others])}", rank=3)
        yield from _lowest_label(outcome)


def _confused(outcome: Outcome) -> Sequence[Cell]:
    """The two labels that meet most often on the same item; a word for what is missing is no label."""
    table = outcome.panels.table("Most confused labels")
    for row in [] if table is None else table.rows:
        if not any(label.strip().casefold() in MISSING_WORDS for label in str(row[0]).split(" / ")):
            return row
    return []


def _span_shares(outcome: Outcome) -> dict[str, float]:
    """What another rater makes of a rater's spans, in a few words, as shares."""
    table = outcome.panels.table("What the other rater marked")
    rows = {} if table is None else {str(row[0]): float(row[2] or 0.0) for row in table.rows}
    return {words: rows[name] for name, words in SPANS.items() if name in rows}


def _lowest_label(outcome: Outcome) -> Iterator[Remark]:
    known = [one for one in _labels(outcome) if not math.isnan(one.low)]
    if len(known) > 1:
        one = min(known, key=lambda one: one.estimate)
        figure = SpokenNumber(one.estimate, one.low, one.high)
        yield Remark("lowest label", f"{plain(one.subject)}: F {{value}}", {"value": figure}, rank=3)


def _lowest_batch(forest: ForestPanel) -> Iterator[Remark]:
    """The batch on which raters agree least, and whether it is flagged."""
    known = [
        line for line in forest.lines if line.estimate is not None and line.low is not None and line.high is not None
    ]
    if known:
        line = min(known, key=lambda line: line.estimate or 0.0)
        figure = SpokenNumber(line.estimate or 0.0, line.low or 0.0, line.high or 0.0)
        note = f"; {plain(line.note)}" if line.note else ""
        text = f"lowest of {len(forest.lines)} batches: {plain(line.name)}, {{value}}{note}"
        yield Remark("batches", text, {"value": figure}, "looks" if line.note else "plain", rank=2 if line.note else 4)


def _prevalence(outcome: Outcome) -> Iterator[Remark]:
    """Raters who agree on nearly everything, because nearly everything is one label."""
    alpha, equal = (
        row_of(outcome, name, _whole(outcome)) for name in (_alpha(outcome), metric_in(outcome, "percent_agreement"))
    )
    specific = [
        row
        for row in outcome.table.estimates.first_methods()
        if (row.metric, row.system, row.slice) == ("specific_agreement", _whole(outcome), "all")
        and not math.isnan(row.low)
    ]
    if alpha is None or equal is None or not specific or not (equal.estimate >= 0.9 and alpha.estimate < 0.4):
        return
    rare = min(specific, key=lambda row: row.estimate)
    figure = SpokenNumber(rare.estimate, rare.low, rare.high, "share")
    expected = (equal.estimate - alpha.estimate) / (1 - alpha.estimate) if alpha.estimate < 1 else math.nan
    text = f"raters agree on {percent(equal.estimate)}, yet chance alone gives {percent(expected)}"
    yield Remark(
        "prevalence",
        f"{text}; on {plain(rare.category)} they agree in {{rare}}: that is the finding",
        {"rare": figure},
        rank=0,
    )


def _labels(outcome: Outcome) -> list[Evidence]:
    name = metric_in(outcome, "specific_agreement", "label_agreement", "span_f_score(match=strict)")
    return [] if name is None else list(of_categories(name)(outcome))


def _queue(outcome: Outcome) -> TablePanel | None:
    """The items to decide first."""
    table = outcome.panels.table("Adjudication queue")
    return None if table is None else replace(table, columns=table.columns[:5], rows=[row[:5] for row in table.rows])


def _waiting(outcome: Outcome) -> int:
    """How many items wait for a decision; the table holds only the first."""
    table = outcome.panels.table("Adjudication queue")
    count = "" if table is None else table.note.partition(" ")[0].replace(",", "")
    return int(count) if count.isdigit() else 0


def _queue_title(outcome: Outcome) -> str:
    """How many items wait, and why."""
    table = outcome.panels.table("Adjudication queue")
    items = outcome.settings.choices.get("Items", "?")
    note = "" if table is None else table.note.partition(". ")[0]
    return f"to decide: {re.sub(' (items are|item is) open', f' of {items} items', note)}" if note else "to decide"


def _hardest(outcome: Outcome) -> TablePanel | None:
    """The hardest items, where there is no queue."""
    return None if outcome.panels.table("Adjudication queue") is not None else outcome.panels.table("Hardest items")


def _top(outcome: Outcome) -> list[str]:
    chosen = outcome.settings.choices
    forest = forest_of(outcome, MAJORITY, MEAN)
    lines = () if forest is None else [line for line in forest.lines if line.n] or forest.lines  # all, if none met
    raters = chosen.get("Raters") or str(len(lines) or "")
    items = chosen.get("Items with two ratings or more") or chosen.get("Items read by two raters or more")
    every = chosen.get("Items", "?")
    rated = f"{items} of {every} items rated twice or more" if items else f"{every} items"
    parts = [f"{raters} {'rater' if raters == '1' else 'raters'}"] if raters else []
    labels = len(outcome.data.categories)
    level = str(chosen.get("Level of measurement", ""))
    return [*parts, rated, f"{plural(labels, 'label')}, {level}" if labels else level]


def _doubt(outcome: Outcome) -> str:
    resampled = outcome.settings.choices.get("Resampled", "items")
    who = "raters like these" if fnmatchcase(str(resampled), "*raters*") else "these raters"
    by_itself = severities(outcome) is not None
    raters = (
        "each rater's interval is one by itself" if by_itself else "raters corrected for multiple comparisons (Holm)"
    )
    return f"Holds for {who} and items like these; {raters}."


def _steps(outcome: Outcome) -> Iterator[Advice]:
    points, others = _scale_points(outcome.data.categories)
    if outcome.settings.choices.get("Level of measurement") == "nominal" and points:
        scale = f"If {points[0]} to {points[-1]} are points of a scale, say so:"
        missing = f" --missing {quote(others[0])}" if others else ""
        yield Advice(scale, f"--measurement ordinal{missing}", needs=True)
    apart = shown_apart(list(raters_apart(outcome)))
    if guessing := [one.subject for one in apart if one.facts.get("also") == GUESSING]:
        yield Advice(f"Have someone else rate the items of {', '.join(guessing[:5])} again.")
    elif apart:
        names = ", ".join(one.subject for one in apart[:5])
        yield Advice(f"Go through the guideline with {names}, using items that the others rated differently.")
    if (table := outcome.panels.table("Adjudication queue")) is not None and table.rows:
        which = "item" if (count := _waiting(outcome)) == 1 else f"{count:,} items, least certain first"
        yield Advice(f"Resolve the {which}:", "--queue queue.csv", needs=True)
    elif _hardest(outcome) is not None:
        yield Advice("Resolve the hardest items first:", "--queue queue.csv", needs=True)
    confused = _confused(outcome)
    if confused and isinstance(confused[5], float) and confused[5] > 0:
        one_label, _, other = str(confused[0]).partition(" / ")
        yield Advice(f"Explain in the guideline how {one_label} differs from {other}.")
    if shares := {words: share for words, share in _span_shares(outcome).items() if words in GUIDELINE and share > 0}:
        yield Advice(f"Say in the guideline {GUIDELINE[max(shares, key=lambda words: shares[words])]}.")


def _scale_points(labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """Three whole numbers or more in a row, which is what a scale looks like, and at most one other label.

    >>> _scale_points(["1", "2", "3"]), _scale_points(["1", "3", "2", "off topic"]), _scale_points(["1", "2", "a", "b"])
    ((['1', '2', '3'], []), (['1', '2', '3'], ['off topic']), ([], []))
    """
    digits = [label for label in labels if label.isdecimal() and label.isascii() and len(label) < 10]
    points, others = sorted(digits, key=int), [label for label in labels if label not in digits]
    follow = len(points) > 2 and int(points[-1]) - int(points[0]) == len(points) - 1
    return (points, others) if follow and len(others) < 2 else ([], [])


def _spans(outcome: Outcome) -> Sequence[Evidence]:
    row, overlap = (row_of(outcome, name, _whole(outcome)) for name in (STRICT, OVERLAP))
    if row is None or overlap is None:
        return []
    known = not math.isnan(overlap.low)
    text = f"{overlap.estimate:.2f} [{overlap.low:.2f}, {overlap.high:.2f}]" if known else "undefined"
    return [of_row(row, "F of two raters", whole=True, overlap=text)]


def _without(outcome: Outcome) -> str:
    """The head of what agreement would be without a rater."""
    return "F without" if STRICT in outcome.metrics else "α without"


def _any(outcome: Outcome) -> Sequence[Evidence]:
    """Whatever was measured first."""
    row = row_of(outcome, next(iter(outcome.metrics), None), _whole(outcome))
    return [] if row is None else [of_row(row, row.system, whole=True, metric=row.metric)]


SCREEN = Screen(
    answers=(
        *answers_of(measured(*ALPHA, "*"), "", unit="item")[:2],  # of several teams, of two
        Answering("band", _main, _alpha, edges=EDGES, scale=KRIPPENDORFF.name, source=KRIPPENDORFF.source, unit="item"),
        Answering(
            "value",
            _spans,
            lambda outcome: STRICT if STRICT in outcome.metrics else None,
            says={"value": "F of two raters is {figure} exact and {overlap} with overlap counting half."},
            unit="item",
        ),
        Answering("value", _any, lambda outcome: next(iter(outcome.metrics), None), unit="item"),
    ),
    top=_top,
    claims=(
        Claim(
            "raters",
            raters_apart,
            RATER,
            good=ABOVE_ZERO,
            order="value",
            excepts=False,
            difference=True,
            settles=False,
            reads=False,
        ),
        unspoken_claim("labels", _labels, LABEL, order="value"),
    ),
    remarks=_remarks,
    blocks=(
        StandingsOf("teams, best first", measured(*ALPHA, "*")),
        GridOf("raters", "raters, worst first", "rater", ((_without, "without", "coefficient"),), "agrees", least=3),
        ListOf("raters, furthest from the others first", severities, most=8),
        PairsOf("each pair of raters", "rater", PAIRS),
        GridOf("labels", "labels, least agreement first", "label"),
        ListOf(_queue_title, _queue, count=_waiting, option="--queue queue.csv"),
        ListOf("hardest items ({shown} of {count} listed)", _hardest),
    ),
    steps=_steps,
    doubt=_doubt,
)
