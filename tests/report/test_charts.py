"""Every chart is valid Vega-Lite, draws, and stays small."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
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


def test_every_chart_follows_the_schema(summary: Summary) -> None:
    altair = pytest.importorskip("altair")
    for figure in figures(summary):
        altair.Chart.from_dict(figure.spec, validate=True)


@pytest.mark.parametrize("name", ["binary", "topics", "agreement", "hostile"])
def test_every_chart_draws_marks(name: str) -> None:
    vl_convert = pytest.importorskip("vl_convert")
    drawn = figures(examples.ALL[name]())
    assert drawn
    for figure in drawn:
        picture = vl_convert.vegalite_to_svg(figure.spec)
        assert picture.startswith("<svg")
        assert re.search(r'aria-roledescription="[a-z ]*mark"', picture), figure.title
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


def test_many_levels_are_cut_to_the_largest_and_the_note_says_so() -> None:
    figure = charts.forest_figure(examples.forest("source", "F1", 90, [""]))
    assert len(figure.spec["params"][0]["value"]) == 61
    assert "60 largest of 90" in figure.note


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
