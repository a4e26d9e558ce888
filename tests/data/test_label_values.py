"""Labels that are compared meet by value, alike from every file and frame."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import adjudge
from adjudge import metrics
from adjudge.data.label_values import AS_NUMBERS, AS_WRITTEN, BY_VALUE, called, kind_of, meeting_of
from adjudge.errors import AdjudgeError

BLANK = {"label": [1, 0, 2, 0, 1, 2], "guess": [1, 1, 2, None, 0, 2]}


def accuracy(table: Any, **given: Any) -> float:
    given = {"reference": "label", "prediction": "guess", "replicates": 100, "metrics": ["accuracy"]} | given
    return adjudge.evaluate(table, **given)["accuracy"].value


def test_an_integer_column_with_a_blank_is_the_same_from_a_file_as_from_the_frame(tmp_path: Path) -> None:
    frame = pd.DataFrame(BLANK)
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert "1,1.0" in (tmp_path / "t.csv").read_text()
    pq.write_table(pa.table(BLANK), tmp_path / "t.parquet")
    tables = [frame, tmp_path / "t.csv", tmp_path / "t.parquet", pl.DataFrame(BLANK), BLANK]
    found = [adjudge.evaluate(table, reference="label", prediction="guess", replicates=100) for table in tables]
    assert all(list(e.table) == list(found[0].table) for e in found)
    assert found[0]["accuracy"].value == pytest.approx(3 / 5)
    rated = [adjudge.agreement(t, raters=["label", "guess"], measurement="ordinal", replicates=100) for t in tables]
    assert all(list(e.table) == list(rated[0].table) for e in rated)
    assert rated[0]["percent_agreement"].value == pytest.approx(3 / 5)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 0, 2, 0, 1, 2], pa.int8()),
        ([1.0, 0.0, 2.0, 0.0, 1.0, 2.0], pa.float32()),
        ([Decimal("1.00"), Decimal("0.00"), Decimal("2.00"), Decimal("0.00"), Decimal("1.00"), Decimal("2.00")], None),
        (["1.0", "0.0", "2", "0", "1e0", "+2"], pa.string()),
    ],
)
def test_typed_columns_meet_the_same_labels(values: list[Any], kind: Any) -> None:
    table = pa.table({"label": pa.array(values, kind), "guess": pa.array(["1", "1", "2", "0", "0", "2"])})
    assert accuracy(table) == pytest.approx(4 / 6)
    coded = table.set_column(0, "label", table.column("label").dictionary_encode())
    assert accuracy(coded) == pytest.approx(4 / 6)


@pytest.mark.parametrize("said", [[1, 0, 1, 1], ["true", "false", "true", "true"], ["TRUE", "FALSE", "1", "1.0"]])
def test_booleans_meet_zero_and_one(said: list[Any], tmp_path: Path) -> None:
    table = {"label": [True, False, True, False], "guess": said}
    assert accuracy(table) == 0.75
    pd.DataFrame(table).to_csv(tmp_path / "t.csv", index=False)
    assert accuracy(tmp_path / "t.csv") == 0.75
    assert adjudge.agreement(table, raters=["label", "guess"], replicates=100)["percent_agreement"].value == 0.75
    assert metrics.accuracy(table["label"], said) == metrics.percent_agreement(table["label"], said) == 0.75
    assert adjudge.estimate(metrics.accuracy, table["label"], said).value == 0.75


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_words_beside_numbers_keep_every_label_as_written(engine: str) -> None:
    labels = ["1", "1.0", "01", "true", "True", "a"]
    e = adjudge.evaluate({"label": labels, "guess": labels}, reference="label", prediction="guess", engine=engine)
    assert set(e.outcome.data.categories) == set(labels)
    assert e["accuracy"].value == 1
    alone = adjudge.evaluate(
        {"label": ["01", "2"] * 3, "guess": ["01", "2"] * 3}, reference="label", prediction="guess"
    )
    assert alone.outcome.data.categories == ["01", "2"]


def test_what_is_named_beside_the_table_meets_by_value_too() -> None:
    table = {"label": ["1.0", "0.0"] * 10, "p": [0.8, 0.3] * 10, "q": [0.2, 0.7] * 10}
    for positive in (1, "1", "1.0", True):
        assert adjudge.evaluate(table, reference="label", score="p", positive=positive)["roc_auc"].value == 1
    each = adjudge.evaluate(table, reference="label", score={1: "p", "0": "q"})
    assert each["accuracy"].value == 1
    rated = {"a": [1.0, 2.0, 3.0, None] * 5, "b": ["1", "2", "2", "3"] * 5}
    for scale in ([1, 2, 3, 4], ["1.0", "2.0", "3.0", "4.0"]):
        e = adjudge.agreement(rated, raters=["a", "b"], measurement="ordinal", scale=scale)
        assert e["percent_agreement"].value == pytest.approx(2 / 3)
    assert metrics.recall(["1.0", "0"], [1, 1], positive="1") == metrics.recall(["1", "0"], [1, 1], positive=1.0) == 1


def test_labels_in_sets_meet_by_value() -> None:
    table = {"ann": ["1.0|2", "3", "2"] * 5, "ben": ["2.0|1", "3.0", "1"] * 5}
    e = adjudge.agreement(table, raters=["ann", "ben"], measurement="sets")
    assert e["same_set_agreement"].value == pytest.approx(2 / 3)
    assert metrics.same_set_agreement([[{1.0, 2}, {"1", "2.0"}], [{3}, {"a"}]]) == 0
    assert metrics.same_set_agreement([[{1.0, 2}, {"1", "2.0"}], [{3}, {"4"}]]) == 0.5


def test_large_numbers_meet_exactly() -> None:
    assert called("9007199254740993") != called("9007199254740992")
    assert called("10000000000000000") == called("1e16") == "10000000000000000"
    assert called("0.30000000000000004") != called("0.3")
    assert called("-0.0") == "0"
    assert kind_of("1" * 50) == kind_of("٣") == "word"


def test_how_labels_meet_follows_from_facts_that_add() -> None:
    assert meeting_of({"number", "word"}) == BY_VALUE, "nothing is renamed, so nothing is read again"
    assert meeting_of({"number", "renamed", "word"}) == AS_WRITTEN
    assert meeting_of({"number", "boolean", "renamed"}) == AS_NUMBERS


def test_own_metrics_see_labels_that_met() -> None:
    from adjudge import metric

    hits = metric(lambda a, b: float(np.mean(a == b)), name="hits_of_values")
    assert hits(["1.0", "2"], ["1", "2.0"]) == 1
    assert hits([True, False], [1, 0]) == 1


def test_labels_that_cannot_meet_are_refused_on_arrays() -> None:
    for first, second in ((["Spam", "Ham"], ["spam", "ham"]), ([0, 1], ["no", "yes"])):
        for measured in (metrics.accuracy, metrics.percent_agreement, metrics.cohen_kappa):
            with pytest.raises(AdjudgeError, match="written alike"):
                measured(first, second)
    assert metrics.accuracy(["a"], ["b"]) == 0
