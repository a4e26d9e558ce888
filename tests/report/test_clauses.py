"""The grammar of answers: every worked example, every condition, and no clause said when its condition is false."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from adjudge.evaluation.answers.claims import (
    ALONE,
    BEYOND,
    FEW,
    LOOKS,
    UNDECIDED,
    UNDEFINED,
    WITHIN,
    Claim,
    Evidence,
    judged_evidence,
    probability_below,
    state_of,
)
from adjudge.report.answers.clauses import BAND, BASELINE, Case, Clause, change_text, chosen
from adjudge.report.answers.comparison_clauses import COMPARISON
from adjudge.report.answers.order import cut, ordered
from adjudge.report.numbers import UNITS, end_text

SHARE = UNITS["share"]
SCALE = {
    "label": "α",
    "edges": ((0.8, "definite conclusions"), (0.67, "tentative conclusions")),
    "scale": "Krippendorff",
    "source": "Krippendorff 1980",
    "units": "items",
    "one_unit": "item",
}
NAN = math.nan


def two(value: float, low: float, high: float, n: int, differing: int, margin: float | None = None) -> Case:
    """new beside old, in shares."""
    return Case("new", Evidence("new", value, low, high, n, differing=differing), "old", SHARE, margin=margin)


def alone(value: float, low: float, high: float, n: int, constant: float) -> Case:
    """One system beside a constant answer."""
    one = Evidence("new", value, low, high, n)
    return Case(
        "new", one, unit=SHARE, reads="right", label="Accuracy", baseline=constant, constant="always answering a"
    )


def on_scale(value: float, low: float, high: float, n: int = 500, note: str = "") -> Case:
    """A coefficient on Krippendorff's scale."""
    return Case("", Evidence("", value, low, high, n, note=note), **SCALE)  # type: ignore[arg-type]


