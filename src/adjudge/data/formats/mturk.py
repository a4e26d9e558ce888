"""Mechanical Turk: the results of a batch, a row for each assignment."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from adjudge.data.formats.base import (
    NOTHING,
    RATINGS,
    SETS,
    Imported,
    Importer,
    Picks,
    RaterAnswers,
    item_of,
    judgement_table,
    one_question,
)
from adjudge.data.formats.numbers import numbers_where_all
from adjudge.data.formats.records import moment, table_rows
from adjudge.data.formats.sample import Record, Sample
from adjudge.errors import InputError, quoted

TOOL = "Mechanical Turk"
REJECTED = "rejected assignment"
ANSWER, JSON_ANSWERS = "Answer.", "Answer.taskAnswers"
TRUTHS = ("true", "false", None)


def read(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Assignments: what each worker answered to one question about each HIT."""
    (path,) = paths
    rows = list(table_rows(path))
    answers = [_answers(row, path) for row in rows]
    questions = {name: "answers" for one in answers for name in one}
    question = one_question(picks, questions, path.name)
    judgements = RaterAnswers(picks)
    for row, said in zip(rows, answers, strict=True):
        if row.get("AssignmentStatus") == "Rejected":
            judgements.leave(REJECTED)
            continue
        value = said.get(question)
        answer = NOTHING if value in (None, "", "{}") else value
        judgements.add(item_of(row, picks["item"] or "HITId", path.name), str(row.get("WorkerId")), answer, _time(row))
    several = any(isinstance(answer, list) for _, answer in judgements.answers.values())
    judgements, measured = (judgements, None) if several else numbers_where_all(judgements)
    return judgement_table(TOOL, [path], judgements, kind=SETS if several else RATINGS, measurement=measured)


def _time(row: Record) -> object:
    return moment(row.get("SubmitTime"))


def _answers(row: Mapping[str, str | None], path: Path) -> dict[str, object]:
    """What a worker answered, by question: in columns of their own, a column for each value, or as JSON."""
    if row.get(JSON_ANSWERS) is not None:
        return _in_json(str(row[JSON_ANSWERS]), path)
    columns = {name.removeprefix(ANSWER): value for name, value in row.items() if name.startswith(ANSWER)}
    answers: dict[str, object] = {}
    for name, value in columns.items():
        question, dot, choice = name.partition(".")
        if not dot or value not in TRUTHS or not _are_truths(columns, question):
            answers[name] = value
            continue
        answers.setdefault(question, None)
        if value == "true":
            answers[question] = choice
    return answers


def _are_truths(columns: Mapping[str, str | None], question: str) -> bool:
    return all(value in TRUTHS for name, value in columns.items() if name.startswith(f"{question}."))


def _in_json(cell: str, path: Path) -> dict[str, object]:
    try:
        (said,) = json.loads(cell)
        return {name: _chosen(value) for name, value in said.items()}
    except (ValueError, AttributeError, TypeError, RecursionError):
        raise InputError(
            f"{quoted(path.name)} must hold answers as JSON in {quoted(JSON_ANSWERS)}, but one is {quoted(cell)}. "
            "Download the results again."
        ) from None


def _chosen(value: object) -> object:
    if not isinstance(value, dict):
        return value
    if set(value) == {"label"}:
        return value["label"]
    return [name for name, held in value.items() if held is True]


IMPORTERS = (
    Importer(
        TOOL,
        {"mturk": lambda sample: sample.heads("HITId", "WorkerId", "AssignmentId")},
        read,
        ("question", "item", "repeats", "raters"),
    ),
)
