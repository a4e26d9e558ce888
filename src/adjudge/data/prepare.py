"""From raw batches to clean columns: every row complete, everything else counted with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.columns import Columns, Judgements, Scores
from adjudge.data.keys import keys_of_labels, keys_of_rows
from adjudge.data.labels import Labels, ordered
from adjudge.data.roles import Roles, SystemRoles
from adjudge.data.source import Batch, Numbers, Source, Text
from adjudge.errors import BadValue, InputError, SettingError, did_you_mean, listed, quoted

# A slice with more levels than this is almost surely an identifier.
MOST_LEVELS = 2_000
MISSING_LEVEL = "(missing)"
CROSS = " × "
# Squares of weights, and of their inverses, must still be numbers.
MOST_WEIGHT = 1e100
REPEATED = "Remove the repeated rows, or give the column as `cluster`."
# What a lone score speaks of when nobody says: the second of one of these pairs.
USUAL_POSITIVES = (("0", "1"), ("False", "True"), ("false", "true"), ("no", "yes"), ("No", "Yes"))


@dataclass
class LeftOut:
    """Rows that cannot be used, counted by the first reason that holds."""

    keep: NDArray[np.bool_]
    reasons: dict[str, int] = field(default_factory=dict)

    def drop(self, rows: NDArray[np.bool_], reason: str) -> None:
        """Leave these rows out, unless they are out already."""
        newly = rows & self.keep
        if newly.any():
            self.reasons[reason] = self.reasons.get(reason, 0) + int(newly.sum())
            self.keep &= ~rows


@dataclass
class Preparation:
    """Turns batches into columns; remembers what must be checked over the whole table."""

    roles: Roles
    positive: str | None = None
    threshold: float = 0.5
    offset: int = 0
    seen: list[NDArray[np.uint64]] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)
    levels: dict[tuple[str, ...], set[str]] = field(default_factory=dict)
    ends: list[NDArray[np.uint64]] = field(default_factory=list)

    def blocks(self, source: Source, rows: int) -> Iterator[Columns]:
        """The table's clean columns, block by block, each row read once; every block has a complete row."""
        self.roles.checked(source.column_names)
        held: Columns | None = None
        for batch in source.batches(self.roles.texts(), self.roles.numbers(), rows=rows):
            columns = self.clean(batch)
            if held is not None and held.rows and columns.rows:
                yield held
                held = None
            held = columns if held is None else _counted_together(held, columns)
        if held is None:
            raise InputError(f"The table must have rows, but {source.name} has none. Is it the right one?")
        if held.rows == 0:
            raise _all_left_out(held)
        self._refuse_duplicates()
        if self.roles.cluster is not None:
            check_clusters("cluster", self.roles.cluster, np.concatenate(self.ends))
        yield held

    def clean(self, batch: Batch) -> Columns:
        """The complete rows of a batch."""
        out = LeftOut(np.ones(batch.rows, dtype=np.bool_))
        self._drop_incomplete(batch, out)
        rows = np.flatnonzero(out.keep)
        keys = self._unit_keys(batch)[rows]
        self.ends.append(ends(keys))
        self._remember_ids(batch)
        self.offset += batch.rows
        if len(rows) == 0:
            return Columns(0, (), None, keys, (), batch.rows, out.reasons)
        reference = _labels(batch, self.roles.reference, rows)
        self._remember_labels(reference)
        return Columns(
            rows=len(rows),
            systems=tuple(self._judgements(batch, system, reference, rows) for system in self.roles.systems),
            weight=case_weights(batch, self.roles.weight, rows),
            keys=keys,
            slices=tuple(self._counted_levels(batch, columns, rows) for columns in self.roles.slices),
            read=batch.rows,
            left_out=out.reasons,
        )

    def _drop_incomplete(self, batch: Batch, out: LeftOut) -> None:
        answers = [(self.roles.reference, "reference")]
        answers += [(s.prediction, "prediction") for s in self.roles.systems if s.prediction is not None]
        answers += [(c, "score") for s in self.roles.systems for _, c in s.scores]
        answers += [(self.roles.weight, "weight")] if self.roles.weight is not None else []
        answers += [(self.roles.cluster, "cluster")] if self.roles.cluster is not None else []
        for name, role in answers:
            column, told = batch.columns[name], f"{role} {quoted(name)}"
            if isinstance(column, Text):
                out.drop(column.codes < 0, f"{told} is missing")
            else:
                out.drop(column.unreadable, f"{told} is not a number")
                out.drop(column.missing, f"{told} is missing")
                out.drop(np.isinf(column.values), f"{told} is infinite")

    def _judgements(self, batch: Batch, system: SystemRoles, reference: Labels, rows: NDArray[np.int64]) -> Judgements:
        prediction = _labels(batch, system.prediction, rows) if system.prediction is not None else None
        if not system.scores:
            return Judgements(reference, prediction)
        values = np.stack([_numbers(batch, column).values[rows] for _, column in system.scores], axis=1)
        categories = (str(self.positive),) if system.has_one_score else tuple(str(c) for c, _ in system.scores)
        scores = Scores(categories, values)
        if prediction is None and not system.has_one_score:
            # The largest score decides; of equal ones the first, in the order they were given.
            prediction = Labels(values.argmax(1), categories)
        return Judgements(reference, prediction, scores)

    def _remember_labels(self, reference: Labels) -> None:
        """Find out what a lone score speaks of, and see that the labels to come do not contradict it."""
        guessed = self.positive is None or bool(self.labels)
        if not guessed or not any(system.has_one_score for system in self.roles.systems):
            return
        self.labels.update(reference.categories)
        pair = next((pair for pair in USUAL_POSITIVES if self.labels <= set(pair)), None)
        if pair is None:
            raise SettingError(
                "`positive` must say which label the score speaks of, unless the labels are 0 and 1, no and yes, or "
                f"false and true. The reference has {listed(ordered(self.labels))}."
            )
        self.positive = pair[1]

    def _counted_levels(self, batch: Batch, columns: tuple[str, ...], rows: NDArray[np.int64]) -> Labels:
        found = levels_of_rows(batch, columns, rows)
        known = self.levels.setdefault(columns, set())
        known.update(found.categories)
        if len(known) > MOST_LEVELS:
            raise too_many_levels(columns)
        return found

    def _unit_keys(self, batch: Batch) -> NDArray[np.uint64]:
        unit = self.roles.id if self.roles.cluster is None else self.roles.cluster
        if unit is None:
            return keys_of_rows(self.offset, self.offset + batch.rows)
        column = text_column(batch, unit)
        return np.append(keys_of_labels(column.labels), np.uint64(0))[column.codes]

    def _remember_ids(self, batch: Batch) -> None:
        if self.roles.id is None:
            return
        column = text_column(batch, self.roles.id)
        if (column.codes < 0).any():
            missing = int((column.codes < 0).sum())
            raise BadValue(
                f"`id` must name every row, but {quoted(self.roles.id)} is missing in {_of(missing, 'row')}. "
                "Fill it in, or leave `id` out."
            )
        times = np.bincount(column.codes, minlength=len(column.labels))
        if (times > 1).any():
            label = column.labels[int(times.argmax())]
            raise BadValue(
                f"`id` must name each row once, but {quoted(self.roles.id)} repeats {_of(int((times > 1).sum()), 'id')}"
                f": {quoted(label)} stands in {int(times.max())} rows. {REPEATED}"
            )
        self.seen.append(np.sort(keys_of_labels(column.labels)[np.flatnonzero(times)]))

    def _refuse_duplicates(self) -> None:
        if len(self.seen) < 2:
            return
        every = np.sort(np.concatenate(self.seen))
        repeated = int((every[1:] == every[:-1]).sum())
        if repeated:
            raise BadValue(
                f"`id` must name each row once, but {quoted(self.roles.id)} repeats {_of(repeated, 'id')}, "
                f"far apart. {REPEATED}"
            )


