"""Two tables or more, each with the answers of a system: joined by an id and paired, or evaluated one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from adjudge.data.facts import Facts
from adjudge.data.source import Source
from adjudge.data.tables.joining import ENOUGH_IN_COMMON, Joined, refuse_nothing_common
from adjudge.diagnosis.checks.check import checks_in_order
from adjudge.diagnosis.checks.tables import table_checks
from adjudge.engines.base import no_progress
from adjudge.errors import SettingError, listed, percent, quoted
from adjudge.evaluation.asking.arguments import checked_value
from adjudge.evaluation.asking.foreign import WRITTEN, opened_as, with_foreign_runs
from adjudge.evaluation.asking.settings import Progress
from adjudge.evaluation.comparison.settings import OF_COMPARISONS, comparing
from adjudge.evaluation.comparison.side_by_side import side_by_side
from adjudge.evaluation.declaration import Given, Task
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.request import Request, request
from adjudge.evaluation.walk import walk


def compare_tables(
    task: Task,
    named: Mapping[str, object],
    id: Sequence[str],
    given: Given,
    progress: Progress = no_progress,
) -> tuple[Outcome, Request | None]:
    """The systems of several tables: paired where a fifth of the smallest table is in all, by these columns."""
    named, id, given = with_foreign_runs(task, named, id, given)
    tables = {name: opened_as(one, given) for name, one in named.items()}
    if task.compares is not None:
        return task.compares(task, tables, {**given, **({"item": id[0]} if id else {})}, progress), None
    systems_asked = TableRoles.of(task, tables, given)
    if not id:
        return _one_by_one(tables, systems_asked, "there is no `id` to join the tables by", progress), None
    joined = Joined(tables, tuple(id), systems_asked.own)
    refuse_nothing_common(joined)
    if joined.share < ENOUGH_IN_COMMON:
        why = f"the tables have {joined.rows:,} rows in common, {percent(joined.share)} of the smallest"
        return _one_by_one(tables, systems_asked, why, progress), None
    outcome, joint_request = together(joined, systems_asked, progress)
    lost = table_checks(Facts(read=outcome.data.rows, left_out=outcome.data.left_out))
    checks = [*outcome.checks, *(lost if any(joined.unmatched.values()) else ())]
    return replace(outcome, checks=checks_in_order(checks, joint_request.ok)), joint_request


@dataclass(frozen=True)
class TableRoles:
    """What was asked of several tables: what each has of its own, and what they share."""

    task: Task
    own: Mapping[str, tuple[str, str]]  # the column's name when joined: of which table, which column
    systems: Mapping[str, Given]  # joined
    alone: Mapping[str, Given]  # by table, the roles of its systems
    shared: Given

    @classmethod
    def of(cls, task: Task, tables: Mapping[str, Source], given: Given) -> TableRoles:
        """Each table's systems, from the columns that were named and are there."""
        if "systems" in given:
            raise SettingError(
                "`systems` must be left out where each table is a system: name their columns, as for one table."
            )
        own_roles = [role for role in task.roles if role.of_system and given.get(role.name) is not None]
        given = {**given, **{role.name: checked_value(role, given[role.name]) for role in own_roles}}
        roles = [role.name for role in own_roles]
        if not any(role.of_system for role in task.roles):
            raise SettingError(f"Tables of {task.name} must be one table to be compared: its systems are not columns.")
        if not roles:
            names = [f"`{role.name}`" for role in task.roles if role.of_system]
            name, source = next(iter(tables.items()))
            raise SettingError(
                f"{' or '.join(names)} must name the column of each system's answers, but is not given. "
                f"{quoted(name)} has {listed(source.column_names, 12)}."
            )
        own: dict[str, tuple[str, str]] = {}
        systems: dict[str, dict[str, object]] = {}
        alone: dict[str, dict[str, object]] = {}
        for name, source in tables.items():
            columns_of_role = {role: _of_table(role, given[role], name, source) for role in roles}
            alone[name] = {
                role: columns if isinstance(columns, Mapping) else list(columns)
                for role, columns in columns_of_role.items()
            }
            sizes = {len(columns) for columns in columns_of_role.values() if not isinstance(columns, Mapping)}
            if len(sizes) > 1:
                raise SettingError(f"{quoted(name)} must have as many columns for each of {listed(roles)}.")
            for place in range(max(sizes, default=1)):
                many = max(sizes, default=1) > 1
                label = next((c[place] for c in columns_of_role.values() if not isinstance(c, Mapping)), "")
                system = f"{name}: {label}" if many else name
                systems[system] = {
                    role: _new(columns, place, (name, role), own) for role, columns in columns_of_role.items()
                }
        shared = {name: value for name, value in given.items() if name not in roles}
        return cls(task, own, systems, alone, shared)


