"""Tables whose first screens are looked at: small and awkward ones of every task."""

from __future__ import annotations

import io
import random as randomly
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console

import adjudge
from adjudge.report import terminal

FAST = {"replicates": 100}
Made = Callable[[], Any]


def printed(evaluation: Any, width: int = 100, encoding: str = "utf-8") -> str:
    """The first screen as it arrives in a file."""
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
    terminal.render(evaluation.summary, Console(file=file, width=width, force_terminal=False, legacy_windows=False))
    return raw.getvalue().decode(encoding)


def labels(many: int, rows: int = 600, right: float = 0.8) -> dict[str, Any]:
    """Predictions of many labels."""
    random = np.random.default_rng(many)
    names = np.array([f"label {place:02d}" for place in range(many)])
    truth = random.integers(0, many, rows)
    said = np.where(random.random(rows) < right, truth, random.integers(0, many, rows))
    return {"label": names[truth], "guess": names[said], "part": random.choice(["x", "y", "z"], rows)}


def systems(many: int, rows: int = 500) -> dict[str, Any]:
    """Systems of which each is a little better than the last."""
    random = np.random.default_rng(many)
    truth = random.integers(0, 3, rows)
    made = {
        f"s{place}": np.where(random.random(rows) < 0.6 + 0.03 * place, truth, random.integers(0, 3, rows))
        for place in range(many)
    }
    return {"label": truth, "part": random.choice(["x", "y"], rows), **made}


def ratings(guessing: tuple[int, ...] = (7, 19, 33), raters: int = 40, items: int = 300) -> dict[str, list[str]]:
    """Five ratings of every item; those who guess rate least."""
    random = np.random.default_rng(4)
    truth, rows = random.integers(0, 4, items), []
    for item in range(items):
        for rater in random.choice(raters, 5, replace=False):
            guesses = int(rater) in guessing
            if guesses and random.random() < 0.4:
                continue
            said = truth[item] if not guesses and random.random() < 0.85 else random.integers(0, 4)
            rows.append((f"i{item:03d}", f"w{rater:02d}", "abcd"[said]))
    return {"item": [row[0] for row in rows], "rater": [row[1] for row in rows], "label": [row[2] for row in rows]}


def confused(items: int = 200) -> dict[str, Any]:
    """Three raters who cannot part anger from disgust."""
    random = np.random.default_rng(6)
    names = np.array(["anger", "disgust", "joy", "fear"])
    truth = random.integers(0, 4, items)

    def said() -> Any:
        other = np.where(truth < 2, 1 - truth, random.integers(0, 4, items))
        return names[np.where(random.random(items) < np.where(truth < 2, 0.6, 0.95), truth, other)]

    return {name: said() for name in ("ann", "ben", "eva")}


def essays(bias: float = -0.6) -> dict[str, Any]:
    """Essays of which one group of 45 is scored too low."""
    random = np.random.default_rng(31)
    first = np.repeat(["English", "Spanish", "Chinese", "Korean"], (180, 110, 85, 45))
    truth = random.normal(3.5, 0.95, len(first))
    one, other = (np.clip(np.round(truth + random.normal(0, 0.45, len(first))), 1, 6) for _ in range(2))
    engine = 3.5 + 0.86 * (truth - 3.5) + random.normal(0, 0.42, len(first)) + np.where(first == "Korean", bias, 0)
    return {"rater1": one, "rater2": other, "engine": engine, "l1": first}


def numbers(rows: int = 300) -> dict[str, Any]:
    """Predictions that are too near the middle."""
    random = np.random.default_rng(2)
    truth = random.normal(30, 10, rows)
    return {
        "price": truth,
        "model": 0.8 * truth + 6 + random.normal(0, 4, rows),
        "rule": truth + random.normal(0, 9, rows),
        "town": random.choice(["north", "south"], rows),
    }


def lists(queries: int = 60) -> dict[str, Any]:
    """Ten items of every query."""
    random = np.random.default_rng(5)
    grade = random.integers(0, 3, 10 * queries)
    return {
        "query": np.repeat(np.arange(queries), 10),
        "grade": grade,
        "bm25": grade + random.normal(0, 1.5, 10 * queries),
        "kind": np.repeat(random.choice(["question", "name"], queries), 10),
    }


