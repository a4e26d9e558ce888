"""How rows become scored responses: raters' and systems' scores as numbers, everything left out counted.

Responses are left out in this order, each by the first reason that holds: flags, the human score (missing, not a
number, infinite, zero), a system's score, the weight, and people with too few responses left. A second rater's score
that cannot be used never leaves a response out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import (
    LeftOut,
    Rows,
    case_weights,
    check_columns,
    facts_of,
    ids_in,
    label_keys,
    levels_of_rows,
    number_column,
    of_rows,
    text_column,
)
from adjudge.data.facts import ABOVE, BELOW, POINT, Facts
from adjudge.data.judgements.columns import Array, distinct_numbers
from adjudge.data.judgements.labels import label_text, number_in
from adjudge.data.judgements.responses import Responses, ResponseView
from adjudge.data.keys import Keys, RowKeys, digest_of, keys_of_fine_rows, keys_of_numbers
from adjudge.data.reading import Block
from adjudge.data.source import MOST_NUMBER, Batch, Numbers, Text
from adjudge.errors import SettingError, check_choice, listed, literal, quoted
from adjudge.evaluation.cubes.keys import WEIGHT, CellKeys, kept_roles
from adjudge.evaluation.request import Request
from adjudge.statistics.scores.features import MOST_POINTS
from adjudge.tasks.scoring.forms import RESPONSES, Forms

REPEATED = "Remove the repeated rows, or give the column as `candidate` where each row is one rating of a response."
RATED_BY = ("first", "any")
# What each response adds to the sums is some hundred numbers, so a block of so many is tens of megabytes.
BLOCK_ROWS = 2**15
# Where they are counted in cells, as a rule, it is a dozen, and what a block costs whatever its size counts.
PLAIN_ROWS = 2**18
# The view of a form beside human scores that are brought to points of the scale.
AT_POINTS = "{} at points"
HUMAN_SCORES = "human {}"
POINTS = "\0points of {}"  # the view of all systems' points in one form; no system is called so
NO_FORMS = Forms((), ())
BEYOND = 0.5  # points of a scale: what lies so far outside is no matter of rounding


@dataclass(frozen=True)
class CleanScores:
    """The rows of a batch that stay, and their scores as they were read."""

    rows: Rows
    ratings: Array  # (responses, raters), NaN where not rated
    systems: Mapping[str, Array]
    left_out: LeftOut
    unused: Mapping[str, int]  # ratings that are not used though their responses stay
    whole: Sequence[NDArray[np.int8] | None]  # the ratings in a byte each, by rater, where all are so small


@dataclass(frozen=True)
class ScoreReading:
    """Which columns hold the scores, what else is known of a response, and what is left out."""

    raters: tuple[str, ...]
    systems: Mapping[str, str]  # name of the system → its column
    slices: tuple[tuple[str, ...], ...] = ()
    candidate: str | None = None
    id: str | None = None
    weight: str | None = None
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # column → values that stay
    zeros: bool = False  # whether human scores of zero stay
    min_items: int | None = None  # responses a person must have
    rated_by: str = "first"  # whose score a response needs: the first rater's, or any rater's
    forms: Forms = NO_FORMS

    @property
    def block_rows(self) -> int:
        """How many responses a block has."""
        return PLAIN_ROWS if self.is_plain else BLOCK_ROWS

    @property
    def is_plain(self) -> bool:
        """Whether responses of one system are all alike: each counts one and stands for itself."""
        return self.candidate is None and self.weight is None and len(self.systems) == 1

    countable = False  # every response has a score of its own

    @property
    def together(self) -> str | None:
        """A person's responses belong together."""
        return self.candidate

    def checked(self, columns: Sequence[str]) -> ScoreReading:
        """The same reading, if every column exists and has one use."""
        if not self.raters or len(set(self.raters)) < len(self.raters):
            given = f"not {listed(self.raters)}" if self.raters else "but none is given"
            raise SettingError(f"`raters` must name one column or more, each once, {given}.")
        if both := set(self.raters) & set(self.systems.values()):
            raise SettingError(
                f"A column must hold either a rater's or a system's scores, but {listed(both)} is given as both."
            )
        check_columns(self._named(), columns)
        if twice := set(self.texts()) & set(self.numbers()):
            raise SettingError(
                "A column of scores or weights must not also be a slice, an id or a candidate, but "
                f"{listed(sorted(twice))} is. Copy it under another name."
            )
        check_choice("rated_by", self.rated_by, RATED_BY)
        if self.min_items is not None and self.min_items < 1:
            raise SettingError(f"`min_items` must be at least 1 and whole, not {literal(self.min_items)}.")
        if self.min_items is not None and self.candidate is None:
            raise SettingError(
                "`min_items` needs `candidate`: the column that says whose response it is must be given."
            )
        return self

    def _named(self) -> Iterator[tuple[str, str]]:
        yield from (("raters", name) for name in self.raters)
        yield from (("prediction", name) for name in self.systems.values())
        yield from (("slices", name) for crossed in self.slices for name in crossed)
        single = (("candidate", self.candidate), ("id", self.id), ("weight", self.weight))
        yield from ((role, name) for role, name in single if name is not None)
        yield from (("flag", name) for name in self.flags)

    def numbers(self) -> tuple[str, ...]:
        """Columns to be read as numbers."""
        weight = () if self.weight is None else (self.weight,)
        return tuple(dict.fromkeys([*self.raters, *self.systems.values(), *weight]))

    def texts(self) -> tuple[str, ...]:
        """Columns to be read as labels. A flag that is also a score is looked up among the numbers."""
        named = [*(name for crossed in self.slices for name in crossed), self.candidate, self.id]
        flags = [name for name in self.flags if name not in self.numbers()]
        return tuple(dict.fromkeys(name for name in (*named, *flags) if name is not None))

    def settled(self, facts: Facts) -> ScoreReading:
        """The same."""
        return self

    def read(self, batch: Batch, first_row: int) -> Block:
        """The responses of a batch that stay, as seen by everybody whose scores are compared."""
        scores = self.cleaned(batch)
        rows, reference = scores.rows, _first_rated(scores)
        weight = case_weights(batch, self.weight, rows)
        levels = tuple(levels_of_rows(batch, columns, rows) for columns in self.slices)
        people = None if self.candidate is None else label_keys(batch, self.candidate, rows)
        keys = RowKeys(first_row, rows) if people is None else people
        whole = scores.whole if reference is scores.ratings else ()
        points, times = distinct_numbers(reference[:, 0], whole[0] if whole else None)
        facts = facts_of(
            batch,
            scores.left_out,
            unused=scores.unused,
            slices=tuple(zip(self.slices, levels, strict=True)),
            # The lowest of the human scores, as many as are ever told.
            seen={"points": frozenset(map(repr, points[:MOST_POINTS].tolist()))},
            ids=ids_in(batch, self.id, "response", REPEATED),
            together=() if people is None else (np.unique(people),),
            units=keys,
            weight=weight,
            twins=_twins(scores) if self.candidate is None else None,
            digests=_digests(scores.systems, keys),
            counted=self._counted(scores, points, times),
        )
        if not len(rows):
            return Block(0, facts)
        responses = Responses(reference, self.forms.scores(scores.systems), people, whole=whole)
        views = _Views(self.seen, responses, scores.ratings)
        return Block(len(rows), facts, views, weight, keys, levels, rows)

    def cleaned(self, batch: Batch) -> CleanScores:
        """The rows that stay, with their scores."""
        left_out = LeftOut.none_of(batch.rows)
        for column, allowed in self.flags.items():
            left_out.drop(~passing(batch.columns[column], allowed), f"flag {quoted(column)} is not {listed(allowed)}")
        ratings, whole, unused = self._ratings(batch, left_out)
        for column in self.systems.values():
            left_out.drop_unusable(batch, column, "system score")
            left_out.drop_beyond(batch, column, "system score")
        if self.weight is not None:
            left_out.drop_unusable(batch, self.weight, "weight")
        self._drop_rare_people(batch, left_out)
        rows = left_out.rows
        systems = {name: of_rows(number_column(batch, column).values, rows) for name, column in self.systems.items()}
        whole = [None if one is None else of_rows(one, rows) for one in whole]
        return CleanScores(rows, of_rows(ratings, rows), systems, left_out, unused, whole)

    def _ratings(self, batch: Batch, left_out: LeftOut) -> tuple[Array, list[NDArray[np.int8] | None], dict[str, int]]:
        """The raters' scores; what cannot be used is missing, and leaves the response out where it is the reference."""
        columns, unused = [], {}
        whole: list[NDArray[np.int8] | None] = []
        for place, name in enumerate(self.raters):
            needed = place == 0 and self.rated_by == "first"
            column = number_column(batch, name)
            low, high = column.ends
            if column.within(MOST_NUMBER) and (self.zeros or low > 0 or high < 0):
                columns.append(column.values)
                whole.append(column.whole)
                continue
            zero = (column.values == 0) & (not self.zeros)
            if needed:
                left_out.drop_unusable(batch, name, "human score")
                left_out.drop_beyond(batch, name, "human score")
                left_out.drop(zero, f"human score {quoted(name)} is zero")
            size = np.abs(column.values)
            columns.append(np.where((size <= MOST_NUMBER) & ~zero, column.values, np.nan))
            whole.append(None)
            reasons = {"not a number": column.unreadable, "zero": zero, "infinite": np.isinf(size)}
            reasons[f"beyond {MOST_NUMBER:g}"] = (size > MOST_NUMBER) & np.isfinite(size)
            for reason, rows in reasons.items():
                if not needed and (count := int((rows & left_out.keep).sum())):
                    unused[f"rating {quoted(name)} is {reason}"] = count
        matrix: Array = np.stack(columns).T  # column by column: each is looked at by itself
        if self.rated_by == "any":
            left_out.drop(np.asarray(~np.isfinite(matrix).any(1)), "no rater's score can be used")
        return matrix, whole, unused

    def _counted(self, scores: CleanScores, points: Array, times: Rows) -> dict[tuple[str, ...], int]:
        """How many scores of each system lie beyond the scale, and how many responses each human score has."""
        few = len(points) <= MOST_POINTS
        counts: dict[tuple[str, ...], int] = {
            (POINT, f"{point:g}"): n for point, n in zip(points.tolist(), times.tolist(), strict=True) if few
        }
        if (scale := self.forms.scale) is not None:
            for name, values in scores.systems.items():
                counts[BELOW, name] = int(np.count_nonzero(values < scale.low - BEYOND))
                counts[ABOVE, name] = int(np.count_nonzero(values > scale.high + BEYOND))
        return counts

    def _drop_rare_people(self, batch: Batch, left_out: LeftOut) -> None:
        if self.candidate is None:
            return
        left_out.drop_unusable(batch, self.candidate, "candidate")
        if self.min_items is not None:
            codes = text_column(batch, self.candidate).codes
            times = np.bincount(codes[left_out.keep], minlength=int(codes.max(initial=0)) + 1)
            few = times[codes] < self.min_items
            left_out.drop(few, f"candidate {quoted(self.candidate)} has fewer than {self.min_items} responses left")

    @cached_property
    def seen(self) -> dict[str, ResponseView]:
        """All responses; each form beside the reference, every two raters, and each rater's own scores."""
        forms = self.forms
        views = {RESPONSES: ResponseView()}
        views |= {POINTS.format(forms.names[name][1]): ResponseView() for name in forms.rounded}
        views |= {name: ResponseView(system=name) for name in forms.names}
        main = forms.main(rounded=False)
        views |= {AT_POINTS.format(name): ResponseView(system=name, step=forms.step) for name in main}
        views |= {name: ResponseView(pair=two) for name, two in forms.pairs.items()}
        views |= {HUMAN_SCORES.format(rater): ResponseView(rater=place) for place, rater in enumerate(self.raters)}
        return views


