"""Cells that hold several values: how they are written, read back, and refused where one value must be."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest

from adjudge.data.decode import text_of
from adjudge.data.judgements.label_sets import SetCells, labels_of_cell
from adjudge.data.label_values import AS_WRITTEN, BY_VALUE, meeting_of
from adjudge.data.nested import nested_in, nested_text
from adjudge.data.source import Several, Text, open_source
from adjudge.errors import BadValue


@pytest.mark.parametrize(
    ("cell", "labels"),
    [
        ("a|b", ["a", "b"]),
        (" a | b |", ["a", "b"]),
        ("", []),
        ("|", []),
        ("[]", []),
        ("{}", []),
        ('["a", "b, c"]', ["a", "b, c"]),
        ("['a', 'b']", ["a", "b"]),
        ("{'a'}", ["a"]),
        ("[NAME]", ["[NAME]"]),
        ("[NAME]|b", ["[NAME]", "b"]),
        ("[1, 2.0, true]", [1, 2.0, True]),
        ("1;2", ["1;2"]),
        ("[" * 5_000, ["[" * 5_000]),
        ("{[1]}", ["{[1]}"]),
        ("[{[1]: 2}]", ["[{[1]: 2}]"]),
    ],
)
def test_labels_of_a_cell(cell: str, labels: list) -> None:
    assert labels_of_cell(cell) == labels


@pytest.mark.parametrize("cell", ['{"a": 1}', "[[1]]", "[null]", "[NaN]", "[('a', 1)]", '[{"label": "a"}]'])
def test_what_is_no_list_of_labels_is_refused(cell: str) -> None:
    with pytest.raises(BadValue, match="A set must be a list of labels"):
        labels_of_cell(cell)


def test_cells_that_hold_the_same_labels_become_one() -> None:
    text = Text(np.array([0, 1, -1, 2, 3]), ("b|a", '["a", "b"]', "a|b|a", "1|1.0"))
    sets, kinds = SetCells().sets_of(text, AS_WRITTEN)
    assert sets.codes.tolist() == [0, 0, -1, 0, 1]
    assert sets.labels == ("{a, b}", "{1, 1.0}")
    assert meeting_of(kinds) == AS_WRITTEN
    numbers, kinds = SetCells().sets_of(text_of([[1, 1.0, "1"], "1.0"], Several("x")), BY_VALUE)
    assert (numbers.codes.tolist(), numbers.labels) == ([0, 0], ("{1}",))
    assert meeting_of(kinds) == BY_VALUE


@pytest.mark.parametrize(
    "values",
    [
        [["a", "b"], [], None, "a"],
        [("a", "b"), (), None, "a"],
        np.array([["a", "b"], [], None, "a"], dtype=object),
    ],
)
def test_lists_are_read_where_they_may_be(values: Any) -> None:
    text = text_of(values, Several("labels"))
    assert [None if code < 0 else text.labels[code] for code in text.codes] == ['["a", "b"]', "[]", None, "a"]
    with pytest.raises(BadValue, match="Each cell must hold one value"):
        text_of(values, "labels")


def test_odd_leaves_are_written_as_labels_are() -> None:
    value = {"day": date(2024, 5, 1), "n": np.int64(3), "x": [float("nan"), np.float64(0.5)], "s": {"b", "a"}}
    assert nested_in(nested_text(value, Several("x"))) == {
        "day": "2024-05-01",
        "n": 3,
        "x": [None, 0.5],
        "s": ["a", "b"],
    }


def test_a_fingerprint_sees_into_lists() -> None:
    one, same, other = ({"label": [["a"], cell]} for cell in (["b"], ("b",), ["c"]))
    assert open_source(one).fingerprint() == open_source(same).fingerprint() != open_source(other).fingerprint()
