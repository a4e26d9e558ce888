"""Evaluations of small tables, which between them use every role and every setting that changes a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.kept import tables, wide_tables

import adjudge

Case = tuple[str, Callable[[], tables.Table], dict[str, Any]]
FOUR = ["ann", "ben", "cem", "dot"]
TAGS = {
    "ann": ["B-PER I-PER O B-LOC", "O B-ORG O", "B-LOC O B-LOC"] * 6,
    "ben": ["B-PER O O B-LOC", "O B-PER O", "B-LOC O O"] * 6,
    "eva": ["B-PER I-PER O O", "O B-ORG O", "O O B-LOC"] * 6,
}
SETS = {"ann": ["a|b", "a", "b|c", "c"] * 6, "ben": ["a", "a|b", "c", "c"] * 6, "eva": ["a", "a", "c", "c|b"] * 6}

CASES: dict[str, Case] = {
    # labels
    "labels": ("classification", tables.labels, {"reference": "label", "prediction": "new", "slices": ["part"]}),
    "labels, weighted": (
        "classification",
        tables.labels,
        {"reference": "label", "prediction": "new", "weight": "weight"},
    ),
    "labels, in clusters": (
        "classification",
        tables.labels,
        {"reference": "label", "prediction": "new", "cluster": "person", "bootstrap": "bca", "level": 0.9},
    ),
    "labels, weighted clusters": (
        "classification",
        tables.labels,
        {"reference": "label", "prediction": "new", "cluster": "person", "weight": "weight", "bootstrap": "bayesian"},
    ),
    "labels, two systems": (
        "classification",
        tables.labels,
        {
            "reference": "label",
            "prediction": ["old", "new"],
            "margin": {"accuracy": 0.05},
            "tests": ["mcnemar", "wilcoxon", "permutation"],
            "repeats": ["again"],
        },
    ),
    "labels, two systems in weighted clusters": (
        "classification",
        tables.labels,
        {"reference": "label", "prediction": ["old", "new"], "weight": "weight", "cluster": "person"},
    ),
    "labels, every two of three systems": (
        "classification",
        tables.labels,
        {
            "reference": "label",
            "prediction": ["old", "new", "other"],
            "against": "all",
            "adjust": "hochberg",
            "family": "all",
            "metrics": ["accuracy", "f_score(beta=2)", "cohen_kappa", "balanced_accuracy"],
        },
    ),
    "labels, where they fail": (
        "classification",
        tables.labels,
        {
            "reference": "label",
            "prediction": "old",
            "search": ["part", "person"],
            "search_by": "all",
            "search_null": 20,
            "metrics": ["accuracy"],
        },
    ),
    "labels, required": (
        "classification",
        tables.labels,
        {
            "reference": "label",
            "prediction": "new",
            "require": ["accuracy >= 0.6", "recall[c] >= 0.5"],
            "metrics": ["accuracy", "recall"],
        },
    ),
    # scores
    "scores": (
        "classification",
        tables.scores,
        {"reference": "state", "score": "first", "positive": "ill", "slices": ["part"], "costs": {"fp": 1, "fn": 4}},
    ),
    "scores, weighted": (
        "classification",
        tables.scores,
        {"reference": "state", "score": "first", "positive": "ill", "weight": "weight", "threshold": 0.3},
    ),
    "scores, two systems": (
        "classification",
        tables.scores,
        {"reference": "state", "score": ["first", "second"], "positive": "ill"},
    ),
    "scores, two systems in clusters": (
        "classification",
        tables.scores,
        {"reference": "state", "score": ["first", "second"], "positive": "ill", "cluster": "person"},
    ),
    "a score for each label": (
        "classification",
        tables.scores,
        {"reference": "kind", "score": {"k0": "share0", "k1": "share1", "k2": "share2"}},
    ),
    # raters
    "raters": ("agreement", tables.words, {"raters": FOUR, "slices": ["part"]}),
    "raters, a row for each rating": (
        "agreement",
        tables.listed,
        {"item": "item", "rater": "who", "rating": "said", "resample": "raters"},
    ),
    "raters on a scale": (
        "agreement",
        tables.words,
        {"raters": FOUR, "measurement": "ordinal", "scale": ["no", "maybe", "yes", "sure"], "weight": "weight"},
    ),
    "raters who give numbers": (
        "agreement",
        tables.ratings,
        {"raters": FOUR, "measurement": "interval", "cluster": "person", "batch": "week"},
    ),
    "raters, ratio": ("agreement", tables.ratings, {"raters": ["ann", "ben"], "measurement": "ratio"}),
    "raters, may a model replace one": (
        "agreement",
        tables.words,
        {"raters": FOUR, "model": "dot", "batch": "week"},
    ),
    "raters, two": ("agreement", tables.words, {"raters": ["ann", "cem"], "weight": "weight"}),
    "raters, two in clusters": ("agreement", tables.words, {"raters": ["ann", "cem"], "cluster": "person"}),
    "sets": (
        "agreement",
        lambda: SETS,
        {"raters": ["ann", "ben", "eva"], "measurement": "sets", "distance": "jaccard"},
    ),
    "spans": ("agreement", lambda: TAGS, {"raters": ["ann", "ben", "eva"], "measurement": "spans"}),
    # essays
    "essays": (
        "scoring",
        tables.essays,
        {"raters": ["one", "two"], "prediction": "engine", "min": 1, "max": 6, "slices": ["part"]},
    ),
    "essays of candidates, two engines": (
        "scoring",
        tables.essays,
        {
            "raters": ["one", "two"],
            "prediction": ["engine", "rival"],
            "min": 1,
            "max": 6,
            "candidate": "person",
            "zeros": "keep",
            "slices": ["part"],
            "metrics": ["quadratic_weighted_kappa", "standardized_mean_difference", "prmse"],
            "limits": {"smd": 0.1, "qwk": 0.6},
        },
    ),
    "essays, weighted": (
        "scoring",
        tables.essays,
        {
            "raters": ["one"],
            "prediction": "engine",
            "min": 1,
            "max": 6,
            "weight": "weight",
            "flag": {"advisory": ["0"]},
            "error_variance": 0.3,
        },
    ),
    # numbers
    "numbers": (
        "regression",
        tables.numbers,
        {"reference": "y", "prediction": "near", "lower": "near_low", "upper": "near_high", "slices": ["part"]},
    ),
    "numbers, weighted": (
        "regression",
        tables.numbers,
        {"reference": "y", "prediction": "near", "weight": "weight", "quantile": 0.7, "limits": {"bias": 0.5}},
    ),
    "numbers, two systems": (
        "regression",
        tables.numbers,
        {
            "reference": "y",
            "prediction": ["near", "far"],
            "tests": ["wilcoxon", "permutation"],
            "margin": {"rmse": 0.3},
        },
    ),
    "numbers, two systems in clusters": (
        "regression",
        tables.numbers,
        {"reference": "y", "prediction": ["near", "far"], "cluster": "person", "bootstrap": "bca"},
    ),
    # lists
    "lists": (
        "ranking",
        tables.lists,
        {"query": "query", "relevance": "grade", "score": "bm25", "slices": ["kind"], "at": [1, 3]},
    ),
    "lists, weighted, as trec_eval": (
        "ranking",
        tables.lists,
        {
            "query": "query",
            "relevance": "grade",
            "score": "dense",
            "document": "document",
            "ties": "trec",
            "weight": "weight",
            "no_relevant": "zero",
            "unjudged": "skip",
            "unscored": "missed",
            "relevant_from": 2,
        },
    ),
    "lists, two systems in clusters": (
        "ranking",
        tables.lists,
        {"query": "query", "relevance": "grade", "score": ["bm25", "dense"], "cluster": "person"},
    ),
    # pairs
    "pairs": (
        "preference",
        tables.votes,
        {"reference": "chosen", "annotators": ["judge", "rude"], "split": ["part"], "rating": "elo", "order": "random"},
    ),
    "pairs, weighted": (
        "preference",
        tables.votes,
        {"reference": "chosen", "annotators": ["judge"], "weight": "weight", "swapped": {"judge": "turned"}},
    ),
    # suites
    "a suite": (
        "diagnostic",
        tables.suite,
        {
            "phenomenon": "what",
            "case": "case",
            "kind": "kind",
            "expect": "want",
            "group": "group",
            "template": "template",
            "prediction": ["v1", "v2"],
            "score": ["s_v1", "s_v2"],
        },
    ),
    "a suite, weighted": (
        "diagnostic",
        tables.suite,
        {"phenomenon": "what", "case": "case", "expect": "want", "prediction": "v1", "weight": "weight"},
    ),
    # judges
    "a judge": ("judges", tables.judged, {"reference": "human", "judge": "judge", "positive": 1, "slices": ["part"]}),
    "a judge in weighted clusters, two systems": (
        "judges",
        tables.judged,
        {
            "reference": "human",
            "judge": "judge",
            "prediction": ["old", "new"],
            "weight": "weight",
            "cluster": "person",
        },
    ),
    "a judge who gives numbers": ("judges", tables.judged, {"reference": "grade", "judge": "number"}),
    "a judge, elsewhere": (
        "judges",
        tables.judged,
        {"reference": "human", "judge": "judge", "positive": 1, "calibration": "elsewhere"},
    ),
    # failures and treatments
    "failures": (
        "failures",
        tables.machines,
        {"exposure": "hours", "failures": ["old", "new"], "slices": ["part"]},
    ),
    "failures in weighted clusters": (
        "failures",
        tables.machines,
        {"exposure": "hours", "failures": "new", "cluster": "person", "weight": "weight", "stopped": "failure"},
    ),
    "a trial": (
        "uplift",
        tables.trial,
        {"outcome": "bought", "treatment": "arm", "score": ["model", "rule"], "control": "control"},
    ),
    "a trial in weighted clusters": (
        "uplift",
        tables.trial,
        {
            "outcome": "spent",
            "treatment": "arm",
            "score": "model",
            "weight": "weight",
            "cluster": "person",
            "strata": "arm",
        },
    ),
    # many clusters
    "labels in many clusters": (
        "classification",
        lambda: tables.labels(150),
        {"reference": "label", "prediction": ["old", "new"], "cluster": "person", "weight": "weight"},
    ),
    "scores in many clusters": (
        "classification",
        lambda: tables.scores(150),
        {"reference": "state", "score": ["first", "second"], "positive": "ill", "cluster": "person"},
    ),
    "scores in many weighted clusters": (
        "classification",
        lambda: tables.scores(150),
        {"reference": "state", "score": "first", "positive": "ill", "cluster": "person", "weight": "weight"},
    ),
    "raters in many clusters": (
        "agreement",
        lambda: tables.ratings(120),
        {"raters": FOUR[:3], "measurement": "interval", "cluster": "person", "weight": "weight"},
    ),
    "essays of many candidates": (
        "scoring",
        lambda: tables.essays(150),
        {"raters": ["one", "two"], "prediction": ["engine", "rival"], "min": 1, "max": 6, "candidate": "person"},
    ),
    "numbers in many clusters": (
        "regression",
        lambda: tables.numbers(150),
        {"reference": "y", "prediction": ["near", "far"], "cluster": "person"},
    ),
    "numbers in many weighted clusters": (
        "regression",
        lambda: tables.numbers(150),
        {"reference": "y", "prediction": "near", "cluster": "person", "weight": "weight"},
    ),
    "lists in many clusters": (
        "ranking",
        lambda: tables.lists(120),
        {"query": "query", "relevance": "grade", "score": ["bm25", "dense"], "cluster": "person", "at": [5]},
    ),
    "failures in many clusters": (
        "failures",
        lambda: tables.machines(150),
        {"exposure": "hours", "failures": ["old", "new"], "cluster": "person"},
    ),
    "a trial in many clusters": (
        "uplift",
        lambda: tables.trial(180),
        {"outcome": "spent", "treatment": "arm", "score": "model", "cluster": "person"},
    ),
    # more of everything than lists show
    "labels, wide": (
        "classification",
        wide_tables.labels,
        {
            "reference": "label",
            "prediction": ["s0", "s1", "s2", "s3"],
            "slices": ["part"],
            "metrics": ["accuracy", "f_score(average=macro)"],
        },
    ),
    "labels, wide, where they fail": (
        "classification",
        wide_tables.labels,
        {"reference": "label", "prediction": "s3", "search": ["part", "region"], "search_null": 20},
    ),
    "raters, wide": (
        "agreement",
        wide_tables.ratings,
        {"raters": [f"rater {one}" for one in range(10)], "slices": ["part"], "batch": "week"},
    ),
    "numbers, wide": (
        "regression",
        wide_tables.numbers,
        {
            "reference": "y",
            "prediction": ["s0", "s1", "s2", "s3"],
            "slices": ["part"],
            "metrics": ["mean_absolute_error", "mean_bias_error"],
        },
    ),
    "numbers, wide, where they fail": (
        "regression",
        lambda: wide_tables.numbers(400),
        {"reference": "y", "prediction": "s0", "search": ["part", "region"], "search_null": 20},
    ),
    "essays, wide": (
        "scoring",
        wide_tables.essays,
        {
            "raters": ["h0", "h1", "h2"],
            "prediction": ["e0", "e1"],
            "min": 1,
            "max": 6,
            "slices": ["part"],
            "metrics": ["quadratic_weighted_kappa", "standardized_mean_difference"],
        },
    ),
    "lists, wide": (
        "ranking",
        wide_tables.lists,
        {"query": "query", "relevance": "grade", "score": ["s0", "s1", "s2"], "slices": ["part"], "at": [5]},
    ),
    "pairs, wide": (
        "preference",
        wide_tables.votes,
        {"reference": "chosen", "annotators": [f"judge {one}" for one in range(7)], "split": ["region"]},
    ),
    "a suite, wide": (
        "diagnostic",
        wide_tables.suite,
        {"phenomenon": "what", "case": "case", "expect": "want", "prediction": ["v0", "v1", "v2"]},
    ),
    "a judge, wide": (
        "judges",
        wide_tables.judged,
        {"reference": "human", "judge": "judge", "prediction": ["s0", "s1", "s2"], "slices": ["part"]},
    ),
    "failures, wide": (
        "failures",
        wide_tables.machines,
        {"exposure": "hours", "failures": ["v0", "v1", "v2", "v3"], "slices": ["part", "region"]},
    ),
    "a trial, wide": (
        "uplift",
        wide_tables.trial,
        {"outcome": "bought", "treatment": "arm", "score": ["s0", "s1", "s2", "s3"], "control": "control"},
    ),
}


def evaluated(name: str, **more: Any) -> Any:
    """The evaluation of that name."""
    task, table, given = CASES[name]
    return getattr(adjudge, task)(table(), **{"replicates": 100} | given | more)
