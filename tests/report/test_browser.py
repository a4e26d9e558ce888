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
        "all => all.map(one => one.querySelectorAll('svg .mark-group path, svg .mark-rule line').length)",
    )
    assert all(drawn), drawn
    scripts = visit.page.eval_on_selector_all("script", "all => all.filter(one => one.type === '').length")
    assert scripts == (2 if drawn else 0)
    visit.page.context.close()


def test_it_fits_a_phone(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(html.render(examples.hostile()), encoding="utf-8")
    visit = Visit(browser, file, width=390)
    width = visit.page.evaluate("document.documentElement.scrollWidth")
    assert visit.said == []
    assert width <= 390
    visit.page.context.close()


def test_a_script_that_slipped_in_would_not_run(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    page = html.render(examples.undefined()).replace("</main>", "<script>alert(1)</script></main>")
    file.write_text(page, encoding="utf-8")
    visit = Visit(browser, file)
    assert not any(said.startswith("dialog") for said in visit.said)
    visit.page.context.close()
