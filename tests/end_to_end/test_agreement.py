"""Agreement from the command line: both shapes, every output, and hostile names in a real browser."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browsing import Visit

import adjudge

HOSTILE = ["</script><script>alert(1)</script>", "😀 eva", "=cmd()|' /C calc'!A0", 'a,b;"c"', "r1"]
LABELS = ["</td><img src=x onerror=alert(2)>", "🐸", "=1+1", "NULL?"]


def ratings(raters: list[str], labels: list[str], items: int = 60) -> list[dict[str, str]]:
    """One row for each item; a seventh of the ratings is missing."""
    random = np.random.default_rng(4)
    rows = []
    for row in range(items):
        truth = int(random.integers(len(labels)))
        said = [truth if random.random() < 0.75 else int(random.integers(len(labels))) for _ in raters]
        kept = random.random(len(raters)) > 1 / 7
        given = {name: labels[code] if keep else "" for name, code, keep in zip(raters, said, kept, strict=True)}
        rows.append({"item": f"<b>{row}</b> & “{row}”", "day": f"day {row // 20}", **given})
    return rows


def write(path: Path, rows: list[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(rows[0]))
        out.writeheader()
        out.writerows(rows)
    return path


def in_rows(rows: list[dict[str, str]], raters: list[str]) -> list[dict[str, str]]:
    return [{"item": row["item"], "rater": name, "rating": row[name]} for row in rows for name in raters if row[name]]


def results(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))["results"]


def test_both_shapes_and_every_output(tmp_path: Path, adjudge_cli: Any) -> None:
    raters = ["r1", "r2", "r3"]
    rows = ratings(raters, ["1", "2", "3", "4"])
    wide = write(tmp_path / "ratings.csv", rows)
    long = write(tmp_path / "long.csv", in_rows(rows, raters))
    kinds = ("html", "json", "csv", "markdown", "save")
    outputs = [f"--{kind}={tmp_path / 'r'}.{kind}" for kind in kinds]
    said = adjudge_cli(
        "agreement",
        wide,
        "--raters",
        *raters,
        "--item",
        "item",
        "--measurement",
        "ordinal",
        "--replicates",
        200,
        *outputs,
    )
    assert (said.code, said.err) == (0, "")
    assert "the least Krippendorff asks for" in " ".join(said.out.split())
    assert all((tmp_path / f"r.{kind}").stat().st_size > 500 for kind in kinds)
    columns = ("--item", "item", "--rater", "rater", "--rating", "rating")
    other = adjudge_cli(
        "agreement", long, *columns, "--measurement", "ordinal", "--replicates", 200, "--json", tmp_path / "long.json"
    )
    assert (other.code, other.err) == (0, "")
    assert results(tmp_path / "long.json") == results(tmp_path / "r.json")
    door = adjudge.agreement(wide, raters=raters, item="item", measurement="ordinal", replicates=200)
    assert results(door.write_json(tmp_path / "door.json")) == results(tmp_path / "r.json")
    again = adjudge_cli("report", tmp_path / "r.save", "--html", tmp_path / "again.html")
    assert again.code == 0
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "r.html").read_bytes()


def test_the_scale_of_words_comes_from_the_command_line(tmp_path: Path, adjudge_cli: Any) -> None:
    path = write(tmp_path / "words.csv", ratings(["r1", "r2"], ["poor", "fair", "good"]))
    asked = ("agreement", path, "--raters", "r1", "r2", "--measurement", "ordinal", "--replicates", 100)
    said = adjudge_cli(*asked)
    assert (said.code, said.out) == (2, "")
    assert "`--scale` must give the order of labels" in said.err
    said = adjudge_cli(*asked, "--scale", "poor", "fair", "good", "superb", "--quiet", "--json", tmp_path / "w.json")
    assert (said.code, said.err) == (0, "")
    found = json.loads((tmp_path / "w.json").read_text(encoding="utf-8"))
    assert found["settings"]["choices"]["Categories used"] == "3 of 4"


def test_streaming_says_what_it_needs(tmp_path: Path, adjudge_cli: Any) -> None:
    rows = in_rows(ratings(["r1", "r2"], ["x", "y"]), ["r1", "r2"])
    columns = ("--item", "item", "--rater", "rater", "--rating", "rating", "--replicates", 100, "--engine", "stream")
    said = adjudge_cli("agreement", write(tmp_path / "sorted.csv", rows), *columns, "--quiet")
    assert (said.code, said.err) == (0, "")
    rows.sort(key=lambda row: row["rater"])
    said = adjudge_cli("agreement", write(tmp_path / "by rater.csv", rows), *columns, "--quiet")
    assert (said.code, said.out) == (2, "")
    assert said.err.endswith("come again later. Sort the table by item, or use --engine memory.\n")


@pytest.mark.browser
def test_no_name_runs_and_nothing_is_asked_for(browser: Any, tmp_path: Path, adjudge_cli: Any) -> None:
    path, file = write(tmp_path / "r.csv", ratings(HOSTILE, LABELS)), tmp_path / "report.html"
    asked = ("--raters", *HOSTILE, "--item", "item", "--batch", "day", "--model", "r1", "--replicates", 200)
    said = adjudge_cli("agreement", path, *asked, "--quiet", "--html", file)
    assert (said.code, said.err) == (0, "")
    visit = Visit(browser, file)
    visit.unfold()
    visit.assert_quiet()
    text = visit.page.evaluate("document.body.textContent")
    for shown in (*HOSTILE, *LABELS, "Adjudication queue", "Can r1 stand in for a human?", "day 2"):
        assert shown in text, shown
    assert visit.count(".chart svg") >= 5
    assert visit.count("img[src='x']") == 0
    visit.page.context.close()


def test_names_come_back_from_csv_as_they_were(tmp_path: Path, adjudge_cli: Any) -> None:
    path = write(tmp_path / "r.csv", ratings(HOSTILE, LABELS))
    out = tmp_path / "table.csv"
    said = adjudge_cli("agreement", path, "--raters", *HOSTILE, "--replicates", 100, "--quiet", "--csv", out)
    assert (said.code, said.err) == (0, "")
    with out.open(encoding="utf-8", newline="") as file:
        systems = {row["system"] for row in csv.DictReader(file)}
    assert {f"{HOSTILE[0]} × {HOSTILE[1]}", f"{HOSTILE[2]} × {HOSTILE[3]}"} <= systems
