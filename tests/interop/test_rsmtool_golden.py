"""Whole runs of RSMTool 12.0.0, compared file by file with ours on the same data."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.written import csv_file

from adjudge.errors import InputError
from adjudge.interop.rsmtool import run_evaluation

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "rsmtool.json").read_text())
PIPELINES: dict[str, Any] = GOLDEN["pipelines"]
FILES = {"pred_test": "pred_processed", "test_excluded": "test_excluded_responses"}
# Not unique there: the group's share of the error cannot be told from the human score's, or there is no spread.
NOT_COMPARED = {("system_constant", "estimates_csd_by_prompt")}
NOT_COMPARED_COLUMNS = {("system_constant", "fairness_metrics_by_prompt"): "Conditional score difference"}
WHOLE = [name for name, pipeline in PIPELINES.items() if "error" not in pipeline]


def written(pipeline: dict[str, Any], folder: Path) -> Path:
    """The configuration and the table of a pipeline, as files."""
    config = folder / "config.json"
    config.write_text(json.dumps(pipeline["config"]))
    csv_file(folder / pipeline["config"]["predictions_file"], pipeline["columns"])
    return config


def same(ours: str, theirs: Any) -> bool:
    if theirs is None:
        return ours == ""
    try:
        return abs(float(ours) - float(theirs)) <= 1e-6 * max(1.0, abs(float(theirs)))
    except ValueError:
        return ours == str(theirs)


def compare(path: Path, frame: dict[str, Any], skipped: str | None) -> None:
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    if header[0] == "":
        names = frame.get("index", range(len(frame["data"])))
        assert all(same(row[0], name) for row, name in zip(rows, names, strict=True)), path.name
        header, rows = header[1:], [row[1:] for row in rows]
    assert header == [str(name) for name in frame["columns"]], path.name
    assert len(rows) == len(frame["data"]), path.name
    for ours, theirs in zip(rows, frame["data"], strict=True):
        for name, mine, other in zip(header, ours, theirs, strict=True):
            assert name == skipped or same(mine, other), (path.name, name, mine, other)


@pytest.mark.parametrize("name", WHOLE)
def test_every_file_is_as_rsmtool_writes_it(name: str, tmp_path: Path) -> None:
    pipeline = PIPELINES[name]
    done = run_evaluation(written(pipeline, tmp_path), tmp_path, replicates=100)
    experiment = pipeline["config"]["experiment_id"]
    expected = {f"{experiment}_{FILES.get(frame, frame)}.csv": frame for frame in pipeline["frames"]}
    assert {path.name for path in done.files} == {*expected, f"{experiment}_rsmeval.json"}
    for file, frame in expected.items():
        if (name, frame) not in NOT_COMPARED:
            compare(tmp_path / "output" / file, pipeline["frames"][frame], NOT_COMPARED_COLUMNS.get((name, frame)))
    report = (tmp_path / "report" / f"{experiment}_report.html").read_text()
    assert "<!doctype html>" in report
    assert experiment in report


def test_nothing_left_is_said(tmp_path: Path) -> None:
    config = written(PIPELINES["all_human_scores_zero"], tmp_path)
    with pytest.raises(InputError, match="Some responses must be usable"):
        run_evaluation(config, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("ending", ["tsv", "xlsx", "jsonlines"])
def test_formats_hold_the_same(ending: str, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    config = written(PIPELINES["dirty_values_and_zeros_excluded"], tmp_path)
    read = {
        "tsv": lambda path: pandas.read_csv(path, sep="\t"),
        "xlsx": lambda path: pandas.read_excel(path, engine="openpyxl"),
        "jsonlines": lambda path: pandas.read_json(path, lines=True),
    }[ending]
    done = run_evaluation(config, tmp_path / "a", file_format=ending, replicates=100)
    run_evaluation(config, tmp_path / "b", replicates=100)
    for path in done.files:
        if path.suffix == ".json":
            assert json.loads(path.read_text())["file_format"] == ending
            continue
        ours, plain = read(path), pandas.read_csv((tmp_path / "b" / "output" / path.stem).with_suffix(".csv"))
        assert ours.shape == plain.shape, path.name
        assert [str(name) for name in ours.columns][1:] == [str(name) for name in plain.columns][1:]
        for mine, other in zip(ours.to_numpy().ravel().tolist(), plain.to_numpy().ravel().tolist(), strict=True):
            assert (
                mine == other
                or mine in (None, "")
                or str(mine) == str(other)
                or float(mine) == pytest.approx(float(other), rel=1e-12, abs=1e-12, nan_ok=True)
            ), path.name


@pytest.mark.slow
@pytest.mark.skipif(shutil.which(os.environ.get("RSMEVAL", "rsmeval")) is None, reason="RSMTool is not installed")
def test_against_rsmtool_itself(tmp_path: Path) -> None:
    """With RSMTool on the path (or named by RSMEVAL) its own files, too, are the same."""
    program = shutil.which(os.environ.get("RSMEVAL", "rsmeval"))
    config = written(PIPELINES["listwise_candidates_min3"], tmp_path)
    subprocess.run([str(program), str(config), str(tmp_path / "theirs")], check=True, timeout=300, cwd=tmp_path)
    done = run_evaluation(config, tmp_path / "ours", replicates=100)
    for path in done.files:
        theirs = tmp_path / "theirs" / "output" / path.name
        if path.suffix == ".csv":
            with theirs.open(newline="") as file:
                header, *rows = csv.reader(file)
            compare_text(path, header, rows)


def compare_text(path: Path, header: list[str], rows: list[list[str]]) -> None:
    with path.open(newline="") as file:
        mine, *ours = csv.reader(file)
    assert mine == header
    for left, right in zip(ours, rows, strict=True):
        assert all(same(a, b or None) for a, b in zip(left, right, strict=True)), path.name
