"""Ranking by hand: figures, weights, clusters, slices, several systems, policies, and what is left out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.tasks.ranking.tables import SMALL, evaluated, rows_of, table_of

import adjudge
from adjudge.errors import AdjudgeError, SettingError
from adjudge.tasks.ranking.reading import ListReading

LOG3 = 1 / math.log2(3)
# Queries a and b, in this order; c has no relevant item and no value.
BY_HAND = {
    "ndcg(at=5)": (1.0, (3 * LOG3 + 0.5) / (3 + LOG3)),
    "baseline_ndcg(at=5)": ((0.5 * (1 + LOG3)), (4 / 3 * (1.5 + LOG3)) / (3 + LOG3)),
    "mean_reciprocal_rank": (1.0, 0.5),
    "mean_average_precision": (1.0, (1 / 2 + 2 / 3) / 2),
    "precision_at(at=5)": (0.2, 0.4),
    "recall_at(at=5)": (1.0, 1.0),
    "hit_rate_at(at=5)": (1.0, 1.0),
    "expected_reciprocal_rank(at=5)": (1 / 16, 3 / 16 / 2 + 13 / 16 / 16 / 3),
    "rank_biased_precision": (0.2, 0.2 * (0.8 + 0.64)),
    "query_kendall_tau": (1.0, -1 / 3),
}


def test_figures_by_hand() -> None:
    table = evaluated(SMALL, at=5).table
    assert {row.metric for row in table} == set(BY_HAND)
    for row in table:
        assert row.estimate == pytest.approx(np.mean(BY_HAND[row.metric]), abs=1e-12), row
        assert (row.system, row.slice, row.n) == ("m", "all", 2)
        assert "1 of 3 queries have no value" in row.note


def test_weights_are_those_of_queries() -> None:
    found = evaluated(SMALL, at=5, weight="w")
    for name, (a, b) in BY_HAND.items():
        assert found.table.find(name).estimate == pytest.approx((2 * a + b) / 3, abs=1e-12), name
    thrice = rows_of(SMALL, [0, 1, 0, 1, 2, 3, 4]) | {"q": ["a", "a", "A", "A", "b", "b", "b"]}
    for metric in ("ndcg(at=5)", "query_kendall_tau"):
        assert evaluated(thrice, at=5)[metric].value == pytest.approx(found[metric].value)


def test_a_query_without_a_relevant_item_can_count_zero() -> None:
    found = evaluated(SMALL, at=5, no_relevant="zero")
    for name, values in BY_HAND.items():
        if not name.startswith("baseline"):
            assert found[name].value == pytest.approx(sum(values) / 3), name
            assert found[name].n == 3


def test_the_default_interval_is_worth_then_student_then_bootstrap() -> None:
    rows = [row for row in evaluated(table_of()).table if row.metric == "ndcg(at=5)"]
    assert [row.method for row in rows] == ["worth", "student", "bootstrap"]
    assert all(row.low < row.estimate < row.high for row in rows)
    assert evaluated(table_of()).outcome.settings.draws == "multinomial counts of queries"


def test_rows_of_a_query_may_stand_anywhere() -> None:
    table = table_of()
    order = np.random.default_rng(2).permutation(len(table["q"]))
    one, other = evaluated(table), evaluated(rows_of(table, order))
    for mine, theirs in zip(one.table, other.table, strict=True):
        assert mine.estimate == pytest.approx(theirs.estimate, abs=1e-12)
        if mine.method != "bootstrap":
            assert mine.low == pytest.approx(theirs.low, nan_ok=True, abs=1e-12)


def test_a_stream_takes_queries_that_stand_together_and_refuses_others() -> None:
    table = table_of()
    stream = evaluated(table, engine="stream")
    assert repr(list(stream.table)) == repr(list(evaluated(table).table))
    apart = rows_of(table, [*range(1, len(table["q"])), 0])
    with pytest.raises(AdjudgeError, match="must have the rows of each value side by side when streaming"):
        evaluated(apart, engine="stream")


def test_a_slice_is_an_evaluation_of_its_queries() -> None:
    table = table_of(80)
    sliced = evaluated(table, slices=["kind"], score=["m", "other"])
    for kind in ("short", "long"):
        alone = evaluated(rows_of(table, [k for k, v in enumerate(table["kind"]) if v == kind]), score=["m", "other"])
        here = [row for row in sliced.table if row.slice == f"kind = {kind}"]
        told = {(row.metric, row.system, row.baseline): (row.estimate, row.n) for row in here}
        for row in alone.table:
            assert told[row.metric, row.system, row.baseline] == (pytest.approx(row.estimate), row.n)


def test_systems_are_drawn_together() -> None:
    """The same lists twice have the same replicates; each system alone has others, since units are ordered anew."""
    table = table_of()
    both = evaluated(table | {"again": table["m"]}, score=["m", "again"])
    rows = {system: [row for row in both.table.estimates if row.system == system] for system in ("m", "again")}
    for mine, other in zip(rows["m"], rows["again"], strict=True):
        assert (mine.low, mine.high) == pytest.approx((other.low, other.high), nan_ok=True, abs=1e-14)
    assert {(row.system, row.baseline) for row in both.table.differences} == {("again", "m")}
    assert all((row.estimate, row.p) == (0, 1) for row in both.table.differences)


def test_systems_have_names() -> None:
    table = table_of()
    e = evaluated(table, score=None, systems={"new": {"score": "m"}, "old": {"score": "other"}})
    assert e.outcome.systems == ["new", "old"]
    assert e.get("ndcg(at=5)", system="old").value == evaluated(table, score="other")["ndcg(at=5)"].value


def test_queries_of_a_cluster_are_drawn_together() -> None:
    """Every query three times, as a cluster, is no more evidence than every query once."""
    once = table_of(200)
    count = len(once["q"])
    thrice = rows_of(once, [*range(count)] * 3)
    thrice["q"] = [f"{name}/{place // count}" for place, name in enumerate(thrice["q"])]
    thrice["unit"] = once["q"] * 3

    def width(table: dict[str, list[Any]], **more: Any) -> float:
        settings = {"replicates": 2_000, "metrics": ["mean_reciprocal_rank"]}
        row = evaluated(table, **settings, **more).table.find("mean_reciprocal_rank", method="bootstrap")
        return row.high - row.low

    assert width(thrice, cluster="unit") / width(once) == pytest.approx(1, abs=0.15)
    assert width(thrice) / width(once) == pytest.approx(1 / math.sqrt(3), abs=0.1)
    e = evaluated(thrice, cluster="unit")
    assert {row.method for row in e.table if row.estimate < 1} == {"bootstrap", "baseline"}
    assert {row.method for row in e.table if row.estimate == 1} == {"none"}  # draws of ones tell nothing apart
    assert e.outcome.settings.draws == "poisson weights by cluster"
    [series] = e.outcome.panels.lines[0].series
    assert all(low < y < high for low, y, high in zip(series.low, series.y, series.high, strict=True) if y < 1)


def test_one_query_has_values_and_no_interval() -> None:
    e = evaluated(rows_of(SMALL, [2, 3, 4]))
    assert e["mean_reciprocal_rank"].value == 0.5
    assert e["mean_reciprocal_rank"].method == "none"
    assert math.isnan(e["mean_reciprocal_rank"].interval.low)
    assert e["mean_reciprocal_rank"].note == "one query says nothing of others: no interval"
    assert len([row for row in e.table if row.metric == "mean_reciprocal_rank"]) == 1
    rest = "what is not judged, or lies beyond the lists, could add up to 0.512"
    assert e["rank_biased_precision"].note == f"one query says nothing of others: no interval; {rest}"


def test_one_query_with_a_value_among_others_has_no_interval() -> None:
    table = rows_of(SMALL, [2, 3, 4, *range(5, len(SMALL["q"]))])
    e = evaluated(table)
    assert len(set(table["q"])) == 2
    rows = [row for row in e.table if row.metric == "mean_reciprocal_rank"]
    note = "one query says nothing of others: no interval; 1 of 2 queries have no value"
    assert [(row.n, row.method, row.note) for row in rows] == [(1, "none", note)]


def test_all_queries_undefined_is_undefined_with_the_reason() -> None:
    e = evaluated({"q": ["a", "a", "b"], "rel": [0, 0, 0], "m": [1, 2, 3]})
    row = e.table.find("precision_at(at=5)")
    assert math.isnan(row.estimate)
    assert row.note == "undefined: no query has a relevant item"


def test_items_that_nobody_judged_keep_their_place_or_are_skipped() -> None:
    table = {"q": ["a", "a", "b", "b"], "rel": [None, 1, 0, 1], "m": [2.0, 1.0, 2.0, 1.0]}
    kept, skipped = evaluated(table), evaluated(table, unjudged="skip")
    assert (kept["mean_reciprocal_rank"].value, skipped["mean_reciprocal_rank"].value) == (0.5, 0.75)
    assert skipped.left_out == {'relevance "rel" is missing': 1}
    counted = {row[0]: row[1] for panel in kept.outcome.panels.tables for row in panel.rows if len(row) == 2}
    assert counted["items that nobody judged"] == 1
    assert counted["share of the first 5 items that is judged, m"] == 0.75
    assert "could add up to" in kept["rank_biased_precision"].note


def test_the_judged_share_is_told_wherever_the_first_unjudged_item_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the block that the sums are planned from has none."""
    monkeypatch.setattr(ListReading, "block_rows", 4)
    table = {"q": [f"q{k // 2}" for k in range(20)], "rel": [1, 0] * 9 + [None, 1], "m": [2.0, 1.0] * 10}
    [counted] = [panel for panel in evaluated(table).outcome.panels.tables if "know" in panel.title]
    assert ["share of the first 5 items that is judged, m", pytest.approx(0.95)] in counted.rows


