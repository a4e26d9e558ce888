"""A table that has no task, only columns: the limits that requirements ask of them, as an outcome like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.diagnosis.checks.check import checks_in_order
from adjudge.errors import ColumnNotFound
from adjudge.evaluation.arguments import checked_arguments
from adjudge.evaluation.declaration import Role, Setting
from adjudge.evaluation.foreign import opened_as
from adjudge.evaluation.gates.column_requirements import plain_column_rows, required_checks
from adjudge.evaluation.gates.requirements import Requirement
from adjudge.evaluation.outcome import Data, Outcome, Settings
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.request import check_columns_of
from adjudge.evaluation.results import ResultTable
from adjudge.evaluation.settings import bootstrap_settings, versions

ROLES = (Role("cluster", "rows that belong together"), Role("weight", "what a row counts"))
SETTINGS = (
    Setting("replicates", "how often rows are drawn", int),
    Setting("seed", "of the draws", int),
    Setting("delimiter", "between cells"),
    Setting("missing", "what stands for nothing", many=True),
    Setting("decimal", "the sign of decimals"),
)


def columns_outcome(table: object, requirements: Sequence[Requirement], given: Mapping[str, object]) -> Outcome:
    """The limits of everything that is required of the columns of a table."""
    checked = checked_arguments("columns", ROLES, SETTINGS, dict(given))
    source = opened_as(table, checked)
    roles = {name: checked[name] for name in ("cluster", "weight") if checked.get(name) is not None}
    for role, name in roles.items():
        if name not in source.column_names:
            raise ColumnNotFound(role, name, source.column_names)
    check_columns_of(requirements, source.column_names)
    settings = bootstrap_settings(checked.get("replicates") or 2_000, checked.get("seed", 7), "percentile")
    rows = tuple(plain_column_rows(source, roles, requirements, settings))
    counted = sum(batch.rows for batch in source.batches([], [requirements[0].column[0]])) if requirements else 0
    data = Data(source.name, source.fingerprint(), counted, counted, {}, [], dict(roles))
    how = Settings(0.95, settings.replicates, settings.seed, settings.kind, "", "memory", versions())
    slices = list(dict.fromkeys(name for one in requirements for name in one.slice_columns))
    checks = checks_in_order(required_checks(source, requirements), ())
    return Outcome("", data, how, [], slices, [], ResultTable(rows), Panels([], [], [], [], []), checks=checks)