# The worked examples of the design: what was found, which clause speaks, and its sentence.
EXAMPLES: list[tuple[tuple[Clause, ...], Case, str, str]] = [
    (COMPARISON, two(0.0667, 0.0406, 0.0931, 1200, 262), "better", "new is better than old by 6.7 points [4.1, 9.3]."),
    (COMPARISON, two(0.031, 0.012, 0.050, 900, 120), "better", "new is better than old by 3.1 points [1.2, 5.0]."),
    (
        COMPARISON,
        two(0.0078, -0.0082, 0.0240, 900, 53, 0.01),
        "not worse",
        "new is not worse than old: +0.8 points [−0.8, +2.4], margin 1.",
    ),
    (
        COMPARISON,
        two(0.001, -0.007, 0.009, 2000, 60, 0.01),
        "equivalent",
        "new and old are the same within 1 point: +0.1 points [−0.7, +0.9].",
    ),
    (
        COMPARISON,
        two(0.008, -0.012, 0.028, 900, 60),
        "undecided",
        "Undecided whether new or old is better: +0.8 points [−1.2, +2.8]; no margin was set.",
    ),
    (
        COMPARISON,
        two(-0.019, -0.040, 0.002, 900, 60),
        "looks",
        "new looks worse than old: −1.9 points [−4.0, +0.2], undecided.",
    ),
    (
        COMPARISON,
        two(0.0, -0.0096, 0.0096, 400, 0),
        "same",
        "new and old give the same answers on all 400 rows; a true difference of up to 1.0 points is possible.",
    ),
    (
        COMPARISON,
        two(0.0006, 0.0002, 0.0010, 10**6, 41_400, 0.005),
        "better, small",
        "new is better than old by 0.06 points [0.02, 0.10], less than the 0.5 that matters.",
    ),
    (
        COMPARISON,
        two(0.0, -0.0096, 0.0096, 400, 0, 0.02),
        "same",
        "new and old give the same answers on all 400 rows, the same within 2 points.",
    ),
    (
        COMPARISON,
        two(0.001, -0.004, 0.006, 1000, 5),
        "too few",
        "Too few to say: new and old differ on 5 of 1,000 rows.",
    ),
    (BASELINE, alone(1.0, 0.21, 1.0, 1, 1.0), "too few", "Too few to say: 1 row, answered right."),
    (
        BASELINE,
        alone(0.0, 0.0, 0.09, 40, 0.5),
        "below",
        "new is worse than always answering a (50 %): 0 % right [0, 9].",
    ),
    (
        BASELINE,
        alone(1.0, 0.91, 1.0, 40, 0.5),
        "baseline",
        "new is better than always answering a (50 %): all 40 right; up to 9 % errors are possible.",
    ),
    (
        BASELINE,
        alone(0.928, 0.904, 0.946, 569, 0.627),
        "baseline",
        "new is better than always answering a (62.7 %): 92.8 % right [90.4, 94.6].",
    ),
    (
        BASELINE,
        alone(0.53, 0.43, 0.63, 100, 0.5),
        "no skill",
        "new is not shown to be better than always answering a (50 %): 53 % right [43, 63].",
    ),
    (
        BAND,
        on_scale(-0.0147, -0.0186, 0.115),
        "below band",
        "α −0.01 [−0.02, 0.12] is below 0.67, the least Krippendorff asks for.",
    ),
    (
        BAND,
        on_scale(0.6527, 0.6131, 0.6889),
        "no band",
        "α 0.65 [0.61, 0.69] is not shown to reach 0.67, the least Krippendorff asks for.",
    ),
    (
        BAND,
        on_scale(0.84, 0.81, 0.87),
        "band",
        "α 0.84 [0.81, 0.87] reaches 0.80, definite conclusions (Krippendorff 1980).",
    ),
    (
        BAND,
        on_scale(0.73, 0.69, 0.77),
        "lower band",
        "α 0.73 [0.69, 0.77] reaches 0.67, tentative conclusions (Krippendorff 1980).",
    ),
    (
        BAND,
        on_scale(0.72, 0.664, 0.77),
        "lower band",
        "α 0.72 [0.66, 0.77] reaches 0.67 with 96 % probability, tentative conclusions (Krippendorff 1980).",
    ),
    (
        COMPARISON,
        two(-0.002, -0.0105, 0.0065, 2000, 60, 0.01),
        "equivalent",
        "new and old are the same within 1 point: −0.2 points [−0.9, +0.5] (90 % interval).",
    ),
    (
        COMPARISON,
        two(0.004, -0.002, 0.01, 2000, 60, 0.01),
        "equivalent",
        "new and old are the same within 1 point: +0.4 points [−0.2, +1.0].",
    ),
    (
        COMPARISON,
        two(0.004, -0.011, 0.019, 2000, 60, 0.01),
        "not worse",
        "new is not worse than old: +0.4 points [−0.9, +1.7] (90 % interval), margin 1.",
    ),
    (BAND, on_scale(NAN, NAN, NAN, note="no item has two ratings"), "undefined", "Undefined: no item has two ratings."),
]


@pytest.mark.parametrize(("table", "case", "clause", "sentence"), EXAMPLES, ids=lambda part: str(part)[:40])
def test_worked_examples(table: tuple[Clause, ...], case: Case, clause: str, sentence: str) -> None:
    said = chosen(table, case)
    assert (said.id, said.says(case)) == (clause, sentence)


def inner(case: Case) -> tuple[float, float]:
    """The interval at 1 - 2α, worked out again."""
    one, ratio = case.evidence, 1.6448536 / 1.9599640
    return one.estimate - (one.estimate - one.low) * ratio, one.estimate + (one.high - one.estimate) * ratio


def permitted(clause: str, case: Case) -> bool:
    """The conditions of the design, written a second time, without the program's."""
    one, m = case.evidence, case.margin
    low, high = inner(case)
    holds = m is not None and -m <= low and high <= m
    adjusted = case.family == 1 or case.p_adjusted < 0.05
    enough = one.n >= 10 and (one.differing or 0) >= 10
    enough = enough or (m is not None and one.n >= 10 and -m <= one.low and one.high <= m)
    return {
        "same": one.differing == 0,
        "too few": not enough and one.differing != 0,
        "better": one.low > 0 and adjusted and enough,
        "better, small": one.low > 0 and adjusted and holds and enough,
        "worse": one.high < 0 and adjusted and enough,
        "worse, small": one.high < 0 and adjusted and holds and enough,
        "equivalent": holds and enough,
        "not worse": m is not None and low >= -m and enough,
        "looks": one.estimate != 0 and enough,
        "undecided": True,
        "undefined": math.isnan(one.estimate),
    }[clause]


