"""From a file of annotated pairs to results, exit code and report, on the command line and in a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.browsing import Visit
from tests.tasks.preference.tables import annotated, table_of

HOSTILE = "</script><script>alert(1)</script>"
ASKED = ("--models", "--split", "category", "--replicates", "200", "--quiet")


def write(folder: Path) -> Path:
    file = annotated(table_of(120))
    for place in range(8):
        name = f"t{place}"
        file["annotators"][name] = {"type": "principle", "description": f"Select the response that {HOSTILE} {place}"}
        for row, pair in enumerate(file["comparisons"]):
            pair["annotations"][name] = {"pref": "ab"[(row * (place + 3)) % 2]}
    path = folder / "pairs.json"
    path.write_text(json.dumps(file))
    return path


def test_results_for_programs(tmp_path: Path, adjudge_cli: Any) -> None:
    out = tmp_path / "out.json"
    said = adjudge_cli("preference", write(tmp_path), *ASKED, "--json", out)
    assert (said.code, said.err) == (0, "")
    results = json.loads(out.read_text())
    rows = results["results"]
    systems = {row["system"] for row in rows}
    assert {"AI: is polite", "AI: is polite · Model: m0"} <= systems
    assert {row["slice"] for row in rows} == {"all", "category = chat", "category = code"}
    assert "Default: preferred_text" in json.dumps(results["data"])
    again = tmp_path / "again.json"
    adjudge_cli("preference", write(tmp_path), *ASKED, "--json", again)
    assert out.read_bytes() == again.read_bytes()


def test_a_bad_file_is_one_line_and_exit_code_2(tmp_path: Path, adjudge_cli: Any) -> None:
    path = tmp_path / "pairs.json"
    path.write_text('{"annotators": {"x": {}},\n"comparisons": [{"text_a": 1, "annotations": []}]}')
    said = adjudge_cli("preference", path)
    assert said.code == 2
    assert said.err.startswith("adjudge: ")
    assert "on line 2" in said.err
    assert "Traceback" not in said.err


@pytest.mark.browser
def test_the_page_sorts_and_searches_and_runs_no_label(browser: Any, tmp_path: Path, adjudge_cli: Any) -> None:
    page = tmp_path / "report.html"
    said = adjudge_cli("preference", write(tmp_path), *ASKED, "--html", page)
    assert (said.code, said.err) == (0, "")
    assert "yyyyy" not in page.read_text()  # no text of an answer
    visit = Visit(browser, page)
    visit.unfold()
    visit.assert_quiet()
    # A long command wraps, so that the page never scrolls sideways.
    visit.page.evaluate(
        "document.querySelectorAll('.facts .typed').forEach(one => one.textContent += ' --more'.repeat(99))"
    )
    assert not visit.sideways
    assert HOSTILE in visit.page.evaluate("document.body.textContent")
    for shown in ("Overall statistics", "Win rates", "Does the place decide?", "Is it only the length?"):
        assert shown in visit.page.evaluate("document.body.textContent")
    lists = "[...document.querySelectorAll('.list')]"
    place = f"{lists}.find(list => list.querySelector('h3')?.textContent == 'Does the place decide?')"
    rows = f"[...{place}.querySelectorAll('tbody tr')].filter(row => !row.hidden)"
    names = f"{rows}.map(row => row.cells[1].textContent.trim())"
    visit.page.evaluate(f"{place}.querySelectorAll('thead button')[1].click()")
    shares = [float(one) for one in visit.page.evaluate(names)]
    assert shares == sorted(shares)
    search = f"const search = {place}.querySelector('input')"
    visit.page.evaluate(f"(() => {{ {search}; search.value = 'polite'; search.dispatchEvent(new Event('input')); }})()")
    assert len(visit.page.evaluate(names)) == 1
    visit.page.context.close()
