"""Ten systems compared, beside evaluating each of them singly: what pairing and max-T cost.

python -m bench.comparison
"""

from __future__ import annotations

from typing import Any

import numpy as np

import adjudge
from bench.speed import Case, cpu_seconds

ROWS, SYSTEMS, MOST = 100_000, 10, 4.0
PLURAL = {"guess": "decisions", "score": "scores"}


def systems(rows: int = ROWS) -> dict[str, Any]:
    """A binary reference, and ten systems with scores of six decimals that go together, and their decisions."""
    random = np.random.default_rng(1)
    positive = random.random(rows) < 0.3
    table: dict[str, Any] = {"y": positive.astype(int)}
    shared = random.normal(size=rows)
    for place in range(SYSTEMS):
        noise = 0.8 * shared + 0.6 * random.normal(size=rows)
        score = 1 / (1 + np.exp(-((1.2 + 0.02 * place) * positive - 0.8 + noise)))
        table[f"score {place}"], table[f"guess {place}"] = np.round(score, 6), (score > 0.5).astype(int)
    return table


def evaluated(table: dict[str, Any], places: list[int], kinds: tuple[str, ...]) -> None:
    """All classification metrics of some systems, 2,000 replicates, paired where there are several."""
    roles = {role: [f"{column} {place}" for place in places] for role, column in kinds_of(kinds)}
    adjudge.classification(table, reference="y", positive=1, **roles)


def kinds_of(kinds: tuple[str, ...]) -> list[tuple[str, str]]:
    """The role and the column of each kind of answer."""
    return [({"guess": "prediction", "score": "score"}[kind], kind) for kind in kinds]


def run(repeats: int = 1) -> list[Case]:
    """Decisions, scores, and both."""
    table = systems()
    evaluated({name: values[:1_000] for name, values in table.items()}, [0, 1], ("guess", "score"))
    return [_case(table, kinds, repeats) for kinds in (("guess",), ("score",), ("guess", "score"))]


def _case(table: dict[str, Any], kinds: tuple[str, ...], repeats: int) -> Case:
    every = list(range(SYSTEMS))

    def cost(places: list[int]) -> float:
        return cpu_seconds(lambda: evaluated(table, places, kinds))[0]

    single = min(sum(cost([place]) for place in every) for _ in range(repeats))
    paired = min(cost(every) for _ in range(repeats))
    name = f"{SYSTEMS} systems compared, {ROWS:,} rows, {' and '.join(map(PLURAL.__getitem__, kinds))}"
    target = f"less than {MOST:g}× evaluating each"
    return Case(name, paired, "s", "each singly", single, target, paired < MOST * single, f"{paired / single:.2f}×")


if __name__ == "__main__":
    for case in run():
        print(f"{case.name}: {case.ours:.2f} s CPU, singly {case.peer:.2f} s, {case.note}, target {case.target}")
