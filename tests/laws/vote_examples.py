"""Votes for the laws: of a reference that chooses, and of an annotator who agrees but for a given share."""

from __future__ import annotations

import numpy as np
from tests.laws.rows import Making, Rows

from adjudge.data.votes import KINDS
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
