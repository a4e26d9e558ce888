"""Label Studio: JSON (with all that was annotated), JSON-MIN and CSV (a row for each annotation)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from adjudge.data.formats.base import (
    NOTHING,
    RATINGS,
    SETS,
    SKIPPED,
    SPANS,
    VOTES,
    Imported,
    Importer,
    Picks,
    RaterAnswers,
    as_written,
    item_of,
    judgement_table,
    one_question,
    refused,
)
from adjudge.data.formats.offsets import Offsets
from adjudge.data.formats.records import json_in, objects_in, table_rows
from adjudge.data.formats.sample import CUT, Json, Record, Sample
from adjudge.errors import quoted

TOOL = "Label Studio"
UNANNOTATED, BY_NUMBER = "item without any annotation", "prediction listed by number only"
OWN = ("annotation_id", "annotator", "id", "created_at", "updated_at", "lead_time")
# By the type of a result: the key of its value, and the kind of table it makes.
TYPES = {
    "choices": ("choices", ""),
    "taxonomy": ("taxonomy", SETS),
    "rating": ("rating", RATINGS),
    "number": ("number", RATINGS),
    "labels": ("labels", SPANS),
    "pairwise": ("selected", VOTES),
}
MEASURED = {"rating": "ordinal", "number": "interval"}
REGION = "choice of a region"
ENOUGH = 1_000  # results of a question that was picked, by which its type is told
PAIRS = ("Which system stood left is not in the export: the two are called left and right.",)


def read_tasks(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """JSON: an array of tasks with their annotations."""
    (path,) = paths
    question, kind = _question(path, picks)
    _refuse_type(path, question, kind)
    judgements, offsets = RaterAnswers(picks), Offsets(path.name)
    machines, truth = picks["machines"] == "only", picks["reference"] == "ground_truth"
    for task in objects_in(path):
        item = item_of(task, picks["item"] or "id", path.name)
        text = _text(task) if kind == "labels" else None
        if machines:
            _predictions(task, item, (question, kind), judgements)
            continue
        if not truth:
            judgements.leave(UNANNOTATED, not task.get("annotations"))
        for annotation in task.get("annotations") or ():
            if truth and not annotation.get("ground_truth"):
                continue
            if annotation.get("was_cancelled"):
                judgements.leave(SKIPPED)
                continue
            answer = _answer(annotation.get("result") or (), question, kind)
            answer = offsets.seen(text, answer) if kind == "labels" else answer
            judgements.add(item, _rater(annotation.get("completed_by")), answer, annotation.get("updated_at"))
    judgements = offsets.settled(judgements) if kind == "labels" else judgements
    return _table(path, judgements, kind, truth=truth)


def _table(
    path: Path, judgements: RaterAnswers, kind: str, *, truth: bool = False, remarks: Iterable[str] = ()
) -> Imported:
    if kind == "pairwise":
        return _votes(path, judgements)
    table = TYPES[kind][1]
    if kind == "choices":
        several = any(isinstance(answer, list) and len(answer) > 1 for _, answer in judgements.answers.values())
        table = SETS if several else RATINGS
        if not several:
            judgements.answers = {
                key: (time, answer[0] if isinstance(answer, list) else answer)
                for key, (time, answer) in judgements.answers.items()
            }
    table_read = judgement_table(TOOL, [path], judgements, kind=table, measurement=MEASURED.get(kind), remarks=remarks)
    if not truth:
        return table_read
    columns = {"item": table_read.columns["item"], "rating": table_read.columns["rating"]}
    return Imported(TOOL, path.name, table, columns, {}, {"id": "item", "reference": "rating"}, (), (path,))


def _votes(path: Path, judgements: RaterAnswers) -> Imported:
    given = judgements.given()
    columns: dict[str, list[object]] = {
        "item": [item for item, *_ in given],
        "rater": [rater for _, rater, _ in given],
        "system_a": ["left"] * len(given),
        "system_b": ["right"] * len(given),
        "winner": [{"left": "a", "right": "b"}.get(answer, answer) for *_, answer in given],
    }
    roles = {"pair": "item", "annotator": "rater", "vote": "winner"}
    return Imported(TOOL, path.name, VOTES, columns, dict(judgements.left_out), roles, PAIRS, (path,))


def _rater(person: object) -> str:
    return as_written(person.get("id") if isinstance(person, dict) else person)


def _text(task: Mapping[str, object]) -> str | None:
    data = task.get("data")
    texts = [value for value in data.values() if isinstance(value, str)] if isinstance(data, dict) else []
    return max(texts, key=len) if texts else None


def _answer(results: Iterable[Record], question: str, kind: str) -> Json:
    """What one annotation says to a question: nothing, a value, a list of labels, or of spans with their texts."""
    values = [one.get("value") or {} for one in results if one.get("from_name") == question]
    if kind == "labels":
        return [
            [as_written(label), value.get("start"), value.get("end"), value.get("text")]
            for value in values
            for label in value.get("labels") or ()
        ]
    answers: list[Json] = [value.get(TYPES[kind][0]) for value in values if value.get(TYPES[kind][0]) is not None]
    if not answers:
        return NOTHING
    if kind == "taxonomy":
        return ["/".join(map(as_written, path)) for answer in answers for path in answer]
    if kind == "choices":
        return [as_written(label) for answer in answers for label in answer] or NOTHING
    return answers[-1]


def _predictions(task: Record, item: str, question: tuple[str, str], judgements: RaterAnswers) -> None:
    for prediction in task.get("predictions") or ():
        if not isinstance(prediction, dict):
            judgements.leave(BY_NUMBER)
            continue
        answer = _answer(prediction.get("result") or (), *question)
        judgements.add(item, as_written(prediction.get("model_version") or "prediction"), answer)


def _question(path: Path, picks: Picks) -> tuple[str, str]:
    """The question that is read, and the type of its results: told in a first pass over the file."""
    types: dict[str, Counter[str]] = {}
    for task in objects_in(path):
        said = [*(task.get("annotations") or ()), *(task.get("predictions") or ())]
        for results in (one.get("result") or () for one in said if isinstance(one, dict)):
            regions = {one.get("id") for one in results if one.get("type") == "labels"} - {None}
            for one in results:
                kind = str(one.get("type"))
                region = kind != "labels" and one.get("id") in regions
                types.setdefault(str(one.get("from_name")), Counter())[REGION if region else kind] += 1
        if types.get(str(picks["question"]), Counter()).total() >= ENOUGH:
            break
    described = {name: ", ".join(f"{kind} {n:,}" for kind, n in kinds.items()) for name, kinds in types.items()}
    usable = {name: what for name, what in described.items() if types[name].most_common(1)[0][0] in TYPES}
    name = one_question(picks, described if picks["question"] is not None else usable or described, path.name)
    return name, types[name].most_common(1)[0][0]


def _refuse_type(path: Path, question: str, kind: str) -> None:
    if kind in TYPES:
        return
    why = {
        REGION: f"{quoted(question)} is a choice about each region (its id is that of a span), not about the item",
        "textarea": f"{quoted(question)} is free text",
    }.get(kind, f"{quoted(question)} holds results of type {quoted(kind)}")
    raise refused(path.name, "hold choices, ratings, numbers, text spans or pairs", why, "Pick another question.")


# JSON-MIN and CSV


def read_rows(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """JSON-MIN or CSV: a row for each annotation, columns of data and questions side by side."""
    (path,) = paths
    kinds = _guessed(path, sample)
    questions = {name: kind for name, kind in kinds.items() if kind in TYPES}
    if (picked := picks["question"]) is not None and picked not in OWN and _is_column(path, sample, picked):
        questions.setdefault(picked, "choices")
    question = one_question(picks, questions, path.name)
    kind = questions[question]
    judgements, offsets = RaterAnswers(picks), Offsets(path.name)
    for row in _rows(path, sample):
        item = item_of(row, (picks["item"] or "id").removeprefix("data."), path.name)
        answer = _cell(row.get(question), kind)
        if kind == "labels":
            answer = offsets.seen(_longest(row), [] if answer is NOTHING else answer)
        judgements.add(item, as_written(row.get("annotator")), answer, row.get("updated_at"))
    judgements = offsets.settled(judgements) if kind == "labels" else judgements
    remarks = ["Skipped tasks are not in this export: what was skipped is not counted. The JSON export has them."]
    if kind == "choices" and "labels" in kinds.values():
        remarks.append(
            f"{quoted(question)} may be a choice about each region: this export does not tell. The JSON export does."
        )
    return _table(path, judgements, kind, remarks=remarks)


def _rows(path: Path, sample: Sample) -> Iterator[dict[str, object]]:
    if sample.shape == "text":
        for row in table_rows(path):
            yield {name: json_in(cell, path.name) for name, cell in row.items()}
        return
    yield from map(dict, objects_in(path))


def _is_column(path: Path, sample: Sample, name: str) -> bool:
    return name in sample.header or any(name in row for row in _rows(path, sample))


def _longest(row: Mapping[str, object]) -> str | None:
    return max(
        (value for name, value in row.items() if isinstance(value, str) and name not in OWN), key=len, default=None
    )


def _guessed(path: Path, sample: Sample) -> dict[str, str]:
    """The type of each column of answers: lists and objects tell it; text that differs within an item is a choice."""
    kinds: dict[str, str] = {}
    first: dict[str, dict[str, object]] = {}  # by item, what its first row says
    for row in _rows(path, sample):
        here = {name: value for name, value in row.items() if name not in OWN and value not in (None, "")}
        kinds |= {name: kind for name, value in here.items() if (kind := _type(value)) is not None}
        before = first.setdefault(as_written(row.get("id")), here)
        for name in before.keys() | here.keys():
            if before.get(name) != here.get(name):
                kinds.setdefault(name, "choices")
    return kinds


def _type(value: object) -> str | None:
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, dict):
        return None
    return next((kind for kind, (key, _) in TYPES.items() if key in first), None)


def _cell(value: object, kind: str) -> Json:
    if value is None or value == "":
        return NOTHING
    if isinstance(value, str):
        return [value]
    results = value if isinstance(value, list) else [value]
    return _answer([{"from_name": "", "value": one} for one in results if isinstance(one, dict)], "", kind)


def _is_tasks(sample: Sample) -> bool:
    task = sample.record
    return sample.in_records and isinstance(task.get("data"), dict) and isinstance(task.get("annotations"), list)


def _is_cut_task(sample: Sample) -> bool:
    """A first task longer than what is looked at."""
    task = sample.record
    return sample.shape == "array" and task.get("annotations") is CUT and "id" in task


MIN = ("annotation_id", "annotator", "id", "lead_time")
PICKED = ("question", "item", "repeats", "raters", "machines", "reference")
IMPORTERS = (
    Importer(TOOL, {"label_studio.json": lambda sample: _is_tasks(sample) or _is_cut_task(sample)}, read_tasks, PICKED),
    Importer(
        TOOL,
        {
            "label_studio.min": lambda sample: sample.in_records and sample.has(*MIN),
            "label_studio.csv": lambda sample: sample.heads(*MIN),
        },
        read_rows,
        ("question", "item", "repeats", "raters"),
    ),
)
