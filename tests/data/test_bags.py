"""Units in bags: limits without each bag, beside those that are drawn, and where few bags have units."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student

import adjudge
from adjudge.data.cubes.meaning import BAG, WEIGHTS
from adjudge.data.keys import keys_of_labels
from adjudge.inference.intervals.bags import without_each_bag
from adjudge.metrics import accuracy, rmse
from adjudge.report.cubes import cube_of, evaluate_cube
from adjudge.statistics.weights import Draws

ASKED: dict[str, Any] = {"replicates": 100, "ok": [f"C{number}" for number in range(1, 43)]}


def clustered(clusters: int = 300, seed: int = 1) -> dict[str, Any]:
    """Clusters of very different sizes, whose shares of right answers differ."""
    random = np.random.default_rng(seed)
    sizes = np.minimum(np.ceil(2 * random.pareto(1.5, clusters) + 1), 300).astype(int)
    who = np.repeat(np.arange(clusters), sizes)
    truth = random.integers(0, 2, len(who))
    right = random.random(len(who)) < random.beta(4, 2, clusters)[who]
    score = np.clip(0.5 + 0.3 * (truth - 0.5) + random.normal(0, 0.2, len(who)), 0.01, 0.99)
    return {
        "y": truth,
        "g": np.where(right, truth, 1 - truth),
        "p": score,
        "who": [f"u{k}" for k in who],
        "w": random.choice([0.5, 1.0, 2.0], len(who)),
    }


@pytest.mark.parametrize("weight", [None, "w"])
def test_limits_are_those_of_leaving_out_each_bag_by_hand(weight: str | None) -> None:
    """Kott's variance on the scale of Fisher's z of 2 p − 1, with Satterthwaite's degrees of freedom."""
    roles = {"reference": "y", "prediction": "g", "score": "p", "positive": "1", "cluster": "who", "weight": weight}
    cube = cube_of(adjudge.classification(clustered(), **{k: v for k, v in roles.items() if v}, **ASKED))
    told = evaluate_cube(cube, **ASKED)
    amounts = cube.n if weight is None else cube.sums[WEIGHTS][:, 0]
    right = cube.labels["reference"].codes == cube.labels["prediction:g"].codes
    bags, place = np.unique(cube.labels[BAG].codes, return_inverse=True)
    part, whole = (np.bincount(place.reshape(-1), amounts * of) for of in (right, np.ones(len(right))))
    z = np.arctanh(2 * (part.sum() - part) / (whole.sum() - whole) - 1)
    point, many = np.arctanh(2 * part.sum() / whole.sum() - 1), len(bags)
    adds = z.mean() - z
    kurtosis = many * (adds**4).sum() / (adds**2).sum() ** 2
    error = np.sqrt((many - 1) / many * ((z - point) ** 2).sum())
    reach = student.ppf(0.975, min(2 * many / max(kurtosis - 1, 2), many - 1)) * error
    first = next(row for row in told.table if row.metric == "accuracy")
    assert first.method == "bags"
    assert (first.low, first.high) == pytest.approx(tuple((np.tanh(point + s * reach) + 1) / 2 for s in (-1, 1)))
    methods = {row.metric: [] for row in told.table}
    for row in told.table:
        methods[row.metric].append(row.method)
    assert methods["roc_auc"][0] == methods["log_loss"][0] == "bags"
    assert "bootstrap" in methods["accuracy"]


def test_few_bags_have_limits_and_fewer_have_none() -> None:
    roles = {"reference": "y", "prediction": "g", "cluster": "who", **ASKED}
    table = clustered()
    table["who"] = [f"u{k}" for k in np.arange(len(table["y"])) % 9]
    told = evaluate_cube(cube_of(adjudge.classification(table, **roles)), **ASKED)
    assert next(row.method for row in told.table if row.metric == "accuracy") == "bags"
    table["who"] = [f"u{k}" for k in np.arange(len(table["y"])) % 2]
    told = evaluate_cube(cube_of(adjudge.classification(table, **roles)), **ASKED)
    assert "bags" not in {row.method for row in told.table}


def test_rows_have_no_bags() -> None:
    told = adjudge.classification(clustered(), reference="y", prediction="g", cluster="who", **ASKED)
    assert "bags" not in {row.method for row in told.table}


def test_each_bag_is_left_out_once() -> None:
    keys = keys_of_labels(("7", "63", "0", "7"))
    left = Draws("bags", 64, 1).of_units(keys, 0, 64)
    assert (left == 0).sum(1).tolist() == [1, 1, 1, 1]
    assert (left == 0).argmax(1).tolist() == [7, 63, 0, 7]


def test_what_tells_nothing_has_no_limits() -> None:
    """A value at the end of its range without one bag, one undefined without it, and none that varies."""
    filled = np.ones(4, dtype=np.bool_)
    for left in ([1.0, 0.9, 0.9, 0.9], [np.nan, 0.9, 0.8, 0.9], [0.9, 0.9, 0.9, 0.9]):
        assert np.isnan(without_each_bag(accuracy, np.array(0.9), np.array(left), filled, 0.95).low)
    two = without_each_bag(
        rmse, np.array([2.0, 3.0]), np.array([[2.0, 3.1], [2.1, 3], [1.9, 3], [2, 2.9]]), filled, 0.9
    )
    assert two.low.shape == (2,)
    assert (two.low < [2, 3]).all()
    assert (two.high > [2, 3]).all()
