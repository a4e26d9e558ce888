"""Adequacy as a first screen and a page: eight characteristics, then each requirement, evidence and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from adjudge.evaluation.adequacy.characteristics import NOT_DECLARED, NOTHING, CharacteristicStanding, headline_of
from adjudge.evaluation.adequacy.tradeoffs import Tradeoffs
from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.gates.verdicts import (
    DECLARED,
    EXPIRED,
    FAILED,
    INCONCLUSIVE,
    MISSING,
    NOT_APPLICABLE,
    ORDER,
    PASSED,
    Verdict,
)
from adjudge.evaluation.panels import Panels
from adjudge.report import html, markdown, words
from adjudge.report.answers.answer import Answer, Cell, Finding, GridBlock, Step
from adjudge.report.gates import words as gate_words
from adjudge.report.gates.section import verdict_section
from adjudge.report.page import ColumnHead, FactList, Limits, PageTable, Part, Section, TableCell
from adjudge.report.summary import Fact, Summary

if TYPE_CHECKING:
    from adjudge.report.adequacy.adequacy import Adequacy


MARKS = {  # the worst first
    FAILED: "beyond",
    EXPIRED: "beyond",
    MISSING: "beyond",
    INCONCLUSIVE: "undecided",
    NOT_APPLICABLE: "undefined",
    NOTHING: "few",
    NOT_DECLARED: "few",
    DECLARED: "plain",
    PASSED: "within",
}
LIMITS = Limits(rows=1500, figures=24, levels=200, categories=40, text=240)
HEAD = ["characteristic", "estimate", "interval", "needed", "n", "requirement"]


def summary_of(result: Adequacy) -> Summary:
    """The first screen and what stands behind it."""
    judgement, external = result.judgement, result.external
    rows = sum(one.data.rows for one in result.outcomes.values())
    how = [Fact("Purpose file", result.judgement.file_hash[:16] or "given in Python")]
    answer = Answer(
        top=[
            "Adequacy",
            result.purpose.name,
            f"{plural(len(result.outcomes), 'table')}",
            f"{plural(rows, 'row')}",
        ],
        checks=[*judgement.checks],
        headline=headline_of(result.purpose.name, external, judgement.verdict),
        findings=[_finding(one) for one in external if one.verdict in (FAILED, INCONCLUSIVE, MISSING, EXPIRED)],
        blocks=[GridBlock("The eight characteristics, worst first", HEAD, _rows(external), numbers=[1, 2, 3, 4])],
        steps=_steps(result),
        doubt=_doubt(result),
        more="--html page.html · --json FILE · --junit FILE · --all: each requirement",
    )
    return Summary(
        result.purpose.name, "adequacy", "Is it fit for its purpose?", [], [], [], [],
        Panels([], [], [], [], []), rows, rows, [], how, [], answer=answer, gate=judgement,
    )  # fmt: skip


def html_of(result: Adequacy) -> str:
    """The page."""
    shown = [
        verdict_section(result.judgement, LIMITS),
        trade_section(result.tradeoffs),
        _evidence(result),
        _internal(result),
        _tables(result),
    ]
    return html.page_of(result.summary, [one for one in shown if one is not None])


def _finding(standing: CharacteristicStanding) -> Finding:
    worst = _worst(standing)
    return Finding(MARKS[standing.verdict], standing.verdict, f"{standing.name}: {worst.requirement}; {_why(worst)}")


def _why(verdict: Verdict) -> str:
    figures = (
        f"{_estimate(verdict)} {_interval(verdict)}, needed {_needed(verdict)}" if verdict.bound is not None else ""
    )
    return figures if verdict.estimate is not None else gate_words.why(verdict)


def _worst(standing: CharacteristicStanding) -> Verdict:
    """The requirement that speaks for a characteristic: the worst, or the first."""
    return min(standing.verdicts, key=lambda one: ORDER.index(one.verdict))


def _rows(standings: Sequence[CharacteristicStanding]) -> list[list[Cell]]:
    """A row for each characteristic: what failed first, then what is open, then what passed."""
    places = [*MARKS]
    return [_row(one) for one in sorted(standings, key=lambda one: places.index(one.verdict))]


def _row(standing: CharacteristicStanding) -> list[Cell]:
    name = Cell(standing.name, MARKS[standing.verdict], standing.verdict)
    if not standing.verdicts:
        return [name, *[Cell("–")] * 4, Cell(standing.meaning)]
    worst = _worst(standing)
    leaf = next((one for one in worst.leaves if one.verdict == worst.verdict), worst)
    others = len(standing.verdicts) - 1
    required = worst.requirement + (f" (and {others} more)" if others else "")
    n = f"{leaf.n:,}" if leaf.n else "–"
    texts = (_estimate(leaf), _interval(leaf) or "–", _needed(leaf), n, required)
    return [name, *map(Cell, texts)]


def _estimate(verdict: Verdict) -> str:
    if verdict.estimate is None and verdict.low is not None:
        return "no event"
    return gate_words.supported(verdict.estimate, verdict)


def _interval(verdict: Verdict) -> str:
    if verdict.low is None and verdict.high is None:
        return ""
    ends = [
        words.number_text(end, verdict.low, verdict.high) if end is not None else "∞"
        for end in (verdict.low, verdict.high)
    ]
    return f"[{ends[0]}, {ends[1]}]"


def _needed(verdict: Verdict) -> str:
    return (
        "–" if verdict.bound is None else f"{'≥' if verdict.side == 'at least' else '≤'} {words.short(verdict.bound)}"
    )


def _steps(result: Adequacy) -> list[Step]:
    unknown = [one.name for one in result.external if one.verdict == NOTHING]
    steps = gate_words.next_steps(result.judgement)[:2]
    if unknown:
        names = ", ".join(unknown[:4])
        steps.append(Step(f"Measure or declare {names}: a [[table.requirement]] or [[evidence]] in the file."))
    return steps


def _doubt(result: Adequacy) -> str:
    tested = sum(len(one.leaves) for one in result.judgement.verdicts if one.bound is not None)
    return (
        "Each requirement is judged by one end of its interval, at its own confidence. Passing needs no correction, "
        f"because all must pass; failing is corrected for {plural(tested, 'bound')} (Holm). What is only declared was "
        "not measured."
    )


def _evidence(result: Adequacy) -> Section | None:
    """What somebody declares."""
    declared = [one for one in result.judgement.verdicts if one.verdict in (DECLARED, EXPIRED, MISSING)]
    if not declared:
        return None
    columns = [ColumnHead(name) for name in ("Characteristic", "Statement", "State", "Why", "Link")]
    rows = [
        [
            TableCell(one.characteristic),
            TableCell(one.requirement),
            TableCell(one.verdict, mark=MARKS[one.verdict]),
            TableCell(one.why),
            TableCell(one.link),
        ]
        for one in declared
    ]
    lead = "What no table can measure: somebody declared it, with a date. It never counts as passed."
    counts = Counter(one.verdict for one in declared)
    says = ", ".join(f"{counts[word]} {word}" for word in (MISSING, EXPIRED, DECLARED) if counts[word])
    size = plural(len(declared), "statement")
    return Section("evidence", "Evidence", [PageTable("", columns, rows)], says, size, lead)


def _internal(result: Adequacy) -> Section:
    """The makers' view: seven characteristics that are declared or not."""
    columns = [ColumnHead(name) for name in ("Characteristic", "What it means", "State", "Statements")]
    rows = [
        [
            TableCell(one.name),
            TableCell(one.meaning),
            TableCell(one.verdict, mark=MARKS[one.verdict]),
            TableCell("; ".join(f"{own.requirement} ({own.why})" for own in one.verdicts) or words.MISSING),
        ]
        for one in result.internal
    ]
    known = sum(one.verdict != NOT_DECLARED for one in result.internal)
    lead = (
        "How it is built, as its makers see it. No table of judgements can measure this: it is declared, with a date."
    )
    return Section("internal", "Internal quality", [PageTable("", columns, rows)], f"{known} of 7 declared", "", lead)


