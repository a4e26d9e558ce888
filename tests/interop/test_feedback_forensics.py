"""Feedback Forensics 0.5.0 on the same files: every key, and every value where it is right."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.fuzz.beside import PAIRS

import adjudge
from adjudge.data.formats.pair_tables import open_pairs
from adjudge.data.judgements.votes import A, B
from adjudge.errors import AdjudgeError, ColumnNotFound, InputError, SettingError
from adjudge.interop.feedback_forensics import (
    DatasetHandler,
    VotesColumn,
    annotation_metrics,
    main,
    overall_metrics,
    strength_percentiles,
)

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "preference.json").read_text())
VIEWS = [(name, view) for name, answers in GOLDEN["answers"].items() for view in answers["views"]]
LIMITS = ("ci_lower_95", "ci_lower_90", "ci_upper_90", "ci_upper_95")


def handler_of(name: str, view: str, **given: Any) -> DatasetHandler:
    against = view.partition("refs=")[2]
    handler = DatasetHandler(against.split("+") if against else (), compatible=True, **given)
    handler.add_data_from_annotated_pairs(GOLDEN["datasets"][name], name)
    if view.startswith("model_columns"):
        handler.set_annotator_cols([one for one in handler.get_available_annotator_visible_names() if "Model: " in one])
    return handler


def same(found: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        assert list(found) == list(expected) or set(found) == set(expected)
        for key, value in expected.items():
            if key not in LIMITS:  # the peer draws those: see test_limits_are_within_a_vote_or_two
                same(found[key], value)
    elif expected in ("nan", None):
        assert found is None or math.isnan(found)
    else:
        assert found == (pytest.approx(expected, rel=0, abs=1e-9) if isinstance(expected, float) else expected)


@pytest.mark.parametrize(("name", "view"), VIEWS)
def test_every_key_and_value(name: str, view: str) -> None:
    handler, expected = handler_of(name, view), GOLDEN["answers"][name]["views"][view]
    same(handler.get_overall_metrics(), expected["overall"])
    same(handler.get_annotator_metrics(), expected["annotator"])


@pytest.mark.parametrize(("name", "view"), VIEWS)
def test_limits_are_within_a_vote_or_two(name: str, view: str) -> None:
    found, expected = (
        handler_of(name, view).get_annotator_metrics(),
        GOLDEN["answers"][name]["views"][view]["annotator"],
    )
    for column, of_column in expected.items():
        votes = of_column["num_pairs"] + 3
        for trait, limits in of_column["metrics"]["strength_ci"].items():
            ours = found[column]["metrics"]["strength_ci"][trait]
            assert [abs(ours[key] - limits[key]) * votes < 2.01 for key in LIMITS] == [True] * 4


def test_merged_files(tmp_path) -> None:
    for name, file in GOLDEN["merge"]["input"].items():
        (tmp_path / f"{name}.json").write_text(json.dumps(file))
    source = open_pairs(str(tmp_path / "first.json"), [str(tmp_path / "second.json")])
    assert source.column_names[0] == "id"
    assert source.pairs.notes["Votes that two files give differently, of which the first stands"] == "1"
    handler = DatasetHandler(compatible=True)
    handler.add_data_from_annotated_pairs(GOLDEN["merge"]["merged"], "merged")
    same(handler.get_overall_metrics(), GOLDEN["merge"]["metrics"]["overall"])
    same(handler.get_annotator_metrics(), GOLDEN["merge"]["metrics"]["annotator"])
    paths = [str(tmp_path / f"{name}.json") for name in ("first", "second")]
    ours = adjudge.preference(paths[0], merge=paths[1:], replicates=100)
    for label, value in GOLDEN["merge"]["metrics"]["annotator"]["merged"]["metrics"]["relevance"].items():
        assert ours.get("preference_relevance(over=reference)", system=f"AI: {label}").value == pytest.approx(value)


def test_where_the_peer_is_not_right_the_value_is_ours() -> None:
    reference, never = np.array([0, 1, 0], dtype=np.int8), np.array([2, 2, 7], dtype=np.int8)
    assert math.isnan(annotation_metrics(reference, never)["acc"])
    assert annotation_metrics(reference, never, compatible=True)["acc"] == 0.5
    assert annotation_metrics(reference, never, compatible=True)["cohens_kappa"] == 0.0
    lean = np.zeros(3, dtype=np.int8)
    assert annotation_metrics(lean, lean)["agreement_binomial_significance"]["p_value"] == 0.25
    assert annotation_metrics(lean, lean, compatible=True)["agreement_binomial_significance"]["p_value"] == 0.125


def test_percentiles_are_those_of_many_draws() -> None:
    drawn = np.random.default_rng(1).multinomial(33, np.array([15, 5, 13]) / 33, size=200_000)
    strengths = (drawn[:, 0] - drawn[:, 1]) / 33
    exact = strength_percentiles(14, 4, 30)
    assert list(exact.values()) == pytest.approx(np.percentile(strengths, [2.5, 5, 95, 97.5]), abs=1e-9)


def test_splits_and_messages(tmp_path) -> None:
    handler = DatasetHandler()
    handler.add_data_from_annotated_pairs(GOLDEN["merge"]["input"]["first"], "one")
    with pytest.raises(ColumnNotFound):
        handler.set_annotator_rows(["nobody"])
    handler.split_by_col("category")
    assert list(handler.get_overall_metrics()) == ["None", "chat", "code", "maths"]
    with pytest.raises(SettingError):
        handler.split_by_col("category")


@pytest.mark.parametrize("odd", [["m"], {"m": 1}, 3])
def test_a_model_of_the_first_format_may_be_anything(odd) -> None:
    votes = {"x": {"pref": "text_a"}}
    models = [("m", odd), ("m", "n"), (odd, "n")]
    pairs = [
        {"text_a": f"yes {row}", "text_b": "no", "metadata": {"model_a": a, "model_b": b}, "annotations": votes}
        for row, (a, b) in enumerate(models)
    ]
    handler = DatasetHandler()
    handler.add_data_from_annotated_pairs({"annotators": {"x": {"type": "human"}}, "comparisons": pairs}, "first")
    assert {"Model: m", "Model: n"} <= set(handler.get_available_annotator_visible_names())


def test_as_a_command(tmp_path, capsys) -> None:
    path = tmp_path / "d2_models.json"
    path.write_text(json.dumps(GOLDEN["datasets"]["d2_models"]))
    ran = subprocess.run(
        [sys.executable, "-m", "adjudge.interop.feedback_forensics", "-d", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["overall"]["d2_models"]["Number of preference pairs"] == 50
    broken = tmp_path / "broken.json"
    broken.write_text('{"annotators": {"x": {}},\n"comparisons": [{"text_a": "x", "text_b": "y", "annotations": 3}]}')
    assert main(["-d", str(path), str(broken), "--check"]) == 2
    said = capsys.readouterr().out
    assert "d2_models.json: can be read" in said
    assert "on line 2" in said


def test_one_text_without_the_other_has_no_length() -> None:
    votes = np.array([A, B, A])
    for texts in ({"text_a": ["x", "yy", "z"]}, {}):
        pairs: Any = SimpleNamespace(votes={"me": votes}, columns=texts)
        metrics = overall_metrics(VotesColumn("me", pairs, "me", np.arange(3)))
        assert metrics["Number of preference pairs"] == 3
        assert metrics["Prop selecting longer text"] is None
        assert np.isnan(metrics["Avg len text_a (chars)"])


@pytest.mark.parametrize("odd", [5, None, [], [5.5], [["a"]], {"a": 1}, b"x"])
def test_odd_names_are_refused(odd: object) -> None:
    handler = DatasetHandler()
    with pytest.raises(SettingError, match="added before"):
        handler.get_available_annotators()
    with pytest.raises(SettingError, match="added before"):
        handler.split_by_col("model_a")
    handler.add_data_from_annotated_pairs(next(iter(PAIRS.values())), "pairs")
    for ask in (handler.set_annotator_rows, handler.set_annotator_cols):
        with pytest.raises(AdjudgeError):
            ask(odd)  # type: ignore[arg-type]
    with pytest.raises(AdjudgeError):
        handler.split_by_col(odd)  # type: ignore[arg-type]
    alone = handler.get_available_annotator_visible_names()[0]
    handler.set_annotator_rows(alone)  # one name is no list of letters
    assert handler.rows == [alone]


@pytest.mark.parametrize(
    "text",
    [
        '{"comparisons": ' + "[" * 5000 + "]" * 5000 + "}",
        '{"a":' * 3000 + "1" + "}" * 3000,
        '{"y": ' + "[" * 5000 + "}",
    ],
    ids=["pairs", "objects", "cut off"],
)
def test_pairs_that_are_nested_without_end_are_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "deep.json").write_text(text)
    with pytest.raises(InputError, match=r'^"deep\.json" must be annotated pairs, but is nested too deeply\.'):
        DatasetHandler().add_data_from_path(tmp_path / "deep.json")
