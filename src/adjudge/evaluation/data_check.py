"""The data check of a whole request: what looks like a mistake in its table, whatever the task.

Each check reads facts that add (`diagnosis/checks/` has them one by one); what is a task's own is asked of its study.
"""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.data.facts import Facts
from adjudge.diagnosis.checks.check import Check, checks_in_order
from adjudge.diagnosis.checks.columns import codes_of_labels, name_checks, one_number, role_checks, value_checks
from adjudge.diagnosis.checks.counted import rows_of_counts
from adjudge.diagnosis.checks.joined import first_of_stretches, trained_on_these
from adjudge.diagnosis.checks.misplaced import called_otherwise, misplaced_checks
from adjudge.diagnosis.checks.order import alike_rows
from adjudge.diagnosis.checks.pairs import made_checks, pair_checks
from adjudge.diagnosis.checks.scales import scale_checks
from adjudge.diagnosis.checks.slices import slice_checks, turned_to_dates
from adjudge.diagnosis.checks.tables import (
    level_checks,
    named_otherwise,
    repeated_rows,
    table_checks,
    weight_checks,
    written_otherwise,
)
from adjudge.diagnosis.checks.watching import coded_columns, role_columns
from adjudge.engines.base import Collected
from adjudge.errors import quoted
from adjudge.evaluation.asking.guess import swapped_roles
from adjudge.evaluation.gates.column_requirements import required_checks
from adjudge.evaluation.request import Request


def checks_of(request: Request, collected: Collected) -> list[Check]:
    """What looks like a mistake in the table, but for what was silenced."""
    facts, roles = collected.facts, request.columns_by_role
    general = [*table_checks(facts, request.source.notes, request.source.doubts), *written_checks(request, collected)]
    general += [*level_checks(request.level), *repeated_rows(facts), *weight_checks(facts, roles.get("weight"))]
    named = (*(request.metrics or ()), *request.required)
    general += named_otherwise(named, request.study.offered(request.task), request.given)
    general += [*first_of_stretches(request.source, request.given, facts)]
    general += [*slice_checks(facts), *alike_rows(request.source, request.study.reading)]
    general += [*required_checks(request.source, request.requirements)]
    general += [*rows_of_counts(request.source, _taken(request))]
    general += [*role_checks(request.given, facts), *codes_of_labels(facts), *one_number(facts)]
    for name, labels in facts.table.labels.items():
        general += turned_to_dates(quoted(name), [*(labels.counts or ())])
    general += trained_on_these(request.source, request.given, _taken(request))
    general += _of_columns(request, facts)
    return checks_in_order([*general, *request.study.checks(request, collected)], request.ok)


def _taken(request: Request) -> set[str]:
    """The columns that play a role."""
    return {column for role in request.task.roles for column in role_columns(request.given, role.name)}


def _of_columns(request: Request, facts: Facts) -> Iterator[Check]:
    """What columns hold and have in common."""
    given = request.given
    yield from value_checks(facts.table, given)
    yield from name_checks(facts.table)
    yield from misplaced_checks(facts.table, given)
    columns = {role.name: named[0] for role in request.task.roles if (named := role_columns(given, role.name))}
    for one, other in swapped_roles(request.task, columns):
        yield called_otherwise((one, columns[one]), (other, columns[other]))
    yield from pair_checks(facts.table, coded_columns(given))
    yield from made_checks(facts.table, role_columns(given, "raters"))
    yield from scale_checks(facts.table, role_columns(given, "raters"))


def written_checks(request: Request, collected: Collected) -> Iterator[Check]:
    """Numbers that are written so that they are read as texts, or otherwise than meant."""
    return written_otherwise(request.source, request.study.reading.numbers(), collected.facts)
