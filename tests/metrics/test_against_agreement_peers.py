"""Coefficients of raters beside krippendorff, statsmodels, pingouin and scikit-learn, where these are right.

irrCAC pins an old SciPy and cannot be installed beside them: its answers are golden rows.
"""

from __future__ import annotations

import krippendorff
import numpy as np
import pandas
import pingouin
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from adjudge import metrics
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.metrics.rater_reliability import FORMS
from adjudge.statistics.ratings.vectors import RatingVectors

SEEDS = pytest.mark.parametrize("seed", range(6))


def graded(seed: int, missing: float = 0.0) -> np.ndarray:
    """Grades 1 to 4 of 40 items by 4 raters who agree in part."""
    random = np.random.default_rng(seed)
    truth = random.integers(1, 5, (40, 1))
    said = np.where(random.random((40, 4)) < 0.6, truth, random.integers(1, 5, (40, 4))).astype(np.float64)
    said[random.random(said.shape) < missing] = np.nan
    return said


@SEEDS
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize("missing", [0.0, 0.25])
def test_alpha_is_krippendorffs(seed: int, level: str, missing: float) -> None:
    ratings = graded(seed, missing)
    peer = krippendorff.alpha(reliability_data=ratings.T, level_of_measurement=level)
    assert metrics.krippendorff_alpha(ratings, measurement=level) == pytest.approx(peer, abs=1e-10)


@SEEDS
def test_fleiss_and_randolph_are_those_of_statsmodels(seed: int) -> None:
    ratings = graded(seed)
    counts, _ = inter_rater.aggregate_raters(ratings.astype(int))
    assert metrics.fleiss_kappa(ratings) == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-12)
    uniform = inter_rater.fleiss_kappa(counts, method="uniform")
    assert metrics.randolph_kappa(ratings) == pytest.approx(uniform, abs=1e-12)


@SEEDS
@pytest.mark.parametrize(("weighting", "peer"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")])
def test_kappa_and_its_error_are_those_of_others(seed: int, weighting: str, peer: str | None) -> None:
    first, second = graded(seed)[:, :2].astype(int).T
    ours = metrics.cohen_kappa(first, second, weighting=weighting)
    assert ours == pytest.approx(cohen_kappa_score(first, second, weights=peer), abs=1e-12)
    table = np.zeros((4, 4))
    np.add.at(table, (first - 1, second - 1), 1)
    theirs = inter_rater.cohens_kappa(table, wt=peer)
    assert ours == pytest.approx(theirs.kappa, abs=1e-12)
    metric = metrics.cohen_kappa.using(weighting=weighting)
    confusion = metric.statistic_of(first, second)
    bounds = closed_form("fleiss_cohen_everitt", metric, confusion, 0.95)
    assert bounds is not None
    ends = (theirs.kappa_low, theirs.kappa_upp)
    assert (float(bounds.low), float(bounds.high)) == pytest.approx(ends, abs=1e-9)


@SEEDS
@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_intraclass_correlations_are_pingouins(seed: int) -> None:
    ratings = graded(seed) + np.random.default_rng(seed).normal(0, 0.2, (40, 4))
    long = pandas.DataFrame(
        {"item": np.repeat(np.arange(40), 4), "rater": np.tile(np.arange(4), 40), "score": ratings.reshape(-1)}
    )
    found = pingouin.intraclass_corr(long, targets="item", raters="rater", ratings="score")
    vectors = RatingVectors.of_arrays(ratings, None)
    order = ("1,1", "A,1", "C,1", "1,k", "A,k", "C,k")
    assert sorted(order) == sorted(FORMS)
    for form, peer in zip(order, found["ICC"], strict=True):
        assert float(metrics.icc.using(form=form).values(vectors)) == pytest.approx(peer, abs=1e-9)
