"""Interpretation scales: edges, silence, and Gwet's benchmarking."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from adjudge.diagnosis.raters.scales import OUTSIDE, SCALES, UNDEFINED, Reached, band, caution, reached_band, scale_of
from adjudge.errors import SettingError

# irrCAC 0.4.4, Benchmark, for a coefficient of 0.67 with a standard error of 0.15, and for AC1 of Krippendorff's four
# coders. It has no Cicchetti scale: that row takes its edges from the others.
CUMULATIVE = {
    ("Altman", 0.67, 0.15): (0.18168, 0.67511, 0.96356, 0.99912, 1),
    ("Fleiss", 0.67, 0.15): (0.28699, 0.96356, 1),
    ("Cicchetti", 0.67, 0.15): (0.28699, 0.67511, 0.96356, 1),
    ("Landis & Koch", 0.67, 0.15): (0.18168, 0.67511, 0.96356, 0.99912, 1, 1),
    ("Altman", 0.77544, 0.14295): (0.39674, 0.88336, 0.99542, 0.99997, 1),
    ("Fleiss", 0.77544, 0.14295): (0.54414, 0.99542, 1),
    ("Landis & Koch", 0.77544, 0.14295): (0.39674, 0.88336, 0.99542, 0.99997, 1, 1),
}


def of_normal_curve(scale: str, value: float, error: float) -> Reached:
    """Gwet's own version: draws that lie like a normal curve that is cut to −1 and 1."""
    low, high = ndtr((np.array([-1.0, 1.0]) - value) / error)
    return reached_band(scale, value + error * ndtri(low + (high - low) * (np.arange(2_000_000) + 0.5) / 2_000_000))


@pytest.mark.parametrize("case", CUMULATIVE, ids=str)
def test_the_cumulative_probabilities_of_irrcac(case: tuple[str, float, float]) -> None:
    assert of_normal_curve(*case).cumulative == pytest.approx(CUMULATIVE[case], abs=5.1e-6)


def test_the_published_bands() -> None:
    assert band("Altman", 0.67) == "good"
    assert of_normal_curve("Altman", 0.67, 0.15).band == "moderate"
    for scale, name in (("Landis & Koch", "moderate"), ("Altman", "moderate"), ("Fleiss", "fair to good")):
        assert of_normal_curve(scale, 0.77544, 0.14295).band == name


@pytest.mark.parametrize(
    ("scale", "value", "name"),
    [
        ("Landis & Koch", -0.01, "poor"),
        ("Landis & Koch", 0.0, "slight"),
        ("Landis & Koch", 0.2, "slight"),
        ("Landis & Koch", 0.8, "substantial"),
        ("Grove", 0.6, OUTSIDE),
        ("Grove", 0.61, "acceptable"),
        ("Krippendorff", 0.67, "tentative conclusions"),
        ("Krippendorff", 0.8, "definite conclusions"),
        ("Rietveld & van Hout", 0.4, OUTSIDE),
        ("Rietveld & van Hout", 0.6, "moderate"),
        ("Rietveld & van Hout", 0.81, OUTSIDE),
        ("Green", 0.75, "fair/good"),
        ("Fleiss", 0.4, "fair to good"),
        ("Altman", -1.0, "poor"),
        ("Cicchetti", 0.75, "excellent"),
        ("Regier", -0.5, "unacceptable"),
        ("Regier", 0.2, "questionable"),
        ("McHugh", 0.2, "none"),
        ("McHugh", 0.9, "strong"),
        ("Koo & Li", 0.9, "good"),
        ("McBride", 0.99, "substantial"),
        ("McBride", float("nan"), UNDEFINED),
    ],
)
def test_edges_follow_the_stated_convention(scale: str, value: float, name: str) -> None:
    assert band(scale, value) == name


@pytest.mark.parametrize("scale", SCALES)
def test_a_low_coefficient_always_has_a_band(scale: str) -> None:
    found = of_normal_curve(scale, -0.6, 0.3)
    assert found.cumulative[-1] == pytest.approx(1)
    assert found.band == SCALES[scale].bands[0].name


def test_the_band_reached_never_contradicts_a_one_sided_limit() -> None:
    draws = np.random.default_rng(2).beta(20, 8, 5_000)
    reached = reached_band("Altman", draws)
    assert band("Altman", float(np.quantile(draws, 0.05, method="lower"))) == reached.band


def test_draws_without_a_value_are_left_out() -> None:
    assert reached_band("Altman", np.array([np.nan, 0.9, 0.9])).band == "very good"
    assert reached_band("Altman", np.array([np.nan])).band == UNDEFINED
    assert reached_band("Altman", np.zeros(0)).band == UNDEFINED


def test_words_for_kappa_are_not_for_other_coefficients() -> None:
    assert "AC1" in caution("Landis & Koch", "gwet_ac1")
    assert caution("Landis & Koch", "cohen_kappa(weighting=quadratic)") == ""
    assert "intraclass" in caution("Koo & Li", "cohen_kappa")
    assert caution("Koo & Li", "icc(form=A,1)") == ""


def test_an_unknown_scale_is_refused_with_the_nearest() -> None:
    with pytest.raises(SettingError, match="Altman"):
        scale_of("Altmann")
