"""Numbers that read: as many decimals as the interval supports, and never so few that rounding contradicts a state."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MINUS = "−"
MOST_PLACES = 6


@dataclass(frozen=True, slots=True)
class Unit:
    """How a figure is read: what it is multiplied with, and what stands behind it, behind a difference too."""

    factor: float = 1.0
    suffix: str = ""
    difference: str = ""

    def text(self, value: float | None, places: int, *, signed: bool = False) -> str:
        """A figure with its suffix.

        >>> UNITS["share"].text(0.8675, 1), UNITS["SD"].text(-0.281, 2, signed=True)
        ('86.8 %', '−0.28 SD')
        """
        if value is None or math.isnan(value):
            return "–"
        return number(self.scaled(value), places, signed=signed) + self.suffix

    def change(self, value: float, places: int, *, signed: bool = True) -> str:
        """A difference: of shares in points.

        >>> UNITS["share"].change(0.067, 1), UNITS["share"].change(0.012, 0), UNITS["coefficient"].change(-0.02, 2)
        ('+6.7 points', '+1 point', '−0.02')
        >>> UNITS["share"].change(0.93 - 0.785, 0), UNITS["share"].change(0.145, 0)
        ('+14 points', '+14 points')
        """
        text = number(self.scaled(value), places, signed=signed)
        return text + (self.difference.removesuffix("s") if text.strip(f"+{MINUS}") == "1" else self.difference)

    def span(self, low: float, high: float, places: int, *, signed: bool = False, limits: Iterable[float] = ()) -> str:
        """An interval in brackets, without its level and without a suffix; no end crosses a limit by rounding.

        >>> UNITS["share"].span(0.846, 0.885, 1), UNITS["SD"].span(-0.486, -0.1008, 2, signed=True, limits=[-0.1, 0.1])
        ('[84.6, 88.5]', '[−0.49, −0.101]')
        """
        if math.isnan(low) or math.isnan(high):
            return "no interval"
        judged_by = [self.scaled(limit) for limit in limits]
        ends = (end_text(self.scaled(end), places, judged_by, signed=signed) for end in (low, high))
        return f"[{', '.join(ends)}]"

    def scaled(self, value: float) -> float:
        """A figure in this unit: 57 % is 57, not 56.99999999999999.

        >>> UNITS["share"].scaled(0.57)
        57.0
        """
        return value if self.factor == 1 else float(f"{value * self.factor:.14g}")

    def places(self, low: float, high: float) -> int:
        """How many decimals an interval supports in this unit: see `places`; of a share without one, one of percent."""
        if self.factor != 1 and not high > low:
            return 1
        return places(low * self.factor, high * self.factor)


UNITS = {
    "share": Unit(100.0, " %", " points"),
    "coefficient": Unit(),
    "SD": Unit(1.0, " SD", " SD"),
}


def places(low: float, high: float) -> int:
    """The place of the first digit of half the width, one more where that digit is 1 or 2.

    >>> places(0.6131, 0.6889), places(84.6, 88.5), places(120.0, 480.0)
    (2, 1, 0)
    """
    half = (high - low) / 2
    if not (half > 0 and math.isfinite(half)):
        return 2
    first = -math.floor(math.log10(half * (1 + 1e-9)))
    return min(max(0, first + int(half * 10.0**first < 3 - 1e-9)), MOST_PLACES)


def end_text(end: float, decimals: int, limits: Iterable[float] = (), *, signed: bool = False) -> str:
    """One end of an interval. Where rounding would put it on a limit, or on its other side, it gets one more decimal;
    where that is not enough, it is said to lie above or below the limit.

    >>> end_text(-0.1008, 2, [-0.1]), end_text(0.00003, 3, [0.0]), end_text(0.6999, 2, [0.7]), end_text(0.7, 2, [0.7])
    ('−0.101', '> 0', '< 0.7', '0.70')
    """
    judged_by = [limit + 0.0 for limit in limits if math.isfinite(limit) and limit != end]
    for shown in (decimals, decimals + 1):
        if all(_agrees(end, limit, shown) for limit in judged_by):
            return number(end, shown, signed=signed)
    limit = min(judged_by, key=lambda limit: abs(limit - end))
    written = f"{limit:.12f}".rstrip("0").rstrip(".").partition(".")[2]
    return f"{'>' if end > limit else '<'} {number(limit, len(written))}"


def _agrees(end: float, limit: float, decimals: int) -> bool:
    """Whether an end that is rounded lies on the same side of a limit."""
    shown = round(end, decimals)
    return (end < limit) == (shown < limit) and (end > limit) == (shown > limit)


def estimate_text(value: float, decimals: int, limits: Iterable[float] = (), *, signed: bool = False) -> str:
    """An estimate, with one more decimal where rounding would put it on a limit, or on its other side.

    >>> estimate_text(-0.1034, 2, [-0.1, 0.1]), estimate_text(-0.29, 2, [-0.1, 0.1]), estimate_text(0.1, 2, [0.1])
    ('−0.103', '−0.29', '0.10')
    """
    judged_by = [limit for limit in limits if math.isfinite(limit) and limit != 0]
    return number(value, agreeing(value, decimals, judged_by), signed=signed)


def agreeing(value: float, decimals: int, limits: Sequence[float], more: int = 1) -> int:
    """The decimals, or up to so many more, with which a rounded value lies on its side of every limit.

    >>> agreeing(0.8997, 2, [0.9]), agreeing(0.8997, 2, [0.9], more=9), agreeing(0.93, 2, [0.9])
    (2, 4, 2)
    """
    enough = (n for n in range(decimals, decimals + more + 1) if all(_agrees(value, limit, n) for limit in limits))
    return next(enough, decimals)


def shared_places(spans: Sequence[tuple[float, float]], unit: Unit) -> int:
    """The decimals of a column: those that most of its rows support."""
    known = [unit.places(low, high) for low, high in spans if math.isfinite(low) and math.isfinite(high)]
    return max(known, key=known.count) if known else unit.places(math.nan, math.nan)


def number(value: float, decimals: int, *, signed: bool = False) -> str:
    """A number with thousands parted, a true minus, and no sign on what rounds to zero.

    >>> number(1234.5, 0), number(-0.281, 2), number(0.067, 2, signed=True), number(-0.001, 2, signed=True)
    ('1,234', '−0.28', '+0.07', '0.00')
    """
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    if abs(value) >= 1e15:
        return f"{value:.3e}".replace("-", MINUS)
    text = f"{abs(value):,.{decimals}f}"
    if not text.strip("0.,"):
        return text
    return (MINUS if value < 0 else "+" if signed else "") + text


def percent_of(probability: float, decimals: int = 0) -> str:
    """A probability in whole percent, or with more decimals; one above 99 and below 1, and never 0 or 100.

    >>> percent_of(0.166), percent_of(0.9981), percent_of(0.005), percent_of(0.0), percent_of(1.0)
    ('17 %', '99.8 %', '0.5 %', '< 0.1 %', '> 99.9 %')
    """
    least = 0.001
    if probability < least:
        return f"< {100 * least:g} %"
    if probability > 1 - least:
        return f"> {100 * (1 - least):g} %"
    return f"{100 * probability:.{max(decimals, int(not 0.01 <= probability <= 0.99))}f} %"


def chance_text(chance: float) -> str:
    """The chance of what is planned, in percent with one decimal; 0 only where it cannot happen.

    >>> chance_text(0.8333), chance_text(0.99999), chance_text(1e-9), chance_text(0.0)
    ('83.3 %', '> 99.9 %', '< 0.1 %', '0 %')
    """
    return percent_of(chance, 1) if chance else "0 %"


def about(value: float) -> str:
    """A number of units to come, to two digits.

    >>> about(927.3), about(11_234)
    ('930', '11,000')
    """
    return number(round(value, 1 - math.floor(math.log10(value))), 0)
