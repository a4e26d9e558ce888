"""What must not change, and what must change in one direction only."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.special import betaincinv, ndtr, ndtri, stdtrit
from tests.evaluation.tables import assert_same, by_method, closed_forms, evaluate, random_table

import adjudge

TABLE = random_table()


@pytest.mark.parametrize("factor", [1 / 50, 100.0, 1e-9])
def test_rescaled_weights_change_nothing(factor: float) -> None:
    asked: dict[str, Any] = {"score": "score", "prediction": "guess", "weight": "weight", "slices": ["country"]}
    plain = evaluate(TABLE, **asked)
    scaled = evaluate({**TABLE, "weight": TABLE["weight"] * factor}, **asked)
    assert_same(closed_forms(plain), closed_forms(scaled))
    assert_same(by_method(plain), by_method(scaled), tolerance=1e-6)


def test_weights_of_one_are_no_weights() -> None:
    plain = evaluate(TABLE, score="score")
    weighted = evaluate({**TABLE, "weight": np.ones(400)}, score="score", weight="weight")
    assert_same(closed_forms(plain), closed_forms(weighted))


def test_rows_of_weight_zero_do_not_count() -> None:
    plain = evaluate({key: values[100:] for key, values in TABLE.items()}, score="score", weight="weight")
    zeros = np.where(np.arange(400) < 100, 0.0, TABLE["weight"])
    zeroed = evaluate({**TABLE, "weight": zeros}, score="score", weight="weight")
    assert_same(closed_forms(plain), closed_forms(zeroed))
    assert zeroed["accuracy"].n == 400, "n counts rows"


@pytest.mark.parametrize("asked", [{"score": "score"}, {"prediction": "guess"}, {"score": ["score", "other"]}])
def test_a_slice_is_the_filtered_table(asked: dict[str, Any]) -> None:
    sliced = evaluate(TABLE, slices=["country", "country × device"], **asked)
    for name, rows in {
        "country = St. Ives": TABLE["country"] == "St. Ives",
        "country × device = DE × phone": (TABLE["country"] == "DE") & (TABLE["device"] == "phone"),
    }.items():
        alone = evaluate({key: values[rows] for key, values in TABLE.items()}, **asked)
        part = {(k[0], "all", *k[2:]): v for k, v in closed_forms(sliced).items() if k[1] == name}
        assert_same(part, closed_forms(alone))
        system = "guess" if "prediction" in asked else "score"
        assert sliced.get("accuracy", slice=name, system=system).n == rows.sum()


@pytest.mark.parametrize("label", ["0 first", "zz last"])
@pytest.mark.parametrize("slices", [[], ["country"]])
def test_a_label_that_only_another_system_gives_changes_nothing(label: str, slices: list[str]) -> None:
    strays = np.where(np.arange(400) % 20 == 3, label, TABLE["guess"])
    asked: dict[str, Any] = {"slices": slices, "replicates": 2000}
    alone = evaluate(TABLE, prediction="guess", **asked)
    beside = evaluate({**TABLE, "strays": strays}, prediction=["guess", "strays"], **asked)
    own = {key: value for key, value in by_method(beside).items() if key[0] == "guess"}
    assert_same(closed_forms(alone), {key: value for key, value in closed_forms(beside).items() if key[0] == "guess"})
    compared = 0
    for key, (value, low, high) in by_method(alone).items():
        if key in own and np.isfinite([value, low, high]).all():
            compared += 1  # other draws, of the same rows
            assert own[key][1:] == pytest.approx((low, high), abs=0.15 * (high - low)), key
    assert compared > 30


@pytest.mark.parametrize("asked", [{}, {"weight": "weight"}, {"cluster": "person"}])
def test_a_label_that_occurs_in_another_slice_only_changes_nothing(asked: dict[str, str]) -> None:
    elsewhere = np.arange(400) >= 200
    table = {
        **{name: np.where(elsewhere & (np.arange(400) % 5 == 0), "z", TABLE[name]) for name in ("label", "guess")},
        "half": np.where(elsewhere, "second", "first"),
        "weight": TABLE["weight"],
        "person": np.arange(400) // 4,
    }
    sliced = by_method(evaluate(table, prediction="guess", slices=["half"], replicates=2000, **asked))
    first = {name: values[~elsewhere] for name, values in table.items()}
    compared = 0
    for key, (value, low, high) in by_method(evaluate(first, prediction="guess", replicates=2000, **asked)).items():
        part = (key[0], "half = first", *key[2:])
        if part in sliced and np.isfinite([value, low, high]).all():
            compared += 1  # other draws, of the same rows
            assert sliced[part][1:] == pytest.approx((low, high), abs=0.15 * (high - low)), key
    assert compared > 20


def test_slices_are_named_by_their_labels() -> None:
    table = {
        "label": list("abab"),
        "guess": list("abaa"),
        "where": ["x", None, "(missing)", "x × y"],
        "two": list("yyyz"),
    }
    e = evaluate(table, prediction="guess", slices=["where", "two × where", "where"])
    names = list(dict.fromkeys(row.slice for row in e.table))
    assert names[1:5] == ['where = "(missing)"', "where = (missing)", "where = x", "where = x × y"]
    assert 'two × where = z × "x × y"' in names
    assert all(e.get("accuracy", slice=name).n == 1 for name in names[1:5])
    assert {row.slice for row in e.slice("where")} == set(names[1:5])


@pytest.mark.parametrize("cluster", [None, "person"])
def test_a_slice_without_any_name_is_not_taken_for_the_whole(cluster: str | None) -> None:
    table = {**TABLE, "": np.where(TABLE["device"] == "phone", "", "desk")}
    with pytest.raises(adjudge.errors.SettingError, match="a column without a name has an empty level"):
        evaluate(table, prediction="guess", slices=[""], cluster=cluster)


def test_levels_nest() -> None:
    found = {level: evaluate(TABLE, score="score", weight="weight", level=level) for level in (0.5, 0.8, 0.99)}
    tables = [by_method(e) for e in found.values()]
    compared = 0
    for key, (estimate, *_) in tables[0].items():
        ends = [table[key][1:] for table in tables]
        if np.isnan(estimate) or np.isnan(ends).any():
            continue
        for (inner_low, inner_high), (low, high) in pairwise(ends):
            assert low <= inner_low + 1e-9, key
            assert high >= inner_high - 1e-9, key
            compared += low < inner_low
    assert compared > 40
    assert found[0.8]["accuracy"].interval.level == 0.8


@pytest.mark.parametrize("kind", ["percentile", "bca", "poisson", "bayesian"])
@pytest.mark.parametrize(
    "asked", [{}, {"weight": "weight"}, {"cluster": "person"}, {"slices": ["device"]}, {"score": ["score", "other"]}]
)
def test_every_bootstrap_agrees_roughly_with_a_closed_form(kind: str, asked: dict[str, Any]) -> None:
    e = evaluate(TABLE, **{"score": "score", "bootstrap": kind, "replicates": 400} | asked)
    method = "bootstrap" if kind == "percentile" else kind
    drawn = e.get("roc_auc", system="score", method=method)
    assert drawn.interval.low < drawn.value < drawn.interval.high
    if "cluster" not in asked:
        told = e.get("roc_auc", system="score", method="delong")
        assert drawn.interval.high - drawn.interval.low == pytest.approx(
            told.interval.high - told.interval.low, rel=0.25
        )


def test_copies_within_clusters_are_no_evidence() -> None:
    """Each row five times: a row bootstrap believes it, a cluster bootstrap does not."""
    rows = np.arange(400)
    original = evaluate({**TABLE, "row": rows}, score="score", cluster="row", replicates=1_000)
    copied = {key: np.repeat(values, 5) for key, values in {**TABLE, "row": rows}.items()}
    honest = evaluate(copied, score="score", cluster="row", replicates=1_000)
    naive = evaluate(copied, score="score", replicates=1_000)
    for metric in ("accuracy", "roc_auc", "log_loss", "cohen_kappa"):
        width = {
            name: np.diff([(i := e.get(metric, method="bootstrap").interval).low, i.high])[0]
            for name, e in (("original", original), ("honest", honest), ("naive", naive))
        }
        assert width["honest"] == pytest.approx(width["original"], rel=0.02), metric
        assert width["naive"] == pytest.approx(width["original"] / 5**0.5, rel=0.15), metric
        assert honest[metric].value == pytest.approx(original[metric].value)


def test_under_clusters_no_interval_takes_rows_as_independent() -> None:
    copied = {key: np.repeat(values, 5) for key, values in {**TABLE, "row": np.arange(400)}.items()}
    e = evaluate(copied, score="score", cluster="row")
    assert {row.method for row in e.table} == {"bootstrap", "bayesian", "baseline", "folded_bootstrap"}
    assert e["accuracy"].method == "bootstrap"


def test_the_order_of_rows_changes_no_estimate() -> None:
    backwards = {key: values[::-1] for key, values in TABLE.items()}
    asked: dict[str, Any] = {"score": "score", "weight": "weight", "slices": ["country"]}
    assert_same(closed_forms(evaluate(TABLE, **asked)), closed_forms(evaluate(backwards, **asked)))


def test_with_ids_the_order_of_rows_changes_nothing() -> None:
    named = {**TABLE, "row": np.arange(400)}
    backwards = {key: values[::-1] for key, values in named.items()}
    asked: dict[str, Any] = {"score": "score", "weight": "weight", "id": "row"}
    assert_same(by_method(evaluate(named, **asked)), by_method(evaluate(backwards, **asked)))


def test_another_seed_moves_only_what_is_drawn() -> None:
    one, two = evaluate(TABLE, score="score", seed=1), evaluate(TABLE, score="score", seed=2)
    assert_same(closed_forms(one), closed_forms(two), tolerance=0)
    assert one.get("roc_auc", method="bootstrap") != two.get("roc_auc", method="bootstrap")


def test_clusters_that_are_all_right_are_no_certainty() -> None:
    """Before, accuracy by cluster was 1 [1, 1]. Twenty clusters are as many rows as can be told apart."""
    table = {"y": ["a", "b", "a"] * 20, "p": ["a", "b", "a"] * 20, "c": [row // 3 for row in range(60)]}
    e = adjudge.evaluate(table, reference="y", prediction="p", cluster="c", replicates=200)
    found = e["accuracy"]
    assert (found.interval.high, found.method) == (1.0, "clopper_pearson")
    assert found.interval.low == pytest.approx(0.025 ** (1 / 20), abs=0.02)  # effective clusters are told by replicates
    assert [row.method for row in e.table if row.metric == "accuracy"] == ["clopper_pearson"], (
        "draws that are all alike"
    )
    assert not [row for row in e.table if row.low == row.high]


def few_clusters(count: int, method: str | None = None) -> tuple[adjudge.Estimate, np.ndarray]:
    """The accuracy of clusters of twenty rows that differ, and that of each cluster."""
    random = np.random.default_rng(4)
    right = random.random((count, 20)) < random.beta(6, 3, (count, 1))
    guess = np.where(right.reshape(-1), "a", "b")
    table = {"y": ["a"] * len(guess), "p": guess, "c": np.repeat(np.arange(count), 20)}
    e = adjudge.evaluate(table, reference="y", prediction="p", cluster="c", replicates=4_000)
    return e.get("accuracy", method=method) if method else e["accuracy"], right.mean(1)


def test_few_clusters_reach_further_than_the_level() -> None:
    """Equal clusters are as many effective ones: draws are read as far out as Student's t and √(n / (n − 1)) say,

    and at least as far as Student's t of half the degrees of freedom on the logit.
    """
    count = 25
    found, means = few_clusters(count)
    times = np.random.default_rng(5).poisson(1.0, (100_000, count))
    drawn = times @ means / times.sum(1)
    reach = stdtrit(count - 1, 0.975) * np.sqrt(count / (count - 1))
    assert reach == pytest.approx(1.0747 * ndtri(0.975), rel=1e-3)
    assert found.method == "bootstrap"
    logit = np.log(drawn / (1 - drawn))
    middle, beside = means.mean(), stdtrit((count - 1) / 2, 0.975) * np.sqrt(count / (count - 1)) * logit.std()
    low, high = (1 / (1 + (1 - middle) / middle * np.exp(-side * beside)) for side in (-1, 1))
    percentiles = np.quantile(drawn, ndtr([-reach, reach]))
    expected = (min(low, percentiles[0]), max(high, percentiles[1]))
    # The ends of 4,000 draws vary by 2 % of the width, the effective number that they tell by 2 % as well.
    assert (found.interval.low, found.interval.high) == pytest.approx(expected, abs=0.05 * 2 * reach * drawn.std())


def test_the_seed_does_not_choose_the_interval_of_twenty_clusters() -> None:
    """2,000 draws tell the effective number of clusters give or take 3 %: about half of all seeds said too few."""
    table = {"y": ["a"] * 60, "p": ["a", "b", "a", "a"] * 15, "c": np.repeat(np.arange(20), 3)}
    given: dict[str, Any] = {"reference": "y", "prediction": "p", "cluster": "c", "metrics": ["accuracy"]}
    methods = {adjudge.evaluate(table, seed=seed, replicates=2_000, **given)["accuracy"].method for seed in range(8)}
    assert methods == {"bootstrap"}


def test_fewer_clusters_than_can_be_drawn_are_a_mean_of_shares() -> None:
    """Wilson's of as many clusters as their variance is worth, mixed with the binomial one as if of four more."""
    found, means = few_clusters(10)
    share, t = means.mean(), stdtrit(9, 0.975)
    many = 10 * 14 / (10 * means.var(ddof=1) / (share * (1 - share)) + 4)
    middle, spread = (share + t**2 / (2 * many)) / (1 + t**2 / many), share * (1 - share) / many
    reach = t / (1 + t**2 / many) * np.sqrt(spread + t**2 / (4 * many**2))
    assert found.method == "worth"
    assert (found.interval.low, found.interval.high) == pytest.approx((middle - reach, middle + reach), abs=0.02)


def test_the_exact_interval_of_as_many_rows_as_clusters_stands_beside() -> None:
    found, means = few_clusters(10, method="clopper_pearson")
    hits = 10 * means.mean()
    exact = betaincinv(hits, 10 - hits + 1, 0.025), betaincinv(hits + 1, 10 - hits, 0.975)
    assert (found.interval.low, found.interval.high) == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("count", [8, 12, 17])
def test_clusters_that_hardly_differ_are_worth_more_than_as_many_rows(count: int) -> None:
    """Twenty rows of each cluster, all clusters much alike: an interval of as many rows as clusters says nothing."""
    found, _ = few_clusters(count)
    exact, _ = few_clusters(count, method="clopper_pearson")
    assert found.interval.high - found.interval.low < 0.8 * (exact.interval.high - exact.interval.low)
