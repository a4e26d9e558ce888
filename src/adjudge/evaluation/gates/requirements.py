"""What must hold for a release: requirements as data, each with everything that decides its verdict."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from adjudge.errors import SettingError, did_you_mean, listed, literal, quoted
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.catalogue import parse
from adjudge.metrics.in_use import COLUMNS

Claim = Literal["not_worse", "better", "same"]
Undecided = Literal["block", "allow", "warn"]
Spending = Literal["obrien_fleming", "pocock"]
# Of two systems that answer the same rows: how often one of them alone is right.
FLIPS = ("negative_flip_rate", "positive_flip_rate")
MOST_LOOKS = 50
# What a requirement may say is expected: its value, or its difference, and how the table will be made.
EXPECTED = (
    "value", "differing", "against", "deviation", "part", "cluster_size", "correlation", "slices", "smallest",
    "judge_correlation", "judged",
)  # fmt: skip
_POSITIONAL = re.compile(r"^(\w+)\(\s*([\d.eE+-]+)\s*\)$")


@dataclass(frozen=True, slots=True)
class Requirement:
    """A bound on a metric, or on its difference to another system, and how sure one must be of it.

    >>> Requirement(metric="accuracy", at_least=0.9).title
    'accuracy >= 0.9'
    """

    metric: str
    system: str | None = None
    at_least: float | None = None
    at_most: float | None = None
    versus: str | None = None
    margin: float = 0.0
    relative: bool = False
    claim: Claim = "not_worse"
    slice: str | None = None
    versus_slice: str | None = None
    every: tuple[str, ...] = ()
    gap: str | None = None
    category: str | None = None
    average: str | None = None
    confidence: float = 0.95
    false_alarm: float = 0.05
    minimum_n: int = 30
    undecided: Undecided | None = None
    looks: int | str | tuple[int, ...] = 1  # a number of equal steps, "any", or how many units there are at each
    spending: Spending = "obrien_fleming"
    must: bool = True
    column: tuple[str, ...] = ()
    by: str | None = None
    original: str | None = None
    judge: str | None = None
    reuse: int | str = 0
    anyway: bool = False
    name: str = ""
    owner: str = ""
    reason: str = ""
    link: str = ""
    when: str | None = None
    characteristic: str = ""
    expect: tuple[tuple[str, float], ...] = ()  # what is expected before anything is measured, for plans

    def __post_init__(self) -> None:
        """Refuse what makes no sense before any data are read."""
        from adjudge.evaluation.gates.requirement_checks import check

        check(self)

    @property
    def measured(self) -> Metric | None:
        """The metric of a task that is meant; None of columns."""
        if self.column:
            return None
        if self.metric in FLIPS:
            return parse("accuracy")
        metric = parse(_POSITIONAL.sub(r"\1(at=\2)", self.metric.strip()))
        return metric if self.average is None else metric.averaged(self.average)

    @property
    def of_column(self) -> Metric:
        """The metric of columns that is meant."""
        metric = parse(_POSITIONAL.sub(r"\1(at=\2)", self.metric.strip()))
        if metric.name not in COLUMNS:
            known = f"one of {listed(COLUMNS)}, such as mean or quantile(0.95)"
            raise SettingError(f"The metric of a column must be {known}, not {quoted(self.metric)}.")
        return metric

    @property
    def kind(self) -> Metric:
        """The metric that is meant, of a task or of columns."""
        measured = self.measured
        return self.of_column if measured is None else measured

    @property
    def column_text(self) -> str:
        """The columns that it is of, as the table of results calls them."""
        by = "" if self.by is None else f" by {self.by}"
        return ", ".join(self.column) + by + ("" if self.original is None else f" from {self.original}")

    @property
    def is_difference(self) -> bool:
        """Whether it is about the difference to another system, or to another slice."""
        return self.versus is not None or self.versus_slice is not None

    @property
    def measure_name(self) -> str:
        """What is measured, as the table of results calls it."""
        return self.metric if self.metric in FLIPS else repr(self.kind)

    @property
    def planned_looks(self) -> int:
        """How many looks are planned; 1 where any number is allowed."""
        return self.looks if isinstance(self.looks, int) else len(self.looks) if isinstance(self.looks, tuple) else 1

    @property
    def slice_columns(self) -> tuple[str, ...]:
        """The columns whose levels it speaks of."""
        named = [one.partition(" = ")[0] for one in (self.slice, self.versus_slice) if one is not None]
        return tuple(dict.fromkeys((*self.every, *(() if self.gap is None else (self.gap,)), *named)))

    @property
    def when_undecided(self) -> Undecided:
        """What an undecided requirement does: of all rows it stops the release, of each slice it is a warning."""
        return self.undecided or ("warn" if self.every else "block")

    @property
    def title(self) -> str:
        """The name it was given, or the requirement as text."""
        return self.name or self.text

    @property
    def text(self) -> str:
        """The requirement on one line, as `parsed` reads it."""
        from adjudge.evaluation.gates.requirement_text import written

        return written(self)

    @property
    def holds(self) -> tuple[Bound, ...]:
        """What must hold of the number, or of its difference: every one of these."""
        if not self.is_difference or self.metric in FLIPS:
            ends = [] if self.at_least is None else [Bound("at least", self.at_least)]
            return (*ends, *([] if self.at_most is None else [Bound("at most", self.at_most)]))
        higher, better = self.kind.direction is not Direction.LOWER, self.claim == "better"
        down, up = (Bound("at least", 0.0 - self.margin), Bound("at most", self.margin))
        if self.relative:
            down, up = Bound("at least", 0.0, 1 - self.margin), Bound("at most", 0.0, 1 + self.margin)
        if self.claim == "same":
            return down, up
        if not better:
            return (down,) if higher else (up,)
        if self.relative:
            share = 1 + self.margin if higher else 1 - self.margin
            return (Bound("at least" if higher else "at most", 0.0, share),)
        return (Bound("at least", self.margin),) if higher else (Bound("at most", 0.0 - self.margin),)


@dataclass(frozen=True, slots=True)
class Bound:
    """One side on which a number must lie; of a difference, that to `share` times the baseline's value."""

    side: Literal["at least", "at most"]
    value: float
    share: float = 1.0

    @property
    def lower(self) -> bool:
        """Whether it bounds the number from below."""
        return self.side == "at least"

    @property
    def text(self) -> str:
        """What is tested, as the table of results calls it."""
        return f"{self.side} {self.value + 0.0!r}{self._less}"

    @property
    def contrary(self) -> str:
        """What is tested for the requirement to have failed."""
        return f"{'below' if self.lower else 'above'} {self.value + 0.0!r}{self._less}"

    @property
    def _less(self) -> str:
        return "" if self.share == 1 else f" beyond {self.share!r} times"

    def met(self, low: float, high: float) -> bool:
        """Whether limits lie on the side."""
        return low >= self.value if self.lower else high <= self.value

    def missed(self, low: float, high: float) -> bool:
        """Whether limits lie on the other side."""
        return high < self.value if self.lower else low > self.value


