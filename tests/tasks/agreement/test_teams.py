"""Two teams of raters, a table each: compared by item as `agreement_difference` does, or not paired and named so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.written import csv_file

import adjudge
from adjudge.cli.main import main
from adjudge.errors import AdjudgeError

RNG = np.random.default_rng(2)
ITEMS = [f"i{number}" for number in range(60)]
TRUTH = RNG.integers(0, 3, 60)


def rater(right: float) -> list[str]:
    return [str(x) for x in np.where(RNG.random(60) < right, TRUTH, RNG.integers(0, 3, 60))]


OLD = {"item": ITEMS, "a": rater(0.6), "b": rater(0.6), "c": rater(0.65)}
NEW = {"item": ITEMS, "d": rater(0.9), "e": rater(0.85)}
RATERS = ["a", "b", "c", "d", "e"]


def compared(old: dict, new: dict, **given: object) -> adjudge.Evaluation:
    asked = {"task": "agreement", "names": ["old", "new"], "raters": RATERS, "replicates": 300, **given}
    return adjudge.compare(old, new, **asked)


def test_teams_are_paired_by_item_whatever_the_order_of_rows() -> None:
    turned = {name: column[::-1] for name, column in NEW.items()}
    found = compared(OLD, turned, id="item")
    row = found.table.find("krippendorff_alpha", system="new", baseline="old")
    both = {**OLD, **NEW}
    other = adjudge.agreement_difference(both, ["a", "b", "c"], ["d", "e"], replicates=300)
    assert (row.estimate, row.low, row.high) == pytest.approx((other.value, other.interval.low, other.interval.high))
    assert (row.method, row.test, row.n) == ("paired_bootstrap", "paired draws of items", 60)
    assert f"p = {row.p:.3g}" in other.note
    assert row.note == ""  # p has a column of its own here
    assert "60 items in all tables" in found.outcome.settings.choices["Differences"]
    again = compared(NEW, OLD, id="item", names=["new", "old"])
    mirror = again.table.find("krippendorff_alpha", system="old", baseline="new")
    assert mirror.estimate == pytest.approx(-row.estimate)
    assert "new" in str(found)


def test_items_of_one_table_alone_are_left_out_of_the_difference() -> None:
    fewer = {name: column[:40] for name, column in NEW.items()}
    row = compared(OLD, fewer, item="item").table.find("percent_agreement", system="new", baseline="old")
    assert row.n == 40


def test_without_names_of_items_teams_are_not_paired_and_without_common_ones_refused() -> None:
    plain = [{name: column for name, column in one.items() if name != "item"} for one in (OLD, NEW)]
    found = compared(*plain)
    assert {row.method for row in found.table.differences} == {"square_and_add"}
    assert "not paired" in found.outcome.settings.choices["Differences"]
    with pytest.raises(AdjudgeError, match="items in common"):
        compared(OLD, {**NEW, "item": [f"x{name}" for name in ITEMS]}, id="item")
    with pytest.raises(AdjudgeError, match="two columns of each table"):
        compared(OLD, NEW, id="item", raters=["a", "b"])


def test_a_team_beside_itself_differs_by_nothing() -> None:
    again = {"item": ITEMS, "d": OLD["a"], "e": OLD["b"]}
    row = compared({name: OLD[name] for name in ("item", "a", "b")}, again, id="item").table.find(
        "krippendorff_alpha", system="new", baseline="old"
    )
    assert row.estimate == 0
    assert row.method == "none" or row.low < row.high, "no width is not certainty"


def test_the_command(tmp_path: Path) -> None:
    paths = []
    for name, table in (("old", OLD), ("new", NEW)):
        paths.append(str(csv_file(tmp_path / f"{name}.csv", table)))
    out = tmp_path / "out.csv"
    asked = ["--task", "agreement", "--id", "item", "--raters", *RATERS, "--replicates", "200", "--quiet"]
    assert main(["compare", *paths, *asked, "--csv", str(out)]) == 0
    assert "paired draws of items" in out.read_text()
