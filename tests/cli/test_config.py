"""`adjudge.toml`: begun from a table, checked, read by every command; what is typed wins, and what is taken is said."""

from __future__ import annotations

import html
import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_guess import NAMED, rows
from tests.written import csv_file

from adjudge.cli.config import known_in_files, read_config
from adjudge.cli.init import config_schema, drafted_config
from adjudge.data.source import open_source
from adjudge.data.tables.profiles import profiles_of
from adjudge.errors import AdjudgeError
from adjudge.tasks import task_named, task_names

ANSWERS = {key: rows()[key] for key in ("labels", "answers", "others", "place", "id")}
SETTINGS = '[classification]\nreference = "labels"\nprediction = ["answers"]\nslices = "place"\nreplicates = 100\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a table in it."""
    monkeypatch.chdir(tmp_path)
    csv_file(tmp_path / "table.csv", ANSWERS)
    return tmp_path


@pytest.mark.parametrize("case", NAMED)
def test_a_file_that_was_begun_asks_what_the_guess_asks(case: str, folder: Path, adjudge_cli: Any) -> None:
    csv_file(folder / "table.csv", NAMED[case][0])
    adjudge_cli("table.csv", "--replicates", "100", "--quiet", "--json", "guessed.json")
    assert adjudge_cli("init", "table.csv").out == "settings: adjudge.toml\n"
    said = adjudge_cli("table.csv", "--replicates", "100", "--json", "told.json")
    assert said.code == 0, said.err
    assert said.out.startswith(f"adjudge.toml: {NAMED[case][1]}\n")
    assert Path("told.json").read_bytes() == Path("guessed.json").read_bytes()


@pytest.mark.parametrize("task", task_names())
def test_every_line_of_a_file_to_fill_in_is_one_that_the_file_may_have(task: str, folder: Path) -> None:
    text = drafted_config("table.csv", profiles_of(open_source("table.csv")), task)
    assert tomllib.loads(text).keys() == {task}
    lines = re.findall(r"^(?:# )?(\w+ = .*)$", text, re.MULTILINE)
    assert {line.split(" =")[0] for line in lines} == set(known_in_files(task_named(task)))
    for line in lines:
        Path("line.toml").write_text(f"[{task}]\n{line}\n")
        assert read_config("line.toml").sections[task]


def test_names_that_are_not_plain_are_written_so_that_they_are_read_back(folder: Path) -> None:
    odd = {'true "label"\n# x': rows()["labels"], "guess \\ = ]": rows()["answers"]}
    text = drafted_config("a\n[b]", profiles_of(open_source(odd)), "classification")
    Path("odd.toml").write_text(text)
    assert read_config("odd.toml").sections == {
        "classification": {"reference": 'true "label"\n# x', "prediction": ["guess \\ = ]"]}
    }


def test_several_ways_to_read_a_table_are_all_commented_out(folder: Path, adjudge_cli: Any) -> None:
    csv_file(folder / "rated.csv", {"a": rows()["labels"], "b": rows()["answers"]})
    assert adjudge_cli("init", "rated.csv").code == 0
    text = Path("adjudge.toml").read_text()
    assert tomllib.loads(text) == {}
    assert "# [" in text or "No task fits" in text


def test_what_is_typed_wins_and_what_is_taken_is_said(folder: Path, adjudge_cli: Any) -> None:
    Path("adjudge.toml").write_text(SETTINGS)
    said = adjudge_cli("classification", "table.csv", "--prediction", "others", "--json", "out.json")
    assert said.out.startswith("adjudge.toml: --reference labels --slices place --replicates 100\n")
    command = json.loads(Path("out.json").read_text())["settings"]["command"]
    options = "--reference labels --prediction others --slices place --replicates 100"
    assert command == f"adjudge classification table.csv {options}"
    quiet = adjudge_cli("classification", "table.csv", "--quiet")
    assert (quiet.code, quiet.out) == (0, "")
    Path("adjudge.toml").write_text("not TOML")
    other = adjudge_cli("classification", "table.csv", "--config", "none")
    assert other.code == 2
    assert "classification needs `--reference`" in other.err


