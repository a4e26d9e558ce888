"""Published values of the coefficients that tell raters apart, and of two raters' numbers."""

from __future__ import annotations

import json
from pathlib import Path

from tests.golden.agreement_rows import FOUR_CODERS
from tests.golden.row import COHEN_P45, Row

TABLES = json.loads((Path(__file__).parent / "agreement.json").read_text(encoding="utf-8"))["tables"]
# irrCAC's copy has the lone rating of the last unit under another coder, which Conger's kappa notices.
IRRCAC_CODERS = [*FOUR_CODERS[:-1], [None, None, 3, None]]
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
ICC = {"1,1": 0.17, "A,1": 0.29, "C,1": 0.71, "1,k": 0.44, "A,k": 0.62, "C,k": 0.91}

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

# Peak expiratory flow of 17 people by the mini and by the large meter: Bland & Altman 1986, table 1, first readings.
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]
LARGE = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
METERS = "Bland & Altman 1986: mean −2.1, standard deviation 38.8"
# Anscombe's first set.
ANSCOMBE = (
    [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5],
    [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68],
)
TELEVISION = ([106, 100, 86, 101, 99, 103, 97, 113, 112, 110], [7, 27, 2, 50, 28, 29, 20, 12, 6, 17])

RELIABILITY = [
    Row("conger_kappa", IRRCAC_CODERS, None, 0.763, "irrCAC, Krippendorff's 4 coders × 12 units", 5e-4),
    Row(
        "light_kappa",
        TABLES["t07_many_nominal_complete"]["data"]["rows"],
        None,
        0.3547440282661667,
        "scikit-learn 1.9.1, mean of cohen_kappa_score over pairs",
    ),
    *(Row(f"icc(form={form})", SHROUT_FLEISS, None, v, "Shrout & Fleiss 1979", 5e-3) for form, v in ICC.items()),
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
    Row("interval_alpha", FOUR_CODERS, None, 0.849107, "Krippendorff 2011, 4 coders × 12 units", 5e-7),
    Row("pearson", *ANSCOMBE, 0.816, "Anscombe 1973", 5e-4),
    Row("spearman", *TELEVISION, -29 / 165, "Wikipedia, Spearman's rank correlation: television", 1e-9),
    Row("kendall_tau", [12, 2, 1, 12, 2], [1, 4, 7, 1, 0], -0.47140452079103173, "scipy documentation, kendalltau"),
    Row(
        "concordance_correlation", *COHEN_P45, 0.45455, "Cohen 1960, p. 45: the quadratic kappa, which it equals", 5e-6
    ),
    Row("mean_difference", MINI, LARGE, -2.1, METERS, 0.05),
    Row("lower_limit_of_agreement", MINI, LARGE, -2.1 - 1.96 * 38.8, f"{METERS}, 1.96 of them", 0.15),
    Row("upper_limit_of_agreement", MINI, LARGE, -2.1 + 1.96 * 38.8, f"{METERS}, 1.96 of them", 0.15),
]
