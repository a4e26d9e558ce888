"""Ranking, uplift and suites from the command line: hostile names, every output, and the reports in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browsing import Visit
from tests.written import csv_file

HOSTILE = ["NA", "01", "</script><script>alert(1)</script>", "🐸 & <b>bold</b>", "o'clock"]


def lists(folder: Path) -> Path:
    """Forty queries, some with names that are markup; two systems, missing scores and judgements."""
    random = np.random.default_rng(5)
    sizes = random.integers(3, 12, 40)
    query = np.repeat(np.arange(40), sizes)
    relevance = random.choice([0, 0, 1, 3], len(query))
    table: dict[str, list[Any]] = {
        "q": [HOSTILE[k] if k < len(HOSTILE) else f"q{k}" for k in query],
        "rel": ["" if random.random() < 0.05 else value for value in relevance.tolist()],
        "new, log": (relevance + random.normal(size=len(query))).round(2).tolist(),
        "</script>old": ["" if random.random() < 0.02 else v for v in random.normal(size=len(query)).round(1).tolist()],
        "kind": [HOSTILE[k % 3] for k in query],
    }
    return csv_file(folder / "lists.csv", table)


def trial(folder: Path) -> Path:
    random = np.random.default_rng(6)
    arm, score = random.integers(0, 2, 400), random.normal(size=400)
    table: dict[str, list[Any]] = {
        "cured": (random.random(400) < 0.3 + 0.3 * arm * (score > 0)).astype(int).tolist(),
        "arm": [HOSTILE[2] if k else "control" for k in arm],
        "</script>model": score.round(3).tolist(),
        "place": [HOSTILE[k % 4] for k in range(400)],
    }
    return csv_file(folder / "trial.csv", table)


def suite(folder: Path) -> Path:
    """A suite whose phenomena, templates and answers are markup; the new system breaks one phenomenon."""
    random = np.random.default_rng(7)
    what, want = random.integers(0, 3, 400), random.integers(0, 2, 400)
    names = np.array(HOSTILE, dtype=object)
    table: dict[str, list[Any]] = {
        "case": [f"{HOSTILE[row % 5]} {row}" for row in range(400)],
        "what": names[what].tolist(),
        "template": [f"{HOSTILE[2]} {what[row]} {row % 12}" for row in range(400)],
        "want": names[want].tolist(),
        "</script>old": names[np.where(random.random(400) < 0.1, 3, want)].tolist(),
        "new": names[np.where(random.random(400) < np.where(what == 2, 0.5, 0.1), 3, want)].tolist(),
    }
    return csv_file(folder / "suite.csv", table)


ASKED = {
    "diagnostic": (
        suite,
        "--case=case",
        "--phenomenon=what",
        "--expect=want",
        "--prediction",
        "</script>old",
        "new",
        "--template=template",
        "--search",
        "what",
        "--search-null=5",
    ),
    "ranking": (lists, "--query=q", "--relevance=rel", "--score", "new, log", "</script>old", "--slices", "kind"),
    "uplift": (trial, "--outcome=cured", "--treatment=arm", "--score", "</script>model", "--slices", "place"),
}


@pytest.mark.parametrize("task", ASKED)
def test_every_output_of_the_command(task: str, tmp_path: Path, adjudge_cli: Any) -> None:
    table, *asked = ASKED[task]
    files = {option: tmp_path / f"out.{option}" for option in ("json", "csv", "html", "md")}
    outputs = ["--json", files["json"], "--csv", files["csv"], "--html", files["html"], "--markdown", files["md"]]
    said = adjudge_cli(task, table(tmp_path), *asked, "--replicates", "100", *outputs)
    assert (said.code, said.err) == (0, "")
    found = json.loads(files["json"].read_text("utf-8"))
    assert found["task"] == task
    systems = {
        "diagnostic": {"</script>old", "new"},
        "ranking": {"new, log", "</script>old"},
        "uplift": {"</script>model"},
    }
    assert {row["system"] for row in found["results"]} == systems[task]
    assert all(path.stat().st_size > 1_000 for path in files.values())
    assert "<script>alert(1)</script>" not in files["html"].read_text("utf-8")


@pytest.mark.browser
@pytest.mark.parametrize("task", ASKED)
def test_the_report_in_a_browser(task: str, browser: Any, tmp_path: Path, adjudge_cli: Any) -> None:
    table, *asked = ASKED[task]
    file = tmp_path / "report.html"
    said = adjudge_cli(task, table(tmp_path), *asked, "--replicates", "100", "--quiet", "--html", file)
    assert (said.code, said.err) == (0, "")
    visit = Visit(browser, file)
    visit.unfold()
    visit.assert_quiet()
    text = visit.page.evaluate("document.body.textContent")
    shown = {
        "ranking": ("NDCG by cut-off", "Hardest queries for", "🐸", "Share of queries"),
        "uplift": ("Uplift curve",),
        "diagnostic": ("Broken cases", "Fixed and broken", "What the suite covers", "Slices that were searched for"),
    }
    for words in (*shown[task], "</script><script>alert(1)</script>", "interval"):
        assert words in text
    assert visit.count(".chart svg") >= {"ranking": 4, "uplift": 3, "diagnostic": 2}[task]
    visit.page.context.close()
