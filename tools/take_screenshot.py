"""Remake the pictures of docs/images: the top of pages that `adjudge demo TASK` writes, in a headless browser.

python tools/take_screenshot.py             all of them
python tools/take_screenshot.py scoring     one task's
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from adjudge.cli.main import main

IMAGES = Path(__file__).parents[1] / "docs" / "images"
PICTURES = {"classification": "report.png", "agreement": "agreement.png", "scoring": "scoring.png"}
SIZE = {"width": 1300, "height": 1000}


def take(pages: dict[Path, Path]) -> None:
    """The first screen of each page as a picture."""
    from playwright.sync_api import sync_playwright

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        for page, picture in pages.items():
            tab = opened.new_context(viewport=SIZE, offline=True).new_page()
            tab.goto(page.as_uri())
            tab.screenshot(path=picture)
            print(f"docs/images/{picture.name}: {picture.stat().st_size:,} bytes")
        opened.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        pages = {}
        for task in sys.argv[1:] or PICTURES:
            page = Path(folder) / f"{task}.html"
            if code := main(["demo", task, "--quiet", "--html", str(page)]):
                sys.exit(code)
            pages[page] = IMAGES / PICTURES[task]
        take(pages)
