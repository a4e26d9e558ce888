"""No cell of a cube that is made fit to be shared has fewer rows than was asked, whatever the task."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.data.counted_tables import counted_table

import adjudge
from adjudge.data.cubes.files import read_cube
from adjudge.data.cubes.privacy import with_at_least
from adjudge.errors import InputError
from adjudge.report.cubes import cube_of, evaluate_cube
from adjudge.tasks import task_named, task_names

COUNTED = [name for name in task_names() if task_named(name).cells is not None]
ASKED: dict[str, Any] = {"replicates": 100, "ok": [f"C{number}" for number in range(1, 43)]}
# Answers of few values, of units where the task has them.
ROLES: dict[str, dict[str, Any]] = {
    "agreement": {"raters": ["a", "b"]},
    "classification": {"reference": "a", "prediction": "b", "cluster": "who"},
    "diagnostic": {"expect": "a", "prediction": "b", "phenomenon": "site", "template": "who"},
    "failures": {"exposure": "a", "failures": "b", "cluster": "who"},
    "judges": {"reference": "a", "judge": "b", "cluster": "who"},
    "preference": {"reference": "a", "annotators": ["b"], "prompt": "who"},
    "regression": {"reference": "a", "prediction": "b", "cluster": "who"},
    "scoring": {"raters": ["a"], "prediction": "b", "min": 1, "max": 2, "candidate": "who"},
    "uplift": {"treatment": "arm", "outcome": "yes", "score": "b", "cluster": "who"},
}


def few_answers(task: str, rows: int = 6_000) -> dict[str, Any]:
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, rows)
    said = np.where(random.random(rows) < 0.7, truth, 1 - truth)
    words = ["model_a", "model_b"] if task == "preference" else ["1", "2"]
    return {
        "a": [words[k] for k in truth],
        "b": [words[k] for k in said],
        "arm": random.integers(0, 2, rows),
        "yes": truth,
        "who": [f"u{k}" for k in random.integers(0, 900, rows)],
        "site": random.choice(["x", "y", "</script>", "🙂"], rows, p=[0.6, 0.398, 0.001, 0.001]).tolist(),
        "day": random.choice(["mon", "tue", "NA"], rows, p=[0.5, 0.4999, 0.0001]).tolist(),
    }


def whole(evaluation: Any) -> dict[tuple[str, str, str], float]:
    """The figures of all rows."""
    return {(r.system, r.category, r.metric): r.estimate for r in evaluation.table if r.slice == "all"}


def test_every_counted_task_is_here() -> None:
    assert sorted(ROLES) == sorted(COUNTED)


@pytest.mark.parametrize("least", [5, 40])
@pytest.mark.parametrize("task", COUNTED)
def test_few_answers_are_shared(task: str, least: int, tmp_path: Path) -> None:
    """Rare levels and bags are joined; what is told of all rows stays what it was."""
    table = few_answers(task)
    slices = ["day"] if task == "diagnostic" else ["site", "day"]
    rows = adjudge.evaluate(table, task, slices=slices, **ROLES[task], **ASKED)
    cube = cube_of(rows)
    assert cube.n.min() < least
    shared = with_at_least(cube, least)
    (tmp_path / "x.cube.parquet").write_bytes(shared.to_bytes())
    assert min(pq.read_table(tmp_path / "x.cube.parquet")["n"].to_pylist()) >= least
    again = read_cube(str(tmp_path / "x.cube.parquet"))
    assert again.meaning.merged
    assert again.meaning.min_cell == least
    told, theirs = (whole(evaluate_cube(one, **ASKED)) for one in (again, cube))
    assert told
    assert told == pytest.approx(theirs, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("least", [2, 30, 4_000])
@pytest.mark.parametrize("task", sorted({*COUNTED} - {"agreement", "classification"}))
def test_what_stands_in_the_way_is_named(task: str, least: int) -> None:
    """Answers of many values: either no cell is small, or the refusal says which column most of them are due to."""
    counted = counted_table(task, 3_000)
    cube = cube_of(adjudge.evaluate(counted.table, task, slices=["site", "day"], **counted.roles, **ASKED))
    try:
        shared = with_at_least(cube, least)
    except InputError as error:
        told = re.search(r'but ([\d,]+) of [\d,]+ have fewer, most of them because of "([^"]+)", which', str(error))
        assert told is not None
        assert told[2] in {*cube.labels} - {*cube.meaning.slices}
        return
    assert shared.n.min() >= least
    assert evaluate_cube(shared, **ASKED).outcome.data.rows == shared.n.sum()


def test_numbers_that_were_rounded_are_rounded_further() -> None:
    """In steps of three: a number that is within half a step of what it was is so afterwards, too."""
    random = np.random.default_rng(1)
    price = random.normal(500, 60, 3_000)
    table = {"price": price, "guess": price + random.normal(0, 20, 3_000)}
    rows = adjudge.regression(table, reference="price", prediction="guess", **ASKED)
    shared = with_at_least(cube_of(rows, cube_steps={"price": 10, "guess": 20}), 25)
    assert shared.n.min() >= 25
    steps = shared.meaning.rounded
    assert {10 * 3**k for k in range(1, 6)} & {steps["price"]}
    assert any(step.startswith("price as multiples of") for step in shared.meaning.merged)
    told = evaluate_cube(shared, **ASKED)
    off = abs(told["mean_absolute_error"].value - rows["mean_absolute_error"].value)
    assert off <= (steps["price"] + steps["guess"]) / 2
    assert f"multiples of {steps['guess']:g}" in " ".join(shared.notes)
