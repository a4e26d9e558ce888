"""A gold standard and the submissions of one or several systems, each in a file of its own, joined by an id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from adjudge.data.cleaning import text_column
from adjudge.data.source import Source, whole_batch
from adjudge.data.systems import as_list
from adjudge.data.tables.joining import Joined, refuse_nothing_common
from adjudge.diagnosis.checks.check import Check, checks_in_order
from adjudge.diagnosis.checks.leaks import PartOfData, leak_checks, unanswered
from adjudge.engines.base import no_progress
from adjudge.errors import ColumnNotFound, SettingError, listed, quoted
from adjudge.evaluation.adequacy.annotation_quality import annotation_table
from adjudge.evaluation.asking.foreign import opened_as
from adjudge.evaluation.asking.settings import Progress
from adjudge.evaluation.comparison.tables import TableRoles, together
from adjudge.evaluation.declaration import Given, Task
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.request import Request

GOLD = "gold standard"


@dataclass(frozen=True)
class Gold:
    """The gold standard, and what else is known of how it was made and divided."""

    table: object
    raters: tuple[str, ...] = ()  # columns of those who annotated it
    part: str | None = None  # a column that says which part a row is of
    parts: Mapping[str, object] = field(default_factory=dict)  # tables of the other parts, such as train
    content: tuple[str, ...] = ()  # columns that say what a row is about


def judge_submissions(
    task: Task,
    gold: Gold,
    named: Mapping[str, object],
    id: Sequence[str],
    given: Given,
    *,
    progress: Progress = no_progress,
) -> tuple[Outcome, Request]:
    """Every submission against the gold standard, paired; what did not meet is counted on both sides."""
    if not id:
        raise SettingError("`id` must name the column by which submissions meet the gold standard. Add it.")
    if GOLD in named:
        raise SettingError(f"A submission must not be called {quoted(GOLD)}. Give `names`.")
    reference, submitted = opened_as(gold.table, given), {n: opened_as(one, given) for n, one in named.items()}
    _check_columns(gold, reference)
    systems_asked = TableRoles.of(task, submitted, given)
    table = Joined({GOLD: reference, **submitted}, tuple(id), systems_asked.own)
    refuse_nothing_common(table)
    slices = [*as_list(systems_asked.shared.get("slices") or ()), gold.part]
    by_part = {} if gold.part is None else {"slices": list(dict.fromkeys(slices))}
    outcome, joint_request = together(table, systems_asked, progress, **by_part)
    checks = checks_in_order([*outcome.checks, *_checks(gold, table, id, given)], joint_request.ok)
    tables = [*outcome.panels.tables]
    if gold.raters:
        tables.insert(0, annotation_table(reference, gold.raters, joint_request.level, joint_request.bootstrap))
    return replace(outcome, checks=checks, panels=replace(outcome.panels, tables=tables)), joint_request


def _check_columns(gold: Gold, source: Source) -> None:
    named = [("gold_raters", name) for name in gold.raters] + [("content", name) for name in gold.content]
    for role, name in [*named, *([] if gold.part is None else [("part", gold.part)])]:
        if name not in source.column_names:
            raise ColumnNotFound(role, name, source.column_names)
    if len(set(gold.raters)) < len(gold.raters):
        raise SettingError(f"`gold_raters` must be different columns, not {listed(gold.raters)}.")
    if gold.content and gold.part is None and not gold.parts:
        raise SettingError(
            "`content` must come with `parts` or `part`: what is said is compared between parts. Add one."
        )
    if len(gold.raters) == 1:
        raise SettingError(f"`gold_raters` must be at least two columns, but there is one: {listed(gold.raters)}.")


def _checks(gold: Gold, table: Joined, id: Sequence[str], given: Given) -> list[Check]:
    known = set(table.ids[GOLD])
    checks: list[Check] = []
    for name, ids in table.ids.items():
        if name != GOLD:
            matched = len(known.intersection(ids))
            checks += unanswered(name, len(known) - matched, len(ids) - matched, len(known))
    parts = _parts_in(table.tables[GOLD], gold, id)
    for name, other in gold.parts.items():
        source = opened_as(other, given)
        parts[name] = PartOfData(_texts(source, id), _texts(source, gold.content))
        if parts[name].ids is None and parts[name].contents is None:
            named = listed([*id, *gold.content])
            raise SettingError(
                f"Each of `parts` must have a column by which its rows are known ({named}), but {quoted(name)} has "
                f"{listed(source.column_names)}. Name its columns as in the gold standard."
            )
    return [*checks, *leak_checks(parts)]


def _parts_in(source: Source, gold: Gold, id: Sequence[str]) -> dict[str, PartOfData]:
    """The gold standard as one part, or as those that a column tells."""
    ids, contents = _texts(source, id), _texts(source, gold.content)
    if gold.part is None:
        return {GOLD: PartOfData(ids, contents)}
    labels = _texts(source, (gold.part,)) or []
    return {
        label: PartOfData(*(None if of is None else _where(of, labels, label) for of in (ids, contents)))
        for label in dict.fromkeys(labels)
        if label
    }


def _where(values: Sequence[str], labels: Sequence[str], label: str) -> list[str]:
    return [value for value, own in zip(values, labels, strict=True) if own == label]


def _texts(source: Source, columns: Sequence[str]) -> list[str] | None:
    """What columns say of each row, together; None where none is named or one is not there."""
    if not columns or any(name not in source.column_names for name in columns):
        return None
    batch = whole_batch(source, list(columns), [])
    parts = [text_column(batch, name) for name in columns]
    said = [[("" if code < 0 else text.labels[code]) for code in text.codes] for text in parts]
    return [" ".join(row) for row in zip(*said, strict=True)]
