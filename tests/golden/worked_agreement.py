"""Worked examples of agreement with published answers: tables of two raters, matrices of many.

"DKPro" after a paper: cells and printed figures were compared with those in the tests of DKPro Statistics. Figures of
five digits are those of irrCAC 0.4.4 or vcd 1.4-11 (R) on the same cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.golden.agreement_rows import FOUR_CODERS
from tests.golden.reliability_rows import IRRCAC_CODERS
from tests.golden.row import labels_of_table

PRINTED_2, PRINTED_3, PRINTED_4, PRINTED_5 = 5e-3, 5.1e-4, 5.1e-5, 5.1e-6


@dataclass(frozen=True)
class Example:
    """One table and its printed answers: (metric, value, tolerance)."""

    source: str
    data: tuple[Any, Any]
    answers: tuple[tuple[str, float, float], ...]


def two(source: str, table: list[list[int]], *answers: tuple[str, float, float]) -> Example:
    return Example(source, labels_of_table(table), answers)


def weighted(values: dict[str, dict[str, float]], tolerance: float) -> list[tuple[str, float, float]]:
    """Answers by coefficient and weighting; alpha takes its level instead."""
    return [
        (f"{metric}(weighting={weighting})", value, tolerance)
        for metric, by_weighting in values.items()
        for weighting, value in by_weighting.items()
    ]


TWO_RATERS = [
    two(
        "Seed document, 40 items, as irrCAC 0.4.4 and statsmodels 0.15.0 give them",
        [[31, 2], [1, 6]],
        ("percent_agreement", 0.925, 1e-12),
        ("cohen_kappa", 0.7540984, 5e-8),
        ("scott_pi", 0.75385, PRINTED_5),
        ("bennett_s", 0.85, 1e-12),
        ("pabak", 0.85, 1e-12),
        ("gwet_ac1", 0.89213, PRINTED_5),
        ("kappa_max", 0.91803, PRINTED_5),
    ),
    two(
        "Cohen 1960 p. 37 (DKPro)",
        [[25, 12, 3], [13, 2, 15], [12, 16, 2]],
        ("percent_agreement", 0.29, 1e-12),
        ("kappa_max", 0.85, PRINTED_2),
        ("cohen_kappa", -0.09231, PRINTED_5),
        ("gwet_ac1", -0.04797, PRINTED_5),
    ),
    two(
        "Cohen 1960 p. 45 (DKPro)",
        [[88, 14, 18], [10, 40, 10], [2, 6, 12]],
        ("percent_agreement", 0.70, 1e-12),
        ("cohen_kappa", 0.492, PRINTED_3),
        ("kappa_max", 0.831, PRINTED_3),
        ("gwet_ac1", 0.57597, PRINTED_5),
        ("cohen_kappa(weighting=linear)", 0.47368, PRINTED_5),
        ("cohen_kappa(weighting=quadratic)", 0.45455, PRINTED_5),
    ),
    two(
        "Agresti 1992, p. 202, after Landis & Koch 1977 (DKPro)",
        [[22, 2, 2, 0], [5, 7, 14, 0], [0, 2, 36, 0], [0, 1, 17, 10]],
        ("cohen_kappa", 0.49301, PRINTED_5),
        ("cohen_kappa(weighting=linear)", 0.64881, PRINTED_5),
        ("cohen_kappa(weighting=quadratic)", 0.78382, PRINTED_5),
    ),
    two(
        "Artstein & Poesio 2008, p. 558 (DKPro)",
        [[20, 10], [20, 50]],
        ("percent_agreement", 0.70, 1e-12),
        ("bennett_s", 0.40, 1e-12),
        ("scott_pi", 0.341, PRINTED_3),
        ("cohen_kappa", 0.348, PRINTED_3),
    ),
    two(
        "Artstein & Poesio 2008, p. 568 (DKPro; alpha is .80053, printed .800 from rounded parts)",
        [[46, 0, 0], [6, 32, 6], [0, 0, 10]],
        ("percent_agreement", 0.88, 1e-12),
        ("bennett_s", 0.82, 1e-12),
        ("scott_pi", 0.7995, PRINTED_4),
        ("cohen_kappa", 0.8013, PRINTED_4),
        ("krippendorff_alpha", 0.800, 6e-4),
    ),
    two(
        "Brennan & Prediger 1981, p. 689 (DKPro)",
        [[50, 0, 0], [10, 10, 10], [20, 0, 0]],
        ("cohen_kappa", 0.27, PRINTED_2),
        ("bennett_s", 0.40, 1e-12),
        ("percent_agreement", 0.60, 1e-12),
    ),
    two(
        "Brennan & Prediger 1981, p. 691 (DKPro)",
        [[50, 0, 10], [0, 10, 10], [10, 10, 0]],
        ("cohen_kappa", 0.29, PRINTED_2),
        ("bennett_s", 0.40, 1e-12),
    ),
    two(
        "Zwick 1988, p. 376, first (DKPro)",
        [[20, 0, 0, 5], [0, 10, 15, 0], [0, 15, 10, 0], [5, 0, 0, 20]],
        *((name, 0.467, PRINTED_3) for name in ("bennett_s", "scott_pi", "cohen_kappa")),
    ),
    two(
        "Zwick 1988, p. 376, second (DKPro)",
        [[20, 10, 10, 0], [10, 10, 0, 0], [10, 0, 10, 0], [0, 0, 0, 20]],
        ("bennett_s", 0.467, PRINTED_3),
        ("scott_pi", 0.444, PRINTED_3),
        ("cohen_kappa", 0.444, PRINTED_3),
    ),
    two(
        "Zwick 1988, p. 376, third (DKPro; pi is exactly 17/37 = .4595, printed .460)",
        [[20, 5, 5, 10], [0, 10, 5, 5], [0, 5, 10, 5], [0, 0, 0, 20]],
        ("bennett_s", 0.467, PRINTED_3),
        ("scott_pi", 17 / 37, 1e-12),
        ("cohen_kappa", 0.474, PRINTED_3),
    ),
    two(
        "Krippendorff 2004 p. 246, even margins (DKPro)",
        [[12, 9, 9], [9, 14, 9], [9, 9, 20]],
        ("percent_agreement", 0.46, 1e-12),
        ("bennett_s", 0.190, PRINTED_3),
        ("scott_pi", 0.186, PRINTED_3),
        ("cohen_kappa", 0.186, PRINTED_3),
    ),
    two(
        "Krippendorff 2004 p. 246, uneven margins (DKPro): kappa rewards them",
        [[12, 18, 18], [0, 14, 18], [0, 0, 20]],
        ("bennett_s", 0.190, PRINTED_3),
        ("scott_pi", 0.186, PRINTED_3),
        ("cohen_kappa", 0.258, PRINTED_3),
    ),
    two(
        "SAS PROC FREQ, as statsmodels' tests quote it",
        [[0, 4, 1], [0, 8, 0], [0, 1, 5]],
        ("cohen_kappa", 0.4842, PRINTED_4),
        ("cohen_kappa(weighting=linear)", 0.4701, PRINTED_4),
    ),
    two(
        "Feinstein & Cicchetti 1990, even, as Gerstman's textbook quotes it (10.6A)",
        [[40, 9], [6, 45]],
        ("percent_agreement", 0.85, 1e-12),
        ("cohen_kappa", 0.70, PRINTED_2),
    ),
    two(
        "Feinstein & Cicchetti 1990, uneven, as Gerstman's textbook quotes it (10.6B); five digits by epiR 2.0.57",
        [[80, 10], [5, 5]],
        ("percent_agreement", 0.85, 1e-12),
        ("cohen_kappa", 0.31818, PRINTED_5),
    ),
    two(
        "Two categories, one rare: irrCAC 0.4.4",
        [[80, 7], [8, 5]],
        ("gwet_ac1", 0.808, PRINTED_3),
        ("cohen_kappa", 0.31444, PRINTED_5),
    ),
    two(
        "Ten items: DKPro Statistics, Gwet2008Test",
        [[8, 1], [0, 1]],
        ("gwet_ac1", 0.8658, PRINTED_4),
        ("scott_pi", 0.6078, PRINTED_4),
    ),
    two("Wikipedia, Cohen's kappa: even margins", [[45, 15], [25, 15]], ("cohen_kappa", 0.1304, PRINTED_4)),
    two("Wikipedia, Cohen's kappa: uneven margins", [[25, 35], [5, 35]], ("cohen_kappa", 0.2593, PRINTED_4)),
    two("Wikipedia, Cohen's kappa: fifty items", [[20, 5], [10, 15]], ("cohen_kappa", 0.40, 1e-12)),
    two(
        "Gwet, irrCAC 0.4.4: abstractors",
        [[13, 0, 0], [0, 20, 7], [0, 4, 56]],
        ("percent_agreement", 0.89, 1e-12),
        ("gwet_ac1", 0.84933, PRINTED_5),
        ("scott_pi", 0.796, PRINTED_3),
        ("gwet_ac2", 0.94024, PRINTED_5),
        *weighted(
            {
                "cohen_kappa": {
                    "none": 0.796,
                    "linear": 0.843,
                    "quadratic": 0.892,
                    "ordinal": 0.872,
                    "radical": 0.819,
                    "ratio": 0.927,
                    "bipolar": 0.872,
                    "circular": 0.796,
                },
                "gwet_ac2": {"linear": 0.900, "ordinal": 0.925, "radical": 0.875, "ratio": 0.963},
                "randolph_kappa": {"none": 0.835, "linear": 0.876, "quadratic": 0.918},
            },
            PRINTED_3,
        ),
    ),
    two(
        "Gwet, irrCAC 0.4.4: diagnosis",
        [[40, 4, 4, 17], [6, 25, 2, 13], [4, 1, 21, 12], [15, 5, 9, 45]],
        ("percent_agreement", 0.587, PRINTED_3),
        ("scott_pi", 0.430, PRINTED_3),
        ("gwet_ac1", 0.456, PRINTED_3),
        *weighted(
            {
                "cohen_kappa": {
                    "none": 0.432,
                    "quadratic": 0.383,
                    "linear": 0.407,
                    "circular": 0.446,
                    "ratio": 0.413,
                    "radical": 0.419,
                    "ordinal": 0.390,
                    "bipolar": 0.387,
                },
                "gwet_ac2": {
                    "quadratic": 0.299,
                    "linear": 0.377,
                    "circular": 0.488,
                    "ratio": 0.359,
                    "radical": 0.418,
                    "ordinal": 0.324,
                    "bipolar": 0.315,
                },
                "randolph_kappa": {"none": 0.450, "quadratic": 0.236},
            },
            PRINTED_3,
        ),
    ),
    two(
        "A 4-point scale: irrCAC 0.4.4, and irrCAC for R in the fixtures of DKPro Statistics",
        [[20, 5, 1, 0], [4, 15, 6, 1], [0, 5, 18, 4], [0, 1, 3, 12]],
        ("gwet_ac1", 0.58046, PRINTED_5),
        ("gwet_ac2", 0.84028, PRINTED_5),
    ),
    two(
        "A 5-point scale: irrCAC 0.4.4, and irrCAC for R in the fixtures of DKPro Statistics",
        [[15, 4, 1, 0, 0], [3, 12, 4, 1, 0], [1, 3, 14, 3, 1], [0, 1, 3, 10, 2], [0, 0, 1, 2, 8]],
        ("gwet_ac1", 0.57997, PRINTED_5),
        ("gwet_ac2", 0.87005, PRINTED_5),
    ),
]

NAMES = ("gwet_ac2", "fleiss_kappa", "conger_kappa", "randolph_kappa")
BY_WEIGHTING = {
    "none": (0.77544, 0.76117, 0.763, 0.773),
    "quadratic": (0.914, 0.865, 0.858, 0.902),
    "linear": (0.859, 0.818, 0.814, 0.848),
    "ordinal": (0.899, 0.850, 0.844, 0.886),
    "radical": (0.820, 0.790, 0.788, 0.813),
    "ratio": (0.857, 0.821, 0.812, 0.840),
    "circular": (0.830, 0.807, 0.805, 0.824),
    "bipolar": (0.900, 0.853, 0.845, 0.888),
}
# irrCAC's alpha with each weighting as its disagreement. Its "ordinal" is Gwet's weights, not Krippendorff's level.
ALPHA_BY_WEIGHTING = {
    "none": 0.743,
    "quadratic": 0.849,
    "linear": 0.800,
    "ordinal": 0.834,
    "radical": 0.772,
    "ratio": 0.797,
    "circular": 0.790,
    "bipolar": 0.835,
}
CODERS_A = [None, None, None, None, None, 3, 4, 1, 2, 1, 1, 3, 3, None, 3]
CODERS_B = [1, None, 2, 1, 3, 3, 4, 3, None, None, None, None, None, None, None]
CODERS_C = [None, None, 2, 1, 3, 4, 4, None, 2, 1, 1, 3, 3, None, 4]
THREE_CODERS = [list(row) for row in zip(CODERS_A, CODERS_B, CODERS_C, strict=True)]
ALPHAS = ("nominal", "ordinal", "interval", "ratio")


def alphas(*values: float) -> tuple[tuple[str, float, float], ...]:
    return tuple((f"krippendorff_alpha(measurement={level})", v, 5e-7) for level, v in zip(ALPHAS, values, strict=True))


MANY_RATERS = [
    Example(
        "Krippendorff 2011, 4 coders × 12 units; six digits by krippendorff 0.9.0",
        (FOUR_CODERS, None),
        alphas(0.743421, 0.815388, 0.849107, 0.797403),
    ),
    Example(
        "Krippendorff, 3 coders × 15 units: krippendorff 0.9.0",
        (THREE_CODERS, None),
        alphas(0.691358, 0.806721, 0.810845, 0.808944),
    ),
    Example(
        "irrCAC 0.4.4, Krippendorff's 4 coders × 12 units",
        (IRRCAC_CODERS, None),
        tuple(
            (f"{name}(weighting={weighting})", value, PRINTED_3)
            for weighting, values in BY_WEIGHTING.items()
            for name, value in zip(NAMES, values, strict=True)
        ),
    ),
]
EXAMPLES = [*TWO_RATERS, *MANY_RATERS]
