"""What regression sums and measures: each system's errors, and where they lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from adjudge.data.judgements.unit_losses import JOINTLY, UnitLosses
from adjudge.data.reading import Block
from adjudge.diagnosis.checks.check import Check
from adjudge.diagnosis.checks.numbers import number_checks, one_row, quantile_checks, same_answers
from adjudge.diagnosis.checks.order import in_stretches
from adjudge.engines.base import WHOLE_ONLY, Collected, SliceKey, Tally
from adjudge.errors import SettingError, noted, percent, quoted
from adjudge.evaluation.asking.settings import named_numbers, number_setting
from adjudge.evaluation.comparison.paired_answers import PairedAnswers, UnitSource
from adjudge.evaluation.declaration import Basis, Given, Page, Task, UsualStudy, View, row_columns, tallies_of
from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.panels import Cell, Panels, TablePanel
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import Row
from adjudge.inference.resampling import Derive
from adjudge.metrics import (
    interval_coverage,
    interval_width,
    mean_absolute_error,
    mean_squared_error,
    pinball_loss,
    rmse,
)
from adjudge.metrics.base import Metric
from adjudge.statistics.numbers.conditional_cells import ConditionalCells
from adjudge.statistics.numbers.joint import JointNumbers, system_at
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.numbers.residuals import Residuals
from adjudge.statistics.numbers.value_pairs import ValuePairs
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.tasks.regression.panels import regression_panels
from adjudge.tasks.regression.reading import RANKS, TOGETHER, VALUES, NumberReading, number_systems

OF_INTERVALS = (interval_coverage.name, interval_width.name)
UNUSED = "Prediction intervals that were not used"
LIMIT = "Limit of the mean error"
MEASURED = (NumberPairs, Residuals, RatingVectors, ValuePairs)


@dataclass(frozen=True)
class RegressionStudy(UsualStudy):
    """One request: where the numbers are, which quantile they predict, if any, and how large a bias is allowed."""

    reading: NumberReading
    quantile: float | None
    bias: float | None = None

    @classmethod
    def of(cls, columns: Sequence[str], given: Given) -> RegressionStudy:
        """The roles and settings, checked."""
        reading = NumberReading(
            reference=str(given["reference"]),
            systems=number_systems(given),
            **row_columns(given, columns),
        )
        quantile = given.get("quantile")
        if quantile is not None:
            number_setting("quantile", quantile)
        return cls(reading.checked(columns), quantile, _allowed_bias(given.get("limits")))

    @property
    def _names(self) -> list[str]:
        return [system.name for system in self.reading.systems]

    def allows(self, metric: Metric) -> str:
        """Why a metric cannot be measured."""
        if metric.over not in MEASURED:
            return "it is not about pairs of numbers"
        if metric.name in OF_INTERVALS and not any(system.bounds for system in self.reading.systems):
            return "it measures prediction intervals, and there are none; give `lower` and `upper`"
        return ""

    def offered(self, task: Task) -> list[Metric]:
        """Without prediction intervals, nothing that measures them; a quantile's loss where there is one."""
        pinball = () if self.quantile is None else (pinball_loss.using(quantile=self.quantile),)
        return [metric for metric in (*task.metrics, *pinball) if not self.allows(metric)]

    def tallies(self, request: Request, first: Block) -> tuple[Tally, ...]:
        """Sums and distributions of each system's errors; ranks where the table is at hand."""
        ranks = [metric for metric in request.metrics or () if metric.over is RatingVectors]
        if ranks and not request.engine.holds_table:
            raise SettingError(
                f'`{ranks[0]!r}` must have all rows at once, but a stream does not. Use engine="memory".'
            )
        # Systems are compared under the same draws: of rows as long as drawing rows costs little, of sums beyond.
        by_rows = self.clustered or (len(self._names) > 1 and first.facts.read < self.reading.block_rows)
        beside: tuple[Tally, ...] = ()
        if len(self._names) > 1:
            beside = self._unit_source.tallies(request.comparing.baseline)
            if not by_rows and self._without_ends and request.bootstrap.kind != "bca":
                beside += (Tally(TOGETHER, JointNumbers, pilot=JointNumbers.pilot(first.views[TOGETHER])),)
        of_systems = tuple(
            tally
            for name in self._names
            for numbers in [first.views[name]]
            for tally in (
                Tally(name, NumberPairs, by_rows=by_rows, pilot=NumberPairs.pilot(numbers)),
                Tally(name, Residuals, by_rows=by_rows, grid=Residuals.grid(numbers) if by_rows else None),
                Tally(name, ConditionalCells, where=WHOLE_ONLY, pilot=ConditionalCells.pilot(numbers)),
                *(Tally(f"{VALUES}{name}", own, by_rows=by_rows, holds_units=True) for own in request.own_statistics),
            )
        )
        # Ranks of all systems are drawn on the rows they share, where these are independent: few at a time are held.
        ranks_of_all = Tally(RANKS, RatingVectors, by_rows=self.clustered, holds_units=True)
        return (*beside, *of_systems, ranks_of_all)

    @property
    def _without_ends(self) -> bool:
        """Whether no system has prediction intervals, whose ends are not summed together."""
        return not any(system.bounds for system in self.reading.systems)

    @property
    def _unit_source(self) -> UnitSource:
        """How far off several systems are, row by row."""
        powers = {mean_absolute_error: 1.0, mean_squared_error: 2.0, rmse: 2.0}
        about = (JOINTLY, _as_they_are, tuple(self._names), powers, "the size of the error")
        return UnitSource(*about, countable=self.countable, by_draws=self.clustered)

    def checks(self, request: Request, collected: Collected) -> Iterator[Check]:
        """What looks like a mistake in the numbers."""
        for system in self.reading.systems:
            name, as_large = system.name, collected.facts.table.as_large(self.reading.reference, system.prediction)
            yield from number_checks(quoted(name), collected.sums_of(name, NumberPairs), as_large=as_large)
            residuals: Residuals | None = collected.find(name, Residuals)
            if residuals is not None:
                yield from one_row(quoted(name), collected.sums_of(name, NumberPairs), residuals.largest)
            if self.quantile is not None and name in collected.facts.runs:
                yield from quantile_checks(quoted(name), collected.facts.runs[name], self.quantile)
        yield from same_answers(collected.facts.digests, collected.facts.used)
        yield from in_stretches(collected.facts, self._names)

    def views(self, request: Request, collected: Collected) -> list[View]:
        """Each system."""
        tallies = tallies_of(collected)
        views = []
        together = tallies.get((TOGETHER, JointNumbers))
        for place, name in enumerate(self._names):
            bases = [Basis(tallies[name, of], stream=f"{of.__name__}/{name}") for of in MEASURED[:2]]
            if together is not None:
                bases[0] = replace(bases[0], joint=(together, system_at(place)), replicates=("bootstrap",))
            if ranks := tallies.get((RANKS, RatingVectors)):
                bases.append(Basis(ranks, _ranks_of(place), stream=f"RatingVectors/{self._names[0]}"))
            if own := tallies.get((f"{VALUES}{name}", ValuePairs)):
                bases.append(Basis(own, replicates=("bootstrap",), stream=f"ValuePairs/{name}"))
            view = View(name, tuple(bases), request.candidates, amend=self._with_bounds, contest="systems")
            views.append(replace(view, unit_source=self._unit_source, pairs=_root))
        return views

    def _with_bounds(self, measured: Measured, rows: Sequence[Row]) -> Iterator[Row]:
        """What is said of prediction intervals says how many there are, where some rows have none."""
        pairs: NumberPairs = measured.statistics[NumberPairs]
        given, total = float(pairs.of("bounded")), float(pairs.total)
        for row in rows:
            if row.metric not in OF_INTERVALS or not 0 < given < total:
                yield row
            elif self.reading.weight is None:
                note = f"{given:,.0f} of {total:,.0f} rows have a prediction interval"
                yield replace(row, n=round(given), note=noted(row.note, note))
            else:
                note = f"rows with a prediction interval have {percent(given / total, 1)} of the weight"
                yield replace(row, note=noted(row.note, note))

    def choices(self, request: Request, collected: Collected) -> dict[str, str]:
        """What cannot be had of a table that is long, or not at hand."""
        choices = {} if self.bias is None else {LIMIT: f"±{self.bias:.12g}"}
        if not request.engine.holds_table:
            choices["Not computed when streaming"] = "rank correlations, which need all rows at once"
        if len(self._names) > 1 and not self.clustered and collected.facts.read >= self.reading.block_rows:
            apart = f"not paired: of {self.reading.block_rows:,} rows or more each system is drawn by itself"
            what = "medians and ranks" if self._without_ends else "systems with prediction intervals"
            choices[f"Differences of {what}"] = apart
        return choices

    def panels(self, page: Page) -> Panels:
        """Where the predictions are off, and how residuals are spread."""
        collected = page.collected
        panels = regression_panels(
            {name: collected.sums_of(name, ConditionalCells) for name in self._names},
            {name: collected.sums_of(name, Residuals) for name in self._names},
            None if self.clustered else page.request.level,
        )
        if not collected.facts.unused:
            return panels
        counts: list[list[Cell]] = [[what, n] for what, n in collected.facts.unused.items()]
        return replace(panels, tables=[TablePanel(UNUSED, "Their rows stay.", ["what", "n"], counts)])


def _allowed_bias(limits: Mapping[str, object] | Iterable[str] | None) -> float | None:
    """The limit of the mean error: {"bias": 2}, or ["bias=2"]."""
    given = named_numbers("limits", limits)
    if unknown := [name for name in given if name != "bias"]:
        raise SettingError(f"`limits` must be for bias, such as bias=2, not for {quoted(unknown[0])}.")
    if given.get("bias", 1.0) <= 0:
        raise SettingError(f"`limits` must be above 0, but bias is {given['bias']:g}.")
    return given.get("bias")


def _root(other: View, key: SliceKey, metric: Metric, category: str) -> PairedAnswers:
    """What is the square root of a mean: it is tested as that mean."""
    return PairedAnswers(root=2.0 if metric == rmse else 1.0)


def _ranks_of(place: int) -> Derive:
    """What gives the reference and one system, of all systems' numbers."""
    return lambda vectors: {RatingVectors: vectors.of_raters((0, place + 1))}


def _as_they_are(losses: UnitLosses) -> UnitLosses:
    return losses
