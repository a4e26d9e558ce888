"""The note of a metric that chooses its threshold: how it is written, and how the threshold is read from it."""

from __future__ import annotations

import math

from adjudge.inference.intervals.split_thresholds import OnOtherHalf

# What is best on these rows is less good on others, and the interval does not say how much.
FLATTERS = "chosen on these rows, which flatters"
AT = "at threshold "


def threshold_note(threshold: float, other: OnOtherHalf | None = None, held: str = "") -> str:
    """Where a value is reached, and what a threshold chosen on one half of the rows gives on the other.

    >>> threshold_note(0.45)
    'at threshold 0.45, chosen on these rows, which flatters'
    >>> threshold_note(0.45, OnOtherHalf(0.704, 0.866), "precision")
    'at threshold 0.45, chosen on these rows, which flatters (chosen on one half: 0.704 on the other, precision 0.866)'
    """
    note = f"{f'{AT}{threshold:.6g}' if math.isfinite(threshold) else 'reached by taking nothing'}, {FLATTERS}"
    if other is None:
        return note
    at = f", {held} {other.held:.3f}" if math.isfinite(other.held) else ""
    return f"{note} (chosen on one half: {other.value:.3f} on the other{at})"


def noted_threshold(note: str) -> str | None:
    """The threshold that a note tells; None where it tells none.

    >>> noted_threshold(threshold_note(0.45)), noted_threshold(threshold_note(math.inf))
    ('0.45', None)
    """
    part_at = next((part for part in note.split("; ") if part.startswith(AT)), None)
    return None if part_at is None else part_at.removeprefix(AT).partition(",")[0]
