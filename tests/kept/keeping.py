"""Texts of our own output that are kept: how numbers are written in them, and how they are held to what was."""

from __future__ import annotations

import os
import re
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.kept import cases

KEPT = Path(__file__).with_name("texts")
MOST = 12
"""Of a longer list of numbers so many are kept, evenly spaced."""
DIGITS, CLOSE, ROUNDING = 5, 1.1e-4, 1e-12


def kept(file: Path, made: str) -> str:
    """What a file keeps; with ADJUDGE_SNAPSHOT=write it is written anew, and the difference is to be read."""
    if os.environ.get("ADJUDGE_SNAPSHOT") == "write":
        file.write_text(made.rstrip("\n") + "\n", encoding="utf-8")
    return file.read_text(encoding="utf-8")


def hold(name: str, made: str) -> None:
    """Hold a text to the one that is kept, word by word, with numbers as close as machines are to each other."""
    file = KEPT / f"{name.replace(' ', '_').replace(',', '')}.txt"
    for line, was in zip(made.splitlines(), kept(file, made).splitlines(), strict=True):
        assert words(line) == pytest.approx(words(was), rel=CLOSE, nan_ok=True) if line != was else True


def words(text: str) -> list[str | float]:
    """Words and numbers, without what stands between them."""

    def word(one: str) -> str | float:
        try:
            return float(one)
        except ValueError:
            return one

    return [word(one) for one in re.split(r"[\s,;=\[\]]+", text)]


def told(value: object) -> str:
    """A number in five digits, so that the last bits of another machine are the same; a long list by some of it."""
    if isinstance(value, float):
        return f"{0.0 if abs(value) < ROUNDING else value:.{DIGITS}g}"
    if isinstance(value, list | tuple):
        numbers = all(isinstance(one, int | float | None) for one in value)
        if numbers and len(value) > MOST:
            some = [value[round(place)] for place in np.linspace(0, len(value) - 1, MOST)]
            return f"{len(value)}: {' '.join(map(told, some))}"
        return " ".join(map(told, value)) if numbers else "; ".join(map(told, value))
    if is_dataclass(value):
        parts = ((field.name, getattr(value, field.name)) for field in fields(value))
        some = [(name, part) for name, part in parts if name != "note" and part not in (None, "", [], (), False)]
        return ", ".join(f"{name}={told(part)}" for name, part in some)
    return str(value)


@cache
def evaluated(name: str) -> Any:
    """Each table is evaluated once."""
    return cases.evaluated(name)
