"""Coverage of differences of two systems on rows in few clusters of unequal size: the interval shown first.

    python -m bench.coverage_paired_clusters [--samples 100] [--clusters 10 20 40]

writes paired_clusters.csv, and its table in clusters.md. Nothing was chosen on these designs.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import adjudge

Random = np.random.Generator
HERE = Path(__file__).parents[1] / "docs" / "validation"
BEGIN, END = "<!-- paired -->\n", "<!-- end of paired -->"
MANY = 6_000
WANTED = 0.92


def _which(random: Random, clusters: int) -> np.ndarray:
    """Clusters of 1 to 30 rows, a few much larger than most."""
    sizes = np.clip(np.rint(random.lognormal(1.8, 0.8, clusters)), 1, 40).astype(int)
    return np.repeat(np.arange(clusters), sizes)


def labels(random: Random, clusters: int) -> dict[str, Any]:
    """Scores of two systems, the second a little better; clusters differ in how hard they are and for whom."""
    of = _which(random, clusters)
    common, first, second, rate = random.standard_normal((4, clusters))
    positive = random.random(len(of)) < 1 / (1 + np.exp(1 - 0.8 * rate[of]))
    noise = random.standard_normal((3, len(of)))
    sign = np.where(positive, 1, -1)
    scores = [
        1 / (1 + np.exp(-(sign * (gain + 0.5 * common[of] + 0.4 * own[of]) + 0.8 * noise[0] + 0.8 * noise[k])))
        for k, gain, own in ((1, 1.0, first), (2, 1.3, second))
    ]
    return {"y": positive.astype(int), "a": scores[0], "b": scores[1], "c": of}


def ratings(random: Random, clusters: int) -> dict[str, Any]:
    """Five points, off by one or two more often in some clusters."""
    of = _which(random, clusters)
    level, hard, first, second = random.standard_normal((4, clusters))
    truth = np.clip(np.rint(3 + 0.6 * level[of] + random.standard_normal(len(of))), 1, 5)
    made = [
        np.clip(
            np.rint(truth + np.exp(-0.4 + 0.3 * hard[of] + 0.3 * own[of]) * off * random.standard_normal(len(of))), 1, 5
        )
        for off, own in ((1.0, first), (0.85, second))
    ]
    return {"y": truth.astype(int), "a": made[0].astype(int), "b": made[1].astype(int), "c": of}


def numbers(random: Random, clusters: int) -> dict[str, Any]:
    """Errors of Student's t with 4 degrees that are partly the same for both, wider in some clusters."""
    of = _which(random, clusters)
    level, off, spread = random.standard_normal((3, clusters))
    y = 2 * random.standard_normal(len(of)) + level[of]
    common = 0.4 * off[of] + np.exp(0.3 * spread[of]) * random.standard_t(4, len(of))
    first, second = (k * random.standard_t(4, len(of)) for k in (0.8, 0.6))
    return {"y": y, "a": y + common + first, "b": y + 0.95 * common + second, "c": of}


DESIGNS: dict[str, tuple[Callable[[Random, int], dict[str, Any]], str, dict[str, Any]]] = {
    "two labels, scores": (
        labels,
        "classification",
        {"score": ["a", "b"], "positive": 1, "metrics": ["accuracy", "f_score", "roc_auc", "cohen_kappa"]},
    ),
    "five points": (
        ratings,
        "classification",
        {
            "prediction": ["a", "b"],
            "metrics": ["accuracy", "cohen_kappa(weighting=quadratic)", "f_score(average=macro)"],
        },
    ),
    "numbers, t with 4 degrees": (
        numbers,
        "regression",
        {"prediction": ["a", "b"], "metrics": ["rmse", "mean_absolute_error", "correlation"]},
    ),
}


def simulated(design: str, counts: Sequence[int], samples: int) -> Iterator[dict[str, Any]]:
    """How often the first interval of each difference holds the true one."""
    draw, task, asked = DESIGNS[design]
    whole = draw(np.random.default_rng(1), MANY)
    known = adjudge.evaluate(
        {name: whole[name] for name in "yab"}, task, reference="y", baseline="a", replicates=100, **asked
    )
    truths = {row.metric: row.estimate for row in _differences(known)}
    for clusters in counts:
        held: dict[tuple[str, str], list[bool]] = {}
        random = np.random.default_rng([11, clusters])
        for sample in range(samples):
            found = adjudge.evaluate(
                draw(random, clusters),
                task,
                reference="y",
                baseline="a",
                cluster="c",
                replicates=300,
                seed=sample,
                **asked,
            )
            for row in _differences(found):
                if np.isfinite(row.low):
                    held.setdefault((row.metric, row.method), []).append(row.low <= truths[row.metric] <= row.high)
        for (metric, method), each in held.items():
            share = round(float(np.mean(each)), 4)
            yield {
                "design": design, "metric": metric, "method": method, "clusters": clusters, "intervals": len(each),
                "coverage": share,
            }  # fmt: skip
            print(design, metric, method, clusters, len(each), share, flush=True)


def _differences(found: Any) -> Iterator[Any]:
    """Of each metric the difference of all rows that is shown first; of a category that of the positive one."""
    seen: set[str] = set()
    for row in found.table:
        first = row.metric not in seen and row.category in ("", "1")
        if row.baseline == "a" and row.slice == "all" and first:
            seen.add(row.metric)
            yield row


def table_of(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A line for each metric and method."""
    counts = sorted({int(record["clusters"]) for record in records})
    yield f"| design | difference of | method | {' | '.join(f'{k} clusters' for k in counts)} |"
    yield "|---|---|---|" + "---|" * len(counts)
    for key in dict.fromkeys((record["design"], record["metric"], record["method"]) for record in records):
        cells = {int(r["clusters"]): r for r in records if (r["design"], r["metric"], r["method"]) == key}
        shown = (_cell(cells[k]) if k in cells else "" for k in counts)
        yield f"| {key[0]} | `{key[1]}` | `{key[2]}` | {' | '.join(shown)} |"


def _cell(record: dict[str, Any]) -> str:
    share = float(record["coverage"])
    text = f"{share:.2f}".removeprefix("0") + f" ({record['intervals']})"
    return f"**{text}**" if share < WANTED else text


def main() -> None:
    """Simulate, and write the file and the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--clusters", type=int, nargs="+", default=[10, 20, 40])
    asked = parser.parse_args()
    records = [one for design in DESIGNS for one in simulated(design, asked.clusters, asked.samples)]
    with (HERE / "paired_clusters.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(records[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    path = HERE / "clusters.md"
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    path.write_text(f"{before}{BEGIN}\n" + "\n".join(table_of(records)) + f"\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
