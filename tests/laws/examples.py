"""Units for the laws of metrics: one entry for each statistic that metrics are over.

An entry makes answers that are right but for a given share, so one function serves what is perfect, what is ordinary
and what is worse. A statistic without an entry fails `test_every_statistic_has_examples`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from tests.laws import judged_examples as of_judges
from tests.laws import label_examples as of_labels
from tests.laws import list_examples as of_lists
from tests.laws import number_examples as of_numbers
from tests.laws import use_examples as of_use
from tests.laws import vote_examples as of_votes
from tests.laws.drawn import Draw
from tests.laws.number_examples import POPULATION
from tests.laws.rows import Examples, Making, Rows

from adjudge.data.judgements.columns import checked_weights
from adjudge.metrics import catalogue
from adjudge.metrics.base import AVERAGES, Metric
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.judges.sums import JudgedSums
from adjudge.statistics.judges.tables import JudgedTables
from adjudge.statistics.losses import Losses
from adjudge.statistics.numbers.pairs import NumberPairs
from adjudge.statistics.numbers.residuals import Residuals
from adjudge.statistics.numbers.rows import NumberRows
from adjudge.statistics.preferences.choice_sums import ChoiceSums
from adjudge.statistics.preferences.votes import VoteTable
from adjudge.statistics.queries.means import QueryMeans
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.set_ratings import SetRatings
from adjudge.statistics.ratings.spans import SpanCounts
from adjudge.statistics.ratings.vectors import RatingVectors
from adjudge.statistics.scores.sums import ScoreSums
from adjudge.statistics.suites.case_outcomes import CaseOutcomes
from adjudge.statistics.uplift_cells import UpliftCells
from adjudge.statistics.weights import Weights

WEIGHTED = [{"weighting": "linear"}, {"weighting": "quadratic"}]
AT = [{"at": 0.5}]
PARAMETERS: dict[str, list[dict[str, Any]]] = {
    "f_score": [{"beta": 2}, {"beta": 0.5}],
    "judge_assisted_f_score": [{"beta": 2}],
    "cohen_kappa": [*WEIGHTED, {"weighting": "ordinal"}],
    "fleiss_kappa": WEIGHTED,
    "scott_pi": WEIGHTED,
    "randolph_kappa": WEIGHTED,
    "bennett_s": WEIGHTED,
    "gwet_ac2": [{"weighting": "linear"}],
    "conger_kappa": WEIGHTED,
    "light_kappa": WEIGHTED,
    "krippendorff_alpha": [{"measurement": one} for one in ("ordinal", "interval", "ratio")],
    "percent_agreement": [{"tolerance": 1.0}],
    "icc": [*({"form": form} for form in ("1,1", "C,1", "A,k", "C,k")), {"missing": "reml"}],
    "set_alpha": [{"distance": "jaccard"}, {"distance": "masi_dkpro"}],
    "set_similarity": [{"distance": "jaccard"}],
    "span_precision": [{"match": "partial"}],
    "span_recall": [{"match": "exact"}],
    "span_f_score": [{"match": "type"}, {"beta": 2}],
    "pairwise_span_f": [{"match": "partial"}],
    "precision_at_recall": [*AT, {"at": 1.0}],
    "precision_at_volume": AT,
    "false_positive_rate_at_recall": AT,
    "recall_at_precision": AT,
    "recall_at_false_positive_rate": AT,
    "calibration_error": [{"bins": 3}],
    "pinball_loss": [{"quantile": 0.9}, {"quantile": 0.1}],
    "true_score_variance": [{"error_variance": 0.2}],
    "true_score_mse": [{"error_variance": 0.0}],
    "prmse": [{"error_variance": 0.0}],
    "degradation": [*({"of": of} for of in ("qwk", "kappa", "exact", "adjacent", "smd")), {"rows": "double"}],
    "disattenuated_correlation": [{"rows": "double"}],
    "quadratic_weighted_kappa": [{"ddof": 1}],
    "standardized_mean_difference": [{"method": "pooled"}, {"method": "johnson", "human_sd": 1.25}],
    "adjacent_agreement": [{"tolerance": 0.0}],
    "difference_of_standardized_means": [POPULATION],
    "preference_relevance": [{"over": "reference"}],
    "preference_strength": [{"over": "reference"}],
    "preference_kappa": [{"chance": "observed"}],
    "preference_pairs": [{"of": "chosen"}],
    "answer_length": [{"of": which} for which in ("rejected", "a", "b")],
    "ndcg": [{"at": 3}, {"at": 5, "gain": "linear"}],
    "mean_reciprocal_rank": [{"at": 2}],
    "mean_average_precision": [{"at": 3, "by": "min"}],
    "precision_at": [{"at": 2}],
    "recall_at": [{"at": 2}],
    "hit_rate_at": [{"at": 2}],
    "expected_reciprocal_rank": [{"at": 3}, {"top_grade": 5}],
    "rank_biased_precision": [{"p": 0.5}],
    "query_kendall_tau": [{"variant": "b"}],
    "quantile": AT,
    "pass_hat_k": [{"k": 2}],
    "mean_time_between_failures": [{"stopped": "failure"}],
}


def family(metric: Metric) -> list[Metric]:
    """The metric, and the same with other parameters and with every average it has."""
    members = [metric, *(metric.using(**parameters) for parameters in PARAMETERS.get(metric.name, []))]
    if metric.per == "category":
        members += [metric.averaged(kind) for kind in AVERAGES if kind != "micro" or hasattr(metric.over, "pooled")]
    return members


def variants() -> list[Metric]:
    """The whole catalogue."""
    return [member for metric in catalogue.every() for member in family(metric)]


def statistic_of(metric: Metric, rows: Rows) -> Any:
    """What the metric is a formula of."""
    first, second = EXAMPLES[metric.over].arguments(rows)
    arrays = {"weights": rows.weights, "positive": rows.positive, "categories": rows.categories}
    found = metric.with_options(EXAMPLES[metric.over].options(rows)).statistic_of(first, second, **arrays)
    if rows.rest is not None:
        rest, whole = (statistic_of(metric, one) for one in (rows.rest, _together(rows, rows.rest)))
        return replace(found, totals=found.totals.in_whole(whole.totals, lambda: [rest.totals]))
    return _aligned(found, rows)


def _aligned(statistic: Any, rows: Rows) -> Any:
    return statistic.aligned(rows.categories) if rows.categories and isinstance(statistic, Confusion) else statistic


def _together(rows: Rows, others: Rows) -> Rows:
    assert rows.second is not None
    assert others.second is not None
    return Rows(np.concatenate([rows.first, others.first]), np.concatenate([rows.second, others.second]))


def stack_of(metric: Metric, rows: Rows, multiplicities: np.ndarray) -> Any:
    """The statistic under explicit multiplicities, (units, replicates): one leading axis."""
    weights = Weights(len(rows), checked_weights(rows.weights, len(rows)), multiplicities)
    examples = EXAMPLES[metric.over]
    if examples.summed is not None:
        return examples.summed(metric, rows, weights)
    first, second = examples.arguments(rows)
    options = {**metric.array_options, **examples.options(rows)}
    _, sums = metric.over.summing_arrays(first, second, positive=rows.positive, categories=rows.categories, **options)
    return _aligned(sums(weights), rows)


Values = dict[str, np.ndarray]


def values_of(metric: Metric, statistic: Any) -> Values:
    """The values by category: a category that no unit has is one without a value."""
    values = metric.values(statistic)
    if not metric.by_category:
        return {"": values}
    return dict(zip(statistic.categories, np.moveaxis(values, -1, 0), strict=True))


def value(metric: Metric, rows: Rows) -> Values:
    return values_of(metric, statistic_of(metric, rows))


def rows_for(metric: Metric, draw: Draw, fewest: int = 1, most: int = 16, weighted: bool | None = None) -> Rows:
    """Units for this metric, from nearly right to nearly random, with ties and gaps."""
    size, random = draw.whole(fewest, most), draw.random
    making = Making(size, random.choice([0.2, 0.5, 0.9]), *(random.random(2) < 0.5))
    rows = replace(EXAMPLES[metric.over].answers(metric, random, making), rest=None)
    weighted = random.random() < 0.5 if weighted is None else weighted
    return rows.weighing(random.choice([0.25, 0.5, 1.0, 1.5, 3.0], len(rows))) if weighted else rows


OF_RATERS = Examples(of_labels.ratings, of_labels.matrices(of_labels.RATINGS, ("1", "2")), of_labels.swapped_raters)
OF_NUMBERS = Examples(of_numbers.numbers, of_numbers.degenerate_numbers, of_numbers.swapped)
EXAMPLES: dict[type[Any], Examples] = {
    Confusion: Examples(of_labels.labels, lambda metric: of_labels.pairs(of_labels.LABELS), of_numbers.swapped),
    Curves: Examples(of_labels.scores, of_labels.degenerate_scores, lambda rows: None, of_labels.curves),
    Losses: Examples(of_labels.scores, of_labels.degenerate_scores, lambda rows: None, of_labels.losses),
    Patterns: OF_RATERS,
    RatingVectors: OF_RATERS,
    SetRatings: Examples(of_labels.sets, of_labels.matrices(of_labels.SETS, None), of_labels.swapped_raters),
    SpanCounts: Examples(
        of_labels.spans,
        of_labels.matrices(of_labels.SPANS, None),
        of_labels.swapped_raters,
        arguments=lambda rows: (list(rows.first.T), None),
    ),
    NumberPairs: OF_NUMBERS,
    Residuals: OF_NUMBERS,
    NumberRows: Examples(of_use.measured, of_use.degenerate_units, lambda rows: None),
    JudgedSums: Examples(of_judges.judged, of_judges.degenerate_judged, lambda rows: None),
    JudgedTables: Examples(
        of_judges.judged_labels,
        of_judges.degenerate_labels,
        lambda rows: None,
        arguments=lambda rows: (rows.first[:, 0], rows.second),
        options=lambda rows: {"judge": rows.first[:, 1]},
    ),
    VoteTable: Examples(of_votes.votes, of_votes.degenerate_votes, of_numbers.swapped),
    ChoiceSums: Examples(of_votes.choices, of_votes.degenerate_choices, lambda rows: None),
    ScoreSums: Examples(
        of_numbers.responses,
        of_numbers.degenerate_responses,
        of_numbers.swapped_with_first_rater,
        of_numbers.response_sums,
    ),
    QueryMeans: Examples(of_lists.lists, of_lists.degenerate_lists, lambda rows: None),
    CaseOutcomes: Examples(of_labels.labels, lambda metric: of_labels.pairs(of_labels.LABELS), of_numbers.swapped),
    UpliftCells: Examples(
        of_lists.trials,
        of_lists.degenerate_trials,
        lambda rows: None,
        arguments=lambda rows: (rows.first[:, 0], rows.second),
        options=lambda rows: {"treatment": rows.first[:, 1], "control": 0},
    ),
}