KEYS = tuple(field.name for field in fields(Requirement))
_KINDS = {"float | None": float, "float": float, "int": int, "bool": bool, "str": str, "str | None": str}


def requirement_of(entry: Mapping[str, object]) -> Requirement:
    """A requirement from an entry of a file. `between = [low, high]` is both bounds.

    >>> requirement_of({"metric": "accuracy", "between": [0.8, 0.9]}).at_most
    0.9
    """
    given = dict(entry)
    for key in given:
        if key not in (*KEYS, "between"):
            raise SettingError(
                f"A key of a requirement must be a known one, but {quoted(key)} is not. "
                f"{did_you_mean(str(key), [*KEYS, 'between'])}"
            )
    if "between" in given:
        if "at_least" in given or "at_most" in given:
            raise SettingError("`between` must stand alone, but there is another bound. Leave one out.")
        given |= _both_ends(given.pop("between"))
    if "metric" not in given:
        raise SettingError(f"A requirement must name its `metric`, but it has only {listed(given) or 'nothing'}.")
    kinds = {field.name: _KINDS.get(str(field.type), str) for field in fields(Requirement)}
    own = {"every": _columns, "column": _columns, "looks": _looks, "reuse": _count_or_word, "expect": _expected}
    checked: dict[str, Any] = {  # each of its field's kind
        key: own[key](key, value) if key in own else _of_kind(key, value, kinds[key]) for key, value in given.items()
    }
    return Requirement(**checked)


