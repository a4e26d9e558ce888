"""Writes src/adjudge/functions.py and docs/tasks.md from the declarations of the tasks; --check says if they are true.

Neither is edited by hand: the function of a task, its command and its page cannot differ.
"""

import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from adjudge.evaluation.arguments import SHARED
from adjudge.evaluation.declaration import Role, Setting, Task
from adjudge.metrics.catalogue import every
from adjudge.tasks import purpose_of, task_named, task_names

ROOT = Path(__file__).parent.parent
FUNCTIONS, PAGE = ROOT / "src" / "adjudge" / "functions.py", ROOT / "docs" / "tasks.md"

MODULE = '''"""One function for each task. Written by tools/write_tasks.py from the declarations; not edited by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import signature
from os import PathLike
from typing import ParamSpec

from adjudge.evaluation.arguments import SHARED, checked_arguments
from adjudge.evaluation.settings import Progress
from adjudge.metrics.base import Metric
from adjudge.report.evaluation import Evaluation, evaluate
from adjudge.tasks import task_named

__all__ = {names}

Arguments = ParamSpec("Arguments")


def _of_task(function: Callable[Arguments, Evaluation]) -> Callable[Arguments, Evaluation]:
    """The same function; a name that it does not take is refused in the words of `evaluate`."""

    @wraps(function)
    def refusing(*table: Arguments.args, **given: Arguments.kwargs) -> Evaluation:
        known = signature(function).parameters
        if unknown := {name: value for name, value in given.items() if name not in known}:
            task = task_named(function.__name__)
            settings = [setting for setting in (*task.settings, *SHARED) if setting.name in known]
            checked_arguments(task.name, task.roles, settings, unknown)
        return function(*table, **given)

    return refusing


def _evaluated(task: str, given: dict[str, object], progress: Progress | None) -> Evaluation:
    """What was given, without what was left out."""
    kept = {name: value for name, value in given.items() if name != "progress" and value is not None}
    return evaluate(task=task, progress=progress, **kept)
'''
OPENING = """# Tasks

Written by `tools/write_tasks.py` from the declarations in `src/adjudge/tasks`: every task is a command, a function of
the same name, and `adjudge.evaluate(table, "<task>", …)`. All take what is listed under [every task](#every-task).
"""
# By form of what may be given, its type; values of other forms are anything, and checked where they are used.
TYPES = {
    "column": "str",
    "columns": "str | Sequence[str]",
    "str": "str",
    "float": "float",
    "floats": "float | Sequence[float]",
    "int": "int",
    "ints": "int | Sequence[int]",
    "words": "str | Sequence[str]",
    "keys": "str | Sequence[str]",
    "names": "bool | str | Sequence[str]",
    "files": "str | PathLike[str] | Sequence[str | PathLike[str]]",
    "named": "Mapping[str, object] | str | Sequence[str]",
    "margins": "Mapping[str, object] | Mapping[Metric, object] | str | Sequence[str]",
    "metrics": "str | Metric | Sequence[str | Metric]",
}
DEFAULTS = {"level": "0.95", "replicates": "2_000", "seed": "7", "bootstrap": '"percentile"', "engine": '"auto"'}


def form_of(one: Role | Setting) -> str:
    """The type of what may be given."""
    if isinstance(one, Role):
        return TYPES.get(one.form or ("columns" if one.many else "column"), "object")
    return TYPES.get(one.form or ("" if one.many else one.kind.__name__), "object")


def parameter(one: Role | Setting) -> str:
    """One parameter, as Python writes it."""
    if isinstance(one, Role) and one.required:
        return f"{one.name}: {form_of(one)}"
    default = DEFAULTS.get(one.name, "None" if isinstance(one, Role) or one.default is None else repr(one.default))
    kind = form_of(one)
    return f"{one.name}: {kind}{'' if kind == 'object' or default != 'None' else ' | None'} = {default}"


def settings_of(task: Task) -> list[Setting]:
    """The task's own settings, then everybody's."""
    several = any(role.name == "prediction" for role in task.roles)
    return [*task.settings, *(setting for setting in SHARED if several or setting.name != "systems")]


def function(task: Task) -> str:
    """The function of a task."""
    declared = sorted(task.roles, key=lambda role: not role.required)
    parameters = [parameter(one) for one in (*declared, *settings_of(task))]
    lines = [
        line
        for one in (*declared, *settings_of(task))
        for line in textwrap.wrap(f"{one.name}: {one.help}", 110, subsequent_indent="    ")
    ]
    text = [task.question, "", *lines, "", *([">>> import adjudge"] if task.example else []), task.example]
    body = "\n".join(f"    {line}" if line else "" for line in "\n".join(text).rstrip().splitlines())
    arguments = ",\n    ".join(["table: object", "*", *parameters, "progress: Progress | None = None"])
    return (
        f"\n\n@_of_task\ndef {task.name}(\n    {arguments},\n) -> Evaluation:\n"
        f'    r"""{body.strip()}\n    """\n    return _evaluated("{task.name}", locals(), progress)\n'
    )


def table(head: str, declared: list[Role] | list[Setting]) -> Iterator[str]:
    """Roles or settings in rows."""
    yield f"| {head} | what it is |\n|---|---|"
    for one in declared:
        required = "; required" if isinstance(one, Role) and one.required else ""
        yield f"| `{one.name}` (`--{one.name.replace('_', '-')}`) | {one.help.replace('|', chr(92) + '|')}{required} |"
    yield ""


def section(task: Task) -> Iterator[str]:
    """Everything a declaration says."""
    purpose = purpose_of(task.name)
    end = "" if purpose.endswith("?") else "."
    yield f"## {task.name}\n\n*{task.question}* `adjudge {task.name}`: {purpose}{end}\n"
    yield from table("column", list(task.roles))
    yield from table("setting", list(task.settings))
    known = {metric.name for metric in every()}
    names = dict.fromkeys(metric.name for metric in task.metrics)
    told = [f"[{name}](metrics.md#{name})" if name in known else f"[{name}]({task.name}.md)" for name in names]
    yield f"Metrics: {', '.join(told)}.\n"
    if task.example:
        yield "```python\nimport adjudge\n"
        yield "\n".join(line[4:] for line in task.example.splitlines() if line.startswith((">>> ", "... ")))
        yield "```\n"


def written() -> dict[Path, str]:
    """Both files, as they should be."""
    tasks = [task_named(name) for name in task_names()]
    code = MODULE.replace("{names}", repr(list(task_names()))) + "".join(function(task) for task in tasks)
    formatted = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(FUNCTIONS), "-"],
        input=code,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    page = [
        OPENING,
        *(line for task in tasks for line in section(task)),
        "## every task\n",
        *table("setting", list(SHARED)),
    ]
    return {FUNCTIONS: formatted, PAGE: "\n".join(page).rstrip() + "\n"}


def main() -> int:
    for path, text in written().items():
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{path.name} is not what the tasks declare. Run: python tools/write_tasks.py")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
