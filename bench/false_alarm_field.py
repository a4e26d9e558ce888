"""False alarms of the sixth set: systems that are as good, requirements at the truth, slices that are alike.

Designs of bench.false_alarms, whose command runs them (`--only "field: gates"`). The two systems of a comparison are
drawn alike and told apart by a coin, so that nothing differs; a requirement's bound is the value of very many rows.
Written before any was run, and nothing was chosen on them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import adjudge
from bench import field_comparisons as two
from bench import field_sets as one
from bench.heldout_designs import suite
from bench.mixed_sets import LABELS

Random = np.random.Generator
Alarms = dict[str, bool]
Draw = Callable[[Random], Alarms]
Table = dict[str, Any]
Tables = Callable[[Random, int], Table]
REPLICATES = 300
LIMITS = {"min": 1, "max": 6, "zeros": "keep"}


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
        said: Alarms = {}
        for row in found.table.differences:
            said.setdefault(row.metric, row.p is not None and row.p < 0.05)
        return said

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
        assert found.outcome.gate is not None
        word = str(found.outcome.gate.verdicts[0].verdict)
        return {f"{metric} passes": word == "passed", f"{metric} fails": word == "failed"}

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
        return {"any slice": len(found.table.where(state="beyond")) > 0}

    return alarms


_SCORE: dict[str, Any] = {"reference": "y", "score": "p", "positive": "yes"}
_LABEL: dict[str, Any] = {"reference": "y", "prediction": "m"}
_SCORES: dict[str, Any] = {"reference": "y", "score": ["p", "s"], "positive": "yes"}
_ESSAY: dict[str, Any] = {"raters": ["h1", "h2"]} | LIMITS
_LIST: dict[str, Any] = {"query": "q", "relevance": "rel"}
_SUITE: dict[str, Any] = {"phenomenon": "what", "expect": "want", "template": "tpl"}
_AREAS = ["accuracy", "f_score", "cohen_kappa", "roc_auc", "average_precision", "log_loss", "brier_score"]
_POINTS = ["quadratic_weighted_kappa", "correlation", "standardized_mean_difference", "prmse"]
_eight = one.answers("abcdefgh", (0.32, 0.22, 0.16, 0.11, 0.08, 0.05, 0.04, 0.02), 0.72, 0.14)


def _raters(count: int) -> dict[str, Any]:
    return {"raters": [f"r{k}" for k in range(count)], "ok": "C1"}


FIELD: dict[str, dict[str, Draw]] = {
    "field: comparison": {
        "scores hardly apart, 80 rows": alike("classification", two.hardly_apart, 80, ("p", "s"), _AREAS, **_SCORES),
        "near chance, 60 rows": alike("classification", two.both_near_chance, 60, ("p", "s"), _AREAS, **_SCORES),
        "eight labels, 150 rows": alike(
            "classification", two.eight_nearly_equal, 150, ("m", "s"), list(LABELS), reference="y",
            prediction=["m", "s"],
        ),
        "50 documents of one label": alike(
            "classification", two.documents_of_one_label, 50, ("p", "s"), _AREAS, cluster="c", **_SCORES
        ),
        "case-control, 100 rows": alike(
            "classification", two.case_control_of_two, 100, ("p", "s"), _AREAS, weight="w", **_SCORES
        ),
        "100 essays, 30 rated again": alike(
            "scoring", two.essays_of_two, 100, ("e", "s"), _POINTS, prediction=["e", "s"], **_ESSAY
        ),
        "50 candidates": alike(
            "scoring", two.candidates_of_two, 50, ("e", "s"), _POINTS, prediction=["e", "s"], candidate="c", **_ESSAY
        ),
        "queries of 50 users": alike(
            "ranking", two.users_of_two, 50, ("m", "s"), ["ndcg(at=5)", "mean_reciprocal_rank", "recall_at(at=10)"],
            score=["m", "s"], cluster="c", **_LIST,
        ),
        "600 judged answers": alike(
            "judges", two.answers_judged, 600, ("m", "s"), ["judge_assisted_mean", "labelled_mean"], reference="h",
            judge="j", prediction=["m", "s"],
        ),
        "50 templates": alike(
            "diagnostic", two.old_and_new, 50, ("v1", "v2"), ["failure_rate"], prediction=["v1", "v2"], **_SUITE
        ),
        "60 machines": alike(
            "failures", two.two_of_machines, 60, ("f", "s"), ["mean_time_between_failures"], exposure="hours",
            failures=["f", "s"],
        ),
    },
    "field: gates": {
        "pushed to the ends, 100 rows": required("classification", one.pushed, 100, "roc_auc", ">=", **_SCORE),
        "pushed to the ends, 100 rows, loss": required("classification", one.pushed, 100, "log_loss", "<=", **_SCORE),
        "three levels, 100 rows": required(
            "classification", one.three_levels, 100, "average_precision", ">=", **_SCORE
        ),
        "too sure, 150 rows": required("classification", one.pushed, 150, "calibration_error", "<=", **_SCORE),
        "eight intents, 150 rows": required("classification", _eight, 150, "f_score(average=macro)", ">=", **_LABEL),
        "eight intents, 150 rows, kappa": required("classification", _eight, 150, "cohen_kappa", ">=", **_LABEL),
        "case-control, 150 rows": required(
            "classification", one.case_control, 150, "precision", ">=", weight="w", **_SCORE
        ),
        "60 documents of one label": required(
            "classification", one.one_label_each, 60, "f_score", ">=", cluster="c", **_SCORE
        ),
        "60 documents of one label, area": required(
            "classification", one.one_label_each, 60, "roc_auc", ">=", cluster="c", **_SCORE
        ),
        "two of five raters, 80 items": required(
            "agreement", one.planned, 80, "krippendorff_alpha", ">=", **_raters(5)
        ),
        "a finding of 10 %, 80 items": required(
            "agreement", one.six_on_tenths, 80, "gwet_ac1", ">=", **_raters(6)
        ),
        "80 essays": required(
            "scoring", one.few_again, 80, "quadratic_weighted_kappa", ">=", prediction="e", **_ESSAY
        ),
        "120 essays, 30 rated again": required("scoring", one.few_again, 120, "prmse", ">=", prediction="e", **_ESSAY),
        "60 candidates": required(
            "scoring", one.two_tasks, 60, "quadratic_weighted_kappa", ">=", prediction="e", candidate="c", **_ESSAY
        ),
        "60 queries": required("ranking", one.graded_lists, 60, "ndcg(at=5)", ">=", 10_000, score="m", **_LIST),
        "50 templates": required(
            "diagnostic", suite(0.12, 0.4, 5, 0.6), 50, "failure_rate", "<=", 40_000, prediction=["v1"], **_SUITE
        ),
        "60 unequal machines": required(
            "failures", one.machines(0.8), 60, "mean_time_between_failures", ">=", exposure="hours", failures="f"
        ),
        "500 rows, a judge of 7 %": required(
            "judges", one.sloppy_judge, 500, "judge_assisted_mean", ">=", reference="h", judge="j"
        ),
    },
    "field: slices": {
        "scores, 10 to 60 rows": slices(
            "classification", one.pushed, (10, 60), ["accuracy", "f_score", "roc_auc", "log_loss"], **_SCORE
        ),
        "eight intents, 10 to 60 rows": slices(
            "classification", _eight, (10, 60), ["accuracy", "f_score(average=macro)", "cohen_kappa"], **_LABEL
        ),
        "documents of one label, 4 to 20 of them": slices(
            "classification", one.one_label_each, (4, 20), ["accuracy", "f_score"], cluster="c", **_SCORE
        ),
        "essays, 10 to 60": slices("scoring", one.few_again, (10, 60), [*_POINTS], prediction="e", **_ESSAY),
        "items of six raters, 10 to 60": slices(
            "agreement", one.six_on_tenths, (10, 60), ["krippendorff_alpha", "gwet_ac1"], **_raters(6)
        ),
        "queries, 8 to 40": slices("ranking", one.graded_lists, (8, 40), ["ndcg(at=5)"], score="m", **_LIST),
    },
}  # fmt: skip