def checked_positive(positive: str | None, reference: tuple[str, ...]) -> None:
    """A positive label that no reference has is a slip of the pen, unless the reference has a single label."""
    if positive is not None and len(reference) > 1 and positive not in reference:
        raise SettingError(
            f"`positive` must be a label of the reference, not {quoted(positive)}. {did_you_mean(positive, reference)}"
        )


def text_column(batch: Batch, name: str) -> Text:
    """A column that was read as labels."""
    column = batch.columns[name]
    assert isinstance(column, Text)
    return column


def _numbers(batch: Batch, name: str) -> Numbers:
    column = batch.columns[name]
    assert isinstance(column, Numbers)
    return column


def _labels(batch: Batch, name: str, rows: NDArray[np.int64]) -> Labels:
    column = text_column(batch, name)
    codes = column.codes[rows]
    used = np.bincount(codes, minlength=len(column.labels)) > 0
    if used.all():
        return Labels(codes, column.labels)
    place = np.cumsum(used) - 1
    return Labels(place[codes], tuple(label for label, is_used in zip(column.labels, used, strict=True) if is_used))


def case_weights(batch: Batch, name: str | None, rows: NDArray[np.int64]) -> NDArray[np.float64] | None:
    """The weights of some rows, none negative; None when there is no weight column."""
    if name is None:
        return None
    values = _numbers(batch, name).values[rows]
    if (values < 0).any():
        raise BadValue(
            f"`weight` must not be negative, but {quoted(name)} is so in {_of(int((values < 0).sum()), 'row')}, "
            f"down to {values.min():g}. Set those weights to 0, or leave the rows out."
        )
    extreme = np.isfinite(values) & (values > 0) & ~((values >= 1 / MOST_WEIGHT) & (values <= MOST_WEIGHT))
    if extreme.any():
        raise BadValue(
            f"`weight` must be 0, or lie between {1 / MOST_WEIGHT:g} and {MOST_WEIGHT:g}, but {quoted(name)} has "
            f"{values[extreme][0]:g}. Multiply all weights by one number, or set those to 0 that count nothing."
        )
    return values


