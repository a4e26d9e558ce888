"""Google Forms and Microsoft Forms: a row for each submission, a column for each item and question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from adjudge.data.formats.base import (
    EARLIER,
    NOTHING,
    RATINGS,
    SETS,
    Imported,
    Importer,
    Picks,
    RaterAnswers,
    judgement_table,
    one_question,
    refused,
)
from adjudge.data.formats.numbers import numbers_where_all
from adjudge.data.formats.records import moment, table_rows
from adjudge.data.formats.sample import Sample
from adjudge.errors import quoted

TOOL = "Forms"
GRID = re.compile(r"(.*)\[(.*)\]\s*", re.DOTALL)
PEOPLE = ("Email Address", "Username", "Email", "Name")
STARTS = ("Timestamp", "Start time", "Completion time", "ID")


def read(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Submissions: of grid questions, `Item [Question]`, what each person answered."""
    (path,) = paths
    rows = list(table_rows(path))
    grid = {name: match for name in (rows[0] if rows else ()) if (match := GRID.fullmatch(name))}
    questions = {match[2].strip(): "a grid" for match in grid.values()}
    picked = picks["question"]
    if picked is not None and picked not in questions and rows and picked in rows[0]:
        return _checkboxes(path, rows, picked, picks)
    question = one_question(picks, questions, path.name)
    judgements = RaterAnswers(picks)
    for row in _last_of_each(rows, judgements, picks):
        for name, match in grid.items():
            if match[2].strip() == question:
                answer = NOTHING if row[name] in (None, "") else row[name]
                judgements.add(match[1].strip(), str(row["\0"]), answer)
    judgements, measured = numbers_where_all(judgements)
    return judgement_table(TOOL, [path], judgements, kind=RATINGS, measurement=measured)


Rows = list[dict[str, str | None]]


def _last_of_each(rows: Rows, judgements: RaterAnswers, picks: Picks) -> Rows:
    """The last submission of each person; without an address every row is a person of its own."""
    who = next((name for name in PEOPLE if rows and name in rows[0]), None)
    last: dict[str, dict[str, str | None]] = {}
    for number, row in enumerate(rows, 1):
        person = str(row[who]) if who is not None and row[who] else f"row {number}"
        if person in last and picks["repeats"] != "keep":
            judgements.leave(EARLIER)
            before, now = (moment(one.get("Timestamp")) for one in (last[person], row))
            if before is not None and now is not None and now < before:
                continue
        last[person if picks["repeats"] != "keep" else f"{person} {number}"] = {**row, "\0": person}
    return list(last.values())


def _checkboxes(path: Path, rows: Rows, column: str, picks: Picks) -> Imported:
    options = picks.several("options")
    if not options:
        raise refused(
            path.name,
            "have answers that can be told apart",
            f"those of {quoted(column)} are joined by a comma and a blank, which an option may hold",
            "Give the options: pick options='Price,Staff'.",
        )
    judgements = RaterAnswers(picks)
    for row in _last_of_each(rows, judgements, picks):
        cell = row[column]
        answer = NOTHING if cell in (None, "") else [one for one in options if f", {one}," in f", {cell},"]
        judgements.add(column, str(row["\0"]), answer)
    return judgement_table(TOOL, [path], judgements, kind=SETS)


def _is_form(sample: Sample) -> bool:
    names = sample.header
    return len(names) > 2 and names[0] in STARTS[:2] and any(GRID.fullmatch(name) or name in PEOPLE for name in names)


IMPORTERS = (Importer(TOOL, {"forms": _is_form}, read, ("question", "repeats", "raters", "options")),)
