"""Logs of single judgements of a model: OpenAI evals, MLflow, MT-bench scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from adjudge.data.formats.base import PREDICTIONS, SCORES, Imported, Importer, Picks, as_written, if_written, refused
from adjudge.data.formats.outcomes import Columns, with_outcome
from adjudge.data.formats.records import objects_in, whole_object
from adjudge.data.formats.sample import Record, Sample
from adjudge.errors import ColumnNotFound, quoted

FAILED, NO_SCORE = "sample with an error", "judge gave no score (-1)"


# OpenAI evals


def read_evals(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Events in any order: matches say what was expected, sampled, and right."""
    (path,) = paths
    system = path.name
    failed: set[str] = set()
    rows: dict[str, Record] = {}
    for event in objects_in(path):
        if isinstance(spec := event.get("spec"), dict):
            system = str((spec.get("completion_fns") or [system])[0])
        name, kind = as_written(event.get("sample_id")), event.get("type")
        if kind == "match":
            rows[name] = event.get("data") or {}
        elif kind == "error":
            failed.add(name)
    kept = {name: data for name, data in rows.items() if name not in failed}
    columns: Columns = {
        "item": list(kept),
        "reference": [data.get("expected") for data in kept.values()],
        "prediction": [_sampled(data) for data in kept.values()],
        "correct": [data.get("correct") for data in kept.values()],
    }
    columns, roles = with_outcome(columns, ["correct"], system, only=picks["as"] == "outcome")
    left_out = {FAILED: len(failed)} if failed else {}
    return Imported("OpenAI evals", path.name, PREDICTIONS, columns, left_out, roles, (), (path,), joins=("item",))


def _sampled(data: Mapping[str, object]) -> str | None:
    said = data.get("picked") if data.get("picked") is not None else data.get("sampled")
    return if_written(said)


# MLflow


def read_split(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """A table artifact: names of columns, and rows. Which is the reference must be picked."""
    (path,) = paths
    table = whole_object(path)
    names, rows = table.get("columns") or [], table.get("data") or []
    if picks["reference"] is None or picks["prediction"] is None:
        listed_names = ", ".join(map(str, names))
        raise refused(
            path.name,
            "say which column is the reference",
            f"nothing in it does; it has {listed_names}",
            "Pick reference=COLUMN and prediction=COLUMN.",
        )
    places = {}
    for role in ("reference", "prediction"):
        if picks[role] not in names:
            raise ColumnNotFound(role, str(picks[role]), names)
        places[role] = names.index(picks[role])
    columns: Columns = {"item": [str(place) for place in range(len(rows))]}
    columns |= {role: [if_written(row[p]) for row in rows] for role, p in places.items()}
    columns |= {name: [row[p] for row in rows] for p, name in enumerate(names) if str(name).endswith("/score")}
    columns, roles = with_outcome(
        columns, [name for name in columns if name.endswith("/score")], str(picks["prediction"])
    )
    return Imported("MLflow", path.name, PREDICTIONS, columns, {}, roles, (), (path,))


EXPECTED = ("expected_response", "expected_output", "expectations", "expected", "ground_truth")


def read_traces(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Traces with assessments: values by name; what was expected is the reference."""
    (path,) = paths
    records = list(objects_in(path))
    names = dict.fromkeys(key.removesuffix("/value") for record in records for key in record if key.endswith("/value"))
    reference = picks["reference"] or next((name for name in EXPECTED if name in names), None)
    columns: Columns = {"item": [as_written(record.get("trace_id")) for record in records]}
    if reference is not None:
        columns["reference"] = [if_written(record.get(f"{reference}/value")) for record in records]
    columns["prediction"] = [if_written(record.get(picks["prediction"] or "response")) for record in records]
    scorers = [name for name in names if name != reference]
    columns |= {name: [record.get(f"{name}/value") for record in records] for name in scorers}
    remarks = []
    if several := _several(records):
        remarks.append(f"Some traces have several assessments called {quoted(several)}; the flat column shows one.")
    columns, roles = with_outcome(columns, scorers, "response") if reference is not None else (columns, {})
    return Imported("MLflow", path.name, PREDICTIONS, columns, {}, roles, tuple(remarks), (path,))


def _several(records: Sequence[Record]) -> str | None:
    for record in records:
        each = record.get("assessments") or ()
        valid = Counter(
            one.get("assessment_name") for one in each if isinstance(one, dict) and one.get("valid") is not False
        )
        for name, count in valid.items():
            if count > 1:
                return str(name)
    return None


# MT-bench scores


def read_single(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Scores of single answers, by question, turn and model."""
    (path,) = paths
    names = ("item", "turn", "system", "rater", "score")
    left_out: Counter[str] = Counter()
    columns: Columns = {name: [] for name in names}
    for record in objects_in(path):
        score, judge = record.get("score"), record.get("judge")
        if not isinstance(score, (int, float)) or score == -1:
            left_out[NO_SCORE] += 1
            continue
        rater = "/".join(map(as_written, judge)) if isinstance(judge, list) else as_written(judge)
        row = (as_written(record.get("question_id")), record.get("turn"), as_written(record.get("model")), rater, score)
        for name, value in zip(names, row, strict=True):
            columns[name].append(value)
    return Imported("MT-bench", path.name, SCORES, columns, dict(left_out), {}, (), (path,))


IMPORTERS = (
    Importer(
        "OpenAI evals",
        {"openai_evals": lambda s: s.shape == "lines" and isinstance(s.record.get("spec"), dict)},
        read_evals,
        ("as",),
    ),
    Importer(
        "MLflow",
        {"mlflow.split": lambda s: s.shape == "object" and set(s.record) == {"columns", "data"}},
        read_split,
        ("reference", "prediction"),
    ),
    Importer(
        "MLflow",
        {"mlflow.genai": lambda s: s.in_records and s.has("trace_id") and any(k.endswith("/value") for k in s.record)},
        read_traces,
        ("reference", "prediction"),
    ),
    Importer(
        "MT-bench", {"mt_bench.single": lambda s: s.has("question_id", "model", "judge", "score", "turn")}, read_single
    ),
)
