"""What a stream does not give is said: no figure and no picture goes missing without a word."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.evaluation.panels import Panels
from adjudge.metrics import parse

RANDOM = np.random.default_rng(2)
ITEMS = 60
LABELS = {f"r{place}": [str(code) for code in RANDOM.integers(0, 3, ITEMS)] for place in range(3)}
ROWS = [(str(item), rater, LABELS[rater][item]) for item in range(ITEMS) for rater in LABELS]
IN_ROWS = dict(zip(("item", "who", "label"), map(list, zip(*ROWS, strict=True)), strict=True))
NUMBERS = {name: RANDOM.normal(3, 1, ITEMS).tolist() for name in ("a", "b", "c")}
CASES: dict[str, tuple[str, dict[str, list[Any]], dict[str, Any]]] = {
    "columns": ("agreement", LABELS, {"raters": list(LABELS)}),
    "rows": ("agreement", IN_ROWS, {"item": "item", "rater": "who", "rating": "label"}),
    "scoring": ("scoring", NUMBERS, {"raters": ["a", "b"], "prediction": "c"}),
    "scoring on a scale": ("scoring", NUMBERS, {"raters": ["a", "b"], "prediction": "c", "min": 1, "max": 6}),
    "regression": ("regression", NUMBERS, {"reference": "a", "prediction": "b"}),
}


def titles(panels: Panels) -> set[str]:
    kinds = (getattr(panels, field.name) for field in fields(panels))
    return {panel.title for kind in kinds for panel in kind if hasattr(panel, "title")}


@pytest.mark.parametrize("case", CASES)
def test_what_a_stream_leaves_out_is_said(case: str) -> None:
    task, table, roles = CASES[case]
    memory, stream = (
        adjudge.evaluate(table, task, engine=engine, replicates=100, **roles).outcome for engine in ("memory", "stream")
    )
    missing = {parse(name).label for name in memory.metrics if name not in stream.metrics}
    said = stream.settings.choices.get("Not computed when streaming", "")
    assert "Not computed when streaming" not in memory.settings.choices
    assert bool(said) == bool(missing or titles(memory.panels) - titles(stream.panels))
    if case in ("rows", "scoring on a scale"):
        assert missing
        assert all(label.split(" ")[0] in said for label in missing), (missing, said)
