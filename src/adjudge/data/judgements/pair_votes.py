"""Pairs of answers with everything that is known of each: all votes, lengths, models, prompts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.decode import text_of
from adjudge.data.judgements.votes import MISSING, A, B, votes_in
from adjudge.data.keys import Keys
from adjudge.errors import BadValue

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PairVotes:
    """Row by row: votes of all that are measured against, then of all annotators."""

    names: tuple[str, ...]
    votes: NDArray[np.int8]  # (pairs, names), codes of votes
    lengths: Floats  # (pairs, 2), characters of both answers; NaN where not known
    models: Codes  # (pairs, 2), who wrote them; -1 where not known
    model_names: tuple[str, ...]
    prompts: Keys
    texts: tuple[tuple[str, ...], ...] | None = None  # prompt and both answers, where they are to be shown

    def __len__(self) -> int:
        return len(self.votes)

    def of_rows(self, rows: Codes) -> PairVotes:
        """Some of the pairs."""
        texts = None if self.texts is None else tuple(tuple(one[row] for row in rows) for one in self.texts)
        return replace(
            self,
            votes=self.votes[rows],
            lengths=self.lengths[rows],
            models=self.models[rows],
            prompts=self.prompts[rows],
            texts=texts,
        )

    @classmethod
    def joined(cls, parts: Sequence[PairVotes]) -> PairVotes:
        """Pairs of several parts, one after another."""
        if len(parts) == 1:
            return parts[0]
        names = tuple(sorted({name for part in parts for name in part.model_names}))
        place = {name: code for code, name in enumerate(names)}
        models = [np.array([*map(place.get, part.model_names), -1], dtype=np.int64)[part.models] for part in parts]
        shown = [part.texts for part in parts if part.texts is not None]
        return replace(
            parts[0],
            votes=np.concatenate([part.votes for part in parts]),
            lengths=np.concatenate([part.lengths for part in parts]),
            models=np.concatenate(models),
            model_names=names,
            prompts=np.concatenate([part.prompts for part in parts]),
            texts=tuple(tuple(text for one in shown for text in one[side]) for side in range(3)) if shown else None,
        )


def votes_for_model(model: int, models: Codes, others: Codes | None = None) -> NDArray[np.int8]:
    """The answer that a model wrote, where another one of `others` wrote the other; no vote elsewhere.

    >>> votes_for_model(0, np.array([[0, 1], [1, 0], [0, 0], [1, 2], [0, -1]])).tolist()
    [0, 1, 7, 7, 7]
    """
    against = models >= 0 if others is None else np.isin(models, others)
    wrote = models == model
    first = wrote[:, 0] & ~wrote[:, 1] & against[:, 1]
    second = wrote[:, 1] & ~wrote[:, 0] & against[:, 0]
    return np.where(first, A, np.where(second, B, MISSING)).astype(np.int8)


@dataclass(frozen=True, slots=True)
class ChosenPairs:
    """What one annotator chose, pair by pair, and how long both answers are; `prompts` says which belong together."""

    votes: NDArray[np.int8]
    lengths: Floats  # (pairs, 2), NaN where not known
    prompts: Keys | None = None

    def __len__(self) -> int:
        return len(self.votes)

    def of_rows(self, rows: Codes) -> ChosenPairs:
        """Some of the pairs."""
        prompts = None if self.prompts is None else self.prompts[rows]
        return ChosenPairs(self.votes[rows], self.lengths[rows], prompts)


def chosen_pairs(votes: object, lengths: object = None) -> ChosenPairs:
    """A list of votes, and the lengths of both answers of each pair.

    >>> chosen_pairs(["a", None], [[3, 4], [5, None]]).lengths.tolist()
    [[3.0, 4.0], [5.0, nan]]
    """
    codes = votes_in(text_of(votes, "votes")).astype(np.int8)
    if lengths is None:
        return ChosenPairs(codes, np.full((len(codes), 2), np.nan))
    try:
        known = np.array(lengths, dtype=np.float64)
        known = known.reshape(len(known), -1 if len(known) else 2)
    except (TypeError, ValueError, OverflowError):
        known = np.zeros((0, 0))
    if known.shape != (len(codes), 2) or (known < 0).any():
        raise BadValue(
            f"`lengths` must be two numbers of 0 or more for each of the {len(codes):,} pairs: of the first answer and "
            "of the second."
        )
    return ChosenPairs(codes, known)
