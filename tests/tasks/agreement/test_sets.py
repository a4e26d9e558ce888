"""Agreement on sets of labels, through the door: shapes, writings, weights, clusters, slices, engines, laws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.evaluation.tables import assert_same, by_method
from tests.golden.span_rows import FIVE_ITEMS, SIX_ITEMS
from tests.tasks.agreement.ratings_tables import IN_ROWS, RATERS, long, some, width
from tests.tasks.agreement.set_tables import LABELS, agree, as_text, wide

import adjudge
from adjudge import metrics
from adjudge.errors import AdjudgeError
from adjudge.tasks.agreement import sets as set_study
from adjudge.tasks.agreement.reading import RatingReading


def table_of(rows: list[list[Any]]) -> dict[str, list[Any]]:
    return {f"r{place}": [row[place] for row in rows] for place in range(len(rows[0]))}


@pytest.mark.parametrize(
    ("rows", "distance", "alpha"),
    [
        (SIX_ITEMS, "jaccard", 0.5621890547263682),
        (SIX_ITEMS, "masi", 0.48517940717628694),
        (FIVE_ITEMS, "jaccard", 0.46240601503759415),
        (FIVE_ITEMS, "masi", 0.40819423368740504),
    ],
)
def test_published_values_through_the_door(rows: list, distance: str, alpha: float) -> None:
    table = table_of(rows)
    e = agree(table, raters=list(table), distance=distance)
    name = f"set_alpha(distance={distance})"
    assert e.get(name, system="all raters").value == pytest.approx(alpha, abs=1e-12)
    assert e.summary.headline[0].metric == name


def test_the_estimates_are_those_of_the_metrics() -> None:
    table = wide()
    matrix = [[table[name][row] for name in RATERS] for row in range(80)]
    e = agree(table)
    for metric in (metrics.set_alpha.using(distance="masi"), metrics.same_set_agreement, metrics.macro_label_alpha):
        assert e.get(repr(metric), system="all raters").value == pytest.approx(metric(matrix), abs=1e-12)
    for label in LABELS:
        for name in ("label_alpha", "label_agreement"):
            found = e.get(name, category=label)
            assert found.value == pytest.approx(getattr(metrics, name)(matrix, positive=label), abs=1e-12)
            assert found.interval.low <= found.value <= found.interval.high


def test_rows_and_columns_give_the_same() -> None:
    a, b = agree(wide(), item="item"), agree(long(wide()), **IN_ROWS)
    assert_same(by_method(a), by_method(b), 0)
    assert a.outcome.panels == b.outcome.panels


def test_every_writing_of_a_set_gives_the_same(tmp_path: Path) -> None:
    table = wide()
    plain = by_method(agree(table))
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(table)
    frame.write_parquet(tmp_path / "r.parquet")
    frame.write_ndjson(tmp_path / "r.jsonl")
    frame.write_ipc(tmp_path / "r.arrow", compression="uncompressed")
    polars.DataFrame(as_text(table)).write_csv(tmp_path / "r.csv")
    frame.to_pandas().to_csv(tmp_path / "lists.csv", index=False)
    same: list[Any] = [tmp_path / name for name in ("r.parquet", "r.jsonl", "r.arrow", "r.csv")]
    same += [frame, frame.to_pandas(), frame.to_arrow(), as_text(table), as_sets(table), backwards(table)]
    for one in same:
        assert_same(by_method(agree(one)), plain, 0)
    assert_same(by_method(agree(as_text(table, " ; "), separator=";")), plain, 0)


def as_sets(table: dict[str, list[Any]]) -> dict[str, list[Any]]:
    return table | {name: [None if cell is None else frozenset(cell) for cell in table[name]] for name in RATERS}


def backwards(table: dict[str, list[Any]]) -> dict[str, list[Any]]:
    written = {name: [None if cell is None else json.dumps(cell[::-1]) for cell in table[name]] for name in RATERS}
    return table | written


def test_python_lists_written_as_text_are_lists(tmp_path: Path) -> None:
    """What pandas writes of a list column."""
    table = wide() | {}
    printed = table | {name: [None if cell is None else repr(cell) for cell in table[name]] for name in RATERS}
    assert_same(by_method(agree(printed)), by_method(agree(table)), 0)


def test_the_empty_set_is_a_rating_and_missing_is_not() -> None:
    table = {"a": [["x"], [], ["y"], []], "b": [["x"], [], None, ["y"]]}
    e = agree(table, raters=["a", "b"])
    assert e.outcome.settings.choices["Items with two ratings or more"] == "3"
    assert e["same_set_agreement"].value == pytest.approx(2 / 3)
    assert e.left_out == {}
    nobody = agree({"a": [["x"], [], None], "b": [["x"], [], None]}, raters=["a", "b"])
    assert nobody.left_out == {"no rater rated the item": 1}


def test_an_item_nobody_rated_changes_nothing() -> None:
    table = wide()
    more = {name: [*column, None if name in RATERS else column[0]] for name, column in table.items()}
    assert_same(by_method(agree(more)), by_method(agree(table)), 0)


def test_the_order_of_items_raters_and_labels_does_not_matter() -> None:
    table = wide()
    plain = values(agree(table))
    assert values(agree(some(table, np.random.default_rng(3).permutation(80)))) == pytest.approx(plain, abs=1e-12)
    assert values(agree(table, raters=RATERS[::-1])) == pytest.approx(plain, abs=1e-12)
    named = dict(zip(LABELS, ("u", "v", "w", "x", "y", "z"), strict=True))
    renamed = table | {
        name: [None if cell is None else [named[label] for label in cell] for cell in table[name]] for name in RATERS
    }
    found = values(agree(renamed))
    assert {(m, next((k for k, v in named.items() if v == c), c)): v for (m, c), v in found.items()} == pytest.approx(
        plain, abs=1e-12
    )


def values(e: adjudge.Evaluation) -> dict[tuple[str, str], float]:
    return {(row.metric, row.category): row.estimate for row in e.table if row.system == "all raters"}


def test_integer_weights_are_repetition() -> None:
    table = wide()
    repeated = some(table, np.repeat(np.arange(80), table["weight"]))
    weighed = values(agree(table, weight="weight"))
    # Alpha draws two ratings without replacement, from those of 80 items or of the repeated ones; the others do not.
    each = np.array([[table[name][row] is not None for name in RATERS] for row in range(80)]).sum(1)
    ratings = float(np.where(each >= 2, each, 0) @ np.array(table["weight"]))
    drawn = (ratings - sum(table["weight"]) / 80) / (ratings - 1)
    for key, value in values(agree(repeated)).items():
        expected = 1 - (1 - value) * drawn if "alpha" in key[0] else value
        assert weighed[key] == pytest.approx(expected, abs=1e-12)


def test_the_unit_of_weights_does_not_matter() -> None:
    table = wide()
    scaled = table | {"weight": [100 * weight for weight in table["weight"]]}
    assert_same(by_method(agree(scaled, weight="weight")), by_method(agree(table, weight="weight")), 1e-9)


def test_clusters_widen_intervals() -> None:
    copies = some(wide(40), np.repeat(np.arange(40), 8))
    name = "set_alpha(distance=masi)"
    naive, honest = agree(copies), agree(copies, cluster="item")
    assert naive[name].value == pytest.approx(honest[name].value)
    assert width(honest, name) > 2 * width(naive, name)


def test_slices_are_the_same_items_alone() -> None:
    table = wide()
    e = agree(table, slices=["kind"])
    for kind in ("mail", "chat"):
        rows = [row for row in range(80) if table["kind"][row] == kind]
        alone = agree(some(table, rows))
        for name in ("set_alpha(distance=masi)", "same_set_agreement", "macro_label_alpha"):
            assert e.get(name, slice=f"kind = {kind}").value == pytest.approx(alone[name].value, abs=1e-12)


def test_two_by_two() -> None:
    table = wide()
    e = agree(table)
    both = [(a, b) for a, b in zip(table["ann"], table["eva"], strict=True) if None not in (a, b)]
    found = e.get("set_alpha(distance=masi)", system="ann × eva")
    assert found.value == pytest.approx(metrics.set_alpha(*zip(*both, strict=True)), abs=1e-12)
    assert found.n == len(both)
    (matrix,) = e.outcome.panels.matrices
    assert matrix.values[0][2] == pytest.approx(found.value)
    assert matrix.n[0][2] == found.n


@pytest.mark.parametrize("rows", [16, 131_072])
@pytest.mark.parametrize("shape", ["wide", "long"])
def test_streams_give_the_same(shape: str, rows: int, monkeypatch) -> None:
    monkeypatch.setattr(RatingReading, "block_rows", rows)
    table = wide() if shape == "wide" else long(wide())
    asked: dict[str, Any] = {} if shape == "wide" else IN_ROWS
    whole, streamed = agree(table, **asked), agree(table, engine="stream", **asked)
    assert values(streamed) == pytest.approx(values(whole), abs=1e-12)
    if shape == "wide":
        assert_same(by_method(streamed), by_method(whole), 1e-12)
    assert streamed.outcome.panels.forests == []


@pytest.mark.parametrize("shape", ["wide", "long"])
def test_streams_draw_the_same_weights(shape: str, monkeypatch) -> None:
    monkeypatch.setattr(RatingReading, "block_rows", 16)
    table = wide() if shape == "wide" else long(wide())
    asked: dict[str, Any] = {"item": "item"} if shape == "wide" else dict(IN_ROWS)
    asked |= {"weight": "weight", "cluster": "page", "slices": ["kind"]}
    whole, streamed = (by_method(agree(table, engine=engine, **asked)) for engine in ("memory", "stream"))
    some_of_them = {key: row for key, row in streamed.items() if "bootstrap" in key or "bayesian" in key}
    assert len(some_of_them) > 10
    assert_same({key: whole[key] for key in some_of_them}, some_of_them, 1e-9)


def test_more_sets_than_tables_of_every_two_labels_could_hold() -> None:
    random = np.random.default_rng(5)
    many = [f"label {place}" for place in range(60)]
    said = [random.choice(many, 3, replace=False).tolist() for _ in range(400)]
    other = [cell if random.random() < 0.5 else random.choice(many, 3, replace=False).tolist() for cell in said]
    e = agree({"a": said, "b": other}, raters=["a", "b"], replicates=100)
    assert int(e.outcome.settings.choices["Different sets"].partition(",")[0]) > 500
    found = e["set_alpha(distance=masi)"]
    assert found.value == pytest.approx(metrics.set_alpha(said, other), abs=1e-12)
    assert found.interval.low < found.value < found.interval.high


def test_too_many_sets(monkeypatch) -> None:
    monkeypatch.setattr(set_study, "MOST_SETS", 10)
    for engine in ("memory", "stream"):
        with pytest.raises(AdjudgeError, match="at most 10 different sets of labels, but there are"):
            agree(wide(), engine=engine)


def test_perfect_agreement_on_few_items_is_not_certain() -> None:
    table = {"a": [["x"], ["x", "y"], ["y"]] * 5, "b": [["x"], ["x", "y"], ["y"]] * 5}
    found = agree(table, raters=["a", "b"])["set_alpha(distance=masi)"]
    assert found.value == 1
    assert 0.6 < found.interval.low < 0.98


def test_raters_may_be_drawn_too() -> None:
    table = wide()
    name = "set_alpha(distance=masi)"
    assert agree(table, resample="raters")[name].method == "two_way"
    assert width(agree(table, resample="raters"), name) > width(agree(table), name)


def test_one_set_throughout_is_undefined_with_a_reason() -> None:
    e = agree({"a": [["x"]] * 5, "b": [["x"]] * 5}, raters=["a", "b"])
    assert np.isnan(e["set_alpha(distance=masi)"].value)
    assert e["set_alpha(distance=masi)"].note.startswith("undefined: all ratings are one set")
    nothing = agree({"a": [[]] * 5, "b": [[]] * 5}, raters=["a", "b"])
    assert nothing["same_set_agreement"].value == 1


def test_panels_and_progress() -> None:
    seen = []
    e = agree(wide(), progress=lambda what, more, of: seen.append(what))
    assert set(seen) == {"reading", "drawing", "measuring"}
    found = e.outcome.panels
    assert [one.title for one in found.forests] == [
        "Agreement without each rater",
        "Mean agreement of each rater with the others",
        "Agreement on each label",
    ]
    assert [one.title for one in found.tables] == [
        "Hardest items",
        "Labels in each other's place",
        "Alpha by distance of sets",
        "Vitality of each rater",
        "How many more items?",
    ]
    hardest = found.tables[0].rows
    assert [row[2] for row in hardest] == sorted(row[2] for row in hardest)


def test_the_page_and_the_file(tmp_path: Path, adjudge_cli: Any) -> None:
    path = tmp_path / "said.jsonl"
    table = wide()
    path.write_text(
        "".join(json.dumps({name: table[name][row] for name in table}) + "\n" for row in range(80)), encoding="utf-8"
    )
    said = adjudge_cli(
        "agreement", path, "--raters", *RATERS, "--measurement", "sets", "--distance", "jaccard", "--item", "item",
        "--slices", "kind", "--replicates", "200", f"--html={tmp_path / 'page.html'}", f"--json={tmp_path / 'r.json'}",
        f"--save={tmp_path / 'r.adjudge'}",
    )  # fmt: skip
    assert said.code == 0, said.err
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Alpha of label sets (jaccard)" in page
    assert "&lt;/script&gt;" in page
    assert "{</script>}" not in page
    rows = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert "set_alpha(distance=jaccard)" in json.dumps(rows)
    assert by_method(adjudge.load(tmp_path / "r.adjudge")).keys()
