"""A sixteenth set of designs for bench/coverage_heldout.py (`--set bundles`): what is seldom measured, not row by row.

What the fifteenth set has of units that stand alone (agreement on one category, largest kappa, orders of grades, costs
and what is kept, medians and percentages, operating points, cascades of lists, votes, true scores), and spans, sets and
readings: in bundles (answers of candidates, items of documents, weeks of stations, queries of users) of which there are
12 to 50 of unequal size; with weights that go with what is measured (one over the chance to be asked, all that were
flagged and one in eight of the rest); in slices of 30 to 110 rows. Written down before any was run; nothing was chosen
on them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from bench.heldout.bundled_tables import (
    at_stations,
    candidates_answers,
    costs_of_users,
    flagged,
    forecasts,
    grades,
    heard_by_teams,
    in_documents,
    kept_in_documents,
    lines_of_plants,
    marks_in_documents,
    of_patients,
    posts,
    queries_of_users,
    rated_responses,
    readings,
    sentences,
    tags_in_documents,
    three_of_items,
    tries_of_templates,
    two_labels_asked,
    votes,
    with_a_judge,
)
from bench.heldout.designs import Design, Random, Table

MANY = 20_000
TEXTS = 4_000
Draw = Callable[[Random, int], Table]


def single(draw: Draw) -> Draw:
    """One row of each bundle (of queries: one list), so that rows stand alone."""

    def drawn(random: Random, n: int) -> Table:
        table = draw(random, n)
        of, lists = np.asarray(table.pop("c", np.arange(n))), table.get("q")
        if lists is None:
            _, rows = np.unique(of, return_index=True)
        else:
            _, first = np.unique(of, return_index=True)
            rows = np.flatnonzero(np.isin(lists, lists[first]))
        return {name: np.asarray(column)[rows] for name, column in table.items()}

    return drawn


def asked(draw: Draw, chance: Callable[[Table], Any]) -> Draw:
    """Rows that stand alone, of which some are asked seldom, and weigh as much more."""

    def drawn(random: Random, n: int) -> Table:
        table = single(draw)(random, 16 * n)
        likely = np.clip(chance(table), 0.02, 1.0)
        units = table.get("q", np.arange(len(likely)))
        _, first, back = np.unique(units, return_index=True, return_inverse=True)
        kept = np.flatnonzero(random.random(len(first)) < likely[first])[:n]
        rows = np.isin(back, kept)
        return {name: column[rows] for name, column in table.items()} | {"w": (1 / likely)[rows]}

    return drawn


def _columns(name: str, n: int, draw: Draw, metrics: tuple[str, ...], *columns: str) -> Design:
    roles = {"columns": columns, "weight": "w", "cluster": "c"}
    return Design("columns", name, n, draw, metrics, roles, many=40_000)


def _raters(name: str, n: int, draw: Draw, raters: int, metrics: tuple[str, ...], **more: Any) -> Design:
    many = TEXTS if more.get("measurement") in ("sets", "spans") else MANY
    roles: dict[str, Any] = {"raters": [f"r{k}" for k in range(raters)], "ok": ["C1"], "cluster": "c", "weight": "w"}
    return Design("agreement", name, n, draw, metrics, roles | more, many=many)


def _part(design: Design, name: str, n: int, draw: Draw | None = None) -> Design:
    """The fewer, of rows that stand alone unless they are drawn otherwise."""
    roles = dict(design.roles) | {"slices": ["g"]}
    return replace(design, name=name, n=n, draw=draw or single(design.draw), roles=roles, level="g = few", many=60_000)


def _asked(design: Design, name: str, n: int, chance: Callable[[Table], Any]) -> Design:
    """Rows with weights; the population is that of the design."""
    roles = dict(design.roles) | {"weight": "w"}
    return replace(design, name=name, n=n, draw=asked(design.draw, chance), whole=design.draw, roles=roles)


def _of(metrics: tuple[str, ...], categories: str) -> tuple[str, ...]:
    return tuple(f"{metric} [{one}]" for metric in metrics for one in categories)


_ONE = ("specific_agreement", "category_kappa")
_TWO = ("kappa_max", "scott_pi", "cohen_kappa")
_ORDER = ("kendall_tau", "spearman", "gwet_ac2")
_READ = ("mean_difference", "upper_limit_of_agreement", "pearson", "concordance_correlation")
_TAGS = ("set_similarity", "same_set_agreement", "set_alpha", "label_agreement [u]", "label_alpha [x]")
_SPANS = ("pairwise_span_f(match=strict)", "pairwise_span_f(match=partial)", "span_f_score(match=strict)")
_ERRORS = (
    "mean_absolute_error",
    "median_absolute_error",
    "mean_absolute_percentage_error",
    "symmetric_mean_absolute_percentage_error",
    "mean_squared_log_error",
    "explained_variance",
)
_ENDS = ("interval_coverage", "interval_width", "pinball_loss(quantile=0.9)")
_POINTS = (
    "precision_at_recall(at=0.6)",
    "recall_at_precision(at=0.6)",
    "false_positive_rate_at_recall(at=0.7)",
    "precision_at_volume(at=0.2)",
    "max_accuracy",
    "pr_auc",
)
_CASCADES = ("expected_reciprocal_rank", "rank_biased_precision", "query_kendall_tau", "hit_rate_at(at=1)", "ndcg")
_VOTES = ("preference_strength", "preference_kappa", "preference_accuracy", "preference_relevance", "prefers_first")
_TRUE = ("prmse", "true_score_mse", "true_score_variance", "disattenuated_correlation", "rater_error_variance")
_SCORED = ("r_squared", "rmse", "standardized_mean_difference", "mean_absolute_error", "adjacent_agreement")
_LOST = tuple(f"degradation(of={of})" for of in ("correlation", "qwk", "smd"))
_OF_PARTS = ("difference_of_standardized_means", "quadratic_weighted_kappa")
_PAIRS = {"reference": "preferred_text", "annotators": ["kind"]}
_GRADED = {"measurement": "ordinal", "scale": [1, 2, 3, 4, 5]}

_CANDIDATES = _raters("answers of candidates", 30, candidates_answers, 2, (*_TWO, *_of(_ONE, "ac")))
_DOCUMENTS = _raters("a topic of few documents", 40, in_documents, 3, (*_of(_ONE, "ae"), "light_kappa", "conger_kappa"))
_ASKED = _raters("doubtful ones are asked", 120, two_labels_asked, 2, (*_TWO, *_of(_ONE, "b")))
_FLAGGED = _raters("flagged", 150, flagged, 2, (*_TWO[1:], *_of(_ONE, "y")))
_THREE = _raters("three raters, a part of 60", 300, three_of_items, 3, (*_of(_ONE, "ac"), "light_kappa"))
_TEACHERS = _raters("grades by teacher", 32, grades, 2, _ORDER, **_GRADED)
_PATIENTS = _raters("readings of patients", 25, of_patients, 2, _READ, measurement="interval")
_TAGGED = _raters("tags in documents", 30, tags_in_documents, 3, _TAGS, measurement="sets")
_SPANNED = _raters("sentences of documents", 20, sentences, 2, _SPANS, measurement="spans")
_COSTS = _columns("costs of users", 30, costs_of_users, ("mean", "geometric_mean", "quantile(at=0.75)"), "x")
_RIGHT = _columns("cost of what is right, by user", 30, costs_of_users, ("cost_per_right",), "x", "right")
_MARKS = _columns("marks kept, by document", 25, marks_in_documents, ("share_kept", "robustness_drop"), "x", "z")
_PLANTS = _columns("plants of unequal rates", 32, lines_of_plants, ("mean_time_between_failures",), "h", "f")
_STATIONS = Design("regression", "stations of unequal length", 15, at_stations, _ERRORS,
                   {"reference": "y", "prediction": "m", "cluster": "c"}, many=100_000)  # fmt: skip
_FORECASTS = Design(
    "regression", "a high quantile with ends, by region", 25, forecasts, _ENDS,
    {"reference": "y", "prediction": "m", "lower": "lo", "upper": "hi", "quantile": 0.9, "cluster": "c"}, many=MANY,
)  # fmt: skip
_POSTS = Design("classification", "posts of threads", 40, posts, _POINTS,
                {"reference": "y", "score": "p", "positive": "yes", "cluster": "c"}, many=MANY)  # fmt: skip
_USERS = Design("ranking", "queries of a few users", 34, queries_of_users, _CASCADES,
                {"query": "q", "relevance": "rel", "score": "m", "cluster": "c"}, many=TEXTS)  # fmt: skip
_CHOSEN = Design("preference", "votes on few prompts", 25, votes, _VOTES,
                 _PAIRS | {"prompt": "c"}, many=MANY)  # fmt: skip
_ESSAYS = Design(
    "scoring", "responses of candidates", 40, rated_responses, (*_TRUE, *_SCORED[:3], *_LOST),
    {"raters": ["h1", "h2"], "prediction": "e", "candidate": "c", "zeros": "keep", "min": 1, "max": 6}, many=MANY,
)  # fmt: skip
_JUDGED = Design(
    "judges", "chats of users, a judge", 50, with_a_judge,
    ("judge_assisted_kappa", "judge_assisted_f_score [yes]", "judge_kappa"),
    {"reference": "h", "judge": "j", "prediction": "m", "cluster": "c"}, many=MANY,
)  # fmt: skip
BUNDLES: tuple[Design, ...] = (
    _CANDIDATES,
    replace(_CANDIDATES, name="a dozen candidates", n=12, metrics=(*_TWO, *_of(_ONE, "a"))),
    _DOCUMENTS,
    _asked(_ASKED, "doubtful ones are asked", 120, lambda t: 0.2 + t["doubt"]),
    _asked(_FLAGGED, "flagged and one in eight", 150, lambda t: np.where(t["r0"] == "y", 1.0, 0.125)),
    _part(_THREE, "three raters, a part of 60", 300),
    _part(_CANDIDATES, "candidates of a small school", 70, candidates_answers),
    _TEACHERS,
    _asked(_TEACHERS, "grades, weak ones asked more", 80, lambda t: 1.2 - 0.22 * t["r0"]),
    _part(_TEACHERS, "grades, a part of 40", 220),
    _PATIENTS,
    _asked(_PATIENTS, "readings, large ones asked more", 80, lambda t: 0.1 + 0.02 * t["r0"]),
    _part(replace(_PATIENTS, draw=readings), "readings, a part of 50", 250, readings),
    _TAGGED,
    _asked(_TAGGED, "tags, rich ones asked more", 90, lambda t: 0.15 + 0.4 * t["rich"]),
    _SPANNED,
    _asked(_SPANNED, "sentences, long ones asked more", 80, lambda t: t["long"] / 30),
    _part(_SPANNED, "sentences, a part of 50", 200),
    _COSTS,
    _RIGHT,
    _asked(_RIGHT, "cost of what is right, dear ones asked more", 100, lambda t: 0.1 + t["x"] / 20),
    _asked(_COSTS, "costs, dear ones asked more", 100, lambda t: 0.1 + t["x"] / 20),
    _MARKS,
    _asked(_MARKS, "marks kept, weak ones asked more", 80, lambda t: 1.1 - t["x"]),
    _columns("answers kept, by document", 25, kept_in_documents, ("share_kept", "robustness_drop"), "x", "z"),
    _columns("tries of templates", 32, tries_of_templates, ("pass_hat_k(k=2)",), *(f"t{k}" for k in range(6))),
    _PLANTS,
    _columns("two services at plants", 32, lines_of_plants, ("failure_ratio",), "h", "f", "h2", "f2"),
    _columns("lines that fail, by plant", 32, lines_of_plants, ("failed_share",), "any"),
    _columns("heard by team", 30, heard_by_teams, ("system_usability",), *(f"q{k}" for k in range(10))),
    _STATIONS,
    _asked(_STATIONS, "amounts, large ones asked more", 90, lambda t: 0.08 + t["y"] / 60),
    _part(_STATIONS, "stations, a part of 40", 135),
    _FORECASTS,
    _asked(_FORECASTS, "wide ones asked more", 90, lambda t: 0.15 * t["wide"]),
    _POSTS,
    _asked(_POSTS, "all that are flagged, one in eight", 160, lambda t: np.where(t["p"] > 0.5, 1.0, 0.125)),
    _part(_POSTS, "posts, a part of 110", 550),
    _USERS,
    _asked(_USERS, "hard queries drawn more often", 60, lambda t: np.where(t["hard"], 1.0, 0.3)),
    _part(_USERS, "queries, a part of 35", 140),
    _CHOSEN,
    _asked(replace(_CHOSEN, roles=_PAIRS), "long answers asked more", 100, lambda t: t["long"] / 20),
    _part(replace(_CHOSEN, metrics=_VOTES[:4]), "votes, a part of 75", 60, votes),
    _ESSAYS,
    replace(_ESSAYS, name="two dozen candidates", n=24, metrics=("prmse", *_SCORED[:3], *_LOST[:2])),
    _asked(replace(_ESSAYS, metrics=(*_TRUE[:4], *_SCORED, *_LOST)), "weak responses asked more", 150,
           lambda t: 1.15 - 0.18 * t["h1"]),
    _part(replace(_ESSAYS, metrics=(*_SCORED[:2], *_SCORED[3:], *_OF_PARTS)), "responses of a small school", 140,
          rated_responses),
    _JUDGED,
)  # fmt: skip
