"""A table with a row for each rating, where a row for each response is expected."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.errors import AdjudgeError


def ratings(times: int, decimals: int = 2) -> dict[str, list[Any]]:
    """Two hundred essays, each rated so often by one of five raters, and scored once by the engine."""
    random = np.random.default_rng(3)
    true = random.normal(3.5, 1.0, 200)
    engine = np.round(np.clip(true + random.normal(0, 0.4, 200), 1, 6), decimals)
    place = np.repeat(np.arange(200), times)
    return {
        "essay": [f"e{one}" for one in place],
        "rater": [f"r{one}" for one in random.integers(1, 6, len(place))],
        "score": np.clip(np.rint(true[place] + random.normal(0, 0.5, len(place))), 1, 6).tolist(),
        "engine": engine[place].tolist(),
    }


def told(table: dict[str, list[Any]], **given: Any) -> list[str]:
    found = adjudge.scoring(table, raters="score", prediction="engine", replicates=200, **given)
    return [check.sentence for check in found.checks if (check.key, check.severity) == ("C15", "serious")]


@pytest.mark.parametrize(("times", "decimals"), [(2, 2), (3, 0)])
def test_ratings_in_rows_are_said_first(times: int, decimals: int) -> None:
    [sentence] = told(ratings(times, decimals))
    assert f'the same "essay" have the same score of "engine": 200 of them in {200 * times} rows' in sentence
    assert 'candidate="essay"' in sentence
    assert not told(ratings(times, decimals), candidate="essay")


def test_a_row_for_each_response_is_as_it_should_be() -> None:
    assert not told(ratings(1))
    several = ratings(2)
    several["engine"] = (np.asarray(several["engine"]) + 0.01 * (np.arange(400) % 2)).tolist()
    assert not told(several)


def test_scores_that_are_mostly_alike_tell_nothing_of_rows() -> None:
    table = {name: column[:40] for name, column in ratings(2).items()}
    table["engine"] = [3.0] * 38 + [4.0] * 2
    assert not told(table)


@pytest.mark.filterwarnings("error")
def test_a_column_without_a_name_tells_nothing_of_rows() -> None:
    assert not told(ratings(1) | {"essay": [None] * 200})


def test_repeated_names_of_responses_say_what_they_may_be() -> None:
    with pytest.raises(AdjudgeError, match="give the column as `candidate` where each row is one rating"):
        adjudge.scoring(ratings(2), raters="score", prediction="engine", id="essay")
