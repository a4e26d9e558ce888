"""How often each interval holds the true value: simulated for every metric, method, size and prevalence.

    python -m bench.coverage [--samples 2000] [--out docs/validation]

writes coverage.csv, one line for each design, metric and method, and the tables of coverage.md.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.inference.closed_form import closed_form
from adjudge.inference.interval import Bounds
from adjudge.inference.resampling import Bootstrap, Together, bca, drawn_on_cells, percentile, values_of
from adjudge.metrics import parse
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curve import Curves
from bench.coverage_designs import FIVE, METRICS, SCORES, SIZES, Design, all_designs, both_sides, curves, tables
from bench.coverage_tables import DEFAULT, Record, write_tables

LEVEL = 0.95
ONE_MORE = "bayesian, prior + 1"
DRAWN = ("bayesian", "bootstrap", "bca")


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is simulated: samples of each design, and how many of the costlier kinds are resampled."""

    samples: int = 2_000
    five: int = 400
    resampled_curves: int = 300
    table_replicates: int = 1_000
    curve_replicates: int = 400


QUICK = Effort(samples=8, five=4, resampled_curves=2, table_replicates=100, curve_replicates=100)


@dataclass
class Tally:
    """The intervals of one metric by one method over the samples of a design."""

    rows: list[tuple[float, float, float, int]] = field(default_factory=list)
    undefined: int = 0

    def add(self, value: float, truth: float, low: float, high: float, times: int) -> None:
        """One sample (or several equal ones); an undefined value is counted and has no interval."""
        if np.isnan(value):
            self.undefined += times
        else:
            self.rows.append((truth, low, high, times))

    def record(self) -> Record:
        """Shares of the samples whose value is defined, to four decimals; coverage among those with an interval."""
        truth, low, high, times = np.array(self.rows, dtype=float).reshape(-1, 4).T
        given = times * ~np.isnan(low)
        whole = given.sum() if given.any() else np.nan
        above, below = (given * (high < truth)).sum() / whole, (given * (low > truth)).sum() / whole
        shares = {
            "truth": float((truth * times).sum() / times.sum()) if len(times) else np.nan,
            "samples": int(times.sum()) + self.undefined,
            "undefined": self.undefined,
            "with_interval": float(given.sum() / times.sum()) if len(times) else np.nan,
            "coverage": float(1 - above - below),
            "truth_above": float(above),
            "truth_below": float(below),
            "zero_width": float((given * (high <= low)).sum() / whole),
            "mean_width": float((given * np.nan_to_num(high - low)).sum() / whole),
        }
        return {name: round(value, 4) if isinstance(value, float) else value for name, value in shares.items()}


def simulated(design: Design, effort: Effort) -> list[Record]:
    """Every metric and method on the samples of one design."""
    metrics = [parse(name) for name in METRICS[design.kind]]
    tallies: dict[tuple[str, str, str], Tally] = {}
    for sample, times, found in (_scores if design.kind == SCORES else _decisions)(design, effort, metrics):
        for metric in metrics:
            truths = design.truths(metric, sample)
            for bounds in with_default(metric, found[metric]):
                _add(tallies, metric, sample, truths, bounds, times)
    described = {"design": design.kind, "n": design.n, "prevalence": design.prevalence, "quality": design.quality}
    return [
        {"metric": metric, "category": category, "method": method, **described} | tally.record()
        for (metric, category, method), tally in tallies.items()
    ]


Found = dict[Metric, list[Bounds]]


def _decisions(design: Design, effort: Effort, metrics: list[Metric]) -> Iterator[tuple[Any, int, Found]]:
    samples = min(effort.five, effort.samples) if design.kind == FIVE else effort.samples
    for place, (table, times) in enumerate(zip(*tables(design, samples), strict=True)):
        settings = Bootstrap(effort.table_replicates, seed=place)
        yield table, times, all_bounds(table, metrics, lambda table: {Confusion: table}, settings)


def _scores(design: Design, effort: Effort, metrics: list[Metric]) -> Iterator[tuple[Any, int, Found]]:
    for place, sample in enumerate(curves(design, effort.samples)):
        settings = Bootstrap(effort.curve_replicates, seed=place) if place < effort.resampled_curves else None
        yield both_sides(sample), 1, all_bounds(sample, metrics, lambda s: {Curves: both_sides(s)}, settings)


