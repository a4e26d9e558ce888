"""Two scores of the same items, drawn in many ways: what intervals of numbers are chosen on, and judged on.

`TUNED` are the designs on which a method and its constants were chosen; `REPORTED` were not looked at before that, and
are what docs/validation/numbers.md shows.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from adjudge.statistics.base import Array

Two = tuple[Array, Array]
Draw = Callable[[np.random.Generator, int], Array]
Design = Callable[[np.random.Generator, int], Two]


def _noisy(truth: Draw, noise: Draw, scale: float) -> Design:
    def draw(random: np.random.Generator, n: int) -> Two:
        common = truth(random, n)
        return common + scale * noise(random, n), common + scale * noise(random, n)

    return draw


def _normal(random: np.random.Generator, n: int) -> Array:
    return random.standard_normal(n)


def _student(freedom: float) -> Draw:
    return lambda random, n: random.standard_t(freedom, n) / np.sqrt(freedom / (freedom - 2))


def _two_normal(random: np.random.Generator, n: int, rho: float) -> Two:
    first = random.standard_normal(n)
    return first, rho * first + np.sqrt(1 - rho**2) * random.standard_normal(n)


def _shared_tail(freedom: float, rho: float) -> Design:
    def draw(random: np.random.Generator, n: int) -> Two:
        first, second = _two_normal(random, n, rho)
        scale = np.sqrt(freedom / random.chisquare(freedom, n))
        return first * scale, second * scale

    return draw


def _lognormal(sigma: float, rho: float) -> Design:
    def draw(random: np.random.Generator, n: int) -> Two:
        first, second = _two_normal(random, n, rho)
        return np.exp(sigma * first), np.exp(sigma * second)

    return draw


def _points(cuts: tuple[float, ...], rho: float, lenient: float) -> Design:
    def draw(random: np.random.Generator, n: int) -> Two:
        first, second = _two_normal(random, n, rho)
        return np.searchsorted(cuts, first) * 1.0, np.searchsorted(cuts, second + lenient) * 1.0

    return draw


def _contaminated(share: float, scale: float) -> Design:
    def draw(random: np.random.Generator, n: int) -> Two:
        common = random.standard_normal(n)
        first, second = (common + 0.4 * random.standard_normal(n) for _ in range(2))
        return first, np.where(random.random(n) < share, scale * random.standard_normal(n), second)

    return draw


def _uneven(random: np.random.Generator, n: int) -> Two:
    common = random.standard_normal(n)
    spread = 0.5 * np.exp(0.6 * common)
    return common + spread * random.standard_normal(n), common + spread * random.standard_normal(n)


TUNED: dict[str, Design] = {
    "normal, .5": _noisy(_normal, _normal, 1.0),
    "normal, .9": _noisy(_normal, _normal, 1 / 3),
    "Student t3, common scale": _shared_tail(3, 0.7),
    "Student t3 noise": _noisy(_normal, _student(3), 0.5),
    "Student t3 truth and noise": _noisy(_student(3), _student(3), 0.5),
    "lognormal, sigma 1": _lognormal(1.0, 0.7),
    "lognormal truth": _noisy(lambda random, n: np.exp(random.standard_normal(n)), _normal, 0.7),
    "five points": _points((-0.5, 0.6, 1.4, 2.0), 0.8, 0.2),
    "5 % contaminated": _contaminated(0.05, 3.0),
}
REPORTED: dict[str, Design] = {
    "normal, .7": _noisy(_normal, _normal, 0.65),
    "exponential truth, Laplace noise": _noisy(
        lambda random, n: random.standard_exponential(n), lambda random, n: random.laplace(size=n), 0.4
    ),
    "Student t4, common scale": _shared_tail(4, 0.6),
    "lognormal, sigma 0.8": _lognormal(0.8, 0.8),
    "unequal spreads": _uneven,
    "four points, 70 % in the lowest": _points((0.52, 1.1, 1.7), 0.85, 0.1),
    "10 % contaminated": _contaminated(0.1, 2.5),
}
