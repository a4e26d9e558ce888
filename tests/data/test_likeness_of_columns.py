"""What a column could be for, at exactly the bounds: how many values, how often, whole or not, below zero or not."""

from __future__ import annotations

import pytest

from adjudge.data.source import open_source
from adjudge.data.tables.profiles import Profile, profiles_of

COUNTED = {"labels", "keys", "few labels", "repeated", "levels", "anything"}
OF_NUMBERS = {"numbers", "scores", "amounts"}


def profile(values: list[object]) -> Profile:
    [one] = profiles_of(open_source({"column": values}))
    return one


@pytest.mark.parametrize(
    ("values", "holds"),
    [
        ([0, 1] * 10, COUNTED | {"amounts", "relevance", "two"}),  # two numbers are no measurement
        ([-1, 1] * 10, COUNTED | {"two"}),
        ([0, 1, 2] * 10, COUNTED | OF_NUMBERS | {"relevance", "grades"}),
        ([-1, 0, 1] * 10, COUNTED | OF_NUMBERS - {"amounts"} | {"grades"}),
        ([0.5, 1.5, 2.5] * 10, {"keys", "repeated", "levels", "anything"} | OF_NUMBERS),  # no label is a fraction
        (["x", "y"] * 10, COUNTED | {"two"}),
        (["x"] * 9, {"few labels", "anything"}),
        ([7] * 9, {"few labels", "anything", "amounts"}),
        ([None] * 9, set()),
        ([*range(20)] * 5, COUNTED | OF_NUMBERS | {"relevance", "grades"}),
        ([*range(21)] * 5, {"labels", "keys", "repeated", "anything", "continuous"} | OF_NUMBERS),
        ([*range(20)] * 4 + [0] * 19, COUNTED - {"levels"} | OF_NUMBERS | {"relevance", "grades"}),  # 99 rows
        ([*range(1, 22)], {"ids", "amounts", "anything"}),  # row numbers measure nothing
        ([*range(1, 21), 30], {"ids", "numbers", "amounts", "anything", "continuous"}),  # not in a row
        ([None, *range(1, 22)], {"amounts", "anything"}),  # an id has no gap
        (["x", "y", "z"] * 2, {"labels", "keys", "few labels", "repeated", "anything"}),
        (["x", "y", "z", "x", "y"], {"keys", "few labels", "repeated", "anything"}),  # less than twice each
        (["x"] * 50 + ["y"] * 50, COUNTED - {"keys"} | {"two"}),  # a key has less than 50 rows
        (["x"] * 50 + ["y"] * 49, COUNTED | {"two"}),
        ([f"w{n}" for n in range(100)] * 2, {"labels", "keys", "repeated", "anything"}),
        ([f"w{n}" for n in range(101)] * 2, {"keys", "repeated", "anything"}),
        ([f"{n:064d}w"[-64:] for n in range(25)], {"ids", "anything"}),
        ([f"{n:065d}w"[-65:] for n in range(25)], {"anything"}),
        (["a", "b"] * 10, COUNTED | {"two"}),  # may be labels of anything
        (["a", "b", "tie"] * 10, COUNTED | {"votes"}),
        (["a", "tie"] * 10, COUNTED | {"two"}),  # nobody chose the second
    ],
)
def test_a_column_holds(values: list[object], holds: set[str]) -> None:
    assert profile(values).holds == holds


def test_ratings_of_one_item_differ_and_facts_of_it_do_not() -> None:
    item, rating, fact, nothing = profiles_of(
        open_source({"i": ["1", "1", "2", "2"], "r": ["x", "y", "x", "x"], "f": ["k", None, "l", "l"], "n": [None] * 4})
    )
    assert rating.differs_within(item)
    assert not fact.differs_within(item)  # what is missing is no other value
    assert not nothing.differs_within(item)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([None, None], "empty"),
        (["x"], "1 value: x"),
        (["x", "y", "z"], "3 values: x, y, z"),
        (["w", "x", "y", "z", None], "4 values: w, x, y …; 1 missing"),
        ([*range(20)], "20 values: 0, 1, 2 …"),
        ([*range(21)], "21 numbers, 0 to 20"),
        ([f"w{n}" for n in range(20)], "20 values: w0, w1, w2 …"),
        ([f"w{n}" for n in range(21)], "all different: w0, w1, w2 …"),
        (["x" * 24, "y" * 25], f"2 values: {'x' * 24}, {'y' * 21}..."),
    ],
)
def test_it_is_described_in_a_few_words(values: list[object], text: str) -> None:
    assert profile(values).described == text
