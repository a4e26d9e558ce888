"""The settings every evaluation shares, checked once."""

from __future__ import annotations

import math
import platform
from collections.abc import Iterable, Mapping
from typing import Any, SupportsFloat

import numpy as np

from adjudge import __version__
from adjudge.engines import base
from adjudge.errors import SettingError, literal, quoted
from adjudge.evaluation.asking.arguments import FORMS, shown
from adjudge.inference.resampling import Bootstrap

Progress = base.Progress  # what, how much more, of how much (0: unknown)


def checked_form(name: str, form: str, value: object) -> object:
    """What was given beside the settings of a task, where it has the form, one of `FORMS`.

    >>> checked_form("content", "columns", ["text"])
    ['text']
    """
    what, check, advice = FORMS[form]
    if (checked := check(value)) is None:
        raise SettingError(f"`{name}` must be {what}, not {shown(value)}. {advice}")
    return checked


def number_setting(setting: str, value: object) -> float:
    """A setting that must be a number."""
    try:
        if isinstance(value, (int, float, np.number)):
            return float(value)
    except OverflowError:  # a whole number beyond any float
        pass
    raise SettingError(f"`{setting}` must be a number, not {literal(value)}.")


def finite_setting(setting: str, value: object) -> float:
    """A setting that must be a number, neither a truth value nor infinite.

    >>> finite_setting("part", 0.25)
    0.25
    """
    number = math.nan if isinstance(value, bool) else number_setting(setting, value)
    if not math.isfinite(number):
        raise SettingError(f"`{setting}` must be a number, not {literal(value)}.")
    return number


def named_numbers(setting: str, given: Mapping[str, object] | Iterable[str] | None) -> dict[str, float]:
    """Numbers by name, from a mapping or from NAME=NUMBER texts."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        texts = checked_form(setting, "words", given)
        given = dict(text.partition("=")[::2] for text in (texts if isinstance(texts, list) else [str(texts)]))
    numbers = {}
    for column, value in given.items():
        name = str(checked_form(setting, "column", column))
        try:
            numbers[name] = float(value if isinstance(value, (str, SupportsFloat)) else "")
        except (TypeError, ValueError, OverflowError):
            written = value if isinstance(value, str) else literal(value)
            raise SettingError(
                f"`{setting}` must be given as NAME=NUMBER, not as {quoted(f'{name}={written}')}."
            ) from None
        if not math.isfinite(numbers[name]):
            raise SettingError(f"`{setting}` must be finite numbers, but {quoted(name)} is {literal(value)}.")
    return numbers


# `Any`: `Bootstrap` refuses what is no whole number.
def bootstrap_settings(replicates: Any, seed: Any, kind: str) -> Bootstrap:
    """How replicates are drawn; NumPy's whole numbers count as whole numbers."""
    count, start = (int(value) if isinstance(value, np.integer) else value for value in (replicates, seed))
    return Bootstrap(count, start, kind)


def versions() -> dict[str, str]:
    """What the numbers were made with."""
    import scipy

    return {
        "adjudge": __version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "python": platform.python_version(),
    }
