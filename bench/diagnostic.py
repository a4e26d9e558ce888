"""Simulates what docs/validation/diagnostic.md tells: searches where there is nothing, and templates ignored.

python -m bench.diagnostic [TABLES] writes the page; python -m bench.diagnostic speed times a search of a million rows.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.diagnosis.slices.search_units import SearchedColumn, SearchUnits
from adjudge.diagnosis.slices.slice_search import search
from adjudge.inference.differences.flips import Flips
from adjudge.inference.intervals.closed_form import clopper_pearson
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.inference.intervals.unit_shares import unit_share_limits
from adjudge.inference.many.levels_together import LevelMean, levels_at_once
from adjudge.metrics.intervals import Share
from adjudge.statistics.linear_sums import LinearSums
from adjudge.statistics.systems.counted_flips import BOTH, BROKEN, DIFFERING, FIXED, NEITHER
from adjudge.statistics.weights import Weights

PAGE = Path("docs/validation/diagnostic.md")
LEVEL = 0.95


def quiet(what: str, more: int, of: int) -> None:
    """Nobody is told."""


def columns(random: np.random.Generator, rows: int, count: int = 8) -> tuple[SearchedColumn, ...]:
    """Columns of four levels that have nothing to do with anything."""
    return tuple(
        SearchedColumn(f"c{place}", tuple("abcd"), random.integers(0, 4, rows).astype(np.int32))
        for place in range(count)
    )


def losses_of(random: np.random.Generator, kind: str, rows: int) -> Any:
    """Losses that no column tells: errors, errors of clusters of ten, or sizes with a long tail."""
    if kind == "errors of clusters":
        return (random.random(rows) < np.repeat(random.beta(0.6, 3.4, rows // 10), 10)).astype(float)
    return (random.random(rows) < 0.15).astype(float) if kind == "errors" else random.exponential(size=rows)


def null_search(kind: str, way: str, rows: int, tables: int) -> tuple[float, float, int]:
    """In which share of tables anything is found where nothing is, how many p are below 5 %, of how many slices."""
    hits, small, searched = 0, 0.0, 0
    for seed in range(tables):
        random = np.random.default_rng([seed, rows])
        made = columns(random, rows)
        units = np.arange(rows) // 10 if kind.endswith("clusters") else np.arange(rows)
        keys = random.permutation(rows).astype(np.uint64)[units] + np.uint64(1)
        found = search(
            SearchUnits(made, losses_of(random, kind, rows), keys, kind.endswith("clusters")),
            way=way, level=LEVEL, seed=seed, tables=0, progress=quiet,
        )  # fmt: skip
        hits += any(one.p_adjusted < 1 - LEVEL for one in found.finds)
        small += sum(one.part.p < 1 - LEVEL for one in found.finds)
        searched = found.searched
    return hits / tables, small / tables, searched


def planted(rows: int, tables: int) -> tuple[float, float, float]:
    """How often a slice that fails 30 % instead of 15 % is confirmed first, and how far estimates are off."""
    right, found_there, confirmed = 0, [], []
    for seed in range(tables):
        random = np.random.default_rng([seed, 77])
        made = columns(random, rows)
        inside = (made[0].codes == 1) & (made[1].codes == 2)
        losses = (random.random(rows) < np.where(inside, 0.3, 0.15)).astype(float)
        units = SearchUnits(made, losses, np.arange(rows, dtype=np.uint64))
        found = search(units, way="split", level=LEVEL, seed=seed, tables=0, progress=quiet)
        first = next((one for one in found.finds if one.name == "c0 × c1 = b × c"), None)
        right += first is not None and first.p_adjusted < 1 - LEVEL
        whole = search(units, way="all", level=LEVEL, seed=seed, tables=0, progress=quiet)
        confirmed += [found.finds[0].part.mean - 0.3] if first is found.finds[0] else []
        found_there += [whole.finds[0].part.mean - 0.3] if whole.finds[0].name == "c0 × c1 = b × c" else []
    return right / tables, float(np.mean(confirmed)), float(np.mean(found_there))


def templates(count: int, size: int, spread: float, tables: int) -> tuple[float, float]:
    """How often the interval of a failure rate of 10 % holds it: templates ignored, and respected."""
    held = np.zeros(2)
    for seed in range(tables):
        random = np.random.default_rng([seed, count, size])
        rates = random.beta(0.1 / spread, 0.9 / spread, count) if spread else np.full(count, 0.1)
        failed = random.binomial(size, rates).astype(float)
        sums = LinearSums.collect(("n", "f"), np.stack([np.full(count, float(size)), failed], axis=1), Weights(count))
        rows = np.asarray(float(count * size))
        low, high = clopper_pearson(Share(np.asarray(failed.sum()), rows, rows), LEVEL)
        held[0] += low <= 0.1 <= high
        low, high = unit_share_limits(sums, ("f",), ("n",), LEVEL, clopper_pearson, unseen=True)[1:]
        held[1] += low <= 0.1 <= high
    return tuple((held / tables).tolist())


def no_change(count: int, size: int, tables: int) -> tuple[float, float]:
    """How often "as many fixed as broken" is refused at 5 % where it is true: by McNemar's test, and by template."""
    refused = np.zeros(2)
    for seed in range(tables):
        random = np.random.default_rng([seed, count, 5])
        gains = random.normal(0, 0.12, count)  # templates gain or lose as a whole
        fixed = random.binomial(size, np.clip(0.1 + gains / 2, 0.0, 0.5)).astype(float)
        broken = random.binomial(size, np.clip(0.1 - gains / 2, 0.0, 0.5)).astype(float)
        broken = np.minimum(broken, size - fixed)
        same = size - fixed - broken
        each = np.stack([0.8 * same, fixed, broken, 0.2 * same, fixed + broken], axis=1)
        sums = LinearSums.collect((BOTH, FIXED, BROKEN, NEITHER, DIFFERING), each, Weights(count))
        counts = {name: float(sums.of(name)) for name in (FIXED, BROKEN)} | {BOTH: 0.0, NEITHER: 0.0}
        refused[0] += Flips(counts).p() < 0.05
        refused[1] += Flips.of_units(sums, clustered=True, row=1.0).p() < 0.05
    return tuple((refused / tables).tolist())


