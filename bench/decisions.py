"""How often comparisons err: `python -m bench.decisions` simulates equal systems and known differences.

    python -m bench.decisions [--samples 1000] [--out docs/validation]

writes comparison.csv, one line for each design, size and method, and the section "Comparison" of decisions.md. A type
I error is a p-value below 5 % of two systems that are equal; coverage is how often a 95 % interval holds the true
difference. Pairs of right and wrong are summed over everything that can be seen; the rest is simulated.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binom, norm

import adjudge
from adjudge.inference.differences.paired_areas import paired_areas
from adjudge.inference.differences.paired_shares import PairedShares, mcnemar, newcombe_paired, tango
from adjudge.inference.differences.paired_units import (
    clustered_difference,
    mean_of_differences,
    sign_flip_p,
    sign_p,
    signed_ranks,
    student_draws,
)
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.many.multiplicity import max_t
from adjudge.inference.resampling import percentile, student_p
from adjudge.metrics import cohen_kappa, f_score, roc_auc
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves

ALPHA, LEVEL, DRAWS = 0.05, 0.95, 500
HERE = Path(__file__).parents[1] / "docs" / "validation"
MOST_ERRORS, LEAST_COVERED = 0.06, 0.92


@dataclass(frozen=True)
class Rate:
    """How often something happened in one design: type I errors, or intervals that hold the truth."""

    what: str  # error or cover
    method: str
    design: str
    n: int
    rate: float
    samples: int  # 0: summed over all that can be seen

    @property
    def met(self) -> bool:
        """Within what is promised; intervals of fewer than 50 units are shown without a promise."""
        return self.rate <= MOST_ERRORS if self.what == "error" else self.rate >= LEAST_COVERED or self.n < 50


# Shares of rows that only one of two systems gets right.
PAIRS = ((0.01, 0.01), (0.05, 0.05), (0.15, 0.15))
APART = ((0.02, 0.05), (0.10, 0.05), (0.20, 0.08))


def pairs_of_right_and_wrong(samples: int) -> Iterator[Rate]:
    """McNemar's test, and the intervals of Tango and Newcombe, summed exactly."""
    for n in (50, 200):
        for shares in (*PAIRS, *APART):
            design = f"only one right {shares[0]:g}, {shares[1]:g}"
            seen = list(_tables(n, *shares))
            if shares in PAIRS:
                tests: dict[str, Callable[[PairedShares], float]] = {
                    "McNemar, mid-p": lambda p: mcnemar(p, mid=True),
                    "McNemar, exact": mcnemar,
                    "McNemar, exact, one-sided": lambda p: mcnemar(p, "greater"),
                }
                for name, test in tests.items():
                    yield Rate("error", name, design, n, sum(w for p, w in seen if test(p) <= ALPHA), 0)
            for name, limits in (("tango", tango), ("newcombe", newcombe_paired)):
                truth = shares[0] - shares[1]
                held = sum(w for p, w in seen if (e := limits(p, LEVEL))[0] <= truth <= e[1])
                yield Rate("cover", name, design, n, held, 0)


def _tables(n: int, first: float, second: float) -> Iterator[tuple[PairedShares, float]]:
    """Every table that is not next to impossible, with its probability; the others are right in two of three rows."""
    for m in range(n + 1):
        if (some := binom.pmf(m, n, first + second)) < 1e-7:
            continue
        for b in range(m + 1):
            weight = some * binom.pmf(b, m, first / (first + second))
            if weight > 1e-9:
                both = round((n - m) * 2 / 3)
                yield PairedShares(both, b, m - b, n - m - both), weight


def _differences(random: np.random.Generator, kind: str, n: int) -> np.ndarray:
    """Differences of units within ±1 whose mean is 0 in the population."""
    if kind == "rare and skewed":  # one in ten differs: small losses, seldom a large gain
        differs, gain = random.random(n) < 0.1, random.random(n) < 0.1
        return differs * np.where(gain, 0.9, -0.1)
    if kind == "ties":
        return random.choice([-0.5, -0.25, 0.0, 0.0, 0.25, 0.5], n)
    spread = np.where(random.random(n) < 0.2, 0.5, 0.05)  # a fifth of the units vary ten times as much
    return np.asarray(np.clip(random.normal(0, spread), -1, 1))


