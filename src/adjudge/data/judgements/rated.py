"""Items with their ratings, and what else is known of each item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.annotations import Annotations
from adjudge.data.judgements.labels import Labels
from adjudge.data.judgements.ratings import Ratings
from adjudge.data.keys import Keys, NameKeys


@dataclass(frozen=True, slots=True)
class Rated:
    """Items one by one: what raters said of each, its name, what is drawn with it, and its batch."""

    ratings: Ratings | Annotations
    names: Sequence[str]
    keys: Keys | NameKeys
    batches: Labels | None = None

    def __len__(self) -> int:
        return len(self.names)

    def of_rows(self, rows: NDArray[np.int64]) -> Rated:
        """Some of the items."""
        return Rated(
            self.ratings.of_rows(rows),
            tuple(self.names[row] for row in rows),
            np.asarray(self.keys)[rows],
            None if self.batches is None else self.batches.of_rows(rows),
        )