def at_once(originals: int, levels: int, alike: float, tables: int) -> tuple[float, float, float]:
    """How often some of several perturbations of the same originals is told worse or better where none is.

    Each at 5 % by itself, all at once by max-T; and by how much max-T limits are shorter than Bonferroni's.
    """
    hits, shorter = np.zeros(2), 0.0
    keys = np.arange(originals, dtype=np.uint64)
    for seed in range(tables):
        random = np.random.default_rng([seed, originals, levels])
        common = random.standard_normal(originals)[:, None]
        moved = np.sqrt(alike) * common + np.sqrt(1 - alike) * random.standard_normal((originals, levels))
        changes = (moved > 1.2816) * 1.0 - (moved < -1.2816)  # a tenth is fixed, a tenth broken
        means = [
            LevelMean(float(one.mean()), one - one.mean(), float(originals), float(originals), keys)
            for one in changes.T
        ]
        together = levels_at_once(means, LEVEL, seed, "bench")
        hits += any(one.p < 0.05 for one in means), bool((together.p < 0.05).any())
        bonferroni = student_quantile(1 - 0.05 / levels, originals - 1) * means[0].error
        shorter += 1 - (together.limits[0][1] - together.limits[0][0]) / 2 / bonferroni
    return float(hits[0] / tables), float(hits[1] / tables), float(shorter / tables)


