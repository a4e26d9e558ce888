"""A table that is made while it is read, of any length, and that counts how it is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from adjudge.data.remarks import Remarks
from adjudge.data.source import ROWS, Batch, Numbers, Text

STEP = 131_072


class Made(Remarks):
    """Rows with a label, a continuous score and a place; every value is a function of the row's number."""

    name = "made"
    column_names = ("label", "score", "place")

    def __init__(self, length: int) -> None:
        self.length = length
        self.passes = 0
        self.delivered = np.zeros(length if length <= 10**6 else 0, dtype=np.int64)

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        self.passes += 1
        for start in range(0, self.length, rows):
            stop = min(start + rows, self.length)
            self.delivered[start:stop] += 1
            yield Batch(stop - start, {name: self._column(name, start, stop) for name in (*texts, *numbers)})

    def _column(self, name: str, start: int, stop: int) -> Text | Numbers:
        random = np.random.default_rng([start // STEP, stop - start])
        score = random.random(stop - start)
        if name == "score":
            return Numbers(score)
        if name == "label":
            return Text((random.random(stop - start) < score).astype(np.int64), ("no", "yes"))
        return Text(np.arange(start, stop) % 3, ("a", "b", "c"))

    def fingerprint(self) -> str:
        return ""
