"""What an update changes in every phenomenon, kind or test, with limits that hold for all of them at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from adjudge.data.judgements.unit_losses import JOINTLY
from adjudge.engines.base import SliceKey
from adjudge.errors import with_minus
from adjudge.evaluation.declaration import Page
from adjudge.evaluation.panels import TablePanel
from adjudge.evaluation.results import plural_of
from adjudge.inference.many.levels_together import LevelMean, levels_at_once
from adjudge.statistics.suites.case_outcomes import CaseOutcomes
from adjudge.statistics.systems.counted_flips import BOTH, BROKEN, FIXED, NEITHER

if TYPE_CHECKING:
    from adjudge.tasks.diagnostic.study import DiagnosticStudy

Cell = str | int | float | None
AT_ONCE = "Every {} at once"
COLUMNS = ["system", "level", "cases", "net rate", "low", "high", "adjusted p", "verdict"]
LEAST_UNITS = 2


def at_once_tables(page: Page, study: DiagnosticStudy) -> Iterator[TablePanel]:
    """A table for each column of the suite that has several levels, of every system beside the first."""
    kept, roles = study.first(page.request), study.reading
    for role in ("phenomenon", "kind", "test"):
        keys = [key for key in page.collected.slices() if key[0] == getattr(roles, role, None) and key[0]]
        cells: list[list[Cell]] = []
        worst: list[str] = []
        for place, name in enumerate(study.names):
            levels = _levels(page, place, keys) if place != kept else {}
            if len(levels) > 1:
                rows, least = _rows(page, name, levels)
                cells += rows
                worst.append(f"{name} at worst {least}")
        if cells:
            note = (
                "Net rate is (fixed − broken) / cases. Limits and p-values hold for all levels at once: step-down "
                f"max-T of guarded t by {study.unit}; {'; '.join(worst)}. Levels of fewer than {LEAST_UNITS} "
                f"{plural_of(study.unit)} are left out."
            )
            yield TablePanel(AT_ONCE.format(role), note, COLUMNS, cells)


def _levels(page: Page, place: int, keys: Sequence[SliceKey]) -> dict[str, LevelMean]:
    """The net rate of each level with what its units add to it."""
    levels = {}
    for key in keys:
        outcomes = page.collected.sums_of(JOINTLY, CaseOutcomes, key)
        sums = outcomes.flips(place)
        weight = float(outcomes.total)
        if sums.units < LEAST_UNITS or sums.kept is None or not weight:
            continue
        fixed, broken = (sums.kept[:, sums.places[name]] for name in (FIXED, BROKEN))
        cases = sum(sums.kept[:, sums.places[name]] for name in (BOTH, FIXED, BROKEN, NEITHER))
        value = float((fixed - broken).sum()) / weight
        rows = float(outcomes.effective_rows)
        levels[key[1]] = LevelMean(value, fixed - broken - value * cases, weight, rows, sums.keys)
    return levels


def _rows(page: Page, system: str, levels: dict[str, LevelMean]) -> tuple[list[list[Cell]], str]:
    """A row for each level, the lowest limit first, and what the worst can be."""
    request = page.request
    once = levels_at_once([*levels.values()], request.level, request.bootstrap.seed, f"at once/{system}")
    rows: list[list[Cell]] = []
    for (name, one), (low, high), p in zip(levels.items(), once.limits, once.p.tolist(), strict=True):
        verdict = "worse" if high < 0 else "better" if low > 0 else "undecided"
        rows.append([system, name, round(one.rows), one.value, max(low, -1.0), min(high, 1.0), p, verdict])
    rows.sort(key=lambda row: (round(float(row[4] or 0.0), 9), str(row[1])))  # last bits are the processor's
    return rows, f"{with_minus(float(rows[0][4] or 0.0), '.3g')} ({rows[0][1]})"
