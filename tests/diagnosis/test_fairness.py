"""The three regressions are those of statsmodels, as RSMTool runs them."""

from __future__ import annotations

import numpy as np
import pytest
from tests.golden.scoring_rows import GOLDEN

from adjudge.data.judgements.labels import Labels
from adjudge.diagnosis.fairness import ScoreModel, score_fairness
from adjudge.errors import SettingError

CASES = list(GOLDEN["fairness"])
MODELS = {"osa": "accuracy", "osd": "difference", "csd": "conditional"}
# RSMTool compares fits on different rows here, or reports what a pseudo-inverse made of nothing.
NOT_COMPARED = {("missing_group", "csd"), ("group_equals_score_band", "csd")}


def columns_of(case: dict) -> tuple[np.ndarray, np.ndarray, Labels]:
    columns = case["columns"]
    group = [None if value in (None, "NaN") else value for value in columns["g"]]
    names = tuple(sorted({value for value in group if value is not None}))
    codes = np.array([-1 if value is None else names.index(value) for value in group])
    return np.array(columns["sc1"], dtype=float), np.array(columns["raw"], dtype=float), Labels(codes, names)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("model", MODELS)
def test_the_models_are_statsmodels(name: str, model: str) -> None:
    case = GOLDEN["fairness"][name]
    human, system, groups = columns_of(case)
    found = score_fairness(human, system, groups, most_levels=None, equal_variances=True)
    ours: ScoreModel = getattr(found, MODELS[model])
    answers = case["answers"]
    estimates = answers[f"estimates_{model}_by_g"]
    assert f"Intercept ({found.reference})" == estimates["index"][0]
    if (name, model) == ("group_equals_score_band", "csd"):
        return
    assert [c.group for c in ours.coefficients[1:]] == estimates["index"][1:]
    told = [[c.estimate, c.p, c.low, c.high] for c in ours.coefficients]
    assert told == pytest.approx(np.array(estimates["data"], dtype=float), rel=1e-9, abs=1e-12)
    if (name, model) in NOT_COMPARED:
        return
    column = list(MODELS).index(model)
    (r2, sig) = (row[column] for row in answers["fairness_metrics_by_g"]["data"])
    assert [ours.adjusted, ours.p] == pytest.approx([r2, sig], rel=1e-9, abs=1e-12)
    if model != "csd":
        assert ours.r_squared == pytest.approx(answers[f"{model}_model"]["rsquared"], rel=1e-9, abs=1e-12)


def test_groups_that_the_human_score_determines_are_said_not_guessed() -> None:
    human, system, groups = columns_of(GOLDEN["fairness"]["group_equals_score_band"])
    model = score_fairness(human, system, groups).conditional
    assert np.isnan(model.p)
    assert np.isnan(model.coefficients[1].estimate)
    assert "undefined" in model.note


def test_a_system_without_errors_has_nothing_to_explain() -> None:
    human = np.array([1.0, 2, 3, 1, 2, 3])
    found = score_fairness(human, human, Labels(np.array([0, 0, 0, 1, 1, 1]), ("a", "b")))
    assert all(np.isnan(model.adjusted) and "do not vary" in model.note for model in found.models)


def test_one_group_is_said() -> None:
    human = np.array([1.0, 2, 3, 1])
    found = score_fairness(human, human + np.array([0.1, 0.2, 0, 0.3]), Labels(np.zeros(4, dtype=np.int64), ("a",)))
    assert found.difference.note == "undefined: there is a single group"


def test_a_reference_can_be_chosen_and_must_occur() -> None:
    human, system, groups = columns_of(GOLDEN["fairness"]["no_effect"])
    chosen = score_fairness(human, system, groups, reference="C")
    usual = score_fairness(human, system, groups)
    assert chosen.reference == "C"
    assert chosen.difference.p == pytest.approx(usual.difference.p)
    with pytest.raises(SettingError, match="must be a group that occurs"):
        score_fairness(human, system, groups, reference="Z")


def test_a_continuous_human_score_is_binned() -> None:
    random = np.random.default_rng(3)
    human = random.normal(3, 1, 200)
    found = score_fairness(human, human + random.normal(0, 0.3, 200), Labels(random.integers(0, 2, 200), ("a", "b")))
    assert np.isfinite(found.conditional.p)


