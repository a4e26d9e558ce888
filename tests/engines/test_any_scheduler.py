"""Any scheduler can carry the walk: blocks summed elsewhere, in any order, give the same bytes as memory and stream."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.engines.processes import Processes

from adjudge.evaluation.request import request
from adjudge.evaluation.walk import walk
from adjudge.metrics import spearman
from adjudge.tasks import task_named
from adjudge.tasks.scoring.choice import EVERY

ROWS, BLOCK = 5_000, 128  # three spans of sixteen blocks, the last neither full


def table() -> dict[str, list[Any]]:
    random = np.random.default_rng(11)
    label = random.integers(0, 2, ROWS)
    score = 1 / (1 + np.exp(-(random.normal(size=ROWS) + 1.5 * label - 0.7)))
    three = random.integers(0, 3, ROWS)
    shares = random.dirichlet(np.ones(3), ROWS) * 0.6
    shares[np.arange(ROWS), three] += 0.4
    return {
        "label": [None if random.random() < 0.01 else int(value) for value in label],
        "guess": (score > 0.5).astype(int).tolist(),
        "p": score.tolist(),
        "q": np.round(score + random.normal(size=ROWS) * 0.1, 2).clip(0.01, 0.99).tolist(),
        "colour": [("red", "green", "blue")[k] for k in three],
        **{name: shares[:, k].tolist() for k, name in enumerate(("p_red", "p_green", "p_blue"))},
        "w": random.gamma(2.0, 1.0, ROWS).tolist(),
        "person": [f"p{k}" for k in random.integers(0, 400, ROWS)],
        "where": random.choice(["here", "there", "elsewhere"], ROWS).tolist(),
        **scores(),
    }


def scores() -> dict[str, list[Any]]:
    """Two raters, the second on half of the responses, a system, and people who stand together."""
    random = np.random.default_rng(12)
    truth = random.normal(3.5, 1, ROWS)
    first, second = (np.clip(np.rint(truth + random.normal(0, 0.5, ROWS)), 1, 6) for _ in range(2))
    return {
        "h1": first.tolist(),
        "h2": np.where(random.random(ROWS) < 0.5, second, np.nan).tolist(),
        "engine": (truth + random.normal(0, 0.4, ROWS)).tolist(),
        "rule": np.rint(truth + random.normal(0, 0.8, ROWS)).tolist(),
        "pupil": [f"p{row // 3}" for row in range(ROWS)],
    }


CASES: dict[str, dict[str, Any]] = {
    "classification: labels and slices": {"reference": "label", "prediction": "guess", "slices": ["where"]},
    "classification: a score and slices": {"reference": "label", "score": "p", "slices": ["where"]},
    "classification: two systems by cluster, weighted": {
        "reference": "label",
        "systems": {"a": {"prediction": "guess", "score": "p"}, "b": {"score": "q"}},
        "weight": "w",
        "cluster": "person",
        "slices": ["where"],
    },
    "classification: a score for each label, bca": {
        "reference": "colour",
        "score": {"red": "p_red", "green": "p_green", "blue": "p_blue"},
        "weight": "w",
        "bootstrap": "bca",
    },
    "scoring: two systems and slices, weighted": {
        "raters": ["h1", "h2"],
        "prediction": ["engine", "rule"],
        "min": 1,
        "max": 6,
        "slices": ["where"],
        "weight": "w",
        "metrics": [metric for metric in EVERY if metric is not spearman],
    },
    "scoring: by person and slices": {
        "raters": ["h1", "h2"],
        "prediction": "engine",
        "min": 1,
        "max": 6,
        "slices": ["where"],
        "candidate": "pupil",
        "metrics": [metric for metric in EVERY if metric is not spearman],
    },
}


@pytest.mark.parametrize("case", CASES)
def test_the_same_bytes_wherever_blocks_are_summed(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    task, given = task_named(case.split(":", maxsplit=1)[0]), CASES[case]

    def outcome(engine: Any) -> str:
        checked = request(task, table(), replicates=100, engine="stream", **given)
        monkeypatch.setattr(type(checked.study.reading), "block_rows", BLOCK)
        found = walk(replace(checked, engine=engine) if engine else checked)
        return repr((found.table, found.panels, found.data, found.systems))

    expected = outcome(None)
    assert outcome(Processes(seed=1)) == expected
    assert outcome(Processes(seed=2)) == expected
    if "holds" not in case:
        memory = request(task, table(), replicates=100, engine="memory", **given)
        found = walk(memory)
        assert repr((found.table, found.panels, found.data, found.systems)) == expected
