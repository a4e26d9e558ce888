"""Published values of the coefficients that tell raters apart, and of two raters' numbers."""

from __future__ import annotations

import json
from pathlib import Path

from tests.diagnosis.anaesthetists import FIRST_READINGS
from tests.golden.agreement_rows import FOUR_CODERS, KRIPPENDORFF, THIRTY_PATIENTS
from tests.golden.row import COHEN_P45, Row, ratings_of_digits

TABLES = json.loads((Path(__file__).parent / "agreement.json").read_text(encoding="utf-8"))["tables"]
# irrCAC's copy has the lone rating of the last unit under another coder, which Conger's kappa notices.
IRRCAC_CODERS = [*FOUR_CODERS[:-1], [None, None, 3, None]]
# Shrout & Fleiss 1979, table 2, compared with the copy in the documentation of the R package psych.
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
ICC = {"1,1": 0.17, "A,1": 0.29, "C,1": 0.71, "1,k": 0.44, "A,k": 0.62, "C,k": 0.91}
PSYCH = {
    "1,1": 0.165741768405476,
    "A,1": 0.289763779527559,
    "C,1": 0.714840714840715,
    "1,k": 0.442797133679269,
    "A,k": 0.620050547598989,
    "C,k": 0.909315542377069,
}

# Ten items with holes, and what statsmodels fits: MixedLM, restricted likelihood, items and raters crossed.
WITH_HOLES = [
    [9, 7, 8, 8],
    [6, 4, 3, None],
    [8, 5, 6, 8],
    [4, None, 2, 3],
    [10, 8, 9, 9],
    [6, 5, 4, 7],
    [None, 3, 2, 4],
    [5, None, None, 6],
    [7, 5, None, 6],
    [2, 1, 3, None],
]
REML = {"1,1": 0.792182, "1,k": 0.938452, "A,1": 0.789722, "A,k": 0.937587, "C,1": 0.893506, "C,k": 0.971065}

# Peak expiratory flow of 17 people by the mini and by the large meter: Bland & Altman 1986, table 1, first readings,
# compared with the copy in the tests of the R package presize.
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]
LARGE = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
METERS = "Bland & Altman 1986: mean −2.1, standard deviation 38.8"
# Anscombe's first set, compared with R 4.2.2, datasets::anscombe.
ANSCOMBE = (
    [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5],
    [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68],
)
# Compared with the copies in the tests of NeuroKit and Inviwo.
TELEVISION = ([106, 100, 86, 101, 99, 103, 97, 113, 112, 110], [7, 27, 2, 50, 28, 29, 20, 12, 6, 17])
# irr's `anxiety`: twenty subjects, three raters, many ties. Compared with the copy in statsmodels' tests.
ANXIETY = ratings_of_digits("332 361 344 464 523 542 221 346 531 231 221 632 133 533 221 221 113 233 432 342")
# Zar's twelve birds: wing, tail and bill; the rank sums are those that the manual of UNISTAT prints (6.5.6).
BIRDS = [
    [10.4, 7.4, 17],
    [10.8, 7.6, 17],
    [11.1, 7.9, 20],
    [10.2, 7.2, 14.5],
    [10.3, 7.4, 15.5],
    [10.2, 7.1, 13],
    [10.7, 7.4, 19.5],
    [10.5, 7.2, 16],
    [10.8, 7.8, 21],
    [11.2, 7.7, 20],
    [10.6, 7.8, 18],
    [11.4, 8.3, 22],
]
FRIEDMAN = "R 4.2.2, friedman.test divided by raters × (items − 1), which allows for ties: {}"

RELIABILITY = [
    Row("conger_kappa", IRRCAC_CODERS, None, 0.76282, "irrCAC 1.0 (R), Krippendorff's 4 coders × 12 units", 5e-6),
    Row("conger_kappa", THIRTY_PATIENTS, None, 0.44181, "irrCAC 0.4.4, Fleiss 1971", 5e-6),
    Row(
        "light_kappa",
        TABLES["t07_many_nominal_complete"]["data"]["rows"],
        None,
        0.3547440282661667,
        "scikit-learn 1.9.1, mean of cohen_kappa_score over pairs",
    ),
    Row("light_kappa", THIRTY_PATIENTS, None, 0.459, "irr (R), printed example of kappam.light(diagnoses)", 5e-4),
    Row("light_kappa", THIRTY_PATIENTS, None, 0.459412144434595, "psy 1.2 (R), lkappa: diagnoses"),
    Row("light_kappa", FIRST_READINGS, None, 0.585289035460876, "psy 1.2 (R), lkappa: anaesthetists"),
    *(Row(f"icc(form={form})", SHROUT_FLEISS, None, v, "Shrout & Fleiss 1979", 5e-3) for form, v in ICC.items()),
    *(Row(f"icc(form={form})", SHROUT_FLEISS, None, v, "psych 2.2.9 (R), ICC") for form, v in PSYCH.items()),
    *(
        Row(f"icc(form={form}, missing=reml)", WITH_HOLES, None, v, "statsmodels 0.15.0, MixedLM", 5e-5)
        for form, v in REML.items()
    ),
    Row(
        "kendall_w",
        TABLES["t11_many_continuous"]["data"]["rows"],
        None,
        0.918242491657397,
        "scipy 1.12.0, friedmanchisquare",
    ),
    Row("kendall_w", ANXIETY, None, 0.53965687595437, FRIEDMAN.format("irr's anxiety")),
    Row("kendall_w", BIRDS, None, 0.924135220125786, FRIEDMAN.format("Zar's birds")),
    Row("kendall_w", FIRST_READINGS, None, 0.864667163248864, FRIEDMAN.format("anaesthetists")),
    Row("interval_alpha", FOUR_CODERS, None, 0.849107, KRIPPENDORFF, 5e-7),
    Row("pearson", *ANSCOMBE, 0.816, "Anscombe 1973", 5e-4),
    Row("pearson", *ANSCOMBE, 0.81642051634484, "R 4.2.2, cor: Anscombe's first set"),
    Row("spearman", *TELEVISION, -29 / 165, "Wikipedia, Spearman's rank correlation: television", 1e-9),
    Row("kendall_tau", *TELEVISION, -1 / 9, "R 4.2.2, cor(method = kendall): television"),
    Row("kendall_tau", [12, 2, 1, 12, 2], [1, 4, 7, 1, 0], -0.47140452079103173, "scipy documentation, kendalltau"),
    Row("concordance_correlation", MINI, LARGE, 0.942742431427484, "epiR 2.0.57 (R), epi.ccc: Bland & Altman's data"),
    Row(
        "concordance_correlation", *COHEN_P45, 0.45455, "Cohen 1960, p. 45: the quadratic kappa, which it equals", 5e-6
    ),
    Row("mean_difference", MINI, LARGE, -2.1, METERS, 0.05),
    Row("lower_limit_of_agreement", MINI, LARGE, -78.0959054671117, "epiR 2.0.57 (R), epi.ccc, signs turned"),
    Row("upper_limit_of_agreement", MINI, LARGE, 73.8606113494646, "epiR 2.0.57 (R), epi.ccc, signs turned"),
    Row("lower_limit_of_agreement", MINI, LARGE, -2.1 - 1.96 * 38.8, f"{METERS}, 1.96 of them", 0.15),
    Row("upper_limit_of_agreement", MINI, LARGE, -2.1 + 1.96 * 38.8, f"{METERS}, 1.96 of them", 0.15),
]
