"""Published values of the agreement coefficients: two raters' tables, and matrices with missing ratings."""

from __future__ import annotations

from tests.golden.row import ABSTRACTORS, COHEN_P37, COHEN_P45, FORTY_ITEMS, Row, labels_of_table

ARTSTEIN = labels_of_table([[20, 10], [20, 50]])
ZWICK = labels_of_table([[20, 5, 5, 10], [0, 10, 5, 5], [0, 5, 10, 5], [0, 0, 0, 20]])
PARADOX = labels_of_table([[80, 10], [5, 5]])
DIAGNOSIS = labels_of_table([[40, 4, 4, 17], [6, 25, 2, 13], [4, 1, 21, 12], [15, 5, 9, 45]])

# Krippendorff's four coders and twelve units.
N = None
FOUR_CODERS = [
    [1, 1, N, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [N, 5, 5, 5],
    [N, N, 1, 1],
    [N, 3, N, N],
]
# Fleiss' kappa as explained in the encyclopedia: ten subjects, fourteen raters, five categories.
TEN_SUBJECTS = [
    [k + 1 for k, count in enumerate(counts) for _ in range(count)]
    for counts in (
        (0, 0, 0, 0, 14),
        (0, 2, 6, 4, 2),
        (0, 0, 3, 5, 6),
        (0, 3, 9, 2, 0),
        (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0),
        (3, 2, 6, 3, 0),
        (2, 5, 3, 2, 2),
        (6, 5, 2, 1, 0),
        (0, 2, 2, 3, 7),
    )
]
IRRCAC = "irrCAC 0.4 (R), Krippendorff's 4 coders × 12 units"
KRIPPENDORFF = "Krippendorff 2011, 4 coders × 12 units"
GWET = "Gwet, irrCAC: abstractors"
SEED = "seed document on annotation, 40 items, 31 2 / 1 6, recomputed"

AGREEMENT_OF_RATERS = [
    Row("kappa_max", *COHEN_P37, 0.85, "Cohen 1960, p. 42", 5e-3),
    Row("kappa_max", *COHEN_P45, 0.831, "Cohen 1960, p. 45", 5e-4),
    Row("percent_agreement", *FORTY_ITEMS, 0.925, SEED),
    Row("percent_agreement", FOUR_CODERS, None, 0.81818, IRRCAC, 5e-6),
    Row("fleiss_kappa", TEN_SUBJECTS, None, 0.210, "Wikipedia, Fleiss' kappa, worked example", 5e-4),
    Row("fleiss_kappa", FOUR_CODERS, None, 0.76117, IRRCAC, 5e-6),
    Row("fleiss_kappa(weighting=linear)", FOUR_CODERS, None, 0.818, IRRCAC, 5e-4),
    Row("fleiss_kappa(weighting=quadratic)", FOUR_CODERS, None, 0.865, IRRCAC, 5e-4),
    Row("scott_pi", *ARTSTEIN, 0.341, "Artstein & Poesio 2008", 5e-4),
    Row("scott_pi", *ZWICK, 0.460, "Zwick 1988 (exactly 17/37 = .4595, printed .460)", 6e-4),
    Row("scott_pi", *FORTY_ITEMS, 0.75385, SEED, 5e-6),
    Row("randolph_kappa", FOUR_CODERS, None, 0.773, IRRCAC, 5e-4),
    Row("randolph_kappa(weighting=quadratic)", FOUR_CODERS, None, 0.902, IRRCAC, 5e-4),
    Row("bennett_s", *ARTSTEIN, 0.40, "Artstein & Poesio 2008", 1e-9),
    Row("bennett_s", *ZWICK, 0.467, "Zwick 1988", 5e-4),
    Row("pabak", *FORTY_ITEMS, 0.85, SEED),
    Row("gwet_ac1", *FORTY_ITEMS, 0.89214, SEED, 6e-6),
    Row("gwet_ac1", *ABSTRACTORS, 0.84933, GWET, 5e-6),
    Row("gwet_ac1", *DIAGNOSIS, 0.456, "Gwet, irrCAC: diagnosis", 5e-4),
    Row("gwet_ac1", FOUR_CODERS, None, 0.77544, IRRCAC, 5e-6),
    Row("gwet_ac2", *ABSTRACTORS, 0.94024, f"{GWET}, quadratic", 5e-6),
    Row("gwet_ac2(weighting=linear)", *ABSTRACTORS, 0.900, GWET, 5e-4),
    Row("gwet_ac2(weighting=quadratic)", FOUR_CODERS, None, 0.914, IRRCAC, 5e-4),
    Row("krippendorff_alpha", FOUR_CODERS, None, 0.743421, KRIPPENDORFF, 5e-7),
    Row("krippendorff_alpha(level=ordinal)", FOUR_CODERS, None, 0.815388, KRIPPENDORFF, 5e-7),
    Row("krippendorff_alpha(level=interval)", FOUR_CODERS, None, 0.849107, KRIPPENDORFF, 5e-7),
    Row("krippendorff_alpha(level=ratio)", FOUR_CODERS, None, 0.797403, KRIPPENDORFF, 5e-7),
    Row("specific_agreement", *PARADOX, 160 / 175, "Cicchetti & Feinstein 1990: 2a / (2a + b + c)", positive=1),
    Row("specific_agreement", *PARADOX, 10 / 25, "Cicchetti & Feinstein 1990: 2d / (2d + b + c)", positive=2),
    Row(
        "category_kappa",
        *ARTSTEIN,
        0.341,
        "Artstein & Poesio 2008: of two categories each has the pi of both",
        5e-4,
        positive=1,
    ),
]
