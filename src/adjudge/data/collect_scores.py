"""From a table to scored responses: raters' and systems' scores as numbers, everything left out counted.

Responses are left out in this order, each by the first reason that holds: flags, the human score (missing, not a
number, infinite, zero), a system's score, the weight, and people with too few responses left. A second rater's score
that cannot be used never leaves a response out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import LeftOut, case_weights, levels_of_rows, text_column
from adjudge.data.columns import Array
from adjudge.data.facts import MOST_LEVELS, too_many_levels
from adjudge.data.keys import Keys, keys_of_labels
from adjudge.data.labels import Labels, label_text, number_in, ordered
from adjudge.data.source import Batch, Numbers, Source, Text
from adjudge.errors import BadValue, ColumnNotFound, InputError, SettingError, listed, quoted

REFERENCES = ("first", "any")


@dataclass(frozen=True, slots=True)
class ScoreRoles:
    """Which columns hold the scores, and what else is known of a response."""

    raters: tuple[str, ...]
    systems: Mapping[str, str]  # name of the system → its column
    slices: tuple[tuple[str, ...], ...] = ()
    candidate: str | None = None
    id: str | None = None
    weight: str | None = None
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # column → values that stay

    def checked(self, columns: Sequence[str]) -> ScoreRoles:
        """The same roles, if every column exists and has one use."""
        if not self.raters or len(set(self.raters)) < len(self.raters):
            given = f"not {listed(self.raters)}" if self.raters else "but none is given"
            raise SettingError(f"`raters` must name one column or more, each once, {given}.")
        if not self.systems:
            raise SettingError("`prediction` must name the column of the system's scores.")
        if both := set(self.raters) & set(self.systems.values()):
            raise SettingError(
                f"A column must hold a rater's or a system's scores, but {listed(both)} is given as both."
            )
        named = [(name, "raters") for name in self.raters] + [(name, "prediction") for name in self.systems.values()]
        named += [(name, "slices") for crossed in self.slices for name in crossed]
        single = ((self.candidate, "candidate"), (self.id, "id"), (self.weight, "weight"))
        named += [(name, role) for name, role in single if name is not None]
        named += [(name, "flag") for name in self.flags]
        for name, role in named:
            if name not in columns:
                raise ColumnNotFound(role, name, columns)
        return self

    def numbers(self) -> tuple[str, ...]:
        """Columns to be read as numbers."""
        weight = () if self.weight is None else (self.weight,)
        return tuple(dict.fromkeys([*self.raters, *self.systems.values(), *weight]))

    def texts(self) -> tuple[str, ...]:
        """Columns to be read as labels. One that is also a score is asked as numbers where flags need it."""
        named = [*(name for crossed in self.slices for name in crossed), self.candidate, self.id]
        flags = [name for name in self.flags if name not in self.numbers()]
        wanted = dict.fromkeys(name for name in (*named, *flags) if name is not None)
        if both := set(wanted) & set(self.numbers()):
            raise SettingError(
                "A column of scores or weights must not also be a slice, an id or a candidate, but "
                f"{listed(sorted(both))} is. "
                "Copy it under another name."
            )
        return tuple(wanted)


@dataclass(frozen=True, slots=True)
class ScoreRules:
    """What is left out besides what cannot be read."""

    zeros: bool = False  # whether human scores of zero stay
    min_items: int | None = None  # responses a person must have
    reference: str = "first"  # whose score a response needs: the first rater's, or any rater's

    def __post_init__(self) -> None:
        if self.reference not in REFERENCES:
            raise SettingError(f"`reference` must be one of {listed(REFERENCES)}, not {quoted(self.reference)}.")
        if self.min_items is not None and not (isinstance(self.min_items, (int, np.integer)) and self.min_items >= 1):
            raise SettingError(f"`min_items` must be at least 1 and whole, not {self.min_items!r}.")


@dataclass(frozen=True, slots=True)
class Scored:
    """Responses that stay, with their scores."""

    ratings: Array  # (responses, raters), NaN where not rated
    systems: dict[str, Array]
    slices: tuple[Labels, ...]
    candidates: Keys | None
    rows: NDArray[np.int64]  # their places in the table
    read: int
    left_out: dict[str, int]
    weight: Array | None = None
    without_second: dict[str, int] = field(default_factory=dict)  # ratings that were not used, by reason

    def __len__(self) -> int:
        return len(self.ratings)


def read_scored(source: Source, roles: ScoreRoles, rules: ScoreRules | None = None) -> Scored:
    """All responses of a table."""
    (scored,) = scored_blocks(source, roles, rules)
    return scored


def scored_blocks(
    source: Source, roles: ScoreRoles, rules: ScoreRules | None = None, rows: int = 2**40
) -> Iterator[Scored]:
    """The responses of a table, so many rows at a time; a block may have none that stay, but some block has."""
    rules = ScoreRules() if rules is None else rules
    if rules.min_items is not None and roles.candidate is None:
        raise SettingError("`min_items` needs `candidate`: the column that says whose response it is must be given.")
    met = _Met(source, roles)
    for batch in source.batches(roles.texts(), roles.numbers(), rows=rows):
        if batch.rows:
            scored = _scored(batch, roles, rules, met.read)
            met.remember(batch, scored)
            yield scored
    met.check()


@dataclass
class _Met:
    """What must be checked over the whole table, and not block by block."""

    source: Source
    roles: ScoreRoles
    read: int = 0
    kept: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    levels: list[set[str]] = field(default_factory=list)
    ids: list[Keys] = field(default_factory=list)

    def remember(self, batch: Batch, scored: Scored) -> None:
        self.read += batch.rows
        self.kept += len(scored)
        for reason, count in scored.left_out.items():
            self.reasons[reason] = self.reasons.get(reason, 0) + count
        self.levels = self.levels or [set() for _ in self.roles.slices]
        for columns, known, labels in zip(self.roles.slices, self.levels, scored.slices, strict=True):
            known.update(labels.categories)
            if len(known) > MOST_LEVELS:
                raise too_many_levels(columns)
        if self.roles.id is not None:
            column = text_column(batch, self.roles.id)
            self.ids.append(keys_of_labels(column.labels)[np.unique(column.codes)])

    def check(self) -> None:
        if self.read == 0:
            raise InputError(f"The table must have rows, but {self.source.name} has none. Is it the right one?")
        if self.kept == 0:
            reasons = "; ".join(f"{reason}: {count:,}" for reason, count in self.reasons.items())
            raise InputError(
                f"Some responses must stay, but all {self.read:,} were left out ({reasons}). Are these the right "
                "columns?"
            )
        every = np.sort(np.concatenate(self.ids)) if len(self.ids) > 1 else np.zeros(0)
        if repeated := int((every[1:] == every[:-1]).sum()):
            raise BadValue(
                f"`id` must name each response once, but {quoted(self.roles.id)} repeats {repeated:,}, far apart. "
                "Remove the repeated rows."
            )


def _scored(batch: Batch, roles: ScoreRoles, rules: ScoreRules, offset: int) -> Scored:
    """The responses of a block that stay."""
    _refuse_repeated_ids(batch, roles.id)
    out = LeftOut(np.ones(batch.rows, dtype=np.bool_))
    for column, allowed in roles.flags.items():
        out.drop(~passing(batch.columns[column], allowed), f"flag {quoted(column)} is not {listed(allowed)}")
    ratings, unused = _ratings(batch, roles, rules, out)
    for column in roles.systems.values():
        _drop_unusable(batch, column, "system score", out)
    if roles.weight is not None:
        _drop_unusable(batch, roles.weight, "weight", out)
    _drop_rare_people(batch, roles.candidate, rules.min_items, out)
    rows = np.flatnonzero(out.keep)
    return Scored(
        ratings=ratings[rows],
        systems={name: _numbers(batch, column).values[rows] for name, column in roles.systems.items()},
        slices=tuple(_ordered(levels_of_rows(batch, columns, rows)) for columns in roles.slices),
        candidates=_people(batch, roles.candidate, rows),
        rows=rows + offset,
        read=batch.rows,
        left_out=out.reasons,
        weight=case_weights(batch, roles.weight, rows),
        without_second=unused,
    )


def _ordered(labels: Labels) -> Labels:
    return labels.recoded(ordered(labels.categories))


def _numbers(batch: Batch, name: str) -> Numbers:
    column = batch.columns[name]
    assert isinstance(column, Numbers)
    return column


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
    return np.array([*stays, False], dtype=np.bool_)[column.codes]


def _ratings(batch: Batch, roles: ScoreRoles, rules: ScoreRules, out: LeftOut) -> tuple[Array, dict[str, int]]:
    """The raters' scores; what cannot be used is missing, and leaves the response out where it is the reference."""
    columns, unused = [], {}
    for place, name in enumerate(roles.raters):
        needed = place == 0 and rules.reference == "first"
        column = _numbers(batch, name)
        if needed:
            _drop_unusable(batch, name, "human score", out)
        zero = (column.values == 0) & (not rules.zeros)
        if needed:
            out.drop(zero, f"human score {quoted(name)} is zero")
        usable = np.isfinite(column.values) & ~zero
        columns.append(np.where(usable, column.values, np.nan))
        for what, rows in (("not a number", column.unreadable), ("zero", zero), ("infinite", np.isinf(column.values))):
            if not needed and (count := int((rows & out.keep).sum())):
                unused[f"rating {quoted(name)} is {what}"] = count
    matrix = np.stack(columns, axis=1)
    if rules.reference == "any":
        out.drop(~np.isfinite(matrix).any(1), "no rater's score can be used")
    return matrix, unused


