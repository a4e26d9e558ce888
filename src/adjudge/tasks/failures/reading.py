"""How rows become watches: how long each system was watched in each, and how often it failed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.data.cleaning import NOT_A_NUMBER, LeftOut, Rows, number_column
from adjudge.data.judgements.measured_columns import MeasuredColumns
from adjudge.data.keys import Keys, RowKeys, digest_of, keys_of_numbers
from adjudge.data.reading import Views
from adjudge.data.row_reading import RoleColumn, RowReading
from adjudge.data.source import Batch
from adjudge.data.systems import as_list
from adjudge.errors import BadValue, SettingError, quoted
from adjudge.evaluation.asking.arguments import shown
from adjudge.evaluation.declaration import Given
from adjudge.statistics.base import Array

ROLES = ("exposure", "failures")
SHAPE = "`systems` must map each name to its columns, {'exposure': …, 'failures': …},"
WATCHES = "watches"
UNWATCHED = "failures without a watch"


@dataclass(frozen=True, kw_only=True)
class WatchReading(RowReading):
    """Which columns say how long each system was watched, and how often it failed."""

    watches: Mapping[str, tuple[str, str]]  # by system

    as_numbers: ClassVar[str] = "exposure, failures, "

    def answers(self) -> Iterator[RoleColumn]:
        """Both columns of every system."""
        for exposure, failures in self.watches.values():
            yield RoleColumn("exposure", exposure, number=True)
            yield RoleColumn("failures", failures, number=True)

    def drop_unusable(self, left_out: LeftOut, batch: Batch, answer: RoleColumn) -> None:
        """With several systems, a row in which one has empty cells stays: that one was not watched in it."""
        if len(self.watches) == 1 or answer.role not in ROLES:
            super().drop_unusable(left_out, batch, answer)
            return
        column, what = number_column(batch, answer.column), f"{answer.role} {quoted(answer.column)}"
        left_out.drop(column.unreadable, f"{what}{NOT_A_NUMBER}")
        left_out.drop(np.isinf(column.values), f"{what} is infinite")
        left_out.drop_beyond(batch, answer.column, answer.role)

    def unused(self, batch: Batch, left_out: LeftOut) -> Mapping[str, int]:
        """How often one of a system's two cells is empty and the other is not."""
        halves = {}
        for name, columns in self.watches.items():
            exposure, failures = (np.isnan(number_column(batch, column).values[left_out.rows]) for column in columns)
            halves[f"{name}: exposure or failures is missing"] = int((exposure != failures).sum())
        return {why: count for why, count in halves.items() if count}

    def counted(self, batch: Batch, rows: Rows) -> Mapping[tuple[str, ...], int]:
        """In how many rows a system failed that was not watched at all."""
        times = dict.fromkeys(exposure for exposure, _ in self.watches.values())  # one may be that of all systems
        counts: dict[tuple[str, ...], int] = {}
        for time in times:
            unwatched = number_column(batch, time).values[rows] == 0
            failed = [
                number_column(batch, column).values[rows] > 0 for own, column in self.watches.values() if own == time
            ]
            counts[UNWATCHED, time] = int((unwatched & np.logical_or.reduce(failed)).sum())
        return counts

    def digests(self, views: Views, units: Keys | RowKeys) -> dict[str, int]:
        """Of how long each system was watched and how often it failed, where there are several."""
        names = [*self.watches] if views and len(self.watches) > 1 else []
        columns = [keys_of_numbers(column) for column in views[WATCHES].values.T] if names else []
        return {name: digest_of(np.asarray(units), *columns[2 * k : 2 * k + 2]) for k, name in enumerate(names)}

    def views(self, batch: Batch, rows: Rows) -> tuple[Views, dict[str, frozenset[str]]]:
        """The watches of all systems side by side, two columns each."""
        return {WATCHES: MeasuredColumns(np.hstack([_watch(batch, *one, rows) for one in self.watches.items()]))}, {}


def _watch(batch: Batch, name: str, columns: tuple[str, str], rows: Rows) -> Array:
    """How long a system was watched in each row, and how often it failed; nothing where a cell is empty."""
    exposure, failures = (number_column(batch, column).values[rows] for column in columns)
    unknown = np.isnan(exposure) | np.isnan(failures)
    wrong = (exposure < 0) | (failures < 0) | (failures != np.round(failures)) | np.isinf(exposure)
    if (wrong & ~unknown).any():
        place = int(np.argmax(wrong & ~unknown))
        raise BadValue(
            f"`exposure` must be 0 or more, and `failures` a whole number from 0 on, but {quoted(name)} has "
            f"{exposure[place]:g} and {failures[place]:g} in a row. Correct it, or leave the row out."
        )
    return np.where(unknown[:, None], 0.0, np.column_stack([exposure, failures]))


def watches_of(given: Given) -> dict[str, tuple[str, str]]:
    """The columns of each system, given as lists or one by one.

    >>> watches_of({"exposure": ["old_h", "new_h"], "failures": ["old", "new"]})
    {'old': ('old_h', 'old'), 'new': ('new_h', 'new')}
    """
    lists = {role: list(map(str, as_list(given.get(role)))) for role in ROLES}
    systems = given.get("systems")
    if systems is not None:
        if any(lists.values()):
            raise SettingError(
                "Systems must be given either as `systems` or as `exposure` and `failures`, but both are here. Leave "
                "one out."
            )
        if not isinstance(systems, Mapping) or not systems:
            raise SettingError(f"{SHAPE} not {shown(systems)}.")
        return {str(name): _named(str(name), columns) for name, columns in systems.items()}
    exposure, failures = lists["exposure"], lists["failures"]
    if not exposure or not failures:
        lacks = "exposure" if not exposure else "failures"
        what = "how long each row was watched" if lacks == "exposure" else "how often it failed"
        raise SettingError(f"`{lacks}` must be given: the column that says {what}.")
    if len(exposure) == 1 < len(failures):
        exposure = exposure * len(failures)  # all systems were watched in the same time
    if len(exposure) != len(failures) or len(set(failures)) < len(failures):
        raise SettingError(
            "`exposure` and `failures` must each name one column for each system, or `exposure` one for all, but there "
            f"are {len(exposure)} and {len(set(failures))}."
        )
    return {name: (time, name) for time, name in zip(exposure, failures, strict=True)}


def _named(name: str, columns: object) -> tuple[str, str]:
    if not isinstance(columns, Mapping) or set(columns) != set(ROLES):
        raise SettingError(f"{SHAPE} but {quoted(name)} has {shown(columns)}.")
    return str(columns["exposure"]), str(columns["failures"])
