"""The first screen of agreement: the coefficient on its scale, who is apart, what is confused, what is to decide."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from adjudge.diagnosis.raters.scales import SCALES
from adjudge.errors import percent
from adjudge.evaluation.answers.answering import answers_of, measured, plain, plural
from adjudge.evaluation.answers.claims import LEAST_UNITS, Claim, Evidence, Words, judged_evidence, probability_below
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
from adjudge.evaluation.panels import ForestPanel, TablePanel
from adjudge.tasks.agreement.queue_screen import hardest, queue, queue_title, waiting
from adjudge.tasks.agreement.rater_panels import MEAN, PAIRS, TOGETHER, VITALITY

ALPHA = ("krippendorff_alpha(*", "interval_alpha", "krippendorff_alpha", "set_alpha(*", "icc(form=A,1)")
STRICT, OVERLAP = "pairwise_span_f(match=strict)", "pairwise_span_f(match=partial)"
KRIPPENDORFF = SCALES["Krippendorff"]
EDGES = tuple((band.low, band.name) for band in reversed(KRIPPENDORFF.bands[1:]))
LEAST = EDGES[-1][0]
MAJORITY = "Agreement with the majority of the others"
MEAN_KAPPA = "Mean kappa of each rater with the others"
GUESSING = "close to guessing"
LIKELY, HALF, INCOMPETENT = 0.95, 0.5, 0.3
RATER = Words(
    one="rater",
    many="raters",
    beyond="apart from the others",
    looks="looks apart",
    within="as the others",
    finding="apart",
    finding_looks="looks apart",
    low="{subject} is apart from the others",
    looks_low="{subject} looks apart from the others",
    unit="item",
    value="{value} agreement with the others",
)
LABEL = Words(one="label", many="labels", unit="item")
ABOVE = (0.0, math.inf)


def _forest(outcome: Outcome, *titles: str) -> ForestPanel | None:
    return next((one for title in titles for one in outcome.panels.forests if one.title == title), None)


def _numbers(table: TablePanel | None) -> dict[str, list[float]]:
    """The numbers of every row that has them all, by its name."""
    rows = [] if table is None else table.rows
    return {
        str(name): [float(x) for x in numbers if isinstance(x, int | float)]
        for name, *numbers in rows
        if all(isinstance(x, int | float) for x in numbers)
    }


def _column(table: TablePanel | None, name: str) -> dict[str, float]:
    """A column of numbers by the first."""
    if table is None or name not in table.columns:
        return {}
    place = table.columns.index(name)
    cells = [(str(row[0]), row[place]) for row in table.rows]
    return {row: float(value) for row, value in cells if isinstance(value, int | float)}


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
    if names := _without(outcome):
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


def _without(outcome: Outcome) -> str:
    """The rater, or raters, without whom the least edge is reached, if the gain of each is shown after correction."""
    rows = _numbers(outcome.panels.table(VITALITY))
    level = outcome.settings.level
    enough = 10**6  # how many items there are is judged elsewhere
    raters = [Evidence(name, row[3], row[4], row[5], enough, level) for name, row in rows.items()]
    without = {name: Evidence(name, row[0], row[1], row[2], enough, level) for name, row in rows.items()}
    claim = Claim("vitality", lambda outcome: (), RATER, good=ABOVE, neutral=0.0)
    worst = [one for one in judged_evidence(claim, raters, ABOVE) if one.state == "beyond"]
    worst.sort(key=lambda one: one.evidence.estimate)
    for one in worst:
        if probability_below(without[one.subject], LEAST) <= 1 - LIKELY:
            return one.subject
    for names, (value, low, high, *_) in _numbers(outcome.panels.table(TOGETHER)).items():
        if probability_below(Evidence(names, value, low, high, enough, level), LEAST) <= 1 - LIKELY:
            return names
    return ""


def _raters(outcome: Outcome) -> Iterator[Evidence]:
    """How much less than the others each rater agrees with them; who is close to guessing is told so."""
    forest = _forest(outcome, MAJORITY, MEAN)
    if forest is None or len(forest.lines) < 2:
        return
    shares = forest.title == MAJORITY
    without, competence = (
        _column(outcome.panels.table(VITALITY), "without"),
        _column(outcome.panels.table("Reliability of each rater"), "competence"),
    )
    kappas = _forest(outcome, MEAN_KAPPA, MEAN)
    total = sum(line.n for line in forest.lines if line.estimate is not None)
    agreed = sum(line.n * line.estimate for line in forest.lines if line.estimate is not None)
    for line in forest.lines:
        value, low, high = (math.nan if x is None else x for x in (line.estimate, line.low, line.high))
        rest = (agreed - line.n * value) / (total - line.n) if total > line.n and not math.isnan(value) else math.nan
        facts: dict[str, str | float] = {"value": value, "low": low, "high": high, "rest": rest}
        facts |= {"metric": "percent_agreement"} if shares else {"metric": "", "unit": "comparison"}
        facts |= {"without": without[line.name]} if line.name in without else {}
        if shares and line.n >= LEAST_UNITS and high < rest and _guesses(line.name, competence, kappas):
            facts["also"] = GUESSING
        yield Evidence(
            line.name, value - rest, low - rest, high - rest, line.n, outcome.settings.level, line.note, facts=facts
        )


def _guesses(name: str, competence: dict[str, float], kappas: ForestPanel | None) -> bool:
    """Whether a rater knows the label in few items and agrees with nobody; each where that was worked out."""
    line = next((one for one in kappas.lines if one.name == name), None) if kappas is not None else None
    usual = kappas.against if kappas is not None else None
    if line is not None and line.high is not None and usual is not None and line.high >= HALF * usual:
        return False
    return competence.get(name, 1.0) < INCOMPETENT


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    guessing = [one.subject for one in _raters(outcome) if one.facts.get("also") == GUESSING]
    if len(guessing) > 1:
        names = ", ".join(map(plain, guessing[:10]))
        count = len(list(_raters(outcome)))
        yield Remark("guessing", f"{len(guessing)} of {count} raters are {GUESSING}: {names}", mark="beyond", rank=1)
    yield from _prevalence(outcome)
    for forest in outcome.panels.forests:
        if fnmatchcase(forest.title, "Can * stand in for a human?"):
            yield Remark("stand-in", plain(forest.note), rank=2)
    batches = _forest(outcome, "Agreement by batch")
    if batches is not None:
        yield from _lowest_batch(batches)
    confused = outcome.panels.table("Most confused labels")
    if confused is not None and confused.rows:
        name, observed, _, _, gain, low, high = confused.rows[0][:7]
        which = f"{plain(str(name))}, {plural(round(float(observed or 0)), 'time')} on the same item"
        if isinstance(gain, float) and isinstance(low, float) and isinstance(high, float) and low > 0:
            figure = SpokenNumber(gain, low, high, limits=(0.0,))
            text = f"{which}; merged into one label, α would rise by {{gain}}"
            yield Remark("confused", text, {"gain": figure}, rank=3)
        elif observed:
            yield Remark("confused", f"most often {which}", rank=4)
    other = outcome.panels.table("What the other rater marked")
    if other is not None:
        parts = [f"{plain(str(row[0]))} {100 * float(row[2] or 0):.0f} %" for row in other.rows if row[2]][:4]
        yield Remark("instead", "of what one rater marked the other marked: " + ", ".join(parts), rank=3)


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


def _top(outcome: Outcome) -> list[str]:
    chosen = outcome.settings.choices
    forest = _forest(outcome, MAJORITY, MEAN)
    raters = chosen.get("Raters") or (str(len(forest.lines)) if forest is not None else "")
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
    return f"Holds for {who} and items like these; raters are corrected for their number (Holm)."


def _steps(outcome: Outcome) -> Iterator[Advice]:
    labels = outcome.data.categories
    if outcome.settings.choices.get("Level of measurement") == "nominal" and _scale_points(labels):
        scale = f"If {labels[0]} to {labels[-1]} are points of a scale, say so:"
        yield Advice(scale, "--measurement ordinal", needs=True)
    raters = judged_evidence(Claim("raters", lambda outcome: (), RATER), list(_raters(outcome)), ABOVE)
    guessing = [one.subject for one in raters if one.state == "beyond" and one.evidence.facts.get("also") == GUESSING]
    if guessing:
        yield Advice(f"Have someone else rate the items of {', '.join(guessing[:5])} again.")
    elif apart := [one.subject for one in raters if one.state == "beyond"]:
        yield Advice(f"Go through the guideline with {', '.join(apart[:5])}, on items that others rated otherwise.")
    if (table := outcome.panels.table("Adjudication queue")) is not None and table.rows:
        which = "item" if (count := waiting(outcome)) == 1 else f"{count:,} items, least certain first"
        yield Advice(f"Resolve the {which}:", "--queue queue.csv", needs=True)
    confused = outcome.panels.table("Most confused labels")
    if confused is not None and confused.rows and isinstance(confused.rows[0][5], float) and confused.rows[0][5] > 0:
        one_label, _, other = str(confused.rows[0][0]).partition(" / ")
        yield Advice(f"Explain in the guideline how {one_label} differs from {other}.")


def _scale_points(labels: Sequence[str]) -> bool:
    """Whether labels are three whole numbers or more that follow each other: what a scale looks like."""
    digits = sorted(int(label) for label in labels if label.isdecimal() and label.isascii() and len(label) < 10)
    return len(digits) == len(labels) > 2 and digits[-1] - digits[0] == len(digits) - 1


def _spans(outcome: Outcome) -> Sequence[Evidence]:
    row, overlap = (row_of(outcome, name, _whole(outcome)) for name in (STRICT, OVERLAP))
    if row is None or overlap is None:
        return []
    known = not math.isnan(overlap.low)
    text = f"{overlap.estimate:.2f} [{overlap.low:.2f}, {overlap.high:.2f}]" if known else "undefined"
    return [of_row(row, "F of two raters", whole=True, overlap=text)]


def _any(outcome: Outcome) -> Sequence[Evidence]:
    """Whatever was measured first."""
    row = row_of(outcome, next(iter(outcome.metrics), None), _whole(outcome))
    return [] if row is None else [of_row(row, row.system, whole=True, metric=row.metric)]


SCREEN = Screen(
    answers=(
        *answers_of(measured(*ALPHA, "*"), "", unit="item")[:2],  # of several teams, of two
        Answering(
            "band",
            _main,
            _alpha,
            edges=EDGES,
            scale=KRIPPENDORFF.name,
            source=KRIPPENDORFF.source,
            unit="item",
            subject="",
        ),
        Answering(
            "value",
            _spans,
            lambda outcome: STRICT if STRICT in outcome.metrics else None,
            says={"value": "{value} exact and {overlap} with overlap counting half."},
            unit="item",
        ),
        Answering("value", _any, lambda outcome: next(iter(outcome.metrics), None), unit="item"),
    ),
    top=_top,
    claims=(
        Claim(
            "raters",
            _raters,
            RATER,
            good=ABOVE,
            order="value",
            excepts=False,
            difference=True,
            settles=False,
            reads=False,
        ),
        Claim("labels", _labels, LABEL, order="value", excepts=False, listed=False, settles=False),
    ),
    remarks=_remarks,
    blocks=(
        StandingsOf("teams, best first", measured(*ALPHA, "*")),
        GridOf("raters", "raters, worst first", "rater", (("α without", "without", "coefficient"),), "agrees", least=3),
        PairsOf("each pair of raters", "rater", PAIRS),
        GridOf("labels", "labels, least agreement first", "label"),
        ListOf(queue_title, queue, count=waiting, option="--queue queue.csv"),
        ListOf("hardest items ({shown} of {count} listed)", hardest),
    ),
    steps=_steps,
    doubt=_doubt,
)
