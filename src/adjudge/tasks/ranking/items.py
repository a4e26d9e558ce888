"""Every query with what each system's list is worth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from adjudge.data.judgements.queries import QueryLists
from adjudge.engines.local import blocks_of
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.tables import Column, Part
from adjudge.metrics.ranking import query_values
from adjudge.statistics.base import Array, ratio, steady_product
from adjudge.statistics.queries.values import QueryValue, defined_of, values_of
from adjudge.tasks.ranking.reading import LISTS
from adjudge.tasks.ranking.study import RankingStudy


def ranking_items(request: Request) -> Iterator[Part]:
    """Each query and system: every metric of the query, and how much the query moves the mean of the first one."""
    study = request.study_as(RankingStudy)
    metrics = {repr(metric): query_values(metric)[0] for metric in request.candidates}
    leading = next(iter(metrics.values()))
    for system in study.reading.scores:
        total = weights = 0.0
        for lists, weight in _lists(request):
            value = _known(lists, system, leading)
            each = np.where(np.isnan(value), 0.0, weight)
            total, weights = total + float(steady_product(np.nan_to_num(value), each)), weights + float(each.sum())
        for lists, weight in _lists(request):
            first = _known(lists, system, leading)
            columns: dict[str, Column] = {
                "query": [] if lists.names is None else [str(name) for name in lists.names],
                "system": [system] * len(lists),
                "items": np.diff(lists.starts),
                "relevant": np.bincount(lists.query, lists.relevant, len(lists)).astype(np.int64),
            }
            columns |= {name: _known(lists, system, value) for name, value in metrics.items()}
            columns["influence"] = np.asarray(ratio(weight * (first - ratio(total, weights)), weights - weight))
            yield columns


def _known(lists: QueryLists, system: str, value: QueryValue) -> Array:
    """The value of each query, NaN where it has none."""
    return np.where(defined_of(lists, system, value.defined), values_of(lists, system, [value])[:, 0], np.nan)


def _lists(request: Request) -> Iterator[tuple[QueryLists, Array]]:
    for _, block in blocks_of(request.source, request.study.reading, gather=request.engine.holds_table):
        if block.rows:
            yield block.views[LISTS], np.ones(block.rows) if block.weight is None else block.weight
