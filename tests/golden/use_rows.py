"""In use: what R, NIST, NumPy and SciPy give for the same numbers."""

from __future__ import annotations

import json
from pathlib import Path

from tests.golden.row import FORTY_ITEMS, Row

CASES = json.loads((Path(__file__).parent / "in_use.json").read_text())
LATENCY = CASES["latency_percentiles"]["input"]["milliseconds"]
COST, RIGHT = (CASES["cost_per_correct"]["input"][name] for name in ("cost", "correct"))
ANSWERS = CASES["sus"]["input"]["answers"]
INVERTED = "NumPy 2.4, quantile(method='inverted_cdf'), which is R's type 1"
TRIES = [[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, None]]

IN_USE = [
    Row("quantile(at=0.5)", LATENCY, None, 130.6, INVERTED),
    Row("quantile(at=0.9)", LATENCY, None, 240.1, INVERTED),
    Row("quantile", LATENCY, None, 306.2, INVERTED),
    Row("mean", [10000001, 10000003, 10000002], None, 10000002.0, "NIST StRD NumAcc1, certified mean"),
    Row("mean", [1.2, *[1.1, 1.3] * 500], None, 1.2, "NIST StRD NumAcc2, certified mean", 1e-13),
    Row("geometric_mean", [1, 2, 3, 4, 5, 6, 7], None, 3.3800151591412964, "SciPy documentation, stats.gmean"),
    Row("geometric_mean", [1, 4, 7], None, 2.80668351922014, "SciPy documentation, stats.gmean", weights=[3, 1, 3]),
    Row("failed_share", [0] * 300, None, 0.0, "R 4.2.2 binom.test(0, 300)"),
    Row("success_rate", [1] * 182 + [0] * 18, None, 0.91, "R 4.2.2 binom.test(182, 200)"),
    Row("mean_time_between_failures", [800], [2], 400.0, "NIST/SEMATECH e-Handbook 8.4.5.1"),
    # eba1977, two groups of cities, the example of R's poisson.test: 11 cases of 800, 21 of 3,011
    Row("failure_ratio", [[800, 11, 3011, 21]], None, (11 / 800) / (21 / 3011), "by hand, data of R's poisson.test"),
    Row("cost_per_right", COST, RIGHT, 1.56666666667, "R survey 4.1 svyratio", 1e-8),
    Row("system_usability", ANSWERS, None, 72.0833333333, "Brooke 1996; mean by SciPy 1.17", 1e-6),
    # 1 + 3/6 + 1/6 + 0 + 1 over five items; and the same of three tries
    Row("pass_hat_k(k=2)", TRIES, None, 8 / 15, "C(right, 2) / C(tries, 2) by Python's math.comb"),
    Row("pass_hat_k", TRIES, None, (1 + 1 / 4 + 0 + 0 + 1) / 5, "C(right, 3) / C(tries, 3) by Python's math.comb"),
    Row("robustness_drop", [1] * 43 + [1], [1] * 43 + [0], 1 / 44, "Tango 1998, contact lens table"),
    Row(
        "label_ceiling", *FORTY_ITEMS, (1 + 0.925) / 2, "two raters: (1 + agreement) / 2, agreement of the seed's table"
    ),
    Row("share_kept", RIGHT, COST, 1.56666666667, "R survey 4.1 svyratio, the same ratio", 1e-8),
]
