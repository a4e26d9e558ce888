"""What a plan is asked, and what is expected: a metric, what is to be proven of it, and its outlook."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields, replace
from typing import Any

from adjudge.errors import SettingError, check_length, literal, quoted
from adjudge.evaluation.asking.settings import finite_setting
from adjudge.evaluation.gates.requirement_text import parsed
from adjudge.evaluation.gates.requirements import FLIPS, Requirement
from adjudge.inference.planning.power import Aim, Outlook
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.catalogue import parse
from adjudge.metrics.intervals import Quantity
from adjudge.statistics.preferences.votes import VoteTable
from adjudge.statistics.queries.means import QueryMeans
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.scores.sums import ScoreSums

# How large a share of rows two systems answer differently, where nobody says so.
DIFFERING = (0.02, 0.05, 0.10, 0.20)
_NAMED = re.compile(
    r"^(?P<metric>\w+(?:\([^()]*\))?)\s*(?:\[\s*\"?(?P<category>[^\[\]]+?)\"?\s*\])?(?:\s+of\s+\"?(?P<system>.+?)\"?)?$"
)


MOST_SLICES = 1_000_000


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What is expected before anything is measured, and how the table will be made."""

    expect: float | None = None  # the metric's true value
    difference: float | None = None  # of two systems on the same rows: system minus baseline
    differing: float | None = None  # the share of rows that one of the two answers right and the other wrong
    against: float | None = None  # the value of the other system, measured on other rows
    deviation: float | None = None  # of the values of units, or of their differences
    part: float | None = None  # the share of rows that the metric counts
    cluster_size: float | None = None
    correlation: float | None = None  # of two rows of a cluster
    slices: int | None = None  # how many must each pass
    smallest: float | None = None  # the share of rows in the smallest slice
    judge_correlation: float | None = None  # of people's values and the judge's
    judged: float | None = None  # rows that only the judge sees

    def __post_init__(self) -> None:
        for field in fields(self):
            if (value := getattr(self, field.name)) is not None:
                finite_setting(field.name, value)
        for name in ("differing", "part", "smallest"):
            if (share := getattr(self, name)) is not None and not 0 < share <= 1:
                raise SettingError(f"`{name}` must be a share above 0 and at most 1, not {literal(share)}.")
        if self.deviation is not None and self.deviation <= 0:
            raise SettingError(f"`deviation` must be above 0, not {literal(self.deviation)}.")
        if (self.cluster_size is None) != (self.correlation is None):
            raise SettingError("`cluster_size` and `correlation` must be given together, but only one is.")
        if self.cluster_size is not None and self.cluster_size < 1:
            raise SettingError(f"`cluster_size` must be at least 1, not {literal(self.cluster_size)}.")
        if self.correlation is not None and not 0 <= self.correlation <= 1:
            raise SettingError(f"`correlation` must lie from 0 to 1, not {literal(self.correlation)}.")
        if (self.judge_correlation is None) != (self.judged is None):
            raise SettingError("`judge_correlation` and `judged` must be given together, but only one is.")
        if self.judge_correlation is not None and not 0 <= self.judge_correlation <= 1:
            raise SettingError(f"`judge_correlation` must lie from 0 to 1, not {literal(self.judge_correlation)}.")
        if self.judged is not None and self.judged < 1:
            raise SettingError(
                f"`judged` must be at least 1, the rows that only the judge sees, not {literal(self.judged)}."
            )
        if self.slices is not None and not (1 <= self.slices <= MOST_SLICES and self.slices == int(self.slices)):
            raise SettingError(
                f"`slices` must be a whole number from 1 to {MOST_SLICES:,}, not {literal(self.slices)}."
            )

        if self.slices is not None and self.smallest is not None and self.smallest * self.slices > 1 + 1e-9:
            raise SettingError(
                f"`smallest` must be at most 1 / {self.slices} with so many slices, of which it is the smallest, not "
                f"{literal(self.smallest)}."
            )

    @property
    def given(self) -> dict[str, float]:
        """What was said."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Question:
    """A metric, or two systems in it, and what is to be proven; nothing, where only the width is asked for."""

    text: str
    metric: Metric
    category: str = ""
    aims: tuple[Aim, ...] = ()
    compares: bool = False
    requirement: Requirement | None = None
    system: str | None = None
    label: str = ""  # what is expected to have a value, where it is not the metric

    @property
    def least(self) -> int:
        """Units below which nothing is decided: of a requirement; those of an exposure are not what it counts."""
        if self.requirement is None or self.metric.quantity is Quantity.EXPOSURE_PER_EVENT:
            return 1
        return max(1, math.ceil(self.requirement.minimum_n))

    def passes(self, outlook: Outlook, units: int) -> float:
        """The chance that all of it is proven."""
        return max(0.0, sum(outlook.passes(units, aim) for aim in self.aims) - len(self.aims) + 1)

    def fails(self, outlook: Outlook, units: int) -> float:
        """The chance that the contrary is proven, by the error rate that a requirement has for that."""
        alarm = 0.05 if self.requirement is None else self.requirement.false_alarm
        against = (replace(aim, at_least=not aim.at_least, alpha=alarm) for aim in self.aims)
        return min(1.0, sum(outlook.passes(units, aim) for aim in against))


def question_of(text: str, given: Assumptions, *, level: float, confidence: float | None) -> Question:
    """A requirement as `parsed` reads it, or the name of a metric.

    >>> question_of("accuracy >= 0.9", Assumptions(expect=0.93), level=0.95, confidence=None).aims
    (Aim(bound=0.9, at_least=True, alpha=0.05),)
    >>> question_of("accuracy", Assumptions(difference=0.04), level=0.95, confidence=None).compares
    True
    """
    if not isinstance(text, str) or not text.strip():
        raise SettingError(f"A plan must be asked a requirement or a metric, not {literal(text)}.")
    check_length(text, "A question")
    if re.search(r"[<>=]=?[^()]*$", text) and not _names_metric(text):
        requirement = parsed(text)
        requirement = requirement if confidence is None else replace(requirement, confidence=confidence)
        return replace(question_of_requirement(requirement, given), text=text.strip())
    named = _NAMED.match(text.strip())
    if named is None:
        raise SettingError(f"A plan must be asked a requirement or a metric, not {quoted(text)}.")
    question = Question(text.strip(), parse(named["metric"]), named["category"] or "", system=named["system"])
    if given.difference is None and given.against is None:
        return question
    difference = given.difference
    if difference is None:
        difference = needed("expect", given.expect, "the value of the system") - float(given.against or 0.0)
    if difference == 0:
        raise SettingError("The two systems must be expected to differ, but the expected difference is 0.")
    return replace(question, aims=(Aim(0.0, difference > 0, round((1 - level) / 2, 12)),), compares=True)


def question_of_requirement(requirement: Requirement, given: Assumptions) -> Question:
    """What a requirement asks of a plan; refused where no plan is known of it."""
    if requirement.gap:
        raise SettingError("A gap between slices has no plan of its own: plan `every` slice instead.")
    metric, category = requirement.kind, requirement.category or ""
    if metric.quantity is Quantity.QUANTILE:
        return _of_quantile(requirement, metric)
    versus = requirement.versus is not None and requirement.metric not in FLIPS
    aims = _aims(requirement, metric, given)
    return Question(requirement.text, metric, category, aims, versus, requirement, requirement.system)


def _of_quantile(requirement: Requirement, metric: Metric) -> Question:
    """A percentile lies within a bound where its share of values does: a question about that share, judged exactly."""
    bound, at_most = requirement.at_most, requirement.at_most is not None
    if bound is None:
        bound = requirement.at_least
    if bound is None or (requirement.at_least is not None and at_most):
        raise SettingError("A plan of a percentile must have one bound: `at_most` or `at_least`.")
    aim = Aim(float(metric.settings["at"]), at_most, round(1 - requirement.confidence, 12))
    label = f"the share of {requirement.column_text} up to {bound:g}"
    return Question(requirement.text, metric, "", (aim,), requirement=requirement, label=label)


def _names_metric(text: str) -> bool:
    """Whether the signs are those of a metric's parameters: f_score(beta=2)."""
    return re.fullmatch(r"\s*\w+\([^()]*\)\s*(?:\[[^\[\]]*\])?\s*", text) is not None


