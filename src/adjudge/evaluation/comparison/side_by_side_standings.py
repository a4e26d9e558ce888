"""Three evaluations or more that are not paired, by the metrics of the headline: who may be the best."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import combinations

import numpy as np

from adjudge.evaluation.comparison.settings import BY_P, MAX_T, Comparing
from adjudge.evaluation.comparison.standings import MOST_STANDINGS, standing_lines
from adjudge.evaluation.declaration import Task
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import PairLine, StandingsPanel, finite
from adjudge.evaluation.results import WHOLE_NAME, Row
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.catalogue import parse

DRAWS = 9_999
Less = Callable[[str, str, Row, Row], Row]  # of the first name's row less the second's


def side_by_side_standings(
    outcomes: Mapping[str, Outcome], task: Task, comparing: Comparing, less: Less
) -> Iterator[StandingsPanel]:
    """One panel for each metric of the headline that three evaluations of one system each have with an interval."""
    if any(len(one.systems) != 1 for one in outcomes.values()):
        return
    rows_by_place: dict[tuple[str, str], dict[str, Row]] = {}
    for name, outcome in outcomes.items():
        for row in outcome.table.estimates.first_methods():
            if row.slice == WHOLE_NAME and row.method != "baseline" and row.low < row.high:
                rows_by_place.setdefault((row.metric, row.category), {})[name] = row
    led = [place for pattern in task.headline for place in rows_by_place if fnmatchcase(place[0], pattern)]
    seed = next(iter(outcomes.values())).settings.seed
    count = 0
    for place in dict.fromkeys(led):
        metric = parse(place[0], task.metrics)
        if len(rows_by_place[place]) > 2 and metric.direction is not Direction.NEAREST and count < MOST_STANDINGS:
            count += 1
            yield _panel(rows_by_place[place], metric, comparing, less, seed)


def _panel(rows: Mapping[str, Row], metric: Metric, comparing: Comparing, less: Less, seed: int) -> StandingsPanel:
    """Best first. Draws are normal, as wide as the intervals, and independent, for nothing is known of pairs."""
    sign = -1 if metric.direction is Direction.LOWER else 1
    names = sorted(rows, key=lambda name: -sign * rows[name].estimate)
    level = rows[names[0]].level
    family = [less(names[j], names[i], rows[names[j]], rows[names[i]]) for i, j in combinations(range(len(names)), 2)]
    named = [(names[j], names[i]) for i, j in combinations(range(len(names)), 2)]
    adjust = "holm" if comparing.adjust == MAX_T else comparing.adjust
    paid = BY_P[adjust]([math.nan if one.p is None else one.p for one in family]).tolist()
    pairs = [_pair(*arguments) for arguments in zip(named, family, paid, [len(family)] * len(family), strict=True)]
    ranked = [(name, rows[name].estimate, rows[name].low, rows[name].high) for name in names]
    draws = np.random.default_rng(seed).standard_normal((DRAWS, len(names)))
    errors = [(rows[name].high - rows[name].low) / 2 / normal_quantile(level) for name in names]
    draws = sign * (draws * errors + [rows[name].estimate for name in names])
    lines = standing_lines(ranked, pairs, draws, sign, level)
    side = "higher" if sign > 0 else "lower"
    category = rows[names[0]].category
    return StandingsPanel(repr(metric), metric.full_label, category, side, adjust, DRAWS, lines, pairs)


def _pair(named: Sequence[str], row: Row, paid: float, pairs: int) -> PairLine:
    """Two evaluations, with limits for all pairs at once: each side as much longer as Bonferroni's level asks."""
    longer = normal_quantile(1 - (1 - row.level) / pairs) / normal_quantile(row.level)
    low, high = (row.estimate - (row.estimate - end) * longer for end in (row.low, row.high))
    known = [finite(value) for value in (row.estimate, low, high, paid)]
    return PairLine(named[0], named[1], known[0], known[1], known[2], row.p, known[3])
