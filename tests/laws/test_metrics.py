"""Laws that every metric keeps, run over the whole catalogue without listing it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws.examples import Rows, draws_of, rows_for, value, variants

from adjudge.errors import AdjudgeError
from adjudge.inference.closed_form import closed_form
from adjudge.metrics import catalogue
from adjudge.metrics.base import Metric
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.losses import Losses

REPEATABLE = settings(max_examples=15, deadline=None, derandomize=True)
EVERY = pytest.mark.parametrize("metric", variants(), ids=repr)
CLOSE = {"rel": 1e-9, "abs": 1e-12, "nan_ok": True}


@EVERY
@REPEATABLE
@given(data=st.data())
def test_a_stack_of_statistics_gives_a_stack_of_values(metric: Metric, data) -> None:
    """Leading axes belong to the caller: each replicate's value is that of its rows repeated."""
    rows = data.draw(rows_for(metric, weighted=data.draw(st.booleans())))
    random = np.random.default_rng(data.draw(st.integers(0, 99)))
    multiplicities = random.poisson(1.0, size=(len(rows), 4)).astype(float)
    multiplicities[0] += 1  # no replicate is empty: an empty one has no array to compare with
    stack = metric.values(draws_of(rows, multiplicities))
    single = [value(metric, rows.of(np.repeat(np.arange(len(rows)), m.astype(int)))) for m in multiplicities.T]
    assert stack == pytest.approx(np.array(single), **CLOSE)
    assert stack.shape == (4, *single[0].shape)


@EVERY
@REPEATABLE
@given(data=st.data())
def test_two_parts_added_equal_the_whole(metric: Metric, data) -> None:
    rows = data.draw(rows_for(metric, fewest=2, weighted=data.draw(st.booleans())))
    cut = data.draw(st.integers(1, len(rows) - 1))
    place = np.arange(len(rows))
    whole = rows.of(place[:cut]).statistic + rows.of(place[cut:]).statistic
    assert metric.values(whole) == pytest.approx(value(metric, rows), **CLOSE)


@EVERY
@REPEATABLE
@given(data=st.data())
def test_integer_weights_equal_repeated_rows(metric: Metric, data) -> None:
    rows = data.draw(rows_for(metric))
    times = np.random.default_rng(data.draw(st.integers(0, 99))).integers(0, 4, len(rows))
    times[0] = 2
    repeated = rows.of(np.repeat(np.arange(len(rows)), times))
    assert value(metric, rows.weighing(times.astype(float))) == pytest.approx(value(metric, repeated), **CLOSE)


@EVERY
@REPEATABLE
@given(data=st.data())
def test_row_order_does_not_matter(metric: Metric, data) -> None:
    rows = data.draw(rows_for(metric, weighted=True))
    shuffled = rows.of(np.random.default_rng(data.draw(st.integers(0, 99))).permutation(len(rows)))
    assert value(metric, shuffled) == pytest.approx(value(metric, rows), **CLOSE)


@EVERY
@REPEATABLE
@given(data=st.data(), factor=st.sampled_from([1 / 50, 100.0]))
def test_rescaling_the_weights_changes_nothing(metric: Metric, data, factor: float) -> None:
    """Neither the value nor any closed-form interval: weights count through effective rows."""
    rows = data.draw(rows_for(metric, fewest=4, weighted=True))
    plain, scaled = rows.statistic, rows.weighing(rows.weights * factor).statistic
    assert metric.values(scaled) == pytest.approx(metric.values(plain), **CLOSE)
    for method in metric.intervals:
        if method in ("bootstrap", "bayesian"):
            continue
        a, b = (closed_form(method, metric, statistic, 0.95) for statistic in (plain, scaled))
        assert (a is None) == (b is None)
        if a is not None:
            assert (b.low, b.high) == (pytest.approx(a.low, **LOOSE), pytest.approx(a.high, **LOOSE))


# Effective rows go through a ratio of sums of squares and an inverse incomplete beta function.
LOOSE = {"rel": 1e-7, "abs": 1e-9, "nan_ok": True}


def perfect(metric: Metric, categories: tuple[str, ...]) -> Rows:
    """Twelve rows of each category, told with certainty."""
    reference = np.repeat(categories, 12)
    if metric.over is Confusion:
        return Rows(Confusion, categories, reference, reference)
    certain = (reference[:, None] == np.array(categories)).astype(float)
    return Rows(metric.over, categories, reference, certain[:, -1:] if len(categories) == 2 else certain)


@EVERY
@pytest.mark.parametrize("categories", [("1", "2"), ("1", "2", "3")], ids=len)
def test_perfect_prediction_reaches_the_declared_best(metric: Metric, categories) -> None:
    best = metric.best
    if metric.name == "precision_at_volume" and metric.settings.get("at", 0.1) > 1 / len(categories):
        best = 1 / len(categories)  # more rows are to be taken than there are positives: all are
    assert value(metric, perfect(metric, categories)) == pytest.approx(best, rel=0, abs=1e-12)


@EVERY
@REPEATABLE
@given(data=st.data())
def test_values_stay_in_the_declared_range(metric: Metric, data) -> None:
    found = value(metric, data.draw(rows_for(metric, weighted=True)))
    low, high = metric.range
    # A sum of squares may leave its range by a rounding error.
    assert (np.isnan(found) | ((found >= low - 1e-12) & (found <= high + 1e-12))).all()


