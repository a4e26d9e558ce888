"""Words have no order by themselves: a metric that takes one asks for it, as the agreement task does."""

from __future__ import annotations

from typing import Any

import pytest

import adjudge
from adjudge import metrics
from adjudge.errors import SettingError

FIRST = ["low", "mid", "high", "low", "mid", "high", "low", "mid"]
SECOND = ["low", "high", "high", "mid", "mid", "mid", "low", "low"]
NUMBERS = {"low": 1, "mid": 2, "high": 3}
ORDERED = [
    metrics.cohen_kappa.using(weighting="quadratic"),
    metrics.cohen_kappa.using(weighting="linear"),
    metrics.cohen_kappa.using(weighting="ordinal"),
    metrics.fleiss_kappa.using(weighting="quadratic"),
    metrics.randolph_kappa.using(weighting="linear"),
    metrics.conger_kappa.using(weighting="quadratic"),
    metrics.gwet_ac2,
    metrics.krippendorff_alpha.using(measurement="ordinal"),
    metrics.krippendorff_alpha.using(measurement="interval"),
    metrics.interval_alpha,
    metrics.icc,
    metrics.concordance_correlation,
]
PLAIN = [metrics.cohen_kappa, metrics.fleiss_kappa, metrics.gwet_ac1, metrics.krippendorff_alpha]


@pytest.mark.parametrize(
    "metric", [m for m in ORDERED if m.over.__name__ in ("Confusion", "Patterns", "RatingVectors")]
)
def test_the_order_of_words_is_asked_for(metric: Any) -> None:
    for measured in (
        lambda **g: metric(FIRST, SECOND, **g),
        lambda **g: adjudge.estimate(metric, FIRST, SECOND, **g).value,
    ):
        with pytest.raises(SettingError, match="must give the order of labels that are not numbers"):
            measured()
        numbers = metric([NUMBERS[one] for one in FIRST], [NUMBERS[one] for one in SECOND])
        assert measured(categories=["low", "mid", "high"]) == pytest.approx(numbers)


@pytest.mark.parametrize("metric", PLAIN)
def test_metrics_without_an_order_do_not_ask(metric: Any) -> None:
    assert metric(FIRST, SECOND) == pytest.approx(metric(FIRST, SECOND, categories=["low", "mid", "high"]))


def test_two_words_need_no_order() -> None:
    two = (["no", "yes", "no", "yes"], ["no", "yes", "yes", "yes"])
    assert metrics.cohen_kappa(*two, weighting="quadratic") == pytest.approx(metrics.cohen_kappa(*two))


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_tasks_ask_too(engine: str) -> None:
    table = {"a": FIRST * 3, "b": SECOND * 3}
    with pytest.raises(SettingError, match="order of labels"):
        adjudge.agreement(table, raters=["a", "b"], metrics=["gwet_ac2"], engine=engine)
    with pytest.raises(SettingError, match="order of labels"):
        adjudge.evaluate(table, reference="a", prediction="b", metrics=["cohen_kappa(weighting=linear)"], engine=engine)
    scaled = adjudge.agreement(
        table, raters=["a", "b"], metrics=["gwet_ac2"], scale=["low", "mid", "high"], engine=engine
    )
    assert scaled["gwet_ac2"].value == pytest.approx(metrics.gwet_ac2(FIRST, SECOND, categories=["low", "mid", "high"]))


@pytest.mark.parametrize("measurement", ["ordinal", "interval", "circular"])
@pytest.mark.parametrize("clustered", [False, True])
def test_a_declared_order_stays_declared_in_every_picture(measurement: str, clustered: bool) -> None:
    """Also where labels are merged, raters left out, or parts added."""
    third = SECOND[3:] + SECOND[:3]
    table = {"a": FIRST * 5, "b": SECOND * 5, "c": third * 5, "when": list("vwxyz") * 8, "page": list("pqrs") * 10}
    scale = ["low", "mid", "high", "superb"]
    given = {"measurement": measurement, "scale": scale, "batch": "when", "replicates": 100, "model": "c"}
    e = adjudge.agreement(table, raters=["a", "b", "c"], cluster="page" if clustered else None, **given)
    assert e.outcome.panels.forests
    assert e[f"krippendorff_alpha(measurement={measurement})"].value < 1