def _of_table(role: str, given: object, name: str, source: Source) -> Mapping[object, object] | list[str]:
    """The columns of a role that a table has."""
    if isinstance(given, Mapping):
        missing = [column for column in given.values() if str(column) not in source.column_names]
        if missing:
            raise SettingError(f"`{role}` must name columns of {quoted(name)}, but {listed(missing)} is not there.")
        return given
    named = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    here = [str(column) for column in named if str(column) in source.column_names]
    if not here:
        raise SettingError(
            f"`{role}` must name a column of each table, but {quoted(name)} has none of {listed(map(str, named))}. "
            f"It has {listed(source.column_names[:12])}."
        )
    return here


def _new(
    columns: Mapping[object, object] | list[str],
    place: int,
    of: tuple[str, str],
    own: dict[str, tuple[str, str]],
) -> object:
    """The name in the joined table of a table's column: its own, and whose it is; a column may play two roles."""
    table, role = of

    def named(column: str) -> str:
        new = f"{column} of {table}"
        if new in own:
            new = f"{new}, as {role}"
        own[new] = (table, column)
        return new

    if isinstance(columns, Mapping):
        return {label: named(str(column)) for label, column in columns.items()}
    return named(columns[place])


def _one_by_one(tables: Mapping[str, Source], columns: TableRoles, why: str, progress: Progress) -> Outcome:
    """Each table by itself, the differences not paired."""
    alike = {name: value for name, value in columns.shared.items() if name not in (*OF_COMPARISONS, *WRITTEN)}
    outcomes = {
        name: walk(request(columns.task, source, **columns.alone[name], **alike), progress)
        for name, source in tables.items()
    }
    return side_by_side(outcomes, columns.task, why, comparing(columns.task, columns.shared))


def together(joined: Joined, roles: TableRoles, progress: Progress, **more: object) -> tuple[Outcome, Request]:
    """The systems of tables that are joined, paired, and what became of rows that are not in all of them."""
    as_role = {"id": joined.id[0]} if len(joined.id) == 1 and any(one.name == "id" for one in roles.task.roles) else {}
    shared = {name: value for name, value in roles.shared.items() if name not in WRITTEN}
    joint_request = request(roles.task, joined, systems=roles.systems, **as_role, **{**shared, **more})
    return _told_of_join(walk(joint_request, progress), joined), joint_request


def _told_of_join(outcome: Outcome, joined: Joined) -> Outcome:
    """The outcome with what became of rows that are not in all tables."""
    unmatched = joined.unmatched
    alone = {f"not in all tables ({name})": count for name, count in unmatched.items() if count}
    apart = ", ".join(f"{count:,} more in {name}" for name, count in unmatched.items())
    words = f"by {' and '.join(joined.id)}: {joined.rows:,} rows in all tables; {apart}"
    data = replace(
        outcome.data, rows=outcome.data.rows + sum(alone.values()), left_out={**outcome.data.left_out, **alone}
    )
    settings = replace(outcome.settings, choices={"Tables joined": words, **outcome.settings.choices})
    return replace(outcome, data=data, settings=settings)
