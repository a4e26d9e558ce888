"""A report opened offline in a real browser, with everything it said and asked for."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

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


def opened_browser() -> Iterator[Any]:
    """A browser while it is needed; without one the test is skipped, with a reason."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser test ran")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser installed (looked for {', '.join(NAMES)}): the report was not opened in one")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


class Visit:
    """One report, drawn."""

    def __init__(self, browser: Any, file: Path, width: int = 1200) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        self.file = file
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

    def assert_quiet(self) -> None:
        """Nothing was said, and nothing but the file itself was asked for."""
        assert self.said == []
        assert [url for url in self.asked if not url.startswith(("data:", "blob:"))] == [self.file.as_uri()]

    def count(self, selector: str) -> int:
        """How many elements there are."""
        return int(self.page.eval_on_selector_all(selector, "all => all.length"))
