"""Draws are summed once, by combination of slice levels: the same replicates as slice by slice."""

from __future__ import annotations

import numpy as np
import pytest

import adjudge
from adjudge.engines.crossing import Crossed
from adjudge.statistics.confusion import Confusion


@pytest.mark.parametrize("roles", [{"cluster": "who"}, {"weight": "w", "cluster": "who"}])
def test_combinations_give_what_slices_give(roles: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    table = {
        "label": random.choice(["a", "b", "c"], 900).tolist(),
        "guess": random.choice(["a", "b", "c"], 900).tolist(),
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
    monkeypatch.setattr(Confusion, "draws_by_level", False)
    np.testing.assert_allclose(at_once, limits(), rtol=1e-12, atol=1e-14)
