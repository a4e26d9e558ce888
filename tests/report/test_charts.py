"""Every chart is valid Vega-Lite, draws, and stays small."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import examples
import pytest

from adjudge.report import charts
from adjudge.report.charts import Figure
from adjudge.report.charts.figure import MOST_POINTS, thinned
from adjudge.report.summary import SliceGroup, Summary


def figures(summary: Summary) -> list[Figure]:
    panels = summary.panels
    return [
        *map(charts.forest_figure, summary.slices),
        *charts.roc_figures(panels.curves),
        *charts.precision_recall_figures(panels.curves),
        *charts.threshold_figures(panels.thresholds),
        *charts.calibration_figures(panels.calibrations),
        *charts.score_figures(panels.scores),
        *charts.confusion_figures(panels.confusions),
        *(charts.matrix_figure(panel) for panel in panels.matrices if panel.rows),
        *(charts.estimates_figure(panel) for panel in panels.forests if panel.lines),
        *(charts.bar_figure(panel) for panel in panels.bars if panel.series),
    ]


def with_few_rows(spec: Any) -> Any:
    """The same chart of its first rows: to the schema a row is any object, and each costs as much as a mark."""
    if isinstance(spec, dict):
        return {name: part[:3] if name == "values" else with_few_rows(part) for name, part in spec.items()}
    return [with_few_rows(part) for part in spec] if isinstance(spec, list) else spec


def test_every_chart_follows_the_schema(summary: Summary) -> None:
    altair = pytest.importorskip("altair")
    for figure in figures(summary):
        altair.Chart.from_dict(with_few_rows(figure.spec), validate=True)


@pytest.mark.parametrize("name", ["binary", "topics", "agreement", "hostile"])
def test_every_chart_draws_marks(name: str) -> None:
    vl_convert = pytest.importorskip("vl_convert")
    drawn = figures(examples.ALL[name]())
    assert drawn
    for figure in drawn:
        picture = vl_convert.vegalite_to_svg(figure.spec)
        assert picture.startswith("<svg")
        assert re.search(r'aria-roledescription="([a-z ]*mark|bar)"', picture), figure.title
        assert "NaN" not in picture


def test_charts_hold_plain_finite_json(summary: Summary) -> None:
    for figure in figures(summary):
        json.dumps(figure.spec, allow_nan=False).encode()


def test_charts_ask_the_network_for_nothing(summary: Summary) -> None:
    for figure in figures(summary):
        keys = {key for key, _ in walk(figure.spec)}
        assert "url" not in keys
        assert "href" not in keys


def walk(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner
            yield from walk(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner)


def drawn_on_axes(
    part: Any, rows: list[dict[str, Any]], folds: dict[str, list[str]]
) -> Iterator[tuple[list[float], float]]:
    """The ends of every axis that has them, with each value that is drawn on it."""
    rows = part["data"]["values"] if "data" in part else rows
    folds = folds | {one["as"][1]: one["fold"] for one in part.get("transform", []) if "fold" in one}
    for name, channel in part.get("encoding", {}).items():
        ends = channel.get("scale", {}).get("domain") if isinstance(channel, dict) and channel.get("scale") else None
        if name[0] in "xy" and isinstance(ends, list) and all(isinstance(end, int | float) for end in ends):
            fields = folds.get(channel["field"], [channel["field"]])
            values = [row[field] for row in rows for field in fields if row.get(field) is not None]
            yield from ((ends, value) for value in values)
    for key in ("layer", "hconcat", "vconcat"):
        for inner in part.get(key, []):
            yield from drawn_on_axes(inner, rows, folds)


def test_nothing_is_drawn_beyond_the_ends_of_an_axis(summary: Summary) -> None:
    for figure in figures(summary):
        for ends, value in drawn_on_axes(figure.spec, [], {}):
            assert min(ends) <= value <= max(ends), figure.title


def test_shares_are_drawn_from_nothing_to_all() -> None:
    """So that two pictures can be laid side by side, whatever is seen in one of them."""
    panels = examples.binary().panels
    for figure in (*charts.threshold_figures(panels.thresholds), *charts.roc_figures(panels.curves)):
        ends = [found for found, _ in drawn_on_axes(figure.spec, [], {})]
        assert ends
        assert all(found == [0.0, 1.0] for found in ends), figure.title


def test_a_long_line_is_thinned_and_keeps_its_ends() -> None:
    xs = [i / 10_000 for i in range(10_001)]
    kept = thinned(xs, [x**0.1 for x in xs], MOST_POINTS)
    assert len(kept) <= MOST_POINTS
    assert (kept[0], kept[-1]) == (0, 10_000)
    assert kept == sorted(set(kept))


def test_curves_stay_within_their_points() -> None:
    for figure in charts.roc_figures(examples.binary().panels.curves):
        names = [value["series"] for value in figure.spec["data"]["values"]]
        assert max(names.count(name) for name in set(names)) <= MOST_POINTS


def test_a_level_without_a_value_keeps_its_row() -> None:
    figure = charts.forest_figure(examples.forest("country", "Accuracy", 7, [""]))
    names = figure.spec["params"][0]["value"]
    assert "NA" in names
    assert figure.spec["layer"][1]["encoding"]["y"]["scale"]["domain"] == list(range(len(names)))
    assert "undefined" in figure.note


def test_two_levels_that_read_alike_stay_apart() -> None:
    lines = [examples.line("Accuracy", 0.9), examples.line("Accuracy", 0.8, slice="All rows", n=5)]
    figure = charts.forest_figure(SliceGroup("c", "accuracy", "Accuracy", lines))
    assert [value["row"] for value in figure.spec["data"]["values"]] == [0, 1]


def test_many_levels_are_cut_to_the_worst_and_the_note_says_so() -> None:
    figure = charts.forest_figure(examples.forest("source", "F1", 90, [""]))
    assert len(figure.spec["params"][0]["value"]) == 61
    assert "The first 60 of 90 levels are shown, the worst first." in figure.note


def test_many_categories_are_cut_to_the_largest_and_the_note_says_so() -> None:
    panel = examples.huge().panels.confusions[0]
    (figure,) = charts.confusion_figures([panel])
    assert len(figure.spec["data"]["values"]) == 1600
    assert "40 largest of 300" in figure.note


def test_several_systems_meet_in_one_chart_for_each_category() -> None:
    panels = [examples.curve(system, name, 4, 0.2) for system in "ab" for name in ("x", "y", "z")]
    drawn = charts.roc_figures(panels)
    assert [figure.title for figure in drawn] == ["ROC curve · x", "ROC curve · y", "ROC curve · z"]
    assert {value["series"] for value in drawn[0].spec["data"]["values"]} == {"a", "b"}


def test_a_matrix_says_its_values_and_marks_what_is_missing() -> None:
    panel = examples.matrix(examples.RATERS)
    figure = charts.matrix_figure(panel)
    cells = {(cell["i"], cell["j"]): cell for cell in figure.spec["data"]["values"]}
    assert cells[0, 0]["text"] == "–"
    assert cells[0, 0]["value"] is None
    assert cells[1, 3] == {
        "i": 1,
        "j": 3,
        "value": -0.21,
        "text": "−0.21",
        "said": "−0.210",
        "interval": "[−0.270, −0.160]",
        "n": "372",
    }


def test_a_scale_with_both_signs_diverges_at_zero() -> None:
    panel = examples.matrix(examples.RATERS)
    both = charts.matrix_figure(panel).spec["layer"][1]["encoding"]
    one = charts.matrix_figure(replace(panel, limits=(0.0, 1.0))).spec["layer"][1]["encoding"]
    assert both["fillOpacity"]["scale"]["domain"] == [-1, 0, 1]
    assert both["color"]["condition"]["test"] == "datum.value < 0"
    assert one["fillOpacity"]["scale"]["domain"] == [0, 1]
    assert one["fillOpacity"]["scale"]["clamp"]


def test_a_large_matrix_is_cut_to_the_largest_and_the_note_says_so() -> None:
    figure = charts.matrix_figure(examples.matrix([f"r{i}" for i in range(50)]))
    assert len(figure.spec["data"]["values"]) == 900
    assert "30 × 30 of 50 × 50" in figure.note


def test_estimates_compare_with_a_dashed_rule_and_keep_undefined_rows() -> None:
    panel = examples.estimates(examples.RATERS)
    figure = charts.estimates_figure(panel)
    assert figure.spec["layer"][0]["data"]["values"] == [{"against": 0.731}]
    assert figure.spec["params"][1]["value"] == ["400", "370", "340", "310", "0"]
    assert "dashed line is at 0.731" in figure.note
    assert "undefined there (1)" in figure.note
    assert len(charts.estimates_figure(replace(panel, against=None)).spec["layer"]) == 2


def test_many_series_of_bars_become_a_heat_map() -> None:
    few = charts.bar_figure(examples.bars(["a", "b"], ["x", "y"]))
    many = charts.bar_figure(examples.bars([f"r{i}" for i in range(9)], ["x", "y"]))
    assert few.spec["mark"]["type"] == "bar"
    assert many.spec["layer"][0]["mark"]["type"] == "rect"


def test_series_that_read_alike_stay_apart() -> None:
    figure = charts.bar_figure(examples.bars(["a", "a"], ["x", "y"]))
    assert {value["series"] for value in figure.spec["data"]["values"]} == {"a", "a (2)"}


@pytest.mark.parametrize(("series", "shapes"), [(4, set()), (7, {"circle", "square"})])
def test_points_differ_in_shape_where_colours_repeat(series: int, shapes: set[str]) -> None:
    vl_convert = pytest.importorskip("vl_convert")
    figure = charts.forest_figure(examples.forest("language", "F", 6, [f"s{place}" for place in range(series)]))
    told: Any = figure.spec["layer"]
    encodings = [layer["encoding"] for layer in told]
    points = next(one for one in encodings if "tooltip" in one)
    shaped = points["shape"]["scale"]["range"] if "shape" in points else [""] * series
    looks = [*zip(points["color"]["scale"]["range"], shaped, strict=True)]
    assert len({*looks}) == series
    assert {shape for _, shape in looks} - {""} == shapes
    assert vl_convert.vegalite_to_svg(figure.spec).startswith("<svg")
