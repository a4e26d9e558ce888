"""Small steps of drawing and of sentences, each at exactly its bound."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from adjudge.evaluation.answers.answering import p_text
from adjudge.evaluation.answers.claims import BEYOND, LOOKS, WITHIN, Claim, Evidence, Judged
from adjudge.evaluation.answers.screen import Advice
from adjudge.report.answers.clauses import Case
from adjudge.report.answers.comparison_clauses import inside, not_worse
from adjudge.report.answers.order import cut
from adjudge.report.answers.verdict import _advice
from adjudge.report.charts.figure import thinned
from adjudge.report.sheet import Sheet


def test_a_p_value_has_three_decimals_below_a_tenth_and_two_from_there() -> None:
    assert [p_text(p) for p in (0.0, 0.00099, 0.001, 0.0994, 0.0996, 0.1, 0.5, 0.995, 0.9951)] == [
        "< 0.001",
        "< 0.001",
        "0.001",
        "0.099",
        "0.100",
        "0.10",
        "0.50",
        "0.99",
        "1",
    ]


def test_a_word_that_is_longer_than_a_line_is_broken_inside() -> None:
    sheet = Sheet(width=20)
    lines = sheet.wrapped("see " + "x" * 50 + " end", indent=2)
    assert all(cell_len(line) <= 20 for line in lines)
    assert "".join(line.strip() for line in lines).replace(" ", "") == "see" + "x" * 50 + "end"


def test_the_last_point_but_one_is_kept_where_the_line_turns() -> None:
    assert thinned([0, 0, 0, 5, 10], [0, 0, 0, 0, 0], 3) == [0, 3, 4]
    assert thinned(range(101), [0] * 101, 11) == list(range(0, 101, 10))


def test_a_difference_at_exactly_the_margin_is_within_it() -> None:
    """Of a level of 0.5 the inner limits are the estimate, whatever the outer ones are."""
    case = Case("a", Evidence("a", -0.25, -0.5, 0.5, 200, level=0.5), margin=0.25)
    assert case.inner == (-0.25, -0.25)
    assert not_worse(case)
    assert inside(case)
    closer = Case("a", Evidence("a", -0.25, -0.5, 0.5, 200, level=0.5), margin=0.2)
    assert not not_worse(closer)
    assert not inside(closer)


@pytest.mark.parametrize(("needs", "said"), [(True, []), (False, ["Look at the rows."])])
def test_a_step_that_needs_a_command_is_not_said_without_it(needs: bool, said: list[str]) -> None:
    advice = [Advice("Look at the rows:", "--items items.csv", needs=needs)]
    assert [step.text for step in _advice(advice, frozenset())] == said
    assert [step.text for step in _advice(advice, frozenset({"items"}))] == ["Look at the rows:"]


@pytest.mark.parametrize(("state", "shown"), [(BEYOND, 8), (LOOKS, 8), (WITHIN, 3)])
def test_what_is_beyond_stays_among_the_first_eight_whatever_room_there_is(state: str, shown: int) -> None:
    claim = Claim("worse", lambda outcome: ())
    all_of_them = [
        Judged(claim, Evidence(f"part {place}", 0.1, 0.0, 0.2, 50), (0.0, 1.0), 12, 0.01, state) for place in range(12)
    ]
    kept, rest = cut(all_of_them, 3)
    assert [one.evidence.subject for one in kept] == [f"part {place}" for place in range(shown)]
    assert len(rest) == 12 - shown
