"""Checks of any table, whatever is asked of it: what was left out."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.data.facts import Facts
from adjudge.diagnosis.checks import REMARK, SERIOUS, Check

MANY, MOST = 0.05, 0.2
FEWEST = 20


def table_checks(facts: Facts) -> Iterator[Check]:
    """C7: many rows were left out."""
    lost = sum(facts.left_out.values())
    if facts.read >= FEWEST and lost > MANY * facts.read:
        severity = SERIOUS if lost > MOST * facts.read else REMARK
        yield Check(
            "C7",
            severity,
            f"{lost:,} of {facts.read:,} rows ({lost / facts.read:.0%}) are left out ({facts.reasons}). "
            "What is left may not stand for all.",
        )
