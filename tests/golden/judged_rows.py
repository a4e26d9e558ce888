"""Labels that a judge helps with: figures of other hands, and by hand."""

from __future__ import annotations

import json
from pathlib import Path

from tests.golden.row import Row

_CASES = {case["id"]: case for case in json.loads((Path(__file__).parent / "gates.json").read_text(encoding="utf-8"))}
_GIVEN, _OURS = _CASES["ppi_proportion"]["input"], _CASES["ppi_proportion"]["expect"]["ours"]
_ONES, _MANY = _GIVEN["judge_unlabelled_ones"], _GIVEN["judge_unlabelled_n"]
PEOPLE = [*_GIVEN["human"], *[None] * _MANY]
JUDGE = [*_GIVEN["judge_on_labelled"], *[1] * _ONES, *[0] * (_MANY - _ONES)]
_ROGAN = _CASES["rogan_gladen"]
# 80 positives, of which 72 are found; 40 negatives, of which 32 are spared; 150 of 200 others are taken for positive.
CALIBRATED = (
    [1] * 80 + [0] * 40 + [None] * 200,
    [1] * 72 + [0] * 8 + [0] * 32 + [1] * 8 + [1] * 150 + [0] * 50,
)

# 12 right of 20 labelled rows, no others: what a judge says of them does not count, and Cohen's and F are as ever.
ANSWERED = (["a"] * 10 + ["b"] * 10, ["a"] * 7 + ["b"] * 3 + ["a"] * 5 + ["b"] * 5)
ANY_JUDGE = {"judge": ["b", "a"] * 10}

JUDGED = [
    Row(
        "judge_assisted_kappa",
        *ANSWERED,
        0.2,
        "Cohen 1960 by hand: (12/20 − 1/2) / (1 − 1/2)",
        1e-12,
        options=ANY_JUDGE,
    ),
    Row(
        "judge_assisted_f_score",
        *ANSWERED,
        14 / 22,
        "by hand: 2 × 7 hits over 10 that are a and 12 that were said to be",
        1e-12,
        positive="a",
        options=ANY_JUDGE,
    ),
    Row("judge_assisted_mean", PEOPLE, JUDGE, _OURS["estimate"], _CASES["ppi_proportion"]["source"], 1e-8),
    Row("labelled_mean", PEOPLE, JUDGE, 31 / 40, "counted by hand: 31 of 40 labels are 1"),
    Row("judge_mean", PEOPLE, JUDGE, 329 / 440, "counted by hand: 26 of 40 and 303 of 400"),
    Row("rogan_gladen", *CALIBRATED, _ROGAN["expect"]["corrected"], _ROGAN["source"], 1e-8),
    # (0.8667 − 0.5556) / (1 − 0.5556): 104 of 120 alike; people 80 : 40, judge 80 : 40.
    Row("judge_kappa", *CALIBRATED, 0.7, "Cohen 1960 by hand, from the same table"),
]
