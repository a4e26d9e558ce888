"""What a plan is asked, and what is expected: a metric, what is to be proven of it, and its outlook."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields, replace
from typing import Any

from adjudge.errors import SettingError, literal, quoted
from adjudge.evaluation.requirement_text import parsed
from adjudge.evaluation.requirements import FLIPS, Requirement
from adjudge.inference.power import (
    Aim,
    CorrelationOutlook,
    KappaOutlook,
    MeanOutlook,
    NormalOutlook,
    Outlook,
    ShareOutlook,
    SquaresOutlook,
    area_outlook,
    pairs_outlook,
)
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.catalogue import parse
from adjudge.metrics.intervals import Quantity
from adjudge.statistics.patterns import Patterns
from adjudge.statistics.query_means import QueryMeans
from adjudge.statistics.rating_vectors import RatingVectors
from adjudge.statistics.score_sums import ScoreSums
from adjudge.statistics.votes import VoteTable

# How large a share of rows two systems answer differently, where nobody says so.
DIFFERING = (0.02, 0.05, 0.10, 0.20)
PILOT = "Give `pilot`, a saved evaluation or a table like the one to come"
_NAMED = re.compile(
    r"^(?P<metric>\w+(?:\([^()]*\))?)\s*(?:\[\s*\"?(?P<category>[^\[\]]+?)\"?\s*\])?(?:\s+of\s+\"?(?P<system>.+?)\"?)?$"
)


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

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                raise SettingError(f"`{field.name}` must be a number, not {literal(value)}.")
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
        if self.slices is not None and (self.slices < 1 or self.slices != int(self.slices)):
            raise SettingError(f"`slices` must be a whole number of at least 1, not {literal(self.slices)}.")

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
    if re.search(r"[<>=]=?[^()]*$", text) and not _names_metric(text):
        requirement = parsed(text)
        requirement = requirement if confidence is None else replace(requirement, confidence=confidence)
        return replace(question_of_requirement(requirement, given), text=text.strip())
    named = _NAMED.match(text.strip())
    if named is None:
        raise SettingError(f"A plan must be asked a requirement or a metric, not {quoted(text)}.")
    asked = Question(text.strip(), parse(named["metric"]), named["category"] or "", system=named["system"])
    if given.difference is None and given.against is None:
        return asked
    difference = given.difference
    if difference is None:
        difference = _needed("expect", given.expect, "the value of the system") - float(given.against or 0.0)
    if difference == 0:
        raise SettingError("The two systems must be expected to differ, but the expected difference is 0.")
    return replace(asked, aims=(Aim(0.0, difference > 0, round((1 - level) / 2, 12)),), compares=True)


def question_of_requirement(requirement: Requirement, given: Assumptions) -> Question:
    """What a requirement asks of a plan; refused where no plan is known of it."""
    if requirement.gap:
        raise SettingError("A gap between slices has no plan of its own: plan `every` slice instead.")
    metric, category = requirement.measured, requirement.category or ""
    if metric is None:
        raise SettingError(f"A plan must be of a metric, but {quoted(requirement.metric)} is of a column.")
    versus = requirement.versus is not None and requirement.metric not in FLIPS
    aims = _aims(requirement, metric, given)
    return Question(requirement.text, metric, category, aims, versus, requirement, requirement.system)


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
        margin *= abs(_needed("against", given.against, f"the value of {quoted(r.versus)}, for a margin in %"))
    higher = metric.direction is not Direction.LOWER
    if r.claim == "same":
        return Aim(-margin, True, alpha), Aim(margin, False, alpha)
    worse = margin if r.claim == "better" else -margin
    return (Aim(worse if higher else -worse, higher, alpha),)


def _needed(name: str, value: float | None, what: str) -> float:
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


UNITS: dict[type[Any], str] = {
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
    return UNITS.get(metric.over, "row")


def outlook_of(question: Question, given: Assumptions) -> Outlook:
    """What is expected, by the formula that belongs to the metric; refused where there is none."""
    return _difference(question, given) if question.compares else _single(question, given)


def _single(question: Question, given: Assumptions) -> Outlook:
    metric = question.metric
    expect = _needed("expect", given.expect, f"the value that {metric!r} is expected to have, or a `pilot`")
    low, high = metric.range
    if not low <= expect <= high:
        raise SettingError(f"`expect` must be a value of {metric!r}, from {low:g} to {high:g}, not {literal(expect)}.")
    if is_share(metric):
        return ShareOutlook(expect)
    if metric.quantity is Quantity.ROC_AREA:
        part = _needed("part", given.part, "the share of rows that are positive")
        _inside("part", part)
        return area_outlook(_inside("expect", expect), part)
    if "gof" in metric.intervals and not metric.parameters:
        prevalence = _needed("part", given.part, "the share of ratings of one category")
        return KappaOutlook(_inside("expect", expect, -1), _inside("part", prevalence))
    if metric.quantity is Quantity.CORRELATION:
        return CorrelationOutlook(_inside("expect", expect, -1))
    if metric.quantity in (Quantity.ROOT_MEAN_SQUARE, Quantity.MEAN_SQUARE) and given.deviation is None:
        return SquaresOutlook(_inside("expect", expect, most=math.inf), metric.quantity is Quantity.ROOT_MEAN_SQUARE)
    if metric.mean is not None:
        deviation = _needed("deviation", given.deviation, f"the standard deviation of what {metric!r} is the mean of")
        return MeanOutlook(expect, deviation)
    raise SettingError(f"`{metric!r}` has no formula to plan with. {PILOT}.")


def _inside(name: str, value: float, least: float = 0.0, most: float = 1.0) -> float:
    if not least < value < most:
        ends = f"above {least:g}" if math.isinf(most) else f"between {least:g} and {most:g}"
        raise SettingError(f"`{name}` must lie {ends}, not {literal(value)}.")
    return value


def _difference(question: Question, given: Assumptions) -> Outlook:
    metric = question.metric
    if given.against is not None and given.difference is None:
        return _two_samples(metric, given)
    difference = given.difference
    if difference is None:
        difference = 0.0
        if any(aim.distance(0.0) <= 0 for aim in question.aims):
            raise SettingError("`difference` must be given: by how much the systems are expected to differ.")
    if is_share(metric):
        share = _needed("differing", given.differing, "the share of rows that only one of the two answers right")
        if share < abs(difference) or share <= difference**2:
            raise SettingError(
                f"`differing` must be at least the difference of {abs(difference):g}, not {literal(share)}."
            )
        return pairs_outlook(difference, share)
    if metric.mean is not None:
        what = "the standard deviation of the differences between the two systems, unit by unit"
        return MeanOutlook(difference, _needed("deviation", given.deviation, what))
    raise SettingError(f"A difference in `{metric!r}` has no formula to plan with. {PILOT} with both systems.")


def _two_samples(metric: Metric, given: Assumptions) -> Outlook:
    """Two systems on different rows, as many of each."""
    expect = _needed("expect", given.expect, "the value of the system")
    against = float(given.against or 0.0)
    if is_share(metric):
        first, second = _inside("expect", expect), _inside("against", against)
        mean = (first + second) / 2
        null, other = 2 * mean * (1 - mean), first * (1 - first) + second * (1 - second)
        return NormalOutlook(first - second, lambda value: math.sqrt(null if value == 0 else other), "two_shares")
    if metric.mean is None:
        raise SettingError(f"A difference in `{metric!r}` has no formula to plan with. {PILOT} with both systems.")
    deviation = _needed("deviation", given.deviation, f"the standard deviation of what {metric!r} is the mean of")
    return NormalOutlook(expect - against, lambda value: deviation * math.sqrt(2), "two_means")


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
    elif given.deviation is not None:
        return [_changed(given, deviation=given.deviation * times) for times in (0.8, 1.25)]
    else:
        moved = [given.expect * 0.95, given.expect * 1.05]
    low, high = question.metric.range
    return [_changed(given, expect=value) for value in moved if low < value < high]


def _changed(given: Assumptions, **change: Any) -> tuple[str, Assumptions]:
    [(name, value)] = change.items()
    shown: Any = float(f"{value:.4g}")
    return f"{name} {shown:g}", replace(given, **{name: shown})
