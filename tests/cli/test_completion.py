"""Completion: what can come next follows from the declarations, and a real bash takes it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from adjudge.cli.completion import SHELLS, following_words, parser_of
from adjudge.cli.main import commands
from adjudge.tasks import task_names


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a table whose columns are hostile."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text('label,label two,$(touch gone),it\'s,"a\nb"\nx,y,z,w,v\n')
    return tmp_path


@pytest.mark.parametrize("command", commands())
def test_every_command_has_a_parser_that_is_not_run(command: str) -> None:
    parser = parser_of(command)
    assert parser is not None
    assert set(following_words([command, "--"])) >= {"--help"}
    assert all(word.startswith("-") for word in following_words([command, "-"]))


def test_words_follow_from_the_declarations() -> None:
    assert following_words([""])[: len(task_names())] == list(task_names())
    assert following_words(["classification", "t.csv", "--slic"]) == ["--slices"]
    assert following_words(["classification", "t.csv", "--metrics", "accuracy", "cohen"]) == ["cohen_kappa"]
    assert following_words(["classification", "t.csv", "--reference", "lab"]) == ["label", "label two"]
    assert following_words(["classification", "t.csv", "--slices", "label", '"label t']) == ["label two"]
    assert following_words(["classification", "t.csv", "--html", ""]) == []
    assert following_words(["classification", "gone.csv", "--reference", ""]) == []
    assert following_words(["demo", "reg"]) == ["regression"]
    assert following_words(["compare", "a", "b", "--task", "scor"]) == ["scoring"]
    assert following_words(["completion", ""]) == list(SHELLS)
    assert following_words(["convert", "x", "--table", ""])
    assert following_words(["t.csv", "--"]) == []
    assert "a\nb" not in following_words(["classification", "t.csv", "--reference", ""])


def completed(folder: Path, *typed: str) -> list[str]:
    """What bash makes of a line, the last word as far as it was typed."""
    script = folder / "adjudge"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m adjudge.cli.main "$@"\n')
    script.chmod(0o755)
    words = shlex.join(["adjudge", *typed])
    lines = f"""
eval "$(adjudge completion bash)"
COMP_WORDS=({words}); COMP_CWORD={len(typed)}
_adjudge
for one in "${{COMPREPLY[@]}}"; do printf '%s\\n' "$one"; done
complete -p adjudge
"""
    run = subprocess.run(
        ["bash", "--norc", "-c", lines],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
        check=True,
    )
    *found, registered = run.stdout.splitlines()
    assert registered == "complete -o default -F _adjudge adjudge"
    return found


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_a_real_bash_completes_and_runs_nothing_of_the_table(folder: Path) -> None:
    assert completed(folder, "reg") == ["regression"]
    columns = completed(folder, "classification", "t.csv", "--reference", "")
    assert columns == ["label", "label\\ two", "\\$\\(touch\\ gone\\)", "it\\'s"]
    assert not (folder / "gone").exists()


def test_each_shell_has_its_lines(adjudge_cli: Any) -> None:
    for shell, lines in SHELLS.items():
        assert adjudge_cli("completion", shell).out == lines
    said = adjudge_cli("completion", "tcsh")
    assert said.code == 2
    assert "bash" in said.err
