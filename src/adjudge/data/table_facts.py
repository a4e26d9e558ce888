"""What the columns of a block hold and have in common, whatever is asked of them: facts that add."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from adjudge.data.adding import added_by_key
from adjudge.data.judgements.columns import Array
from adjudge.data.judgements.labels import number_in
from adjudge.data.label_values import texts_called
from adjudge.data.number_facts import NO_EDGES, NumberColumn, ValueCounts, rows_looked_at
from adjudge.data.pair_facts import PairFacts
from adjudge.data.repeats import Repeats
from adjudge.data.source import Batch, Numbers, Text
from adjudge.data.spellings import Spellings
from adjudge.data.subtotals import subtotal_rows

MOST_RATERS = 12  # of whom each is held against what all others make
SUBTOTALS = "sums of the rows above"
SWAPPED, OUTSIDE, ENDS = "lower ends above upper ones", "predictions outside of their ends", "rows with ends"
ONE_END = "lower ends that are the upper ones"
OTHERWISE = "not the "  # of rows in which a column is not what others make
# How a column may be made of others.
MADE = MEAN, SUM, MOST, ROUNDED, UP, DOWN, MEDIAN, HIGHEST, LOWEST = (
    "mean",
    "sum",
    "label that most give",
    "rounded mean",
    "mean, rounded up",
    "mean, rounded down",
    "median",
    "highest",
    "lowest",
)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two columns that answer the same question; of a score, the label it speaks of where it is one of several."""

    one: str
    other: str
    label: str | None = None
    ordered: bool = False  # whether labels that are numbers are taken as such
    scaled: bool = True  # whether both are on one scale, where they are numbers
    compared: bool = True  # whether one is held against the other, or both are answers of one system
    against: str | None = None  # of two answers: the column that the first is right by, which then stands for it


