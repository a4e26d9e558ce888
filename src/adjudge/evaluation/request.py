"""A request: the task, the table and every setting, checked before a row is read.

Names and kinds are checked against the declaration (`asking/arguments.py`), then what the values mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from adjudge.data.arrays import is_column, table_of
from adjudge.data.reading import Reading
from adjudge.data.source import Source
from adjudge.data.systems import as_list
from adjudge.data.tables.files import fingerprinted
from adjudge.diagnosis.checks.watching import role_columns
from adjudge.engines.base import Engine
from adjudge.engines.choice import engine_for
from adjudge.errors import ColumnNotFound, SettingError, quoted
from adjudge.evaluation.asking.arguments import SHARED, USUAL, checked_arguments, shown
from adjudge.evaluation.asking.foreign import WRITTEN, opened_as, with_foreign
from adjudge.evaluation.asking.settings import bootstrap_settings, number_setting
from adjudge.evaluation.comparison.settings import Comparing, comparing, study_again
from adjudge.evaluation.declaration import Given, Study, Task
from adjudge.evaluation.gates.requirements import Requirement, checked_requirements
from adjudge.evaluation.slice_search.settings import Searching, searching
from adjudge.inference.intervals.interval import checked_level
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import parse
from adjudge.statistics.numbers.value_pairs import ValuePairs

OwnStudy = TypeVar("OwnStudy", bound=Study)
OwnReading = TypeVar("OwnReading", bound=Reading)


@dataclass(frozen=True)
class Request:
    """One question about one table: everything that was asked, checked."""

    task: Task
    source: Source
    study: Study
    metrics: tuple[Metric, ...] | None  # None: all
    level: float
    bootstrap: Bootstrap
    engine: Engine
    ok: frozenset[str] = frozenset()  # checks of the data that are silenced
    comparing: Comparing = field(default_factory=Comparing)
    requirements: tuple[Requirement, ...] = ()  # what must hold
    searching: Searching = field(default_factory=Searching)
    again: Study | None = None  # of the baseline and its repeats, where it was run again
    given: Given = field(default_factory=dict)  # as it was asked, roles as the table says
    # What may be measured, known before a row is read; what the sums show may leave some out.
    candidates: tuple[Metric, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "candidates", self.chosen(self.study.offered(self.task)))

    def chosen(self, offered: Sequence[Metric]) -> tuple[Metric, ...]:
        """The metrics that were named, or all that are offered, and those that something is required of, each once."""
        return tuple(dict.fromkeys((*(offered if self.metrics is None else self.metrics), *self.required)))

    @property
    def required(self) -> tuple[Metric, ...]:
        """The metrics that something is required of."""
        return tuple(metric for one in self.requirements if (metric := self.metric_of(one)) is not None)

    def metric_of(self, requirement: Requirement) -> Metric | None:
        """The metric that something is required of, as the task measures it; None of columns."""
        metric = requirement.measured
        return None if metric is None else own_metric(metric, self.task)

    @property
    def columns_by_role(self) -> dict[str, str]:
        """Which columns play which role, to tell the reader: as given, unless the study says it in other words."""
        names = [role.name for role in self.task.roles if role.name != "slices"]
        given = {role: ", ".join(dict.fromkeys(role_columns(self.given, role))) for role in names}
        return {role: columns for role, columns in {**given, **self.study.columns()}.items() if columns}

    def study_as(self, kind: type[OwnStudy]) -> OwnStudy:
        """The study as its own task knows it."""
        assert isinstance(self.study, kind)
        return self.study

    def reading_as(self, kind: type[OwnReading]) -> OwnReading:
        """The reading as its own task knows it."""
        assert isinstance(self.study.reading, kind)
        return self.study.reading

    @property
    def own_statistics(self) -> tuple[type[ValuePairs], ...]:
        """What metrics of the user's own, if any are named, are functions of."""
        return tuple(dict.fromkeys(m.over for m in self.metrics or () if issubclass(m.over, ValuePairs)))


