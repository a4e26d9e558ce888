"""Tables to take away: every row, item, query and pair, from declarations, in every file format."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import adjudge
from adjudge.data.cleaning import number_column, text_column
from adjudge.data.source import open_source
from adjudge.errors import AdjudgeError
from adjudge.evaluation.take_away.tables import Nested, TakenTable
from adjudge.tasks import task_named, task_names

LABELS = {"y": ["a", "a", "b", "b", "b"], "m": ["a", "b", "b", "b", None], "s": ["u", "v", "u", "v", "u"]}
RATED = {
    "i": ["1", "1", "1", "2", "2", "2", "3", "3", "3", "4", "4"],
    "r": ["x", "y", "z", "x", "y", "z", "x", "y", "z", "x", "y"],
    "l": ["a", "a", "a", "a", "b", "b", "b", "b", "b", "a", "b"],
}


def rated(**given):
    return adjudge.agreement(RATED, item="i", rater="r", rating="l", replicates=100, **given)


def test_items_of_labels_are_right_or_wrong_with_the_influence_of_leaving_one_out():
    rows = adjudge.evaluate(LABELS, reference="y", prediction="m", slices=["s"], replicates=100).items.records()
    assert [(r["row"], r["right"], r["loss"], r["s"]) for r in rows] == [
        (1, True, 0.0, "u"),
        (2, False, 1.0, "v"),
        (3, True, 0.0, "u"),
        (4, True, 0.0, "v"),
    ]
    # The mean loss is 1/4; without the wrong row it is 0, without a right one 1/3.
    assert [r["influence"] for r in rows] == pytest.approx([1 / 4 - 1 / 3, 1 / 4, 1 / 4 - 1 / 3, 1 / 4 - 1 / 3])


def test_probabilities_cost_their_logarithm_and_weights_count():
    table = {"y": ["0", "1", "1"], "p": [0.2, 0.8, 0.5], "w": [1.0, 2.0, 1.0], "id": ["k", "l", "m"]}
    evaluation = adjudge.evaluate(table, reference="y", score="p", weight="w", id="id", replicates=100)
    rows = evaluation.items.records()
    losses = [-math.log(0.8), -math.log(0.8), -math.log(0.5)]
    assert [r["loss"] for r in rows] == pytest.approx(losses)
    mean = np.average(losses, weights=table["w"])
    assert mean == pytest.approx(evaluation["log_loss"].value)
    assert rows[1]["influence"] == pytest.approx(mean - np.average([losses[0], losses[2]]))
    assert [r["prediction"] for r in rows] == ["0", "1", "1"]
    assert rows[0]["id"] == "k"


def test_scores_that_are_no_probabilities_decide_nothing_and_cost_nothing():
    table = {"y": ["0", "1", "1"], "p": [2.0, 8.0, 5.0]}
    rows = adjudge.evaluate(table, reference="y", score="p", replicates=100).items.records()
    assert "right" not in rows[0]
    assert rows[0]["loss"] is None
    rows = adjudge.evaluate(table, reference="y", score="p", threshold=4, replicates=100).items.records()
    assert [r["right"] for r in rows] == [True, True, True]


def test_items_of_numbers_have_errors():
    table = {"y": [1.0, 2.0, 3.0], "m": [1.5, 2.0, 1.0]}
    rows = adjudge.regression(table, reference="y", prediction="m", replicates=100).items.records()
    assert [r["error"] for r in rows] == [0.5, 0.0, -2.0]
    assert rows[2]["influence"] == pytest.approx(4.25 / 3 - 0.25 / 2)


def test_items_of_scores_are_of_every_form():
    table = {"h": [1, 2, 3, 4, 3, 2], "e": [1.2, 2.1, 2.8, 4.6, 3.3, 1.7]}
    rows = adjudge.scoring(table, raters=["h"], prediction="e", min=1, max=4, replicates=100).items.to_pandas()
    assert set(rows["system"]) >= {"e · raw", "e · raw_trim_round"}
    rounded = rows[rows["system"] == "e · raw_trim_round"]
    assert rounded["score"].tolist() == [1, 2, 3, 4, 3, 2]


def test_items_of_rankings_are_queries():
    table = {"q": ["1", "1", "2", "2"], "rel": [1, 0, 0, 1], "s": [0.9, 0.1, 0.9, 0.1]}
    evaluation = adjudge.ranking(table, query="q", relevance="rel", score="s", replicates=100)
    rows = evaluation.items.records()
    assert [r["mean_reciprocal_rank"] for r in rows] == [1.0, 0.5]
    first = next(name for name in rows[0] if name.startswith("ndcg"))
    assert rows[0][first] == 1.0
    mean = (rows[0][first] + rows[1][first]) / 2
    assert rows[0]["influence"] == pytest.approx(mean - rows[1][first])


def test_items_of_preferences_are_pairs():
    table = {"preferred_text": ["a", "b", "a"], "polite": ["a", "a", "tie"]}
    rows = adjudge.preference(table, reference="preferred_text", replicates=100).items.records()
    assert [(r["reference"], r["vote"], r["agrees"]) for r in rows] == [
        ("a", "a", 1.0),
        ("b", "a", 0.0),
        ("a", "tie", None),
    ]


def test_agreement_gives_items_queue_and_consensus():
    evaluation = rated()
    items = {r["item"]: r for r in evaluation.items.records()}
    assert items["2"]["votes"] == {"a": 1, "b": 2}
    assert items["2"]["agreement"] == pytest.approx(1 / 3)
    assert items["4"]["majority"] is None
    assert items["1"]["majority"] == "a"
    queue = evaluation.queue.records()
    assert [r["rank"] for r in queue] == [1, 2]
    assert {r["item"] for r in queue} == {"2", "4"}
    panel = evaluation.panels["Adjudication queue"].records()
    assert [r["item"] for r in queue] == [r["item"] for r in panel]
    for one in evaluation.consensus.records():
        assert sum(one["probabilities"].values()) == pytest.approx(1)
        assert one["probability"] == max(one["probabilities"].values())
        assert one["model"] == "Dawid and Skene 1979"


def test_sets_spans_and_numbers_have_their_own_consensus():
    sets = {"x": ["p|q", "p"], "y": ["p", "q"], "z": ["p|r", "q"]}
    evaluation = adjudge.agreement(sets, raters=["x", "y", "z"], measurement="sets", replicates=100)
    assert [r["label"] for r in evaluation.consensus.records()] == [["p"], ["q"]]
    # By MASI: (2/3 + 2/3 + 8/9) / 3 against (1 + 1 + 0) / 3.
    assert [r["item"] for r in evaluation.queue.records()] == ["row 1", "row 2"]
    spans = {"x": ["B-A I-A O", "O O"], "y": ["B-A I-A O", "O B-A"], "z": ["B-A O O", "O O"]}
    evaluation = adjudge.agreement(spans, raters=["x", "y", "z"], measurement="spans", replicates=100)
    kept = [[(s["label"], s["start"], s["end"]) for s in r["label"]] for r in evaluation.consensus.records()]
    assert kept == [[("A", 0, 2)], []]
    numbers = {"x": np.arange(150) / 7, "y": np.arange(150) / 7 + 0.1}
    evaluation = adjudge.agreement(numbers, raters=["x", "y"], measurement="interval", replicates=100)
    assert evaluation.consensus.records()[0]["label"] == pytest.approx(0.05)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_files_hold_the_same_rows(tmp_path, ending):
    table = rated().queue
    path = table.write(tmp_path / f"queue.{ending}")
    expected = [(r["item"], r["votes"]) for r in table.records()]
    if ending == "jsonl":
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        assert [(r["item"], r["votes"]) for r in rows] == expected
        return
    if ending == "parquet":
        rows = pd.read_parquet(path).to_dict("records")
    else:
        rows = list(csv.DictReader(path.open(), delimiter="," if ending == "csv" else "\t"))
    assert [(r["item"], json.loads(r["votes"])) for r in rows] == expected


def test_a_stream_gives_the_same_items_as_a_table(tmp_path):
    rows = 300
    table = pd.DataFrame(
        {"y": np.arange(rows) % 2, "p": (np.arange(rows) * 7919 % 997) / 997, "w": np.arange(rows) % 3}
    )
    path = tmp_path / "long.csv"
    table.to_csv(path, index=False)
    given = {"reference": "y", "score": "p", "weight": "w", "replicates": 100}
    one, two = (adjudge.evaluate(path, engine=engine, **given).items.to_pandas() for engine in ("stream", "memory"))
    pd.testing.assert_frame_equal(one, two)
    assert len(one) == rows


def test_parts_are_written_one_after_another(tmp_path):
    parts = [{"n": np.array([1, 2]), "t": ["a", None]}, {"n": np.array([3]), "t": [None]}]
    table = TakenTable("x", "", lambda: iter(parts))
    for ending, read in (("csv", pd.read_csv), ("parquet", pd.read_parquet)):
        assert read(table.write(tmp_path / f"x.{ending}"))["n"].tolist() == [1, 2, 3]
    assert len(table) == 3
    assert table.to_polars().shape == (3, 2)


def test_text_that_no_file_can_hold_is_escaped(tmp_path):
    table = TakenTable("x", "", lambda: [{"t": ["\ud800", "=1+1"], "v": Nested([{"\ud800": 1}, None])}])
    for ending in ("csv", "jsonl", "parquet"):
        assert table.write(tmp_path / f"x.{ending}").stat().st_size


def test_every_picture_is_a_table():
    evaluation = rated()
    panels = evaluation.outcome.panels
    count = sum(len(getattr(panels, kind)) for kind in panels.__slots__)
    assert len(evaluation.panels) == count > 5
    for table in evaluation.panels.values():
        assert len(table.to_pandas()) == len(table) > 0
    document = json.loads(evaluation.content("json"))
    assert {one["title"] for one in document["panels"]["tables"]} <= set(evaluation.panels)


def test_flags_are_checks_and_limits():
    table = {"h": [1, 2, 3, 4] * 20, "e": [4, 3, 2, 1] * 20}
    flags = adjudge.scoring(table, raters=["h"], prediction="e", min=1, max=4, replicates=100).flags.to_pandas()
    assert "limit" in set(flags["kind"])
    assert "flagged" in set(flags["verdict"])


def test_flags_hold_what_was_required():
    flags = adjudge.evaluate(LABELS, reference="y", prediction="m", require=["accuracy >= 0.99"], replicates=100).flags
    row = flags.records()[0]
    assert (row["kind"], row["verdict"], row["estimate"]) == ("requirement", "inconclusive", 0.75)


def test_items_of_a_trial_have_arms_and_outcomes():
    table = {"y": [1.0, 0.0, 1.0, 0.0] * 5, "arm": ["control", "pill"] * 10, "m": [0.1, 0.2, 0.3, 0.4] * 5}
    items = adjudge.uplift(table, outcome="y", treatment="arm", score="m", replicates=100).items.records()
    assert [(one["treated"], one["score"]) for one in items[:2]] == [(False, 0.1), (True, 0.2)]


def test_every_task_offers_items():
    assert all("items" in {one.name for one in task_named(name).takes_away} for name in task_names())


def test_what_a_task_does_not_offer_is_refused():
    evaluation = adjudge.evaluate(LABELS, reference="y", prediction="m", replicates=100)
    with pytest.raises(AdjudgeError, match=r"must be one that classification offers, .*, not \"queue\"\."):
        _ = evaluation.queue
    with pytest.raises(AdjudgeError, match=r"must end in one of .csv, .safe.csv, .tsv, .jsonl, .parquet"):
        evaluation.items.write("items.xlsx")


def test_a_saved_evaluation_has_pictures_but_no_items(tmp_path):
    loaded = adjudge.load(rated().save(tmp_path / "x.adjudge"))
    assert len(loaded.panels["Adjudication queue"]) == 2
    with pytest.raises(AdjudgeError, match="which a saved evaluation does not hold"):
        _ = loaded.items


def test_items_of_a_streamed_agreement_say_why_not():
    with pytest.raises(AdjudgeError, match=r"`queue` must have all items at once"):
        rated(engine="stream").queue.records()


def test_items_are_the_same_from_every_engine(tmp_path):
    path = tmp_path / "t.parquet"
    pd.DataFrame({"y": ["a", "b", "a", "b"] * 50, "m": ["a", "b", "b", "b"] * 50}).to_parquet(path)
    given = {"reference": "y", "prediction": "m", "replicates": 100}
    tables = [adjudge.evaluate(path, engine=engine, **given).items.to_pandas() for engine in ("stream", "threads")]
    pd.testing.assert_frame_equal(*tables)


def test_a_stream_that_is_read_once_has_no_items():
    import pyarrow as pa

    reader = pa.table({"y": ["a", "b"], "m": ["a", "a"]}).to_reader()
    evaluation = adjudge.evaluate(reader, reference="y", prediction="m", replicates=100)
    with pytest.raises(AdjudgeError, match="A stream can be read once"):
        evaluation.items.records()


@pytest.mark.parametrize("ending", [".csv", ".safe.csv", ".tsv", ".jsonl", ".parquet"])
def test_systems_that_say_other_things_have_the_same_columns(ending: str, tmp_path: Path) -> None:
    """One has labels, one a score that decides, one a score that is no probability and decides nothing."""
    table = {"y": ["a", "b"] * 6, "p": ["a", "b", "b"] * 4, "s": [0.1, 0.9, 0.4] * 4, "u": [2.0, -3.0, 1.0] * 4}
    systems = {"one": {"prediction": "p"}, "two": {"score": "s"}, "three": {"score": "u"}}
    items = adjudge.evaluate(table, reference="y", systems=systems, positive="a", replicates=100).taken("items")
    columns = ["row", "system", "reference", "prediction", "right", "score", "loss", "influence"]
    assert all(list(record) == columns for record in items.records())
    assert items.to_arrow().column_names == columns
    read = open_source(str(items.write(tmp_path / f"items{ending}")))
    assert list(read.column_names) == columns
    (batch,) = read.batches(["system", "prediction"], ["score"], 1_000)
    said = text_column(batch, "prediction").codes >= 0
    scored = np.isfinite(number_column(batch, "score").values)
    assert (said.sum(), scored.sum()) == (24, 24)
