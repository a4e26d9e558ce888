"""Doors beside those of one table, given what they cannot take: one sentence, and nothing else."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import adjudge
from adjudge.data.formats.pair_tables import pairs_of
from adjudge.errors import AdjudgeError
from adjudge.interop import ml_metrics, trec
from adjudge.interop.formats import asked_in, queue_tasks
from adjudge.interop.rsmtool_files import file_names
from adjudge.interop.rsmtool_frames import Frame
from adjudge.interop.rsmtool_outputs import read_outputs
from adjudge.tasks.agreement.mean_kappa import essay_sets

DEEP: Any = ["bottom"]
for _ in range(1500):
    DEEP = [DEEP]
ROWS = {"id": [1, 2, 3, 4], "y": ["a", "b", "a", "b"], "guess": ["a", "b", "b", "b"], "site": ["x", "x", "y", "y"]}
ASKED: dict[str, Any] = {"id": "id", "reference": "y", "prediction": "guess"}
ODD = (5, 0.5, np.datetime64("NaT"), DEEP, 10**5000, {"a"}, b"\xff", object())


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(AdjudgeError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 500
    return message


@pytest.mark.parametrize("argument", ["gold_raters", "part", "parts", "content", "names", "missing", "decimal"])
@pytest.mark.parametrize("odd", ODD, ids=lambda one: type(one).__name__)
def test_a_gold_standard_takes_no_odd_arguments(argument: str, odd: Any) -> None:
    if (argument, type(odd)) == ("missing", set):
        return  # words in any order
    message = refusal(lambda: adjudge.compare(ROWS, gold=ROWS, **ASKED | {argument: odd}))
    assert f"`{argument}`" in message or (argument == "parts" and "A table must be" in message)


def test_parts_may_be_a_frame_only_in_a_list() -> None:
    frame = pd.DataFrame(ROWS)
    assert "`parts`" in refusal(lambda: adjudge.compare(ROWS, gold=ROWS, **ASKED, parts=frame))
    assert "`gold`" in refusal(lambda: adjudge.compare(ROWS, ROWS, **ASKED, parts=frame))


@pytest.mark.parametrize("delimiter", [5, [";"], DEEP])
def test_a_separator_is_a_text(delimiter: Any) -> None:
    assert "`delimiter`" in refusal(lambda: adjudge.compare(ROWS, ROWS, names=["a", "b"], delimiter=delimiter, **ASKED))


# Metrics of one's own


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"range": 5}, "`range`"),
        ({"range": "ab"}, "`range`"),
        ({"range": (1, 0)}, "`range`"),
        ({"range": (0, 10**400)}, "`range`"),
        ({"best": "x"}, "`best`"),
        ({"best": 1j}, "`best`"),
        ({"direction": ["higher"]}, "`direction`"),
        ({"of": np.array([1, 2])}, "`of`"),
        ({"name": 5}, "`name`"),
        ({"name": "x" * 20_000}, "`name`"),
        ({"label": 0.5}, "`label`"),
    ],
)
def test_own_metrics_are_declared_in_full(given: dict[str, Any], word: str) -> None:
    assert word in refusal(lambda: adjudge.metric(lambda a, b: 0.5, **{"name": "of_odd_doors"} | given))


@pytest.mark.parametrize("answer", [None, "many", [1, 2], 10**400, DEEP], ids=["none", "text", "list", "far", "deep"])
def test_what_an_own_metric_gives_is_a_number(answer: Any) -> None:
    own = adjudge.metric(lambda a, b: answer, name="of_odd_doors")
    assert "must give a number" in refusal(lambda: own(["a", "b"], ["a", "a"]))


def test_no_function_is_no_metric() -> None:
    assert "function" in refusal(lambda: adjudge.metric(5, name="of_odd_doors"))  # type: ignore[arg-type]


# Other tools' functions


@pytest.mark.parametrize("odd", [5, "123", {"a": 1}, None, np.timedelta64(1, "D")])
def test_ratings_of_kappas_are_sequences(odd: Any) -> None:
    for kappa in (ml_metrics.kappa, ml_metrics.quadratic_weighted_kappa, ml_metrics.confusion_matrix):
        assert "`rater_a`" in refusal(lambda kappa=kappa: kappa(odd, [1, 2]))
    assert "`ratings`" in refusal(lambda: ml_metrics.histogram(odd))


def test_means_of_kappas_are_of_numbers() -> None:
    assert "`kappas`" in refusal(lambda: ml_metrics.mean_quadratic_weighted_kappa(["a × b"]))
    assert "`weights`" in refusal(lambda: ml_metrics.mean_quadratic_weighted_kappa([0.5], ["x"]))
    assert "`cap`" in refusal(lambda: ml_metrics.mean_quadratic_weighted_kappa([0.5], cap="x"))  # type: ignore[arg-type]
    assert "`min_rating`" in refusal(lambda: ml_metrics.kappa([1, 2], [1, 2], "x", 3))  # type: ignore[arg-type]


def test_runs_are_files() -> None:
    assert "`runs`" in refusal(lambda: trec.evaluate("qrels", 5))  # type: ignore[arg-type]


@pytest.mark.parametrize("annotations", [["x"], [{"result": [5]}], 5, [{"result": 5}]])
def test_exports_of_another_shape(annotations: Any, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps([{"id": 1, "annotations": annotations, "data": {}}]))
    assert "Label Studio" in refusal(lambda: asked_in(path))


@pytest.mark.parametrize("change", [{"rank": None}, {"rank": "x"}, {"probability": []}, {"votes": {"a": "x"}}])
def test_queues_of_another_shape(change: dict[str, Any]) -> None:
    entry: dict[str, Any] = {"rank": 1, "item": "6", "disagreement": 1.0, "votes": {"a": 1}, "label": "a"}
    assert "queue" in refusal(lambda: queue_tasks([entry | {"probability": 0.5} | change], "prodigy"))


@pytest.mark.parametrize("content", [b'{"comparisons": [], "annotators": {"a\xff": {}}}', b"\xff"])
@pytest.mark.parametrize("packed", [False, True])
def test_pairs_that_are_no_text(content: bytes, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / ("pairs.json.gz" if packed else "pairs.json")
    path.write_bytes(gzip.compress(content) if packed else content)
    assert "UTF-8" in refusal(lambda: pairs_of(path))
    path.write_bytes(path.read_bytes()[:-3])
    refusal(lambda: pairs_of(path))


# Tables without rows


@pytest.mark.parametrize("table", ["form,N,wtkappa\n", "N,wtkappa\n3,0.5\n", "form,N,wtkappa\nraw,inf,0.5\n"])
def test_tables_of_rsmtool(table: str, tmp_path: Path) -> None:
    (tmp_path / "x_eval.csv").write_text(table)
    if "\n" in table[:-1]:
        assert [row.n for row in read_outputs(tmp_path).table] == [0]
    else:
        assert "has none" in refusal(lambda: read_outputs(tmp_path))


@pytest.mark.parametrize("column", ["🐸" * 180, "half\ud800", "a" * 400])
@pytest.mark.parametrize("experiment", ["x", "y" * 200])
def test_files_are_named_after_columns_as_far_as_a_name_goes(column: str, experiment: str) -> None:
    (name, other) = file_names([Frame(column, (), []), Frame(column, (), [])], experiment, "jsonlines")
    assert name != other
    assert max(len(one.encode()) for one in (name, other)) <= 255


def test_no_rows_to_trade_or_to_average(tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("set,y,a,b\n")
    axes = [{"characteristic": one, "metric": "mean", "column": "{system}"} for one in "xy"]
    refusal(lambda: adjudge.tradeoffs(empty, ["a", "b"], axes))
    refusal(lambda: essay_sets(empty, reference="y", prediction="a", by="set"))


# Folders and outputs


def test_a_folder_that_may_not_be_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, adjudge_cli: Any
) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()

    def scandir(path: Any) -> Any:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", scandir)
    commands = (
        ("classification", folder, "--reference", "y", "--prediction", "guess"),
        ("compare", folder, folder),
        ("convert", folder, "--to", tmp_path / "out.csv"),
    )
    for command in commands:
        said = adjudge_cli(*command)
        assert said.code == 2
        assert '"closed" cannot: Permission denied.' in said.err


CUBE = "label,guess,site\n" + "".join(f"{'ab'[row % 2]},{'ab'[row % 3 % 2]},{'xy'[row % 2]}\n" for row in range(30))


def test_a_merged_cube_is_written_though_nobody_reads_what_is_printed(tmp_path: Path, adjudge_cli: Any) -> None:
    (tmp_path / "t.csv").write_text(CUBE)
    cube, merged = tmp_path / "c.cube.parquet", tmp_path / "m.cube.parquet"
    roles = ("--reference", "label", "--prediction", "guess", "--slices", "site", "--replicates", "100")
    assert adjudge_cli("classification", tmp_path / "t.csv", *roles, "--save-cube", cube, "--quiet").code == 0
    reader, writer = os.pipe()
    os.close(reader)  # nobody reads
    command = [sys.executable, "-m", "adjudge.cli.main", "merge", str(cube), "--share", "--save-cube", str(merged)]
    ended = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert merged.exists()
    said = adjudge_cli("merge", cube, "--save-cube", cube)
    assert said.code == 2
    assert "must be a file of its own" in said.err


def test_a_cube_may_have_any_name_and_its_cells_no_order(tmp_path: Path, adjudge_cli: Any) -> None:
    """Cells stand in the order of their keys: that the reference rises says nothing of how rows came."""
    random = np.random.default_rng(1)
    rows = random.normal(50, 10, (400, 2)).round(2)
    (tmp_path / "t.csv").write_text("y,p\n" + "".join(f"{y},{p}\n" for y, p in rows))
    roles = ("--reference", "y", "--prediction", "p", "--replicates", "100")
    cube = tmp_path / "week"
    assert adjudge_cli("regression", tmp_path / "t.csv", *roles, "--save-cube", cube, "--quiet").code == 0
    said = adjudge_cli("reslice", cube, "--replicates", "100", "--all")
    assert (said.code, said.err) == (0, "")
    assert "400 rows" in said.out
    assert "(C37)" not in said.out
    (tmp_path / "text").write_text("y,p\n1,2\n")
    assert "name must end in one of" in adjudge_cli("regression", tmp_path / "text", *roles).err


@pytest.mark.parametrize("command", [["plan", "accuracy >= 0.9", "--expect", "0.93"], ["classification", "--help"]])
def test_nobody_reads_or_the_disk_is_full(command: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)  # nobody reads
    typed = [sys.executable, "-m", "adjudge.cli.main", *command]
    ended = subprocess.run(typed, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (0, b"")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            ended = subprocess.run(typed, stdout=full, stderr=subprocess.PIPE, check=False)
        assert ended.returncode == 2
        assert ended.stderr.startswith(b"adjudge: What is printed must go somewhere")
