"""The first screen of classification: the system beside a constant answer or another system, then where it errs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from adjudge.errors import percent
from adjudge.evaluation.answers.answering import (
    GAINS,
    answers_of,
    difference_claim,
    drawn_together,
    measured,
    of_one_system,
    plain,
    plural,
    systems_blocks,
    top_subject,
    worse_than_rest,
)
from adjudge.evaluation.answers.claims import Words, claim_of_gains, unspoken_claim
from adjudge.evaluation.answers.evidence import (
    against_rest,
    differences_by_category,
    leader,
    metric_in,
    of_categories,
    row_of,
)
from adjudge.evaluation.answers.screen import Advice, GridOf, MatrixOf, Remark, Screen, SpokenNumber
from adjudge.evaluation.measuring.threshold_notes import FLATTERS, noted_threshold
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import ConfusionPanel
from adjudge.evaluation.results import Row
from adjudge.metrics.catalogue import parse
from adjudge.tasks.classification.costs import cost_remark

RIGHT = "accuracy"
OTHERS = ("roc_auc", "roc_auc(average=macro)", "balanced_accuracy", "f_score(average=macro)", "log_loss", "*")
ERRS = worse_than_rest("has more errors", value="{value} right")
ELSEWHERE = {  # which metrics choose their threshold, and how they are told
    "false_positive_rate_at_recall(*": "find {at}: at {threshold}, with {value} false alarms",
    "recall_at_precision(*": "{at} of alarms right: at {threshold}, finds {value}",
    "max_accuracy": "most right: at {threshold}, {value}",
}
LABELS = Words(one="label", many="labels")
MOST_COUNTED = 128  # labels in a table of counts, the largest first
LABEL_GRID = GridOf(
    "labels",
    "labels, lowest F first",
    "label",
    (("precision", "precision", "share"), ("recall", "recall", "share"), ("most taken for", "most_taken_for", "")),
    figure="F",
    least=3,
    roomy=True,
)


def confusion_of(outcome: Outcome) -> ConfusionPanel | None:
    """The table of the system that the screen is about."""
    return next((panel for panel in outcome.panels.confusions if panel.system == leader(outcome)), None)


def _constant(outcome: Outcome) -> str:
    panel = confusion_of(outcome)
    if panel is None:
        return "the best constant answer"
    totals = panel.reference_totals
    return f"always answering {panel.categories[totals.index(max(totals))]}"


def _decided(outcome: Outcome) -> str | None:
    """Accuracy, unless it is undefined: scores that are no probabilities decide nothing by themselves, but rank."""
    row = row_of(outcome, metric_in(outcome, RIGHT), leader(outcome))
    return None if row is None or math.isnan(row.estimate) else RIGHT


def _counts(outcome: Outcome) -> tuple[str, list[str], list[list[float]]] | None:
    """The table with the largest label first, so that the eye begins where the rows are."""
    panel = confusion_of(outcome)
    if panel is None:
        return None
    totals = panel.reference_totals
    order = sorted(range(len(panel.categories)), key=lambda place: -totals[place])[:MOST_COUNTED]
    if (positive := outcome.settings.positive) in panel.categories and len(order) == 2:
        order.sort(key=lambda place: panel.categories[place] != positive)
    names = [panel.categories[place] for place in order]
    return leader(outcome), names, panel.among(order)


def _taken_for(outcome: Outcome, row: Row) -> dict[str, str | float]:
    """What a label is most often taken for, with precision and recall beside F."""
    facts: dict[str, str | float] = {}
    for name in ("precision", "recall"):
        of_label = row_of(outcome, name, row.system, category=row.category)
        facts[name] = math.nan if of_label is None else of_label.estimate
    panel = confusion_of(outcome)
    if panel is not None and row.category in panel.categories:
        place = panel.categories.index(row.category)
        others = [(count, panel.categories[j]) for i, j, count in panel.pairs if i == place and j != place]
        count, name = max(others, default=(0.0, ""), key=lambda pair: pair[0])
        support, whole = panel.reference_totals[place], all(total.is_integer() for total in panel.reference_totals)
        # Rows that are weighed by anything but counts are as many as their share of all.
        rows = support if whole else support / sum(panel.reference_totals) * outcome.data.used
        often = f"{count:,.0f} of {support:,.0f}" if whole and count.is_integer() else percent(count / (support or 1))
        facts |= {"taken_for": name if count else "", "often": often, "support": rows}
        facts |= {"most_taken_for": f"{name}, {often}" if count else "–"}
    return facts


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    """Of two labels what is found and how many alarms are right; of more the weakest; then how well scores rank."""
    system, positive = leader(outcome), outcome.settings.positive
    panel = confusion_of(outcome)
    several = len(outcome.systems) > 1
    if positive is not None and not several:
        recall = row_of(outcome, "recall", system, category=positive)
        right = row_of(outcome, "precision", system, category=positive)
        if recall is not None and right is not None and not math.isnan(recall.estimate):
            figures = {"found": _figure(recall), "right": _figure(right), "n": SpokenNumber(recall.n, unit="count")}
            end = "; {right} of alarms are right" if not math.isnan(right.estimate) else "; nothing is called so"
            yield Remark("finds", f"{{found}} of the {{n}} rows labelled {plain(positive)}{end}", figures, rank=0)
    elif panel is not None and len(panel.categories) > 2:
        yield from _weakest(outcome)
    ranked = positive is not None and _decided(outcome) is not None  # otherwise the headline says it
    area = row_of(outcome, "roc_auc", system, category=positive) if ranked else None
    if area is not None and not math.isnan(area.estimate) and not math.isnan(area.low):
        error = row_of(outcome, "calibration_error", system)
        text, figures = "ROC AUC {area}", {"area": _figure(area)}
        others = [name for name in outcome.systems if name != system]
        before = row_of(outcome, "roc_auc", others[0], category=positive) if len(others) == 1 else None
        if before is not None and not math.isnan(before.low):
            text, figures = text + " against {before}", figures | {"before": _figure(before)}
        elif several:
            text = f"{plain(system)}: {text}"
        if error is not None and not math.isnan(error.estimate) and not math.isnan(error.low):
            text, figures = text + "; calibration error {error}", figures | {"error": _figure(error)}
        yield Remark("ranks", text, figures)
    yield from cost_remark(outcome, system)
    if positive is not None and not several:
        yield from _other_thresholds(outcome, positive)


def _other_thresholds(outcome: Outcome, positive: str) -> Iterator[Remark]:
    """What other thresholds would give, each chosen on these rows for what it reaches."""
    texts, figures = list[str](), dict[str, SpokenNumber]()
    for pattern, text in ELSEWHERE.items():
        row = row_of(outcome, metric_in(outcome, pattern), leader(outcome), category=positive)
        threshold = None if row is None else noted_threshold(row.note)
        if row is None or threshold is None or math.isnan(row.estimate) or math.isnan(row.low):
            continue
        reached = parse(row.metric).settings.get("at", math.nan)
        texts.append(text.format(at=f"{100 * reached:g} %", threshold=threshold, value=f"{{v{len(texts)}}}"))
        figures[f"v{len(figures)}"] = SpokenNumber(row.estimate, row.low, row.high, "share")
    if texts:
        yield Remark("thresholds", f"{'; '.join(texts)}; {FLATTERS}", figures)


def _weakest(outcome: Outcome) -> Iterator[Remark]:
    system = leader(outcome)
    recalls = [
        row
        for row in outcome.table.where(metric="recall", system=system, slice="all", baseline=None).first_methods()
        if not math.isnan(row.estimate)
    ]
    weakest = sorted((row for row in recalls if row.n >= 10), key=lambda row: row.estimate)[:2]
    texts, figures = list[str](), dict[str, SpokenNumber]()
    for place, row in enumerate(weakest):
        facts = _taken_for(outcome, row)
        figures |= {f"r{place}": _figure(row)}
        other = str(facts.get("taken_for", ""))
        end = f", {facts['often']} taken for {plain(other)}" if other else ""
        texts.append(f"{plain(row.category)}: recall {{r{place}}}{end}")
    if texts and len(outcome.systems) > 1:
        texts = [f"{'' if place else plain(system) + ' '}on {text}" for place, text in enumerate(texts)]
    if texts:
        yield Remark("weakest", "; ".join(texts), figures, rank=4)


def _figure(row: Row) -> SpokenNumber:
    unit = {"recall": "share", "precision": "share"}.get(row.metric, "coefficient")
    return SpokenNumber(row.estimate, row.low, row.high, unit)


def _top(outcome: Outcome) -> list[str]:
    """Who, of how many labels, and how a score decides."""
    positive, threshold = outcome.settings.positive, outcome.settings.threshold
    count = len(outcome.data.categories)
    parts = [top_subject(outcome), f"positive: {positive}" if positive is not None else plural(count, "label")]
    return parts + ([f"threshold {threshold:g}"] if positive is not None and threshold is not None else [])


def _steps(outcome: Outcome) -> Iterator[Advice]:
    """The rows to read: those that are missed, or else wrong; by loss, where there are probabilities to tell it."""
    panel, system = confusion_of(outcome), leader(outcome)
    if panel is None:
        return
    losses = row_of(outcome, "log_loss", system)
    order = ", worst first" if losses is not None and not math.isnan(losses.estimate) else ""
    positive = outcome.settings.positive
    if positive in panel.categories and len(outcome.systems) == 1:
        place = panel.categories.index(str(positive))
        many = sum(count for i, j, count in panel.pairs if i == place and j != place)
        what = "missed row"
    else:
        many, what = sum(count for i, j, count in panel.pairs if i != j), "wrong row"
    if not many:
        return
    # Counts of weighted rows are sums of weights, which tell nobody how many rows to read.
    which = f"{what}s" if outcome.data.roles.get("weight") else plural(round(many), what)
    whose = f" of {system}" if len(outcome.systems) > 1 else ""
    yield Advice(f"Read the {which}{whose}{order}:", "--items items.csv", needs=True)


SCREEN = Screen(
    answers=(*answers_of(_decided, _constant, reads="right"), *answers_of(measured(*OTHERS), _constant)),
    top=_top,
    claims=(
        difference_claim(RIGHT, *OTHERS),
        claim_of_gains("slices", of_one_system(against_rest(RIGHT)), ERRS, order="excess", metric=RIGHT),
        unspoken_claim("labels", of_categories("f_score", _taken_for), LABELS, order="value", metric="f_score"),
        unspoken_claim("recall", of_categories("recall"), LABELS, order="value", metric="recall"),
        claim_of_gains(
            "gained",
            differences_by_category("recall"),
            GAINS,
            excepts=False,
            listed=False,
            settles=False,
            reads=False,
            metric="recall",
        ),
    ),
    remarks=_remarks,
    blocks=(
        *systems_blocks(RIGHT, *OTHERS),
        MatrixOf(
            "what is taken for what",
            _counts,
            (("recall", "recall"), ("F", "labels"), ("recall gained", "gained")),
            else_grid=LABEL_GRID,
            rows=lambda outcome: str(outcome.data.roles.get("reference", "")),
        ),
        LABEL_GRID,
        GridOf(
            "slices",
            "worst slices, by errors beyond the rest's rate",
            "slice",
            (("excess errors", "excess", "excess"),),
            figure="right",
            strip=False,
            p=True,
        ),
    ),
    steps=_steps,
    doubt=drawn_together,
)
