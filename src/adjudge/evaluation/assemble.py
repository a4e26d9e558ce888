"""From collected sums to measured systems: which statistic is counted, derived or drawn, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adjudge.data.roles import Roles, SystemRoles
from adjudge.engines.base import WHOLE, Collected, Plan, SliceKey, Wanted
from adjudge.evaluation.measure import PROBABILITIES, Measured, Refused
from adjudge.evaluation.results import WHOLE_NAME
from adjudge.inference.resampling import (
    JACKKNIFE_GROUPS,
    Bootstrap,
    Replicates,
    Together,
    clusters_drawn,
    drawn_by_rows,
    drawn_on_cells,
)
from adjudge.metrics.calibration import NOT_PROBABILITIES
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curve import Curve, Curves
from adjudge.statistics.decisions import decided
from adjudge.statistics.losses import Losses
from adjudge.statistics.weights import Draws

# Cells in which replicates of a curve are drawn when there are many more distinct scores.
CELLS = 256


@dataclass(frozen=True)
class Assembly:
    """How the sums of a classification are planned and put together."""

    roles: Roles
    settings: Bootstrap
    threshold: float | None

    @property
    def explicit(self) -> bool:
        """Whether rows must be drawn one by one: they differ in weight, belong together or are paired."""
        return self.roles.weight is not None or self.roles.cluster is not None or len(self.roles.systems) > 1

    @property
    def cut(self) -> float:
        """The score at which a lone score becomes a decision."""
        return 0.5 if self.threshold is None else self.threshold

    @property
    def row_draws(self) -> str:
        """The kind of weights drawn row by row."""
        return "bayesian" if self.settings.kind == "bayesian" else "poisson"

    def plan(self) -> Plan:
        """Everything to sum in one pass."""
        wanted = [w for place, system in enumerate(self.roles.systems) for w in _wanted(system, place)]
        by_rows = [w for w in wanted if self.explicit or self._many_scores(w)]
        decisions = [w for w in by_rows if w.statistic is Confusion or (w.statistic is Curves and not self._decided(w))]
        draws = [(self._draws(self.row_draws), tuple(by_rows))]
        if self.row_draws != "bayesian":
            draws.append((self._draws("bayesian"), tuple(decisions)))
        if self.settings.kind == "bca":
            draws.append((Draws("jackknife", JACKKNIFE_GROUPS, self.settings.seed), tuple(by_rows)))
        return Plan(
            wanted=tuple(wanted),
            draws=tuple((draw, under) for draw, under in draws if under),
            slice_names=tuple(" × ".join(columns) for columns in self.roles.slices),
            cuts=(self.cut,),
        )

    def _draws(self, kind: str) -> Draws:
        return Draws(kind, self.settings.replicates, self.settings.seed)

    def _many_scores(self, wanted: Wanted) -> bool:
        return wanted.statistic is not Confusion and len(self.roles.systems[wanted.system].scores) > 1

    def _decided(self, wanted: Wanted) -> bool:
        """Whether decisions come from elsewhere than from this system's lone score."""
        system = self.roles.systems[wanted.system]
        return system.prediction is not None or not system.has_one_score

    def measured(self, collected: Collected, key: SliceKey, place: int, positive: str | None) -> Measured:
        """One system in one slice."""
        system = self.roles.systems[place]
        sums = {w.statistic: s for (k, w), s in collected.statistics.items() if k == key and w.system == place}
        statistics = self._with_derived(sums, system, collected.labels)
        drawn = _Drawn(self, collected, key, place, statistics)
        return Measured(
            system=system.name,
            slice=slice_name(key),
            rows=next(iter(sums.values())).rows,
            statistics=statistics,
            bootstrap=drawn.groups(self.row_draws, self.settings.weights),
            bayesian=drawn.decisions("bayesian", "bayesian"),
            positive=positive,
            notes=_rounding_notes(statistics),
            refused=self._refused(collected, place),
            clustered=self.roles.cluster is not None,
        )

    def _with_derived(self, sums: Together, system: SystemRoles, labels: tuple[str, ...]) -> Together:
        if not system.has_one_score:
            return sums
        return {**sums, **self.derived(sums[Curves], labels, decide=Confusion not in sums), **sums}

    def derived(self, curves: Curves, labels: tuple[str, ...], *, decide: bool) -> Together:
        """Everything that follows from a lone score's curve."""
        (curve,) = curves.curves
        found: Together = {Curves: curves, Losses: Losses.from_curve(curve)}
        if decide:
            found[Confusion] = decided(curve, self.cut, *_two_names(curves.categories[0], labels))
        return found

    def _refused(self, collected: Collected, place: int) -> Refused:
        """What cannot be said of scores that are not probabilities: a column's scores are so, not a slice's."""
        system = self.roles.systems[place]
        losses = collected.statistics.get((WHOLE, Wanted(Losses, place)))
        curves = collected.statistics.get((WHOLE, Wanted(Curves, place)))
        improper = losses.improper > 0 if losses else curves and not all(c.are_probabilities for c in curves.curves)
        if not improper:
            return {}
        refused: Refused = {PROBABILITIES: f"undefined: {NOT_PROBABILITIES}"}
        if system.has_one_score and system.prediction is None and self.threshold is None:
            refused[Confusion] = NO_DECISION
        return refused


