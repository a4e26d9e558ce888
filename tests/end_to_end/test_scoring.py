"""Scoring from the command line: a messy table, hostile slices in a real browser, and RSMTool's configuration."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browsing import Visit

import adjudge

PLACES = ["NA", "None", "01", "1", "St. Ives", "All data", "</script><script>alert(1)</script>", "🐸 & <b>bold</b>", ""]
BAD = {4: ("h1", ""), 9: ("h1", "n/a"), 14: ("h1", "0"), 19: ("h1", "inf"), 24: ("engine", ""), 29: ("engine", "-inf")}
BAD |= {34: ("engine", "#REF!"), 39: ("h2", "absent"), 44: ("h2", "0"), 49: ("h2", "inf"), 54: ("h1", "0.0")}
LEFT_OUT = {
    'human score "h1" is not a number': 1,
    'human score "h1" is missing': 1,
    'human score "h1" is infinite': 1,
    'human score "h1" is zero': 2,
    'system score "engine" is not a number': 1,
    'system score "engine" is missing': 1,
    'system score "engine" is infinite': 1,
}
ASKED = ("--raters", "h1", "h2", "--prediction", "engine", "--slices", "place", "--min", 1, "--max", 6)


def rows(count: int = 270) -> list[dict[str, str]]:
    """Responses with two raters, every third of them scored once, and eleven cells that cannot be used."""
    random = np.random.default_rng(11)
    made = []
    for row in range(count):
        true = random.normal(3.5, 1.1)
        first, second = (int(np.clip(np.rint(true + random.normal(0, 0.5)), 1, 6)) for _ in range(2))
        cells = {
            "id": f"{row:04d}",
            "h1": str(first),
            "h2": str(second) if row % 3 else "",
            "engine": f"{true + random.normal(0.1, 0.4):.4f}",
            "place": PLACES[row % len(PLACES)],
        }
        if row in BAD:
            cells[BAD[row][0]] = BAD[row][1]
        made.append(cells)
    return made


def write(path: Path, table: list[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(table[0]))
        out.writeheader()
        out.writerows(table)
    return path


def configured(folder: Path, **changed: Any) -> Path:
    """A configuration for RSMTool beside its scores; None takes a field away."""
    write(folder / "scores.csv", rows())
    fields = {
        "experiment_id": "essays",
        "predictions_file": "scores.csv",
        "system_score_column": "engine",
        "human_score_column": "h1",
        "second_human_score_column": "h2",
        "id_column": "id",
        "trim_min": 1,
        "trim_max": 6,
        "subgroups": "place",
    }
    kept = {name: value for name, value in (fields | changed).items() if value is not None}
    (folder / "config.json").write_text(json.dumps(kept), encoding="utf-8")
    return folder / "config.json"


def test_a_messy_table_and_every_output(tmp_path: Path, adjudge_cli: Any) -> None:
    path = write(tmp_path / "scores.csv", rows())
    kinds = ("html", "json", "csv", "markdown", "save")
    said = adjudge_cli("scoring", path, *ASKED, "--replicates", 200, *(f"--{k}={tmp_path / 'r'}.{k}" for k in kinds))
    assert (said.code, said.err) == (0, "")
    assert "QWK" in said.out
    assert all((tmp_path / f"r.{kind}").stat().st_size > 500 for kind in kinds)
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    door = adjudge.evaluate(
        path, "scoring", raters=["h1", "h2"], prediction="engine", slices=["place"], min=1, max=6, replicates=200
    )
    assert json.loads(door.write_json(tmp_path / "door.json").read_text(encoding="utf-8")) == found
    again = adjudge_cli("report", tmp_path / "r.save", "--html", tmp_path / "again.html")
    assert again.code == 0
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "r.html").read_bytes()


def test_the_json_says_what_was_evaluated_and_what_was_left_out(tmp_path: Path, adjudge_cli: Any) -> None:
    path, out = write(tmp_path / "scores.csv", rows()), tmp_path / "r.json"
    said = adjudge_cli("scoring", path, *ASKED, "--replicates", 100, "--quiet", "--json", out)
    assert (said.code, said.out, said.err) == (0, "", "")
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["task"] == "scoring"
    assert (found["data"]["rows"], found["data"]["used"]) == (270, 262)
    assert found["data"]["left_out"] == LEFT_OUT
    assert found["data"]["roles"] == {"raters": "h1, h2", "prediction": "engine"}
    assert found["settings"]["choices"]["Human scores of zero"] == "are left out"
    forms = {f"engine · {form}" for form in ("raw", "raw_trim", "raw_trim_round")}
    assert {row["system"] for row in found["results"]} == {*forms, "h1 × h2"}
    levels = {row["slice"] for row in found["results"]}
    assert levels == {"all", *(f"place = {place or '(missing)'}" for place in PLACES)}
    for row in found["results"]:
        assert {"system", "slice", "metric", "estimate", "low", "high", "level", "method", "n", "note"} <= set(row)
    unused = next(panel for panel in adjudge_tables(tmp_path, path) if panel.title == "Ratings that were not used")
    assert dict(unused.rows) == {f'rating "h2" is {what}': 1 for what in ("not a number", "zero", "infinite")}


def adjudge_tables(folder: Path, path: Path) -> list[Any]:
    done = adjudge.evaluate(path, "scoring", raters=["h1", "h2"], prediction="engine", replicates=100)
    return adjudge.load(done.save(folder / "saved.json")).outcome.panels.tables


@pytest.mark.browser
def test_no_slice_runs_and_nothing_is_asked_for(browser: Any, tmp_path: Path, adjudge_cli: Any) -> None:
    path, file = write(tmp_path / "scores.csv", rows()), tmp_path / "report.html"
    said = adjudge_cli("scoring", path, *ASKED, "--replicates", 200, "--quiet", "--html", file)
    assert (said.code, said.err) == (0, "")
    opened(browser, file, [place or "(missing)" for place in PLACES])


@pytest.mark.browser
def test_the_drop_ins_report_opens_too(browser: Any, tmp_path: Path, adjudge_cli: Any) -> None:
    said = adjudge_cli("rsmeval", configured(tmp_path), tmp_path / "out", "--quiet")
    assert said.code == 0
    opened(browser, tmp_path / "out" / "report" / "essays_report.html", [place for place in PLACES if place])


def opened(browser: Any, file: Path, shown: list[str]) -> None:
    """The report draws everything, says nothing on the console and asks nobody."""
    visit = Visit(browser, file)
    visit.unfold()
    visit.assert_quiet()
    text = visit.page.evaluate("document.body.textContent")
    for part in (*shown, "Flags", "undecided", "Conditional score difference by place", "Distribution of scores"):
        assert part in text, part
    assert visit.count(".chart svg") >= 5
    assert visit.page.eval_on_selector_all("main b", "all => all.filter(b => b.textContent == 'bold').length") == 0
    visit.page.context.close()


def test_a_configuration_of_rsmtool(tmp_path: Path, adjudge_cli: Any) -> None:
    out = tmp_path / "out"
    said = adjudge_cli("rsmeval", configured(tmp_path), out)
    assert said.code == 0
    assert "Traceback" not in said.err
    assert all(line.startswith("adjudge: note: ") for line in said.err.splitlines())
    written = sorted((out / "output").iterdir())
    assert f"files: {len(written)} in {out / 'output'}" in said.out
    names = {file.name for file in written}
    for part in ("eval", "eval_short", "consistency", "degradation", "true_score_eval", "eval_by_place", "confMatrix"):
        assert f"essays_{part}.csv" in names
    with (out / "output" / "essays_eval_by_place.csv").open(encoding="utf-8", newline="") as file:
        levels = [line[0] for line in csv.reader(file)][1:]
    assert {"All data", "##All data##", "NA", "None", "01", "1", "St. Ives", PLACES[6]} <= set(levels)
    again = adjudge_cli("rsmeval", tmp_path / "config.json", out)
    assert (again.code, again.out) == (2, "")
    assert again.err.count("\n") == 1
    assert adjudge_cli("rsmeval", "run", tmp_path / "config.json", out, "-f", "--format", "tsv", "--quiet").code == 0
    assert (out / "output" / "essays_eval.tsv").is_file()


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"human_score_column": "h3"}, '"h3"'),
        ({"experiment_id": None}, "`experiment_id`"),
        ({"predictions_file": "nowhere.csv"}, "nowhere.csv"),
        ({"trim_min": 6, "trim_max": 1}, "`trim_m"),
        ({"sub_groups": ["place"]}, '"sub_groups"'),
        ({"file_format": "docx"}, "`file_format`"),
        ({"flag_column": {"place": ["nobody"]}}, "left out"),
    ],
)
def test_a_bad_configuration_is_one_line(changed: dict[str, Any], told: str, tmp_path: Path, adjudge_cli: Any) -> None:
    said = adjudge_cli("rsmeval", configured(tmp_path, **changed), tmp_path / "out")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("adjudge: ")
    assert said.err.count("\n") == 1
    assert told in said.err
    assert not (tmp_path / "out").exists(), "nothing is left behind"


def test_a_configuration_that_is_not_json(tmp_path: Path, adjudge_cli: Any) -> None:
    (tmp_path / "config.json").write_text('{"experiment_id": ', encoding="utf-8")
    for name in ("config.json", "nothing.json"):
        said = adjudge_cli("rsmeval", tmp_path / name, tmp_path / "out")
        assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
        assert name in said.err
