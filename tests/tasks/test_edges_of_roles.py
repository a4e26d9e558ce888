"""Roles and settings at the edges: what is refused, what is said of many, and what becomes a key."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from adjudge import metrics
from adjudge.data.judgements.label_sets import set_text
from adjudge.data.source import Batch, Text
from adjudge.errors import BadValue, SettingError
from adjudge.evaluation.adequacy.purpose_file import _trade
from adjudge.interop.formats import ExportQuestion, _argilla, _Queued
from adjudge.interop.rsmtool_data import Predictions, _refuse_repeated
from adjudge.statistics.curves.curve import Curve
from adjudge.tasks.agreement.checks import refuse_batch
from adjudge.tasks.agreement.set_panels import _sets_text
from adjudge.tasks.agreement.sets import check_separator
from adjudge.tasks.agreement.spans import _where
from adjudge.tasks.classification.panels import _score_panel
from adjudge.tasks.diagnostic.reading import SuiteReading


def test_labels_that_were_not_cut_are_refused() -> None:
    """Where one set has several labels, a label with a semicolon is a single one."""
    check_separator((set_text(["a"]), set_text(["b"])))
    check_separator((set_text(["a", "b"]), set_text(["c;d"])))
    with pytest.raises(SettingError, match="`separator` must be the character between labels"):
        check_separator((set_text(["a;b"]), set_text(["c"])))


def test_batches_are_refused_only_where_they_are_given() -> None:
    refuse_batch("set", {"batch": None, "item": "i"})
    with pytest.raises(SettingError, match="`batch` must be left out"):
        refuse_batch("set", {"batch": "b"})


@pytest.mark.parametrize(
    "roles",
    [
        {"item": "i", "rater": "r", "start": "s"},
        {"item": "i", "rater": "r", "start": "s", "end": "e", "rating": "x"},
        {"raters": ["a", "b"], "start": "s", "end": "e"},
    ],
)
def test_spans_in_rows_have_a_start_and_an_end_and_no_cells(roles: dict[str, object]) -> None:
    with pytest.raises(SettingError, match="Spans in rows must have"):
        _where(["i", "r", "s", "e", "x", "a", "b"], roles)


def test_what_many_raters_said_of_an_item_is_counted() -> None:
    """Up to six are named; of seven it is said how often each was given, the most frequent first."""
    assert _sets_text({"ann": "a", "bob": "b"}) == "ann: a; bob: b"
    assert _sets_text({f"r{place}": "b" if place < 2 else "a" for place in range(7)}) == "a ×5; b ×2"


def test_scores_that_are_no_probabilities_are_counted_from_their_lowest_to_their_highest() -> None:
    [curve] = metrics.roc_auc.statistic_of([1, 0, 1, 0], [5.0, -3.0, 2.0, 1.0], positive=1).curves
    assert isinstance(curve, Curve)
    panel = _score_panel("m", "1", curve)
    assert (panel.edges[0], panel.edges[-1]) == (-3.0, 5.0)
    assert (sum(panel.positives), sum(panel.negatives)) == (2.0, 2.0)


def test_what_is_traded_is_a_table_of_keys() -> None:
    with pytest.raises(SettingError, match=r"\[tradeoffs\] must be a table of keys"):
        _trade("accuracy", ["main"])
    with pytest.raises(SettingError, match="must be one of the tables"):
        _trade({"table": "other"}, ["main"])


def test_a_queue_that_is_blind_suggests_nothing() -> None:
    record = _Queued("i", 1, 0.5, {"a": 2}, "a", 0.9, ("a", "b"), {"text": "t"})
    [blind], [shown] = (json.loads(_argilla([record], ExportQuestion("q"), one)) for one in (True, False))
    assert blind["suggestions"] == {}
    assert shown["suggestions"] == {"q": {"value": "a", "score": 0.9, "agent": "adjudge"}}


def _ids(codes: list[int]) -> Predictions:
    return Predictions("file", {"id": Text(np.array(codes), ("x", "y"))}, len(codes), {})


def test_each_response_is_named_once() -> None:
    """One blank is a name like another; two are not, and neither is a name that comes twice."""
    _refuse_repeated(_ids([0, 1]), "id")
    _refuse_repeated(_ids([0, -1, 1]), "id")
    with pytest.raises(BadValue, match="2 blanks"):
        _refuse_repeated(_ids([-1, 0, -1]), "id")
    with pytest.raises(BadValue, match=r"y.* 2 times"):
        _refuse_repeated(_ids([1, 0, 1]), "id")


def test_a_case_without_a_template_is_a_unit_of_its_own() -> None:
    """Two cases of one template, and two of none, which have nothing in common."""
    batch = Batch(4, {"t": Text(np.array([0, 0, -1, -1]), ("x",))})
    columns = SimpleNamespace(case=None, group=None, template="t")
    keys = SuiteReading.keys_of(columns, batch, 0, np.arange(4))  # type: ignore[arg-type]
    assert keys[0] == keys[1]
    assert len(set(keys.tolist())) == 3
