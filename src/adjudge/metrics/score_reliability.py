"""What a system's scores lose beside a second rater's: formulas over score sums."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from adjudge.errors import check_choice, literal
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.intervals import HINKLEY, Quantity, Share
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.numbers.two_numbers import TwoNumbers
from adjudge.statistics.scores.features import HUMAN, TRUTH
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.statistics.scores.views import TwoScores

ROWS = ("all", "double")


def kappa_of(pair: TwoNumbers, ddof: int = 0) -> Array:
    """Quadratic weighted kappa of a pair of scores."""
    below = pair.x.variance(ddof) + pair.y.variance(ddof) + pair.shift**2
    return np.asarray(ratio(2 * pair.covariance(ddof), below))


def difference_of(pair: TwoNumbers, method: str, ddof: int = 1) -> Array:
    """Standardized mean difference of a pair of scores."""
    if method == "unpooled":
        return np.asarray(ratio(pair.shift, pair.x.sd(ddof)))
    with np.errstate(invalid="ignore"):
        return np.asarray(ratio(pair.shift, np.sqrt((pair.x.variance(ddof) + pair.y.variance(ddof)) / 2)))


def near(pair: TwoScores, tolerance: float) -> Array:
    """Share of pairs no further apart than the tolerance."""
    return np.asarray(ratio(pair.within[tolerance], pair.n))


# What is compared: the same of system and first rater, and of two raters. The two mean differences are scaled as is
# usual for each.
COMPARED: dict[str, tuple[Callable[[TwoScores], Array], Callable[[TwoScores], Array]]] = {
    "correlation": (lambda pair: pair.correlation, lambda pair: pair.correlation),
    "qwk": (kappa_of, kappa_of),
    "exact": (lambda pair: near(pair, 0.0), lambda pair: near(pair, 0.0)),
    "adjacent": (lambda pair: near(pair, 1.0), lambda pair: near(pair, 1.0)),
    "smd": (lambda pair: difference_of(pair, "unpooled"), lambda pair: difference_of(pair, "pooled")),
}

KAPPA = "kappa"
PERFECT = 1 - 1e-9  # agreement that leaves nothing to tell how raters, or a system, may differ
# Which of these are shares of pairs, and how far apart the scores of a pair may be.
SHARES = {"exact": 0.0, "adjacent": 1.0}


def system_and_raters(sums: ScoreSums, *, of: str, rows: str) -> tuple[Array, Array]:
    """What is compared: of system and first rater, and of two raters."""
    if of == KAPPA:
        views = [sums.margins("machine" if rows == "all" else "double"), sums.margins(HUMAN)]
        system, raters = (np.full(np.shape(sums.counts), np.nan) if view is None else view.kappa for view in views)
        return system, raters
    of_system, of_raters = COMPARED[of]
    return of_system(sums.machine if rows == "all" else sums.double), of_raters(sums.human)


def shares_of(sums: ScoreSums, *, of: str, rows: str) -> tuple[Share, Share]:
    """The same as shares of pairs."""
    system, raters = (
        Share(pair.within[SHARES[of]], pair.n, pair.weights)
        for pair in (sums.machine if rows == "all" else sums.double, sums.human)
    )
    return system, raters


def double_rated(sums: ScoreSums, **_: object) -> Array:
    """How many responses have two ratings, in effect: what is said of raters rests on these, however many there are."""
    double = f"{TRUTH} multiple"
    return np.asarray(ratio(sums.sums.of(double) ** 2, sums.sums.squares_of(double)))


def _agree_in_all(sums: ScoreSums, *, of: str = "correlation", rows: str = "all") -> str:
    """Who agrees in all that both scored; shares and mean differences have limits even then."""
    if of in (*SHARES, "smd"):
        return ""
    parts = zip(("system and rater", "two raters"), system_and_raters(sums, of=of, rows=rows), strict=True)
    return next((f"{who} never differ" for who, part in parts if float(abs(part)) >= PERFECT), "")


def _check_rows(*, rows: str = "all") -> None:
    check_choice("rows", rows, ROWS, literal)


def _check_degradation(*, of: str = "correlation", rows: str = "all") -> None:
    _check_rows(rows=rows)
    check_choice("of", of, (*COMPARED, KAPPA), literal)


@metric(
    over=ScoreSums,
    label="Degradation",
    direction=Direction.NEAREST,
    range=(-np.inf, np.inf),
    best=0.0,
    undefined="no response has two ratings, or a score does not vary",
    check=_check_degradation,
    rounded_only=lambda *, of="correlation", rows="all": of in (KAPPA, "exact"),
    intervals=("jackknife_mover", "bootstrap"),
    quantity=Quantity.DEGRADATION,
    rests_on=double_rated,
    flat=_agree_in_all,
    references=["Williamson, Xi & Breyer 2012", "Zou & Donner 2008 (interval)"],
)
def degradation(sums: ScoreSums, *, of: str = "correlation", rows: str = "all") -> Array:
    """How much less the system agrees with a rater than raters do with one another: below 0 is a loss.

    The metric of system and first rater less the same of two raters. `of` is correlation, qwk, kappa (unweighted;
    round the scores first), exact, adjacent or smd; `rows` is all (the system on all responses) or double (only where
    there is a second rating).

    Undefined when no response has two ratings, a score does not vary, or for kappa has more than 60 values.

    >>> round(degradation([[1, 1], [2, 3], [3, 3], [4, 4]], [1, 2, 2, 4], of="exact"), 4)
    0.0
    """
    system, raters = system_and_raters(sums, of=of, rows=rows)
    return np.asarray(system - raters)


@metric(
    over=ScoreSums,
    label="Disattenuated correlation",
    direction=Direction.HIGHER,
    range=(-np.inf, np.inf),
    best=1.0,
    undefined="no response has two ratings, the raters' correlation is not positive, or a score does not vary",
    intervals=("jackknife_hill", "bootstrap"),
    check=_check_rows,
    rests_on=double_rated,
    flat=_agree_in_all,
    references=["Spearman 1904", HINKLEY],
)
def disattenuated_correlation(sums: ScoreSums, *, rows: str = "all") -> Array:
    """Correlation of system and rater, had raters made no errors: r / √(r of two raters). It may exceed 1.

    `rows` is all (the system on all responses) or double (only where there is a second rating).

    Undefined when no response has two ratings, or their correlation is not positive.

    >>> round(disattenuated_correlation([[1, 1], [2, 3], [3, 3], [4, 4]], [1, 2, 2, 4]), 4)
    0.9609
    """
    among = sums.human.correlation
    with np.errstate(invalid="ignore"):
        reliability = np.sqrt(np.where(among > 0, among, np.nan))
    return np.asarray(ratio((sums.machine if rows == "all" else sums.double).correlation, reliability))
