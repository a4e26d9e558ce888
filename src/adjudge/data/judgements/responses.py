"""Scored responses, row by row: what raters gave them and what systems gave them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.columns import Array, Rows
from adjudge.data.keys import Keys
from adjudge.data.worked_out import WorkedOut


@dataclass(frozen=True, eq=False)
class Responses:
    """The raters' scores, of which the first is the reference, and those of systems beside them.

    >>> two = Responses(np.array([[1.0, 2.0]]), {"engine": np.array([1.5])})
    >>> two.first.tolist(), two.second.tolist()
    ([1.0], [1.5])
    """

    ratings: Array  # (responses, raters), NaN where not rated
    scores: Mapping[str, Array] = field(default_factory=dict)  # by system
    people: Keys | None = None  # whose responses these are, where people are drawn
    worked_out: WorkedOut = field(default_factory=WorkedOut, repr=False)  # of them, for all sums
    whole: Sequence[NDArray[np.int8] | None] = ()  # the ratings in a byte each, by rater, where that is known

    def __len__(self) -> int:
        return len(self.ratings)

    @property
    def first(self) -> Array:
        """The reference."""
        return np.asarray(self.ratings[:, 0])

    @property
    def second(self) -> Array:
        """What is held against the reference: the system's scores, or the second rater's where there is no system."""
        return next(iter(self.scores.values())) if self.scores else np.asarray(self.ratings[:, 1])

    def of_rows(self, rows: Rows) -> Responses:
        """Some of the responses."""
        scores = {name: values[rows] for name, values in self.scores.items()}
        return Responses(self.ratings[rows], scores, None if self.people is None else self.people[rows])


@dataclass(frozen=True, slots=True)
class ResponseView:
    """Which two scores of a response are seen side by side: a system's, or a rater's, beside the reference.

    >>> two = Responses(np.array([[1.2, 2.0]]), {"engine": np.array([1.5])})
    >>> ResponseView(system="engine", step=1.0).seen(two).first.tolist(), ResponseView(pair=(0, 1)).seen(two).second
    ([1.0], array([2.]))
    """

    system: str | None = None
    rater: int | None = None  # whose scores are seen by themselves
    pair: tuple[int, int] | None = None  # the raters beside one another, where both scored
    step: float | None = None  # the reference is brought to points of this scale

    def seen(self, responses: Responses, ratings: Array | None = None) -> Responses:
        """The responses seen so; `ratings` are the raters' own columns where the reference may be another's."""
        columns = responses.ratings if ratings is None else ratings
        first = responses.ratings[:, :1]
        if self.pair is not None:
            both = columns[:, self.pair]
            known = np.isfinite(both).all(1, keepdims=True)
            return Responses(np.where(known, both, np.nan), {}, responses.people)
        if self.rater is not None:
            return Responses(first, {"": columns[:, self.rater]})
        if self.system is None:
            return responses
        scores = {self.system: responses.scores[self.system]}
        if self.step is None:
            return Responses(first, scores, responses.people)
        return Responses(np.rint(first / self.step) * self.step, scores)