def votes(pairs: int = 200) -> dict[str, Any]:
    """Choices that go with one trait and against another."""
    random = np.random.default_rng(9)
    chosen = random.choice(["a", "b"], pairs)
    other = np.where(chosen == "a", "b", "a")
    return {
        "preferred_text": chosen,
        "structured": np.where(random.random(pairs) < 0.8, chosen, other),
        "hedged": np.where(random.random(pairs) < 0.7, other, chosen),
        "humour": random.choice(["a", "b", "tie"], pairs),
    }


def replies() -> dict[str, list[Any]]:
    """A judge who is too kind to one topic; people labelled a tenth."""
    r = randomly.Random(21)
    topic = [r.choice(["billing", "technical"]) for _ in range(1500)]
    good = [int(r.random() < (0.6 if one == "technical" else 0.85)) for one in topic]
    judge = [int(r.random() < (0.95 if g else 0.3)) for g in good]
    return {"human": [g if r.random() < 0.1 else None for g in good], "judge": judge, "topic": topic}


def answered() -> dict[str, list[Any]]:
    """Two systems, of which the new one is right more often."""
    r = randomly.Random(22)
    truth = [r.choice("ab") for _ in range(800)]

    def said(share: float) -> list[str]:
        return [one if r.random() < share else "ab"[one == "a"] for one in truth]

    people = [one if row % 4 == 0 else None for row, one in enumerate(truth)]
    return {"old": said(0.7), "new": said(0.85), "judge": said(0.9), "human": people}


def trial(rows: int = 400) -> dict[str, Any]:
    """A score that knows a little of whom treating helps."""
    random = np.random.default_rng(8)
    score, treated = random.random(rows), random.integers(0, 2, rows)
    return {
        "bought": (random.random(rows) < 0.2 + 0.5 * treated * score).astype(int),
        "mailed": treated,
        "model": score,
    }


def suite() -> dict[str, list[Any]]:
    """Three phenomena of ten templates each; the new version breaks one."""
    random = np.random.default_rng(8)
    what = np.repeat(["negation", "dates", "names"], 100)
    want = random.choice(["good", "bad"], 300)
    other = np.where(want == "good", "bad", "good")
    return {
        "case": [f"c{row}" for row in range(300)],
        "what": what.tolist(),
        "template": [f"{name} {row % 10}" for row, name in enumerate(what.tolist())],
        "want": want.tolist(),
        "v41": np.where(random.random(300) < 0.1, other, want).tolist(),
        "v42": np.where(random.random(300) < np.where(what == "negation", 0.4, 0.08), other, want).tolist(),
    }


def scored(rows: int = 400) -> dict[str, Any]:
    """A score that ranks well, and less well in one part."""
    random = np.random.default_rng(8)
    ill = random.random(rows) < 0.4
    part = np.where(random.random(rows) < 0.3, "old", "new")
    score = 1 / (1 + np.exp(-(np.where(ill, 1.5, -1.5) + random.normal(0, np.where(part == "old", 2.5, 1.2)))))
    return {"label": np.where(ill, "ill", "well").tolist(), "score": score.round(4).tolist(), "part": part.tolist()}


def side_by_side() -> Any:
    """Three evaluations of different rows."""
    made = [
        adjudge.classification(labels(3, 300 + 20 * k, 0.7 + 0.08 * k), reference="label", prediction="guess", **FAST)
        for k in range(3)
    ]
    return adjudge.compare(*made, names=["may", "june", "july"])


