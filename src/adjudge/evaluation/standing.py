"""What a comparison of systems left behind for the first screen: its margin, and who may be the best."""

from __future__ import annotations

from adjudge.evaluation.comparison_panels import COMPARISON
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import StandingsPanel


def compared_margin(outcome: Outcome) -> float | None:
    """The margin that was given for the metric that leads, in its own unit; None where none was."""
    head = COMPARISON.format("")
    for forest in outcome.panels.forests:
        if forest.title.startswith(head) and len(forest.limits) == 2:
            return max(forest.limits)
    return None


def standings(outcome: Outcome, metric: str) -> StandingsPanel | None:
    """Three or more systems by one metric, the best first; None where that was not worked out."""
    return next((one for one in outcome.panels.standings if one.metric == metric and len(one.lines) > 2), None)
