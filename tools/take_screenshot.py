"""Remake docs/images/report.png: the top of the page that `adjudge demo` writes, in a headless browser.

python tools/take_screenshot.py
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from adjudge.cli.main import main

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "report.png"
SIZE = {"width": 1300, "height": 1000}


def take(page: Path, picture: Path) -> None:
    """The first screen of a page as a picture."""
    from playwright.sync_api import sync_playwright

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        tab = opened.new_context(viewport=SIZE, offline=True).new_page()
        tab.goto(page.as_uri())
        tab.screenshot(path=picture)
        opened.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "demo.html"
        code = main(["demo", "--quiet", "--html", str(page)])
        if code:
            sys.exit(code)
        take(page, PICTURE)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size:,} bytes")
