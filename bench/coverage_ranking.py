"""How often each interval of a ranking metric holds the true mean, with few queries and skewed values.

    python -m bench.coverage_ranking [--samples 1000] [--out docs/validation]

writes ranking.csv, one line for each kind of queries, number of them, metric and method, and the table of ranking.md.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.data.judgements.queries import QueryLists
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.many.multiplicity import level_together
from adjudge.inference.resampling import bca, percentile
from adjudge.metrics import mean_reciprocal_rank, ndcg, precision_at
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.queries.means import QueryMeans
from adjudge.statistics.weights import Weights
from bench.coverage import LEVEL

SIZES, POOL, ITEMS, REPLICATES = (10, 30, 100), 40_000, 20, 400
METRICS = (ndcg.using(at=10), mean_reciprocal_rank, precision_at.using(at=1))
METHODS = ("worth", "student", "bootstrap", "bca")
MARKS = ("<!-- coverage -->\n", "<!-- end of coverage -->")
BAND_MARKS = ("<!-- band -->\n", "<!-- end of band -->")

Making = Callable[[np.random.Generator], tuple[Array, Array]]


def graded(relevant: float, signal: float) -> Making:
    """Items of grades 0 to 4, of which a share is relevant, and a score that follows the grade more or less."""

    def lists(random: np.random.Generator) -> tuple[Array, Array]:
        shape = (POOL, ITEMS)
        grade = np.where(random.random(shape) < relevant, random.integers(1, 5, shape), 0).astype(np.float64)
        grade[:, 0] = np.maximum(grade[:, 0], 1.0)
        return grade, signal * grade + random.normal(size=shape)

    return lists


def known_item(signal: float) -> Making:
    """One relevant item among all, which the score lifts more or less."""

    def lists(random: np.random.Generator) -> tuple[Array, Array]:
        relevance = np.zeros((POOL, ITEMS))
        relevance[:, 0] = 1.0
        return relevance, signal * relevance + random.normal(size=relevance.shape)

    return lists


def mostly_perfect(random: np.random.Generator) -> tuple[Array, Array]:
    """In 98 of 100 queries the relevant item is first; in the others it is anywhere."""
    relevance, score = known_item(0.0)(random)
    score[:, 0] += np.where(random.random(POOL) < 0.98, 100.0, 0.0)
    return relevance, score


QUERIES: dict[str, Making] = {
    "easy, graded": graded(0.3, 2.0),
    "middling, graded": graded(0.2, 0.5),
    "hard, graded": graded(0.05, 0.2),
    "known item, easy": known_item(4.0),
    "known item, hard": known_item(0.7),
    "98 % perfect": mostly_perfect,
}


def limits(metric: Metric, means: QueryMeans, seed: int) -> Iterator[tuple[str, float, float]]:
    """Both ends by every method."""
    for method in ("worth", "student"):
        bounds = closed_form(method, metric, means, LEVEL)
        if bounds is not None:
            yield method, float(bounds.low), float(bounds.high)
    drawn = metric.values(means.resampled("multinomial", REPLICATES, seed, "coverage"))
    left, rows = means.without_one()
    point = metric.values(means)
    for bounds in (percentile("bootstrap", drawn, LEVEL), bca(drawn, point, metric.values(left), rows, LEVEL)):
        yield bounds.method, float(bounds.low), float(bounds.high)


def simulated(kind: str, samples: int) -> list[dict[str, Any]]:
    """Every number of queries, metric and method, for one kind of them."""
    random = np.random.default_rng([list(QUERIES).index(kind), 17])
    relevance, score = QUERIES[kind](random)
    pool = QueryLists(np.arange(POOL + 1) * ITEMS, relevance.reshape(-1), {"model": score.reshape(-1)})
    values = tuple(dict.fromkeys(value for metric in METRICS for value in metric.each(**metric.settings)))
    truth = {metric: float(metric.values(QueryMeans.collect(pool, Weights(POOL), values))) for metric in METRICS}
    records = []
    for size in SIZES:
        held: dict[tuple[Metric, str], list[tuple[bool, float]]] = {}
        for sample in range(samples):
            part = pool.of_rows(random.integers(0, POOL, size))
            means = QueryMeans.collect(part, Weights(size), values)
            for metric in METRICS:
                for method, low, high in limits(metric, means, sample):
                    held.setdefault((metric, method), []).append((low <= truth[metric] <= high, high - low))
        for (metric, method), found in held.items():
            coverage, width = (float(part) for part in np.mean(found, axis=0))
            shown = {"queries": kind, "n": size, "metric": repr(metric), "method": method}
            records.append(shown | {"mean": truth[metric], "coverage": coverage, "width": width})
    return records


CUTOFFS = (1, 2, 3, 5, 10, 20)


def bands(kind: str, samples: int) -> list[dict[str, Any]]:
    """How often all points of NDCG by cut-off lie in their intervals, and in the band of the curve."""
    random = np.random.default_rng([list(QUERIES).index(kind), 19])
    relevance, score = QUERIES[kind](random)
    pool = QueryLists(np.arange(POOL + 1) * ITEMS, relevance.reshape(-1), {"model": score.reshape(-1)})
    metrics = [ndcg.using(at=at) for at in CUTOFFS]
    values = tuple(value for metric in metrics for value in metric.each(**metric.settings))
    truth = [float(metric.values(QueryMeans.collect(pool, Weights(POOL), values))) for metric in metrics]
    records = []
    for size in SIZES:
        held = []
        for sample in range(samples):
            means = QueryMeans.collect(pool.of_rows(random.integers(0, POOL, size)), Weights(size), values)
            drawn = means.resampled("multinomial", REPLICATES, sample, "band")
            draws = np.stack([metric.values(drawn) for metric in metrics], axis=-1)
            levels = (LEVEL, level_together(draws, LEVEL))
            ends = [[closed_form("worth", metric, means, level) for metric in metrics] for level in levels]
            held.append([all(e.low <= t <= e.high for e, t in zip(of, truth, strict=True)) for of in ends])  # type: ignore[union-attr]
        each, band = (float(share) for share in np.mean(held, axis=0))
        records.append({"queries": kind, "n": size, "each by itself": each, "band": band})
    return records


def band_table(records: list[dict[str, Any]]) -> Iterator[str]:
    """Both shares for each kind and number of queries."""
    yield "| queries | n | all intervals by themselves | the band |"
    yield "|---|---|---|---|"
    for r in records:
        yield f"| {r['queries']} | {r['n']} | {r['each by itself']:.3f} | {r['band']:.3f} |"


def table(records: list[dict[str, Any]]) -> Iterator[str]:
    """The worst and the middle coverage of each method over kinds of queries and metrics, and the width."""
    yield "| queries | " + " | ".join(f"`{method}`" for method in METHODS) + " |"
    yield "|---|" + "---|" * len(METHODS)
    for size in SIZES:
        cells = []
        for method in METHODS:
            of_method = [r for r in records if (r["n"], r["method"]) == (size, method)]
            student = [r for r in records if (r["n"], r["method"]) == (size, "student")]
            shares = [r["coverage"] for r in of_method]
            width = np.mean([r["width"] for r in of_method]) / np.mean([r["width"] for r in student])
            cells.append(f"{min(shares):.3f} / {np.median(shares):.3f}, ×{width:.2f}")
        yield f"| {size} | " + " | ".join(cells) + " |"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.coverage_ranking", description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=1_000)
    parser.add_argument("--out", type=Path, default=Path("docs/validation"))
    chosen = parser.parse_args(arguments)
    records = [record for kind in QUERIES for record in simulated(kind, chosen.samples)]
    with (chosen.out / "ranking.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(records[0]))
        writer.writeheader()
        writer.writerows({k: f"{v:.4f}" if isinstance(v, float) else v for k, v in r.items()} for r in records)
    page = chosen.out / "ranking.md"
    curves = [record for kind in QUERIES for record in bands(kind, max(chosen.samples // 2, 1))]
    text = page.read_text("utf-8")
    for marks, lines in ((MARKS, table(records)), (BAND_MARKS, band_table(curves))):
        before, _, rest = text.partition(marks[0])
        after = rest.partition(marks[1])[2]
        text = f"{before}{marks[0]}\n" + "\n".join(lines) + f"\n\n{marks[1]}{after}"
    page.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
