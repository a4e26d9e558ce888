"""Imagined rows on which two systems differ: without them, systems that never did would be the same for certain."""

from __future__ import annotations

from dataclasses import Field, replace
from typing import ClassVar, Protocol, TypeVar

import numpy as np

from adjudge.statistics.base import Array, Codes


class KindsOfAnswers(Protocol):
    """Distinct rows of answers: the reference first, then what systems said."""

    @property
    def kinds(self) -> Codes:
        """The distinct rows, (V, columns)."""

    @property
    def counts(self) -> Array:
        """The weight of each, (V,)."""

    @property
    def squares(self) -> Array:
        """The squared weights of each, (V,)."""

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]  # what `replace` takes


Kinds = TypeVar("Kinds", bound=KindsOfAnswers)


def imagined_rows(
    answers: KindsOfAnswers, columns: tuple[int, int], choices: tuple[Codes, Codes]
) -> tuple[Codes, Array]:
    """Of every reference, a row that only one of two systems got right, and one that only the other did.

    What the wrong one said is spread as its wrong answers of that reference are, or evenly over its choices where it
    has none; what stands in other columns means nothing.
    """
    kinds, counts = [], []
    for label in np.unique(answers.kinds[answers.counts > 0, 0]):
        of_label = answers.kinds[:, 0] == label
        for right, wrong in ((0, 1), (1, 0)):
            places = np.searchsorted(choices[wrong], answers.kinds[of_label, columns[wrong]])
            weights = answers.counts[of_label]
            said = np.bincount(places, weights=weights, minlength=len(choices[wrong])).astype(np.float64)
            others = choices[wrong] != label
            said = said * others if (said * others).any() else others.astype(np.float64)
            for place in np.flatnonzero(said):
                kind = np.zeros(answers.kinds.shape[1], dtype=answers.kinds.dtype)
                kind[0] = kind[columns[right]] = label
                kind[columns[wrong]] = choices[wrong][place]
                kinds.append(kind)
                counts.append(said[place] / said.sum())
    empty = np.empty((0, answers.kinds.shape[1]), dtype=answers.kinds.dtype)
    return np.stack(kinds) if kinds else empty, np.array(counts, dtype=np.float64)


def with_kinds(answers: Kinds, kinds: Codes, counts: Array) -> Kinds:
    """The same rows and more of them, each with its weight."""
    return replace(
        answers,
        kinds=np.concatenate([answers.kinds, kinds]),
        counts=np.concatenate([answers.counts, counts]),
        squares=np.concatenate([answers.squares, counts]),
    )
