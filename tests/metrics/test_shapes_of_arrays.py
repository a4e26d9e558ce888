"""The same data in another shape gives the same number: lists as a matrix or with their queries, cases by template."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge import metrics
from adjudge.errors import BadValue
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import every
from adjudge.statistics.queries.means import QueryMeans

OF_LISTS = [metric for metric in every() if issubclass(metric.over, QueryMeans)]


@pytest.mark.parametrize("metric", OF_LISTS, ids=lambda metric: metric.name)
def test_a_row_for_each_query_is_a_query_for_each_row(metric: Metric) -> None:
    """What is NaN in a matrix is not there; queries may stand in any order."""
    random = np.random.default_rng(8)
    relevance, score = random.integers(0, 3, (6, 7)).astype(float), random.random((6, 7)).round(1)
    relevance[random.random((6, 7)) < 0.2] = np.nan
    query = np.repeat(list("fedcba"), 7).reshape(6, 7)
    here = ~np.isnan(relevance)
    order = random.permutation(int(here.sum()))
    long = metric(relevance[here][order], score[here][order], query=query[here][order])
    assert metric(relevance, score) == pytest.approx(long, nan_ok=True)


def test_a_case_has_one_template() -> None:
    expect, said = ["a", "b", "a", "b"], ["a", "a", "a", "b"]
    assert metrics.failure_rate(expect, said, template=["s", "s", "t", "t"]) == pytest.approx(0.25)
    with pytest.raises(BadValue, match="one for each of 4 cases, but has 3"):
        metrics.failure_rate(expect, said, template=["s", "s", "t"])
