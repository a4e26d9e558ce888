"""The numbers behind the picture of uplift: what treating the highest scores first gains."""

from __future__ import annotations

import numpy as np

from adjudge.evaluation.declaration import Page
from adjudge.evaluation.measure import Measured
from adjudge.evaluation.panels import LinesPanel, Panels, Series
from adjudge.statistics.base import Array
from adjudge.statistics.uplift_cells import UpliftCells

SHARES = np.linspace(0, 1, 41)
# Rows of an arm from which on there are intervals.
FEWEST = 10
NOTE = (
    "Rows of the highest scores first: their outcome if treated less that if not, each over its whole arm. The line "
    "ends at the mean effect; a score that knows nothing is a straight line to there."
)
BAND = " The band is each point's interval by itself."


def uplift_panels(page: Page) -> Panels:
    """The curve of every system, with that of treating at random."""
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
