"""Pairs of texts that are shown in several rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from adjudge.data.cleaning import text_column
from adjudge.data.source import Batch
from adjudge.diagnosis.checks.check import REMARK, Check
from adjudge.errors import percent

FEWEST_PAIRS, OFTEN, MOST_ALIKE = 50, 0.05, 0.5


def shown_again(first: Batch, one: str, two: str) -> Iterator[Check]:
    """C5: pairs of the same two texts as another, in either order, where texts are hardly the same by chance."""
    texts = [text_column(first, name) for name in (one, two)]
    known = (texts[0].codes >= 0) & (texts[1].codes >= 0)
    words = [np.array(text.labels, dtype=object)[text.codes[known]].tolist() for text in texts if known.any()]
    pairs = [frozenset(pair) for pair in zip(*words, strict=True)]
    again = len(pairs) - len(set(pairs))
    various = all(len({*side}) >= (1 - MOST_ALIKE) * (len(pairs) - again) for side in words)
    if len(pairs) >= FEWEST_PAIRS and again > OFTEN * len(pairs) and various:
        yield Check(
            "C5",
            REMARK,
            f"{again:,} of the first {len(pairs):,} pairs ({percent(again / len(pairs))}) show the same two texts as "
            "another. Remove copies; or give what the pairs belong to as `prompt`.",
        )
