"""Trade-offs on the page: each version in each characteristic, where it stands, and which of them pull apart."""

from __future__ import annotations

from adjudge.evaluation.answering import plural
from adjudge.evaluation.tradeoffs import Tradeoffs
from adjudge.report import words
from adjudge.report.page import Column, FactList, Part, Section, Table, TableCell
from adjudge.report.summary import Fact

MARKS = {"on the front": "within", "dominated": "beyond", "undecided": "undecided"}


def trade_section(found: Tradeoffs | None) -> Section | None:
    """The fold, where versions are weighed."""
    if found is None:
        return None
    parts: list[Part] = [_values(found), _matrix(found)]
    if (told := _utility(found)) is not None:
        parts.append(told)
    if found.sentences:
        parts.append(FactList([Fact("Pulls apart", sentence) for sentence in found.sentences[:20]]))
    front = [name for name, place in zip(found.systems, found.fronts, strict=True) if place.state != "dominated"]
    lead = (
        "All versions under the same draws. A version is dominated when another is shown to be at least as good in "
        "every characteristic and better in one."
    )
    size = plural(len(found.systems), "version")
    return Section("trade-offs", "Trade-offs", parts, f"Worth having: {', '.join(front)}", size, lead)


def _values(found: Tradeoffs) -> Table:
    names = [f"{axis.characteristic} ({axis.metric.full_label})" for axis in found.axes]
    columns = [
        Column("Version"),
        *(Column(name, number=True) for name in names),
        Column("State"),
        Column("Undominated"),
    ]
    rows = []
    for place, (name, state) in enumerate(zip(found.systems, found.fronts, strict=True)):
        cells = [TableCell(name)]
        for at in range(len(found.axes)):
            low, high = found.interval(place, at)
            value = float(found.values[place, at])
            ends = f"[{words.number_text(low, low, high)}, {words.number_text(high, low, high)}]"
            cells.append(TableCell(words.number_text(value, low, high), interval=ends))
        by = "" if state.by is None else f" by {found.systems[state.by]}"
        cells.append(TableCell(f"{state.state}{by}", mark=MARKS[state.state]))
        cells.append(TableCell(f"{100 * state.undominated:.1f} % of draws"))
        rows.append(cells)
    return Table("", columns, rows)


def _matrix(found: Tradeoffs) -> Table:
    """Which characteristics help or hurt each other, over the steps from version to version."""
    names = [axis.characteristic for axis in found.axes]
    rows = [
        [TableCell(name), *(TableCell(_cell(*pair) if a != b else words.MISSING) for b, pair in enumerate(line))]
        for a, (name, line) in enumerate(zip(names, found.matrix, strict=True))
    ]
    columns = [Column("Which help (+) or hurt (−) each other"), *(Column(name) for name in names)]
    return Table("", columns, rows, note="Steps from one version to the next in which both changed for certain.")


def _cell(helped: int, hurt: int) -> str:
    told = [f"+{helped}" if helped else "", f"−{hurt}" if hurt else ""]
    return " ".join(filter(None, told)) or "·"


def _utility(found: Tradeoffs) -> Table | None:
    utility = found.utility
    if utility is None:
        return None
    columns = [Column("Version"), Column("Utility", number=True), Column("Best of all weights", number=True)]
    rows = [
        [
            TableCell(name),
            TableCell(f"{utility.values[place]:.3f}", interval="[{:.3f}, {:.3f}]".format(*utility.limits[place])),
            TableCell(f"{100 * utility.best[place]:.0f} %"),
        ]
        for place, name in enumerate(found.systems)
    ]
    weights = sum(float(axis.weight or 0) for axis in found.axes)
    turning = [
        f"{found.systems[at[1]]} would win if {axis.characteristic} weighed {at[0]:.2f} instead of "
        f"{float(axis.weight or 0) / weights:.2f}"
        for axis, at in zip(found.axes, utility.turning, strict=True)
        if at is not None
    ]
    return Table("", columns, rows, note="; ".join(turning))