def page(tables: int) -> str:
    """The page, from so many tables each."""
    lines = [
        "# Suites, side effects and searches: what was simulated",
        "",
        f"`python -m bench.diagnostic {tables}` makes this page: {tables} tables for each line of a search, ten",
        f"times as many for others. A share of 5 % has a standard error of {np.sqrt(0.05 * 0.95 / tables):.3f} there.",
        "",
        "## A search where there is nothing to find",
        "",
        "8 columns of 4 levels and their pairs, independent of the losses. *Anything*: the share of tables in which",
        "a slice is told as found at 5 %.",
        "",
        "| losses | rows | way | slices | anything |",
        "|---|---|---|---|---|",
    ]
    for kind in ("errors", "errors of clusters", "sizes"):
        for rows in (1_000, 4_000):
            for way in ("split", "all", "bh"):
                if way != "split" and (rows > 1_000 or kind == "errors of clusters"):
                    continue
                hit, _, searched = null_search(kind, way, rows, tables)
                lines.append(f"| {kind} | {rows:,} | {way} | {searched} | {hit:.3f} |")
    right, confirmed, optimistic = planted(8_000, max(tables // 3, 20))
    lines += [
        "",
        "## A slice that is there",
        "",
        f"One slice of 8,000 rows fails 30 % instead of 15 %: it is confirmed in {right:.0%} of tables. Where it",
        f"stands first, its estimate is off by {confirmed:+.3f} on average in the rows that confirm it, and by",
        f"{optimistic:+.3f} in those that chose it.",
        "",
        "## Templates ignored and respected",
        "",
        "How often the 95 % interval of a failure rate of 10 % holds it; rates of templates are beta distributed.",
        "",
        "| templates | cases of each | rates differ | ignored (Clopper–Pearson) | respected (Korn–Graubard) |",
        "|---|---|---|---|---|",
    ]
    for count, size, spread, word in (
        (20, 20, 0.1, "much"), (20, 20, 0.3, "very much"), (5, 20, 0.1, "much"), (10, 10, 0.1, "much"),
        (60, 10, 0.1, "much"), (20, 20, 0.0, "not"),
    ):  # fmt: skip
        ignored, respected = templates(count, size, spread, 10 * tables)
        lines.append(f"| {count} | {size} | {word} | {ignored:.3f} | {respected:.3f} |")
    lines += [
        "",
        "## As many fixed as broken",
        "",
        "How often that is refused at 5 % where it is true, and templates gain or lose as a whole.",
        "",
        "| templates | cases of each | McNemar, templates ignored | guarded t, by template |",
        "|---|---|---|---|",
    ]
    for count, size in ((4, 20), (6, 20), (10, 20), (20, 20), (60, 10)):
        ignored, respected = no_change(count, size, 10 * tables)
        lines.append(f"| {count} | {size} | {ignored:.3f} | {respected:.3f} |")
    lines += ["", *levels_section(tables)]
    return "\n".join(lines) + "\n"


def levels_section(tables: int) -> list[str]:
    """What is told of several levels at once."""
    lines = [
        "## Every perturbation at once",
        "",
        "How often some level is told worse or better at 5 % where none is; the same originals are perturbed in every",
        f"way, and their changes correlate; {5 * tables} tables a line. *Shorter*: the limits of max-T beside",
        "Bonferroni's.",
        "",
        "| originals | levels | correlation | each by itself | at once (max-T) | shorter |",
        "|---|---|---|---|---|---|",
    ]
    for originals, levels, alike in ((40, 6, 0.0), (40, 6, 0.9), (200, 10, 0.6)):
        alone, together, shorter = at_once(originals, levels, alike, 5 * tables)
        lines.append(f"| {originals} | {levels} | {alike:g} | {alone:.3f} | {together:.3f} | {shorter:.0%} |")
    return lines


def speed() -> None:
    """A search of 1,000,000 rows in 20 columns of 4 levels with pairs, in CPU seconds."""
    random, rows = np.random.default_rng(1), 1_000_000
    made = columns(random, rows, 20)
    units = SearchUnits(made, losses_of(random, "errors", rows), np.arange(rows, dtype=np.uint64))
    search(units.of_rows(np.arange(20_000)), way=None, level=LEVEL, seed=7, tables=1, progress=quiet)
    for tables in (0, 20):
        start = time.process_time()
        search(units, way=None, level=LEVEL, seed=7, tables=tables, progress=quiet)
        print(f"{tables} tables dealt anew: {time.process_time() - start:.2f} CPU seconds")


if __name__ == "__main__":
    if sys.argv[1:] == ["speed"]:
        speed()
    else:
        PAGE.write_text(page(int(sys.argv[1]) if len(sys.argv) > 1 else 300), encoding="utf-8")
