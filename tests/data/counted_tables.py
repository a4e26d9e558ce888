"""A table for each task whose rows are counted by what they hold: odd labels, gaps, two slices, weights, units."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

ODD = ("NA", "</script>", "🙂", "it's")
VOTES = ("a", "b", "tie", "hm?")


class Counted(NamedTuple):
    """A table, the roles of its columns, and the role that says what is drawn together."""

    table: dict[str, list[Any]]
    roles: dict[str, Any]
    unit: str = "cluster"


class _Columns:
    """Columns of so many rows, from one seed."""

    def __init__(self, rows: int, seed: int) -> None:
        self.random, self.rows = np.random.default_rng(seed), rows
        self.truth = self.random.integers(0, 4, rows)

    def gaps(self, values: Any, share: float = 0.04) -> list[Any]:
        return [
            None if gap else value for gap, value in zip(self.random.random(self.rows) < share, values, strict=True)
        ]

    def words(self, words: tuple[str, ...], share: float = 0.04) -> list[Any]:
        return self.gaps([words[k] for k in self.random.integers(0, len(words), self.rows)], share)

    def said(self, right: float, share: float = 0.04) -> list[Any]:
        other = self.random.integers(0, 4, self.rows)
        heard = np.where(self.random.random(self.rows) < right, self.truth, other)
        return self.gaps([ODD[k] for k in heard], share)

    def votes(self, right: float) -> list[Any]:
        chosen = np.where(self.random.random(self.rows) < right, self.truth % 2, self.random.integers(0, 4, self.rows))
        return self.gaps([VOTES[k] for k in chosen])

    def near(self, step: float = 1.0) -> list[Any]:
        off = self.random.integers(-1, 2, self.rows)
        return self.gaps(((self.truth + 1 + off) * step).tolist())

    def shared(self) -> dict[str, list[Any]]:
        return {
            "site": self.words(("🙂", "a.b"), 0.1),
            "day": self.words(("x", "</script>"), 0.0),
            "w": self.random.choice([0.5, 1.0, 2.5], self.rows).tolist(),
            "who": [f"k{k}" for k in self.random.integers(0, 150, self.rows)],
        }


def counted_table(task: str, rows: int = 300, seed: int = 1) -> Counted:
    """The table of a task."""
    make = _Columns(rows, seed)
    shared, random = make.shared(), make.random
    if task == "diagnostic":
        own = {"what": make.words(("dates", "NA", "</script>")), "want": [ODD[k] for k in make.truth]}
        own |= {"old": make.said(0.8), "new": make.said(0.7), "known": make.words(("1", "0", "0", "0", "0"))}
        roles = {"phenomenon": "what", "expect": "want", "prediction": ["old", "new"], "known_failure": "known"}
        return Counted(shared | own, roles, "template")
    if task == "preference":
        own = {"winner": make.votes(1.0), "ann": make.votes(0.8), "bot": make.votes(0.6)}
        own |= {"m_a": make.words(("M1", "NA"), 0.0), "m_b": make.words(("M3", "</script>"), 0.0)}
        roles = {"reference": "winner", "annotators": ["ann", "bot"], "model_a": "m_a", "model_b": "m_b"}
        return Counted(shared | own, roles, "prompt")
    if task == "scoring":
        own = {"h1": make.near(), "h2": make.near(), "m": make.near(), "ok": make.words(("1", "0", "1"), 0.0)}
        roles = {"raters": ["h1", "h2"], "prediction": "m", "min": 1, "max": 5, "flag": {"ok": ["1"]}}
        return Counted(shared | own, roles, "candidate")
    if task == "judges":
        own = {"human": make.said(1.0, 0.6), "judge": make.said(0.8), "p": make.said(0.7), "q": make.said(0.6)}
        return Counted(shared | own, {"reference": "human", "judge": "judge", "prediction": ["p", "q"]})
    if task == "uplift":
        treated, score = random.integers(0, 2, rows), random.integers(0, 10, rows) / 10
        outcome = (random.random(rows) < 0.3 + 0.4 * treated * score).astype(float)
        own = {"y": make.gaps(outcome.tolist()), "arm": [("control", "🙂")[k] for k in treated], "s": score.tolist()}
        return Counted(shared | own, {"outcome": "y", "treatment": "arm", "score": "s"})
    if task == "failures":
        own = {name: (random.integers(1, 9, rows) / 2).tolist() for name in ("old_h", "new_h")}
        own |= {name: random.poisson(0.3, rows).tolist() for name in ("old", "new")}
        # The system that is named first is the one to compare with, though its name comes last.
        systems = {name: {"exposure": f"{name}_h", "failures": name} for name in ("old", "new")}
        return Counted(shared | own, {"systems": systems})
    own = {"y": make.near(0.1), "m": make.near(0.1)}
    return Counted(shared | own, {"reference": "y", "prediction": "m"})
