"""A metric of your own: a plain function of two arrays that is called, drawn, added up and read back like any other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge import metrics
from adjudge.errors import SettingError
from adjudge.metrics import own
from adjudge.metrics.base import Direction
from adjudge.metrics.catalogue import parse
from adjudge.statistics.numbers.value_pairs import ScoredPairs, ValuePairs
from adjudge.statistics.weights import Weights

RANDOM = np.random.default_rng(8)
LABELS = RANDOM.choice(list("ab"), 120)
GUESSES = np.where(RANDOM.random(120) < 0.8, LABELS, "a")
NUMBERS = RANDOM.normal(0, 1, 60).round(1)
QUICK = {"replicates": 300}


def hits(reference: Any, prediction: Any) -> float:
    """Share of rows that are right."""
    return float((reference == prediction).mean())


def weighted_hits(reference: Any, prediction: Any, weights: Any = None) -> float:
    return float(np.average(reference == prediction, weights=weights))


def far(reference: Any, prediction: Any, *, power: float = 2.0) -> float:
    return float((np.abs(reference - prediction) ** power).mean())


OWN = adjudge.metric(hits, label="Hits", range=(0, 1))
WEIGHTED = adjudge.metric(weighted_hits, range=(0, 1))
FAR = adjudge.metric(far, direction="lower", range=(0, np.inf))
own.OWN.clear()


@pytest.fixture(autouse=True)
def for_this_file_only() -> Iterator[None]:
    """Names are looked up in a list of the session, which other tests read too."""
    own.OWN.update({metric.name: metric for metric in (OWN, WEIGHTED, FAR)})
    yield
    own.OWN.clear()


def test_the_declaration() -> None:
    assert (OWN.name, OWN.label, OWN.direction, OWN.best) == ("hits", "Hits", Direction.HIGHER, 1.0)
    assert (FAR.label, FAR.best, FAR.better) == ("Far", 0.0, "lower is better")
    assert parse("hits") is OWN
    assert parse("far(power=1)") == FAR.using(power=1)
    bias = adjudge.metric(lambda a, b: float((b - a).mean()), name="bias", direction="nearest", best=0)
    assert bias.better == "closest to 0 is best"


def test_the_value_is_the_functions_own() -> None:
    assert OWN(LABELS, GUESSES) == pytest.approx(metrics.accuracy(LABELS, GUESSES))
    assert FAR(NUMBERS, NUMBERS + 0.5) == pytest.approx(0.25)
    assert FAR(NUMBERS, NUMBERS + 0.5, power=1) == pytest.approx(0.5)


@pytest.mark.parametrize("kind", ["percentile", "bca", "poisson"])
@pytest.mark.parametrize("mine", [OWN, WEIGHTED], ids=repr)
def test_the_interval_is_that_of_the_same_metric_of_the_catalogue(mine: Any, kind: str) -> None:
    method = "bootstrap" if kind == "percentile" else kind
    found = adjudge.estimate(mine, LABELS, GUESSES, bootstrap=kind, replicates=2_000)
    theirs = adjudge.estimate(metrics.accuracy, LABELS, GUESSES, bootstrap=kind, method=method)
    assert (found.value, found.method, found.n) == (pytest.approx(theirs.value), method, 120)
    ends = [(e.interval.low, e.interval.high) for e in (found, theirs)]
    assert ends[0] == pytest.approx(ends[1], abs=0.02)
    assert found == adjudge.estimate(mine, LABELS[::-1], GUESSES[::-1], bootstrap=kind, replicates=2_000)


def test_weights_reach_a_function_that_takes_them_and_are_repetitions_for_another() -> None:
    whole, parts = RANDOM.integers(0, 4, 120), RANDOM.random(120)
    right = LABELS == GUESSES
    assert WEIGHTED(LABELS, GUESSES, weights=parts) == pytest.approx(np.average(right, weights=parts))
    assert OWN(LABELS, GUESSES, weights=whole) == pytest.approx(np.average(right, weights=whole))
    assert adjudge.estimate(WEIGHTED, LABELS, GUESSES, weights=parts, **QUICK).interval.low < 1
    with pytest.raises(SettingError, match="keyword `weights`"):
        OWN(LABELS, GUESSES, weights=parts)


def test_parts_add_up_in_any_order() -> None:
    whole, cut = ValuePairs.of_arrays(NUMBERS, NUMBERS + 1), 23
    one, other = (ValuePairs.of_arrays(NUMBERS[rows], NUMBERS[rows] + 1) for rows in (slice(cut), slice(cut, None)))
    for both in (one + other, other + one):
        for field in ("first", "second", "counts", "squares", "rows"):
            assert np.array_equal(getattr(both, field), getattr(whole, field))


def test_labels_are_numbers_when_all_parts_agree_that_they_are() -> None:
    seen: list[Any] = []

    def look(reference: Any, prediction: Any) -> float:
        seen.append(reference.dtype.kind)
        return 0.0

    mine = adjudge.metric(look)
    numbers, words = ValuePairs.of_arrays(["1", "2"], ["1", "1"]), ValuePairs.of_arrays(["x", "1"], ["1", "1"])
    for statistic in (numbers, words, numbers + words, ValuePairs.of_arrays([1, 2], [1, 1]) + words):
        mine.values(statistic)
    assert seen == ["f", "U", "U", "U"]
    assert sorted((ValuePairs.of_arrays([1, 2], [1, 1]) + words).first) == ["1", "1", "2", "x"][1:]


def test_many_rows_are_drawn_whole() -> None:
    labels = np.repeat(LABELS, 100)
    found = adjudge.estimate(OWN, labels, np.repeat(GUESSES, 100), **QUICK)
    assert found.n == 12_000
    assert found.interval.high - found.interval.low < 0.02


def test_draws_are_leading_axes() -> None:
    times = RANDOM.integers(0, 3, (120, 5)).astype(float)
    rows, sums = ValuePairs.summing_arrays(LABELS, GUESSES)
    stack = OWN.values(sums(Weights(rows, draws=times)))
    alone = [OWN(np.repeat(LABELS, t), np.repeat(GUESSES, t)) for t in times.T.astype(int)]
    assert stack == pytest.approx(alone)


def test_what_a_function_cannot_answer_is_undefined() -> None:
    def strict(reference: Any, prediction: Any) -> float:
        if len(np.unique(reference)) < 2:
            raise ValueError("one label only")
        return hits(reference, prediction)

    mine = adjudge.metric(strict, undefined="there is one label only")
    found = adjudge.estimate(mine, ["a", "a"], ["a", "b"], **QUICK)
    assert np.isnan(found.value)
    assert found.note == "undefined: there is one label only"
    few = adjudge.estimate(mine, ["a"] * 23 + ["b"], ["a"] * 24, **QUICK)
    assert "replicates, which were left out" in few.note


def test_a_function_of_scores() -> None:
    mine = adjudge.metric(lambda y, s: float(s[y == "a"].mean()), name="mean_score_of_a", of="score")
    assert mine.over is ScoredPairs
    assert mine(["a", "b", "a"], [0.2, 0.9, 0.4]) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: adjudge.metric(lambda a, b: 0.0), "`name` must be one word"),
        (lambda: adjudge.metric(hits, name="accuracy"), '"accuracy" is a metric already'),
        (lambda: adjudge.metric(hits, direction="up"), "`direction` must be one of"),
        (lambda: adjudge.metric(hits, direction="nearest"), "`best` must be given"),
        (lambda: adjudge.metric(hits, of="rating"), "`of` must be one of"),
        (lambda: OWN(["a"]), "needs two arrays"),
        (lambda: OWN(["a"], ["a", "b"]), "must be as long as"),
        (lambda: OWN(["a", None], ["a", "b"]), "must not have missing values"),
        (lambda: OWN([1.0, np.nan], [1.0, 2.0]), "must be finite numbers"),
        (lambda: OWN([[1], [2]], [1, 2]), "must be a list of values"),
        (lambda: OWN.using(beta=1), "has no parameter"),
    ],
)
def test_refusals(make: Any, said: str) -> None:
    with pytest.raises(adjudge.errors.AdjudgeError, match=said):
        make()