def test_no_clause_is_said_when_its_condition_is_false() -> None:
    random = np.random.default_rng(3)
    seen = set()
    for _ in range(4000):
        n = int(random.integers(1, 3000))
        value = random.normal(0, 0.03)
        below, above = random.exponential(0.03, 2)
        case = replace(
            two(value, value - below, value + above, n, int(random.integers(0, 40)), random.choice([None, 0.01, 0.05])),
            family=int(random.integers(1, 4)),
            p_adjusted=float(random.random()) * 0.2,
        )
        said = chosen(COMPARISON, case)
        seen.add(said.id)
        assert said.holds(case)
        assert permitted(said.id, case), (said.id, case)
        assert not ("better" in said.says(case) and "not worse" in said.says(case))
    assert len(seen) >= 9


NEVER = ("significant", "proves", "no difference", "equal", "unbiased", "fair", "trend", "marginal", "because")


def test_words_that_are_never_said() -> None:
    for table, case, _, _ in EXAMPLES:
        said = chosen(table, case).says(case)
        assert not [word for word in NEVER if word in said]


LIMIT = (-0.1, 0.1)


@pytest.mark.parametrize(
    ("evidence", "family", "p", "state"),
    [
        (Evidence("a", NAN, NAN, NAN, 50), 1, 0.0, UNDEFINED),
        (Evidence("a", 0.5, 0.4, 0.6, 9), 1, 0.0, FEW),
        (Evidence("a", 0.5, NAN, NAN, 50), 1, 0.0, FEW),
        (Evidence("a", -0.28, -0.44, -0.12, 45), 11, 0.006, BEYOND),
        (Evidence("a", -0.28, -0.44, -0.12, 45), 1, 1.0, BEYOND),
        (Evidence("a", -0.28, -0.44, -0.12, 45), 11, 0.06, ALONE),
        (Evidence("a", 0.17, 0.01, 0.32, 76), 11, 0.36, LOOKS),
        (Evidence("a", 0.02, -0.1, 0.1, 76), 11, 0.9, WITHIN),
        (Evidence("a", 0.08, -0.06, 0.23, 68), 11, 0.9, UNDECIDED),
    ],
)
def test_states(evidence: Evidence, family: int, p: float, state: str) -> None:
    assert state_of(evidence, LIMIT, family=family, p_adjusted=p) == state


def test_a_lean_pays_for_the_looks_unless_the_slice_differs() -> None:
    german, good = Evidence("de", -0.048, -0.121, 0.025, 249), (0.0, math.inf)
    assert state_of(german, good, family=7) == UNDECIDED
    assert state_of(german, good, family=7, looks=1) == LOOKS
    assert state_of(german, good, family=1) == LOOKS


def test_an_interval_of_half_the_range_says_nothing() -> None:
    assert state_of(Evidence("a", 0.5, 0.2, 0.75, 30, width=1.0), (0.9, 1.0)) == FEW


def test_an_interval_of_a_difference_is_held_against_all_differences() -> None:
    shown = Evidence("a", 0.45, 0.1, 0.8, 30, width=2.0)
    assert judged_evidence(Claim("x", lambda outcome: ()), [shown], (0.0, math.inf))[0].state == WITHIN


def test_few_rows_that_differ_say_nothing_without_a_margin() -> None:
    one = Evidence("a", 0.001, -0.004, 0.006, 1000, differing=5)
    assert state_of(one, (0.0, math.inf)) == FEW
    assert state_of(one, (-0.01, 0.01)) == WITHIN


def test_better_is_a_claim_that_pays_for_the_looks_too() -> None:
    """Of two halves one cannot be shown to be better while it is undecided that the other is worse."""
    gains = Claim("slices", lambda outcome: (), good=(0.0, math.inf), either=True)
    halves = [
        Evidence("name", 0.09, 0.001, 0.179, 35, p=0.045),
        Evidence("question", -0.09, -0.179, -0.001, 25, p=0.045),
    ]
    assert [one.state for one in judged_evidence(gains, halves, (0.0, math.inf))] == [UNDECIDED, ALONE]
    assert [one.state for one in judged_evidence(gains, halves[:1], (0.0, math.inf))] == [WITHIN]


