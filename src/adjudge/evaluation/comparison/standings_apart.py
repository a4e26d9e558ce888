"""Systems of evaluations that are not paired, ranked by one metric."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import combinations

import numpy as np

from adjudge.evaluation.comparison.not_paired import ByMethod, Place, Places, unpaired_rows, usual
from adjudge.evaluation.comparison.settings import Comparing
from adjudge.evaluation.comparison.standings import MOST_STANDINGS, standing_lines
from adjudge.evaluation.declaration import Task
from adjudge.evaluation.panels import PairLine, StandingsPanel, finite
from adjudge.evaluation.results import WHOLE_NAME, Row
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.catalogue import parse

DRAWS = 9_999


def standings_apart(places: Places, task: Task, comparing: Comparing, seed: int) -> Iterator[StandingsPanel]:
    """One panel for each metric of the headline that three evaluations have with an interval of their one system."""
    known: dict[Place, dict[str, ByMethod]] = {}
    for name, of_one in places.items():
        for place, methods in of_one.items():
            row = usual(methods)
            if place[:2] == ("", WHOLE_NAME) and not row.is_baseline and row.low < row.high:
                known.setdefault(place, {})[name] = methods
    led = dict.fromkeys(place for pattern in task.headline for place in known if fnmatchcase(place[3], pattern))
    sided = [(parse(place[3], task.metrics), known[place]) for place in led if len(known[place]) > 2]
    sided = [(metric, each) for metric, each in sided if metric.direction is not Direction.NEAREST]
    for metric, each in sided[:MOST_STANDINGS]:
        yield _standings_panel(each, metric, comparing, seed)


def _standings_panel(
    estimates: Mapping[str, ByMethod], metric: Metric, comparing: Comparing, seed: int
) -> StandingsPanel:
    """Best first. Draws are normal, as wide as the intervals, and independent, for nothing is known of pairs."""
    rows = {name: usual(methods) for name, methods in estimates.items()}
    sign = -1 if metric.direction is Direction.LOWER else 1
    names = sorted(rows, key=lambda name: -sign * rows[name].estimate)
    level = rows[names[0]].level
    named = [(other, first) for first, other in combinations(names, 2)]
    family = [next(unpaired_rows(estimates[other], estimates[first])) for other, first in named]
    paid = comparing.adjusted([math.nan if one.p is None else one.p for one in family]).tolist()
    pairs = [_pair(*parts, len(family)) for parts in zip(named, family, paid, strict=True)]
    ranked = [(name, rows[name].estimate, rows[name].low, rows[name].high) for name in names]
    draws = np.random.default_rng(seed).standard_normal((DRAWS, len(names)))
    errors = [(rows[name].high - rows[name].low) / 2 / normal_quantile(level) for name in names]
    draws = sign * (draws * errors + [rows[name].estimate for name in names])
    lines = standing_lines(ranked, pairs, draws, sign, level)
    side = "higher" if sign > 0 else "lower"
    category = rows[names[0]].category
    return StandingsPanel(repr(metric), metric.full_label, category, side, comparing.adjust_by_p, DRAWS, lines, pairs)


def _pair(named: Sequence[str], row: Row, paid: float, pairs: int) -> PairLine:
    """Two evaluations, with limits for all pairs at once: each side as much longer as Bonferroni's level asks."""
    longer = normal_quantile(1 - (1 - row.level) / pairs) / normal_quantile(row.level)
    low, high = (row.estimate - (row.estimate - end) * longer for end in (row.low, row.high))
    known = [finite(value) for value in (row.estimate, low, high, paid)]
    return PairLine(named[0], named[1], known[0], known[1], known[2], row.p, known[3])