NO_DECISION = (
    "undefined: there is no prediction column, and scores outside [0, 1] are not decided at 0.5; give `threshold`"
)


@dataclass(frozen=True)
class _Drawn:
    """The replicates of one system in one slice."""

    assembly: Assembly
    collected: Collected
    key: SliceKey
    place: int
    statistics: Together

    def groups(self, row_kind: str, cell_kind: str) -> tuple[Replicates, ...]:
        """All statistics under one kind of draws."""
        found = list(self.decisions(row_kind, cell_kind))
        if Curves in self.statistics:
            found.append(self._curves(row_kind, cell_kind))
        if Losses in self.statistics and self._summed(Losses, row_kind) is not None:
            found.append(self._by_rows(self.statistics[Losses], Losses, row_kind, lambda s: {Losses: s}))
        return tuple(found)

    def decisions(self, row_kind: str, cell_kind: str) -> tuple[Replicates, ...]:
        """The confusion table's replicates."""
        if Confusion not in self.statistics:
            return ()
        table: Confusion = self.statistics[Confusion]
        drawn = self._table(row_kind)
        if drawn is None:
            return (
                drawn_on_cells(table, _only(Confusion), cell_kind, self.assembly.settings, self._stream(Confusion)),
            )
        drawn = drawn.aligned(table.categories)
        units = None if self.assembly.roles.cluster is None else clusters_drawn(drawn)
        if row_kind == "bayesian":
            drawn = drawn.smoothed(table, self.assembly.settings.seed, self._stream(Confusion))
        jackknife = self._table("jackknife")
        return (drawn_by_rows(table, drawn, jackknife, _only(Confusion), self.assembly.settings, units=units),)

    def _table(self, kind: str) -> Confusion | None:
        """Explicitly drawn tables: counted, or decided from drawn curves."""
        drawn = self._summed(Confusion, kind)
        if isinstance(drawn, Confusion) or self._is_counted():
            return drawn if isinstance(drawn, Confusion) else None
        curves = self._summed(Curves, kind)
        if curves is None:
            return None
        (curve,) = curves.curves
        return decided(curve, self.assembly.cut, *_two_names(curves.categories[0], self.collected.labels))

    def _is_counted(self) -> bool:
        return (self.key, Wanted(Confusion, self.place)) in self.collected.statistics

    def _curves(self, row_kind: str, cell_kind: str) -> Replicates:
        curves: Curves = self.statistics[Curves]
        drawn = self._summed(Curves, row_kind)
        lone = len(curves.curves) == 1
        derive = self._derive_from_lone_score if lone else _only(Curves)
        if drawn is not None:
            coarse = curves.onto(tuple(curve.thresholds for curve in drawn.curves))
            jackknife = self._summed(Curves, "jackknife")
            return drawn_by_rows(
                coarse,
                coarse.with_draws(drawn),
                None if jackknife is None else coarse.with_draws(jackknife),
                derive,
                self.assembly.settings,
            )
        coarse = curves.onto(tuple(curve.grid(CELLS, (self.assembly.cut,)) for curve in curves.curves))
        return drawn_on_cells(coarse, derive, cell_kind, self.assembly.settings, self._stream(Curves))

    def _derive_from_lone_score(self, curves: Curves) -> Together:
        return self.assembly.derived(curves, self.collected.labels, decide=False)

    def _by_rows(self, base: Any, kind_of: type[Any], row_kind: str, derive: Callable[[Any], Together]) -> Replicates:
        jackknife = self._summed(kind_of, "jackknife")
        return drawn_by_rows(base, self._summed(kind_of, row_kind), jackknife, derive, self.assembly.settings)

    def _summed(self, statistic: type[Any], kind: str) -> Any:
        return self.collected.replicates.get((self.key, Wanted(statistic, self.place), kind))

    def _stream(self, statistic: type[Any]) -> str:
        return f"{statistic.__name__}/{self.place}/{self.key[0]}/{self.key[1]}"


def _only(statistic: type[Any]) -> Callable[[Any], Together]:
    return lambda value: {statistic: value}


def _wanted(system: SystemRoles, place: int) -> list[Wanted]:
    """What must be counted of a system; what a lone score decides follows from its curve."""
    found = []
    if system.prediction is not None or len(system.scores) > 1:
        found.append(Wanted(Confusion, place))
    if system.scores:
        found.append(Wanted(Curves, place))
    if len(system.scores) > 1:
        found.append(Wanted(Losses, place))
    return found


def _two_names(positive: str, labels: tuple[str, ...]) -> tuple[str, str]:
    """The positive label and what to call everything else."""
    others = [label for label in labels if label != positive]
    return positive, others[0] if len(others) == 1 else f"not {positive}"


def _rounding_notes(statistics: Together) -> dict[type[Any], str]:
    curves: tuple[Curve, ...] = statistics[Curves].curves if Curves in statistics else ()
    level = max((curve.level for curve in curves), default=0)
    if level == 0:
        return {}
    return {Curves: f"scores kept to a relative {2.0 ** (level - 52):.1g}: more distinct values than a curve holds"}


def slice_name(key: SliceKey) -> str:
    """How a slice is called in the table.

    >>> slice_name(("country", "DE"))
    'country = DE'
    """
    return WHOLE_NAME if key == WHOLE else f"{key[0]} = {key[1]}"
