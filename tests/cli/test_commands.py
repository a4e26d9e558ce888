"""The commands, as they are typed. Refusals of tables and settings are in tests/messages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.messages.cases import PLAIN

import adjudge
from adjudge.metrics.catalogue import every
from adjudge.report.evaluation import evaluate
from adjudge.tasks import task_named, task_names

ROOT = Path(__file__).parents[2]
TASKS = task_names()
ASKED = ["--reference", "label", "--prediction", "guess", "--replicates", "100"]


def typed(*arguments: object, folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "adjudge", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")} | environment,
        capture_output=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "judgements.csv"
    path.write_text(PLAIN)
    return path


def refused(said: Any, told: str) -> None:
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("adjudge: ")
    assert said.err.count("\n") == 1
    assert told in said.err


def test_help_and_version(adjudge_cli: Any) -> None:
    for arguments in ((), ("--help",), ("-h",), ("help",)):
        said = adjudge_cli(*arguments)
        assert (said.code, said.err) == (0, "")
        assert "classification" in said.out
        assert "exit codes" in said.out
    assert adjudge_cli("--version").out == f"adjudge {adjudge.__version__}\n"


@pytest.mark.parametrize("command", ["classification", "metrics", "report", "demo"])
def test_each_command_has_help(command: str, capsys: pytest.CaptureFixture[str], adjudge_cli: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        adjudge_cli(command, "--help")
    assert ended.value.code == 0
    assert f"usage: adjudge {command}" in capsys.readouterr().out


@pytest.mark.parametrize("task", task_names())
def test_the_short_help_has_what_is_used_most(task: str, capsys: pytest.CaptureFixture[str], adjudge_cli: Any) -> None:
    said = []
    for option in ("-h", "--help"):
        with pytest.raises(SystemExit) as ended:
            adjudge_cli(task, option)
        assert ended.value.code == 0
        said.append(capsys.readouterr().out)
    short, every = said
    assert short.endswith(f"all options: adjudge {task} --help\n")
    assert "--html" in short
    assert "--engine" not in short
    assert "--engine" in every
    assert f"example:\n  adjudge {task} " in short


@pytest.mark.parametrize("task", [name for name in task_names() if name != "classification"])
def test_every_task_has_a_demo(task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, adjudge_cli: Any) -> None:
    """Its table, the command that is printed, and a page."""
    demo = task_named(task).demo
    assert demo is not None
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("adjudge.cli.demo.evaluate", lambda table, **given: evaluate(table, **given, replicates=100))
    said = adjudge_cli("demo", task)
    assert said.code == 0, said.err
    assert said.out.startswith(f"adjudge demo {task} --data {demo.file}\nadjudge {task} {demo.file} --")
    assert (tmp_path / "adjudge-demo.html").exists()


def test_the_table_of_a_demo_can_be_taken_away(tmp_path: Path, adjudge_cli: Any) -> None:
    said = adjudge_cli("demo", "regression", "--data", tmp_path / "mine.csv")
    assert (said.code, said.out) == (0, "")
    assert (tmp_path / "mine.csv").read_text().startswith("flat,town,price,model,rule\n")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.csv"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["judges", "--data", "mine.csv", "--html", "page.html"], "asked for alone"),
        (["judges", "--data", "mine.parquet"], "must end in .csv"),
        (["judges", "--data", ""], "must end in .csv"),
        (["adequacy", "--data", "mine.csv"], "must end in .toml"),
        (["adequacy", "--csv", "mine.csv"], "must be html, json or markdown"),
    ],
)
def test_what_a_demo_would_not_write_is_refused(
    asked: list[str], said: str, tmp_path: Path, adjudge_cli: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = adjudge_cli("demo", *asked)
    assert (told.code, said in told.err, list(tmp_path.iterdir())) == (2, True, [])


@pytest.mark.parametrize(("bound", "code"), [("0.5", 0), ("0.99", 1), ("0.9", 3)])
def test_a_closed_pipe_does_not_change_the_verdict(bound: str, code: int, tmp_path: Path) -> None:
    """`adjudge … | head` must not turn a release that failed into one that passed, or the other way round."""
    table = tmp_path / "t.csv"
    table.write_text("label,guess\n" + "a,a\nb,b\n" * 90 + "a,b\nb,a\n" * 10)
    arguments = ["classification", table, *ASKED, "--require", f"accuracy >= {bound}", "--all"]
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(
        [sys.executable, "-m", "adjudge", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
        timeout=120,
    )
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (code, b"")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["report"], "report needs FILE: a file written with --save."),
        (["convert"], "convert needs FILE, --to: what a tool exported"),
        (["completion"], 'completion needs shell: the shell to set up: "bash", "zsh", "fish".'),
    ],
)
def test_what_is_missing_is_told(typed: list[str], told: str, adjudge_cli: Any) -> None:
    refused(adjudge_cli(*typed), told)


def test_a_saved_evaluation_that_is_not_there_is_missing(table: Path, tmp_path: Path, adjudge_cli: Any) -> None:
    saved = tmp_path / "a.adjudge"
    assert adjudge_cli("classification", table, *ASKED, "--save", saved, "--quiet").code == 0
    refused(adjudge_cli("compare", saved, tmp_path / "b.adjudge"), "must be an existing file, but there is none.")


def test_an_unknown_command(adjudge_cli: Any) -> None:
    refused(adjudge_cli("clasification"), 'not "clasification". Did you mean "classification"?')


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (["--referenc", "label"], "--reference"),
        (["--reference", "label", "--level", "high"], 'must be a number, not "high"'),
        (["--reference", "label", "--nonsense"], "--nonsense"),
        (["--reference", "label", "--level", "x" * 20_000], "xxx..."),
        (["--reference"], "needs one value after --reference"),
        (["--reference", "label", "--system", "new"], '"new" has'),
        (["--reference", "label", "--system", "new", "guess"], "NAME=COLUMN"),
        (["--reference", "label", "--system", "new", "answer=guess"], '"new" has'),
        (["--reference", "label", "--system", "new", "prediction=guess", "prediction=label"], "one prediction"),
        (["--reference", "label", "--system", "new", "score=score", "score=spam=weight"], "NAME=COLUMN"),
        (["--reference", "label", "--system", "a", "score=score", "--system", "a", "score=score"], "twice"),
        (["--reference", "label", "--score", "spam=score", "spam=weight"], "twice"),
        (["--reference", "label", "--score", "spam=score", "weight"], "NAME=COLUMN"),
    ],
)
def test_mistyped_options(wrong: list[str], told: str, table: Path, adjudge_cli: Any) -> None:
    refused(adjudge_cli("classification", table, *wrong), told)


def test_no_output_replaces_an_input_or_another(table: Path, tmp_path: Path, adjudge_cli: Any) -> None:
    before = table.read_bytes()
    (tmp_path / "link.csv").symlink_to(table)
    same = {
        "the input": [table, "--csv", table],
        "by another path": [table, "--csv", tmp_path / "x" / ".." / "judgements.csv"],
        "by a link": [table, "--csv", tmp_path / "link.csv"],
        "in a pattern": [tmp_path / "judg*.csv", "--csv", table],
        "two outputs": [table, "--csv", tmp_path / "out", "--json", tmp_path / "out"],
    }
    (tmp_path / "x").mkdir()
    for how, (path, *outputs) in same.items():
        said = adjudge_cli("classification", path, *ASKED, *outputs)
        refused(said, "is already read or written")
        assert table.read_bytes() == before, how
    assert sorted(path.name for path in tmp_path.iterdir()) == ["judgements.csv", "link.csv", "x"]


def test_names_that_no_file_can_have(tmp_path: Path, adjudge_cli: Any) -> None:
    long = "x" * 300
    refused(adjudge_cli("classification", tmp_path / f"{long}.csv", *ASKED), "must be an existing file")
    refused(adjudge_cli("classification", tmp_path / long / "a.csv", *ASKED), "there is no folder")
    refused(adjudge_cli("classification", "~nobody-of-this-name/a.csv", *ASKED), "there is no folder")
    refused(adjudge_cli("rsmeval", "generate", "-o", tmp_path / long), "a name a file can have")
    config = tmp_path / "config.json"
    asked = {"experiment_id": "e", "system_score_column": "m", "trim_min": 1, "trim_max": 5}
    config.write_text(json.dumps(asked | {"predictions_file": f"{long}.csv"}))
    refused(adjudge_cli("rsmeval", config, tmp_path / "out"), "`predictions_file` must name a file")
    (tmp_path / "few.csv").write_text("spkitemid,sc1,m\n" + "".join(f"{n},{n},{n}.5\n" for n in range(1, 6)))
    config.write_text(json.dumps(asked | {"predictions_file": "few.csv"}))
    refused(adjudge_cli("rsmeval", config, tmp_path / long), "File name too long")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.json", "few.csv"]


def test_outputs_are_checked_before_the_work(table: Path, tmp_path: Path, adjudge_cli: Any) -> None:
    said = adjudge_cli("classification", table, *ASKED, "--html", tmp_path / "a.html", "--json", tmp_path / "no/b.json")
    refused(said, "must be in an existing folder")
    refused(adjudge_cli("classification", table, *ASKED, "--html", tmp_path), "is a folder")
    refused(adjudge_cli("classification", table, *ASKED, "--html", tmp_path / ("x" * 300)), "a name a file can have")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["judgements.csv"]


def test_systems_and_scores_by_label(tmp_path: Path, adjudge_cli: Any) -> None:
    (tmp_path / "t.csv").write_text("label,x,y,a=b\na,0.5,0.5,a\nb,0.5,0.5,b\n")
    table, out = tmp_path / "t.csv", tmp_path / "r.csv"
    settings = ["--replicates", "100", "--quiet", "--csv", out]
    tied = ["--system", "first", "score=a=x", "score=b=y", "--system", "last", "score=b=y", "score=a=x"]
    assert adjudge_cli("classification", table, "--reference", "label", *tied, *settings).code == 0
    rows = out.read_text().splitlines()
    assert any(row.startswith("first,all,a,recall,1.0") for row in rows), "of equal scores the first given decides"
    assert any(row.startswith("last,all,b,recall,1.0") for row in rows)
    said = adjudge_cli("classification", table, "--reference", "label", "--system", "s", "prediction=a=b", *settings)
    assert said.code == 0, said.err
    assert any(row.startswith("s,all,,accuracy,1.0") for row in out.read_text().splitlines())
    assert adjudge_cli("classification", table, "--reference", "label", "--score", "a=x", "b=y", *settings).code == 0


def test_metrics(adjudge_cli: Any) -> None:
    listing = adjudge_cli("metrics")
    assert listing.code == 0
    assert all(f"  {metric.name} " in listing.out for metric in every())
    one = adjudge_cli("metrics", "cohen_kappa")
    assert one.code == 0
    assert one.out.startswith("cohen_kappa: Cohen")
    for fact in ("formula", "parameters", "weighting", "reading", "undefined", "intervals", "references"):
        assert fact in one.out
    refused(adjudge_cli("metrics", "cohen_kapa"), 'Did you mean "cohen_kappa"')
    refused(adjudge_cli("metrics", "f_score(beta)"), "name=value")


@pytest.mark.parametrize("metric", [metric.name for metric in every()])
def test_every_metric_is_explained(metric: str, adjudge_cli: Any) -> None:
    said = adjudge_cli("metrics", metric)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(metric)


def test_report_of_what_was_not_saved(table: Path, tmp_path: Path, adjudge_cli: Any) -> None:
    refused(adjudge_cli("report", table), "must be a file written by `--save`")
    refused(adjudge_cli("report", tmp_path / "nothing"), "must be an existing file")
    refused(adjudge_cli("report", tmp_path), "Is a directory")
    assert adjudge_cli("classification", table, *ASKED, "--quiet", "--json", tmp_path / "r.json").code == 0
    refused(adjudge_cli("report", tmp_path / "r.json"), "is it the JSON file?")
    assert adjudge_cli("classification", table, *ASKED, "--quiet", "--save", tmp_path / "e").code == 0
    refused(adjudge_cli("report", tmp_path / "e", "--html", tmp_path / "e"), "is already read or written")


def test_demo(tmp_path: Path) -> None:
    done = typed("demo", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["adjudge-demo.html"]
    page = (tmp_path / "adjudge-demo.html").read_text(encoding="utf-8")
    assert "filter_a" in page
    assert page.rstrip().endswith("</html>")
    assert b"filter_b" in done.stdout
    assert b"adjudge-demo.html" in done.stdout


def test_a_refusal_in_a_process_of_its_own(table: Path, tmp_path: Path) -> None:
    done = typed("classification", table, "--reference", "lable", "--html", "r.html", folder=tmp_path)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.startswith(b"adjudge: `--prediction` or `--score` must be given")
    assert done.stderr.count(b"\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["judgements.csv"]


def test_a_terminal_that_cannot_show_a_label(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("label,guess\n🐸,🐸\n\u202eé,🐸\n", encoding="utf-8")
    done = typed("classification", "t.csv", *ASKED, folder=tmp_path, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\U0001f438" in done.stdout


def test_a_reader_that_goes_away(table: Path, tmp_path: Path) -> None:
    command = f"{sys.executable} -m adjudge classification {table} {' '.join(ASKED)} | head -n 1"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(command, shell=True, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert done.stderr == b""


def test_output_to_a_pipe(table: Path, tmp_path: Path) -> None:
    before = os.readlink("/dev/stdout")
    done = typed("classification", table, *ASKED, "--quiet", "--json", "/dev/stdout", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b'{\n "schema_version": 2')
    assert os.readlink("/dev/stdout") == before, "a device is written to, not replaced"


def test_an_option_is_held_against_the_names_of_others_and_not_their_dashes(adjudge_cli: Any) -> None:
    near = adjudge_cli("classification", "table.csv", "--refernce", "label")
    assert (near.code, near.err.partition("--refernce. ")[2].strip()) == (2, 'Did you mean "--reference"?')


@pytest.mark.parametrize(
    ("task", "name", "own"),
    [(task, name, role.name) for task in TASKS for role in task_named(task).roles for name in role.misnomers],
)
def test_a_role_of_another_task_is_refused_with_the_one_that_plays_its_part(
    task: str, name: str, own: str, adjudge_cli: Any, tmp_path: Path
) -> None:
    declared = task_named(task)
    others = {role.name for one in TASKS if one != task for role in task_named(one).roles}
    assert name in others - {role.name for role in declared.roles} - {one.name for one in declared.settings}
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    needed = [word for role in declared.roles if role.required for word in (f"--{role.name}", "a")]
    said = adjudge_cli(task, tmp_path / "t.csv", *needed, f"--{name}", "b")
    assert (said.code, said.err) == (2, f"adjudge: `--{name}` must be called `--{own}`: give --{own} b.\n")
    compared = adjudge_cli("compare", tmp_path / "t.csv", "--task", task, *needed, f"--{name}", "b")
    assert compared.err == said.err
    far = adjudge_cli("classification", "table.csv", "--zzz", "1")
    assert (far.code, "See: adjudge classification -h" in far.err) == (2, True)
