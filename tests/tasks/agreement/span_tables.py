"""Tables of spans: tags or spans in cells, wide and long, and a row for each span."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.tasks.agreement.ratings_tables import RATERS

import adjudge
from adjudge.data.judgements.tags import spans_of_tags

LABELS = ["LOC", "ORG", "PER", "</script>"]
SPAN_ROWS = {"item": "item", "rater": "rater", "start": "start", "end": "end", "label": "label"}
STRICT = "pairwise_span_f(match=strict)"


def agree(table: Any, **asked: Any) -> adjudge.Evaluation:
    """An evaluation with few replicates; of columns, unless rows are asked for."""
    roles = {} if "rater" in asked else {"raters": RATERS}
    return adjudge.evaluate(table, "agreement", **{"measurement": "spans", "replicates": 200, **roles, **asked})


def wide(items: int = 60, seed: int = 1, missing: float = 0.15) -> dict[str, list[Any]]:
    """Three raters who miss spans, move an end or change a label now and then; all tags are well formed."""
    random = np.random.default_rng(seed)
    table: dict[str, list[Any]] = {"item": [f"item {row:03}" for row in range(items)]}
    truth = [(int(random.integers(5, 12)), random.integers(0, 4, 12)) for _ in range(items)]
    for place, name in enumerate(RATERS):
        said: list[str | None] = []
        for size, seeds in truth:
            tags = ["O"] * size
            for start in range(0, size - 2, 4):
                label = LABELS[seeds[start] if random.random() < 0.9 else random.integers(4)]
                end = start + (2 if random.random() < 0.8 else 1)
                if seeds[start + 1] and random.random() > 0.1 + 0.1 * place:
                    tags[start:end] = [f"B-{label}", f"I-{label}"][: end - start]
            said.append(" ".join(tags) if random.random() >= missing else None)
        table[name] = said
    table["page"] = [f"page {row // 6}" for row in range(items)]
    table["kind"] = random.choice(["mail", "chat"], items).tolist()
    table["weight"] = random.integers(1, 4, items).tolist()
    return table


def changed(table: dict[str, list[Any]], cell: Any) -> dict[str, list[Any]]:
    """The same table with every rating written otherwise."""
    return table | {name: [None if x is None else cell(x) for x in table[name]] for name in RATERS}


def triples(tags: str) -> list[tuple[str, int, int]]:
    """The spans of well-formed tags."""
    return spans_of_tags([tags.split()]).triples()[0]


def span_rows(table: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """A row for each span, and an empty one for an item in which the rater marked nothing."""
    rows = []
    for row, item in enumerate(table["item"]):
        for name in RATERS:
            if table[name][row] is None:
                continue
            for label, start, end in triples(table[name][row]) or [(None, None, None)]:
                rest = {other: table[other][row] for other in ("page", "kind", "weight")}
                rows.append({"item": item, "rater": name, "start": start, "end": end, "label": label} | rest)
    return {name: [row[name] for row in rows] for name in rows[0]}
