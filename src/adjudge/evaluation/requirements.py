"""What must hold for a release: requirements as data, from a file or from one line of text."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from adjudge.errors import SettingError, did_you_mean, listed, literal, quoted
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.catalogue import parse

Claim = Literal["not_worse", "better", "same"]
Undecided = Literal["block", "allow", "warn"]


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
    every: str | None = None
    gap: str | None = None
    category: str | None = None
    confidence: float = 0.95
    false_alarm: float = 0.05
    minimum_n: int = 30
    undecided: Undecided | None = None
    must: bool = True
    anyway: bool = False
    name: str = ""
    owner: str = ""
    reason: str = ""
    link: str = ""

    def __post_init__(self) -> None:
        """Refuse what makes no sense before any data are read."""
        _check_bounds(self)
        _check_words(self)
        for name, low in (("confidence", 0.5), ("false_alarm", 0.0)):
            if not low < getattr(self, name) < (1.0 if name == "confidence" else 0.5):
                upper = 1 if name == "confidence" else 0.5
                shown = literal(getattr(self, name))
                raise SettingError(f"`{name}` must lie between {low:g} and {upper:g}, not {shown}.")
        if self.minimum_n < 0:
            raise SettingError(f"`minimum_n` must not be negative, but it is {literal(self.minimum_n)}.")

    @property
    def measured(self) -> Metric:
        """The metric that is meant."""
        return parse(self.metric)

    @property
    def blocks(self) -> bool:
        """Whether an undecided requirement stops the release: of all rows it does, of each slice it is a warning."""
        return (self.undecided or ("warn" if self.every else "block")) == "block"

    @property
    def title(self) -> str:
        """The name it was given, or the requirement as text."""
        return self.name or self.text

    @property
    def text(self) -> str:
        """The requirement on one line, as `parsed` reads it."""
        what = f"gap({self.metric}, {_word(self.gap)})" if self.gap else self.metric
        what += f"[{_word(self.category)}]" if self.category is not None else ""
        what += f" of {_word(self.system)}" if self.system is not None else ""
        each = f"every {_word(self.every)}: " if self.every else ""
        where = ""
        if self.slice is not None:
            column, _, value = self.slice.partition(" = ")
            where = f" where {_word(column)} = {_word(value)}"
        return f"{each}{what} {self._bound()}{where}"

    def _bound(self) -> str:
        if self.versus is None:
            sides = ((">=", self.at_least), ("<=", self.at_most))
            return " and ".join(f"{sign} {value:g}" for sign, value in sides if value is not None)
        higher = self.measured.direction is Direction.HIGHER
        sign = "+" if (self.claim == "better") == higher else "-"
        amount = f"{100 * self.margin:g}%" if self.relative else f"{self.margin:g}"
        return f"{'>=' if higher else '<='} {_word(self.versus)}" + (f" {sign} {amount}" if self.margin else "")


KEYS = tuple(field.name for field in fields(Requirement))
_KINDS = {"float | None": float, "float": float, "int": int, "bool": bool, "str": str, "str | None": str}


def requirement_of(entry: Mapping[str, Any]) -> Requirement:
    """A requirement from an entry of a file. `between = [low, high]` is both bounds.

    >>> requirement_of({"metric": "accuracy", "between": [0.8, 0.9]}).at_most
    0.9
    """
    given = dict(entry)
    if "between" in given:
        given |= _both_ends(given.pop("between"))
    for key in given:
        if key not in KEYS:
            raise SettingError(f"A requirement has no key {quoted(key)}. {did_you_mean(str(key), [*KEYS, 'between'])}")
    if "metric" not in given:
        raise SettingError(f"A requirement must name its `metric`, but it has only {listed(given)}.")
    kinds = {field.name: _KINDS.get(str(field.type), str) for field in fields(Requirement)}
    return Requirement(**{key: _of_kind(key, value, kinds[key]) for key, value in given.items()})


def _both_ends(between: Any) -> dict[str, Any]:
    if not (isinstance(between, list | tuple) and len(between) == 2):
        raise SettingError(f"`between` must be two numbers, for example [0.8, 0.9], not {literal(between)}.")
    return {"at_least": between[0], "at_most": between[1]}


def _of_kind(key: str, value: Any, kind: type) -> Any:
    """The value of a key, held against the kind it must have."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is float and number and math.isfinite(value):
        return float(value)
    if kind is int and number and value == int(value):
        return int(value)
    if kind in (bool, str) and isinstance(value, kind):
        return value
    words = {float: "a number", int: "a whole number", bool: "true or false", str: "text"}
    raise SettingError(f"`{key}` must be {words[kind]}, not {literal(value)}.")


