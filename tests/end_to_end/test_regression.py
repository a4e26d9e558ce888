"""Regression from the command line: a messy table, every output, and the report in a real browser."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browsing import Visit

import adjudge

PLACES = ["NA", "None", "01", "St. Ives", "</script><script>alert(1)</script>", "🐸 & <b>bold</b>", ""]
SYSTEMS = ["new, log", "</script>old"]
BAD = {3: ("price", ""), 8: ("price", "n/a"), 13: ("price", "inf"), 18: (SYSTEMS[0], ""), 23: (SYSTEMS[0], "-inf")}
BAD |= {28: (SYSTEMS[1], "#REF!"), 33: ("low", ""), 38: ("high", "n/a"), 43: ("low", "1e9"), 48: ("price", "1e99")}
LEFT_OUT = {
    'prediction "</script>old" is not a number': 1,
    'prediction "new, log" is infinite': 1,
    'prediction "new, log" is missing': 1,
    'reference "price" is beyond 1e+50': 1,
    'reference "price" is infinite': 1,
    'reference "price" is missing': 1,
    'reference "price" is not a number': 1,
}
UNUSED = {'lower "low" is missing': 1, 'upper "high" is not a number': 1, 'lower "low" lies above upper "high"': 1}
ASKED = (
    "--reference=price",
    "--system",
    "new",
    f"prediction={SYSTEMS[0]}",
    "lower=low",
    "upper=high",
    "--system",
    "old",
    f"prediction={SYSTEMS[1]}",
    "--slices",
    "place",
)
LINES = [
    "Prediction by reference",
    "Reference by prediction",
    "Residual by reference",
    "Residual by prediction",
    "Are the residuals normal?",
]


def rows(count: int = 280) -> list[dict[str, str]]:
    """Prices that two systems predict, one of them with intervals, and ten cells that cannot be used."""
    random = np.random.default_rng(17)
    table = []
    for row in range(count):
        price = float(random.gamma(4.0, 2.0))
        new, old = 0.9 * price + 0.8 + random.normal(), price + random.standard_t(3)
        cells = {
            "id": f"{row:04d}",
            "price": f"{price:.4f}",
            SYSTEMS[0]: f"{new:.4f}",
            SYSTEMS[1]: f"{old:.3f}",
            "low": f"{new - 2:.3f}",
            "high": f"{new + 2:.3f}",
            "place": PLACES[row % len(PLACES)],
            "home": f"h{row // 2}",
            "weight": str(1 + row % 3),
        }
        if row in BAD:
            cells[BAD[row][0]] = BAD[row][1]
        table.append(cells)
    return table


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    path = tmp_path / "prices.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, list(rows(1)[0]))
        out.writeheader()
        out.writerows(rows())
    return path


def test_a_messy_table_and_every_output(messy: Path, tmp_path: Path, adjudge_cli: Any) -> None:
    kinds = ("html", "json", "csv", "markdown", "save")
    said = adjudge_cli(
        "regression", messy, *ASKED, "--replicates", 200, *(f"--{k}={tmp_path / 'r'}.{k}" for k in kinds)
    )
    assert (said.code, said.err) == (0, "")
    for part in ("old looks worse than new in RMSE", "undecided", "7 left out"):
        assert part in " ".join(said.out.split())  # lines are wrapped
    assert all((tmp_path / f"r.{kind}").stat().st_size > 500 for kind in kinds)
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    systems = {"new": {"prediction": SYSTEMS[0], "lower": "low", "upper": "high"}, "old": SYSTEMS[1]}
    door = adjudge.regression(messy, reference="price", systems=systems, slices=["place"], replicates=200)
    assert json.loads(door.write_json(tmp_path / "door.json").read_text(encoding="utf-8")) == found
    again = adjudge_cli("report", tmp_path / "r.save", "--html", tmp_path / "again.html")
    assert again.code == 0
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "r.html").read_bytes()


def test_the_json_says_what_was_evaluated_and_what_was_left_out(messy: Path, tmp_path: Path, adjudge_cli: Any) -> None:
    out = tmp_path / "r.json"
    said = adjudge_cli("regression", messy, *ASKED, "--replicates", 100, "--quiet", "--json", out)
    assert (said.code, said.out, said.err) == (0, "", "")
    found = json.loads(out.read_text(encoding="utf-8"))
    assert (found["data"]["rows"], found["data"]["used"]) == (280, 273)
    assert found["data"]["left_out"] == LEFT_OUT
    assert found["data"]["roles"] == {
        "reference": "price",
        "prediction": ", ".join(SYSTEMS),
        "lower": "low",
        "upper": "high",
    }
    levels = {row["slice"] for row in found["results"]}
    assert levels == {"all", *(f"place = {place or '(missing)'}" for place in PLACES)}
    for row in found["results"]:
        assert {"system", "slice", "metric", "estimate", "low", "high", "level", "method", "n", "note"} <= set(row)
    coverage = next(row for row in found["results"] if row["metric"] == "interval_coverage")
    assert (coverage["n"], coverage["note"]) == (270, "270 of 273 rows have a prediction interval")


def test_the_long_table_has_every_estimate(messy: Path, tmp_path: Path, adjudge_cli: Any) -> None:
    out = tmp_path / "r.csv"
    weighed = ("--weight", "weight", "--cluster", "home", "--engine", "memory")
    assert adjudge_cli("regression", messy, *ASKED, *weighed, "--replicates", 100, "--quiet", "--csv", out).code == 0
    with out.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert {"rmse", "spearman", "concordance_correlation", "interval_width"} <= {line["metric"] for line in lines}
    methods = [{line["method"] for line in lines if bool(line["baseline"]) == of_two} for of_two in (False, True)]
    paired = {"paired_bootstrap", "square_and_add", "student", "johnson", "guarded_t", "none"}
    assert methods == [{"jackknife_hill", "johnson", "student", "bootstrap", "baseline", "none"}, paired]


def test_a_wrong_column_ends_with_one_line(messy: Path, tmp_path: Path, adjudge_cli: Any) -> None:
    before = sorted(tmp_path.iterdir())
    said = adjudge_cli(
        "regression", messy, "--reference", "prise", "--prediction", SYSTEMS[0], "--html", tmp_path / "r"
    )
    assert (said.code, said.out) == (2, "")
    assert said.err == (
        'adjudge: `--reference` must name a column of the table, but there is no column "prise". '
        'Did you mean "price"?\n'
    )
    assert sorted(tmp_path.iterdir()) == before, "nothing is left behind"


@pytest.mark.browser
@pytest.mark.parametrize("more", [(), ("--cluster", "home", "--weight", "weight")], ids=["rows", "clusters"])
def test_the_report_draws_every_picture_and_asks_nobody(
    browser: Any, messy: Path, tmp_path: Path, adjudge_cli: Any, more: tuple[str, ...]
) -> None:
    file = tmp_path / "report.html"
    said = adjudge_cli("regression", messy, *ASKED, *more, "--replicates", 200, "--quiet", "--html", file)
    assert (said.code, said.err) == (0, "")
    visit = Visit(browser, file)
    visit.unfold()
    visit.assert_quiet()
    text = visit.page.evaluate("document.body.textContent")
    for part in (*LINES, *LEFT_OUT, *UNUSED, *(place or "(missing)" for place in PLACES)):
        assert part in text, part
    drawn = visit.page.eval_on_selector_all("#relations figure", FIGURES)
    assert [figure["title"] for figure in drawn] == [*LINES, "Residuals"]
    for figure in drawn:
        assert {"new", "old"} <= set(figure["texts"]), figure["title"]
        assert figure["paths"] > 10, figure["title"]
    axes = {figure["title"]: figure["texts"] for figure in drawn}
    assert {"Reference", "Prediction"} <= set(axes["Prediction by reference"])
    assert {"Normal quantile", "Residual, in standard deviations"} <= set(axes["Are the residuals normal?"])
    assert "Share of rows" in axes["Residuals"]
    assert visit.page.eval_on_selector_all("main b", "all => all.filter(b => b.textContent == 'bold').length") == 0
    visit.page.context.close()


FIGURES = """all => all.map(figure => ({
    title: figure.querySelector("h3").textContent.trim(),
    texts: [...figure.querySelectorAll("svg text")].map(text => text.textContent),
    paths: figure.querySelectorAll("svg path").length,
}))"""
