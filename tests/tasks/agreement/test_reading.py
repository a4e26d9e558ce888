"""Ratings from columns and from rows: the same items, whatever is missing, repeated or out of order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjudge.data.judgements.labels import Labels
from adjudge.data.judgements.rated import Rated
from adjudge.data.reading import Block, batches_of
from adjudge.data.source import open_source
from adjudge.errors import AdjudgeError, BadValue, ColumnNotFound, SettingError
from adjudge.tasks.agreement.checks import check_items_together
from adjudge.tasks.agreement.reading import ITEMS, LABELS, RatingReading, roles_of

LONG: dict[str, list[Any]] = {
    "item": ["x", "x", "y", "y", "z", "x"],
    "who": ["ann", "ben", "ann", "ben", "eva", "ann"],
    "said": ["a", "b", "b", "b", "a", "c"],
}
IN_ROWS = {"item": "item", "rater": "who", "rating": "said"}


def blocks(table: Any, *, gather: bool, scale: Any = None, **roles: Any) -> list[Block]:
    source = open_source(table)
    reading = RatingReading(**roles_of(source.column_names, roles), scale=scale).checked(source.column_names)
    return [reading.read(batch, place.first_row) for place, batch in batches_of(source, reading, gather=gather)]


def read(table: Any, scale: Any = None, **roles: Any) -> Block:
    (block,) = blocks(table, gather=True, scale=scale, **roles)
    return block


def items(block: Block) -> Rated:
    rated: Rated = block.views[ITEMS]
    return rated


def said(block: Block) -> dict[tuple[str, str], str]:
    """Each rating by item and rater."""
    ratings = items(block).ratings
    return {
        (item, ratings.raters[place]): ratings.categories[code]
        for item, row in zip(items(block).names, ratings.codes, strict=True)
        for place, code in enumerate(row)
        if code >= 0
    }


def test_ratings_in_rows() -> None:
    block = read(LONG, **IN_ROWS)
    assert said(block) == {
        ("x", "ann"): "a",
        ("x", "ben"): "b",
        ("y", "ann"): "b",
        ("y", "ben"): "b",
        ("z", "eva"): "a",
    }
    assert items(block).ratings.raters == ("ann", "ben", "eva")
    assert block.facts.read == 6


def test_the_first_of_repeated_ratings_is_kept_and_the_others_counted() -> None:
    block = read(LONG, **IN_ROWS)
    assert said(block)["x", "ann"] == "a"
    assert block.facts.left_out == {"a rater's repeated rating of an item (the first is kept)": 1}
    assert items(block).ratings.categories == ("a", "b"), "a label that only a repeated rating has was not given"


def test_the_same_ratings_in_columns() -> None:
    wide = {"name": ["x", "y", "z"], "ann": ["a", "b", None], "ben": ["b", "b", None], "eva": [None, None, "a"]}
    assert said(read(wide, item="name", raters=["ann", "ben", "eva"])) == said(read(LONG, **IN_ROWS))


def test_rows_without_item_rater_or_rating_are_counted_once() -> None:
    table = {"item": ["x", None, "y", "z"], "who": ["ann", None, None, "ann"], "said": ["a", "a", "b", None]}
    block = read(table, **IN_ROWS)
    assert block.facts.left_out == {"item is missing": 1, "rater is missing": 1, "rating is missing": 1}
    assert items(block).names == ("x",)


def test_items_nobody_rated_are_counted() -> None:
    block = read({"ann": ["a", None, "b"], "ben": [None, None, "b"]}, raters=["ann", "ben"])
    assert block.facts.left_out == {"no rater rated the item": 1}
    assert tuple(items(block).names) == ("row 1", "row 3")


def test_a_scale_keeps_its_order_and_what_is_not_used() -> None:
    block = read({"ann": ["low", "high"], "ben": ["low", "low"]}, ["low", "mid", "high"], raters=["ann", "ben"])
    assert items(block).ratings.categories == ("low", "mid", "high")
    assert items(block).ratings.codes.tolist() == [[0, 0], [2, 0]]


def test_numbers_are_in_order_of_value() -> None:
    assert items(read({"ann": [10, 9, 2.5], "ben": [9, 9, None]}, raters=["ann", "ben"])).ratings.categories == (
        "2.5",
        "9",
        "10",
    )


def test_what_is_known_of_an_item_is_the_same_in_all_its_rows_but_for_its_batch() -> None:
    """A first row that counts would give other figures in another order, and the slices of one rater to all."""
    table = {**LONG, "weight": [2, 2, 3, 3, 4, 4], "where": ["p", "p", "p", "p", "q", "q"], "week": [*"pqpqqq"]}
    block = read(table, **IN_ROWS, weight="weight", slices=["where"], batch="week")
    weight = dict(zip(items(block).names, block.weight.tolist() if block.weight is not None else [], strict=True))
    assert weight == {"x": 2, "y": 3, "z": 4}
    batches = items(block).batches
    assert isinstance(batches, Labels)
    levels = [batches.categories[code] for code in batches.codes]
    assert dict(zip(items(block).names, levels, strict=True)) == {"x": "p", "y": "p", "z": "q"}
    assert [labels.codes.tolist() for labels in block.slices] == [batches.codes.tolist()]
    for role, given in (("slices", ["week"]), ("cluster", "week")):
        roles: dict[str, Any] = {role: given}
        with pytest.raises(BadValue, match=f'`{role}` must be the same for all ratings of an item.* both "p" and "q"'):
            read(table, **IN_ROWS, **roles)
    with pytest.raises(BadValue, match=r'"weight" has both 2 and 9 in item "x". Give each item one.'):
        read({**table, "weight": [2, 9, 3, 3, 4, 4]}, **IN_ROWS, weight="weight")
    with pytest.raises(BadValue, match=r'has both "p" and \(missing\) in item "x"'):
        read({**table, "where": ["p", None, "p", "p", "q", "q"]}, **IN_ROWS, slices=["where"])


def test_an_item_without_a_cluster_is_left_out_and_counted() -> None:
    table = {"ann": ["a", "b", "a"], "ben": ["a", "a", "b"], "page": ["1", None, "1"]}
    block = read(table, raters=["ann", "ben"], cluster="page")
    assert block.facts.left_out == {"cluster of the item is missing": 1}
    assert items(block).ratings.codes.tolist() == [[0, 0], [0, 1]]
    assert block.keys[0] == block.keys[1]


def test_units_have_different_keys_unless_they_share_a_cluster() -> None:
    assert len(np.unique(read(LONG, **IN_ROWS).keys)) == 3


@pytest.mark.parametrize("gather", [True, False])
@pytest.mark.parametrize("rows", [1, 2, 3, 5, 100])
def test_blocks_hold_whole_items(rows: int, gather: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    order = sorted(range(6), key=lambda row: LONG["item"][row])
    table = {name: [column[row] for row in order] for name, column in LONG.items()}
    whole = said(read(table, **IN_ROWS))
    monkeypatch.setattr(RatingReading, "block_rows", rows)
    parts = blocks(LONG if gather else table, gather=gather, **IN_ROWS)
    together: dict[tuple[str, str], str] = {}
    for part in parts:
        assert not together.keys() & said(part).keys()
        together |= said(part)
    assert together == whole
    assert sum(part.facts.read for part in parts) == 6
    assert sum(sum(part.facts.left_out.values()) for part in parts) == 1
    assert sum(part.rows for part in parts) == 3


@pytest.mark.parametrize("rows", [1, 2, 100])
def test_blocks_of_columns_name_rows_as_the_whole_does(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"ann": ["a", "b", None, "a", "c"], "ben": ["a", "a", None, "b", "c"]}
    whole = read(table, raters=["ann", "ben"])
    monkeypatch.setattr(RatingReading, "block_rows", rows)
    parts = [part for part in blocks(table, gather=False, raters=["ann", "ben"]) if part.rows]
    assert [name for part in parts for name in items(part).names] == ["row 1", "row 2", "row 4", "row 5"]
    assert [key for part in parts for key in np.asarray(part.keys)] == list(np.asarray(whole.keys))


def test_an_item_that_comes_again_is_known_from_the_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RatingReading, "block_rows", 2)
    first, *others = (part.facts for part in blocks(LONG, gather=False, **IN_ROWS))
    for facts in others:
        first = first + facts
    with pytest.raises(AdjudgeError, match="must stand side by side, but 1 item comes again later"):
        check_items_together(first)


def test_a_block_is_read_alike_wherever_it_stands() -> None:
    """Reading has no memory: reading something else before changes nothing."""
    source = open_source(LONG)
    reading = RatingReading(**roles_of(source.column_names, IN_ROWS)).checked(source.column_names)
    (batch,) = source.batches(reading.texts(), reading.numbers())
    first, again = (reading.read(batch, row) for row in (0, 1_000))
    assert said(first) == said(again)
    assert first.facts.left_out == again.facts.left_out


def test_numbers_that_are_too_many_are_not_kept_as_labels() -> None:
    table = {"ann": list(range(50)), "ben": list(range(50))}
    source = open_source(table)
    for most, kept in ((49, False), (50, True)):
        reading = RatingReading(raters=("ann", "ben"), most=most)
        (batch,) = source.batches(reading.texts(), reading.numbers())
        assert (LABELS in reading.read(batch, 0).facts.seen) == kept


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
