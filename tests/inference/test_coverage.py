"""Do the default intervals of classification hold? A thin version of `python -m bench.coverage_unseen`.

Seeded. Each bound was missed by the interval that stood in the place before, which is shown beside it where it still
exists: a share of 0.95 of 300 samples is known to ±0.025 (two standard errors).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge import metrics
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.metrics.base import Metric
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.losses import Losses

SAMPLES = 300


def covered(metric: Metric, methods: tuple[str, ...], truth: float, draw: Callable[[Any], Any]) -> list[float]:
    """The share of samples whose interval holds the truth, by each method; the positive category is the last."""
    random, held = np.random.default_rng(12), np.zeros(len(methods))
    for _ in range(SAMPLES):
        statistic = draw(random)
        for place, method in enumerate(methods):
            bounds = closed_form(method, metric, statistic, 0.95)
            assert bounds is not None
            low, high = (np.atleast_1d(end)[-1] for end in (bounds.low, bounds.high))
            held[place] += low <= truth <= high
    return list(held / SAMPLES)


def curves_of(positive: np.ndarray, score: np.ndarray, weights: Any = None) -> Curves:
    return Curves.of_arrays(positive.astype(int), score, positive=1, weights=weights)


def test_roc_areas_hold_under_unequal_spreads() -> None:
    """Positives three times as widely spread as negatives: the true area is Φ(2 / √(1 + 9))."""
    positive = np.repeat([True, False], [40, 360])
    truth = 0.736455

    def draw(random: Any) -> Curves:
        return curves_of(positive, random.standard_normal(400) * np.where(positive, 3.0, 1.0) + 2.0 * positive)

    raised, plain = covered(metrics.roc_auc, ("newcombe_delong", "newcombe"), truth, draw)
    assert raised >= 0.92
    assert plain < 0.90


@pytest.mark.parametrize("n", [60, 1_000])
@pytest.mark.parametrize("ties", [False, True])
def test_calibrated_scores_may_have_no_calibration_error(n: int, ties: bool) -> None:
    def draw(random: Any) -> Curves:
        score = random.beta(1.0, 1.5, n)
        score = np.clip(np.round(score, 1), 0.05, 0.95) if ties else score
        return curves_of(random.random(n) < score, score)

    assert covered(metrics.calibration_error, ("folded_normal",), 0.0, draw)[0] >= 0.92


def test_scores_that_are_off_have_a_calibration_error_above_nothing() -> None:
    """Scores 0.2 too high: the interval has the truth, and not 0."""

    def draw(random: Any) -> Curves:
        score = random.uniform(0.2, 1.0, 400)
        return curves_of(random.random(400) < score - 0.2, score)

    found = covered(metrics.calibration_error, ("folded_normal",), 0.2, draw)
    assert found[0] >= 0.92
    assert covered(metrics.calibration_error, ("folded_normal",), 0.0, draw)[0] == 0


@pytest.mark.parametrize("alike", [False, True])
def test_calibration_errors_of_few_clusters_may_be_nothing(alike: bool) -> None:
    """Replicates of clusters lie above what they are of: their percentiles never hold 0, folded they do.

    Rows of a cluster may be copies: a bin of one cluster looks off, and no draw says otherwise (47 of 60 held 0).
    """
    random, held = np.random.default_rng(5), np.zeros(2)
    for _ in range(60):
        score, cluster = np.clip(random.beta(2, 2, 240), 0.01, 0.99), np.repeat(np.arange(24), 10)
        positive = random.random(240) < score
        if alike:
            cluster = np.repeat(np.arange(40), random.integers(1, 5, 40))
            score, positive = score[cluster], positive[cluster]
        table = {"y": positive.astype(int), "p": score, "c": cluster}
        found = adjudge.classification(
            table, reference="y", score="p", positive="1", cluster="c", metrics="calibration_error", replicates=200
        )
        low = {row.method: row.low for row in found.table}
        held += [low["folded_bootstrap"] <= 0, low["bootstrap"] <= 0]
    assert held[0] >= 0.9 * 60, held
    assert held[1] == 0


def test_calibration_errors_reach_as_far_as_bins_that_are_off_together() -> None:
    """Documents of one label each, with rows scored .4 and .6: while .4 to .6 are yes, the error is .1 whatever it is.

    24 of 40 are yes, so that it is at that edge. Had 75 % been so, as well they may, the error were .25.
    """
    yes = np.repeat(np.arange(40) < 24, 6) * 1
    table = {"y": yes, "p": np.tile([0.4, 0.6], 120), "c": np.repeat(np.arange(40), 6)}
    found = adjudge.classification(
        table, reference="y", score="p", positive="1", cluster="c", metrics="calibration_error", replicates=400
    )
    first = next(row for row in found.table if row.metric == "calibration_error")
    assert (first.method, round(first.estimate, 6)) == ("folded_bootstrap", 0.1)
    assert 0.24 <= first.high <= 0.28, first


def test_log_losses_hold_where_a_few_rows_make_most() -> None:
    """Sure of every row, and wrong in 4 of 100: half of the samples have too few of those to be told by the spread."""
    sure = 0.995
    truth = -0.96 * np.log(sure) - 0.04 * np.log(1 - sure)

    def draw(random: Any) -> Losses:
        positive, wrong = random.random(80) < 0.5, random.random(80) < 0.04
        score = np.where(positive ^ wrong, sure, 1 - sure)
        return Losses.from_curve(curves_of(positive, score).curves[0])

    unseen, normal = covered(metrics.log_loss, ("rubin", "normal"), float(truth), draw)
    assert unseen >= 0.92
    assert normal < 0.92


CASES, CONTROLS, PREVALENCE = 60, 120, 0.03


def weighted_sample(random: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """As many controls as decided, weighted back to their share: each stands for sixteen."""
    positive = np.repeat([True, False], [CASES, CONTROLS])
    weight = np.where(positive, 1.0, CASES * (1 - PREVALENCE) / PREVALENCE / CONTROLS)
    return positive, random.standard_normal(CASES + CONTROLS) + 2.2 * positive, weight


def test_precision_holds_under_informative_weights() -> None:
    cut, recall, fallout = 1.6938, 0.693642, 0.045152  # Φ(2.2 − c) and 1 − Φ(c)
    truth = PREVALENCE * recall / (PREVALENCE * recall + (1 - PREVALENCE) * fallout)

    def draw(random: Any) -> Confusion:
        positive, score, weight = weighted_sample(random)
        return Confusion.of_arrays(positive.astype(int), (score > cut).astype(int), weights=weight)

    assert covered(metrics.precision, ("wilson",), truth, draw)[0] >= 0.92


def test_average_precision_holds_under_informative_weights() -> None:
    truth = 0.528368  # the area under the population's curve, by the trapezoid on 400,001 points

    def draw(random: Any) -> Curves:
        positive, score, weight = weighted_sample(random)
        return curves_of(positive, score, weight)

    assert covered(metrics.average_precision, ("korn_graubard",), truth, draw)[0] >= 0.92


def test_few_clusters_of_unequal_sizes_hold() -> None:
    """20 clusters that differ in their accuracy: percentiles that are not read further out covered 0.86 to 0.91."""
    random, held, samples = np.random.default_rng(3), 0, 120
    for sample in range(samples):
        size = np.maximum(2, (10 * np.exp(0.6 * random.standard_normal(20))).astype(int))
        share = random.beta(7, 3, 20)
        cluster = np.repeat(np.arange(20), size)
        right = random.random(len(cluster)) < share[cluster]
        table = {"y": ["a"] * len(cluster), "p": np.where(right, "a", "b"), "c": [f"c{one}" for one in cluster]}
        found = adjudge.evaluate(
            table, reference="y", prediction="p", cluster="c", metrics=["accuracy"], replicates=300, seed=sample
        )
        estimate = found["accuracy"]
        held += estimate.interval.low <= 0.7 <= estimate.interval.high
    assert held / samples >= 0.92


def test_areas_of_each_label_and_their_mean_are_measured_together() -> None:
    """The limits of the mean are no limits of a label."""
    random = np.random.default_rng(1)
    likely = random.dirichlet((2.0, 1.0, 1.0), 80)
    table = {"y": np.array(list("abc"))[(likely.cumsum(1) < random.random(80)[:, None]).sum(1)]}
    table |= {f"p{k}": likely[:, place] for place, k in enumerate("abc")}
    wanted = ["roc_auc", "roc_auc(average=macro)"]
    rows = adjudge.classification(
        table, reference="y", score={k: f"p{k}" for k in "abc"}, metrics=wanted, replicates=100
    ).table
    methods = {(row.metric, row.category): row.method for row in reversed(list(rows))}
    assert methods["roc_auc(average=macro)", ""] == "mover_bootstrap"
    assert {methods["roc_auc", label] for label in "abc"} == {"newcombe_delong"}


def test_means_of_areas_hold_in_small_tables() -> None:
    """Macro average precision of three labels in 80 rows: the percentile bootstrap covers 0.85."""

    metric = metrics.average_precision.averaged("macro")

    def draw(random: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
        logit = random.standard_normal((n, 3)) + np.array([0.8, 0.0, -0.8])
        likely = np.exp(logit) / np.exp(logit).sum(1, keepdims=True)
        return np.minimum((likely.cumsum(1) < random.random(n)[:, None]).sum(1), 2), likely

    truth = metric(*draw(np.random.default_rng(1), 200_000), categories=[0, 1, 2])
    random, samples = np.random.default_rng(2), 80
    held = dict.fromkeys(("mover_bootstrap", "bootstrap"), 0)
    for sample in range(samples):
        label, likely = draw(random, 80)
        for method in held:
            settings: dict[str, Any] = {"method": method, "replicates": 200, "seed": sample, "categories": [0, 1, 2]}
            limits = adjudge.estimate(metric, label, likely, **settings).interval
            held[method] += limits.low <= truth <= limits.high
    assert held["mover_bootstrap"] / samples >= 0.92
    assert held["mover_bootstrap"] > held["bootstrap"]
