"""Coverage of intervals by formula on the held-out designs, from sums: seconds instead of whole evaluations.

    python -m bench.heldout_sums [--samples 250] [--set held] [--out docs/validation]

writes heldout.csv. Designs whose intervals are drawn: bench.coverage_heldout.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.data.judgements.numbers import PredictedNumbers
from adjudge.inference.intervals.closed_form import METHODS, closed_form
from adjudge.inference.resampling import RESAMPLED
from adjudge.metrics import parse
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.preferences.choice_sums import ChoiceSums
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.statistics.uplift_cells import UpliftCells
from adjudge.statistics.weights import Weights
from bench.heldout.designs import Design, Table
from bench.heldout.first import DEVELOPMENT, HELD_OUT

LEVEL, WANTED = 0.95, 0.92
Record = dict[str, Any]
METRICS = {
    "regression": ("rmse", "mean_absolute_error", "mean_bias_error", "r_squared", "correlation"),
    "agreement": ("pearson", "concordance_correlation", "icc(form=A,1)", "upper_limit_of_agreement"),
    "scoring": ("rater_error_variance", "degradation(of=correlation)", "degradation(of=smd)"),
    "preference": ("answer_length", "answer_length(of=rejected)"),
    "uplift": ("qini", "uplift_auc"),
    "classification": ("accuracy", "precision", "recall", "specificity", "f_score", "balanced_accuracy"),
}
MANY = {"regression": 200_000, "preference": 20_000, "uplift": 400_000, "agreement": 3_000}


def _numbers(table: Table) -> NumberPairs:
    y, m = (np.asarray(table[name], dtype=np.float64) for name in ("y", "m"))
    clusters = np.asarray(table["c"]).astype(np.uint64) if "c" in table else None
    return NumberPairs.collect(PredictedNumbers(y, m, clusters=clusters), Weights(len(y)))


def _choices(table: Table) -> ChoiceSums:
    lengths = [[len(text) for text in table[name]] for name in ("text_a", "text_b")]
    return ChoiceSums.of_arrays(list(table["preferred_text"]), np.array(lengths).T)


def _decided(table: Table) -> Confusion:
    said = np.where(np.asarray(table["p"]) > 0.5, "yes", "no")
    return Confusion.of_arrays(table["y"], said, weights=table.get("w"))


SUMS: dict[str, Callable[[Table], Any]] = {
    "regression": _numbers,
    "agreement": lambda table: RatingVectors.of_arrays(table["a"], table["b"]),
    "scoring": lambda table: ScoreSums.of_scores(np.stack([table["h1"], table["h2"]], axis=1), table["e"]),
    "preference": _choices,
    "uplift": lambda table: UpliftCells.of_arrays(table["o"], table["s"], treatment=table["t"]),
    "classification": _decided,
}
# Columns of a design that has no sums of this kind: scores of three labels, several raters, clusters that are drawn.
ELSEWHERE = {
    "agreement": ("r0",),
    "scoring": ("c",),
    "preference": ("prompt",),
    "uplift": ("c",),
    "classification": ("c", "p low"),
}


def by_formula(design: Design) -> bool:
    """Whether the intervals of a design that stand first are formulas of one statistic."""
    table = design.draw(np.random.default_rng(1), design.n)
    return design.task in SUMS and not any(column in table for column in ELSEWHERE.get(design.task, ()))


def truths_of(design: Design) -> dict[str, float]:
    """The metrics of very many rows; of ratings, the mean over many tables."""
    random, many = np.random.default_rng(1), MANY.get(design.task, 100_000)
    tables = [(design.whole or design.draw)(random, many) for _ in range(60 if design.task == "agreement" else 1)]
    plain = [SUMS[design.task]({name: column for name, column in t.items() if name not in ("w", "c")}) for t in tables]
    return {
        name: float(np.mean([np.ravel(parse(name).values(sums))[-1] for sums in plain]))
        for name in METRICS[design.task]
    }


def first_limits(name: str, sums: Any) -> tuple[str, float, float] | None:
    """The limits that stand first, and by which method."""
    metric, clustered = parse(name), sums.by_cluster
    for method in metric.intervals:
        if method in RESAMPLED or (clustered and not METHODS[method].by_units):
            continue
        bounds = closed_form(method, metric, sums, LEVEL)
        if bounds is not None and not np.isnan(np.ravel(bounds.low)[-1]):
            return method, float(np.ravel(bounds.low)[-1]), float(np.ravel(bounds.high)[-1])
    return None


def simulated(design: Design, samples: int) -> Iterator[Record]:
    """How often the first interval of each metric holds the true value."""
    truths, random = truths_of(design), np.random.default_rng([2027, *design.name.encode(), design.n])
    found: dict[str, list[tuple[str, float, float]]] = {name: [] for name in METRICS[design.task]}
    for _ in range(samples):
        sums = SUMS[design.task](design.draw(random, design.n))
        for name, limits in found.items():
            if (one := first_limits(name, sums)) is not None:
                limits.append(one)
    for name, limits in found.items():
        low, high = np.array([one[1:] for one in limits] or [(np.nan, np.nan)]).T
        truth = truths[name]
        yield {
            "task": design.task,
            "design": design.name,
            "n": design.n,
            "metric": name,
            "method": limits[0][0] if limits else "none",
            "truth": round(truth, 4),
            "intervals": len(limits),
            "coverage": round(float(np.mean((low <= truth) & (truth <= high))), 4),
            "truth_above": round(float(np.mean(high < truth)), 4),
            "median_width": round(float(np.median(high - low)), 5),
        }


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.heldout_sums", description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=250, help="samples of each design")
    parser.add_argument("--set", choices=("development", "held"), default="held")
    parser.add_argument("--out", type=Path, default=Path("docs/validation"), help="folder to write to")
    chosen = parser.parse_args(arguments)
    designs = [design for design in (HELD_OUT if chosen.set == "held" else DEVELOPMENT) if by_formula(design)]
    records = [record for design in designs for record in simulated(design, chosen.samples)]
    with (chosen.out / f"{'heldout' if chosen.set == 'held' else 'development'}.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(records[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
