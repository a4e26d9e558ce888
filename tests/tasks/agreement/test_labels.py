"""Agreement of one table: its shapes, levels, weights, clusters, slices, engines and outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.evaluation.tables import assert_same, by_method
from tests.tasks.agreement.ratings_tables import IN_ROWS, RATERS, agree, long, some, wide, width

import adjudge
from adjudge.errors import BadValue
from adjudge.metrics.catalogue import parse
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.tasks.agreement.by_measurement import BY_MEASUREMENT, OF_TWO
from adjudge.tasks.agreement.reading import RatingReading

MEASUREMENTS = ["nominal", "ordinal", "interval", "ratio", "circular", "bipolar"]


def panels(e: adjudge.Evaluation) -> set[str]:
    found = e.outcome.panels
    return {one.title for part in (found.matrices, found.forests, found.bars, found.tables) for one in part}


def test_rows_and_columns_give_the_same() -> None:
    table = wide()
    a, b = agree(table, item="item"), agree(long(table), **IN_ROWS)
    assert_same(by_method(a), by_method(b), 0)
    assert a.outcome.panels == b.outcome.panels


@pytest.mark.parametrize("kind", ["pandas", "polars", "csv", "parquet"])
@pytest.mark.parametrize("shape", ["wide", "long"])
def test_every_container_gives_the_same(kind: str, shape: str, tmp_path: Path) -> None:
    plain = wide(40) if shape == "wide" else long(wide(40))
    asked: dict[str, Any] = {"item": "item"} if shape == "wide" else IN_ROWS
    polars = pytest.importorskip("polars")
    frame: Any = polars.DataFrame(plain)
    if kind == "pandas":
        frame = frame.to_pandas()
    elif kind == "csv":
        frame.write_csv(tmp_path / "r.csv")
        frame = tmp_path / "r.csv"
    elif kind == "parquet":
        frame.write_parquet(tmp_path / "r.parquet")
        frame = tmp_path / "r.parquet"
    assert_same(by_method(agree(frame, **asked)), by_method(agree(plain, **asked)), 0)


@pytest.mark.parametrize("measurement", MEASUREMENTS)
@pytest.mark.parametrize("raters", [2, 3])
def test_the_estimates_are_those_of_the_metrics(measurement: str, raters: int) -> None:
    table = wide(60)
    e = agree(table, raters=RATERS[:raters], measurement=measurement)
    matrix = np.array([table[name] for name in RATERS[:raters]], dtype=np.float64).T
    wanted = dict.fromkeys(BY_MEASUREMENT[measurement] + (OF_TWO[measurement] if raters == 2 else ()))
    assert {repr(metric) for metric in wanted} <= set(e.outcome.metrics)
    for metric in wanted:
        if metric.by_category:
            found = e.get(repr(metric), category="1", system="all raters").value
            assert found == pytest.approx(metric(matrix, positive="1"), abs=1e-12)
        else:
            assert e.get(repr(metric), system="all raters").value == pytest.approx(metric(matrix), abs=1e-12)


def test_more_than_two_raters_are_also_compared_two_by_two() -> None:
    table = wide()
    e = agree(table)
    for first, second in (("ann", "ben"), ("ann", "eva"), ("ben", "eva")):
        found = e.get("cohen_kappa", system=f"{first} × {second}")
        both = [(a, b) for a, b in zip(table[first], table[second], strict=True) if None not in (a, b)]
        assert found.value == pytest.approx(adjudge.metrics.cohen_kappa(*zip(*both, strict=True)), abs=1e-12)
        assert found.n == len(both)


def test_integer_weights_are_repetition_in_the_estimates() -> None:
    table = wide()
    repeated = some(table, np.repeat(np.arange(120), table["weight"]))
    weighted, plain = (agree(table, weight="weight"), agree(repeated))
    for name in ("percent_agreement", "fleiss_kappa", "gwet_ac1", "randolph_kappa", "light_kappa"):
        assert weighted[name].value == pytest.approx(plain[name].value, abs=1e-12)
    assert weighted["percent_agreement"].value != agree(table)["percent_agreement"].value


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_the_unit_of_the_weights_does_not_matter(engine: str) -> None:
    table = wide()
    other = {**table, "weight": [weight / 1000 for weight in table["weight"]]}
    a, b = (agree(one, weight="weight", engine=engine) for one in (table, other))
    assert_same(by_method(a), by_method(b), 1e-7)


def test_clusters_widen_intervals_and_take_closed_forms_away() -> None:
    table = wide(400, missing=0)
    for name in RATERS:  # a page is all alike
        table[name] = [table[name][row - row % 10] for row in range(400)]
    alone, clustered = agree(table, replicates=1000), agree(table, cluster="page", replicates=1000)
    for name in ("krippendorff_alpha", "gwet_ac1", "light_kappa"):
        assert clustered[name].value == pytest.approx(alone[name].value, abs=1e-12)
        assert width(clustered, name) > 2 * width(alone, name)
    pair = {"system": "ann × ben"}
    assert width(clustered, "cohen_kappa", **pair) > 2 * width(alone, "cohen_kappa", **pair)
    assert {row.method for row in alone.table} > {"bayesian", "bootstrap", "gwet", "fisher"}
    assert {row.method for row in clustered.table} <= {"bayesian", "bootstrap", "baseline", "none"}


def test_few_clusters_are_read_as_few_units() -> None:
    """Six pages, each of items all alike, tell no more than six items do: Student's reach, not that of 120."""
    table = wide(6, missing=0, size=2)
    pages = {**some(table, np.repeat(np.arange(6), 20)), "page": [f"page {row // 20}" for row in range(120)]}
    few, clustered = agree(table, replicates=2000), agree(pages, cluster="page", replicates=2000)
    assert width(clustered, "krippendorff_alpha") > 0.95 * width(few, "krippendorff_alpha")