def _both_ends(between: object) -> dict[str, object]:
    if not (isinstance(between, list | tuple) and len(between) == 2):
        raise SettingError(f"`between` must be two numbers, for example [0.8, 0.9], not {literal(between)}.")
    return {"at_least": between[0], "at_most": between[1]}


def _columns(key: str, value: object) -> tuple[str, ...]:
    several = [value] if isinstance(value, str) else value
    if not isinstance(several, list | tuple) or not several or not all(isinstance(one, str) for one in several):
        raise SettingError(f"`{key}` must be a column, or a list of columns, not {literal(value)}.")
    return tuple(several)


def _looks(key: str, value: object) -> int | str | tuple[int, ...]:
    if isinstance(value, list | tuple):
        return tuple(int(_of_kind(key, one, int)) for one in value)
    return _count_or_word(key, value)


def _expected(key: str, value: object) -> tuple[tuple[str, float], ...]:
    """What is expected: a value, or a table of what a plan may be told."""
    given = value if isinstance(value, Mapping) else {"value": value}
    for name in given:
        if name not in EXPECTED:
            raise SettingError(
                f"`{key}` must be a number, or a table with the keys {listed(EXPECTED, 20)}, but {quoted(name)} is "
                f"none of them. {did_you_mean(str(name), EXPECTED)}"
            )
    return tuple((str(name), float(_of_kind(key, one, float))) for name, one in given.items())


def _count_or_word(key: str, value: object) -> int | str:
    return value if isinstance(value, str) else int(_of_kind(key, value, int))


def _of_kind(key: str, value: object, kind: type) -> float | str:
    """The value of a key, held against the kind it must have."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300:
        if kind is float or (kind is int and value == int(value)):
            return float(value) if kind is float else int(value)
    elif kind in (bool, str) and isinstance(value, bool | str) and isinstance(value, kind):
        return value
    words = {
        float: "a finite number" if isinstance(value, float) else "a number",
        int: "a whole number",
        bool: "true or false",
        str: "text",
    }
    raise SettingError(
        f"`{key}` must be {words[kind]}, not {literal(value)}.{quotes_needed(value) if kind is str else ''}"
    )


def quotes_needed(value: object) -> str:
    """What to do about a value that is no text: YAML takes no for false, and 1 for a number.

    >>> quotes_needed(False), quotes_needed(None)
    (' Put it in quotation marks.', '')
    """
    return "" if value is None or isinstance(value, list | tuple | Mapping) else " Put it in quotation marks."


def checked_requirements(given: object) -> tuple[Requirement, ...]:
    """Requirements given as text, as entries or made already.

    >>> [one.at_least for one in checked_requirements("accuracy >= 0.9")]
    [0.9]
    """
    several = [given] if isinstance(given, str | Mapping | Requirement) else given
    if not isinstance(several, Iterable) or getattr(several, "ndim", 1) != 1:
        raise SettingError(f"`require` must be requirements, for example accuracy >= 0.9, not {literal(given)}.")
    return tuple(_requirement(one) for one in several)


def _requirement(one: object) -> Requirement:
    from adjudge.evaluation.gates.requirement_text import parsed

    if isinstance(one, Requirement):
        return one
    if isinstance(one, Mapping):
        return requirement_of(one)
    if isinstance(one, str):
        return parsed(one)
    raise SettingError(f"`require` must be requirements, for example accuracy >= 0.9, not {literal(one)}.")
