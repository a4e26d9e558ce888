"""What an update changes, unit by unit: fixed, broken, and shares of them that go by several names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from adjudge.inference.differences.paired_shares import PairedShares, mcnemar
from adjudge.inference.differences.paired_units import guarded_draws
from adjudge.inference.intervals.closed_form import clopper_pearson
from adjudge.inference.intervals.unit_shares import unit_share_limits
from adjudge.metrics.intervals import Share
from adjudge.statistics.base import Array
from adjudge.statistics.cells import generator
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.systems.counted_flips import BOTH, BROKEN, DIFFERING, FIXED, NEITHER, DrawnSums

DRAWS = 2_000
# Mass that draws of a ratio of flips start from in each of the two cells that flip.
PRIOR = 1.0


class Named(NamedTuple):
    """A share of what flips: what it is a share of, its formula in words, and who calls it so."""

    label: str
    part: tuple[str, ...]
    whole: tuple[str, ...]
    formula: str
    source: str


ALL = (BOTH, FIXED, BROKEN, NEITHER)
SHARES = (
    Named("Negative flip rate", (BROKEN,), ALL, "broken / all", "Yan et al. 2021; Xie et al. 2021"),
    Named("Positive flip rate", (FIXED,), ALL, "fixed / all", "Yan et al. 2021"),
    Named("Conditional negative flip rate", (BROKEN,), (BOTH, BROKEN), "broken / right before", "Bansal et al. 2019"),
    Named("Backward trust compatibility", (BOTH,), (BOTH, BROKEN), "still right / right before", "Bansal et al. 2019"),
    Named(
        "Backward error compatibility",
        (NEITHER,),
        (NEITHER, BROKEN),
        "wrong before too / wrong now",
        "Srivastava et al. 2020",
    ),
    Named("Churn", (DIFFERING,), ALL, "other answers, right or wrong / all", "Milani Fard et al. 2016"),
)
RELATIVE = Named(
    "Relative negative flip rate",
    (),
    (),
    "negative flip rate / (share right before × share wrong now); 1: as if independent",
    "Yan et al. 2021",
)


@dataclass(frozen=True)
class Flips:
    """How many units both did, only the new system, only the old one, neither; on how many their answers differ.

    `units` are the same sums by what belongs together, where several rows do or rows weigh differently; without
    them, and `countable`, rows stand for themselves.

    >>> flips = Flips({"both": 820, "fixed": 55, "broken": 25, "neither": 100, "differing": 150})
    >>> flips.net, round(flips.p(), 6)
    (30, 0.001053)
    """

    counts: Mapping[str, float]
    units: LinearSums | None = None
    countable: bool = True  # rows are independent and count one each; otherwise, without units, there are no limits
    row: float = 1.0  # what a row weighs, where they are weighted
    graded: bool = False  # units are done better or worse, not right or wrong

    @classmethod
    def of_units(cls, sums: LinearSums, *, clustered: bool, row: float, graded: bool = False) -> Flips:
        """From sums by unit, and what a row weighs."""
        counts = {name: float(sums.of(name)) for name in (*ALL, DIFFERING)}
        whole = all(value == round(value) for value in counts.values())
        alone = not clustered and whole and sums.units == round(sum(counts[name] for name in ALL))
        return cls(counts, None if alone else sums, alone, row=row, graded=graded)

    @property
    def total(self) -> float:
        """All units."""
        return sum(self.counts[name] for name in ALL)

    @property
    def net(self) -> float:
        """Fixed less broken."""
        return self.counts[FIXED] - self.counts[BROKEN]

    def share(self, named: Named, level: float) -> tuple[float, float, float]:
        """A share with its limits; NaN where there is nothing to divide by, or no limit is known."""
        if self.units is not None:
            of_units = (self.units, named.part, named.whole, level, clopper_pearson)
            return unit_share_limits(*of_units, row=self.row, unseen=True)
        part, whole = (sum(self.counts.get(name, math.nan) for name in names) for names in (named.part, named.whole))
        if not whole > 0 or math.isnan(part):
            return math.nan, math.nan, math.nan
        if not self.countable:
            return part / whole, math.nan, math.nan
        low, high = clopper_pearson(Share(np.asarray(part), np.asarray(whole), np.asarray(whole)), level)
        return part / whole, float(low), float(high)

    def spread(self, named: Named) -> tuple[float, float]:
        """A share of all, and its variance between units."""
        assert self.units is not None, "units tell how a share varies"
        if not self.total:
            return math.nan, math.nan
        share = sum(self.counts[name] for name in named.part) / self.total
        factors = {name: float(name in named.part) - share for name in ALL}
        return share, float(self.units.squared(factors)) / self.total**2

    def relative(self, level: float, seed: int) -> tuple[float, float, float]:
        """The negative flip rate beside that of errors that fall independently; by smoothed Bayesian draws."""
        value = float(_relative(np.array([self.counts[name] for name in ALL])))
        draws = self._draws(seed)
        if math.isnan(value) or draws is None:
            return value, math.nan, math.nan
        ratios = _relative(draws)
        low, high = np.nanquantile(ratios, [(1 - level) / 2, (1 + level) / 2])
        return value, min(value, float(low)), max(value, float(high))

    def _draws(self, seed: int) -> Array | None:
        """Draws of the four counts: gamma weights of cells, or of units and of two more that flip."""
        random = generator(seed, "flips")
        prior = np.array([0.0, PRIOR, PRIOR, 0.0])
        if self.units is None:
            counts = np.array([self.counts[name] for name in ALL]) + prior
            return random.standard_gamma(counts, (DRAWS, 4)) if self.countable else None
        places = [self.units.places[name] for name in ALL]
        if isinstance(self.units, DrawnSums):
            draws = self.units.replicates[:, places]
        elif self.units.kept is None:
            return None
        else:
            kept = self.units.kept[:, places]
            draws = random.standard_gamma(1.0, (DRAWS, len(kept))) @ kept[np.lexsort(kept.T)]
        return np.asarray(draws + random.standard_gamma(np.maximum(prior, 1e-9), draws.shape) * (prior > 0))

    def p(self) -> float:
        """Could as many be fixed as broken? McNemar's exact test; of units that hold several rows, guarded t.

        The latter is of what each unit adds to fixed less broken, with as many degrees of freedom as units less one,
        as if one more row had been fixed and one broken (near Bonett and Price 2012).
        """
        if self.units is None:
            return mcnemar(PairedShares(*(self.counts[name] for name in ALL))) if self.countable else math.nan
        if self.units.units < 2 or not self.total:  # nothing, where all rows weigh nothing
            return math.nan
        mean, units = self.net / self.total, self.units.units
        squares = float(self.units.squared({**dict.fromkeys(ALL, -mean), FIXED: 1 - mean, BROKEN: -1 - mean}))
        return guarded_draws(mean, squares / self.total**2, units, self.total / self.row, bound=1.0).p()


def _relative(counts: Array) -> Array:
    both, fixed, broken, neither = np.moveaxis(counts, -1, 0)
    total = both + fixed + broken + neither
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(broken * total / ((both + broken) * (broken + neither)))


def named_shares(flips: Flips, level: float, seed: int) -> Iterator[tuple[Named, float, float, float]]:
    """Every share that flips go by, with its limits; of what is only better or worse, those of all units."""
    for named in SHARES:
        if flips.graded and named.whole != ALL:
            continue
        yield named, *flips.share(named, level)
        if named.label == "Positive flip rate" and not flips.graded:
            yield RELATIVE, *flips.relative(level, seed)