def _aims(r: Requirement, metric: Metric, given: Assumptions) -> tuple[Aim, ...]:
    alpha = round(1 - r.confidence, 12)
    if r.versus is None or r.metric in FLIPS:
        bounds = ((r.at_least, True), (r.at_most, False))
        return tuple(Aim(bound, side, alpha) for bound, side in bounds if bound is not None)
    margin = r.margin
    if r.relative:
        margin *= abs(needed("against", given.against, f"the value of {quoted(r.versus)}, for a margin in %"))
    higher = metric.direction is not Direction.LOWER
    if r.claim == "same":
        return Aim(-margin, True, alpha), Aim(margin, False, alpha)
    worse = margin if r.claim == "better" else -margin
    return (Aim(worse if higher else -worse, higher, alpha),)


def needed(name: str, value: float | None, what: str) -> float:
    """A number that must be given."""
    if value is None:
        raise SettingError(f"`{name}` must be given: {what}.")
    return float(value)


def is_share(metric: Metric) -> bool:
    """Whether a metric is a plain share of units, each right or wrong.

    >>> from adjudge.metrics import accuracy, f_score
    >>> is_share(accuracy), is_share(f_score)
    (True, False)
    """
    return "clopper_pearson" in metric.intervals and metric.average is None


UNITS: dict[type[object], str] = {
    QueryMeans: "query",
    Patterns: "item",
    RatingVectors: "item",
    VoteTable: "pair",
    ScoreSums: "response",
}


