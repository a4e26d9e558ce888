"""An interval method is named on the declaration: it exists, it applies, and it means one computation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge import metrics
from adjudge.errors import SettingError
from adjudge.inference.intervals.closed_form import METHODS
from adjudge.inference.resampling import RESAMPLED
from adjudge.metrics.base import Direction, Metric, metric
from adjudge.metrics.intervals import NEEDS, Quantity, Share
from adjudge.report.words import METHODS as WORDS
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.moments import Moments
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.scores.sums import ScoreSums

ANY = {"bootstrap", "bags", "bayesian", "bayesian_student", "none"}


def declared(over: type[Any], intervals: tuple[str, ...], **more: Any) -> Metric:
    """A metric of nobody's catalogue."""

    def largest(sums: Any) -> Any:
        return np.asarray(sums.machine.x.mean + 0 * sums.machine.n)

    return metric(
        over=over,
        label="Mine",
        direction=Direction.HIGHER,
        range=(-np.inf, np.inf),
        best=np.inf,
        undefined="there is nothing",
        intervals=intervals,
        references=["mine"],
        **more,
    )(largest)


def test_every_name_is_one_method_and_has_words() -> None:
    assert set(METHODS) | RESAMPLED == set(NEEDS)
    assert set(NEEDS) - {"none"} <= set(WORDS)
    assert all(name == method.name for name, method in METHODS.items())


@pytest.mark.parametrize("each", metrics.every(), ids=repr)
def test_every_method_of_the_catalogue_applies(each: Metric) -> None:
    assert each.intervals
    assert [NEEDS[name].missing(each) for name in each.intervals] == [""] * len(each.intervals)


@pytest.mark.parametrize("name", sorted(set(NEEDS) - ANY - {"fisher", "jackknife_hill"}))
@pytest.mark.parametrize("over", [ScoreSums, Confusion, Patterns])
def test_a_method_that_does_not_apply_is_refused_when_it_is_declared(name: str, over: type[Any]) -> None:
    # Before, any closed form over ScoreSums gave the interval of a correlation.
    with pytest.raises(SettingError, match=f'"{name}" needs the declaration'):
        declared(over, (name, "bootstrap"))


def test_a_method_that_does_not_exist_is_refused() -> None:
    with pytest.raises(SettingError, match='"wislon"'):
        declared(ScoreSums, ("wislon",))


def test_a_method_cannot_be_had_over_another_statistic() -> None:
    with pytest.raises(SettingError, match="to be over Curves"):
        declared(Confusion, ("hanley",), quantity=Quantity.ROC_AREA)
    with pytest.raises(SettingError, match="to be over Kinds"):
        declared(ScoreSums, ("fisher",))


def test_a_declared_mean_has_the_interval_of_a_mean() -> None:
    random = np.random.default_rng(1)
    ratings, scores = random.normal(5, 1, 40), random.normal(0, 3, 40)

    def moments(sums: ScoreSums) -> Moments:
        x = sums.machine.x
        return Moments(sums.machine.n, x.mean, x.deviations, float(sums.machine.weights), sums.rows)

    mine = declared(ScoreSums, ("student", "bootstrap"), mean=moments)
    found = adjudge.estimate(mine, ratings, scores)
    from scipy import stats

    theirs = stats.t.interval(0.95, 39, ratings.mean(), stats.sem(ratings))
    assert found.method == "student"
    assert (found.value, found.interval.low, found.interval.high) == pytest.approx((ratings.mean(), *theirs))


def test_a_declared_share_has_the_interval_of_a_share() -> None:
    mine = declared(
        ScoreSums, ("wilson",), share=lambda sums: Share(sums.machine.within[0.0], sums.machine.n, sums.machine.weights)
    )
    ours = adjudge.estimate(metrics.exact_agreement, [1, 2, 3, 4], [1, 2, 3, 3], method="wilson").interval
    assert METHODS["wilson"].limits(mine, ScoreSums.of_arrays([1, 2, 3, 4], [1, 2, 3, 3]), 0.95) == pytest.approx(
        (ours.low, ours.high)
    )
