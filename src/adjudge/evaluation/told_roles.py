"""Which column plays which role, to tell the reader."""

from __future__ import annotations

from adjudge.diagnosis.checks.watching import role_columns
from adjudge.evaluation.request import Request


def told_roles(request: Request) -> dict[str, str]:
    """The columns of each role as they were given, but for slices; some the study says in other words."""
    names = [role.name for role in request.task.roles if role.name != "slices"]
    given = {role: ", ".join(dict.fromkeys(role_columns(request.given, role))) for role in names}
    return {role: columns for role, columns in {**given, **request.study.columns()}.items() if columns}
