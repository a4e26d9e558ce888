"""Agreement of odd tables: nothing to compare, nothing that varies, one of everything. Never a traceback."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.evaluation.tables import assert_same, by_method
from tests.tasks.agreement.ratings_tables import IN_ROWS, RATERS, agree, long, some, wide

import adjudge
from adjudge import metrics
from adjudge.errors import AdjudgeError, BadValue, ColumnNotFound, InputError, SettingError, UnknownMetric
from adjudge.statistics.ratings.vectors import RatingVectors

TWO = ["ann", "ben"]
N = None


def document(e: adjudge.Evaluation, folder: Path) -> bytes:
    """The JSON document of an evaluation."""
    return e.write_json(folder / "e.json").read_bytes()


def not_json(word: str) -> None:
    pytest.fail(f"{word} is not JSON")


def two(first: list[Any], second: list[Any], **asked: Any) -> adjudge.Evaluation:
    return agree({"ann": first, "ben": second}, raters=TWO, **asked)


@pytest.mark.parametrize("measurement", ["nominal", "ordinal", "interval"])
def test_raters_without_a_common_item(measurement: str, tmp_path: Path) -> None:
    e = two([1, 2, N, N], [N, N, 1, 2], measurement=measurement)
    rows = [row for row in e.table if row.method != "baseline"]
    assert rows
    for row in rows:
        assert math.isnan(row.estimate), row
        assert row.note.startswith("undefined: "), row
    assert e.outcome.settings.choices["Items with two ratings or more"] == "0"
    json.loads(document(e, tmp_path), parse_constant=not_json)


def test_two_of_three_raters_without_a_common_item() -> None:
    table = {"ann": [1, 2, 1, N, N], "ben": [1, 2, 1, 2, 1], "eva": [N, N, N, 2, 2]}
    e = agree(table)
    assert math.isnan(e.get("cohen_kappa", system="ann × eva").value)
    assert e.get("cohen_kappa", system="ann × ben").value == 1
    matrix = e.outcome.panels.matrices[0]
    assert (matrix.values[0][2], matrix.n[0][2]) == (None, 0)
    assert math.isfinite(e["krippendorff_alpha"].value)


def test_a_rater_who_rated_nothing() -> None:
    table = {**some(wide(30), range(30)), "ben": [None] * 30}
    e = agree(table)
    without = agree(table, raters=["ann", "eva"])
    assert e["krippendorff_alpha"].value == pytest.approx(without["krippendorff_alpha"].value, abs=1e-12)
    assert math.isnan(e.get("cohen_kappa", system="ann × ben").value)


def test_items_rated_once_are_used_where_they_count() -> None:
    table = wide(60, missing=0)
    more = {name: [*column, *column[:5]] for name, column in table.items()}
    more["item"][60:] = [f"extra {row}" for row in range(5)]
    for name in RATERS[1:]:
        more[name][60:] = [None] * 5
    a, b = agree(table), agree(more)
    assert b["krippendorff_alpha"].value == pytest.approx(a["krippendorff_alpha"].value, abs=1e-12)
    assert b["percent_agreement"].value == pytest.approx(a["percent_agreement"].value, abs=1e-12)
    assert b["gwet_ac1"].value != a["gwet_ac1"].value, "chance is estimated from all ratings"
    assert b.outcome.settings.choices["Items with two ratings or more"] == "60"


def test_one_category_only() -> None:
    e = two(["a"] * 5, ["a"] * 5)
    assert math.isnan(e["krippendorff_alpha"].value)
    assert "a single category is used" in e["krippendorff_alpha"].note
    assert e["percent_agreement"].value == 1
    assert e["percent_agreement"].interval.low < 0.7, "five items are few"


def test_everybody_agrees_and_doubt_is_left() -> None:
    e = two(["a", "a", "b", "b", "c"] * 4, ["a", "a", "b", "b", "c"] * 4)
    for name in ("krippendorff_alpha", "cohen_kappa", "gwet_ac1", "light_kappa"):
        assert e[name].value == pytest.approx(1)
        assert e[name].interval.low < 0.95


@pytest.mark.parametrize("measurement", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize("second", [1, 2])
def test_one_item(measurement: str, second: int, tmp_path: Path) -> None:
    e = two([1], [second], measurement=measurement)
    assert e["percent_agreement"].value == (second == 1)
    assert e["percent_agreement"].n == 1
    json.loads(document(e, tmp_path), parse_constant=not_json)


def test_repeated_ratings_are_counted_and_the_first_kept() -> None:
    table = long(wide(30))
    again = {name: [*column, column[0]] for name, column in table.items()}
    again["rating"][-1] = 99
    e = agree(again, **IN_ROWS)
    assert e.outcome.data.left_out == {"a rater's repeated rating of an item (the first is kept)": 1}
    assert_same(by_method(e), by_method(agree(table, **IN_ROWS)), 0)


SETS = {"measurement": "sets"}
SPANS = {"measurement": "spans", "raters": ["tags", "tags too"]}


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"raters": ["ann", "bem"]}, ColumnNotFound, 'Did you mean "ben"'),
        ({"raters": []}, SettingError, "in columns or in rows"),
        ({"measurement": "ordnal"}, SettingError, "`measurement` must be one of"),
        ({"measurement": "ordinal"}, SettingError, "`scale` must give the order"),
        ({"scale": ["a", "b"]}, BadValue, 'must be on the scale "a", "b", but "c" was found'),
        ({"scale": ["a", "a", "b", "c"]}, SettingError, "each category once"),
        ({"scale": []}, SettingError, "it is empty"),
        ({"scale": "abc"}, SettingError, "must list the categories"),
        ({"model": "bot"}, SettingError, "`model` must be one of the raters"),
        ({"metrics": []}, SettingError, "at least one metric"),
        ({"metrics": ["accuracy"]}, SettingError, "accuracy is not"),
        ({"metrics": ["fleis_kappa"]}, UnknownMetric, 'Did you mean "fleiss_kappa"'),
        ({"metrics": ["kappa_max"]}, SettingError, "compares two raters, and there are 3"),
        ({"level": 95}, SettingError, "`level` must lie between 0 and 1"),
        ({"confidence": 0.9}, SettingError, "`confidence` must be called `level`: give level=0.9"),
        (
            {"level": "ordinal"},
            SettingError,
            'must be the confidence level; the level of measurement is `measurement`: give measurement="ordinal"',
        ),
        ({"resample": "pages"}, SettingError, "`resample` must be one of"),
        ({"weigth": "weight"}, SettingError, 'Did you mean "weight"'),
        ({"weight": "zero"}, BadValue, "must be above 0 somewhere"),
        ({"weight": "hole"}, BadValue, "must be a finite number for every item, but .* has none for 1 of 3"),
        ({"weight": "endless"}, BadValue, "must be a finite number for every item"),
        ({"weight": "huge"}, BadValue, r"between 1e-100 and 1e\+100, but .* has 1e\+300"),
        ({"weight": "tiny"}, BadValue, r"between 1e-100 and 1e\+100, but .* has 1e-300"),
        ({"weight": "ann"}, SettingError, "either as labels or as weights"),
        ({"weight": "weight", "cluster": "weight"}, SettingError, "either as labels or as weights"),
        ({"raters": ["ann", "ben"], "resample": "raters"}, SettingError, "fewer than three raters, and there are 2"),
        ({"weight": ""}, ColumnNotFound, 'there is no column ""'),
        ({"cluster": ""}, ColumnNotFound, 'there is no column ""'),
        ({"slices": ""}, ColumnNotFound, 'there is no column ""'),
        ({"cluster": ""} | SETS, ColumnNotFound, 'there is no column ""'),
        ({"cluster": ""} | SPANS, ColumnNotFound, 'there is no column ""'),
        ({"cluster": "zero"}, BadValue, '`cluster` must have at least two values, but "zero" has only one'),
        ({"cluster": "zero"} | SETS, BadValue, "`cluster` must have at least two values"),
        ({"cluster": "zero"} | SPANS, BadValue, "`cluster` must have at least two values"),
        ({"cluster": "zero", "engine": "stream"}, BadValue, "`cluster` must have at least two values"),
        ({"cluster": "nowhere"}, InputError, r"cluster of the item is missing: 3\)"),
        ({"weight": "minus"}, BadValue, "must not be negative"),
    ],
)
def test_refusals(asked: dict[str, Any], error: type[Exception], words: str) -> None:
    table = {
        "ann": ["a", "b", "c"],
        "ben": ["a", "c", "c"],
        "eva": ["b", "b", "c"],
        "weight": [1, 2, 3],
        "zero": [0, 0, 0],
        "hole": [1, None, 1],
        "minus": [1, -1, 1],
        "endless": [1, float("inf"), 1],
        "huge": [1, 1e300, 1],
        "tiny": [1, 1, 1e-300],
        "nowhere": [None, None, None],
        "tags": ["B-a", "O", "O"],
        "tags too": ["B-a", "O", "B-b"],
    }
    with pytest.raises(error, match=words):
        agree(table, **asked)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"first": []}, "`first` must name at least two different columns"),
        ({"second": ["a"]}, '`second` must name at least two different columns, not "a"'),
        ({"second": ["a", "a"]}, "`second` must name at least two different columns"),
        ({"metric": None}, "`metric` must be given"),
        ({"cluster": "page"}, '`cluster` must have at least two values, but "page" has only one'),
    ],
)
def test_refused_differences(asked: dict[str, Any], words: str) -> None:
    table = {"a": ["x", "y", "y"] * 5, "b": ["x", "y", "x"] * 5, "page": [1] * 15}
    with pytest.raises(AdjudgeError, match=words):
        adjudge.agreement_difference(table, **{"first": ["a", "b"], "second": ["b", "a"], "replicates": 100} | asked)


@pytest.mark.parametrize("measurement", ["nominal", "sets"])
def test_raters_of_streamed_rows_cannot_be_drawn(measurement: str) -> None:
    with pytest.raises(SettingError, match="raters are not told apart"):
        agree(long(wide(30)), **IN_ROWS, measurement=measurement, resample="raters", engine="stream")


def test_nothing_rated() -> None:
    with pytest.raises(InputError, match=r"all 2 rows were left out \(no rater rated the item: 2\)"):
        two([None, None], [None, None])


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_more_labels_than_tables_can_hold(engine: str) -> None:
    values = np.random.default_rng(1).normal(size=300)
    with pytest.raises(BadValue, match=r'at most 100 categories, but there are .* use measurement="interval"'):
        two(list(values), list(values + 0.1), engine=engine)


def test_measurements_cannot_be_streamed() -> None:
    values = np.random.default_rng(1).normal(size=300)
    with pytest.raises(SettingError, match=r'different values.*Use engine="memory"'):
        two(list(values), list(values + 0.1), measurement="interval", engine="stream")


def test_only_what_is_asked_is_measured() -> None:
    assert agree(wide(), metrics="gwet_ac1").outcome.metrics == ["gwet_ac1"]
    pairs = agree(wide(), metrics=["cohen_kappa"])
    assert {row.system for row in pairs.table} == {"ann × ben", "ann × eva", "ben × eva"}


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    asked = {"batch": "batch", "model": "eva"}
    first, again, other = (document(agree(wide(), seed=seed, **asked), tmp_path) for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_saved_and_loaded_again(tmp_path: Path) -> None:
    e = agree(wide(), slices=["kind"], batch="batch", model="eva")
    e.save(tmp_path / "e.json")
    again = adjudge.load(tmp_path / "e.json")
    assert document(again, tmp_path) == document(e, tmp_path)
    assert_same(by_method(again), by_method(e), 0)
    e.report(tmp_path / "one.html")
    again.report(tmp_path / "two.html")
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    assert "Adjudication queue" in (tmp_path / "one.html").read_text(encoding="utf-8")


def test_json_has_the_shape_of_every_task(tmp_path: Path) -> None:
    found = json.loads(document(agree(wide(20)), tmp_path), parse_constant=not_json)
    assert found["task"] == "agreement"
    assert found["data"]["roles"] == {"raters": "ann, ben, eva"}
    table = {"a": ["x", "y"], "b": ["x", "x"]}
    other = json.loads(document(adjudge.evaluate(table, reference="a", prediction="b", replicates=100), tmp_path))
    assert found.keys() == other.keys()
    for part in ("results", "data", "settings"):
        one, two = (document[part][0] if part == "results" else document[part] for document in (found, other))
        assert one.keys() == two.keys()


@pytest.mark.parametrize("measurement", ["nominal", "sets"])
def test_a_crowd_of_whom_each_rates_once(measurement: str) -> None:
    """What grows with every two raters, and not with every two who met, takes gigabytes here."""
    crowd = range(600)
    said = np.random.default_rng(5).choice(["a", "b", "c"], 600).tolist()
    table = {"item": [f"i{n % 100}" for n in crowd], "rater": [f"r{n}" for n in crowd], "rating": said}
    started = time.monotonic()
    e = agree(table, **IN_ROWS, measurement=measurement, replicates=100)
    assert time.monotonic() - started < 30
    assert next(iter(e.table)).n == 100
    if measurement == "nominal":
        vectors = RatingVectors.of_arrays([said[n::100] for n in range(100)], None)
        assert len(vectors.met) == len(vectors.pairs) == 15
        assert e["krippendorff_alpha"].value == pytest.approx(metrics.krippendorff_alpha.values(vectors.patterns))


def test_raters_who_never_met_leave_the_mean_kappa_as_it_is() -> None:
    rows = [["a", "a", None, None], ["b", "a", None, None], ["b", "b", None, None], [None, None, "a", "b"]]
    vectors = RatingVectors.of_arrays(rows, None)
    assert vectors.met == [(0, 1), (2, 3)]
    both = [metrics.light_kappa([[row[place] for place in pair] for row in rows]) for pair in vectors.met]
    assert metrics.light_kappa(rows) == pytest.approx(np.mean(both))
    assert math.isnan(metrics.light_kappa([["a", None], [None, "b"]]))


@pytest.mark.parametrize(
    ("cells", "given"),
    [
        (["x", "y"], {}),
        ([str(n / 7) for n in range(120)], {"measurement": "interval"}),
        (["x", "x|y"], {"measurement": "sets"}),
        (["B-x O", "O O"], {"measurement": "spans"}),
    ],
)
def test_a_rater_without_ratings_is_said_and_not_counted(cells: list[str], given: dict[str, Any]) -> None:
    rows = (cells * 60)[:120]
    table = {"a": rows, "b": [*rows[:110], *rows[:10]], "c": [None] * len(rows)}
    made = adjudge.agreement(table, raters=["a", "b", "c"], replicates=100, **given)
    assert str(made).startswith("Agreement · 2 raters ·")
    assert 'No item is rated by "c". Is it the right column? Otherwise leave it out.' in [
        check.sentence for check in made.checks if (check.key, check.severity) == ("C7", "remark")
    ]
