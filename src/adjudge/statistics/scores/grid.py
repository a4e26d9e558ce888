"""A grid on which responses of few human scores are counted: between its cuts all that scores add is a polynomial."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.columns import distinct_numbers
from adjudge.data.judgements.responses import Responses, ResponseView
from adjudge.data.judgements.score_types import RAW, SCALED, Scaling, ScoreScale, score_types
from adjudge.data.source import Places
from adjudge.statistics.base import AnyStatistic, Array, Codes
from adjudge.statistics.scores.features import MOST_POINTS, ROUNDING, TOLERANCES

# More cells than this are not worth it; nor are more of all levels in the first rows.
MOST_CELLS = 2**13
MOST_LEVEL_CELLS = 2**18
# Parts of the line narrower than this have cells only where the first rows lie in them.
NARROW = 1e-6
# Parts of the line are found by a table of so many equal steps; where two meet in one step, they are searched for.
STEPS = 2**13
# No score lies so far from zero that is looked for.
FARTHEST = 1e100
ROUND = "_round"

Predicate = Callable[[Array], NDArray[np.bool_]]
Condition = tuple[str, int, Predicate]  # a form, how many things may hold of it, and which do


@dataclass(frozen=True)
class ToldSum:
    """A statistic that cells tell, of one view, with what it must know before it is summed."""

    view: ResponseView
    statistic: type[AnyStatistic]
    pilot: object = None
    slice_pilot: object = None

    def pilot_of(self, *, whole: bool) -> object:
        """Of all responses, or of a slice."""
        return self.pilot if whole or self.slice_pilot is None else self.slice_pilot


@dataclass(frozen=True)
class FewValues:
    """Numbers of few values, and where each of them stands."""

    values: Array  # rising

    @cached_property
    def _table(self) -> tuple[float, float, Places] | None:
        """The lowest, steps in a unit, and the value that lies in each step; None where two share one."""
        low, high = self.values[[0, -1]]
        steps = 1
        while steps <= STEPS:
            scale = steps / (high - low) if high > low else 1.0
            place = ((self.values - low) * scale).astype(np.int64)
            if len(np.unique(place)) == len(place):
                table = np.zeros(int(place[-1]) + 1, dtype=np.int8)
                table[place] = np.arange(len(place))
                return float(low), float(scale), table
            steps *= 2
        return None

    @property
    def usable(self) -> bool:
        """Whether values are few, and lie so far apart that they are looked up."""
        return 0 < len(self.values) <= MOST_POINTS and self._table is not None

    @cached_property
    def _follow(self) -> bool:
        """Whether the values are whole numbers that follow one another, each in a byte: they then tell their places."""
        low, high = self.values[[0, -1]].tolist()
        in_byte = low >= -128 and high <= 127 and low.is_integer()
        return in_byte and np.array_equal(self.values, low + np.arange(len(self.values)))

    def places(self, numbers: Array, whole: NDArray[np.int8] | None = None) -> tuple[Places, NDArray[np.bool_] | None]:
        """Where each number stands, one more where it is missing; and which are none of the values, None: no number.

        `whole` are the numbers in a byte each, where that is known.
        """
        if not self._follow:
            return self._searched(numbers)
        low, high = self.values[[0, -1]].astype(np.int8)
        if whole is not None and whole.min(initial=low) >= low and whole.max(initial=high) <= high:
            return whole - low, None
        return self._stepped(numbers)

    def _stepped(self, numbers: Array) -> tuple[Places, NDArray[np.bool_] | None]:
        """The same of values that tell their places."""
        low, high = self.values[[0, -1]].astype(np.int8)
        with np.errstate(invalid="ignore"):  # of what is missing or far away, anything
            whole = numbers.astype(np.int8)
        same, missing = whole == numbers, None
        if not same.all():
            missing = np.isnan(numbers)
            whole[missing] = low
            same |= missing
        if not same.all() or whole.min(initial=low) < low or whole.max(initial=high) > high:
            return self._searched(numbers)
        whole -= low
        if missing is not None:
            whole[missing] = len(self.values)
        return whole, None

    def _searched(self, numbers: Array) -> tuple[Places, NDArray[np.bool_] | None]:
        assert self._table is not None
        low, scale, table = self._table
        with np.errstate(invalid="ignore"):  # of what is missing, anything
            steps = numbers - low
            steps *= scale
            place = table.take(steps.astype(np.int64), mode="clip")
        same = self.values.take(place) == numbers
        if same.all():
            return place, None
        missing = np.isnan(numbers)
        place[missing] = len(self.values)
        other = ~(same | missing)
        return place, other if other.any() else None


@dataclass(frozen=True)
class ScoreGrid:
    """Cells of human scores × parts of the line, on each of which every form of a score is a straight line.

    A part ends where a form is rounded to another point or trimmed, or where its distance to a human score passes a
    tolerance: there is nothing in a cell but how far the score lies from where its part starts.
    """

    system: str  # the name of the score as it is
    forms: Mapping[str, str]  # every name of a score, and its form
    scale: ScoreScale | None
    scaling: Scaling | None
    raters: tuple[FewValues, ...]
    cuts: Array  # the last number of each part, rising
    parts: Places  # the number each part has among those with cells; -1: it has none
    starts: Array  # where each of these starts
    tells: tuple[ToldSum, ...] = field(default=(), compare=False)

    @classmethod
    def of(
        cls,
        responses: Responses,
        system: str,
        forms: Mapping[str, str],
        scales: tuple[ScoreScale | None, Scaling | None],
        levels: int,
    ) -> Self | None:
        """From the first responses and how many levels their slices have; None where there would be too many cells."""
        raters = tuple(FewValues(_values(column, scales[0])) for column in responses.ratings.T)
        fine = scales[0] is not None and (scales[0].high - scales[0].low) / scales[0].step > MOST_POINTS
        if fine or not all(rater.usable for rater in raters):
            return None
        grid = cls(system, forms, *scales, raters, np.zeros(0), np.zeros(1, dtype=np.int16), np.zeros(1))
        cuts = grid._cuts()
        wide = np.diff(cuts, prepend=-np.inf, append=np.inf) > NARROW
        starts = np.array([cuts[0] - 1.0, *np.nextafter(cuts, np.inf)])
        every = replace(grid, cuts=cuts, parts=np.arange(len(starts), dtype=np.int16), starts=starts)
        wide[every.parts_of(responses.scores[system])[0]] = True
        starts, parts = starts[wide], np.where(wide, np.cumsum(wide) - 1, -1).astype(np.int16)
        grid = replace(grid, cuts=cuts, parts=parts, starts=starts)
        few = grid.size <= MOST_CELLS and grid.size * levels <= MOST_LEVEL_CELLS
        return grid if few else None

    def _cuts(self) -> Array:
        """The last scores, to the last bit, that are rounded, trimmed or near a human score as those below them are."""
        conditions = [condition for form in dict.fromkeys(self.forms.values()) for condition in self._conditions(form)]
        ends = np.cumsum([size for _, size, _ in conditions])
        each = [slice(end - size, end) for end, (_, size, _) in zip(ends.tolist(), conditions, strict=True)]

        def hold(numbers: Array) -> NDArray[np.bool_]:
            by_form = score_types(numbers, self.scale, self.scaling)
            of_each = zip(conditions, each, strict=True)
            return np.concatenate([holds(by_form[form][some]) for (form, _, holds), some in of_each])

        every = _last(hold, int(ends[-1]))
        return np.unique(every[np.abs(every) < FARTHEST / 2])

    def _conditions(self, form: str) -> list[Condition]:
        """What holds of a form for low scores and for no high one."""
        ends = self.form_of(np.array([-np.inf, np.inf]), form)
        limits = ends[:1]
        if self.scale is not None and form.endswith(ROUND):
            points = np.arange(*np.rint(ends / self.scale.step)) * self.scale.step
            limits = np.append(points, points + self.scale.step / 2)
        human = np.unique(np.concatenate([rater.values for rater in self.raters]))
        reach = np.array([0.0, *np.add(TOLERANCES, ROUNDING)])
        value, far = (of.reshape(-1) for of in np.broadcast_arrays(human[:, None], reach))
        return [
            (form, len(limits), lambda score: score <= limits),
            (_untrimmed(form), 1, lambda score: score <= ends[1:]),
            (form, len(value), lambda score: value - score > far),
            (form, len(value), lambda score: score - value <= far),
        ]

    def form_of(self, raw: Array, form: str) -> Array:
        """The scores in one of their forms."""
        return score_types(raw, self.scale, self.scaling)[form]

    @property
    def shape(self) -> tuple[int, ...]:
        """How many human scores each rater gave, one more for none, and how many parts the line has."""
        return (*(len(rater.values) + 1 for rater in self.raters), len(self.starts))

    @cached_property
    def size(self) -> int:
        """How many cells."""
        return math.prod(self.shape)

    @cached_property
    def _table(self) -> tuple[float, float, Places, Array]:
        """The lowest cut, steps in a unit, the part that each step lies in (-2: several do), and where that starts."""
        low, high = self.cuts[0] - 1.0, self.cuts[-1] + 1.0
        scale = STEPS / (high - low)
        table = self.parts[np.searchsorted(self.cuts, low + (np.arange(STEPS) + 0.5) / scale)]
        for ends in (self.cuts, np.nextafter(self.cuts, np.inf)):
            table[((ends - low) * scale).astype(np.int64)] = -2
        return float(low), float(scale), table, self.starts.take(table, mode="clip")

    def parts_of(self, scores: Array) -> tuple[Places, Array]:
        """The part of the line each score lies in, -1 where it has no cells, and how far from where it starts."""
        low, scale, parts, starts = self._table
        steps = scores - low
        steps *= scale
        np.clip(steps, 0.0, STEPS - 1.0, out=steps)
        place = steps.astype(np.int64)
        part, apart = parts.take(place), np.subtract(scores, starts.take(place), out=steps)
        if len(edges := np.flatnonzero(part == -2)):
            part[edges] = self.parts[np.searchsorted(self.cuts, scores[edges])]
            apart[edges] = scores[edges] - self.starts.take(part[edges], mode="clip")
        return part, apart

    def cells_of(self, responses: Responses, rows: slice) -> tuple[Places, Array, NDArray[np.bool_] | None]:
        """The cell of each of these rows, how far its score lies from where its part starts, and which have none."""
        part, apart = self.parts_of(responses.scores[self.system][rows])
        other = part < 0 if part.min(initial=0) < 0 else None
        cells = np.zeros(len(part), dtype=np.int16)  # which all cells fit in: see `MOST_CELLS`
        for column, rater in enumerate(self.raters):
            whole = responses.whole[column] if responses.whole else None
            place, unknown = rater.places(responses.ratings[rows, column], None if whole is None else whole[rows])
            cells *= np.int16(len(rater.values) + 1)
            cells += place
            if unknown is not None:
                other = unknown if other is None else other | unknown
        cells *= np.int16(len(self.starts))
        cells += part
        return cells, apart, other

    def responses_of(self, cells: Codes) -> tuple[Responses, dict[str, Array]]:
        """The human scores of cells and every form of where they start; and how steep each form is there."""
        *places, part = np.unravel_index(cells, self.shape)
        known = [np.append(rater.values, np.nan)[place] for rater, place in zip(self.raters, places, strict=True)]
        starts = self.starts[part]
        by_form = score_types(starts, self.scale, self.scaling)
        scores = {name: by_form[form] for name, form in self.forms.items()}
        slopes = {name: self._slope(form, by_form) for name, form in self.forms.items()}
        return Responses(np.stack(known, axis=1), scores), slopes

    def _slope(self, form: str, by_form: Mapping[str, Array]) -> Array:
        """How steep a form is where parts start: flat where it is rounded or trimmed."""
        if form.endswith(ROUND):
            return np.zeros(len(by_form[form]))
        plain = _untrimmed(form)
        steep = self.scaling.human_sd / self.scaling.system_sd if plain == SCALED[0] and self.scaling else 1.0
        return np.asarray(steep * (by_form[form] == by_form[plain]))


def _values(ratings: Array, scale: ScoreScale | None) -> Array:
    """The human scores there are, and all points of the scale."""
    known = ratings[np.isfinite(ratings)]
    few = np.unique(known[: 2**10])
    every = few if len(few) > MOST_POINTS else distinct_numbers(known)[0]
    if scale is None or (scale.high - scale.low) / scale.step > MOST_POINTS:
        return every
    steps = np.arange(np.ceil(scale.low / scale.step), np.floor(scale.high / scale.step) + 1)
    return np.union1d(every, np.asarray(scale.rounded(steps * scale.step)))


def _untrimmed(form: str) -> str:
    return next(forms[0] for forms in (RAW, SCALED) if form in forms)


def _last(hold: Predicate, size: int) -> Array:
    """The last number for which each of several conditions holds that hold for low ones and for no high one.

    >>> _last(lambda numbers: numbers**2 * np.sign(numbers) <= [4.0, 9.0], 2).tolist()
    [2.0, 3.0]
    """
    low, high = _rank(np.full(size, -FARTHEST)), _rank(np.full(size, FARTHEST))
    while (high > low + 1).any():
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        true = hold(_number(middle))
        low, high = np.where(true, middle, low), np.where(true, high, middle)
    return _number(low)


def _rank(numbers: Array) -> Codes:
    """Numbers as integers in the same order."""
    bits = (numbers + 0.0).view(np.int64)
    return np.where(bits < 0, np.int64(-(2**63)) - bits, bits)


def _number(ranks: Codes) -> Array:
    return np.where(ranks < 0, np.int64(-(2**63)) - ranks, ranks).view(np.float64)