def test_another_shape_of_table_leaves_out_the_columns_of_the_first(folder: Path, adjudge_cli: Any) -> None:
    Path("adjudge.toml").write_text('[agreement]\nraters = ["a", "b"]\nmeasurement = "ordinal"\nreplicates = 100\n')
    long = {"item": ["1", "1", "2", "2", "3", "3"] * 5, "who": ["x", "y"] * 15, "says": ["1", "2", "2", "2", "3"] * 6}
    long["item"] = [f"{i // 2}" for i in range(30)]
    csv_file(folder / "long.csv", long)
    typed = ["--item", "item", "--rater", "who", "--rating", "says"]
    said = adjudge_cli("agreement", "long.csv", *typed, "--json", "out.json")
    assert said.out.startswith("adjudge.toml: --measurement ordinal --replicates 100\n"), said.err
    default = adjudge_cli("agreement", "long.csv", *typed, "--measurement", "nominal")
    assert default.out.startswith("adjudge.toml: --replicates 100\n")


def test_other_commands_read_it(folder: Path, adjudge_cli: Any) -> None:
    Path("adjudge.toml").write_text(SETTINGS + 'id = "id"\nlevel = 0.9\n')
    csv_file(folder / "new.csv", ANSWERS | {"answers": ANSWERS["others"]})
    said = adjudge_cli("compare", "table.csv", "new.csv", "--json", "out.json")
    assert said.code == 0, said.err
    assert "--id id" in said.out.splitlines()[0]
    assert json.loads(Path("out.json").read_text())["settings"]["level"] == 0.9
    plan = adjudge_cli("plan", "accuracy >= 0.5", "--pilot", "table.csv", "--task", "classification", "--samples", "50")
    assert plan.code in (0, 3), plan.err
    assert plan.out.startswith("adjudge.toml: --reference labels --prediction answers")
    named = adjudge_cli("classification", "table.csv", "--config", "adjudge.toml")
    assert named.out.startswith("adjudge.toml: --reference labels")


REFUSED = {
    "unknown key": ('[classification]\nrefrence = "y"\n', 'In "adjudge.toml", [classification]: "refrence" must be'),
    "nearest key": ('[classification]\nrefrence = "y"\n', "reference"),
    "unknown section": ("[clasification]\n", 'Did you mean "classification"'),
    "kind": ('[classification]\nlevel = "high"\n', "level must be a number"),
    "a day": ("[classification]\nreference = 2026-11-02\n", "reference must be the name of a column"),
    "a file": ('[ranking]\nruns = ["/etc/passwd"]\n', "runs must be typed with the command"),
    "more files": ('[preference]\nmerge = ["../x"]\n', "merge must be typed with the command"),
    "a machine": ('[classification]\nmaster = "spark://far.away:1"\n', "master must be typed with the command"),
    "an output": ('[classification]\nhtml = "../page.html"\n', '"html" must be a role or a setting'),
    "requirement": ('[classification]\nrequire = ["accuracy"]\n', "A requirement must compare"),
    "no section": ('reference = "y"\n', '"reference" is not'),
    "not a section": ("classification = 3\n", "write [classification]"),
    "not TOML": ("[classification\n", "must be TOML"),
    "no text": ("\x00\xff", "must be UTF-8 text"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_meant_is_refused(case: str, folder: Path, adjudge_cli: Any) -> None:
    content, message = REFUSED[case]
    Path("adjudge.toml").write_bytes(content.encode("latin-1"))
    typed = ["classification", "table.csv", "--reference", "labels", "--prediction", "answers"]
    for command in (typed, ["init", "--check"], ["table.csv"]):
        said = adjudge_cli(*command)
        assert (said.code, said.out) == (2, ""), command
        assert message in said.err
        assert said.err.count("\n") == 1


def test_a_refusal_of_what_nobody_typed_says_where_it_is_from(folder: Path, adjudge_cli: Any) -> None:
    Path("adjudge.toml").write_text(SETTINGS.replace("labels", "topic"))
    said = adjudge_cli("classification", "table.csv")
    assert said.code == 2
    assert said.err.endswith('("reference" of adjudge.toml: type another, or --config none.)\n')
    assert adjudge_cli("classification", "table.csv", "--config", "gone.toml").code == 2


def test_a_file_is_neither_replaced_nor_written_over(folder: Path, adjudge_cli: Any) -> None:
    Path("adjudge.toml").write_text(SETTINGS)
    assert "is there already" in adjudge_cli("init", "table.csv").err
    assert "of its own" in adjudge_cli("classification", "table.csv", "--json", "adjudge.toml").err
    assert Path("adjudge.toml").read_text() == SETTINGS
    assert adjudge_cli("init", "--check").out == "adjudge.toml: classification, nothing wrong\n"


def test_the_schema_knows_every_key(adjudge_cli: Any) -> None:
    assert json.loads(adjudge_cli("init", "--schema").out) == config_schema()
    assert set(config_schema()["properties"]) == set(task_names())
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(tomllib.loads(SETTINGS), config_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"classification": {"level": "high"}}, config_schema())


# What was asked in Python, and which table of it.
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "names with signs": ("classification", {"reference": "the label", "prediction": ["it's", "$HOME"],
                                            "slices": "a*b"}),
    "numbers": ("classification", {"reference": "the label", "prediction": "it's", "level": 0.9, "seed": 11}),
    "systems": ("classification", {"reference": "the label", "systems": {"x y": {"prediction": "it's"}}}),
    "margin": ("classification", {"reference": "the label", "prediction": ["it's", "$HOME"],
                                  "margin": {"accuracy": 0.01}, "metrics": ["accuracy", "f_score(beta=2)"]}),
    "required": ("classification", {"reference": "the label", "prediction": "it's",
                                    "require": [{"metric": "accuracy", "at_least": 0.5},
                                                "every a*b: accuracy >= 0.2"]}),
    "agreement": ("agreement", {"raters": ["the label", "it's"], "measurement": "nominal", "scale": ["c", "b", "a"]}),
    "delimiter": ("classification", {"reference": "the label", "prediction": "it's", "delimiter": ","}),
}  # fmt: skip


