"""What raters are asked, by the level of measurement of their ratings."""

from __future__ import annotations

from adjudge.metrics import (
    bennett_s,
    category_kappa,
    cohen_kappa,
    concordance_correlation,
    conger_kappa,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    icc,
    interval_alpha,
    kappa_max,
    kendall_tau,
    kendall_w,
    krippendorff_alpha,
    label_agreement,
    label_alpha,
    light_kappa,
    lower_limit_of_agreement,
    macro_label_alpha,
    mean_difference,
    pabak,
    pairwise_span_f,
    pearson,
    percent_agreement,
    randolph_kappa,
    same_set_agreement,
    scott_pi,
    set_alpha,
    set_similarity,
    span_f_score,
    spearman,
    specific_agreement,
    upper_limit_of_agreement,
)
from adjudge.metrics.base import Metric
from adjudge.metrics.rater_reliability import FORMS
from adjudge.metrics.spans import MATCHES
from adjudge.statistics.ratings.set_distance import DISTANCES

# Levels of measurement at which ratings are numbers, with any number of values.
NUMBERS = ("interval", "ratio")
BY_CATEGORY = (specific_agreement, category_kappa)
CHANCE_CORRECTED = (fleiss_kappa, conger_kappa, light_kappa, randolph_kappa, gwet_ac1)
OF_TWO_LABELS = (cohen_kappa, scott_pi, bennett_s, pabak, kappa_max)
OF_TWO_NUMBERS = (
    concordance_correlation,
    pearson,
    spearman,
    kendall_tau,
    mean_difference,
    lower_limit_of_agreement,
    upper_limit_of_agreement,
)
ALL_ICC = tuple(icc.using(form=form) for form in FORMS)

# What each level of measurement is asked, by any number of raters and, besides, by exactly two.
NOMINAL = (krippendorff_alpha, percent_agreement, *CHANCE_CORRECTED, *BY_CATEGORY)
ORDINAL = (
    krippendorff_alpha.using(measurement="ordinal"),
    percent_agreement,
    percent_agreement.using(tolerance=1),
    gwet_ac2.using(weighting="ordinal"),
    fleiss_kappa.using(weighting="quadratic"),
    conger_kappa.using(weighting="quadratic"),
    light_kappa.using(weighting="quadratic"),
    kendall_w,
    *NOMINAL,
)
INTERVAL = (
    krippendorff_alpha.using(measurement="interval"),
    *ALL_ICC,
    percent_agreement,
    percent_agreement.using(tolerance=1),
    gwet_ac2.using(weighting="quadratic"),
    fleiss_kappa.using(weighting="quadratic"),
    conger_kappa.using(weighting="quadratic"),
    light_kappa.using(weighting="quadratic"),
    kendall_w,
)
WEIGHTED_OF_TWO = (cohen_kappa.using(weighting="linear"), cohen_kappa.using(weighting="quadratic"))

BY_MEASUREMENT: dict[str, tuple[Metric, ...]] = {
    "nominal": NOMINAL,
    "ordinal": ORDINAL,
    "interval": INTERVAL,
    "ratio": (krippendorff_alpha.using(measurement="ratio"), *INTERVAL),
    "circular": (krippendorff_alpha.using(measurement="circular"), fleiss_kappa.using(weighting="circular"), *NOMINAL),
    "bipolar": (krippendorff_alpha.using(measurement="bipolar"), fleiss_kappa.using(weighting="bipolar"), *NOMINAL),
}
OF_TWO: dict[str, tuple[Metric, ...]] = {
    "nominal": OF_TWO_LABELS,
    "ordinal": (*WEIGHTED_OF_TWO, *OF_TWO_LABELS, spearman, kendall_tau),
    "interval": (*WEIGHTED_OF_TWO, *OF_TWO_NUMBERS),
    "ratio": (*WEIGHTED_OF_TWO, *OF_TWO_NUMBERS),
    "circular": (cohen_kappa.using(weighting="circular"), *OF_TWO_LABELS),
    "bipolar": (cohen_kappa.using(weighting="bipolar"), *OF_TWO_LABELS),
}
# Numbers with too many values to be categories.
CONTINUOUS = (interval_alpha, *ALL_ICC, kendall_w)
CONTINUOUS_OF_TWO = OF_TWO_NUMBERS

# Sets of labels, by the distance of two sets.
OF_SETS: dict[str, tuple[Metric, ...]] = {
    name: (
        set_alpha.using(distance=name),
        set_similarity.using(distance=name),
        same_set_agreement,
        macro_label_alpha,
        label_alpha,
        label_agreement,
    )
    for name in DISTANCES
}

# Spans: F of every two raters, over all labels and for each.
OF_SPANS: tuple[Metric, ...] = (
    *(pairwise_span_f.using(match=match) for match in MATCHES),
    *(span_f_score.using(match=match) for match in MATCHES),
)
