"""A fourth set of designs for bench/coverage_heldout.py (`--set mixed`): written down as a list before any was run.

Near perfect systems, a label of four in a hundred, clusters with Zipf's sizes, weights that go with the error, errors
that are mostly nothing, mixtures, ties, ratings that are missing where raters would differ, raters with few items each,
second ratings of extreme scores only, differences of two systems. Nothing was chosen on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.heldout.designs import SCORED, Design, Random, Table, classification, ranking, scoring, yes_no
from bench.heldout.measured import BOTH, GROUPS, LABELS, MANY, NOMINAL, NUMBERS, RATINGS, SCORES, VOTES, WHOLE


def _zipf(random: Random, n: int, most: int = 30) -> Any:
    """Which of n clusters each row is of: sizes as Zipf has them, at most so many rows."""
    sizes = np.ones(n, dtype=int) if n >= WHOLE else np.maximum(most // np.arange(1, n + 1), 1)
    return np.repeat(np.arange(n), random.permutation(sizes))


def near_perfect(random: Random, n: int) -> Table:
    """Labels that a system gets right in 98 of 100, sure of itself in most, and as sure where it errs."""
    yes = random.random(n) < 0.3
    right = random.random(n) < 0.98
    sure = 0.5 + 0.5 * random.beta(8, 1, n)
    return {"y": yes_no(yes), "p": np.clip(np.where(yes == right, sure, 1 - sure), 0.001, 0.999)}


def rare_label(random: Random, n: int) -> Table:
    """Four labels of which the last is four in a hundred, and mostly taken for the third."""
    truth = random.choice(4, n, p=(0.5, 0.3, 0.16, 0.04))
    said = np.array([[0.9, 0.08, 0.02, 0], [0.15, 0.8, 0.05, 0], [0.05, 0.1, 0.8, 0.05], [0, 0.1, 0.4, 0.5]])
    place = (said[truth].cumsum(1) < random.random(n)[:, None]).sum(1)
    names = np.array(["a", "b", "c", "d"])
    return {"y": names[truth], "m": names[np.minimum(place, 3)]}


def rare_positives(random: Random, n: int) -> Table:
    """Four rows in a hundred are yes; scores are a mixture in both."""
    yes = random.random(n) < 0.04
    high = random.random(n) < np.where(yes, 0.7, 0.06)
    return {"y": yes_no(yes), "p": np.where(high, random.beta(5, 4, n), random.beta(1, 14, n))}


def zipf_labels(random: Random, n: int) -> Table:
    """Clusters of very unequal sizes which differ in how well they are recognised."""
    of = _zipf(random, n)
    skill = random.gamma(2.0, 0.7, n)[of]
    yes = random.random(len(of)) < 0.4
    logit = np.where(yes, 1.0, -1.0) * skill + random.logistic(size=len(of)) * 0.7
    return {"y": yes_no(yes), "p": 1 / (1 + np.exp(-logit)), "c": of}


def _weighed(random: Random, n: int, table: Table, hard: Any) -> Table:
    """Rows are drawn the less often the harder they are, and weigh as much more."""
    chance = np.where(hard, 0.3, 1.0)
    rows = np.flatnonzero(random.random(len(hard)) < chance)[:n]
    return {name: column[rows] for name, column in table.items()} | {"w": 1 / chance[rows]}


def weighed_labels(random: Random, n: int) -> Table:
    """Hard rows, of which two in five are answered wrongly, weigh more."""
    count = n if n >= WHOLE else 5 * n
    hard, yes = random.random(count) < 0.35, random.random(count) < 0.45
    right = random.random(count) < np.where(hard, 0.6, 0.95)
    score = np.where(hard, random.uniform(0.5, 0.8, count), random.uniform(0.7, 1.0, count))
    table = {"y": yes_no(yes), "p": np.clip(np.where(yes == right, score, 1 - score), 0.001, 0.999)}
    return table if n >= WHOLE else _weighed(random, n, table, hard)


def tenths(random: Random, n: int) -> Table:
    """Scores rounded to tenths, and far too sure."""
    logit = 0.9 * random.standard_normal(n) - 0.3
    said = np.clip(np.round(1 / (1 + np.exp(-2.5 * logit)), 1), 0.05, 0.95)
    return {"y": yes_no(random.random(n) < 1 / (1 + np.exp(-logit))), "p": said}


def mostly_exact(random: Random, n: int) -> Table:
    """Four of five predictions are exact; the others are too low by an exponential amount."""
    prediction = random.gamma(3.0, 2.0, n)
    return {"y": prediction + np.where(random.random(n) < 0.2, random.exponential(3.0, n), 0.0), "m": prediction}


def mixture(random: Random, n: int) -> Table:
    """One row in seven is of another kind: biased, and three times as far off."""
    prediction, other = 2 * random.standard_normal(n), random.random(n) < 1 / 7
    return {
        "y": prediction + np.where(other, 2 + 3 * random.standard_normal(n), random.standard_normal(n)),
        "m": prediction,
    }


def zipf_numbers(random: Random, n: int) -> Table:
    """Clusters of very unequal sizes, off together, with t errors."""
    of = _zipf(random, n)
    prediction = 2 * random.standard_normal(len(of))
    return {
        "y": prediction + 0.6 * random.standard_normal(n)[of] + random.standard_t(4, len(of)),
        "m": prediction,
        "c": of,
    }


def weighed_numbers(random: Random, n: int) -> Table:
    """Rows with wide errors are drawn seldom and weigh more."""
    count = n if n >= WHOLE else 5 * n
    prediction, hard = 2 * random.standard_normal(count), random.random(count) < 0.3
    table = {"y": prediction + np.where(hard, 2.5, 0.8) * random.laplace(size=count), "m": prediction}
    return table if n >= WHOLE else _weighed(random, n, table, hard)


def nearly_exact(random: Random, n: int) -> Table:
    """Whole numbers from 0 to 20 of which nine in ten are told exactly, and the others within two."""
    y = random.binomial(20, random.beta(2, 2, n))
    return {"y": y, "m": y + np.where(random.random(n) < 0.1, random.choice([-2, -1, 1, 2], n), 0)}


def missing_where_apart(random: Random, n: int) -> Table:
    """Three raters; who errs leaves the item out in half of the cases."""
    truth = random.choice(3, n, p=(0.5, 0.35, 0.15))
    errs = random.random((n, 3)) < np.array([0.1, 0.2, 0.3])
    said = np.where(errs, (truth[:, None] + random.integers(1, 3, (n, 3))) % 3, truth[:, None])
    words = np.array(["x", "y", "z"], dtype=object)[said]
    words[errs & (random.random((n, 3)) < 0.5)] = None
    return {f"r{k}": words[:, k] for k in range(3)}


def few_items_each(random: Random, n: int) -> Table:
    """Twelve raters of unequal skill; each item is rated by two or three of them."""
    skill = np.array([0.95, 0.9, 0.85, 0.8] * 3)
    truth = random.choice(4, n, p=(0.4, 0.3, 0.2, 0.1))
    place = random.random((n, 12)).argsort(1)
    asked = place < (2 + (random.random(n) < 0.4))[:, None]
    said = np.where(random.random((n, 12)) < skill, truth[:, None], random.integers(0, 4, (n, 12)))
    words = np.array(["k", "l", "m", "n"], dtype=object)[said]
    words[~asked] = None
    return {f"r{k}": words[:, k] for k in range(12)}


def rare_finding(random: Random, n: int) -> Table:
    """Two raters who agree in 97 of 100 on a finding of four in a hundred."""
    yes = random.random(n) < 0.04
    sees = [random.random(n) < np.where(yes, 0.8, 0.01) for _ in range(2)]
    return {f"r{k}": yes_no(one) for k, one in enumerate(sees)}


def five_points(random: Random, n: int) -> Table:
    """Four raters on five points, one of them stricter, one careless."""
    common = 3.2 + 0.9 * random.standard_normal(n)
    off, wide = (0.0, 0.1, -0.6, 0.0), (0.5, 0.6, 0.5, 1.1)
    return {f"r{k}": np.clip(np.rint(common + off[k] + wide[k] * random.standard_normal(n)), 1, 5) for k in range(4)}


def half_points(random: Random, n: int) -> Table:
    """Scores in half points; the second rater mostly repeats the first, and the system is off in heaps."""
    level = np.clip(3.0 + 1.1 * random.standard_normal(n), 0.5, 6)
    first = np.round(2 * np.clip(level + 0.4 * random.standard_normal(n), 0.5, 6)) / 2
    apart = random.random(n) < 0.4
    second = np.where(apart, np.round(2 * np.clip(level + 0.6 * random.standard_normal(n), 0.5, 6)) / 2, first)
    return {
        "h1": first,
        "h2": second,
        "e": level + np.where(random.random(n) < 0.25, 0.9, 0.0) * random.standard_normal(n),
    }


def extremes_again(random: Random, n: int) -> Table:
    """Only responses with a score at an end are rated again, and a tenth of the others; two groups, one scored low."""
    small = random.random(n) < 0.3
    level = 3.5 + 1.2 * random.standard_normal(n) - 0.3 * small
    first, second = (np.clip(np.rint(level + 0.6 * random.standard_normal(n)), 1, 6) for _ in range(2))
    again = (np.abs(first - 3.5) > 1.6) | (random.random(n) < 0.1)
    machine = 3.5 + 0.85 * (level - 3.5) - 0.15 * small + 0.5 * random.standard_normal(n)
    return {"h1": first, "h2": np.where(again, second, np.nan), "e": machine, "g": np.where(small, "few", "most")}


def long_and_short(random: Random, n: int) -> Table:
    """Lists of two to sixty items with grades of 0 to 3."""
    sizes = np.minimum(np.maximum(60 // random.integers(1, 31, n), 2), 60)
    query = np.repeat(np.arange(n), sizes)
    grade = random.choice(4, len(query), p=(0.7, 0.15, 0.1, 0.05))
    grade[np.concatenate([[0], np.cumsum(sizes)[:-1]])] = 1 + random.integers(0, 3, n)
    return {"q": query, "rel": grade, "m": np.round(0.8 * grade + random.standard_normal(len(query)), 1)}


def nearly_first(random: Random, n: int) -> Table:
    """Twelve items of which one is relevant, and nearly always first."""
    grade = np.zeros((n, 12), dtype=int)
    grade[np.arange(n), random.integers(0, 12, n)] = 1
    score = random.standard_normal((n, 12)) + grade * np.where(random.random(n) < 0.96, 6.0, 0.0)[:, None]
    return {"q": np.repeat(np.arange(n), 12), "rel": grade.reshape(-1), "m": score.reshape(-1)}


def votes_with_ties(random: Random, n: int) -> Table:
    """A trait that says nothing of a third of the pairs, and goes with the choice in the others."""
    first = random.random(n) < 0.55
    same = random.random(n) < 0.72
    vote = np.where(first == same, "a", "b").astype(object)
    vote[random.random(n) < 1 / 3] = "tie"
    return {"preferred_text": np.where(first, "a", "b"), "kind": vote}


def two_near_perfect(random: Random, n: int) -> Table:
    """Two systems that are right in 97 and 95 of 100, mostly on the same rows."""
    yes, hard = random.random(n) < 0.35, random.random(n) < 0.1
    table: Table = {"y": yes_no(yes)}
    for name, chance in (("p", 0.25), ("s", 0.45)):
        wrong = hard & (random.random(n) < chance)
        sure = 0.5 + 0.49 * random.beta(4, 1, n)
        table[name] = np.where(yes != wrong, sure, 1 - sure)
    return table


def two_of_numbers(random: Random, n: int) -> Table:
    """Two systems with errors in common, which are mostly small; one errs far more seldom."""
    y, common = 2 * random.standard_normal(n), 0.4 * random.standard_normal(n)
    far = np.where(random.random(n) < 0.12, 2.5, 0.0) * random.standard_normal(n)
    return {"y": y, "m": y + common + far, "s": y + common + 0.6 * far + 0.2 * random.standard_normal(n)}


def two_of_lists(random: Random, n: int) -> Table:
    """Lists by two systems which agree on most."""
    grade = (random.random((n, 10)) < 0.15) * 1
    grade[np.arange(n), random.integers(0, 10, n)] = 1
    one = grade * random.gamma(2.0, 0.8, n)[:, None] + random.standard_normal(grade.shape)
    two = one + 0.5 * random.standard_normal(grade.shape)
    return {"q": np.repeat(np.arange(n), 10), "rel": grade.reshape(-1), "m": one.reshape(-1), "s": two.reshape(-1)}


def _labels(name: str, n: int, draw: Any) -> Design:
    return Design("classification", name, n, draw, LABELS, {"reference": "y", "prediction": "m"}, many=MANY)


def _scores(name: str, n: int, draw: Any) -> Design:
    return classification(name, n, draw, SCORES)


def _numbers(name: str, n: int, draw: Any) -> Design:
    roles = {"reference": "y", "prediction": "m", "weight": "w", "cluster": "c"}
    return Design("regression", name, n, draw, NUMBERS, roles, many=MANY)


def _raters(name: str, n: int, draw: Any, raters: int, metrics: tuple[str, ...] = NOMINAL, **settings: str) -> Design:
    roles = {"raters": [f"r{k}" for k in range(raters)], "ok": "C1"} | settings
    return Design("agreement", name, n, draw, metrics, roles, many=MANY)


def _compared(task: str, name: str, n: int, draw: Any, metrics: tuple[str, ...], roles: dict[str, Any]) -> Design:
    return Design(task, name, n, draw, metrics, roles, system="s", difference=True, many=MANY // 4)


MIXED: tuple[Design, ...] = (
    *(_scores("right in 98 of 100", n, near_perfect) for n in (50, 150, 400)),
    *(_labels("four labels, one of them 4 %", n, rare_label) for n in (80, 150, 400)),
    *(_scores("4 % positives, scores of two kinds", n, rare_positives) for n in (150, 400)),
    *(_scores("clusters with Zipf's sizes", n, zipf_labels) for n in (50, 150)),
    *(_scores("hard rows weigh more", n, weighed_labels) for n in (80, 400)),
    *(_scores("tenths, too sure", n, tenths) for n in (50, 150)),
    *(_numbers("four of five exact, others too low", n, mostly_exact) for n in (50, 150)),
    *(_numbers("one in seven of another kind", n, mixture) for n in (80, 400)),
    *(_numbers("clusters with Zipf's sizes", n, zipf_numbers) for n in (50, 150)),
    *(_numbers("wide errors weigh more", n, weighed_numbers) for n in (80, 400)),
    *(_numbers("nine of ten exact, whole numbers", n, nearly_exact) for n in (50, 150)),
    *(_raters("left out where raters err", n, missing_where_apart, 3) for n in (50, 150)),
    *(_raters("twelve raters, two or three each", n, few_items_each, 12) for n in (80, 400)),
    *(_raters("a finding of 4 %", n, rare_finding, 2, (*NOMINAL, "cohen_kappa")) for n in (80, 150, 400)),
    *(
        _raters("five points, one strict, one careless", n, five_points, 4, RATINGS, measurement="interval")
        for n in (50, 150)
    ),
    *(
        scoring(
            "half points, the second mostly repeats",
            n,
            half_points,
            (*SCORED, "degradation(of=qwk)"),
            {"min": 0.5, "max": 6, "step": 0.5},
        )
        for n in (80, 150)
    ),
    *(
        scoring("extreme scores rated again", n, extremes_again, (*SCORED, "degradation(of=smd)"), {"min": 1, "max": 6})
        for n in (150, 400)
    ),
    *(
        Design(
            "scoring",
            "a small group, scored low",
            n,
            extremes_again,
            GROUPS,
            {"raters": ["h1", "h2"], "prediction": "e", "slices": ["g"], "zeros": "keep", "min": 1, "max": 6},
            level="g = few",
        )
        for n in (150, 400)
    ),
    *(ranking("lists of two to sixty", n, long_and_short) for n in (50, 150)),
    *(ranking("nearly always first", n, nearly_first) for n in (50, 150, 400)),
    *(
        Design(
            "preference",
            "a third of the votes ties",
            n,
            votes_with_ties,
            VOTES,
            {"reference": "preferred_text", "annotators": ["kind"]},
            many=20_000,
        )
        for n in (80, 400)
    ),
    *(
        _compared(
            "classification",
            "two that are nearly always right",
            n,
            two_near_perfect,
            BOTH,
            {"reference": "y", "score": ["p", "s"], "positive": "yes"},
        )
        for n in (80, 150, 400)
    ),
    *(
        _compared(
            "regression",
            "two, mostly off alike",
            n,
            two_of_numbers,
            ("rmse", "mean_absolute_error", "r_squared", "correlation"),
            {"reference": "y", "prediction": ["m", "s"]},
        )
        for n in (50, 150)
    ),
    *(
        _compared(
            "ranking",
            "two, mostly alike",
            n,
            two_of_lists,
            ("ndcg(at=10)", "mean_reciprocal_rank", "mean_average_precision"),
            {"query": "q", "relevance": "rel", "score": ["m", "s"]},
        )
        for n in (50, 150)
    ),
)
