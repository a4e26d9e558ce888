"""Every public function with usual arguments, one or two of them exchanged for something odd."""

from __future__ import annotations

import inspect
import io
import itertools
import json
import tempfile
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from tests.fuzz.exports import EXPORTS
from tests.fuzz.tables import tidy_columns
from tests.fuzz.values import ODD_NUMBERS, ODD_TEXTS, ODD_THINGS

import adjudge
from adjudge import metrics
from adjudge.data.formats.pair_tables import pairs_of
from adjudge.data.judgements.votes import A, B
from adjudge.inference.differences.paired_shares import PairedShares
from adjudge.interop import feedback_forensics, formats, ml_metrics, rsmtool, rsmtool_outputs, trec, yggdrasil
from adjudge.metrics.own import OWN
from adjudge.report.cubes import cube_of, evaluate_cube
from adjudge.tasks import task_named, task_names


class Textless:
    """What cannot be written."""

    def __repr__(self) -> str:
        raise RuntimeError("this has no text")


ARRAYS: tuple[Callable[[], Any], ...] = (
    list,
    dict,
    tuple,
    Textless,
    object,
    lambda: itertools.count(),
    lambda: iter(["a", "b"]),
    lambda: np.array(5),
    lambda: np.zeros((0, 3)),
    lambda: np.zeros((2, 2, 2)),
    lambda: np.array(["a", None, 3.0], dtype=object),
    lambda: np.array([1 + 2j]),
    lambda: np.array(["2020-01-01"], dtype="datetime64[D]"),
    lambda: np.ma.masked_array([1, 2], [True, False]),
    lambda: np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
    lambda: pd.Series(["a", "b"]),
    lambda: pd.DataFrame({"a": [1]}),
    lambda: pd.DataFrame({"a": [1]}).iloc[:0],
    lambda: pd.NA,
    lambda: pd.Categorical(["a"]),
    lambda: pl.Series(["a", None]),
    lambda: pl.DataFrame({"a": [2**127]}),
    lambda: pl.LazyFrame({"a": [1]}),
    lambda: pa.array([1, None]),
    lambda: pa.table({"a": ["x"]}),
    lambda: pa.chunked_array([[1]]),
    lambda: [[1, 2], [3]],
    lambda: [None],
    lambda: [["a"], {"b": 1}, None],
    lambda: {"y": [1, 2], "p": [1]},
    lambda: {1: 2},
    lambda: {"metric": "accuracy"},
    lambda: "accuracy",
    lambda: metrics.accuracy,
    lambda: adjudge.evaluate,
    lambda: io.StringIO("a,b\n1,2\n"),
    lambda: io.BytesIO(b"\xff"),
    lambda: Path("/no/such/file"),
    lambda: Path("."),
    lambda: "/dev/null",
    lambda: slice(1),
    lambda: ...,
    lambda: memoryview(b"ab"),
    lambda: frozenset({"a"}),
    lambda: bytearray(b"a"),
    lambda: Exception("x"),
    lambda: lambda row: row.nothing,
)


def odd_arguments() -> list[Callable[[], Any]]:
    """Everything odd that an argument may be."""
    return [
        *((lambda value=value: value) for value in (*ODD_TEXTS, *ODD_NUMBERS)),
        *ODD_THINGS,
        *ARRAYS,
    ]


class Call(NamedTuple):
    """A function with arguments that it takes, by name."""

    function: Callable[..., Any]
    usual: dict[str, Any]


TABLE: dict[str, list[Any]] = {
    "id": list(range(12)),
    "y": list("abab" * 3),
    "p": list("abba" * 3),
    "q": list("aabb" * 3),
    "ms": [0.1, 0.9, 0.2] * 4,
}
ROLES = {"reference": "y", "prediction": ["p", "q"], "slices": "q", "replicates": 100}
RATED = {"a": ["x", "y"] * 6, "b": ["x", "y", "y", "y"] * 3, "c": ["x", "y"] * 6, "d": ["x", "y"] * 6}
AXES = [
    {"characteristic": "accuracy", "metric": "accuracy", "column": ["y", "{system}"]},
    {"characteristic": "efficiency", "metric": "accuracy", "column": ["q", "{system}"]},
]
PAIR = {"id": "1", "response_a": {"text": "yes"}, "response_b": {"text": "no"}}
WHO = {"x": {"type": "human", "name": "ann"}, "y": {"type": "principle", "description": "is short"}}
PAIRS = {
    "metadata": {"version": "2.0", "default_annotator": "x"},
    "annotators": WHO,
    "comparisons": [PAIR | {"annotations": {"x": {"pref": "a"}, "y": {"pref": "a"}}}],
}
ESSAYS = pd.DataFrame({"essay_set": [1, 1, 1], "essay_weight": [1, 1, 1], "essay_score": [1, 2, 3]}, index=[11, 12, 13])
QUEUE = {"rank": 1, "item": "6", "disagreement": 1.0, "votes": {"a": 1, "b": 1}, "label": "a", "probability": 0.58}


