"""What a diagnostic evaluation shows: phenomena, one by one and at once, what the suite covers, and cases to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from adjudge.data.judgements.labels import ordered_labels
from adjudge.data.judgements.unit_losses import JOINTLY
from adjudge.engines.base import SliceKey
from adjudge.errors import percent, with_minus
from adjudge.evaluation.declaration import Page
from adjudge.evaluation.panels import BarPanel, Cell, Panels, TablePanel, finite
from adjudge.evaluation.results import plural_of, slice_name
from adjudge.inference.many.levels_together import LevelMean, levels_at_once
from adjudge.statistics.suites.case_outcomes import CASES, MOST_LISTED, CaseList, CaseOutcomes, Listed
from adjudge.statistics.systems.counted_flips import BOTH, BROKEN, FIXED, NEITHER
from adjudge.tasks.diagnostic.outcomes import KINDS
from adjudge.tasks.diagnostic.reading import KNOWN
from adjudge.tasks.diagnostic.suite import COVERAGE, PHENOMENA

if TYPE_CHECKING:
    from adjudge.tasks.diagnostic.study import DiagnosticStudy


PHENOMENA_TABLE = "Phenomena"
COVERED, BROKEN_CASES, KNOWN_CASES = "What the suite covers", "Broken cases", "Known failures"
NO_ORIGIN = "origin not told"


def diagnostic_panels(page: Page, study: DiagnosticStudy) -> Panels:
    """Bars and tables, the broken cases first."""
    phenomena = [key for key in page.collected.slices() if key[0] == study.reading.phenomenon]
    return Panels(
        bars=[_bars(page, study, phenomena)] if phenomena else [],
        tables=[
            *_lists(page, study),
            _table(page, study, phenomena),
            *at_once_tables(page, study),
            _coverage(page, study),
        ],
    )


def _rate(page: Page, system: str, key: SliceKey) -> tuple[float | None, float | None, float | None]:
    rows = page.table.estimates.first_methods()
    row = next((r for r in rows if (r.system, r.slice, r.metric) == (system, slice_name(key), "failure_rate")), None)
    if row is None:
        return None, None, None
    value, low, high = map(finite, (row.estimate, row.low, row.high))
    return value, low, high


def _bars(page: Page, study: DiagnosticStudy, phenomena: Sequence[SliceKey]) -> BarPanel:
    """The share of cases that each system fails, the worst phenomenon first."""
    last = study.names[-1]
    worst = sorted(phenomena, key=lambda key: (-(_rate(page, last, key)[0] or 0.0), key))
    values = [[_rate(page, name, key)[0] for key in worst] for name in study.names]
    names = [key[1] for key in worst]
    return BarPanel("Failing by phenomenon", "Share of cases that are failed.", names, list(study.names), values)


def _table(page: Page, study: DiagnosticStudy, phenomena: Sequence[SliceKey]) -> TablePanel:
    """Every phenomenon with the rate of each system; those that were declared and have no case stand first."""
    columns = ["phenomenon", "cases", *([f"{study.unit}s"] if study.clustered else [])]
    for name in study.names:
        columns += [f"failing, {name}", f"low, {name}", f"high, {name}"]
    cells: list[list[Cell]] = [[name, 0, *[None] * (len(columns) - 2)] for name in without_cases(page)]
    for key in phenomena:
        outcomes = page.collected.sums_of(JOINTLY, CaseOutcomes, key)
        rates = [number for name in study.names for number in _rate(page, name, key)]
        cells.append([key[1], outcomes.rows, *([outcomes.units] if study.clustered else []), *rates])
    by = f"Korn–Graubard, by {study.unit}" if study.clustered else "Clopper–Pearson"
    return TablePanel(PHENOMENA_TABLE, f"Share of cases that each system fails, with limits ({by}).", columns, cells)


def without_cases(page: Page) -> tuple[str, ...]:
    """Phenomena that the suite names, but has no case of."""
    facts = page.collected.facts
    with_cases = {cell[1] for cell in facts.counted if cell[0] == COVERAGE}
    return ordered_labels(facts.seen.get(PHENOMENA, frozenset()) - with_cases)


def _coverage(page: Page, study: DiagnosticStudy) -> TablePanel:
    """Cases of every phenomenon by kind and origin: a cell without any is 0, not left out."""
    facts = page.collected.facts
    counts = {cell[1:]: many for cell, many in facts.counted.items() if cell[0] == COVERAGE}
    origins = ordered_labels({origin for _, _, origin in counts}) or ("",)
    kinds = [kind for kind in KINDS if any(cell[1] == kind for cell in counts)] if study.reading.kind is None else KINDS
    missing = without_cases(page)
    named = [*missing, *(name for name in ordered_labels({cell[0] for cell in counts}))]
    heads = [f"{kind}, {origin or NO_ORIGIN}" if study.reading.origin else kind for kind in kinds for origin in origins]
    cells: list[list[Cell]] = []
    for name in named:
        row = [counts.get((name, kind, origin), 0) for kind in kinds for origin in origins]
        cells.append([name or "(missing)", sum(row), *row])
    empty = sum(value == 0 for row in cells for value in row[2:])
    outcomes = page.collected.sums_of(JOINTLY, CaseOutcomes)
    notes = [f"{empty} of {len(cells) * len(heads)} cells are empty"]
    if missing:
        notes.append(f"named but without a case: {', '.join(missing)}")
    if real := sum(many for cell, many in counts.items() if cell[2].casefold() == "real"):
        notes.append(f"{percent(real / max(facts.used, 1))} of cases are real text")
    if study.clustered and outcomes.sums.kept is not None and len(outcomes.sums.kept):
        largest = round(float(outcomes.sums.kept[:, outcomes.sums.places[CASES]].max()))
        notes.append(f"the largest {study.unit} has {largest:,} cases")
    note = f"Cases by kind and origin; {'; '.join(notes)}. What a suite does not name it cannot tell."
    return TablePanel(COVERED, note, ["phenomenon", "cases", *heads], cells)


def _lists(page: Page, study: DiagnosticStudy) -> Iterator[TablePanel]:
    """Cases that are broken, after known failures that are not any more; then the known failures."""
    known: CaseList | None = page.collected.find(KNOWN, CaseList)
    broken: CaseList | None = page.collected.find(JOINTLY, CaseList)
    news = [] if known is None else [one for one in known.entries if one.rank == 0]
    counts = Counter(one.case.phenomenon for one in (() if broken is None else broken.entries))
    listed = [*news, *sorted(() if broken is None else broken.entries, key=lambda one: _most_broken(one, counts))]
    columns = ["system", "what", "phenomenon", "kind", "case", "expect", "before", "now"]
    if len(study.names) > 1 and listed:
        many = 0 if broken is None else broken.count
        cut = f", the first {MOST_LISTED} of them" if many > MOST_LISTED else ""
        note = f"{many:,} broken{cut}; known failures that are met now first, then mft. All: --items FILE."
        yield TablePanel(BROKEN_CASES, note, columns, [_line(one, study) for one in listed])
    if known is not None and known.entries:
        note = "They are listed and count nowhere. One that is met now needs its mark no more."
        yield TablePanel(KNOWN_CASES, note, columns, [_line(one, study) for one in known.entries])


def _most_broken(one: Listed, counts: Counter[str]) -> tuple[int, int, str]:
    """Among cases of one rank, phenomena of which most are broken first."""
    return one.rank, -counts[one.case.phenomenon], one.case.phenomenon


def _line(one: Listed, study: DiagnosticStudy) -> list[Cell]:
    case = one.case
    return [study.names[one.system], one.what, case.phenomenon, case.kind, case.name, case.expect, one.before, one.now]


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
