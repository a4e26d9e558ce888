"""A requirement on one line of text: read, and written as it is read."""

from __future__ import annotations

import re

from adjudge.errors import SettingError, check_length, quoted
from adjudge.evaluation.gates.requirements import Requirement, requirement_of
from adjudge.metrics.base import Direction
from adjudge.metrics.in_use import COLUMNS
from adjudge.metrics.intervals import Quantity

_WORD = r'(?:"(?:[^"\\]|\\.)*"|[^\s"\[\]():,<>=]+)'
_NAME = r"\w+(?:\([^()]*\))?"
_USED = "|".join(sorted(COLUMNS, key=len, reverse=True))
_COLUMNS = rf"{_WORD}(?:\s*,\s*{_WORD})*"
_LEFT = re.compile(
    rf"^(?:gap\(\s*(?P<of>{_NAME})(?:\s*\[\s*(?P<part>{_WORD})\s*\])?\s*,\s*(?P<gap>{_WORD})\s*\)"
    rf"|(?P<plain>p(?P<percent>\d+(?:\.\d+)?)|(?:{_USED})(?:\([^()]*\))?)\(\s*(?P<column>{_COLUMNS})"
    rf"(?:\s+by\s+(?P<by>{_WORD}))?(?:\s+from\s+(?P<from>{_WORD})\s*=\s*(?P<was>{_WORD}))?\s*\)"
    rf"|(?P<metric>{_NAME})(?:\s*\[\s*(?P<category>{_WORD})\s*\])?)"
    rf"(?:\s+of\s+(?P<system>{_WORD}))?(?:\s+against\s+(?P<against>{_WORD}))?$"
)
_EVERY = re.compile(rf"^every\s+(?P<every>{_WORD})\s*:\s*")
_WHERE = re.compile(rf"\s+where\s+(?P<column>{_WORD})\s*=\s*(?P<value>{_WORD})\s*$")
_DIGITS = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_NUMBER = re.compile(rf"^[+-]?(?:{_DIGITS}|(?i:nan|inf|infinity))$")  # the last are refused as bounds
_PERCENT = re.compile(rf"^(?P<number>[+-]?{_DIGITS})\s*%$")
_VERSUS = re.compile(rf"^(?P<versus>{_WORD})(?:\s*(?P<sign>[+-])\s*(?P<margin>{_DIGITS})\s*(?P<percent>%)?)?$")
_BETWEEN = re.compile(rf"^(?P<left>.*?)\s+between\s+(?P<low>[+-]?{_DIGITS})\s+and\s+(?P<high>[+-]?{_DIGITS})$")
_WITHIN = re.compile(rf"^(?P<left>.*?)\s+within\s+(?P<margin>{_DIGITS})\s*(?P<percent>%)?\s+of\s+(?P<versus>{_WORD})$")
_SIGN = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^"<>])*?(?P<sign>[<>]=?)')
NAMES = " (a name with a blank stands in double quotes)"
EXAMPLES = "for example: accuracy >= 0.9, every language: recall[spam] >= 0.8, accuracy of new >= old - 0.01"


def parsed(text: str) -> Requirement:
    """A requirement from one line.

    `[every COLUMN:] METRIC[[CATEGORY]] [of SYSTEM] >= NUMBER | SYSTEM [- NUMBER[%]] [where COLUMN = VALUE]`

    >>> parsed("every language: recall[spam] >= 0.8").every
    ('language',)
    >>> parsed("accuracy of new >= old - 0.01").margin
    0.01
    >>> parsed("p95(latency_ms) <= 800").metric
    'quantile(0.95)'
    """
    check_length(text, "A requirement")
    rest, given = text.strip(), dict[str, object]()
    if match := _EVERY.match(rest):
        given["every"], rest = (_plain(match["every"]),), rest[match.end() :]
    if match := _WHERE.search(rest):
        given["slice"] = f"{_plain(match['column'])} = {_plain(match['value'])}"
        rest = rest[: match.start()]
    if match := _BETWEEN.match(rest):
        ends = {"at_least": float(match["low"]), "at_most": float(match["high"])}
        return requirement_of(given | _left(match["left"], text) | ends)
    if match := _WITHIN.match(rest):
        same = {"versus": _plain(match["versus"]), "claim": "same", **_margin(match)}
        return requirement_of(given | _left(match["left"], text) | same)
    sign = _SIGN.match(rest)
    if sign is None:
        raise SettingError(f"A requirement must compare with >= or <=, but {quoted(text)} does not; {EXAMPLES}.")
    if sign["sign"] in "<>":
        raise SettingError(
            f"A requirement must be written with >= or <=, not as in {quoted(text)}: "
            f"use {sign['sign']}=, since a bound that is reached counts as met."
        )
    left, right = rest[: sign.start("sign")].strip(), rest[sign.end("sign") :].strip()
    return requirement_of(given | _left(left, text) | _right(right, sign["sign"], text))


