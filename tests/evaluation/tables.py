"""Small tables whose figures can be checked by hand, and the intervals to check them with."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

import adjudge
from adjudge.diagnosis.checks.check import Check

# At 0.5: 2 of 3 positives found, 1 of 3 negatives taken; 8 of the 9 pairs are in order.
BINARY: dict[str, list[Any]] = {
    "label": ["1", "1", "1", "0", "0", "0"],
    "score": [0.9, 0.8, 0.4, 0.7, 0.3, 0.1],
    "guess": ["1", "1", "1", "0", "0", "1"],
}
# rows a: 2 of 3 right, b: 1 of 2, c: 1 of 1
THREE: dict[str, list[Any]] = {
    "label": ["a", "a", "a", "b", "b", "c"],
    "guess": ["a", "a", "b", "b", "c", "c"],
    "a": [0.7, 0.5, 0.3, 0.2, 0.1, 0.1],
    "b": [0.2, 0.3, 0.5, 0.6, 0.3, 0.1],
    "c": [0.1, 0.2, 0.2, 0.2, 0.6, 0.8],
}


def evaluate(table: Any, **asked: Any) -> adjudge.Evaluation:
    """An evaluation with few replicates."""
    return adjudge.evaluate(table, **{"reference": "label", "replicates": 200} | asked)


def checked(table: Mapping[str, Iterable[Any]], task: str, **given: Any) -> dict[str, str]:
    """The gravest severity of each check that speaks of a table."""
    columns = {name: list(values) for name, values in table.items()}
    return gravest(adjudge.evaluate(columns, task, **given, replicates=100).checks)


def gravest(found: Sequence[Check]) -> dict[str, str]:
    """The gravest severity of each check, by its key; the gravest stand first."""
    return {check.key: check.severity for check in reversed(found)}


def random_table(rows: int = 400, seed: int = 1) -> dict[str, Any]:
    """Rows with scores of two systems, guesses, weights, two slices and clusters."""
    random = np.random.default_rng(seed)
    score = random.random(rows).round(3)
    label = (random.random(rows) < score).astype(int)
    other = np.clip(score + random.normal(0, 0.2, rows), 0, 1).round(3)
    return {
        "label": label,
        "score": score,
        "other": other,
        "guess": (other > 0.5).astype(int),
        "weight": random.integers(1, 5, rows).astype(float),
        "country": random.choice(["DE", "FR", "St. Ives"], rows),
        "device": random.choice(["phone", "desk"], rows),
        "person": random.integers(0, 60, rows),
    }


def wilson(found: float, of: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's interval of a share, written out again."""
    z = NormalDist().inv_cdf(0.5 + level / 2)
    p = found / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return middle - half, middle + half


def by_method(evaluation: adjudge.Evaluation) -> dict[tuple[str, ...], tuple[float, float, float]]:
    """Estimate, low and high by system (or two, of a difference), slice, category, metric and method."""
    return {
        (" - ".join(filter(None, (row.system, row.baseline))), row.slice, row.category, row.metric, row.method): (
            row.estimate,
            row.low,
            row.high,
        )
        for row in evaluation.table
    }


DRAWN = ("bootstrap", "bca", "poisson", "bayesian")
# Squared and added are limits of two systems and the correlation of their draws; a guarded mean takes their spread.
OF_TWO = (*(f"paired_{name}" for name in DRAWN), "square_and_add", "guarded_t")
RESAMPLED = (*DRAWN, "folded_bootstrap", "mover_bootstrap", "scheffe_drawn", *OF_TWO)


def closed_forms(evaluation: adjudge.Evaluation) -> dict[tuple[str, ...], tuple[float, float, float]]:
    """What does not depend on draws: estimates, baselines and closed-form intervals."""
    found = by_method(evaluation)
    points = {(*key[:-1], "point"): (value[0],) * 3 for key, value in found.items()}
    drawn = {key for key in found if key[-1] in RESAMPLED or (" - " in key[0] and key[-1] in ("johnson", "student"))}
    return points | {key: value for key, value in found.items() if key not in drawn}


def assert_same(a: dict[Any, Any], b: dict[Any, Any], tolerance: float = 1e-9) -> None:
    """The same keys and, up to a tolerance, the same numbers; undefined equals undefined."""
    assert a
    assert list(a) == list(b)
    for key, value in a.items():
        np.testing.assert_allclose(value, b[key], rtol=tolerance, atol=tolerance, err_msg=str(key))