def test_the_family_is_paid_for_and_the_whole_is_not_in_it() -> None:
    claim = Claim("groups", lambda outcome: (), neutral=0.0)
    found = [Evidence("all", 0.0, -0.02, 0.02, 900, whole=True)]
    found += [
        Evidence(f"g{k}", -0.25 if k == 0 else 0.0, -0.41 if k == 0 else -0.1, -0.09 if k == 0 else 0.1, 50)
        for k in range(12)
    ]
    whole, worst, *_ = judged_evidence(claim, found, (-0.05, 0.05))
    assert (whole.family, worst.family) == (1, 12)
    assert worst.p_adjusted > 12 * 0.002


def _side(shown: str, limit: float) -> int:
    """On which side of a limit a reader puts an end: -1, 0 or 1."""
    sign, _, value = shown.rpartition(" ")
    read = float(value.replace("−", "-").replace(",", ""))
    if sign and read == pytest.approx(limit):
        return 1 if sign == ">" else -1
    return (read > limit) - (read < limit)


def test_rounding_never_changes_a_side() -> None:
    random = np.random.default_rng(11)
    near = [0.0, 1e-9, -1e-9, 3e-5, -3e-5, 0.0004, -0.0004, 0.004, -0.004, 0.06, -0.06]
    for _ in range(2000):
        limits = (random.integers(-20, 21, random.integers(1, 4)) / 10).tolist()
        decimals, signed = int(random.integers(1, 5)), bool(random.integers(0, 2))
        for value in (float(random.uniform(-2, 2)), limits[0] + float(random.choice(near))):
            shown = end_text(value, decimals, limits, signed=signed)
            assert [_side(shown, limit) for limit in limits] == [(value > limit) - (value < limit) for limit in limits]
            assert len(shown.partition(".")[2]) <= decimals + 1, "one decimal more at most"


@pytest.mark.parametrize(
    ("estimate", "low", "high", "text"),
    [
        (0.02274, 0.00003, 0.04811, "+0.023 [> 0, +0.048]"),
        (0.0117, -0.0002, 0.0233, "+0.012 [−0.0002, +0.023]"),
        (-0.02274, -0.04811, -0.00003, "−0.023 [−0.048, < 0]"),
        (-0.293, -0.486, -0.101, "−0.29 [−0.49, −0.10]"),
    ],
)
def test_an_end_at_zero_does_not_lengthen_the_others(estimate: float, low: float, high: float, text: str) -> None:
    assert change_text(Case("a", Evidence("a", estimate, low, high, 500), b="b")) == text


def test_the_probability_is_read_off_the_interval() -> None:
    assert 1 - probability_below(Evidence("", 0.6527, 0.6131, 0.6889, 500), 0.67) == pytest.approx(0.17, abs=0.01)


def test_of_many_subjects_with_too_few_rows_three_are_listed() -> None:
    claim = Claim("slices", lambda outcome: (), neutral=0.0)
    vague = [Evidence(f"agent {k}", -0.2 + k / 100, -0.6, 0.3, 15, width=1.0) for k in range(30)]
    known = [Evidence("all", 0.1, 0.05, 0.15, 900, whole=True), Evidence("fr", 0.2, 0.1, 0.3, 300)]
    shown, rest = cut(ordered(judged_evidence(claim, [*vague, *known], (0.0, math.inf))), 12)
    assert [one.subject for one in shown] == ["all", "agent 0", "agent 1", "agent 2", "fr"]
    assert {one.state for one in rest} == {FEW}
    assert len(rest) == 27


def test_no_end_of_a_difference_reaches_a_margin_or_zero_by_rounding() -> None:
    """−0.1008 and 0.1008 lie beyond the margin, and −0.10 and 0.10 would not; 0.0042 lies above 0."""
    ends = [(-0.486, -0.1008), (0.1008, 0.486), (0.0042, 0.486)]
    found = [Evidence("x", (low + high) / 2, low, high, 100) for low, high in ends]
    margin, nothing = (
        [change_text(Case("x", one, unit=UNITS["SD"], margin=m)).partition("[")[2] for one in found]
        for m in (0.1, None)
    )
    assert margin == ["−0.49, −0.101]", "+0.101, +0.49]", "+0.004, +0.49]"]
    assert nothing == ["−0.49, −0.10]", "+0.10, +0.49]", "+0.004, +0.49]"]
