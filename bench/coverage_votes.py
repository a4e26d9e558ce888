"""How often each interval of a metric of votes holds the true value: near 0 and ±1, few and many pairs, rare traits.

    python -m bench.coverage_votes [--samples 2000] [--out docs/validation]

writes votes.csv, one line for each population, size, metric and method, and the tables of votes.md.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from adjudge.data.judgements.pair_votes import ChosenPairs
from adjudge.data.judgements.votes import VotePairs
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.interval import Bounds
from adjudge.metrics import (
    answer_length,
    preference_accuracy,
    preference_kappa,
    preference_relevance,
    preference_strength,
    prefers_first,
    prefers_longer,
)
from adjudge.statistics.base import Array
from adjudge.statistics.preferences.choice_sums import ChoiceSums
from adjudge.statistics.preferences.votes import SIZE, VoteTable
from adjudge.statistics.weights import Weights

LEVEL = 0.95
FITS = "## Fits of pairs"  # where the part that bench.coverage_fits writes begins
SIZES = (10, 30, 100, 300, 1_000)
RELEVANCES = (0.05, 0.2, 0.5, 1.0)
ACCURACIES = (0.5, 0.6, 0.8, 0.98)
METRICS = (
    (preference_strength, ("tango", "plus_three")),
    (preference_relevance, ("wilson",)),
    (preference_kappa, ("wilson",)),
    (preference_accuracy, ("wilson",)),
)
PROMPTS = ((30, 4), (100, 4), (30, 10))
Record = tuple[str, int, str, str, float, float, int]


def table_of(agreed: int, disagreed: int, other: int) -> VoteTable:
    """A table of votes with these counts."""
    counts = np.zeros((SIZE, SIZE))
    counts[0, :3] = agreed, disagreed, other
    return VoteTable(counts, counts, agreed + disagreed + other)


def independent(samples: int) -> Iterator[Record]:
    """Pairs that have nothing in common, drawn from shares of agreement, disagreement and neither."""
    random = np.random.default_rng(11)
    for relevance in RELEVANCES:
        for accuracy in ACCURACIES:
            shares = [relevance * accuracy, relevance * (1 - accuracy), 1 - relevance]
            truth = {
                preference_strength: relevance * (2 * accuracy - 1),
                preference_relevance: relevance,
                preference_kappa: 2 * accuracy - 1,
                preference_accuracy: accuracy,
            }
            for n in SIZES:
                kinds, times = np.unique(random.multinomial(n, shares, size=samples), axis=0, return_counts=True)
                tables = [table_of(*kind) for kind in kinds.tolist()]
                name = f"relevance {relevance:g}, accuracy {accuracy:g}"
                for metric, methods in METRICS:
                    for method in methods:
                        bounds = [closed_form(method, metric, table, LEVEL) for table in tables]
                        yield _record(name, n, repr(metric), method, _ends(bounds), truth[metric], times)


def _ends(bounds: Sequence[Bounds | None]) -> Array:
    """The limits of each, (intervals, 2); NaN where there is none."""
    ends = [[np.nan] * 2 if one is None else [float(one.low), float(one.high)] for one in bounds]
    return np.array(ends).reshape(-1, 2)


def _record(name: str, n: int, metric: str, method: str, ends: Array, truth: float, times: Array) -> Record:
    known = np.isfinite(ends).all(1)
    held = (ends[:, 0] <= truth + 1e-12) & (truth - 1e-12 <= ends[:, 1])
    weight = times * known
    total = max(int(weight.sum()), 1)
    width = float((weight * np.where(known, ends[:, 1] - ends[:, 0], 0.0)).sum() / total)
    return name, n, metric, method, float((weight * held).sum() / total), width, total


def by_prompt(samples: int) -> Iterator[Record]:
    """Pairs of one prompt that mostly say the same: taken as independent, and with prompts as units."""
    random = np.random.default_rng(12)
    for prompts, pairs in PROMPTS:
        place = np.repeat(np.arange(prompts), pairs)
        ends: dict[str, list[list[float]]] = {"pairs as units": [], "prompts as units": []}
        for _ in range(samples):
            lean = random.beta(2.4, 1.6, prompts)[place]  # how far a prompt's pairs agree; 0.6 on average
            kind = random.random(len(place))
            votes = np.where(kind < 0.3, 2, np.where(random.random(len(place)) < lean, 0, 1))
            for name, units in (("pairs as units", None), ("prompts as units", place)):
                table = VoteTable.collect(VotePairs(np.zeros_like(votes), votes, units), Weights(len(votes)))
                bounds = closed_form("tango", preference_strength, table, LEVEL)
                assert bounds is not None
                ends[name].append([float(bounds.low), float(bounds.high)])
        for name, limits in ends.items():
            one = np.ones(samples, dtype=np.int64)
            where = f"{prompts} prompts of {pairs} pairs"
            yield _record(where, prompts * pairs, repr(preference_strength), name, np.array(limits), 0.7 * 0.2, one)


GENERAL = ((prefers_first, "wilson"), (prefers_longer, "wilson"), (answer_length, "student"))


def choices(samples: int) -> Iterator[Record]:
    """Choices between answers of skewed lengths, drawn from populations of 20,000 pairs, whose values are the truth."""
    random = np.random.default_rng(13)
    for first, longer, spread in ((0.5, 0.5, 0.8), (0.95, 0.6, 0.8), (0.6, 0.98, 1.2)):
        lengths = np.rint(np.exp(random.normal(5, spread, (20_000, 2))))
        by_length = np.where((lengths[:, 0] >= lengths[:, 1]) == (random.random(20_000) < longer), 0, 1)
        votes = np.where(random.random(20_000) < 0.5, by_length, random.random(20_000) >= first).astype(np.int8)
        population = ChosenPairs(votes, lengths)
        truth = {metric: float(metric.values(_sums(population))) for metric, _ in GENERAL}
        for n in SIZES:
            drawn = [_sums(population.of_rows(random.integers(0, 20_000, n))) for _ in range(samples)]
            name = f"{first:.0%} first, {longer:.0%} longer where that decides, lengths spread by {spread:g}"
            for metric, method in GENERAL:
                bounds = [closed_form(method, metric, one, LEVEL) for one in drawn]
                one = np.ones(samples, dtype=np.int64)
                yield _record(name, n, repr(metric), method, _ends(bounds), truth[metric], one)


def _sums(pairs: ChosenPairs) -> ChoiceSums:
    return ChoiceSums.collect(pairs, Weights(len(pairs)))


def choices_by_prompt(samples: int) -> Iterator[Record]:
    """Choices that lean to a place prompt by prompt."""
    random = np.random.default_rng(14)
    for prompts, pairs in PROMPTS:
        place = np.repeat(np.arange(prompts, dtype=np.uint64), pairs)
        none = np.full((len(place), 2), np.nan)
        for name, units in (("pairs as units", None), ("prompts as units", place)):
            ends = []
            for _ in range(samples):
                lean = random.beta(2.4, 1.6, prompts)[place]
                votes = (random.random(len(place)) >= lean).astype(np.int8)
                bounds = closed_form("wilson", prefers_first, _sums(ChosenPairs(votes, none, units)), LEVEL)
                assert bounds is not None
                ends.append([float(bounds.low), float(bounds.high)])
            where, one = f"{prompts} prompts of {pairs} pairs, {prefers_first!r}", np.ones(samples, dtype=np.int64)
            yield _record(where, prompts * pairs, repr(prefers_first), name, np.array(ends), 0.6, one)


def tables(records: list[Record]) -> str:
    """The figures as Markdown: the worst and the mean coverage of each method by size."""
    lines = ["# Intervals of votes: how often they hold", ""]
    lines += [
        f"Written by `python -m bench.coverage_votes`; level {LEVEL:.0%}. Populations: relevance {RELEVANCES}, accuracy"
    ]
    lines += [f"{ACCURACIES}. Samples in which a metric is undefined are left out. General statistics are of choices"]
    lines += ["between answers of log-normal lengths, with a quarter of the samples.", ""]
    lines += ["| metric | method | pairs | worst | mean | mean width |", "|---|---|---|---|---|---|"]
    keys = dict.fromkeys((r[2], r[3], r[1]) for r in records if "prompts" not in r[0])
    for metric, method, n in keys:
        rows = [
            r for r in records if (r[2], r[3], r[1]) == (metric, method, n) and "prompts" not in r[0] and r[6] > 200
        ]
        if not rows:
            continue
        covered = [r[4] for r in rows]
        width = np.mean([r[5] for r in rows])
        lines.append(f"| {metric} | {method} | {n:,} | {min(covered):.3f} | {np.mean(covered):.3f} | {width:.3f} |")
    lines += [
        "",
        "Pairs of one prompt have much in common (their share of agreement is drawn once for each prompt):",
        "",
    ]
    lines += ["| prompts | method | coverage | mean width |", "|---|---|---|---|"]
    lines += [f"| {r[0]} | {r[3]} | {r[4]:.3f} | {r[5]:.3f} |" for r in records if "prompts" in r[0]]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2_000)
    parser.add_argument("--out", type=Path, default=Path("docs/validation"))
    options = parser.parse_args()
    records = [*independent(options.samples), *by_prompt(options.samples)]
    records += [*choices(max(options.samples // 4, 1)), *choices_by_prompt(max(options.samples // 4, 1))]
    with (options.out / "votes.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["population", "n", "metric", "method", "coverage", "width", "samples"])
        writer.writerows([*record[:4], f"{record[4]:.4f}", f"{record[5]:.4f}", record[6]] for record in records)
    page = options.out / "votes.md"
    _, marker, fits = page.read_text().partition(FITS) if page.exists() else ("", "", "")
    page.write_text(tables(records) + (f"\n{marker}{fits}" if marker else ""))


if __name__ == "__main__":
    main()
