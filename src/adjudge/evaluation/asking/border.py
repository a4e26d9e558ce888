"""The border of public functions: what is of no kind that the annotation of an argument names is refused at once."""

from __future__ import annotations

import functools
import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import ParamSpec, TypeVar

import numpy as np

from adjudge.data.arrays import is_listed
from adjudge.errors import SettingError, literal, within_memory

P = ParamSpec("P")
R = TypeVar("R")
Check = Callable[[object], bool]

# The kinds that an annotation may name, in words, and which values are of them. Whatever else it names is a class.
KINDS: dict[str, tuple[str, Check]] = {
    "bool": ("true or false", lambda value: isinstance(value, (bool, np.bool_))),
    "int": ("a whole number", lambda value: _is_number(value, (int, np.integer)) and not isinstance(value, bool)),
    "float": ("a number", lambda value: _is_number(value, (int, float, np.integer, np.floating))),
    "str": ("a text", lambda value: isinstance(value, str)),
    "os.PathLike": ("a path", lambda value: isinstance(value, os.PathLike)),
    "Mapping": ("a dictionary", lambda value: isinstance(value, Mapping)),
    "Sequence": ("a list", is_listed),
    "Iterable": ("a list", lambda value: isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))),
    "NDArray": ("an array", lambda value: isinstance(value, np.ndarray)),
    "None": ("left out", lambda value: value is None),
}
MOST_WHOLE = 2**63  # beyond which a whole number is none that anything counts
_PARTS = re.compile(r" \| (?![^\[]*\])")  # what stands between kinds, not within brackets


def bordered(function: Callable[P, R]) -> Callable[P, R]:
    """Refuse arguments that are of no kind their annotation names, and memory that is not there, in a sentence.

    >>> @bordered
    ... def first(text: str, rows: int = 1) -> str:
    ...     return text[:rows]
    >>> first("ab"), first("ab", rows=2)
    ('a', 'ab')
    >>> first("ab", rows="2")
    Traceback (most recent call last):
    adjudge.errors.SettingError: `rows` must be a whole number, not '2'.
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checking(*given: P.args, **named: P.kwargs) -> R:
        for name, value in signature.bind(*given, **named).arguments.items():
            kinds = _kinds(function, name)
            if kinds and not any(check(value) for _, check in kinds):
                words = " or ".join(dict.fromkeys(word for word, _ in kinds))
                raise SettingError(f"`{name}` must be {words}, not {literal(value)}.")
        with within_memory("what was given"):
            return function(*given, **named)

    return checking


def _is_number(value: object, kinds: tuple[type, ...]) -> bool:
    return isinstance(value, kinds) and not (isinstance(value, int) and abs(value) >= MOST_WHOLE)


@functools.cache
def _kinds(function: Callable[..., object], argument: str) -> tuple[tuple[str, Check], ...]:
    """The kinds that an argument may be; none where it may be anything, or several of them."""
    parameter = inspect.signature(function).parameters[argument]
    parts = _PARTS.split(str(function.__annotations__.get(argument, "object")))
    several = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    known = [_kind(part.partition("[")[0], function) for part in parts]
    return () if several or None in known else tuple(kind for kind in known if kind is not None)


def _kind(name: str, function: Callable[..., object]) -> tuple[str, Check] | None:
    if name in KINDS:
        return KINDS[name]
    named = getattr(function, "__globals__", {}).get(name)
    if isinstance(named, type) and named.__module__ != "typing":
        return f"of the type {name}", lambda value: isinstance(value, named)
    return KINDS["NDArray"] if getattr(named, "__origin__", None) is np.ndarray else None
