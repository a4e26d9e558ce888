"""One long table of estimates, always with the same columns; and how it reads in a console and in a notebook."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from html import escape
from numbers import Real
from types import NoneType
from typing import TypedDict

from adjudge.errors import SettingError, UnknownMetric, check_choice, decimals_of, did_you_mean, listed, literal, quoted
from adjudge.evaluation.answers.claims import WORST_FIRST
from adjudge.evaluation.asking.border import bordered
from adjudge.inference.intervals.interval import Estimate, Interval

WHOLE_NAME = "all"
BASELINE = "baseline"  # the method of what the best constant answer gets, and what its metric's name begins with
# What the test of a row that a requirement asked for begins with.
LIMITS = ("at least ", "at most ", "below ", "above ")


def slice_name(key: tuple[str, str]) -> str:
    """How a slice is called in the table.

    >>> slice_name(("country", "DE")), slice_name(("", ""))
    ('country = DE', 'all')
    """
    return f"{key[0]} = {key[1]}" if key[0] else WHOLE_NAME


class Tested(TypedDict, total=False):
    """What a test adds to the row of a difference: columns of `Row`."""

    test: str
    p: float | None
    p_adjusted: float | None
    family: int


@dataclass(frozen=True, slots=True)
class Row:
    """One estimate by one method. NaN is undefined, and `note` says why."""

    system: str
    slice: str
    category: str
    metric: str
    estimate: float
    low: float
    high: float
    level: float
    method: str
    n: int
    note: str
    # Of a difference only: the system minus its baseline, in the metric's own sign.
    baseline: str | None = None
    differing: int | None = None  # units on which the two differ, where that is known
    test: str | None = None
    p: float | None = None
    p_adjusted: float | None = None  # for all systems that are compared with this baseline
    family: int | None = None  # how many those are
    # Of one of three systems or more: those that share a letter are not told apart.
    letters: str | None = None

    @property
    def is_baseline(self) -> bool:
        """Whether the row is what the best constant answer gets, beside the metric's own."""
        return self.method == BASELINE

    @property
    def is_limit(self) -> bool:
        """Whether the row is a limit that a requirement asked for, with the p-value of its bound."""
        return self.test is not None and self.test.startswith(LIMITS)

    def as_estimate(self) -> Estimate:
        """The row as an estimate with its interval."""
        interval = Interval(self.low, self.high, self.level)
        return Estimate(self.metric, self.estimate, interval, self.method, self.n, self.note)


COLUMNS = tuple(column.name for column in fields(Row))
StateKey = tuple[str, str, bool]  # a metric, whom or what it is about, and whether it is a difference
CHOICES = ("system", "slice", "category", "method", "baseline")


