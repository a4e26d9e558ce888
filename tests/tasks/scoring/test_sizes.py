"""Numbers too large to calculate with, too long to be shown, and what is given twice."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from tests.interop.test_rsmtool_files import given, table
from tests.tasks.scoring.test_scoring import evaluated, table_of

import adjudge
from adjudge import metrics
from adjudge.errors import AdjudgeError, BadValue, SettingError
from adjudge.interop.rsmtool_config import checked_config, read_experiment

LONG = 10**5_000


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ("engine", 'system score "engine" is beyond 1e+50'),
        ("h1", 'human score "h1" is beyond 1e+50'),
    ],
)
def test_scores_that_are_too_large_are_left_out_and_counted(column: str, reason: str) -> None:
    scores = table_of(60)
    scores[column] = [1e300, -1e300, *scores[column][2:]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluation = evaluated(scores, slices=["l1"])
    assert evaluation.left_out == {reason: 2}


def test_a_second_rating_that_is_too_large_is_not_used() -> None:
    scores = table_of(60)
    scores["h2"] = [1e300, *scores["h2"][1:]]
    panels = {panel.title: panel.rows for panel in evaluated(scores).outcome.panels.tables}
    assert panels["Ratings that were not used"] == [['rating "h2" is beyond 1e+50', 1]]


@pytest.mark.parametrize(
    "call",
    [
        lambda: metrics.prmse([[1e300, 1], [2, 3], [3, 3]], [1, 2, 3]),
        lambda: metrics.prmse([[1, 1], [2, 3], [3, 3]], [1, 2, -1e300]),
        lambda: metrics.pearson([1e300, 1, 2], [1, 2, 3]),
        lambda: metrics.rmse([1e300, 1, 2], [1, 2, 3]),
        lambda: adjudge.agreement({"a": [1e300, 2, 3], "b": [1, 2, 3]}, raters=["a", "b"], measurement="interval"),
    ],
)
def test_numbers_that_are_too_large_are_refused(call) -> None:
    with pytest.raises(BadValue, match=r"must lie within ±1e\+50, but there is -?1e\+300"):
        call()


def test_scaling_by_what_is_too_large_is_refused() -> None:
    scaling = {"system_mean": 1e300, "system_sd": 1.0, "human_mean": 3.0, "human_sd": 1.0}
    with pytest.raises(SettingError, match="`system_mean` of the scaling must be a number within"):
        evaluated(scaling=scaling)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("min", LONG, "`min` must be a number, not something of the type int"),
        ("seed", LONG, "`seed` must be a whole number below 2\\^63, not something of the type int"),
        ("replicates", -LONG, "`replicates` must be a whole number below 2\\^63, not something of the type int"),
        ("error_variance", LONG, "`error_variance` must be a number, not something of the type int"),
        ("limits", {"smd": LONG}, "`limits` must be given as NAME=NUMBER, not as"),
        ("flag", {"l1": [LONG]}, r'all 300 were left out \(flag "l1" is not "10000'),
        (
            "scaling",
            {"system_mean": LONG, "system_sd": 1, "human_mean": 0, "human_sd": 1},
            "`scaling` must be given as NAME=NUMBER, not as",
        ),
    ],
    ids=lambda value: "long" if not isinstance(value, str) else value if value.isidentifier() else "",
)
def test_numbers_of_thousands_of_digits_are_refused_as_settings(name: str, value: Any, message: str) -> None:
    with pytest.raises(AdjudgeError, match=message) as refused:
        evaluated(**{name: value})
    assert len(str(refused.value)) < 300


def test_numbers_of_thousands_of_digits_are_refused_as_parameters() -> None:
    with pytest.raises(SettingError, match="`beta` must be a number of at most 308 digits"):
        metrics.f_score.using(beta=LONG)
    with pytest.raises(SettingError, match="`ddof` must be a number of at most 308 digits"):
        metrics.quadratic_weighted_kappa([1, 2], [1, 2], ddof=LONG)
    with pytest.raises(BadValue, match="Ratings must be numbers"):
        metrics.prmse([[LONG, 1], [1, 2]], [1, 2])


def test_numbers_of_thousands_of_digits_are_refused_in_configurations(tmp_path: Path) -> None:
    config = given(table(tmp_path / "p.csv"), trim_max="@")
    path = tmp_path / "c.json"
    path.write_text(json.dumps(config).replace('"@"', "1" * 5_000))
    with pytest.raises(AdjudgeError, match="`trim_max` must be a number, not"):
        read_experiment(path)
    with pytest.raises(SettingError, match="`trim_max` must be a number, not"):
        checked_config({**config, "trim_max": LONG})


def test_slices_given_twice_are_one() -> None:
    once, twice = (evaluated(slices=slices) for slices in (["l1"], ["l1", "l1"]))
    assert list(once.table) == list(twice.table)
    assert once.outcome.panels == twice.outcome.panels


@pytest.mark.parametrize("engine", ["memory", "stream"])
@pytest.mark.parametrize("rated_by", ["first", "any"])
def test_nobody_rated(engine: str, rated_by: str) -> None:
    nothing = {**table_of(30), "h1": [None] * 30, "h2": [None] * 30}
    with pytest.raises(AdjudgeError, match="Some responses must be usable, but all 30 were left out"):
        evaluated(nothing, slices=["l1"], engine=engine, rated_by=rated_by)
