"""How each item stands to all others in the orders of two raters, by sorting: what Kendall's tau is made of."""

from __future__ import annotations

import numpy as np

from adjudge.statistics.base import Array, Codes


def ordered_with_others(x: Array, y: Array, w: Array) -> tuple[Array, Array, Array]:
    """Of each item the weight of all that both order alike less that of those they do not, and what each tells apart.

    >>> one = np.ones(3)
    >>> [each.tolist() for each in ordered_with_others(np.array([1, 2, 3.0]), np.array([1, 3, 3.0]), one)]
    [[2.0, 1.0, 1.0], [2.0, 2.0, 2.0], [2.0, 1.0, 1.0]]
    """
    a, b = (np.unique(values, return_inverse=True)[1] for values in (x, y))
    everybody = np.zeros_like(a)
    lower_a, lower_b = (_below_within(everybody, place, w) for place in (a, b))
    tied_a, tied_b = (np.bincount(place, w)[place] for place in (a, b))
    higher_a, higher_b = w.sum() - tied_a - lower_a, w.sum() - tied_b - lower_b
    both = np.zeros(len(w))
    for bit in range(int(a.max(initial=0)).bit_length()):  # lower in `a`: the first bit that differs is 0, not 1
        above = (a >> bit) & 1
        both += above * _below_within(a >> (bit + 1), b, w * (1 - above))
    in_tie_a, in_tie_b = _below_within(a, b, w), _below_within(b, a, w)
    mixed = lower_a - both - in_tie_b, lower_b - both - in_tie_a  # lower in one and higher in the other
    above_both = higher_a - mixed[1] - (tied_b - in_tie_b - _tied(a, b, w))
    return both + above_both - mixed[0] - mixed[1], lower_a + higher_a, lower_b + higher_b


def _below_within(group: Codes, place: Codes, w: Array) -> Array:
    """Of each item the weight of those of its group that stand lower."""
    order = np.lexsort((place, group))
    before = np.concatenate([[0.0], np.cumsum(w[order])[:-1]]) if len(order) else w
    in_order, group_in_order = place[order], group[order]
    new_group = np.diff(group_in_order, prepend=-1) != 0
    new_place = new_group | (np.diff(in_order, prepend=-1) != 0)
    below = np.empty(len(order))
    below[order] = before[_begin(new_place)] - before[_begin(new_group)]
    return below


def _begin(new: Array) -> Codes:
    """Where the run begins that each place belongs to."""
    return np.asarray(np.maximum.accumulate(np.where(new, np.arange(len(new)), 0)))


def _tied(a: Codes, b: Codes, w: Array) -> Array:
    """Of each item the weight of all that both put where it is, itself among them."""
    place = np.unique(a * (int(b.max(initial=0)) + 1) + b, return_inverse=True)[1]
    return np.asarray(np.bincount(place, w)[place])