@dataclass(frozen=True, slots=True, repr=False)
class ResultTable:
    """The estimates. Of several methods for one estimate the first row is the one to read."""

    rows: tuple[Row, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def where(self, keep: Callable[[Row], bool] | None = None, **equals: object) -> ResultTable:
        """The rows for which a function is true, or whose columns have some values: `where(metric="recall")`.

        >>> table = ResultTable(tuple(Row("a", part, "", "f", 0.5, 0.4, 0.6, 0.95, "wilson", 9, "") for part in "xy"))
        >>> len(table.where(metric="f", slice="x")), len(table.where(lambda row: row.low > 0.3))
        (1, 2)

        `state` is how far the first screen holds a claim about the row to be borne out: one of beyond, beyond alone,
        looks beyond, undecided, too few, undefined, within.
        """
        if "state" in equals:
            return self._in_state(equals.pop("state")).where(keep, **equals)
        if unknown := [name for name in equals if name not in COLUMNS]:
            raise SettingError(
                f"Rows must be chosen by a column of the table, not by {quoted(unknown[0])}. "
                f"{did_you_mean(unknown[0], COLUMNS)}"
            )
        if odd := [name for name, value in equals.items() if not isinstance(value, (str, Real, NoneType))]:
            raise SettingError(f"`{odd[0]}` must be a text or a number, not {literal(equals[odd[0]])}.")
        chosen: Sequence[Row] = self.rows
        for name, value in equals.items():
            chosen = [row for row in chosen if getattr(row, name) == value]
        return replace(self, rows=tuple(chosen if keep is None else filter(keep, chosen)))

    def _in_state(self, state: object) -> ResultTable:
        check_choice("state", state, WORST_FIRST)
        states = self.known_states()

        def of(row: Row) -> str | None:
            part = (row.slice, row.slice.partition(" = ")[2])
            subjects = part if row.slice != WHOLE_NAME else (row.category or row.system,)
            known = (states.get((row.metric, subject, row.baseline is not None)) for subject in subjects)
            return next((one for one in known if one is not None), None)

        return replace(self, rows=tuple(row for row in self.rows if not row.is_limit and of(row) == state))

    def known_states(self) -> Mapping[StateKey, str]:
        """The state of each claim about rows, where somebody holds claims about them."""
        return {}

    @bordered
    def head(self, rows: int = 5) -> ResultTable:
        """The first rows."""
        return replace(self, rows=self.rows[:rows])

    def __repr__(self) -> str:
        return table_text(self.rows)

    def _repr_html_(self) -> str:
        return table_html(self.rows)

    @property
    def estimates(self) -> ResultTable:
        """What was measured of each system by itself."""
        return self.where(lambda row: row.baseline is None and not row.is_limit)

    @property
    def differences(self) -> ResultTable:
        """What was measured of two systems: one minus the other."""
        return self.where(lambda row: row.baseline is not None and not row.is_limit)

    @property
    def limits(self) -> ResultTable:
        """What requirements asked for: limits at their own levels."""
        return self.where(lambda row: row.is_limit)

    def first_methods(self) -> ResultTable:
        """One row for each estimate: by the method that is the default for it."""
        firsts: dict[tuple[str | None, ...], Row] = {}
        for row in self.rows:
            firsts.setdefault((row.system, row.slice, row.category, row.metric, row.baseline), row)
        return ResultTable(tuple(firsts.values()))

    def find(self, metric: str, **chosen: str) -> Row:
        """The one row of a metric; `system`, `slice`, `category`, `method` and `baseline` choose among several."""
        if not isinstance(metric, str):
            raise SettingError(f"A metric must be chosen by its name, not by {literal(metric)}.")
        rows = [row for row in self.rows if row.metric == metric and ("baseline" in chosen or row.baseline is None)]
        if not rows:
            raise UnknownMetric(metric, dict.fromkeys(row.metric for row in self.rows))
        for key, value in ({"slice": WHOLE_NAME} | chosen).items():
            if key not in CHOICES:
                raise SettingError(f"An estimate must be chosen by one of {listed(CHOICES)}, not by {quoted(key)}.")
            known = list(dict.fromkeys(getattr(row, key) for row in rows if getattr(row, key) is not None))
            if not isinstance(value, str) or value not in known:
                raise SettingError(
                    f"`{key}` must be one that {quoted(metric)} was estimated for, not {quoted(value)}. "
                    f"{did_you_mean(value, known)}"
                )
            rows = [row for row in rows if getattr(row, key) == value]
        for key in ("system", "category"):
            choices = list(dict.fromkeys(getattr(row, key) for row in rows))
            if len(choices) > 1:
                raise SettingError(f"`{key}` must say which {quoted(metric)} is meant: one of {listed(choices)}.")
        return rows[0]

    def columns(self) -> dict[str, list[object]]:
        """The table as a dict of lists."""
        return {name: [getattr(row, name) for row in self.rows] for name in COLUMNS}

    def records(self) -> list[dict[str, object]]:
        """The table as a list of dicts, undefined numbers as None."""
        return [
            {
                name: None if isinstance(value, float) and not math.isfinite(value) else value
                for name, value in zip(COLUMNS, astuple(row), strict=True)
            }
            for row in self.rows
        ]


def plural_of(unit: str) -> str:
    """Several of a unit.

    >>> plural_of("query"), plural_of("row")
    ('queries', 'rows')
    """
    return f"{unit[:-1]}ies" if unit.endswith("y") else f"{unit}s"


MOST_ROWS, MOST_LETTERS = 20, 30
HEAD = ("system", "slice", "category", "metric", "estimate", "low", "high", "n", "method")


def table_text(rows: Sequence[Row]) -> str:
    """The first rows in columns, and how many more there are."""
    cells = _cells(rows)
    widths = [max(len(row[place]) for row in cells) for place in range(len(cells[0]))]
    lines = [
        "  ".join(
            text.rjust(width) if place in _numbers(cells[0]) else text.ljust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    return "\n".join([*lines, *_more(rows)])


def table_html(rows: Sequence[Row]) -> str:
    """The same as an HTML table."""
    head, *body = _cells(rows)
    right = _numbers(head)

    def line(cells: list[str], tag: str) -> str:
        side = dict.fromkeys(right, ' style="text-align:right"')
        return "".join(f"<{tag}{side.get(place, '')}>{escape(text)}</{tag}>" for place, text in enumerate(cells))

    lines = "".join(f"<tr>{line(cells, 'td')}</tr>" for cells in body)
    more = "".join(f"<p>{escape(text)}</p>" for text in _more(rows))
    return f"<table><thead><tr>{line(head, 'th')}</tr></thead><tbody>{lines}</tbody></table>{more}"


def _numbers(head: list[str]) -> list[int]:
    return [place for place, name in enumerate(head) if name in ("estimate", "low", "high", "n")]


def _more(rows: Sequence[Row]) -> list[str]:
    left = len(rows) - MOST_ROWS
    return (
        [f"{len(rows):,} rows; {left:,} {'is' if left == 1 else 'are'} not shown: .where(metric=…), .to_pandas()"]
        if left > 0
        else []
    )


def _cells(rows: Sequence[Row]) -> list[list[str]]:
    """Heads and rows as text; a column in which nothing stands is left out."""
    shown = [[_cell(row, name) for name in HEAD] for row in rows[:MOST_ROWS]]
    filled = [place for place, name in enumerate(HEAD) if name == "metric" or any(row[place] for row in shown)]
    return [[HEAD[place] for place in filled], *([row[place] for place in filled] for row in shown)]


def _cell(row: Row, name: str) -> str:
    value = getattr(row, name)
    if name == "n":
        return f"{value:,}"
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.{_places(row)}f}".replace("-", "−")
    text = "".join(letter if letter.isprintable() else "·" for letter in str(value))
    if name == "system" and row.baseline is not None:
        text = f"{text} − {row.baseline}"
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"


def _places(row: Row) -> int:
    """Two digits of half the interval; three decimals where there is none."""
    half = (row.high - row.low) / 2
    return decimals_of(half) if half > 0 and math.isfinite(half) else 3
