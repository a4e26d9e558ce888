"""The report in a real browser, offline: it draws, keeps silent, and no label runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import examples
import pytest
from tests.browsing import Visit

from adjudge.report import html

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", list(examples.ALL))
def test_it_draws_every_chart_and_asks_for_nothing(browser: Any, tmp_path: Path, name: str) -> None:
    file = tmp_path / "report.html"
    file.write_text(html.render(examples.ALL[name]()), encoding="utf-8")
    visit = Visit(browser, file)
    visit.assert_quiet()
    drawn = visit.page.eval_on_selector_all(
        ".chart",
        "all => all.map(one => one.querySelectorAll('.mark-group path, .mark-rule line, .mark-rect path').length)",
    )
    assert all(drawn), drawn
    scripts = visit.page.eval_on_selector_all("script", "all => all.filter(one => one.type === '').length")
    lists = visit.page.locator(".list").count() > 0
    assert scripts == (2 if drawn else 0) + lists, "the drawing library and its call, and what sorts lists"
    visit.page.context.close()


@pytest.mark.parametrize("name", ["hostile", "agreement"])
def test_it_fits_a_phone(browser: Any, tmp_path: Path, name: str) -> None:
    file = tmp_path / "report.html"
    file.write_text(html.render(examples.ALL[name]()), encoding="utf-8")
    visit = Visit(browser, file, width=390)
    width = visit.page.evaluate("document.documentElement.scrollWidth")
    assert visit.said == []
    assert width <= 390
    visit.page.context.close()


@pytest.mark.parametrize("width", [1200, 390])
def test_the_contents_cover_no_heading(browser: Any, tmp_path: Path, width: int) -> None:
    file = tmp_path / "report.html"
    file.write_text(html.render(examples.agreement()), encoding="utf-8")
    visit = Visit(browser, file, width=width)
    visit.page.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
    for link in visit.page.query_selector_all("nav a"):
        anchor = link.get_attribute("href")
        visit.page.evaluate("anchor => { location.hash = anchor }", anchor)
        top, bar = visit.page.evaluate(
            "anchor => [`${anchor} h2`, 'nav'].map(one => document.querySelector(one).getBoundingClientRect())"
            ".map((box, i) => i ? box.bottom : box.top)",
            anchor,
        )
        assert top >= bar, anchor
    visit.page.context.close()


def test_a_cell_tells_its_interval_even_under_its_text(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(html.render(examples.agreement()), encoding="utf-8")
    visit = Visit(browser, file)
    text = visit.page.locator("#comparisons .chart").first.get_by_text("0.92").first
    text.scroll_into_view_if_needed()
    box = text.bounding_box()
    visit.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    told = visit.page.locator("#vg-tooltip-element.visible").inner_text()
    assert "[0.860, 0.970]" in told
    assert "393" in told
    visit.page.context.close()


def test_a_script_that_slipped_in_would_not_run(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    page = html.render(examples.undefined()).replace("</main>", "<script>alert(1)</script></main>")
    file.write_text(page, encoding="utf-8")
    visit = Visit(browser, file)
    assert not any(said.startswith("dialog") for said in visit.said)
    visit.page.context.close()
