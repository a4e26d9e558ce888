"""What requirements ask of fits: limits at the gate's own level with their p-values, from the fit at any level."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.errors import SettingError, listed
from adjudge.evaluation.gates.requirement_rows import rows_of_bound
from adjudge.evaluation.gates.requirement_scope import system_of
from adjudge.evaluation.gates.requirements import Requirement
from adjudge.evaluation.results import Row
from adjudge.inference.reach import Reach

At = Callable[[float], Sequence[float]]  # an estimate and its limits at a level
# Limits from draws cannot tell an error that is rarer than a few of these.
BY_DRAWS = {"simultaneous": 0.001, "judge_table": 0.001, "bootstrap": 0.01}


@dataclass(frozen=True)
class FittedRow:
    """A row of a fit, and its limits at any level."""

    row: Row
    at: At
    units: int  # what varies by itself: pairs, or prompts

    @property
    def reach(self) -> Reach | str:
        """How far the estimate may be off; why that is not known."""
        row = self.row
        if row.method == "none":
            return row.note or "there is no interval"

        def limits(level: float) -> tuple[float, float]:
            _, low, high = self.at(level)
            return float(low), float(high)

        return Reach(row.method, row.estimate, limits, self.units, smallest=BY_DRAWS.get(row.method, 1e-12))


def required_rows(
    requirements: Sequence[Requirement], fitted: Sequence[FittedRow], *, held: bool = True
) -> Iterator[Row]:
    """The rows of all requirements of fits; `held`: whether the pairs are at hand."""
    for one in requirements:
        if one.measured is not None and getattr(one.measured.over, "fitted", False):
            chosen = _chosen(one, fitted, held)
            for bound in one.holds:
                shown = replace(chosen.row, p=None, p_adjusted=None, family=None, low=np.nan, high=np.nan)
                yield from rows_of_bound(one, bound, replace(shown, method="none"), chosen.reach)


def _chosen(one: Requirement, fitted: Sequence[FittedRow], held: bool) -> FittedRow:
    """The row that is meant, of the first method."""
    if one.is_difference or one.slice_columns:
        raise SettingError(
            f"{one.metric} must be required of all pairs and of one system, since it comes from a fit of all pairs. "
            "Use a metric of votes, such as preference_strength, for slices, and *_difference for differences."
        )
    rows = [row for row in fitted if row.row.metric == one.measure_name]
    if not rows:
        why = "no models, texts or people ask for it" if held else 'a stream has no fits: use engine="memory"'
        raise SettingError(f"What is required must be measured here, but {one.metric} is not: {why}.")
    system = system_of(one.system, list(dict.fromkeys(row.row.system for row in rows)))
    rows = [row for row in rows if row.row.system == system]
    known = list(dict.fromkeys(row.row.category for row in rows))
    category = known[0] if one.category is None and len(known) == 1 else one.category
    if category not in known:
        raise SettingError(
            f'{one.metric} of {system} must name one of {listed(known)}, such as {one.metric}["{known[0]}"].'
        )
    return next(row for row in rows if row.row.category == category)
