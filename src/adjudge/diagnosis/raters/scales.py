"""What a coefficient is called: published interpretation scales, and which band the evidence reaches.

An adjective without its scale says nothing: scales differ by more than samples do. A band is named with the
name of its scale, for the value and, more honestly, for what is reached with 95 % probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import SettingError, did_you_mean, quoted
from adjudge.statistics.base import Array

OUTSIDE = "outside the scale"
UNDEFINED = "undefined"
ENOUGH = 0.95  # probability with which a band is reached
UPPER_EDGE = "an edge belongs to the band below it"
LOWER_EDGE = "an edge belongs to the band above it"


@dataclass(frozen=True, slots=True)
class Band:
    """Values from `low` up to the next band; `low` itself belongs to it when `closed`."""

    name: str
    low: float
    closed: bool


@dataclass(frozen=True, slots=True)
class BenchmarkScale:
    """Bands from −1 to 1, rising. Where the authors are silent the band is called "outside the scale"."""

    name: str
    source: str
    made_for: str
    convention: str
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True)
class Reached:
    """The highest band whose cumulative probability, from the top down, is enough.

    `cumulative` has one entry for each band, the top band first.
    """

    band: str
    probability: float
    cumulative: tuple[float, ...]


def _rising(names: str, edges: Sequence[float], closed: bool | Sequence[bool]) -> tuple[Band, ...]:
    """Bands split at edges; the bottom one reaches down to −1, whatever the authors printed."""
    sides = [closed] * len(edges) if isinstance(closed, bool) else list(closed)
    lows, sides = [-1.0, *edges], [True, *sides]
    named = [name.strip() for name in names.split("·")]
    return tuple(Band(name, low, side) for name, low, side in zip(named, lows, sides, strict=True))


_LANDIS = "poor · slight · fair · moderate · substantial · almost perfect"
_MCHUGH = "none · minimal · weak · moderate · strong · almost perfect"
_REGIER = "unacceptable · questionable · good · very good · excellent"

SCALES: dict[str, BenchmarkScale] = {
    scale.name: scale
    for scale in (
        BenchmarkScale(
            "Landis & Koch",
            "Landis & Koch 1977",
            "kappa",
            f"{UPPER_EDGE}; 0 is slight",
            _rising(_LANDIS, (0.0, 0.2, 0.4, 0.6, 0.8), (True, False, False, False, False)),
        ),
        BenchmarkScale(
            "Grove",
            "Grove et al. 1981",
            "kappa",
            f"{UPPER_EDGE}; silent up to 0.60",
            _rising(f"{OUTSIDE} · acceptable", (0.6,), False),
        ),
        BenchmarkScale(
            "Krippendorff",
            "Krippendorff 1980",
            "kappa",
            LOWER_EDGE,
            _rising("discard · tentative conclusions · definite conclusions", (0.67, 0.8), True),
        ),
        BenchmarkScale(
            "Rietveld & van Hout",
            "Rietveld & van Hout 1993",
            "kappa",
            f"{UPPER_EDGE}; silent up to 0.40 and above 0.80",
            _rising(f"{OUTSIDE} · moderate · substantial · {OUTSIDE}", (0.4, 0.6, 0.8), False),
        ),
        BenchmarkScale(
            "Green",
            "Green 1997",
            "kappa",
            "0.40 and 0.75 are fair/good",
            _rising("low · fair/good · high", (0.4, 0.75), (True, False)),
        ),
        BenchmarkScale(
            "Fleiss",
            "Fleiss 1981",
            "kappa",
            "0.40 and 0.75 are fair to good",
            _rising("poor · fair to good · excellent", (0.4, 0.75), (True, False)),
        ),
        BenchmarkScale(
            "Altman",
            "Altman 1991",
            "kappa",
            UPPER_EDGE,
            _rising("poor · fair · moderate · good · very good", (0.2, 0.4, 0.6, 0.8), False),
        ),
        BenchmarkScale(
            "Cicchetti",
            "Cicchetti & Sparrow 1981, Cicchetti 1994",
            "kappa",
            LOWER_EDGE,
            _rising("poor · fair · good · excellent", (0.4, 0.6, 0.75), True),
        ),
        BenchmarkScale(
            "Regier", "Regier et al. 2013 (DSM-5)", "kappa", LOWER_EDGE, _rising(_REGIER, (0.2, 0.4, 0.6, 0.8), True)
        ),
        BenchmarkScale(
            "McHugh",
            "McHugh 2012",
            "kappa",
            "0.20 is none, 0.90 is strong; other edges belong to the band above them",
            _rising(_MCHUGH, (0.2, 0.4, 0.6, 0.8, 0.9), (False, True, True, True, False)),
        ),
        BenchmarkScale(
            "Koo & Li",
            "Koo & Li 2016",
            "icc",
            "0.50 is moderate, 0.75 and 0.90 are good",
            _rising("poor · moderate · good · excellent", (0.5, 0.75, 0.9), (True, True, False)),
        ),
        BenchmarkScale(
            "McBride",
            "McBride 2005",
            "concordance_correlation",
            "0.90 is moderate, 0.95 and 0.99 are substantial",
            _rising("poor · moderate · substantial · almost perfect", (0.9, 0.95, 0.99), (True, True, False)),
        ),
    )
}

# Chance correction by a fixed or a shrunken amount, or none: these sit higher than kappa on skewed ratings.
SIT_HIGHER = ("gwet_ac1", "gwet_ac2", "bennett_s", "randolph_kappa", "pabak", "percent_agreement", "specific_agreement")


def scale_of(name: str | BenchmarkScale) -> BenchmarkScale:
    """A scale by its name.

    >>> scale_of("Krippendorff").bands[-1]
    Band(name='definite conclusions', low=0.8, closed=True)
    """
    if isinstance(name, BenchmarkScale):
        return name
    if name not in SCALES:
        raise SettingError(f"There is no scale {quoted(name)}. {did_you_mean(str(name), SCALES)}")
    return SCALES[name]


def caution(scale: str | BenchmarkScale, metric: str) -> str:
    """What must be said when a metric is read on a scale that was drawn for another; "" when nothing.

    >>> caution("Altman", "gwet_ac1")[:37]
    'These bands were drawn for kappa, not'
    """
    made_for = scale_of(scale).made_for
    name = metric.partition("(")[0]
    if made_for == "kappa" and name in SIT_HIGHER:
        return (
            "These bands were drawn for kappa, not for AC1, S or percent agreement, which sit higher when "
            "ratings are skewed: the same word would mean less."
        )
    others = {"icc": "intraclass correlations", "concordance_correlation": "the concordance correlation"}
    if made_for in others and name != made_for:
        return f"These bands were drawn for {others[made_for]}, not for kappa or alpha."
    return ""


def band(scale: str | BenchmarkScale, value: float) -> str:
    """The band a value lies in.

    >>> band("Landis & Koch", 0.2), band("Krippendorff", 0.8), band("Rietveld & van Hout", 0.9)
    ('slight', 'definite conclusions', 'outside the scale')
    """
    chosen = scale_of(scale)
    if np.isnan(value):
        return UNDEFINED
    return chosen.bands[int(_places(chosen, np.array([value]))[0])].name


def _places(scale: BenchmarkScale, values: Array) -> NDArray[np.int64]:
    """Which band each value lies in."""
    passed = [(values >= b.low) if b.closed else (values > b.low) for b in scale.bands[1:]]
    return np.asarray(sum(passed, np.zeros(len(values), dtype=np.int64)))


def reached_band(scale: str | BenchmarkScale, draws: Array) -> Reached:
    """The band that is reached with a probability of 95 %, by the draws of the coefficient itself.

    Gwet's benchmarking without the normal curve: the draws that gave the interval give the band, so the two
    cannot contradict each other. Undefined draws are left out.

    >>> reached_band("Altman", np.array([0.5, 0.65, 0.7, 0.85] * 25)).band
    'moderate'
    """
    chosen, draws = scale_of(scale), np.asarray(draws, dtype=np.float64).reshape(-1)
    draws = draws[~np.isnan(draws)]
    shares = np.bincount(_places(chosen, draws), minlength=len(chosen.bands)) / max(len(draws), 1)
    cumulative = np.cumsum(shares[::-1])  # from the top band down until it is enough
    if not cumulative[-1] > 0:
        return Reached(UNDEFINED, float("nan"), tuple(float("nan") for _ in shares))
    place = int(np.argmax(cumulative >= ENOUGH - 1e-12))
    name = chosen.bands[len(chosen.bands) - 1 - place].name
    return Reached(name, float(cumulative[place]), tuple(float(c) for c in cumulative))
