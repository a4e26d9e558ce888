"""Arguments of functions that are of no kind a function takes: each is refused in a sentence."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.fuzz.checks import check_message
from tests.fuzz.values import deep

import adjudge
from adjudge import metrics
from adjudge.diagnosis.checks.watching import role_columns
from adjudge.errors import MOST_SAID, AdjudgeError, BadValue, InputError, SettingError
from adjudge.evaluation.gates.file import gate_of
from adjudge.evaluation.gates.requirements import Requirement
from adjudge.interop import ml_metrics
from adjudge.interop.feedback_forensics import annotation_metrics, strength_percentiles
from adjudge.interop.formats import as_table, asked_in, queue_tasks, read_export
from adjudge.interop.rsmtool import run_evaluation
from adjudge.interop.rsmtool_outputs import is_output_folder, read_outputs
from adjudge.interop.yggdrasil import one_sided_mcnemar
from adjudge.metrics.base import Metric
from adjudge.report.cubes import cube_of, evaluate_cube

TABLE: dict[str, list[Any]] = {
    "id": list(range(12)),
    "y": list("abab" * 3),
    "p": list("abba" * 3),
    "q": list("aabb" * 3),
    "ms": [0.1, 0.9, 0.2] * 4,
}
CHOICES = Path(__file__).parents[1] / "golden" / "formats" / "label_studio" / "choices.json"
ODD: dict[str, Any] = {
    "true": True,
    "number": 0,
    "digits": 10**5000,
    "signalling": Decimal("sNaN"),
    "array": np.array([1.0, 2.0]),
    "set": {"a"},
    "deep": deep(1500),
    "no text": object(),
    "bytes": b"\xff",
}
EVALUATION = adjudge.evaluate(TABLE, reference="y", prediction="p", slices="q", replicates=100)


def share(reference: Any, prediction: Any) -> float:
    return float(np.mean(reference == prediction))


ASKED: dict[str, Callable[[Any], object]] = {
    "load": adjudge.load,
    "gate": adjudge.Gate.read,
    "purpose": adjudge.adequacy,
    "report": EVALUATION.report,
    "save": EVALUATION.save,
    "write a table": EVALUATION.write_table,
    "taken": EVALUATION.taken,
    "slice": EVALUATION.slice,
    "form": EVALUATION.content,
    "metric of an evaluation": EVALUATION.get,
    "system of an evaluation": lambda odd: EVALUATION.get("accuracy", system=odd),
    "metric of an estimate": lambda odd: adjudge.estimate(odd, TABLE["y"], TABLE["p"]),
    "references": lambda odd: adjudge.metric(share, name="share", references=odd),
    "characteristics": lambda odd: adjudge.tradeoffs(TABLE, ["p", "q"], odd),
    "pilot": lambda odd: adjudge.plan("accuracy >= 0.8", pilot=odd, reference="y", prediction="p"),
    "prediction of two tables": lambda odd: adjudge.compare(TABLE, TABLE, id="id", reference="y", prediction=[odd]),
    "evidence of a gate": lambda odd: gate_of({"gate": {"require": [odd]}, "evidence": []}),
    "margin": lambda odd: adjudge.evaluate(TABLE, reference="y", prediction=["p", "q"], margin={"accuracy": odd}),
    "mean of people": lambda odd: adjudge.metrics.difference_of_standardized_means(
        [1, 2], [1, 2], human_mean=[odd], human_sd=1
    ),
    "steps": lambda odd: cube_of(EVALUATION, 8, odd),
    "cube": evaluate_cube,
    "slices of a cube": lambda odd: evaluate_cube(cube_of(EVALUATION), odd),
    "evaluation of a cube": cube_of,
    "export": read_export,
    "export of a queue": asked_in,
    "question": lambda odd: asked_in(CHOICES, odd),
    "configuration": lambda odd: run_evaluation(odd, "/dev/null/x"),
    "folder": read_outputs,
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("asked", ASKED)
def test_an_argument_of_no_kind_is_refused(asked: str, odd: str) -> None:
    with pytest.raises(AdjudgeError) as refusal:
        ASKED[asked](ODD[odd])
    check_message(str(refusal.value))


@pytest.mark.parametrize("name", ["9" * 5000, "\0", "\ud800", "~nobody/x"])
def test_a_name_no_file_can_have_is_refused(name: str) -> None:
    assert not is_output_folder(name)
    for read in (read_export, read_outputs, adjudge.load, adjudge.Gate.read):
        with pytest.raises(InputError):
            read(name)  # type: ignore[operator]
    with pytest.raises(AdjudgeError):
        adjudge.evaluate(name + ".json", "preference")


def test_a_number_is_no_file() -> None:
    for read in (adjudge.load, adjudge.Gate.read):
        with pytest.raises(InputError, match="named by its path"):
            read(1)  # type: ignore[operator]
    sys.stdout.write("")  # 1 was read and closed, which is what is printed to


@pytest.mark.parametrize("ends", [itertools.count(), range(10**9)])
def test_a_list_without_an_end_is_refused(ends: object) -> None:
    with pytest.raises(SettingError, match="`raters` must be the name of a column, or a list of names"):
        adjudge.evaluate(TABLE, "agreement", raters=ends)


def test_columns_in_lists_in_lists_are_no_columns() -> None:
    assert role_columns({"systems": {"a": deep(1500)}}, "prediction") == []
    with pytest.raises(SettingError):
        adjudge.evaluate(TABLE, reference="y", systems={"a": deep(1500)})


@pytest.mark.parametrize("first", [None, np.array(5)])
@pytest.mark.parametrize("metric", ["accuracy", "pearson", "krippendorff_alpha", "roc_auc"])
def test_the_first_array_must_be_one(metric: str, first: object) -> None:
    with pytest.raises(SettingError, match="must be in a list or an array"):
        getattr(adjudge.metrics, metric)(first, [1, 2])


@pytest.mark.parametrize(
    "field", [{"flag_column": np.array([1.0, 2.0])}, {"custom_sections": [10**5000]}, {"description": {1j: 2}}]
)
def test_a_configuration_holds_what_json_can_write(field: dict[str, Any], tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("id,raw,h1\n" + "".join(f"{row},{1 + row % 4},{1 + row % 3}\n" for row in range(20)))
    scores = {"system_score_column": "raw", "human_score_column": "h1", "id_column": "id", "trim_min": 1, "trim_max": 5}
    config = {"experiment_id": "e", "predictions_file": str(table)} | scores | field
    with pytest.raises(SettingError) as refusal:
        run_evaluation(config, tmp_path / "out", replicates=100)
    check_message(str(refusal.value))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("level", [None, "0.9", [0.9]])
def test_a_level_is_a_number(level: Any) -> None:
    with pytest.raises(SettingError, match="`level` must"):
        adjudge.estimate("accuracy", TABLE["y"], TABLE["p"], level=level)


def test_a_refusal_is_never_longer_than_a_screen() -> None:
    message = str(InputError(f"A value must be short, not {'x' * 100_000}. Shorten it."))
    assert len(message) < MOST_SAID + 10
    assert message.startswith("A value must be short")
    assert message.endswith("xx. Shorten it.")
    assert str(InputError("x" * MOST_SAID)) == "x" * MOST_SAID


@pytest.mark.parametrize("categories", [5, "xy", b"xy", {"x": 1}, {"x", "y"}, 0.5, object()])
@pytest.mark.parametrize("metric", [metrics.accuracy, metrics.cohen_kappa, metrics.fleiss_kappa])
def test_categories_that_are_no_list(metric: Metric, categories: Any) -> None:
    with pytest.raises(SettingError, match="`categories` must be a list of labels, not "):
        metric(["x", "y", "x"], ["x", "y", "y"], categories=categories)


def test_a_beta_whose_square_is_no_number() -> None:
    with pytest.raises(SettingError, match=r"`beta` must be at most 1e\+100, not 1e\+200\."):
        metrics.f_score.using(beta=1e200)


@pytest.mark.parametrize("value", [np.array([1, 2]), ["a"], object()])
def test_rows_are_chosen_by_plain_values(value: object) -> None:
    table = adjudge.evaluate({"y": ["a", "b"] * 10, "m": ["a", "b"] * 10}, reference="y", prediction="m").table
    with pytest.raises(SettingError, match="`n` must be a text or a number, not "):
        table.where(n=value)
    assert len(table.where(n=np.int64(20))) == len(table.where(n=20)) > 0


@pytest.mark.parametrize("value", ["0.9", [0.9], True, object(), 1j])
def test_numbers_of_a_requirement(value: Any) -> None:
    for name in ("confidence", "false_alarm", "minimum_n", "margin"):
        with pytest.raises(SettingError, match=f"`{name}` must be a number, not "):
            Requirement("accuracy", at_least=0.8, **{name: value})
    with pytest.raises(SettingError, match="`confidence` must be a number, not "):
        adjudge.plan("accuracy >= 0.8", expect=0.9, confidence=value)


NO_KIND: tuple[Any, ...] = (np.array([1.0, 2.0]), pd.DataFrame({"a": [1]}), pd.NA, ["a"], object(), 1j, 10**5000)
VOTES = np.array([0, 1, 1], dtype=np.int8)
BORDER: dict[str, Callable[[Any], object]] = {
    "items": lambda odd: EVALUATION.save("/dev/null", with_items=odd),
    "everything": lambda odd: EVALUATION.show(everything=odd),
    "safe": lambda odd: EVALUATION.write_table_as_csv("/dev/null", safe=odd),
    "form of a plan": lambda odd: adjudge.plan("accuracy >= 0.9", expect=0.95).content(odd),
    "state": lambda odd: EVALUATION.table.where(state=odd),
    "average": lambda odd: metrics.f_score.averaged(odd),
    "looks": lambda odd: adjudge.Gate.of("accuracy >= 0.5").judge(EVALUATION, looks=odd),
    "votes": lambda odd: annotation_metrics(VOTES, odd),
    "reference of votes": lambda odd: annotation_metrics(odd, VOTES),
    "compatible": lambda odd: annotation_metrics(VOTES, VOTES, compatible=odd),
    "agreed": lambda odd: strength_percentiles(odd, 1, 5),
    "total": lambda odd: strength_percentiles(1, 1, odd),
    "discordant": one_sided_mcnemar,
    "solution": lambda odd: ml_metrics.weighted_mean_quadratic_weighted_kappa(odd, ESSAYS),
    "submission": lambda odd: ml_metrics.weighted_mean_quadratic_weighted_kappa(ESSAYS, odd),
    "shown": lambda odd: queue_tasks([], "prodigy", blind=odd),
    "export": as_table,
    "silenced": lambda odd: adjudge.estimate("accuracy", TABLE["y"], TABLE["p"], ok=odd),
    "tables": lambda odd: adjudge.adequacy({}, odd),
    "by": lambda odd: ml_metrics.essay_sets(TABLE, reference="ms", prediction="ms", by=odd),
}
ESSAYS = pd.DataFrame({"essay_set": [1, 1], "essay_weight": [1, 1], "essay_score": [1, 2]})


@pytest.mark.parametrize("place", range(len(NO_KIND)))
@pytest.mark.parametrize("asked", BORDER)
def test_arguments_are_of_the_kind_that_is_annotated(asked: str, place: int) -> None:
    with pytest.raises(AdjudgeError) as refusal:
        BORDER[asked](NO_KIND[place])
    check_message(str(refusal.value))


def test_votes_are_counted_parts_of_a_whole() -> None:
    for counts in ((-1, 2, 5), (3, 3, 5), (1, 1, 10**9)):
        with pytest.raises(AdjudgeError):
            strength_percentiles(*counts)
    for votes in (VOTES[:2], VOTES + 8, VOTES[:, None]):
        with pytest.raises(BadValue, match="from 0 to 7"):
            annotation_metrics(VOTES, votes)


@pytest.mark.parametrize(
    "odd", [pa.array([1, None]), iter([1, 2]), np.array(5), np.zeros((2, 2)), pl.DataFrame({"a": [1]})]
)
def test_ratings_of_another_tool(odd: Any) -> None:
    for asked in (ml_metrics.histogram, lambda odd: ml_metrics.kappa(odd, [1, 2])):
        try:
            asked(odd)
        except AdjudgeError as error:
            check_message(str(error))


def test_a_parameter_that_cannot_be_compared() -> None:
    for metric, parameters in (
        (metrics.cohen_kappa, {"weighting": deep(1500)}),
        (metrics.percent_agreement, {"tolerance": Decimal("sNaN")}),
    ):
        with pytest.raises(SettingError, match="must have parameters of their kind"):
            metric.using(**parameters)


@pytest.mark.parametrize("metric", ["krippendorff_alpha", "cohen_kappa", "accuracy", "preference_accuracy", "pearson"])
def test_a_table_of_arrow_is_no_array(metric: str) -> None:
    table = pa.table({"a": [1, 2, 3], "b": [1, 2, 2]})
    for arrays in ((table,), (table, [1, 2, 3]), ([1, 2, 3], table)):
        with pytest.raises(SettingError, match="list or an array, but some are of type Table"):
            getattr(metrics, metric)(*arrays)


@pytest.mark.filterwarnings("error")
def test_small_numbers_of_numpy_do_not_overflow() -> None:
    assert metrics.f_score.using(beta=np.float32(0.5))(["a", "b"], ["a", "a"], positive="a") > 0.5
    votes: Any = (np.int8(90), np.int8(30), np.int16(130))
    assert strength_percentiles(*votes) == strength_percentiles(90, 30, 130)


def test_names_and_folders_that_are_none(tmp_path: Path) -> None:
    axes = [{"characteristic": name, "metric": "accuracy", "column": ["y", "{system}"]} for name in ("one", "two")]
    for odd in (np.array(5), 5, [["p"], "q"], [None, "q"], [0.5, "q"]):
        with pytest.raises(SettingError, match="`systems` must be a list"):
            adjudge.tradeoffs(TABLE, odd, axes)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="`cluster` must be a text or left out"):
        adjudge.tradeoffs(TABLE, ["p", "q"], axes, cluster=np.array([1.0, 2.0]))  # type: ignore[arg-type]
    for folder in (0.5, ["x"], b"x", np.array([1])):
        with pytest.raises(SettingError, match="`output_dir` must be a text or a path"):
            run_evaluation({}, folder)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("error")
def test_a_lazy_frame_beside_an_array_is_refused_without_a_warning() -> None:
    with pytest.raises(AdjudgeError):
        adjudge.evaluate(pl.LazyFrame({"a": [1, 2]}), [1, 2])


def test_half_a_width_beyond_any_float() -> None:
    with pytest.raises(SettingError, match="`half_width` must be narrower than all that accuracy can be"):
        adjudge.plan("accuracy", expect=0.9, half_width=10**400)


@pytest.mark.parametrize("metric", ["brier_score", "log_loss", "roc_auc", "calibration_error"])
@pytest.mark.parametrize("far", [1e80, -1e80, 1e300])
def test_scores_beyond_what_tables_hold_are_refused_in_arrays_too(metric: str, far: float) -> None:
    with pytest.raises(BadValue, match="Scores must lie within"):
        adjudge.estimate(metric, [0, 1] * 8, [far, 0.2] * 8, positive=1)