SCORES = {
    "nothing": ([], []),
    "one row": (["2"], [0.7]),
    "one row of the other category": (["1"], [0.7]),
    "one category": (["2", "2", "2"], [0.2, 0.7, 0.9]),
    "only the other category": (["1", "1", "1"], [0.2, 0.7, 0.9]),
    "all tied": (["1", "2", "1", "2"], [0.5] * 4),
    "certain and wrong": (["1", "2"], [1.0, 0.0]),
    "tiny probabilities": (["1", "2", "2"], [1e-300, 1e-300, 5e-324]),
}
LABELS = {
    "nothing": ([], []),
    "one row": (["2"], ["2"]),
    "one row, wrong": (["1"], ["2"]),
    "one category": (["2", "2"], ["2", "2"]),
    "constant prediction": (["1", "2", "1"], ["2", "2", "2"]),
    "constant reference": (["2", "2", "2"], ["1", "2", "1"]),
    "always wrong": (["1", "2"], ["2", "1"]),
}


def degenerate(metric: Metric) -> dict[str, Rows]:
    if metric.over is Confusion:
        return {k: Rows(Confusion, ("1", "2"), np.array(a, str), np.array(b, str)) for k, (a, b) in LABELS.items()}
    found = {
        k: Rows(metric.over, ("1", "2"), np.array(a, str), np.array(b, float).reshape(-1, 1))
        for k, (a, b) in SCORES.items()
    }
    some = np.array([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])
    for name, labels in {"a category without rows": ["1", "2"], "three and one category": ["3", "3"]}.items():
        found[name] = Rows(metric.over, ("1", "2", "3"), np.array(labels), some)
    return found


@EVERY
def test_degenerate_rows_give_nan_or_a_value_in_range(metric: Metric) -> None:
    """Never an exception, never a warning; infinite only where the declaration says so."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, rows in degenerate(metric).items():
            found = value(metric, rows)
            low, high = metric.range
            assert (np.isnan(found) | ((found >= low - 1e-12) & (found <= high + 1e-12))).all(), name
            for method in metric.intervals:
                if method not in ("bootstrap", "bayesian"):
                    closed_form(method, metric, rows.statistic, 0.95)


@EVERY
def test_no_rows_have_no_value(metric: Metric) -> None:
    assert np.isnan(value(metric, degenerate(metric)["nothing"])).all()


@pytest.mark.parametrize("metric", [m for m in variants() if m.symmetric], ids=repr)
@REPEATABLE
@given(data=st.data())
def test_symmetric_metrics_are_symmetric(metric: Metric, data) -> None:
    rows = data.draw(rows_for(metric, weighted=True))
    turned = Rows(Confusion, rows.categories, rows.other, rows.reference, rows.weights)
    assert value(metric, turned) == pytest.approx(value(metric, rows), **CLOSE)


@pytest.mark.parametrize("metric", [m for m in variants() if not m.symmetric and m.over is Confusion], ids=repr)
def test_the_others_say_rightly_that_they_are_not(metric: Metric) -> None:
    if metric.average == "micro" or repr(metric) == "recall(average=weighted)":
        return  # pooled, there are as many false positives as false negatives; weighted recall is accuracy
    if metric.name == "f_score" and metric.settings.get("beta", 1) == 1 and metric.average != "weighted":
        return  # F1 weighs both errors alike, but it is declared for every beta
    a, b = np.array(list("1111122333")), np.array(list("1122223313"))
    given_, turned = (Rows(Confusion, ("1", "2", "3"), *pair) for pair in ((a, b), (b, a)))
    assert not np.allclose(value(metric, given_), value(metric, turned))


@EVERY
@pytest.mark.parametrize("names", [("11", "12", "13"), ("a", "b", "c")], ids=str)
@REPEATABLE
@given(data=st.data())
def test_renaming_the_labels_changes_nothing(metric: Metric, names, data) -> None:
    """As long as the names keep their order and, where distance counts, their steps."""
    rows = data.draw(rows_for(metric, weighted=True))
    new = dict(zip(("1", "2", "3"), names, strict=True))

    def renamed(labels: np.ndarray) -> np.ndarray:
        return np.array([new[label] for label in labels.tolist()], dtype=str)

    other = renamed(rows.other) if rows.over is Confusion else rows.other
    categories = tuple(new[category] for category in rows.categories)
    assert value(metric, Rows(rows.over, categories, renamed(rows.reference), other, rows.weights)) == pytest.approx(
        value(metric, rows), **CLOSE
    )


@EVERY
def test_its_name_reads_back(metric: Metric) -> None:
    read = catalogue.parse(repr(metric))
    assert read == metric
    assert hash(read) == hash(metric)
    assert read.parameters == metric.parameters


@EVERY
def test_the_declaration_is_complete(metric: Metric) -> None:
    assert metric.label
    assert metric.undefined
    assert metric.references
    assert metric.__doc__
    assert metric.range[0] <= metric.best <= metric.range[1]
    assert metric.full_label.startswith(metric.label)


def test_the_catalogue_has_no_name_twice() -> None:
    names = [metric.name for metric in catalogue.every()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("metric", [m for m in variants() if m.by_category and m.over is not Confusion], ids=repr)
def test_scores_have_no_micro_average(metric: Metric) -> None:
    with pytest.raises(AdjudgeError, match="has no micro average"):
        value(metric.averaged("micro"), perfect(metric, ("1", "2", "3")))


def test_infinite_loss_is_infinite_not_large() -> None:
    rows = Rows(Losses, ("1", "2"), np.array(["2", "1"]), np.array([[0.0], [0.2]]))
    assert value(catalogue.parse("log_loss"), rows) == np.inf
