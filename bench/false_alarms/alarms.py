"""What the designs of bench.false_alarms are made of: which alarms a table raises where there is nothing to find.

The two systems of a comparison are drawn alike and told apart by a coin, so that nothing differs; a requirement's bound
is the value of very many rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

import adjudge
from adjudge.data.judgements.labels import Labels
from adjudge.data.judgements.ratings import ratings_of
from adjudge.diagnosis.fairness import score_fairness
from adjudge.diagnosis.raters.drift import drift
from adjudge.inference.differences.paired_coefficients import paired_difference
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import gwet_ac1, krippendorff_alpha

Random = np.random.Generator
Alarms = dict[str, bool]
Draw = Callable[[Random], Alarms]
Table = dict[str, Any]
Tables = Callable[[Random, int], Table]
REPLICATES = 300
SETTINGS = Bootstrap(replicates=REPLICATES)
# The roles of tables of one system, and of two.
SCORE: dict[str, Any] = {"reference": "y", "score": "p", "positive": "yes"}
SCORES: dict[str, Any] = {"reference": "y", "score": ["p", "s"], "positive": "yes"}
LABEL: dict[str, Any] = {"reference": "y", "prediction": "m"}
ANSWERS: dict[str, Any] = {"reference": "y", "prediction": ["m", "s"]}
ESSAY: dict[str, Any] = {"raters": ["h1", "h2"], "zeros": "keep"}
LIST: dict[str, Any] = {"query": "q", "relevance": "rel"}
POINTS = ["quadratic_weighted_kappa", "correlation", "standardized_mean_difference", "prmse"]


def first_tests(found: Any) -> Alarms:
    """Whether the first test of each difference is below .05."""
    first: Alarms = {}
    for row in found.table.differences:
        first.setdefault(row.metric, row.p is not None and row.p < 0.05)
    return first


def verdict_of(found: Any, what: str = "") -> Alarms:
    """Whether the first requirement passes, and whether it fails."""
    word = str(found.outcome.gate.verdicts[0].verdict)
    return {f"{what}passes": word == "passed", f"{what}fails": word == "failed"}


def any_beyond(found: Any) -> Alarms:
    """Whether any slice is said to be beyond."""
    return {"any slice": len(found.table.where(state="beyond")) > 0}


def drifted(words: Any, sizes: Sequence[int]) -> Alarms:
    """Whether items of batches of these sizes are said to be rated otherwise in any of them."""
    batch = np.repeat([f"b{k}" for k in range(len(sizes))], sizes).tolist()
    found = drift(ratings_of(words.tolist()), batch, settings=SETTINGS)
    return {
        "coefficient": any(each.flagged for each in found.batches),
        "raters": any(each.flagged for rater in found.raters for each in rater.batches),
    }


def unfair(human: Any, system: Any, group: Any, names: Sequence[str], people: Any = None) -> Alarms:
    """Whether scores of groups are said to differ: by all, and at equal human scores."""
    found = score_fairness(human, system, Labels(group, tuple(names)), people=people)
    return {model.name: model.p < 0.05 for model in found.models[1:]}


def teams_apart(first: Any, second: Any) -> Alarms:
    """Whether two teams of raters of the same items are said to agree unequally well."""
    one, two = (ratings_of(words.tolist()) for words in (first, second))
    return {
        metric.name: paired_difference(metric, one, two, 0.95, SETTINGS)[1] < 0.05
        for metric in (krippendorff_alpha, gwet_ac1)
    }


def alike(task: str, draw: Tables, n: int, columns: tuple[str, str], metrics: list[str], **roles: Any) -> Draw:
    """Whether the first test of each difference is below .05, rows' answers of both systems changed by a coin."""

    def alarms(random: Random) -> Alarms:
        table = draw(random, n)
        first, second = (np.asarray(table[name]) for name in columns)
        unit = table.get("c", table.get("tpl", table.get("q", np.arange(len(first)))))
        _, of = np.unique(np.asarray(unit), return_inverse=True)
        swapped = (random.random(of.max() + 1) < 0.5)[of]
        table |= {columns[0]: np.where(swapped, second, first), columns[1]: np.where(swapped, first, second)}
        found = adjudge.evaluate(table, task, metrics=metrics, replicates=REPLICATES, **roles)
        return first_tests(found)

    return alarms


def required(task: str, draw: Tables, n: int, metric: str, sign: str, many: int = 100_000, **roles: Any) -> Draw:
    """A requirement whose bound is the truth: whether it passes, and whether it fails."""
    apart = ("weight", "cluster", "candidate")

    @cache
    def truth() -> float:
        table = draw(np.random.default_rng(3), many)
        whole = {role: name for role, name in roles.items() if role not in apart}
        found = adjudge.evaluate(table, task, metrics=[metric], replicates=100, **whole)
        return float(next(row.estimate for row in found.table if row.method != "baseline"))

    def judged(random: Random) -> Alarms:
        of = ' of "e · raw_trim"' if task == "scoring" else ""
        text = f"{metric}{of} {sign} {truth():.6f}"
        found = adjudge.evaluate(
            draw(random, n), task, metrics=[metric], require=[text], replicates=REPLICATES, **roles
        )
        return verdict_of(found, f"{metric} ")

    return judged


def slices(task: str, draw: Tables, sizes: tuple[int, int], metrics: list[str], **roles: Any) -> Draw:
    """Ten slices of so many units which are alike: whether any is said to be beyond."""

    def alarms(random: Random) -> Alarms:
        counts = random.integers(sizes[0], sizes[1] + 1, 10)
        table = draw(random, int(counts.sum()))
        part = np.repeat([f"s{k}" for k in range(10)], counts)
        unit = table.get("q", table.get("c"))
        table["g"] = part if unit is None else part[np.asarray(unit)]
        found = adjudge.evaluate(table, task, metrics=metrics, slices=["g"], replicates=REPLICATES, **roles)
        return any_beyond(found)

    return alarms
