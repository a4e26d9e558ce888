"""Numbers too many to be named: measured, never counted."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge import metrics
from adjudge.data.judgements import ratings as room
from adjudge.data.judgements.ratings import Ratings, ratings_of
from adjudge.errors import SettingError
from adjudge.metrics.base import Metric
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.weights import Weights

MEASURED = (metrics.icc.using(form="A,1"), metrics.interval_alpha, metrics.kendall_w)


@pytest.fixture
def few_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_NAMED", 5)


def numbers() -> np.ndarray:
    random = np.random.default_rng(3)
    matrix = random.normal(size=(40, 1)) + random.normal(size=(40, 3))
    matrix[::9, 1] = np.nan
    return matrix


def collected(ratings: Ratings) -> RatingVectors:
    return RatingVectors.collect(ratings, Weights(len(ratings)))


@pytest.mark.parametrize("metric", MEASURED, ids=repr)
def test_measuring_gives_what_naming_gives(metric: Metric, monkeypatch: pytest.MonkeyPatch) -> None:
    named = float(metric.values(collected(ratings_of(numbers()))))
    monkeypatch.setattr(room, "MOST_NAMED", 5)
    measured = ratings_of(numbers())
    assert measured.numbers is not None
    assert float(metric.values(collected(measured))) == pytest.approx(named, abs=1e-12)
    assert float(metric.values(collected(measured.named))) == pytest.approx(named, abs=1e-12)


@pytest.mark.usefixtures("few_are_named")
@pytest.mark.parametrize("metric", MEASURED, ids=repr)
def test_two_parts_added_equal_the_whole(metric: Metric) -> None:
    matrix = numbers()
    parts = collected(ratings_of(matrix[:13])) + collected(ratings_of(matrix[13:]))
    assert float(metric.values(parts)) == pytest.approx(float(metric.values(collected(ratings_of(matrix)))), abs=1e-12)


@pytest.mark.usefixtures("few_are_named")
@pytest.mark.parametrize("metric", [metrics.krippendorff_alpha, metrics.conger_kappa, metrics.light_kappa], ids=repr)
def test_measurements_are_not_counted(metric: Metric) -> None:
    with pytest.raises(
        SettingError, match="Categories must be few enough to be counted, but there are more than 5 different"
    ):
        metric(numbers())
