"""What is to decide, on the first screen of agreement: the first of the queue, and how many wait."""

from __future__ import annotations

import re
from dataclasses import replace

from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import TablePanel


def queue(outcome: Outcome) -> TablePanel | None:
    """The items to decide first."""
    table = outcome.panels.table("Adjudication queue")
    return None if table is None else replace(table, columns=table.columns[:5], rows=[row[:5] for row in table.rows])


def waiting(outcome: Outcome) -> int:
    """How many items wait for a decision; the table holds only the first."""
    table = outcome.panels.table("Adjudication queue")
    count = "" if table is None else table.note.partition(" ")[0].replace(",", "")
    return int(count) if count.isdigit() else 0


def queue_title(outcome: Outcome) -> str:
    """How many items wait, and why."""
    table = outcome.panels.table("Adjudication queue")
    items = outcome.settings.choices.get("Items", "?")
    note = "" if table is None else table.note.partition(", 0 are closed")[0].partition(". ")[0]
    return f"to decide: {re.sub(' (items are|item is) open', f' of {items} items', note)}" if note else "to decide"


def hardest(outcome: Outcome) -> TablePanel | None:
    """The hardest items, where there is no queue."""
    return None if outcome.panels.table("Adjudication queue") is not None else outcome.panels.table("Hardest items")
