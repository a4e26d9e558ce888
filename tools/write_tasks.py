"""Writes src/adjudge/functions.py and docs/tasks.md from the declarations of the tasks; --check says if they are true.

Neither is edited by hand: the function of a task, its command and its page cannot differ.
"""

import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from adjudge.evaluation.asking.arguments import SHARED, USUAL
from adjudge.evaluation.declaration import Role, Setting, Task
from adjudge.metrics.catalogue import every
from adjudge.tasks import purpose_of, task_named, task_names

ROOT = Path(__file__).parent.parent
# Only tasks that predict have several systems with columns of their own.
SYSTEMS, EVERYBODYS = SHARED[:1], SHARED[1:]
FUNCTIONS, PAGE = ROOT / "src" / "adjudge" / "functions.py", ROOT / "docs" / "tasks.md"

MODULE = '''"""One function for each task. Written by tools/write_tasks.py from the declarations; not edited by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from os import PathLike
from typing import Any, ParamSpec, TypedDict, Unpack

from adjudge.evaluation.asking.arguments import SHARED, USUAL, checked_arguments
from adjudge.evaluation.asking.settings import Progress
from adjudge.metrics.base import Metric
from adjudge.report.evaluation import Evaluation, evaluate
from adjudge.tasks import task_named

__all__ = {names}

Arguments = ParamSpec("Arguments")


class SharedSettings(TypedDict, total=False):
    r"""What every task takes besides its own:

    {shared_help}
    """

    {shared}
    progress: Progress | None


def _of_task(function: Callable[Arguments, Evaluation]) -> Callable[Arguments, Evaluation]:
    """The same function, whose help has the settings of every task; unknown names are refused as by `evaluate`."""
    *own, _ = signature(function).parameters.values()
    shared = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=USUAL.get(name), annotation=kind.__forward_arg__)
        for name, kind in SharedSettings.__annotations__.items()
    ]
    known = {parameter.name for parameter in (*own, *shared)}

    @wraps(function)
    def refusing(*table: Arguments.args, **given: Arguments.kwargs) -> Evaluation:
        if unknown := {name: value for name, value in given.items() if name not in known}:
            task = task_named(function.__name__)
            settings = [setting for setting in (*task.settings, *SHARED) if setting.name in known]
            checked_arguments(task.name, task.roles, settings, unknown)
        return function(*table, **given)

    refusing.__doc__ = f"{function.__doc__}\\n    {SharedSettings.__doc__}"
    vars(refusing)["__signature__"] = signature(function).replace(parameters=[*own, *shared])
    return refusing


def _evaluated(task: str, given: dict[str, Any]) -> Evaluation:  # Any: each as its parameter is typed
    """What was given, without what was left out."""
    given |= given.pop("shared")
    progress = given.pop("progress", None)
    return evaluate(task=task, progress=progress, **{name: one for name, one in given.items() if one is not None})
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


def form_of(one: Role | Setting) -> str:
    """The type of what may be given."""
    if isinstance(one, Role):
        return TYPES.get(one.form or ("columns" if one.many else "column"), "object")
    return TYPES.get(one.form or ("" if one.many else one.kind.__name__), "object")


def parameter(one: Role | Setting) -> str:
    """One parameter, as Python writes it."""
    if isinstance(one, Role) and one.required:
        return f"{one.name}: {form_of(one)}"
    default = None if isinstance(one, Role) else one.default
    return f"{one.name}: {form_of(one)}{or_none(one) if default is None else ''} = {default!r}"


def or_none(one: Role | Setting) -> str:
    """That nothing may be given, where the type does not say so and nothing else is usual."""
    return "" if form_of(one) == "object" or one.name in USUAL else " | None"


def help_of(declared: Sequence[Role | Setting]) -> list[str]:
    """What each of them is, in lines."""
    wrapped = (textwrap.wrap(f"{one.name}: {one.help}", 110, subsequent_indent="    ") for one in declared)
    return [line for lines in wrapped for line in lines]


def function(task: Task) -> str:
    """The function of a task."""
    several = any(role.name == "prediction" for role in task.roles)
    own = [*sorted(task.roles, key=lambda role: not role.required), *task.settings, *(SYSTEMS if several else ())]
    text = [task.question, "", *help_of(own), "", *([">>> import adjudge"] if task.example else []), task.example]
    body = "\n".join(f"    {line}" if line else "" for line in "\n".join(text).rstrip().splitlines())
    arguments = ",\n    ".join(["table: object", "*", *map(parameter, own), "**shared: Unpack[SharedSettings]"])
    return (
        f"\n\n@_of_task\ndef {task.name}(\n    {arguments},\n) -> Evaluation:\n"
        f'    r"""{body.strip()}\n    """\n'
        f'    return _evaluated("{task.name}", locals())\n'
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


def page() -> str:
    """The page, as it should be."""
    tasks = [task_named(name) for name in task_names()]
    lines = [
        OPENING,
        *(line for task in tasks for line in section(task)),
        "## every task\n",
        *table("setting", list(SHARED)),
    ]
    return "\n".join(lines).rstrip() + "\n"


def written() -> dict[Path, str]:
    """Both files, as they should be."""
    tasks = [task_named(name) for name in task_names()]
    module = MODULE.replace("{names}", repr(list(task_names())))
    module = module.replace("{shared_help}", "\n    ".join(help_of(EVERYBODYS)))
    module = module.replace(
        "{shared}", "\n    ".join(f"{one.name}: {form_of(one)}{or_none(one)}" for one in EVERYBODYS)
    )
    code = module + "".join(function(task) for task in tasks)
    formatted = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(FUNCTIONS), "-"],
        input=code,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return {FUNCTIONS: formatted, PAGE: page()}


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
