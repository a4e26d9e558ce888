"""Words of other tools lead to the metric that is meant."""

from __future__ import annotations

import pytest

from adjudge import metrics
from adjudge.errors import UnknownMetric
from adjudge.metrics.catalogue import every, parse
from adjudge.metrics.spoken import SPOKEN


@pytest.mark.parametrize("word", SPOKEN)
def test_the_metric_is_there_and_the_word_is_not(word: str) -> None:
    assert parse(SPOKEN[word][0])
    assert word not in {metric.name for metric in every()}


@pytest.mark.parametrize(
    ("typed", "meant"), [("f1", "f_score"), ("QWK", "quadratic_weighted_kappa"), ("F1-Score", "f_score")]
)
def test_a_refusal_names_what_is_meant(typed: str, meant: str) -> None:
    with pytest.raises(UnknownMetric, match=f"Here it is {meant}"):
        parse(typed)


def test_so_does_the_module() -> None:
    with pytest.raises(AttributeError, match="Here it is mean_absolute_percentage_error"):
        metrics.mape  # noqa: B018
    assert not hasattr(metrics, "no_such_metric")
