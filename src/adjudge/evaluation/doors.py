"""Every task with the two functions that carry it out."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from adjudge.errors import SettingError, listed
from adjudge.tasks.arguments import SHARED, checked_arguments, shown
from adjudge.tasks.base import Task


@dataclass(frozen=True, slots=True)
class Door:
    """A task, what checks a request for it, and what carries the request out: where each is to be found.

    A door is opened when it is used: one evaluation need not import the others.
    """

    declared: tuple[str, str]
    asked: tuple[str, str]
    done: tuple[str, str]

    @property
    def task(self) -> Task:
        """The declaration."""
        task: Task = _found(self.declared)
        return task

    def request(self, table: Any, **asked: Any) -> Any:
        """The request, checked: first against the declaration, then for what its values mean."""
        task = self.task
        given = checked_arguments(task.name, task.roles, (*task.settings, *SHARED), asked)
        return _found(self.asked)(table, **given)

    @property
    def run(self) -> Any:
        """What carries a checked request out."""
        return _found(self.done)


def _found(place: tuple[str, str]) -> Any:
    return getattr(import_module(place[0]), place[1])


def _door(task: str, request: str, run: str) -> Door:
    """The places of a task's two functions, each written as room.function."""
    asked, done = ((f"adjudge.evaluation.{room}", name) for room, name in (request.split("."), run.split(".")))
    return Door((f"adjudge.tasks.{task}", task.upper()), asked, done)


DOORS = {
    "classification": _door("classification", "evaluate.request", "evaluate.run"),
    "agreement": _door("agreement", "agree.request_agreement", "agree.run_agreement"),
    "scoring": _door("scoring", "score_request.request_scoring", "score.run_scoring"),
}


def door_of(task: str) -> Door:
    """The door of a task.

    >>> door_of("agreement").task.name
    'agreement'
    """
    if not isinstance(task, str) or task not in DOORS:
        raise SettingError(f"`task` must be one of {listed(DOORS)}, not {shown(task)}.")
    return DOORS[task]
