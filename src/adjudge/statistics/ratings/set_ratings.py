"""Sets of labels, rater by rater: the distinct rows of sets and how many items have each.

Real data hold hundreds of different sets, so tables of every two of them are never summed. What coefficients divide
is a sum over rows (observed disagreement, labels) or a quadratic form in how often each set was given (expected
disagreement).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.label_sets import members, set_ratings_of
from adjudge.data.judgements.labels import ordered_labels, positions
from adjudge.data.judgements.ratings import Ratings
from adjudge.statistics.base import STEADY, Array, Codes, ratio, steady_product
from adjudge.statistics.cells import PRIOR_MASS, draw_cells, generator, prior_atoms, prior_places
from adjudge.statistics.kinds import Kinds, RaterView, joined_raters, of_raters_among
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.ratings.set_rows import SetRows, distinct_rows, unnamed
from adjudge.statistics.weights import Weights

# Prior pairs in a replicate: the Gamma process they come from has few atoms of note; these hold all but 0.03 %.
ATOMS = 16
# Quadratic forms in the use of more sets than this are worked out for so many replicates of a tile only.
EXACT_SETS = 256
EXACT_REPLICATES = 6


@dataclass(frozen=True)
class LabelSums:
    """What coefficients of one label divide, (…, labels), over items with two ratings or more."""

    both: Array  # ordered pairs of ratings that both have the label
    possible: Array  # ordered pairs that begin with it
    differing: Array  # ordered pairs that differ in it, over ratings less one
    uses: Array  # ratings that have it
    ratings: Array  # all ratings, (…, 1); with prior pairs, (…, labels)


@dataclass(frozen=True)
class Prior:
    """Items of two ratings each, drawn beside the items of every replicate; each counts for as many as items have.

    Whole sets have pairs of the sets in use. A label is a question of its own, yes or no, whose pairs favour neither:
    among the sets in use hardly any has a rare label, and no two would agree on it.
    """

    pairs: Codes  # (…, atoms, 2), codes into the sets
    counts: Array  # (…, atoms)
    labels: Array  # (…, labels, 3), how many pairs have the label never, once and twice
    ratings: float  # of an item, on average

    def scaled(self, by: Array | float) -> Prior:
        """The same pairs with all weights multiplied, in each replicate by a factor of its own or by one."""
        each = np.asarray(by)[..., None]
        return replace(self, counts=self.counts * each, labels=self.labels * each[..., None])

    def tile(self, start: int, stop: int) -> Prior:
        """Those of some of the replicates."""
        part = slice(start, stop)
        return replace(self, pairs=self.pairs[part], counts=self.counts[part], labels=self.labels[part])

    @property
    def label_columns(self) -> Array:
        """What `SetRows.label_columns` has of items, of the pairs of each label, (…, 4 labels)."""
        held = np.arange(3.0)
        pairs = self.ratings * (self.ratings - 1) / 2
        of_ratings = self.ratings / 2
        each = (pairs * held * (held - 1), pairs * held, of_ratings * 2 * held * (2 - held), of_ratings * held)
        return np.concatenate([(self.labels * one).sum(-1) for one in each], axis=-1)


@dataclass(frozen=True)
class SetRatings(OfArrays[Ratings, bool], Kinds[Ratings, bool]):
    """Rows of sets of labels with the weight of the items that have them.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; collecting two parts and adding equals collecting the whole.
    Labels, sets and raters are aligned on `+`. The pilot says whether raters are told apart: without names, the sets of
    a row are sorted.
    """

    table: SetRows
    counts: Array  # (…, V)
    squares: Array  # (V,)
    rows: int
    prior: Prior | None = None

    read_arrays = staticmethod(set_ratings_of)

    @classmethod
    def summing(cls, ratings: Ratings, pilot: bool | None = None) -> Callable[[Weights], SetRatings]:
        """What turns weights into rows of these items; the distinct rows are worked out once."""
        raters = () if pilot is False else ratings.raters
        codes = ratings.codes if raters else unnamed(ratings.codes, 0)
        used = np.unique(codes[codes >= 0])
        place = np.full(len(ratings.categories) + 1, -1, dtype=np.int64)
        place[used] = np.arange(len(used))
        vectors, cell = distinct_rows(place[codes])
        labels, _ = members(ratings.categories)
        table = SetRows(labels, tuple(ratings.categories[code] for code in used), raters, vectors)

        def sums(weights: Weights) -> SetRatings:
            return cls(table, *weights.sums_by(cell, len(vectors)), weights.rows)

        return sums

    @property
    def categories(self) -> tuple[str, ...]:
        """The labels that sets are made of."""
        return self.table.labels

    @property
    def raters(self) -> tuple[str, ...]:
        """Who rated; nobody where raters are not told apart."""
        return self.table.raters

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Every two raters, by place."""
        return list(combinations(range(len(self.raters)), 2))

    def __add__(self, other: Self) -> Self:
        a, b = self.table, other.table
        labels, sets = ordered_labels({*a.labels, *b.labels}), ordered_labels({*a.sets, *b.sets})
        parts = [np.append(positions(one.sets, sets), -1)[one.vectors] for one in (a, b)]
        raters = joined_raters(a.raters, b.raters) if a.raters and b.raters else ()
        if raters:
            parts = [of_raters_among(part, one.raters, raters) for part, one in zip(parts, (a, b), strict=True)]
        else:
            width = max(part.shape[1] for part in parts)
            parts = [unnamed(part, width) for part in parts]
        vectors, place = distinct_rows(np.concatenate(parts))
        table = SetRows(labels, sets, raters, vectors)
        return replace(self, table=table, **self.counted_with(other, place, len(vectors)))

    def in_terms_of(self, other: Self) -> Self:
        """The same rows over the raters and labels of another statistic."""
        own, table = self.table, other.table
        if (own.raters, own.labels) == (table.raters, table.labels):
            return self
        vectors = of_raters_among(own.vectors, own.raters, table.raters) if table.raters else own.vectors
        return replace(self, table=SetRows(table.labels, own.sets, table.raters, vectors, own.distances))

    def scaled(self, unit: float) -> Self:
        """The same items with all weights multiplied."""
        prior = self.prior and self.prior.scaled(unit)
        return replace(self, counts=self.counts * unit, squares=self.squares * unit**2, prior=prior)

    def tile(self, start: int, stop: int) -> Self:
        """Some of the replicates."""
        prior = self.prior and self.prior.tile(start, stop)
        return replace(self, counts=self.counts[start:stop], prior=prior)

    def resampled(self, kind: str, replicates: int, seed: int, stream: str) -> Self:
        """Replicates drawn on the rows; for "bayesian", with prior pairs added."""
        random = generator(seed, stream)
        draws = draw_cells(self.counts, kind, replicates, random)
        if kind != "bayesian":
            return replace(self, counts=draws)
        prior = self._drawn_prior(replicates, random, self)
        scale = self.counts.sum() / np.maximum(draws.sum(-1) + prior.counts.sum(-1), 1e-300)
        return replace(self, counts=draws * scale[:, None], prior=prior.scaled(scale))

    def smoothed(self, plain: Self, seed: int, stream: str) -> Self:
        """Bayesian replicates made of items, with prior pairs in units of an item of `plain` added."""
        prior = self._drawn_prior(len(self.counts), generator(seed, stream), plain)
        return replace(self, prior=prior.scaled(plain.one_item))

    def _drawn_prior(self, replicates: int, random: np.random.Generator, plain: Self) -> Prior:
        """A Gamma process over pairs of sets, favouring none, as pairs of labels have their prior; and labels'."""
        size, shape = max(len(self.table.sets), 1), (replicates, ATOMS if self.table.sets else 0)
        pairs = np.stack(np.divmod(prior_places(size, shape, random), size), axis=-1)
        masses = prior_atoms(PRIOR_MASS, *shape, random)
        of_label = np.full(3, PRIOR_MASS / 3)  # neither of two chose it, one did, both did: as patterns of two labels
        labels = random.standard_gamma(of_label, size=(replicates, len(self.categories), 3))
        return Prior(pairs, masses, labels, plain.ratings_of_item)

    @property
    def ratings_of_item(self) -> float:
        """How many ratings an item has that has two or more, on average; two where there is none."""
        given = np.where(self.table.ratings >= 2, self.table.ratings, 0)
        each = ratio((self.counts * given).sum(), (self.counts * (given > 0)).sum())
        return max(2.0, float(np.nan_to_num(each)))

    def of_raters(self, places: Sequence[int]) -> RaterView[SetRatings]:
        """The items with two ratings or more by some of the raters, and the sets in use there."""
        chosen = list(places)
        kept = np.flatnonzero((self.table.vectors[:, chosen] >= 0).sum(1) >= 2)
        table = self.table.of_raters(kept, chosen)
        ratings = replace(self, table=table, counts=self.counts[..., kept], prior=None).ratings_of_item

        def of(replicates: SetRatings) -> SetRatings:
            prior = replicates.prior if table.sets else None
            if prior is not None:
                # Evenly drawn codes stay as even on fewer sets as whole numbers can: shares differ by one code.
                pairs = prior.pairs * len(table.sets) // max(len(self.table.sets), 1)
                prior = replace(prior, pairs=pairs, ratings=ratings)
            counts = np.ascontiguousarray(replicates.counts[..., kept])
            return replace(replicates, table=table, counts=counts, squares=replicates.squares[kept], prior=prior)

        return RaterView(of(self), of)

    @property
    def shared(self) -> int:
        """How many items have two ratings or more; weights count as they are."""
        return round(float(steady_product(self.counts, self.table.ratings >= 2)))

    @property
    def work(self) -> int:
        """Multiplications in one replicate of a coefficient."""
        size = len(self.table.sets)
        return self.table.vectors.size + size * min(size, EXACT_SETS)

    @cached_property
    def paired(self) -> Array:
        """How many items have two ratings or more, (…)."""
        return self._with_prior(steady_product(self.counts, self.table.ratings >= 2), lambda prior: 1.0)

    def apart(self, distance: str | None) -> Array:
        """The mean distance of an item's two ratings, summed over items, (…)."""

        def of_pairs(pairs: Codes) -> Array | NDArray[np.bool_]:
            a, b = pairs[..., 0], pairs[..., 1]
            return a != b if distance is None else self.table.distance(distance)[a, b]

        return self._with_prior(steady_product(self.counts, self.table.apart(distance)), of_pairs)

    def _with_prior(self, sums: Array, of_pairs: Callable[[Codes], Array | NDArray[np.bool_] | float]) -> Array:
        if self.prior is None:
            return np.asarray(sums)
        return np.asarray(sums + (self.prior.counts * of_pairs(self.prior.pairs)).sum(-1))

    @cached_property
    def uses(self) -> Array:
        """How often each set was given to items with two ratings or more, (…, sets)."""
        several = self.counts * (self.table.ratings >= 2)
        uses = np.asarray(several @ self.table.set_uses)
        if self.prior is not None:
            replicate = np.arange(len(uses))[:, None, None]
            np.add.at(uses, (replicate, self.prior.pairs), self.prior.counts[..., None] * (self.prior.ratings / 2))
        return uses

    def coincident(self, distance: str) -> Array:
        """The distance of an item's pairs of ratings, each rating having a say of one, summed over items, (…)."""
        weighed = self.table.apart(distance) * self.table.ratings

        def of_pairs(pairs: Codes) -> Array:
            assert self.prior is not None
            return self.prior.ratings * self.table.distance(distance)[pairs[..., 0], pairs[..., 1]]

        return self._with_prior(steady_product(self.counts, weighed), of_pairs)

    def expected(self, distance: str) -> Array:
        """The distance of every two ratings whatever the item, summed, (…).

        Of many replicates with many sets the part that is quadratic in their differences is taken at its mean. It is
        one part in the number of items, and its own spread less: about a hundredth of the spread of alpha.
        """
        uses, apart = self.uses, self.table.distance(distance)
        if uses.ndim == 1 or uses.shape[-1] <= EXACT_SETS or len(uses) <= EXACT_REPLICATES:
            return np.asarray((steady_product(uses, apart) * uses).sum(-1))
        middle = uses.mean(0)
        some = uses[:EXACT_REPLICATES] - middle
        # Row by row of the distances, one block after another: see `steady_product`.
        left = np.stack([middle, *some], axis=1)
        step = max(1, STEADY // left.size)
        pulled = np.concatenate([apart[start : start + step] @ left for start in range(0, len(apart), step)])
        linear = np.einsum("rk,k->r", uses, pulled[:, 0])
        return np.asarray(2 * linear - middle @ pulled[:, 0] + (pulled[:, 1:] * some.T).sum(0).mean())

    @cached_property
    def label_sums(self) -> LabelSums:
        """The sums of every label."""
        size = len(self.categories)
        sums = np.asarray(self.counts @ self.table.label_columns)
        ratings = steady_product(self.counts, np.where(self.table.ratings >= 2, self.table.ratings, 0.0))[..., None]
        if self.prior is not None:
            sums += self.prior.label_columns
            ratings = ratings + self.prior.labels.sum(-1) * self.prior.ratings
        both, possible, differing, uses = (sums[..., place * size : (place + 1) * size] for place in range(4))
        return LabelSums(both, possible, differing, uses, np.asarray(ratings))

    def each_category(self, formula: Callable[[Self], Array]) -> Array:
        """A formula that gives one value for each label, (…, labels)."""
        return formula(self)

    @property
    def category_weight(self) -> Array:
        """How often each label was given, (…, labels)."""
        return self.label_sums.uses

    @property
    def minority(self) -> float:
        """How many items have a rating outside the commonest set."""
        if not len(self.table.sets) or not self.counts.any():
            return 0.0
        given = self.counts @ self.table.set_uses
        common = int(given.argmax())
        outside = ((self.table.vectors >= 0) & (self.table.vectors != common)).any(1)
        return self.rows * float(self.counts[outside].sum() / self.counts.sum())
