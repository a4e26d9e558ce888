"""A report opened offline in a real browser, with everything it said and asked for."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
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


@contextmanager
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
    """One report, as it opens: every fold closed."""

    def __init__(
        self, browser: Any, file: Path, width: int = 1300, *, scheme: str = "light", hash: str = "", script: bool = True
    ) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        self.file = file
        view = {"width": width, "height": 900}
        context = browser.new_context(offline=True, viewport=view, color_scheme=scheme, java_script_enabled=script)
        self.page = context.new_page()
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(f"page error: {error}"))
        self.page.on("dialog", self._dialog)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri() + hash)

    def _dialog(self, dialog: Any) -> None:
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def unfold(self) -> None:
        """Open every fold, and wait until its charts are drawn."""
        self.page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
        self.drawn("document")

    def drawn(self, root: str) -> None:
        """Wait until all charts inside are drawn."""
        every = (
            f"[...{root}.querySelectorAll('.chart')].every(chart => ['yes', 'failed'].includes(chart.dataset.drawn))"
        )
        self.page.wait_for_function(every, timeout=60_000)

    @property
    def height(self) -> int:
        """How long the page is."""
        return int(self.page.evaluate("document.body.scrollHeight"))

    @property
    def sideways(self) -> bool:
        """Whether the page scrolls sideways."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))

    def violations(self) -> list[str]:
        """What axe-core finds wrong for people who cannot see, point or tell colours apart."""
        script = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
        self.page.evaluate(script)
        found = self.page.evaluate("axe.run({exclude: [['.chart svg *']]}, {resultTypes: ['violations']})")
        return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]

    def assert_quiet(self) -> None:
        """Nothing was said, and nothing but the file itself was asked for."""
        assert self.said == []
        assert [url for url in self.asked if not url.startswith(("data:", "blob:"))] == [self.file.as_uri()]

    def count(self, selector: str) -> int:
        """How many elements there are."""
        return int(self.page.eval_on_selector_all(selector, "all => all.length"))

    def close(self) -> None:
        """Leave the page."""
        self.page.context.close()