def share(reference: Any, prediction: Any) -> float:
    return float(np.mean(np.asarray(reference) == np.asarray(prediction)))


@cache
def evaluation() -> adjudge.Evaluation:
    """One in the hand."""
    return adjudge.evaluate(TABLE, **ROLES)


def _tasks() -> dict[str, Call]:
    """Every task with its bundled table, some of its rows."""
    calls = {}
    for name in task_names():
        seed = next(seed for seed in range(1000) if tidy_columns(Random(seed))[2] == name)
        table, demo, _ = tidy_columns(Random(seed))
        settings = dict.fromkeys(set(inspect.signature(getattr(adjudge, name)).parameters) - {"table", "progress"})
        given = settings | dict(demo.given) | {"replicates": 100, "metrics": [task_named(name).metrics[0].name]}
        calls[name] = Call(getattr(adjudge, name), {"table": table} | given)
    return calls


def _asked_of_pairs(method: str) -> Callable[..., Any]:
    """A method of pairs that were just read, for it changes them."""

    def asked(**given: Any) -> Any:
        handler = feedback_forensics.DatasetHandler()
        handler.add_data_from_annotated_pairs(PAIRS, "one")
        return getattr(handler, method)(**given)

    return asked


def _interop(folder: Path) -> dict[str, Call]:
    """Other tools' functions by their own names."""
    votes = {"rater_a": [1, 2, 3], "rater_b": [1, 2, 2], "min_rating": 1, "max_rating": 3}
    column = feedback_forensics.VotesColumn("one", pairs_of(PAIRS), next(iter(pairs_of(PAIRS).votes)), np.arange(1))
    choices = EXPORTS / "label_studio" / "choices.json"
    config = {
        "experiment_id": "e",
        "predictions_file": str(folder / "scores.csv"),
        "system_score_column": "raw",
        "human_score_column": "h1",
        "id_column": "id",
        "trim_min": 1,
        "trim_max": 5,
    }
    return {
        "confusion_matrix": Call(ml_metrics.confusion_matrix, votes),
        "histogram": Call(ml_metrics.histogram, {"ratings": [1, 2], "min_rating": 0, "max_rating": 3}),
        "kappa": Call(ml_metrics.kappa, votes),
        "linear_weighted_kappa": Call(ml_metrics.linear_weighted_kappa, votes),
        "quadratic_weighted_kappa": Call(ml_metrics.quadratic_weighted_kappa, votes),
        "mean_quadratic_weighted_kappa": Call(
            ml_metrics.mean_quadratic_weighted_kappa, {"kappas": [0.5, 0.8], "weights": [1, 0.5], "cap": 0.9}
        ),
        "weighted_mean_quadratic_weighted_kappa": Call(
            ml_metrics.weighted_mean_quadratic_weighted_kappa,
            {
                "solution": ESSAYS,
                "submission": pd.DataFrame({"p": [3, 1, 2]}, index=[13, 11, 12]),
                "cap": None,
                "missing": "error",
            },
        ),
        "essay_sets": Call(
            ml_metrics.essay_sets,
            {
                "table": {
                    "set": [1] * 4 + [2] * 5,
                    "gold": [1, 2, 3, 2, 1, 2, 3, 4, 4],
                    "machine": [1, 2, 3, 3, 1, 2, 3, 4, 3],
                },
                "reference": "gold",
                "prediction": "machine",
                "by": "set",
                "weight": None,
                "weights": {1: 1, 2: 0.5},
                "cap": 0.9,
                "level": 0.9,
                "replicates": 100,
                "seed": 7,
            },
        ),
        "annotation_metrics": Call(
            feedback_forensics.annotation_metrics,
            {"reference": np.array([A, B], np.int8), "votes": np.array([A, A], np.int8), "compatible": False},
        ),
        "strength_percentiles": Call(
            feedback_forensics.strength_percentiles, {"agreed": 7, "disagreed": 2, "total": 10}
        ),
        "overall_metrics": Call(feedback_forensics.overall_metrics, {"column": column, "compatible": False}),
        "refuse_columns": Call(feedback_forensics.refuse_columns, {"path": folder / "pairs.json"}),
        "DatasetHandler": Call(feedback_forensics.DatasetHandler, {"reference_models": (), "compatible": False}),
        "add_data_from_path": Call(_asked_of_pairs("add_data_from_path"), {"path": folder / "pairs.json"}),
        "load_data_from_paths": Call(_asked_of_pairs("load_data_from_paths"), {"paths": [folder / "pairs.json"]}),
        "add_data_from_annotated_pairs": Call(
            _asked_of_pairs("add_data_from_annotated_pairs"), {"file": PAIRS, "name": "two"}
        ),
        "set_annotator_rows": Call(_asked_of_pairs("set_annotator_rows"), {"names": ["is short"]}),
        "set_annotator_cols": Call(_asked_of_pairs("set_annotator_cols"), {"names": ["ann"]}),
        "split_by_col": Call(_asked_of_pairs("split_by_col"), {"col": "text_a", "selected_vals": None}),
        "read_export": Call(
            formats.read_export, {"pick": {"question": "sentiment"}, "tables": ("ratings",), "*": choices}
        ),
        "as_table": Call(
            formats.as_table, {"imported_table": formats.read_export(choices, pick={"question": "sentiment"})}
        ),
        "asked_in": Call(
            formats.asked_in, {"export": choices, "question": "sentiment", "item": "id", "with_text": True}
        ),
        "queue_tasks": Call(
            formats.queue_tasks, {"queue": [QUEUE], "tool": "prodigy", "options": None, "blind": False}
        ),
        "run_evaluation": Call(
            rsmtool.run_evaluation,
            {
                "config": config,
                "output_dir": folder / "rsm",
                "overwrite_output": True,
                "file_format": None,
                "replicates": 100,
            },
        ),
        "is_output_folder": Call(rsmtool_outputs.is_output_folder, {"path": folder}),
        "read_outputs": Call(rsmtool_outputs.read_outputs, {"path": folder}),
        "trec": Call(
            trec.evaluate,
            {
                "qrels": EXPORTS / "trec" / "qrels.txt",
                "runs": [EXPORTS / "trec" / "run_a.txt"],
                "replicates": 100,
                "level": 0.9,
            },
        ),
        "one_sided_mcnemar": Call(yggdrasil.one_sided_mcnemar, {"pairs": PairedShares(0, 8, 2, 0)}),
    }


