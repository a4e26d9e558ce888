"""Labels of people on some rows, of a judge and of systems on all: rows labelled alike are counted together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from adjudge.data.judgements.judged import JudgedLabels, judged_labels
from adjudge.data.judgements.labels import ordered_labels, positions
from adjudge.statistics.base import Array, Codes, ratio, steady_product
from adjudge.statistics.kinds import Kinds
from adjudge.statistics.of_arrays import OfArrays
from adjudge.statistics.systems.joint_rows import distinct_kinds
from adjudge.statistics.weights import Weights, summed_by

PEOPLE, JUDGE, SYSTEMS = 0, 1, 2  # columns of a kind: people's label, the judge's, and from here on the systems'
FEWEST_APART = 20  # rows with a label, and without one, of which shares are compared
LEAST_SPREAD = 1e-20  # what rounding leaves of none
OPERATIONS = 16  # on each count of rows, for a figure of one label
HELD = 2**20  # counts of rows that are held at once


@dataclass(frozen=True, slots=True)
class LabelShares:
    """Shares of rows by label, (…, K): of the reference, of what a system said, and of rows in which both are it."""

    reference: Array
    prediction: Array
    hits: Array


@dataclass(frozen=True, slots=True)
class LabelFigure:
    """A value of margins, (…), and how much it changes with each of them, (…, K)."""

    value: Array
    reference: Array
    prediction: Array
    hits: Array


@dataclass(frozen=True, slots=True)
class Assisted:
    """A figure that people's labels and the judge's give together, and what each kind of row adds to its doubt.

    `people` is what a label less the judge's share of it adds, `others` what the judge adds where nobody looked, and
    `steps` how far a label, and a label that was answered so, move the figure, (systems, 2, K).
    """

    value: Array
    people: Array
    others: Array
    steps: Array

    @classmethod
    def averaged(cls, parts: Sequence[Assisted]) -> Assisted:
        """The mean of several figures of the same rows."""
        names = ("value", "people", "others", "steps")
        return cls(*(np.mean([getattr(part, name) for part in parts], axis=0) for name in names))

    @property
    def reach(self) -> float:
        """How far one label can move the figure: the most that it makes between two labels of rows answered alike."""
        if not self.steps.size:
            return 0.0
        label, hit = self.steps[:, 0], self.steps.sum(1)
        most, least = _of_others(label), -_of_others(-label)
        return float((np.fmax(hit, most) - np.fmin(hit, least)).max(initial=0.0))


@dataclass(frozen=True)
class JudgedTables(OfArrays[JudgedLabels, None], Kinds[JudgedLabels, None]):
    """Distinct rows of labels, and how many rows are so; figures of one system, or of two their difference.

    Laws: (a + b) + c == a + (b + c), a + b == b + a; collecting two parts and adding equals collecting the whole.
    Labels are aligned on `+`.

    >>> tables = JudgedTables.of_arrays(["a", "b", None], ["a", "a", "b"], judge=["a", "b", "b"])
    >>> tables.labels, tables.kinds.tolist(), tables.counts.tolist()
    (('a', 'b'), [[-1, 1, 1], [0, 0, 0], [1, 1, 0]], [1.0, 1.0, 1.0])
    """

    labels: tuple[str, ...]
    kinds: Codes  # (V, 2 + systems), in lexical order: people, -1 where nobody was asked, judge, systems
    counts: Array  # (…, V)
    squares: Array  # (V,)
    rows: int

    read_arrays = staticmethod(judged_labels)

    def labels_apart(self, errors: float) -> Iterator[tuple[str, float, float]]:
        """Labels that the judge gives in other shares of the rows that people labelled than of others, beyond chance.

        So many standard errors apart, if each row counts 1; the furthest first, with both shares.
        """
        labelled = self.kinds[:, PEOPLE] >= 0
        given = np.array(
            [np.bincount(self.kinds[one, JUDGE], self.counts[one], len(self.labels)) for one in (labelled, ~labelled)]
        )
        rows = given.sum(1)
        if rows.min() < FEWEST_APART:
            return
        shares, both = given / rows[:, None], given.sum(0) / rows.sum()
        error = np.sqrt(both * (1 - both) * (1 / rows).sum())
        far = np.abs(shares[0] - shares[1]) / np.where(error > 0, error, np.inf)
        for place in np.argsort(-far)[: int((far > errors).sum())].tolist():
            yield self.labels[place], float(shares[0, place]), float(shares[1, place])

    @classmethod
    def summing(cls, judgements: JudgedLabels, pilot: None = None) -> Callable[[Weights], JudgedTables]:
        """What turns weights into counts of these rows."""
        codes = judgements.codes
        known = np.unique(codes[codes >= 0])
        labels = ordered_labels(judgements.labels[code] for code in known)
        place = np.full(len(judgements.labels) + 1, -1, dtype=np.int64)
        place[known] = positions(tuple(judgements.labels[code] for code in known), labels)
        kinds, at = distinct_kinds(place[codes])

        def sums(weights: Weights) -> JudgedTables:
            return cls(labels, kinds, *weights.sums_by(at, len(kinds)), weights.rows)

        return sums

    def __add__(self, other: Self) -> Self:
        labels = ordered_labels({*self.labels, *other.labels})
        kinds, place = distinct_kinds(np.concatenate([part._aligned(labels) for part in (self, other)]))
        return replace(self, labels=labels, kinds=kinds, **self.counted_with(other, place, len(kinds)))

    def _aligned(self, labels: tuple[str, ...]) -> Codes:
        return np.asarray(np.append(positions(self.labels, labels), -1)[self.kinds])

    def with_draws(self, draws: Self) -> Self:
        """Replicates that were counted in these rows."""
        return self.with_counts(draws.counts)

    @property
    def categories(self) -> tuple[str, ...]:
        """The labels."""
        return self.labels

    def each_category(self, formula: Callable[[Self], Array]) -> Array:
        """A formula that gives one value for each label, (…, K)."""
        return formula(self)

    def against_rest(self) -> Iterator[Self]:
        """The same rows with two labels only, each in turn in the second place, and all others together, (…, K, V).

        Of so many labels at a time as can be held at once.
        """
        least, base = self._states
        digits = np.cumprod(base) // base
        size = math.prod(base)
        kinds = np.arange(size)[:, None] // digits % base + least
        step = max(1, HELD // (size * max(math.prod(self.counts.shape[:-1]), 1)))
        for first in range(0, len(self.labels), step):
            places = range(first, min(first + step, len(self.labels)))
            at = [(np.where(self.kinds < 0, -1, self.kinds == place) - least) @ digits for place in places]
            counts, squares = (
                np.stack([summed_by(sums, one, size) for one in at], axis=-2) for sums in (self.counts, self.squares)
            )
            yield replace(self, labels=("others", "one"), kinds=kinds, counts=counts, squares=squares)

    @property
    def _states(self) -> tuple[Codes, Codes]:
        """Of each column the least there is against one label, -1 (none), 0 (another) or 1 (this), and how many."""
        least = np.minimum(self.kinds.min(0, initial=0), 0)
        return least, 2 - least

    @property
    def drawn_numbers(self) -> int:
        """How many numbers one replicate takes to work out the figures of all labels, about."""
        return OPERATIONS * len(self.labels) * math.prod(self._states[1])

    @property
    def category_weight(self) -> Array:
        """How much of people's labels each is, (…, K)."""
        return self._shares(self._labelled, self.kinds[:, PEOPLE])

    @property
    def _labelled(self) -> Array:
        """1 where people labelled, (V,)."""
        return np.asarray(self.kinds[:, PEOPLE] >= 0, dtype=np.float64)

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return int(self.kinds.shape[1]) - SYSTEMS

    def effective(self, labelled: bool = True) -> float:
        """Kish's effective number of the rows with a label, or without."""
        where = self._labelled if labelled else 1 - self._labelled
        return float(
            np.nan_to_num(
                ratio(float(steady_product(self.counts, where)) ** 2, float(steady_product(self.squares, where)))
            )
        )

    @property
    def drawn_units(self) -> float:
        """Kish's effective number of labels: what the doubt depends on."""
        return self.effective()

    def assisted(self, figure: Callable[[LabelShares], LabelFigure]) -> Array:
        """The figure of all rows, (…): of margins by labels and the judge, with the weight that suits the figure."""
        return self._difference(self._figures(figure, self._weight(figure)))

    def worked_out(self, figure: Callable[[LabelShares], LabelFigure]) -> Assisted:
        """The same of these rows, with what its doubt is made of."""
        weight = self._weight(figure)
        figures = self._figures(figure, weight)
        people, judge = (self._effects(figures, side) for side in (PEOPLE, JUDGE))
        steps = [np.stack([one.reference, one.hits]) for one in figures]
        return Assisted(
            self._difference(figures),
            people - float(weight) * judge,
            float(weight) * judge,
            np.stack(steps) if steps else np.zeros((0, 2, 0)),
        )

    def error(self, one: Assisted) -> float:
        """The standard error: guarded by two imagined labels that move the figure as far as one can."""
        labelled, n, m = self._labelled, self.effective(), self.effective(labelled=False)
        left = self._squared(one.people, labelled) * n**2
        of_people = (left + 2 * one.reach**2) / ((n + 1) * (n + 2))
        of_judge = self._squared(one.others, 1 - labelled) * m / (m - 1) if m > 1 else 0.0
        return float(np.sqrt(of_people + of_judge))

    def _squared(self, values: Array, where: Array) -> float:
        """The sum of squared deviations of some rows over their squared weight."""
        weight = float(steady_product(self.counts, where))
        if not weight:
            return 0.0
        middle = float(steady_product(self.counts, where * values)) / weight
        return float(steady_product(self.squares, where * (values - middle) ** 2)) / weight**2

    def _difference(self, figures: Sequence[LabelFigure]) -> Array:
        value = figures[0].value if len(figures) == 1 else figures[0].value - figures[1].value
        return np.where((self.counts * self._labelled).sum(-1) > 0, value, np.nan)

    def _weight(self, figure: Callable[[LabelShares], LabelFigure]) -> Array:
        """How much the judge counts, λ between 0 and 1, (…): that of a mean of what each row adds to the figure."""
        figures = self._figures(figure, np.zeros(self.counts.shape[:-1]))
        people, judge = (self._effects(figures, side) for side in (PEOPLE, JUDGE))
        labelled = self._labelled
        n, m = ((self.counts * where).sum(-1) for where in (labelled, 1 - labelled))
        centred = [values - self._mean(values, labelled)[..., None] for values in (people, judge)]
        together = ratio((self.counts * labelled * centred[0] * centred[1]).sum(-1), n - 1)
        whole = np.ones(len(labelled))
        spread = ratio((self.counts * (judge - self._mean(judge, whole)[..., None]) ** 2).sum(-1), n + m - 1)
        slope = np.nan_to_num(ratio(together, (1 + ratio(n, m)) * np.where(spread > LEAST_SPREAD, spread, 0.0)))
        return np.where((n > 1) & (m > 1), np.clip(slope, 0.0, 1.0), 0.0)

    def _mean(self, values: Array, where: Array) -> Array:
        return np.asarray(ratio((self.counts * where * values).sum(-1), (self.counts * where).sum(-1)))

    def _effects(self, figures: Sequence[LabelFigure], side: int) -> Array:
        """What each kind of row adds to the figure, to a first approximation, by people's label or the judge's, (…, V).

        Of people's, 0 in rows without a label.
        """
        labels, effects = self.kinds[:, side], np.zeros(self.counts.shape)
        for system, (sign, one) in enumerate(zip((1.0, -1.0), figures, strict=False)):
            answers = self.kinds[:, SYSTEMS + system]
            slopes = ((one.reference, labels), (one.prediction, answers), (one.hits, _hits(labels, answers)))
            effects = effects + sign * sum(_at(slope, codes) for slope, codes in slopes)
        return np.asarray(effects * (self._labelled if side == PEOPLE else 1.0))

    def _figures(self, figure: Callable[[LabelShares], LabelFigure], weight: Array) -> list[LabelFigure]:
        """The figure of each system, where the judge counts so much."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return [figure(self._margins(system, weight)) for system in range(self.systems)]

    def _margins(self, system: int, weight: Array) -> LabelShares:
        """Shares by labels and the judge: people's where there are labels, and what the judge has more elsewhere."""
        reference, prediction, hits = (
            people + weight[..., None] * more for people, more in self._people_and_more[system]
        )
        reference, prediction = _whole(reference), _whole(prediction)
        return LabelShares(reference, prediction, np.clip(hits, 0.0, np.minimum(reference, prediction)))

    @cached_property
    def _people_and_more(self) -> list[list[tuple[Array, Array]]]:
        """Of each system, by reference, answer and hit: people's shares, and what the judge has more elsewhere."""
        labelled, people, judge = self._labelled, self.kinds[:, PEOPLE], self.kinds[:, JUDGE]

        def share(labels: Codes, as_judged: Codes) -> tuple[Array, Array]:
            more = self._shares(1 - labelled, as_judged) - self._shares(labelled, as_judged)
            return self._shares(labelled, labels), np.nan_to_num(more)

        return [
            [share(people, judge), share(answers, answers), share(_hits(people, answers), _hits(judge, answers))]
            for answers in self.kinds.T[SYSTEMS:]
        ]

    def _shares(self, where: Array, codes: Codes) -> Array:
        """The share of some rows that has each label, (…, K)."""
        counts = self.counts * where
        sums = np.zeros((*counts.shape[:-1], len(self.labels)))
        order = np.argsort(codes, kind="stable")
        known = order[np.searchsorted(codes[order], 0) :]
        if len(known):
            met, starts = np.unique(codes[known], return_index=True)
            sums[..., met] = np.add.reduceat(counts[..., known], starts, axis=-1)
        return np.asarray(ratio(sums, counts.sum(-1)[..., None]))


def _hits(labels: Codes, answers: Codes) -> Codes:
    """The label of rows in which both are it, -1 elsewhere."""
    return np.where(labels == answers, labels, -1)


def _at(slopes: Array, codes: Codes) -> Array:
    """The slope of each row's label, (…, V); 0 where a row has none."""
    none = np.zeros((*slopes.shape[:-1], 1))
    return np.asarray(np.concatenate([slopes, none], axis=-1)[..., codes])


def _whole(shares: Array) -> Array:
    """Shares without what falls below 0, adding up to 1."""
    kept = np.maximum(shares, 0.0)
    return np.asarray(ratio(kept, kept.sum(-1)[..., None]))


def _of_others(values: Array) -> Array:
    """The largest of the other values for each of them, (…, K); NaN where there is no other."""
    if values.shape[-1] < 2:
        return np.full(values.shape, np.nan)
    order = np.sort(values, axis=-1)
    largest, second = order[..., -1:], order[..., -2:-1]
    return np.where(values == largest, second, largest)
