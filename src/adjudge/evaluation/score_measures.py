"""From scored responses to sums that can be measured: every system in every slice, all under the same draws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from adjudge.data.collect_scores import Scored
from adjudge.data.columns import Array
from adjudge.data.ratings import Ratings
from adjudge.data.score_types import Scaling, ScoreScale, score_types
from adjudge.evaluation.measure import Measured
from adjudge.evaluation.results import WHOLE_NAME
from adjudge.inference.resampling import Bootstrap, Replicates, Together, drawn_on_cells
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.rating_vectors import RatingVectors
from adjudge.statistics.score_features import MOST_POINTS, Points, ScoreFeatures, of_rest
from adjudge.statistics.score_sums import ScoreSums, rater_sums, system_sums
from adjudge.statistics.weights import Weights

# Fewer other responses than this are drawn one by one; more are as good as normal.
FEW_OTHERS = 256
APART = " · "
PAIR = " × "

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Part:
    """A slice: its name and its responses; None means all of them."""

    name: str
    rows: Rows | None
    column: str = ""
    level: str = ""


@dataclass(frozen=True)
class Responses:
    """Scored responses with every form of every system's score."""

    scored: Scored
    raters: tuple[str, ...]
    forms: dict[str, Array]  # "engine · raw_trim" → scores
    scale: ScoreScale | None
    slice_names: tuple[str, ...]

    @classmethod
    def of(
        cls,
        scored: Scored,
        raters: tuple[str, ...],
        scale: ScoreScale | None,
        scalings: dict[str, Scaling],
        slice_names: tuple[str, ...],
    ) -> Responses:
        """Make the forms of each system's scores."""
        forms = {
            f"{system}{APART}{form}": values
            for system, raw in scored.systems.items()
            for form, values in score_types(raw, scale, scalings.get(system)).items()
        }
        return cls(scored, raters, forms, scale, slice_names)

    @cached_property
    def ratings(self) -> Array:
        """The raters' scores; a response that the first did not score starts with the first it has."""
        ratings = self.scored.ratings
        if np.isfinite(ratings[:, 0]).all():
            return ratings
        order = np.argsort(~np.isfinite(ratings), axis=1, kind="stable")
        return np.take_along_axis(ratings, order, axis=1)

    @property
    def reference(self) -> Array:
        """The human score of each response."""
        return np.asarray(self.ratings[:, 0])

    @cached_property
    def features(self) -> ScoreFeatures:
        """What each response adds to the sums."""
        points = Points(frozenset(form for form in self.forms if self.is_rounded(form)), self.rounded)
        return ScoreFeatures.of(self.ratings, self.forms, points=points)

    def parts(self) -> Iterator[Part]:
        """Everybody, and each level of each slice."""
        yield Part(WHOLE_NAME, None)
        for column, labels in zip(self.slice_names, self.scored.slices, strict=True):
            for code, level in enumerate(labels.categories):
                rows = np.flatnonzero(labels.codes == code)
                if len(rows):
                    yield Part(f"{column} = {level}", rows, column, level)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Every two raters who scored a response in common."""
        rated = np.isfinite(self.scored.ratings)
        every = combinations(range(len(self.raters)), 2)
        return [(a, b) for a, b in every if (rated[:, a] & rated[:, b]).any()]

    def rounded(self, values: Array) -> Array:
        """Scores on the scale's steps."""
        return (self.scale or ScoreScale(0, 1)).rounded(values)

    def is_rounded(self, system: str) -> bool:
        """Whether a form's scores are points of the scale."""
        return system.endswith("_round")


