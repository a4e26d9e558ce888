"""One estimate minus another where nothing is known of how they go together."""

from __future__ import annotations

import math
from dataclasses import replace

from adjudge.evaluation.results import Row
from adjudge.inference.differences.paired_shares import square_and_add
from adjudge.inference.differences.same_verdict import p_by_limits

NOT_PAIRED = "not paired"


def added_limits(row: Row, baseline: Row) -> Row:
    """The limits of both, squared and added; none where one of the two has none."""
    value = row.estimate - baseline.estimate
    limits = [(one.estimate, one.low, one.high) for one in (row, baseline)]
    low, high = square_and_add(limits[0], limits[1], 0.0)
    is_known = math.isfinite(value) and low < high and row.level == baseline.level
    return replace(
        row,
        estimate=value if math.isfinite(value) else math.nan,
        low=low if is_known else math.nan,
        high=high if is_known else math.nan,
        method="square_and_add" if is_known else "none",
        note=NOT_PAIRED if is_known else f"{NOT_PAIRED}; no interval: one of the two has none",
        test=NOT_PAIRED if is_known else None,
        p=p_by_limits(value, (low, high), row.level) if is_known else None,
        letters=None,
    )