def test_a_missing_score_leaves_the_item_out_or_was_not_retrieved() -> None:
    table = {"q": ["a", "a", "b", "b"], "rel": [1, 1, 0, 1], "m": [2.0, None, None, None]}
    left = evaluated(table)
    assert left.left_out == {'score "m" is missing': 3}
    assert left["recall_at(at=5)"].value == 1.0
    missed = evaluated(table, unscored="missed")
    assert missed["recall_at(at=5)"].value == 0.25
    assert missed["recall_at(at=5)"].n == 2
    assert evaluated(table, unscored="missed", unanswered="skip")["recall_at(at=5)"].value == 0.5


def test_relevance_from_another_grade() -> None:
    table = {"q": ["a", "a", "b", "b"], "rel": [0.5, 1.5, 0.0, 1.0], "m": [3, 2, 2, 1]}
    assert evaluated(table)["mean_reciprocal_rank"].value == 0.5
    assert evaluated(table, relevant_from=0.5)["mean_reciprocal_rank"].value == 0.75
    [counted] = [panel for panel in evaluated(table).outcome.panels.tables if "know" in panel.title]
    assert ["items of a relevance above 0 that do not count as relevant", 1] in counted.rows


def test_named_metrics_alone() -> None:
    e = evaluated(SMALL, metrics=["ndcg(at=1, gain=linear)", "mean_average_precision(at=2, by=min)"])
    assert e["ndcg(at=1, gain=linear)"].value == 0.5
    assert e["mean_average_precision(at=2, by=min)"].value == pytest.approx((1 + 0.25) / 2)
    assert e.outcome.panels.tables[0].columns[1] == "NDCG@1 linear"


