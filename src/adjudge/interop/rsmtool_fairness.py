"""RSMTool's tables of fairness: three regressions for each subgroup, of the errors that the evaluation summed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adjudge.data.cleaning import level_name
from adjudge.diagnosis.fairness import ScoreModel, fairness_of
from adjudge.engines.base import Collected
from adjudge.interop.rsmtool_data import Prepared
from adjudge.interop.rsmtool_frames import Frame
from adjudge.interop.rsmtool_tables import cell
from adjudge.tasks.scoring.panels import errors_by_slice

FAIRNESS = {
    "osa": "Overall score accuracy",
    "osd": "Overall score difference",
    "csd": "Conditional score difference",
}


def fairness_frames(data: Prepared, collected: Collected) -> Iterator[Frame]:
    """The three regressions for each subgroup."""
    view = data.view(f"{data.chosen}_trim")
    for _, name, cells in errors_by_slice(collected, [view], data.config.subgroups):
        labels = {level_name(label): label for label in data.group(name).categories}
        named = replace(cells, groups=tuple(labels[level] for level in cells.groups))
        fair = fairness_of(named.of_levels(None), equal_variances=True)  # the p-values of RSMTool's files
        for short, model in zip(FAIRNESS, fair.models, strict=True):
            yield _estimates(f"estimates_{short}_by_{name}", model)
        rows = [
            ("R2", *(cell(model.adjusted) for model in fair.models), fair.reference),
            ("sig", *(cell(model.p) for model in fair.models), fair.reference),
        ]
        yield Frame(f"fairness_metrics_by_{name}", ("", *FAIRNESS.values(), "base_category"), rows)


def _estimates(name: str, model: ScoreModel) -> Frame:
    rows = [
        (
            f"Intercept ({one.group})" if place == 0 else one.group,
            *(cell(figure) for figure in (one.estimate, one.p, one.low, one.high)),
        )
        for place, one in enumerate(model.coefficients)
    ]
    return Frame(name, ("", "estimate", "P>[t]", "[0.025", "0.975]"), rows)
