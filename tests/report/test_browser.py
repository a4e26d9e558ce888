"""The report in a real browser, offline: it draws, keeps silent, and no label runs."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import examples
import pytest
from tests.browsing import Visit

import adjudge
from adjudge.cli.demo import demos
from adjudge.report import html
from adjudge.report.summary import Summary

pytestmark = pytest.mark.browser


@pytest.fixture
def visited(browser: Any, tmp_path: Path) -> Any:
    """Opens a report; leaves it when the test is over."""
    visits: list[Visit] = []

    def opened(summary: Summary, width: int = 1300, **more: Any) -> Visit:
        file = tmp_path / "report.html"
        file.write_text(html.render(summary), encoding="utf-8")
        visits.append(Visit(browser, file, width, **more))
        return visits[-1]

    yield opened
    for visit in visits:
        visit.close()


@pytest.mark.parametrize("name", list(examples.ALL))
def test_it_draws_every_chart_and_asks_for_nothing(visited: Any, name: str) -> None:
    visit = visited(examples.ALL[name]())
    assert visit.count(".chart svg") == 0, "nothing is drawn before its fold opens"
    visit.unfold()
    visit.assert_quiet()
    marks = "'.mark-group path, .mark-rule line, .mark-rect path'"
    drawn = visit.page.eval_on_selector_all(".chart", f"all => all.map(one => one.querySelectorAll({marks}).length)")
    assert all(drawn), drawn
    scripts = visit.page.eval_on_selector_all("script", "all => all.filter(one => one.type === '').length")
    assert scripts == (3 if drawn else 1), "what sorts and opens; the drawing library and its call"


@pytest.mark.parametrize("width", [1280, 390])
def test_no_title_of_a_picture_lies_under_its_buttons(visited: Any, width: int) -> None:
    titles = ["Difference of standardized means by first language, engine · raw", "length_of_the_answer_in_words" * 3]
    forests = [replace(examples.estimates(["ann", "ben"]), title=title) for title in titles]
    shown = examples.agreement()
    visit = visited(replace(shown, panels=replace(shown.panels, forests=forests)), width)
    visit.unfold()
    above = """all => all.filter(plate => {
        const text = document.createRange(), title = plate.querySelector("h3"), tools = plate.querySelector(".tools");
        if (!tools) return false;
        text.selectNodeContents(title);
        const [first, last] = [tools.firstElementChild, tools.lastElementChild].map(one => one.getBoundingClientRect());
        return [...text.getClientRects()].some(line => line.right > first.left && line.top < last.bottom - 6);
    }).map(plate => plate.querySelector("h3").textContent)"""
    assert visit.count(".plate .tools") > len(titles)
    assert visit.page.eval_on_selector_all(".plate", above) == []


def test_axe_finds_nothing_in_all_that_can_be_opened(visited: Any) -> None:
    visit = visited(examples.topics())
    visit.unfold()
    assert visit.violations() == []
    assert not visit.sideways


def test_axe_finds_nothing_in_the_dark_on_a_phone(visited: Any) -> None:
    visit = visited(examples.hostile(), 400, scheme="dark")
    assert visit.violations() == []
    visit.unfold()
    assert not visit.sideways


def test_it_is_short_before_it_is_opened(visited: Any) -> None:
    names = [f"class {i}" for i in range(12)]
    summary = replace(examples.agreement(), answer=examples.answer(names), slices=examples.topics().slices)
    visit = visited(summary)
    assert visit.height <= 2000
    top, bottom = visit.page.evaluate("[document.querySelector('h1'), document.querySelector('.evidence tr.whole')]"
                                      ".map(one => one.getBoundingClientRect().bottom)")  # fmt: skip
    assert top < bottom < 900, "the verdict and the first row of the evidence are seen without scrolling"
    visit.page.set_viewport_size({"width": 400, "height": 900})
    assert not visit.sideways


def test_a_link_opens_its_fold_and_draws_its_charts(visited: Any) -> None:
    visit = visited(examples.topics(), hash="#curves")
    assert visit.page.evaluate("document.querySelector('#curves').open")
    visit.drawn("document.querySelector('#curves')")
    assert visit.count("#curves .chart svg") > 0
    assert visit.count("#confusion .chart svg") == 0
    assert visit.page.evaluate("document.querySelector('#curves').getBoundingClientRect().top") < 900


def test_tables_sort_filter_and_copy(visited: Any) -> None:
    visit = visited(examples.agreement(), hash="#to-act-on")
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hardest, tests, changed = visit.page.query_selector_all("#to-act-on .list")
    assert tests.query_selector("input") is None, "a short table has no filter"

    def items(place: Any) -> list[str]:
        return place.eval_on_selector_all("tbody tr:not([hidden]) th", "all => all.map(one => one.textContent)")

    hardest.query_selector("th:nth-child(4) button").press("Enter")
    assert items(hardest) == ["doc-9", "doc-4", "doc-17", "doc-1032"]
    hardest.query_selector("th:nth-child(4) button").press("Enter")
    assert items(hardest)[:3] == ["doc-1032", "doc-17", "doc-4"]
    assert hardest.query_selector("th[aria-sort=descending]") is not None
    changed.query_selector("input").fill("doc-7")
    assert items(changed) == ["doc-7", *(f"doc-7{i}" for i in range(10))]
    assert changed.query_selector("[role=status]").inner_text() == "11 of 85 rows"
    hardest.query_selector(".copy").click()
    rows = visit.page.evaluate("navigator.clipboard.readText()").split("\r\n")
    assert rows[0] == "item,text,ratings,disagreement,given"
    assert rows[-2].startswith("doc-9,No opinion.,12345,<0.001,")
    tests.query_selector(".copy").click()
    assert "same use of categories,17.31," in visit.page.evaluate("navigator.clipboard.readText()")


def test_a_matrix_is_copied_in_the_order_of_its_columns(visited: Any) -> None:
    visit = visited(examples.topics())
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    shown = visit.page.query_selector(".block .list:has(.matrix)")
    assert shown.query_selector("th button") is None, "sorting its rows would part them from its columns"
    shown.query_selector(".copy").click()
    head, *rows = visit.page.evaluate("navigator.clipboard.readText()").strip().split("\r\n")
    names = [row.split(",")[0] for row in rows]
    assert head.split(",")[1 : len(names) + 1] == names


def tables_of_pictures(visit: Any) -> dict[str, list[list[str]]]:
    """What the button of each chart copies, by the chart's title."""
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.unfold()
    copied = {}
    for plate in visit.page.query_selector_all("figure.plate"):
        plate.query_selector(":scope > .tools .copy").click()
        text = visit.page.evaluate("navigator.clipboard.readText()")
        copied[plate.query_selector("h3").inner_text()] = list(csv.reader(io.StringIO(text)))
    return copied