@dataclass(frozen=True, slots=True)
class Watched:
    """Which columns of a table are looked at together."""

    pairs: tuple[Pair, ...] = ()
    raters: tuple[str, ...] = ()
    composed: tuple[str, ...] = ()  # what may be made of raters' columns beside these themselves
    ends: tuple[tuple[str, str, str], ...] = ()  # lower, prediction, upper
    labels: tuple[str, ...] = ()  # of which labels are counted
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # columns that name the same things, by what
    fine: str | None = None  # the number that tells rows apart, of which one may be another's copy


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What columns hold and have in common; adds in the order of the table."""

    numbers: Mapping[str, NumberColumn] = field(default_factory=dict)
    labels: Mapping[str, ValueCounts[str]] = field(default_factory=dict)
    pairs: Mapping[Pair, PairFacts] = field(default_factory=dict)
    counted: Mapping[tuple[str, str], int] = field(default_factory=dict)  # rows, by what is so and of which column
    heading: int | None = None  # the first row that holds the names of its columns; -1 where rows have no order
    names: Mapping[str, Spellings] = field(default_factory=dict)  # how what is named is written
    repeats: Repeats = field(default_factory=Repeats)

    def __add__(self, other: TableFacts) -> TableFacts:
        headings = [one.heading for one in (self, other) if one.heading is not None]
        return TableFacts(
            added_by_key(self.numbers, other.numbers),
            added_by_key(self.labels, other.labels),
            added_by_key(self.pairs, other.pairs),
            Counter(self.counted) + Counter(other.counted),
            min(headings, default=None),
            added_by_key(self.names, other.names),
            self.repeats + other.repeats,
        )

    def together(self, one: str, other: str, against: str | None = None) -> float:
        """How two answers of one system go together, or being right with the second; NaN where that is not known."""
        facts = self.pairs.get(Pair(one, other, compared=False, against=against))
        return math.nan if facts is None or not facts.rows[0] else facts.at(0)

    def as_large(self, one: str, other: str) -> bool:
        """Whether the second of two columns of numbers is about as large as the first, whatever their size."""
        return any(facts.as_large for pair, facts in self.pairs.items() if (pair.one, pair.other) == (one, other))

    def without_order(self) -> TableFacts:
        """The same where rows have no order: what only an order tells is left out."""
        numbers = {
            name: replace(one, edges=NO_EDGES, tail=(), steps=False, rises=False) for name, one in self.numbers.items()
        }
        pairs = {pair: one.without_order() for pair, one in self.pairs.items()}
        counted = {key: n for key, n in self.counted.items() if key[0] != SUBTOTALS}
        heading = None if self.heading is None else -1
        return replace(self, numbers=numbers, pairs=pairs, counted=counted, heading=heading)


def table_facts(
    batch: Batch, watched: Watched, first_row: int, number: int = 0, counted: Batch | None = None
) -> TableFacts:
    """The facts of the block with this number. Rows that stand for several, in no order, tell which labels there are.

    `counted` are the same rows where those that are alike stand once: see `data/counting.py`.
    """
    plain = batch.times is None
    rows, few = rows_looked_at(number), batch if counted is None else counted
    numbers = {
        name: NumberColumn.of(column.values, rows, column.ends)
        for name, column in batch.columns.items()
        if isinstance(column, Numbers) and plain
    }
    labels = {
        name: ValueCounts.of_text(column, few.times)
        for name, column in few.columns.items()
        if isinstance(column, Text) and name in watched.labels
    }
    if not plain:
        return TableFacts(numbers, labels)
    facts = TableFacts(numbers, labels, counted=Counter(_of_ends(batch, watched)), heading=_heading(batch, first_row))
    return _looked_at(facts, batch, watched, rows) if rows else facts


def _looked_at(facts: TableFacts, batch: Batch, watched: Watched, rows: int) -> TableFacts:
    """The same with what the columns of the first rows have in common."""
    first = batch[:rows].columns
    return replace(
        facts,
        pairs=_pairs(first, watched),
        counted=Counter(facts.counted)
        + Counter(_made_by_others(batch[: rows // 4].columns, watched))
        + Counter(_of_totals(first, watched)),
        names={what: _spellings(first, columns) for what, columns in watched.names.items()},
        repeats=Repeats() if watched.fine is None else Repeats.of(first, watched.fine),
    )


def _spellings(first: Mapping[str, Text | Numbers], columns: tuple[str, ...]) -> Spellings:
    """How the names in some columns are written."""
    texts = [column for name in columns if isinstance(column := first.get(name), Text)]
    used = {text.labels[code] for text in texts for code in np.unique(text.codes[text.codes >= 0]).tolist()}
    return Spellings.of(used)


def _pairs(first: Mapping[str, Text | Numbers], watched: Watched) -> dict[Pair, PairFacts]:
    """What columns that answer the same question have in common; two of numbers are looked at once."""
    known: dict[object, PairFacts | None] = {}
    for pair in watched.pairs:
        of_numbers = all(isinstance(first.get(name), Numbers) for name in (pair.one, pair.other))
        key = (pair.one, pair.other) if of_numbers and pair.against is None else pair
        known[pair] = known[key] if key in known else _pair(first, pair)
        known[key] = known[pair]
    return {pair: facts for pair in watched.pairs if (facts := known[pair]) is not None}


def _pair(first: Mapping[str, Text | Numbers], pair: Pair) -> PairFacts | None:
    one, other = first.get(pair.one), first.get(pair.other)
    if one is None or other is None:
        return None
    if pair.against is not None:
        return _right(one, first.get(pair.against), other)
    x, y = (_as_numbers(column) if pair.ordered or isinstance(column, Numbers) else None for column in (one, other))
    if x is not None and y is not None:
        return PairFacts.of_numbers(x, y)
    if isinstance(one, Text) and isinstance(other, Text) and not pair.ordered:
        one, other = texts_called(one, other)
        codes = {label: code for code, label in enumerate(one.labels)}
        more = [codes.setdefault(label, len(codes)) for label in other.labels]
        return PairFacts.of_labels(one.codes.astype(np.int64), np.array([*more, -1], dtype=np.int64)[other.codes])
    if isinstance(one, Text) and y is not None:
        label = pair.label
        if label is None:
            label = min((one.labels[code] for code in np.unique(one.codes[one.codes >= 0])), default="")
        is_label = np.array([*(float(name == label) for name in one.labels), np.nan])[one.codes]
        return PairFacts.of_numbers(is_label, y, plain=False)
    return None


def _right(answers: Text | Numbers, expected: Text | Numbers | None, scores: Text | Numbers) -> PairFacts | None:
    """How being right goes together with a score."""
    if not (isinstance(answers, Text) and isinstance(expected, Text) and isinstance(scores, Numbers)):
        return None
    answers, expected = texts_called(answers, expected)
    names = np.array([*answers.labels, ""], dtype=object), np.array([*expected.labels, ""], dtype=object)
    right = (names[0][answers.codes] == names[1][expected.codes]).astype(np.float64)
    known = (answers.codes >= 0) & (expected.codes >= 0)
    return PairFacts.of_numbers(np.where(known, right, np.nan), scores.values, plain=False)


def _of_totals(first: Mapping[str, Text | Numbers], watched: Watched) -> dict[tuple[str, str], int]:
    """How many rows of each column hold the sum of those above."""
    columns = {name: one for name, one in first.items() if isinstance(one, Numbers) or name in watched.labels}
    values = {name: _as_numbers(one) for name, one in columns.items()}
    return {(SUBTOTALS, name): subtotal_rows(of) for name, of in values.items() if of is not None}


def _of_ends(batch: Batch, watched: Watched) -> dict[tuple[str, str], int]:
    """How many prediction intervals there are, and how many of them cannot be any."""
    counts = {}
    for lower, middle, upper in watched.ends:
        columns = [batch.columns[name] for name in (lower, middle, upper) if name in batch.columns]
        low, mid, high = (column.values for column in columns if isinstance(column, Numbers))
        known = np.isfinite(low + mid + high)
        counts[ENDS, middle] = int(known.sum())
        counts[SWAPPED, middle] = int((known & (low > high)).sum())
        counts[ONE_END, middle] = int((known & (low == high) & (low != 0)).sum())  # of what may be none, none is sure
        counts[OUTSIDE, middle] = int((known & ((mid < low) | (mid > high))).sum())
    return counts


def _made_by_others(first: Mapping[str, Text | Numbers], watched: Watched) -> dict[tuple[str, str], int]:
    """In how many rows a column is what the raters' other columns make, of those in which they differ."""
    raters = [name for name in watched.raters if name in first]
    if not 2 <= len(raters) <= MOST_RATERS:
        return {}
    columns = {name: _as_numbers(first[name]) for name in dict.fromkeys([*raters, *watched.composed]) if name in first}
    if any(values is None for values in columns.values()):
        columns = _as_codes({name: column for name in columns if isinstance(column := first[name], Text)})
    counts = {}
    for name in columns:
        others = [values for rater in raters if rater != name and (values := columns.get(rater)) is not None]
        mine = columns[name]
        if len(others) < 2 or mine is None:
            continue
        matrix = np.stack(others, axis=1)
        differ = np.isfinite(mine) & np.isfinite(matrix).all(1) & (matrix.min(1) < matrix.max(1))
        ordered = all(not isinstance(first[rater], Text) or _as_numbers(first[rater]) is not None for rater in raters)
        for how, would in _makings(matrix[differ], ordered).items():
            met = np.abs(would - mine[differ]) < 1e-9
            counts[how, name] = int(met.sum())
            counts[OTHERWISE + how, name] = int((~met & np.isfinite(would)).sum())
    return counts


