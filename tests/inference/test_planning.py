"""Sample sizes: a table of planned sizes, and no draws to project from."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.errors import SettingError
from adjudge.inference.planning.power import Aim, KappaOutlook, kappa_distance, kappa_variance, units_for

PREVALENCES = (0.5, 0.3, 0.2, 0.1, 0.05)
WIDTH_TABLE = {0.4: (323, 379, 489, 848, 1581), 0.6: (246, 296, 392, 705, 1347), 0.8: (139, 167, 222, 401, 768)}
POWER_TABLE = {(0.4, 0.6): (165, 191, 405), (0.6, 0.8): (126, 149, 335), (0.4, 0.8): (42, 48, 102)}


@pytest.mark.parametrize("kappa", WIDTH_TABLE)
def test_items_for_a_half_width_of_a_tenth(kappa: float) -> None:
    for share, items in zip(PREVALENCES, WIDTH_TABLE[kappa], strict=True):
        outlook = KappaOutlook(kappa, share)
        assert outlook.half_width(items, 0.95) <= 0.1 < outlook.half_width(items - 1, 0.95)


def test_half_the_width_needs_four_times_the_items() -> None:
    outlook = KappaOutlook(0.8, 0.1)
    assert outlook.half_width(1603, 0.95) <= 0.05 < outlook.half_width(1602, 0.95)


def items_for_power(null: float, true: float, prevalence: float) -> int | None:
    return units_for(KappaOutlook(true, prevalence), Aim(null, alpha=0.025), 0.8)


@pytest.mark.parametrize("kappas", POWER_TABLE)
def test_items_for_power(kappas: tuple[float, float]) -> None:
    assert tuple(items_for_power(*kappas, share) for share in (0.5, 0.3, 0.1)) == POWER_TABLE[kappas]


def test_items_for_power_as_kappasize_gives_them() -> None:
    """kappaSize 1.2 (R), PowerBinary(kappa0 = 0.4, kappa1 = 0.7), as quoted: 73.26 at prevalence .5; 107 at .2."""
    assert items_for_power(0.4, 0.7, 0.5) == 74
    assert items_for_power(0.4, 0.7, 0.2) == 107


def test_the_variance_is_that_of_fleiss_cohen_and_everitt_at_equal_margins() -> None:
    from adjudge.inference.intervals.closed_form import fleiss_cohen_everitt
    from adjudge.statistics.confusion import Confusion

    kappa, share, n = 0.55, 0.23, 10_000
    split = share * (1 - share) * (1 - kappa)
    counts = n * np.array([[share - split, split], [split, 1 - share - split]])
    low, high = fleiss_cohen_everitt(Confusion(("a", "b"), counts, counts, n), 0.95)
    error = float(high - low) / 2 / 1.959963984540054
    assert error**2 * n == pytest.approx(kappa_variance(kappa, share), rel=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: kappa_variance(1.0, 0.5),
        lambda: kappa_variance(0.5, 0.0),
        lambda: kappa_distance(0.5, 1.0, 0.5),
    ],
)
def test_settings_out_of_range_are_refused(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(SettingError):
        call()
