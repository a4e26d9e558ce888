"""Rows in which one number is another one in degrees of another scale: facts that add."""

from __future__ import annotations

import numpy as np

from adjudge.data.judgements.columns import Array

# How degrees become those of another scale: so many times as many, and so many more.
DEGREES = {
    "1.8 times {} plus 32": (1.8, 32.0),  # Celsius to Fahrenheit, and back
    "{} less 32, by 1.8": (1 / 1.8, -32 / 1.8),
    "{} plus 273.15": (1.0, 273.15),  # Celsius to Kelvin, and back
    "{} less 273.15": (1.0, -273.15),
}
NEAR = 0.2  # of how far the two scales are apart
Parts = tuple[tuple[float, ...], ...]
NO_DEGREES: Parts = ((0.0,) * 6,) * len(DEGREES)


def converted_rows(x: Array, y: Array) -> Parts:
    """Of each change of scale, the errors of rows that are as the first is, and of those that are it, converted.

    Of both: how many, and the sums of the errors and of their squares.

    >>> parts = converted_rows(np.array([10.0, 20.0, 30.0]), np.array([10.5, 68.0, 29.5]))
    >>> parts[0]
    (2.0, 0.0, 0.5, 1.0, 0.0, 0.0)
    """
    parts = []
    for slope, more in DEGREES.values():
        converted = slope * x + more
        apart = NEAR * np.abs(converted - x)
        kept: list[float] = []
        for errors in (y - x, y - converted):
            near = errors[np.abs(errors) < apart]
            kept += [float(len(near)), float(near.sum()), float(near @ near)]
        parts.append(tuple(kept))
    return tuple(parts)
