"""How often limits of what is measured in use err: `python -m bench.adequacy` simulates them and writes the page.

Of every design the truth is known. A lower limit at 95 % errs when it lies above the truth, an upper one when below.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.inference.closed_form import closed_form
from adjudge.inference.decision_costs import chosen_threshold
from adjudge.inference.pareto import DOMINATED, fronts
from adjudge.metrics import (
    cost_per_right,
    geometric_mean,
    mean_time_between_failures,
    pass_hat_k,
    quantile,
    robustness_drop,
    system_usability,
)
from adjudge.metrics.base import Metric

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


def optimism(samples: int = 200) -> tuple[float, float, float]:
    """The mean apparent, corrected and true cost of a threshold chosen on 80 rows whose scores say little."""
    told = []
    for seed in range(samples):
        r = np.random.default_rng(seed)
        positive = (r.random(80) < 0.4).astype(float)
        score = 0.2 * positive + 0.8 * r.random(80)
        made = chosen_threshold(positive, score, (1.0, 1.0), replicates=200, seed=seed)
        yes = (r.random(20_000) < 0.4).astype(float)
        fresh = 0.2 * yes + 0.8 * r.random(20_000) >= made.threshold
        told.append((made.apparent, made.corrected, float(np.mean(fresh != (yes == 1)))))
    return tuple(np.mean(told, axis=0).tolist())


def main() -> None:
    """Simulate everything and write the page."""
    in_use = (quantile, mean_time_between_failures, cost_per_right, system_usability, geometric_mean)
    metrics = {one.name: one for one in (*in_use, pass_hat_k, robustness_drop)}
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
    apparent, corrected, true = optimism()
    chosen = (
        "The cheapest threshold, chosen on 80 rows whose scores say little, 200 times: its mean cost on those rows is "
    )
    lines += ["", f"{chosen}{apparent:.3f}, corrected {corrected:.3f}, and on fresh rows {true:.3f}.", ""]
    PAGE.write_text("\n".join(lines), encoding="utf-8")
    print(PAGE.name)


if __name__ == "__main__":
    main()
