"""How often intervals of raters' and scores' numbers hold the true value, and from how many units on.

    python -m bench.coverage_numbers [--samples 80] [--out docs/validation] [--tuned]

writes numbers.csv and the tables of numbers.md. `--tuned` runs the designs that methods were chosen on instead, and
writes nothing.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.evaluation.arrays.estimate import row_of_statistic
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import parse
from adjudge.metrics.base import Metric
from adjudge.metrics.intervals import NEEDS
from adjudge.statistics.base import Array
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.statistics.weights import Weights
from bench.number_designs import REPORTED, TUNED, Design

LEVEL = 0.95
SIZES = (50, 200)
FEW = (6, 10, 20)
METRICS = (
    "pearson",
    "spearman",
    "concordance_correlation",
    "icc",
    "icc(form=C,k)",
    "lower_limit_of_agreement",
    "upper_limit_of_agreement",
    "quadratic_weighted_kappa",
    "standardized_mean_difference",
    "correlation",
)
# What a slice of few units is held against: the default, and the bootstrap.
OF_FEW = ("quadratic_weighted_kappa", "correlation", "standardized_mean_difference", "mean_absolute_error")
MANY = 1_000_000
REPLICATES = 200

Record = dict[str, Any]


def truth(name: str, metric: str) -> float:
    """The true value, from very many items."""
    return _truths(name)[metric]


@cache
def _truths(name: str) -> dict[str, float]:
    return _formulas(*(REPORTED | TUNED)[name](np.random.default_rng(1), MANY))


def _formulas(x: Array, y: Array) -> dict[str, float]:
    """What each metric is in the population; with two raters ICC(A,1) and kappa are the concordance correlation."""
    off, cov = y - x, float(np.cov(x, y, ddof=0)[0, 1])
    r, alike = float(np.corrcoef(x, y)[0, 1]), 2 * cov / float(x.var() + y.var() + off.mean() ** 2)
    ranks = [np.searchsorted(np.sort(v), v) + np.searchsorted(np.sort(v), v, side="right") for v in (x, y)]
    return {
        "pearson": r,
        "correlation": r,
        "spearman": float(np.corrcoef(*ranks)[0, 1]),
        "concordance_correlation": alike,
        "quadratic_weighted_kappa": alike,
        "icc": alike,
        "icc(form=C,k)": 2 * cov / float((x.var() + y.var()) / 2 + cov),
        "lower_limit_of_agreement": float(off.mean() - 1.959964 * off.std()),
        "upper_limit_of_agreement": float(off.mean() + 1.959964 * off.std()),
        "standardized_mean_difference": float(off.mean() / x.std()),
        "mean_absolute_error": float(np.abs(off).mean()),
    }


def coverage(design: str, n: int, metric: Metric, samples: int) -> Record:
    """The default interval of a metric on the samples of one design."""
    random = np.random.default_rng([2027, n, len(design)])
    draw: Design = (REPORTED | TUNED)[design]
    drawn = (metric.over.of_arrays(*draw(random, n)) for _ in range(samples))
    return {"metric": repr(metric), "design": design, "n": n} | _held(metric, drawn, truth(design, repr(metric)))


def _held(metric: Metric, drawn: Iterator[Any], true: float) -> Record:
    """How often the interval shown first holds the true value."""
    held, given, samples, methods = 0, 0, 0, set()
    for seed, statistic in enumerate(drawn):
        row = row_of_statistic(metric, statistic, level=LEVEL, settings=Bootstrap(REPLICATES, seed=seed))
        assert row is not None
        samples += 1
        if not np.isnan(row.low):
            held, given = held + (row.low <= true <= row.high), given + 1
            methods.add(row.method)
    return _record("/".join(sorted(methods)), samples, given, held)


def _record(method: str, samples: int, given: int, held: int) -> Record:
    share = round(held / given, 4) if given else float("nan")
    return {"method": method, "samples": samples, "with_interval": round(given / samples, 4), "coverage": share}


def weighted_coverage(design: str, n: int, metric: Metric, samples: int) -> Record:
    """Items taken with a chance that rises with the first score, and weights that make up for it."""
    random = np.random.default_rng([2028, n])

    def drawn() -> Iterator[Any]:
        for _ in range(samples):
            x, y = REPORTED[design](random, 6 * n)
            chance = 0.08 + 0.25 * (x > np.median(x))
            taken = np.flatnonzero(random.random(6 * n) < chance)
            yield metric.over.of_arrays(x[taken], y[taken], weights=1 / chance[taken])

    known = {"metric": repr(metric), "design": f"{design}, informative weights", "n": n}
    return known | _held(metric, drawn(), truth(design, repr(metric)))


def clustered_coverage(people: int, metric: Metric, samples: int) -> Record:
    """People with 1 to 9 responses each, whose errors go together: scores rounded to five points."""
    random, held, given = np.random.default_rng([2029, people]), 0, 0
    big = _of_people(np.random.default_rng(3), 60_000)[:2]
    true = _formulas(*big)[repr(metric)]
    for _ in range(samples):
        x, y, keys = _of_people(random, people)
        bounds = closed_form(metric.intervals[0], metric, _scores(metric, x, y, keys), LEVEL)
        if bounds is not None:
            held, given = held + bool(bounds.low <= true <= bounds.high), given + 1
    known = {"metric": repr(metric), "design": "clusters of 1 to 9", "n": people}
    return known | _record(metric.intervals[0], samples, given, held)


def _of_people(random: np.random.Generator, people: int) -> tuple[Any, Any, Any]:
    each = random.integers(1, 10, people)
    who = np.repeat(np.arange(people), each)
    ability, bias = random.standard_normal(people)[who], 0.5 * random.standard_normal(people)[who]
    human = np.clip(np.round(3 + ability + 0.5 * random.standard_normal(len(who))), 1, 5)
    return human, np.clip(3 + ability + bias + 0.4 * random.standard_normal(len(who)), 1, 5), who.astype(np.uint64)


def _scores(metric: Metric, x: Any, y: Any, keys: Any) -> Any:
    sums = ScoreSums.of_scores(x[:, None], y, Weights(len(x)), keys)
    return sums if metric.over is ScoreSums else sums.numbers


def few_units(metric: Metric, method: str, n: int, samples: int) -> Record:
    """One method on few responses of the four-point and the exponential design, whatever the least it asks for."""
    held, given = 0, 0
    for design in ("four points, 70 % in the lowest", "exponential truth, Laplace noise", "normal, .7"):
        random, true = np.random.default_rng([2030, n, len(design)]), truth(design, repr(metric))
        for seed in range(samples):
            statistic = metric.over.of_arrays(*REPORTED[design](random, n))
            ends = _ends(metric, statistic, method, seed)
            if ends is not None:
                held, given = held + (ends[0] <= true <= ends[1]), given + 1
    known = {"metric": repr(metric), "design": "few units", "n": n}
    return known | _record(method, 3 * samples, given, held)


def _ends(metric: Metric, statistic: Any, method: str, seed: int) -> tuple[float, float] | None:
    if method != "bootstrap":
        bounds = closed_form(method, metric, statistic, LEVEL)
        return None if bounds is None else (float(bounds.low), float(bounds.high))
    with np.errstate(all="ignore"):
        values = metric.values(statistic.resampled("multinomial", REPLICATES, seed, "few"))
    known = values[~np.isnan(values)]
    low, high = np.quantile(known, [0.025, 0.975]) if len(known) else (np.nan, np.nan)
    return (float(low), float(high)) if low < high else None


def records(samples: int, *, tuned: bool = False, quick: bool = False) -> Iterator[Record]:
    """Everything, design by design; of the larger size every third metric."""
    designs, sizes = TUNED if tuned else REPORTED, SIZES[:1] if quick else SIZES
    chosen = [parse(name) for name in (METRICS[:3] if quick else METRICS)]
    for design in designs:
        for n in sizes:
            for metric in chosen if n == SIZES[0] else chosen[::3]:
                yield coverage(design, n, metric, samples)
    if tuned:
        return
    for metric in (parse("pearson"), parse("quadratic_weighted_kappa")):
        yield weighted_coverage("exponential truth, Laplace noise", 100, metric, samples)
        yield from (clustered_coverage(people, metric, samples) for people in (20, 60) if metric.over is ScoreSums)
    yield from (clustered_coverage(people, parse("correlation"), samples) for people in (20, 60))
    for name in OF_FEW[: 1 if quick else None]:
        for method in ("jackknife_hill", "bootstrap"):
            yield from (few_units(parse(name), method, n, max(samples // 2, 1)) for n in (FEW[:2] if quick else FEW))


def tables(found: Sequence[Record]) -> dict[str, list[str]]:
    """The parts of the page, by name."""
    grid = [record for record in found if record["design"] in REPORTED]
    other = [r for r in found if r["design"] not in REPORTED and r["design"] != "few units"]
    sizes, of_few = sorted({r["n"] for r in grid}), sorted({r["n"] for r in found if r["design"] == "few units"})
    lines = ["| metric | design | " + " | ".join(f"n = {n:,}" for n in sizes) + " |", "|---" * (2 + len(sizes)) + "|"]
    for metric, design in dict.fromkeys((r["metric"], r["design"]) for r in grid):
        shares = {r["n"]: r["coverage"] for r in grid if (r["metric"], r["design"]) == (metric, design)}
        cells = [_cell(shares[n]) if n in shares else "–" for n in sizes]
        lines.append(f"| `{metric}` | {design} | {' | '.join(cells)} |")
    more = ["| metric | method | design | n | coverage |", "|---|---|---|---|---|"]
    more += [
        f"| `{r['metric']}` | `{r['method']}` | {r['design']} | {r['n']} | {_cell(r['coverage'])} |" for r in other
    ]
    few = ["| metric | method | " + " | ".join(f"n = {n}" for n in of_few) + " |", "|---" * (2 + len(of_few)) + "|"]
    rows = [r for r in found if r["design"] == "few units"]
    for metric, method in dict.fromkeys((r["metric"], r["method"]) for r in rows):
        cells = [_cell(r["coverage"]) for r in rows if (r["metric"], r["method"]) == (metric, method)]
        few.append(f"| `{metric}` | `{method}` | {' | '.join(cells)} |")
    least = ["| method | fewest units |", "|---|---|"]
    least += [f"| `{name}` | {needs.units} |" for name, needs in NEEDS.items() if needs.units > 1]
    return {"defaults": lines, "more": more, "few": few, "least": least}


def _cell(share: float) -> str:
    text = f"{share:.3f}".lstrip("0") if share < 1 else "1.00"
    return f"**{text}**" if share < 0.92 else text


def write(found: Sequence[Record], folder: Path) -> None:
    """The records, and the tables between their marks in the page."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "numbers.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(found[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
    page = folder / "numbers.md"
    if not page.exists():
        return
    text = page.read_text(encoding="utf-8")
    for name, lines in tables(found).items():
        start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, rest = text.split(start)
        text = before + start + "\n\n" + "\n".join(lines) + "\n\n" + end + rest.split(end)[1]
    page.write_text(text, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.coverage_numbers", description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=80, help="samples of each design")
    parser.add_argument("--out", type=Path, default=Path("docs/validation"), help="folder to write to")
    parser.add_argument("--tuned", action="store_true", help="the designs that methods were chosen on; print only")
    parser.add_argument("--quick", action="store_true", help="a few samples of the smallest size: does it run?")
    chosen = parser.parse_args(arguments)
    found = []
    for record in records(5 if chosen.quick else chosen.samples, tuned=chosen.tuned, quick=chosen.quick):
        print(*record.values(), sep=" · ", flush=True)
        found.append(record)
    if not chosen.tuned:
        write(found, chosen.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
