"""How often each interval holds the true value: simulated for every metric, method, size and prevalence.

    python -m bench.coverage [--samples 1000] [--part all] [--out docs/validation]

writes coverage.csv, one line for each design, metric and method, and the tables of coverage.md. With --part
agreement or --part classification the other half of an existing coverage.csv is kept.
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

from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.interval import Bounds
from adjudge.inference.replicate_values import replicate_values
from adjudge.inference.resampling import RESAMPLED, Bootstrap, Together, bca, drawn_on_cells, percentile
from adjudge.metrics import parse
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.ratings.patterns import Patterns
from bench.coverage_agreement import (
    AGREEMENT_METRICS,
    PAIR,
    PAIR_OF_FIVE,
    Panel,
    all_panels,
    patterns_of,
    replicates_at,
)
from bench.coverage_designs import FIVE, METRICS, SCORES, SIZES, TWO, Design, all_designs, both_sides, curves, tables
from bench.coverage_tables import DEFAULT, Record, write_tables

LEVEL = 0.95
# Prior masses to compare the package's own with.
COMPARED: dict[type[Any], tuple[float, ...]] = {Confusion: (1.0,), Patterns: (1.0, 2.0)}
DRAWN = {*RESAMPLED, "bca"}


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is simulated: samples of each design, and how many of the costlier kinds are resampled."""

    samples: int = 1_000
    five: int = 600
    resampled_curves: int = 200
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
            return
        if low <= high:  # as the package does: an interval holds its own estimate
            low, high = min(low, value), max(high, value)
        self.rows.append((truth, low, high, times))

    @property
    def answers(self) -> bool:
        """Whether the method had an interval at all."""
        return any(not np.isnan(low) for _, low, _, _ in self.rows)

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


def simulated(design: Design | Panel, effort: Effort) -> list[Record]:
    """Every metric and method on the samples of one design."""
    metrics = [parse(name) for name in (METRICS | AGREEMENT_METRICS)[design.kind]]
    tallies: dict[tuple[str, str, str], Tally] = {}
    with np.errstate(all="ignore"):
        for sample, times, found in (_scores if design.kind == SCORES else _decisions)(design, effort, metrics):
            for metric in metrics:
                _add(tallies, metric, sample, design.truths(metric, sample), found[metric], times)
    described = {"design": design.kind, "n": design.n, "prevalence": design.prevalence, "quality": design.quality}
    return [
        {"metric": metric, "category": category, "method": method, **described} | tally.record()
        for (metric, category, method), tally in tallies.items()
        if tally.answers
    ]


Found = dict[Metric, list[Bounds]]
Samples = Iterator[tuple[Any, int, Found]]


def _decisions(design: Any, effort: Effort, metrics: list[Metric]) -> Samples:
    samples = min(effort.five, effort.samples) if design.kind == FIVE else effort.samples
    counted = design.kind in (FIVE, TWO, PAIR, PAIR_OF_FIVE)
    drawn = tables(design, samples) if counted else patterns_of(design, samples)
    for place, (sample, times) in enumerate(zip(*drawn, strict=True)):
        settings = Bootstrap(effort.table_replicates, seed=place)
        yield sample, times, all_bounds(sample, metrics, lambda drawn: {type(drawn): drawn}, settings)


def _scores(design: Any, effort: Effort, metrics: list[Metric]) -> Samples:
    for place, sample in enumerate(curves(design, effort.samples)):
        settings = Bootstrap(effort.curve_replicates, seed=place) if place < effort.resampled_curves else None
        yield both_sides(sample), 1, all_bounds(sample, metrics, lambda s: {Curves: both_sides(s)}, settings)


def all_bounds(statistic: Any, metrics: list[Metric], derive: Any, settings: Bootstrap | None) -> Found:
    """The package's own intervals of each metric: by formula, and by resampling where settings are given."""
    together: Together = derive(statistic)
    found: Found = {metric: [] for metric in metrics}
    for metric in metrics:
        formulas = (m for m in metric.intervals if m not in DRAWN)
        none = np.full_like(metric.values(together[metric.over]), np.nan)
        made = ((method, closed_form(method, metric, together[metric.over], LEVEL)) for method in formulas)
        found[metric] += [Bounds(method, none, none) if bounds is None else bounds for method, bounds in made]
    if settings is not None:
        _resample(statistic, found, derive, settings)
    return found


