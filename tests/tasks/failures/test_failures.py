"""How long systems run until they fail, alone and beside each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import adjudge
from adjudge.errors import AdjudgeError

WEEKS: dict[str, list[Any]] = {
    "hours": [168] * 12,
    "old": [1, 0, 2, 1, 0, 1, 1, 2, 0, 1, 1, 1],
    "new": [0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0],
    "site": ["a", "b"] * 6,
}


def failures(table: Any = WEEKS, **given: Any) -> Any:
    return adjudge.failures(table, **{"exposure": "hours", "failures": ["old", "new"], "replicates": 200} | given)


def test_the_limits_of_one_system_are_those_of_the_handbook():
    # NIST/SEMATECH e-Handbook 8.4.5.1: 800 hours, two failures, 90 %: 127 and 2251.
    found = adjudge.failures({"h": [400, 400], "f": [0, 2]}, exposure="h", failures="f", level=0.9)
    row = found.table.find("mean_time_between_failures")
    assert (row.estimate, row.method) == (400, "garwood")
    assert (row.low, row.high) == pytest.approx((127.069, 2251.229), abs=1e-3)


def test_two_systems_are_compared_exactly_given_all_failures():
    found = failures()
    difference = found.table.find("mean_time_between_failures", system="new", baseline="old")
    assert difference.estimate == pytest.approx(2016 / 2 - 2016 / 11)
    assert (difference.method, difference.test) == ("square_and_add", "exact, given all failures")
    assert difference.p == pytest.approx(2 * binomtest(2, 13, 0.5, alternative="less").pvalue)
    assert difference.low > 0
    ratio = found.table.find("failure_ratio", system="new beside old")
    share = binomtest(2, 13).proportion_ci(0.95)
    assert (ratio.estimate, ratio.method) == (pytest.approx(2 / 11), "conditional_binomial")
    assert (ratio.low, ratio.high) == pytest.approx([end / (1 - end) for end in share], rel=1e-6)


@pytest.mark.parametrize(("new", "real"), [([2, 0] * 6, False), ([0, 1] + [0] * 10, True)])
def test_the_test_and_the_ratio_agree(new, real):
    found = failures({**WEEKS, "new": new})
    ratio = found.table.find("failure_ratio", system="new beside old")
    p = found.table.find("mean_time_between_failures", system="new", baseline="old").p
    assert (ratio.high < 1) is real
    assert (p < 0.05) is real


def test_without_a_failure_there_is_a_limit_and_a_test():
    found = failures({**WEEKS, "new": [0] * 12})
    row = found.table.find("mean_time_between_failures", system="new")
    assert np.isnan(row.estimate)
    assert row.note == "no failure in 2,016: at least 673 (95 %, one-sided)"  # 2016 / −ln 0.05
    difference = found.table.find("mean_time_between_failures", system="new", baseline="old")
    assert np.isnan(difference.estimate)
    assert difference.p == pytest.approx(2 * 0.5**11)
    ratio = found.table.find("failure_ratio", system="new beside old")
    assert (ratio.estimate, ratio.low) == (0, 0)
    assert ratio.high < 1
    assert "new: no failure in 2,016" in str(found)


def test_one_system_is_shown_with_its_slices_and_beside_no_constant():
    shown = failures(failures="old", slices=["site"]).summary.answer
    assert shown.headline.startswith("old: mean time between failures 183 [")
    (grid,) = shown.blocks
    assert [row[0].text for row in grid.rows] == ["site = b", "site = a"]


def test_slices_are_told_alone():
    found = failures(slices="site")
    assert found.table.find("mean_time_between_failures", system="old", slice="site = a").estimate == 1008 / 5
    assert found.table.find("failure_ratio", system="new beside old", slice="site = b").estimate == 0


def test_another_baseline_turns_the_ratio_round():
    ratio = failures(baseline="new").table.find("failure_ratio", system="old beside new")
    assert ratio.estimate == pytest.approx(11 / 2)


def test_two_logs_are_compared_as_two_columns_are():
    old, new = ({"h": WEEKS["hours"], "f": WEEKS[name]} for name in ("old", "new"))
    apart = adjudge.compare(old, new, task="failures", exposure="h", failures="f", names=["old", "new"])
    beside = failures(replicates=2000)
    for metric, given in (
        ("mean_time_between_failures", {"system": "new", "baseline": "old"}),
        ("failure_ratio", {"system": "new beside old"}),
    ):
        one, other = apart.table.find(metric, **given), beside.table.find(metric, **given)
        assert (one.estimate, one.p) == (other.estimate, other.p)
        assert one.low == pytest.approx(other.low, rel=1e-12)


def test_logs_of_different_lengths_keep_their_slices():
    old = {"h": [10, 20, 30], "f": [1, 0, 2], "site": ["a", "b", "a"]}
    new = {"h": [50], "f": [1], "site": ["b"]}
    found = adjudge.compare(
        old, new, task="failures", exposure="h", failures="f", slices=["site"], names=["old", "new"], replicates=100
    )
    assert found.table.find("mean_time_between_failures", system="old").estimate == 20
    assert found.table.find("mean_time_between_failures", system="new", slice="site = b").estimate == 50
    assert found.table.find("failure_ratio", system="new beside old").estimate == pytest.approx((1 / 50) / (3 / 60))


def test_a_system_is_not_watched_where_its_cells_are_empty():
    table = {"h": [10, 10, None], "a": [1, 1, None], "g": [None, 20, 20], "b": [None, 1, 3]}
    found = adjudge.failures(table, exposure=["h", "g"], failures=["a", "b"])
    assert found.table.find("mean_time_between_failures", system="a").estimate == 10
    assert found.table.find("mean_time_between_failures", system="b").estimate == 10


def test_three_systems_pay_for_each_other():
    found = failures({**WEEKS, "newer": [0] * 11 + [1]}, failures=["old", "new", "newer"])
    p = {row.system: row for row in found.table.differences.first_methods()}
    assert p["new"].p_adjusted == pytest.approx(max(p["new"].p, 2 * p["newer"].p))
    assert p["newer"].p_adjusted == pytest.approx(2 * p["newer"].p)


def test_scaled_weights_change_nothing_and_clusters_are_drawn():
    table = {name: cells * 4 for name, cells in WEEKS.items()}
    table |= {"w": [2.0] * 48, "machine": [f"m{row % 24}" for row in range(48)]}
    plain, weighed = failures(table), failures(table, weight="w")
    name = "mean_time_between_failures"
    assert weighed.table.find(name, system="old").low == pytest.approx(plain.table.find(name, system="old").low)
    clustered = failures(table, cluster="machine").table.find(name, system="old")
    assert clustered.method == "bootstrap"
    assert clustered.low < clustered.estimate < clustered.high


def test_a_stream_gives_the_same_table():
    assert failures(engine="stream").table == failures(engine="memory").table


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"exposure": None}, "`exposure` must be given: the column that says how long each row was watched."),
        ({"failures": None}, "`failures` must be given: the column that says how often it failed."),
        ({"exposure": ["hours", "hours"], "failures": ["old"]}, "must each name one column for each system"),
        ({"stopped": "noon"}, "`stopped` must be time or failure"),
        ({"exposure": "minutes"}, "minutes"),
        ({"exposure": "site"}, "must"),
    ],
)
def test_bad_requests_are_refused_in_a_sentence(given, said):
    with pytest.raises(AdjudgeError, match=said.replace("`", ".")):
        failures(**given)


@pytest.mark.parametrize("wrong", [-1, 0.5])
def test_failures_are_counted(wrong):
    with pytest.raises(AdjudgeError, match='a whole number from 0 on, but "old" has 168 and'):
        failures({**WEEKS, "old": [wrong] * 12})


def test_nothing_watched_is_refused():
    with pytest.raises(AdjudgeError, match="must be above 0 in some rows"):
        failures({**WEEKS, "hours": [0] * 12})


def test_logs_have_no_rows_in_common():
    log = {"h": [1], "f": [1], "i": [1]}
    with pytest.raises(AdjudgeError, match="`id` must be left out"):
        adjudge.compare(log, log, task="failures", exposure="h", failures="f", id="i", names=["a", "b"])


def test_the_page_and_the_json_hold_the_comparison(tmp_path):
    found = failures()
    page, data = found.report(tmp_path / "page.html").read_text(), found.write_json(tmp_path / "all.json").read_text()
    assert "Mean time between failures" in page
    assert "times as often as old" in page
    assert "exact, given all failures" in data
    assert len(found.items.records()) == 24


def test_a_failure_that_weighs_next_to_nothing_leaves_no_upper_limit():
    table = {"hours": [1.0, 1.0, 1.0], "failures": [0, 0, 1], "w": [1.0, 1.0, 1e-17]}
    row = adjudge.failures(table, exposure="hours", failures="failures", weight="w").table.find(
        "mean_time_between_failures"
    )
    assert row.high == math.inf
    assert 0 < row.low < row.estimate


def test_limits_of_draws_hang_on_no_seed():
    """26 failures on 35 rows: some draws have hardly any, and their spread moved a limit from −406 to −1323."""
    random = np.random.default_rng(0)
    table = {"hours": random.uniform(50, 150, 35), "old": random.poisson(0.3, 35), "new": random.poisson(0.24, 35)}
    ends = np.array(
        [
            [
                (row.low, row.high)
                for row in failures(table, seed=seed, replicates=2_000).table
                if "paired" in row.method
            ]
            for seed in range(1, 7)
        ]
    )[:, 0]
    assert (np.ptp(ends, axis=0) < 0.15 * (ends[:, 1] - ends[:, 0]).mean()).all()


def test_only_slices_of_two_systems_are_corrected() -> None:
    table = {"hours": [10, 20, 15, 12] * 6, "a": [1, 0, 2, 1] * 6, "b": [0, 1, 1, 0] * 6, "site": ["x", "y"] * 12}
    said = {}
    for failures in (["a"], ["a", "b"]):
        result = adjudge.failures(table, exposure="hours", failures=failures, slices="site", replicates=100)
        assert result.summary.answer is not None
        said[len(failures)] = "corrected for multiple comparisons" in result.summary.answer.doubt
    assert said == {1: False, 2: True}


def test_who_failed_unwatched_is_told_where_systems_share_a_time():
    weeks = {"hours": [0, 0] + [168] * 28, "old": [1, 2] + [0, 1] * 14, "new": [0, 0] + [0, 0, 0, 1] * 7}
    for asked in (["old", "new"], ["new", "old"]):
        (check,) = [one for one in failures(weeks, exposure="hours", failures=asked).checks if one.key == "C22"]
        assert check.sentence.startswith('"hours" is 0 in 2 rows with failures')


def test_no_rounding_puts_a_ratio_on_1():
    weeks = {"hours": [100] * 40, "old": [1] * 24 + [0] * 16, "new": [0] * 29 + [1] * 11}
    found = failures(weeks, exposure="hours", failures=["old", "new"])
    assert 1 < found.get("failure_ratio", system="new beside old").interval.high < 1.01
    assert "[0.2, 1.01]" in next(one.text for one in found.summary.answer.findings if one.word == "failures")
