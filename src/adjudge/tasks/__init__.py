"""Every task is a folder here: `task.py` is its declaration, the first line of `__init__.py` says what it is for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from adjudge.errors import SettingError, did_you_mean

if TYPE_CHECKING:
    from adjudge.evaluation.declaration import Task


@cache
def task_names() -> tuple[str, ...]:
    """The names of all tasks.

    >>> "classification" in task_names()
    True
    """
    return tuple(sorted(module.name for module in iter_modules(__path__) if module.ispkg))


def task_named(name: object) -> Task:
    """The declaration of a task.

    >>> task_named("classification").name
    'classification'
    """
    from adjudge.evaluation.asking.arguments import shown

    if not isinstance(name, str) or name not in task_names():
        raise SettingError(f"`task` must be a known task, not {shown(name)}. {did_you_mean(name, task_names())}")
    task: Task = import_module(f"{__name__}.{name}.task").TASK
    return task


def purpose_of(name: str) -> str:
    """What a task is for, in a line; its declaration is not imported for that."""
    return str(import_module(f"{__name__}.{name}").__doc__).strip()
