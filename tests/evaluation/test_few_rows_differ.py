"""Two systems that answer a handful of rows differently: how far their figures may be apart."""

from __future__ import annotations

import numpy as np
import pytest
from bench.heldout.auditor import patched

import adjudge
from adjudge.inference.differences.paired_units import student_draws

FIGURES = ("f_score", "cohen_kappa", "matthews_correlation")


def _first_of(table: dict[str, list[str]], metric: str, seed: int = 1) -> adjudge.Row:
    found = adjudge.classification(
        table, reference="y", prediction=["m", "s"], positive="yes", metrics=list(FIGURES), replicates=300, seed=seed
    )
    return next(row for row in found.table if row.metric == metric and row.baseline == "m")


@pytest.mark.parametrize("metric", FIGURES)
def test_four_rows_that_one_wins_are_not_yet_a_difference(metric: str) -> None:
    """McNemar's exact p-value of four to nothing is .125; draws of these four rows alone never favour the other."""
    truth = ["yes"] * 30 + ["no"] * 70
    first = ["yes"] * 22 + ["no"] * 8 + ["no"] * 60 + ["yes"] * 10
    second = [*first]
    second[22:24], second[90:92] = ["yes"] * 2, ["no"] * 2
    row = _first_of({"y": truth, "m": first, "s": second}, metric)
    assert row.differing == 4
    assert row.low < 0 < row.high
    assert row.p is not None
    assert 0.05 < row.p < 0.25


def test_many_rows_that_differ_change_little() -> None:
    usual = student_draws(0.1, 0.001, 300)
    few = usual.where_few_differ(200)
    assert few.interval(0.95)[1] - 0.1 == pytest.approx(usual.interval(0.95)[1] - 0.1, rel=0.005)


def test_differences_of_which_few_rows_tell_hold() -> None:
    """One score, cut at two places: of such tables intervals by draws alone held .86 to .90."""
    random, held = np.random.default_rng(15), 0
    truth = np.diff([_f_score(random, 400_000, cut) for cut in (0.0, 0.1)])[0]
    for seed in range(120):
        y, score = _scores(random, 100)
        table = {"y": _words(y), "m": _words(score > 0), "s": _words(score > 0.1)}
        row = _first_of(table, "f_score", seed)
        held += row.low <= truth <= row.high
    assert held >= 111


@pytest.mark.parametrize("metric", ["balanced_accuracy", "recall(average=macro)"])
def test_a_mean_over_labels_allows_for_a_row_of_the_rarest(metric: str) -> None:
    """Four rows of the commonest label differ, none of the six of the rarest, one of which would move it by 1/18."""
    truth = ["a"] * 60 + ["b"] * 34 + ["c"] * 6
    first = ["a"] * 50 + ["b"] * 14 + ["b"] * 30 + ["c"] * 6
    second = ["a"] * 54 + first[54:]
    found = adjudge.classification(
        {"y": truth, "m": first, "s": second}, reference="y", prediction=["m", "s"], metrics=[metric], replicates=300
    )
    row = next(row for row in found.table if row.baseline == "m")
    assert row.differing == 4
    assert row.estimate == pytest.approx(4 / 60 / 3)
    assert row.low < row.estimate - 1 / 18
    assert row.estimate + 1 / 18 < row.high


def test_means_over_labels_hold_where_the_rarest_was_mended() -> None:
    """Half of the errors in a label of six rows are mended: without a row of it that was not seen .81 held."""
    random, held = np.random.default_rng(29), 0
    (_, population), *tables = ((n, patched(random, n)) for n in (100_000, *[120] * 100))
    right = {name: population[name] == population["y"] for name in ("m", "s")}
    recalls = {name: [right[name][population["y"] == label].mean() for label in "abc"] for name in right}
    truth = np.mean(recalls["s"]) - np.mean(recalls["m"])
    for seed, (_, table) in enumerate(tables):
        found = adjudge.classification(
            table, reference="y", prediction=["m", "s"], metrics=["balanced_accuracy"], replicates=200, seed=seed
        )
        row = next(row for row in found.table if row.baseline == "m")
        held += row.low <= truth <= row.high
    assert held >= 88


def _scores(random: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    yes = random.random(n) < 0.25
    return yes, np.where(yes, 1.0, -1.2) + random.standard_normal(n)


def _words(chosen: np.ndarray) -> list[str]:
    return np.where(chosen, "yes", "no").tolist()


def _f_score(random: np.random.Generator, n: int, cut: float) -> float:
    yes, score = _scores(random, n)
    hits = np.sum(yes & (score > cut))
    return float(2 * hits / (np.sum(yes) + np.sum(score > cut)))


def test_p_values_and_limits_of_numbers_say_the_same() -> None:
    """Where limits of a difference reach further than its draws, its p-value does, too."""
    random, seen = np.random.default_rng(11), 0
    for _ in range(12):
        y = random.standard_t(3, 60)
        table = {"y": y, "m": y + random.standard_t(2, 60), "s": y + 0.6 * random.standard_t(2, 60)}
        metrics = ["r_squared", "rmse", "correlation"]
        evaluation = adjudge.evaluate(
            table, "regression", reference="y", prediction=["m", "s"], metrics=metrics, replicates=400
        )
        for row in evaluation.table:
            if row.baseline is not None and row.method == "paired_bootstrap" and abs(row.p - 0.05) > 0.01:
                seen += 1
                assert (row.p < 0.05) == (row.low > 0 or row.high < 0), row
    assert seen >= 20


def test_brier_scores_differ_by_what_rows_do_not_by_what_they_could() -> None:
    """Two rows more that differ by one each made such limits five times as wide as the difference varies."""
    random = np.random.default_rng(4)
    yes = random.random(120) < 0.2
    logit = np.where(yes, 0.6, -1.8) + random.standard_normal(120)
    table = {"y": _words(yes), "p": (1 / (1 + np.exp(-logit))).tolist()}
    table["s"] = (1 / (1 + np.exp(-2 * logit - 0.4))).tolist()
    lost = [(np.array(table[name]) - yes) ** 2 for name in ("p", "s")]
    error = float((lost[1] - lost[0]).std(ddof=1)) / np.sqrt(120)
    found = adjudge.classification(table, reference="y", score=["p", "s"], positive="yes", metrics=["brier_score"])
    row = next(iter(found.table.differences))
    assert row.method == "johnson"
    assert 1.96 * error < min(row.high - row.estimate, row.estimate - row.low)
    assert row.high - row.low < 2.5 * 3.92 * error


def test_a_difference_of_too_few_units_says_so_as_its_two_numbers_do() -> None:
    rng = np.random.default_rng(3)
    table = {"run": np.arange(60) // 5, "hours": rng.gamma(2, 50, 60)}
    table |= {"old": rng.poisson(table["hours"] / 60), "new": rng.poisson(table["hours"] / 90)}
    found = adjudge.failures(table, exposure="hours", failures=["old", "new"], cluster="run", replicates=200)
    rows = [row for row in found.table if row.metric == "mean_time_between_failures"]
    assert [row.baseline for row in rows] == [None, None, "old"]
    assert all(row.method == "none" and "too few units for an interval" in row.note for row in rows)
