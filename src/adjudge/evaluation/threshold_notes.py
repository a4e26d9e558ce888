"""The note of a metric that chooses its threshold: how it is written, and how the threshold is read from it."""

from __future__ import annotations

import math

# What is best on these rows is less good on others, and the interval does not say how much.
FLATTERS = "chosen on these rows, which flatters"
AT = "at threshold "


def threshold_note(threshold: float) -> str:
    """Where a value is reached.

    >>> threshold_note(0.45)
    'at threshold 0.45, chosen on these rows, which flatters'
    """
    return f"{f'{AT}{threshold:.6g}' if math.isfinite(threshold) else 'reached by taking nothing'}, {FLATTERS}"


def noted_threshold(note: str) -> str | None:
    """The threshold that a note tells; None where it tells none.

    >>> noted_threshold(threshold_note(0.45)), noted_threshold(threshold_note(math.inf))
    ('0.45', None)
    """
    part_at = next((part for part in note.split("; ") if part.startswith(AT)), None)
    return None if part_at is None else part_at.removeprefix(AT).partition(",")[0]
