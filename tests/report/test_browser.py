"""The report in a real browser, offline: it draws, keeps silent, and no label runs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import examples
import pytest

from adjudge.report import html

pytestmark = pytest.mark.browser

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser test ran")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser installed (looked for {', '.join(NAMES)}): the report was not opened in one")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


class Visit:
    """One report opened offline, with everything it said and asked for."""

    def __init__(self, browser: Any, file: Path, width: int = 1200) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page = browser.new_context(offline=True, viewport={"width": width, "height": 900}).new_page()
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(f"page error: {error}"))
        self.page.on("dialog", self._dialog)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())
        if self.page.query_selector(".chart"):
            self.page.wait_for_selector("html[data-drawn]", state="attached", timeout=30_000)

    def _dialog(self, dialog: Any) -> None:
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()


@pytest.mark.parametrize("name", list(examples.ALL))
def test_it_draws_every_chart_and_asks_for_nothing(browser: Any, tmp_path: Path, name: str) -> None:
    file = tmp_path / "report.html"
    file.write_text(html.render(examples.ALL[name]()), encoding="utf-8")
    visit = Visit(browser, file)
    assert visit.said == []
    assert [url for url in visit.asked if not url.startswith(("data:", "blob:"))] == [file.as_uri()]
    drawn = visit.page.eval_on_selector_all(
        ".chart",
        "all => all.map(one => one.querySelectorAll('.mark-group path, .mark-rule line, .mark-rect path').length)",
    )
    assert all(drawn), drawn
    scripts = visit.page.eval_on_selector_all("script", "all => all.filter(one => one.type === '').length")
    assert scripts == (2 if drawn else 0)
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
