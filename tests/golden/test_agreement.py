"""Agreement against published tables and against the figures that peers gave on the same data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.golden.agreement_rows import FOUR_CODERS
from tests.golden.row import ABSTRACTORS, FORTY_ITEMS, PATHOLOGISTS, labels_of_table
from tests.golden.worked_agreement import ALPHA_BY_WEIGHTING, EXAMPLES

from adjudge import metrics
from adjudge.inference.intervals.agreement import gwet_error
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.metrics import catalogue
from adjudge.metrics.base import Metric
from adjudge.metrics.weightings import WEIGHTINGS, disagreement

GOLDEN = json.loads((Path(__file__).parent / "agreement.json").read_text(encoding="utf-8"))
TABLES: dict[str, Any] = GOLDEN["tables"]
COEFFICIENTS = {
    "cohen": metrics.cohen_kappa,
    "scott": metrics.scott_pi,
    "fleiss": metrics.fleiss_kappa,
    "gwet": metrics.gwet_ac2,
    "bp": metrics.randolph_kappa,
    "conger": metrics.conger_kappa,
    "krippendorff": metrics.krippendorff_alpha,
}


def ratings(table: str) -> tuple[Any, Any, list[int] | None]:
    """The ratings as numbers from 1, which is how irrCAC spaces named categories, and the scale."""
    known, data = TABLES[table]["categories"], TABLES[table]["data"]
    if known is None:
        return data["rows"], None, None
    code = {category: place + 1 for place, category in enumerate(known)} | {None: None}
    scale = list(range(1, len(known) + 1))
    if "a" in data:
        return [code[x] for x in data["a"]], [code[x] for x in data["b"]], scale
    return [[code[x] for x in row] for row in data["rows"]], None, scale


def statistic(metric: Metric, first: Any, second: Any = None, scale: Any = None) -> Any:
    return metric.statistic_of(first, second, categories=scale)


def weighted(coefficient: str, weighting: str, scale: list[int]) -> Metric:
    """The metric that an irrCAC function with a weighting is."""
    weighting = "none" if weighting == "identity" else weighting
    if coefficient != "krippendorff":
        return COEFFICIENTS[coefficient].using(weighting=weighting)
    return metrics.krippendorff_alpha.using(measurement=disagreement(tuple(map(str, scale)), weighting))


@pytest.mark.parametrize(
    ("data", "name", "value", "tolerance"),
    [
        pytest.param(example.data, *answer, id=f"{answer[0]} | {example.source}")
        for example in EXAMPLES
        for answer in example.answers
    ],
)
def test_worked_examples(data, name: str, value: float, tolerance: float) -> None:
    assert catalogue.parse(name)(*data) == pytest.approx(value, rel=0, abs=tolerance)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_alpha_with_irrcac_weights(weighting: str) -> None:
    alpha = metrics.krippendorff_alpha(FOUR_CODERS, measurement=disagreement(tuple("12345"), weighting))
    assert alpha == pytest.approx(ALPHA_BY_WEIGHTING[weighting], rel=0, abs=5.1e-4)


def test_distance_one_half_when_chck_is_involved() -> None:
    """Artstein & Poesio 2008: D_o .090, D_e .4879, alpha .8156; weighted kappa .8163, D_e .490."""
    labels = labels_of_table([[46, 0, 0], [6, 32, 6], [0, 0, 10]])
    d = [[0, 1, 0.5], [1, 0, 0.5], [0.5, 0.5, 0]]
    assert metrics.krippendorff_alpha(*labels, measurement=d) == pytest.approx(0.8156, rel=0, abs=5.1e-5)
    assert metrics.cohen_kappa(*labels, weighting=d) == pytest.approx(0.8163, rel=0, abs=5.1e-5)
    made = metrics.krippendorff_alpha.made_of(*labels, measurement=d)
    assert (1 - made["observed"], 1 - made["expected"]) == (pytest.approx(0.09), pytest.approx(0.4879, abs=5.1e-5))
    assert 1 - metrics.cohen_kappa.made_of(*labels, weighting=d)["expected"] == pytest.approx(0.490, abs=5.1e-4)


PARTS = [
    ("cohen_kappa", FORTY_ITEMS, 0.925, 0.695, "seed document"),
    ("cohen_kappa", labels_of_table([[20, 10], [20, 50]]), 0.70, 0.54, "Artstein & Poesio 2008"),
    ("scott_pi", labels_of_table([[20, 10], [20, 50]]), 0.70, 0.545, "Artstein & Poesio 2008"),
    ("gwet_ac1", labels_of_table([[80, 7], [8, 5]]), 0.85, 0.21875, "irrCAC 0.4.4"),
    ("gwet_ac1", labels_of_table([[8, 1], [0, 1]]), 0.9, 0.255, "DKPro Statistics"),
    ("gwet_ac1", (FOUR_CODERS, None), 0.81818, 0.19032, "irrCAC"),
]


@pytest.mark.parametrize(("name", "data", "observed", "expected", "source"), PARTS)
def test_observed_and_expected_are_the_published_ones(name, data, observed, expected, source) -> None:
    made = catalogue.parse(name).made_of(*data)
    assert made["observed"] == pytest.approx(observed, rel=0, abs=5.1e-6)
    assert made["expected"] == pytest.approx(expected, rel=0, abs=5.1e-6)


@pytest.mark.parametrize(("category", "value"), [(1, 0.781), (2, 0.247), (3, 0.402), (4, 0.435)])
def test_kappas_of_the_categories_of_the_pathologists(category: int, value: float) -> None:
    """Agresti 1992, after Landis and Koch 1977, as the tests of DKPro Statistics quote it."""
    assert metrics.category_kappa(*PATHOLOGISTS, positive=category) == pytest.approx(value, rel=0, abs=5.1e-4)


IRRCAC = [
    (table, key)
    for table, content in TABLES.items()
    for key in content["answers"]
    if key.startswith(("irrCAC.raw", "irrCAC.table"))
]


@pytest.mark.parametrize(("table", "key"), IRRCAC)
def test_irrcac_gives_the_same_value(table: str, key: str) -> None:
    first, second, scale = ratings(table)
    function, weighting = key.split(" weights=")
    metric = weighted(function.split(".")[2], weighting, scale)
    answer = TABLES[table]["answers"][key]
    value = answer if isinstance(answer, float) else answer["coefficient"]
    assert metric(first, second, categories=scale) == pytest.approx(value, rel=0, abs=1e-12)


# Unequal numbers of ratings: irrCAC for Python corrects alpha with p_a where R, and we, use p_a before its factor.
ALPHA_SLACK = {"t09_many_ordinal_missing": 2e-3}


@pytest.mark.parametrize(("table", "key"), [case for case in IRRCAC if ".raw." in case[1] and ".conger" not in case[1]])
def test_irrcac_gives_the_same_standard_error_and_interval(table: str, key: str) -> None:
    first, second, scale = ratings(table)
    function, weighting = key.split(" weights=")
    metric = weighted(function.split(".")[2], weighting, scale)
    patterns, answer = statistic(metric, first, second, scale), TABLES[table]["answers"][key]
    rel = ALPHA_SLACK.get(table, 1e-9) if "krippendorff" in key else 1e-9
    error, _ = gwet_error(metric, patterns)
    assert error == pytest.approx(answer["se"], rel=rel, abs=2e-15)
    bounds = closed_form("gwet", metric, patterns, 0.95)
    if table == "t05_two_perfect":
        assert bounds is None  # irrCAC prints [1, 1]
    else:
        low, high = answer["ci95"]
        assert (float(bounds.low), float(bounds.high)) == pytest.approx((low, high), rel=0, abs=max(rel / 10, 1e-8))


PRINTED_ERRORS = [
    ("gwet_ac1", (FOUR_CODERS, None), 0.14295, 5.1e-6, "irrCAC"),
    ("fleiss_kappa", (FOUR_CODERS, None), 0.15302, 5.1e-6, "irrCAC"),
    ("krippendorff_alpha", (FOUR_CODERS, None), 0.14548, 5.1e-6, "irrCAC 1.0 for R, README"),
    ("krippendorff_alpha(measurement=interval)", (FOUR_CODERS, None), 0.129, 5.1e-4, "irrCAC"),
    ("randolph_kappa", (FOUR_CODERS, None), 0.145, 5.1e-4, "irrCAC"),
    ("gwet_ac2", (FOUR_CODERS, None), 0.104, 5.1e-4, "irrCAC"),
    ("fleiss_kappa(weighting=quadratic)", (FOUR_CODERS, None), 0.146, 5.1e-4, "irrCAC"),
    ("randolph_kappa(weighting=quadratic)", (FOUR_CODERS, None), 0.111, 5.1e-4, "irrCAC"),
]


@pytest.mark.parametrize(("name", "data", "error", "tolerance", "source"), PRINTED_ERRORS)
def test_printed_standard_errors(name, data, error, tolerance, source) -> None:
    metric = catalogue.parse(name)
    assert gwet_error(metric, statistic(metric, *data))[0] == pytest.approx(error, rel=0, abs=tolerance)


def test_printed_intervals_of_krippendorffs_example() -> None:
    for name, low in (("gwet_ac1", 0.46081), ("fleiss_kappa", 0.42438)):
        metric = catalogue.parse(name)
        bounds = closed_form("gwet", metric, statistic(metric, FOUR_CODERS), 0.95)
        assert (float(bounds.low), float(bounds.high)) == pytest.approx((low, 1.0), rel=0, abs=5.1e-6)


def test_two_rater_tables_print_the_sampling_error_with_divisor_n() -> None:
    """irrCAC's table functions: AC1 .04322 on the abstractors; its raw functions, and we, divide by n − 1."""
    for name, error in (("gwet_ac1", 0.04322), ("gwet_ac2", 0.01792)):
        metric = catalogue.parse(name)
        ours, n = gwet_error(metric, statistic(metric, *ABSTRACTORS))
        assert ours * np.sqrt((n - 1) / n) == pytest.approx(error, rel=0, abs=5.1e-6)