def _check_bounds(r: Requirement) -> None:
    """One kind of bound, and on the side that the metric is good at."""
    bounded = r.at_least is not None or r.at_most is not None
    if bounded == (r.versus is not None):
        needs = "either a bound (`at_least`, `at_most`, `between`) or `versus`, another system"
        raise SettingError(f"The requirement of {r.metric} must have {needs}, not {'both' if bounded else 'neither'}.")
    if r.at_least is not None and r.at_most is not None and r.at_least > r.at_most:
        raise SettingError(f"`between` must be a low and a high number, not {r.at_least:g} and {r.at_most:g}.")
    if r.margin < 0:
        raise SettingError(f"`margin` must be at least 0, not {literal(r.margin)}: `claim` says in which direction.")
    if r.versus is not None and r.margin == 0 and r.claim == "same":
        raise SettingError("`margin` must be above 0 for the claim that two systems are the same.")
    if r.every and (r.slice or r.gap):
        raise SettingError("`every` names the slices itself: leave out `slice` and `gap`.")
    metric = r.measured
    wrong = {Direction.HIGHER: r.at_most, Direction.LOWER: r.at_least}.get(metric.direction)
    other = r.at_least if metric.direction is Direction.HIGHER else r.at_most
    if wrong is not None and other is None and not r.anyway and not r.gap:
        side, sign = ("higher", ">=") if metric.direction is Direction.HIGHER else ("lower", "<=")
        raise SettingError(
            f"{r.metric} is better when {side}: write {sign}, or `anyway = true` if the other bound is meant."
        )


def _check_words(r: Requirement) -> None:
    for name, allowed in (("claim", get_args(Claim)), ("undecided", (*get_args(Undecided), None))):
        if getattr(r, name) not in allowed:
            known = [word for word in allowed if word is not None]
            raise SettingError(f"`{name}` must be one of {listed(known)}, not {quoted(getattr(r, name))}.")


_WORD = r'(?:"(?:[^"\\]|\\.)*"|[^\s"\[\]():,<>=]+)'
_METRIC = rf"(?P<metric>\w+(?:\([^()]*\))?)(?:\s*\[\s*(?P<category>{_WORD})\s*\])?"
_LEFT = re.compile(
    rf"^(?:gap\(\s*(?P<of>\w+(?:\([^()]*\))?)\s*,\s*(?P<gap>{_WORD})\s*\)|{_METRIC})(?:\s+of\s+(?P<system>{_WORD}))?$"
)
_EVERY = re.compile(rf"^every\s+(?P<every>{_WORD})\s*:\s*")
_WHERE = re.compile(rf"\s+where\s+(?P<column>{_WORD})\s*=\s*(?P<value>{_WORD})\s*$")
_NUMBER = re.compile(r"^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$")
_VERSUS = re.compile(rf"^(?P<versus>{_WORD})(?:\s*(?P<sign>[+-])\s*(?P<margin>\d+\.?\d*|\.\d+)\s*(?P<percent>%)?)?$")
_SIGN = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^"<>])*?(?P<sign>[<>]=?)')
EXAMPLES = 'for example: accuracy >= 0.9, recall[spam] >= 0.8 where language = "de", accuracy of new >= old - 0.01'


def parsed(text: str) -> Requirement:
    """A requirement from one line.

    `[every COLUMN:] METRIC[[CATEGORY]] [of SYSTEM] >= NUMBER | SYSTEM [- NUMBER[%]] [where COLUMN = VALUE]`

    >>> parsed("every language: recall[spam] >= 0.8").every
    'language'
    >>> parsed("accuracy of new >= old - 0.01").margin
    0.01
    """
    rest, given = text.strip(), dict[str, Any]()
    if match := _EVERY.match(rest):
        given["every"], rest = _plain(match["every"]), rest[match.end() :]
    if match := _WHERE.search(rest):
        given["slice"] = f"{_plain(match['column'])} = {_plain(match['value'])}"
        rest = rest[: match.start()]
    sign = _SIGN.match(rest)
    if sign is None:
        raise SettingError(f"A requirement compares with >= or <=, but {quoted(text)} does not; {EXAMPLES}.")
    if sign["sign"] in "<>":
        raise SettingError(f"Write {sign['sign']}= in {quoted(text)}: a limit that is reached counts as met.")
    left, right = rest[: sign.start("sign")].strip(), rest[sign.end("sign") :].strip()
    return Requirement(**given | _left(left, text) | _right(right, sign["sign"], left, text))


def _left(left: str, text: str) -> dict[str, Any]:
    match = _LEFT.match(left)
    if match is None:
        raise SettingError(f"What is required must be a metric, not {quoted(left)} in {quoted(text)}; {EXAMPLES}.")
    parts = {key: _plain(match[key]) for key in ("gap", "category", "system") if match[key] is not None}
    return {"metric": match["of"] or match["metric"], **parts}


def _right(right: str, sign: str, left: str, text: str) -> dict[str, Any]:
    if _NUMBER.match(right):
        return {"at_least" if sign == ">=" else "at_most": float(right)}
    match = _VERSUS.match(right)
    if match is None:
        raise SettingError(
            f"The bound must be a number, or a system and what it may differ by, not {quoted(right)} in {quoted(text)}."
        )
    margin = float(match["margin"] or 0) / (100 if match["percent"] else 1)
    # new >= old - m allows a loss, new >= old + m asks for a gain; of what is better when lower, the other way round
    gains = (match["sign"] == "+") == (sign == ">=") or margin == 0
    versus = {"versus": _plain(match["versus"]), "margin": margin, "relative": match["percent"] is not None}
    return {**versus, "claim": "better" if gains else "not_worse"}


def _plain(word: str) -> str:
    return re.sub(r"\\(.)", r"\1", word[1:-1]) if word.startswith('"') else word


def _word(word: str | None) -> str:
    """A name as it is written in a requirement: in quotes where it is not one plain word."""
    word = "" if word is None else word
    if re.fullmatch(_WORD, word) and not _NUMBER.match(word) and '"' not in word:
        return word
    return '"' + re.sub(r'(["\\])', r"\\\1", word) + '"'
