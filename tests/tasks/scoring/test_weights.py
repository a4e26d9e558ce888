"""Case weights in scoring: whole weights are repeated responses, others only matter by their ratios."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.tasks.scoring.test_scoring import evaluated, rows_of, table_of

from adjudge.data.judgements.labels import Labels
from adjudge.diagnosis.fairness import score_fairness
from adjudge.errors import AdjudgeError

RATERS = ["h1", "h2", "h3"]


def repeated(table: dict[str, list], times: np.ndarray) -> dict[str, list]:
    return {name: [v for v, n in zip(values, times, strict=True) for _ in range(n)] for name, values in table.items()}


def table_panel(evaluation, title: str) -> list[list]:
    (panel,) = (panel for panel in evaluation.outcome.panels.tables if panel.title == title)
    return panel.rows


@pytest.mark.parametrize(("seed", "by_person"), [(0, False), (631, True)])
def test_whole_weights_are_repeated_responses(seed: int, by_person: bool) -> None:
    """Every estimate, with N − 1 as well; intervals are not, since a heavy response is still one."""
    table = table_of(120, seed)
    times = np.random.default_rng(seed).integers(0, 4, 120)
    asked = {"raters": RATERS, "prediction": ["engine", "other"], "slices": ["l1"], "replicates": 100}
    asked |= {"candidate": "who"} if by_person else {}
    weighted = evaluated(table | {"w": times.tolist()}, weight="w", **asked)
    plain = evaluated(repeated(table, times), **asked)
    ours, theirs = rows_of(weighted), rows_of(plain)
    assert len(theirs) > 500
    for key, row in theirs.items():
        assert ours[key].estimate == pytest.approx(row.estimate, rel=1e-9, abs=1e-9, nan_ok=True), key
    mean_sd_and_ends = [row[2:] for row in table_panel(weighted, "Scores")]
    assert mean_sd_and_ends == [pytest.approx(row[2:]) for row in table_panel(plain, "Scores")]
    for a, b in zip(weighted.outcome.panels.confusions, plain.outcome.panels.confusions, strict=True):
        # A score that only weightless responses have is a point of the scale all the same.
        counts = [np.array(counts).ravel() for counts in (a.counts, b.counts)]
        assert counts[0][counts[0] > 0] == pytest.approx(counts[1][counts[1] > 0])
    explained = [row[3:5] for row in table_panel(weighted, "Fairness: what slices explain of the errors")]
    assert explained == [
        pytest.approx(row[3:5]) for row in table_panel(plain, "Fairness: what slices explain of the errors")
    ]


@pytest.mark.parametrize(("seed", "unit"), [(0, 0.37), (1, 12.5), (2, 1e-6)])
def test_other_weights_matter_by_their_ratios_only(seed: int, unit: float) -> None:
    table = table_of(100, seed)
    weights = np.random.default_rng(seed).gamma(2.0, 1.0, 100)
    first = rows_of(evaluated(table | {"w": weights.tolist()}, weight="w", slices=["l1"], replicates=200))
    second = rows_of(evaluated(table | {"w": (unit * weights).tolist()}, weight="w", slices=["l1"], replicates=200))
    for key, row in first.items():
        other = second[key]
        told = (row.estimate, row.low, row.high, row.n)
        assert told == pytest.approx((other.estimate, other.low, other.high, other.n), rel=1e-6, abs=1e-6, nan_ok=True)


def test_what_n_is_in_a_standard_deviation() -> None:
    """Of whole weights their sum, of others the number of responses."""
    table = table_of(50)
    human, system = np.array(table["h1"]), np.array(table["engine"])
    whole = np.random.default_rng(1).integers(1, 5, 50)
    for weights, total in ((whole, whole.sum()), (whole / 8, 50)):
        found = rows_of(evaluated(table | {"w": weights.tolist()}, weight="w"))
        w = weights / weights.sum() * total
        mean = np.average(human, weights=w)
        sd = math.sqrt((w * (human - mean) ** 2).sum() / (total - 1))
        expected = np.average(system - human, weights=w) / sd
        row = found["engine · raw", "all", "standardized_mean_difference"]
        assert row.estimate == pytest.approx(expected, rel=1e-12)
        assert row.n == 50


def test_correlation_is_that_of_numpy() -> None:
    table = table_of(80)
    weights = np.random.default_rng(2).gamma(1.0, 1.0, 80)
    cov = np.cov(table["h1"], table["engine"], aweights=weights)
    row = rows_of(evaluated(table | {"w": weights.tolist()}, weight="w"))["engine · raw", "all", "correlation"]
    assert row.estimate == pytest.approx(cov[0, 1] / math.sqrt(cov[0, 0] * cov[1, 1]), rel=1e-12)


def test_the_regressions_are_weighted_least_squares() -> None:
    random = np.random.default_rng(3)
    human, groups = random.integers(1, 6, 90).astype(float), random.integers(0, 3, 90)
    system, weights = human + random.normal(0, 1, 90) + 0.4 * (groups == 1), random.gamma(2.0, 1.0, 90)
    labels = Labels(groups, ("a", "b", "c"))
    found = score_fairness(human, system, labels, weights=weights, equal_variances=True).conditional
    names = [c.group for c in found.coefficients]
    columns = [np.ones(90), *((groups == "abc".index(name)) * 1.0 for name in names[1:])]
    common = max(range(1, 6), key=lambda score: weights[human == score].sum())
    columns += [(human == score) * 1.0 for score in range(1, 6) if score != common]
    design, root = np.stack(columns, axis=1), np.sqrt(weights)
    estimates, *_ = np.linalg.lstsq(design * root[:, None], (system - human) * root, rcond=None)
    assert [c.estimate for c in found.coefficients] == pytest.approx(estimates[:3].tolist())
    effective = weights.sum() ** 2 / (weights**2).sum()
    residual = (weights * (system - human - design @ estimates) ** 2).sum()
    spread = residual / (effective - design.shape[1]) * np.linalg.inv(design.T @ (weights[:, None] * design))
    from scipy.stats import t

    reach = t.ppf(0.975, effective - design.shape[1]) * np.sqrt(np.diag(spread))[1:3]
    assert [c.high - c.estimate for c in found.coefficients[1:]] == pytest.approx(reach.tolist())


def test_doubling_every_weight_does_not_shorten_an_interval() -> None:
    table = table_of(200)
    plain = rows_of(evaluated(table, replicates=2000))
    double = rows_of(evaluated(table | {"w": [2] * 200}, weight="w", replicates=2000))
    for metric in ("exact_agreement", "correlation", "prmse"):
        a, b = (found["engine · raw_trim_round", "all", metric] for found in (plain, double))
        assert b.high - b.low == pytest.approx(a.high - a.low, rel=0.08)


def test_what_weights_must_be() -> None:
    table = table_of(30)
    with pytest.raises(AdjudgeError, match="must not be negative"):
        evaluated(table | {"w": [-1.0, *[1.0] * 29]}, weight="w")
    with pytest.raises(AdjudgeError, match="must be above 0 somewhere"):
        evaluated(table | {"w": [0] * 30}, weight="w")
    found = evaluated(table | {"w": [None, "heavy", float("inf"), *[1.5] * 27]}, weight="w")
    reasons = {'weight "w" is missing': 1, 'weight "w" is not a number': 1, 'weight "w" is infinite': 1}
    assert found.left_out == reasons
    assert found.outcome.data.roles["weight"] == "w"
    assert "Weights" in found.outcome.settings.choices