def all_bounds(statistic: Any, metrics: list[Metric], derive: Any, settings: Bootstrap | None) -> Found:
    """The package's own intervals of each metric: by formula, and by resampling where settings are given."""
    together: Together = derive(statistic)
    found: Found = {metric: [] for metric in metrics}
    for metric in metrics:
        formulas = (m for m in metric.intervals if m not in DRAWN)
        made = (closed_form(method, metric, together[metric.over], LEVEL) for method in formulas)
        found[metric] += [bounds for bounds in made if bounds is not None]
    if settings is not None:
        _resample(statistic, found, derive, settings)
    return found


def _resample(statistic: Any, found: Found, derive: Any, settings: Bootstrap) -> None:
    replicates = drawn_on_cells(statistic, derive, "multinomial", settings, "coverage")
    left_out, rows = replicates.left_out()
    for metric, drawn in zip(found, values_of(replicates, list(found)), strict=True):
        point = metric.values(replicates.base[metric.over])
        values = np.where(np.isnan(point), 0.0, drawn)  # left out by the tally: the value is undefined
        corrected = bca(values, point, metric.values(left_out[metric.over]), rows, LEVEL)
        found[metric] += [b.within(metric.range) for b in (percentile("bootstrap", values, LEVEL), corrected)]
    if isinstance(statistic, Confusion):
        _smooth(statistic, found, derive, settings)


def _smooth(table: Confusion, found: Found, derive: Any, settings: Bootstrap) -> None:
    """The smoothed Bayesian bootstrap, as it is and with one more row of prior mass."""
    one_more = replace(table, counts=table.counts + 1 / table.counts.size)
    for method, start in (("bayesian", table), (ONE_MORE, one_more)):
        drawn = values_of(drawn_on_cells(start, derive, "bayesian", settings, "coverage"), list(found))
        for metric, values in zip(found, drawn, strict=True):
            found[metric].append(percentile(method, values, LEVEL).within(metric.range))


def with_default(metric: Metric, found: Sequence[Bounds]) -> Iterator[Bounds]:
    """The bounds, and once more those that the reader sees first: of the first declared method with an answer."""
    yield from found
    by_method = {bounds.method: bounds for bounds in found}
    declared = [by_method[method] for method in metric.intervals if method in by_method]
    answers = [bounds for bounds in declared if not np.isnan(bounds.low).all()]
    if declared:
        first = (answers or declared)[0]
        yield Bounds(DEFAULT, first.low, first.high)


def _add(
    tallies: dict[tuple[str, str, str], Tally],
    metric: Metric,
    sample: Any,
    truths: list[float],
    bounds: Bounds,
    times: int,
) -> None:
    names = sample.categories if metric.by_category else ("",)
    columns: list[Array] = [np.atleast_1d(part) for part in (metric.values(sample), bounds.low, bounds.high)]
    for name, truth, value, low, high in zip(names, truths, *columns, strict=True):
        tally = tallies.setdefault((repr(metric), name, bounds.method), Tally())
        tally.add(float(value), truth, float(low), float(high), times)


def run(effort: Effort, sizes: tuple[int, ...], processes: int) -> list[Record]:
    """All designs, on one or more processes; the result does not depend on how many."""
    designs, work = all_designs(sizes), partial(simulated, effort=effort)
    if processes == 1:
        return [record for records in map(work, designs) for record in records]
    with ProcessPoolExecutor(processes) as pool:
        return [record for records in pool.map(work, designs) for record in records]


def write_csv(records: list[Record], path: Path) -> None:
    """One line for each record."""
    names = ("design", "metric", "category", "method", "quality", "n", "prevalence")
    rows = sorted(records, key=lambda record: tuple(record[name] for name in names))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.coverage", description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=Effort().samples, help="samples of each design")
    parser.add_argument("--out", type=Path, default=Path("docs/validation"), help="folder to write to")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="a few samples of the small sizes: does it run?")
    chosen = parser.parse_args(arguments)
    effort, sizes = (QUICK, SIZES[:2]) if chosen.quick else (Effort(chosen.samples), SIZES)
    records = run(effort, sizes, 1 if chosen.quick else chosen.processes)
    chosen.out.mkdir(parents=True, exist_ok=True)
    write_csv(records, chosen.out / "coverage.csv")
    write_tables(records, chosen.out / "coverage.md")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
