"""What an importer is, what it is given, and what it returns: one of a few tables, and what was left out of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from adjudge.data.foreign import refusing
from adjudge.data.formats.sample import Json, Sample
from adjudge.data.remarks import Remarks
from adjudge.data.source import ROWS, Batch
from adjudge.data.tables.frames import Table
from adjudge.errors import AdjudgeError, InputError, SettingError, did_you_mean, listed, quoted

RATINGS, SETS, SPANS, VOTES, PREDICTIONS, SCORES, QUERIES, RANKINGS = TABLES = (
    "ratings",
    "sets",
    "spans",
    "votes",
    "predictions",
    "scores",
    "queries",
    "rankings",
)
# What can be chosen of a file, whatever tool wrote it; each importer says which of these it knows.
PICKS = {
    "question": "which of several questions",
    "item": "what names an item, such as data.doc",
    "rater": "what the one rater is called, where the file does not say",
    "raters": "anonymous: R1, R2 … in order of appearance, instead of names",
    "repeats": "last (default) or keep: what stands where a rater rated an item twice",
    "machines": "only: predictions and suggestions instead of people's answers",
    "reference": "the column of the reference, or ground_truth for its annotations alone",
    "prediction": "the column of predictions",
    "filter": "which of several filters",
    "scorers": "which scorers, with commas between them",
    "empty": "judged: an item without a label was looked at",
    "discontinuous": "hull: spans in pieces are read from their first to their last place",
    "options": "the options of checkboxes, with commas between them",
    "layer": "which layer of annotations",
    "as": "'one rater': annotations of nobody in particular are one person's; labels: texts are categories; outcome: "
    "of answers, only whether they are right",
}
EARLIER, NO_ANSWER, SKIPPED = "earlier submission of the same rater", "no answer to this question", "skipped"
NOTHING = object()  # an answer that was not given


@dataclass(frozen=True)
class Picks:
    """What was chosen of a file, and which tables are of use."""

    values: Mapping[str, str] = field(default_factory=dict)
    tables: tuple[str, ...] = TABLES

    def __getitem__(self, name: str) -> str | None:
        return self.values.get(name)

    def several(self, name: str) -> tuple[str, ...]:
        """What stands between commas."""
        return tuple(part.strip() for part in (self[name] or "").split(",") if part.strip())

    def wants(self, table: str) -> bool:
        """Whether a kind of table is of use."""
        return table in self.tables


@dataclass(frozen=True)
class Imported(Remarks):
    """A file of another tool as a table. It is a `Source`: every task reads it like any other.

    Sets are lists of labels, spans lists of [label, start, end]: one row for each item and rater who judged it.
    """

    tool: str
    name: str
    table: str
    columns: Mapping[str, Sequence[object]] = field(repr=False)
    left_out: Mapping[str, int] = field(default_factory=dict)
    roles: Mapping[str, Any] = field(default_factory=dict)  # by a task's role or setting, what follows from the file
    remarks: tuple[str, ...] = ()  # what else is worth knowing
    files: tuple[Path, ...] = ()
    doubts: tuple[str, ...] = ()  # what the file cannot tell, and should
    joins: tuple[str, ...] = ()  # columns that name the same row in another run of the same tool
    here: tuple[str, ...] = ()  # reasons of rows that the table has all the same: reading it counts them

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return len(next(iter(self.columns.values()), ()))

    @property
    def absent(self) -> dict[str, int]:
        """What was left out and is not in the table."""
        return {reason: count for reason, count in self.left_out.items() if reason not in self.here}

    @property
    def column_names(self) -> tuple[str, ...]:
        """All its columns, in order."""
        return tuple(self.columns)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is worth knowing of how it was read."""
        out = ", ".join(f"{reason} {count:,}" for reason, count in sorted(self.left_out.items()))
        counted = f" Not in the table: {out}." if out else ""
        return (f"{quoted(self.name)} is read as a file of {self.tool}: {self.table}.{counted}", *self.remarks)

    @cached_property
    def _held(self) -> Table:
        return Table.of(self.name, {name: [_cell(value) for value in values] for name, values in self.columns.items()})

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """The wanted columns, block by block."""
        return self._held.batches(texts, numbers, rows)

    def fingerprint(self) -> str:
        """A digest of the bytes of the files, in order."""
        digest = sha256()
        inside = [
            sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path] for path in self.files
        ]
        for path in (one for files in inside for one in files):
            with refusing(path.name), path.open("rb") as file:
                digest.update(path.stat().st_size.to_bytes(8, "little"))
                while block := file.read(1 << 20):
                    digest.update(block)
        return f"sha256:{digest.hexdigest()[:16]}"


@contextmanager
def written_by(tool: str, name: str) -> Iterator[None]:
    """Around what reads records of another shape than the tool writes: which one it is, only its maker could say."""
    try:
        yield
    except AdjudgeError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise InputError(
            f"{quoted(name)} must be as {tool} writes it, but part of it is not. Export it again."
        ) from error


def _cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value


@dataclass(frozen=True, slots=True, eq=False)
class Importer:
    """One tool: how its files are recognised, by kind, and how they are read."""

    tool: str
    kinds: Mapping[str, Callable[[Sample], bool]]
    read: Callable[[Sequence[Path], Picks, Sample], Imported]
    picks: tuple[str, ...] = ()
    alone: bool = True  # whether one file makes a table
    plain: bool = False  # whether its columns are an ordinary table's, where they stand in one


