"""Ratings from columns and from rows: the same items, whatever is missing, repeated or out of order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjudge.data.collect_ratings import Rated, rated_blocks, rating_roles, read_rated
from adjudge.data.source import open_source
from adjudge.errors import BadValue, ColumnNotFound, InputError, SettingError

LONG: dict[str, list[Any]] = {
    "item": ["x", "x", "y", "y", "z", "x"],
    "who": ["ann", "ben", "ann", "ben", "eva", "ann"],
    "said": ["a", "b", "b", "b", "a", "c"],
}
IN_ROWS = {"item": "item", "rater": "who", "rating": "said"}


def read(table: Any, scale: Any = None, **roles: Any) -> Rated:
    source = open_source(table)
    return read_rated(source, rating_roles(source.column_names, **roles), scale)


def streamed(table: Any, rows: int, scale: Any = None, **roles: Any) -> list[Rated]:
    source = open_source(table)
    return list(rated_blocks(source, rating_roles(source.column_names, **roles), scale, rows))


def said(rated: Rated) -> dict[tuple[str, str], str]:
    """Each rating by item and rater."""
    codes, who = rated.ratings.codes, rated.ratings.raters
    return {
        (item, who[place]): rated.ratings.categories[code]
        for item, row in zip(rated.items, codes, strict=True)
        for place, code in enumerate(row)
        if code >= 0
    }


def test_ratings_in_rows() -> None:
    rated = read(LONG, **IN_ROWS)
    assert said(rated) == {
        ("x", "ann"): "a",
        ("x", "ben"): "b",
        ("y", "ann"): "b",
        ("y", "ben"): "b",
        ("z", "eva"): "a",
    }
    assert rated.ratings.raters == ("ann", "ben", "eva")
    assert rated.read == 6


def test_the_first_of_repeated_ratings_is_kept_and_the_others_counted() -> None:
    rated = read(LONG, **IN_ROWS)
    assert said(rated)["x", "ann"] == "a"
    assert rated.left_out == {"a rater's repeated rating of an item (the first is kept)": 1}
    assert rated.ratings.categories == ("a", "b"), "a label that only a repeated rating has was not given"


def test_the_same_ratings_in_columns() -> None:
    wide = {"name": ["x", "y", "z"], "ann": ["a", "b", None], "ben": ["b", "b", None], "eva": [None, None, "a"]}
    assert said(read(wide, item="name", raters=["ann", "ben", "eva"])) == said(read(LONG, **IN_ROWS))


def test_rows_without_item_rater_or_rating_are_counted_once() -> None:
    table = {"item": ["x", None, "y", "z"], "who": ["ann", None, None, "ann"], "said": ["a", "a", "b", None]}
    rated = read(table, **IN_ROWS)
    assert rated.left_out == {"item is missing": 1, "rater is missing": 1, "rating is missing": 1}
    assert rated.items == ("x",)


def test_items_nobody_rated_are_counted() -> None:
    rated = read({"ann": ["a", None, "b"], "ben": [None, None, "b"]}, raters=["ann", "ben"])
    assert rated.left_out == {"no rater rated the item": 1}
    assert rated.items == ("row 1", "row 3")


def test_a_scale_keeps_its_order_and_what_is_not_used() -> None:
    rated = read({"ann": ["low", "high"], "ben": ["low", "low"]}, ["low", "mid", "high"], raters=["ann", "ben"])
    assert rated.ratings.categories == ("low", "mid", "high")
    assert rated.ratings.codes.tolist() == [[0, 0], [2, 0]]


def test_numbers_are_in_order_of_value() -> None:
    assert read({"ann": [10, 9, 2.5], "ben": [9, 9, None]}, raters=["ann", "ben"]).ratings.categories == (
        "2.5",
        "9",
        "10",
    )


def test_what_is_known_of_an_item_comes_from_its_first_row() -> None:
    table = {**LONG, "weight": [2, 9, 3, 9, 4, 9], "where": ["p", "q", "p", "q", "q", "q"]}
    rated = read(table, **IN_ROWS, weight="weight", slices=["where"], batch="where")
    weight = dict(zip(rated.items, rated.weight.tolist() if rated.weight is not None else [], strict=True))
    assert weight == {"x": 2, "y": 3, "z": 4}
    assert rated.batches is not None
    levels = [rated.batches.categories[code] for code in rated.batches.codes]
    assert dict(zip(rated.items, levels, strict=True)) == {"x": "p", "y": "p", "z": "q"}
    assert [labels.codes.tolist() for labels in rated.slices] == [rated.batches.codes.tolist()]


def test_an_item_without_a_cluster_is_left_out_and_counted() -> None:
    table = {"ann": ["a", "b", "a"], "ben": ["a", "a", "b"], "page": ["1", None, "1"]}
    rated = read(table, raters=["ann", "ben"], cluster="page")
    assert rated.left_out == {"cluster of the item is missing": 1}
    assert rated.ratings.codes.tolist() == [[0, 0], [0, 1]]
    assert rated.keys[0] == rated.keys[1]


def test_units_have_different_keys_unless_they_share_a_cluster() -> None:
    assert len(np.unique(read(LONG, **IN_ROWS).keys)) == 3


@pytest.mark.parametrize("rows", [1, 2, 3, 5, 100])
def test_blocks_hold_whole_items(rows: int) -> None:
    order = sorted(range(6), key=lambda row: LONG["item"][row])
    table = {name: [column[row] for row in order] for name, column in LONG.items()}
    blocks = streamed(table, rows, **IN_ROWS)
    together: dict[tuple[str, str], str] = {}
    for block in blocks:
        found = said(block)
        assert not together.keys() & found.keys()
        together |= found
    assert together == said(read(table, **IN_ROWS))
    assert sum(block.read for block in blocks) == 6
    assert sum(sum(block.left_out.values()) for block in blocks) == 1


@pytest.mark.parametrize("rows", [1, 2, 100])
def test_blocks_of_columns_name_rows_as_the_whole_does(rows: int) -> None:
    table = {"ann": ["a", "b", None, "a", "c"], "ben": ["a", "a", None, "b", "c"]}
    blocks = streamed(table, rows, raters=["ann", "ben"])
    assert [name for block in blocks for name in block.items] == ["row 1", "row 2", "row 4", "row 5"]
    assert [key for block in blocks for key in block.keys] == list(read(table, raters=["ann", "ben"]).keys)


def test_an_item_that_comes_again_is_refused_when_streaming() -> None:
    with pytest.raises(BadValue, match='together, but "x" comes again later'):
        streamed(LONG, 2, **IN_ROWS)


@pytest.mark.parametrize(
    ("roles", "error", "words"),
    [
        ({}, SettingError, "in columns or in rows"),
        ({"raters": ["who", "said"], "rater": "who"}, SettingError, "in columns or in rows"),
        ({"item": "item", "rater": "who"}, SettingError, "must have all of"),
        ({"raters": "who"}, SettingError, "at least two different columns"),
        ({"raters": ["who", "who"]}, SettingError, "at least two different columns"),
        ({"raters": ["who", "sayd"]}, ColumnNotFound, 'Did you mean "said"'),
        ({**IN_ROWS, "cluster": "hoo"}, ColumnNotFound, "`cluster` must name a column"),
    ],
)
def test_roles_that_do_not_fit(roles: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        read(LONG, **roles)


def test_no_rows_at_all() -> None:
    with pytest.raises(InputError, match="must have rows"):
        read({"ann": [], "ben": []}, raters=["ann", "ben"])
