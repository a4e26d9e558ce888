"""A 64-bit key for each unit, the same wherever and whenever the unit is met."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]


def mixed(bits: Keys) -> Keys:
    """Scramble 64-bit words so that neighbours have nothing in common (the finaliser of SplitMix64)."""
    bits = bits + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def keys_of_rows(start: int, stop: int) -> Keys:
    """Unit keys when a unit is a row: its position in the table."""
    return mixed(np.arange(start, stop, dtype=np.uint64))


def keys_of_labels(labels: tuple[str, ...]) -> Keys:
    """Unit keys when a unit is named: an id or a cluster.

    >>> keys_of_labels(("a", "b")).dtype
    dtype('uint64')
    """
    digests = b"".join(blake2b(label.encode("utf-8", "surrogatepass"), digest_size=8).digest() for label in labels)
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


# Of many keys, so many of the least tell how many there are, within a few percent.
KEPT = 1_024


def keys_of_numbers(values: NDArray[np.float64]) -> Keys:
    """A key for each number, equal for equal numbers."""
    return mixed((values + 0.0).view(np.uint64))


def fewest_keys(keys: Keys) -> Keys:
    """The least distinct keys, which add: those of two parts together are the least of both.

    >>> len(fewest_keys(keys_of_rows(0, 5_000)))
    1024
    """
    return np.unique(keys)[:KEPT]


def distinct_of(keys: Keys) -> float:
    """How many distinct keys there were, from the least of them (Bar-Yossef et al. 2002).

    >>> distinct_of(fewest_keys(keys_of_rows(0, 10))), round(distinct_of(fewest_keys(keys_of_rows(0, 9_000))), -3)
    (10.0, 9000.0)
    """
    return float(len(keys)) if len(keys) < KEPT else (KEPT - 1) / ((float(keys[-1]) + 1) / 2.0**64)
