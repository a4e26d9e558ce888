"""Votes for the laws: of a reference that chooses, and of an annotator who agrees but for a given share.

And choices between answers of some lengths: without regard to place and length but for a given share.
"""

from __future__ import annotations

import numpy as np
from tests.laws.rows import Making, Rows

from adjudge.data.judgements.votes import KINDS
from adjudge.metrics.base import Metric

# Words of a fixed length are no labels of the user's: nothing renames them. An empty one is a missing vote.
OTHERS = np.array([*KINDS[2:-1], ""], dtype="<U16")


def votes(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    codes = making.codes(random, 2)
    names = np.array(["a", "b"], dtype="<U16")
    reference, said = names[codes], names[codes]
    off = random.random(making.size) < making.amount
    turned = random.random(making.size) < 0.6
    said = np.where(off & turned, names[1 - codes], said)
    others = OTHERS if making.wide else OTHERS[:1]
    said = np.where(off & ~turned, random.choice(others, making.size), said)
    if making.wide and making.amount > 0:
        reference = np.where(random.random(making.size) < 0.2, random.choice(OTHERS, making.size), reference)
    return Rows(reference, said)


VOTES = {
    "nothing": ("", ""),
    "one pair": ("a", "a"),
    "one pair, against": ("a", "b"),
    "never chosen": ("ab", "tt"),
    "no reference": ("tt", "ab"),
    "always the first": ("aa", "aa"),
    "nobody was asked": ("ab", "--"),
}


def degenerate_votes(metric: Metric) -> dict[str, Rows]:
    words = {"a": "a", "b": "b", "t": "tie", "-": ""}

    def column(text: str) -> np.ndarray:
        return np.array([words[letter] for letter in text], dtype="<U16")

    return {name: Rows(*map(column, both)) for name, both in VOTES.items()}


def choices(metric: Metric, random: np.random.Generator, making: Making) -> Rows:
    """Half of the choices are the first answer and half the longer one. Of those that are off, all are, or none.

    What is off is longer, and a part of it is not there at all.
    """
    second, longer = making.codes(random, 2), random.permutation(np.arange(making.size) % 2) == 1
    off = random.random(making.size) < making.amount
    second = np.where(off, int(making.mirrored), second)
    longer = np.where(off, not making.mirrored, longer)
    short = random.integers(10, 40, making.size) + 40.0 * off
    long = short + random.integers(1, 30, making.size)
    chosen, other = np.where(longer, long, short), np.where(longer, short, long)
    lengths = np.where(second[:, None] == 1, np.column_stack([other, chosen]), np.column_stack([chosen, other]))
    votes = np.array(["a", "b"], dtype="<U16")[second]
    if making.wide and not making.even:
        votes = np.where(random.random(making.size) < 0.2, random.choice(OTHERS, making.size), votes)
        lengths[random.random(making.size) < 0.1, 1] = np.nan
        same = random.random(making.size) < 0.2
        lengths[same, 0] = lengths[same, 1]
    there = ~(off & (random.random(making.size) < 0.3))
    there[:1] = True  # an example has units
    return Rows(votes[there], lengths[there])


CHOICES: dict[str, tuple[str, list[list[float]]]] = {
    "nothing": ("", []),
    "one pair": ("a", [[3, 4]]),
    "never chosen": ("tt", [[3, 4], [5, 6]]),
    "nobody was asked": ("--", [[3, 4], [5, 6]]),
    "always the first": ("aa", [[3, 4], [5, 6]]),
    "equally long": ("ab", [[4, 4], [4, 4]]),
    "empty answers": ("ab", [[0, 0], [0, 1]]),
    "lengths not known": ("ab", [[np.nan, 4], [np.nan, np.nan]]),
}


def degenerate_choices(metric: Metric) -> dict[str, Rows]:
    words = {"a": "a", "b": "b", "t": "tie", "-": ""}
    return {
        name: Rows(
            np.array([words[letter] for letter in said], dtype="<U16"), np.array(lengths, dtype=float).reshape(-1, 2)
        )
        for name, (said, lengths) in CHOICES.items()
    }