def _makings(matrix: Array, ordered: bool) -> dict[str, Array]:
    """What raters' values make, in every way."""
    times = (matrix[:, :, None] == matrix[:, None, :]).sum(2)
    most = times.max(1)
    leading = np.take_along_axis(matrix, times.argmax(1)[:, None], 1)[:, 0]
    makings = {MOST: np.where((times == most[:, None]).sum(1) == most, leading, np.nan)}
    if ordered:
        mean = matrix.mean(1)
        makings |= {
            MEAN: mean,
            SUM: matrix.sum(1),
            ROUNDED: np.rint(mean),
            UP: np.floor(mean + 0.5),
            DOWN: np.ceil(mean - 0.5),
        }
        makings |= {MEDIAN: np.median(matrix, axis=1), HIGHEST: matrix.max(1), LOWEST: matrix.min(1)}
    return makings


def _as_numbers(column: Text | Numbers) -> Array | None:
    """A column as numbers, NaN where there is none; None where its labels are none."""
    if isinstance(column, Numbers):
        return column.values
    used = np.flatnonzero(np.bincount(column.codes[column.codes >= 0], minlength=len(column.labels)))
    values, every = [number_in(column.labels[code]) for code in used], np.full(len(column.labels) + 1, np.nan)
    known = [value for value in values if value is not None]
    every[used] = known if len(known) == len(values) else np.nan
    return every[column.codes] if len(known) == len(values) else None


def _as_codes(columns: Mapping[str, Text]) -> dict[str, Array | None]:
    """Labels as numbers that are equal where the labels are."""
    codes: dict[str, int] = {}
    return {
        name: np.array([*(float(codes.setdefault(label, len(codes))) for label in text.labels), np.nan])[text.codes]
        for name, text in zip(columns, texts_called(*columns.values()), strict=True)
    }


def _heading(batch: Batch, first_row: int) -> int | None:
    """The first row in which every text is the name of its column, and no number is one.

    Raters may be called as their labels are: what is a name in other rows as well is a label.
    """
    texts = {name: column for name, column in batch.columns.items() if isinstance(column, Text)}
    if not texts or len(batch.columns) < 2 or not all(name in column.labels for name, column in texts.items()):
        return None
    named = [column.codes == column.labels.index(name) for name, column in texts.items()]
    rows = np.logical_and.reduce([*named, *(c.unreadable for c in batch.columns.values() if not isinstance(c, Text))])
    if not rows.any() or any((one & ~rows).any() for one in named):
        return None
    return first_row + int(rows.argmax())
