"""What a task claims, and how far the data bear it out: evidence about a subject, held against a limit, is one of seven
states. A sentence is a state of a claim; nothing is said that no state allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeVar

from adjudge.inference.many.multiplicity import holm

if TYPE_CHECKING:
    from adjudge.evaluation.outcome import Outcome

UNDEFINED, FEW, BEYOND, ALONE = "undefined", "too few", "beyond", "beyond alone"
LOOKS, WITHIN, UNDECIDED = "looks beyond", "within", "undecided"
WORST_FIRST = (BEYOND, ALONE, LOOKS, UNDECIDED, FEW, UNDEFINED, WITHIN)
LEAST_UNITS = 10
# A lean this strong, after paying for the number of looks, is worth a word where the limit is no difference at all.
LEANS = 0.2
HALF = 0.5
ANYTHING = (-math.inf, math.inf)
ABOVE_ZERO = (0.0, math.inf)  # the good side of what is turned so that more is better
NORMAL = NormalDist()
POWER = 0.8  # the chance with which more units are to settle what is undecided


Said = TypeVar("Said", str, tuple[float, float])


def said_of(outcome: Outcome, declared: Said | Callable[[Outcome], Said]) -> Said:
    """What a declaration says of an outcome: the same of any, or what it makes of this one."""
    return declared(outcome) if callable(declared) else declared


@dataclass(frozen=True, slots=True)
class Words:
    """How a claim speaks: of its subjects, of what is beyond its limit on either side, and of what is within.

    `low` and `high` are verbs after "but", which take the subject: "scores {subject} lower than raters do".
    """

    one: str = "slice"
    many: str = "slices"
    beyond: str = "beyond limit"
    looks: str = "looks beyond"
    within: str = "within"
    finding: str = ""  # the word of a finding, where that of a row is long
    finding_looks: str = ""
    low: str = "{subject} is below the limit"
    high: str = "{subject} is above the limit"
    looks_low: str = "{subject} looks below the limit"  # the same where it is not shown
    looks_high: str = "{subject} looks above the limit"
    unit: str = "row"  # what more of would settle it
    where: str = "of {subject}"  # which units those are
    value: str = ""  # "{value} right": how the figure reads; empty: the metric's label before it
    by: str = "worst"  # which of the items to read first


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one subject: an estimate with its interval, and how many units are behind it.

    `p` is of the neutral value (no difference, no bias, the rest's rate) and not adjusted; None is read off the
    interval. `width` is how far apart the ends of all that it could be lie: an interval of half of it says nothing.
    `facts` holds what sentences and columns say besides.
    """

    subject: str
    estimate: float
    low: float
    high: float
    n: int
    level: float = 0.95
    note: str = ""
    whole: bool = False  # it is about everything: first in its list, and in no family
    p: float | None = None
    differing: int | None = None  # of two systems: on how many units they differ
    width: float = math.inf
    facts: Mapping[str, str | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claim:
    """One question about several subjects, answered by evidence; which limit is the edge of the good side.

    `good` is the good side: (lowest, highest). `neutral` is the value of nothing at all, against which p is read.
    """

    key: str
    evidence: Callable[[Outcome], Iterable[Evidence]]
    words: Words = Words()
    good: tuple[float, float] | Callable[[Outcome], tuple[float, float]] = ANYTHING
    neutral: float | None = None
    metric: str = ""  # whose unit and label it speaks in
    order: str = "size"  # among subjects of one state: size (distance beyond), value (lowest first), or high
    excepts: bool = True  # whether it may qualify the headline with "but"
    difference: bool = False  # the estimates are differences: signed, shares in points
    either: bool = False  # within is a claim, too ("better"): the interval must not hold 0, also after correction
    opens: bool = False  # whether the headline counts what is undecided
    listed: bool = True  # whether what is beyond stands among the findings
    reads: bool = True  # whether its units can be read one by one
    settles: bool = True  # whether more units would settle what is undecided


# A claim about differences that are turned so that more is better: each is shown better, shown worse, or undecided.
claim_of_gains = partial(Claim, good=ABOVE_ZERO, difference=True, either=True)

# A claim whose states mark a table, and are said neither in the headline, nor among the findings, nor in the advice.
unspoken_claim = partial(Claim, excepts=False, listed=False, settles=False)


@dataclass(frozen=True, slots=True)
class Judged:
    """A subject of a claim with its state: what every sentence and every mark is made of."""

    claim: Claim
    evidence: Evidence
    good: tuple[float, float]
    family: int
    p_adjusted: float
    state: str

    @property
    def subject(self) -> str:
        """Who or what it is about."""
        return self.evidence.subject

    @property
    def side(self) -> int:
        """-1 where the estimate lies below the good side, 1 above, 0 within."""
        low, high = self.good
        return -1 if self.evidence.estimate < low else 1 if self.evidence.estimate > high else 0

    @property
    def distance(self) -> float:
        """How far the estimate lies beyond the good side, negative where it lies within."""
        low, high = self.good
        value = self.evidence.estimate
        return -math.inf if math.isnan(value) else max(low - value, value - high)


def standard_error(evidence: Evidence, towards: float) -> float:
    """The standard error on the side of some value, read off the interval.

    >>> round(standard_error(Evidence("a", 0.5, 0.304, 0.6, 100), 0.0), 3)
    0.1
    """
    reach = NORMAL.inv_cdf((1 + evidence.level) / 2)
    end = evidence.low if towards < evidence.estimate else evidence.high
    return abs(end - evidence.estimate) / reach


def probability_below(evidence: Evidence, value: float) -> float:
    """How probable it is that the truth lies below a value: the confidence at which the interval's end meets it.

    >>> round(probability_below(Evidence("alpha", 0.6527, 0.6131, 0.6889, 500), 0.67), 3)
    0.826
    """
    if math.isinf(value):
        return float(value > 0)
    error = standard_error(evidence, value)
    if not error > 0:
        return float(evidence.estimate < value) if evidence.estimate != value else HALF
    return NORMAL.cdf((value - evidence.estimate) / error)


def p_of(evidence: Evidence, neutral: float) -> float:
    """The two-sided p of a neutral value, read off the interval."""
    below = probability_below(evidence, neutral)
    return min(1.0, 2 * min(below, 1 - below))


def lean_of(evidence: Evidence, good: tuple[float, float]) -> float:
    """The probability that the truth lies on the bad side."""
    low, high = good
    below = probability_below(evidence, low) if math.isfinite(low) else 0.0
    above = 1 - probability_below(evidence, high) if math.isfinite(high) else 0.0
    return max(below, above) if low == high else min(1.0, below + above)


def too_little_known(evidence: Evidence, good: tuple[float, float]) -> bool:
    """Whether too little is known to say anything: few units, no interval, one that spans half the range, or systems
    that differ on a handful of units, unless a margin holds all of the interval.
    """
    if evidence.n < LEAST_UNITS or math.isnan(evidence.low) or math.isnan(evidence.high):
        return True
    held = math.isfinite(good[0]) and math.isfinite(good[1]) and good[0] <= evidence.low and evidence.high <= good[1]
    if evidence.differing is not None and 0 < evidence.differing < LEAST_UNITS and not held:
        return True
    return evidence.high - evidence.low >= HALF * evidence.width


def state_of(
    evidence: Evidence,
    good: tuple[float, float],
    *,
    family: int = 1,
    p_adjusted: float = 0.0,
    looks: int | None = None,
) -> str:
    """The first state that holds; `looks` is how many a lean pays for, if not all of the family.

    >>> korean = Evidence("Korean", -0.28, -0.44, -0.12, 45)
    >>> state_of(korean, (-0.1, 0.1), family=11, p_adjusted=0.006)
    'beyond'
    >>> state_of(korean, (-0.1, 0.1), family=11, p_adjusted=0.06)
    'beyond alone'
    >>> state_of(Evidence("Hindi", 0.17, 0.01, 0.32, 76), (-0.1, 0.1), family=11, p_adjusted=0.36)
    'looks beyond'
    """
    low, high = good
    if math.isnan(evidence.estimate):
        return UNDEFINED
    if too_little_known(evidence, good):
        return FEW
    if evidence.high < low or evidence.low > high:
        return BEYOND if family == 1 or p_adjusted < 1 - evidence.level else ALONE
    if evidence.estimate < low or evidence.estimate > high:
        # Any estimate lies on some side of nothing: there a lean must pay for the number of looks.
        nothing = 0.0 in good
        if not nothing or (looks or family) * (1 - lean_of(evidence, good)) <= LEANS:
            return LOOKS
        return UNDECIDED
    return WITHIN if low <= evidence.low and evidence.high <= high else UNDECIDED


def judge(claim: Claim, outcome: Outcome) -> list[Judged]:
    """Every subject of a claim, in the order of its evidence; those that are no whole are one family."""
    return judged_evidence(claim, list(claim.evidence(outcome)), said_of(outcome, claim.good))


def judged_evidence(claim: Claim, evidence: Sequence[Evidence], good: tuple[float, float]) -> list[Judged]:
    """Every subject with its state, p adjusted by Holm over those that can be tested."""
    ps = [_p(claim, one, good) for one in evidence]
    looked = [math.nan if one.whole else p for one, p in zip(evidence, ps, strict=True)]
    family = sum(not math.isnan(p) for p in looked)
    adjusted = holm(looked).tolist() if evidence else []
    differing = differing_slices(evidence)
    answers = []
    for one, p, together in zip(evidence, ps, adjusted, strict=True):
        size, p_adjusted = (1, p) if one.whole else (max(1, family), together)
        # A slice that is shown to differ from the others was not picked by its lean.
        looks = 1 if differing.get(one.subject, 1.0) < 1 - one.level else None
        state = state_of(one, good, family=size, p_adjusted=p_adjusted, looks=looks)
        shown = not one.low <= 0 <= one.high and (one.whole or p_adjusted < 1 - one.level)
        if claim.either and state == WITHIN and not shown:
            state = UNDECIDED
        answers.append(Judged(claim, one, good, size, p_adjusted, state))
    return answers


def judged_alone(evidence: Evidence, good: tuple[float, float]) -> Judged:
    """One subject held against a limit, of no claim and no family.

    >>> judged_alone(Evidence("Hindi", 0.17, 0.01, 0.32, 76), (-0.1, 0.1)).state
    'looks beyond'
    """
    return judged_evidence(Claim(evidence.subject, lambda outcome: ()), [evidence], good)[0]


def differing_slices(evidence: Sequence[Evidence]) -> dict[str, float]:
    """The adjusted p of every slice whose gain differs from that of the others (Holm)."""
    parts = [one for one in evidence if not one.whole]
    adjusted = holm([float(one.facts.get("p_differs", math.nan)) for one in parts]).tolist() if parts else []
    return {one.subject: p for one, p in zip(parts, adjusted, strict=True) if not math.isnan(p)}


def _p(claim: Claim, evidence: Evidence, good: tuple[float, float]) -> float:
    """The p of the neutral value; NaN where nothing can be said."""
    if math.isnan(evidence.estimate) or too_little_known(evidence, good):
        return math.nan
    if evidence.p is not None:
        return evidence.p
    return p_of(evidence, _neutral(claim, good))


def _neutral(claim: Claim, good: tuple[float, float]) -> float:
    """The value of nothing to tell, of which a p-value is."""
    finite = [end for end in good if math.isfinite(end)]
    return claim.neutral if claim.neutral is not None else sum(finite) / len(finite) if finite else 0.0


def units_to_settle(one: Judged) -> int | None:
    """How many more units would settle a subject, if its estimate is true; None where more will hardly do.

    By the limit of its interval that faces the nearest end of the good side; and where it would be told apart among
    others, by the p that is left after correction for their number.

    >>> units_to_settle(judged_alone(Evidence("Hindi", 0.17, 0.01, 0.32, 76), (-0.1, 0.1)))
    740
    """
    evidence = one.evidence
    limits = [end for end in one.good if math.isfinite(end)]
    if not limits or math.isnan(evidence.low):
        return None
    nearest = min(limits, key=lambda end: abs(evidence.estimate - end))
    to_leave = [(nearest, 1)]
    if one.side or one.claim.either:
        to_leave.append((_neutral(one.claim, one.good), one.family))
    times = max(_times_to_leave(evidence, value, many) for value, many in to_leave)
    more = evidence.n * times - evidence.n
    if not LEAST_UNITS <= more <= 20 * evidence.n:
        return None
    digits = 1 - math.floor(math.log10(more))
    return round(round(more, digits))


def _times_to_leave(evidence: Evidence, value: float, many: int) -> float:
    """With how many times its units an interval leaves a value out with the usual power, were it one of so many."""
    gap = abs(evidence.estimate - value)
    reach = NORMAL.inv_cdf(1 - (1 - evidence.level) / 2 / many) + NORMAL.inv_cdf(POWER)
    return (reach * standard_error(evidence, value) / gap) ** 2 if gap > 0 else math.inf
