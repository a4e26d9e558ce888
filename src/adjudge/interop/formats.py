"""Files of other tools: read as tables, and the adjudication queue written as tasks for them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from adjudge.data.formats import imported
from adjudge.data.formats.base import TABLES, Imported, item_of, written_by
from adjudge.data.formats.records import objects_in
from adjudge.data.tables.files import check_folder, no_file
from adjudge.errors import InputError, SettingError, check_choice, did_you_mean, path_text, quoted
from adjudge.evaluation.asking.border import bordered
from adjudge.evaluation.asking.foreign import picked
from adjudge.evaluation.take_away.tables import Column, Nested, Part, TakenTable, plain_column

Where = str | os.PathLike[str]


@bordered
def read_export(*paths: Where, pick: object = None, tables: Sequence[str] = TABLES) -> Imported:
    """The table that files of another tool hold: `columns`, `left_out`, `notes`, `doubts`.

    `pick` chooses where there is more than one thing: {"question": "tone"}; see docs/formats.md.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "pairs.jsonl"
    >>> _ = path.write_text('{"prompt": "Hi", "chosen": "Hello!", "rejected": "What?"}')
    >>> read_export(path).columns["winner"]
    ['a']
    """
    if not paths:
        raise SettingError("At least one file must be named.")
    files = [Path(path_text(path)) for path in paths]
    for file in files:
        if not os.path.exists(file):
            raise no_file(file, "The file")
        if file.is_dir():
            check_folder(file)
    imported_table = imported(files, picked(pick), tables)
    if imported_table is None:
        raise InputError(
            f"{quoted(files[0].name)} must be a known tool's file, but it is not recognised. See docs/formats.md."
        )
    return imported_table


@bordered
def as_table(imported_table: Imported) -> TakenTable:
    """The same to be written: sets and spans are lists, as text in files that know none."""
    return TakenTable(imported_table.table, imported_table.notes[0], lambda: [_part(imported_table.columns)])


def _part(columns: Mapping[str, Sequence[object]]) -> Part:
    part: dict[str, Column] = {}
    for name, values in columns.items():
        if any(isinstance(value, (list, dict)) for value in values):
            part[name] = Nested(values)
        elif values and {type(value) for value in values} == {bool}:
            part[name] = np.array(values)
        else:
            part[name] = plain_column(values)
    return part


# The way back


@dataclass(frozen=True)
class ExportQuestion:
    """What was asked in the export that the ratings come from: names, labels and, if they may be shown, texts."""

    question: str = "label"
    about: str = "text"
    labels: tuple[str, ...] = ()
    texts: Mapping[str, str] | None = None  # by item; None where they are not to be written


@bordered
def asked_in(
    export: Where, question: str | None = None, *, item: str = "id", with_text: bool = False
) -> ExportQuestion:
    """The question of an export of Label Studio: its name, what it is about, its labels in order of appearance."""
    path = Path(path_text(export))
    with written_by("Label Studio", path.name):
        names, texts = _choices_in(path, item)
    if question is None and len(names) == 1:
        question = next(iter(names))
    if not isinstance(question, str) or question not in names:
        raise SettingError(f"`question` must be a choice of {quoted(path.name)}. {did_you_mean(question, names)}")
    about, labels = names[question]
    return ExportQuestion(question, about, tuple(labels), texts if with_text else None)


def _choices_in(path: Path, item: str) -> tuple[dict[str, tuple[str, dict[str, None]]], dict[str, str]]:
    """The questions with choices, what each is about and its labels; and the text of each item."""
    names: dict[str, tuple[str, dict[str, None]]] = {}
    texts: dict[str, str] = {}
    for task in objects_in(path):
        for annotation in task.get("annotations") or ():
            for one in annotation.get("result") or ():
                if one.get("type") == "choices" and isinstance(one.get("value"), dict):
                    _, labels = names.setdefault(str(one.get("from_name")), (str(one.get("to_name")), {}))
                    labels.update(dict.fromkeys(map(str, one["value"].get("choices") or ())))
        data = task.get("data") if isinstance(task.get("data"), dict) else {}
        texts[item_of(task, item, path.name)] = _text(data or {}, {about for about, _ in names.values()})
    return names, texts


def _text(data: Mapping[str, object], about: Iterable[str]) -> str:
    known = [str(data[name]) for name in about if isinstance(data.get(name), str)]
    others = [value for value in data.values() if isinstance(value, str)]
    return known[0] if known else max(others, key=len, default="")


@bordered
def queue_tasks(
    queue: Iterable[Mapping[str, object]], tool: str, options: ExportQuestion | None = None, *, blind: bool = True
) -> str:
    """The adjudication queue as a file that an annotation tool imports: label_studio, prodigy, doccano or argilla.

    `queue` are the records of `evaluation.queue`. Unless `blind` is false, neither votes nor the probable label are
    shown: whoever sees them is no longer free. The item travels in the task, because tools number tasks anew.

    >>> entry = {"rank": 1, "item": "6", "disagreement": 1.0, "votes": {"a": 1, "b": 1}, "label": "a"}
    >>> queue = [{**entry, "probability": 0.58}]
    >>> json.loads(queue_tasks(queue, "label_studio"))[0]["data"]
    {'adjudge_item': '6', 'adjudge_rank': 1, 'adjudge_disagreement': 1.0}
    """
    check_choice("tool", tool, WRITERS)
    options = options or ExportQuestion()
    with written_by("adjudge", "the queue"):
        records = [_Queued.of(one, options) for one in queue]
    return WRITERS[tool](records, options, blind)


@dataclass(frozen=True)
class _Queued:
    item: str
    rank: int
    disagreement: float | None
    votes: dict[str, int]
    label: str
    probability: float
    labels: tuple[str, ...]
    text: dict[str, str]

    # `Any`: a record of the queue, whose columns are of a kind each.
    @classmethod
    def of(cls, record: Mapping[str, Any], options: ExportQuestion) -> _Queued:
        votes = record.get("votes")
        if not isinstance(votes, dict) or "label" not in record or "probability" not in record:
            raise InputError("The queue must be of labels, with votes, label and probability, but it is not.")
        item, apart = str(record["item"]), record.get("disagreement")
        known = options.labels or tuple(votes)
        text = options.texts.get(item) if options.texts is not None else None
        return cls(
            item,
            int(record["rank"]),
            None if apart is None else round(float(apart), 3),
            {label: int(votes.get(label, 0)) for label in dict.fromkeys([*known, *votes])},
            str(record["label"]),
            round(float(record["probability"]), 4),
            known,
            {} if text is None else {"text": text},
        )


def _label_studio(records: Sequence[_Queued], options: ExportQuestion, blind: bool) -> str:
    tasks = []
    for one in records:
        text = {options.about: one.text["text"]} if one.text else {}
        data = {**text, "adjudge_item": one.item, "adjudge_rank": one.rank, "adjudge_disagreement": one.disagreement}
        task: dict[str, object] = {"data": data}
        if not blind:
            value = {"choices": [one.label]}
            result = {"from_name": options.question, "to_name": options.about, "type": "choices", "value": value}
            said = {"model_version": "adjudge consensus", "score": one.probability, "result": [result]}
            task |= {"meta": {"adjudge_votes": one.votes}, "predictions": [said]}
        tasks.append(task)
    return json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"


def _prodigy(records: Sequence[_Queued], queue_options: ExportQuestion, blind: bool) -> str:
    lines = []
    for one in records:
        options = [{"id": label, "text": label} for label in one.labels]
        task: dict[str, object] = {**one.text, "options": options, **({} if blind else {"accept": [one.label]})}
        lines.append(task | {"meta": {"item": one.item, "rank": one.rank, "disagreement": one.disagreement}})
    return _lines(lines)


def _doccano(records: Sequence[_Queued], options: ExportQuestion, blind: bool) -> str:
    return _lines({**one.text, "label": [] if blind else [one.label], "adjudge_item": one.item} for one in records)


def _argilla(records: Sequence[_Queued], options: ExportQuestion, blind: bool) -> str:
    each = []
    for one in records:
        said = {"value": one.label, "score": one.probability, "agent": "adjudge"}
        each.append({"id": one.item, "fields": one.text, "suggestions": {} if blind else {options.question: said}})
    return json.dumps(each, ensure_ascii=False, indent=1) + "\n"


def _lines(records: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)


WRITERS = {"label_studio": _label_studio, "prodigy": _prodigy, "doccano": _doccano, "argilla": _argilla}
