"""Published values of the agreement coefficients: two raters' tables, and matrices with missing ratings.

"DKPro" after a paper: its table and figures were compared with those in the tests of DKPro Statistics.
"""

from __future__ import annotations

from tests.golden.row import ABSTRACTORS, COHEN_P37, COHEN_P45, FORTY_ITEMS, Row, labels_of_table, ratings_of_digits

# Artstein & Poesio 2008 (p. 558), Zwick 1988 (third of p. 376), Feinstein & Cicchetti 1990 (as in Gerstman,
# Epidemiology Kept Simple, table 10.6B) and irrCAC's cont4x4diagnosis: cells compared with those copies.
ARTSTEIN = labels_of_table([[20, 10], [20, 50]])
ZWICK = labels_of_table([[20, 5, 5, 10], [0, 10, 5, 5], [0, 5, 10, 5], [0, 0, 0, 20]])
PARADOX = labels_of_table([[80, 10], [5, 5]])
DIAGNOSIS = labels_of_table([[40, 4, 4, 17], [6, 25, 2, 13], [4, 1, 21, 12], [15, 5, 9, 45]])

# Krippendorff 2011, section C: four coders and twelve units. In his book of 2004 (p. 230), and in irrCAC, the lone
# rating of the last unit is the third coder's.
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
# Fleiss' kappa as explained in the encyclopedia: ten subjects, fourteen raters, five categories. Cells as in
# statsmodels' tests.
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
# Fleiss 1971, p. 379: thirty patients, six raters, five diagnoses. Cells as in statsmodels' tests and DKPro's. Who
# gave which rating is not published; irr's data set, like this one, has each row in order.
THIRTY_PATIENTS = ratings_of_digits(
    """
    444444 222555 233335 555555 222444 113333 333355 113334 114444 555555 144444 124444 222333 144444 224445
    333335 111455 111112 224444 133555 555555 244444 224555 114444 144445 222224 111155 224444 133333 555555
    """
)
FIFTEEN_PATIENTS = THIRTY_PATIENTS[:15]
# Hayes & Krippendorff 2007, p. 84: forty units, five observers.
FORTY_UNITS = ratings_of_digits(
    """
    112.2 1101. 2333. .00.0 000.0 000.0 102.1 1.20. 222.2 2111. .100. 0000. 1222. 33223 111.1 111.1 212.2 1233. 1101.
    000.0 0011. 00.00 2333. 0000. 12.22 0111. 00010 1212. 1122. 112.2 110.0 2121. 22.22 3222. 222.2 223.2 222.2 22.12
    2222. 111.1
    """
)
# Randolph 2005, p. 17: four cases, three raters.
EVEN_CASES, UNEVEN_CASES = (["yyy", "yyn", "nny", "nnn"], ["yyy", "yyn", "yyn", "yyy"])
IRRCAC = "irrCAC 1.0 (R) and 0.4.4 (Python), Krippendorff's 4 coders × 12 units"
KRIPPENDORFF = "Krippendorff 2011, 4 coders × 12 units; six digits by krippendorff 0.9.0"
GWET = "Gwet, irrCAC: abstractors, as its R vignette prints it or irrCAC 0.4.4 (Python) gives it"
SEED = "seed document on annotation, 40 items, 31 2 / 1 6, as irrCAC 0.4.4 gives it"
RANDOLPH = "Randolph 2005, p. 17 (DKPro)"
FLEISS = "Fleiss 1971 (DKPro)"
IRRCAC_15 = "irrCAC 1.0 (R), README, distrib.6raters: the first 15 patients of Fleiss 1971"
STATSMODELS_CATEGORY = "Fleiss 1971: statsmodels 0.15.0, fleiss_kappa of one category against the rest"
CATEGORY_KAPPAS = (0.244755244755245, 0.244755244755245, 0.52, 0.471127272727272, 0.566117806823969)

