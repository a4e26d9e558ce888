"""A row for each span: who has no row of an item has not read it, unless all raters read all items."""

from __future__ import annotations

from typing import Any

import pytest

import adjudge
from adjudge.tasks.agreement.spans import SpanReading

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
    assert '"ben" for 6' in e.checks[0].sentence


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


SEEN = [("t7", "ben"), ("t8", "ben"), ("t99", "ann"), ("t99", "ben"), ("t0", "ben"), (None, "ben"), ("t3", None)]


def seen(*rows: tuple[Any, ...]) -> dict[str, list[Any]]:
    return {name: [row[place] for row in rows] for place, name in enumerate(("text", "who")[: len(rows[0])])}


def test_another_table_says_who_read_what() -> None:
    """As if it had a row without a span for each."""
    said = [(item, who, None, None, None) for item, who in SEEN[:4]]
    e = marked(ROWS, seen_items=seen(*SEEN))
    assert repr(e.table) == repr(marked([*ROWS, *said]).table)
    assert e["pairwise_span_f(match=strict)"].value == pytest.approx(2 * 6 / (2 * 6 + 2))


def test_without_a_column_of_raters_all_read_those_items() -> None:
    e = marked(ROWS, seen_items=seen(*[(f"t{k}",) for k in range(12)]))
    assert repr(e.table) == repr(marked(ROWS, seen_by="all").table)
    assert e.checks == []


def test_the_table_may_be_a_file(tmp_path: Any, adjudge_cli: Any) -> None:
    spans, read = tmp_path / "spans.csv", tmp_path / "read.csv"
    spans.write_text("text,who,from,to,tag\n" + "".join(f"{','.join(map(str, row))}\n" for row in ROWS))
    read.write_text("text\n" + "".join(f"t{k}\n" for k in range(12)))
    roles = ["--item", "text", "--rater", "who", "--start", "from", "--end", "to", "--label", "tag"]
    said = adjudge_cli(
        "agreement", spans, *roles, "--measurement", "spans", "--seen-items", read, "--json", tmp_path / "e"
    )
    assert (said.code, said.err) == (0, "")
    assert "0.6667" in (tmp_path / "e").read_text() or "0.666666" in (tmp_path / "e").read_text()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"seen_items": {"texts": ["t1"]}}, 'no column "text"'),
        ({"seen_items": "nowhere.csv"}, "nowhere.csv"),
    ],
)
def test_a_table_that_says_nothing_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(adjudge.errors.AdjudgeError, match=told):
        marked(ROWS, **given)


def test_where_ratings_are_cells_nobody_asks_who_read_them() -> None:
    with pytest.raises(adjudge.errors.SettingError, match="`seen_items` must be left out"):
        adjudge.agreement({"a": ["x"], "b": ["x"]}, raters=["a", "b"], seen_items={"item": [1]})
