"""What would not fit is refused before it is begun, with the figure; what can be made small is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tests.evaluation.tables import evaluate

import adjudge
from adjudge.data.judgements.columns import Judgements
from adjudge.data.judgements.labels import labels_of
from adjudge.errors import InputError, SettingError
from adjudge.evaluation import walk
from adjudge.evaluation.measuring import drawn_limits
from adjudge.inference.resampling import Replicates
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.cells import MANY_CELLS, PRIOR_MASS, draw_smoothed, generator
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.vectors import MOST_PRIOR_PAIRS, RatingVectors, _prior_vectors
from adjudge.statistics.weights import Weights


def many_labels(rows: int = 400, labels: int = 680) -> dict[str, list[str]]:
    random = np.random.default_rng(1)
    reference = random.integers(0, labels, rows)
    prediction = np.where(random.random(rows) < 0.5, reference, random.integers(0, labels, rows))
    return {"label": [f"l{code}" for code in reference], "guess": [f"l{code}" for code in prediction]}


def test_a_table_without_each_row_holds_the_occupied_cells_alone() -> None:
    """680 labels have 462,400 cells: a row for each of them, occupied or not, was 1.55 TiB."""
    table = many_labels()
    rows = Judgements(labels_of(table["label"], "reference"), prediction=labels_of(table["guess"], "prediction"))
    whole = Confusion.collect(rows, Weights(len(rows)))
    left, times = whole.without_one()
    assert left.counts.shape[0] == len(times) <= 400
    assert left.total.tolist() == [399.0] * len(times)
    assert left.counts.min() >= 0


def test_many_labels_by_the_corrected_bootstrap() -> None:
    found = evaluate(
        many_labels(200, 150), prediction="guess", bootstrap="bca", metrics=["accuracy", "cohen_kappa"], ok="C14"
    )
    assert 0 < found["cohen_kappa"].value < 1


def test_prior_mass_drawn_as_atoms_is_spread_like_that_of_every_cell() -> None:
    size = 130
    assert size**2 > MANY_CELLS
    cells = np.zeros(size**2)
    cells[:3] = (5.0, 2.0, 1.0)
    drawn = draw_smoothed(cells, 2.0, 3_000, generator(1, "atoms"))
    assert drawn[:, 3:].reshape(3_000, -1)[:, size - 2 :: size + 1].sum(-1).mean() == pytest.approx(1, abs=0.1)
    assert drawn.sum(-1).mean() == pytest.approx(10, abs=0.2)
    assert drawn.sum(-1).var() == pytest.approx(10, abs=1.0)
    assert drawn[:, 0].mean() == pytest.approx(5, abs=0.2)
    assert drawn[:, 3:].sum(-1).mean() == pytest.approx(2, abs=0.15)


def test_tables_of_too_many_slices() -> None:
    table = many_labels(3_000, 900) | {"where": [f"w{row % 1_500}" for row in range(3_000)]}
    figure = r"20,000 replicates of 1,501 tables of up to \d+ × \d+ labels are [\d,]{10,}\. Ask for fewer"
    with pytest.raises(SettingError, match=figure):
        evaluate(table, prediction="guess", slices=["where"], metrics=["accuracy"], replicates=20_000, ok="C14")


def test_too_many_replicates_of_large_tables() -> None:
    figure = r"1,000,000 replicates of 1 tables of up to \d+ × \d+ labels are [\d,]{10,}\."
    with pytest.raises(SettingError, match=figure):
        evaluate(many_labels(), prediction="guess", replicates=1_000_000, ok="C14")
    with pytest.raises(SettingError, match="from 100 to 1,000,000"):
        evaluate(many_labels(), prediction="guess", replicates=10**7)


def test_too_many_replicates_of_labels_that_a_judge_helps_with() -> None:
    table = many_labels(600, 400)
    table |= {"human": [label if row % 2 else None for row, label in enumerate(table["label"])]}
    given = {"reference": "human", "judge": "label", "prediction": "guess", "ok": "C14"}
    figure = r"500,000 replicates of 1 tables of up to \d+ labels are [\d,]{10,}\. Ask for fewer"
    with pytest.raises(SettingError, match=figure):
        adjudge.judges(table, **given, replicates=500_000)


def test_replicates_of_clusters_that_would_be_held() -> None:
    table = many_labels(400, 300) | {"who": [f"c{row % 50}" for row in range(400)]}
    table["where"] = [f"w{row % 40}" for row in range(400)]
    with pytest.raises(SettingError, match=r"replicates of 41 slices are [\d,]{10,}"):
        evaluate(table, prediction="guess", cluster="who", slices=["where"], replicates=1_000_000, ok="C14")


def test_nothing_is_drawn_of_slices_too_small_for_any_interval_that_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """1,000 slices of two items each took 86 seconds: 2,000 replicates of each, for limits that nobody was shown."""
    drawn, plain = list[int](), drawn_limits.replicate_values

    def counted(replicates: Replicates, metrics: Sequence[Metric]) -> list[Array]:
        drawn.append(len(metrics))
        return plain(replicates, metrics)

    monkeypatch.setattr(drawn_limits, "replicate_values", counted)
    table = {name: [(row + row // turn) % 3 for row in range(40)] for name, turn in (("a", 7), ("b", 5), ("c", 4))}
    given = {
        "raters": ["a", "b", "c"],
        "replicates": 100,
        "metrics": ["krippendorff_alpha", "fleiss_kappa"],
        "ok": "C14",
    }
    adjudge.agreement(table, **given)
    whole = list(drawn)
    drawn.clear()
    found = adjudge.agreement(table | {"s": [row // 2 for row in range(40)]}, slices=["s"], **given)
    assert drawn == whole
    assert len({row.slice for row in found.table}) == 21


def test_memory_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(*given: object) -> None:
        np.empty(2**55)

    monkeypatch.setattr(walk, "measure", too_much)
    with pytest.raises(InputError, match="There must be enough memory"):
        evaluate(many_labels(10, 3), prediction="guess")
    monkeypatch.setattr(Patterns, "resampled", too_much)
    with pytest.raises(InputError, match="There must be enough memory, but there is not for this estimate"):
        adjudge.estimate("percent_agreement", [["a", "a"], ["a", "b"], ["b", "b"]] * 5)


def test_prior_pairs_of_many_raters_and_labels_are_a_part_of_all() -> None:
    """12 raters and 50 labels have 165,000 pairs: 2,000 replicates of them all were 2.6 GB, in every slice."""
    (every, mass), (some, of_some) = _prior_vectors(4, 5), _prior_vectors(12, 50)
    assert len(every) == 6 * 25
    assert mass[[len(set(row[row >= 0])) == 1 for row in every]].sum() == pytest.approx(PRIOR_MASS / 2)
    assert mass.sum() == pytest.approx(of_some.sum()) == pytest.approx(PRIOR_MASS)
    assert len(np.unique(every, axis=0)) == len(every)
    assert some.shape == (MOST_PRIOR_PAIRS, 12)
    assert len(np.unique(some, axis=0)) == len(some)
    assert ((some >= 0).sum(1) == 2).all()
    assert np.ptp(np.bincount(some[some >= 0], minlength=50)) < 0.6 * 2 * len(some) / 50  # no label is favoured


def test_nothing_is_drawn_of_what_is_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ratings in rows of which each item, rater, label and slice is its own."""
    names = [f"n{place}" for place in range(20)]
    monkeypatch.setattr(RatingVectors, "smoothed", lambda *_: pytest.fail("replicates were drawn"))
    table = {"item": names, "rater": names, "label": names, "weight": [1, 2] * 10}
    found = adjudge.agreement(
        table, item="item", rater="rater", rating="label", weight="weight", slices=["item"], metrics="conger_kappa",
        replicates=100, ok=["C14"],
    )  # fmt: skip
    assert all(np.isnan(row.estimate) for row in found.table)


def test_more_estimates_than_anybody_waits_for_are_refused_before_they_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(walk, "MOST_ESTIMATES", 300)
    table = {"y": ["a", "b"] * 100, "p": ["a", "a", "b", "b"] * 50, "s": [row // 2 for row in range(200)]}
    asked = {"reference": "y", "prediction": "p", "slices": "s", "replicates": 100}
    with pytest.raises(SettingError, match=r"300 numbers at a time, but 3 metrics in 100 slices .* are 400\."):
        adjudge.evaluate(table, **asked, metrics=["accuracy", "cohen_kappa", "recall"])
    assert adjudge.evaluate(table, **asked, metrics=["accuracy", "cohen_kappa"])["accuracy"].value == 0.5
