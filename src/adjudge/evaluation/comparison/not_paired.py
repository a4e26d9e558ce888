"""One estimate minus another where nothing is known of how they go together: of different rows, or not told."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from adjudge.evaluation.results import Row
from adjudge.inference.differences.paired_shares import square_and_add
from adjudge.inference.differences.same_verdict import p_by_limits
from adjudge.inference.differences.shares_apart import miettinen_nurminen, score_p

NOT_PAIRED = "not paired"
ByMethod = dict[str, Row]  # one estimate by every method that gave it limits, the usual one first
Place = tuple[str, str, str, str]  # what an estimate is of: a view, a slice, a category, a metric
Places = dict[str, dict[Place, ByMethod]]  # by evaluation


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


def usual(methods: ByMethod) -> Row:
    """By the method that stands first."""
    return next(iter(methods.values()))


def unpaired_rows(own: ByMethod, others: ByMethod) -> Iterator[Row]:
    """One estimate minus another of different rows: of means by Welch first, of shares by the score test too."""
    added = added_limits(usual(own), usual(others))
    if added.method == "none":
        yield added
        return
    if "student" in own and "student" in others and (by_welch := _welch(added, own["student"], others["student"])):
        yield by_welch
    yield added
    counts = [_counted(rows) for rows in (own, others)]
    if counts[0] is not None and counts[1] is not None:
        low, high = miettinen_nurminen(counts[0], counts[1], added.level)
        p = score_p(counts[0], counts[1])
        yield replace(added, low=low, high=high, method="miettinen_nurminen", test=f"score test, {NOT_PAIRED}", p=p)


def _welch(added: Row, row: Row, other: Row) -> Row | None:
    """The difference with Welch's interval (1947) of two means, from Student's of each."""
    from scipy.special import stdtr, stdtrit

    if min(row.n, other.n) < 2 or not all(map(math.isfinite, (row.low, row.high, other.low, other.high))):
        return None
    errors = [(one.high - one.low) / 2 / float(stdtrit(one.n - 1, 0.5 + one.level / 2)) for one in (row, other)]
    squares = [error**2 for error in errors]
    if not sum(squares) > 0:
        return None
    freedom = sum(squares) ** 2 / sum(
        square**2 / (one.n - 1) for square, one in zip(squares, (row, other), strict=True)
    )
    error, value = math.sqrt(sum(squares)), row.estimate - other.estimate
    reach = float(stdtrit(freedom, 0.5 + row.level / 2)) * error
    p = 2 * float(stdtr(freedom, -abs(value) / error))
    test = f"Welch's t, {NOT_PAIRED}"
    return replace(added, low=value - reach, high=value + reach, method="welch", test=test, p=p)


def _counted(methods: ByMethod) -> tuple[float, float] | None:
    """How many of how many, where a number is a share of rows that are alike."""
    row = methods.get("clopper_pearson")
    if row is None or row.n < 1 or abs(row.estimate * row.n - round(row.estimate * row.n)) > 1e-6:
        return None
    return float(round(row.estimate * row.n)), float(row.n)
