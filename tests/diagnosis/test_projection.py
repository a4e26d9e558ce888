"""How many items are needed, by the ratings that are there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.diagnosis.anaesthetists import FIRST_READINGS

from adjudge import metrics
from adjudge.data.judgements.ratings import ratings_of
from adjudge.diagnosis.raters.distinct_ratings import distinct
from adjudge.diagnosis.raters.projection import items_needed
from adjudge.errors import SettingError
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import cohen_kappa, conger_kappa, krippendorff_alpha, specific_agreement
from adjudge.metrics.base import Metric


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


def test_a_metric_of_each_category_is_refused() -> None:
    with pytest.raises(SettingError):
        items_needed(ratings_of([["a", "b"]]), specific_agreement, 0.1)


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
