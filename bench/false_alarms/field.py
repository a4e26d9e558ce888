"""False alarms of the sixth set: systems that are as good, requirements at the truth, slices that are alike.

Designs of bench.false_alarms, whose command runs them (`--only "field: gates"`). Written before any was run, and
nothing was chosen on them.
"""

from __future__ import annotations

from typing import Any

from bench.false_alarms.alarms import ESSAY, LABEL, LIST, POINTS, SCORE, SCORES, Draw, alike, required, slices
from bench.heldout import field as one
from bench.heldout import field_comparisons as two
from bench.heldout.designs import suite
from bench.heldout.measured import LABELS

_SIX = ESSAY | {"min": 1, "max": 6}
_SUITE: dict[str, Any] = {"phenomenon": "what", "expect": "want", "template": "tpl"}
_AREAS = ["accuracy", "f_score", "cohen_kappa", "roc_auc", "average_precision", "log_loss", "brier_score"]
_eight = one.answers("abcdefgh", (0.32, 0.22, 0.16, 0.11, 0.08, 0.05, 0.04, 0.02), 0.72, 0.14)


def _raters(count: int) -> dict[str, Any]:
    return {"raters": [f"r{k}" for k in range(count)], "ok": "C1"}


FIELD: dict[str, dict[str, Draw]] = {
    "field: comparison": {
        "scores hardly apart, 80 rows": alike("classification", two.hardly_apart, 80, ("p", "s"), _AREAS, **SCORES),
        "near chance, 60 rows": alike("classification", two.both_near_chance, 60, ("p", "s"), _AREAS, **SCORES),
        "eight labels, 150 rows": alike(
            "classification", two.eight_nearly_equal, 150, ("m", "s"), list(LABELS), reference="y",
            prediction=["m", "s"],
        ),
        "50 documents of one label": alike(
            "classification", two.documents_of_one_label, 50, ("p", "s"), _AREAS, cluster="c", **SCORES
        ),
        "case-control, 100 rows": alike(
            "classification", two.case_control_of_two, 100, ("p", "s"), _AREAS, weight="w", **SCORES
        ),
        "100 essays, 30 rated again": alike(
            "scoring", two.essays_of_two, 100, ("e", "s"), POINTS, prediction=["e", "s"], **_SIX
        ),
        "50 candidates": alike(
            "scoring", two.candidates_of_two, 50, ("e", "s"), POINTS, prediction=["e", "s"], candidate="c", **_SIX
        ),
        "queries of 50 users": alike(
            "ranking", two.users_of_two, 50, ("m", "s"), ["ndcg(at=5)", "mean_reciprocal_rank", "recall_at(at=10)"],
            score=["m", "s"], cluster="c", **LIST,
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
        "pushed to the ends, 100 rows": required("classification", one.pushed, 100, "roc_auc", ">=", **SCORE),
        "pushed to the ends, 100 rows, loss": required("classification", one.pushed, 100, "log_loss", "<=", **SCORE),
        "three levels, 100 rows": required(
            "classification", one.three_levels, 100, "average_precision", ">=", **SCORE
        ),
        "too sure, 150 rows": required("classification", one.pushed, 150, "calibration_error", "<=", **SCORE),
        "eight intents, 150 rows": required("classification", _eight, 150, "f_score(average=macro)", ">=", **LABEL),
        "eight intents, 150 rows, kappa": required("classification", _eight, 150, "cohen_kappa", ">=", **LABEL),
        "case-control, 150 rows": required(
            "classification", one.case_control, 150, "precision", ">=", weight="w", **SCORE
        ),
        "60 documents of one label": required(
            "classification", one.one_label_each, 60, "f_score", ">=", cluster="c", **SCORE
        ),
        "60 documents of one label, area": required(
            "classification", one.one_label_each, 60, "roc_auc", ">=", cluster="c", **SCORE
        ),
        "two of five raters, 80 items": required(
            "agreement", one.planned, 80, "krippendorff_alpha", ">=", **_raters(5)
        ),
        "a finding of 10 %, 80 items": required(
            "agreement", one.six_on_tenths, 80, "gwet_ac1", ">=", **_raters(6)
        ),
        "80 essays": required(
            "scoring", one.few_again, 80, "quadratic_weighted_kappa", ">=", prediction="e", **_SIX
        ),
        "120 essays, 30 rated again": required("scoring", one.few_again, 120, "prmse", ">=", prediction="e", **_SIX),
        "60 candidates": required(
            "scoring", one.two_tasks, 60, "quadratic_weighted_kappa", ">=", prediction="e", candidate="c", **_SIX
        ),
        "60 queries": required("ranking", one.graded_lists, 60, "ndcg(at=5)", ">=", 10_000, score="m", **LIST),
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
            "classification", one.pushed, (10, 60), ["accuracy", "f_score", "roc_auc", "log_loss"], **SCORE
        ),
        "eight intents, 10 to 60 rows": slices(
            "classification", _eight, (10, 60), ["accuracy", "f_score(average=macro)", "cohen_kappa"], **LABEL
        ),
        "documents of one label, 4 to 20 of them": slices(
            "classification", one.one_label_each, (4, 20), ["accuracy", "f_score"], cluster="c", **SCORE
        ),
        "essays, 10 to 60": slices("scoring", one.few_again, (10, 60), [*POINTS], prediction="e", **_SIX),
        "items of six raters, 10 to 60": slices(
            "agreement", one.six_on_tenths, (10, 60), ["krippendorff_alpha", "gwet_ac1"], **_raters(6)
        ),
        "queries, 8 to 40": slices("ranking", one.graded_lists, (8, 40), ["ndcg(at=5)"], score="m", **LIST),
    },
}  # fmt: skip