@dataclass(frozen=True)
class Measures:
    """Sums and replicates of the responses in each slice."""

    responses: Responses
    settings: Bootstrap

    @cached_property
    def whole(self) -> LinearSums:
        """The sums of all responses."""
        return self.responses.features.sums(unit_keys=self.keys)

    @property
    def keys(self) -> NDArray[np.uint64] | None:
        """Whose response it is, when people are resampled."""
        return self.responses.scored.candidates

    def of_part(self, part: Part) -> Iterator[Measured]:
        """Every system, and every two raters, in one slice."""
        features, sums = self.responses.features, self._sums(part)
        rest = self._rest(part, sums)
        drawn = _Drawn(sums, rest, self.settings, part.name)
        for system in self.responses.forms:
            made = system_sums(system, sums, features.centres, rest)
            table = self._table(system, part) if self.responses.is_rounded(system) else None
            yield self._measured(system, part, made, (drawn, table))
        if len(self.responses.raters) == 2 and self.responses.pairs:
            name = PAIR.join(self.responses.raters)
            made = rater_sums(name, sums, features.centres, rest)
            yield self._measured(name, part, made, (drawn, self._table(name, part)))
        elif len(self.responses.raters) > 2:
            yield from self._pairs(part)

    def _sums(self, part: Part) -> LinearSums:
        if part.rows is None:
            return self.whole
        return self.responses.features.in_slices.sums(unit_keys=self.keys, rows=part.rows)

    def _rest(self, part: Part, sums: LinearSums) -> LinearSums | None:
        """The other responses, so that the slice can be judged against everybody."""
        if part.rows is None:
            return None
        others = len(self.responses.scored) - len(part.rows)
        if others == 0:
            return None
        if self.keys is None and others > FEW_OTHERS:
            names = of_rest(self.responses.forms)
            return self.whole.only(names).without(sums.only(names))
        left = np.ones(len(self.responses.scored), dtype=np.bool_)
        left[part.rows] = False
        features = self.responses.features.in_slices
        return features.sums(unit_keys=self.keys, rows=np.flatnonzero(left)).only(of_rest(self.responses.forms))

    def _pairs(self, part: Part) -> Iterator[Measured]:
        """Two raters at a time, on the responses that both scored."""
        responses = self.responses
        for a, b in responses.pairs:
            name = PAIR.join((responses.raters[a], responses.raters[b]))
            ratings = responses.scored.ratings
            both = np.isfinite(ratings[:, a]) & np.isfinite(ratings[:, b])
            inside = both if part.rows is None else both & _marked(part.rows, len(both))
            features = ScoreFeatures.of(ratings[:, [a, b]], {})
            sums = features.sums(unit_keys=self.keys, rows=np.flatnonzero(inside))
            others = np.flatnonzero(both & ~inside)
            rest = features.sums(unit_keys=self.keys, rows=others) if len(others) else None
            drawn = _Drawn(sums, rest, self.settings, f"{part.name}/{name}")
            yield self._measured(
                name, part, rater_sums(name, sums, features.centres, rest), (drawn, self._table(name, part))
            )

    def _measured(self, system: str, part: Part, sums: ScoreSums, drawn: tuple[_Drawn, _Table | None]) -> Measured:
        statistics: Together = {ScoreSums: sums}
        groups, smooth = [drawn[0].replicates(sums)], []
        if (table := drawn[1]) is not None and table.plain.total > 0:
            statistics[Confusion] = table.plain
            groups.append(table.replicates(self.settings, f"{system}/{part.name}"))
            if self.keys is None:
                smooth.append(table.smoothed(self.settings, f"{system}/{part.name}"))
        if part.rows is None and system in self.responses.forms and system.endswith("_trim"):
            statistics[RatingVectors] = _ranked(self.responses.reference, self.responses.forms[system])
        return Measured(
            system=system,
            slice=part.name,
            rows=round(float(sums.machine.n)),
            statistics=statistics,
            bootstrap=tuple(groups),
            bayesian=tuple(smooth),
            positive=None,
            notes={},
            refused={},
            clustered=self.keys is not None,
        )

    def _table(self, system: str, part: Part) -> _Table | None:
        """How often each rounded score met each human score."""
        first, second = self.two_scores(system)
        rows = np.arange(len(first)) if part.rows is None else part.rows
        rows = rows[np.isfinite(first[rows]) & np.isfinite(second[rows])]
        points = self.points(first, second)
        if points is None:
            return None
        x, y = (np.searchsorted(points, self.responses.rounded(v[rows]) - STEP_SLACK) for v in (first, second))
        names = tuple(f"{point:g}" for point in points)
        keys = None if self.keys is None else self.keys[rows]
        return _Table(names, x * len(points) + y, keys)

    def two_scores(self, system: str) -> tuple[Array, Array]:
        """The reference and what is held against it: a system's scores, or the second rater's."""
        if system in self.responses.forms:
            return self.responses.reference, self.responses.forms[system]
        names = {
            PAIR.join((self.responses.raters[a], self.responses.raters[b])): (a, b) for a, b in self.responses.pairs
        }
        a, b = names[system]
        return self.responses.scored.ratings[:, a], self.responses.scored.ratings[:, b]

    def points(self, first: Array, second: Array) -> Array | None:
        """Every point of the scale between the lowest and the highest score; None when they are too many."""
        step = 1.0 if self.responses.scale is None else self.responses.scale.step
        both = self.responses.rounded(np.concatenate([first, second]))
        low, high = np.nanmin(both), np.nanmax(both)
        count = round((high - low) / step) + 1
        return None if count > MOST_POINTS else low + step * np.arange(count)