def without(e: adjudge.Evaluation) -> Any:
    return next(one for one in e.outcome.panels.forests if one.title == "Agreement without each rater")


@pytest.mark.parametrize("asked", [{"weight": "weight"}, {"cluster": "page"}, {"weight": "weight", "cluster": "page"}])
def test_panels_heed_weights_and_clusters(asked: dict[str, str]) -> None:
    table = wide()
    e, plain = agree(table, batch="batch", **asked), agree(table, batch="batch")
    assert without(e).against == pytest.approx(e["krippendorff_alpha"].value, abs=1e-12)
    assert (without(e).against == pytest.approx(without(plain).against)) == ("weight" not in asked)
    assert without(e).lines[0].low != without(plain).lines[0].low
    other = {**table, "weight": [weight / 7 for weight in table["weight"]]}
    again = agree(other, batch="batch", **asked)
    assert [line.low for line in without(again).lines] == pytest.approx([line.low for line in without(e).lines])
    tests = {row[0] for one in e.outcome.panels.tables if one.title.startswith("Do raters") for row in one.rows}
    assert tests == {f"Cochran's Q ({'by cluster' if 'cluster' in asked else 'weighted'}): {k}" for k in range(1, 5)}


def test_a_slice_is_the_table_of_its_items() -> None:
    table = wide(200)
    e = agree(table, slices=["kind", "kind × batch"])
    for name, rows in {
        "kind = mail": [row for row in range(200) if table["kind"][row] == "mail"],
        "kind × batch = chat × late": [
            row for row in range(200) if (table["kind"][row], table["batch"][row]) == ("chat", "late")
        ],
    }.items():
        alone = agree(some(table, rows))
        sliced = {row.metric + row.category: row for row in e.table.first_methods() if row.slice == name}
        assert sliced
        for row in alone.table.first_methods():
            if row.system == "all raters":
                found = sliced[row.metric + row.category]
                assert (found.estimate, found.n) == (pytest.approx(row.estimate, abs=1e-12, nan_ok=True), row.n)


def test_a_declared_scale_keeps_unused_categories_in_sight() -> None:
    table = {"ann": ["b", "a", "b", "a"], "ben": ["b", "b", "b", "a"]}
    e = agree(table, raters=["ann", "ben"], scale=["b", "a", "never"])
    assert e.outcome.settings.choices["Categories used"] == "2 of 3"
    unused = e.get("specific_agreement", category="never")
    assert np.isnan(unused.value)
    assert "never used" in unused.note
    (use,) = e.outcome.panels.bars
    assert use.categories == ["b", "a", "never"]
    seen = agree(table, raters=["ann", "ben"])
    assert e["bennett_s"].value != seen["bennett_s"].value, "S counts the categories of the scale"
    assert e["cohen_kappa"].value == pytest.approx(seen["cohen_kappa"].value, abs=1e-12)


def test_the_order_of_words_is_the_scale_s() -> None:
    words = {1: "poor", 2: "fair", 3: "good", 4: "great"}
    table = wide()
    named = {n: [words.get(code) for code in column] if n in RATERS else column for n, column in table.items()}
    scale = list(words.values())
    numbers, named_e = agree(table, measurement="ordinal"), agree(named, measurement="ordinal", scale=scale)
    for metric in ("krippendorff_alpha(measurement=ordinal)", "gwet_ac2(weighting=ordinal)", "kendall_w"):
        assert named_e[metric].value == pytest.approx(numbers[metric].value, abs=1e-12)
    other = agree(named, measurement="ordinal", scale=sorted(scale))["krippendorff_alpha(measurement=ordinal)"]
    assert other.value != numbers["krippendorff_alpha(measurement=ordinal)"].value


@pytest.mark.parametrize("measurement", ["interval", "ratio"])
def test_measurements_get_what_needs_no_categories(measurement: str) -> None:
    random = np.random.default_rng(3)
    truth = random.normal(50, 5, 200)
    table = {name: truth + random.normal(0, 2, 200) for name in RATERS}
    e = agree(table, measurement=measurement)
    assert e["interval_alpha"].value == pytest.approx(adjudge.metrics.interval_alpha(np.stack([*table.values()], 1)))
    assert e.get("icc(form=A,1)").method == "jackknife_hill"
    assert "krippendorff_alpha" not in e.outcome.metrics
    two = agree(table, raters=RATERS[:2], measurement=measurement)
    assert {"pearson", "concordance_correlation", "lower_limit_of_agreement"} <= set(two.outcome.metrics)


