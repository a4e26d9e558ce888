"""Votes beside Feedback Forensics: reading a file and all metrics of 40 traits, ours with intervals.

    python -m bench.preference [--pairs 100000] [--repeats 3]

Feedback Forensics brings some 200 packages, so it runs in a Python of its own: name it in the environment variable
ADJUDGE_BENCH_FORENSICS. It runs twice: with all its metrics, which is what the targets are about, and with the four
that it computes unless told otherwise. Costs are processor seconds without imports on either side, medians of turns
taken one after another; memory is the peak of the process, also for a table of four times as many pairs, streamed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

TRAITS, MODELS, REFERENCE = 40, 10, "ba751e7b"
WORDS = ["amber", "brisk", "cedar", "delta", "ember", "flint", "grove", "haven", "inlet", "jolly", "kiosk", "lunar"]
REASONS = ("not_applicable", "invalid", "both", "neither")
TARGETS = {"json": 3, "parquet": 10}
# All that it can compute; it reads the names from an environment variable.
EVERY = ["agreement", "acc", "relevance", "strength", "strength_with_stats", "strength_ci", "num_votes", "agreed"]
EVERY += ["agreement_binomial_significance", "cohens_kappa_og", "cohens_kappa", "disagreed", "not_applicable"]
TIMES = 4  # as many pairs where memory is looked at

# The peak of the process itself: what `resource` says also holds what its parent had when it started it.
PEAK = """
def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))
"""
OURS = """
import json, sys, time
import adjudge, adjudge.functions, adjudge.tasks.preference.task, pyarrow.parquet, pyarrow.compute, scipy.special
import scipy.sparse
start = time.process_time()
found = adjudge.preference(sys.argv[1], engine=sys.argv[2])
cpu = time.process_time() - start
value = found.get("preference_strength(over=reference)", system=sys.argv[3]).value
print(json.dumps({"cpu": cpu, "mb": peak(), "value": value}))
"""
PEERS = """
import json, os, sys, time
if sys.argv[3]:
    os.environ["FF_AVAIL_METRICS"] = sys.argv[3]
import feedback_forensics
from pathlib import Path
start = time.process_time()
handler = feedback_forensics.DatasetHandler()
handler.add_data_from_path(Path(sys.argv[1]))
handler.get_overall_metrics()
metrics = next(iter(handler.get_annotator_metrics().values()))["metrics"]
cpu = time.process_time() - start
value = metrics["strength"][sys.argv[2]]
value = value["strength"] if isinstance(value, dict) else value
print(json.dumps({"cpu": cpu, "mb": peak(), "value": value}))
"""


def pairs(count: int, seed: int = 7) -> Iterator[dict[str, Any]]:
    """Pairs of short texts: 5 % of votes missing, 25 % no choice, traits that agree in 60 %."""
    random = np.random.default_rng(seed)
    for place in range(count):
        chosen, (first, second) = int(random.integers(2)), random.integers(0, MODELS, 2)
        kind, right, reason = random.random(TRAITS), random.random(TRAITS) < 0.6, random.integers(0, 4, TRAITS)
        votes: dict[str, Any] = {REFERENCE: {"pref": "ab"[chosen]}}
        for trait in range(TRAITS):
            if kind[trait] >= 0.30:
                votes[f"{trait:08x}"] = {"pref": "ab"[chosen if right[trait] else 1 - chosen]}
            elif kind[trait] >= 0.05:
                votes[f"{trait:08x}"] = {"pref": None, "no_pref_reason": REASONS[reason[trait]]}
        texts = [" ".join(random.choice(WORDS, size)) for size in random.integers(5, 41, 2)]
        yield {
            "id": f"{place:08x}",
            "prompt": f"prompt {place}",
            "response_a": {"text": texts[0], "model": f"lab/{first}"},
            "response_b": {"text": texts[1], "model": f"lab/{second}"},
            "annotations": votes,
            "metadata": {"category": f"c{place % 5}"},
        }


def write(folder: Path, count: int) -> tuple[Path, Path]:
    """The same pairs as an AnnotatedPairs file, and as Parquet with a column for each annotator."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    who = {REFERENCE: {"name": "preferred_text", "description": "reference", "type": "unknown"}}
    who |= {
        f"{trait:08x}": {"description": f"Select the response that has trait {trait}", "type": "principle"}
        for trait in range(TRAITS)
    }
    metadata = {"version": "2.0", "dataset_name": "bench", "default_annotator": REFERENCE}
    as_json, as_parquet = folder / "pairs.json", folder / "pairs.parquet"
    columns: dict[str, list[Any]] = {name: [] for name in ("prompt", "text_a", "text_b", "model_a", "model_b")}
    names = {REFERENCE: "preferred_text", **{f"{trait:08x}": f"trait {trait}" for trait in range(TRAITS)}}
    columns |= {name: [] for name in names.values()}
    with as_json.open("w") as file:
        file.write(f'{{"metadata": {json.dumps(metadata)}, "annotators": {json.dumps(who)}, "comparisons": [\n')
        for place, pair in enumerate(pairs(count)):
            file.write((",\n" if place else "") + json.dumps(pair))
            columns["prompt"].append(pair["prompt"])
            for side in "ab":
                columns[f"text_{side}"].append(pair[f"response_{side}"]["text"])
                columns[f"model_{side}"].append(pair[f"response_{side}"]["model"])
            for annotator, name in names.items():
                vote = pair["annotations"].get(annotator)
                columns[name].append(None if vote is None else vote["pref"] or vote["no_pref_reason"])
        file.write("]}\n")
    pq.write_table(pa.table(columns), as_parquet)
    return as_json, as_parquet


