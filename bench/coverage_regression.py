"""How often each interval of a regression metric holds the true value, under normal, heavy-tailed and uneven errors.

    python -m bench.coverage_regression [--samples 500] [--out docs/validation]

writes regression.csv, one line for each kind of errors, size, metric and method, and the tables of regression.md.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.data.judgements.numbers import PredictedNumbers
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.replicate_values import replicate_values
from adjudge.inference.resampling import Bootstrap, bca, drawn_on_cells, percentile
from adjudge.metrics import parse
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.numbers.residuals import Residuals
from adjudge.statistics.weights import Weights
from bench.coverage import LEVEL, Tally, shown_first
from bench.coverage_regression_tables import write_tables
from bench.coverage_tables import DEFAULT, Record

SIZES = (20, 50, 100, 300, 1_000)
METRICS = (
    "rmse",
    "mean_squared_error",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "pinball_loss(quantile=0.9)",
    "mean_bias_error",
    "median_absolute_error",
    "r_squared",
    "explained_variance",
    "correlation",
)
STATISTICS: tuple[type[Any], ...] = (NumberPairs, Residuals)
REPLICATES = 400
# Predictions lie about this level, with this spread; the unit of errors is 1.
LEVEL_OF_PREDICTIONS, SPREAD = 1_000.0, 2.0
# Rows from which true values are worked out where they have no closed form.
MANY = 4_000_000


def _normal(random: np.random.Generator, prediction: Array) -> Array:
    return random.standard_normal(len(prediction))


def _student(random: np.random.Generator, prediction: Array) -> Array:
    return random.standard_t(3, len(prediction))


def _laplace(random: np.random.Generator, prediction: Array) -> Array:
    return random.laplace(size=len(prediction)) * np.where(random.random(len(prediction)) < 0.1, 5.0, 1.0)


def _uneven(random: np.random.Generator, prediction: Array) -> Array:
    return random.standard_normal(len(prediction)) * np.exp((prediction - LEVEL_OF_PREDICTIONS) / SPREAD / 2)


def _skewed(random: np.random.Generator, prediction: Array) -> Array:
    return random.standard_exponential(len(prediction)) - 1


# How errors (reference less prediction) are drawn, and their variance; all have mean 0.
ERRORS = {
    "normal": (_normal, 1.0),
    "Student t, 3 degrees": (_student, 3.0),
    "Laplace mixture": (_laplace, 0.9 * 2 + 0.1 * 50),
    "heteroscedastic": (_uneven, np.exp(0.5)),
    "skewed (exponential)": (_skewed, 1.0),
}


@dataclass(frozen=True)
class Design:
    """One kind of errors and one sample size."""

    errors: str
    n: int

    def rows(self, random: np.random.Generator, n: int | None = None) -> PredictedNumbers:
        """A sample."""
        prediction = random.normal(LEVEL_OF_PREDICTIONS, SPREAD, n or self.n)
        return PredictedNumbers(prediction + ERRORS[self.errors][0](random, prediction), prediction)

    def samples(self, count: int) -> Iterator[PredictedNumbers]:
        """The same samples on every run, whatever else is run."""
        random = np.random.default_rng([2026, self.n, list(ERRORS).index(self.errors)])
        return (self.rows(random) for _ in range(count))


@cache
def truths(errors: str) -> dict[str, float]:
    """The true value of each metric."""
    numbers, variance = Design(errors, MANY).rows(np.random.default_rng(1)), ERRORS[errors][1]
    left, explained = numbers.residuals, SPREAD**2 / (SPREAD**2 + variance)
    size = np.abs(left)
    return {
        "rmse": variance**0.5,
        "mean_squared_error": variance,
        "mean_absolute_error": float(size.mean()),
        "mean_absolute_percentage_error": float((size / numbers.reference).mean()),
        "pinball_loss(quantile=0.9)": float(np.maximum(0.9 * left, -0.1 * left).mean()),
        "mean_bias_error": 0.0,
        "median_absolute_error": float(np.median(size)),
        "r_squared": explained,
        "explained_variance": explained,
        "correlation": explained**0.5,
    }


def simulated(design: Design, samples: int) -> list[Record]:
    """Every metric and method on the samples of one design."""
    metrics, truth = [parse(name) for name in METRICS], truths(design.errors)
    tallies: dict[tuple[str, str], Tally] = {}
    with np.errstate(all="ignore"):
        for place, numbers in enumerate(design.samples(samples)):
            for statistic in STATISTICS:
                chosen = [metric for metric in metrics if metric.over is statistic]
                summed = statistic.collect(numbers, Weights(len(numbers)))
                for metric, value, ends in _ends(summed, chosen, place):
                    for method, (low, high) in ends.items():
                        tally = tallies.setdefault((repr(metric), method), Tally())
                        tally.add(value, truth[repr(metric)], low, high, 1)
    return [
        {"metric": metric, "method": method, "errors": design.errors, "n": design.n} | tally.record()
        for (metric, method), tally in tallies.items()
        if tally.answers
    ]


def _ends(
    statistic: Any, metrics: list[Metric], seed: int
) -> Iterator[tuple[Metric, float, dict[str, tuple[float, float]]]]:
    """Each metric's value and its limits by every method, and by the one that a reader sees first."""
    replicates = drawn_on_cells(
        statistic, lambda s: {type(s): s}, "multinomial", Bootstrap(REPLICATES, seed=seed), "regression"
    )
    left_out, rows = replicates.left_out()
    for metric, values in zip(metrics, replicate_values(replicates, metrics), strict=True):
        point = metric.values(statistic)
        bounds = [
            percentile("bootstrap", values, LEVEL),
            bca(values, point, metric.values(left_out[metric.over]), rows, LEVEL),
            *(closed_form(m, metric, statistic, LEVEL) for m in metric.intervals if m != "bootstrap"),
        ]
        ends = {b.method: (float(b.low), float(b.high)) for b in (b for b in bounds if b is not None)}
        if (first := shown_first(metric, ends)) is not None:
            ends[DEFAULT] = first
        yield metric, float(point), ends


def run(designs: Sequence[Design], samples: int, processes: int) -> list[Record]:
    """These designs, on one or more processes; the result does not depend on how many."""
    work = partial(simulated, samples=samples)
    if processes == 1:
        return [record for records in map(work, designs) for record in records]
    with ProcessPoolExecutor(processes) as pool:
        return [record for records in pool.map(work, designs) for record in records]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.coverage_regression", description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=500, help="samples of each design")
    parser.add_argument("--out", type=Path, default=Path("docs/validation"), help="folder to write to")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="a few samples of the small sizes: does it run?")
    chosen = parser.parse_args(arguments)
    designs = [Design(errors, n) for errors in ERRORS for n in (SIZES[:2] if chosen.quick else SIZES)]
    records = run(designs, 5 if chosen.quick else chosen.samples, chosen.processes)
    chosen.out.mkdir(parents=True, exist_ok=True)
    with (chosen.out / "regression.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(records[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    write_tables(records, chosen.out / "regression.md")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