def checked_picks(importer: Importer, given: Mapping[str, str]) -> None:
    """Refuse what an importer does not know."""
    for name in given:
        if name not in importer.picks:
            known = f"which takes {listed(importer.picks)}" if importer.picks else "of which nothing can be picked"
            raise SettingError(
                f"`pick` must be something to choose of a file of {importer.tool}, {known}, not {quoted(name)}. "
                f"{did_you_mean(name, importer.picks) if importer.picks else 'Leave it out.'}"
            )


@dataclass
class RaterAnswers:
    """Answers of raters to one question, as they are met: the last of each rater and item stands."""

    picks: Picks
    left_out: Counter[str] = field(default_factory=Counter)
    answers: dict[tuple[str, str, int], tuple[object, Json]] = field(default_factory=dict)  # (time, answer)
    names: dict[str, str] = field(default_factory=dict)
    again: int = 0

    def leave(self, reason: str, count: int = 1) -> None:
        """Count what is not taken."""
        if count:
            self.left_out[reason] += count

    def add(self, item: str, rater: str, answer: object, time: object = None) -> None:
        """One submission; of several of one rater on an item the last by its time stands, or by its place."""
        if self.picks["raters"] == "anonymous":
            rater = self.names.setdefault(rater, f"R{len(self.names) + 1}")
        key = (item, rater, 0)
        before = self.answers.get(key)
        if before is None or self.picks["repeats"] == "keep":
            self.again += before is not None
            self.answers[(item, rater, 0 if before is None else self.again)] = (time, answer)
            return
        self.leave(EARLIER)
        if _at_least(time, before[0]):
            del self.answers[key]
            self.answers[key] = (time, answer)

    def given(self) -> list[tuple[str, str, Json]]:
        """The answers that stand; what was submitted without one is counted."""
        kept = [
            (item, rater, answer) for (item, rater, _), (_, answer) in self.answers.items() if answer is not NOTHING
        ]
        self.leave(NO_ANSWER, len(self.answers) - len(kept))
        return kept


def _at_least(time: object, before: Json) -> bool:
    try:
        return bool(time is None or before is None or time >= before)
    except TypeError:
        return True


def judgement_table(
    tool: str,
    paths: Sequence[Path],
    judgements: RaterAnswers,
    *,
    kind: str = "",
    measurement: str | None = None,
    remarks: Iterable[str] = (),
) -> Imported:
    """The table of answers: of sets where an answer is a list, of spans where it is told so."""
    given = judgements.given()
    kind = kind or (SETS if any(isinstance(answer, list) for *_, answer in given) else RATINGS)
    if kind == SETS:
        given = [
            (i, r, sorted(set(map(as_written, a))) if isinstance(a, list) else [as_written(a)]) for i, r, a in given
        ]
    measurement = {SETS: "sets", SPANS: "spans"}.get(kind, measurement)
    roles: dict[str, object] = {"item": "item", "rater": "rater", "rating": "rating"}
    columns = columns_of_rows(roles, given)
    settings = {} if measurement is None else {"measurement": measurement}
    return Imported(
        tool, paths[0].name, kind, columns, dict(judgements.left_out), roles | settings, tuple(remarks), tuple(paths)
    )


def columns_of_rows(names: Iterable[str], rows: Sequence[Sequence[Json]]) -> dict[str, list[Json]]:
    """Rows as columns.

    >>> columns_of_rows(("item", "rating"), [("i1", "a"), ("i2", "b")])
    {'item': ['i1', 'i2'], 'rating': ['a', 'b']}
    """
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def if_written(value: object) -> str | None:
    """A value as it is written, None where there is none."""
    return None if value is None else as_written(value)


def as_written(value: object) -> str:
    """A value as it is written.

    >>> as_written(5), as_written("5"), as_written(True)
    ('5', '5', 'true')
    """
    if isinstance(value, str):
        return value
    return str(value) if type(value) is int else json.dumps(value, ensure_ascii=False)


def at_path(record: object, path: str) -> object:
    """What stands at a dotted path of a record, None where nothing does.

    >>> at_path({"data": {"doc": "r-1"}}, "data.doc")
    'r-1'
    """
    if isinstance(record, Mapping) and path in record:
        return record[path]
    first, _, rest = path.partition(".")
    inside = record.get(first) if isinstance(record, Mapping) else None
    return at_path(inside, rest) if rest and inside is not None else None


def item_of(record: Mapping[str, object], key: str, where: str) -> str:
    """The name of an item, refused where it has none."""
    value = at_path(record, key)
    if value is None or isinstance(value, (list, dict)):
        raise InputError(f"Every record of {quoted(where)} must name its item in {quoted(key)}, but one does not.")
    return as_written(value)


def one_question(picks: Picks, questions: Mapping[str, str], where: str) -> str:
    """The question that was picked, or the only one; several are listed."""
    name = picks["question"]
    if name is not None:
        if name not in questions:
            raise SettingError(
                f"`pick` must be a question of {quoted(where)}, not {quoted(name)}. {did_you_mean(name, questions)}"
            )
        return name
    if not questions:
        raise InputError(f"{quoted(where)} must hold answers to a question, but nobody has answered any.")
    if len(questions) > 1:
        choices = "; ".join(f"{quoted(one)} ({what})" for one, what in sorted(questions.items()))
        first = sorted(questions)[0]
        raise SettingError(
            f"`pick` must say which question: {quoted(where)} has {choices}. For instance pick question={first}."
        )
    return next(iter(questions))


def refused(where: str, must: str, reason: str, advice: str) -> InputError:
    """A file that cannot be read as a table."""
    return InputError(f"{quoted(where)} must {must}, but {reason}. {advice}")
