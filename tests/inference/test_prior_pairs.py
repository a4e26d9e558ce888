"""Prior pairs of Bayesian draws say as much beside items of many ratings as beside items of two."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.evaluation.one_metric import row_of_statistic
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import fleiss_kappa, krippendorff_alpha, set_alpha

SEED = 11


def _rare_finding(random: np.random.Generator, n: int, raters: int) -> list[list[str]]:
    """A finding of 8 %, which raters see in nine of ten items that have it and two of a hundred others."""
    yes = random.random((n, 1)) < 0.08
    said = random.random((n, raters)) < np.where(yes, 0.9, 0.02)
    return np.where(said, "yes", "no").tolist()


@pytest.mark.parametrize("raters", [2, 4, 9])
def test_alpha_varies_as_kappa_does_where_every_item_has_all_ratings(raters):
    rows = _rare_finding(np.random.default_rng(SEED), 50, raters)
    patterns = krippendorff_alpha.statistic_of(rows)
    draws = patterns.resampled("bayesian", 300, SEED, "test")
    alphas, kappas = krippendorff_alpha.values(draws), fleiss_kappa.values(draws)
    # They differ by a factor of 1 − 1 / (n r) in the disagreement that is expected, and in nothing else.
    assert np.abs((1 - alphas) / (1 - kappas) - 1).max() < 2 / (50 * raters)
    whole = krippendorff_alpha.statistic_of(rows * 2).resampled("multinomial", 300, SEED, "test")
    smoothed = whole.smoothed(patterns, SEED, "test")
    parts = (1 - krippendorff_alpha.values(smoothed)) / (1 - fleiss_kappa.values(smoothed))
    assert np.abs(parts - 1).max() < 2 / (50 * raters)


@pytest.mark.parametrize("raters", [2, 7])
def test_sets_count_as_many_ratings_for_a_prior_pair_as_for_an_item(raters):
    rows = _rare_finding(np.random.default_rng(SEED), 60, raters)
    sets = set_alpha.statistic_of([[{one} for one in row] for row in rows])
    for draws in (
        sets.resampled("bayesian", 50, SEED, "test"),
        sets.resampled("multinomial", 50, SEED, "test").smoothed(sets, SEED, "test"),
    ):
        assert draws.prior.counts.sum() > 0
        assert draws.uses.sum(-1) == pytest.approx(raters * draws.paired)
        of_labels = draws.label_sums
        assert of_labels.uses.sum(-1) == pytest.approx(raters * draws.paired)
        # Every ordered pair of an item's ratings begins with one of its labels.
        assert of_labels.possible.sum(-1) == pytest.approx(raters * (raters - 1) * draws.paired)
        assert draws.coincident("jaccard") == pytest.approx(raters * draws.apart("jaccard"))


def test_alpha_of_many_raters_holds_on_a_rare_finding():
    random, held = np.random.default_rng(3), 0
    truth = 1 - 2 * (0.08 * 0.9 * 0.1 + 0.92 * 0.02 * 0.98) / (2 * 0.0904 * 0.9096)
    for sample in range(200):
        statistic = krippendorff_alpha.statistic_of(_rare_finding(random, 50, 8))
        row = row_of_statistic(krippendorff_alpha, statistic, settings=Bootstrap(replicates=200, seed=sample))
        assert row is not None
        held += row.low <= truth <= row.high
    assert held >= 179
