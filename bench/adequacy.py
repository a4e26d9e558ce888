"""How often limits of what is measured in use err: `python -m bench.adequacy` simulates them and writes the page.

Of every design the truth is known. A lower limit at 95 % errs when it lies above the truth, an upper one when below.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.decision_costs import UnitCounts, chosen_threshold
from adjudge.inference.many.pareto import DOMINATED, fronts
from adjudge.metrics import (
    cost_per_right,
    failure_ratio,
    geometric_mean,
    mean,
    mean_time_between_failures,
    pass_hat_k,
    quantile,
    robustness_drop,
    system_usability,
)
from adjudge.metrics.base import Metric
from adjudge.statistics.curves.curve import Curve
from adjudge.statistics.curves.scored import Scored
from adjudge.statistics.weights import Weights

PAGE = Path(__file__).parents[1] / "docs" / "validation" / "adequacy.md"
SAMPLES = 2_000
Maker = Callable[[np.random.Generator], tuple[Any, Any]]


def errors(
    metric: Metric, method: str, truth: float, make: Maker, samples: int = SAMPLES
) -> tuple[float, float, float]:
    """How often the one-sided 95 % limits lie on the wrong side, below and above; and how often there are none."""
    r, low, high, none = np.random.default_rng(17), 0, 0, 0
    for _ in range(samples):
        first, second = make(r)
        bounds = closed_form(method, metric, metric.statistic_of(first, second), 0.9)
        if bounds is None:
            none += 1
            continue
        low += float(bounds.low) > truth
        high += float(bounds.high) < truth
    return low / samples, high / samples, none / samples


def designs() -> list[tuple[str, str, str, float, Maker]]:
    """A metric, a method, a design in words, its truth, and what makes a sample of it."""
    found: list[tuple[str, str, str, float, Maker]] = []
    for n in (60, 300):
        found.append(("quantile", "order_statistics", f"p95 of {n} exponential times", -math.log(0.05),
                      lambda r, n=n: (r.exponential(size=n), None)))  # fmt: skip
    for events in (1, 5, 20):
        found.append(("mean_time_between_failures", "garwood", f"{events} failures expected in 100 weeks", 100 / events,
                      lambda r, events=events: (np.ones(100), r.poisson(events / 100, 100))))  # fmt: skip
    for own, other in ((2, 6), (5, 5), (20, 10)):
        design = f"{own} and {other} failures expected in 100 weeks each"
        found.append(("failure_ratio", "conditional_binomial", design, own / other,
                      lambda r, a=own, b=other: ([[100, r.poisson(a), 100, r.poisson(b)]], None)))  # fmt: skip
    for n, p in ((30, 0.5), (100, 0.8), (100, 0.3)):
        found.append(("cost_per_right", "fieller_ratio", f"{n} answers, {p:.0%} right, gamma costs", 2 / p,
                      lambda r, n=n, p=p: (r.gamma(2.0, 1.0, n), (r.random(n) < p).astype(float))))  # fmt: skip
    found.append(("cost_per_right", "delta_ratio", "30 answers, 50% right, gamma costs", 4.0,
                  lambda r: (r.gamma(2.0, 1.0, 30), (r.random(30) < 0.5).astype(float))))  # fmt: skip
    for n in (10, 40):
        found.append(("system_usability", "student", f"{n} people, ten answers each, even on 1 to 5", 50.0,
                      lambda r, n=n: (r.integers(1, 6, (n, 10)), None)))  # fmt: skip
        found.append(("geometric_mean", "log_student", f"{n} lognormal times", 1.0,
                      lambda r, n=n: (np.exp(r.normal(size=n)), None)))  # fmt: skip
    for n in (50, 200):
        found.append(("pass_hat_k", "worth", f"pass^3, {n} items of 5 tries, 90% right", 0.9**3,
                      lambda r, n=n: ((r.random((n, 5)) < 0.9).astype(float), None)))  # fmt: skip
        found.append(("mean", "jackknife_hill", f"{n} lognormal costs", math.exp(0.5),
                      lambda r, n=n: (np.exp(r.normal(size=n)), None)))  # fmt: skip
        found.append(("mean", "jackknife_hill", f"{n} normal costs", 10.0, lambda r, n=n: (r.normal(10, 1, n), None)))
        found.append(("robustness_drop", "tango", f"{n} items, 2% lost, none won", 0.02,
                      lambda r, n=n: (np.ones(n), (r.random(n) >= 0.02).astype(float))))  # fmt: skip
    return found


def false_dominance(samples: int = 1_000) -> list[tuple[int, float]]:
    """How often any of three equal systems is called dominated, by the number of units."""
    found = []
    for n in (50, 200):
        r, called = np.random.default_rng(18), 0
        for _ in range(samples):
            units = r.normal(size=(n, 3, 2))
            weights = r.exponential(size=(400, n))
            draws = np.einsum("bu,usc->bsc", weights / weights.sum(1, keepdims=True), units)
            called += any(place.state == DOMINATED for place in fronts(units.mean(0), draws))
        found.append((n, called / samples))
    return found


# Rows, how far positives lie above others, the share of positives, costs. The limits were made on the first four.
CHOSEN = (
    (80, 0.2, 0.4, (1.0, 1.0)),
    (80, 0.2, 0.3, (1.0, 5.0)),
    (300, 0.4, 0.2, (1.0, 5.0)),
    (60, 0.6, 0.1, (1.0, 10.0)),
    (40, 0.3, 0.5, (1.0, 1.0)),
    (150, 0.1, 0.25, (2.0, 3.0)),
    (1_000, 0.5, 0.05, (1.0, 20.0)),
)


def optimism(rows: int, apart: float, share: float, costs: tuple[float, float], samples: int = 300) -> list[float]:
    """The mean apparent, corrected and true cost of a chosen threshold, and how often its interval holds the true."""
    told = []
    for seed in range(samples):
        r = np.random.default_rng(1_000 + seed)
        positive = r.random(rows) < share
        curve = Curve.collect(Scored(positive, apart * positive + (1 - apart) * r.random(rows)), Weights(rows))
        draws = curve.resampled("multinomial", 200, seed, "rows")
        made = chosen_threshold(curve, draws, costs, UnitCounts(rows, rows))
        missed, spared = np.clip([(made.threshold - apart) / (1 - apart), made.threshold / (1 - apart)], 0, 1)
        true = share * missed * costs[1] + (1 - share) * (1 - spared) * costs[0]
        told.append((made.apparent, made.corrected, true, made.low <= true <= made.high))
    return [float(one) for one in np.mean(told, axis=0)]


def main() -> None:
    """Simulate everything and write the page."""
    in_use = (quantile, mean_time_between_failures, failure_ratio, cost_per_right, system_usability, geometric_mean)
    metrics = {one.name: one for one in (*in_use, mean, pass_hat_k, robustness_drop)}
    lines = [
        "# What is measured in use: how often limits err", "",
        f"`python -m bench.adequacy` writes this page: {SAMPLES:,} samples of a design, each limit at one-sided 95 %,",
        "so that up to 5 % may err on a side (standard error about half a point).", "",
        "| metric | method | design | lower errs | upper errs | none |", "|:--|:--|:--|--:|--:|--:|",
    ]  # fmt: skip
    for name, method, words, truth, make in designs():
        low, high, none = errors(metrics[name], method, truth, make)
        lines.append(f"| `{name}` | {method} | {words} | {low:.1%} | {high:.1%} | {none:.1%} |")
    lines += [
        "",
        "## Trade-offs",
        "",
        "Three systems that are equal in two characteristics; any called *dominated*:",
        "",
    ]
    lines += ["| units | called dominated |", "|--:|--:|"]
    lines += [f"| {n} | {rate:.1%} |" for n, rate in false_dominance()]
    lines += [
        "",
        "The cheapest threshold, chosen on rows whose scores are uniform, 300 times: what it costs on those rows,",
        "corrected, and in truth; how often the 95 % interval of the corrected cost holds the true one. The first four",
        "designs were looked at when the interval was made, the others not.",
        "",
        "| rows | positives above by | positives | costs fp, fn | here | corrected | true | held |",
        "|--:|--:|--:|:--|--:|--:|--:|--:|",
    ]
    for rows, apart, share, costs in CHOSEN:
        here, corrected, true, held = optimism(rows, apart, share, costs)
        told = f"| {rows:,} | {apart:g} | {share:.0%} | {costs[0]:g}, {costs[1]:g} "
        lines.append(f"{told}| {here:.3f} | {corrected:.3f} | {true:.3f} | {held:.1%} |")
    lines.append("")
    PAGE.write_text("\n".join(lines), encoding="utf-8")
    print(PAGE.name)


if __name__ == "__main__":
    main()
