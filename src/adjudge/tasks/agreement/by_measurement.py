"""What raters are asked, by the level of measurement of their ratings."""

from __future__ import annotations

from adjudge import metrics
from adjudge.metrics.base import Metric
from adjudge.metrics.rater_reliability import FORMS
from adjudge.metrics.spans import MATCHES
from adjudge.statistics.ratings.set_distance import DISTANCES

# Levels of measurement at which ratings are numbers, with any number of values.
NUMBERS = ("interval", "ratio")
BY_CATEGORY = (metrics.specific_agreement, metrics.category_kappa)
CHANCE_CORRECTED = (
    metrics.fleiss_kappa,
    metrics.conger_kappa,
    metrics.light_kappa,
    metrics.randolph_kappa,
    metrics.gwet_ac1,
)
OF_TWO_LABELS = (metrics.cohen_kappa, metrics.scott_pi, metrics.bennett_s, metrics.pabak, metrics.kappa_max)
OF_TWO_NUMBERS = (
    metrics.concordance_correlation,
    metrics.pearson,
    metrics.spearman,
    metrics.kendall_tau,
    metrics.mean_difference,
    metrics.lower_limit_of_agreement,
    metrics.upper_limit_of_agreement,
)
ALL_ICC = tuple(metrics.icc.using(form=form) for form in FORMS)

NEAR_ENOUGH = (metrics.percent_agreement, metrics.percent_agreement.using(tolerance=1))
QUADRATIC = tuple(one.using(weighting="quadratic") for one in CHANCE_CORRECTED[:3])

# What each level of measurement is asked, by any number of raters and, besides, by exactly two.
NOMINAL = (metrics.krippendorff_alpha, metrics.percent_agreement, *CHANCE_CORRECTED, *BY_CATEGORY)
ORDINAL = (
    metrics.krippendorff_alpha.using(measurement="ordinal"),
    *NEAR_ENOUGH,
    metrics.gwet_ac2.using(weighting="ordinal"),
    *QUADRATIC,
    metrics.kendall_w,
    *NOMINAL,
)
INTERVAL = (
    metrics.krippendorff_alpha.using(measurement="interval"),
    *ALL_ICC,
    *NEAR_ENOUGH,
    metrics.gwet_ac2.using(weighting="quadratic"),
    *QUADRATIC,
    metrics.kendall_w,
)
WEIGHTED_OF_TWO = (metrics.cohen_kappa.using(weighting="linear"), metrics.cohen_kappa.using(weighting="quadratic"))

BY_MEASUREMENT: dict[str, tuple[Metric, ...]] = {
    "nominal": NOMINAL,
    "ordinal": ORDINAL,
    "interval": INTERVAL,
    "ratio": (metrics.krippendorff_alpha.using(measurement="ratio"), *INTERVAL),
    "circular": (
        metrics.krippendorff_alpha.using(measurement="circular"),
        metrics.fleiss_kappa.using(weighting="circular"),
        *NOMINAL,
    ),
    "bipolar": (
        metrics.krippendorff_alpha.using(measurement="bipolar"),
        metrics.fleiss_kappa.using(weighting="bipolar"),
        *NOMINAL,
    ),
}
OF_TWO: dict[str, tuple[Metric, ...]] = {
    "nominal": OF_TWO_LABELS,
    "ordinal": (*WEIGHTED_OF_TWO, *OF_TWO_LABELS, metrics.spearman, metrics.kendall_tau),
    "interval": (*WEIGHTED_OF_TWO, *OF_TWO_NUMBERS),
    "ratio": (*WEIGHTED_OF_TWO, *OF_TWO_NUMBERS),
    "circular": (metrics.cohen_kappa.using(weighting="circular"), *OF_TWO_LABELS),
    "bipolar": (metrics.cohen_kappa.using(weighting="bipolar"), *OF_TWO_LABELS),
}
# Numbers with too many values to be categories.
CONTINUOUS = (metrics.interval_alpha, *ALL_ICC, metrics.kendall_w)
CONTINUOUS_OF_TWO = OF_TWO_NUMBERS

# Sets of labels, by the distance of two sets.
OF_SETS: dict[str, tuple[Metric, ...]] = {
    name: (
        metrics.set_alpha.using(distance=name),
        metrics.set_similarity.using(distance=name),
        metrics.same_set_agreement,
        metrics.macro_label_alpha,
        metrics.label_alpha,
        metrics.label_agreement,
    )
    for name in DISTANCES
}

# Spans: F of every two raters, over all labels and for each.
OF_SPANS: tuple[Metric, ...] = (
    *(metrics.pairwise_span_f.using(match=match) for match in MATCHES),
    *(metrics.span_f_score.using(match=match) for match in MATCHES),
)
