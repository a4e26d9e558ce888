"""Every task walks through the same files: of those it enters in rooms that know no task, all enter nine in ten."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import adjudge
from adjudge.cli.main import main
from adjudge.evaluation.declaration import Demo
from adjudge.tasks import task_named, task_names

SOURCE = Path(adjudge.__file__).parent
ROOMS = ("cli", "evaluation", "engines", "report")
LEAST = 0.9
ROWS = 240


def command(name: str, demo: Demo, folder: Path) -> list[str]:
    """The first rows of a task's own table by its command, of one system: what is compared enters more."""
    table = folder / demo.file
    lines = (files("adjudge") / "demo" / demo.file).read_text(encoding="utf-8").splitlines(keepends=True)
    table.write_text("".join(lines[: ROWS + 1]), encoding="utf-8")
    words = [name, str(table)]
    for role, value in demo.given.items():
        values = value if isinstance(value, list) else [value]
        alone = values[:1] if role in ("prediction", "score") else values
        words += [f"--{role.replace('_', '-')}", *map(str, alone)]
    return [*words, "--replicates", "100", "--html", str(folder / "page.html")]


def entered(arguments: list[str]) -> set[str]:
    """The files of the rooms in which something was called; charts are chosen by a task's panels."""
    met: set[str] = set()

    def see(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            met.add(frame.f_code.co_filename)

    sys.setprofile(see)
    try:
        assert main(arguments) == 0
    finally:
        sys.setprofile(None)
    own = [Path(name).relative_to(SOURCE) for name in met if name.startswith(str(SOURCE))]
    return {path.as_posix() for path in own if path.parts[0] in ROOMS and "charts" not in path.parts}


def test_nine_in_ten_files_are_everybodys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commands = {
        name: command(name, demo, tmp_path) for name in task_names() if (demo := task_named(name).demo) is not None
    }
    first = next(iter(commands))
    met = {
        name: entered(commands[name]) for name in (*commands, first)
    }  # what is made once is not the first task's own
    capsys.readouterr()
    shared = set.intersection(*met.values())
    assert len(met) > 5
    assert len(shared) > 50
    assert {name: sorted(of - shared) for name, of in met.items() if len(shared) < LEAST * len(of)} == {}
