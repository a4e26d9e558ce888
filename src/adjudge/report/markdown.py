"""The report as GitHub-flavoured Markdown: tables that survive any label."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.gates.verdicts import Judgement
from adjudge.evaluation.panels import ForestPanel, Panels
from adjudge.report import grids, tables, words
from adjudge.report.answers.answer import MARKS, Answer, Block, ForestBlock, GridBlock, LimitsBlock, MatrixBlock
from adjudge.report.gates import words as gate_words
from adjudge.report.grids import Grid
from adjudge.report.summary import MetricLine, SliceGroup, Summary

MOST_ROWS = 500
MOST_LIST_ROWS = 10

# Everything Markdown would read as more than a character. A bracket does so only where a link could end: an
# interval stays "[0.40, 0.60]".
_SPECIAL = re.compile(r"([\\`*_|~$]|\](?=[(\[:]))")
# Addresses, people and issues, of which GitHub makes links and messages by itself; NDCG@5 is none of them. A comment in
# the middle, which shows nothing, makes them ordinary text.
_AT = r"(?<=@)(?=\w)(?!(?<=\w@)\d+(?!\.?[\w-]))"
_LINKED = re.compile(rf"(?<=:)(?=//)|(?<=\bwww)(?=\.)|{_AT}|(?<=#)(?=\d)|(?<=\bGH)(?=-\d)", re.IGNORECASE)
# These mean something only where a line begins: headings, lists, rules.
_OPENING = re.compile(r"^(\s*)([-=+#]|\d+(?=[.)](?:\s|$)))")


def render(summary: Summary) -> str:
    """The whole report as Markdown text.

    >>> from adjudge.evaluation.panels import Panels
    >>> nothing = Panels([], [], [], [], [])
    >>> empty = Summary("Spam", "binary", "", [], [], [], [], nothing, 3, 2, [], [], [])
    >>> print(render(empty))
    # Spam
    <BLANKLINE>
    2 of 3 rows used.
    <BLANKLINE>
    """
    gate, answer = summary.checks_first
    blocks = [] if gate is None else [markdown_of(gate).rstrip()]
    blocks += _first(answer) if answer is not None else _head(summary)
    details = _everything(summary)
    if summary.answer is not None and details:
        blocks += ["<details>", "<summary>Every number</summary>", *details, "</details>"]
        blocks.append(_reproducible(summary))
    else:
        blocks += details
    return "\n\n".join(block for block in blocks if block) + "\n"


def _head(summary: Summary) -> list[str]:
    used = f"{words.count(summary.rows_used)} of {plural(summary.rows_read, 'row')} used."
    return [f"# {escaped(summary.title)}", used]


def _first(answer: Answer) -> list[str]:
    """The first screen: headline, findings, the lead block, what to do next, the other blocks folded."""
    blocks = [escaped(" · ".join(answer.top))]
    blocks += [f"**{words.CHECK_FIRST}:** {escaped(sentence)}" for sentence in answer.checks]
    blocks.append(f"### {escaped(answer.headline)}")
    blocks.append(
        "\n".join(f"- {MARKS[one.mark]} **{escaped(one.word)}** {escaped(one.text)}" for one in answer.findings)
    )
    blocks += _block(answer.blocks[0]) if answer.blocks else []
    if answer.steps:
        steps = [f"{escaped(step.text)}{f' `{step.command}`' if step.command else ''}" for step in answer.steps]
        blocks += ["**Next**", "\n".join(f"{place}. {step}" for place, step in enumerate(steps, 1))]
    for block in answer.blocks[1:]:
        title = escaped(block.title or "limits")
        blocks += ["<details>", f"<summary>{title}</summary>", *_block(block)[1:], "</details>"]
    return [*blocks, escaped(answer.doubt)]


def _reproducible(summary: Summary) -> str:
    """What the numbers can be made again from."""
    facts = {fact.name: fact.value for fact in summary.how}
    typed = [_typed(fact.value) for fact in summary.how if fact.typed]
    names = ("Input", "Input fingerprint", "Confidence level", "Seed")
    line = escaped(" · ".join(f"{name} {facts[name]}" for name in names if name in facts))
    return "\n\n".join([*typed, line])


def _typed(command: str) -> str:
    """A command exactly as it is typed, whatever signs are in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", command)), default=0))
    return f"{fence}\n{command}\n{fence}"