def _drop_unusable(batch: Batch, name: str, what: str, out: LeftOut) -> None:
    column = _numbers(batch, name)
    out.drop(column.unreadable, f"{what} {quoted(name)} is not a number")
    out.drop(column.missing, f"{what} {quoted(name)} is missing")
    out.drop(np.isinf(column.values), f"{what} {quoted(name)} is infinite")


def _drop_rare_people(batch: Batch, candidate: str | None, least: int | None, out: LeftOut) -> None:
    if candidate is None:
        return
    codes = text_column(batch, candidate).codes
    out.drop(codes < 0, f"candidate {quoted(candidate)} is missing")
    if least is None:
        return
    times = np.bincount(codes[out.keep], minlength=int(codes.max(initial=0)) + 1)
    out.drop(times[codes] < least, f"candidate {quoted(candidate)} has fewer than {least} responses left")


def _people(batch: Batch, candidate: str | None, rows: NDArray[np.int64]) -> Keys | None:
    if candidate is None:
        return None
    column = text_column(batch, candidate)
    return keys_of_labels(column.labels)[column.codes[rows]]


def _refuse_repeated_ids(batch: Batch, name: str | None) -> None:
    if name is None:
        return
    column = text_column(batch, name)
    if (column.codes < 0).any():
        raise BadValue(f"`id` must name every response, but {quoted(name)} has blanks. Fill it in, or leave `id` out.")
    times = np.bincount(column.codes, minlength=1)
    if times.max() > 1:
        raise BadValue(
            f"`id` must name each response once, but {quoted(name)} has {quoted(column.labels[int(times.argmax())])} "
            f"{int(times.max())} times. Remove the repeated rows."
        )