def ends(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The least and the largest key: all that must be kept of a block to know whether keys differ."""
    return np.array([keys.min(), keys.max()]) if len(keys) > 1 else keys


def check_clusters(role: str, name: str, keys: NDArray[np.uint64]) -> None:
    """Refuse rows that are all of one cluster: nothing is drawn but all of them, and intervals would have no width."""
    if len(keys) > 1 and (keys == keys[0]).all():
        raise BadValue(
            f"`{role}` must have two values at least, but {quoted(name)} has one: nothing tells how one differs from "
            "another, and no interval follows. Leave it out if rows are independent."
        )


def levels_of_rows(batch: Batch, columns: tuple[str, ...], rows: NDArray[np.int64]) -> Labels:
    """The slice each row is in; rows without a value are a slice of their own."""
    parts = [text_column(batch, name) for name in columns]
    code = np.zeros(len(rows), dtype=np.int64)
    for part in parts:
        code = code * (len(part.labels) + 1) + part.codes[rows] + 1
    distinct, codes = np.unique(code, return_inverse=True)
    if len(distinct) > MOST_LEVELS:
        raise too_many_levels(columns)
    return Labels(codes, tuple(_level_name(int(value), parts) for value in distinct))


def _level_name(code: int, parts: list[Text]) -> str:
    names = []
    for part in reversed(parts):
        code, place = divmod(code, len(part.labels) + 1)
        names.append(_told_apart(part.labels[place - 1], len(parts)) if place else MISSING_LEVEL)
    return CROSS.join(reversed(names))


def _told_apart(label: str, parts: int) -> str:
    """A label that could be taken for something else is named in quotation marks."""
    is_like_missing = label.strip('"') == MISSING_LEVEL
    return f'"{label}"' if is_like_missing or (parts > 1 and CROSS in label) else label


def too_many_levels(columns: tuple[str, ...]) -> BadValue:
    """The refusal of a slice that is almost surely an identifier."""
    return BadValue(
        f"`slices` must have at most {MOST_LEVELS:,} levels, but {quoted(CROSS.join(columns))} has more: "
        "is it an identifier? Group its values, or leave it out."
    )


def _counted_together(a: Columns, b: Columns) -> Columns:
    """Two blocks of which one has no complete row: the other, which accounts for both."""
    reasons = {reason: a.left_out.get(reason, 0) + b.left_out.get(reason, 0) for reason in {**a.left_out, **b.left_out}}
    return replace(a if a.rows else b, read=a.read + b.read, left_out=reasons)


def _all_left_out(columns: Columns) -> InputError:
    reasons = "; ".join(f"{reason}: {count:,}" for reason, count in columns.left_out.items())
    return InputError(
        f"Some rows must be complete, but all {columns.read:,} were left out ({reasons}). Are these the right columns?"
    )


def _of(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
