"""How often the data check speaks of clean tables: `python -m bench.checks [tables]`.

Tables are drawn from designs of every task, with and without skill, small and large, balanced and skewed. A table
speaks when a check above a remark is found, or when it is refused.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from adjudge.diagnosis.checks.check import SERIOUS
from adjudge.errors import AdjudgeError
from adjudge.evaluation.data_check import checks_of
from adjudge.evaluation.request import request
from adjudge.evaluation.walk import collect
from adjudge.tasks import task_named

Random = np.random.Generator
Asked = tuple[dict[str, Any], dict[str, Any]]  # a table, and what is asked of it


def size_of(random: Random) -> int:
    """From a few dozen rows to some thousands."""
    return int(np.exp(random.uniform(np.log(30), np.log(3_000))))


def answered(random: Random, truth: Any, shares: Any, skill: float) -> Any:
    """Right with some probability, else guessed as often as labels occur."""
    return np.where(random.random(len(truth)) < skill, truth, random.choice(len(shares), len(truth), p=shares))


def labels(random: Random) -> Asked:
    """A reference and one to three systems, from no skill to nearly all right."""
    shares = random.dirichlet(np.full(random.integers(2, 9), random.choice([0.7, 2.0, 20.0])))
    truth = random.choice(len(shares), size_of(random), p=shares)
    systems = {
        f"s{k}": answered(random, truth, shares, random.choice([0, 0.3, 0.7, 0.95]))
        for k in range(random.integers(1, 4))
    }
    names = np.array([f"label {k}" for k in range(len(shares))])
    return {"label": names[truth], **{n: names[said] for n, said in systems.items()}}, {
        "reference": "label",
        "prediction": list(systems),
    }


def scores(random: Random) -> Asked:
    """A score of two labels, from no skill to much, as a probability, rounded, or on a scale of its own."""
    rows, share = size_of(random), random.choice([0.05, 0.2, 0.5])
    truth = random.random(rows) < share
    logit = (
        np.log(share / (1 - share)) + random.choice([0, 0.5, 1.5, 3.0]) * (truth - share) * 2 + random.normal(size=rows)
    )
    score = random.choice(3)
    values = logit if score == 0 else 1 / (1 + np.exp(-logit))
    return {"label": truth.astype(int), "p": values.round(2) if score == 1 else values}, {
        "reference": "label",
        "score": "p",
    }


def ratings(random: Random) -> Asked:
    """Two to six raters of two to five labels, with gaps."""
    shares = random.dirichlet(np.full(random.integers(2, 6), random.choice([0.7, 2.0])))
    truth = random.choice(len(shares), size_of(random), p=shares)
    table, skill, miss = {}, random.choice([0, 0.5, 0.9]), random.choice([0, 0.3])
    for rater in range(random.integers(2, 7)):
        said = answered(random, truth, shares, min(1.0, skill * random.uniform(0.8, 1.1)))
        table[f"r{rater}"] = [None if random.random() < miss else f"label {k}" for k in said]
    return table, {"raters": list(table)}


def grades(random: Random) -> Asked:
    """Two to four raters of whole numbers."""
    middle = random.normal(size=size_of(random)) + 2.5
    noise = random.choice([0.3, 0.7, 1.5])
    table = {
        f"r{k}": np.rint(middle + random.normal(0, noise, len(middle))).clip(0, 5).astype(int)
        for k in range(random.integers(2, 5))
    }
    return table, {"raters": list(table), "measurement": "ordinal"}


def numbers(random: Random) -> Asked:
    """A number that one or two systems predict, with heavy tails too."""
    rows = size_of(random)
    truth = random.standard_t(3, rows) * 2 + 5
    skill = random.choice([0, 0.5, 0.95])
    table = {"y": truth, **{f"m{k}": skill * truth + random.normal(size=rows) for k in range(random.integers(1, 3))}}
    return table, {"reference": "y", "prediction": [name for name in table if name != "y"]}


def responses(random: Random) -> Asked:
    """Two raters, the second of a part, and an engine."""
    rows = size_of(random)
    truth = random.normal(3.5, 1, rows)
    first, second = (np.clip(np.rint(truth + random.normal(0, 0.6, rows)), 1, 6) for _ in range(2))
    second = np.where(random.random(rows) < random.choice([0.2, 1.0]), second, np.nan)
    engine = np.clip(truth + random.normal(0, random.choice([0.3, 1.0, 5.0]), rows), 0.6, 6.4)
    roles = {"raters": ["h1", "h2"], "prediction": "engine", "min": 1, "max": 6}
    return {"h1": first, "h2": second, "engine": engine}, roles


def series(random: Random) -> Asked:
    """A number that wanders, as one measured day after day, and a system that follows it; sorted, or with zeros."""
    rows = size_of(random)
    truth = np.cumsum(random.normal(size=rows)) * random.choice([0.1, 1.0]) + random.normal(size=rows) + 20
    kind = random.choice(4)
    truth = np.sort(truth) if kind == 1 else np.maximum(random.normal(1, 3, rows), 0) if kind == 2 else truth
    truth = np.exp(random.normal(0, 2, rows)) if kind == 3 else truth
    noise = random.choice([0.1, 0.5]) * truth.std() * random.normal(size=rows)
    return {"y": truth, "m": np.maximum(truth + noise, 0) if kind >= 2 else truth + noise}, {
        "reference": "y",
        "prediction": ["m"],
    }


def crowd(random: Random) -> Asked:
    """People of different skill, an expert among them, with labels or points that begin at 0 or 1."""
    rows, size, first = size_of(random), int(random.integers(2, 7)), int(random.integers(0, 2))
    shares = random.dirichlet(np.full(size, 3.0))
    truth = random.choice(size, rows, p=shares)
    skills = [*random.choice([0.6, 0.8, 0.95], random.integers(2, 6)), random.choice([0.9, 0.99])]
    table = {f"r{k}": answered(random, truth, shares, skill) + first for k, skill in enumerate(skills)}
    return table, {"raters": list(table), "measurement": random.choice(["nominal", "ordinal"])}


def lists(random: Random) -> Asked:
    """Queries with five to twenty items, their relevance graded or not, and a score."""
    queries, items = int(random.integers(10, 150)), int(random.integers(5, 21))
    relevance = random.choice([0, 0, 0, 1, 2] if random.random() < 0.5 else [0, 0, 1], (queries, items))
    relevance = -np.sort(-relevance, axis=1) if random.random() < 0.5 else relevance
    score = random.choice([0, 0.5, 2.0]) * relevance + random.normal(size=relevance.shape)
    names = np.repeat([f"q{k}" for k in range(queries)], items)
    table = {"query": names, "relevance": relevance.ravel(), "score": score.ravel()}
    return table, {"query": "query", "relevance": "relevance", "score": "score", "metrics": "ndcg"}


def votes(random: Random) -> Asked:
    """A person's votes, and two annotators', with ties."""
    rows = size_of(random)
    words = np.array(["a", "b", "tie"])
    shares = random.dirichlet([6, 6, random.choice([0.01, 2])])
    human = random.choice(3, rows, p=shares)
    table = {f"v{k}": words[answered(random, human, shares, random.choice([0, 0.4, 0.8]))] for k in range(2)}
    return {"human": words[human], **table}, {"reference": "human", "annotators": list(table)}


def arms(random: Random) -> Asked:
    """A trial, its outcome a purchase or what was spent, and a score of who to treat."""
    rows = size_of(random)
    treated, score = random.integers(0, 2, rows), random.normal(size=rows)
    bought = random.random(rows) < 0.2 + 0.2 * treated * (score > 0) * random.choice([0, 1])
    spent = np.where(bought, random.gamma(9, 4, rows), 0.0) if random.random() < 0.5 else bought.astype(float)
    return {"y": spent, "t": treated, "s": score}, {"outcome": "y", "treatment": "t", "score": "s"}


def judged(random: Random) -> Asked:
    """What people say of some rows and a judge of all: yes or no, or points."""
    rows = size_of(random) + 70
    points = random.choice([2, 5])
    truth = random.integers(0, points, rows).astype(float)
    judge = answered(random, truth.astype(int), np.full(points, 1 / points), random.choice([0, 0.5, 0.9])).astype(float)
    some = random.random(rows) < random.choice([0.3, 0.6])
    return {"people": np.where(some, truth, np.nan), "judge": judge}, {"reference": "people", "judge": "judge"}


def suites(random: Random) -> Asked:
    """Cases of a few phenomena, and two systems."""
    rows = size_of(random)
    shares = random.dirichlet(np.full(random.integers(2, 5), 3.0))
    names = np.array(["yes", "no", "perhaps", "never"])
    truth = random.choice(len(shares), rows, p=shares)
    systems = {k: names[answered(random, truth, shares, random.choice([0.3, 0.8, 0.95]))] for k in ("old", "new")}
    table = {"case": [f"c{k}" for k in range(rows)], "what": random.choice(["x", "y", "z"], rows), "e": names[truth]}
    return table | systems, {"case": "case", "phenomenon": "what", "expect": "e", "prediction": ["old", "new"]}


def sides(random: Random) -> Asked:
    """Votes on the answers of some models, of which one may always stand second, with prompts in capitals or not."""
    rows = size_of(random)
    models = np.array([f"m{k}" for k in range(random.integers(2, 6))])
    first = random.choice(models[1:], rows)
    second = np.full(rows, models[0]) if random.random() < 0.5 else random.choice(models, rows)
    winner = random.choice(["a", "b", "tie"], rows, p=random.dirichlet([6, 6, 1]))
    table = {"model_a": first, "model_b": np.where(second == first, models[0], second), "winner": winner}
    return table, {"reference": "winner"}


def decided(random: Random) -> Asked:
    """A score, some of them likenesses from a half on, and decisions that follow from it, or from something else."""
    rows = size_of(random)
    truth = random.random(rows) < random.choice([0.1, 0.3, 0.5])
    score = 1 / (1 + np.exp(-random.normal(random.choice([0.5, 1.5]) * (2 * truth - 1), 1)))
    score = 0.5 + 0.5 * score if random.random() < 0.5 else score
    cut = np.quantile(score, random.choice([0.5, 0.7, 0.85]))
    guess = score > cut if random.random() < 0.7 else answered(random, truth.astype(int), [0.6, 0.4], 0.8) > 0
    table = {"label": truth.astype(int), "guess": guess.astype(int), "p": score.round(3)}
    return table, {"reference": "label", "prediction": "guess", "score": "p", "positive": 1}


def rounded(random: Random) -> Asked:
    """Numbers with few decimals, and a system that follows them, is a table of leaves, or is far too low."""
    rows = size_of(random)
    truth = random.lognormal(3, random.choice([0.2, 0.6]), rows)
    guess = truth * np.exp(random.normal(0, random.choice([0.05, 0.3]), rows)) * random.choice([0.7, 1.0, 1.2])
    kind, places = random.choice(3), int(random.integers(0, 3))
    guess = np.round(guess / 5) * 5 if kind == 1 else guess
    return {"y": truth.round(places), "m": guess.round(places)}, {"reference": "y", "prediction": ["m"]}


def watches(random: Random) -> Asked:
    """How long machines ran, in the order of that or not, and how often they failed."""
    rows = size_of(random)
    hours = random.gamma(random.choice([1, 5]), 40, rows).round(int(random.integers(0, 2))) + 1
    hours = np.sort(hours) if random.random() < 0.3 else hours
    return {"h": hours, "f": random.poisson(hours * random.choice([0.001, 0.05]))}, {"exposure": "h", "failures": "f"}


def marks(random: Random) -> Asked:
    """Spans of two or three people, few or many in an item, of words or of signs, who differ in where they end."""
    labels = np.array(["person", "place", "company", "other"])[: random.integers(2, 5)]
    most, short = random.choice([2, 8, 30]), random.random() < 0.3
    sees, names, way = random.choice([0.3, 0.6, 0.9, 0.97]), random.choice([0.6, 0.9, 0.98]), random.choice(5)
    spans = {}
    for item in range(random.integers(20, 200)):
        end = 0
        for label in random.choice(labels, random.integers(0, most + 1)):
            start = end + int(random.integers(1, 3 if short else 40))
            end = start + int(random.integers(1, 3 if short else 14))
            for who in ("ann", "bob", "eve")[: 2 + (way == 4)]:
                if random.random() < sees:
                    article = 4 * (way == 1 and who == "bob" and random.random() < 0.4)
                    more = int(random.integers(0, 4)) if way == 2 else way == 3 and random.random() < 0.15
                    said = label if random.random() < names else random.choice(labels)
                    spans[f"d{item}", max(start - article, 0), end + more, said, who] = None
    names_of = ("item", "start", "end", "label", "rater")
    table = {name: [span[place] for span in spans] for place, name in enumerate(names_of)}
    return table, {**{name: name for name in names_of}, "measurement": "spans", "seen_by": "all"}


DESIGNS: dict[str, tuple[str, Callable[[Random], Asked]]] = {
    "labels": ("classification", labels),
    "scores": ("classification", scores),
    "ratings": ("agreement", ratings),
    "grades": ("agreement", grades),
    "numbers": ("regression", numbers),
    "responses": ("scoring", responses),
    "series": ("regression", series),
    "crowd": ("agreement", crowd),
    "lists": ("ranking", lists),
    "votes": ("preference", votes),
    "arms": ("uplift", arms),
    "judged": ("judges", judged),
    "suites": ("diagnostic", suites),
    "sides": ("preference", sides),
    "decided": ("classification", decided),
    "rounded": ("regression", rounded),
    "watches": ("failures", watches),
    "marks": ("agreement", marks),
}


# Remarks that rest on a test or on what is expected by chance, and are counted as well.
BY_CHANCE = ("C5", "C15", "C16")


def with_company(random: Random, table: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The table with columns that have nothing to do with it, and a few references missing; one column is a slice."""
    rows = len(next(iter(table.values())))
    column, values = next(iter(table.items()))
    gone = random.random(rows) < random.choice([0, 0.04])
    some = [None if missing else value for missing, value in zip(gone, np.asarray(values).tolist(), strict=True)]
    company = {name: random.integers(0, max(2, rows // size), rows) for name, size in (("user", 4), ("day", 20))}
    part = random.choice(["a", "b", "c", "d"], rows, p=[0.5, 0.3, 0.15, 0.05])
    return table | {column: some} | company | {"part": part}, ["part"]


def spoken(task: str, asked: Asked, random: Random | None = None) -> list[str]:
    """The keys of checks above a remark; what was refused otherwise is no matter of the check.

    With `random`, of the table in company, and also remarks that rest on chance.
    """
    table, roles = asked
    if random is not None:
        table, roles["slices"] = with_company(random, table)
    checked = request(task_named(task), table, **roles)
    try:
        collected = collect(checked)
    except AdjudgeError as error:
        return [str(error).rpartition('ok="')[2].rstrip('".')] if 'ok="' in str(error) else []
    told = checks_of(checked, collected)
    by_chance = BY_CHANCE if random is not None else ()
    return [check.key for check in told if check.severity == SERIOUS or check.key in by_chance]


def main(tables: int = 2_000, company: int = 0) -> None:
    """Print, for every design, how many of its clean tables speak, and which checks do; 1: in company."""
    every, total = 0, 0
    for place, (name, (task, design)) in enumerate(DESIGNS.items()):
        keys: Counter[str] = Counter()
        many = 0
        for seed in range(tables):
            random = np.random.default_rng([place, seed])
            found = spoken(task, design(random), random if company else None)
            many += bool(found)
            keys.update(set(found))
        every, total = every + many, total + tables
        print(f"{name:10} {many:4} of {tables:,} tables speak {dict(keys) or ''}")
    print(f"{'all':10} {every:4} of {total:,} tables speak: {every / total:.2%}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
