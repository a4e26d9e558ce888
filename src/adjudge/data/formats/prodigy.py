"""Prodigy: JSON lines of answered tasks: accepted labels, choices, spans."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from adjudge.data.cleaning import count_text
from adjudge.data.formats.base import (
    NOTHING,
    RATINGS,
    SETS,
    SPANS,
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
from adjudge.data.formats.records import objects_in
from adjudge.data.formats.sample import Record, Sample

TOOL = "Prodigy"
IGNORED, REJECTED = "ignored", "rejected"
CHOICE, MARKED = "choice", "spans"
# A session without a name is called by when it began: that is nobody.
MOMENT = re.compile(r".*\d{4}-\d\d-\d\d[_T ]\d\d[-:]\d\d([-:]\d\d)?")
NO_SPANS = ("ner_manual", "spans_manual")


def read(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Answered tasks: rating = accept or reject of a label, the chosen options, or the marked spans."""
    (path,) = paths
    questions: dict[str, int] = {}
    multiple = False
    for task in objects_in(path):
        name = _question(task)
        questions[name] = questions.get(name, 0) + 1
        multiple |= (task.get("config") or {}).get("choice_style") == "multiple"
    question = one_question(picks, {name: count_text(count, "answer") for name, count in questions.items()}, path.name)
    judgements = RaterAnswers(picks)
    for task in objects_in(path):
        if _question(task) != question:
            continue
        answer = task.get("answer")
        if answer == "ignore":
            judgements.leave(IGNORED)
        elif answer == "reject" and question in (CHOICE, MARKED):
            judgements.leave(REJECTED)
        else:
            item, rater = item_of(task, picks["item"] or "_input_hash", path.name), _rater(task, picks, path)
            judgements.add(item, rater, _answer(task, question, multiple), task.get("_timestamp"))
    kind = SPANS if question == MARKED else SETS if question == CHOICE and multiple else RATINGS
    return judgement_table(TOOL, [path], judgements, kind=kind)


def _question(task: Record) -> str:
    """What is asked: a label (accepted or rejected), a choice, or spans."""
    if isinstance(task.get("options"), list):
        return CHOICE
    if task.get("_view_id") in NO_SPANS or (isinstance(task.get("spans"), list) and task.get("_view_id") != "ner"):
        return MARKED
    if task.get("label") is not None:
        return as_written(task["label"])
    return as_written((task.get("spans") or [{}])[0].get("label", "answer"))


def _answer(task: Record, question: str, multiple: bool) -> object:
    if question == MARKED:
        spans = task.get("spans") or ()
        return [[as_written(one.get("label")), one.get("start"), one.get("end")] for one in spans]
    if question != CHOICE:
        return task.get("answer")
    accepted = [as_written(one) for one in task.get("accept") or ()]
    if multiple:
        return accepted
    return accepted[0] if accepted else NOTHING


def _rater(task: Mapping[str, object], picks: Picks, path: Path) -> str:
    if picks["rater"] is not None:
        return str(picks["rater"])
    for key in ("_annotator_id", "_session_id"):
        name = task.get(key)
        if name and not MOMENT.fullmatch(str(name)):
            return as_written(name)
    raise refused(
        path.name,
        "say who answered",
        "_annotator_id and _session_id are empty, or hold a time",
        "Name the rater with pick rater=NAME, and give one file for each.",
    )


def _is_answered(sample: Sample) -> bool:
    known = sample.record.get("answer") in ("accept", "reject", "ignore")
    return sample.in_records and known and (sample.has("_input_hash", "_task_hash") or sample.has("_view_id"))


IMPORTERS = (Importer(TOOL, {"prodigy": _is_answered}, read, ("question", "item", "rater", "repeats", "raters")),)
