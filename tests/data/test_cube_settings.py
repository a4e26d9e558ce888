"""The law of settings: a cube is evaluated as its table was, whatever setting of the task was given, or not made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.data.counted_tables import ODD, counted_table

import adjudge
from adjudge.data.cubes.files import read_cube
from adjudge.data.cubes.meaning import replace_meaning
from adjudge.errors import InputError, SettingError
from adjudge.report.cubes import cube_of, evaluate_cube
from adjudge.tasks import task_named, task_names

ASKED: dict[str, Any] = {"replicates": 100, "seed": 3, "ok": ["C3", "C5", "C22"]}
# A value of each setting that is not the usual one, by task; None: what a cube is not made of, or files beside it.
SETTINGS: dict[str, dict[str, Any]] = {
    "agreement": {
        "measurement": "ordinal",
        "scale": [*ODD[::-1], "never"],
        "model": "eva",
        "resample": "raters",
        **dict.fromkeys(("distance", "separator", "scheme", "seen_by", "seen_items", "mode")),  # of sets and spans
    },
    "classification": {"positive": "it's", "threshold": 0.3, "costs": ["fp=1", "fn=5"]},
    "diagnostic": {"unit": "expansion", "tolerance": 0.3},
    "failures": {"stopped": "failure"},
    "judges": {"positive": "🙂", "calibration": "elsewhere"},
    "preference": {
        "models": ["M1"],
        "reference_models": ["M3"],
        "labels": ["ann=bot"],
        "swapped": ["ann=bot"],
        "order": "random",
        **dict.fromkeys(("rating", "merge", "labels_from", "examples")),  # of the order of pairs, other files, texts
    },
    "regression": {"quantile": 0.7, "limits": ["bias=0.01"]},
    "scoring": {
        "min": 2,
        "max": 4,
        "step": 0.5,
        "tolerance": 0.3,
        "flag": {"ok": ["0"]},
        "zeros": "keep",
        "rated_by": "any",
        "error_variance": 0.2,
        "scaling": ["system_mean=3", "system_sd=1", "human_mean=3", "human_sd=1"],
        "limits": ["smd=0.01"],
        **dict.fromkeys(("min_items", "training")),
    },
    "uplift": {"control": "🙂", "strata": "arm"},
}
# What is given besides, so that the setting says something.
BESIDE: dict[tuple[str, str], dict[str, Any]] = {
    ("preference", "reference_models"): {"models": ["M1"]},
    ("judges", "positive"): {"prediction": None},
    ("preference", "swapped"): {"annotators": ["ann"]},
    ("agreement", "measurement"): {"scale": ODD},
}
OTHERWISE: dict[tuple[str, str], Any] = {  # where it cannot be left out
    ("judges", "positive"): "NA",
    ("classification", "positive"): "NA",
    ("scoring", "min"): 1,
    ("scoring", "max"): 5,
}
NAMED = {"Broken cases", "Known failures"}  # tables of single cases, which cells do not name


def table_of(task: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A table with the roles of its columns."""
    random = np.random.default_rng(2)
    if task == "agreement":
        made = counted_table("judges")
        table = {**made.table, "eva": made.table["judge"], "ann": made.table["p"], "ben": made.table["q"]}
        return table, {"raters": ["ann", "ben", "eva"]}
    if task == "classification":
        made = counted_table("judges")
        table = {**made.table, "truth": [label if label == "NA" else "it's" for label in made.table["judge"]]}
        # A score of few digits, each in a cell of its own, so that all figures are those of the rows.
        right = np.array([label == "NA" for label in table["truth"]])
        table["score"] = ((random.integers(0, 40, 300) + 12 * right) / 64).tolist()
        return table, {"reference": "truth", "score": "score", "positive": "NA"}
    made = counted_table(task)
    return made.table, made.roles


def numbers(evaluation: Any) -> dict[Any, float]:
    """Every estimate of the results, and how many rows it rests on, by what it is."""
    keys = {(r.system, r.baseline, r.slice, r.category, r.metric, r.method): r for r in evaluation.table}
    # What is chosen inside a cell of scores depends on what the cell is like inside.
    known = {key: row for key, row in keys.items() if "_at_" not in key[4]}
    return {key: row.estimate for key, row in known.items()} | {(*key, "n"): row.n for key, row in known.items()}


def evaluated(task: str, **more: Any) -> Any:
    table, roles = table_of(task)
    given = {name: value for name, value in {**roles, **more}.items() if value is not None}
    return adjudge.evaluate(table, task, slices=["site"], engine="stream", **given, **ASKED)


def test_every_setting_is_held_to_the_law() -> None:
    """A setting that is added must be, too."""
    counted = [task_named(name) for name in task_names() if task_named(name).cells is not None]
    assert {task.name: {one.name for one in task.settings} for task in counted} == {
        name: {*settings} for name, settings in SETTINGS.items()
    }


@pytest.mark.parametrize(
    ("task", "setting"),
    [(task, name) for task, settings in SETTINGS.items() for name, value in settings.items() if value is not None],
)
def test_a_cube_is_evaluated_with_the_settings_of_its_table(task: str, setting: str, tmp_path: Path) -> None:
    """What it tells, and how it says that it was done; a cube without the setting is not added to it."""
    beside = BESIDE.get((task, setting), {})
    rows = evaluated(task, **beside, **{setting: SETTINGS[task][setting]})
    cube = cube_of(rows)
    (tmp_path / "x.parquet").write_bytes(cube.to_bytes())
    cells = evaluate_cube(read_cube(str(tmp_path / "x.parquet")), ["site"], **ASKED)
    assert numbers(cells) == pytest.approx(numbers(rows), rel=1e-9, abs=1e-12, nan_ok=True)
    ours, theirs = cells.outcome.settings, rows.outcome.settings
    assert (ours.threshold, ours.positive, ours.choices) == (theirs.threshold, theirs.positive, theirs.choices)
    shown = [{one.title for one in each.outcome.panels.tables} for each in (cells, rows)]
    assert shown[0] == shown[1] - NAMED
    without = cube_of(evaluated(task, **beside, **{setting: OTHERWISE.get((task, setting))}))
    another = replace_meaning(without.meaning, sources={"sha256:other": "another table"})
    with pytest.raises(InputError, match="differ in"):
        _ = cube + replace(without, meaning=another)


def test_cells_are_not_asked_what_their_counting_decided() -> None:
    cube = cube_of(evaluated("classification"))
    for name, value in (("threshold", 0.3), ("positive", "it's"), ("decimal", ","), ("weight", "w")):
        with pytest.raises(SettingError, match=f"`{name}` cannot be asked of cells"):
            evaluate_cube(cube, **{name: value})
