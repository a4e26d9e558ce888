"""Do raters agree beyond chance? Read this file to know everything the agreement task promises."""

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
from adjudge.statistics.set_distance import DISTANCES
from adjudge.tasks.base import Role, Setting, Task

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

BY_LEVEL: dict[str, tuple[Metric, ...]] = {
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

AGREEMENT = Task(
    name="agreement",
    question="Do the raters agree beyond chance, who differs, and on what?",
    roles=(
        Role("raters", "columns of ratings, one for each rater", many=True),
        Role("item", "column that names the item"),
        Role("rater", "column that names the rater, when each rating has a row"),
        Role("rating", "column of ratings, when each rating has a row"),
        Role("start", "column of the first place of a span, when each span has a row"),
        Role("end", "column of the place after a span, when each span has a row"),
        Role("label", "column of a span's label, when each span has a row"),
        Role("weight", "column of case weights of the items"),
        Role("cluster", "column of units to resample together, such as a document"),
        Role("batch", "column of batches or dates, to look for drift"),
        Role("slices", "columns to evaluate level by level; 'a × b' crosses two", many=True),
    ),
    metrics=NOMINAL,
    averages=(),
    headline=(
        "krippendorff_alpha(measurement=ratio)",
        "krippendorff_alpha(measurement=interval)",
        "krippendorff_alpha(measurement=ordinal)",
        "krippendorff_alpha(measurement=circular)",
        "krippendorff_alpha(measurement=bipolar)",
        "interval_alpha",
        "krippendorff_alpha",
        "percent_agreement",
        "gwet_ac1",
        "icc(form=A,1)",
        *(repr(metrics[0]) for metrics in OF_SETS.values()),
        "same_set_agreement",
        "macro_label_alpha",
        *(repr(metric) for metric in OF_SPANS[: len(MATCHES)]),
    ),
    settings=(
        Setting(
            "level",
            "level of measurement: nominal, ordinal, interval, ratio, circular, bipolar; sets (of labels); spans",
            default="nominal",
        ),
        Setting("scale", "the categories in their order, used or not", many=True, form="labels"),
        Setting("model", "the rater that is a model: may it replace a human?", form="column"),
        Setting(
            "resample", "items (default), or raters too: the claim is then about other raters as well", default="items"
        ),
        Setting("distance", "of two sets of labels: masi (default), masi_dkpro, jaccard"),
        Setting("separator", "what stands between the labels of a set that is written as text (default |)"),
        Setting("scheme", "of tags: bio (default; also iob2), iob1, bioes (also iobes), bilou"),
        Setting("mode", "what malformed tags are: strict-penalise (default), strict, conll"),
        Setting("confidence", "confidence level (default 0.95)", float, 0.95),
    ),
    panels=(
        "Can * stand in for a human?",
        "Agreement by batch",
        "Agreement without each rater",
        "Most confused labels",
        "Severity of each rater",
        "Do raters use the scale alike?",
    ),
)