def request(task: Task, table: object, **given: object) -> Request:
    """Check what was asked of a task. Unknown columns, metrics and settings are refused here."""
    table, given = with_foreign(task, table, given)
    checked: Given = checked_arguments(task.name, task.roles, (*task.settings, *SHARED), given)
    shared = {setting.name: checked.get(setting.name) for setting in SHARED if setting.name != "systems"}
    checked = {name: value for name, value in checked.items() if name not in shared}
    usual: Given = {"require": (), **USUAL, **{name: value for name, value in shared.items() if value is not None}}
    metrics = None if shared["metrics"] is None else named_metrics(shared["metrics"], task)
    requirements = checked_requirements(usual["require"])
    checked = _with_slices(task, checked, requirements)
    source, checked = _opened(task, table, checked, shared)
    study = task.study(source.column_names, checked)
    for metric in metrics or ():
        if reason := study.allows(metric):
            raise SettingError(
                f"`metrics` must be ones that {task.name} can measure here, but {metric!r} is not: {reason}."
            )
    required = required_columns(requirements, source.column_names)
    for one in requirements:
        if one.measured is not None and (reason := study.allows(one.measured)):
            raise SettingError(f"What is required must be measured here, but {one.metric} is not: {reason}.")
    engine = engine_for(usual["engine"], task.engine, source, shared["master"])
    for metric in () if engine.holds_table else metrics or ():
        if getattr(metric.over, "holds_units", False):
            raise SettingError(f'`{metric!r}` must have all rows at once, but a stream does not. Use engine="memory".')
    compared, searched = comparing(task, shared), searching(shared, source.column_names)
    read = (*study.reading.texts(), *study.reading.numbers(), *searched.columns, *required)
    source = fingerprinted(source, shared["fingerprint"], read)
    return Request(
        task=task,
        source=source,
        study=study,
        metrics=metrics,
        level=checked_level(number_setting("level", usual["level"])),
        bootstrap=bootstrap_settings(usual["replicates"], usual["seed"], usual["bootstrap"]),
        engine=engine,
        ok=frozenset([shared["ok"]] if isinstance(shared["ok"], str) else shared["ok"] or ()),
        comparing=compared,
        requirements=requirements,
        searching=searched,
        again=study_again(task, source.column_names, checked, compared),
        given={name: value for name, value in {**shared, **checked}.items() if value is not None},
    )


def _with_slices(task: Task, given: Given, requirements: Sequence[Requirement]) -> Given:
    """What was given, with the columns whose levels something is required of."""
    columns = [column for one in requirements for column in one.slice_columns]
    if not columns or not any(role.name == "slices" for role in task.roles):
        return given
    return {**given, "slices": list(dict.fromkeys([*as_list(given.get("slices") or ()), *columns]))}


def tabled(
    reference: object, answers: object, labels: Sequence[object] | None, given: dict[str, object]
) -> tuple[dict[str, object], dict[str, object]]:
    """Two arrays as a table, and what was given with the roles of its columns."""
    if not is_column(reference):
        raise SettingError(
            "`table` must be an array of what is true where answers stand beside it as an array, not "
            f"{shown(reference)}. Or give a table, and its columns by their roles."
        )
    table, roles = table_of(reference, answers, labels)
    if given.get("positive") is not None and "prediction" in roles:
        roles["score"] = roles.pop("prediction")
    return table, roles | given


def _opened(task: Task, table: object, given: Given, shared: Given) -> tuple[Source, Given]:
    """The table, and what was given; a task with tables of its own kind adds what such a table says."""
    if task.opens is None:
        return opened_as(table, shared), given
    said = any(shared.get(setting) is not None for setting in WRITTEN)
    return task.opens(opened_as(table, shared) if said else table, given)


def named_metrics(metrics: str | Metric | Sequence[str | Metric], task: Task) -> tuple[Metric, ...]:
    """The metrics that were named, each once."""
    several = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    if not several or not all(isinstance(metric, (str, Metric)) for metric in several):
        raise SettingError(f"`metrics` must name at least one metric, not {quoted(metrics)}. Leave it out for all.")
    named = (parse(metric, task.metrics) if isinstance(metric, str) else metric for metric in several)
    return tuple(dict.fromkeys(own_metric(metric, task) for metric in named))


def own_metric(metric: Metric, task: Task) -> Metric:
    """The metric of this name that the task measures, which may be told by other sums than elsewhere."""
    own = next((one for one in task.metrics if one.name == metric.name), metric)
    return metric if own.over is metric.over else own.using(**metric.parameters)


def required_columns(requirements: Sequence[Requirement], columns: Sequence[str]) -> list[str]:
    """The columns that something is required of; one that the table does not have is refused."""
    required: list[str] = []
    for requirement in requirements:
        plain, was = bool(requirement.column), requirement.original
        named = [*(("column", name) for name in requirement.column), ("judge", requirement.judge)]
        named += [("by", requirement.by), ("original", None if was is None else was.partition(" = ")[0])]
        named += [("every", name) for name in requirement.slice_columns if plain]
        for role, name in named:
            if name is not None and name not in columns:
                raise ColumnNotFound(role, name, columns)
            required += [] if name is None else [name]
    return required