# Rounding of steps that binary fractions cannot hold, such as 0.1.
STEP_SLACK = 1e-9


def _marked(rows: Rows, size: int) -> NDArray[np.bool_]:
    found = np.zeros(size, dtype=np.bool_)
    found[rows] = True
    return found


def _ranked(first: Array, second: Array) -> RatingVectors:
    """The order of two scores, for rank correlations."""
    values, codes = np.unique(np.concatenate([first, second]), return_inverse=True)
    categories = tuple(map(str, range(len(values))))
    pairs = codes.reshape(2, -1).T
    return RatingVectors.summing(Ratings(pairs, categories, ("reference", "prediction")))(Weights(len(first)))


@dataclass(frozen=True)
class _Drawn:
    """Replicates of one slice's sums, drawn once for all systems."""

    sums: LinearSums
    rest: LinearSums | None
    settings: Bootstrap
    stream: str

    @cached_property
    def drawn(self) -> tuple[LinearSums, LinearSums | None]:
        """The slice's replicates and the rest's."""
        how = (self.settings.weights, self.settings.replicates, self.settings.seed)
        rest = None if self.rest is None else self.rest.resampled(*how, f"scores/{self.stream}/rest")
        return self.sums.resampled(*how, f"scores/{self.stream}"), rest

    def replicates(self, sums: ScoreSums) -> Replicates:
        """One system's view of them."""

        def tiles() -> Iterator[Together]:
            totals, others = self.drawn
            rest = None if sums.rest is None or others is None else replace(sums.rest, sums=others)
            yield {ScoreSums: replace(sums, sums=totals, rest=rest)}

        def left_out() -> tuple[Together, Array]:
            left, rows = sums.without_one()
            return {ScoreSums: left}, rows

        return Replicates(tiles, {ScoreSums: sums}, left_out)


@dataclass(frozen=True)
class _Table:
    """The cells of a cross table, response by response."""

    names: tuple[str, ...]
    cells: Rows
    keys: NDArray[np.uint64] | None

    @cached_property
    def plain(self) -> Confusion:
        """The table."""
        size = len(self.names)
        counts = np.bincount(self.cells, minlength=size**2).astype(np.float64).reshape(size, size)
        return Confusion(self.names, counts, counts, len(self.cells))

    def smoothed(self, settings: Bootstrap, stream: str) -> Replicates:
        """Drawn with weights that vary smoothly: what an interval of kappa is best read from."""
        return drawn_on_cells(self.plain, _only_table, "bayesian", settings, f"table/{stream}")

    def replicates(self, settings: Bootstrap, stream: str) -> Replicates:
        """Drawn on its cells, or person by person."""
        if self.keys is None:
            return drawn_on_cells(self.plain, _only_table, settings.weights, settings, f"table/{stream}")
        size = len(self.names) ** 2
        one_hot = np.zeros((len(self.cells), size))
        one_hot[np.arange(len(self.cells)), self.cells] = 1.0
        names = tuple(str(cell) for cell in range(size))
        sums = LinearSums.collect(names, one_hot, Weights(len(self.cells)), self.keys)

        def derived(found: LinearSums) -> Together:
            counts = np.maximum(found.totals, 0.0).reshape(*found.totals.shape[:-1], len(self.names), len(self.names))
            return {Confusion: replace(self.plain, counts=counts)}

        return drawn_on_cells(sums, derived, settings.weights, settings, f"table/{stream}")


def _only_table(table: Confusion) -> Together:
    return {Confusion: table}
