"""Comparisons, gates and plans beside other hands: each case of decisions.json names its source and tolerance."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.inference.differences.paired_areas import paired_areas
from adjudge.inference.differences.paired_shares import (
    PairedShares,
    mcnemar,
    newcombe_paired,
    not_worse_p,
    share_limits,
    square_and_add,
    tango,
    tango_z,
)
from adjudge.inference.differences.paired_units import (
    clustered_difference,
    mean_of_differences,
    sign_flip_p,
    sign_p,
    signed_ranks,
)
from adjudge.inference.differences.shares_apart import miettinen_nurminen
from adjudge.inference.intervals.closed_form import clopper_pearson, wilson
from adjudge.inference.many.looks import mean_sequence, planned_constant
from adjudge.inference.many.multiplicity import (
    benjamini_hochberg,
    benjamini_yekutieli,
    hochberg,
    holm,
    letters,
    max_t,
    probability_of_best,
)
from adjudge.inference.planning.power import Aim, MeanOutlook, pairs_outlook, units_for
from adjudge.inference.planning.sample_size import design_effect, passes_needed, power_of_pairs, rows_for_share
from adjudge.interop.yggdrasil import one_sided_mcnemar
from adjudge.metrics import roc_auc
from adjudge.metrics.intervals import Share

CASES = {
    case["id"]: case for case in json.loads((Path(__file__).parent / "decisions.json").read_text(encoding="utf-8"))
}


def pairs_of(given: dict[str, Any]) -> PairedShares:
    both = given.get("both_right", given.get("n", 0) - given["only_first"] - given["only_second"])
    return PairedShares(max(both, 0), given["only_first"], given["only_second"], given.get("both_wrong", 0))


def mcnemar_values(given: dict[str, Any]) -> dict[str, Any]:
    pairs = pairs_of(given)
    return {
        "difference": pairs.difference if pairs.rows else 0.0,
        "p_exact_two_sided": mcnemar(pairs),
        "p_midp_two_sided": mcnemar(pairs, mid=True),
        "p_exact_one_sided_second_better": mcnemar(pairs, "less"),
        "p_midp_one_sided_second_better": mcnemar(pairs, "less", mid=True),
        "p_exact": mcnemar(pairs, "greater"),
        "p_midp": mcnemar(pairs, "greater", mid=True),
        "p_yggdrasil": one_sided_mcnemar(pairs),
        "p_exact_one_sided": mcnemar(pairs, "greater"),
        "p_midp_one_sided": mcnemar(pairs, "greater", mid=True),
        "tango": tango(pairs, given.get("level", 0.95)) if pairs.rows else None,
    }


def interval_values(given: dict[str, Any]) -> dict[str, Any]:
    pairs = pairs_of(given)
    found = mcnemar_values(given) | {"newcombe": newcombe_paired(pairs, given["level"])}
    return found | {"chi2": tango_z(pairs, 0.0) ** 2}


def not_worse_values(given: dict[str, Any]) -> dict[str, Any]:
    pairs, p = pairs_of(given), not_worse_p(pairs_of(given), given["margin"])
    low = tango(pairs, 1 - 2 * given["alpha"])[0]
    assert (low >= -given["margin"]) == (p <= given["alpha"])
    return {
        "z": tango_z(pairs, -given["margin"]),
        "p": p,
        "one_sided_lower_95": low,
        "not_worse": low >= -given["margin"],
    }


def newcombe_of(given: dict[str, Any], which: str) -> tuple[float, float]:
    estimate = adjudge.estimate(roc_auc, given["reference"], given[which], positive=1, method="newcombe")
    return estimate.interval.low, estimate.interval.high


def area_values(given: dict[str, Any]) -> dict[str, Any]:
    areas = paired_areas(given["reference"], given["first"], given["second"])
    limits = [newcombe_of(given, which) for which in ("first", "second")]
    return {
        "auc_first": areas.first,
        "auc_second": areas.second,
        "variance_first": areas.variances[0],
        "variance_second": areas.variances[1],
        "covariance": areas.covariance,
        "z": areas.difference / areas.error,
        "p_two_sided": areas.p,
        "p_first_better": areas.p / 2,
        "difference_interval": areas.delong(given["level"]),
        "difference": areas.difference,
        "correlation": areas.correlation,
        "newcombe_first": limits[0],
        "newcombe_second": limits[1],
        "interval": areas.square_and_add(*limits),
    }


def unit_values(given: dict[str, Any]) -> dict[str, Any]:
    d = np.subtract(given["first"], given["second"]).round(10)
    mean = mean_of_differences(d.sum(), ((d - d.mean()) ** 2).sum(), len(d))
    ranks = signed_ranks(d)
    return {
        "mean": mean.mean,
        "t": mean.mean / mean.error,
        "df": mean.freedom,
        "p_t": mean.p(),
        "t_interval": mean.interval(0.95),
        "p_permutation_exact": sign_flip_p(d),
        "wilcoxon_v": ranks.ranks,
        "p_wilcoxon_exact": ranks.p,
        "p_sign": sign_p(d),
        "dz": d.mean() / d.std(ddof=1),
        "p_exact_drop_zeros": ranks.p,
        "p_exact_pratt": signed_ranks(d, zeros="pratt").p,
    }


def cluster_values(given: dict[str, Any]) -> dict[str, Any]:
    found = clustered_difference(given["difference"], given["cluster"])
    groups = found.freedom + 1
    return {
        "mean": found.mean,
        "se": found.error,
        "se_cr0": found.error * np.sqrt((groups - 1) / groups),
        "df": found.freedom,
        "interval": found.interval(given["level"]),
    }


def unpaired_values(given: dict[str, Any]) -> dict[str, Any]:
    first, second, level = given["first"], given["second"], given["level"]
    return {
        "difference": first[0] / first[1] - second[0] / second[1],
        "newcombe": square_and_add(share_limits(*first, level), share_limits(*second, level), 0.0),
        "miettinen_nurminen": miettinen_nurminen(first, second, level),
    }


def gate_values(given: dict[str, Any]) -> dict[str, Any]:
    share = Share(*(np.asarray(float(x)) for x in (given["successes"], given["n"], given["n"])))
    level = 1 - 2 * given["alpha"]
    return {
        "lower_clopper_pearson": clopper_pearson(share, level)[0],
        "upper_clopper_pearson": clopper_pearson(share, level)[1],
        "lower_wilson": wilson(share, level)[0],
    }


def rows_without_failure(rate: float) -> int:
    """The fewest rows of which all must be right, and may be, to prove that at least 1 − rate of them are."""
    rows = np.arange(1, 4_000)
    return int(rows[(passes_needed(rows, 1 - rate, 0.05) <= rows).argmax()])


def failure_values(given: dict[str, Any]) -> dict[str, Any]:
    share = Share(*(np.asarray(float(x)) for x in (given["failures"], given["n"], given["n"])))
    return {
        "upper": clopper_pearson(share, 1 - 2 * given["alpha"])[1],
        "n_needed_for_one_percent": rows_without_failure(0.01),
        "n_needed_for_five_percent": rows_without_failure(0.05),
        "n_needed_for_one_per_mille": rows_without_failure(0.001),
    }


def max_t_values(given: dict[str, Any]) -> dict[str, Any]:
    parts = (np.array(given["difference"]), np.array(given["centred_replicates"]), np.array(given["se"]))
    return {
        "single_step_p": max_t(*parts, step_down=False).p,
        "step_down_p": max_t(*parts).p,
        "simultaneous_quantile_80": max_t(*parts, level=0.8).quantile,
    }


def letter_values(given: dict[str, Any]) -> dict[str, Any]:
    names = "ABCD"
    different = np.zeros((4, 4), dtype=bool)
    for pair, p in given["p"].items():
        one, two = (names.index(name) for name in pair.split("-"))
        different[one, two] = different[two, one] = p < given["alpha"]
    shown = letters(different)
    expected = CASES["letters_four"]["expect"]["letters"]
    for one in range(4):
        for two in range(4):
            shares = bool(set(expected[names[one]]) & set(expected[names[two]]))
            assert bool(set(shown[one]) & set(shown[two])) == shares
    return {"letters": expected}


def best_values(given: dict[str, Any]) -> dict[str, Any]:
    noise = np.random.default_rng(5).standard_normal((400_000, 3))
    return {"probability": probability_of_best(np.array(given["mean"]) + noise * given["se"])}


def plan_gate_values(given: dict[str, Any]) -> dict[str, Any]:
    plan = rows_for_share(given["bound"], given["truth"], given["alpha"], given["power"])
    keys = ("n_first", "n_stable", "passes_needed_at_n_stable", "power_at_n_stable")
    return dict(zip(keys, (plan.first, plan.rows, plan.passes, plan.power), strict=True))


def plan_pairs_values(given: dict[str, Any]) -> dict[str, Any]:
    shares = (given["only_first"], given["only_second"])
    n = CASES["plan_mcnemar"]["expect"]["n_connor"]
    power = {name: power_of_pairs(int(np.ceil(n)), *shares, mid=name == "midp") for name in ("exact", "midp")}
    return {"exact_power_at_ceiling": power}


def sequential_values(given: dict[str, Any]) -> dict[str, Any]:
    both = {
        design: {str(k): planned_constant(k, 0.05, design, two_sided=True) for k in (2, 3, 4, 5)}  # type: ignore[arg-type]
        for design in ("pocock", "obrien_fleming")
    }
    one = {
        "one_sided_05_pocock": {str(k): planned_constant(k, design="pocock") for k in (2, 5)},
        "one_sided_05_obrien_fleming": {str(k): planned_constant(k) for k in (2, 4, 5)},
    }
    return both | one


VALUES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "mcnemar_airway": mcnemar_values,
    "mcnemar_one_sided": mcnemar_values,
    "mcnemar_none": mcnemar_values,
    "paired_interval_airway": interval_values,
    "paired_interval_agresti": interval_values,
    "paired_interval_propcis": mcnemar_values,
    "noninferior_paired": not_worse_values,
    "delong_paired": area_values,
    "auc_square_and_add": area_values,
    "paired_units_sleep": unit_values,
    "wilcoxon_ties": unit_values,
    "cluster_difference": cluster_values,
    "guarded_mean": lambda given: {
        "mean": 0.0,
        "se": mean_of_differences(0.0, 2.0, 50, bound=1.0).error,
        "interval": mean_of_differences(0.0, 2.0, 50, bound=1.0).interval(0.95),
    },
    "unpaired_proportions": unpaired_values,
    "multiplicity_five": lambda given: {
        "holm": holm(given["p"]),
        "hochberg": hochberg(given["p"]),
        "bh": benjamini_hochberg(given["p"]),
        "by": benjamini_yekutieli(given["p"]),
    },
    "max_t_draws": max_t_values,
    "letters_four": letter_values,
    "probability_best": best_values,
    "gate_182_of_200": gate_values,
    "gate_45_of_50": gate_values,
    "gate_zero_failures": failure_values,
    "plan_binomial_gate": plan_gate_values,
    "plan_mcnemar": plan_pairs_values,
    "design_effect": lambda given: {
        "design_effect": design_effect(given["cluster_size"], given["icc"]),
        "effective_n": given["n_rows"] / design_effect(given["cluster_size"], given["icc"]),
    },
    "sequence_mean": lambda given: {
        "half_width": [mean_sequence(given["sd"], n, planned=given["tuned_at"]) for n in given["n"]]
    },
    "group_sequential": sequential_values,
}

# Plans of so many units: what is expected of them, and what is to be proven with the power of the case.
PLANS = {
    ("plan_paired_t", "n_statsmodels"): (MeanOutlook(0.2, 1.0), Aim(0.0, alpha=0.025)),
    ("plan_noninferior_paired_t", "n"): (MeanOutlook(0.0, 0.3), Aim(-0.02)),
    ("plan_mcnemar", "n_connor"): (pairs_outlook(0.04, 0.12), Aim(0.0, alpha=0.025)),
}

# What a case also lists and this product does not compute: the peer's invalid value, and methods it does not offer.
LEFT_ALONE = {
    "wald", "mee", "bonferroni", "verdict", "p", "n", "rho", "fixed_n_normal_half_width", "n_connor",
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in CASES if name in VALUES])
def test_another_hand_agrees(name: str) -> None:
    case = CASES[name]
    values = VALUES[name](case["input"])
    compared = 0
    for key, expected in case["expect"].items():
        if key in values and values[key] is not None:
            assert values[key] == near(expected, case["tolerance"]), key
            compared += 1
        else:
            assert key in LEFT_ALONE, key
    assert compared


@pytest.mark.parametrize(("name", "key"), PLANS)
def test_another_hand_plans_as_many(name: str, key: str) -> None:
    """Its units, were they divisible, have the power that they are planned for; ours are the next whole number."""
    (outlook, aim), power, units = PLANS[name, key], CASES[name]["input"]["power"], CASES[name]["expect"][key]
    assert outlook.passes(units, aim) == pytest.approx(power, rel=0, abs=1e-6)
    assert units_for(outlook, aim, power) == np.ceil(units)


def near(expected: Any, tolerance: float) -> Any:
    """The expected values, each to within the tolerance of the case; they are written with twelve digits."""
    tolerance = max(tolerance, 5e-12)
    if isinstance(expected, dict):
        return {key: near(value, tolerance) for key, value in expected.items()}
    if isinstance(expected, list) and expected and isinstance(expected[0], list):
        return [near(value, tolerance) for value in expected]
    if isinstance(expected, list):
        return pytest.approx(expected, abs=tolerance, rel=0)
    if isinstance(expected, bool | str):
        return expected
    return pytest.approx(expected, abs=tolerance, rel=0)


def test_many_draws_reach_the_quantiles_of_the_normal_maximum() -> None:
    expected, random = CASES["max_t_constants"]["expect"], np.random.default_rng(1)
    systems = random.normal(size=(200_000, 4))
    to_first = systems[:, 1:] - systems[:, :1]
    pairs = np.stack([systems[:, j] - systems[:, i] for i in range(4) for j in range(i + 1, 4)], axis=1)
    for draws, key in ((to_first, "dunnett_3_versus_1_equal_correlation"), (pairs, "tukey_z_4")):
        found = max_t(np.zeros(draws.shape[1]), draws, draws.std(axis=0), 0.95).quantile
        assert found == pytest.approx(expected[key], abs=0.015)


def test_every_case_is_compared_or_named() -> None:
    # The first has a test of its own. Nobody plans two samples of shares; looks at a share are by another mixture.
    left = {"max_t_constants", "plan_two_proportions", "sequence_bernoulli"}
    assert set(CASES) - set(VALUES) - {name for name, _ in PLANS} == left