def _resample(statistic: Any, found: Found, derive: Any, settings: Bootstrap) -> None:
    replicates = drawn_on_cells(statistic, derive, "multinomial", settings, "coverage")
    left_out, rows = replicates.left_out()
    for metric, drawn in zip(found, replicate_values(replicates, list(found)), strict=True):
        point = metric.values(replicates.base[metric.over])
        values = np.where(np.isnan(point), 0.0, drawn)  # left out by the tally: the value is undefined
        corrected = bca(values, point, metric.values(left_out[metric.over]), rows, LEVEL)
        found[metric] += [b.within(metric.range) for b in (percentile("bootstrap", values, LEVEL), corrected)]
    if isinstance(statistic, Confusion | Patterns):
        _smooth(statistic, found, derive, settings)


def _smooth(statistic: Any, found: Found, derive: Any, settings: Bootstrap) -> None:
    """The smoothed Bayesian bootstrap as it is, with its percentiles read plainly, and with other prior masses."""
    units = float(statistic.effective_rows)
    usual = replicate_values(drawn_on_cells(statistic, derive, "bayesian", settings, "coverage"), list(found))
    for metric, values in zip(found, usual, strict=True):
        made = percentile("bayesian", values, LEVEL, units), percentile("bayesian, plain percentiles", values, LEVEL)
        found[metric] += [bounds.within(metric.range) for bounds in made]
    for mass in COMPARED[type(statistic)]:
        other = replicates_at(statistic, mass, settings.replicates, settings.seed)
        for metric in found:
            bounds = percentile("bayesian", metric.values(other), LEVEL, units).within(metric.range)
            found[metric].append(replace(bounds, method=f"bayesian, prior mass {mass:g}"))


Ends = tuple[float, float]


def shown_first(metric: Metric, ends: dict[str, Ends]) -> Ends | None:
    """What the reader sees first: the first declared method whose answer has a width, or else the first."""
    declared = [ends[method] for method in metric.intervals if method in ends]
    telling = [(low, high) for low, high in declared if low < high]
    return next(iter(telling or declared), None)


def _add(
    tallies: dict[tuple[str, str, str], Tally],
    metric: Metric,
    sample: Any,
    truths: list[float],
    found: list[Bounds],
    times: int,
) -> None:
    names = sample.categories if metric.by_category else ("",)
    values = np.atleast_1d(metric.values(sample))
    for place, (name, truth, value) in enumerate(zip(names, truths, values, strict=True)):
        ends = {b.method: (_at(b.low, place), _at(b.high, place)) for b in found}
        if (first := shown_first(metric, ends)) is not None:
            ends[DEFAULT] = first
        for method, (low, high) in ends.items():
            tallies.setdefault((repr(metric), name, method), Tally()).add(float(value), truth, low, high, times)


def _at(limits: Array, place: int) -> float:
    return float(np.atleast_1d(limits)[place])


def run(designs: Sequence[Design | Panel], effort: Effort, processes: int) -> list[Record]:
    """These designs, on one or more processes; the result does not depend on how many."""
    work = partial(simulated, effort=effort)
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


def kept(path: Path, part: str) -> list[Record]:
    """The records of an earlier run that this one does not make again."""
    if part == "all" or not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        records = [{name: _read(name, text) for name, text in line.items()} for line in csv.DictReader(file)]
    return [record for record in records if (record["design"] in AGREEMENT_METRICS) == (part == "classification")]


def _read(name: str, text: str) -> Any:
    if name in ("metric", "category", "method", "design", "quality"):
        return text
    return int(text) if name in ("n", "samples", "undefined") else float(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.coverage", description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=Effort().samples, help="samples of each design")
    parser.add_argument("--out", type=Path, default=Path("docs/validation"), help="folder to write to")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--part", choices=("all", "classification", "agreement"), default="all")
    parser.add_argument("--quick", action="store_true", help="a few samples of the small sizes: does it run?")
    chosen = parser.parse_args(arguments)
    effort, sizes = (QUICK, SIZES[:2]) if chosen.quick else (Effort(chosen.samples), SIZES)
    designs: list[Design | Panel] = [] if chosen.part == "agreement" else [*all_designs(sizes)]
    designs += [] if chosen.part == "classification" else all_panels(chosen.quick)
    records = run(designs, effort, 1 if chosen.quick else chosen.processes)
    chosen.out.mkdir(parents=True, exist_ok=True)
    records += kept(chosen.out / "coverage.csv", chosen.part)
    write_csv(records, chosen.out / "coverage.csv")
    write_tables(records, chosen.out / "coverage.md")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
