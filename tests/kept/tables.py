"""Small tables with everything that a task can be asked about: ties, gaps, weights, clusters of unequal size."""

from __future__ import annotations

from typing import Any

import numpy as np

Table = dict[str, Any]
FEW = 100


def _beside(random: np.random.Generator, rows: int) -> Table:
    """Columns that any task takes: a name, a weight, a cluster of unequal size and a part; few clusters of few rows."""
    people = 14 if rows <= FEW else rows // 3
    return {
        "id": [f"r{row}" for row in range(rows)],
        "weight": random.choice([0.5, 1.0, 2.5], rows).tolist(),
        "person": [f"p{int(one)}" for one in np.sort(np.floor(people * random.random(rows) ** 1.5))],
        "part": random.choice(["x", "y"], rows, p=[0.6, 0.4]).tolist(),
    }


def labels(rows: int = 60) -> Table:
    """Three labels, of which one is rare, three systems, and the first system run again; two cells are empty."""
    random = np.random.default_rng(1)
    names = np.array(["a", "b", "c"])
    truth = random.choice(3, rows, p=[0.55, 0.35, 0.1])

    def said(share: float) -> list[Any]:
        return names[np.where(random.random(rows) < share, truth, random.integers(0, 3, rows))].tolist()

    made: Table = {"label": names[truth].tolist(), "old": said(0.6), "new": said(0.8), "other": said(0.7)}
    made["again"] = [one if random.random() < 0.9 else "a" for one in made["old"]]
    made["new"][7] = made["label"][31] = None
    return made | _beside(random, rows)


def scores(rows: int = 64) -> Table:
    """Two scores of two labels, with ties, and a score for each of three labels."""
    random = np.random.default_rng(2)
    ill = random.random(rows) < 0.35

    def score(noise: float) -> list[float]:
        return (1 / (1 + np.exp(-(np.where(ill, 1.0, -1.2) + random.normal(0, noise, rows))))).round(2).tolist()

    kind = random.integers(0, 3, rows)
    raw = random.random((rows, 3)) + 1.2 * np.eye(3)[kind]
    shares = (raw / raw.sum(axis=1, keepdims=True)).round(3)
    made: Table = {"state": np.where(ill, "ill", "well").tolist(), "first": score(0.9), "second": score(1.8)}
    made |= {"kind": np.array(["k0", "k1", "k2"])[kind].tolist()}
    made |= {f"share{place}": shares[:, place].tolist() for place in range(3)}
    made["first"][3] = None
    return made | _beside(random, rows)


def ratings(items: int = 40) -> Table:
    """Four raters on a scale of four, of whom one is coarse and one often absent."""
    random = np.random.default_rng(3)
    truth = random.choice(4, items, p=[0.4, 0.3, 0.2, 0.1])

    def rated(share: float, absent: float, coarse: bool = False) -> list[Any]:
        near = np.clip(truth + random.choice([-1, 1], items), 0, 3)
        given = np.where(random.random(items) < share, truth, near)
        given = np.where(given == 3, 2, given) if coarse else given
        return [None if random.random() < absent else int(one) + 1 for one in given]

    made: Table = {"ann": rated(0.9, 0.0), "ben": rated(0.8, 0.1), "cem": rated(0.7, 0.0, True)}
    made |= {"dot": rated(0.5, 0.5), "week": [f"2024-0{1 + row // 14}-01" for row in range(items)]}
    return made | _beside(random, items)


def words(items: int = 36) -> Table:
    """The same raters, who give words."""
    table, names = ratings(items), {1: "no", 2: "maybe", 3: "yes", 4: "sure", None: None}
    return table | {who: [names[one] for one in table[who]] for who in ("ann", "ben", "cem", "dot")}


def listed(items: int = 36) -> Table:
    """A row for each rating."""
    table = words(items)
    rows = [
        (table["id"][row], who, table[who][row], table["part"][row])
        for row in range(items)
        for who in ("ann", "ben", "cem", "dot")
        if table[who][row] is not None
    ]
    return {name: [row[place] for row in rows] for place, name in enumerate(("item", "who", "said", "part"))}


def essays(rows: int = 60) -> Table:
    """Two raters, the second of some essays, and two engines; one group is scored low, two essays have a zero."""
    random = np.random.default_rng(4)
    truth = random.normal(3.4, 1.0, rows)
    made: Table = {who: np.clip(np.round(truth + random.normal(0, 0.5, rows)), 1, 6).tolist() for who in ("one", "two")}
    made["two"] = [score if row % 3 else None for row, score in enumerate(made["two"])]
    made["one"][5] = made["one"][9] = 0
    beside = _beside(random, rows)
    low = np.array(beside["part"]) == "y"
    made["engine"] = (3.4 + 0.8 * (truth - 3.4) + random.normal(0, 0.5, rows) - 0.5 * low).round(3).tolist()
    made["rival"] = (truth + random.normal(0, 0.8, rows)).round(1).tolist()
    made["advisory"] = ["0" if row % 9 else "1" for row in range(rows)]
    return made | beside


def numbers(rows: int = 60) -> Table:
    """Two predictions with intervals, heavy tails and ties."""
    random = np.random.default_rng(5)
    truth = (20 + 5 * random.standard_t(4, rows)).round(1)
    made: Table = {"y": truth.tolist()}
    for name, spread in (("near", 2.0), ("far", 4.0)):
        said = (0.8 * truth + 4 + spread * random.standard_t(3, rows)).round(1)
        made[name] = said.tolist()
        made[f"{name}_low"], made[f"{name}_high"] = (said - 4).tolist(), (said + 5).tolist()
    made["far"][11] = None
    return made | _beside(random, rows)


