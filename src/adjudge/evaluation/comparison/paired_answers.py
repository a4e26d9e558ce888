"""What a task says of two systems on the same units: how their answers pair, and where what each loses is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudge.data.judgements.unit_losses import Losing
from adjudge.engines.base import Tally
from adjudge.inference.differences.paired_shares import PairedShares
from adjudge.metrics.base import Metric
from adjudge.statistics.systems.counted_flips import FlipSums
from adjudge.statistics.systems.paired_units import PairedUnits

# With fewer units that differ, draws of them say nothing for certain: docs/comparison_intervals.md.
FEW_DIFFER = 10


@dataclass(frozen=True, slots=True)
class PairedAnswers:
    """Two systems on the same rows: on how many their answers differ, and how many each got right, where that is it.

    `mean` says that the metric is a mean over units, the same for both, though its declaration does not say so; `root`
    that it is such a root of one. `exact` is a test that needs no draws, by its name, and its p-value of no difference.
    """

    differing: int | None = None
    shares: PairedShares | None = None
    mean: bool = False
    root: float = 1.0
    exact: tuple[str, float] | None = None

    @property
    def few_differ(self) -> bool:
        """Whether their answers differ on so few units that draws of these say nothing for certain."""
        return self.differing is not None and self.differing < FEW_DIFFER


@dataclass(frozen=True, eq=False)
class UnitSource:
    """Where what each system loses on each unit is found: a view of the judgements, and what makes losses of it.

    `powers` are the metrics that are means of these losses, or of a power of them.
    """

    view: str
    losses: Losing
    systems: tuple[str, ...]
    powers: Mapping[Metric, float]
    of: str  # what is lost, in words
    unit: str = "row"
    right_or_wrong: bool = False  # a unit is lost or not; otherwise some lose less than others
    countable: bool = True  # units are independent and count one each
    by_draws: bool = False  # clusters are told by explicit draws alone, since their units may stand anywhere

    def tallies(self, baseline: str | None) -> tuple[Tally, ...]:
        """On how many units each system fares better than each other; the flips beside the baseline are kept.

        Where units do not count one each, what they weigh too, and how that varies.
        """
        kept = self.systems.index(baseline) if baseline in self.systems else 0
        counted = Tally(self.view, PairedUnits, pilot=(self.losses, kept))
        pilot = (self.losses, kept, self.right_or_wrong)
        weighed = Tally(self.view, FlipSums, by_rows=self.by_draws, pilot=pilot)
        return (counted,) if self.countable else (counted, weighed)
