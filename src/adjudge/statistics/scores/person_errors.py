"""Errors of a system summed by person and human score: what clustered fairness regressions need beside `ErrorCells`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from adjudge.data.judgements.labels import ordered_labels
from adjudge.data.judgements.responses import Responses
from adjudge.data.keys import Keys
from adjudge.statistics.base import Array, Codes
from adjudge.statistics.undrawn import Undrawn
from adjudge.statistics.weights import Weights


@dataclass(frozen=True, eq=False)
class PersonErrors(Undrawn[Responses, None]):
    """What each person's responses with a human score weigh, and their errors (system less human) and squared errors.

    It grows with the people. Summed over one slice there is one group; `by_level` joins those of several.

    Laws: two parts, added, equal the whole, in either order.

    >>> keys = np.array([5, 5, 9], dtype=np.uint64)
    >>> responses = Responses(np.array([[1.0, 2.0], [1.0, 1.0], [3.0, 3.0]]), people=keys)
    >>> PersonErrors.collect(responses, Weights(3)).sums.tolist()
    [[2.0, 1.0, 1.0], [1.0, 0.0, 0.0]]
    """

    people: Keys
    human: Array
    sums: Array  # (person and human score, weight · error · squared error)
    rows: int
    groups: Codes | None = None  # of several levels

    @classmethod
    def summing(cls, judgements: Responses, pilot: None = None) -> Callable[[Weights], PersonErrors]:
        """What turns weights into the sums of these responses."""
        assert judgements.people is not None, "people are known where they are drawn"
        people, human, error = judgements.people, judgements.first, judgements.second - judgements.first

        def sums(weights: Weights) -> PersonErrors:
            case = np.ones(len(human)) if weights.case is None else weights.case
            return _joined(people, human, np.stack([case, case * error, case * error**2], axis=1), len(human))

        return sums

    def __add__(self, other: Self) -> Self:
        people, human, sums = (
            np.concatenate([getattr(part, name) for part in (self, other)]) for name in ("people", "human", "sums")
        )
        both = _joined(people, human, sums, self.rows + other.rows)
        return replace(self, people=both.people, human=both.human, sums=both.sums, rows=both.rows)

    def scaled(self, unit: float) -> Self:
        """The same errors with all weights multiplied."""
        return replace(self, sums=self.sums * unit)

    @classmethod
    def by_level(cls, parts: Mapping[str, Self]) -> Self:
        """The sums of several levels of a slice, each a group in the natural order of their names."""
        alike = [parts[name] for name in ordered_labels(parts)]
        people, human, sums = (
            np.concatenate([getattr(p, name) for p in alike]) for name in ("people", "human", "sums")
        )
        groups = np.repeat(np.arange(len(alike)), [len(part.people) for part in alike])
        return cls(people, human, sums, sum(part.rows for part in alike), groups)


def _joined(people: Keys, human: Array, sums: Array, rows: int) -> PersonErrors:
    """Sums of the same person and human score as one."""
    order = np.lexsort((human, people))
    people, human, sums = people[order], human[order], sums[order]
    fresh = np.ones(len(people), dtype=np.bool_)
    fresh[1:] = (people[1:] != people[:-1]) | (human[1:] != human[:-1])
    starts = np.flatnonzero(fresh)
    added = np.add.reduceat(sums, starts, axis=0) if len(starts) else sums
    return PersonErrors(people[starts], human[starts], added, rows)
