"""How many rows to collect: the answer first, then the table behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass, fields, replace
from typing import Any

from adjudge.errors import SettingError, listed, with_minus
from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.asking.settings import Progress
from adjudge.evaluation.planning.pilots import Pilot, row_asked
from adjudge.evaluation.planning.size_plans import (
    NEVER,
    Goal,
    PlanRow,
    exact_power,
    planned_rows,
    projected_rows,
    simulated_rows,
)
from adjudge.evaluation.planning.size_questions import Assumptions, Question, is_share, question_of, unit_of
from adjudge.evaluation.take_away.exports import delimited_text, encoded
from adjudge.evaluation.take_away.saving import named_as_saved
from adjudge.evaluation.take_away.writing import Written
from adjudge.metrics.catalogue import in_sentence
from adjudge.report import words
from adjudge.report.evaluation import Evaluation, load
from adjudge.report.numbers import chance_text
from adjudge.report.sheet import standard_output
from adjudge.tasks import task_named

SCHEMA_VERSION = 1
SAMPLES = 200
NAMES = tuple(Assumptions.__dataclass_fields__)
# What the limits that a plan speaks of are called, where no interval method has the name.
METHODS = {
    "obuchowski": "Obuchowski's variance of an area",
    "two_shares": "two shares, normal",
    "two_means": "two means, normal",
    "simulated": "simulated",
}
HEAD = ("assumption", "units", "rows", "clusters", "passed", "failed", "half-width", "method")


@dataclass(frozen=True)
class Plan(Written):
    """What `adjudge.plan` returns: the answer, the table, and the files they can be written to."""

    question: str
    sentences: tuple[str, ...]
    assumptions: dict[str, float]
    table: tuple[PlanRow, ...]  # numbers of units with what each would show; the first row is the plan
    can_pass: bool

    @property
    def rows(self) -> int | None:
        """Rows to collect; None where no number would do."""
        return self.table[0].rows if self.table else None

    @property
    def answer(self) -> str:
        """The answer in words."""
        return " ".join(self.sentences)

    def records(self) -> list[dict[str, object]]:
        """The table as a list of dicts."""
        return [asdict(row) for row in self.table]

    @property
    def forms(self) -> dict[str, Callable[[], str | bytes]]:
        """Files can be written as json, csv or markdown."""
        return {"json": self._json, "csv": self._csv, "markdown": self._markdown}

    def _cells(self) -> tuple[list[str], list[list[str]], list[int]]:
        """The head, the rows as text without empty columns, and which columns hold numbers."""
        rows = [_cells(row) for row in self.table]
        shown = [place for place in range(len(HEAD)) if any(row[place] != words.MISSING for row in rows)]
        numbers = [new for new, place in enumerate(shown) if 1 <= place <= 6]
        return [HEAD[place] for place in shown], [[row[place] for place in shown] for row in rows], numbers

    def _json(self) -> bytes:
        import msgspec

        document = {
            "schema_version": SCHEMA_VERSION,
            "question": self.question,
            "answer": self.sentences,
            "assumptions": self.assumptions,
            "plan": self.records(),
        }
        return msgspec.json.format(encoded(document), indent=1) + b"\n"

    def _csv(self) -> str:
        cells = (["" if value is None else value for value in astuple(row)] for row in self.table)
        return delimited_text([[field.name for field in fields(PlanRow)], *cells])

    def _markdown(self) -> str:
        from adjudge.report.markdown import escaped, table

        head, rows, numbers = self._cells()
        sentences = [escaped(sentence) for sentence in self.sentences]
        return "\n\n".join([f"# Plan: {escaped(self.question)}", *sentences, table(head, rows, numbers)]) + "\n"

    def show(self) -> None:
        """Print the answer and the table."""
        from rich.table import Table
        from rich.text import Text

        console, (head, rows, numbers) = standard_output(), self._cells()
        for sentence in self.sentences:
            console.print(Text(words.visible(sentence, most=1000)))
        if all(row.units is None for row in self.table):
            return
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
        methods = dict.fromkeys(row[-1] for row in rows)
        head, rows = head[:-1], [row[:-1] for row in rows]
        for place, name in enumerate(head):
            right = place in numbers
            table.add_column(Text(name), justify="right" if right else "left", no_wrap=right, overflow="fold")
        for row in rows:
            table.add_row(*map(Text, row))
        console.print()
        console.print(table)
        console.print(Text(f"judged by: {', '.join(methods)}", style="dim"))

    def __repr__(self) -> str:
        return "\n".join([*self.sentences, "use .show(), .table or .write('plan.md', 'markdown')"])


def plan(
    question: str,
    *,
    pilot: Any = None,  # an evaluation, a file that holds one, or any table
    task: str = "classification",
    power: float = 0.8,
    level: float = 0.95,
    confidence: float | None = None,
    half_width: float | None = None,
    rows: int | None = None,
    samples: int = SAMPLES,
    seed: int = 7,
    progress: Progress | None = None,
    **given: Any,  # what is expected, and roles by name: each is checked where it is read
) -> Plan:
    """How many rows it takes: for a requirement to pass, two systems to be told apart, an interval to be narrow.

    `question` is a requirement ("accuracy >= 0.9", "accuracy of new >= old - 0.01", "every language: recall >= 0.8") or
    a metric. What is expected is `expect`, or `difference` and `differing` of two systems on the same rows, `against`
    on other rows; `deviation` of a mean; `part` of the rows that count; `cluster_size` and `correlation` of rows that
    belong together; `slices` and `smallest` where every slice must pass; `judge_correlation` and `judged` of a judge
    that helps few labels. A `pilot` tells it instead: an evaluation, a
    saved one, or a table, which is then evaluated as `task` with the roles given and drawn from `samples` times. With
    `rows`, the plan says what so many would show.

    >>> planned = plan("accuracy >= 0.9", expect=0.93)
    >>> planned.rows
    593
    >>> plan("accuracy", expect=0.9, half_width=0.02).rows
    868
    >>> plan("accuracy", difference=0.04, differing=0.12).rows
    587
    """
    expected = Assumptions(**{name: given.pop(name) for name in NAMES if name in given})
    goal = Goal(power, level, half_width, rows)
    parsed = question_of(question, expected, level=level, confidence=confidence)
    if not parsed.aims and half_width is None and rows is None:
        raise SettingError(
            f"A plan of {parsed.metric!r} must be asked something: give `half_width`, a `difference` of two systems, "
            f'or a requirement, for example "{parsed.metric!r} >= 0.9".'
        )
    every = parsed.requirement is not None and bool(parsed.requirement.every)
    if every and expected.slices is None:
        raise SettingError("`slices` must say how many slices must each pass.")
    for name in ("slices", "smallest"):
        if getattr(expected, name) is not None and not every:
            raise SettingError(f'`{name}` must go with a requirement of `every` slice, such as "every language: …".')
    saved = isinstance(pilot, Evaluation) or named_as_saved(pilot)
    if given and (pilot is None or saved):
        raise SettingError(f"A plan takes no {listed(given)}. It takes: {listed(NAMES, 20)}, and roles with a table.")
    seen: float | None = None
    if pilot is None:
        table = planned_rows(parsed, expected, goal)
    elif saved:
        evaluation = pilot if isinstance(pilot, Evaluation) else load(pilot)
        row = row_asked(evaluation.table, parsed)
        seen, table = row.estimate, projected_rows(parsed, row, expected, goal)
    else:
        judged = level if not parsed.aims else 1 - 2 * max(aim.alpha for aim in parsed.aims)
        sample = Pilot.of(task_named(task), pilot, given, parsed, judged, seed=seed)
        sample = sample if progress is None else replace(sample, progress=progress)
        seen, table = simulated_rows(sample, expected, goal, samples)
    answer = tuple(_answer(parsed, table, goal, expected, seen))
    return Plan(parsed.text, answer, expected.given, tuple(table), _can_pass(parsed, table))


def _can_pass(question: Question, table: list[PlanRow]) -> bool:
    return not question.aims or any(row.passed for row in table[:1]) or table[0].units is None


def _answer(question: Question, table: list[PlanRow], goal: Goal, given: Assumptions, seen: float | None) -> list[str]:
    """The sentences that stand first."""
    first, unit = table[0], unit_of(question.metric)
    supposed = _supposed(question, given, seen)
    if first.units is None:
        if first.note == NEVER:
            return [f"No number of rows is enough: if {supposed}, with more rows it would more likely fail."]
        return [f"No number of rows is named: if {supposed}, it takes {first.note}."]
    if question.compares and first.assumption.startswith("differing"):
        return _by_differing(table, goal)
    rows = _many(first.rows or 0, unit)
    where = f" in {plural(first.clusters, 'cluster')}" if first.clusters is not None else ""
    part = given.part is not None and given.slices is None and not where and first.units != first.rows
    counts = f", of which about {words.count(first.units)} count" if part else ""
    if given.against is not None and given.difference is None and question.compares:
        rows = f"{rows} of each system"
    sentences = [f"{rows}{where}{counts}: if {supposed}, {_promise(question, first, goal, unit)}."]
    if is_share(question.metric) and question.metric.by_category and given.part is None and seen is None:
        sentences.append(
            "Only rows that the metric counts are meant; with `part`, their share of all rows, the plan counts all."
        )
    if goal.rows is not None and question.aims and not first.passed:
        all_right = f"{words.count(first.units)} right of {words.count(first.units)}"
        proof = f"not even {all_right} would prove it" if is_share(question.metric) else "so few rows prove nothing"
        return [*sentences, f"It cannot pass: {first.note or proof}."]
    if given.slices:
        each = "There are" if goal.rows is not None else "Each needs"
        sentences.append(f"{each} {_many(first.units, unit)} in the smallest of {plural(given.slices, 'slice')}.")
    if (exact := exact_power(question, given, first.units)) is not None:
        sentences.append(f"McNemar's mid-p test then sees it with a chance of {chance_text(exact)}.")
    return [*sentences, *([f"{first.note[0].upper()}{first.note[1:]}."] if first.note else [])]


def _by_differing(table: list[PlanRow], goal: Goal) -> list[str]:
    """The answer where nobody said how often two systems differ."""
    if goal.rows is not None:
        parts = [f"{chance_text(row.passed or 0.0)} with {row.assumption}" for row in table]
        return [
            f"With {_many(goal.rows, 'row')} the chance depends on how often only one is right: {'; '.join(parts)}."
        ]
    parts = [f"{_many(row.rows or 0, 'row')} with {row.assumption}" for row in table if row.rows is not None]
    return [f"It depends on how often only one of the two is right: {'; '.join(parts)}."]


def _many(number: int, unit: str) -> str:
    return plural(number, unit, f"{unit[:-1]}ies" if unit.endswith("y") else "")


def _supposed(question: Question, given: Assumptions, seen: float | None) -> str:
    """What is taken for true, in words."""
    label = question.label or in_sentence(question.metric)
    if seen is not None:
        what = "the difference" if question.compares else label
        return (
            f"{what} is {with_minus(seen, '.4g')}, as in the pilot"
            if given.expect is None
            else f"{what} is {with_minus(given.expect)}"
        )
    if not question.compares:
        parts = [f"{label} is {with_minus(given.expect)}"]
    elif given.difference is None and given.against is not None:
        parts = [f"{label} is {with_minus(given.expect)} against {with_minus(given.against)}"]
    else:
        parts = [f"{label} differs by {with_minus(given.difference or 0.0)}"]
    if given.differing is not None:
        parts.append(f"only one is right in {100 * given.differing:.3g} % of rows")
    if given.deviation is not None:
        parts.append(f"the standard deviation is {given.deviation:g}")
    if given.part is not None:
        parts.append(f"{100 * given.part:.3g} % of rows count")
    if given.judged is not None:
        parts.append(f"a judge of {given.judged:,.0f} more rows correlates {given.judge_correlation:g} with people")
    if given.correlation is not None:
        parts.append(f"rows come in clusters of {given.cluster_size:g} with correlation {given.correlation:g}")
    return " and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _promise(question: Question, row: PlanRow, goal: Goal, unit: str) -> str:
    parts = []
    if row.passed is not None:
        what = f'"{question.text}" passes' if question.requirement is not None else "the difference is seen"
        each = " in each slice" if question.requirement is not None and question.requirement.every else ""
        parts.append(f"{what}{each} with a chance of {chance_text(row.passed)}")
    if row.half_width is not None and (goal.half_width is not None or not parts or goal.rows is not None):
        parts.append(f"the {words.level_text(goal.level)} reaches about {row.half_width:.3g} to each side")
    return " and ".join(parts) or f"there are too few {_many(2, unit)[2:]} for any interval"


def _cells(row: PlanRow) -> list[str]:
    def share(value: float | None) -> str:
        return words.MISSING if value is None else chance_text(value)

    def whole(value: int | None) -> str:
        return words.MISSING if value is None else words.count(value)

    half = words.MISSING if row.half_width is None else f"{row.half_width:.3g}"
    method = METHODS.get(row.method) or words.method_name(row.method)
    numbers = [whole(row.units), whole(row.rows), whole(row.clusters), share(row.passed), share(row.failed), half]
    return [words.visible(row.assumption), *numbers, words.visible(method)]
