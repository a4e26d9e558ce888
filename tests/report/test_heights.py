"""However much there is to show, the page is short before it is opened: measured in a real browser, on real results."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browsing import Visit

import adjudge
from adjudge.cli.demo import demos

pytestmark = pytest.mark.browser

MOST, ROWS = 2_500, 1_000  # pixels, on a desk and on a phone
DESK, PHONE = 1300, 400


def answered(random: np.random.Generator, truth: Any, labels: int, right: float) -> Any:
    return np.where(random.random(len(truth)) < right, truth, random.integers(0, labels, len(truth)))


def classes() -> adjudge.Evaluation:
    random = np.random.default_rng(1)
    truth = random.integers(0, 10, ROWS)
    table = {"y": truth.astype(str), "guess": answered(random, truth, 10, 0.7).astype(str)}
    return adjudge.evaluate(table, reference="y", prediction="guess", replicates=100)


def slices() -> adjudge.Evaluation:
    random = np.random.default_rng(2)
    truth, place = random.integers(0, 2, ROWS), random.integers(0, 50, ROWS)
    guess = np.where(place == 7, 1 - truth, answered(random, truth, 2, 0.7))
    table = {"y": truth.astype(str), "guess": guess.astype(str), "place": [f"place {one}" for one in place]}
    return adjudge.evaluate(table, reference="y", prediction="guess", slices="place", replicates=100)


def systems() -> adjudge.Evaluation:
    random = np.random.default_rng(3)
    truth = random.integers(0, 3, ROWS)
    names = [f"system {place}" for place in range(12)]
    answers = {name: answered(random, truth, 3, 0.4 + place / 30).astype(str) for place, name in enumerate(names)}
    return adjudge.evaluate({"y": truth.astype(str), **answers}, reference="y", prediction=names, replicates=100)


def both() -> adjudge.Evaluation:
    """Two systems, eleven labels and fifty slices: every block of the first screen is there, and long."""
    random = np.random.default_rng(5)
    truth, place = random.integers(0, 11, ROWS), random.integers(0, 50, ROWS)
    table = {
        "y": [f"topic {one}" for one in truth],
        "old": [f"topic {one}" for one in answered(random, truth, 11, 0.7)],
        "new": [f"topic {one}" for one in answered(random, truth, 11, 0.75)],
        "place": [f"place {one}" for one in place],
    }
    return adjudge.evaluate(table, reference="y", prediction=["old", "new"], slices="place", replicates=100)


def words() -> adjudge.Evaluation:
    """Two systems and four labels that are words: a matrix with every margin beside it."""
    random = np.random.default_rng(6)
    truth, names = random.integers(0, 4, ROWS), np.array(["delivery", "billing", "account", "refund"])
    table = {"y": names[truth], "place": random.choice(["north", "south"], ROWS)}
    table |= {name: names[answered(random, truth, 4, right)] for name, right in (("pred_old", 0.7), ("pred_new", 0.8))}
    return adjudge.evaluate(table, reference="y", prediction=["pred_old", "pred_new"], slices="place", replicates=100)


def raters() -> adjudge.Evaluation:
    random = np.random.default_rng(4)
    truth = random.integers(0, 4, 200)
    columns = {}
    for place in range(40):
        given = answered(random, truth, 4, 0.1 if place in (6, 18) else 0.85).astype(str).astype(object)
        given[random.random(200) > 0.15] = None
        columns[f"w{place:02d}"] = given.tolist()
    return adjudge.agreement(columns, raters=list(columns), replicates=100)


def measured(browser: Any, page: Path, width: int) -> int:
    """The height of a closed page, which must not scroll sideways."""
    visit = Visit(browser, page, width)
    try:
        assert not visit.sideways
        return visit.height
    finally:
        visit.close()


@pytest.mark.parametrize("made", [classes, slices, systems, both, words, raters], ids=lambda made: made.__name__)
def test_a_closed_page_is_short(made: Callable[[], adjudge.Evaluation], browser: Any, tmp_path: Path) -> None:
    page = made().report(tmp_path / "page.html")
    assert {width: height for width in (DESK, PHONE) if (height := measured(browser, page, width)) > MOST} == {}


@pytest.mark.parametrize("width", [DESK, 1100])
def test_no_column_of_a_block_is_out_of_sight(width: int, browser: Any, tmp_path: Path) -> None:
    visit = Visit(browser, words().report(tmp_path / "page.html"), width)
    hidden = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"
    assert visit.page.locator(".block .scroll:visible").evaluate_all(hidden) == []
    visit.close()


@pytest.mark.parametrize("task", demos())
def test_the_page_of_a_demonstration_is_short(task: str, browser: Any, tmp_path: Path) -> None:
    demo = demos()[task]
    with as_file(files("adjudge") / "demo" / demo.file) as table:
        page = adjudge.evaluate(table, task=task, replicates=100, **demo.given).report(tmp_path / "page.html")
    assert {width: height for width in (DESK, PHONE) if (height := measured(browser, page, width)) > MOST} == {}


@pytest.mark.parametrize("width", [DESK, PHONE])
@pytest.mark.parametrize("made", [slices, raters], ids=["a grid of slices", "a grid with strips"])
def test_strips_stand_under_their_ticks_and_readings_in_sight(
    made: Callable[[], adjudge.Evaluation], width: int, browser: Any, tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    made().report(file)
    visit = Visit(browser, file, width, scheme="dark")
    ends = "one => { const box = one.getBoundingClientRect(); return [Math.round(box.left), Math.round(box.right)] }"
    for table in visit.page.locator(".block > .list table:has(svg.ticks)").all():
        axis = table.locator("svg.ticks").evaluate(ends)
        assert table.locator("svg.strip").first.evaluate(ends) == axis
    marks = visit.page.locator(".block tbody .mark:visible").evaluate_all(f"all => all.map({ends})")
    assert marks
    assert max(right for _, right in marks) <= width, "no reading is cut at the edge"
    visit.close()
