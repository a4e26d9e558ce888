"""The report of a file full of hostile labels, opened offline in a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.end_to_end.messy import SETTINGS, write_csv

pytestmark = pytest.mark.browser

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
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


def test_no_label_runs_and_nothing_is_asked_for(browser: Any, tmp_path: Path, adjudge_cli: Any) -> None:
    file = tmp_path / "report.html"
    said = adjudge_cli("classification", write_csv(tmp_path), *SETTINGS, "--quiet", "--html", file)
    assert (said.code, said.err) == (0, "")
    heard: list[str] = []
    asked: list[str] = []
    page = browser.new_context(offline=True).new_page()
    page.on("console", lambda message: heard.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: heard.append(f"page error: {error}"))
    page.on("dialog", lambda dialog: (heard.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-drawn]", state="attached", timeout=30_000)
    assert heard == []
    assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [file.as_uri()]
    text = page.evaluate("document.body.textContent")
    for shown in ("</script><script>alert(1)</script>", "🐸", "St. Ives", "(missing)", "😀 yes", "is not a number"):
        assert shown in text
    assert page.eval_on_selector_all(".chart svg", "all => all.length") > 0
    page.context.close()
