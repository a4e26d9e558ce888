"""How often intervals of kappa and F with few labels and many of a judge hold the true value.

    python -m bench.coverage_judged_labels [--samples 300] [--out docs/validation]

writes judged_labels.csv, one line for each population, number of labels and figure, and the second table of judged.md.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.data.judgements.judged import JudgedLabels
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.metrics import judge_assisted_f_score, judge_assisted_kappa
from adjudge.statistics.base import Array, Codes
from adjudge.statistics.judges.tables import Assisted, JudgedTables
from adjudge.statistics.weights import Weights

OTHERS, LEVEL = 2_000, 0.95
MARKS = ("<!-- labels -->\n", "<!-- end of labels -->")
NAMES = "abcdef"


@dataclass(frozen=True)
class Design:
    """Shares of labels, how often each system and the judge are right, and how many rows people labelled."""

    shares: tuple[float, ...]
    right: tuple[float, ...]
    judge: float
    labels: int

    @property
    def text(self) -> str:
        """What it is called."""
        shares = " : ".join(f"{100 * share:.0f}" for share in self.shares)
        systems = " and ".join(f"{one:.2f}".lstrip("0") for one in self.right)
        return f"{shares}, right {systems}, judge {self.judge:.2f}".replace("judge 0", "judge ")

    def rows(self, random: np.random.Generator, size: int) -> Codes:
        """People's labels, the judge's and the systems'."""
        kinds = len(self.shares)
        truth = random.choice(kinds, size, p=self.shares)

        def seen(right: float) -> Codes:
            other = (truth + random.integers(1, kinds, size)) % kinds
            return np.where(random.random(size) < right, truth, other)

        return np.stack([truth, seen(self.judge), *(seen(right) for right in self.right)], axis=1)

    def table(self, system: int) -> Array:
        """The true shares of label and answer."""
        kinds, right = len(self.shares), self.right[system]
        answers = np.full((kinds, kinds), (1 - right) / (kinds - 1))
        np.fill_diagonal(answers, right)
        return np.asarray(np.array(self.shares)[:, None] * answers)


DESIGNS = [
    Design((0.5, 0.5), (0.8,), 0.9, 50),
    Design((0.5, 0.5), (0.97,), 0.97, 60),
    Design((0.8, 0.2), (0.9,), 0.95, 100),
    Design((0.9, 0.1), (0.95,), 0.95, 50),
    Design((0.95, 0.05), (0.97,), 0.97, 200),
    Design((0.5, 0.5), (0.7,), 0.5, 100),
    Design((0.4, 0.3, 0.2, 0.1), (0.8,), 0.9, 80),
    Design((0.7, 0.3), (0.86, 0.8), 0.9, 80),
    Design((0.4, 0.3, 0.3), (0.92, 0.9), 0.9, 150),
]


def kappa(table: Array) -> float:
    """Cohen's kappa of true shares."""
    expected = float(table.sum(1) @ table.sum(0))
    return (float(np.trace(table)) - expected) / (1 - expected)


def f_scores(table: Array) -> Array:
    """F of each label, of true shares."""
    return np.asarray(2 * np.diagonal(table) / (table.sum(1) + table.sum(0)))


FIGURES = {
    "kappa": (judge_assisted_kappa, kappa),
    "F of the last label": (judge_assisted_f_score, lambda table: float(f_scores(table)[-1])),
    "macro F": (judge_assisted_f_score.averaged("macro"), lambda table: float(f_scores(table).mean())),
}


def usual(metric: Any, tables: JudgedTables) -> tuple[float, float]:
    """The same estimate with z and without a guard."""
    figures = metric.assisted(tables)
    one = Assisted.averaged(figures) if metric.average else figures[-1]
    error = tables.error(replace(one, steps=np.zeros_like(one.steps)))
    return float(one.value) - 1.959964 * error, float(one.value) + 1.959964 * error


def measured(design: Design, samples: int) -> list[dict[str, Any]]:
    """The share of tables whose limits hold the truth, and how wide these are, of each figure."""
    random = np.random.default_rng(len(design.text) * 1_000 + design.labels)
    names = tuple(NAMES[: len(design.shares)])
    truths = {
        name: true(design.table(0)) - (true(design.table(1)) if len(design.right) > 1 else 0.0)
        for name, (_, true) in FIGURES.items()
    }
    seen: dict[str, list[Array]] = {name: [] for name in FIGURES}
    for _ in range(samples):
        codes = design.rows(random, design.labels + OTHERS)
        codes[design.labels :, 0] = -1
        whole, alone = (
            JudgedTables.collect(JudgedLabels(names, part), Weights(len(part)))
            for part in (codes, codes[: design.labels])
        )
        for name, (metric, _) in FIGURES.items():
            pairs = [limits(metric, whole), usual(metric, whole), limits(metric, alone)]
            seen[name].append(np.array([(low <= truths[name] <= high, high - low) for low, high in pairs]))
    lines = []
    for name, parts in seen.items():
        means = np.nanmean(np.array(parts), axis=0)
        shown = {"population": design.text, "labels": design.labels, "figure": name, "truth": round(truths[name], 3)}
        for kind, (cover, width) in zip(("assisted", "plain", "people"), means, strict=True):
            shown |= {kind: round(float(cover), 4), f"width of {kind}": round(float(width), 4)}
        lines.append(shown)
    return lines


def limits(metric: Any, tables: JudgedTables) -> tuple[float, float]:
    """The last of the limits by the default."""
    bounds = closed_form("judge_assisted", metric, tables, LEVEL)
    if bounds is None:
        return np.nan, np.nan
    return float(np.ravel(bounds.low)[-1]), float(np.ravel(bounds.high)[-1])


def table_of(lines: Sequence[dict[str, Any]]) -> str:
    """The page's table."""
    rows = [
        "| shares of labels | labels | figure | truth | with the judge | no guard | labels alone |",
        "|:--|--:|:--|--:|--:|--:|--:|",
    ]
    for line in lines:
        cells = [
            f"{100 * line[kind]:.1f} % ({line[f'width of {kind}']:.2f})" for kind in ("assisted", "plain", "people")
        ]
        shown = (line["population"], line["labels"], line["figure"], f"{line['truth']:.2f}", *cells)
        rows.append(f"| {' | '.join(map(str, shown))} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    """Write the table and the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--out", type=Path, default=Path("docs/validation"))
    options = parser.parse_args()
    lines = [line for design in DESIGNS for line in measured(design, options.samples)]
    with (options.out / "judged_labels.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    page = options.out / "judged.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    page.write_text(f"{before}{MARKS[0]}{table_of(lines)}{MARKS[1]}{after}", encoding="utf-8")
    print(table_of(lines))


if __name__ == "__main__":
    main()