def _block(block: Block) -> list[str]:
    """A block of the first screen as a table."""
    title, rest = f"**{escaped(block.title)}**" if block.title else "", escaped(block.rest)
    if isinstance(block, ForestBlock):
        rows = [(row.name, *row.texts[:3], f"{MARKS[row.mark]} {row.word}") for row in block.rows]
        return [title, table(["", *block.columns[:3], ""], rows, right=[1, 2, 3]), rest]
    if isinstance(block, MatrixBlock):
        head = [block.corner, *block.column_names, *(margin.name for margin in block.margins)]
        cells = [
            [name, *map(words.count, row), *(margin.cells[place].text for margin in block.margins)]
            for place, (name, row) in enumerate(zip(block.row_names, block.counts, strict=True))
        ]
        return [title, table(head, cells, right=range(1, len(head))), rest]
    if isinstance(block, LimitsBlock):
        texts = [[f"{c.text} {MARKS.get(c.mark, '')} {c.interval}".strip() for c in row.cells] for row in block.rows]
        named = [[row.name, *cells] for row, cells in zip(block.rows, texts, strict=True)]
        return [title, table(["", *block.columns], [["limit", *block.limits], *named]), rest]
    if isinstance(block, GridBlock):
        marks = [f"{MARKS.get(row[0].mark, '')} {row[0].word}".strip() for row in block.rows]
        rows_of = [[*(cell.text for cell in row), mark] for row, mark in zip(block.rows, marks, strict=True)]
        return [title, table([*block.columns, ""], rows_of, right=block.numbers), rest]
    return [title, table(block.columns, block.rows, right=block.numbers), rest]


def _everything(summary: Summary) -> list[str]:
    blocks: list[str] = []
    if summary.metrics:
        blocks.append("## Metrics")
    for system, lines in tables.by_system(summary.metrics, summary.systems):
        if len(summary.systems) > 1:
            blocks.append(f"### {escaped(system)}")
        blocks += _metrics(lines)
    for group in filter(lambda group: group.lines, summary.slices):
        blocks += _slices(group)
    blocks += _panels(summary.panels)
    if summary.left_out:
        facts = [(fact.name, fact.value) for fact in summary.left_out]
        blocks += ["## What was left out", table(["Reason", "Rows"], facts, right=[1])]
    if summary.remarks:
        blocks += ["## Data check", table(["Check", "Finding"], [(fact.name, fact.value) for fact in summary.remarks])]
    if summary.how:
        facts = [(fact.name, fact.value) for fact in summary.how if not fact.typed]
        blocks += ["## How it was computed", table(["Setting", "Value"], facts)]
    return blocks


def markdown_of(judgement: Judgement, levels: int = gate_words.MOST_LEVELS) -> str:
    """A judgement as Markdown."""
    rows = [line.cells for line in gate_words.lines(judgement, levels)]
    blocks = [f"## {escaped(gate_words.title(judgement))}"]
    blocks += [f"**{words.CHECK_FIRST}:** {escaped(sentence)}" for sentence in judgement.checks]
    blocks += [f"**{escaped(judgement.headline)}**"]
    blocks += [table(gate_words.HEAD, rows, right=[2, 3, 4, 5])]
    blocks += [escaped(one) for one in (*gate_words.proven(judgement), *map(str, gate_words.next_steps(judgement)))]
    return "\n\n".join(blocks) + "\n"


