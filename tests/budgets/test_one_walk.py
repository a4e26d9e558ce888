"""Every task walks through the same files, and enters the same rooms in the same order.

Of the files that it enters in rooms that know no task, all enter nine in ten.
"""

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
# The command reads what it was given, then the request names metrics, and these decide what is watched and summed.
ORDER = "cli tasks data evaluation report engines inference metrics diagnosis statistics"
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


def entered(arguments: list[str]) -> list[Path]:
    """The files in which something was called, in the order of the first call."""
    met: dict[str, None] = {}

    def see(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            met.setdefault(frame.f_code.co_filename)

    sys.setprofile(see)
    try:
        assert main(arguments) == 0
    finally:
        sys.setprofile(None)
    return [Path(name).relative_to(SOURCE) for name in met if name.startswith(str(SOURCE))]


@pytest.fixture(scope="module")
def walks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """The files that each task enters, in order."""
    folder = tmp_path_factory.mktemp("walks")
    commands = {
        name: command(name, demo, folder) for name in task_names() if (demo := task_named(name).demo) is not None
    }
    first = next(iter(commands))
    # What is made once is not the first task's own: it walks twice.
    return {name: entered(commands[name]) for name in (*commands, first)}


def test_nine_in_ten_files_are_everybodys(walks: dict[str, list[Path]]) -> None:
    # Charts are chosen by a task's panels.
    met = {
        name: {path.as_posix() for path in paths if path.parts[0] in ROOMS and "charts" not in path.parts}
        for name, paths in walks.items()
    }
    shared = set.intersection(*met.values())
    assert len(met) > 5
    assert len(shared) > 50
    assert {name: sorted(of - shared) for name, of in met.items() if len(shared) < LEAST * len(of)} == {}


def test_every_task_enters_the_same_rooms_in_the_same_order(walks: dict[str, list[Path]]) -> None:
    orders = {name: list(dict.fromkeys(path.parts[0] for path in paths)) for name, paths in walks.items()}
    rooms = {name: tuple(room for room in order if not room.endswith(".py")) for name, order in orders.items()}
    assert rooms == dict.fromkeys(rooms, tuple(ORDER.split()))
