"""What every reading does with a batch: find the complete rows, their weights, keys and slices, and count the rest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.data.codes import of_codes, times_of_codes
from adjudge.data.facts import CROSS, LOST, MOST_LEVELS, NO_KEYS, USED, Facts, ends, named_again, too_many_levels
from adjudge.data.judgements.labels import Labels
from adjudge.data.keys import Keys, RowKeys, Twins, fewest_keys, keys_of_labels, keys_of_numbers
from adjudge.data.runs import Runs
from adjudge.data.source import MOST_FINITE, MOST_NUMBER, Batch, Numbers, Text, code_type
from adjudge.errors import BadValue, ColumnNotFound, SettingError, listed, quoted

MISSING_LEVEL = "(missing)"
NOT_A_NUMBER = " is not a number"
# Squares of weights, and of their inverses, must still be numbers.
MOST_WEIGHT = 1e100
# Levels are found by a table of all that could be, up to this size.
MOST_CODES = 2**20

Rows = NDArray[np.int64]
Kind = TypeVar("Kind", bound=np.generic)


@dataclass
class LeftOut:
    """Rows that cannot be used, counted by the first reason that holds."""

    keep: NDArray[np.bool_]
    reasons: dict[str, int] = field(default_factory=dict)
    times: NDArray[np.int64] | None = None  # how many rows each stands for

    @classmethod
    def none_of(cls, rows: int, times: NDArray[np.int64] | None = None) -> LeftOut:
        """All rows stay, so far."""
        return cls(np.ones(rows, dtype=np.bool_), times=times)

    def count(self, rows: NDArray[np.bool_]) -> int:
        """How many rows of the table these are."""
        return int(np.count_nonzero(rows) if self.times is None else self.times[rows].sum())

    def drop(self, rows: NDArray[np.bool_], reason: str) -> None:
        """Leave these rows out, unless they are out already."""
        if rows.any() and (newly := rows & self.keep).any():
            self.reasons[reason] = self.reasons.get(reason, 0) + self.count(newly)
            self.keep &= ~rows

    def drop_unusable(self, batch: Batch, name: str, role: str) -> None:
        """Leave out the rows in which a column says nothing: a missing label, or what is no finite number."""
        column, what = batch.columns[name], f"{role} {quoted(name)}"
        if isinstance(column, Text):
            self.drop(column.codes < 0, f"{what} is missing")
        elif batch.order is None and not column.within(MOST_FINITE):  # rows are read once where all are finite
            self.drop(column.unreadable, f"{what}{NOT_A_NUMBER}")
            self.drop(column.missing, f"{what} is missing")
            self.drop(np.isinf(column.values), f"{what} is infinite")

    def drop_beyond(self, batch: Batch, name: str, role: str) -> None:
        """Leave out the rows in which a number is too large to calculate with."""
        column = number_column(batch, name)
        if not column.within(MOST_NUMBER):
            beyond = np.abs(column.values) > MOST_NUMBER
            self.drop(beyond, f"{role} {quoted(name)} is beyond {MOST_NUMBER:g}")

    @property
    def rows(self) -> Rows:
        """The rows that stay."""
        return every_row(len(self.keep)) if self.keep.all() else np.flatnonzero(self.keep)


@lru_cache(maxsize=1)  # most blocks of a table have as many
def every_row(rows: int) -> Rows:
    """The numbers of so many rows, which nobody may write over.

    >>> every_row(3).tolist()
    [0, 1, 2]
    """
    every = np.arange(rows)
    every.flags.writeable = False
    return every


def of_rows(values: NDArray[Kind], rows: Rows) -> NDArray[Kind]:
    """The values of some rows, which are in their order; of all, without copying them."""
    return values if len(rows) == len(values) else values[rows]


def check_columns(named: Iterable[tuple[str, str]], columns: Sequence[str]) -> None:
    """Every role, with the column it names, must be in the table."""
    for role, name in named:
        if name not in columns:
            raise ColumnNotFound(role, name, columns)


def refuse_both(texts: Iterable[str], numbers: Iterable[str], must: str) -> None:
    """A column is read either as labels or as numbers; `must` says which roles are which."""
    if both := set(texts) & set(numbers):
        raise SettingError(f"{must}, but {listed(sorted(both))} was given for both. Copy it under another name.")


def text_column(batch: Batch, name: str) -> Text:
    """A column that was read as labels."""
    column = batch.columns[name]
    assert isinstance(column, Text)
    return column


def number_column(batch: Batch, name: str) -> Numbers:
    """A column that was read as numbers."""
    column = batch.columns[name]
    assert isinstance(column, Numbers)
    return column


def labels_of_rows(batch: Batch, name: str, rows: Rows) -> Labels:
    """The labels of some rows, none missing; categories are those in use."""
    column = text_column(batch, name)
    codes = of_rows(column.codes, rows)
    used = times_of_codes(codes, len(column.labels)) > 0
    if used.all():
        return Labels(codes, column.labels)
    place = (np.cumsum(used) - 1).astype(code_type(len(used)))
    return Labels(
        place.take(codes), tuple(label for label, is_used in zip(column.labels, used, strict=True) if is_used)
    )


def check_same_within(
    batch: Batch, roles: Iterable[tuple[str, str]], rows: tuple[Rows, Rows], what: str, unit: str
) -> None:
    """Refuse what differs within a unit, such as among the "items of a query": of rows beside the first of their unit.

    Roles come with their columns, and `unit` names the column that tells rows apart.
    """
    for role, name in roles:
        if (met := differing(batch, name, *rows, unit)) is not None:
            of = what.rpartition(" ")[2]
            raise BadValue(
                f"`{role}` must be the same for all {what}, but {quoted(name)} has {met[0]} in {of} {met[1]}. "
                f"Give each {of} one."
            )


def differing(batch: Batch, name: str, rows: Rows, first: Rows, unit: str) -> tuple[str, str] | None:
    """What a column has both of in one unit, and in which, for a message; of rows beside the first of their unit."""
    column = batch.columns[name]
    one, other = ((column.codes if isinstance(column, Text) else column.values)[places] for places in (rows, first))
    differ = np.flatnonzero((one != other) & ~((one != one) & (other != other)))
    if not len(differ):
        return None
    row, before = rows[differ[0]], first[differ[0]]
    both = f"both {cell_text(column, before)} and {cell_text(column, row)}"
    return both, cell_text(batch.columns[unit], row)


def cell_text(column: Text | Numbers, row: int) -> str:
    """What stands in a row, for a message."""
    if isinstance(column, Numbers):
        return f"{column.values[row]:g}"
    return quoted(column.labels[column.codes[row]]) if column.codes[row] >= 0 else "(missing)"


def case_weights(batch: Batch, name: str | None, rows: Rows) -> NDArray[np.float64] | None:
    """The weights of some rows, none negative; None when there is no weight column."""
    if name is None:
        return None
    values = of_rows(number_column(batch, name).values, rows)
    if (values < 0).any():
        raise BadValue(
            f"`weight` must not be negative, but {quoted(name)} is in {count_text(int((values < 0).sum()), 'row')}, "
            f"down to {values.min():g}. Set those weights to 0, or leave the rows out."
        )
    extreme = np.isfinite(values) & (values > 0) & ~((values >= 1 / MOST_WEIGHT) & (values <= MOST_WEIGHT))
    if extreme.any():
        raise BadValue(
            f"`weight` must be 0, or lie between {1 / MOST_WEIGHT:g} and {MOST_WEIGHT:g}, but {quoted(name)} has "
            f"{values[extreme][0]:g}. Multiply all weights by one number, or set to 0 those that should not count."
        )
    return values


def label_keys(batch: Batch, name: str, rows: Rows) -> Keys:
    """The keys of named units, such as clusters; a missing name has the key 0."""
    column = text_column(batch, name)
    codes = column.codes[rows]
    # A part of a table has the labels of all of it.
    used = np.flatnonzero(np.bincount(codes[codes >= 0], minlength=len(column.labels)))
    labels = column.labels if len(used) == len(column.labels) else tuple(column.labels[code] for code in used.tolist())
    keys = np.zeros(len(column.labels) + 1, dtype=np.uint64)
    keys[used] = keys_of_labels(labels)
    return np.asarray(keys[codes])


def ids_in(batch: Batch, name: str | None, unit: str, advice: str) -> tuple[Keys, ...]:
    """The names of all rows of a batch as keys; a missing or repeated one is refused. `unit` is what is named."""
    if name is None:
        return ()
    column = text_column(batch, name)
    if (column.codes < 0).any():
        missing = count_text(int((column.codes < 0).sum()), "row")
        raise BadValue(
            f"`id` must be filled in for every {unit}, but {quoted(name)} is missing in {missing}. Fill it in, or "
            "leave `id` out."
        )
    times = np.bincount(column.codes, minlength=len(column.labels))
    if (times > 1).any():
        label = column.labels[int(times.argmax())]
        raise BadValue(
            f"`id` must be different for each {unit}, but {quoted(name)} repeats "
            f"{count_text(int((times > 1).sum()), 'id')}: {quoted(label)} is in {int(times.max())} rows. {advice}"
        )
    return (np.sort(keys_of_labels(column.labels)[np.flatnonzero(times)]),)


def check_ids(facts: Facts, name: str | None, unit: str, advice: str) -> None:
    """Refuse names that stand in several blocks."""
    if name is not None and (repeated := facts.repeated):
        raise BadValue(
            f"`id` must be different for each {unit}, but {quoted(name)} repeats {count_text(repeated, 'id')}, "
            f"far apart. {advice}"
        )


def facts_of(
    batch: Batch,
    left_out: LeftOut,
    *,
    slices: Sequence[tuple[tuple[str, ...], Labels]] = (),
    seen: dict[str, frozenset[str]] | None = None,
    ids: tuple[Keys, ...] = (),
    together: tuple[Keys, ...] = (),
    units: Keys | RowKeys | None = None,
    unused: Mapping[str, int] | None = None,
    weight: NDArray[np.float64] | None = None,
    digests: Mapping[str, int] | None = None,
    twins: Keys | None = None,
    wrong: Mapping[str, NDArray[np.bool_]] | None = None,
    counted: Mapping[tuple[str, ...], int] | None = None,
) -> Facts:
    """What is known of a batch once its complete rows are found."""
    used = left_out.count(left_out.keep)
    return Facts(
        read=batch.rows if left_out.times is None else int(left_out.times.sum()),
        used=used,
        left_out=left_out.reasons,
        unused=unused or {},
        seen=seen or {},
        levels={CROSS.join(columns): frozenset(labels.categories) for columns, labels in slices},
        ids=ids,
        together=together,
        units=ends(NO_KEYS if units is None else units),
        gathered=named_again(units),
        weight=float(used if weight is None else weight.sum()),
        squared_weight=float(used if weight is None else (weight**2).sum()),
        whole_weights=weight is None or bool((weight == np.rint(weight)).all()),
        digests=digests or {},
        twins=Twins.of(NO_KEYS if twins is None else twins),
        weights=NO_KEYS if weight is None else fewest_keys(keys_of_numbers(weight)),
        runs={name: Runs.of(of_system) for name, of_system in (wrong or {}).items()},
        counted={**_rows_of_levels(batch, left_out, slices), **(counted or {})},
    )


def _rows_of_levels(
    batch: Batch, left_out: LeftOut, slices: Sequence[tuple[tuple[str, ...], Labels]]
) -> dict[tuple[str, ...], int]:
    """How many rows of each level of each slice stay, and how many are left out."""
    counts: dict[tuple[str, ...], int] = {}
    times, lost = left_out.times, np.flatnonzero(~left_out.keep)
    each = {USED: None if times is None else times[left_out.rows], LOST: None if times is None else times[lost]}
    for columns, labels in slices:
        parts = {USED: labels} | ({LOST: levels_of_rows(batch, columns, lost)} if len(lost) else {})
        for what, levels in parts.items():
            many, size = levels.times, len(levels.categories)
            if many is None or each[what] is not None:
                many = np.bincount(levels.codes, weights=each[what], minlength=size)
            named = zip(levels.categories, many.tolist(), strict=True)
            counts |= {(what, CROSS.join(columns), level): int(n) for level, n in named}
    return counts


def levels_of_rows(batch: Batch, columns: tuple[str, ...], rows: Rows) -> Labels:
    """The slice each row is in; rows without a value are a slice of their own."""
    parts = [text_column(batch, name) for name in columns]
    size = math.prod(len(part.labels) + 1 for part in parts)
    kind = np.dtype(np.int64) if size > MOST_CODES else code_type(size + 1)
    code = np.add(of_rows(parts[0].codes, rows), 1, dtype=kind)
    for part in parts[1:]:
        code *= len(part.labels) + 1
        code += np.add(of_rows(part.codes, rows), 1, dtype=kind)
    if size <= MOST_CODES:
        every = times_of_codes(code, size)
        distinct = np.flatnonzero(every)
        times = every[distinct]
    else:
        distinct, code, times = np.unique(code, return_inverse=True, return_counts=True)
    if len(distinct) > MOST_LEVELS:
        raise too_many_levels(CROSS.join(columns))
    # By name: in which order labels came into a batch depends on where the table was cut, and sums must not.
    names = [_level_name(value, parts) for value in distinct.tolist()]
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(size if size <= MOST_CODES else len(names), dtype=code_type(len(names)))
    place[distinct[order] if size <= MOST_CODES else order] = np.arange(len(names))
    return Labels(of_codes(place, code.reshape(-1)), tuple(names[k] for k in order), times[order])


def _level_name(code: int, parts: list[Text]) -> str:
    names = []
    for part in reversed(parts):
        code, place = divmod(code, len(part.labels) + 1)
        names.append(level_name(part.labels[place - 1], len(parts)) if place else MISSING_LEVEL)
    return CROSS.join(reversed(names))


def level_name(label: str, parts: int = 1) -> str:
    """What a level is called: a label that could be taken for something else stands in quotation marks."""
    is_like_missing = label.strip('"') == MISSING_LEVEL
    return f'"{label}"' if is_like_missing or (parts > 1 and CROSS in label) else label


def count_text(count: int, what: str) -> str:
    """How many of something, in words.

    >>> count_text(1, "row"), count_text(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
