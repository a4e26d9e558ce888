"""Pairs with votes in every form they come in, and a short way to evaluate them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np

import adjudge

# Seven pairs: polite agrees in three, disagrees in one, ties in one, was never asked in one; the reference ties in one.
SMALL: dict[str, list[Any]] = {
    "preferred_text": ["a", "b", "a", "b", "a", "b", "tie"],
    "polite": ["a", "b", "a", "a", "tie", None, "b"],
}


def evaluated(table: Any = None, **given: Any) -> adjudge.Evaluation:
    """A quick evaluation."""
    return adjudge.preference(SMALL if table is None else table, **{"replicates": 100} | given)


def table_of(pairs: int = 400, seed: int = 1, prompts: int | None = None) -> dict[str, list[Any]]:
    """Models of different strength, a reference that likes the better and the longer, and three traits."""
    random = np.random.default_rng(seed)
    strength = np.array([0.9, 0.0, -0.9])
    models = np.stack([random.permutation(3)[:2] for _ in range(pairs)])
    lengths = random.integers(5, 60, (pairs, 2))
    score = strength[models[:, 0]] - strength[models[:, 1]] + 0.02 * (lengths[:, 0] - lengths[:, 1])
    first = random.random(pairs) < 1 / (1 + np.exp(-score))

    def trait(right: float, none: float) -> list[Any]:
        said = np.where(random.random(pairs) < right, first, ~first)
        return [
            None if u < none / 2 else "both" if u < none else "ab"[int(not one)]
            for one, u in zip(said, random.random(pairs), strict=True)
        ]

    longer = lengths[:, 0] > lengths[:, 1]
    table = {
        "id": [f"c{row}" for row in range(pairs)],
        "preferred_text": ["ab"[int(not one)] for one in first],
        "polite": trait(0.7, 0.3),
        "odd": trait(0.5, 0.5),
        "verbose": ["ab"[int(not one)] for one in longer],
        "text_a": ["x" * int(n) for n in lengths[:, 0]],
        "text_b": ["y" * int(n) for n in lengths[:, 1]],
        "model_a": [f"m{k}" for k in models[:, 0]],
        "model_b": [f"m{k}" for k in models[:, 1]],
        "category": random.choice(["chat", "code"], pairs).tolist(),
    }
    return table if prompts is None else table | {"prompt": [f"q{row % prompts}" for row in range(pairs)]}


def annotated(table: dict[str, list[Any]], version: str = "2.0") -> dict[str, Any]:
    """The same pairs as an AnnotatedPairs file."""
    traits = [name for name in ("polite", "odd", "verbose") if name in table]
    two = version == "2.0"
    comparisons = []
    for row in range(len(table["preferred_text"])):
        said = {"ref": table["preferred_text"][row], **{name: table[name][row] for name in traits}}
        word = {"a": "a" if two else "text_a", "b": "b" if two else "text_b"}
        votes = {
            name: {"pref": word[vote]} if vote in word else {"pref": None, "no_pref_reason": vote}
            for name, vote in said.items()
            if vote is not None
        }
        sides = {side: {"text": table[f"text_{side}"][row], "model": table[f"model_{side}"][row]} for side in "ab"}
        pair: dict[str, Any] = {"id": table["id"][row], "prompt": None, "annotations": votes}
        pair["metadata"] = {"category": table["category"][row]}
        if two:
            pair |= {f"response_{side}": answer for side, answer in sides.items()}
        else:
            pair |= {f"text_{side}": answer["text"] for side, answer in sides.items()}
            pair["metadata"] |= {f"model_{side}": answer["model"] for side, answer in sides.items()}
        comparisons.append(pair)
    who: dict[str, Any] = {"ref": {"name": "preferred_text", "type": "human"}}
    who |= {name: {"type": "principle", "description": f"Select the response that is {name}."} for name in traits}
    metadata = {"version": version, "default_annotator": "ref"}
    return {"metadata": metadata, "annotators": who, "comparisons": comparisons}


def write_icai(folder: Path, table: dict[str, list[Any]]) -> Path:
    """The same pairs as a result folder of ICAI."""
    results = folder / "results"
    results.mkdir()
    rows = range(len(table["preferred_text"]))
    with (results / "000_train_data.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["index", "text_a", "text_b", "preferred_text"])
        writer.writerows(
            [row, table["text_a"][row], table["text_b"][row], f"text_{table['preferred_text'][row]}"] for row in rows
        )
    (results / "030_distilled_principles_per_cluster.json").write_text(
        json.dumps({"0": "Select the response that is polite."})
    )
    with (results / "040_votes_per_comparison.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["index", "votes"])
        for row in rows:
            vote = table["polite"][row]
            said = vote == table["preferred_text"][row] if vote in ("a", "b") else vote
            writer.writerow([row, str({} if vote is None else {0: said})])
    return folder
