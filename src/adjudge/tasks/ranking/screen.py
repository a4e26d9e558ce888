"""The first screen of ranking: the lists beside a random order, then the queries that find least."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.evaluation.answering import (
    ABOVE,
    answers_of,
    difference_claim,
    drawn_together,
    figures,
    measured,
    of_one_system,
    systems_blocks,
    who,
    worse_than_rest,
)
from adjudge.evaluation.claims import Claim
from adjudge.evaluation.evidence import against_rest, leader
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import TablePanel
from adjudge.evaluation.screen import Advice, GridOf, ListOf, Remark, Screen

LEADING = ("ndcg(at=*)", "mean_reciprocal_rank", "mean_average_precision", "*")
STEPS = 5
POORER = worse_than_rest(unit="query")


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    shown = list(figures(outcome, "mean_reciprocal_rank", "mean_average_precision"))
    if shown and len(outcome.systems) == 1:
        text = "; ".join(f"{label} {{f{place}}}" for place, (_, label, _) in enumerate(shown))
        yield Remark("also", text, {f"f{place}": figure for place, (_, _, figure) in enumerate(shown)}, rank=4)


def _hardest(outcome: Outcome) -> TablePanel | None:
    names = ("Hardest queries", f"Hardest queries for {leader(outcome)}")
    return next((table for table in outcome.panels.tables if table.title in names), None)


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
    rows: list[list[str | int | float | None]] = [
        [f"to {low + (high - low) * (place + 1) / STEPS:.2f}", round(count), "█" * round(30 * count / most)]
        for place, (count, _) in enumerate(bins)
    ]
    return TablePanel(panel.title, "", [f"{panel.axis} of queries", "queries", ""], rows)


def _queries(outcome: Outcome) -> str:
    many = outcome.settings.choices.get("Queries", "?")
    return f"{many} {'query' if many == '1' else 'queries'}"


def _steps(outcome: Outcome) -> Iterator[Advice]:
    yield Advice("Read the queries that find least:", "--items items.csv", needs=True)


SCREEN = Screen(
    answers=answers_of(measured(*LEADING), "a random order", unit="query"),
    top=lambda outcome: [who(outcome), _queries(outcome)],
    claims=(
        difference_claim(*LEADING, unit="query"),
        Claim("slices", of_one_system(against_rest(*LEADING)), POORER, good=ABOVE, order="value", difference=True),
    ),
    remarks=_remarks,
    blocks=(
        *systems_blocks(*LEADING),
        ListOf("queries by their value", _spread, most=STEPS),
        GridOf("slices", "worst slices", "slice", (("rest", "rest", "coefficient"),), strip=False, p=True),
        ListOf("hardest queries ({shown} of {count} listed)", _hardest),
    ),
    steps=_steps,
    doubt=lambda outcome: f"Queries drawn, not rows. {drawn_together(outcome, 'Queries')}",
)
