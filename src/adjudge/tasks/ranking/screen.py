"""The first screen of ranking: the lists beside a random order, then the queries that find least."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adjudge.evaluation.answers.answering import (
    answers_of,
    difference_claim,
    drawn_together,
    figures,
    measured,
    of_one_system,
    systems_blocks,
    top_subject,
    worse_than_rest,
)
from adjudge.evaluation.answers.claims import claim_of_gains
from adjudge.evaluation.answers.evidence import against_rest, leader
from adjudge.evaluation.answers.screen import Advice, GridOf, ListOf, Remark, Screen
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import Cell, TablePanel
from adjudge.tasks.ranking.panels import COUNTED
from adjudge.tasks.ranking.reading import LEFT_OUT, NO_RELEVANT, WITHOUT_RELEVANT

LEADING = ("ndcg(at=*)", "mean_reciprocal_rank", "mean_average_precision", "*")
STEPS = 5
POORER = replace(worse_than_rest(unit="query"), by="lowest")


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    shown = list(figures(outcome, "mean_reciprocal_rank", "mean_average_precision"))
    if shown and len(outcome.systems) == 1:
        text = "; ".join(f"{label} {{f{place}}}" for place, (_, label, _) in enumerate(shown))
        yield Remark("also", text, {f"f{place}": figure for place, (_, _, figure) in enumerate(shown)}, rank=4)


def _hardest(outcome: Outcome) -> TablePanel | None:
    return outcome.panels.table("Hardest queries", f"Hardest queries for {leader(outcome)}")


def _spread(outcome: Outcome) -> TablePanel | None:
    """How many queries lie in each fifth of the metric's range."""
    panel = next(iter(outcome.panels.histograms), None)
    if panel is None or leader(outcome) not in panel.series:
        return None
    counts = panel.counts[panel.series.index(leader(outcome))]
    bins = [[0.0, 0.0] for _ in range(STEPS)]
    low, high = panel.edges[0], panel.edges[-1]
    for place, count in enumerate(counts):
        middle = (panel.edges[place] + panel.edges[place + 1]) / 2
        bins[min(STEPS - 1, int((middle - low) / (high - low) * STEPS))][0] += count
    most = max((count for count, _ in bins), default=0.0) or 1.0
    ends = [low + (high - low) * place / STEPS for place in range(STEPS + 1)]
    rows: list[list[Cell]] = [
        [f"{ends[place]:.2f} to {ends[place + 1]:.2f}", round(count), "█" * round(30 * count / most)]
        for place, (count, _) in enumerate(bins)
    ]
    return TablePanel(panel.title, "", [f"{panel.axis} of queries", "queries", ""], rows)


def _queries(outcome: Outcome) -> str:
    many = outcome.settings.choices.get("Queries", "?")
    left = _without_value(outcome)
    text = f"{many} {'query' if many == '1' else 'queries'}"
    return f"{text}, {left:,} without a relevant item left out" if left else text


def _without_value(outcome: Outcome) -> int:
    """How many queries have no value, because nothing relevant is to be found."""
    if outcome.settings.choices.get(NO_RELEVANT) != LEFT_OUT:
        return 0
    table = outcome.panels.table(COUNTED)
    return next((int(n) for what, n in (table.rows if table else []) if what == WITHOUT_RELEVANT and n), 0)


def _valued(outcome: Outcome) -> int:
    """How many queries have a value."""
    many = outcome.settings.choices.get("Queries", "0").replace(",", "")
    return int(many) - _without_value(outcome) if many.isdigit() else 0


SCREEN = Screen(
    answers=answers_of(measured(*LEADING), "a random order", unit="query"),
    top=lambda outcome: [top_subject(outcome), _queries(outcome)],
    claims=(
        difference_claim(*LEADING, unit="query"),
        claim_of_gains("slices", of_one_system(against_rest(*LEADING)), POORER, order="value"),
    ),
    remarks=_remarks,
    blocks=(
        *systems_blocks(*LEADING),
        ListOf("queries by their value", _spread, most=STEPS),
        GridOf("slices", "worst slices", "slice", (("rest", "rest", "coefficient"),), strip=False, p=True),
        ListOf("hardest queries ({shown} of {count})", _hardest, count=_valued, option="--items items.csv"),
    ),
    steps=lambda outcome: [Advice("Look at the queries with the lowest values:", "--items items.csv", needs=True)],
    doubt=lambda outcome: f"Intervals go by query, not by row. {drawn_together(outcome, 'Queries')}",
)