def means_of_units(samples: int) -> Iterator[Rate]:
    """The guarded t, Student's, Wilcoxon's, the sign test and permutations."""
    for kind in ("rare and skewed", "ties", "unequal spreads"):
        for n in (20, 50, 200):
            random = np.random.default_rng(n)
            sets = [_differences(random, kind, n) for _ in range(5 * samples)]
            means = {
                "guarded t": [mean_of_differences(d.sum(), ((d - d.mean()) ** 2).sum(), n, 1.0) for d in sets],
                "Student's t": [mean_of_differences(d.sum(), ((d - d.mean()) ** 2).sum(), n) for d in sets],
            }
            for name, found in means.items():
                held = np.mean([low <= 0 <= high for low, high in (one.interval(LEVEL) for one in found)])
                if name == "guarded t" or kind != "rare and skewed":
                    yield Rate("error", name, kind, n, float(np.mean([one.p() <= ALPHA for one in found])), 5 * samples)
                    yield Rate("cover", name, kind, n, float(held), 5 * samples)
            if kind == "rare and skewed":
                continue  # ranks, signs and swaps ask whether gains and losses are alike, which these are not
            for name, test in (("Wilcoxon", lambda d: signed_ranks(d).p), ("sign", sign_p)):
                found_p = [test(d) for d in sets[:samples]]
                yield Rate("error", name, kind, n, float(np.mean(np.array(found_p) <= ALPHA)), samples)
            if n <= 50:
                few = sets[: samples // 4]
                found_p = [sign_flip_p(d, seed=place, permutations=199) for place, d in enumerate(few)]
                yield Rate("error", "permutation", kind, n, float(np.mean(np.array(found_p) <= ALPHA)), len(few))


def clusters_and_weights(samples: int) -> Iterator[Rate]:
    """The guarded mean of rows that come in clusters, or weigh differently."""
    for clusters in (15, 50):
        random = np.random.default_rng(clusters)
        hits: dict[str, list[tuple[bool, bool]]] = {"clusters": [], "clusters and weights": []}
        for _ in range(samples):
            who = np.repeat(np.arange(clusters), 6)
            lean = random.normal(0, 0.35, clusters)[who]
            d = np.sign(lean + random.normal(0, 0.4, len(who))) * (random.random(len(who)) < 0.3)
            weight = random.uniform(0.2, 2, len(who))
            for name, weights in (("clusters", None), ("clusters and weights", weight)):
                found = clustered_difference(d, who, weights, bound=1.0)
                low, high = found.interval(LEVEL)
                hits[name].append((found.p() <= ALPHA, low <= 0 <= high))
        for name, told in hits.items():
            for what, place in (("error", 0), ("cover", 1)):
                rate = float(np.mean([one[place] for one in told]))
                yield Rate(what, "guarded t", f"{name} of 6", clusters, rate, samples)


def paired_draws(samples: int) -> Iterator[Rate]:
    """Kappa and F of two labels, under the same draws of the joint cells."""
    cells = np.array([(r, a, b) for r in (0, 1) for a in (0, 1) for b in (0, 1)])
    for positive in (0.5, 0.2):
        for n in (50, 200):
            random = np.random.default_rng(n)
            shares = np.array([_chance(cell, positive) for cell in cells])
            told: dict[str, list[tuple[bool, bool]]] = {"cohen_kappa": [], "f_score": []}
            for _ in range(samples):
                counts = random.multinomial(n, shares)
                draws = random.multinomial(n, counts / n, DRAWS)
                for name, of in (("cohen_kappa", _kappa), ("f_score", _f)):
                    values = of(draws, cells, 1) - of(draws, cells, 2)
                    known = values[~np.isnan(values)]
                    if len(known) < 2 or known.std() == 0:
                        told[name].append((False, True))
                        continue
                    bounds = percentile("bootstrap", known, LEVEL, n)
                    told[name].append((student_p(known, n) <= ALPHA, float(bounds.low) <= 0 <= float(bounds.high)))
            for name, hits in told.items():
                design = f"positives {positive:g}"
                yield Rate("error", f"paired draws, {name}", design, n, float(np.mean([h[0] for h in hits])), samples)
                yield Rate("cover", f"paired draws, {name}", design, n, float(np.mean([h[1] for h in hits])), samples)


def _chance(cell: np.ndarray, positive: float) -> float:
    """The share of rows of a cell: both systems are right in 80 %, in 70 % together."""
    reference, first, second = cell
    right = (first == reference, second == reference)
    together = {(True, True): 0.70, (True, False): 0.10, (False, True): 0.10, (False, False): 0.10}[right]
    return (positive if reference else 1 - positive) * together


def _table(draws: np.ndarray, cells: np.ndarray, system: int) -> Confusion:
    place = cells[:, 0] * 2 + cells[:, system]
    counts = np.stack([draws[:, place == k].sum(1) for k in range(4)], axis=1).reshape(-1, 2, 2).astype(float)
    return Confusion(("n", "p"), counts, np.zeros((2, 2)), int(draws[0].sum()))


def _kappa(draws: np.ndarray, cells: np.ndarray, system: int) -> np.ndarray:
    return np.asarray(cohen_kappa.values(_table(draws, cells, system)))


def _f(draws: np.ndarray, cells: np.ndarray, system: int) -> np.ndarray:
    return np.asarray(f_score.values(_table(draws, cells, system)))[:, 1]


def squared_errors(samples: int) -> Iterator[Rate]:
    """RMSE of two systems with errors of many sizes: paired draws, the test on squared errors."""
    for n in (50, 200):
        random = np.random.default_rng(n)
        hits = []
        for _ in range(samples):
            scale = np.where(random.random(n) < 0.2, 3.0, 1.0)
            shared = random.normal(0, 1, n) * scale
            errors = [(shared + random.normal(0, 1, n) * scale) ** 2 for _ in range(2)]
            times = random.multinomial(n, np.full(n, 1 / n), DRAWS)
            means = [times @ each / n for each in errors]
            bounds = percentile("bootstrap", np.sqrt(means[0]) - np.sqrt(means[1]), LEVEL, n)
            mean = student_draws(errors[0].mean() - errors[1].mean(), float((means[0] - means[1]).var()), n)
            hits.append((mean.p() <= ALPHA, float(bounds.low) <= 0 <= float(bounds.high)))
        for what, method, place in (("error", "Student's t, rmse", 0), ("cover", "paired draws, rmse", 1)):
            rate = float(np.mean([hit[place] for hit in hits]))
            yield Rate(what, method, "unequal spreads", n, rate, samples)


def areas(samples: int) -> Iterator[Rate]:
    """DeLong's test, and areas squared and added."""
    for positives, negatives, shift in ((20, 80, 1.0), (50, 200, 1.0), (50, 200, 2.5)):
        random = np.random.default_rng(positives)
        hits = []
        for _ in range(samples):
            positive = np.arange(positives + negatives) < positives
            shared = random.normal(size=len(positive))
            scores = [
                np.round(shift * positive + 0.8 * shared + 0.6 * random.normal(size=len(positive)), 1) for _ in range(2)
            ]
            found = paired_areas(positive, *scores)
            low, high = found.square_and_add(*(_area_limits(positive, score) for score in scores))
            hits.append((found.p <= ALPHA, low <= 0 <= high))
        design = f"{positives} positives, AUC {float(norm.cdf(shift / math.sqrt(2))):.2f}, ties"
        n = positives + negatives
        yield Rate("error", "DeLong", design, n, float(np.mean([hit[0] for hit in hits])), samples)
        yield Rate("cover", "square_and_add, roc_auc", design, n, float(np.mean([hit[1] for hit in hits])), samples)


def _area_limits(positive: np.ndarray, score: np.ndarray) -> tuple[float, float]:
    """One area by its default method."""
    curves = Curves.of_arrays(positive.astype(int), score, positive=1)
    bounds = closed_form(roc_auc.intervals[0], roc_auc, curves, LEVEL)
    assert bounds is not None
    return float(bounds.low[0]), float(bounds.high[0])


def several_systems(samples: int) -> Iterator[Rate]:
    """The chance of any false alarm among equal systems: step-down max-T, and limits for all at once."""
    for systems in (4, 8):
        for n in (100, 400):
            random = np.random.default_rng(n)
            any_error, all_held = [], []
            for _ in range(samples // 2):
                easy = random.random((n, 1)) < 0.7
                right = np.where(random.random((n, systems)) < 0.7, easy, random.random((n, systems)) < 0.5)
                times = random.multinomial(n, np.full(n, 1 / n), DRAWS) @ right / n
                draws, values = times[:, 1:] - times[:, :1], right[:, 1:].mean(0) - right[:, 0].mean()
                found = max_t(values, draws - values, draws.std(axis=0), LEVEL)
                low, high = found.intervals(values, draws.std(axis=0))
                any_error.append(bool((found.p <= ALPHA).any()))
                all_held.append(bool(((low <= 0) & (high >= 0)).all()))
            design = f"{systems} equal systems"
            yield Rate("error", "max-T, any of the family", design, n, float(np.mean(any_error)), samples // 2)
            yield Rate("cover", "simultaneous", design, n, float(np.mean(all_held)), samples // 2)


def whole_product(samples: int) -> Iterator[Rate]:
    """Tables through `adjudge.classification`: rows in clusters, and weighted ones."""
    for design in ("clusters", "weights"):
        random = np.random.default_rng(9)
        hits: dict[str, list[tuple[bool, bool]]] = {"accuracy": [], "cohen_kappa": []}
        for _ in range(samples // 5):
            given = _given(random, design)
            roles = {"cluster": "who"} if design == "clusters" else {"weight": "w"}
            table = adjudge.classification(
                given, reference="y", prediction=["a", "b"], metrics=list(hits), replicates=DRAWS, ok=["C11"], **roles
            ).table
            for metric, told in hits.items():
                row = table.find(metric, system="b", baseline="a")
                told.append(((row.p or 1.0) <= ALPHA, math.isnan(row.low) or row.low <= 0 <= row.high))
        for metric, told in hits.items():
            for what, place in (("error", 0), ("cover", 1)):
                rate = float(np.mean([one[place] for one in told]))
                yield Rate(what, f"default, {metric}", f"evaluated tables, {design}", 240, rate, len(told))


def _given(random: np.random.Generator, design: str) -> dict[str, Any]:
    who = np.repeat(np.arange(40), 6)
    y = random.integers(0, 2, len(who))
    hard = (random.normal(size=40)[who] if design == "clusters" else 0.0) + random.normal(size=len(who))
    answers = {name: np.where(hard + random.normal(size=len(who)) < 1.2, y, 1 - y) for name in "ab"}
    return {"y": y, "who": who, "w": random.uniform(0.3, 3, len(who)), **answers}


STUDIES = (
    pairs_of_right_and_wrong,
    means_of_units,
    clusters_and_weights,
    paired_draws,
    squared_errors,
    areas,
    several_systems,
    whole_product,
)
WORDS = {
    "error": ("Type I error at 5 %", f"at most {MOST_ERRORS:.0%}", max),
    "cover": ("Coverage of 95 % intervals of a difference", f"at least {LEAST_COVERED:.0%} from 50 units on", min),
}


def section(rates: list[Rate]) -> str:
    """The tables of the page: the worst design of each method, and every line that misses what is promised."""
    lines = [
        "## Comparison",
        "",
        "Written by `python -m bench.decisions`; every line is in [comparison.csv](comparison.csv).",
    ]
    for what, (title, promise, worst) in WORDS.items():
        lines += [
            "",
            f"### {title}: {promise}",
            "",
            "| method | designs | worst | where | n |",
            "|---|---|---|---|---|",
        ]
        of_kind = [rate for rate in rates if rate.what == what and (what == "error" or rate.n >= 50)]
        for method in dict.fromkeys(rate.method for rate in of_kind):
            own = [rate for rate in of_kind if rate.method == method]
            one = worst(own, key=lambda rate: rate.rate)
            lines.append(f"| {method} | {len(own)} | {one.rate:.1%} | {one.design} | {one.n} |")
    missed = [rate for rate in rates if not rate.met]
    lines += ["", "Beyond what is promised:" if missed else "No line is beyond what is promised."]
    lines += [f"- {r.what} of {r.method}, {r.design}, n = {r.n}: {r.rate:.1%} of {r.samples:,}" for r in missed]
    return "\n".join(lines) + "\n"


MARK = "<!-- comparison: written by python -m bench.decisions -->"


def with_section(page: str, text: str) -> str:
    """The page with its section of comparison written anew, at its end; what stands before it stays."""
    before = (page or "# How often decisions are wrong\n").split(MARK)[0].rstrip()
    return f"{before}\n\n{MARK}\n\n{text}"


def main() -> None:
    """Simulate, and write the table and the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=1_000)
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    rates = []
    for study in STUDIES:
        for rate in study(options.samples):
            rates.append(rate)
            print(*astuple(rate), "" if rate.met else "MISSED", sep="  ", flush=True)
    with (options.out / "comparison.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([one.name for one in fields(Rate)])
        writer.writerows([*astuple(rate)[:4], f"{rate.rate:.4f}", rate.samples] for rate in rates)
    page = options.out / "decisions.md"
    page.write_text(
        with_section(page.read_text(encoding="utf-8") if page.exists() else "", section(rates)), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