@pytest.mark.parametrize("case", ASKED)
def test_the_command_of_a_result_makes_the_same_bytes(case: str, folder: Path, adjudge_cli: Any) -> None:
    import adjudge

    task, asked = ASKED[case]
    values = rows()
    names = {
        "the label": values["labels"],
        "it's": values["answers"],
        "$HOME": values["others"],
        "a*b": values["place"],
    }
    csv_file(folder / "a table.csv", names)
    evaluation = adjudge.evaluate(folder / "a table.csv", task, replicates=100, **asked)
    command = evaluation.outcome.settings.command
    assert command.startswith(f"adjudge {task} 'a table.csv' --")
    said = adjudge_cli(*shlex.split(command)[1:], "--json", "again.json")
    assert said.code in (0, 1, 3), said.err
    assert Path("again.json").read_bytes() == evaluation.content("json")
    if case == "names with signs":
        assert f"```\n{command}\n```" in str(evaluation.content("markdown"))
        assert command in html.unescape(str(evaluation.content("html")))


def test_the_command_of_a_comparison_makes_the_same_bytes(folder: Path, adjudge_cli: Any) -> None:
    import adjudge

    csv_file(folder / "new.csv", ANSWERS | {"answers": ANSWERS["others"]})
    asked: dict[str, Any] = {"reference": "labels", "prediction": "answers", "replicates": 100, "id": "id"}
    compared = adjudge.compare(folder / "table.csv", folder / "new.csv", **asked)
    command = compared.outcome.settings.command
    assert command.startswith("adjudge compare table.csv new.csv --task classification --names table new --id id")
    assert adjudge_cli(*shlex.split(command)[1:], "--json", "again.json").code == 0
    assert Path("again.json").read_bytes() == compared.content("json")


def test_what_cannot_be_typed_has_no_command() -> None:
    import adjudge

    table = {"y": ["a", "b", "a", "b"], "-p\n": ["a", "b", "b", "b"]}
    asked: dict[str, Any] = {"reference": "y", "prediction": "-p\n", "replicates": 100}
    assert adjudge.evaluate(table, **asked).outcome.settings.command == ""
    Path("odd.csv").write_text('y,"-p"\na,a\nb,b\na,b\nb,b\n')
    lone = adjudge.evaluate("odd.csv", reference="y", prediction="-p", replicates=100)
    assert (
        lone.outcome.settings.command == "adjudge classification odd.csv --reference y --prediction=-p --replicates 100"
    )
    assert "Command" not in str(adjudge.evaluate(table, **asked).content("markdown"))


@pytest.mark.parametrize("content", ["a = " + "[" * 5000, "\ufeff[x]\n", "[classification.a.b]\n", "[[ranking]]\n"])
def test_a_hostile_file_of_settings_is_refused_in_a_line(content: str, folder: Path) -> None:
    Path("adjudge.toml").write_text(content)
    with pytest.raises(AdjudgeError, match=r"\A[^\n]*\Z"):
        read_config("adjudge.toml")
