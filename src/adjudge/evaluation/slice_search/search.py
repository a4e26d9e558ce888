"""A search of slices, for any task that tells what each unit cost: the table is read again with more columns.

What it finds is a finding of the first screen, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import MISSING_LEVEL, level_name
from adjudge.data.facts import Facts
from adjudge.data.keys import Keys
from adjudge.data.label_values import NUMBER, kind_of
from adjudge.data.reading import Block, Reading, batches_of
from adjudge.data.source import Batch, Numbers, Source, Text
from adjudge.diagnosis.slices.search_units import SearchedColumn, SearchUnits
from adjudge.diagnosis.slices.slice_search import LEAST_ROWS, LEAST_SHARE, SPLIT, Progress, Search, search
from adjudge.errors import SettingError
from adjudge.evaluation.answers.answering import plain
from adjudge.evaluation.answers.screen import Remark, SpokenNumber
from adjudge.evaluation.comparison.paired_answers import UnitSource
from adjudge.evaluation.declaration import View
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import Cell, Panels, TablePanel, finite
from adjudge.evaluation.request import Request
from adjudge.statistics.base import Array

FOUND = "Slices that were searched for"
CHANCE = "What chance alone finds"
SHOWN = ("confirmed", "shown")


def search_remarks(outcome: Outcome) -> Iterator[Remark]:
    """The worst slice that is confirmed, or that none is."""
    table = outcome.panels.table(FOUND)
    if table is None or not table.columns:
        return
    shown = [record for record in table.records if record["verdict"] in SHOWN]
    if not shown:
        yield Remark("searched", "no slice is shown to fail more than the rest", rank=3)
        return
    first = shown[0]
    share = table.columns[4] == "failing"
    numbers = [first[table.columns[place]] for place in (4, 5, 6, 7)]
    value, low, high, rest = (float(n) if isinstance(n, int | float) else float("nan") for n in numbers)
    unit = "share" if share else "coefficient"
    name = plain(str(first["slice"]))
    more = f"; {len(shown) - 1} more" if len(shown) > 1 else ""
    words = "failing" if share else plain(table.columns[4])
    figures = {"here": SpokenNumber(value, low, high, unit), "rest": SpokenNumber(rest, unit=unit)}
    text = f"{name}: {{here}} {words}, {{rest_value}} for the rest ({first['verdict']}{more})"
    yield Remark("searched", text, figures, "beyond", rank=2)


PARTS = 4  # of a column of numbers, of about as many rows each
FEW_NUMBERS = 10  # a column with at most so many different numbers is one of labels


def searched(request: Request, views: Sequence[View], progress: Progress) -> list[TablePanel]:
    """The tables of a search, where one was asked for."""
    searching = request.searching
    if not searching.columns:
        return []
    view = _view(request, views)
    source = view.unit_source
    assert source is not None
    units = _units(request, source, view.system_name, searching.columns)
    if not float(units.losses.sum()) > 0:
        return [TablePanel(FOUND, f"{view.name} loses nothing: there is nothing to search for.", [], [])]
    result = search(
        units,
        way=searching.way,
        level=request.level,
        seed=request.bootstrap.seed,
        tables=searching.tables,
        progress=progress,
    )
    return [_list(result, source, request.level), *_chance(result)]


def _view(request: Request, views: Sequence[View]) -> View:
    """The system that the report is about: the first that is compared, or the one there is."""
    leading = [view for view in views if view.unit_source is not None and view.leads]
    if not leading:
        raise SettingError(
            f"`search` must be asked of a task that tells what each row cost, which {request.task.name} does not here. "
            "Leave it out."
        )
    others = [view for view in leading if view.system_name != request.comparing.baseline]
    return others[0] if request.comparing.baseline is not None or len(leading) == 1 else leading[1]


@dataclass(frozen=True)
class _Wider:
    """A reading that has more columns read with its own."""

    own: Reading
    more_texts: tuple[str, ...]
    more_numbers: tuple[str, ...]

    @property
    def block_rows(self) -> int:
        return self.own.block_rows

    @property
    def countable(self) -> bool:
        """No: rows are looked at one by one."""
        return False

    @property
    def together(self) -> str | None:
        return self.own.together

    def texts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.own.texts(), *self.more_texts)))

    def numbers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.own.numbers(), *self.more_numbers)))

    def read(self, batch: Batch, first_row: int) -> Block:
        return self.own.read(batch, first_row)

    def settled(self, facts: Facts) -> Reading:
        return self


def _units(request: Request, source: UnitSource, system: str, columns: Sequence[str]) -> SearchUnits:
    """Every unit with what it cost and its levels of the columns, in the order of the table."""
    reading = request.study.reading
    numbers = _numbers(request.source, reading, columns)
    wider = _Wider(reading, tuple(name for name in columns if name not in numbers), tuple(numbers))
    place = source.systems.index(system)
    losses: list[Array] = []
    keys: list[Keys] = []
    weights: list[Array] = []
    parts: dict[str, list[Text | Array]] = {name: [] for name in columns}
    for (_, first_row), batch in batches_of(request.source, wider, gather=request.engine.holds_table):
        block = wider.read(batch, first_row)
        if not block.rows:
            continue
        if block.places is None:
            raise SettingError(
                "`search` must be of units that are rows, but several rows of this table are one. Leave it out."
            )
        losses.append(source.losses(block.views[source.view]).losses[:, place])
        keys.append(np.asarray(block.keys))
        weights.append(np.ones(block.rows) if block.weight is None else block.weight)
        for name in columns:
            parts[name].append(_of_rows(batch.columns[name], block.places))
    loss, weight = np.concatenate(losses), np.concatenate(weights)
    known = np.flatnonzero(~np.isnan(loss))
    least = max(LEAST_ROWS, math.ceil(LEAST_SHARE * len(known)))
    columns_read = tuple(_column(name, parts[name], known, least) for name in columns)
    even = bool((weight == weight[0]).all()) if len(weight) else True
    weighed = None if even else (weight * len(known) / weight[known].sum())[known]
    return SearchUnits(columns_read, loss[known], np.concatenate(keys)[known], request.study.clustered, weighed)


def _numbers(source: Source, reading: Reading, columns: Sequence[str]) -> set[str]:
    """Which columns are of many different numbers, by the first rows; others are read as labels."""
    own = {*reading.texts(), *reading.numbers()}
    free = [name for name in columns if name not in own]
    numeric = {name for name in columns if name in reading.numbers()}
    batch = next(iter(source.batches(tuple(free), (), rows=10_000)), None) if free else None
    for name in free if batch is not None else ():
        text = batch.columns[name] if batch is not None else None
        assert isinstance(text, Text)
        used = [text.labels[code] for code in np.unique(text.codes[text.codes >= 0]).tolist()]
        if len(used) > FEW_NUMBERS and all(kind_of(label) == NUMBER for label in used):
            numeric.add(name)
    return numeric


def _of_rows(column: Text | Numbers, rows: NDArray[np.int64]) -> Text | Array:
    if isinstance(column, Text):
        return column.of_rows(rows)
    return np.where(np.isfinite(column.values), column.values, np.nan)[rows]


def _column(name: str, parts: Sequence[Text | Array], known: NDArray[np.int64], least: int) -> SearchedColumn:
    """The levels that enough rows have, the others as one that is not told."""
    texts = [part for part in parts if isinstance(part, Text)]
    if texts:
        codes, names = _labels(texts)
    else:
        codes, names = _quarters(np.concatenate([part for part in parts if not isinstance(part, Text)]), known)
    codes = codes[known]
    counts = np.bincount(codes, minlength=len(names))
    often = np.flatnonzero(counts >= least)
    order = sorted(often.tolist(), key=lambda code: names[code])
    place = np.full(len(names), len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return SearchedColumn(name, tuple(names[code] for code in order), place[codes])


def _labels(parts: Sequence[Text]) -> tuple[NDArray[np.int64], list[str]]:
    """Labels of several batches in codes of all; a missing one is a level of its own."""
    places: dict[str, int] = {}
    labels = []
    for text in parts:
        own = [places.setdefault(level_name(label), len(places)) for label in text.labels]
        missing = places.setdefault(MISSING_LEVEL, len(places)) if (text.codes < 0).any() else -1
        labels.append(np.array([*own, missing], dtype=np.int64)[text.codes])
    return np.concatenate(labels), list(places)


def _quarters(values: Array, known: NDArray[np.int64]) -> tuple[NDArray[np.int64], list[str]]:
    """Numbers cut at the quartiles of all rows; equal cuts are one."""
    there = values[known][~np.isnan(values[known])]
    cuts = np.unique(np.quantile(there, np.arange(1, PARTS) / PARTS)) if len(there) else np.zeros(0)
    codes = np.where(np.isnan(values), len(cuts) + 1, np.searchsorted(cuts, values, side="left"))
    texts = [f"{cut:.6g}" for cut in cuts]
    names = [f"{low} to {high}" for low, high in pairwise(texts)]
    names = [f"up to {texts[0]}", *names, f"above {texts[-1]}"] if texts else ["all"]
    return codes.astype(np.int64), [*names, MISSING_LEVEL]


def _list(result: Search, source: UnitSource, level: float) -> TablePanel:
    """Every slice that was taken, confirmed or not."""
    split = result.way == SPLIT
    what = "failing" if source.right_or_wrong else f"mean of {source.of}"
    columns = ["slice", "verdict", "adjusted p", "n", what, "low", "high", "rest", "lift", "excess", "share of all"]
    columns += [] if split else ["shrunken"]
    cells: list[list[Cell]] = []
    for one in result.finds:
        part = one.part
        shown = math.isfinite(one.p_adjusted) and one.p_adjusted < 1 - level
        verdict = SHOWN[not split] if shown else f"not {SHOWN[not split]}"
        numbers = (part.mean, part.low, part.high, part.rest, part.lift, part.excess, part.share)
        row: list[Cell] = [one.name, verdict, finite(one.p_adjusted), part.rows, *map(finite, numbers)]
        cells.append(row if split else [*row, finite(one.shrunken)])
    return TablePanel(FOUND, _note(result), columns, cells)


def _note(result: Search) -> str:
    if result.way == SPLIT:
        how = (
            f"{result.searched:,} slices were looked for in half of the units ({result.rows:,}), the worst tested in "
            f"the other {result.confirmed_in:,} (Holm): estimates are of those alone"
        )
    else:
        correction = "Benjamini–Hochberg" if result.way == "bh" else "Benjamini–Yekutieli"
        how = (
            f"All {result.searched:,} slices were tested in the same {result.rows:,} units ({correction}): estimates "
            "are selected, optimistic; the shrunken one is less so"
        )
    chance = ""
    if result.null:
        share = 100 * result.by_chance
        chance = f" Chance alone finds one as bad as the first in {share:.{1 if share < 10 else 0}f} % of tables."
    return f"{how}.{chance}"


def _chance(result: Search) -> list[TablePanel]:
    """How bad the worst slice is where losses are dealt anew."""
    if not result.null:
        return []
    shares = (0.05, 0.25, 0.5, 0.75, 0.95)
    values = np.quantile(np.array(result.null), shares)
    cells: list[list[Cell]] = [
        [f"{100 * share:g} % of tables", float(value)] for share, value in zip(shares, values, strict=True)
    ]
    cells.append(["found here", finite(result.best)])
    note = (
        f"What slices are ranked by, the lower limit of their excess, of the worst of {result.searched:,} in "
        f"{len(result.null):,} tables in which losses were dealt to rows anew, where slices were looked for."
    )
    return [TablePanel(CHANCE, note, ["at most", "limit of the excess of the worst slice"], cells)]


def with_search(panels: Panels, tables: list[TablePanel]) -> Panels:
    """The panels of an evaluation with those of its search."""
    return replace(panels, tables=[*panels.tables, *tables]) if tables else panels