@dataclass(frozen=True, slots=True)
class _Views(Mapping[str, Responses]):
    """Responses as they are seen, each view made when it is asked for."""

    seen: Mapping[str, ResponseView]
    responses: Responses
    ratings: Array  # by rater
    at_hand: dict[str, Responses] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Responses:
        view = self.seen[name]
        if view == ResponseView():
            return self.responses
        if name not in self.at_hand:
            self.at_hand[name] = view.seen(self.responses, self.ratings)
        return self.at_hand[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.seen)

    def __len__(self) -> int:
        return len(self.seen)


def _first_rated(scores: CleanScores) -> Array:
    """The raters' scores; a response that the first did not score starts with the first it has."""
    ratings = scores.ratings
    if scores.whole[0] is not None or np.isfinite(ratings[:, 0]).all():
        return ratings
    order = np.argsort(~np.isfinite(ratings), axis=1, kind="stable")
    return np.take_along_axis(ratings, order, axis=1)


def _digests(systems: Mapping[str, Array], units: Keys | RowKeys) -> dict[str, int]:
    """What tells several systems' scores apart."""
    several = systems if len(systems) > 1 else {}
    return {name: digest_of(np.asarray(units), keys_of_numbers(scores)) for name, scores in several.items()}


def _twins(scores: CleanScores) -> Keys | None:
    """A key for each response, equal where all scores are; None where they may be so by chance."""
    systems = list(scores.systems.values())
    ratings = [lambda rows, column=column: keys_of_numbers(column[rows]) for column in scores.ratings.T]
    return keys_of_fine_rows(systems, ratings) if systems else None