def calls(folder: Path) -> dict[str, Call]:
    """Every public function, and what is done with what it returns."""
    (folder / "pairs.json").write_text(json.dumps(PAIRS))
    scores = "".join(f"{row},{1 + row % 4},{1 + row % 3}\n" for row in range(20))
    (folder / "scores.csv").write_text("id,raw,h1\n" + scores)
    evaluation().save(folder / "e.adjudge")
    (folder / "gate.json").write_text(json.dumps({"gate": {"name": "g"}, "requirement": ["accuracy >= 0.5"]}))
    gate = adjudge.Gate.of("accuracy of p >= 0.5", name="g")
    plan = adjudge.plan("accuracy >= 0.9", expect=0.93)
    purpose = {"evidence": [{"characteristic": "integrity", "statement": "access review", "date": "2026-11-02"}]}
    adequate = adjudge.adequacy(purpose)
    of = evaluation()
    found = {
        "evaluate": Call(
            adjudge.evaluate,
            {"table": TABLE, "answers": None, "task": "classification", "labels": None, "progress": None, **ROLES},
        ),
        "evaluate arrays": Call(
            adjudge.evaluate, {"table": TABLE["y"], "answers": TABLE["p"], "labels": None, "replicates": 100}
        ),
        "estimate": Call(
            adjudge.estimate,
            {
                "metric": "accuracy",
                "reference": TABLE["y"],
                "prediction": TABLE["p"],
                "weights": None,
                "positive": "a",
                "categories": None,
                "method": None,
                "ok": (),
                "replicates": 100,
                "level": 0.9,
                "seed": 7,
                "bootstrap": "percentile",
            },
        ),
        "compare": Call(
            adjudge.compare,
            {
                "table": TABLE,
                "*": TABLE,
                "task": "classification",
                "id": "id",
                "names": ["one", "two"],
                "gold": None,
                "gold_raters": (),
                "part": None,
                "parts": (),
                "content": (),
                "progress": None,
                "reference": "y",
                "prediction": "p",
                "replicates": 100,
            },
        ),
        "compare gold": Call(
            adjudge.compare,
            {
                "table": TABLE,
                "*": TABLE,
                "id": "id",
                "names": ["one", "two"],
                "gold": TABLE,
                "gold_raters": ["q", "p"],
                "part": None,
                "parts": (),
                "content": (),
                "reference": "y",
                "prediction": "p",
                "replicates": 100,
            },
        ),
        "agreement_difference": Call(
            adjudge.agreement_difference,
            {
                "table": RATED,
                "first": ["a", "b"],
                "second": ["c", "d"],
                "metric": "krippendorff_alpha",
                "scale": None,
                "weight": None,
                "cluster": None,
                "level": 0.9,
                "replicates": 100,
                "seed": 7,
            },
        ),
        "load": Call(adjudge.load, {"path": folder / "e.adjudge"}),
        "metric": Call(
            adjudge.metric,
            {
                "function": share,
                "name": "mine",
                "label": "Mine",
                "direction": "higher",
                "range": (0, 1),
                "best": 1,
                "of": "prediction",
                "undefined": "none",
                "references": ("x",),
            },
        ),
        "plan": Call(
            adjudge.plan,
            {
                "question": "accuracy >= 0.9",
                "pilot": None,
                "task": "classification",
                "power": 0.8,
                "level": 0.95,
                "confidence": None,
                "half_width": None,
                "rows": None,
                "samples": 10,
                "seed": 7,
                "progress": None,
                "expect": 0.95,
                "difference": None,
                "part": None,
                "cluster_size": None,
                "slices": None,
            },
        ),
        "plan pilot": Call(
            adjudge.plan,
            {
                "question": "accuracy >= 0.9",
                "pilot": TABLE,
                "task": "classification",
                "samples": 20,
                "seed": 7,
                "reference": "y",
                "prediction": "p",
                "replicates": 100,
            },
        ),
        "adequacy": Call(adjudge.adequacy, {"purpose": purpose, "tables": None, "progress": None}),
        "tradeoffs": Call(
            adjudge.tradeoffs, {"table": TABLE, "systems": ["p", "q"], "characteristics": AXES, "cluster": None}
        ),
        "Gate.read": Call(adjudge.Gate.read, {"path": folder / "gate.json"}),
        "Gate.of": Call(adjudge.Gate.of, {"*": "accuracy >= 0.5", "name": "g"}),
        "Gate.evaluate": Call(gate.evaluate, {"table": TABLE, "progress": None, **ROLES}),
        "Gate.run": Call(gate.run, {"table": TABLE, "progress": None, **ROLES}),
        "Gate.plan": Call(gate.plan, {"rows": 100, "table": None, "pilot": of, "power": 0.8}),
        "Gate.plan table": Call(gate.plan, {"rows": None, "table": TABLE, "pilot": of, "power": 0.8}),
        "Gate.judge": Call(gate.judge, {"evaluation": of, "looks": None, "systems": None, "candidates": 0}),
        "Verdicts.to_markdown": Call(gate.judge(of).to_markdown, {"most": 100}),
        "Plan.content": Call(plan.content, {"form": "json"}),
        "Plan.write": Call(plan.write, {"path": folder / "plan", "form": "csv"}),
        "Adequacy.content": Call(adequate.content, {"form": "html"}),
        "Adequacy.write": Call(adequate.write, {"path": folder / "adequacy", "form": "json"}),
        "Adequacy[]": Call(adequate.__getitem__, {"_": "integrity"}),
        "Evaluation[]": Call(adjudge.evaluate(TABLE["y"], TABLE["p"]).__getitem__, {"_": "accuracy"}),
        "Evaluation.get": Call(
            of.get, {"metric": "accuracy", "system": "p", "slice": "all", "category": "", "method": "wilson"}
        ),
        "Evaluation.slice": Call(of.slice, {"column": "q"}),
        "Evaluation.taken": Call(of.taken, {"name": "items"}),
        "Evaluation.content": Call(of.content, {"form": "json"}),
        "Evaluation.report": Call(of.report, {"path": folder / "r.html"}),
        "Evaluation.save": Call(of.save, {"path": folder / "s", "with_items": True}),
        "Evaluation.show": Call(of.show, {"everything": False}),
        "Evaluation.write_markdown": Call(of.write_markdown, {"path": folder / "m"}),
        "Evaluation.write_json": Call(of.write_json, {"path": folder / "j"}),
        "Evaluation.write_table": Call(of.write_table, {"path": folder / "t.csv"}),
        "Evaluation.write_table_as_csv": Call(of.write_table_as_csv, {"path": folder / "c", "safe": True}),
        "TakenTable.write": Call(of.taken("items").write, {"path": folder / "i.csv"}),
        "table.where": Call(of.table.where, {"keep": None, "metric": "accuracy", "state": "within"}),
        "table.head": Call(of.table.head, {"rows": 3}),
        "table.find": Call(of.table.find, {"metric": "accuracy", "system": "p", "slice": "all", "method": "wilson"}),
        "evaluate_cube": Call(evaluate_cube, {"cube": cube_of(of), "slices": ["q"], "replicates": 100, "level": 0.9}),
        "cube_of": Call(cube_of, {"evaluation": of, "bits": 8, "cube_steps": None}),
    }
    for name in (
        "accuracy",
        "f_score",
        "cohen_kappa",
        "krippendorff_alpha",
        "roc_auc",
        "pearson",
        "ndcg",
        "span_f_score",
        "preference_accuracy",
        "prmse",
    ):
        own = getattr(metrics, name)
        parameters = dict(own.formula.__kwdefaults__ or {})
        found[f"{name}.using"] = Call(own.using, parameters or {"x": 1})
        found[f"{name}.averaged"] = Call(own.averaged, {"kind": "macro"})
        more = {"weights": None, "positive": "a", "categories": None}
        found[f"{name}()"] = Call(own, {"reference": TABLE["y"], "prediction": TABLE["p"]} | more)
        found[f"{name}.made_of"] = Call(own.made_of, {"first": TABLE["y"], "second": TABLE["p"]})
        found[f"{name}.threshold_of"] = Call(own.threshold_of, {"reference": TABLE["y"], "score": TABLE["ms"]} | more)
    return found | _tasks() | _interop(folder)


