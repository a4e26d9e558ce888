"""Refusals and advice on the command line name options, as they are typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudge.cli.spelling import as_typed
from adjudge.cli.task import parser
from adjudge.tasks import task_named, task_names

KNOWN = {
    "ok": "--ok",
    "positive": "--positive",
    "min_items": "--min-items",
    "systems": "--system",
    "missing": "--missing",
}


@pytest.mark.parametrize(
    ("said", "typed"),
    [
        ('give ok="C1".', "give --ok C1."),
        ("Is `positive` the right label?", "Is `--positive` the right label?"),
        ("Name them with `systems`.", "Name them with `--system`."),
        ("`min_items` must be whole: give min_items=3.", "`--min-items` must be whole: give --min-items 3."),
        (
            'Declare them missing: missing=["NA", "n/a", "it\'s"].',
            "Declare them missing: --missing NA n/a 'it'\"'\"'s'.",
        ),
        ('Give positive="a b; rm -rf".', "Give --positive 'a b; rm -rf'."),
        ("Give ok=True.", "Give --ok."),
        ("`top_grade` of a metric: top_grade=2", "`top_grade` of a metric: top_grade=2"),
        ('a label "ok=1 and `positive`" stays', 'a label "ok=1 and `positive`" stays'),
        ("not_ok=1 and x.ok=2 are other words", "not_ok=1 and x.ok=2 are other words"),
    ],
)
def test_settings_are_spelled_as_options(said: str, typed: str) -> None:
    assert as_typed(said, KNOWN) == typed


def test_a_stop_advises_the_option_that_lets_it_pass(adjudge_cli: Any, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("label,guess\n" + "Ham,ham\nSpam,spam\n" * 30)
    asked = ["classification", table, "--reference", "label", "--prediction", "guess"]
    said = adjudge_cli(*asked)
    assert said.err.endswith("give --ok C1.\n")
    assert adjudge_cli(*asked, "--ok", "C1").code == 0


def test_the_data_check_in_the_terminal_advises_options_and_in_files_python(adjudge_cli: Any, tmp_path: Path) -> None:
    table, page = tmp_path / "t.csv", tmp_path / "t.json"
    table.write_text("label,guess\n" + "NA,ham\nspam,spam\nham,ham\n" * 20)
    said = adjudge_cli("classification", table, "--reference", "label", "--prediction", "guess", "--json", page)
    assert "--missing NA" in " ".join(said.out.split())
    assert 'missing=[\\"NA\\"]' in page.read_text()


def test_a_command_without_the_option_leaves_words_alone(adjudge_cli: Any, tmp_path: Path) -> None:
    adjudge_cli("classification", tmp_path / "none.csv", "--reference", "a")
    said = adjudge_cli("report", tmp_path / "none.save")
    assert said.code == 2
    assert "`--reference`" not in said.err


@pytest.mark.parametrize("task", task_names())
def test_options_are_spelled_with_hyphens(task: str) -> None:
    assert [option for option in parser(task_named(task))._option_string_actions if "_" in option] == []


def test_an_underscore_is_refused_with_the_hyphen_named(adjudge_cli: Any, tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("human,polite,one,two\n" + "a,a,x,y\nb,a,y,x\n" * 20)
    asked = ["preference", table, "--reference", "human", "--annotators", "polite", "--models"]
    said = adjudge_cli(*asked, "--model_a", "one", "--model-b", "two")
    assert said.code == 2
    assert "`--model-a`" in said.err or '"--model-a"' in said.err
    assert adjudge_cli(*asked, "--model-a", "one", "--model-b", "two").code == 0