def _tables(result: Adequacy) -> Section:
    """What was read."""
    facts = [Fact(name, value) for name, value in result.purpose.about.items()]
    for name, outcome in result.outcomes.items():
        of = outcome.task or "columns"
        facts.append(Fact(name, f"{outcome.data.source}, {plural(outcome.data.rows, 'row')}, {of}"))
    return Section(
        "tables", "Tables", [FactList(facts)], ", ".join(result.outcomes), plural(len(result.outcomes), "table")
    )


def markdown_of_standings(result: Adequacy) -> str:
    """The eight characteristics as a table."""
    rows = [
        [one.name, f"{words.MISSING if not one.verdicts else _worst(one).requirement}", one.verdict]
        for one in (*result.external, *result.internal)
    ]
    answer = result.summary.answer
    head = f"# {markdown.escaped(result.purpose.name)}\n\n**{markdown.escaped(answer.headline if answer else '')}**\n\n"
    return (
        head
        + markdown.table(["Characteristic", "Requirement", "Verdict"], [list(map(str, row)) for row in rows])
        + "\n"
    )


TRADE_MARKS = {"on the front": "within", "dominated": "beyond", "undecided": "undecided"}


def trade_section(tradeoffs: Tradeoffs | None) -> Section | None:
    """The fold, where versions are weighed."""
    if tradeoffs is None:
        return None
    parts: list[Part] = [_values(tradeoffs), _matrix(tradeoffs)]
    if (utility := _utility(tradeoffs)) is not None:
        parts.append(utility)
    if tradeoffs.sentences:
        parts.append(FactList([Fact("Pulls apart", sentence) for sentence in tradeoffs.sentences[:20]]))
    front = [
        name for name, place in zip(tradeoffs.systems, tradeoffs.fronts, strict=True) if place.state != "dominated"
    ]
    lead = (
        "All versions under the same draws. A version is dominated when another is shown to be at least as good in "
        "every characteristic and better in one."
    )
    size = plural(len(tradeoffs.systems), "version")
    return Section("trade-offs", "Trade-offs", parts, f"Worth having: {', '.join(front)}", size, lead)


