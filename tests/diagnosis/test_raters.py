"""Diagnoses of raters, labels and items: a peer's figures, brute force, laws, degenerate input."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from tests.diagnosis.anaesthetists import FIRST_READINGS

from adjudge.data.judgements.ratings import Ratings, ratings_of
from adjudge.diagnosis.raters import draws
from adjudge.diagnosis.raters.against_others import category_use, severity, vitality, with_others
from adjudge.diagnosis.raters.distinct_ratings import distinct
from adjudge.diagnosis.raters.drift import drift
from adjudge.diagnosis.raters.items import adjudication_queue, hardest_items, item_influence
from adjudge.diagnosis.raters.labels import confused_labels
from adjudge.diagnosis.raters.rater_pairs import pairwise
from adjudge.diagnosis.raters.replacement import NOT_WORSE, UNDECIDED, WORSE, can_replace
from adjudge.errors import SettingError
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import cohen_kappa, conger_kappa, gwet_ac1, interval_alpha, krippendorff_alpha
from adjudge.metrics.base import Metric
from adjudge.tasks.agreement.label_panels import verdict_sentence

QUICK = Bootstrap(400)
DEGENERATE = [
    [[None, None]],
    [["a", None], [None, "a"]],
    [["a", "a"], ["a", "a"]],
    [["a", "b"]],
    [["a"], ["b"]],
    [["a", "a"], ["b", "b"]],
    [["a", "a", None], ["b", None, "b"]],
]


def simulated(items: int, right: tuple[float, ...], missing: float = 0.0, seed: int = 3) -> Ratings:
    random = np.random.default_rng(seed)
    truth = random.choice(3, size=items, p=[0.6, 0.3, 0.1])
    guess = random.integers(0, 3, size=(items, len(right)))
    codes = np.where(random.random(guess.shape) < right, truth[:, None], guess)
    codes[random.random(codes.shape) < missing] = -1
    return Ratings(codes, ("1", "2", "3"), tuple(f"r{place}" for place in range(len(right))))


def test_without_each_observer_as_in_krippendorff() -> None:
    """krippendorff 0.9.0, alpha of the nominal level, of all five observers and with each left out."""
    found = vitality(ratings_of(FIRST_READINGS))
    assert found.all.value == pytest.approx(0.5842911877394636, abs=1e-12)
    assert [one.without.value for one in found.raters] == pytest.approx(
        [0.5371687136393017, 0.6293287457389531, 0.58915666387519, 0.5687286836258957, 0.5996272134203169], abs=1e-12
    )
    assert found.raters[1].vitality.value < 0 < found.raters[0].vitality.value
    for one in found.raters:
        assert one.without.low < one.without.value < one.without.high
        # Both are drawn on the same items: the difference is known better than either.
        assert one.vitality.high - one.vitality.low < one.without.high - one.without.low


@pytest.mark.parametrize(
    "metric",
    [krippendorff_alpha, krippendorff_alpha.using(measurement="ordinal"), gwet_ac1, conger_kappa, interval_alpha],
)
def test_leaving_a_rater_out_is_measuring_the_others(metric) -> None:  # type: ignore[no-untyped-def]
    ratings = simulated(200, (0.9, 0.8, 0.7, 0.5), missing=0.3)
    found = vitality(ratings, metric, settings=QUICK)
    values = np.where(ratings.codes < 0, np.nan, ratings.codes + 1.0)
    assert found.all.value == pytest.approx(metric(values))
    for place, one in enumerate(found.raters):
        assert one.without.value == pytest.approx(metric(np.delete(values, place, axis=1)))


def test_the_interval_of_all_raters_is_that_of_the_patterns() -> None:
    ratings = simulated(60, (0.9, 0.8, 0.6))
    patterns = distinct(ratings).patterns
    draws = krippendorff_alpha.values(patterns.resampled("bayesian", 8_000, 1, "test"))
    found = vitality(ratings, settings=Bootstrap(8_000))
    assert (found.all.low, found.all.high) == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.02)


def test_rows_drawn_in_groups_give_the_same_width(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = simulated(4_000, (0.9, 0.8, 0.7, 0.6, 0.5, 0.5), missing=0.2)
    each = vitality(ratings)
    monkeypatch.setattr(draws, "MOST_GROUPS", 500)
    grouped = vitality(ratings)
    assert len(distinct(ratings).rows) > 500
    for one, other in zip((each.all, each.raters[0].vitality), (grouped.all, grouped.raters[0].vitality), strict=True):
        assert other.value == pytest.approx(one.value)
        assert other.high - other.low == pytest.approx(one.high - one.low, rel=0.12)


def test_every_two_raters_have_their_kappa() -> None:
    ratings = simulated(150, (0.9, 0.8, 0.6), missing=0.2)
    found = pairwise(ratings, settings=QUICK)
    for a, b in combinations(range(3), 2):
        both = (ratings.codes[:, [a, b]] >= 0).all(1)
        first, second = ratings.codes[both, a], ratings.codes[both, b]
        assert found.values[a, b] == found.values[b, a] == pytest.approx(cohen_kappa(first, second))
        assert found.n[a, b] == both.sum()
        assert found.low[a, b] < found.values[a, b] < found.high[a, b]
    assert found.mean[0].value == pytest.approx(found.values[0, 1:].mean())


def test_raters_without_a_common_item_have_no_value() -> None:
    found = pairwise(
        ratings_of([["a", "a", None], ["b", "b", None], ["a", None, "a"], ["b", None, "a"]]), settings=QUICK
    )
    assert np.isnan(found.values[1, 2])
    assert np.isnan(found.low[1, 2])
    assert found.n[1, 2] == 0
    assert found.mean[1].known


def test_own_votes_do_not_count() -> None:
    found = with_others(ratings_of([["a", "b", "b"], ["a", "a", None], ["a", "b", None], [None, None, "a"]]))
    assert [one.agreement.value for one in found] == pytest.approx([1 / 3, 1 / 2, np.nan], nan_ok=True)
    assert [one.agreement.n for one in found] == [3, 2, 0]
    assert [one.tied for one in found] == [0, 1, 1]


def test_severity_is_the_offset_on_shared_items() -> None:
    rows = np.array([[1, 2, 3], [2, 3, 5], [1, 1, 4], [4, 5, np.nan]])
    found = severity(ratings_of(rows))
    others = [(1 - 2.5), (2 - 4), (1 - 2.5), (4 - 5)]
    from scipy.stats import t

    low, high = t.interval(0.95, 3, np.mean(others), np.std(others, ddof=1) / 2)
    assert (found[0].value, found[0].low, found[0].high) == pytest.approx((np.mean(others), low, high))


def test_use_of_categories() -> None:
    assert category_use(ratings_of([["a", "b", None], ["a", "a", None]])).tolist()[:2] == [[1, 0], [0.5, 0.5]]
    assert np.isnan(category_use(ratings_of([["a", None]]))[1]).all()


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_influence_is_the_difference_one_item_makes(level: str) -> None:
    ratings = simulated(40, (0.9, 0.7, 0.6), missing=0.2)
    table = distinct(ratings)
    values = np.where(ratings.codes < 0, np.nan, ratings.codes + 1.0)
    found = item_influence(ratings, level)[table.place]
    whole = krippendorff_alpha(values, measurement=level)
    for item in range(40):
        assert found[item] == pytest.approx(whole - krippendorff_alpha(np.delete(values, item, 0), measurement=level))


def test_the_hardest_items_come_first() -> None:
    rows = [["a", "a", "a"]] * 5 + [["a", "b", "c"]] + [["b", "b", "b"]] * 5 + [["c", "c", "b"]]
    found = hardest_items(ratings_of(rows), [f"item {place}" for place in range(12)])
    assert [one.item for one in found] == ["item 5", "item 11"]
    assert found[0].votes == {"a": 1, "b": 1, "c": 1}
    assert (found[0].agreement, found[0].entropy) == pytest.approx((0, np.log2(3)))
    assert len(hardest_items(ratings_of(rows), most=1)) == 1


def test_merging_two_labels_is_measured_on_merged_ratings() -> None:
    ratings = simulated(120, (0.9, 0.7, 0.5))
    values = ratings.codes + 1.0
    merged = np.where(values == 3, 2, values)
    found = {(one.first, one.second): one for one in confused_labels(ratings, settings=QUICK)}
    gain = krippendorff_alpha(merged) - krippendorff_alpha(values)
    assert found["2", "3"].gain.value == pytest.approx(gain)
    assert found["2", "3"].gain.low < gain < found["2", "3"].gain.high
    assert [one.observed for one in found.values()] == sorted((one.observed for one in found.values()), reverse=True)


def test_on_ordered_scales_only_neighbours_merge() -> None:
    ratings = simulated(120, (0.9, 0.7, 0.5))
    known = {(one.first, one.second): one.gain.known for one in confused_labels(ratings, "ordinal", settings=QUICK)}
    assert known == {("1", "2"): True, ("2", "3"): True, ("1", "3"): False}
    assert not any(one.gain.known for one in confused_labels(ratings, "interval", settings=QUICK))


def test_the_queue_has_reasons_and_closed_items_stay_closed() -> None:
    rows = [
        ["a"] * 5,
        ["a", "a", "b", "b", None],
        ["a", "a", "a", "b", "b"],
        ["b", "b", "b", "b", "a"],
        ["a", *[None] * 4],
    ]
    ratings = ratings_of(rows + [["a"] * 5, ["b"] * 5] * 10)
    queue = adjudication_queue(ratings)
    reasons = {one.item: one.reasons for one in queue.entries}
    assert reasons["2"] == ("tie",)
    assert "split" in reasons["3"]
    assert "lone dissent" in reasons["4"]
    assert reasons["5"] == ("single rating",)
    assert "1" not in reasons
    assert queue.open == 4 == sum(1 for _ in queue.entries)
    certainty = [one.probability for one in queue.entries]
    assert certainty == sorted(certainty)
    later = adjudication_queue(ratings, resolved=["2", "4"])
    assert {one.item for one in later.entries} == {"3", "5"}
    assert (later.open, later.closed) == (2, 2)


def test_outvoted_reliable_raters_are_a_reason() -> None:
    ratings = simulated(800, (0.99, 0.99, 0.3, 0.3, 0.3))
    queue = adjudication_queue(ratings, most=10)
    assert queue.by_reason["doubted majority"] > 0
    assert len(queue.entries) == 10


def test_drift_is_flagged_where_it_is_and_rarely_elsewhere() -> None:
    good, bad = simulated(300, (0.9, 0.9, 0.9)), simulated(100, (0.9, 0.9, 0.1), seed=9)
    ratings = Ratings(np.concatenate([good.codes, bad.codes]), good.categories, good.raters)
    batches = [f"batch {place // 100 + 1}" for place in range(400)]
    found = drift(ratings, batches, settings=Bootstrap(1_000))
    assert [one.batch for one in found.batches] == ["batch 1", "batch 2", "batch 3", "batch 4"]
    assert found.batches[3].flagged
    assert found.batches[3].value.value < found.whole
    assert [one.batches[3].flagged for one in found.raters] == [False, False, True]
    assert "5%" in found.note.replace(" %", "%")


def test_false_alarms_are_as_rare_as_stated() -> None:
    alarms = [
        any(
            one.flagged
            for one in drift(simulated(200, (0.9, 0.8, 0.8), seed=seed), list("abcde" * 40), settings=QUICK).batches
        )
        for seed in range(60)
    ]
    assert np.mean(alarms) <= 0.12  # 5 % promised; 60 trials


def test_small_batches_of_one_rare_label_raise_no_alarm() -> None:
    # Intervals of batches against the whole, and Holm, said so in up to 27 of 100 tables.
    random = np.random.default_rng(4)
    alarms = []
    for _ in range(100):
        truth = random.random(60) < 0.15
        codes = np.stack([np.where(random.random(60) < 0.85, truth, random.random(60) < 0.15) for _ in range(2)], 1)
        ratings = Ratings(codes.astype(np.int64), ("no", "yes"), ("a", "b"))
        found = drift(ratings, list("abcdef" * 10), settings=QUICK)
        alarms.append(any(one.flagged for one in found.batches))
    assert np.mean(alarms) <= 0.11  # 5 % promised, ± two and a half standard errors


def test_a_batch_for_each_item() -> None:
    with pytest.raises(SettingError):
        drift(ratings_of([["a", "a"], ["b", "b"]]), ["x"])


def test_a_model_as_good_as_humans_may_replace_one_and_a_bad_one_may_not() -> None:
    right = (0.8, 0.8, 0.8, 0.8)
    good = can_replace(simulated(3_000, right), "r0", settings=QUICK)
    assert good.verdict == NOT_WORSE
    assert good.difference.low < 0 < good.difference.high
    assert [one.human for one in good.humans] == ["r1", "r2", "r3"]
    bad = can_replace(simulated(3_000, (0.4, *right[1:])), "r0", settings=QUICK)
    assert bad.verdict == WORSE
    assert bad.difference.high < 0
    assert can_replace(simulated(30, right), "r0", settings=QUICK).verdict == UNDECIDED


@pytest.mark.parametrize("metric", [krippendorff_alpha, cohen_kappa])
def test_model_and_human_are_judged_by_the_same_others(metric) -> None:  # type: ignore[no-untyped-def]
    ratings = simulated(200, (0.9, 0.8, 0.6))
    found = can_replace(ratings, "r0", metric, settings=QUICK)
    codes = ratings.codes
    for one, human, other in zip(found.humans, (1, 2), (2, 1), strict=True):
        assert one.model.value == pytest.approx(metric(codes[:, 0], codes[:, other]))
        assert one.own.value == pytest.approx(metric(codes[:, human], codes[:, other]))
    assert found.difference.value == pytest.approx(np.mean([one.difference.value for one in found.humans]))


def test_a_copy_of_a_human_is_no_different_from_him() -> None:
    ratings = simulated(200, (0.9, 0.8, 0.6))
    doubled = Ratings(
        np.column_stack([ratings.codes, ratings.codes[:, 0]]), ratings.categories, (*ratings.raters, "model")
    )
    found = can_replace(doubled, "model", settings=QUICK)
    copied = found.humans[0].difference
    assert copied.value == pytest.approx(0)
    assert -0.05 < copied.low < 0 < copied.high < 0.05


@pytest.mark.parametrize("items", [2, 9, 16, 24])
def test_few_items_on_which_all_say_the_same_prove_nothing(items: int) -> None:
    """Two were enough to say that a model agrees not worse than humans, with limits of 0 and 0."""
    found = can_replace(ratings_of([["a"] * 3, ["b"] * 3] * (items // 2) + [["a"] * 3] * (items % 2)), "3")
    assert found.verdict == UNDECIDED
    assert found.difference.value == 0
    assert np.isnan(found.difference.low) == (items < 10)
    assert verdict_sentence(found).startswith("Undecided")
    assert "nan" not in verdict_sentence(found)


def test_few_items_on_which_the_model_says_otherwise_prove_nothing() -> None:
    assert can_replace(ratings_of([["a", "a", "b"], ["b", "b", "a"]] * 2), "3").verdict == UNDECIDED
    assert can_replace(ratings_of([["a", "a", "b"], ["b", "b", "a"]] * 10), "3").verdict == WORSE


def test_many_items_on_which_all_say_the_same_prove_that_it_is_not_worse() -> None:
    assert can_replace(ratings_of([["a"] * 3, ["b"] * 3] * 60), "3").verdict == NOT_WORSE


def test_results_do_not_change_with_the_order_of_items_and_raters() -> None:
    ratings = simulated(300, (0.9, 0.8, 0.6, 0.5), missing=0.3)
    items, raters = np.random.default_rng(1).permutation(300), [2, 0, 3, 1]
    moved = ratings.of_rows(items).of_raters(raters)
    a, b = vitality(ratings, settings=QUICK), vitality(moved, settings=QUICK)
    assert [b.raters[place].without.value for place in range(4)] == pytest.approx(
        [a.raters[r].without.value for r in raters]
    )
    assert vitality(ratings.of_rows(items), settings=QUICK).all == a.all
    assert pairwise(moved, settings=QUICK).values == pytest.approx(
        pairwise(ratings, settings=QUICK).values[np.ix_(raters, raters)], nan_ok=True
    )
    shares = [[one.agreement.value for one in with_others(part)] for part in (ratings, moved)]
    assert shares[1] == pytest.approx([shares[0][r] for r in raters])
    assert item_influence(moved)[distinct(moved).place] == pytest.approx(
        item_influence(ratings)[distinct(ratings).place][items]
    )


@pytest.mark.parametrize("rows", DEGENERATE)
def test_degenerate_ratings_give_no_traceback(rows: list[list[str | None]]) -> None:
    ratings = ratings_of(rows)
    for metric in (krippendorff_alpha, conger_kappa) if len(rows[0]) > 1 else (krippendorff_alpha,):
        assert len(vitality(ratings, metric, settings=QUICK).raters) == len(rows[0])
    assert pairwise(ratings, settings=QUICK).values.shape == (len(rows[0]),) * 2
    with_others(ratings)
    severity(ratings)
    category_use(ratings)
    confused_labels(ratings, settings=QUICK)
    hardest_items(ratings)
    adjudication_queue(ratings)
    drift(ratings, ["x"] * len(rows), settings=QUICK)
    assert can_replace(ratings, "1", settings=QUICK).verdict in (NOT_WORSE, UNDECIDED, WORSE)


def test_the_model_must_be_one_of_the_raters() -> None:
    with pytest.raises(SettingError):
        can_replace(ratings_of([["a", "b"]]), "gpt")


@pytest.mark.parametrize("metric", [krippendorff_alpha, conger_kappa])
def test_several_who_pull_it_down_are_left_out_together(metric: Metric) -> None:
    right = (0.9, 0.9, 0.1, 0.9, 0.05, 0.9)
    ratings = simulated(200, right, 0.2)
    found = vitality(ratings, metric, settings=QUICK).together
    assert found is not None
    assert found.rater == "r2 and r4"
    kept = [place for place, share in enumerate(right) if share > 0.5]
    others = Ratings(ratings.codes[:, kept], ratings.categories, tuple(ratings.raters[place] for place in kept))
    assert found.without.value == pytest.approx(vitality(others, metric, settings=QUICK).all.value)
    assert found.vitality.high < 0
    assert vitality(simulated(200, (0.9, 0.9, 0.1, 0.9)), metric, settings=QUICK).together is None
