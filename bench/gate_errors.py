"""Errors that gates on RMSE are tried on, and the choice of what their limit allows for unseen ones.

`python -m bench.gate_errors` tries pairs of the two constants (`FURTHER`, `GROSS` of `adjudge.inference.reach`) on the
designs of `CHOSEN_ON` alone, and writes docs/validation/gate_errors.csv: how often the worst of them passes at its
bound, and what the limit costs where errors are normal. `python -m bench.gates errors units` judges what was chosen.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np

from adjudge.inference.intervals.tailed_means import rubin_hill_limits, typical_loss
from adjudge.inference.reach import unseen_share

Draw = Callable[[np.random.Generator, int], np.ndarray]
HERE = Path(__file__).parents[1] / "docs" / "validation"
SIZES = (30, 50, 100, 200, 300, 1000)
TABLES = 6_000


def _rare(share: float, times: float, of: str = "normal") -> Draw:
    """Errors of a kind, of which a share is so many times as large."""
    return lambda random, n: getattr(random, of)(size=n) * np.where(random.random(n) < share, times, 1)


CHOSEN_ON: dict[str, Draw] = {
    "normal": lambda random, n: random.normal(size=n),
    "t with 5 degrees": lambda random, n: random.standard_t(5, n),
    "one in twenty fivefold": _rare(0.05, 5),
    "Laplace": lambda random, n: random.laplace(size=n),
    "t with 4 degrees": lambda random, n: random.standard_t(4, n),
    "t with 3 degrees": lambda random, n: random.standard_t(3, n),
    "lognormal": lambda random, n: random.lognormal(0, 0.7, n) - 1,
    "one in ten fourfold": _rare(0.1, 4),
    "one in fifty fivefold": _rare(0.02, 5),
    "Weibull, shape 0.8": lambda random, n: random.weibull(0.8, n) * random.choice([-1, 1], n),
    "spread lognormal, 0.5": lambda random, n: random.normal(size=n) * random.lognormal(0, 0.5, n),
    "uniform": lambda random, n: random.uniform(-1, 1, n),
}
# Nothing was chosen on these.
HELD_OUT: dict[str, Draw] = {
    "held out: logistic": lambda random, n: random.logistic(size=n),
    "held out: exponential less its mean": lambda random, n: random.exponential(size=n) - 1,
    "held out: one in eight threefold": _rare(1 / 8, 3),
    "held out: Laplace, one in fifteen fourfold": _rare(1 / 15, 4, "laplace"),
    "held out: uniform, one in twelve off by three": lambda random, n: (
        random.uniform(-1, 1, n) + 3 * (random.random(n) < 1 / 12)
    ),
    "held out: spread grows with the value, fourfold": lambda random, n: (
        random.normal(size=n) * (1 + 3 * random.random(n) ** 3)
    ),
    "held out: none in half, lognormal else": lambda random, n: (
        np.where(random.random(n) < 0.5, 0.01, random.lognormal(0, 0.6, n)) * random.choice([-1, 1], n)
    ),
}
# Errors so rare and so large that many tables show none of them, or one: no limit that normal errors can pass holds.
HARDLY_SHOWN: dict[str, Draw] = {
    "one in twenty tenfold": _rare(0.05, 10),
    "one in thirty sixfold": _rare(1 / 30, 6),
    "one in thirty tenfold": _rare(1 / 30, 10),
    "one in a hundred tenfold": _rare(0.01, 10),
    "Laplace, one in forty eightfold": _rare(1 / 40, 8, "laplace"),
    "logistic, one in twenty-five tenfold": _rare(1 / 25, 10, "logistic"),
    "normal, one in sixty ninefold": _rare(1 / 60, 9),
    "normal, one in seventy-five off by ten": lambda random, n: (
        random.normal(size=n) + 10 * (random.random(n) < 1 / 75)
    ),
}
ERRORS = CHOSEN_ON | HELD_OUT | HARDLY_SHOWN


def mean_square(draw: Draw) -> float:
    """Of all that might be drawn."""
    return float((draw(np.random.default_rng(50), 8_000_000) ** 2).mean())


def _parts(draw: Draw, n: int) -> np.ndarray:
    """Of each table the mean square, its limit without unseen errors, the largest square, and the usual one."""
    random, rows = np.random.default_rng(70 + n), []
    for _ in range(TABLES if n < 1000 else TABLES // 3):
        squares = -np.sort(-(draw(random, n) ** 2))
        mean, error = float(squares.mean()), float(squares.std(ddof=1)) / math.sqrt(n)
        limits = rubin_hill_limits(mean, error, float(n), squares[:320], 0.9, of_squares=True)
        assert limits is not None
        rows.append((mean, float(limits[1]), squares[0], typical_loss(mean, squares[:320], float(n))))
    return np.array(rows).T


def main() -> None:
    """Every pair of the two constants: the worst design, and the price."""
    tables = {(name, n): _parts(draw, n) for name, draw in CHOSEN_ON.items() for n in SIZES}
    truths = {name: mean_square(draw) for name, draw in CHOSEN_ON.items()}
    truths |= {f"t with {k} degrees": k / (k - 2) for k in (3, 4, 5)}
    lines: list[list[str]] = []
    for further, gross in product((0.0, 1.5, 1.8, 2.0, 2.2, 2.5), (0.0, 5.0, 5.5, 6.0, 6.5, 8.0, 14.0)):
        limits = {
            key: np.maximum(high, mean + unseen_share(0.05, key[1]) * np.maximum(further**2 * top, gross**2 * usual))
            for key, (mean, high, top, usual) in tables.items()
        }
        passed = {key: float((high <= truths[key[0]]).mean()) for key, high in limits.items()}
        worst = max(passed, key=lambda key: passed[key])
        cost = [np.median(np.sqrt(limits["normal", n] / tables["normal", n][0])) for n in SIZES]
        line = [f"{further}", f"{gross}", f"{passed[worst]:.4f}", f"{worst[0]}, {worst[1]} rows"]
        lines.append(line + [f"{one:.3f}" for one in cost])
        print(*lines[-1], flush=True)
    with (HERE / "gate_errors.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["further", "gross", "worst_false_pass", "of", *(f"normal_{n}" for n in SIZES)])
        writer.writerows(lines)


if __name__ == "__main__":
    main()
