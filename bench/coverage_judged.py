"""How often intervals of few labels and many of a judge hold the true value.

    python -m bench.coverage_judged [--samples 1000] [--out docs/validation]

writes judged.csv, one line for each population and number of labels, and the table of judged.md. The designs of
`CHOSEN` are those that the guard was chosen on; nothing was chosen on the others.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.inference.intervals.closed_form import closed_form
from adjudge.metrics import judge_assisted_mean, labelled_mean, rogan_gladen
from adjudge.statistics.base import Array
from adjudge.statistics.judges.sums import JudgedSums

OTHERS, LEVEL = 2_000, 0.95
MARKS = ("<!-- coverage -->\n", "<!-- end of coverage -->")
Making = Callable[[np.random.Generator, int], tuple[Array, Array]]


def shares(truth: float, right: float, kind: float | None = None) -> Making:
    """Rows of which a share is good; the judge is right on so many of these, and on as many (or `kind`) others."""

    def rows(random: np.random.Generator, size: int) -> tuple[Array, Array]:
        good = random.random(size) < truth
        sees = random.random(size) < np.where(good, right, right if kind is None else kind)
        return good * 1.0, np.where(sees, good, ~good) * 1.0

    return rows


def grades(noise: float, tail: bool = False) -> Making:
    """Grades that the judge sees through noise, on a scale of its own; with a tail, a few are far off."""

    def rows(random: np.random.Generator, size: int) -> tuple[Array, Array]:
        worth = random.gamma(2.0, 1.0, size) if tail else random.normal(3.5, 1.0, size)
        return worth, 0.7 * worth + 1 + noise * (random.standard_t(3, size) if tail else random.normal(size=size))

    return rows


def differences(old: float, new: float, right: float) -> Making:
    """Which of two systems answers right, by people and by a judge, less the other."""

    def rows(random: np.random.Generator, size: int) -> tuple[Array, Array]:
        first, second = random.random(size) < old, random.random(size) < new
        seen = [np.where(random.random(size) < right, one, ~one) for one in (first, second)]
        return second * 1.0 - first, seen[1] * 1.0 - seen[0]

    return rows


# Population, true mean, labels; the first are the designs that the guard was chosen on.
CHOSEN = 4
DESIGNS: list[tuple[str, Making, float, int]] = [
    ("share .8, judge right .90", shares(0.8, 0.9), 0.8, 50),
    ("share .9, judge right .95", shares(0.9, 0.95), 0.9, 20),
    ("share .9, judge right .95", shares(0.9, 0.95), 0.9, 50),
    ("share .9, judge right .95", shares(0.9, 0.95), 0.9, 100),
    ("share .97, judge right .97", shares(0.97, 0.97), 0.97, 60),
    ("share .5, judge right .75", shares(0.5, 0.75), 0.5, 80),
    ("share .7, judge kind: .98 of good, .60 of bad", shares(0.7, 0.98, 0.6), 0.7, 120),
    ("share .3, judge no better than chance", shares(0.3, 0.5), 0.3, 60),
    ("grades, close judge", grades(0.4), 3.5, 50),
    ("grades, loose judge", grades(2.0), 3.5, 150),
    ("skewed grades, judge sometimes far off", grades(0.5, tail=True), 2.0, 60),
    ("difference .75 to .82, judge right .9", differences(0.75, 0.82, 0.9), 0.07, 60),
    ("difference .95 to .96, judge right .95", differences(0.95, 0.96, 0.95), 0.01, 100),
]


def holds(limits: Any, truth: float) -> tuple[float, float]:
    """Whether limits hold the truth, and how wide they are; what has none holds nothing."""
    if limits is None:
        return 0.0, np.nan
    low, high = float(limits.low), float(limits.high)
    return float(low <= truth <= high), high - low


def plain(human: Array, judge: Array, others: Array) -> tuple[float, float]:
    """The usual interval: z, variances with divisor n, no guard, the same λ (Angelopoulos, Duchi and Zrnic 2023)."""
    n, more = len(human), len(others)
    everybody = np.concatenate([judge, others])
    weight = np.cov(human, judge, ddof=0)[0, 1] / ((1 + n / more) * max(everybody.var(), 1e-300))
    weight = min(max(weight, 0.0), 1.0)
    value = weight * others.mean() + (human - weight * judge).mean()
    error = np.sqrt(weight**2 * others.var() / more + (human - weight * judge).var() / n)
    return value - 1.959964 * error, value + 1.959964 * error


def measured(design: tuple[str, Making, float, int], samples: int) -> dict[str, Any]:
    name, making, truth, labels = design
    random = np.random.default_rng([labels, len(name), int(truth * 1000)])
    found: dict[str, list[tuple[float, float]]] = {"assisted": [], "plain": [], "people": [], "rogan_gladen": []}
    two_valued = "share" in name
    for _ in range(samples):
        human, judge = making(random, labels + OTHERS)
        people = np.where(np.arange(labels + OTHERS) < labels, human, np.nan)
        sums = JudgedSums.of_arrays(people, judge)
        low, high = plain(human[:labels], judge[:labels], judge[labels:])
        found["assisted"].append(holds(closed_form("judge_assisted", judge_assisted_mean, sums, LEVEL), truth))
        found["plain"].append((float(low <= truth <= high), high - low))
        method = "wilson" if two_valued else "student"
        found["people"].append(holds(closed_form(method, labelled_mean, sums, LEVEL), truth))
        if two_valued:
            found["rogan_gladen"].append(holds(closed_form("lang_reiczigel", rogan_gladen, sums, LEVEL), truth))
    line: dict[str, Any] = {"population": name, "labels": labels}
    for kind, pairs in found.items():
        values = np.array(pairs).reshape(-1, 2)
        line[kind] = round(float(values[:, 0].mean()), 4) if len(values) else ""
        line[f"width of {kind}"] = round(float(np.nanmean(values[:, 1])), 4) if len(values) else ""
    return line


def table(lines: list[dict[str, Any]]) -> str:
    rows = [
        "| population | labels | with the judge | usual interval | labels alone | Rogan–Gladen |",
        "|:--|--:|--:|--:|--:|--:|",
    ]
    for place, line in enumerate(lines):
        cells = [
            f"{100 * line[kind]:.1f} % ({line[f'width of {kind}']:.2f})" if line[kind] != "" else "–"
            for kind in ("assisted", "plain", "people", "rogan_gladen")
        ]
        mark = " *" if place < CHOSEN else ""
        rows.append(f"| {line['population']}{mark} | {line['labels']} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=1_000)
    parser.add_argument("--out", type=Path, default=Path("docs/validation"))
    options = parser.parse_args()
    lines = [measured(design, options.samples) for design in DESIGNS]
    with (options.out / "judged.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    page = options.out / "judged.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    page.write_text(f"{before}{MARKS[0]}{table(lines)}{MARKS[1]}{after}", encoding="utf-8")
    print(table(lines))


if __name__ == "__main__":
    main()