def unit_of(metric: Metric) -> str:
    """What a metric counts.

    >>> from adjudge.metrics import ndcg
    >>> unit_of(ndcg)
    'query'
    """
    if metric.quantity is Quantity.EXPOSURE_PER_EVENT:
        return "exposure unit"
    if metric.quantity is Quantity.JUDGE_ASSISTED:
        return "label"
    return UNITS.get(metric.over, "row")


def neighbours(question: Question, given: Assumptions) -> list[tuple[str, Assumptions]]:
    """The same plan under two assumptions next to the one that was made, each in words.

    >>> question = question_of("accuracy >= 0.9", Assumptions(expect=0.94), level=0.95, confidence=None)
    >>> [words for words, _ in neighbours(question, Assumptions(expect=0.94))]
    ['expect 0.93', 'expect 0.95']
    """
    if question.compares:
        if given.differing is not None:
            shares = (given.differing / 2, min(1.0, given.differing * 2))
            lowest = abs(given.difference or 0.0)
            return [_changed(given, differing=share) for share in shares if share > lowest]
        if given.deviation is not None:
            return [_changed(given, deviation=given.deviation * times) for times in (0.8, 1.25)]
        if given.against is not None and given.expect is not None:
            moved = [given.against + (given.expect - given.against) * times for times in (0.75, 1.25)]
            return [_changed(given, expect=value) for value in moved if 0 < value < 1 or not is_share(question.metric)]
        return []
    if given.expect is None:
        return []
    if question.aims:
        bound = min((aim.bound for aim in question.aims), key=lambda bound: abs(bound - float(given.expect or 0.0)))
        moved = [bound + (given.expect - bound) * times for times in (0.75, 1.25)]
        moved = [value for value in moved if not question.label or 0 <= value <= 1]
    elif given.deviation is not None:
        return [_changed(given, deviation=given.deviation * times) for times in (0.8, 1.25)]
    else:
        moved = [given.expect * 0.95, given.expect * 1.05]
    low, high = question.metric.range
    return [_changed(given, expect=value) for value in moved if low < value < high]


def _changed(given: Assumptions, **change: float) -> tuple[str, Assumptions]:
    [(name, value)] = change.items()
    shown: Any = float(f"{value:.4g}")  # of the field's own kind
    return f"{name} {shown:g}", replace(given, **{name: shown})