@pytest.mark.parametrize("task", demos())
def test_every_picture_can_be_taken_as_a_table(task: str, visited: Any) -> None:
    demo = demos()[task]
    with as_file(files("adjudge") / "demo" / demo.file) as table:
        visit = visited(adjudge.evaluate(table, task=task, replicates=100, **demo.given).summary)
    copied = tables_of_pictures(visit)
    visit.assert_quiet()
    assert [title for title, rows in copied.items() if len(rows) < 2 or not all(rows[0])] == []
    assert len(copied) == visit.count(".chart")


def test_the_table_of_a_picture_has_every_cell_and_no_zero_for_what_is_undefined(visited: Any) -> None:
    panel = examples.agreement().panels.matrices[0]
    copied = tables_of_pictures(visited(examples.agreement()))
    head, *rows = copied[panel.title]
    assert head == ["row", "column", "value", "interval", "n"]
    assert {(row[0], row[1]) for row in rows} == {(a, b) for a in panel.rows for b in panel.columns}
    told = {(row[0], row[1]): row[2] for row in rows}
    for a, values in zip(panel.rows, panel.values, strict=True):
        for b, value in zip(panel.columns, values, strict=True):
            assert told[a, b] == "" if value is None else float(told[a, b]) == pytest.approx(value, abs=5e-4)


