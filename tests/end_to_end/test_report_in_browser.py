"""The report of a file full of hostile labels, opened offline in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browsing import Visit
from tests.end_to_end.messy import SETTINGS, write_csv

pytestmark = pytest.mark.browser


def test_no_label_runs_and_nothing_is_asked_for(browser: Any, tmp_path: Path, adjudge_cli: Any) -> None:
    file = tmp_path / "report.html"
    said = adjudge_cli("classification", write_csv(tmp_path), *SETTINGS, "--quiet", "--html", file)
    assert (said.code, said.err) == (0, "")
    visit = Visit(browser, file)
    visit.unfold()
    visit.assert_quiet()
    text = visit.page.evaluate("document.body.textContent")
    for shown in ("</script><script>alert(1)</script>", "🐸", "St. Ives", "(missing)", "😀 yes", "is not a number"):
        assert shown in text
    assert visit.count(".chart svg") > 0
    visit.close()
