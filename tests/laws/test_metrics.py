"""Laws that every metric keeps, run over the whole catalogue without listing it."""

from __future__ import annotations

import numpy as np
import pytest
from tests.laws.examples import EXAMPLES, PARAMETERS, statistic_of, value, variants
from tests.laws.metric_laws import LAWS, OF_UNITS, OTHERWISE, Law, answers
from tests.laws.rows import Making, Rows

from adjudge.errors import AdjudgeError
from adjudge.metrics import catalogue
from adjudge.metrics.base import Metric
from adjudge.statistics.losses import Losses

EVERY = pytest.mark.parametrize("metric", variants(), ids=repr)


@EVERY
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_every_metric_keeps_every_law(law: Law, metric: Metric) -> None:
    law(metric)


def test_every_statistic_has_examples() -> None:
    """A new statistic needs an entry in EXAMPLES, or its metrics are held to nothing."""
    missing = {metric.over.__name__ for metric in catalogue.every()} - {over.__name__ for over in EXAMPLES}
    assert not missing, f"tests/laws/examples.py: EXAMPLES has no entry for {sorted(missing)}"


def test_tables_name_metrics_that_there_are() -> None:
    known = {metric.name for metric in catalogue.every()}
    assert not {*PARAMETERS, *OF_UNITS, *OTHERWISE} - known


@pytest.mark.parametrize("metric", catalogue.every(), ids=repr)
def test_parameters_are_tried(metric: Metric) -> None:
    """A metric with parameters has at least one other setting among the examples."""
    takes = set(metric.formula.__kwdefaults__ or {})
    assert bool(takes) == (metric.name in PARAMETERS)


def test_the_catalogue_has_no_name_twice() -> None:
    names = [metric.name for metric in catalogue.every()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    "metric", [m for m in catalogue.every() if m.per == "category" and not hasattr(m.over, "pooled")], ids=repr
)
def test_scores_have_no_micro_average(metric: Metric) -> None:
    with pytest.raises(AdjudgeError, match="has no micro average"):
        value(metric.averaged("micro"), answers(metric, 1, Making(12, 0.0)))


def test_infinite_loss_is_infinite_not_large() -> None:
    rows = Rows(np.array(["2", "1"], dtype=object), np.array([0.0, 0.2]), ("1", "2"), "2")
    metric = catalogue.parse("log_loss")
    assert isinstance(statistic_of(metric, rows), Losses)
    assert value(metric, rows)[""] == np.inf
