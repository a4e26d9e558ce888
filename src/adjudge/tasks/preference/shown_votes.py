"""What is shown of votes: every annotator beside every column, with the strength, its limits and its test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adjudge.diagnosis.preferences.trait_effects import two_sided
from adjudge.engines.base import WHOLE, SliceKey
from adjudge.evaluation.declaration import Page
from adjudge.evaluation.results import WHOLE_NAME, slice_name
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.metrics import preference_strength
from adjudge.metrics.preference import balance
from adjudge.statistics.preferences.pair_units import PairUnits
from adjudge.statistics.preferences.votes import AGREED, DISAGREED, VoteTable
from adjudge.tasks.preference.reading import PAIRS, view_name

if TYPE_CHECKING:
    from adjudge.tasks.preference.study import PreferenceStudy

EXACT = "exact binomial, two-sided"


@dataclass(frozen=True)
class TraitCell:
    """An annotator beside a column, or beside the first column in a slice: its table, strength and test."""

    annotator: str
    column: str
    table: VoteTable
    strength: float
    low: float
    high: float
    p: float
    mid_p: float  # NaN where prompts are turned as wholes
    view: str
    slice: str = WHOLE_NAME

    @property
    def limits(self) -> tuple[float, float, float]:
        """The strength with its limits."""
        return self.strength, self.low, self.high

    def at(self, level: float) -> tuple[float, float, float]:
        """The strength with its limits at another level."""
        bounds = closed_form("tango", preference_strength, self.table, level)
        assert bounds is not None
        return self.strength, float(bounds.low), float(bounds.high)


@dataclass(frozen=True)
class ShownVotes:
    """One request with everything that is shown of it."""

    study: PreferenceStudy
    page: Page
    cells: dict[tuple[str, str], TraitCell]  # by annotator and column
    units: PairUnits | None

    @classmethod
    def of(cls, study: PreferenceStudy, page: Page) -> ShownVotes:
        """Every annotator beside every column, and beside the first one in every slice."""
        cells = {(cell.annotator, cell.column): cell for cell in _cells(study, page)}
        return cls(study, page, cells, page.collected.find(PAIRS, PairUnits))

    @property
    def level(self) -> float:
        """The confidence level."""
        return self.page.request.level

    @property
    def seed(self) -> int:
        """Of draws."""
        return self.page.request.bootstrap.seed

    @property
    def test(self) -> str:
        """How strengths are tested."""
        return EXACT if self.study.reading.cluster is None else "prompts turned as wholes, two-sided"

    @property
    def columns(self) -> list[str]:
        """What strengths stand under: columns, then slices."""
        return list(dict.fromkeys(column for _, column in self.cells))

    @property
    def first(self) -> list[TraitCell]:
        """Every annotator beside the first column, the strongest first."""
        return self.beside(self.study.reading.columns[0])

    def beside(self, column: str) -> list[TraitCell]:
        """Every annotator beside a column, the strongest first; those without a strength last."""
        cells = [cell for cell in self.cells.values() if cell.column == column]
        return sorted(cells, key=lambda cell: -cell.strength if np.isfinite(cell.strength) else 2.0)


def _cells(study: PreferenceStudy, page: Page) -> Iterator[TraitCell]:
    first, slices = study.reading.columns[0], [key for key in page.collected.slices() if key != WHOLE]
    for name, column, annotator in study.names():
        yield _cell(page, name, annotator, column, WHOLE)
    for key in slices:
        for annotator in study.reading.annotators:
            name = view_name(annotator, first, first)
            if annotator != first and page.collected.find(name, VoteTable, key) is not None:
                yield _cell(page, name, annotator, slice_name(key), key)


def _cell(page: Page, name: str, annotator: str, column: str, key: SliceKey) -> TraitCell:
    table = page.collected.sums_of(name, VoteTable, key)
    bounds = closed_form("tango", preference_strength, table, page.request.level)
    assert bounds is not None
    strength = float(preference_strength.values(table))
    ends = (float(bounds.low), float(bounds.high))
    return TraitCell(annotator, column, table, strength, *ends, *p_of_cell(table), name, slice_name(key))


def p_of_cell(table: VoteTable) -> tuple[float, float]:
    """The p of no preference, and its mid-p: exact where pairs are independent, as many as weights leave of them.

    Else of turning round the votes of whole prompts, by the normal limit of all ways to turn them; none of these ways
    is rarer than all prompts turned alike, and there is no mid-p.
    """
    from scipy.special import ndtr

    if table.products is None or not 1 < table.prompts < table.rows:
        effect = float(np.nan_to_num(balance(table, "both")[-1], nan=1.0)) or 1.0
        votes = table.agreed / effect, table.disagreed / effect
        return float(two_sided(*votes)), float(two_sided(*votes, mid=True))
    lean = np.zeros(5)
    lean[AGREED], lean[DISAGREED] = 1, -1
    spread = float(lean @ table.products @ lean)
    if not spread > 0:
        return 1.0, np.nan
    p = float(2 * ndtr(-abs(float(table.agreed - table.disagreed)) / np.sqrt(spread)))
    return max(p, 2.0 ** (1 - table.prompts)), np.nan
