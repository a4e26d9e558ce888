"""An evaluation in the hand: asked, written, read back; the same bytes for the same input."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.evaluation.tables import evaluate, random_table

import adjudge
from adjudge.errors import InputError

COLUMNS = ["system", "slice", "category", "metric", "estimate", "low", "high", "level", "method", "n", "note"]
COLUMNS += ["baseline", "differing", "test", "p", "p_adjusted", "family", "letters"]
HOSTILE = ["</script>", "🐸", "a_b & 50% $x^2$ {~} \\", "<img src=x onerror=alert(1)>", 'say "hi", ok', "a\nb"]


@pytest.fixture(scope="module")
def evaluation() -> adjudge.Evaluation:
    """Two systems, weights, slices, hostile levels, a left-out row and an undefined metric."""
    table = random_table()
    table["where"] = [HOSTILE[row % len(HOSTILE)] for row in range(400)]
    table["other"] = np.where(np.arange(400) == 7, np.nan, table["other"] * 3 - 1)
    return evaluate(table, score=["score", "other"], weight="weight", slices=["where"])


def test_asking(evaluation: adjudge.Evaluation) -> None:
    found = evaluation.get("roc_auc", system="score")
    assert (found.metric, found.n) == ("roc_auc", 399)
    assert found.interval.low < found.value == float(found) < found.interval.high
    assert evaluation.get("roc_auc", system="score", method="bootstrap").method == "bootstrap"
    part = evaluation.get("roc_auc", system="score", slice="where = 🐸")
    assert part.n < 399
    assert {row.slice for row in evaluation.slice("where")} == {f"where = {label}" for label in HOSTILE}
    assert evaluation.left_out == {'score "other" is missing': 1}
    first = evaluation.table.first_methods()
    assert (
        len({(r.system, r.slice, r.category, r.metric, r.baseline) for r in evaluation.table})
        == len(first)
        < len(evaluation.table)
    )


def test_undefined_has_no_numbers_and_a_reason(evaluation: adjudge.Evaluation) -> None:
    undefined = [row for row in evaluation.table if math.isnan(row.estimate)]
    assert {row.metric for row in undefined} >= {"log_loss", "accuracy"}
    assert all(math.isnan(row.low) and math.isnan(row.high) and row.note for row in undefined)
    assert all(row.note for row in evaluation.table if row.method == "none")


def test_json(evaluation: adjudge.Evaluation, tmp_path: Path) -> None:
    document = json.loads(evaluation.write_json(tmp_path / "r.json").read_text(encoding="utf-8"))
    assert list(document) == ["schema_version", "task", "data", "settings", "checks", "results", "panels"]
    assert (document["schema_version"], document["task"]) == (2, "classification")
    assert list(document["data"]) == ["source", "fingerprint", "rows", "used", "left_out", "categories", "roles"]
    assert (document["data"]["rows"], document["data"]["used"]) == (400, 399)
    settings = {"level": 0.95, "replicates": 200, "seed": 7, "bootstrap": "percentile", "engine": "memory"}
    assert settings.items() <= document["settings"].items()
    assert len(document["results"]) == len(evaluation.table)
    assert all(list(result) == COLUMNS for result in document["results"])
    for result, row in zip(document["results"], evaluation.table, strict=True):
        assert result["estimate"] == (None if math.isnan(row.estimate) else row.estimate)
        assert result["estimate"] is not None or result["note"]
    assert "NaN" not in (tmp_path / "r.json").read_text(encoding="utf-8")


def test_frames(evaluation: adjudge.Evaluation, tmp_path: Path) -> None:
    import polars
    import pyarrow
    import pyarrow.parquet

    table, plain = evaluation.to_arrow(), evaluation.table.columns()
    assert table.column_names == COLUMNS
    assert table["note"].to_pylist() == plain["note"]
    np.testing.assert_array_equal(table["low"].to_numpy(), plain["low"])
    assert list(evaluation.to_pandas().columns) == COLUMNS
    assert len(evaluation.to_pandas()) == len(evaluation.table)
    assert evaluation.to_polars().equals(polars.from_arrow(table))
    frame = evaluation.to_pandas()
    assert pyarrow.table(evaluation).to_pandas().equals(frame), "by the Arrow interface, without a method"
    read = pyarrow.parquet.read_table(evaluation.write_table(tmp_path / "t.parquet"))
    assert read.schema.equals(table.schema)
    assert read.to_pandas().equals(frame)


def test_csv_and_latex(evaluation: adjudge.Evaluation, tmp_path: Path) -> None:
    text = evaluation.write_table(tmp_path / "t.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == COLUMNS
    assert [row["slice"] for row in rows] == [row.slice for row in evaluation.table]
    assert [row["estimate"] for row in rows] == [
        "" if math.isnan(r.estimate) else str(r.estimate) for r in evaluation.table
    ]
    assert evaluation.write_table_as_csv(tmp_path / "t.txt").read_text(encoding="utf-8") == text
    latex = evaluation.write_table(tmp_path / "t.tex").read_text(encoding="utf-8")
    escaped = r"a\_b \& 50\% \$x\textasciicircum{}2\$ \{\textasciitilde{}\} \textbackslash{}"
    assert escaped in latex
    assert latex.count(r"\\") == len(evaluation.table.first_methods()) + 1


def test_saved_and_loaded_is_the_same(evaluation: adjudge.Evaluation, tmp_path: Path) -> None:
    loaded = adjudge.load(evaluation.save(tmp_path / "e.adjudge"))
    assert loaded.save(tmp_path / "again.adjudge").read_bytes() == (tmp_path / "e.adjudge").read_bytes()
    for write, name in ((adjudge.Evaluation.report, "html"), (adjudge.Evaluation.write_json, "json")):
        assert (
            write(loaded, tmp_path / f"a.{name}").read_bytes() == write(evaluation, tmp_path / f"b.{name}").read_bytes()
        )
    assert repr(loaded) == repr(evaluation)
    assert loaded._repr_html_() == evaluation._repr_html_()


def test_rows_of_weight_zero_on_top_can_be_saved(tmp_path: Path) -> None:
    table = {"label": ["0", "1", "1", "0"], "score": [0.1, 0.2, 0.3, 0.9], "weight": [1, 1, 1, 0]}
    e = evaluate(table, score="score", weight="weight")
    assert repr(adjudge.load(e.save(tmp_path / "e.adjudge"))) == repr(e)


def test_half_characters_can_be_written(tmp_path: Path) -> None:
    e = evaluate({"label": ["\ud800", "b"], "guess": ["b", "b"]}, prediction="guess")
    assert b"\\\\ud800" in e.write_json(tmp_path / "e.json").read_bytes()
    adjudge.load(e.save(tmp_path / "e.adjudge")).report(tmp_path / "e.html")
    assert "\\ud800" in e.to_arrow()["category"].to_pylist()
    e.report(tmp_path / "e.html")


DAMAGE = {
    "is not JSON": b"label,guess\na,b\n",
    "is a list": b"[]",
    "is of another version": b'{"schema_version": 99}',
    "has no results": None,
    "has text for a number": None,
    "is of another task": None,
}


@pytest.mark.parametrize("fault", list(DAMAGE))
def test_a_damaged_file_is_refused(fault: str, evaluation: adjudge.Evaluation, tmp_path: Path) -> None:
    path = evaluation.save(tmp_path / "e.adjudge")
    document: dict[str, Any] = json.loads(path.read_bytes())
    if fault == "has no results":
        del document["results"]
    if fault == "has text for a number":
        document["results"][0]["estimate"] = "high"
    if fault == "is of another task":
        document["task"] = "divination"
    path.write_bytes(DAMAGE[fault] or json.dumps(document).encode())
    with pytest.raises(InputError, match=r'^"e\.adjudge" must .+[.?]$'):
        adjudge.load(path).report(tmp_path / "e.html")
    assert not (tmp_path / "e.html").exists()


def test_a_file_is_written_whole_or_not_at_all(evaluation: adjudge.Evaluation, tmp_path: Path) -> None:
    target = tmp_path / "r.json"
    target.write_text("before")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(InputError, match="No space left on device"):
            evaluation.write_json(target)
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]
    assert target.read_text() == "before"
    (tmp_path / "link.json").symlink_to(target)
    evaluation.write_json(tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert target.read_text().startswith("{")
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_the_notebook_shows_labels_and_runs_none(evaluation: adjudge.Evaluation) -> None:
    page = evaluation._repr_html_()
    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page or "onerror" not in page
    assert page.count("<script") == page.count("</script")


CODE = """
import sys, adjudge
from tests.evaluation.tables import random_table
e = adjudge.evaluate(random_table(3000), reference="label", score=["score", "other"], weight="weight",
                     cluster="person", slices=["country"], replicates=200, bootstrap="bca")
for name, write in (("json", e.write_json), ("html", e.report), ("adjudge", e.save)):
    write(f"{sys.argv[1]}.{name}")
"""


def test_the_same_input_and_seed_give_the_same_bytes_on_any_number_of_threads(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    for threads in ("1", "2"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
        environment |= {"PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}", "PYTHONHASHSEED": threads}
        subprocess.run([sys.executable, "-c", CODE, str(tmp_path / threads)], check=True, env=environment)
    for name in ("json", "html", "adjudge"):
        one, two = (tmp_path / f"{threads}.{name}" for threads in ("1", "2"))
        assert one.read_bytes() == two.read_bytes()
        assert len(one.read_bytes()) > 10_000