def passing(column: Text | Numbers, allowed: tuple[str, ...]) -> NDArray[np.bool_]:
    """Which rows a flag lets stay: 1, "1" and "1.0" are the same flag, text is compared as text.

    >>> passing(Text(np.array([0, 1, -1, 2]), ("1.0", "no", "yes")), ("1", "yes")).tolist()
    [True, False, False, True]
    """
    numbers = {number_in(label_text(value)) for value in allowed} - {None}
    if isinstance(column, Numbers):
        return np.isin(column.values, np.array(sorted(float(n) for n in numbers if n is not None)))
    texts = {label_text(value) for value in allowed}
    stays = [label in texts or number_in(label) in numbers for label in column.labels]
    return np.asarray(np.array([*stays, False], dtype=np.bool_)[column.codes])


def score_keys(request: Request) -> CellKeys:
    """A column `rating:<rater>` for every rater and `prediction:<system>` for every system, by value; and flags."""
    reading = request.study.reading
    assert isinstance(reading, ScoreReading), "that of the task"
    if reading.min_items is not None:
        raise SettingError(
            "A cube of scores must have all responses, but `min_items` leaves out people by how many they have, which "
            "bags of people do not tell. Leave the rows out of the table, or evaluate the table."
        )
    numbers = {f"rating:{name}": name for name in reading.raters}
    numbers |= {f"prediction:{name}": column for name, column in reading.systems.items()}
    numbers |= {} if reading.weight is None else {WEIGHT: reading.weight}
    return CellKeys(
        given=kept_roles(request),
        labels={f"flag:{name}": name for name in reading.flags if name in reading.texts()},
        numbers=numbers,
        unit=reading.candidate,
    )
