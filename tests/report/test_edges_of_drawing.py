"""What is track at the edges: no estimate, no interval, an interval that is the whole track."""

from __future__ import annotations

import pytest

from adjudge.evaluation.panels import ForestLine
from adjudge.report.answers.answer import ForestBlock, ForestRow, Tick
from adjudge.report.blocks.text import _scale, _strip
from adjudge.report.charts.estimates import _tips
from adjudge.report.gates.section import bar
from adjudge.report.gates.words import RequirementLine
from adjudge.report.sheet import Sheet

BLOCK = ForestBlock("t", "m", [], [], limits=[0.5], against=0.2, ticks=[Tick(0.0, "0"), Tick(1.0, "1")])


@pytest.mark.parametrize(
    ("estimate", "low", "high", "strip"),
    [
        (None, None, None, "  |  :     "),
        (0.7, None, None, "  |  : o   "),
        (0.7, 0.3, 0.9, "  |--:-o-- "),
        (0.5, 0.4, 0.6, "  | -o-    "),
        (2.0, 1.5, 3.0, "  |  :    o"),
    ],
)
def test_an_interval_in_characters(estimate: float | None, low: float | None, high: float | None, strip: str) -> None:
    """Eleven places from 0 to 1: what it is held against at 2, the limit at 5."""
    row = ForestRow("a", estimate, low, high, [], "fine", "")
    assert _strip(row, BLOCK, 11, Sheet(80, "ascii", ascii=True)) == strip


@pytest.mark.parametrize("middle", [0.1 * step for step in range(11)])
def test_labels_of_ticks_never_touch(middle: float) -> None:
    """Of three ticks the middle one is left out where it would stand against another."""
    ticks = [Tick(0.0, "0.00"), Tick(middle, "mid"), Tick(1.0, "1.00")]
    scale = _scale(ForestBlock("t", "m", [], [], ticks=ticks), 21, Sheet(80, "ascii", ascii=True))
    words = scale.split()
    assert words[0] == "0.00"
    assert set(words) <= {"0.00", "mid", "1.00"}
    assert ("mid" in words) == (middle > 0.25)
    assert ("1.00" in words) == (middle < 0.75)


def _line(low: float | None, high: float | None, point: float | None, tick: float | None) -> RequirementLine:
    return RequirementLine("", "passed", "r", "", "", "", "", "", "", low=low, high=high, point=point, tick=tick)


def test_the_track_of_a_requirement_leaves_room_on_both_sides() -> None:
    """From 0 to 1 with 8 % on each side: 8 / 116 is 6.9 %, and the middle is the middle."""
    track = bar(_line(0.0, 1.0, 0.5, 0.25))
    assert track is not None
    assert (track.start, track.width, track.point) == pytest.approx((6.9, 86.2, 50.0), abs=0.01)
    assert track.baseline == pytest.approx(100 * 33 / 116, abs=0.01)
    still = bar(_line(0.5, 0.5, 0.5, None))
    assert still is not None
    assert (still.start, still.width, still.point, still.baseline) == (50.0, 0.0, 50.0, None)
    assert bar(_line(None, 1.0, 0.5, 0.25)) is None


def test_a_note_is_shown_where_a_line_has_one() -> None:
    plain, noted = ForestLine("a", 0.5, 0.4, 0.6, 9), ForestLine("b", None, None, None, 0, "too few")
    fields = [[tip["field"] for tip in _tips("m", lines)] for lines in ([plain], [plain, noted])]
    assert fields == [["name", "text", "interval", "n"], ["name", "text", "interval", "n", "note"]]
