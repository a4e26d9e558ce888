"""Two systems whose answers are counted together: draws with imagined rows on which they differ, for gates."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from adjudge.engines.base import SliceKey, Tally
from adjudge.evaluation.declaration import Basis, View
from adjudge.evaluation.gates.limits import Number
from adjudge.evaluation.measuring.statistics import ViewStatistics
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.cells import draw_cells, generator
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.scores.joint_points import JointPoints
from adjudge.statistics.systems.joint_rows import JointRows

TableOf = Callable[[Any], Confusion]  # from the rows of both, whichever of the two kinds they are
Tables = tuple[TableOf, TableOf]


class AnswersTogether(NamedTuple):
    """Rows that say what both systems answered, where each stands in them, and what gives either's table."""

    rows: JointRows | JointPoints
    places: tuple[int, int]
    tables: Tables


def smoothed_pair(
    view_statistics: ViewStatistics, key: SliceKey, views: tuple[View, View], number: Number
) -> tuple[Array, Array] | None:
    """Draws of both systems from the rows they answered, with imagined rows on which they differ.

    None where rows are not counted together or do not count one each, or a system gave scores and no answers.
    """
    metric = number.metric
    together = _together(view_statistics, key, views) if metric.over is Confusion else None
    if together is None or not np.allclose(together.rows.squares, together.rows.counts, atol=0.0):
        return None
    labels = together.tables[0](together.rows).categories
    at = labels.index(number.category) if metric.by_category else None
    settings, stream = view_statistics.request.bootstrap, f"gate/{key[0]}/{key[1]}/{[*together.places]}"
    return draws_where_they_differ(together, (metric, at), settings, stream)


def differing_answers(view_statistics: ViewStatistics, key: SliceKey, views: tuple[View, View]) -> int | None:
    """On how many rows, in effect, two systems answer differently; None where answers are not counted together."""
    together = _together(view_statistics, key, views)
    return None if together is None else round(together.rows.differing(*together.places))


def draws_where_they_differ(
    together: AnswersTogether, of: tuple[Metric, int | None], settings: Bootstrap, stream: str
) -> tuple[Array, Array]:
    """A metric, or its part at a place, of two systems in Bayesian draws of their rows and of imagined ones."""
    padded = together.rows.with_disagreements(*together.places)
    cells = draw_cells(padded.counts, "bayesian", settings.replicates, generator(settings.seed, stream))
    values = [of[0].values(table(padded.with_counts(cells))) for table in together.tables]
    a, b = (np.asarray(one if of[1] is None else one[..., of[1]]) for one in values)
    return a, b


def _together(view_statistics: ViewStatistics, key: SliceKey, views: tuple[View, View]) -> AnswersTogether | None:
    """The rows in which the answers of both views are counted; None where there are none."""
    counted = [(basis, tally) for view in views for basis in view.bases if (tally := _tally(basis)) is not None]
    if len(counted) != 2 or counted[0][1] != counted[1][1]:
        return None
    bases, tally = [basis for basis, _ in counted], counted[0][1]
    rows = view_statistics.collected.sums.get((key, tally))
    if not isinstance(rows, JointRows | JointPoints):
        return None
    places = [_place(view_statistics.views, view, tally) for view in views]
    if math.isnan(rows.differing(*places)):
        return None
    return AnswersTogether(rows, (places[0], places[1]), (_table(bases[0]), _table(bases[1])))


def _tally(basis: Basis) -> Tally | None:
    """The tally that counts a view's answers together with those of others; None if there is none."""
    if basis.joint is not None and basis.joint[0].statistic is JointRows:
        return basis.joint[0] if basis.tally.statistic is Confusion else None
    return basis.tally if basis.tally.statistic is JointPoints else None


def _place(views: Sequence[View], view: View, tally: Tally) -> int:
    """Where a view stands among those that are drawn together."""
    if tally.statistic is JointPoints:
        assert isinstance(tally.pilot, tuple)
        return int(tally.pilot[0].index(view.name))
    return [one.name for one in views if any(basis.joint for basis in one.bases)].index(view.name)


def _table(basis: Basis) -> TableOf:
    """What gives a view's table of answers."""
    if basis.joint is not None:
        return basis.joint[1]
    return lambda rows: basis.derive(rows)[Confusion]
