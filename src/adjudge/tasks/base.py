"""A task: which roles and metrics belong together. Names only; the CLI and the docs are made from it."""

from __future__ import annotations

from dataclasses import dataclass

from adjudge.metrics.base import Metric


@dataclass(frozen=True, slots=True)
class Role:
    """A column, or a few, that a task reads."""

    name: str
    help: str
    required: bool = False
    many: bool = False
    form: str = ""  # of what may be given, where it is not one column or several


@dataclass(frozen=True, slots=True)
class Setting:
    """Something a task may be told besides its columns."""

    name: str
    help: str
    kind: type = str
    default: object = None
    many: bool = False
    form: str = ""  # of what may be given, where it is not one value of the kind


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of a table, and the metrics that answer."""

    name: str
    question: str
    roles: tuple[Role, ...]
    metrics: tuple[Metric, ...]
    averages: tuple[Metric, ...]  # over categories, when no single category is the positive one
    headline: tuple[str, ...]  # the first of these that can be computed leads the report
    settings: tuple[Setting, ...] = ()
    panels: tuple[str, ...] = ()  # the first of these that say something stand in the terminal; "*" for any words
