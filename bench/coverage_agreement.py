"""What the coverage simulation draws for agreement: raters who copy a common truth or guess by the same habits.

A rater copies with probability s and guesses otherwise, so kappa of any two raters is s², whatever the habits and
the weighting. Everything else follows from the shares of all patterns of ratings, which are counted out.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod, sqrt
from typing import Any

import numpy as np

from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.cells import PRIOR_MASS, draw_cells, generator, prior_of_pairs
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.patterns import Patterns

PAIR, PAIR_OF_FIVE = "two raters", "two raters, five categories"
FOUR, MISSING, UNDECLARED = "four raters", "four raters, 20 % missing", "four raters, 20 % missing, scale not declared"
KAPPAS = {PAIR: (0.4, 0.8), PAIR_OF_FIVE: (0.4, 0.8), FOUR: (0.36, 0.81), MISSING: (0.36, 0.81), UNDECLARED: (0.81,)}
HABITS = {
    PAIR: ((0.5, 0.5), (0.9, 0.1)),
    PAIR_OF_FIVE: ((0.2,) * 5, (0.7, 0.15, 0.08, 0.05, 0.02)),
    FOUR: ((1 / 3,) * 3, (0.9, 0.07, 0.03)),
    MISSING: ((1 / 3,) * 3, (0.9, 0.07, 0.03)),
    UNDECLARED: ((0.9, 0.07, 0.03),),
}
AGREEMENT_SIZES = {PAIR: (20, 50, 100, 300)}
OTHER_SIZES = (20, 50, 100)
OF_PATTERNS = ("fleiss_kappa", "gwet_ac1", "krippendorff_alpha", "krippendorff_alpha(measurement=interval)")
AGREEMENT_METRICS = {
    PAIR: ("cohen_kappa",),
    PAIR_OF_FIVE: ("cohen_kappa", "cohen_kappa(weighting=quadratic)"),
    FOUR: OF_PATTERNS,
    MISSING: OF_PATTERNS,
    UNDECLARED: OF_PATTERNS,
}
MISSED = 0.2
RATERS = 4
ENOUGH = 1e12  # items that stand for the population: alpha knows how many ratings there are


@dataclass(frozen=True)
class Panel:
    """Some raters, one population and one number of items. `prevalence` is the share of the commonest category."""

    kind: str
    kappa: float
    n: int
    habits: tuple[float, ...]

    @property
    def prevalence(self) -> float:
        """The share of the commonest category."""
        return round(self.habits[0], 3)

    @property
    def quality(self) -> str:
        """What kappa truly is."""
        return f"kappa {self.kappa:g}"

    @property
    def seed(self) -> list[int]:
        """The same samples on every run, whatever else is run."""
        return [2025, self.n, round(self.prevalence * 1_000), round(self.kappa * 100), list(HABITS).index(self.kind)]

    @property
    def categories(self) -> tuple[str, ...]:
        """Their names, the commonest first."""
        return tuple(str(place + 1) for place in range(len(self.habits)))

    @cached_property
    def cells(self) -> Array:
        """The shares of the cells of two raters."""
        shares = np.array(self.habits)
        return self.kappa * np.diag(shares) + (1 - self.kappa) * np.outer(shares, shares)

    @cached_property
    def population(self) -> Confusion | Patterns:
        """What the true values are taken from. Ratings that are missing by chance do not change them."""
        if self.kind in (PAIR, PAIR_OF_FIVE):
            return Confusion(self.categories, self.cells, self.cells, 1)
        return _weighed(self.categories, *_shares(self.habits, self.kappa, 0.0), ENOUGH)

    def truths(self, metric: Metric, sample: Any) -> list[float]:
        """The true value, as if in one list."""
        return [float(metric.values(self.population))]


def all_panels(quick: bool = False) -> list[Panel]:
    """The whole grid, the largest first; or one panel of each kind."""
    panels = [
        Panel(kind, kappa, n, habits)
        for kind in reversed(HABITS)
        for n in reversed(AGREEMENT_SIZES.get(kind, OTHER_SIZES))
        for habits in HABITS[kind]
        for kappa in KAPPAS[kind]
    ]
    if not quick:
        return panels
    return [next(panel for panel in panels if (panel.kind, panel.n) == (kind, 50)) for kind in HABITS]


def patterns_of(panel: Panel, samples: int) -> tuple[list[Patterns], list[int]]:
    """The distinct samples of four raters, and how many times each was drawn."""
    possible, shares = _shares(panel.habits, panel.kappa, 0.0 if panel.kind == FOUR else MISSED)
    drawn = np.random.default_rng(panel.seed).multinomial(panel.n, shares, size=samples)
    distinct, times = np.unique(drawn, axis=0, return_counts=True)
    return [_sample(panel, possible, counts.astype(np.float64)) for counts in distinct], times.tolist()


def _sample(panel: Panel, possible: Array, counts: Array) -> Patterns:
    """The patterns that occur; of the categories that occur, where the scale is not declared."""
    found = counts > 0
    patterns, counts = possible[found], counts[found]
    used = (patterns.sum(0) > 0) | (panel.kind != UNDECLARED)
    names = tuple(name for name, kept in zip(panel.categories, used, strict=True) if kept)
    return Patterns(names, patterns[:, used], counts, counts, panel.n)


def _weighed(categories: tuple[str, ...], possible: Array, shares: Array, items: float) -> Patterns:
    return Patterns(categories, possible, shares * items, shares * items, round(items))


def _shares(habits: tuple[float, ...], kappa: float, missed: float) -> tuple[Array, Array]:
    """Every pattern that four raters can give, in lexical order, and the share of the items that have it."""
    size, copied = len(habits), sqrt(kappa)
    found: defaultdict[tuple[int, ...], float] = defaultdict(float)
    for said in product(range(-1, size), repeat=RATERS):
        given = [k for k in said if k >= 0]
        present = missed ** (RATERS - len(given)) * (1 - missed) ** len(given)
        chances = (
            habits[truth] * prod(copied * (k == truth) + (1 - copied) * habits[k] for k in given)
            for truth in range(size)
        )
        found[tuple(given.count(k) for k in range(size))] += present * sum(chances)
    kept = sorted(pattern for pattern, share in found.items() if share > 0)
    return np.array(kept, dtype=np.float64), np.array([found[pattern] for pattern in kept])


def replicates_at(statistic: Any, mass: float, replicates: int, seed: int) -> Any:
    """Replicates of the smoothed Bayesian bootstrap with a prior mass other than the package's."""
    stream, size = f"coverage/mass {mass:g}", len(statistic.categories)
    if isinstance(statistic, Confusion):
        counts = statistic.counts + prior_of_pairs(size, mass) - prior_of_pairs(size, PRIOR_MASS)
        return replace(statistic, counts=counts).resampled("bayesian", replicates, seed, stream)
    first, second = np.triu_indices(size)
    pairs, prior = np.eye(size)[first] + np.eye(size)[second], np.where(first == second, mass, 2 * mass) / size**2
    drawn = draw_cells(np.concatenate([statistic.counts, prior]), "bayesian", replicates, generator(seed, stream))
    drawn *= statistic.counts.sum() / drawn.sum(-1, keepdims=True)
    patterns, squares = np.concatenate([statistic.patterns, pairs]), np.append(statistic.squares, np.zeros(len(prior)))
    return Patterns(statistic.categories, patterns, drawn, squares, statistic.rows)