def alarms(sds: tuple[float, float], people: tuple[int, int], each: int, shared: float) -> np.ndarray:
    """How often overall and conditional differences are found where there are none, of 250 samples."""
    random = np.random.default_rng(11)
    group = np.repeat([0, 1], np.array(people) * each)
    who = np.repeat(np.arange(sum(people)), each).astype(np.uint64)
    found = []
    for _ in range(250):
        human = np.clip(np.round(random.normal(3, 1, len(group))), 1, 5)
        own = random.standard_normal(sum(people))[who.astype(int)]
        error = np.array(sds)[group] * (
            np.sqrt(shared) * own + np.sqrt(1 - shared) * random.standard_normal(len(group))
        )
        fairness = score_fairness(
            human, human + error, Labels(group, ("a", "b")), people=who if each > 1 else None, most_levels=None
        )
        found.append([fairness.difference.p < 0.05, fairness.conditional.p < 0.05])
    return np.mean(found, axis=0)


def test_groups_whose_errors_vary_more_are_no_difference() -> None:
    # Ordinary least squares says so in 17 of 100 samples.
    assert (alarms((1.0, 2.0), (80, 20), 1, 0.0) <= 0.09).all()


def test_people_with_several_responses_are_no_difference() -> None:
    # Ordinary least squares says so in 24 of 100 samples.
    assert (alarms((1.0, 1.0), (20, 10), 5, 0.4) <= 0.09).all()


def test_two_groups_are_told_apart_by_welch() -> None:
    from scipy.stats import ttest_ind

    random = np.random.default_rng(5)
    human, group = random.integers(1, 6, 40).astype(float), np.repeat([0, 1], [28, 12])
    error = random.normal(0, 1, 40) * np.where(group == 1, 2.0, 1.0)
    found = score_fairness(human, human + error, Labels(group, ("a", "b")))
    told = ttest_ind(error[group == 1], error[group == 0], equal_var=False)
    assert found.difference.p == pytest.approx(told.pvalue, rel=1e-9)
    assert found.difference.coefficients[1].p == pytest.approx(told.pvalue, rel=1e-9)


def test_what_is_said_of_two_groups_is_said_of_their_difference() -> None:
    """The p-value of groups and the limits of the one coefficient agree; of 15 + 5 people 31 of 3,000 did not."""
    random, shown = np.random.default_rng(4), 0
    for _ in range(120):
        of = np.repeat(np.arange(12), random.integers(1, 6, 12))
        small = of >= 8
        human = np.rint(random.normal(3.5, 1.0, len(of)))
        system = human + np.where(small, 1.0, 0.0) * 0.5 + (random.exponential(size=12) - 1)[of] * 0.4
        system = system + 0.3 * random.standard_normal(len(of))
        found = score_fairness(human, system, Labels(small * 1, ("most", "few")), people=of.astype(np.uint64))
        for model in found.models:
            one = model.coefficients[1]
            shown += model.p < 0.05
            assert model.p == pytest.approx(one.p)
            assert (model.p < 0.05) == (one.low > 0 or one.high < 0)
    assert shown >= 20


def test_limits_reach_further_to_the_side_to_which_people_are_skewed() -> None:
    """Errors of few people who are seldom far too high: a mean that is too low goes with a spread that is too small."""
    random = np.random.default_rng(6)
    of = np.repeat(np.arange(20), 3)
    human = np.tile([2.0, 3.0, 4.0], 20)
    system = human + (random.exponential(size=20) - 1)[of]
    found = score_fairness(human, system, Labels((of >= 14) * 1, ("most", "few")), people=of.astype(np.uint64))
    one = found.difference.coefficients[1]
    assert one.high - one.estimate > 1.1 * (one.estimate - one.low)
    turned = score_fairness(
        human, 2 * human - system, Labels((of >= 14) * 1, ("most", "few")), people=of.astype(np.uint64)
    )
    other = turned.difference.coefficients[1]
    assert (other.low, other.high) == pytest.approx((-one.high, -one.low))