SM = [(t, k) for t, content in TABLES.items() for k in content["answers"] if k.startswith("statsmodels.cohens_kappa")]


@pytest.mark.parametrize(("table", "key"), SM)
def test_statsmodels_cohen(table: str, key: str) -> None:
    first, second, scale = ratings(table)
    kind = key.rsplit(maxsplit=1)[-1]
    metric = metrics.cohen_kappa.using(weighting="none" if kind == "unweighted" else kind)
    answer, counted = TABLES[table]["answers"][key], statistic(metric, first, second, scale)
    assert float(metric.values(counted)) == pytest.approx(answer["kappa"], rel=0, abs=1e-12)
    if kind == "unweighted":
        assert metrics.kappa_max(first, second) == pytest.approx(answer["kappa_max"], rel=0, abs=1e-12)
    if table != "t05_two_perfect":
        bounds = closed_form("fleiss_cohen_everitt", metric, counted, 0.95)
        assert (float(bounds.low), float(bounds.high)) == pytest.approx(tuple(answer["ci95"]), rel=0, abs=1e-9)


OTHERS = {
    "krippendorff.alpha nominal": "krippendorff_alpha",
    "krippendorff.alpha ordinal": "krippendorff_alpha(measurement=ordinal)",
    "krippendorff.alpha interval": "krippendorff_alpha(measurement=interval)",
    "krippendorff.alpha ratio": "krippendorff_alpha(measurement=ratio)",
    "statsmodels.fleiss_kappa": "fleiss_kappa",
    "statsmodels.fleiss_kappa randolph (declared categories)": "randolph_kappa",
    "nltk.avg_Ao": "percent_agreement",
    "nltk.multi_kappa": "conger_kappa",
    "sklearn.cohen_kappa pairwise mean": "light_kappa",
    "scipy.friedmanchisquare Kendall W": "kendall_w",
}


