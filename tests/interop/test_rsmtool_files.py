"""What the drop-in reads and writes: formats in, folders out, nothing outside them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.written import csv_file

from adjudge.data.judgements.score_types import Scaling
from adjudge.errors import AdjudgeError
from adjudge.interop.rsmtool import run_evaluation
from adjudge.interop.rsmtool_config import checked_config
from adjudge.interop.rsmtool_data import prepared
from adjudge.interop.rsmtool_files import as_xlsx
from adjudge.interop.rsmtool_frames import Frame

COLUMNS = {
    "id": [f"{n:03d}" for n in range(30)],
    "h1": [1 + n % 6 for n in range(30)],
    "h2": [None if n % 3 else 1 + (n + n // 7) % 6 for n in range(30)],
    "engine": [1 + (n * 7 % 55) / 10 for n in range(30)],
    "l1": ["NA" if n % 2 else "St. Ives, a" for n in range(30)],
}
CONFIG = {
    "experiment_id": "x",
    "system_score_column": "engine",
    "human_score_column": "h1",
    "second_human_score_column": "h2",
    "id_column": "id",
    "trim_min": 1,
    "trim_max": 6,
    "subgroups": ["l1"],
}


def table(path: Path, columns: dict[str, list[Any]] | None = None, delimiter: str = ",") -> Path:
    return csv_file(path, COLUMNS if columns is None else columns, delimiter)


def given(path: Path, **fields: Any) -> dict[str, Any]:
    return {**CONFIG, "predictions_file": str(path), **fields}


def cells(folder: Path, name: str) -> list[list[str]]:
    with (folder / "output" / f"x_{name}.csv").open(newline="") as file:
        return list(csv.reader(file))


def nested(path: Path) -> Path:
    records = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
    lines = [
        {
            "id": r["id"],
            "scores": {"h1": r["h1"], "h2": r["h2"], "by": {"engine": r["engine"]}},
            "about": {"l1": r["l1"]},
        }
        for r in records
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def workbook(path: Path) -> Path:
    rows = list(zip(*COLUMNS.values(), strict=True))
    path.write_bytes(as_xlsx(Frame("t", tuple(COLUMNS), rows)))
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", "jsonlines"])
def test_every_format_reads_alike(ending: str, tmp_path: Path) -> None:
    made = {
        "csv": lambda: table(tmp_path / "p.csv"),
        "tsv": lambda: table(tmp_path / "p.tsv", delimiter="\t"),
        "xlsx": lambda: workbook(tmp_path / "p.xlsx"),
        "jsonlines": lambda: nested(tmp_path / "p.jsonlines"),
    }[ending]()
    column = "by.engine" if ending == "jsonlines" else "engine"
    found = prepared(checked_config(given(made, system_score_column=column)))
    assert found.predictions.texts("id", found.rows)[:2] == ["000", "001"]
    assert found.group("l1").categories == ("NA", "St. Ives, a")
    assert found.scored.systems["system"].tolist() == COLUMNS["engine"]
    assert np.isnan(found.scored.ratings[:, 1]).sum() == 20


def test_json_that_cannot_be_a_table(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonlines"
    for text, said in [
        ("[1]\n", "line 1 of .* holds a list"),
        ("{\n", "must hold one JSON object"),
        ("", "must have rows"),
        ('{"a": {"x": 1}, "b": {"x": 2}}\n', 'more than one "x"'),
    ]:
        path.write_text(text)
        with pytest.raises(AdjudgeError, match=said):
            prepared(checked_config(given(path)))


def test_other_tables_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "p.sas7bdat").write_text("x")
    with pytest.raises(AdjudgeError, match="must end in one of"):
        prepared(checked_config(given(tmp_path / "p.sas7bdat")))
    with pytest.raises(AdjudgeError, match="must have rows"):
        prepared(checked_config(given(table(tmp_path / "none.csv", {name: [] for name in COLUMNS}))))
    with pytest.raises(AdjudgeError, match='has "000" 30 times'):
        prepared(checked_config(given(table(tmp_path / "same.csv", {**COLUMNS, "id": ["000"] * 30}))))
    with pytest.raises(AdjudgeError, match="30 blanks"):
        prepared(checked_config(given(table(tmp_path / "blank.csv", {**COLUMNS, "id": [None] * 30}))))


def test_scaling_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "s.tsv").write_text("sc1\tprediction\n1\t2\n\t4\n3\t\n")
    found = prepared(checked_config(given(table(tmp_path / "p.csv"), scale_with=str(tmp_path / "s.tsv"))))
    assert found.scaling == Scaling(3.0, float(np.sqrt(2)), 2.0, float(np.sqrt(2)))
    assert list(found.forms) == [f"{kind}{form}" for kind in ("raw", "scale") for form in ("", "_trim", "_trim_round")]
    for text, said in [("sc1\n1\n", 'no "prediction"'), ("prediction\n1\n", 'no "sc1"'), ("sc1,prediction\n", "two")]:
        (tmp_path / "t.csv").write_text(text)
        with pytest.raises(AdjudgeError, match=said):
            prepared(checked_config(given(tmp_path / "p.csv", scale_with=str(tmp_path / "t.csv"))))


def test_a_used_folder_is_refused_without_force(tmp_path: Path, adjudge_cli: Any) -> None:
    (tmp_path / "c.json").write_text(json.dumps(given(table(tmp_path / "p.csv"))))
    out = tmp_path / "out"
    said = adjudge_cli("rsmeval", tmp_path / "c.json", out, "--quiet")
    assert (said.code, said.out, said.err) == (0, "", "")
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    again = adjudge_cli("rsmeval", tmp_path / "c.json", out)
    assert again.code == 2
    assert "must be empty" in again.err
    assert "-f" in again.err
    forced = adjudge_cli("rsmeval", "run", tmp_path / "c.json", out, "-f")
    assert forced.code == 0
    assert "files: " in forced.out
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    other = adjudge_cli("rsmeval", tmp_path / "c.json", out, "-f", "--format", "tsv", "--quiet")
    assert "files of earlier runs stay" in other.err
    assert adjudge_cli("rsmeval", tmp_path / "c.json", out, "-f", "--format", "pdf").code == 2


def test_nothing_is_written_elsewhere(tmp_path: Path) -> None:
    group = "a/../../b"
    path = table(tmp_path / "p.csv", {**COLUMNS, group: COLUMNS["l1"]})
    out = tmp_path / "deep" / "out"
    run_evaluation(given(path, subgroups=[group, "l1"]), out, replicates=100)
    assert (out / "output" / "x_eval_by_a_.._.._b.csv").is_file()
    assert {p.name for p in tmp_path.iterdir()} == {"p.csv", "deep"}
    assert {p.name for p in out.iterdir()} == {"output", "report"}
    assert not list(out.rglob("*.ols"))


def test_links_and_inputs_are_not_overwritten(tmp_path: Path) -> None:
    outside = tmp_path / "outside.csv"
    outside.write_text("mine")
    inside = tmp_path / "out" / "output"
    inside.mkdir(parents=True)
    (inside / "x_eval.csv").symlink_to(outside)
    with pytest.raises(AdjudgeError, match="out of it"):
        run_evaluation(given(table(tmp_path / "p.csv")), tmp_path / "out", True, replicates=100)
    assert outside.read_text() == "mine"
    assert len(list(inside.iterdir())) == 1
    path = table(tmp_path / "out" / "output" / "x_eval_short.csv")
    (inside / "x_eval.csv").unlink()
    with pytest.raises(AdjudgeError, match="must not replace what is read"):
        run_evaluation(given(path), tmp_path / "out", True, replicates=100)
    (tmp_path / "file").write_text("")
    with pytest.raises(AdjudgeError, match="must be a folder"):
        run_evaluation(given(tmp_path / "p.csv"), tmp_path / "file", replicates=100)


def test_spreadsheets_keep_text_as_text(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    rows = [("01", "=1+1", None, 2.5), ("<&>", "a\nb ", "", 3), ("\x07", "_x0041_", "NA", -1)]
    (tmp_path / "t.xlsx").write_bytes(as_xlsx(Frame("t", ("a", "b", "c", 7), rows)))
    read = [list(row) for row in openpyxl.load_workbook(tmp_path / "t.xlsx").active.iter_rows(values_only=True)]
    assert read[0] == ["a", "b", "c", 7]
    assert read[1] == ["01", "=1+1", None, 2.5]
    assert read[2] == ["<&>", "a\nb ", None, 3]
    assert read[3][2:] == ["NA", -1]


def test_small_groups_are_one_in_the_report(tmp_path: Path) -> None:
    levels = ["big"] * 20 + ["tiny"] * 2 + ["small"] * 8
    path = table(tmp_path / "p.csv", {**COLUMNS, "l1": levels})
    done = run_evaluation(given(path, min_n_per_group=10), tmp_path / "out", replicates=100)
    assert {row.slice for row in done.evaluation.slice("l1")} == {"l1 = big", "l1 = groups of fewer than 10"}
    assert [row[0] for row in cells(tmp_path / "out", "eval_by_l1")] == ["", "All data", "big", "small", "tiny"]
    assert "2 of l1 with fewer than 10 responses" in done.report.read_text()


def test_fairness_files_only_with_their_section(tmp_path: Path) -> None:
    done = run_evaluation(
        given(table(tmp_path / "p.csv"), general_sections="evaluation"), tmp_path / "out", replicates=100
    )
    assert not [path for path in done.files if "fairness" in path.name or "estimates" in path.name]
    assert any("general_sections" in note for note in done.notes)
    assert "general_sections" in done.report.read_text()


@pytest.mark.parametrize("value", [True, "True", 1, "1.0", [True, "zzz"]])
def test_flags_of_true_and_false(value: Any, tmp_path: Path) -> None:
    path = table(tmp_path / "p.csv", {**COLUMNS, "ok": ["True", "False", "True"] * 10})
    found = prepared(checked_config(given(path, flag_column={"ok": value})))
    assert (len(found.rows), len(found.flagged), len(found.excluded)) == (20, 10, 0)


@pytest.mark.parametrize("value", [["TRUE", "False"], [True, False], ["true", 0]])
@pytest.mark.parametrize("words", [["True", "False", "True"], ["TRUE", "FALSE", "TRUE"], ["true", "false", ""]])
def test_true_and_false_are_the_same_however_they_are_written(words: list[str], value: Any, tmp_path: Path) -> None:
    path = table(tmp_path / "p.csv", {**COLUMNS, "ok": words * 10})
    kept = prepared(checked_config(given(path, flag_column={"ok": value})))
    alone = prepared(checked_config(given(path, flag_column={"ok": value[1]})))
    assert (len(kept.rows), len(alone.rows)) == (30 - 10 * ("" in words), 10)


def test_flags_called_none_are_texts_and_blanks_are_not(tmp_path: Path) -> None:
    lines = [
        {**dict(zip(COLUMNS, row, strict=True)), "ok": ["None", "ok", None][n % 3]}
        for n, row in enumerate(zip(*COLUMNS.values(), strict=True))
    ]
    path = tmp_path / "p.jsonlines"
    path.write_text("\n".join(map(json.dumps, lines)))
    kept = prepared(checked_config(given(path, flag_column={"ok": "None"})))
    assert (len(kept.rows), len(kept.flagged)) == (10, 20)


def test_numbered_groups_with_blanks_are_named_alike_in_every_format(tmp_path: Path) -> None:
    columns = {**COLUMNS, "l1": [None if n % 5 == 0 else 1 + n % 2 for n in range(30)]}
    lines = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    (tmp_path / "p.jsonlines").write_text("\n".join(map(json.dumps, lines)))
    files = (table(tmp_path / "p.csv", columns), tmp_path / "p.jsonlines")
    for path in files:
        assert prepared(checked_config(given(path))).group("l1").categories == ("1", "2", "No info")


def test_nested_lines_may_scale(tmp_path: Path) -> None:
    scores = [(n % 6 + 1, n % 6 + 0.5 * (n % 2)) for n in range(30)]
    (tmp_path / "s.jsonlines").write_text(
        "\n".join(json.dumps({"scores": {"sc1": human, "prediction": system}}) for human, system in scores)
    )
    table(tmp_path / "s.csv", {"sc1": [human for human, _ in scores], "prediction": [system for _, system in scores]})
    of_csv, of_lines = (
        prepared(checked_config(given(table(tmp_path / "p.csv"), scale_with=str(tmp_path / f"s.{ending}")))).scaling
        for ending in ("csv", "jsonlines")
    )
    assert of_csv is not None
    assert of_csv == of_lines


@pytest.mark.parametrize(("value", "kept"), [(1, 15), (["1", "a"], 30), ([2], 0), ("a", 15), (True, 15)])
def test_flags_of_numbers_and_text(value: Any, kept: int, tmp_path: Path) -> None:
    path = table(tmp_path / "p.csv", {**COLUMNS, "ok": ["1.0", "a"] * 15})
    config = checked_config(given(path, flag_column={"ok": value}))
    if kept:
        found = prepared(config)
        assert (len(found.rows), len(found.flagged)) == (kept, 30 - kept)
    else:
        with pytest.raises(AdjudgeError, match="must be usable"):
            prepared(config)


def test_a_dictionary_may_hold_what_json_has_no_word_for(tmp_path: Path) -> None:
    fields = {"trim_min": np.int64(1), "trim_tolerance": np.float32(0.5)}
    run_evaluation(given(table(tmp_path / "p.csv"), **fields), tmp_path / "out", replicates=100)
    assert json.loads((tmp_path / "out/output/x_rsmeval.json").read_text())["trim_tolerance"] == 0.5
