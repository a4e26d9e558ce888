"""Laws of the diagnostics of raters: a weight is a repetition, a cluster is one draw, and nothing else matters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from adjudge.data.judgements.ratings import Ratings, ratings_of
from adjudge.diagnosis.raters.against_others import severity, vitality, with_others
from adjudge.diagnosis.raters.distinct_ratings import distinct
from adjudge.diagnosis.raters.drift import drift
from adjudge.diagnosis.raters.items import hardest_items, item_influence
from adjudge.diagnosis.raters.margins import bhapkar, equal_totals, stuart_maxwell
from adjudge.diagnosis.raters.rater_pairs import pairwise
from adjudge.diagnosis.raters.replacement import can_replace
from adjudge.evaluation.panels import Panels
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import cohen_kappa, krippendorff_alpha
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.weights import Weights
from adjudge.tasks.agreement.label_panels import agreement_panels

REPEATABLE = settings(max_examples=10, deadline=None, derandomize=True)
QUICK = Bootstrap(100)
CLOSE = {"rel": 1e-7, "abs": 1e-9, "nan_ok": True}
LEVELS = pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
# Lists of items name each item once, whatever it weighs: they have a law of their own below.
OF_ITEMS = ("Adjudication queue", "Hardest items")
# What hangs on intervals; the first column says what, the second how many items.
OF_INTERVALS = ("How many more items?", "What the value is called", "Do raters use the scale alike?")


@dataclass(frozen=True)
class Rated:
    """Ratings with what else is known of each item."""

    codes: np.ndarray
    weights: np.ndarray
    clusters: np.ndarray
    batches: np.ndarray

    @property
    def ratings(self) -> Ratings:
        raters = tuple(f"r{place}" for place in range(self.codes.shape[1]))
        return Ratings(self.codes, ("1", "2", "3"), raters)

    def of(self, rows: np.ndarray) -> Rated:
        return Rated(self.codes[rows], self.weights[rows], self.clusters[rows], self.batches[rows])

    @property
    def repeated(self) -> Rated:
        return self.of(np.repeat(np.arange(len(self.codes)), self.weights))

    def panels(self, level: str, **more: Any) -> Panels:
        return agreement_panels(
            self.ratings,
            None,
            measurement=level,
            settings=QUICK,
            batches=self.batches.tolist(),
            model="r0",
            **more,
        )


@st.composite
def rated(draw: st.DrawFn, *, least: int = 0) -> Rated:
    items, raters = draw(st.integers(6, 16)), draw(st.integers(2, 4))
    column = st.lists(st.sampled_from([-1, 0, 0, 1, 1, 2]), min_size=raters, max_size=raters)
    codes = np.array(draw(st.lists(column, min_size=items, max_size=items)), dtype=np.int64)
    whole = st.lists(st.integers(least, 3), min_size=items, max_size=items).filter(any)
    clusters = draw(st.lists(st.integers(0, 4), min_size=items, max_size=items))
    batches = draw(st.lists(st.sampled_from(["april", "may"]), min_size=items, max_size=items))
    return Rated(codes, np.array(draw(whole)), np.array(clusters), np.array(batches))


VALUES = {"Most confused labels": 5, "Vitality of each rater": 2}  # columns before the first limit


def numbers(panels: Panels, *, limits: bool) -> dict[str, Any]:
    """Every number of every panel by its place; without limits, only what a value is."""
    found: dict[str, Any] = {}
    for matrix in panels.matrices:
        found[matrix.title] = [matrix.values, matrix.n] + ([matrix.low, matrix.high] if limits else [])
    for forest in panels.forests:
        found[forest.title] = [forest.against] + [
            [line.name, line.estimate, line.n, *([line.low, line.high] if limits else [])] for line in forest.lines
        ]
    for bars in panels.bars:
        found[bars.title] = bars.values
    for rows in panels.tables:
        if rows.title in OF_ITEMS or (rows.title in OF_INTERVALS and not limits):
            continue
        short = slice(None if limits else VALUES.get(rows.title))
        found[rows.title] = [row[short] for row in rows.rows]
    return found


def same(a: Any, b: Any, where: str = "") -> None:
    """Equal, numbers up to rounding."""
    if isinstance(a, dict):
        assert a.keys() == b.keys(), where
        for key in a:
            same(a[key], b[key], f"{where}/{key}")
    elif isinstance(a, list):
        assert len(a) == len(b), where
        for place, (one, other) in enumerate(zip(a, b, strict=True)):
            same(one, other, f"{where}/{place}")
    elif isinstance(a, float) and isinstance(b, (float, int)):
        assert a == pytest.approx(b, **CLOSE), where
    else:
        assert a == b, where


@LEVELS
@REPEATABLE
@given(table=rated())
def test_a_weight_is_a_repetition_in_every_value(level: str, table: Rated) -> None:
    weighted = table.panels(level, weights=table.weights)
    same(numbers(weighted, limits=False), numbers(table.repeated.panels(level), limits=False))


@LEVELS
@REPEATABLE
@given(table=rated())
def test_a_weight_is_a_repetition_in_every_interval_and_test_by_cluster(level: str, table: Rated) -> None:
    there = table.clusters[table.weights > 0]
    assume(len(set(there)) < len(there))  # clusters of single items are none
    weighted = table.panels(level, weights=table.weights, clusters=table.clusters)
    again = table.repeated
    same(numbers(weighted, limits=True), numbers(again.panels(level, clusters=again.clusters), limits=True))


@pytest.mark.parametrize("clustered", [False, True])
def test_a_weight_is_a_repetition_in_panels_of_measurements(clustered: bool) -> None:
    random = np.random.default_rng(4)
    values = random.normal(size=(40, 1)) + random.normal(size=(40, 3)) / 2
    weights, clusters = random.integers(0, 4, 40), random.integers(0, 12, 40)
    again = np.repeat(np.arange(40), weights)
    asked: dict[str, Any] = {"measurement": "interval", "settings": QUICK}
    by = [{"clusters": clusters}, {"clusters": clusters[again]}] if clustered else [{}, {}]
    weighted = agreement_panels(ratings_of(values), None, weights=weights, **asked, **by[0])
    plain = agreement_panels(ratings_of(values[again]), None, **asked, **by[1])
    assert {one.title for one in plain.forests} == {"Agreement without each rater", "Severity of each rater"}
    same(numbers(weighted, limits=clustered), numbers(plain, limits=clustered))


def test_items_that_weigh_little_are_items_still() -> None:
    ratings, weights = example(60), np.where(np.arange(60) < 20, 0.01, 10.0)
    codes = ratings.codes.copy()
    codes[20:, 0] = -1
    found = pairwise(distinct(replace(ratings, kinds=codes, kind=None), weights), settings=QUICK)
    assert found.n.tolist() == [[0, 0, 0], [0, 0, 400], [0, 400, 0]]
    assert (found.low[0, 1:] < found.high[0, 1:]).all()
    swapped = can_replace(
        distinct(replace(ratings, kinds=codes, kind=None), weights), "r0", cohen_kappa, settings=QUICK
    )
    assert [one.human for one in swapped.humans] == ["r1", "r2"]
    assert all(one.difference.n == 0 and one.difference.low < one.difference.high for one in swapped.humans)


def test_one_cluster_has_no_limits() -> None:
    panels = agreement_panels(example(), None, clusters=["the same"] * 300, settings=QUICK)
    for forest in panels.forests[::2]:
        assert all(line.estimate is not None and line.low is None for line in forest.lines)
    assert panels.forests[0].lines[0].note.startswith("fewer than two clusters have two ratings")
    assert not {"How many more items?", "What the value is called"} & {one.title for one in panels.tables}
    assert all(one.high - one.low > 0.9 for one in panels.forests[1].lines)


@REPEATABLE
@given(table=rated(least=1), seed=st.integers(0, 99))
def test_the_order_of_items_does_not_matter(table: Rated, seed: int) -> None:
    moved = table.of(np.random.default_rng(seed).permutation(len(table.codes)))
    a, b = (one.panels("ordinal", weights=one.weights, clusters=one.clusters) for one in (table, moved))
    same(numbers(a, limits=True), numbers(b, limits=True))


@REPEATABLE
@given(table=rated())
def test_weights_of_one_and_clusters_of_one_item_are_none(table: Rated) -> None:
    items = len(table.codes)
    plain = table.panels("ordinal")
    assert table.panels("ordinal", weights=[1.0] * items, clusters=list(range(items))) == plain


@REPEATABLE
@given(table=rated(least=1))
def test_influence_is_alpha_less_alpha_without_all_copies_of_the_item(table: Rated) -> None:
    weighted = distinct(table.ratings, table.weights)
    moved = item_influence(weighted)[weighted.place]
    items = np.repeat(np.arange(len(table.codes)), table.weights)

    def alpha(rows: np.ndarray) -> float:
        part = table.of(rows).ratings
        return float(krippendorff_alpha.values(Patterns.collect(part, Weights(len(part)))))

    for item in range(len(table.codes)):
        assert moved[item] == pytest.approx(alpha(items) - alpha(items[items != item]), **CLOSE)


def example(items: int = 300, raters: int = 3, right: float = 0.75) -> Ratings:
    random = np.random.default_rng(5)
    truth = random.integers(0, 3, items)
    codes = np.where(random.random((items, raters)) < right, truth[:, None], random.integers(0, 3, (items, raters)))
    codes[:, 1] = np.where(random.random(items) < 0.15, 2, codes[:, 1])
    return Ratings(codes, ("1", "2", "3"), tuple(f"r{place}" for place in range(raters)))


def widths(table: Any) -> dict[str, float]:
    """The widths of intervals of every kind."""
    pairs = pairwise(table)
    moved = drift(table, ["april", "may"] * (distinct(table).items // 2))
    found = {
        "alpha": vitality(table).all,
        "vitality": vitality(table).raters[0].vitality,
        "others": with_others(table)[0].agreement,
        "severity": severity(table)[0],
        "mean kappa": pairs.mean[0],
        "batch": moved.batches[0].value,
        "rater in a batch": moved.raters[0].batches[0].value,
    }
    return {name: one.high - one.low for name, one in found.items()} | {"kappa": pairs.high[0, 1] - pairs.low[0, 1]}


def test_copies_in_a_cluster_tell_nothing_new() -> None:
    ratings = example()
    copies = ratings.of_rows(np.repeat(np.arange(300), 4))
    once, wrong = widths(ratings), widths(copies)
    kept = widths(distinct(copies, clusters=np.repeat(np.arange(300), 4)))
    # Batches of copies alternate within an item, so both batches hold all items, twice.
    twice = {name: np.sqrt(0.5) if "batch" in name else 1.0 for name in once}
    for name, width in once.items():
        assert kept[name] == pytest.approx(width * twice[name], rel=0.12), name
        assert wrong[name] == pytest.approx(width * 0.5, rel=0.12), name


def test_unequal_weights_widen_intervals_as_kish_says() -> None:
    ratings, weights = example(), np.where(np.arange(300) % 2, 1.9, 0.1)
    effective = weights.sum() ** 2 / (weights**2).sum()
    plain, weighted = widths(ratings), widths(distinct(ratings, weights))
    for name in ("alpha", "others", "severity", "kappa"):
        assert weighted[name] == pytest.approx(plain[name] * np.sqrt(300 / effective), rel=0.15), name


@REPEATABLE
@given(table=rated(), copies=st.integers(1, 3))
def test_tests_of_margins_by_cluster_are_the_known_ones_for_single_items(table: Rated, copies: int) -> None:
    two = table.ratings.of_raters([0, 1])
    known = distinct(two).vectors.table_of(0, 1)
    items = np.repeat(np.arange(len(two)), copies)
    kept = distinct(two.of_rows(items), clusters=items)
    said = kept.rows[:, :, None] == np.arange(3)
    differ, both = said[:, 0] - said[:, 1].astype(float), np.asarray(kept.rated.all(1))
    for test, centred in ((stuart_maxwell, False), (bhapkar, True)):
        mine, theirs = equal_totals("mine", kept, differ, both, centred=centred), test(known)
        if not np.isnan(mine.p_value):
            assert mine.statistic == pytest.approx(theirs.statistic, **CLOSE)
            assert mine.degrees == theirs.degrees


def test_false_alarms_of_margin_tests_with_clusters() -> None:
    """Raters who differ by cluster, but not on the whole: the plain test cries wolf, the one by cluster does not."""
    random, plain, robust = np.random.default_rng(8), 0, 0
    clusters = np.repeat(np.arange(40), 10)
    for _ in range(200):
        side = random.choice([-1, 1], 40)[clusters]
        differs = random.random(400) < 0.4
        codes = np.zeros((400, 2), dtype=np.int64)
        codes[:, 0], codes[:, 1] = differs & (side > 0), differs & (side < 0)
        ratings = Ratings(codes, ("no", "yes"), ("a", "b"))
        found = [agreement_tests(distinct(ratings, clusters=one)) for one in (None, clusters)]
        plain, robust = plain + (found[0] < 0.05), robust + (found[1] < 0.05)
    assert plain > 60
    assert 2 <= robust <= 20


def agreement_tests(table: Any) -> float:
    from adjudge.diagnosis.raters.margins import margin_tests

    return margin_tests(table)[0].p_value


def test_coverage_of_shares_with_clusters() -> None:
    """Wilson's interval by effective size covers; taken as plain items it does not."""
    random, held, plain = np.random.default_rng(3), 0, 0
    clusters = np.repeat(np.arange(30), 8)
    for _ in range(300):
        easy = random.beta(2, 1, 30)[clusters]
        codes = np.zeros((240, 2), dtype=np.int64)
        codes[:, 1] = random.random(240) > easy
        ratings = Ratings(codes, ("no", "yes"), ("a", "b"))
        for by, one in ((False, with_others(ratings)[0]), (True, with_others(distinct(ratings, None, clusters))[0])):
            inside = one.agreement.low <= 2 / 3 <= one.agreement.high
            held, plain = held + (by and inside), plain + (not by and inside)
    assert plain / 300 < 0.85
    assert held / 300 > 0.92


def test_hardest_items_know_their_weight() -> None:
    rows = np.array([[0, 0], [1, 1], [0, 1], [0, 1], [1, 1], [0, 0]])
    heavy = distinct(Ratings(rows, ("a", "b"), ("x", "y")), [1, 1, 1, 5, 1, 1])
    assert [one.item for one in hardest_items(heavy)] == ["4", "3"]