def called(call: Call, given: dict[str, Any]) -> None:
    """Call it and look at what it returns; nothing is printed."""
    first = [given[name] for name in ("_", "*") if name in given]
    named = {name: value for name, value in given.items() if name not in ("_", "*")}
    if "*" in given and "table" in named:
        first.insert(0, named.pop("table"))
    elif not first:
        kinds = [
            one.name for one in inspect.signature(call.function).parameters.values() if one.kind is one.POSITIONAL_ONLY
        ]
        first = [named.pop(name) for name in kinds if name in named]
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.filterwarnings("ignore", r".*kappas are undefined and were left out")  # which is said on purpose
        try:
            repr(call.function(*first, **named))
        finally:
            OWN.clear()


@cache
def _kept() -> tuple[tempfile.TemporaryDirectory[str], dict[str, Call]]:
    """All calls of one process, with the files that they name."""
    folder = tempfile.TemporaryDirectory(prefix="adjudge-fuzz-calls-")
    return folder, calls(Path(folder.name))


def odd_argument(random: Random, folder: Path) -> None:
    """A function with one or two odd arguments; nothing stays behind in it for the next case."""
    call = random.choice(list(_kept()[1].values()))
    given = dict(call.usual)
    for name in random.sample([*given], min(len(given), random.choice((1, 1, 1, 2)))):
        if name != "progress":  # what a caller's own function raises is the caller's
            given[name] = random.choice(odd_arguments())()
    called(call, given)


ARGUMENTS: dict[str, tuple[Callable[[Random, Path], None], float]] = {"arguments": (odd_argument, 0.04)}
