"""Draws are summed once, by combination of slice levels: the same replicates as slice by slice."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.data.judgements.unit_losses import UnitLosses
from adjudge.engines.crossing import Crossed
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.systems.counted_flips import FlipSums
from adjudge.statistics.weights import Weights

SCORED = {"score": ["p", "q"], "positive": "b"}


@pytest.mark.parametrize(
    "roles",
    [
        {"cluster": "who"},
        {"weight": "w", "cluster": "who"},
        {"cluster": "who", "score": "p", "positive": "b"},
        {"cluster": "who", "prediction": ["guess", "second"]},
        {"cluster": "who", "prediction": ["guess", "second"], **SCORED},
        {"weight": "w", "cluster": "who", "prediction": ["guess", "second"], **SCORED},
    ],
)
def test_combinations_give_what_slices_give(roles: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    table = {
        "label": random.choice(["a", "b", "c"], 900).tolist(),
        "guess": random.choice(["a", "b", "c"], 900).tolist(),
        "second": random.choice(["a", "b", "c"], 900).tolist(),
        "p": random.random(900).tolist(),
        "q": random.random(900).tolist(),
        "w": random.gamma(2, 1, 900).tolist(),
        "who": [f"person {k}" for k in random.integers(0, 200, 900)],
        "country": random.choice(["x", "y", "z"], 900).tolist(),
        "device": ["rare" if k < 4 else "usual" for k in range(900)],
    }
    sliced = {"reference": "label", "prediction": "guess", "slices": ["country", "device"], "replicates": 100, **roles}

    def limits() -> np.ndarray:
        return np.array([(row.estimate, row.low, row.high) for row in adjudge.evaluate(table, **sliced).table])

    crossings: list[bool] = []
    original = Crossed.of.__func__  # type: ignore[attr-defined]

    def noted(*given: object) -> Crossed | None:
        crossings.append((crossed := original(Crossed, *given)) is not None)
        return crossed

    monkeypatch.setattr(Crossed, "of", noted)
    at_once = limits()
    assert crossings == [True]
    for statistic in (Confusion, Curves, FlipSums):
        monkeypatch.setattr(statistic, "draws_by_level", False)
    np.testing.assert_allclose(at_once, limits(), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("case", [None, np.linspace(0.5, 2, 300)])
def test_flips_of_each_level_are_those_of_its_rows(case: np.ndarray | None) -> None:
    random = np.random.default_rng(6)
    said = random.integers(0, 3, (300, 3)).astype(np.float64)
    losses, levels = UnitLosses((said != 1).astype(np.float64), said), random.integers(0, 4, 300) % 3
    weights = Weights(300, case, random.poisson(1.0, (40, 5)).astype(np.float64), unit=random.integers(0, 40, 300))
    each = FlipSums.summing_by(losses, levels, 4)(weights)
    assert each[3] is None
    for level in range(3):
        rows, found = np.flatnonzero(levels == level), each[level]
        assert found is not None
        alone = FlipSums.collect(losses.of_rows(rows), weights.of_rows(rows))
        np.testing.assert_allclose(found.sums.totals, alone.sums.totals, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(found.total, alone.total, rtol=1e-12)
        assert (found.rows, found.kept) == (alone.rows, alone.kept)
        assert found.squares == pytest.approx(alone.squares, rel=1e-12)
