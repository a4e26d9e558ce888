"""Odd values of every kind, drawn by a seeded generator: what people and programs put into cells, names and options."""

from __future__ import annotations

import datetime
import decimal
import fractions
import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np

ODD_TEXTS = (
    "",
    " ",
    "NA",
    "None",
    "nan",
    "inf",
    "01",
    "1.0",
    "1",
    "-0",
    "1e400",
    "True",
    "all",
    "(missing)",
    "a × b",
    "x = y",
    "a|b",
    "a,b",
    "a;b",
    'say "hi"',
    "line\nbreak",
    "carriage\rreturn",
    "tab\there",
    "\x00",
    "nul\x00inside",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\u202egnp.exe",
    "\u2066isolate\u2069",
    "zero\u200bwidth",
    "\ufeffmark",
    "\ud800",
    "é",
    "e\u0301",
    "🐸",
    "👨\u200d👩\u200d👧",
    "שלום",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "{{ 7 * 7 }}",
    "[link](javascript:alert(1))",
    "https://example.org/?a=1&b=2",
    "@someone",
    "=1+1",
    "+cmd",
    "-2+3",
    "@SUM(A1)",
    "../../no-such-folder/passwd",
    "C:\\CON",
    "$(id)",
    "%s %d {0}",
    "\\input{x}",
    "[bold]rich[/bold]",
    "9" * 5000,
    "x" * 20_000,
    "[" * 1500,
    '["a", "b"]',
    '{"a": 1}',
    "PER",
    "B-PER",
    "2020-01-01",
)
ODD_NUMBERS: tuple[Any, ...] = (
    0,
    1,
    -1,
    2,
    0.5,
    -0.0,
    100,
    1e-300,
    1e300,
    -1e300,
    1e150,
    5e-324,
    math.nan,
    math.inf,
    -math.inf,
    2**53 + 1,
    2**63,
    2**127,
    10**400,
    10**5000,
    True,
    False,
)
ODD_THINGS: tuple[Callable[[], Any], ...] = (
    lambda: None,
    lambda: decimal.Decimal("sNaN"),
    lambda: decimal.Decimal("NaN"),
    lambda: decimal.Decimal("1e9999"),
    lambda: fractions.Fraction(1, 3),
    lambda: datetime.date(2020, 1, 31),
    lambda: datetime.datetime(2020, 1, 31, 12, tzinfo=datetime.UTC),
    lambda: datetime.timedelta(days=1),
    lambda: b"bytes",
    lambda: b"\xff\xfe",
    lambda: 1 + 2j,
    lambda: np.float32(0.1),
    lambda: np.int8(-3),
    lambda: np.uint64(2**64 - 1),
    lambda: np.datetime64("NaT"),
    lambda: np.str_("np"),
    lambda: np.bool_(True),
    lambda: ["a", 1],
    lambda: {"a", "b"},
    lambda: {"a": {"b": []}},
    lambda: deep(1500),
    lambda: ("PER", 0, 3),
    lambda: np.array([1.0, 2.0]),
    lambda: object,
    lambda: len,
)


def deep(levels: int) -> Any:
    """A list in a list in a list …"""
    value: Any = "bottom"
    for _ in range(levels):
        value = [value]
    return value


def odd_value(random: Random) -> Any:
    """Anything at all."""
    kind = random.random()
    if kind < 0.4:
        return random.choice(ODD_TEXTS)
    return random.choice(ODD_NUMBERS) if kind < 0.75 else random.choice(ODD_THINGS)()


def name(random: Random) -> str:
    """A name of a column or a rater: mostly plain."""
    return random.choice("abcdefgh") if random.random() < 0.8 else random.choice(ODD_TEXTS)


def few(random: Random, count: int, one: Callable[[Random], Any]) -> list[Any]:
    """Several values."""
    return [one(random) for _ in range(count)]


def labels(random: Random) -> Sequence[Any]:
    """The labels of one question: all of one kind, mostly."""
    pools: tuple[Sequence[Any], ...] = (
        ("a", "b"),
        ("a", "b", "c", "d"),
        (0, 1),
        (0.0, 1.0),
        (True, False),
        (1, 2, 3, 4, 5),
        ("0", "1"),
        ("low", "mid", "high"),
        tuple(random.sample(ODD_TEXTS, 4)),
        tuple(f"label {place}" for place in range(random.choice((12, 60)))),
    )
    return random.choice(pools)


def number(random: Random) -> float:
    """A number: usually a decent one."""
    return round(random.random() * random.choice((1, 1, 6, 100)), random.choice((0, 1, 3, 17)))