def _values(tradeoffs: Tradeoffs) -> PageTable:
    names = [f"{axis.characteristic} ({axis.metric.full_label})" for axis in tradeoffs.axes]
    columns = [
        ColumnHead("Version"),
        *(ColumnHead(name, number=True) for name in names),
        ColumnHead("State"),
        ColumnHead("Undominated"),
    ]
    rows = []
    for place, (name, state) in enumerate(zip(tradeoffs.systems, tradeoffs.fronts, strict=True)):
        cells = [TableCell(name)]
        for at in range(len(tradeoffs.axes)):
            low, high = tradeoffs.interval(place, at)
            value = float(tradeoffs.values[place, at])
            ends = f"[{words.number_text(low, low, high)}, {words.number_text(high, low, high)}]"
            cells.append(TableCell(words.number_text(value, low, high), interval=ends))
        by = "" if state.by is None else f" by {tradeoffs.systems[state.by]}"
        cells.append(TableCell(f"{state.state}{by}", mark=TRADE_MARKS[state.state]))
        cells.append(TableCell(f"{100 * state.undominated:.1f} % of draws"))
        rows.append(cells)
    return PageTable("", columns, rows)


def _matrix(tradeoffs: Tradeoffs) -> PageTable:
    """Which characteristics help or hurt each other, over the steps from version to version."""
    names = [axis.characteristic for axis in tradeoffs.axes]
    rows = [
        [TableCell(name), *(TableCell(_cell(*pair) if a != b else words.MISSING) for b, pair in enumerate(line))]
        for a, (name, line) in enumerate(zip(names, tradeoffs.matrix, strict=True))
    ]
    columns = [ColumnHead("Which help (+) or hurt (−) each other"), *(ColumnHead(name) for name in names)]
    return PageTable("", columns, rows, note="Steps from one version to the next in which both changed for certain.")


def _cell(helped: int, hurt: int) -> str:
    signs = [f"+{helped}" if helped else "", f"−{hurt}" if hurt else ""]
    return " ".join(filter(None, signs)) or "·"


def _utility(tradeoffs: Tradeoffs) -> PageTable | None:
    utility = tradeoffs.utility
    if utility is None:
        return None
    columns = [
        ColumnHead("Version"),
        ColumnHead("Utility", number=True),
        ColumnHead("Best of all weights", number=True),
    ]
    rows = [
        [
            TableCell(name),
            TableCell(f"{utility.values[place]:.3f}", interval="[{:.3f}, {:.3f}]".format(*utility.limits[place])),
            TableCell(f"{100 * utility.best[place]:.0f} %"),
        ]
        for place, name in enumerate(tradeoffs.systems)
    ]
    weights = sum(float(axis.weight or 0) for axis in tradeoffs.axes)
    turning = [
        f"{tradeoffs.systems[at[1]]} would win if {axis.characteristic} weighed {at[0]:.2f} instead of "
        f"{float(axis.weight or 0) / weights:.2f}"
        for axis, at in zip(tradeoffs.axes, utility.turning, strict=True)
        if at is not None
    ]
    return PageTable("", columns, rows, note="; ".join(turning))
