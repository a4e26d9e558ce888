"""Agreement on spans, through the door: shapes, writings, weights, clusters, slices, laws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.evaluation.tables import assert_same, by_method
from tests.golden.span_rows import MUC_SAID, MUC_TRUE, README_SAID, README_TRUE, THREE
from tests.tasks.agreement.ratings_tables import IN_ROWS, long, some, width
from tests.tasks.agreement.span_tables import (
    LABELS,
    RATERS,
    SPAN_ROWS,
    STRICT,
    agree,
    changed,
    span_rows,
    triples,
    wide,
)

import adjudge
from adjudge import metrics
from adjudge.errors import AdjudgeError
from adjudge.tasks.agreement import spans as span_study


def values(e: adjudge.Evaluation) -> dict[tuple[str, str], float]:
    return {(row.metric, row.category): row.estimate for row in e.table if row.system == "all raters"}


@pytest.mark.parametrize(
    ("raters", "match", "value"),
    [
        ([README_TRUE, README_SAID], "strict", 0.5),  # seqeval
        ([MUC_TRUE, MUC_SAID], "strict", 2 / 7),  # nervaluate
        ([MUC_TRUE, MUC_SAID], "exact", 4 / 7),
        ([MUC_TRUE, MUC_SAID], "partial", 5 / 7),
        ([MUC_TRUE, MUC_SAID], "type", 4 / 7),
        (THREE, "strict", (2 / 3 + 4 / 5 + 1 / 2) / 3),
    ],
)
def test_published_values_through_the_door(raters: list, match: str, value: float) -> None:
    table = {f"r{place}": documents for place, documents in enumerate(raters)}
    e = agree(table, raters=list(table))
    assert e[f"pairwise_span_f(match={match})"].value == pytest.approx(value, abs=1e-12)
    assert e.summary.headline[0].metric == STRICT


def test_the_estimates_are_those_of_the_metrics() -> None:
    table = wide()
    e = agree(table)
    said = [[None if cell is None else cell.split() for cell in table[name]] for name in RATERS]
    for match in ("strict", "exact", "partial", "type"):
        found = e[f"pairwise_span_f(match={match})"]
        assert found.value == pytest.approx(metrics.pairwise_span_f(said, match=match), abs=1e-12)
        assert found.interval.low <= found.value <= found.interval.high
        for label in LABELS:
            each = e.get(f"span_f_score(match={match})", category=label)
            assert each.value == pytest.approx(metrics.span_f_score(said, match=match, positive=label), abs=1e-12)


def test_rows_and_columns_give_the_same() -> None:
    plain = agree(wide(), item="item")
    in_rows = agree(long(wide()), **IN_ROWS)
    assert_same(by_method(plain), by_method(in_rows), 0)
    assert plain.outcome.panels == in_rows.outcome.panels
    assert values(agree(span_rows(wide()), **SPAN_ROWS)) == pytest.approx(values(plain), abs=1e-12)


def test_every_writing_gives_the_same(tmp_path: Path) -> None:
    table = wide()
    plain = values(agree(table))
    lists = changed(table, str.split)
    records = changed(
        table, lambda cell: [dict(zip(("label", "start", "end"), span, strict=True)) for span in triples(cell)]
    )
    polars = pytest.importorskip("polars")
    polars.DataFrame(lists).write_parquet(tmp_path / "lists.parquet")
    polars.DataFrame(records).write_parquet(tmp_path / "records.parquet")
    polars.DataFrame(records).write_ndjson(tmp_path / "records.jsonl")
    polars.DataFrame(table).write_csv(tmp_path / "tags.csv")
    polars.DataFrame(span_rows(table)).write_csv(tmp_path / "rows.csv")
    files = ("lists.parquet", "records.parquet", "records.jsonl", "tags.csv")
    same: list[Any] = [lists, records, changed(table, triples), *(tmp_path / name for name in files)]
    same.append(changed(table, lambda cell: json.dumps(triples(cell))))
    for one in same:
        assert values(agree(one)) == pytest.approx(plain, abs=1e-12)
    assert values(agree(tmp_path / "rows.csv", **SPAN_ROWS)) == pytest.approx(plain, abs=1e-12)


@pytest.mark.parametrize(("scheme", "tags"), [("bioes", "S-PER O"), ("bilou", "U-PER O"), ("iob1", "I-PER O")])
def test_schemes(scheme: str, tags: str) -> None:
    table = {"a": [tags], "b": [tags]}
    assert agree(table, raters=["a", "b"], scheme=scheme)[STRICT].value == 1


@pytest.mark.parametrize(
    ("mode", "told"),
    [("strict-penalise", "counted as spans that match nothing"), ("strict", "left out"), ("conll", "kept as spans")],
)
def test_malformed_tags_are_told(mode: str, told: str) -> None:
    e = agree({"a": ["B-X O B-X O"], "b": ["B-X O B-X I-Y"]}, raters=["a", "b"], mode=mode)
    assert e.outcome.settings.choices["Malformed tags"] == f"1 of 8 tags, in 1 chunk, {told}"
    assert e.left_out == ({"a malformed chunk of tags (not a row)": 1} if mode == "strict" else {})


def test_dropped_tags_raise_f_and_penalised_ones_do_not() -> None:
    table = {"a": ["B-X O B-X O"], "b": ["B-X O B-X I-Y"]}
    found = {m: agree(table, raters=["a", "b"], mode=m)[STRICT].value for m in ("strict-penalise", "strict", "conll")}
    assert found == pytest.approx({"strict-penalise": 4 / 5, "strict": 1.0, "conll": 4 / 5})


def test_nothing_marked_is_a_rating_and_missing_is_not() -> None:
    rows = {
        "item": ["1", "1", "2", "2", "3"],
        "rater": ["a", "b", "a", "b", "a"],
        "start": [0, None, 0, 0, 0],
        "end": [1, None, 1, 1, 1],
        "label": ["X", None, "X", "X", "X"],
    }
    e = agree(rows, **SPAN_ROWS)
    assert e[STRICT].value == pytest.approx(2 / 3)  # b looked at item 1 and marked nothing; item 3 b never saw
    assert e.outcome.settings.choices["Items read by two raters or more"] == "2"
    without = agree({name: [column[place] for place in (0, 2, 3, 4)] for name, column in rows.items()}, **SPAN_ROWS)
    assert without[STRICT].value == 1
    in_cells = agree({"a": ["B-X", "B-X", "B-X"], "b": ["O", "B-X", None]}, raters=["a", "b"])
    assert in_cells[STRICT].value == pytest.approx(2 / 3)


def test_nobody_marks_anything_is_undefined_with_a_reason() -> None:
    e = agree({"a": ["O O", "O"], "b": ["O O", "O"]}, raters=["a", "b"])
    assert np.isnan(e[STRICT].value)
    assert e[STRICT].note == "undefined: no two annotators have a span between them"


def test_spans_without_labels_and_spans_twice() -> None:
    rows = {"item": ["1"] * 4, "rater": ["a", "a", "b", "b"], "start": [0, 4, 0, 0], "end": [2, 6, 2, 2]}
    e = agree(rows, item="item", rater="rater", start="start", end="end")
    assert e[STRICT].value == pytest.approx(2 / 3)
    assert e.left_out == {"a span that the rater marked twice in the item (one is kept)": 1}


def test_an_item_nobody_read_changes_nothing() -> None:
    table = wide()
    more = {name: [*column, None if name in RATERS else column[0]] for name, column in table.items()}
    assert_same(by_method(agree(more)), by_method(agree(table)), 0)


def test_the_order_of_items_raters_and_labels_does_not_matter() -> None:
    table = wide()
    plain = values(agree(table))
    assert values(agree(some(table, np.random.default_rng(3).permutation(60)))) == pytest.approx(plain, abs=1e-12)
    assert values(agree(table, raters=RATERS[::-1])) == pytest.approx(plain, abs=1e-12)
    named = {"PER": "who", "LOC": "where", "ORG": "firm", "</script>": "a"}

    def renamed(cell: str) -> str:
        for old, new in named.items():
            cell = cell.replace(f"-{old}", f"-{new}")
        return cell

    found = values(agree(changed(table, renamed)))
    assert found == pytest.approx({(m, named.get(c, c)): value for (m, c), value in plain.items()}, abs=1e-12)


def test_integer_weights_are_repetition() -> None:
    table = wide()
    repeated = some(table, np.repeat(np.arange(60), table["weight"]))
    assert values(agree(table, weight="weight")) == pytest.approx(values(agree(repeated)), abs=1e-12)
    scaled = table | {"weight": [100 * weight for weight in table["weight"]]}
    assert_same(by_method(agree(scaled, weight="weight")), by_method(agree(table, weight="weight")), 1e-9)


def test_clusters_widen_intervals() -> None:
    copies = some(wide(30), np.repeat(np.arange(30), 8))
    assert width(agree(copies, cluster="item"), STRICT) > 2 * width(agree(copies), STRICT)


def test_slices_are_the_same_items_alone() -> None:
    table = wide()
    e = agree(table, slices=["kind"])
    for kind in ("mail", "chat"):
        alone = agree(some(table, [row for row in range(60) if table["kind"][row] == kind]))
        assert e.get(STRICT, slice=f"kind = {kind}").value == pytest.approx(alone[STRICT].value, abs=1e-12)


def test_two_by_two() -> None:
    table = wide()
    e = agree(table)
    both = [(a.split(), b.split()) for a, b in zip(table["ann"], table["eva"], strict=True) if None not in (a, b)]
    found = e.get(STRICT, system="ann × eva")
    assert found.value == pytest.approx(metrics.span_f_score(*map(list, zip(*both, strict=True))), abs=1e-12)
    assert found.n == len(both)
    matrix = e.outcome.panels.matrices[0]
    assert (matrix.values[0][2], matrix.n[0][2]) == (pytest.approx(found.value), found.n)
    without = e.outcome.panels.forests[0].lines[1]
    assert without.estimate == pytest.approx(found.value), "without ben, ann and eva are left"


def test_raters_may_be_drawn_too() -> None:
    e = agree(wide(), resample="raters")
    assert e[STRICT].method == "two_way"
    assert width(e, STRICT) > width(agree(wide()), STRICT)


def test_panels_and_progress() -> None:
    seen = []
    e = agree(wide(), item="item", progress=lambda what, more, of: seen.append(what))
    assert set(seen) == {"reading", "drawing", "measuring"}
    found = e.outcome.panels
    assert [one.title for one in found.tables] == [
        "Hardest items",
        "What the other rater marked",
        "Vitality of each rater",
        "How many more items?",
    ]
    hardest = found.tables[0].rows
    assert [row[2] for row in hardest] == sorted(row[2] for row in hardest)
    item = wide()["item"].index(hardest[0][0])
    said = [[cell] for name in RATERS if (cell := wide()[name][item]) is not None]
    assert hardest[0][2] == pytest.approx(metrics.pairwise_span_f([[one.split() for one in doc] for doc in said]))
    kinds = found.tables[1].rows
    assert sum(row[2] for row in kinds) == pytest.approx(1)
    micro = metrics.span_f_score.using(average="micro")
    assert kinds[0][2] == pytest.approx(
        float(micro([[None if c is None else c.split() for c in wide()[n]] for n in RATERS]))
    )


def test_more_raters_than_fit(monkeypatch) -> None:
    monkeypatch.setattr(span_study, "MOST_COUNTS", 1_000)
    with pytest.raises(AdjudgeError, match="Name fewer raters"):
        agree(wide())


def test_the_page_and_the_file(tmp_path: Path, adjudge_cli: Any) -> None:
    polars = pytest.importorskip("polars")
    polars.DataFrame(span_rows(wide())).write_csv(tmp_path / "spans.csv")
    roles = [f"--{role}={column}" for role, column in SPAN_ROWS.items()]
    outputs = [f"--{kind}={tmp_path / 'out'}.{kind}" for kind in ("html", "json", "csv", "markdown", "save")]
    asked = [*roles, "--measurement=spans", "--slices=kind", "--replicates=200", *outputs]
    said = adjudge_cli("agreement", tmp_path / "spans.csv", *asked)
    assert said.code == 0, said.err
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "Pairwise span F score (strict)" in page
    assert "&lt;/script&gt;" in page
    facts = adjudge.load(tmp_path / "out.save").outcome.data.roles
    assert facts == {name: name for name in SPAN_ROWS}
