"""From raw batches to clean columns: every row complete, everything else counted with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from adjudge.data.columns import Columns, Judgements, Scores
from adjudge.data.keys import keys_of_labels, keys_of_rows
from adjudge.data.labels import Labels
from adjudge.data.roles import Roles, SystemRoles
from adjudge.data.source import Batch, Numbers, Source, Text
from adjudge.errors import BadValue, InputError, SettingError, did_you_mean, listed, quoted

# A slice with more levels than this is almost surely an identifier.
MOST_LEVELS = 2_000
MISSING_LEVEL = "(missing)"
CROSS = " × "
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

    def blocks(self, source: Source, rows: int) -> Iterator[Columns]:
        """The table's clean columns, block by block, each row read once."""
        self.roles.checked(source.column_names)
        for batch in source.batches(self.roles.texts(), self.roles.numbers(), rows=rows):
            yield self.clean(batch)
        if self.offset == 0:
            raise InputError(f"The table must have rows, but {source.name} has none.")
        self._refuse_duplicates()

    def clean(self, batch: Batch) -> Columns:
        """The complete rows of a batch."""
        out = LeftOut(np.ones(batch.rows, dtype=np.bool_))
        self._drop_incomplete(batch, out)
        rows = np.flatnonzero(out.keep)
        if self.positive is None:
            self.positive = self._usual_positive(batch)
        keys = self._unit_keys(batch)[rows]
        self._remember_ids(batch)
        self.offset += batch.rows
        reference = _labels(batch, self.roles.reference, rows)
        return Columns(
            rows=len(rows),
            systems=tuple(self._judgements(batch, system, reference, rows) for system in self.roles.systems),
            weight=_weights(batch, self.roles.weight, rows),
            keys=keys,
            slices=tuple(_levels(batch, columns, rows) for columns in self.roles.slices),
            read=batch.rows,
            left_out=out.reasons,
        )

    def _drop_incomplete(self, batch: Batch, out: LeftOut) -> None:
        answers = [(self.roles.reference, "reference")]
        answers += [(s.prediction, "prediction") for s in self.roles.systems if s.prediction is not None]
        answers += [(c, "score") for s in self.roles.systems for _, c in s.scores]
        answers += [(self.roles.weight, "weight")] if self.roles.weight else []
        answers += [(self.roles.cluster, "cluster")] if self.roles.cluster else []
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

    def _usual_positive(self, batch: Batch) -> str | None:
        if not any(system.has_one_score for system in self.roles.systems):
            return None
        labels = _text(batch, self.roles.reference).labels
        for pair in USUAL_POSITIVES:
            if labels and set(labels) <= set(pair):
                return pair[1]
        raise SettingError(f"`positive` must say which label the score speaks of. The reference has: {listed(labels)}.")

    def _unit_keys(self, batch: Batch) -> NDArray[np.uint64]:
        unit = self.roles.cluster or self.roles.id
        if unit is None:
            return keys_of_rows(self.offset, self.offset + batch.rows)
        column = _text(batch, unit)
        return np.append(keys_of_labels(column.labels), np.uint64(0))[column.codes]

    def _remember_ids(self, batch: Batch) -> None:
        if self.roles.id is None:
            return
        column = _text(batch, self.roles.id)
        if (column.codes < 0).any():
            missing = int((column.codes < 0).sum())
            raise BadValue(f"`id` must name every row, but {quoted(self.roles.id)} is missing in {missing} rows.")
        times = np.bincount(column.codes, minlength=len(column.labels))
        if (times > 1).any():
            label = column.labels[int(times.argmax())]
            raise BadValue(
                f"`id` must name each row once, but in {quoted(self.roles.id)} {int((times > 1).sum())} ids occur "
                f"more than once, {quoted(label)} {int(times.max())} times. {REPEATED}"
            )
        self.seen.append(np.sort(keys_of_labels(column.labels)[np.flatnonzero(times)]))

    def _refuse_duplicates(self) -> None:
        if len(self.seen) < 2:
            return
        every = np.sort(np.concatenate(self.seen))
        repeated = int((every[1:] == every[:-1]).sum())
        if repeated:
            raise BadValue(
                f"`id` must name each row once, but in {quoted(self.roles.id)} {repeated} ids occur "
                f"more than once, far apart. {REPEATED}"
            )


def checked_positive(positive: str | None, reference: tuple[str, ...]) -> None:
    """A positive label that no reference has is a slip of the pen, unless the reference has a single label."""
    if positive is not None and len(reference) > 1 and positive not in reference:
        raise SettingError(
            f"`positive` must be a label of the reference, not {quoted(positive)}. {did_you_mean(positive, reference)}"
        )


def _text(batch: Batch, name: str) -> Text:
    column = batch.columns[name]
    assert isinstance(column, Text)
    return column


def _numbers(batch: Batch, name: str) -> Numbers:
    column = batch.columns[name]
    assert isinstance(column, Numbers)
    return column


def _labels(batch: Batch, name: str, rows: NDArray[np.int64]) -> Labels:
    column = _text(batch, name)
    codes = column.codes[rows]
    used = np.bincount(codes, minlength=len(column.labels)) > 0
    if used.all():
        return Labels(codes, column.labels)
    place = np.cumsum(used) - 1
    return Labels(place[codes], tuple(label for label, is_used in zip(column.labels, used, strict=True) if is_used))


def _weights(batch: Batch, name: str | None, rows: NDArray[np.int64]) -> NDArray[np.float64] | None:
    if name is None:
        return None
    values = _numbers(batch, name).values[rows]
    if (values < 0).any():
        raise BadValue(
            f"`weight` must not be negative, but {quoted(name)} holds {values.min():g} "
            f"({int((values < 0).sum())} negative weights). Set them to 0 or leave those rows out."
        )
    return values


def _levels(batch: Batch, columns: tuple[str, ...], rows: NDArray[np.int64]) -> Labels:
    """The slice each row is in; rows without a value are a slice of their own."""
    parts = [_text(batch, name) for name in columns]
    code = np.zeros(len(rows), dtype=np.int64)
    for part in parts:
        code = code * (len(part.labels) + 1) + part.codes[rows] + 1
    distinct, codes = np.unique(code, return_inverse=True)
    if len(distinct) > MOST_LEVELS:
        raise BadValue(
            f"`slices` must have at most {MOST_LEVELS:,} levels, but {quoted(CROSS.join(columns))} has more: "
            "is it an identifier? Group its values, or leave it out."
        )
    return Labels(codes, tuple(_level_name(int(value), parts) for value in distinct))


def _level_name(code: int, parts: list[Text]) -> str:
    names = []
    for part in reversed(parts):
        code, place = divmod(code, len(part.labels) + 1)
        names.append(part.labels[place - 1] if place else MISSING_LEVEL)
    return CROSS.join(reversed(names))
