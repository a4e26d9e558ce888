"""Whole tables through the scoring task: the figures of RSMTool's rsmeval, run on the same responses."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.golden.scoring_rows import GOLDEN

import adjudge

PIPELINES = GOLDEN["pipelines"]
# RSMTool's heading → our metric, and what its figure is divided by.
OBSERVED = {
    "corr": ("correlation", 1),
    "wtkappa": ("quadratic_weighted_kappa", 1),
    "R2": ("r_squared", 1),
    "RMSE": ("rmse", 1),
    "SMD": ("standardized_mean_difference", 1),
    "exact_agr": ("exact_agreement", 100),
    "adj_agr": ("adjacent_agreement", 100),
    "kappa": ("cohen_kappa", 1),
}
TRUE_SCORE = {"True score var": "true_score_variance", "MSE true": "true_score_mse", "PRMSE true": "prmse"}
DEGRADED = {
    "corr": "correlation",
    "kappa": "kappa",
    "wtkappa": "qwk",
    "exact_agr": "exact",
    "adj_agr": "adjacent",
    "SMD": "smd",
}


def number(value: Any) -> float:
    return math.nan if value in (None, "NaN", "") else float(value)


def blank(value: Any) -> bool:
    """What a file leaves empty; RSMTool takes cells of blanks for empty ones."""
    return value == "NaN" or (isinstance(value, str) and not value.strip())


def frame(case: dict, name: str) -> dict[str, dict[str, Any]]:
    found = case["frames"].get(name, {"index": [], "columns": [], "data": []})
    rows = zip(found["index"], found["data"], strict=True)
    return {str(label): dict(zip(found["columns"], row, strict=True)) for label, row in rows}


def evaluated(case: dict) -> dict[tuple[str, str, str], Any]:
    config = case["config"]
    columns = {name: [None if blank(v) else v for v in values] for name, values in case["columns"].items()}
    columns = {name: [math.inf if v == "Infinity" else v for v in values] for name, values in columns.items()}
    evaluation = adjudge.evaluate(
        columns,
        "scoring",
        raters=["h1", "h2"],
        prediction="score",
        min=config["trim_min"],
        max=config["trim_max"],
        tolerance=config.get("trim_tolerance"),
        zeros="exclude" if config.get("exclude_zero_scores", True) else "keep",
        slices=config.get("subgroups", []),
        candidate=config.get("candidate_column"),
        min_items=config.get("min_items_per_candidate"),
        replicates=100,
    )
    return {(row.system, row.slice, row.metric): row for row in evaluation.table.first_methods()}


def expected(case: dict) -> dict[tuple[str, str, str], float]:
    found = {}
    for form, row in frame(case, "eval").items():
        found |= {(f"score · {form}", "all", m): number(row[k]) / by for k, (m, by) in OBSERVED.items()}
    for form, row in frame(case, "true_score_eval").items():
        found |= {(f"score · {form}", "all", metric): number(row[k]) for k, metric in TRUE_SCORE.items()}
    for form, row in frame(case, "degradation").items():
        for key, of in DEGRADED.items():
            found[f"score · {form}", "all", f"degradation(of={of})"] = number(row[key]) / OBSERVED[key][1]
    for row in frame(case, "consistency").values():
        among = OBSERVED | {"SMD": ("standardized_mean_difference(method=pooled)", 1)}
        found |= {("h1 × h2", "all", m): number(row[k]) / by for k, (m, by) in among.items() if k in row}
    for column in case["config"].get("subgroups", []):
        for level, row in frame(case, f"eval_by_{column}").items():
            found |= by_slice(f"{column} = {level}".replace("No info", "(missing)"), row)
    return {key: value for key, value in found.items() if key[1] not in ("L1 = All data", "prompt = All data")}


def by_slice(name: str, row: dict[str, Any]) -> dict[tuple[str, str, str], float]:
    found = {}
    for heading, value in row.items():
        key, dot, form = heading.partition(".")
        metric, scale = ("difference_of_standardized_means", 1) if key == "DSM" else OBSERVED.get(key, ("", 1))
        if dot and metric and key != "SMD":
            found[f"score · {form}", name, metric] = number(value) / scale
    return found


@pytest.mark.parametrize("name", PIPELINES)
def test_the_figures_are_those_of_rsmeval(name: str) -> None:
    ours, theirs = evaluated(PIPELINES[name]), expected(PIPELINES[name])
    compared, different = 0, []
    for key, value in theirs.items():
        if key not in ours:
            # Only what we give for rounded scores alone, and what rests on a rater who never rated.
            of_rounded = ("cohen_kappa", "exact_agreement", "degradation(of=kappa)", "degradation(of=exact)")
            assert (key[2] in of_rounded and not key[0].endswith("_round")) or key[0] == "h1 × h2", key
            continue
        compared += 1
        found = ours[key].estimate
        if math.isnan(found):
            assert ours[key].note.startswith("undefined"), key
        if found != pytest.approx(value, rel=1e-6, abs=1e-6, nan_ok=True):
            different.append((key, found, value))
    assert different == []
    assert compared >= 30