AGREEMENT_OF_RATERS = [
    Row("kappa_max", *COHEN_P37, 0.85, "Cohen 1960, p. 42 (DKPro)", 5e-3),
    Row("kappa_max", *COHEN_P45, 0.831, "Cohen 1960, p. 45 (DKPro)", 5e-4),
    Row("percent_agreement", *FORTY_ITEMS, 0.925, SEED),
    Row("percent_agreement", FOUR_CODERS, None, 0.81818, IRRCAC, 5e-6),
    Row("fleiss_kappa", TEN_SUBJECTS, None, 0.210, "Wikipedia, Fleiss' kappa, worked example", 5e-4),
    Row("fleiss_kappa", THIRTY_PATIENTS, None, 0.430, FLEISS, 5e-4),
    Row("fleiss_kappa", THIRTY_PATIENTS, None, 0.4302445, "irr (R), kappam.fleiss, as statsmodels' tests quote", 5e-8),
    Row("fleiss_kappa", FIFTEEN_PATIENTS, None, 0.4139265, IRRCAC_15, 5e-8),
    Row("fleiss_kappa", [list(case) for case in EVEN_CASES], None, 0.33, RANDOLPH, 5e-3),
    Row("fleiss_kappa", [list(case) for case in UNEVEN_CASES], None, -0.2, RANDOLPH),
    Row("fleiss_kappa", FOUR_CODERS, None, 0.76117, IRRCAC, 5e-6),
    Row("fleiss_kappa(weighting=linear)", FOUR_CODERS, None, 0.818, IRRCAC, 5e-4),
    Row("fleiss_kappa(weighting=quadratic)", FOUR_CODERS, None, 0.865, IRRCAC, 5e-4),
    Row("scott_pi", *ARTSTEIN, 0.341, "Artstein & Poesio 2008, p. 558 (DKPro)", 5e-4),
    Row("scott_pi", *ZWICK, 0.460, "Zwick 1988, p. 376 (DKPro; exactly 17/37 = .4595, printed .460)", 6e-4),
    Row("scott_pi", *FORTY_ITEMS, 0.75385, SEED, 5e-6),
    Row("randolph_kappa", [list(case) for case in EVEN_CASES], None, 0.33, RANDOLPH, 5e-3),
    Row("randolph_kappa", [list(case) for case in UNEVEN_CASES], None, 0.33, RANDOLPH, 5e-3),
    Row(
        "randolph_kappa",
        [list("aaaaaaab"), list("aaabbbbb")],
        None,
        0.214286,
        "Randolph's online calculator, as statsmodels' tests quote it",
        5e-7,
    ),
    Row("randolph_kappa", FIFTEEN_PATIENTS, None, 0.4388889, IRRCAC_15, 5e-8),
    Row("randolph_kappa", FOUR_CODERS, None, 0.77273, IRRCAC, 5e-6),
    Row("randolph_kappa(weighting=quadratic)", FOUR_CODERS, None, 0.902, IRRCAC, 5e-4),
    Row("bennett_s", *ARTSTEIN, 0.40, "Artstein & Poesio 2008, p. 558 (DKPro)", 1e-9),
    Row("bennett_s", *ZWICK, 0.467, "Zwick 1988, p. 376 (DKPro)", 5e-4),
    Row("pabak", *FORTY_ITEMS, 0.85, "epiR 2.0.57 (R), epi.kappa"),
    Row("pabak", *PARADOX, 0.7, "epiR 2.0.57 (R), epi.kappa"),
    Row("gwet_ac1", *FORTY_ITEMS, 0.89213, SEED, 5e-6),
    Row("gwet_ac1", *ABSTRACTORS, 0.84933, GWET, 5e-6),
    Row("gwet_ac1", *DIAGNOSIS, 0.456, "Gwet, irrCAC: diagnosis", 5e-4),
    Row("gwet_ac1", FIFTEEN_PATIENTS, None, 0.4448007, IRRCAC_15, 5e-8),
    Row("gwet_ac1", FOUR_CODERS, None, 0.77544, IRRCAC, 5e-6),
    Row("gwet_ac2", *ABSTRACTORS, 0.94024, f"{GWET}, quadratic", 5e-6),
    Row("gwet_ac2(weighting=linear)", *ABSTRACTORS, 0.900, GWET, 5e-4),
    Row("gwet_ac2(weighting=quadratic)", FOUR_CODERS, None, 0.914, IRRCAC, 5e-4),
    Row("krippendorff_alpha", FIFTEEN_PATIENTS, None, 0.4204384, IRRCAC_15, 5e-8),
    Row(
        "krippendorff_alpha(measurement=ordinal)", FORTY_UNITS, None, 0.7598, "Hayes & Krippendorff 2007 (DKPro)", 5e-5
    ),
    Row("krippendorff_alpha", FOUR_CODERS, None, 0.743421, KRIPPENDORFF, 5e-7),
    Row("krippendorff_alpha(measurement=ordinal)", FOUR_CODERS, None, 0.815388, KRIPPENDORFF, 5e-7),
    Row("krippendorff_alpha(measurement=interval)", FOUR_CODERS, None, 0.849107, KRIPPENDORFF, 5e-7),
    Row("krippendorff_alpha(measurement=ratio)", FOUR_CODERS, None, 0.797403, KRIPPENDORFF, 5e-7),
    *(
        Row("specific_agreement", *PARADOX, value, "scikit-learn 1.9.1, f1_score, which it equals", positive=1 + place)
        for place, value in enumerate((0.9142857142857143, 0.4))
    ),
    *(
        Row("specific_agreement", *DIAGNOSIS, value, "scikit-learn 1.9.1, f1_score", positive=1 + place)
        for place, value in enumerate((0.6153846153846154, 0.6172839506172839, 0.5675675675675675, 0.5590062111801242))
    ),
    Row(
        "category_kappa",
        *ARTSTEIN,
        0.341,
        "Artstein & Poesio 2008: of two categories each has the pi of both",
        5e-4,
        positive=1,
    ),
    *(
        Row("category_kappa", THIRTY_PATIENTS, None, value, STATSMODELS_CATEGORY, positive=1 + place)
        for place, value in enumerate(CATEGORY_KAPPAS)
    ),
]