def test_the_table_of_a_picture_has_the_limits_of_a_band_and_the_rows_of_a_bar(visited: Any) -> None:
    copied = tables_of_pictures(visited(examples.binary()))
    curve = next(rows for title, rows in copied.items() if title.startswith("ROC"))
    assert curve[0] == ["curve", "False positive rate", "Recall", "from", "to", "at threshold"]
    assert curve[1][-1] == "", "no threshold takes nothing"
    bars = next(rows for title, rows in copied.items() if title.startswith("Scores"))
    assert bars[0] == ["series", "from", "to", "rows", "share"]
    assert float(bars[1][3]) > 0


def test_what_is_copied_is_no_formula(visited: Any) -> None:
    visit = visited(examples.hostile(), hash="#to-act-on")
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit.page.query_selector("#to-act-on .copy").click()
    assert ",'=cmd|' /C calc'!A0\r\n" in visit.page.evaluate("navigator.clipboard.readText()")


def test_without_a_script_everything_but_charts_is_there(visited: Any) -> None:
    visit = visited(examples.topics(), script=False)
    assert visit.page.locator("h1").is_visible()
    assert visit.page.locator(".evidence svg.strip").first.is_visible()
    assert visit.page.locator("button").count() == 0
    visit.page.locator("#metrics > summary").click()
    assert visit.page.locator("#metrics table").first.is_visible()
    assert not visit.sideways


def test_paper_is_light_and_shows_open_folds(visited: Any) -> None:
    visit = visited(examples.topics(), scheme="dark", hash="#metrics")
    assert visit.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 21, 27)"
    visit.page.emulate_media(media="print", color_scheme="dark")
    assert visit.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not visit.page.locator(".tools").first.is_visible()
    assert visit.page.locator("#metrics table").first.is_visible()
    assert not visit.page.locator("#how .facts").is_visible()


def test_the_keyboard_skips_to_the_answer(visited: Any) -> None:
    visit = visited(examples.topics())
    visit.page.keyboard.press("Tab")
    assert visit.page.evaluate("document.activeElement.textContent") == "Skip to the answer"
    visit.page.keyboard.press("Enter")
    assert visit.page.evaluate("document.activeElement.id") == "answer"


def test_a_cell_tells_its_interval_even_under_its_text(visited: Any) -> None:
    visit = visited(examples.agreement(), hash="#comparisons")
    visit.drawn("document.querySelector('#comparisons')")
    text = visit.page.locator("#comparisons .chart.wide").first.get_by_text("0.92").first
    text.scroll_into_view_if_needed()
    box = text.bounding_box()
    visit.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    told = visit.page.locator("#vg-tooltip-element.visible").inner_text()
    assert "[0.860, 0.970]" in told
    assert "393" in told


def test_a_saved_picture_takes_its_colours_along(visited: Any) -> None:
    visit = visited(examples.binary(), hash="#confusion")
    visit.drawn("document.querySelector('#confusion')")
    with visit.page.expect_download() as caught:
        visit.page.locator("#confusion .plate > .tools button").first.click()
    picture = Path(caught.value.path()).read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert "var(--" not in picture
    assert "26, 95, 180" in picture or "#1a5fb4" in picture


def test_a_script_that_slipped_in_would_not_run(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    page = html.render(examples.undefined()).replace("</main>", "<script>alert(1)</script></main>")
    file.write_text(page, encoding="utf-8")
    visit = Visit(browser, file)
    assert not any(said.startswith("dialog") for said in visit.said)
    visit.close()
