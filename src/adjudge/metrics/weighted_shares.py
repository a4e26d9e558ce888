"""Shares of rows that weigh differently: how many rows they are worth, and what heavy rows not seen may do."""

from __future__ import annotations

import numpy as np

from adjudge.metrics.intervals import Share
from adjudge.statistics.base import Array, ratio

# Squares that differ by less are of equal weights.
ROUNDING = 1e-12
# With so many rows by Kish, a smaller linearised variance counts as much as theirs: docs/validation/heldout.md.
TRUSTED_AT = 40.0


def weighed_share(part: Array, whole: Array, squares: tuple[Array, Array], unseen: tuple[Array, Array]) -> Share:
    """A share whose part and rest have these squared weights; `unseen` is what a row of each weighs that was not seen.

    >>> heavy = weighed_share(np.array(97.0), np.array(100.0), (np.array(500.0), np.array(3.0)), (np.array(5.03),) * 2)
    >>> round(float(heavy.whole**2 / heavy.squares), 1), heavy.unseen is not None
    (23.0, True)
    """
    if all(map(np.array_equal, squares, (part, whole - part))) and all(np.all(weight == 1) for weight in unseen):
        return Share(part, whole, squares[0] + squares[1])  # rows that count one each: what the rest comes to, sooner
    linear = _linearized(part, whole, squares, unseen)
    return Share(part, whole, linear, unseen=_heavier(part, whole, squares, unseen))


def _heavier(
    part: Array, whole: Array, squares: tuple[Array, Array], unseen: tuple[Array, Array]
) -> tuple[Share, Share] | None:
    """The share with a row of the rest, and with one of the part, by as much as it weighs more than those seen there.

    Few heavy rows may all be on one side by chance, and then neither the share nor its variance tells of the other.
    """
    counts = (part, whole - part)
    more = [np.nan_to_num(weight - ratio(of, n)) for weight, of, n in zip(unseen, squares, counts, strict=True)]
    more = [np.where(each > ROUNDING * weight, each, 0.0) for each, weight in zip(more, unseen, strict=True)]
    if not any(each.any() for each in more):
        return None

    def moved(of_part: Array, of_rest: Array) -> Share:
        total = whole + of_part + of_rest
        p = ratio(part + of_part, total)
        spread = (squares[0] + of_part * unseen[0]) * (1 - p) ** 2 + (squares[1] + of_rest * unseen[1]) * p**2
        rows = _trusted(ratio(p * (1 - p) * total**2, spread), ratio(whole**2, squares[0] + squares[1]))
        return Share(part + of_part, total, np.where(of_part + of_rest > 0, ratio(total**2, rows), np.nan))

    return moved(np.zeros_like(more[0]), more[1]), moved(more[0], np.zeros_like(more[1]))


def _trusted(rows: Array, kish: Array) -> Array:
    """Rows that a variance is worth; where it promises more than Kish's, mixed with that of Kish's rows.

    Few heavy rows that happen to be all right, or all wrong, make a variance that is far too small.
    """
    mixed = ratio(kish + TRUSTED_AT, ratio(kish, rows) + ratio(TRUSTED_AT, kish))
    return np.where(rows > kish, mixed, rows)


def _linearized(part: Array, whole: Array, squares: tuple[Array, Array], unseen: tuple[Array, Array]) -> Array:
    """Squared weights of a share whose part and rest weigh differently, as by cases and controls, or by the score.

    The variance of a share is the squared weights of its part times (1 − p)², of the rest times p² (Taylor). It says
    nothing where either is empty, so half a row of each kind, with the weight of its kind, is added to tell it; what
    that adds to the rows is taken off. Equal weights give Kish's squares, to the last bit.
    """
    half = [weight / 2 for weight in unseen]
    total = whole + half[0] + half[1]
    p = ratio(part + half[0], total)
    both = [of_kind + weight**2 / 2 for of_kind, weight in zip(squares, unseen, strict=True)]
    rows = ratio(p * (1 - p) * total**2, both[0] * (1 - p) ** 2 + both[1] * p**2)
    plain = squares[0] + squares[1]
    kish = ratio(whole**2, plain)
    linear = np.nan_to_num(ratio(whole**2, _trusted(rows * ratio(kish, kish + 1), kish)))
    return np.where(abs(linear - plain) <= ROUNDING * plain, plain, linear)


def rest_of(share: Share) -> Share:
    """The share of what is not of it.

    >>> wrong = rest_of(Share(np.array(8.0), np.array(10.0), np.array(10.0)))
    >>> float(wrong.part)
    2.0
    """
    unseen = None if share.unseen is None else (rest_of(share.unseen[1]), rest_of(share.unseen[0]))
    return Share(share.whole - share.part, share.whole, share.squares, unseen=unseen)
