"""Tables with many of everything: more labels, parts, raters, systems and phenomena than any list shows."""

from __future__ import annotations

from typing import Any

import numpy as np

Table = dict[str, Any]
PARTS, REGIONS = [f"part {one}" for one in "abcdefghijk"], ["north", "south", "east", "west", "middle"]


def _beside(random: np.random.Generator, rows: int) -> Table:
    """Eleven parts, from common to rare, and five regions."""
    rarer = np.arange(len(PARTS), 0, -1.0)
    return {
        "id": [f"r{row}" for row in range(rows)],
        "part": random.choice(PARTS, rows, p=rarer / rarer.sum()).tolist(),
        "region": random.choice(REGIONS, rows).tolist(),
    }


def labels(rows: int = 260) -> Table:
    """Fourteen labels, the last of them rare, and five systems, each worse than the one before; one part is hard."""
    random = np.random.default_rng(21)
    names = np.array([f"label {one}" for one in "abcdefghijklmn"])
    rarer = np.arange(len(names), 0, -1.0) ** 1.5
    truth, beside = random.choice(len(names), rows, p=rarer / rarer.sum()), _beside(random, rows)
    hard = np.array(beside["part"]) == "part b"
    made: Table = {"label": names[truth].tolist()}
    for place, share in enumerate((0.9, 0.85, 0.8, 0.7, 0.5)):
        near = np.clip(truth + random.integers(1, 4, rows), 0, len(names) - 1)
        made[f"s{place}"] = names[np.where(random.random(rows) < share - 0.3 * hard, truth, near)].tolist()
    return made | beside


def ratings(items: int = 70) -> Table:
    """Ten raters with words of six kinds: one says mostly one of them, one differs from all, some are often absent."""
    random = np.random.default_rng(22)
    names = np.array(["one", "two", "three", "four", "five", "six"])
    truth = random.integers(0, len(names), items)
    made: Table = {}
    for place in range(10):
        share = (0.95, 0.9, 0.9, 0.85, 0.8, 0.8, 0.75, 0.7, 0.2, 0.6)[place]
        given = np.where(random.random(items) < share, truth, random.integers(0, len(names), items))
        given = np.where(random.random(items) < 0.7, 0, given) if place == 9 else given
        absent = random.random(items) < (0.0, 0.3, 0.6)[place % 3]
        made[f"rater {place}"] = [None if gone else str(names[one]) for one, gone in zip(given, absent, strict=True)]
    made["week"] = [f"2024-{1 + row // 6:02d}-01" for row in range(items)]
    return made | _beside(random, items)


def numbers(rows: int = 220) -> Table:
    """Five systems, each further off than the one before, and off the same way in one part."""
    random = np.random.default_rng(23)
    truth, beside = (50 + 10 * random.normal(size=rows)).round(1), _beside(random, rows)
    hard = np.array(beside["part"]) == "part a"
    made: Table = {"y": truth.tolist()}
    for place in range(5):
        made[f"s{place}"] = (truth + (1 + place) * random.normal(size=rows) + 8 * hard).round(1).tolist()
    return made | beside


def essays(rows: int = 200) -> Table:
    """Three raters and four engines; two groups are scored too low."""
    random = np.random.default_rng(24)
    truth, beside = random.normal(3.5, 1.1, rows), _beside(random, rows)
    low = np.isin(beside["part"], ["part d", "part e"])
    made: Table = {
        f"h{place}": np.clip(np.round(truth + random.normal(0, 0.6, rows)), 1, 6).tolist() for place in range(3)
    }
    for place in range(4):
        made[f"e{place}"] = (truth + random.normal(0, 0.4 + 0.2 * place, rows) - 0.7 * low).round(2).tolist()
    return made | beside


def lists(queries: int = 44) -> Table:
    """Twelve items of every query and four scores; queries of eleven kinds."""
    random = np.random.default_rng(25)
    rows = 12 * queries
    grade = random.choice([0, 1, 2, 3], rows, p=[0.6, 0.2, 0.15, 0.05])
    made: Table = {
        "query": np.repeat([f"q{one}" for one in range(queries)], 12).tolist(),
        "grade": grade.tolist(),
        "part": np.repeat([PARTS[one % len(PARTS)] for one in range(queries)], 12).tolist(),
    }
    return made | {f"s{place}": (grade + random.normal(0, 1 + place, rows)).round(2).tolist() for place in range(4)}


def votes(pairs: int = 240) -> Table:
    """Pairs of nine models, each better than the one after it, and seven judges."""
    random = np.random.default_rng(26)
    first = random.integers(0, 9, pairs)
    second = (first + random.integers(1, 9, pairs)) % 9
    better = random.random(pairs) < 1 / (1 + np.exp(0.4 * (first - second)))
    made: Table = {"chosen": np.where(better, "a", "b").tolist()}
    for place in range(7):
        agrees = random.random(pairs) < (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.2)[place]
        made[f"judge {place}"] = np.where(
            random.random(pairs) < 0.1, "tie", np.where(better == agrees, "a", "b")
        ).tolist()
    made |= {"model_a": [f"m{one}" for one in first], "model_b": [f"m{one}" for one in second]}
    made |= {f"text_{side}": ["word " * int(n) for n in random.integers(1, 9, pairs)] for side in "ab"}
    return made | _beside(random, pairs)


def suite(cases: int = 156) -> Table:
    """Thirteen phenomena, each easier than the one before, and three versions."""
    random = np.random.default_rng(27)
    made: Table = {
        "case": [f"c{row}" for row in range(cases)],
        "what": [f"phenomenon {row % 13}" for row in range(cases)],
        "want": ["ab"[row % 2] for row in range(cases)],
    }
    for place in range(3):
        right = random.random(cases) < 0.3 + 0.05 * (np.arange(cases) % 13) + 0.05 * place
        made[f"v{place}"] = ["ab"[(row + (not one)) % 2] for row, one in enumerate(right)]
    return made


def judged(rows: int = 300) -> Table:
    """People labelled a third; a judge errs; four systems."""
    random = np.random.default_rng(28)
    truth = random.integers(0, 2, rows)
    made: Table = {"human": [int(one) if row % 3 == 0 else None for row, one in enumerate(truth)]}
    for name, share in (("judge", 0.8), ("s0", 0.9), ("s1", 0.8), ("s2", 0.7), ("s3", 0.6)):
        made[name] = np.where(random.random(rows) < share, truth, 1 - truth).tolist()
    return made | _beside(random, rows)


def machines(rows: int = 120) -> Table:
    """Hours, and how often four versions failed."""
    random = np.random.default_rng(29)
    hours = random.integers(5, 200, rows)
    made: Table = {"hours": hours.tolist()}
    return (
        made
        | {f"v{place}": random.poisson(hours * 0.01 * (place + 1)).tolist() for place in range(4)}
        | _beside(random, rows)
    )


def trial(rows: int = 300) -> Table:
    """Who was treated, what came of it, and four scores of whom it helps."""
    random = np.random.default_rng(30)
    score, treated = random.random(rows), random.integers(0, 2, rows)
    made: Table = {
        "bought": (random.random(rows) < 0.2 + 0.5 * treated * score).astype(int).tolist(),
        "arm": np.where(treated == 1, "mail", "control").tolist(),
    }
    made |= {f"s{place}": (score + place * random.random(rows)).round(2).tolist() for place in range(4)}
    return made | _beside(random, rows)
