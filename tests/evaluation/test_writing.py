"""Files appear whole and together, or not at all; what comes back from them is what went in."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_commands import ASKED, ROOT, refused, typed
from tests.evaluation.tables import evaluate

import adjudge
from adjudge.errors import InputError
from adjudge.evaluation.results import ResultTable
from adjudge.evaluation.take_away import writing
from adjudge.evaluation.take_away.exports import to_csv, to_latex
from adjudge.evaluation.take_away.saving import SEAL, sealed
from adjudge.evaluation.take_away.writing import PREFIX, write_together
from adjudge.report.evaluation import Evaluation
from adjudge.report.markdown import escaped

ODD = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=2", "a\rb", "a\nb", 'say "hi"', "plain", "\x1b[31m\x07", "\u202eabc"]


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate({"label": ODD * 2, "guess": ODD * 2}, prediction="guess", metrics=["recall", "accuracy"])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text("label,guess\n" + "a,a\nb,b\na,b\n" * 5)
    return tmp_path / "t.csv"


# Text


def test_cells_with_either_line_end_come_back(evaluation: Evaluation) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(evaluation.table), newline="")))
    assert {row["category"] for row in rows} == {*ODD, ""}
    assert len(rows) == len(evaluation.table)


def test_text_like_a_formula(evaluation: Evaluation, tmp_path: Path) -> None:
    exact = to_csv(evaluation.table)
    assert ",=1+1,recall" in exact, "a label is a label"
    safe = evaluation.write_table_as_csv(tmp_path / "safe.csv", safe=True).read_bytes().decode()
    rows = list(csv.DictReader(io.StringIO(safe, newline="")))
    assert {"'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t=2", "plain"} <= {row["category"] for row in rows}
    assert {row["estimate"] for row in rows if row["category"]} == {"1.0"}, "numbers stay numbers"


def test_latex_without_control_characters(evaluation: Evaluation) -> None:
    text = to_latex(evaluation.table)
    assert all(line.isprintable() for line in text.splitlines())
    assert r"\textbackslash{}x1b[31m" in text


@pytest.mark.parametrize(
    ("text", "inert"),
    [
        ("https://example.org", "https:<!-- -->//example.org"),
        ("WWW.example.org", "WWW<!-- -->.example.org"),
        ("mail a@b.org or @someone", "mail a@<!-- -->b.org or @<!-- -->someone"),
        ("see #12 and GH-7", "see #<!-- -->12 and GH<!-- -->-7"),
        ("a: b // c @ d", "a: b // c @ d"),
        ("NDCG@5 of @5 and a@5.org", "NDCG@5 of @<!-- -->5 and a@<!-- -->5.org"),
    ],
)
def test_markdown_makes_no_links_of_labels(text: str, inert: str) -> None:
    assert escaped(text) == inert


# Saved evaluations


def test_infinite_limits_come_back(evaluation: Evaluation, tmp_path: Path) -> None:
    rows = tuple(replace(row, low=-math.inf, high=math.inf) for row in evaluation.table)
    open_ended = Evaluation(replace(evaluation.outcome, table=ResultTable(rows)))
    again = adjudge.load(open_ended.save(tmp_path / "e.adjudge"))
    assert {(row.low, row.high) for row in again.table} == {(-math.inf, math.inf)}
    assert again.table.records() == open_ended.table.records()
    assert json.loads(open_ended.content("json"))["results"][0]["low"] is None, "JSON has no infinity"


def test_saved_files_that_were_damaged(evaluation: Evaluation, tmp_path: Path, adjudge_cli: Any) -> None:
    whole = evaluation.save(tmp_path / "e").read_bytes()
    odd = tmp_path / "odd"
    for content in (
        whole[:-1],
        whole.replace(b'"recall"', b'"rexall"', 1),
        b"\xff" + whole,
        whole.replace(b"plain", b"pl\xffin"),
        b"[" * 100_000,
        b'{"schema_version": 1, "panels": {}}',
        json.dumps(json.loads(whole)).encode(),
    ):
        odd.write_bytes(content)
        refused(adjudge_cli("report", odd), '"odd" must be')
    document = json.loads(b"{" + whole[len(SEAL) + 66 :])
    for name, value in {"n": "many", "metric": 7, "low": "infinite", "level": None, "note": ["x"]}.items():
        document["results"][0] |= {name: value}
        odd.write_bytes(sealed(json.dumps(document).encode()))
        refused(adjudge_cli("report", odd), "part of it is damaged")
    document = json.loads(b"{" + whole[len(SEAL) + 66 :])
    shares = {"title": "t", "note": "", "categories": ["a"], "series": ["x", "y"], "values": [[0.5]]}
    document["panels"]["bars"] = [shares]
    odd.write_bytes(sealed(json.dumps(document).encode()))
    refused(adjudge_cli("report", odd), "its parts do not fit together")
    odd.write_bytes(whole + b"\n")
    assert adjudge.load(odd).table.records() == evaluation.table.records(), "an editor's last line end is no damage"


# Together or not at all


def test_all_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("old a")
    (tmp_path / "b").write_text("old b")
    plain, calls = os.replace, []

    def failing(source: Any, target: Any) -> None:
        calls.append(target)
        if len(calls) == 3:
            raise OSError(1, "Operation not permitted", str(source), None, str(target))
        plain(source, target)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(InputError, match=r"c\" must be a file that can be written, but: Operation not permitted"):
        write_together({tmp_path / "a": "new a", tmp_path / "new": "new", tmp_path / "c": "new c"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "old a", "b": "old b"}
    monkeypatch.setattr(os, "replace", plain)
    write_together({tmp_path / "a": "new a", tmp_path / "b": b"new b"})
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "new a", "b": "new b"}


def test_a_disk_that_is_full(table: Path, tmp_path: Path, adjudge_cli: Any) -> None:
    said = adjudge_cli("classification", table, *ASKED, "--json", tmp_path / "r.json", "--csv", "/dev/full")
    refused(said, '"/dev/full" must be a file that can be written, but: No space left on device')
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
    for words in (["classification", str(table), *ASKED], ["--help"], ["--version"]):
        with open("/dev/full", "w") as full:
            command = [sys.executable, "-m", "adjudge", *words]
            environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment, check=False)
        assert done.returncode == 2
        assert done.stderr == b"adjudge: What is printed must go somewhere, but: No space left on device.\n"


def test_the_folder_that_one_is_in_is_gone(
    table: Path, tmp_path: Path, adjudge_cli: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    refused(adjudge_cli("classification", table, *ASKED, "--json", "r.json"), "must be there, but it is gone")


def test_nobody_to_print_to(table: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = f"{sys.executable} -m adjudge classification {table} {' '.join(ASKED)} --json {tmp_path / 'r.json'} >&-"
    done = subprocess.run(command, shell=True, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "r.json").exists()


def test_what_killed_runs_left_behind(tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    host = writing._host()
    whose = (f"{host}-{gone.pid}", f"{host}-{os.getpid()}", f"elsewhere-{gone.pid}")
    dead, alive, other = (tmp_path / f"{PREFIX}{name}-x1" for name in whose)
    for path in (dead, alive, other):
        path.write_text("half")
    write_together({tmp_path / "a": "whole"})
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["a", alive.name, other.name])


def test_interrupted_while_files_are_put_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = os.replace

    def interrupted(source: Any, target: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        plain(source, target)

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt, match="the files were written"):
        write_together({tmp_path / "a": "a", tmp_path / "b": "b"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_what_is_said_of_files_when_stopped(
    table: Path, tmp_path: Path, adjudge_cli: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*given: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Evaluation, "show", stopped)
    said = adjudge_cli("classification", table, *ASKED, "--json", tmp_path / "r.json")
    assert (said.code, said.err) == (130, "adjudge: stopped; the files were written.\n")
    assert adjudge_cli("classification", table, *ASKED).err == "adjudge: stopped; nothing was written.\n"
    monkeypatch.setattr(Evaluation, "content", stopped)
    said = adjudge_cli("classification", table, *ASKED, "--json", tmp_path / "other.json")
    assert (said.code, said.err) == (130, "adjudge: stopped; nothing was written.\n")
    assert not (tmp_path / "other.json").exists()


def test_folders_that_may_not_be_written(table: Path, tmp_path: Path, adjudge_cli: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(os, "access", lambda *given: False)
    said = adjudge_cli("classification", table, *ASKED, "--json", tmp_path / "r.json")
    refused(said, "must be in a folder that can be written")


def test_folders_that_may_not_be_looked_into(tmp_path: Path, adjudge_cli: Any, monkeypatch: Any) -> None:
    def denied(*given: object) -> list[str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", denied)
    refused(adjudge_cli("classification", tmp_path / "no.csv", *ASKED), "cannot be looked into: Permission denied")
    monkeypatch.setattr(os, "scandir", denied)  # where a pattern matches nothing, for nothing is seen
    refused(adjudge_cli("classification", tmp_path / "*.csv", *ASKED), "one that can be looked into")
    refused(adjudge_cli("preference", tmp_path / "*.json"), "one that can be looked into")


def test_nothing_acts_on_the_terminal(tmp_path: Path, adjudge_cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in a result nor in a refusal, wherever the text comes from; once in a process of its own."""
    monkeypatch.chdir(tmp_path)
    name = "\x1b[31mred\u202e"
    (tmp_path / "t.csv").write_text(f"label,{name}\na,a\nb,{name}\n", encoding="utf-8")
    for arguments in (
        ("classification", "t.csv", "--reference", "label", "--prediction", name, "--replicates", "100"),
        ("classification", "t.csv", "--reference", name + "x", "--prediction", name),
        ("classification", "t.csv", name),
        ("classification", f"{name}.csv", "--reference", "label"),
        (name,),
        ("metrics", name),
        ("report", name),
    ):
        said = adjudge_cli(*arguments)
        assert said.out + said.err
        assert "\x1b" not in said.out + said.err, arguments
        assert "\u202e" not in said.out + said.err, arguments
    done = typed(*arguments, folder=tmp_path)
    assert b"\x1b" not in done.stdout + done.stderr
    assert "\u202e".encode() not in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr
