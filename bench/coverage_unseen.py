"""Coverage of the default intervals of classification on designs that they were not tuned on.

    python -m bench.coverage_unseen [--samples 100] [--out docs/validation]

writes unseen.csv, one line for each design and metric, and the table of unseen.md. Each sample is a whole evaluation,
and the interval is the first that it prints. What choices were made on is told in unseen.md, and is not reported.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import adjudge
from adjudge.metrics import parse

Random = np.random.Generator
Table = dict[str, Any]
LEVEL, WANTED = 0.95, 0.92
# So many rows tell the true values.
MANY = 200_000
SCORES = ("roc_auc", "average_precision", "pr_auc", "log_loss", "brier_score", "calibration_error")
DECISIONS = ("accuracy", "precision", "recall", "specificity", "f_score", "cohen_kappa", "matthews_correlation")
POINTS = ("recall_at_precision(at=0.8)", "precision_at_recall(at=0.8)", "recall_at_false_positive_rate(at=0.1)")
AVERAGES = ("roc_auc(average=macro)", "average_precision(average=macro)", "pr_auc(average=weighted)")
THREE = ("low", "mid", "high")


@dataclass(frozen=True)
class Unseen:
    """Tables of n rows, and what is measured of them. `population` draws rows that all count one."""

    name: str
    n: int
    draw: Callable[[Random, int], Table]
    metrics: tuple[str, ...] = (*SCORES, *DECISIONS, "balanced_accuracy")
    population: Callable[[Random, int], Table] | None = None
    calibrated: bool = False  # scores are the probabilities: no calibration error, whatever a sample shows

    def evaluated(self, table: Table, metrics: Sequence[str], replicates: int, seed: int) -> Any:
        """The evaluation of one table."""
        many = "p" not in table
        score = {label: f"p {label}" for label in THREE} if many else "p"
        roles = {role: name for role, name in (("weight", "w"), ("cluster", "c")) if name in table}
        positive = None if many else "yes"
        return adjudge.evaluate(
            table,
            reference="y",
            score=score,
            positive=positive,
            metrics=list(metrics),
            replicates=replicates,
            seed=seed,
            level=LEVEL,
            **roles,
        )

    def truths(self) -> dict[str, float]:
        """The metrics of very many rows."""
        table = (self.population or self.draw)(np.random.default_rng(1), MANY)
        table = {name: column for name, column in table.items() if name not in ("w", "c")}
        found = self.evaluated(table, self.metrics, 100, 1)
        truths = {name: _row(found, name).estimate for name in self.metrics}
        return truths | {"calibration_error": 0.0} if self.calibrated else truths


def _row(found: Any, metric: str) -> Any:
    """What is printed first."""
    return next(row for row in found.table if row.metric == repr(parse(metric)) and row.method != "baseline")


def _labels(random: Random, probability: Any) -> Any:
    return np.where(random.random(len(probability)) < probability, "yes", "no")


def _expit(values: Any) -> Any:
    return 1 / (1 + np.exp(-values))


def of_classes(
    positive: Callable[[Random, int], Any], negative: Callable[[Random, int], Any], prevalence: float
) -> Callable[[Random, int], Table]:
    """Rows whose scores are drawn by what they are."""

    def draw(random: Random, n: int) -> Table:
        yes = random.random(n) < prevalence
        logit = np.where(yes, positive(random, n), negative(random, n))
        return {"y": np.where(yes, "yes", "no"), "p": np.clip(_expit(logit), 1e-9, 1 - 1e-9)}

    return draw


def of_scores(
    logits: Callable[[Random, int], Any], sharpened: float = 1.0, noise: float = 0.0, digits: int | None = None
) -> Callable[[Random, int], Table]:
    """Rows that happen as their logits say, but for noise; scores sharper than that, or rounded."""

    def draw(random: Random, n: int) -> Table:
        logit = logits(random, n)
        score = np.clip(_expit(sharpened * logit), 1e-9, 1 - 1e-9)
        if digits is not None:
            score = np.clip(np.round(score * digits) / digits, 0.02, 0.98)
        happens = noise / 2 + (1 - noise) * (score if digits is not None else _expit(logit))
        return {"y": _labels(random, happens), "p": score}

    return draw


def in_clusters(
    sizes: Callable[[Random, int], Any], spread: float, sharpened: float = 1.0, clusters: int = 20
) -> Callable[[Random, int], Table]:
    """Rows of clusters that differ in how often they are yes and in how they are scored."""

    def draw(random: Random, n: int) -> Table:
        count = clusters if n < MANY else MANY // 10
        size = np.maximum(1, sizes(random, count).astype(np.int64))
        which = np.repeat(np.arange(count), size)
        level, habit = spread * random.standard_normal((2, count))
        logit = 1.3 * random.standard_normal(len(which)) + level[which] - 0.4
        score = np.clip(_expit(sharpened * (logit + habit[which])), 1e-9, 1 - 1e-9)
        return {"y": _labels(random, _expit(logit)), "p": score, "c": [f"c{one}" for one in which]}

    return draw


def cases_and_controls(
    cases: int, controls: int, prevalence: float, distance: float, spread: float
) -> tuple[Callable[[Random, int], Table], Callable[[Random, int], Table]]:
    """A sample with as many of either as was decided, weighted back; and the population."""

    def scores(random: Random, yes: Any) -> Any:
        return _expit(np.where(yes, distance, 0.0) - distance / 2 + spread * random.logistic(size=len(yes)))

    def draw(random: Random, n: int) -> Table:
        yes = np.repeat([True, False], [cases, controls])
        weight = np.where(yes, 1.0, cases * (1 - prevalence) / prevalence / controls)
        return {"y": np.where(yes, "yes", "no"), "p": scores(random, yes), "w": weight}

    def population(random: Random, n: int) -> Table:
        yes = random.random(n) < prevalence
        return {"y": np.where(yes, "yes", "no"), "p": scores(random, yes)}

    return draw, population


def of_three(scale: float, sharpened: float, freedom: float, tilt: float) -> Callable[[Random, int], Table]:
    """Three labels with a score each."""

    def draw(random: Random, n: int) -> Table:
        logit = scale * random.standard_t(freedom, (n, 3)) + tilt * np.array([1.0, 0.0, -1.0])
        likely, said = (np.exp(k * logit - (k * logit).max(1, keepdims=True)) for k in (1.0, sharpened))
        likely, said = likely / likely.sum(1, keepdims=True), said / said.sum(1, keepdims=True)
        place = np.minimum((likely.cumsum(1) < random.random(n)[:, None]).sum(1), 2)
        table: Table = {"y": np.array(THREE)[place]}
        return table | {f"p {label}": said[:, k] for k, label in enumerate(THREE)}

    return draw


def reported() -> Iterator[Unseen]:
    """The designs that are reported; none of them was looked at when intervals were chosen."""
    wide = of_classes(lambda r, n: 1.6 + 2.2 * r.standard_normal(n), lambda r, n: r.laplace(-1, 0.6, n), 0.3)
    missed = of_classes(
        lambda r, n: np.where(r.random(n) < 0.2, -2.5, 2.5) + 0.8 * r.logistic(size=n),
        lambda r, n: r.laplace(-1.5, 1, n),
        0.4,
    )
    for n in (60, 300, 1_500):
        yield Unseen("unequal spreads", n, wide)
        yield Unseen("missed positives", n, missed)
    heavy = of_scores(lambda r, n: 1.2 * r.standard_t(3, n), sharpened=2.2, noise=0.04)
    ties = of_scores(lambda r, n: 1.5 * r.standard_normal(n), digits=5)
    calibrated = of_scores(lambda r, n: 1.4 * r.logistic(size=n) - 0.5)
    for n in (50, 250):
        yield Unseen("heavy tails", n, heavy)
        yield Unseen("ties", n, ties, calibrated=True)
    for n in (60, 300, 1_500):
        yield Unseen(
            "calibrated scores", n, calibrated, ("calibration_error", "log_loss", "brier_score"), calibrated=True
        )
    few = of_scores(lambda r, n: -4.2 + 1.6 * r.standard_normal(n))
    yield Unseen("few positives", 250, few, (*SCORES, "accuracy"), calibrated=True)
    yield Unseen("small slices", 50, of_scores(lambda r, n: -1 + 2 * r.standard_normal(n), sharpened=1.4))
    uneven = in_clusters(lambda r, k: 12 * np.exp(0.7 * r.standard_normal(k)), 0.7)
    alike = in_clusters(lambda r, k: np.full(k, 12), 1.0, sharpened=1.5)
    yield Unseen("20 clusters, unequal sizes", 300, uneven)
    yield Unseen("20 clusters, equal sizes", 240, alike)
    for cases, controls, prevalence, distance, spread in ((60, 90, 0.03, 2.5, 0.7), (150, 150, 0.1, 1.8, 0.6)):
        draw, population = cases_and_controls(cases, controls, prevalence, distance, spread)
        weighed = ("roc_auc", "average_precision", "pr_auc", "accuracy", "precision", "recall", "f_score")
        yield Unseen("cases and controls", cases + controls, draw, weighed, population)
    for n in (80, 300):
        yield Unseen("three labels", n, of_three(1.0, 1.5, 4.0, 0.4), (*AVERAGES, "log_loss", "brier_score"))
    for n in (100, 1_000):
        yield Unseen("operating points", n, of_scores(lambda r, n: -1.5 + 2 * r.standard_normal(n)), POINTS)


Record = dict[str, Any]


def simulated(place: int, samples: int, replicates: int) -> list[Record]:
    """How often the first interval of each metric holds the true value."""
    design = list(reported())[place]
    truths, random = design.truths(), np.random.default_rng([2026, place])
    held: dict[str, list[tuple[bool, bool, float]]] = {name: [] for name in design.metrics}
    methods = dict.fromkeys(design.metrics, "")
    none = dict.fromkeys(design.metrics, 0)
    for sample in range(samples):
        found = design.evaluated(design.draw(random, design.n), design.metrics, replicates, sample)
        for name in design.metrics:
            row = _row(found, name)
            if np.isnan(row.low):
                none[name] += 1
                continue
            methods[name] = methods[name] or row.method
            truth = truths[name]
            held[name].append((row.low <= truth <= row.high, row.high < truth, row.high - row.low))
    return [
        {
            "design": design.name,
            "n": design.n,
            "metric": name,
            "method": methods[name],
            "truth": round(truths[name], 4),
            "intervals": len(held[name]),
            "no_interval": none[name],
            "coverage": round(float(np.mean([one[0] for one in held[name]])), 4),
            "truth_above": round(float(np.mean([one[1] for one in held[name]])), 4),
            "mean_width": round(float(np.mean([one[2] for one in held[name]])), 4),
        }
        for name in design.metrics
        if held[name]
    ]


def table_of(records: list[Record]) -> Iterator[str]:
    """One line for each design and metric, sizes beside one another."""
    yield "| design | metric | shown first | n: coverage |"
    yield "|---|---|---|---|"
    seen = dict.fromkeys((record["design"], record["metric"]) for record in records)
    last = ""
    for design, metric in seen:
        same = [r for r in records if (r["design"], r["metric"]) == (design, metric)]
        shown = ", ".join(f"{r['n']:,}: {_share(r)}" for r in same)
        yield f"| {design if design != last else ''} | {parse(metric).full_label} | {same[0]['method']} | {shown} |"
        last = design
    for metric in dict.fromkeys(record["metric"] for record in records):
        same = [record for record in records if record["metric"] == metric]
        times = sum(record["intervals"] for record in same)
        pooled = sum(record["coverage"] * record["intervals"] for record in same) / times
        worst = min(record["coverage"] for record in same)
        shown = f"{times:,} samples: {_share({'coverage': pooled})}, worst design {_share({'coverage': worst})}"
        yield f"| {'all designs' if metric == records[0]['metric'] else ''} | {parse(metric).full_label} | | {shown} |"


def _share(record: Record) -> str:
    share = f"{record['coverage']:.3f}"[1:] if record["coverage"] < 1 else "1.00"
    return f"**{share}**" if record["coverage"] < WANTED else share


def write(records: list[Record], folder: Path) -> None:
    """The CSV file, and the table between the markers of unseen.md."""
    with (folder / "unseen.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(records[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    path, begin, end = folder / "unseen.md", "<!-- table -->\n", "<!-- end of table -->"
    text = path.read_text("utf-8") if path.exists() else f"# Coverage off the grid\n\n{begin}{end}\n"
    before, _, rest = text.partition(begin)
    table = "\n".join(table_of(records))
    path.write_text(f"{before}{begin}\n{table}\n\n{end}{rest.partition(end)[2]}", "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.coverage_unseen", description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=100, help="samples of each design")
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("docs/validation"), help="folder to write to")
    chosen = parser.parse_args(arguments)
    work = partial(simulated, samples=chosen.samples, replicates=chosen.replicates)
    places, records = range(len(list(reported()))), list[Record]()
    chosen.out.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(chosen.processes) as pool:
        for of_design in pool.map(work, places):  # what is done is written at once
            records += of_design
            write(records, chosen.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
