"""Distances between sets of labels, and the agreement that follows."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge import estimate
from adjudge.data.judgements.label_sets import labels_in, set_ratings_of, set_text
from adjudge.errors import AdjudgeError
from adjudge.metrics import krippendorff_alpha, label_alphas, macro_label_alpha, set_alpha
from adjudge.statistics.ratings.set_distance import set_distance
from adjudge.statistics.ratings.set_ratings import SetRatings

ROWS = [
    [{"a"}, {"a"}, {"a", "b"}],
    [{"b"}, {"b", "c"}, {"b"}],
    [{"a", "c"}, {"a", "c"}, None],
    [{"d"}, {"a"}, {"d"}],
    [set(), {"b", "c"}, set()],
]
PAIRS = [  # two sets; masi (1 − J·M), masi_dkpro (1 − J)(1 − M), jaccard
    ({"a"}, {"a"}, 0, 0, 0),
    (set(), set(), 0, 0, 0),
    ({"a"}, {"a", "b"}, 2 / 3, 1 / 6, 1 / 2),
    ({"a", "b"}, {"b", "c"}, 8 / 9, 4 / 9, 2 / 3),
    ({"a"}, {"b"}, 1, 1, 1),
    (set(), {"a"}, 1, 1 / 3, 1),  # DKPro takes the empty set as contained
]


@pytest.mark.parametrize(("a", "b", "masi", "dkpro", "jaccard"), PAIRS, ids=[str(place) for place in range(len(PAIRS))])
def test_distances_of_two_sets(a: set, b: set, masi: float, dkpro: float, jaccard: float) -> None:
    both = (set_text(a), set_text(b))
    for name, value in (("masi", masi), ("masi_dkpro", dkpro), ("jaccard", jaccard)):
        assert set_distance(both, name)[0, 1] == pytest.approx(value)
        assert set_distance(both[::-1], name)[0, 1] == pytest.approx(value)


@pytest.mark.parametrize("labels", [set(), {"a"}, {"a, b", "c"}, {"\\", ","}, {"{x}", " y", "z "}, {"a\\", "b"}])
def test_sets_read_back(labels: set) -> None:
    assert labels_in(set_text(labels)) == labels


def test_ratings_of_sets() -> None:
    found = set_ratings_of([[["b", "a"], ("a", "b")], ["a", None], [float("nan"), {1, 2}]])
    assert found.categories == ("{1, 2}", "{a, b}", "{a}")
    assert found.codes.tolist() == [[1, 1], [2, -1], [-1, 0]]
    assert set_ratings_of([{"a"}, {"b"}], [{"a"}, set()]).codes.tolist() == [[0, 0], [1, 2]]
    for wrong in ([[{"a"}], [{"a"}, {"b"}]], [[{"": 1}, {"a"}]], [[[""], ["a"]]]):
        with pytest.raises(AdjudgeError):
            set_ratings_of(wrong)
    with pytest.raises(AdjudgeError, match="same list of items"):
        set_ratings_of([{"a"}], [{"a"}, {"b"}])


def test_plain_labels_are_sets_of_one() -> None:
    rows = [["a", "a"], ["a", "b"], ["b", "b"], ["c", "c"]]
    assert set_alpha(rows) == pytest.approx(krippendorff_alpha(rows))


def test_the_two_masis_differ() -> None:
    assert set_alpha(ROWS, distance="masi_dkpro") > set_alpha(ROWS, distance="masi")


def test_label_by_label() -> None:
    each = label_alphas(ROWS)
    assert list(each) == ["a", "b", "c", "d"]
    alone = [[None if cell is None else "b" in cell for cell in row] for row in ROWS]
    assert each["b"] == pytest.approx(krippendorff_alpha(alone))
    assert macro_label_alpha(ROWS) == pytest.approx(np.nanmean(list(each.values())))


@pytest.mark.parametrize("nothing", [[], [[{"a"}, {"a"}]], [[set(), set()]], [[{"a"}, None]]])
def test_undefined_is_nan(nothing: list) -> None:
    assert np.isnan(set_alpha(nothing))
    assert np.isnan(macro_label_alpha(nothing))


def test_weights_are_repeated_items_and_replicates_stack() -> None:
    assert set_alpha(ROWS, weights=[2, 1, 1, 0, 3]) == pytest.approx(
        set_alpha([ROWS[i] for i in (0, 0, 1, 2, 4, 4, 4)])
    )
    drawn = SetRatings.of_arrays(ROWS).resampled("multinomial", 6, 7, "test")
    assert set_alpha.values(drawn).shape == (6,)
    assert macro_label_alpha.values(drawn).shape == (6,)


def test_an_interval() -> None:
    found = estimate(set_alpha, ROWS * 6)
    assert found.value == pytest.approx(set_alpha(ROWS * 6))
    assert found.interval.low < found.value < found.interval.high
    assert found.method == "bayesian"


def test_an_unknown_distance() -> None:
    with pytest.raises(AdjudgeError, match="`distance` must be one of"):
        set_alpha(ROWS, distance="hamming")


def test_what_alpha_is_made_of() -> None:
    sets = [[{"a"}, {"a", "b"}], [{"b"}, {"b"}], [{"a"}, None]]
    found = set_alpha.made_of(sets, distance="jaccard")
    # Two pairs, of distance ½ and 0; of the six ordered pairs of the four paired ratings' sets {a}, {a, b}, {b}, {b}.
    assert found["observed"] == pytest.approx(1 - (0.5 + 0) / 2)
    assert found["expected"] == pytest.approx(1 - 2 * (0.5 + 1 + 1 + 0.5 + 0.5 + 0) / 12)
    assert (found["items"], found["paired_items"], found["categories_used"]) == (3, 2, 3)
