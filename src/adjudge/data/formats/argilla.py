"""Argilla: records of 2.x, nested or flat, by record or by column, and data sets of 1.x."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from adjudge.data.formats.base import (
    RANKINGS,
    SETS,
    SPANS,
    Imported,
    Importer,
    Picks,
    RaterAnswers,
    as_written,
    columns_of_rows,
    item_of,
    judgement_table,
    one_question,
    refused,
)
from adjudge.data.formats.records import objects_in, rows_of_columns, whole_object
from adjudge.data.formats.sample import Record, Sample

TOOL = "Argilla"
FLAT, USERS, STATUS = ".responses", ".responses.users", ".responses.status"
SUGGESTED, ABOUT = "-suggestion", "-suggestion-metadata"
NO_STATUS = (
    "This export does not carry the status of a response: drafts and discarded answers are counted as ratings. Export "
    "with flatten=True, or with to_datasets()."
)
Response = tuple[str, object, str]  # who, what, status


def read(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Records with the responses of people, or with suggestions."""
    (path,) = paths
    nested = sample.has("fields", "responses")
    machines = picks["machines"] == "only"
    questions: dict[str, int] = {}
    for record in _records(path, sample):
        for name in _questions(record):
            questions[name] = questions.get(name, 0) + len(list(_responses(record, name)))
    described = {
        name: f"{count:,} responses" for name, count in questions.items() if count or picks["question"] == name
    }
    question = one_question(picks, described, path.name)
    judgements = RaterAnswers(picks)
    key = picks["item"] or ("external_id" if sample.has("external_id") else "id")
    for record in _records(path, sample):
        item = item_of(record, key, path.name)
        for who, value, status in _suggestion(record, question) if machines else _responses(record, question):
            if status == "submitted":
                judgements.add(item, who, value)
            else:
                judgements.leave(status)
    table = _table(path, judgements)
    return replace(table, doubts=(NO_STATUS,)) if nested and not machines else table


def _records(path: Path, sample: Sample) -> Iterator[Record]:
    return rows_of_columns(whole_object(path)) if sample.shape == "object" else objects_in(path)


def _questions(record: Mapping[str, object]) -> list[str]:
    responses = record.get("responses")
    if isinstance(responses, dict):
        return list(responses)
    flat = [name.removesuffix(USERS) for name in record if name.endswith(USERS)]
    return flat or [name.removesuffix(ABOUT) for name in record if name.endswith(ABOUT)]


def _responses(record: Record, question: str) -> Iterator[Response]:
    nested = record.get("responses")
    if isinstance(nested, dict):
        for one in nested.get(question) or ():
            yield as_written(one.get("user_id")), one.get("value"), one.get("status") or "submitted"
        return
    if f"{question}{FLAT}" in record:
        values, users = record.get(question + FLAT) or [], record.get(question + USERS) or []
        states = record.get(question + STATUS) or ["submitted"] * len(values)
        for value, user, status in zip(values, users, states, strict=False):
            yield as_written(user), value, status
        return
    for one in record.get(question) or ():
        if isinstance(one, dict):
            yield as_written(one.get("user_id")), one.get("value"), one.get("status") or "submitted"


def _suggestion(record: Record, question: str) -> Iterator[Response]:
    nested = record.get("suggestions")
    if isinstance(nested, dict):
        one = nested.get(question) or {}
        value, agent = one.get("value"), one.get("agent")
    elif f"{question}{SUGGESTED}" in record:
        value, agent = record.get(question + SUGGESTED), (record.get(question + ABOUT) or {}).get("agent")
    else:
        value, agent = record.get(f"{question}.suggestion"), record.get(f"{question}.suggestion.agent")
    if value is not None:
        yield as_written(agent or "suggestion"), value, "submitted"


def _table(path: Path, judgements: RaterAnswers) -> Imported:
    values = [answer for _, answer in judgements.answers.values()]
    if any(_is_ranking(value) for value in values):
        return _rankings(path, judgements)
    if any(_is_spans(value) for value in values):
        judgements.answers = {key: (time, _spans(value)) for key, (time, value) in judgements.answers.items()}
        return judgement_table(TOOL, [path], judgements, kind=SPANS)
    if any(isinstance(value, dict) for value in values):
        raise refused(
            path.name, "hold labels, ratings, spans or rankings", "it holds something else", "Pick another question."
        )
    numbers = bool(values) and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
    kind = SETS if any(isinstance(value, list) for value in values) else ""
    return judgement_table(TOOL, [path], judgements, kind=kind, measurement="ordinal" if numbers else None)


def _is_spans(value: object) -> bool:
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and {"start", "end", "label"} <= set(first)


def _is_ranking(value: object) -> bool:
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and {"rank", "value"} <= set(first)


def _each(value: object) -> list[dict[str, object]]:
    """Objects of a list, or an object of lists turned round."""
    if isinstance(value, dict):
        return [dict(zip(value, row, strict=True)) for row in zip(*value.values(), strict=True)]
    return value if isinstance(value, list) else []


def _spans(value: object) -> list[list[object]]:
    return [[as_written(one.get("label")), one.get("start"), one.get("end")] for one in _each(value)]


def _rankings(path: Path, judgements: RaterAnswers) -> Imported:
    rows = [
        (item, rater, as_written(one.get("value")), one.get("rank"))
        for item, rater, value in judgements.given()
        for one in _each(value)
    ]
    names = ("item", "rater", "option", "rank")
    columns = columns_of_rows(names, rows)
    roles = {"item": "option", "rater": "rater", "rating": "rank", "cluster": "item"}
    return Imported(TOOL, path.name, RANKINGS, columns, dict(judgements.left_out), roles, (), (path,))


def _is_nested(sample: Sample) -> bool:
    return (
        sample.in_records and sample.has("fields", "suggestions") and isinstance(sample.record.get("responses"), dict)
    )


IMPORTERS = (
    Importer(
        TOOL,
        {
            "argilla2.nested": _is_nested,
            "argilla2.flat": lambda sample: any(key.endswith(USERS) for key in sample.record),
            "argilla1": lambda sample: any(key.endswith(ABOUT) for key in sample.record),
        },
        read,
        ("question", "item", "repeats", "raters", "machines"),
    ),
)
