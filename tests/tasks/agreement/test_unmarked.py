"""A row for each span: who has no row of an item has not read it, unless all raters read all items."""

from __future__ import annotations

from typing import Any

import pytest

import adjudge
from adjudge.tasks.agreement.reading import SpanReading

# Ann marks a person in twelve items; Ben marks the same in six, and nothing in the others.
ROWS = [(f"t{k}", who, 0, 4, "PER") for k in range(12) for who in ("ann", "ben") if who == "ann" or k < 6]


def marked(rows: list[tuple[Any, ...]], **given: Any) -> Any:
    table = {name: [row[place] for row in rows] for place, name in enumerate(("text", "who", "from", "to", "tag"))}
    roles = {"item": "text", "rater": "who", "start": "from", "end": "to", "label": "tag"}
    return adjudge.agreement(table, **roles, measurement="spans", replicates=100, **given)


def test_it_is_said_beside_the_number_and_above_it() -> None:
    e = marked(ROWS)
    found = e["pairwise_span_f(match=strict)"]
    assert (found.value, found.n) == (1.0, 12)
    assert "counts as not read" in found.note
    assert [(check.key, check.severity) for check in e.checks] == [("C26", "serious")]
    assert '"ben" in 6' in e.checks[0].sentence


@pytest.mark.parametrize("block", [None, 8])
def test_all_raters_saw_all_items(block: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a rater has no row in a whole block."""
    if block is not None:
        monkeypatch.setattr(SpanReading, "block_rows", block)
    e = marked(ROWS, seen_by="all")
    said = [(f"t{k}", "ben", None, None, None) for k in range(6, 12)]
    assert e["pairwise_span_f(match=strict)"].value == pytest.approx(12 / 18)
    assert repr(e.table) == repr(marked([*ROWS, *said]).table)
    assert e.checks == []


def test_some_rows_that_say_nothing_was_marked() -> None:
    e = marked([*ROWS, ("t7", "ben", None, None, None)])
    assert [(check.key, check.severity) for check in e.checks] == [("C26", "remark")]


def test_it_is_for_spans() -> None:
    with pytest.raises(adjudge.errors.SettingError, match="`seen_by` must be left out"):
        adjudge.agreement({"a": ["x"], "b": ["x"]}, raters=["a", "b"], seen_by="all")