def lists(queries: int = 18) -> Table:
    """Six items of every query, some unjudged, unscored, tied, or without anything relevant."""
    random = np.random.default_rng(6)
    rows = 6 * queries
    grade = random.choice([0, 1, 2, 3], rows, p=[0.5, 0.25, 0.15, 0.1])
    grade[6:12] = 0
    made: Table = {
        "query": np.repeat([f"q{one}" for one in range(queries)], 6).tolist(),
        "document": [f"d{row % 6}" for row in range(rows)],
        "grade": [None if row % 17 == 3 else int(one) for row, one in enumerate(grade)],
        "bm25": (grade + random.normal(0, 1.2, rows)).round(1).tolist(),
        "dense": (grade + random.normal(0, 2.0, rows)).round(1).tolist(),
        "weight": np.repeat(random.choice([1.0, 2.0], queries), 6).tolist(),
        "person": np.repeat(
            [f"p{int(one)}" for one in random.integers(0, 7 if queries < FEW else queries // 2, queries)], 6
        ).tolist(),
        "kind": np.repeat(random.choice(["x", "y"], queries), 6).tolist(),
    }
    made["dense"][25] = None
    return made


def votes(pairs: int = 50) -> Table:
    """Pairs of answers of three models, whom people chose between, and two judges, one of them asked twice."""
    random = np.random.default_rng(7)
    models = np.array(["m1", "m2", "m3"])
    first = random.integers(0, 3, pairs)
    second = (first + random.integers(1, 3, pairs)) % 3
    better = np.where(random.random(pairs) < 0.5 + 0.15 * (second - first), "b", "a")
    other = np.where(better == "a", "b", "a")

    def said(share: float, ties: float) -> list[str]:
        chosen = np.where(random.random(pairs) < share, better, other)
        return np.where(random.random(pairs) < ties, "tie", chosen).tolist()

    return {
        "chosen": better.tolist(),
        "judge": said(0.8, 0.1),
        "turned": said(0.8, 0.0),
        "rude": said(0.3, 0.2),
        "model_a": models[first].tolist(),
        "model_b": models[second].tolist(),
        "text_a": ["word " * int(n) for n in random.integers(1, 9, pairs)],
        "text_b": ["word " * int(n) for n in random.integers(1, 9, pairs)],
        "prompt": [f"p{row % 23}" for row in range(pairs)],
    } | {name: column for name, column in _beside(random, pairs).items() if name != "person"}


def suite() -> Table:
    """Cases that expect an answer, cases that must stay and cases that must move, in groups with an original."""
    random = np.random.default_rng(8)
    rows: list[tuple[Any, ...]] = []
    for group in range(24):
        what = ("dates", "names", "negation")[group % 3]
        start = round(float(random.random()), 2)
        rows.append((f"c{group}", what, "mft", "ab"[group % 2], f"t{group % 5}", f"g{group}", start))
        rows.append((f"i{group}", what, "inv", None, f"t{group % 5}", f"g{group}", start))
        move = ("up", "down")[group % 2]
        rows.append((f"d{group}", what, "dir", move, f"t{group % 5}", f"g{group}", start))
    names = ("case", "what", "kind", "want", "template", "group", "base")
    made: Table = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    base = made.pop("base")
    for version, share in (("v1", 0.85), ("v2", 0.7)):
        right = random.random(len(rows)) < share
        made[version] = ["ab"[(int(one) + (row // 3) % 2 + 1) % 2] for row, one in enumerate(right)]
        made[f"s_{version}"] = [round(one + float(random.choice([-0.1, 0.0, 0.1, 0.3])), 2) for one in base]
    made["weight"] = [1.0 + row % 3 for row in range(len(rows))]
    return made


def judged(rows: int = 120) -> Table:
    """People labelled a third; the judge errs; two systems answer."""
    random = np.random.default_rng(9)
    truth = random.integers(0, 2, rows)

    def said(share: float) -> list[int]:
        return np.where(random.random(rows) < share, truth, 1 - truth).tolist()

    made: Table = {"human": [int(one) if row % 3 == 0 else None for row, one in enumerate(truth)]}
    made |= {"judge": said(0.8), "old": said(0.7), "new": said(0.85)}
    made |= {"grade": [None if one is None else one + row % 4 for row, one in enumerate(made["human"])]}
    made |= {"number": [round(one + float(random.normal(1.5, 1)), 1) for one in truth]}
    return made | _beside(random, rows)


def machines(rows: int = 40) -> Table:
    """Hours, and how often two versions failed."""
    random = np.random.default_rng(10)
    hours = random.integers(5, 200, rows)
    made: Table = {"hours": hours.tolist()}
    made |= {name: random.poisson(hours * rate).tolist() for name, rate in (("old", 0.02), ("new", 0.008))}
    return made | _beside(random, rows)


def trial(rows: int = 80) -> Table:
    """Who was treated, what came of it, and two scores of whom it helps."""
    random = np.random.default_rng(11)
    score, treated = random.random(rows).round(2), random.integers(0, 2, rows)
    made: Table = {
        "bought": (random.random(rows) < 0.2 + 0.5 * treated * score).astype(int).tolist(),
        "spent": (10 * random.random(rows) + 4 * treated * score).round(2).tolist(),
        "arm": np.where(treated == 1, "mail", "control").tolist(),
        "model": score.tolist(),
        "rule": random.random(rows).round(1).tolist(),
    }
    return made | _beside(random, rows)
