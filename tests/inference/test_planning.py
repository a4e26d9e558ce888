"""Sample sizes: the table of spec/agreement.md section 3, and projections from draws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.inference.anaesthetists import FIRST_READINGS

from adjudge import metrics
from adjudge.data.ratings import ratings_of
from adjudge.errors import SettingError
from adjudge.inference.distinct_ratings import distinct
from adjudge.inference.planning import items_for_power, items_for_width, items_needed, kappa_variance, projected
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import cohen_kappa, conger_kappa, krippendorff_alpha, specific_agreement
from adjudge.metrics.base import Metric

PREVALENCES = (0.5, 0.3, 0.2, 0.1, 0.05)
WIDTH_TABLE = {0.4: (323, 379, 489, 848, 1581), 0.6: (246, 296, 392, 705, 1347), 0.8: (139, 167, 222, 401, 768)}
POWER_TABLE = {(0.4, 0.6): (165, 191, 405), (0.6, 0.8): (126, 149, 335), (0.4, 0.8): (42, 48, 102)}


@pytest.mark.parametrize("kappa", WIDTH_TABLE)
def test_items_for_a_half_width_of_a_tenth(kappa: float) -> None:
    assert tuple(items_for_width(kappa, share, 0.1) for share in PREVALENCES) == WIDTH_TABLE[kappa]


def test_half_the_width_needs_four_times_the_items() -> None:
    assert items_for_width(0.8, 0.1, 0.05) == 1603


@pytest.mark.parametrize("kappas", POWER_TABLE)
def test_items_for_power(kappas: tuple[float, float]) -> None:
    assert tuple(items_for_power(*kappas, share) for share in (0.5, 0.3, 0.1)) == POWER_TABLE[kappas]


def test_items_for_power_as_kappasize_gives_them() -> None:
    """kappaSize 1.2 (R), PowerBinary(kappa0 = 0.4, kappa1 = 0.7), as quoted: 73.26 at prevalence .5; 107 at .2."""
    assert items_for_power(0.4, 0.7, 0.5) == 74
    assert items_for_power(0.4, 0.7, 0.2) == 107


def test_the_variance_is_that_of_fleiss_cohen_and_everitt_at_equal_margins() -> None:
    from adjudge.inference.closed_form import fleiss_cohen_everitt
    from adjudge.statistics.confusion import Confusion

    kappa, share, n = 0.55, 0.23, 10_000
    split = share * (1 - share) * (1 - kappa)
    counts = n * np.array([[share - split, split], [split, 1 - share - split]])
    low, high = fleiss_cohen_everitt(Confusion(("a", "b"), counts, counts, n), 0.95)
    error = float(high - low) / 2 / 1.959963984540054
    assert error**2 * n == pytest.approx(kappa_variance(kappa, share), rel=1e-9)


@pytest.mark.parametrize("metric", [krippendorff_alpha, conger_kappa, cohen_kappa])
def test_the_projection_follows_the_square_root(metric) -> None:  # type: ignore[no-untyped-def]
    found = items_needed(ratings_of(FIRST_READINGS), metric, 0.05, settings=Bootstrap(500))
    assert found.items == 45
    assert found.needed == math.ceil(45 * (found.half_width / 0.05) ** 2)
    assert found.at_twice == pytest.approx(found.half_width / math.sqrt(2))
    assert found.at_four_times == pytest.approx(found.half_width / 2)


def test_the_projection_holds_when_the_items_are_there() -> None:
    few, many = ratings_of(FIRST_READINGS * 4), ratings_of(FIRST_READINGS * 16)
    now, later = (items_needed(part, krippendorff_alpha, 0.05) for part in (few, many))
    assert later.half_width == pytest.approx(now.at_four_times, rel=0.08)


def test_nothing_rated_needs_no_traceback() -> None:
    for rows in ([[None, None]], [["a", None]], [["a"]]):
        found = items_needed(ratings_of(rows), krippendorff_alpha, 0.1)
        assert found.needed is None or found.needed >= 0
    assert projected(np.zeros(0), 0, 0.1, 0.95).needed is None


@pytest.mark.parametrize(
    "call",
    [
        lambda: items_for_width(1.0, 0.5, 0.1),
        lambda: items_for_width(0.5, 0.0, 0.1),
        lambda: items_for_width(0.5, 0.5, 0.0),
        lambda: items_for_power(0.4, 0.4, 0.5),
        lambda: items_for_power(-0.9, 0.4, 0.1),
        lambda: items_for_power(0.4, 0.6, 0.5, power=1.0),
        lambda: items_needed(ratings_of([["a", "b"]]), specific_agreement, 0.1),
    ],
)
def test_settings_out_of_range_are_refused(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(SettingError):
        call()


@pytest.mark.parametrize(
    "metric", [metrics.krippendorff_alpha, metrics.gwet_ac1, metrics.light_kappa, metrics.cohen_kappa], ids=repr
)
def test_plans_heed_weights_and_clusters(metric: Metric) -> None:
    ratings = ratings_of(FIRST_READINGS)
    alone = items_needed(ratings, metric, 0.05)
    bound = items_needed(distinct(ratings), metric, 0.05)
    assert bound.items == alone.items
    assert bound.half_width == pytest.approx(alone.half_width, rel=0.15)
    copies = np.repeat(np.arange(45), 4)
    kept = items_needed(distinct(ratings.of_rows(copies), clusters=copies), metric, 0.05)
    assert kept.items == 180
    assert kept.half_width == pytest.approx(alone.half_width, rel=0.15)
    weighted = items_needed(distinct(ratings, weights=[1.9, 0.1, 1.0] * 15), metric, 0.05)
    assert weighted.items == 45
    assert weighted.half_width > 1.05 * alone.half_width