def test_the_estimate_of_arrays_is_that_of_the_table() -> None:
    table = table_of()
    arrays, found = (
        adjudge.estimate("ndcg(at=5)", table["rel"], table["m"], query=table["q"]),
        evaluated(table)["ndcg(at=5)"],
    )
    assert arrays.method == found.method
    assert (arrays.value, arrays.interval.low, arrays.interval.high) == pytest.approx(
        (found.value, found.interval.low, found.interval.high)
    )


def test_the_hardest_queries_are_the_lowest_then_by_name() -> None:
    table = {"q": [name for name in "dcbae" for _ in range(2)], "rel": [1, 0] * 5, "m": [1, 2, 1, 2, 2, 1, 2, 1, 1, 1]}
    panel = evaluated(table, queries=4).outcome.panels.tables[0]
    assert [row[0] for row in panel.rows] == ["c", "d", "e", "a"]
    assert panel.rows[2] == ["e", pytest.approx(0.5 * (1 + LOG3)), 2, 1, 2, 2]
    assert not [panel for panel in evaluated(table, queries=0).outcome.panels.tables if "Hardest" in panel.title]


def test_ndcg_by_cut_off_is_that_of_the_table() -> None:
    """Each point has the interval of its metric, and the band of the whole curve is wider."""
    table = table_of()
    panels = evaluated(table, score=["m", "other"]).outcome.panels
    [line] = panels.lines
    assert [series.name for series in line.series] == ["m", "other"]
    for series in line.series:
        [listed] = [panel for panel in panels.tables if panel.title == f"NDCG by cut-off of {series.name}"]
        e = evaluated(table, score=series.name, at=[int(at) for at in series.x])
        for row, y, low, high in zip(listed.rows, series.y, series.low, series.high, strict=True):
            found = e[f"ndcg(at={row[0]})"]
            ends = (found.value, found.interval.low, found.interval.high)
            assert row[1:4] == pytest.approx(ends)
            assert row[1:6:4] == pytest.approx((y, high))
            assert row[4] == low < found.interval.low < found.interval.high < high


