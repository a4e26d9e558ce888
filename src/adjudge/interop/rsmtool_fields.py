"""How RSMTool's configuration files are written: JSON with comments, numbers and booleans also as text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import SupportsFloat

from adjudge.data.values import whole_in
from adjudge.errors import InputError, SettingError, quoted

COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def parsed_json(text: str, name: str = "the configuration") -> dict[str, object]:
    """A JSON object that may hold comments.

    >>> parsed_json('{"a": "http://b", // one\\n "c": /* two */ 3}')
    {'a': 'http://b', 'c': 3}
    """
    plain = COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else _blank(match[0]), text)
    try:
        given = _loaded(plain, name)
    except json.JSONDecodeError as error:
        try:  # RSMTool also takes Python's way of writing a dictionary
            python = re.sub(r"\bTrue\b", "true", re.sub(r"\bFalse\b", "false", plain)).replace("'", '"')
            given = _loaded(python, name)
        except json.JSONDecodeError:
            raise InputError(
                f"{quoted(name)} must hold one JSON object, but line {error.lineno}, column {error.colno}: {error.msg}."
            ) from None
    if not isinstance(given, dict):
        raise InputError(f"{quoted(name)} must hold one JSON object, but it holds a {type(given).__name__}.")
    return given


def _loaded(text: str, name: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_int=whole_in)
    except RecursionError:
        raise InputError(f"{quoted(name)} must hold one JSON object, but it is nested too deeply.") from None


def _blank(comment: str) -> str:
    """As many line ends as the comment had, so that messages name the right line."""
    return " " + "\n" * comment.count("\n")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields: dict[str, object] = {}
    for name, value in pairs:
        if name in fields:
            raise SettingError(
                f"{quoted(name)} must be given once, but the configuration gives it twice. Leave one out."
            )
        fields[name] = value
    return fields


@dataclass(frozen=True)
class Fields:
    """The values by field, read as what they should be."""

    values: Mapping[str, object]

    def text(self, name: str) -> str:
        """A text that is not empty."""
        value = self.values[name]
        if not isinstance(value, str) or not value.strip():
            raise SettingError(f"`{name}` must be a text, not {json_text(value)}.")
        return value

    def text_or_none(self, name: str) -> str | None:
        """A text, or nothing."""
        return None if is_blank(self.values[name]) else self.text(name)

    def texts(self, name: str) -> list[str] | None:
        """A list of texts, also as one text with commas."""
        value = self.values[name]
        if value is None:
            return None
        parts = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
        if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
            raise SettingError(f"`{name}` must be a list of texts, or one text with commas, not {json_text(value)}.")
        return [part for part in parts if part]

    def truth(self, name: str) -> bool:
        """true or false, also as text."""
        value = self.values[name]
        word = str(value).strip().casefold() if isinstance(value, bool | str) else ""
        truth = {"true": True, "false": False}.get(word)
        if truth is None:
            raise SettingError(f"`{name}` must be true or false, not {json_text(value)}.")
        return truth

    def number(self, name: str) -> float:
        """A finite number, also as text."""
        value = self.values[name]
        number = math.nan
        if isinstance(value, str | SupportsFloat) and not isinstance(value, bool):
            with suppress(TypeError, ValueError, OverflowError):
                number = float(value)
        if not math.isfinite(number):
            raise SettingError(f"`{name}` must be a number, not {json_text(value)}.")
        return number

    def whole(self, name: str, least: int = 0) -> int | None:
        """A whole number, or nothing."""
        if is_blank(self.values[name]):
            return None
        whole = self.number(name)
        if whole != int(whole) or whole < least:
            raise SettingError(
                f"`{name}` must be a whole number of at least {least}, not {json_text(self.values[name])}."
            )
        return int(whole)


def is_blank(value: object) -> bool:
    """Whether a field is left open.

    >>> is_blank(None), is_blank(""), is_blank([])
    (True, True, False)
    """
    return value is None or (isinstance(value, str) and not value)


def json_text(value: object) -> str:
    """A value of the configuration in a message.

    >>> json_text(["a", 1]), json_text(None)
    ('["a", 1]', 'null')
    """
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except Exception:  # an integer of 5,000 digits, odd keys, lists in lists in lists
        return quoted(value)
    return text if len(text) <= 60 else text[:57] + "..."
