"""From an outcome to its first screen."""

from __future__ import annotations

from adjudge.evaluation.outcome import Outcome
from adjudge.report import words
from adjudge.report.answer import Answer, Block, Cell, Finding, Margin, MatrixBlock
from adjudge.report.summary import MetricLine


def answer_of(outcome: Outcome, sentences: list[str], headline: list[MetricLine]) -> Answer:
    """The first screen of an outcome."""
    data = outcome.data
    findings = [Finding("plain", "shown", sentence) for sentence in sentences[1:5]]
    blocks: list[Block] = []
    if outcome.panels.confusions:
        panel = outcome.panels.confusions[-1]
        names = panel.categories
        marked = [
            (i, j)
            for i, row in enumerate(panel.counts)
            for j, count in enumerate(row)
            if i != j and count >= 5 and count >= 0.05 * sum(row)
        ]
        recalls = [Cell(words.percent(row[i] / sum(row)) if sum(row) else "–") for i, row in enumerate(panel.counts)]
        blocks.append(
            MatrixBlock(
                "Confusions",
                names,
                names,
                panel.counts,
                marked,
                [Margin("recall", recalls)],
                corner=f"{panel.system} says →",
            )
        )
    return Answer(
        [outcome.task.capitalize(), ", ".join(outcome.systems), f"{data.used:,} rows"],
        [],
        sentences[0] if sentences else "",
        findings,
        blocks,
        [],
        "",
        "",
    )
