"""Trade-offs on the page: each version in each characteristic, where it stands, and which of them pull apart."""

from __future__ import annotations

from adjudge.evaluation.adequacy.tradeoffs import Tradeoffs
from adjudge.evaluation.answers.answering import plural
from adjudge.report import words
from adjudge.report.page import ColumnHead, FactList, PageTable, Part, Section, TableCell
from adjudge.report.summary import Fact

MARKS = {"on the front": "within", "dominated": "beyond", "undecided": "undecided"}


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
        cells.append(TableCell(f"{state.state}{by}", mark=MARKS[state.state]))
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
