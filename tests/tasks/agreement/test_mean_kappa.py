"""The mean of kappas of essay sets, against scikit-learn's kappas and the original's mean."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from adjudge.errors import AdjudgeError
from adjudge.tasks.agreement.mean_kappa import MeanKappa, essay_sets, fisher_mean

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "essay_sets.json").read_text(encoding="utf-8"))
TABLE = GOLDEN["table"]
ROLES = {"reference": "score", "prediction": "predicted", "by": "essay_set"}
EXACT = {"rel": 0, "abs": 1e-12}
TWO = {"set": ["x"] * 4 + ["y"] * 3, "gold": [1, 2, 3, 2, 5, 5, 5], "said": [1, 2, 3, 3, 5, 5, 5]}
TWO_ROLES = {"reference": "gold", "prediction": "said", "by": "set"}


def found(**settings) -> MeanKappa:
    return essay_sets(TABLE, **ROLES, **settings)


def test_each_set_and_the_means_are_the_published_ones() -> None:
    weighted = found(weight="essay_weight")
    by_set = {row.slice.removeprefix("essay_set = "): row.estimate for row in weighted.table.first_methods()}
    assert by_set == pytest.approx(GOLDEN["qwk_by_set"], **EXACT)
    assert weighted.mean.value == pytest.approx(GOLDEN["fisher_mean_weighted"], **EXACT)
    assert found().mean.value == pytest.approx(GOLDEN["fisher_mean_unweighted"], **EXACT)
    assert weighted.plain_mean == pytest.approx(GOLDEN["plain_mean"], **EXACT)
    assert found(weights=weighted.weights).mean == weighted.mean


def test_the_mean_has_an_interval_from_items_within_sets() -> None:
    mean = found().mean
    assert 0.7 < mean.interval.low < mean.value < mean.interval.high < 0.95
    assert (mean.method, mean.n) == ("bootstrap", 132)
    assert found(seed=8).mean.interval != mean.interval
    narrow = found(level=0.5).mean.interval
    assert mean.interval.low < narrow.low < narrow.high < mean.interval.high


def test_weights_by_rule() -> None:
    sizes = found(weights="n-3").weights
    assert sizes == {"1": 37.0, "2": 32.0, "3": 42.0, "4": 9.0}
    inverse = found(weights="inverse_variance").weights
    assert inverse["4"] == min(inverse.values())


def test_a_set_without_variation_is_left_out_and_said() -> None:
    mean = essay_sets(TWO, **TWO_ROLES)
    assert mean.mean.value == pytest.approx(0.8, **EXACT)
    assert "1 of 2 sets" in mean.mean.note
    assert [np.isnan(row.estimate) for row in mean.table.first_methods()] == [False, True]
    assert "undefined" in mean.table.rows[-1].note
    only = {name: column[4:] for name, column in TWO.items()}
    nothing = essay_sets(only, **TWO_ROLES).mean
    assert np.isnan(nothing.value)
    assert "no set has a defined kappa" in nothing.note


def test_perfect_sets_still_have_a_width() -> None:
    table = {"set": [1] * 12, "gold": [1, 2, 3] * 4, "said": [1, 2, 3] * 4}
    mean = essay_sets(table, **TWO_ROLES).mean
    assert (mean.value, mean.method) == (pytest.approx(0.999), "bayesian")
    assert mean.interval.low < 0.999
    assert essay_sets(table, **TWO_ROLES, cap=None).mean.value == 1


def test_real_scores_are_taken_by_their_moments() -> None:
    random = np.random.default_rng(5)
    gold = random.normal(size=400)
    table = {"set": [1] * 400, "gold": gold, "said": gold + random.normal(size=400)}
    one = essay_sets(table, **TWO_ROLES)
    x, y = table["gold"], table["said"]
    want = 2 * np.cov(x, y, ddof=0)[0, 1] / (x.var() + y.var() + (x.mean() - y.mean()) ** 2)
    assert one.mean.value == pytest.approx(want, **EXACT)
    assert one.mean.interval.low < want < one.mean.interval.high


def test_incomplete_rows_are_left_out_and_counted() -> None:
    table = {"set": [*TWO["set"], None, "x"], "gold": [*TWO["gold"], 1, None], "said": [*TWO["said"], 1, 2]}
    assert essay_sets(table, **TWO_ROLES).left_out == 2
    assert essay_sets(table, **TWO_ROLES).mean.value == pytest.approx(0.8, **EXACT)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"weights": {"1": 1}}, '"2", "3", "4" is missing'),
        ({"weights": "sizes"}, "must map each set"),
        ({"weights": "n-3", "weight": "essay_weight"}, "given once"),
        ({"weight": "score"}, "same in every row of a set"),
        ({"weights": {"1": 0, "2": 0, "3": 0, "4": 0}}, "not all be zero"),
        ({"weights": {"1": -1, "2": 0, "3": 0, "4": 0}}, "not negative"),
        ({"cap": 1}, "`cap` must lie between"),
        ({"level": 95}, "`level` must lie between"),
    ],
)
def test_settings_are_checked(settings: dict, said: str) -> None:
    with pytest.raises(AdjudgeError, match=said):
        found(**settings)


def test_columns_are_checked() -> None:
    with pytest.raises(AdjudgeError, match='there is no column "sett"'):
        essay_sets(TABLE, reference="score", prediction="predicted", by="sett")
    with pytest.raises(AdjudgeError, match="must be numbers"):
        essay_sets({**TWO, "said": list("abcabca")}, **TWO_ROLES)
    with pytest.raises(AdjudgeError, match="some items"):
        essay_sets({"set": [None], "gold": [1], "said": [1]}, **TWO_ROLES)


def test_the_mean_of_a_stack() -> None:
    stack = fisher_mean([[0.5, 0.8], [0.5, np.nan], [np.nan, np.nan]], [1, 0.5])
    assert stack == pytest.approx([0.624536446425734, 0.5, np.nan], nan_ok=True)
