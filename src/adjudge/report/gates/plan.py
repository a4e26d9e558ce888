"""A gate before it is run: which requirements the rows can prove, and how many rows each would need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from adjudge.errors import with_minus
from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.gates.plans import NOTHING_EXPECTED, PlannedRequirement
from adjudge.evaluation.take_away.exports import encoded
from adjudge.report import words
from adjudge.report.numbers import chance_text
from adjudge.report.sheet import standard_output

if TYPE_CHECKING:
    from rich.console import Console

SCHEMA_VERSION = 1
CANNOT_PASS = 3
HEAD = ("requirement", "expected", "rows", "passed", "inconclusive", "failed", "rows needed")


@dataclass(frozen=True)
class GatePlan:
    """What a gate can show with the rows there will be. Iterate over it for each requirement.

    >>> from adjudge.report.gates.gate import Gate
    >>> gate = Gate.of({"metric": "accuracy", "at_least": 0.9, "expect": 0.93}, "accuracy >= 0.99")
    >>> planned = gate.plan(rows=200)
    >>> [(one.can_pass, one.rows_needed) for one in planned], planned.exit_code
    ([(True, 593), (False, None)], 3)
    """

    name: str
    requirements: tuple[PlannedRequirement, ...]
    power: float = 0.8

    def __iter__(self) -> Iterator[PlannedRequirement]:
        return iter(self.requirements)

    def __len__(self) -> int:
        return len(self.requirements)

    @property
    def exit_code(self) -> int:
        """0, or 3 where a requirement that stops the gate can never pass with these rows."""
        return CANNOT_PASS if any(one.blocks and not one.can_pass for one in self) else 0

    @property
    def headline(self) -> str:
        """What can be said in one sentence."""
        never = [one for one in self if not one.can_pass]
        rows = next((one.rows for one in self if one.rows is not None), None)
        needed = [one.rows_needed for one in self if one.rows_needed is not None]
        most = f"{words.count(max(needed))} rows" if needed else ""
        each = f"for each to pass with a chance of {100 * self.power:g} %" if len(needed) > 1 else "to pass"
        if rows is None:
            return (
                f"{most} are needed {each}."
                if needed
                else "Nothing can be planned: neither the rows nor an expected value are known."
            )
        if never:
            names = ", ".join(one.requirement for one in never[:4])
            more = f" and {len(never) - 4} more" if len(never) > 4 else ""
            return f"CANNOT PASS with {plural(rows, 'row')}: {names}{more}."
        unmet = [one.requirement for one in self if one.expected is not None and one.rows_needed is None]
        if unmet:
            more = f" and {len(unmet) - 4} more" if len(unmet) > 4 else ""
            return f"No number of rows is enough: the expected value does not meet {', '.join(unmet[:4])}{more}."
        short = [one for one in self if one.rows_needed is not None and one.rows_needed > rows]
        if short:
            return f"With {plural(rows, 'row')} it can pass; {most} are needed {each}."
        unknown = [one for one in self if one.passed is None]
        silent = sum(one.note.endswith(NOTHING_EXPECTED) for one in unknown)
        others = len(unknown) - silent
        known = len(self) - len(unknown)
        enough = f"are enough for {known} of {plural(len(self), 'requirement')}" if unknown else "are enough"
        start = f"{plural(rows, 'row')} {enough}." if known else f"Nothing is known yet of {plural(rows, 'row')}."
        ask = f" Say what to `expect` of {plural(silent, 'requirement')}, or give a pilot." if silent else ""
        unplanned = f" {plural(others, 'requirement')} cannot be planned." if others else ""
        return f"{start}{ask}{unplanned}"

    def rows(self) -> list[list[str]]:
        """A row of text for each requirement."""
        return [_cells(one) for one in self]

    def notes(self) -> list[str]:
        """What a number does not tell."""
        return [f"{one.requirement}: {text}" for one in self if (text := _note(one, self.power))]

    def to_json(self) -> bytes:
        """The plan for programs."""
        document: dict[str, object] = {"schema_version": SCHEMA_VERSION, "exit_code": self.exit_code, "gate": self.name}
        planned = [asdict(one) for one in self]
        return encoded(document | {"answer": self.headline, "power": self.power, "requirements": planned})

    def to_markdown(self) -> str:
        """The plan as Markdown."""
        from adjudge.report.markdown import escaped, table

        lines = [f"# Plan of {escaped(self.name)}" if self.name else "# Plan", escaped(self.headline)]
        lines.append(table(HEAD, self.rows(), range(1, len(HEAD))))
        return "\n\n".join([*lines, *(escaped(note) for note in self.notes())]) + "\n"

    def show(self, console: Console | None = None) -> None:
        """Print the answer and the table."""
        from rich.table import Table
        from rich.text import Text

        console = console or standard_output()
        console.print(Text(words.visible(self.headline, most=1000), style="bold"))
        console.print()
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
        for place, name in enumerate(HEAD):
            table.add_column(Text(name), justify="right" if place else "left", no_wrap=bool(place), overflow="fold")
        for row in self.rows():
            table.add_row(*(Text(words.visible(cell)) for cell in row))
        console.print(table)
        for note in self.notes():
            console.print(Text(words.visible(note, most=1000)))

    def __repr__(self) -> str:
        return "\n  ".join([self.headline, *self.notes()])


def _cells(one: PlannedRequirement) -> list[str]:
    expected = words.MISSING if one.expected is None else with_minus(one.expected, ".4g")
    chances = [
        words.MISSING if share is None else chance_text(share) for share in (one.passed, one.inconclusive, one.failed)
    ]
    rows, needed = (words.MISSING if n is None else words.count(n) for n in (one.rows, one.rows_needed))
    return [one.requirement, expected, rows, *chances, needed]


def _note(one: PlannedRequirement, power: float) -> str:
    if one.passes_from is not None:
        least = with_minus(one.passes_from, ".4g")
        promise = f"passes with a chance of {100 * power:g} % if it truly is {one.side} {least}"
        return f"{promise}; {note}" if (note := one.note.removesuffix(NOTHING_EXPECTED).removesuffix("; ")) else promise
    return one.note