def test_batches_and_a_model_have_their_panels() -> None:
    plain, more = agree(wide()), agree(wide(), batch="batch", model="eva")
    assert panels(more) - panels(plain) == {
        "Agreement by batch",
        "Agreement with the others by rater and batch",
        "Can eva stand in for a human?",
    }
    batches = next(one for one in more.outcome.panels.forests if one.title == "Agreement by batch")
    assert [line.name for line in batches.lines] == ["early", "late"]
    half = agree(some(wide(), range(60)))["krippendorff_alpha"].value
    assert batches.lines[0].estimate == pytest.approx(half, abs=1e-12)


@pytest.mark.parametrize("bootstrap", ["percentile", "bca", "poisson", "bayesian"])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_every_bootstrap_holds_its_estimate(bootstrap: str, weight: str | None) -> None:
    e = agree(wide(), bootstrap=bootstrap, weight=weight)
    named = "bootstrap" if bootstrap == "percentile" else bootstrap
    rows = [row for row in e.table if row.method == named]
    assert len(rows) > 5
    assert all(row.low <= row.estimate <= row.high for row in rows)


def test_resampling_raters_too_is_wider() -> None:
    items, both = agree(wide()), agree(wide(), resample="raters")
    assert width(both, "krippendorff_alpha") > width(items, "krippendorff_alpha")


def test_resampling_raters_too_adds_to_what_few_items_leave_open() -> None:
    table = {"ann": [*"aabbab"], "ben": [*"abbbab"], "eva": [*"aabbaa"]}
    rows = [row for row in agree(table, resample="raters", replicates=2000).table if row.metric == "gwet_ac1"]
    low = {row.method: row.low for row in rows if row.system == "all raters"}
    assert low["two_way"] < low["bayesian"]


@pytest.mark.parametrize("shape", ["wide", "long"])
@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("rows", [7, 50, 10_000])
def test_streaming_gives_the_same(shape: str, weight: str | None, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RatingReading, "block_rows", rows)
    table = wide() if shape == "wide" else long(wide())
    asked: dict[str, Any] = {"slices": ["kind"], "weight": weight, **({} if shape == "wide" else IN_ROWS)}
    streamed, memory = agree(table, engine="stream", **asked), agree(table, engine="memory", **asked)
    a, b = by_method(streamed), by_method(memory)
    if shape == "long":
        b = {key: value for key, value in b.items() if key in a}
        kept = {key[3] for key in a}
        assert {repr(m) for m in BY_MEASUREMENT["nominal"] if m.over is Patterns} <= kept
        assert all(parse(name).over is Patterns for name in kept)
    assert_same({key: a[key] for key in b}, b, 1e-9)
    assert streamed.outcome.data.used == memory.outcome.data.used
    assert streamed.outcome.data.left_out == memory.outcome.data.left_out
    assert panels(streamed) == set()


def test_streaming_rows_out_of_order_is_refused_and_memory_takes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RatingReading, "block_rows", 10)
    table = long(wide())
    shuffled = some(table, np.random.default_rng(5).permutation(len(table["item"])))
    with pytest.raises(BadValue, match=r'must stand side by side.*Sort the table by item, or use engine="memory"'):
        agree(shuffled, engine="stream", **IN_ROWS)
    assert agree(shuffled, **IN_ROWS)["gwet_ac1"].value == pytest.approx(agree(table, **IN_ROWS)["gwet_ac1"].value)


def test_specific_agreement_counts_the_ratings_that_it_is_a_share_of() -> None:
    """Of three items rated twice or more, six ratings are a and two are b; what nobody else rated does not count."""
    table = {"ann": ["a", "a", "b", "a"], "ben": ["a", "b", None, "a"], "eva": ["a", None, None, "b"]}
    e = adjudge.agreement(table, raters=["ann", "ben", "eva"], replicates=100)
    assert [e.get("specific_agreement", category=name).n for name in "ab"] == [6, 2]
    doubled = {name: [*said, *said] for name, said in table.items()}
    weighted = adjudge.agreement(table | {"w": [2.0] * 4}, raters=["ann", "ben", "eva"], weight="w", replicates=100)
    assert [weighted.get("specific_agreement", category=name).n for name in "ab"] == [6, 2]
    twice = adjudge.agreement(doubled, raters=["ann", "ben", "eva"], replicates=100)
    assert [twice.get("specific_agreement", category=name).n for name in "ab"] == [12, 4]


def test_agreement_on_a_label_of_sets_counts_the_ratings_that_have_it() -> None:
    table = {"ann": ["a|b", "a", "b"], "ben": ["a", "a", None]}
    e = adjudge.agreement(table, raters=["ann", "ben"], measurement="sets", replicates=100)
    assert [e.get("label_agreement", category=name).n for name in "ab"] == [4, 1]
