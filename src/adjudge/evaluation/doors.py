"""Every task with the two functions that carry it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adjudge.errors import SettingError, listed, quoted
from adjudge.evaluation.agree import request_agreement, run_agreement
from adjudge.evaluation.evaluate import request, run
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.score import request_scoring, run_scoring
from adjudge.tasks.agreement import AGREEMENT
from adjudge.tasks.base import Task
from adjudge.tasks.classification import CLASSIFICATION
from adjudge.tasks.scoring import SCORING


@dataclass(frozen=True, slots=True)
class Door:
    """A task, what checks a request for it, and what carries the request out."""

    task: Task
    request: Callable[..., Any]
    run: Callable[..., Outcome]


DOORS = {
    "classification": Door(CLASSIFICATION, request, run),
    "agreement": Door(AGREEMENT, request_agreement, run_agreement),
    "scoring": Door(SCORING, request_scoring, run_scoring),
}


def door_of(task: str) -> Door:
    """The door of a task.

    >>> door_of("agreement").task.name
    'agreement'
    """
    if task not in DOORS:
        raise SettingError(f"`task` must be one of {listed(DOORS)}, not {quoted(task)}.")
    return DOORS[task]