def _left(left: str, text: str) -> dict[str, object]:
    match = _LEFT.match(left.strip())
    if match is None:
        raise SettingError(
            f"What is required must be a metric, not {quoted(left)} in {quoted(text)}{NAMES * (' of ' in left)}; "
            f"{EXAMPLES}."
        )
    parts: dict[str, object] = {key: _plain(match[key]) for key in ("gap", "category", "system", "by") if match[key]}
    if match["column"]:
        parts["column"] = tuple(_plain(one) for one in re.findall(_WORD, match["column"]))
    if match["from"]:
        parts["original"] = f"{_plain(match['from'])} = {_plain(match['was'])}"
    if match["part"]:
        parts["category"] = _plain(match["part"])
    if match["against"]:
        parts["versus"] = _plain(match["against"])
    if match["percent"]:
        return {"metric": _percentile(match["percent"]), **parts}
    return {"metric": match["of"] or match["plain"] or match["metric"], **parts}


def _percentile(percent: str) -> str:
    """The metric that p95 is; of p0.95, one can only guess that it is the same."""
    if float(percent) < 1 and "." in percent:
        raise SettingError(
            f"A percentile must be written in percent, such as p95, not as p{percent}. Write "
            f"p{100 * float(percent):g}, or quantile({float(percent) / 100:g}) for one that small."
        )
    return f"quantile({float(percent) / 100:.10g})"


def _right(right: str, sign: str, text: str) -> dict[str, object]:
    if _NUMBER.match(right):
        return {"at_least" if sign == ">=" else "at_most": float(right)}
    if percent := _PERCENT.match(right):
        raise SettingError(
            f"The bound must be a number, not a percentage as in {quoted(text)}. Write "
            f"{float(percent['number']) / 100:g} for {percent['number']} %."
        )
    match = _VERSUS.match(right)
    if match is None:
        raise SettingError(
            f"The bound must be a number, or a system and what it may differ by, not {quoted(right)} in "
            f"{quoted(text)}; {EXAMPLES}."
        )
    margin = _margin(match)
    # new >= old - m allows a loss, new >= old + m asks for a gain; of what is better when lower, the other way round
    gains = (match["sign"] == "+") == (sign == ">=") or margin["margin"] == 0
    return {"versus": _plain(match["versus"]), **margin, "claim": "better" if gains else "not_worse"}


def _margin(match: re.Match[str]) -> dict[str, object]:
    percent = match["percent"] is not None
    return {"margin": float(match["margin"] or 0) / (100 if percent else 1), "relative": percent}


def written(requirement: Requirement) -> str:
    """The requirement as `parsed` reads it.

    >>> written(parsed('every "my column": recall[spam] of new >= 0.8'))
    'every "my column": recall[spam] of new >= 0.8'
    """
    r = requirement
    part = f"[{word(r.category)}]" if r.category is not None else ""
    metric = r.metric if r.average is None or r.measured is None else repr(r.measured)
    what = f"gap({metric}{part}, {word(r.gap)})" if r.gap is not None else f"{metric}{part}"
    if r.column:
        what = _of_columns(r)
    what += f" of {word(r.system)}" if r.system is not None else ""
    each = f"every {', '.join(map(word, r.every))}: " if r.every else ""
    where = ""
    if r.slice is not None:
        column, _, value = r.slice.partition(" = ")
        where = f" where {word(column)} = {word(value)}"
    return f"{each}{what} {_bound(r)}{where}"


def _of_columns(r: Requirement) -> str:
    metric = r.of_column
    share = metric.settings["at"] if metric.quantity is Quantity.QUANTILE else None
    name = repr(metric) if share is None else f"p{100 * share:.10g}"
    by = "" if r.by is None else f" by {word(r.by)}"
    column, _, value = (r.original or "").partition(" = ")
    was = f" from {word(column)} = {word(value)}" if r.original is not None else ""
    return f"{name}({', '.join(map(word, r.column))}{by}{was})"


def _bound(r: Requirement) -> str:
    against = f"against {word(r.versus)} " if r.versus is not None and r.margin == 0 and r.claim != "better" else ""
    if r.at_least is not None and r.at_most is not None:
        return f"{against}between {r.at_least:.10g} and {r.at_most:.10g}"
    if r.at_least is not None or r.at_most is not None:
        return against + (f">= {r.at_least:.10g}" if r.at_least is not None else f"<= {r.at_most:.10g}")
    amount = f"{100 * r.margin:.10g}%" if r.relative else f"{r.margin:.10g}"
    if r.claim == "same":
        return f"within {amount} of {word(r.versus)}"
    higher = r.kind.direction is Direction.HIGHER
    sign = "+" if (r.claim == "better") == higher else "-"
    other = word(r.versus) if r.versus_slice is None else f"that where {r.versus_slice}"
    return f"{'>=' if higher else '<='} {other}" + (f" {sign} {amount}" if r.margin else "")


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text.startswith('"') else text


def word(text: str | None) -> str:
    """A name as it is written in a requirement: in quotes where it is not one plain word.

    >>> word("de"), word("my column"), word("0.5")
    ('de', '"my column"', '"0.5"')
    """
    text = "" if text is None else text
    if re.fullmatch(_WORD, text) and not _NUMBER.match(text) and '"' not in text:
        return text
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'