def test_the_spread_counts_every_query_that_has_a_value() -> None:
    [spread] = evaluated(SMALL).outcome.panels.histograms
    assert np.sum(spread.counts) == 2
    assert (spread.edges[0], spread.edges[-1]) == (0, 1)


@pytest.mark.parametrize("ties", ["expected", "trec"])
def test_ties_as_trec_eval_breaks_them(ties: str) -> None:
    """Single precision, then the document whose name is last."""
    table = {"q": ["a"] * 3 + ["b"] * 2, "doc": ["x", "z", "y", "x", "y"], "rel": [1, 0, 0, 0, 1]}
    table["m"] = [1.00000002, 1.00000001, 0.5, 1, 1]
    found = evaluated(table, document="doc", ties=ties)["mean_reciprocal_rank"].value
    assert found == ((1 / 2 + 1) / 2 if ties == "trec" else (1 + 0.75) / 2)


def test_what_is_no_relevance_is_refused_with_its_place_in_the_query() -> None:
    table = {"q": ["a", "b", "a", "b", "a"], "rel": [1, 0, 0, 1, -1], "m": [0.1, 0.2, 0.3, 0.4, 0.5]}
    with pytest.raises(AdjudgeError, match='-1 for item 3 of query "a"'):
        adjudge.ranking(table, query="q", relevance="rel", score="m")


@pytest.mark.parametrize("at", [0, [0], [5, 0]])
def test_a_cut_off_of_nothing_is_refused(at: Any) -> None:
    table = {"query": [1, 1, 2, 2], "relevance": [1, 0, 0, 1], "score": [0.9, 0.1, 0.8, 0.3]}
    with pytest.raises(SettingError, match="must be a whole number of at least 1, not 0"):
        adjudge.ranking(table, query="query", relevance="relevance", score="score", at=at)


def asked_of(relevance: Callable[[Any], Any], **given: Any) -> Any:
    """Thirty lists of eight items, and a score that follows how good they are; `relevance` of the places from 0."""
    random = np.random.default_rng(3)
    good = random.normal(size=(30, 8))
    places = np.argsort(np.argsort(-good, axis=1), axis=1)
    table = {
        "q": np.repeat([f"q{k}" for k in range(30)], 8),
        "rel": np.asarray(relevance(places)).ravel(),
        "s": (good + random.normal(0, 0.5, good.shape)).ravel(),
    }
    return adjudge.ranking(table, query="q", relevance="rel", score="s", **given)


def test_ranks_in_place_of_relevance_are_said_to_be_ranks() -> None:
    with pytest.raises(AdjudgeError, match=r"counts from 1 to 8 .* as ranks do.* give 8 less each rank; if not, give"):
        asked_of(lambda place: place + 1)
    with pytest.raises(AdjudgeError, match=r"an item has 8\. Give top_grade=8"):
        asked_of(lambda place: 8 - place)  # the best has the most
    with pytest.raises(AdjudgeError, match=r"an item has 8\. Give top_grade=8"):
        asked_of(lambda place: np.where(place == 3, 3, place + 1))  # two alike
    [said] = [one.sentence for one in asked_of(lambda place: place + 1, metrics="ndcg").checks if one.key == "C3"]
    assert said.endswith('Does "rel" count from 1 as the best? Give its largest less each, or "s" negated.')
    [said] = [one.sentence for one in asked_of(lambda place: place // 2, metrics="ndcg").checks if one.key == "C3"]
    assert said.endswith("Are these ranks or distances? Give their negatives.")


def test_shares_that_do_not_count_as_relevant_are_said() -> None:
    def said(**given: Any) -> list[str]:
        found = asked_of(lambda place: np.maximum(3 - place, 0) / 3, **given)
        return [one.sentence for one in found.checks if one.key == "C19"]

    [shares] = said()
    assert shares.startswith('60 items whose "rel" is above 0 do not count as relevant: it goes up to 1, and items')
    assert said(relevant_from=0.5) == []
