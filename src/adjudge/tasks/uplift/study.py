"""What uplift sums and measures: what treating by each system's score gains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.data.judgements.labels import label_text, ordered_labels
from adjudge.data.judgements.treated import check_arms, is_control
from adjudge.data.reading import Block
from adjudge.data.systems import score_columns
from adjudge.diagnosis.checks.answers import arm_checks
from adjudge.diagnosis.checks.check import Check
from adjudge.engines.base import Collected, Tally
from adjudge.errors import BadValue, SettingError, quoted
from adjudge.evaluation.declaration import Basis, Given, Page, UsualStudy, View, row_columns, tallies_of
from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.panels import LinesPanel, Panels, Series
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import Row
from adjudge.metrics.base import Metric
from adjudge.statistics.base import Array
from adjudge.statistics.uplift_cells import UpliftCells
from adjudge.tasks.uplift.reading import ARMS, TrialReading

SHARES = np.linspace(0, 1, 41)
# Rows of an arm from which on there are intervals.
FEWEST = 10
NOTE = (
    "Rows of the highest scores first: their outcome if treated less that if not, each over its whole arm. The line "
    "ends at the mean effect; a score that knows nothing is a straight line to there."
)
BAND = " The band is each point's interval by itself."
TOO_FEW = f"an arm has fewer than {FEWEST} rows: no interval would hold"


@dataclass(frozen=True)
class UpliftStudy(UsualStudy):
    """One request: where the trial is."""

    reading: TrialReading
    strata: str | None = None  # "arm" where who is treated was fixed in advance

    @classmethod
    def of(cls, columns: Sequence[str], given: Given) -> UpliftStudy:
        """The roles and settings, checked."""
        control = given.get("control")
        reading = TrialReading(
            outcome=str(given["outcome"]),
            treatment=str(given["treatment"]),
            control=None if control is None else label_text(control),
            scores=score_columns(given),
            **row_columns(given, columns),
        )
        strata = given.get("strata")
        if strata not in (None, "arm"):
            raise SettingError(f'`strata` must be "arm", or be left out where arms were drawn, not {quoted(strata)}.')
        return cls(reading.checked(columns), strata)

    def allows(self, metric: Metric) -> str:
        """Why a metric cannot be measured."""
        return "" if metric.over is UpliftCells else "it is not about treated rows"

    def tallies(self, request: Request, first: Block) -> tuple[Tally, ...]:
        """Each system's cells."""
        return tuple(
            Tally(
                name,
                UpliftCells,
                by_rows=self.clustered,
                smooth=True,
                grid=UpliftCells.grid(first.views[name]) if self.clustered else None,
            )
            for name in self.reading.scores
        )

    def judge(self, request: Request, collected: Collected) -> None:
        """Refuse what only the whole table shows: arms above all."""
        self.reading.judge(collected.facts, request.source.name)
        arms = ordered_labels(collected.facts.seen.get(ARMS, ()))
        check_arms(arms, self.reading.control)
        if len(arms) < 2:
            raise BadValue(
                f"`treatment` must have two values, treated and not, but {quoted(self.reading.treatment)} has one."
            )

    def checks(self, request: Request, collected: Collected) -> Iterator[Check]:
        """Scores that know who was treated."""
        for view, _ in tallies_of(collected):
            yield from arm_checks(quoted(view), collected.sums_of(view, UpliftCells))

    def views(self, request: Request, collected: Collected) -> list[View]:
        """Each system."""
        metrics = request.candidates
        project = UpliftCells.with_fixed_arms if self.strata == "arm" else None
        return [
            View(view, (Basis(tally, project=project, coarsen=UpliftCells.coarse),), metrics, amend=_amended)
            for (view, _), tally in tallies_of(collected).items()
        ]

    def categories(self, collected: Collected) -> tuple[str, ...]:
        """The arms, the control arm first."""
        arms = ordered_labels(collected.facts.seen[ARMS])
        return tuple(sorted(arms, key=lambda arm: not is_control(arm, self.reading.control)))

    def choices(self, request: Request, collected: Collected) -> dict[str, str]:
        """Which arm is which."""
        control, treated = self.categories(collected)
        fixed = {"Arms": "fixed in advance: draws keep their sizes"} if self.strata else {}
        return {"Control arm": control, "Treated arm": treated, **fixed}

    def panels(self, page: Page) -> Panels:
        """The uplift curve of each system, with that of treating at random."""
        series = [_series(measured, page.request.level) for measured in page.whole.values()]
        cells = next(iter(page.whole.values())).statistics[UpliftCells]
        end = float(cells.net_lift)
        series.append(Series("at random", [0.0, 1.0], [0.0, end]))
        note = NOTE + (BAND if any(line.low for line in series) else "")
        return Panels(lines=[LinesPanel("Uplift curve", note, "Share treated", "Net lift", series, "zero", band=True)])


def _series(measured: Measured, level: float) -> Series:
    from scipy.special import stdtrit

    cells: UpliftCells = measured.statistics[UpliftCells]
    line, fewest = _at_shares(cells)[0], cells.drawn_units
    if fewest < FEWEST or not measured.bayesian:
        return Series(measured.system, SHARES.tolist(), line.tolist())
    draws = np.concatenate([_at_shares(tile[UpliftCells]) for tile in measured.bayesian[0].tiles()])
    reach = stdtrit(fewest - 1, 0.5 + level / 2) * draws.std(0) * np.sqrt(fewest / (fewest - 1))
    low, high = (end.tolist() for end in (line - reach, line + reach))
    return Series(measured.system, SHARES.tolist(), line.tolist(), low, high)


def _at_shares(cells: UpliftCells) -> Array:
    """The curve at each share, (replicates, shares)."""
    shares, lift = (np.atleast_2d(part) for part in cells.curve)
    return np.array([np.interp(SHARES, x, y) for x, y in zip(shares, lift, strict=True)])


def _amended(measured: Measured, rows: Sequence[Row]) -> Iterator[Row]:
    """No interval where an arm has too few rows."""
    few = measured.statistics[UpliftCells].drawn_units < FEWEST
    reasons: set[str] = set()
    for row in rows:
        if not few or row.method in ("none", "baseline"):
            yield row
        elif row.metric not in reasons:
            reasons.add(row.metric)
            yield replace(row, low=np.nan, high=np.nan, method="none", note=TOO_FEW)
