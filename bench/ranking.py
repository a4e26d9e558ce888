"""Ranked lists beside ranx and Yggdrasil Decision Forests: six metrics at three cut-offs, of 50,000 queries.

ranx compiles half a minute at its first call and brings its own versions, so it runs in a Python of its own: name it in
the environment variable ADJUDGE_BENCH_RANX. Preparing what each tool evaluates (its dictionaries, our lists) is not
counted; ranx is warm. YDF bootstraps two metrics at one cut-off.

    python -m bench.ranking

measures these alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from adjudge.data.facts import Facts
from adjudge.data.judgements.queries import QueryLists
from adjudge.data.reading import BLOCK_ROWS, Block
from adjudge.engines.base import Collected, SumPlan, Tally, added
from adjudge.engines.blocks import sum_block
from adjudge.evaluation.measuring.rows import Measured, rows_of
from adjudge.evaluation.results import Row
from adjudge.inference.resampling import Bootstrap, drawn_on_cells
from adjudge.metrics import hit_rate_at, mean_average_precision, mean_reciprocal_rank, ndcg, precision_at, recall_at
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.queries.means import QueryMeans
from bench.speed import Case, turn_by_turn

QUERIES, ITEMS, CUTOFFS = 50_000, 20, (5, 10, 20)
SIX = (ndcg, mean_reciprocal_rank, mean_average_precision, precision_at, recall_at, hit_rate_at)
METRICS: tuple[Metric, ...] = tuple(metric.using(at=at) for at in CUTOFFS for metric in SIX)
POINTS, DRAWS = 3.0, 1.0


def items(seed: int = 3) -> tuple[Array, Array]:
    """The relevance and the score of every item; scores do not tie."""
    random = np.random.default_rng(seed)
    relevance = random.choice(5, size=QUERIES * ITEMS, p=[0.7, 0.12, 0.1, 0.05, 0.03]).astype(np.float64)
    return relevance, 0.3 * relevance + random.normal(size=QUERIES * ITEMS).astype(np.float32)


def blocks(relevance: Array, score: Array) -> list[QueryLists]:
    """The lists, cut as the engines cut them."""
    step = BLOCK_ROWS // ITEMS
    cuts = [(start, min(start + step, QUERIES)) for start in range(0, QUERIES, step)]
    return [
        QueryLists(
            np.arange(stop - start + 1) * ITEMS,
            relevance[start * ITEMS : stop * ITEMS],
            {"model": score[start * ITEMS : stop * ITEMS]},
        )
        for start, stop in cuts
    ]


def evaluated(lists: list[QueryLists], methods: tuple[str, ...]) -> list[Row]:
    """Every figure with its interval: sums of blocks, added, and rows made of them."""
    values = tuple(dict.fromkeys(value for metric in METRICS for value in metric.each(**metric.settings)))
    tally = Tally("lists", QueryMeans, pilot=values)

    def summed() -> Iterator[tuple[int, Collected]]:
        for place, block in enumerate(lists):
            fresh = QueryLists(block.starts, block.relevance, block.scores)  # nothing worked out beforehand
            yield place, sum_block(Block(len(fresh), Facts(), {"lists": fresh}), SumPlan((tally,)))

    means = added(summed()).find("lists", QueryMeans)
    settings = Bootstrap()
    drawn = drawn_on_cells(means, lambda value: {QueryMeans: value}, "multinomial", settings, "bench")
    measured = Measured("model", "all", means.rows, {QueryMeans: means}, (drawn,), (), None, {}, {}, methods=methods)
    return rows_of(measured, METRICS, 0.95, settings)


def by_ranx(relevance: Array, score: Array) -> dict[str, float] | None:
    """ranx's cost and figures, when there is a Python that has it."""
    python = os.environ.get("ADJUDGE_BENCH_RANX")
    if python is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "items.npz"
        np.savez(path, relevance=relevance, score=score, items=ITEMS, cutoffs=CUTOFFS)
        alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        script = Path(__file__).parent / "ranx_evaluate.py"
        done = subprocess.run([python, str(script), str(path)], capture_output=True, text=True, check=True, env=alone)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def run(repeats: int = 3) -> list[Case]:
    """Points with closed-form intervals beside ranx's points; 2,000 replicates beside YDF's of two metrics."""
    relevance, score = items()
    lists = blocks(relevance, score)
    evaluated(lists, ("worth",))  # imports
    (points, rows), (draws, _) = turn_by_turn(
        repeats, lambda: evaluated(lists, ("worth",)), lambda: evaluated(lists, ("worth", "bootstrap"))
    )
    found = {row.metric: row.estimate for row in rows}
    peer = by_ranx(relevance, score)
    name = f"ranking, {QUERIES * ITEMS:,} rows in {QUERIES:,} queries, 6 metrics at 3 cut-offs"
    cases = []
    if peer is None:
        cases.append(Case(f"{name}, closed-form intervals", points, "CPU s", note="ADJUDGE_BENCH_RANX names no Python"))
    else:
        same = f"NDCG at 10: adjudge {found['ndcg(at=10)']:.12f}, ranx {peer['ndcg_burges@10']:.12f}"
        target = f"≥ {POINTS:g}×, ranx warm, points alone"
        cost = peer["seconds"]
        cases.append(
            Case(f"{name}, closed-form intervals", points, "CPU s", "ranx", cost, target, cost / points >= POINTS, same)
        )
    cases.append(_with_draws(f"{name}, 2,000 replicates", draws, relevance, score, repeats))
    return cases


def _with_draws(name: str, ours: float, relevance: Array, score: Array, repeats: int) -> Case:
    try:
        import ydf
    except ImportError:
        return Case(name, ours, "CPU s", note="ydf is not installed")
    query = np.repeat(np.arange(QUERIES), ITEMS)

    def theirs() -> object:
        return ydf.evaluate_predictions(
            score.astype(np.float32),
            relevance.astype(np.float32),
            ydf.Task.RANKING,
            ranking_groups=query,
            bootstrapping=2_000,
        )

    [(cost, _)] = turn_by_turn(repeats, theirs)
    return Case(name, ours, "CPU s", "YDF, 2 metrics", cost, f"≥ {DRAWS:g}×", cost / ours >= DRAWS)


if __name__ == "__main__":
    from bench.__main__ import table

    print(table(run()))
