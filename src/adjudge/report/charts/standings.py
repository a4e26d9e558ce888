"""Several systems by one metric, best first, with bars over those not told apart: a critical-difference plot."""

from __future__ import annotations

from adjudge.evaluation.panels import Standing, StandingsPanel
from adjudge.report import words
from adjudge.report.charts.figure import (
    INK,
    MUTED,
    PALETTE,
    Chart,
    Figure,
    axis,
    chart,
    estimate_fields,
    rounded,
    row_axes,
    text_fact,
)

MOST_SYSTEMS = 60
MOST_GROUPS = 26


def standings_figure(panel: StandingsPanel, most: int = MOST_SYSTEMS) -> Figure:
    """The systems with their intervals, then a bar for each letter, from the lowest to the highest that has it.

    >>> def line(name, value, letters):
    ...     return Standing(name, value, value - 0.02, value + 0.02, 0.0, None, None, 1, 2, letters, 0.5, True)
    >>> lines = [line("new", 0.9, "a"), line("old", 0.89, "ab"), line("first", 0.87, "b")]
    >>> figure = standings_figure(StandingsPanel("accuracy", "Accuracy", "", "higher", "max_t", 2000, lines, []))
    >>> [(bar["from"], bar["to"]) for bar in figure.spec["data"]["values"] if bar["kind"] == "group"]
    [(0.89, 0.9), (0.87, 0.89)]
    """
    shown = [line for line in panel.lines if rounded(line.estimate) is not None][:most]
    groups = {letter: members for letter, members in _groups(shown).items() if len(members) > 1}
    label = words.visible(panel.label + (f" of {panel.category}" if panel.category else ""))
    ranks = [f"{one.rank_low}" if one.rank_low == one.rank_high else f"{one.rank_low}–{one.rank_high}" for one in shown]
    names = [words.visible(line.system) or '""' for line in shown]
    spec = chart(
        f"Critical-difference plot: {label} of each system, and bars over systems that are not told apart.",
        {
            "data": {"values": [*map(_point, range(len(shown)), shown), *_bars(groups, len(shown))]},
            "params": [
                {"name": "names", "value": [*names, *(f"not told apart: {letter}" for letter in groups)]},
                {"name": "sizes", "value": [*(f"rank {rank}" for rank in ranks), *("" for _ in groups)]},
            ],
            "transform": [{"calculate": "names[datum.row]", "as": "name"}],
            "layer": _layers(label, len(shown) + len(groups)),
            "resolve": {"axis": {"y": "independent"}},
        },
        height=max(2, len(shown) + len(groups)) * 26,
    )
    best = "larger" if panel.better == "higher" else "smaller"
    note = (
        f"Best first ({best} is better), with the interval of each system alone. A bar joins systems of which no two "
        "are shown to differ, p adjusted for all pairs; possible ranks on the right."
    )
    left = f" The first {len(shown)} of {len(panel.lines):,} are shown." if len(shown) < len(panel.lines) else ""
    return Figure(f"Who may be the best: {label}", note + left, spec)


def _groups(lines: list[Standing]) -> dict[str, list[Standing]]:
    """The systems that share each letter, in the order of letters."""
    spaced = any(" " in line.letters for line in lines)
    groups: dict[str, list[Standing]] = {}
    for line in lines:
        for letter in letters_in(line.letters, spaced=spaced):
            groups.setdefault(letter, []).append(line)
    return dict(sorted(groups.items(), key=lambda group: (len(group[0]), group[0]))[:MOST_GROUPS])


def letters_in(text: str, *, spaced: bool = False) -> list[str]:
    """The letters of a system; after z come aa, ab …, and all are then parted by blanks.

    >>> letters_in("abc"), letters_in("a aa", spaced=True)
    (['a', 'b', 'c'], ['a', 'aa'])
    """
    return text.split() if spaced else list(text)


def _point(row: int, line: Standing) -> Chart:
    return {
        "row": row,
        "kind": "system",
        **estimate_fields(line),
        "letters": line.letters,
    }


def _bars(groups: dict[str, list[Standing]], first: int) -> list[Chart]:
    bars: list[Chart] = []
    for row, (letter, members) in enumerate(groups.items(), start=first):
        values = [line.estimate for line in members if line.estimate is not None]
        ends = {"from": rounded(min(values)), "to": rounded(max(values)), "letters": letter}
        bars.append({"row": row, "kind": "group", **ends})
        bars += [{"row": row, "kind": "member", "estimate": rounded(value), "letters": letter} for value in values]
    return bars


def _layers(label: str, rows: int) -> list[Chart]:
    left, right = row_axes(rows)
    tips = [text_fact("name", "system"), text_fact("text", label), text_fact("interval", "interval")]

    def only(kind: str) -> list[Chart]:
        return [{"filter": f"datum.kind === '{kind}'"}]

    return [
        {
            "transform": only("system"),
            "mark": {"type": "rule", "strokeWidth": 2.5, "strokeCap": "round", "opacity": 0.55, "color": PALETTE[0]},
            "encoding": {"y": left, "x": axis("low", label), "x2": {"field": "high"}},
        },
        {
            "transform": only("system"),
            "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1, "color": PALETTE[0]},
            "encoding": {"y": right, "x": axis("estimate", label), "tooltip": [*tips, text_fact("letters", "letters")]},
        },
        {
            "transform": only("group"),
            "mark": {"type": "rule", "strokeWidth": 5, "strokeCap": "round", "color": INK},
            "encoding": {"y": left, "x": axis("from", label), "x2": {"field": "to"}},
        },
        {
            "transform": only("member"),
            "mark": {"type": "point", "filled": True, "size": 40, "opacity": 1, "color": MUTED},
            "encoding": {"y": left, "x": axis("estimate", label)},
        },
    ]