def escaped(text: str) -> str:
    r"""Text that Markdown shows exactly as it is.

    >>> escaped("a|b `c` <i>"), escaped("1. x"), escaped("0.5"), escaped("[a](b)")
    ('a\\|b \\`c\\` &lt;i&gt;', '1\\. x', '0.5', '[a\\](b)')
    >>> escaped("@someone saw https://example.org")
    '@<!-- -->someone saw https:<!-- -->//example.org'
    """
    shown = words.visible(text, most=1000)
    shown = _SPECIAL.sub(r"\\\1", shown)
    shown = shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    shown = _LINKED.sub("<!-- -->", shown)
    return _OPENING.sub(_escaped_opening, shown)


def _escaped_opening(match: re.Match[str]) -> str:
    space, mark = match.groups()
    return f"{space}{mark}\\" if mark.isdigit() else f"{space}\\{mark}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> str:
    """A table; the columns in `right` hold numbers.

    >>> print(table(["a", "n"], [("x|y", "3")], right=[1]))
    | a | n |
    |:--|--:|
    | x\\|y | 3 |
    """
    rows = list(rows)
    ruler = "|" + "|".join("--:" if i in right else ":--" for i in range(len(head))) + "|"
    lines = [_line(head), ruler, *map(_line, rows[:MOST_ROWS])]
    if len(rows) > MOST_ROWS:
        lines += ["", f"The table of results has {plural(len(rows) - MOST_ROWS, 'more row')}."]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(escaped, cells)) + " |"


def _metrics(lines: list[MetricLine]) -> list[str]:
    head = ["Metric", "Estimate", words.level_text(lines[0].level), "Baseline", "n", "Method", "Note"]
    rows = [
        (row.name, row.estimate, row.interval, row.baseline, row.n, row.method, row.note)
        for row in map(tables.row, lines)
    ]
    others = [(row.name, row.method, row.interval) for row in tables.alternatives(lines)]
    blocks = [table(head, rows, right=[1, 2, 3, 4])]
    if others:
        blocks += ["Intervals by other methods:", table(["Metric", "Method", head[2]], others, right=[2])]
    return blocks


def _slices(group: SliceGroup) -> list[str]:
    several = any(tables.series_name(line, group.lines) for line in group.lines)
    head = ["Level", *(["System"] if several else []), "Estimate", "Interval", "n", "Note"]
    rows = []
    for level in tables.levels(group):
        for line in level.lines:
            row = tables.row(line)
            series = [tables.series_name(line, group.lines)] if several else []
            rows.append([level.name, *series, row.estimate, row.interval, row.n, row.note])
    first = 2 if several else 1
    return [
        f"## {escaped(group.label)} by {escaped(group.column)}",
        table(head, rows, right=[first, first + 1, first + 2]),
    ]


def _panels(panels: Panels) -> list[str]:
    blocks = [block for matrix in panels.matrices for block in _grid(grids.matrix_grid(matrix))]
    blocks += [block for forest in panels.forests if forest.lines for block in _forest(forest)]
    blocks += [block for bars in panels.bars for block in _grid(grids.bar_grid(bars))]
    shown = [grids.table_grid(rows, MOST_LIST_ROWS) for rows in panels.tables]
    return blocks + [block for grid in shown for block in _grid(grid)]


def _grid(grid: Grid) -> list[str]:
    if not grid.rows and not grid.more:
        return []
    heading = [f"## {escaped(grid.title)}", escaped(grid.note)]
    return [*heading, table(grid.head, grid.rows, right=grid.numbers) if grid.rows else "", escaped(grid.more)]


def _forest(panel: ForestPanel) -> list[str]:
    against = f"Compare with {words.short(panel.against)}." if words.known(panel.against) else ""
    rows = [
        (row.slice, row.estimate, row.interval, row.n, row.note) for row in grids.forest_rows(panel, len(panel.lines))
    ]
    return [
        f"## {escaped(panel.title)}",
        escaped(panel.note),
        against,
        table(["Name", words.visible(panel.axis) or "Estimate", "Interval", "n", "Note"], rows, right=[1, 2, 3]),
    ]
