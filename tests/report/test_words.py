"""Rounding follows the interval; nothing prints as nan or minus zero; labels are made visible."""

from __future__ import annotations

import math

import pytest

from adjudge.inference.resampling import KINDS, Bootstrap
from adjudge.metrics import catalogue
from adjudge.report import words

NAN = math.nan


@pytest.mark.parametrize(
    ("value", "low", "high", "shown"),
    [
        (0.87654, 0.8512, 0.9018, "0.877"),
        (0.87654, 0.7, 1.0, "0.88"),
        (0.5, 0.4, 0.6, "0.50"),
        (0.9, 0.85, 0.95, "0.900"),
        (0.123456789, 0.12345, 0.12347, "0.123457"),
        (0.5, 0.4999999999, 0.5000000001, "0.500000"),
        (1234.5, 1000.0, 1500.0, "1,234"),
        (551.333, None, None, "551.3"),
        (200.0, None, None, "200"),
        (-0.00004, -0.02, 0.02, "0.000"),
        (-0.0, None, None, "0.000"),
        (0.5, None, None, "0.500"),
        (0.5, 0.5, 0.5, "0.500"),
        (0.000012, None, None, "0.000012"),
        (0.7, 0.6, None, "0.70"),
        (0.7, NAN, NAN, "0.700"),
        (None, None, None, "undefined"),
        (NAN, 0.1, 0.2, "undefined"),
        (math.inf, None, None, "∞"),
        (-math.inf, None, None, "−∞"),
    ],
)
def test_number(value: float | None, low: float | None, high: float | None, shown: str) -> None:
    assert words.number_text(value, low, high) == shown


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (0.8512, 0.9018, "[0.851, 0.902]"),
        (-0.0001, 0.4, "[0.00, 0.40]"),
        (0.0, math.inf, "[0.000, ∞]"),
        (None, None, "no interval"),
        (NAN, NAN, "no interval"),
        (0.1, None, "[0.100, undefined]"),
    ],
)
def test_interval(low: float | None, high: float | None, shown: str) -> None:
    assert words.interval_text(low, high) == shown


def test_an_estimate_and_its_interval_have_the_same_decimals() -> None:
    assert words.number_text(0.9052, 0.8999, 0.9105) == "0.9052"
    assert words.interval_text(0.8999, 0.9105, 0.9052) == "[0.8999, 0.9105]"


def test_every_method_of_the_catalogue_has_a_name() -> None:
    used = {method for metric in catalogue.every() for method in metric.intervals}
    used |= {Bootstrap(kind=kind).method for kind in KINDS}
    assert sorted(used - set(words.METHODS)) == []


@pytest.mark.parametrize("name", list(words.METHODS))
def test_a_methods_name_is_for_readers(name: str) -> None:
    assert words.method_name(name)
    assert "_" not in words.method_name(name)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\tb\x00", "a\\tb\\x00"),
        ("\u202eevil", "\\u202eevil"),
        ("\ud800", "\\ud800"),
        ("a\u2028b", "a\\u2028b"),
        ("日本 👩\u200d🔬", "日本 👩\u200d🔬"),
        ("no\xa0break", "no break"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert words.visible(text) == shown
    words.visible(text).encode()


def test_visible_cuts_a_very_long_label() -> None:
    assert len(words.visible("x" * 10**6)) == 120
    assert len(words.visible("\x00" * 10**6)) == 120
