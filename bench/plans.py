"""How often plans keep what they promise: tables of the planned size, each evaluated, and judged as a gate would.

    python -m bench.plans [--tables 300] [--only widths] [--out docs/validation]

Every design is true to the assumption of its plan: the value that was expected, the deviation, the correlation within
clusters. *gates* are requirements, *differences* two systems that differ as expected, *widths* intervals that are to
be so narrow, *pilots* the same from a saved evaluation of many rows. *settled*: tables that leave something open, to
which as many rows are added as were said to settle it, drawn from the table itself, so that its estimate is true.

Writes plans.csv and the table of planning.md.
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import expit
from scipy.stats import norm

import adjudge

Random = np.random.Generator
Table = dict[str, Any]
Draw = Callable[[Random, int], Table]
Record = dict[str, object]
REPLICATES = 400
LEAST = 0.05  # a chance may be so much below what was promised
WIDER = 1.1  # and an interval so many times as wide
BEGIN, END = "<!-- plans -->", "<!-- end of plans -->"
LABEL: dict[str, Any] = {"reference": "y", "prediction": "m"}
ANSWERS: dict[str, Any] = {"reference": "y", "prediction": ["m", "s"], "baseline": "s"}
SCORE: dict[str, Any] = {"reference": "y", "score": "p", "positive": "yes"}


def words(yes: Any) -> Any:
    """Yes and no."""
    return np.where(yes, "yes", "no")


def right(share: float) -> Draw:
    """Answers that are right as often."""

    def draw(random: Random, n: int) -> Table:
        yes = random.random(n) < 0.4
        return {"y": words(yes), "m": words(yes == (random.random(n) < share))}

    return draw


def in_clusters(share: float, size: int, correlation: float) -> Draw:
    """The same in clusters, whose shares are beta distributed."""

    def draw(random: Random, n: int) -> Table:
        count, many = math.ceil(n / size), 1 / correlation - 1
        chance = np.repeat(random.beta(share * many, (1 - share) * many, count), size)[:n]
        yes = random.random(n) < 0.4
        return {"y": words(yes), "m": words(yes == (random.random(n) < chance)), "c": np.arange(n) // size}

    return draw


def in_slices(share: float, count: int) -> Draw:
    """Slices of the same size, whose answers are right as often."""
    return lambda random, n: right(share)(random, n) | {"g": [f"g{row % count}" for row in range(n)]}


def agreeing(kappa: float, part: float) -> Draw:
    """Two columns with the same habits and so much agreement beyond chance."""

    def draw(random: Random, n: int) -> Table:
        first = random.random(n) < part
        second = np.where(random.random(n) < kappa, first, random.random(n) < part)
        return {"y": words(first), "m": words(second)}

    return draw


def found(share: float, part: float) -> Draw:
    """Spam of so many rows, of which this share is found."""

    def draw(random: Random, n: int) -> Table:
        spam = random.random(n) < part
        said = np.where(spam, random.random(n) < share, random.random(n) < 0.05)
        return {"y": np.where(spam, "spam", "ham"), "m": np.where(said, "spam", "ham")}

    return draw


def scored(area: float, part: float) -> Draw:
    """Scores that are normal in both classes."""

    def draw(random: Random, n: int) -> Table:
        yes = random.random(n) < part
        return {"y": words(yes), "p": expit(random.standard_normal(n) + math.sqrt(2) * norm.ppf(area) * yes)}

    return draw


def squared(mean: float, deviation: float) -> Draw:
    """Probabilities whose Brier score has such a mean and deviation: squared errors are beta distributed."""

    def draw(random: Random, n: int) -> Table:
        many = mean * (1 - mean) / deviation**2 - 1
        off = np.sqrt(random.beta(mean * many, (1 - mean) * many, n))
        yes = random.random(n) < 0.5
        return {"y": words(yes), "p": np.where(yes, 1 - off, off)}

    return draw


def logged(mean: float) -> Draw:
    """Log losses that are exponential."""

    def draw(random: Random, n: int) -> Table:
        chance, yes = np.exp(-random.exponential(mean, n)), random.random(n) < 0.5
        return {"y": words(yes), "p": np.where(yes, chance, 1 - chance)}

    return draw


def off(errors: Callable[[Random, int], Any]) -> Draw:
    """Numbers that are missed by these errors."""

    def draw(random: Random, n: int) -> Table:
        y = random.normal(0, 2, n)
        return {"y": y, "m": y + errors(random, n)}

    return draw


def correlated(value: float) -> Draw:
    """Normal numbers with this correlation."""

    def draw(random: Random, n: int) -> Table:
        y = random.standard_normal(n)
        return {"y": y, "m": value * y + math.sqrt(1 - value**2) * random.standard_normal(n)}

    return draw


def lists(mean: float, deviation: float) -> Draw:
    """Queries of which one document in eight is relevant; where it stands makes reciprocal ranks of such moments."""
    places = 1 / np.arange(1, 9)
    # Shares of places that fall geometrically, mixed with an even part: two moments, two numbers.
    best, least = (0.5, 0.0), math.inf
    for fall in np.linspace(0.05, 0.95, 91):
        for even in np.linspace(0, 1, 51):
            share = (1 - even) * fall ** np.arange(8) / (fall ** np.arange(8)).sum() + even / 8
            first = float(share @ places)
            gap = (first - mean) ** 2 + (math.sqrt(float(share @ places**2) - first**2) - deviation) ** 2
            if gap < least:
                best, least = (fall, even), gap
    fall, even = best
    share = (1 - even) * fall ** np.arange(8) / (fall ** np.arange(8)).sum() + even / 8

    def draw(random: Random, n: int) -> Table:
        place = random.choice(8, n, p=share)
        relevant = np.arange(8)[None, :] == place[:, None]
        return {
            "q": np.repeat(np.arange(n), 8),
            "rel": relevant.astype(int).reshape(-1),
            "m": np.tile(-np.arange(8.0), n),
        }

    return draw


def paired(difference: float, differing: float) -> Draw:
    """Two systems, of which only one is right in so many rows."""

    def draw(random: Random, n: int) -> Table:
        yes, chance = random.random(n) < 0.5, random.random(n)
        both = random.random(n) < 0.8
        first, second = (differing + difference) / 2, (differing - difference) / 2
        only_m, only_s = chance < first, (chance >= first) & (chance < first + second)
        m = np.where(only_m, True, np.where(only_s, False, both))
        s = np.where(only_m, False, np.where(only_s, True, both))
        return {"y": words(yes), "m": words(yes == m), "s": words(yes == s)}

    return draw


def missed_less(difference: float, deviation: float) -> Draw:
    """Two systems whose absolute errors differ by a normal amount."""

    def draw(random: Random, n: int) -> Table:
        y = random.normal(0, 2, n)
        shared = 5 + random.random(n)  # far above what is added, so that an absolute error stays one
        apart = random.normal(difference, deviation, n)
        sides = random.choice([-1, 1], n)
        return {"y": y, "m": y + sides * (shared + apart), "s": y + sides * shared}

    return draw


def four_points(random: Random, n: int) -> Table:
    """Scores of one to four, right or one off."""
    y = random.choice(4, n, p=(0.15, 0.35, 0.35, 0.15))
    said = np.clip(y + random.choice([-1, 0, 1], n, p=(0.15, 0.7, 0.15)), 0, 3)
    return {"y": (y + 1).astype(str), "m": (said + 1).astype(str)}


def three_labels(random: Random, n: int) -> Table:
    """Three labels of unequal size, right in 85 of 100."""
    y = random.choice(3, n, p=(0.6, 0.3, 0.1))
    said = np.where(random.random(n) < 0.85, y, random.integers(0, 3, n))
    letters = np.array(list("abc"))
    return {"y": letters[y], "m": letters[said]}


def column(values: Callable[[Random, int], Any]) -> Draw:
    """A column of numbers."""
    return lambda random, n: {"cost": values(random, n)}


def skewed(random: Random, n: int) -> Any:
    """Lognormal, with as large a deviation as mean: 1.6."""
    spread = math.sqrt(math.log(2))
    return 1.6 * np.exp(spread * random.standard_normal(n) - spread**2 / 2)


def logistic(random: Random, n: int) -> Table:
    """Scores that are normal on the scale of logits, and surer than they should be."""
    yes = random.random(n) < 0.4
    return {"y": words(yes), "p": expit(1.5 * (np.where(yes, 1.2, -1.2) + 1.3 * random.standard_normal(n)))}


def heavy(random: Random, n: int) -> Table:
    """Numbers with tails of t₅ and a correlation of .6."""
    y, noise = random.standard_t(5, (2, n))
    return {"y": y, "m": 0.6 * y + 0.8 * noise}


def sometimes_dear(random: Random, n: int) -> Any:
    """One in ten costs five times as much."""
    return random.gamma(2, 0.5, n) * np.where(random.random(n) < 0.1, 5, 1)


@dataclass(frozen=True)
class Case:
    """A plan, and tables as it assumes them; the roles by which they are evaluated."""

    question: str
    assumed: dict[str, Any]
    draw: Draw
    task: str = "classification"
    roles: dict[str, Any] = field(default_factory=lambda: LABEL)
    metric: str = ""  # of the row that is read, where it is not the question's own
    kind: str = ""  # of tables, where two designs assume the same

    @property
    def name(self) -> str:
        """The question with what was assumed."""
        assumed = (f"{key} {value:g}" for key, value in self.assumed.items())
        return ", ".join([self.question, *assumed, *filter(None, [self.kind])])


def evaluated(case: Case, table: Table, require: Sequence[str] = ()) -> Any:
    """One table, evaluated as its design is."""
    given = {"require": list(require)} if require else {}
    metric = case.metric or case.question
    return adjudge.evaluate(table, case.task, metrics=[metric], replicates=REPLICATES, **given, **case.roles)


def gate(case: Case, table: Table) -> bool:
    """Whether a table passes the requirement."""
    if case.task == "columns":
        purpose = {"table": [{"name": "log", "characteristic": "efficiency", "requirement": [case.question]}]}
        return bool(adjudge.adequacy(purpose, {"log": table}).exit_code == 0)
    return str(evaluated(case, table, [case.question]).outcome.gate.verdicts[0].verdict) == "passed"


def seen(case: Case, table: Table) -> bool:
    """Whether the difference is seen."""
    first = next(
        row for row in evaluated(case, table).table.differences if row.metric == (case.metric or case.question)
    )
    return first.p is not None and first.p < 0.05


def seen_apart(case: Case, random: Random, rows: int) -> bool:
    """Whether the difference of two tables is seen, each of so many rows."""
    expect, against = case.assumed["expect"], case.assumed["against"]
    tables = [right(share)(random, rows) for share in (against, expect)]
    made = adjudge.compare(*tables, names=["old", "new"], metrics=["accuracy"], replicates=REPLICATES, **LABEL)
    return next(row for row in made.table.differences if row.metric == "accuracy").p < 0.05


def half(case: Case, table: Table) -> float:
    """Half the width of the interval that is shown first."""
    metric = case.metric or case.question
    row = next(one for one in evaluated(case, table).table if one.metric == metric and one.method != "baseline")
    return (row.high - row.low) / 2


def kept_chance(what: str, case: Case, tables: int, pilot: Any = None) -> Record:
    """How often a table of the planned size shows what it should, beside the chance that was promised."""
    plan = adjudge.plan(case.question, **({"pilot": pilot} if pilot is not None else case.assumed))
    rows, promised = int(plan.table[0].rows or 0), float(plan.table[0].passed or 0) ** case.assumed.get("slices", 1)
    random = np.random.default_rng([2031, *case.name.encode()])
    if "against" in case.assumed:
        kept = [seen_apart(case, random, rows) for _ in range(tables)]
    else:
        test = gate if what in ("gates", "further gates", "pilots") else seen
        kept = [test(case, case.draw(random, rows)) for _ in range(tables)]
    return _record(what, case.name, rows, promised, float(np.mean(kept)), tables)


def _record(what: str, design: str, rows: int, promised: float, kept: float, tables: int) -> Record:
    error = math.sqrt(max(kept * (1 - kept), 1e-4) / tables)
    figures = {"promised": round(promised, 4), "kept": round(kept, 4), "error": round(error, 4)}
    return {"what": what, "design": design, "rows": rows, **figures, "tables": tables}


def kept_width(case: Case, tables: int) -> Record:
    """The median half-width of tables of the planned size, beside that which was asked for."""
    plan = adjudge.plan(case.question, **case.assumed)
    rows, random = int(plan.table[0].rows or 0), np.random.default_rng([2031, *case.name.encode()])
    halves = np.array([half(case, case.draw(random, rows)) for _ in range(tables)])
    record = _record("widths", case.name, rows, case.assumed["half_width"], float(np.nanmedian(halves)), tables)
    return record | {"error": round(float(np.nanstd(halves) / math.sqrt(tables) * 1.25), 5)}


def settled(what: str, case: Case, n: int, tables: int) -> Record:
    """How often as many rows more as were said settle what a table leaves open, were its estimate true.

    *by gates*: an inconclusive requirement, and its `units_needed`; *on screens*: the sentence of the next step.
    """
    random, kept, tried, asked = np.random.default_rng([2032, *case.name.encode()]), 0, 0, []
    while tried < tables:
        table = case.draw(random, n)
        more = needed(what, case, table)
        if more is None or more > 20 * n:
            continue
        tried += 1
        asked.append(more)
        rows = np.concatenate([np.arange(n), random.integers(0, n, more)])
        larger = {name: np.asarray(values)[rows] for name, values in table.items()}
        kept += gate(case, larger) if what == "settled by gates" else needed(what, case, larger, open_only=True) is None
    return _record(what, f"{case.name}, {n} rows", round(float(np.median(asked))), 0.8, kept / tables, tables)


def needed(what: str, case: Case, table: Table, *, open_only: bool = False) -> int | None:
    """How many more rows are said to settle it; None where it is settled, or they are not said.

    With `open_only`, 1 where it is open still.
    """
    if what == "settled by gates":
        verdict = evaluated(case, table, [case.question]).outcome.gate.verdicts[0]
        return verdict.units_needed if str(verdict.verdict) == "inconclusive" else None
    answer = evaluated(case, table).summary.answer
    if open_only:
        return 1 if answer.headline.startswith("Undecided") or "undecided" in answer.headline else None
    said = [step.text for step in answer.steps if step.text.startswith("About") and "settle which" in step.text]
    return int(said[0].split()[1].replace(",", "")) if said else None


def _normal(random: Random, n: int) -> Any:
    return 0.5 * random.standard_normal(n)


def _exponential(mean: float) -> Callable[[Random, int], Any]:
    return lambda random, n: random.exponential(mean, n)


_MRR: dict[str, Any] = {"query": "q", "relevance": "rel", "score": "m"}
_SPREAD = 0.4 / math.sqrt(2 / math.pi)  # of normal errors whose absolute mean is 0.4
_ROWS = {"cluster_size": 10, "correlation": 0.2}
GATES = [
    Case("accuracy >= 0.9", {"expect": 0.93}, right(0.93), metric="accuracy"),
    Case("accuracy >= 0.85", {"expect": 0.9, **_ROWS}, in_clusters(0.9, 10, 0.2), roles=LABEL | {"cluster": "c"},
         metric="accuracy"),
    Case("every g: accuracy >= 0.8", {"expect": 0.87, "slices": 5}, in_slices(0.87, 5), roles=LABEL | {"slices": ["g"]},
         metric="accuracy"),
    Case("recall[spam] >= 0.8", {"expect": 0.88, "part": 0.1}, found(0.88, 0.1), metric="recall"),
    Case("cohen_kappa >= 0.6", {"expect": 0.7, "part": 0.5}, agreeing(0.7, 0.5), metric="cohen_kappa"),
    Case("cohen_kappa >= 0.6", {"expect": 0.7, "part": 0.1}, agreeing(0.7, 0.1), metric="cohen_kappa"),
    Case("roc_auc >= 0.8", {"expect": 0.85, "part": 0.3}, scored(0.85, 0.3), roles=SCORE, metric="roc_auc"),
    Case("roc_auc >= 0.93", {"expect": 0.96, "part": 0.1}, scored(0.96, 0.1), roles=SCORE, metric="roc_auc"),
    Case("brier_score <= 0.2", {"expect": 0.17, "deviation": 0.2}, squared(0.17, 0.2), roles=SCORE,
         metric="brier_score"),
    Case("log_loss <= 0.5", {"expect": 0.4, "deviation": 0.4}, logged(0.4), roles=SCORE, metric="log_loss"),
    Case("rmse <= 0.6", {"expect": 0.5}, off(_normal), "regression", metric="rmse"),
    Case("mean_absolute_error <= 0.5", {"expect": 0.4, "deviation": 0.302},
         off(lambda random, n: _SPREAD * random.standard_normal(n)), "regression", metric="mean_absolute_error"),
    Case("mean_absolute_error <= 0.5", {"expect": 0.4, "deviation": 0.4}, off(_exponential(0.4)), "regression",
         metric="mean_absolute_error"),
    Case("correlation >= 0.7", {"expect": 0.8}, correlated(0.8), "regression", metric="correlation"),
    Case("mean_reciprocal_rank >= 0.6", {"expect": 0.65, "deviation": 0.35}, lists(0.65, 0.35), "ranking", _MRR,
         "mean_reciprocal_rank"),
    Case("accuracy of m >= s - 0.02", {"differing": 0.1}, paired(0.0, 0.1), roles=ANSWERS, metric="accuracy"),
    Case("accuracy of m >= s", {"difference": 0.04, "differing": 0.12}, paired(0.04, 0.12), roles=ANSWERS,
         metric="accuracy"),
    Case("mean_absolute_error of m <= s", {"difference": -0.05, "deviation": 0.3}, missed_less(-0.05, 0.3),
         "regression", ANSWERS, "mean_absolute_error"),
    Case("mean(cost) <= 1.2", {"expect": 1.0, "deviation": 0.3},
         column(lambda random, n: random.normal(1.0, 0.3, n)), "columns"),
    Case("mean(cost) <= 2", {"expect": 1.6, "deviation": 1.6}, column(_exponential(1.6)), "columns"),
    Case("mean(cost) <= 2", {"expect": 1.6, "deviation": 1.6}, column(skewed), "columns", kind="lognormal"),
    Case("p95(cost) <= 800", {"expect": 0.97},
         column(lambda random, n: random.exponential(800 / -math.log(0.03), n)), "columns"),
]  # fmt: skip
DIFFERENCES = [
    Case("accuracy", {"difference": 0.04, "differing": 0.12}, paired(0.04, 0.12), roles=ANSWERS),
    Case("accuracy", {"difference": 0.02, "differing": 0.03}, paired(0.02, 0.03), roles=ANSWERS),
    Case("accuracy", {"expect": 0.75, "against": 0.65}, right(0.75)),
    Case("accuracy", {"expect": 0.97, "against": 0.93}, right(0.97)),
    Case("mean_absolute_error", {"difference": -0.05, "deviation": 0.3}, missed_less(-0.05, 0.3), "regression",
         ANSWERS),
]  # fmt: skip
WIDTHS = [
    Case("accuracy", {"expect": 0.9, "half_width": 0.02}, right(0.9)),
    Case("accuracy", {"expect": 0.9, "half_width": 0.03, **_ROWS}, in_clusters(0.9, 10, 0.2),
         roles=LABEL | {"cluster": "c"}),
    Case("cohen_kappa", {"expect": 0.7, "part": 0.3, "half_width": 0.05}, agreeing(0.7, 0.3)),
    Case("cohen_kappa", {"expect": 0.8, "part": 0.05, "half_width": 0.1}, agreeing(0.8, 0.05)),
    Case("roc_auc", {"expect": 0.85, "part": 0.3, "half_width": 0.03}, scored(0.85, 0.3), roles=SCORE),
    Case("roc_auc", {"expect": 0.97, "part": 0.1, "half_width": 0.02}, scored(0.97, 0.1), roles=SCORE),
    Case("correlation", {"expect": 0.8, "half_width": 0.05}, correlated(0.8), "regression"),
    Case("rmse", {"expect": 0.5, "half_width": 0.03}, off(_normal), "regression"),
    Case("mean_absolute_error", {"expect": 0.4, "deviation": 0.4, "half_width": 0.04}, off(_exponential(0.4)),
         "regression"),
    Case("brier_score", {"expect": 0.17, "deviation": 0.2, "half_width": 0.02}, squared(0.17, 0.2), roles=SCORE),
    Case("mean_reciprocal_rank", {"expect": 0.65, "deviation": 0.35, "half_width": 0.05}, lists(0.65, 0.35), "ranking",
         _MRR),
]  # fmt: skip
# Written after the designs above had shown what to mend, and before these were run.
FURTHER = [
    Case("log_loss <= 0.5", {"expect": 0.391, "deviation": 0.585}, logistic, roles=SCORE, metric="log_loss"),
    Case("brier_score <= 0.15", {"expect": 0.1246, "deviation": 0.2095}, logistic, roles=SCORE, metric="brier_score"),
    Case("mean_absolute_error <= 0.5", {"expect": 0.4, "deviation": 0.399},
         off(lambda random, n: 0.4 * random.standard_t(4, n)), "regression", metric="mean_absolute_error"),
    Case("correlation >= 0.5", {"expect": 0.6}, heavy, "regression", metric="correlation"),
    Case("mean(cost) <= 1.7", {"expect": 1.4, "deviation": 1.771}, column(sometimes_dear), "columns"),
    Case("mean(cost) >= 0.9", {"expect": 1.0, "deviation": 0.8},
         column(lambda random, n: random.gamma(1 / 0.64, 0.64, n)), "columns"),
    Case("accuracy >= 0.5", {"expect": 0.8, "cluster_size": 8, "correlation": 0.1}, in_clusters(0.8, 8, 0.1),
         roles=LABEL | {"cluster": "c"}, metric="accuracy"),
]  # fmt: skip
PILOTS = [
    Case("f_score[a] >= 0.85", {}, three_labels, metric="f_score"),
    Case("f_score(average=macro) >= 0.75", {}, three_labels, metric="f_score(average=macro)"),
    Case("cohen_kappa(weighting=quadratic) >= 0.75", {}, four_points, metric="cohen_kappa(weighting=quadratic)"),
    Case("rmse <= 0.6", {}, off(_normal), "regression", metric="rmse"),
    Case("mean_absolute_error <= 0.5", {}, off(_exponential(0.4)), "regression", metric="mean_absolute_error"),
    Case("roc_auc >= 0.93", {}, scored(0.96, 0.1), roles=SCORE, metric="roc_auc"),
]
PILOT = 400  # rows of a pilot, the one of middling luck among 21
SETTLED = {
    "settled by gates": [
        (Case("accuracy >= 0.85", {}, right(0.89), metric="accuracy"), 100),
        (Case("cohen_kappa >= 0.6", {}, agreeing(0.7, 0.3), metric="cohen_kappa"), 80),
        (Case("f_score(average=macro) >= 0.75", {}, three_labels, metric="f_score(average=macro)"), 100),
        (Case("roc_auc >= 0.8", {}, scored(0.86, 0.3), roles=SCORE, metric="roc_auc"), 100),
        (Case("rmse <= 0.6", {}, off(_normal), "regression", metric="rmse"), 100),
        (
            Case("mean_absolute_error <= 0.5", {}, off(_exponential(0.4)), "regression", metric="mean_absolute_error"),
            80,
        ),
        (Case("accuracy of m >= s - 0.02", {}, paired(0.01, 0.1), roles=ANSWERS, metric="accuracy"), 200),
        (Case("cohen_kappa of m >= s", {}, paired(0.05, 0.2), roles=ANSWERS, metric="cohen_kappa"), 150),
    ],
    "settled on screens": [
        (Case("accuracy", {}, paired(0.04, 0.2), roles=ANSWERS), 150),
        (Case("cohen_kappa", {}, paired(0.04, 0.2), roles=ANSWERS), 150),
        (Case("mean_absolute_error", {}, missed_less(-0.04, 0.3), "regression", ANSWERS), 80),
    ],
}


def simulated(tables: int, only: str) -> Iterator[Record]:
    """Every plan with what was kept of it."""
    for case in GATES if only in "gates" else ():
        yield kept_chance("gates", case, tables)
    for case in FURTHER if only in "further gates" else ():
        yield kept_chance("further gates", case, tables)
    for case in DIFFERENCES if only in "differences" else ():
        yield kept_chance("differences", case, tables)
    for case in WIDTHS if only in "widths" else ():
        yield kept_width(case, min(tables, 100))
    for case in PILOTS if only in "pilots" else ():
        yield kept_chance("pilots", case, tables, pilot=typical_pilot(case))
    for what, cases in SETTLED.items():
        for case, n in cases if only in what else ():
            yield settled(what, case, n, tables)


def typical_pilot(case: Case) -> Any:
    """A pilot of middling luck: of 21 of its size the one with the median value."""
    random = np.random.default_rng(2033)
    made = [evaluated(case, case.draw(random, PILOT), [case.question]) for _ in range(21)]
    values = [next(row.estimate for row in one.table if row.method != "baseline") for one in made]
    return made[int(np.argsort(values)[10])]


def write(records: Sequence[Record], folder: Path) -> None:
    """The figures in place of the former ones of the same kind, and the table of the page."""
    path, page = folder / "plans.csv", folder / "planning.md"
    former: list[Record] = list(csv.DictReader(path.open(encoding="utf-8"))) if path.exists() else []
    anew = {one["what"] for one in records}
    every = [one for one in former if one["what"] not in anew] + list(records)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(every[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(every)
    lines = ["| | plan | rows | promised | kept | tables |", "|:--|:--|--:|--:|--:|--:|"]
    for one in every:
        rows, promised, kept, error = (float(str(one[name])) for name in ("rows", "promised", "kept", "error"))
        if one["what"] == "widths":
            mark = "*" if kept - 2 * error > WIDER * promised else ""
            figures = f"± {promised:.3f} | ± {kept:.3f}{mark}"
        else:
            mark = "*" if kept + 2 * error < promised - LEAST else ""
            figures = f"{100 * promised:.1f} % | {100 * kept:.1f} % ± {100 * error:.1f}{mark}"
        lines.append(
            f"| {one['what']} | {str(one['design']).strip(', ')} | {rows:,.0f} | {figures} | {one['tables']} |"
        )
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    table = "\n".join(lines)
    page.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{rest.partition(END)[2]}", "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.plans", description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--only", default="", help="gates, further, differences, widths, pilots, or settled")
    parser.add_argument("--out", type=Path, default=Path("docs/validation"), help="folder to write to")
    chosen = parser.parse_args(arguments)
    records = []
    for record in simulated(chosen.tables, chosen.only):
        records.append(record)
        print(*record.values(), flush=True)
    write(records, chosen.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