@pytest.mark.parametrize(
    ("table", "key"), [(t, k) for t, content in TABLES.items() for k in content["answers"] if k in OTHERS]
)
def test_other_peers_give_the_same_value(table: str, key: str) -> None:
    first, second, scale = ratings(table)
    value = catalogue.parse(OTHERS[key])(first, second, categories=scale)
    assert value == pytest.approx(TABLES[table]["answers"][key], rel=1e-9)


@pytest.mark.parametrize("table", ["t11_many_continuous", "t13_many_continuous_missing"])
@pytest.mark.parametrize("form", ["1,1", "A,1", "C,1", "1,k", "A,k", "C,k"])
def test_pingouin_gives_the_same_intraclass_correlation_and_interval(table: str, form: str) -> None:
    metric = metrics.icc.using(form=form)
    vectors = statistic(metric, *ratings(table)[:2])
    answer = TABLES[table]["answers"]["pingouin.intraclass_corr"][f"ICC({form})"]
    assert float(metric.values(vectors)) == pytest.approx(answer["icc"], rel=1e-9)
    bounds = closed_form("f_exact", metric, vectors, 0.95)
    assert (float(bounds.low), float(bounds.high)) == pytest.approx(tuple(answer["ci95"]), rel=1e-9)


def test_the_file_says_where_its_figures_come_from() -> None:
    assert GOLDEN["source"]
    assert {"irrCAC", "krippendorff", "pingouin", "statsmodels"} <= set(GOLDEN["versions"])