def longer(as_parquet: Path) -> tuple[Path, Path]:
    """Several times as many pairs, each prompt its own, as Parquet and as JSON lines."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(as_parquet)
    parquet, lines = as_parquet.with_name("longer.parquet"), as_parquet.with_name("longer.jsonl")
    with pq.ParquetWriter(parquet, table.schema) as writer, lines.open("w") as file:
        for turn in range(TIMES):
            prompts = pa.array([f"{turn} {one}" for one in table["prompt"].to_pylist()])
            part = table.set_column(0, "prompt", prompts)
            writer.write_table(part)
            file.writelines(json.dumps(row) + "\n" for row in part.to_pylist())
    return parquet, lines


def cost(python: str, program: str, *arguments: str) -> dict[str, float]:
    """What a program of its own process costs."""
    ran = subprocess.run([python, "-c", PEAK + program, *arguments], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(ran.stdout.strip().splitlines()[-1])
    return found


def middle(costs: list[dict[str, float]]) -> dict[str, float]:
    """The median turn."""
    return sorted(costs, key=lambda one: one["cpu"])[len(costs) // 2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    peer = os.environ.get("ADJUDGE_BENCH_FORENSICS")
    with tempfile.TemporaryDirectory() as folder:
        as_json, as_parquet = write(Path(folder), options.pairs)
        costs: dict[tuple[str, str], list[dict[str, float]]] = {}
        for _ in range(options.repeats):
            for which, metrics in (("all", json.dumps(EVERY)), ("default", "")) if peer else ():
                found = cost(str(peer), PEERS, str(as_json), "has trait 3", metrics)
                costs.setdefault(("peer", which), []).append(found)
            for path, system in ((as_json, "AI: has trait 3"), (as_parquet, "trait 3")):
                for engine in ("memory", "stream"):
                    ours = cost(sys.executable, OURS, str(path), engine, system)
                    costs.setdefault((path.suffix.removeprefix("."), engine), []).append(ours)
                    same = [found[0]["value"] for (name, _), found in costs.items() if name == "peer"]
                    assert all(abs(value - ours["value"]) < 1e-9 for value in same)
        theirs = {which: middle(found) for (name, which), found in costs.items() if name == "peer"}
        for which, one in theirs.items():
            print(f"Feedback Forensics, JSON, {which} metrics: {one['cpu']:.2f} CPU s, {one['mb']:,.0f} MB")
        for (kind, engine), found in costs.items():
            if kind != "peer":
                one = middle(found)
                times = [f"{its['cpu'] / one['cpu']:.1f} times less than {which}" for which, its in theirs.items()]
                said = ", ".join([f"{one['cpu']:.2f} CPU s", f"{one['mb']:,.0f} MB", *times])
                print(f"adjudge, {kind}, {engine}: {said} (target {TARGETS[kind]})")
        for path in longer(as_parquet):
            one = cost(sys.executable, OURS, str(path), "stream", "trait 3")
            print(
                f"adjudge, {path.suffix}, stream, {TIMES} times the pairs: {one['cpu']:.2f} CPU s, {one['mb']:,.0f} MB"
            )


if __name__ == "__main__":
    main()