CASES: dict[str, Made] = {
    "one row": lambda: adjudge.classification(
        {"label": ["a"], "guess": ["a"]}, reference="label", prediction="guess", **FAST
    ),
    "all wrong": lambda: adjudge.classification(
        {"label": ["a", "b"] * 20, "guess": ["b", "a"] * 20}, reference="label", prediction="guess", **FAST
    ),
    "all right": lambda: adjudge.classification(
        {"label": ["a", "b"] * 20, "guess": ["a", "b"] * 20}, reference="label", prediction="guess", **FAST
    ),
    "twelve labels": lambda: adjudge.classification(
        labels(12), reference="label", prediction="guess", slices=["part"], **FAST
    ),
    "forty labels": lambda: adjudge.classification(labels(40), reference="label", prediction="guess", **FAST),
    "two systems": lambda: adjudge.classification(
        systems(8), reference="label", prediction=["s5", "s7"], slices=["part"], **FAST
    ),
    "ten systems": lambda: adjudge.classification(
        systems(10), reference="label", prediction=[f"s{k}" for k in range(10)], **FAST
    ),
    "two labels and a score": lambda: adjudge.classification(
        scored(), reference="label", score="score", positive="ill", slices=["part"], **FAST
    ),
    "results side by side": side_by_side,
    "the same answers": lambda: adjudge.classification(
        {"label": ["a", "b"] * 200, "old": ["a", "a", "b"] * 133 + ["a"], "new": ["a", "a", "b"] * 133 + ["a"]},
        reference="label",
        prediction=["old", "new"],
        **FAST,
    ),
    "forty raters, three of whom guess": lambda: adjudge.agreement(
        ratings(), item="item", rater="rater", rating="label", **FAST
    ),
    "two labels confused": lambda: adjudge.agreement(confused(), raters=["ann", "ben", "eva"], **FAST),
    "one label throughout": lambda: adjudge.agreement(
        {"ann": ["ok"] * 30, "ben": ["ok"] * 30}, raters=["ann", "ben"], **FAST
    ),
    "no item rated twice": lambda: adjudge.agreement(
        {"ann": ["x", None] * 10, "ben": [None, "y"] * 10}, raters=["ann", "ben"], **FAST
    ),
    "nearly always no": lambda: adjudge.agreement(
        {"ann": ["no"] * 985 + ["yes"] * 15, "ben": ["no"] * 970 + ["yes"] * 15 + ["no"] * 15},
        raters=["ann", "ben"],
        **FAST,
    ),
    "sets": lambda: adjudge.agreement(
        {"ann": ["a|b", "a", "b|c", "c"] * 20, "ben": ["a", "a|b", "c", "c"] * 20, "eva": ["a", "a", "c", "c|b"] * 20},
        raters=["ann", "ben", "eva"],
        measurement="sets",
        **FAST,
    ),
    "spans": lambda: adjudge.agreement(
        {
            "ann": ["B-PER I-PER O B-LOC", "O B-ORG O"] * 20,
            "ben": ["B-PER O O B-LOC", "O B-PER O"] * 20,
            "eva": ["B-PER I-PER O O", "O B-ORG O"] * 20,
        },
        raters=["ann", "ben", "eva"],
        measurement="spans",
        **FAST,
    ),
    "a group scored too low": lambda: adjudge.scoring(
        essays(), raters=["rater1", "rater2"], prediction="engine", min=1, max=6, slices=["l1"], **FAST
    ),
    "one rater": lambda: adjudge.scoring(essays(0.0), raters=["rater1"], prediction="engine", min=1, max=6, **FAST),
    "regression": lambda: adjudge.regression(numbers(), reference="price", prediction="model", slices=["town"], **FAST),
    "two regressions": lambda: adjudge.regression(numbers(), reference="price", prediction=["model", "rule"], **FAST),
    "two rows of numbers": lambda: adjudge.regression(
        {"price": [1.0, 2.0], "model": [1.0, 3.0]}, reference="price", prediction="model", **FAST
    ),
    "ranking": lambda: adjudge.ranking(
        lists(), query="query", relevance="grade", score="bm25", slices=["kind"], **FAST
    ),
    "preference": lambda: adjudge.preference(votes(), reference="preferred_text", **FAST),
    "a suite that breaks": lambda: adjudge.diagnostic(
        suite(), case="case", phenomenon="what", expect="want", prediction=["v41", "v42"], template="template", **FAST
    ),
    "one system and a suite": lambda: adjudge.diagnostic(
        suite(), case="case", phenomenon="what", expect="want", prediction="v42", **FAST
    ),
    "judges": lambda: adjudge.judges(replies(), reference="human", judge="judge", slices=["topic"], **FAST),
    "judges, two systems": lambda: adjudge.judges(
        answered(), reference="human", judge="judge", prediction=["old", "new"], **FAST
    ),
    "failures, two systems": lambda: adjudge.failures(
        {"hours": [168] * 12, "old": [2, 1, 0] * 4, "new": [0, 0, 1] * 4},
        exposure="hours",
        failures=["old", "new"],
        **FAST,
    ),
    "failures, none seen": lambda: adjudge.failures(
        {"hours": [168] * 12, "new": [0] * 12}, exposure="hours", failures="new"
    ),
    "uplift": lambda: adjudge.uplift(trial(), outcome="bought", treatment="mailed", score="model", **FAST),
}
