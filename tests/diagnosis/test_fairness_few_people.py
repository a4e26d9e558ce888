"""False alarms of fairness regressions of few people with several responses each (docs/validation/heldout.md)."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.data.judgements.labels import Labels
from adjudge.diagnosis.fairness import score_fairness
from adjudge.diagnosis.robust_errors import _unfitted

SAMPLES = 300


def _alarms(people: tuple[int, int], seed: int = 7) -> np.ndarray:
    """How often each of the three models says p < .05 of two groups that do not differ."""
    random, found = np.random.default_rng(seed), np.zeros(3)
    group = np.repeat([0, 1], people)
    who = np.repeat(np.arange(len(group)), 5)
    for _ in range(SAMPLES):
        level = 3.5 + random.standard_normal(len(group))[who]
        human = np.clip(np.rint(level + 0.6 * random.standard_normal(len(who))), 1, 6)
        error = 0.56 * random.standard_normal(len(group))[who] + 0.5 * random.standard_normal(len(who))
        groups = Labels(group[who], ("large", "small"))
        models = score_fairness(human, human + error, groups, people=who.astype(np.uint64)).models
        found += [model.p < 0.05 for model in models]
    return found / SAMPLES


def test_a_small_group_is_not_surer_of_its_squares_than_all() -> None:
    """30 and 8 people: the accuracy model alarmed in .09 of these samples."""
    assert _alarms((30, 8))[0] <= 0.06


def test_what_is_fitted_beside_groups_is_paid_for() -> None:
    """12 and 6 people: the conditional model alarmed in .07 of these samples, the others in .06 and .053."""
    accuracy, difference, conditional = _alarms((12, 6))
    assert conditional <= 0.06
    assert max(accuracy, difference) <= 0.06


def test_the_order_of_the_names_of_groups_does_not_matter() -> None:
    """Levels of people are put in order by name; residuals were then about the mean of the other group."""
    random = np.random.default_rng(3)
    who = np.repeat(np.arange(18), 4)
    human = random.integers(1, 7, len(who)).astype(np.float64)
    system, people = human + 0.3 * (who >= 12) + 0.5 * random.standard_normal(len(who)), who.astype(np.uint64)
    sorted_names, others = (
        score_fairness(human, system, Labels((who >= 12) * 1, names), people=people).models
        for names in (("a", "b"), ("most", "few"))
    )
    assert [model.p for model in sorted_names] == [model.p for model in others]


def test_a_person_alone_beside_a_person_alone_tells_no_doubt() -> None:
    """Both are all of their group: what rounding left of their errors was an interval of 1e-16, with p below 1e-15."""
    random = np.random.default_rng(1)
    who, groups = np.repeat(np.arange(2), 4), Labels(np.repeat([0, 1], 4), ("a", "b"))
    human = random.integers(1, 7, 8).astype(np.float64)
    system = human + 0.5 * random.standard_normal(8)
    for model in score_fairness(human, system, groups, people=who.astype(np.uint64)).models:
        assert all(np.isnan([one.low, one.high, one.p]).all() for one in model.coefficients)


def _figures(human: np.ndarray, system: np.ndarray, group: np.ndarray, who: np.ndarray) -> np.ndarray:
    groups = Labels(group, tuple(f"g{code}" for code in range(group.max() + 1)))
    models = score_fairness(human, system, groups, people=who.astype(np.uint64)).models
    each = [[one.estimate, one.low, one.high, one.p] for model in models for one in model.coefficients]
    return np.array([*each, *([model.r_squared, model.p, 0.0, 0.0] for model in models)])


@pytest.mark.parametrize("seed", [132, 150, 165, 182, 211, 221, 244])
def test_the_last_bit_of_a_score_moves_no_figure(seed: int) -> None:
    """Of a few people some sums are zero but for rounding: a p was .85, or 9e-57, by the last bit of the scores."""
    random = np.random.default_rng(seed)
    groups = int(random.integers(2, 12))
    people = int(random.integers(groups, 3 * groups))
    who = np.repeat(np.arange(people), random.integers(1, 5, people))
    group = random.integers(0, groups, people)[who] if seed % 2 else random.integers(0, groups, len(who))
    human = random.integers(1, 7, len(who)).astype(np.float64)
    system = human + random.normal(0, 0.5, len(who)) if seed % 3 else np.rint(human + random.normal(0, 0.7, len(who)))
    moved = system + np.spacing(system) * random.integers(-2, 3, len(who))
    expected = _figures(human, system, group, who)
    assert _figures(human, moved, group, who) == pytest.approx(expected, rel=1e-6, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("power", [-0.5, -1.0])
def test_what_was_fitted_to_a_person_is_taken_out_by_cells_as_by_columns(power: float) -> None:
    """(I − ΣwxxT)^power of each person's sum, by its definition; one person is all of a group, one has many cells."""
    random = np.random.default_rng(5)
    person = np.repeat(np.arange(6), [1, 2, 3, 3, 4, 9])
    design = np.column_stack([np.ones(22), (person == 0) * 1.0, random.standard_normal((22, 3))])
    weight, residuals = random.uniform(0.5, 2, 22), random.standard_normal(22)
    columns = design @ np.linalg.inv(np.linalg.cholesky(design.T @ (weight[:, None] * design))).T
    made = _unfitted(columns, weight, residuals, person, power)
    for one in range(6):
        own = person == one
        values, vectors = np.linalg.eigh(np.eye(5) - columns[own].T @ (weight[own, None] * columns[own]))
        roots = np.where(values > 1e-9, np.maximum(values, 1e-9) ** power, 0.0)
        expected = vectors @ (roots * (vectors.T @ (columns[own].T @ residuals[own])))
        assert columns[own].T @ made[own] == pytest.approx(expected, abs=1e-12)
