"""What each interval method needs of the metric that names it: checked when the metric is declared.

The methods themselves are in `inference`, by the same names: see `METHODS` in `inference/intervals/closed_form.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from adjudge.errors import SettingError, listed, quoted
from adjudge.statistics.base import Array
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.judges.sums import JudgedSums
from adjudge.statistics.judges.tables import JudgedTables
from adjudge.statistics.kinds import Kinds
from adjudge.statistics.losses import Losses
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.numbers.residuals import Residuals
from adjudge.statistics.numbers.rows import NumberRows
from adjudge.statistics.preferences.votes import VoteTable
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.set_ratings import SetRatings
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.statistics.suites.case_outcomes import CaseOutcomes

if TYPE_CHECKING:
    from adjudge.metrics.base import Metric


@dataclass(frozen=True, slots=True)
class Share:
    """A metric that is a share of something countable: what closed-form intervals start from.

    `through` maps the share to the metric when they are not the same; it must rise. `together` tells, from how
    far each category's value is, how far their sum is, squared, where they rest on the same rows. `unseen` is what the
    share would be with a heavy row of the rest, and with one of the part: its limits reach at least as far as theirs.
    `freedom` is the degrees of freedom of what tells how many rows it is worth, where these belong together.
    """

    part: Array
    whole: Array
    squares: Array
    through: Callable[[Array], Array] | None = None
    together: Callable[[], Callable[[Array], Array]] | None = None
    unseen: tuple[Share, Share] | None = None
    freedom: float = math.inf


@dataclass(frozen=True, slots=True)
class Mean:
    """A metric that is a mean over rows: the variance is that of a row, in as many effective rows as it rests on.

    Any other object with these three serves as well, such as `Moments`.
    """

    average: Array
    variance: Array
    effective_rows: Array


@dataclass(frozen=True, slots=True)
class Tail:
    """What each row adds to a mean, as factors of what was summed, and which of the largest values are its largest."""

    values: Mapping[str, float]
    largest: Mapping[str, float]
    power: int = 1  # of the largest


@dataclass(frozen=True, slots=True)
class Unseen:
    """What a mean of losses has not seen: the sum of losses cubed, and the mean loss if all had gone otherwise.

    `rows` is how many rows it is worth by its linearised variance, where they weigh differently.
    """

    cubes: float
    loss: float
    rows: float


class Quantity(Enum):
    """What a metric is, where the formula of an interval holds for nothing else."""

    ROC_AREA = "an area under the ROC curve"
    PR_AREA = "an area under the precision-recall curve"
    CALIBRATION = "a sum of distances between score and share"
    COHEN_KAPPA = "Cohen's kappa, by `weighting`"
    LARGEST_KAPPA = "what a difference of habits leaves of kappa"
    PERCENT_AGREEMENT = "the agreement of two ratings of an item, within `tolerance`"
    COMMON_HABITS = "agreement beyond what the common use of categories gives, by `weighting`"
    EVEN_USE = "agreement beyond what an even use of categories gives, by `weighting`"
    HARD_ITEMS = "agreement beyond guessing on hard items, by `weighting`"
    COINCIDENCES = "Krippendorff's alpha, by `measurement`"
    CORRELATION = "a product-moment correlation"
    RANK_CORRELATION = "a product-moment correlation of ranks"
    TAU = "Kendall's tau-b"
    CONCORDANCE = "a concordance correlation"
    LIMIT_OF_AGREEMENT = "a mean difference and 1.96 standard deviations"
    INTRACLASS = "an intraclass correlation, by `form`"
    MEAN_SQUARE = "a mean of squared errors"
    ROOT_MEAN_SQUARE = "the root of a mean of squared errors"
    EXPLAINED = "a share of the variance of the reference"
    MEDIAN_ERROR = "the median of the sizes of errors"
    QUANTILE = "a quantile of a column, by `at`"
    GEOMETRIC_MEAN = "the mean on the scale of logarithms"
    EXPOSURE_PER_EVENT = "the sum of one column over the count of events in another"
    RATIO_OF_RATES = "events by exposure in two columns over the same in two others"
    RATIO_OF_MEANS = "the mean of one column over that of another"
    PAIRED_DROP = "the mean of one column less that of another"
    CATEGORY_AGREEMENT = "the share of pairs of ratings of a category that agree"
    CATEGORY_KAPPA = "the same beyond what the category's own share gives"
    BALANCE_OF_VOTES = "votes for less votes against, of all, by `over`"
    RATER_ERROR = "the variance of the errors of one rating"
    JUDGE_ASSISTED = "a figure of labels that a judge helps with"
    CORRECTED_SHARE = "a share that a judge was corrected for"
    DEGRADATION = "a figure of system and rater less the same of two raters, by `of` and `rows`"


# Divided by a count that draws make as small as they may: no spread of theirs holds, only their quantiles do.
BY_A_COUNT = (Quantity.EXPOSURE_PER_EVENT, Quantity.RATIO_OF_RATES)


@dataclass(frozen=True, slots=True)
class Needs:
    """What a metric must declare for a method to apply: a function, what it is, and the statistic it is over.

    `units` is how many units it takes for the interval to hold: with fewer there is none (docs/validation/numbers.md).
    `instead_of` is another method, where this one gives limits only where those of the other are too near.
    """

    function: str = ""
    quantities: tuple[Quantity, ...] = ()
    over: tuple[type[object], ...] = ()
    units: int = 1
    instead_of: str = ""

    def missing(self, metric: Metric) -> str:
        """What the declaration lacks; empty when the method applies."""
        if self.function and getattr(metric, self.function) is None:
            return f"`{self.function}`"
        if self.quantities and metric.quantity not in self.quantities:
            return f"`quantity` to be {' or '.join(quantity.name for quantity in self.quantities)}"
        if self.over and not issubclass(metric.over, self.over):
            return f"to be over {' or '.join(statistic.__name__ for statistic in self.over)}"
        return ""


# Where the interval comes from that stands first for numbers.
HINKLEY = "Hinkley 1977, Hill 1975 and Johnson 1978 (interval)"

AGREEMENT = (
    Quantity.PERCENT_AGREEMENT,
    Quantity.COMMON_HABITS,
    Quantity.EVEN_USE,
    Quantity.HARD_ITEMS,
    Quantity.COINCIDENCES,
)
NEEDS: dict[str, Needs] = {
    # By resampling: any metric.
    "bootstrap": Needs(units=20),
    "bags": Needs(units=5),
    "bayesian": Needs(units=5),
    "bayesian_student": Needs(units=5),
    "mover_bayesian": Needs(over=(SetRatings,), units=5),
    "folded_bootstrap": Needs(quantities=(Quantity.CALIBRATION,), over=(Curves,), units=20),
    "mover_bootstrap": Needs(quantities=(Quantity.ROC_AREA, Quantity.PR_AREA), over=(Curves,), units=20),
    "scheffe_drawn": Needs(quantities=(Quantity.LARGEST_KAPPA,), over=(Confusion,), units=6),
    # Of what no interval says anything.
    "none": Needs(),
    "jackknife_hill": Needs(units=6),
    # By formula.
    "guarded_wilson": Needs("share", instead_of="wilson"),
    "wilson": Needs("share"),
    "clopper_pearson": Needs("share"),
    "mover": Needs("share", over=(Confusion,)),
    "normal": Needs("mean"),
    "student": Needs("mean"),
    "johnson": Needs("mean", units=6),
    "worth": Needs("mean"),
    "hanley": Needs(quantities=(Quantity.ROC_AREA,), over=(Curves,)),
    "delong": Needs(quantities=(Quantity.ROC_AREA,), over=(Curves,)),
    "newcombe": Needs(quantities=(Quantity.ROC_AREA,), over=(Curves,)),
    "delong_logit": Needs(quantities=(Quantity.ROC_AREA,), over=(Curves,)),
    "newcombe_delong": Needs(quantities=(Quantity.ROC_AREA,), over=(Curves,)),
    "logit": Needs(quantities=(Quantity.PR_AREA,), over=(Curves,)),
    "korn_graubard": Needs(quantities=(Quantity.PR_AREA,), over=(Curves,)),
    "korn_graubard_unseen": Needs("share", over=(CaseOutcomes,)),
    "korn_graubard_units": Needs("share", over=(CaseOutcomes,)),
    "folded_normal": Needs(quantities=(Quantity.CALIBRATION,), over=(Curves,)),
    "fleiss_cohen_everitt": Needs(quantities=(Quantity.COHEN_KAPPA,), over=(Confusion,)),
    "scheffe": Needs(quantities=(Quantity.LARGEST_KAPPA,), over=(Confusion,)),
    "gof": Needs(quantities=(Quantity.COHEN_KAPPA, Quantity.COMMON_HABITS), over=(Confusion, Patterns)),
    "wilson_of_items": Needs(quantities=(Quantity.CATEGORY_AGREEMENT, Quantity.CATEGORY_KAPPA), over=(Patterns,)),
    "gwet": Needs(quantities=AGREEMENT, over=(Patterns,)),
    "fisher": Needs(over=(Kinds,)),
    "f_exact": Needs(quantities=(Quantity.INTRACLASS,), over=(RatingVectors,)),
    "fisher_z": Needs("pairs", (Quantity.CORRELATION,)),
    "bonett_wright": Needs("pairs", (Quantity.RANK_CORRELATION,)),
    "fieller": Needs("pairs", (Quantity.TAU,)),
    "lin": Needs("pairs", (Quantity.CONCORDANCE,), (RatingVectors, NumberPairs)),
    "chi2": Needs(quantities=(Quantity.MEAN_SQUARE, Quantity.ROOT_MEAN_SQUARE), over=(NumberPairs,)),
    "rubin": Needs("tail", over=(Losses,)),
    "rubin_hill": Needs("tail", over=(NumberPairs,)),
    "order_statistics": Needs(quantities=(Quantity.MEDIAN_ERROR, Quantity.QUANTILE), over=(Residuals, NumberRows)),
    "mover_hill": Needs(quantities=(Quantity.LIMIT_OF_AGREEMENT,), over=(RatingVectors,), units=6),
    "tango": Needs(quantities=(Quantity.BALANCE_OF_VOTES, Quantity.PAIRED_DROP), over=(VoteTable, NumberRows)),
    "guarded_t": Needs("mean", (Quantity.PAIRED_DROP,), (NumberRows,)),
    "garwood": Needs(quantities=(Quantity.EXPOSURE_PER_EVENT,), over=(NumberRows,)),
    "garwood_dispersed": Needs(
        quantities=(Quantity.EXPOSURE_PER_EVENT,), over=(NumberRows,), units=10, instead_of="garwood"
    ),
    "conditional_binomial": Needs(quantities=(Quantity.RATIO_OF_RATES,), over=(NumberRows,)),
    "conditional_binomial_dispersed": Needs(
        quantities=(Quantity.RATIO_OF_RATES,), over=(NumberRows,), units=10, instead_of="conditional_binomial"
    ),
    "fieller_hill": Needs(quantities=(Quantity.RATIO_OF_MEANS,), over=(NumberRows,), units=6),
    "fieller_ratio": Needs(quantities=(Quantity.RATIO_OF_MEANS,), over=(NumberRows,)),
    "delta_ratio": Needs(quantities=(Quantity.RATIO_OF_MEANS,), over=(NumberRows,)),
    "log_student": Needs(quantities=(Quantity.GEOMETRIC_MEAN,), over=(NumberRows,)),
    "plus_three": Needs(quantities=(Quantity.BALANCE_OF_VOTES,), over=(VoteTable,)),
    "bonett": Needs(quantities=(Quantity.RATER_ERROR,), over=(ScoreSums,)),
    "jackknife_mover": Needs(quantities=(Quantity.DEGRADATION,), over=(ScoreSums,)),
    "judge_assisted": Needs(quantities=(Quantity.JUDGE_ASSISTED,), over=(JudgedSums, JudgedTables), units=2),
    "lang_reiczigel": Needs(quantities=(Quantity.CORRECTED_SHARE,), over=(JudgedSums,)),
    "bland_altman": Needs(quantities=(Quantity.LIMIT_OF_AGREEMENT,), over=(RatingVectors,)),
}


def check_intervals(metric: Metric) -> None:
    """Refuse a method that does not exist, or that is not for such a metric."""
    for name in metric.intervals:
        if name not in NEEDS:
            raise SettingError(f"`intervals` of {metric.name} must be among {listed(NEEDS)}, not {quoted(name)}.")
        if missing := NEEDS[name].missing(metric):
            raise SettingError(
                f"`intervals` of {metric.name} must apply to it, but {quoted(name)} needs the declaration {missing}."
            )
