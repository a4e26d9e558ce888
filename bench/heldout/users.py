"""A fifth set of designs for bench/coverage_heldout.py (`--set users`): what people bring, written before any was run.

A judge's points heaped at 7 and 8, annotators with unequal workloads and one who answers against the others, findings
of nearly all items, systems that are right in 995 of 1,000 or hardly better than chance, twelve labels, five positives,
repeated prompts, votes for the first place, queries without a relevant item, multiplicative errors, counts that are
mostly zero, points far out, weights of strata, clusters of one beside some of fifty, slices of a dozen rows, two
systems that nearly always answer alike. Nothing was chosen on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bench.heldout.designs import (
    CHOSEN,
    POINTS,
    RANKED,
    SCORED,
    Design,
    Random,
    Table,
    arms,
    classification,
    diagnostic,
    judged,
    judges,
    rated,
    scoring,
    suite,
    uplift,
    yes_no,
)
from bench.heldout.measured import BOTH, LABELS, MANY, NOMINAL, NUMBERS, SCORES, WHOLE

PAIRS = ("pearson", "spearman", "concordance_correlation", "icc(form=A,1)", "mean_difference")
AMOUNTS = (*NUMBERS, "median_absolute_error", "mean_absolute_percentage_error", "mean_squared_log_error")
LISTS = (*RANKED, "hit_rate_at(at=3)", "recall_at(at=5)")
SURE = ("calibration_error", "log_loss", "brier_score", "roc_auc", "accuracy")
VOTES = ("prefers_first", "preference_strength", "preference_kappa", "preference_accuracy")


def heaps_of_points(random: Random, n: int) -> Table:
    """People and a judge on ten points; the judge mostly says 7 or 8."""
    quality = 1 + 9 * random.beta(4, 2, n)
    usual = random.random(n) < 0.65
    judge = np.where(usual, np.where(quality > 6.2, 8, 7), np.rint(quality + 1.2 * random.standard_normal(n)))
    people = np.rint(quality + 0.9 * random.standard_normal(n))
    return {"a": np.clip(people, 1, 10), "b": np.clip(judge, 1, 10)}


def workloads(random: Random, n: int) -> Table:
    """Six annotators, of all items down to one in twenty; the third answers against the others in half of the cases."""
    truth = random.choice(3, n, p=(0.5, 0.3, 0.2))
    wrong = random.random((n, 6)) < np.array([0.08, 0.12, 0.5, 0.15, 0.2, 0.1])
    said = np.where(wrong, (truth[:, None] + random.integers(1, 3, (n, 6))) % 3, truth[:, None])
    words = np.array(["x", "y", "z"], dtype=object)[said]
    words[random.random((n, 6)) > np.array([1.0, 0.8, 0.4, 0.2, 0.08, 0.05])] = None
    return {f"r{k}": words[:, k] for k in range(6)}


def nearly_all(random: Random, n: int) -> Table:
    """Two raters on a finding that 95 of 100 items have; half of the others are overlooked."""
    yes = random.random(n) < 0.95
    return {f"r{k}": yes_no(random.random(n) < np.where(yes, 0.985, 0.5)) for k in range(2)}


def rare_spans(random: Random, n: int) -> Table:
    """Documents of twelve tokens; one in five has a span of two tokens, which two raters find in 85 of 100."""
    texts: Table = {"r0": [], "r1": []}
    has, place = random.random(n) < 0.2, random.integers(0, 10, n)
    for name in texts:
        finds, shift = has & (random.random(n) < 0.85), (random.random(n) < 0.12) * 1
        extra = random.random(n) < 0.02
        for k in range(n):
            tags = ["O"] * 13
            if finds[k] or extra[k]:
                at = place[k] + shift[k]
                tags[at : at + 2] = ["B-X", "I-X"]
            texts[name].append(" ".join(tags))
    return texts


def right_in_995(random: Random, n: int) -> Table:
    """Two labels that a system gets right in 995 of 1,000."""
    yes = random.random(n) < 0.4
    return {"y": yes_no(yes), "m": yes_no(yes == (random.random(n) < 0.995))}


def near_chance(random: Random, n: int) -> Table:
    """Scores that say next to nothing of the label."""
    score = random.beta(3, 3, n)
    return {"y": yes_no(random.random(n) < 0.45 + 0.25 * (score - 0.5)), "p": score}


def twelve_labels(random: Random, n: int) -> Table:
    """Twelve labels with Zipf's shares; rare ones are mostly taken for frequent ones."""
    shares = np.arange(1, 13) ** -1.2
    shares /= shares.sum()
    truth = random.choice(12, n, p=shares)
    right = random.random(n) < 0.9 - 0.04 * truth
    names = np.array([f"l{k:02}" for k in range(12)])
    return {"y": names[truth], "m": names[np.where(right, truth, random.choice(12, n, p=shares))]}


def five_in_500(random: Random, n: int) -> Table:
    """One row in a hundred is yes; scores tell most of them."""
    yes = random.random(n) < 0.01
    return {"y": yes_no(yes), "p": np.where(yes, random.beta(3, 3, n), random.beta(1, 9, n))}


def _strata(random: Random, n: int) -> tuple[Any, Table]:
    """Whether rows are of a stratum that holds 43 % of the population and 6 % of a sample, and their weights."""
    if n >= WHOLE:
        return random.random(n) < 0.72 / 1.66, {}
    rare = random.random(n) < 0.06
    return rare, {"w": np.where(rare, 12.0, 1.0)}


def strata(random: Random, n: int) -> Table:
    """A stratum that is harder, and of which a sample has few rows that weigh twelve times as much."""
    rare, weights = _strata(random, n)
    yes = random.random(n) < np.where(rare, 0.6, 0.35)
    logit = np.where(yes, 1.0, -1.0) * np.where(rare, 0.7, 1.6) + random.standard_normal(n)
    return {"y": yes_no(yes), "p": 1 / (1 + np.exp(-logit))} | weights


def strata_of_numbers(random: Random, n: int) -> Table:
    """The same of numbers."""
    rare, weights = _strata(random, n)
    y = np.where(rare, 3.0, 1.0) + random.gamma(2.0, 1.0, n)
    return {"y": y, "m": y + np.where(rare, 0.3, 0.0) + np.where(rare, 1.2, 0.6) * random.standard_normal(n)} | weights


def _ones_and_fifties(n: int) -> Any:
    """Which of n clusters each row is of: clusters of one, and four of fifty."""
    return np.arange(n) if n >= WHOLE else np.concatenate([np.repeat(np.arange(4), 50), np.arange(4, n)])


def clustered_labels(random: Random, n: int) -> Table:
    """Clusters of one row, and four of fifty, which are hard or easy together."""
    of = _ones_and_fifties(n)
    skill = random.gamma(3.0, 0.5, n)[of]
    yes = random.random(len(of)) < 0.5
    logit = np.where(yes, 1.0, -1.0) * skill + random.standard_normal(len(of))
    return {"y": yes_no(yes), "p": 1 / (1 + np.exp(-logit)), "c": of}


def clustered_numbers(random: Random, n: int) -> Table:
    """The same of numbers, which are off together."""
    of = _ones_and_fifties(n)
    y = random.gamma(3.0, 1.0, len(of))
    return {"y": y, "m": y + 0.5 * random.standard_normal(n)[of] + 0.8 * random.standard_normal(len(of)), "c": of}


def said_sure(random: Random, n: int) -> Table:
    """Confidence in words, mostly .9 or .95, which is right far less often."""
    levels = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99])
    said = random.choice(levels, n, p=(0.04, 0.04, 0.08, 0.14, 0.35, 0.25, 0.1))
    return {"y": yes_no(random.random(n) < 0.3 + 0.5 * said), "p": said}


def thresholds(random: Random, n: int) -> Table:
    """A quarter of the rows is yes; scores are normal."""
    yes = random.random(n) < 0.25
    return {"y": yes_no(yes), "p": 1 / (1 + np.exp(-(random.standard_normal(n) + np.where(yes, 1.0, -1.0))))}


def multiplied(random: Random, n: int) -> Table:
    """Lognormal amounts that predictions miss by a factor."""
    y = np.exp(3 + 0.8 * random.standard_normal(n))
    return {"y": y, "m": y * np.exp(0.35 * random.standard_normal(n) - 0.06)}


def counts(random: Random, n: int) -> Table:
    """Counts of which three in five are zero, and predicted rates."""
    rate, some = random.gamma(1.2, 3.0, n), random.random(n) < 0.5
    return {"y": np.where(some, random.poisson(rate), 0), "m": 0.5 * rate * np.where(some, 1.3, 0.7)}


def far_out(random: Random, n: int) -> Table:
    """One row in forty is a dozen times as far out, and four times as far off."""
    far = random.random(n) < 1 / 40
    x = np.where(far, 12.0, 1.0) * random.standard_normal(n)
    return {"y": x + np.where(far, 3.0, 0.75) * random.standard_normal(n), "m": x}


def slices_of_numbers(random: Random, n: int) -> Table:
    """Numbers, one row in twelve of a small group."""
    y = 5 + 2 * random.standard_normal(n)
    few = random.random(n) < 1 / 12
    return {"y": y, "m": y + random.laplace(0, 0.8, n), "g": np.where(few, "few", "most")}


def slices_of_labels(random: Random, n: int) -> Table:
    """Labels, one row in twelve of a small group, in which more are yes."""
    few = random.random(n) < 1 / 12
    yes = random.random(n) < np.where(few, 0.7, 0.3)
    return {"y": yes_no(yes), "m": yes_no(yes == (random.random(n) < 0.85)), "g": np.where(few, "few", "most")}


def at_the_ceiling(random: Random, n: int) -> Table:
    """Half points from 0 to 4, mostly the highest."""
    level = 4.2 - random.gamma(1.2, 0.7, n)
    first, second, machine = (level + s * random.standard_normal(n) for s in (0.35, 0.35, 0.3))
    halves = [np.round(2 * np.clip(one, 0, 4)) / 2 for one in (first, second)]
    return {"h1": halves[0], "h2": halves[1], "e": np.clip(machine, 0, 4)}


def repeated_prompts(random: Random, n: int) -> Table:
    """Pairs of n prompts, of which one in five comes up to a dozen times, mostly with the same choice."""
    often = (random.random(n) < 0.2) & (n < WHOLE // 5)
    of = np.repeat(np.arange(n), np.where(often, random.integers(2, 13, n), 1))
    same = random.random(len(of)) < 0.85
    first = np.where(same, (random.random(n) < 0.55)[of], random.random(len(of)) < 0.55)
    long = [np.maximum(1, np.rint(50 * random.gamma(2.0, 0.5, n)[of] + random.integers(0, 9, len(of)))) for _ in "ab"]
    trait = np.where(random.random(len(of)) < 0.4, first, random.random(len(of)) < 0.5)
    return {
        "preferred_text": np.where(first, "a", "b"),
        "kind": np.where(trait, "a", "b"),
        "text_a": ["x" * int(one) for one in long[0]],
        "text_b": ["x" * int(one) for one in long[1]],
        "prompt": [f"p{one}" for one in of],
    }


def first_place(random: Random, n: int) -> Table:
    """A judge who picks the first answer in three of four cases, whatever people choose."""
    first = random.random(n) < 0.5
    blind = random.random(n) < 0.6
    judge = np.where(blind, random.random(n) < 0.9, np.where(random.random(n) < 0.85, first, ~first))
    return {"preferred_text": np.where(judge, "a", "b"), "kind": np.where(first, "a", "b")}


def without_relevant(random: Random, n: int) -> Table:
    """Eight to twenty items with grades of 0 to 3 and tied scores; a third of the queries has none that is relevant."""
    sizes = random.integers(8, 21, n)
    query = np.repeat(np.arange(n), sizes)
    grade = random.choice(4, len(query), p=(0.75, 0.13, 0.08, 0.04)) * (random.random(n) > 1 / 3)[query]
    return {"q": query, "rel": grade, "m": np.round(2 * (0.7 * grade + random.standard_normal(len(query)))) / 2}


def nearly_alike(random: Random, n: int) -> Table:
    """Two systems for three labels that give the same answer in 95 of 100 rows."""
    truth = random.choice(3, n, p=(0.5, 0.3, 0.2))
    one = np.where(random.random(n) < 0.8, truth, random.integers(0, 3, n))
    other = random.random(n) < 0.05
    two = np.where(other, np.where(random.random(n) < 0.55, truth, (one + random.integers(1, 3, n)) % 3), one)
    names = np.array(["a", "b", "c"])
    return {"y": names[truth], "m": names[one], "s": names[two]}


def _two_scores(random: Random, yes: Any, skill: Any) -> Table:
    common = random.standard_normal(len(yes))
    table: Table = {"y": yes_no(yes)}
    for name, gain in (("p", 1.0), ("s", 1.15)):
        logit = gain * np.where(yes, 1.0, -1.0) * skill + 0.8 * common + 0.5 * random.standard_normal(len(yes))
        table[name] = 1 / (1 + np.exp(-logit))
    return table


def two_in_clusters(random: Random, n: int) -> Table:
    """Two systems on conversations of one to twenty-five turns."""
    sizes = np.ones(n, dtype=int) if n >= WHOLE else np.minimum(random.geometric(0.2, n), 25)
    of = np.repeat(np.arange(n), sizes)
    return _two_scores(random, random.random(len(of)) < 0.4, random.gamma(3.0, 0.4, n)[of]) | {"c": of}


def two_with_strata(random: Random, n: int) -> Table:
    """Two systems on rows of which few weigh much."""
    rare, weights = _strata(random, n)
    return _two_scores(random, random.random(n) < 0.4, np.where(rare, 0.6, 1.4)) | weights


def two_multiplied(random: Random, n: int) -> Table:
    """Two systems that miss lognormal amounts by factors which mostly agree."""
    y, common = np.exp(3 + 0.8 * random.standard_normal(n)), 0.3 * random.standard_normal(n)
    return {"y": y} | {k: y * np.exp(common + s * random.standard_normal(n)) for k, s in (("m", 0.25), ("s", 0.15))}


def two_of_essays(random: Random, n: int) -> Table:
    """Two systems that score essays near the ceiling."""
    table = at_the_ceiling(random, n)
    return table | {"s": np.clip(table["e"] + 0.25 * random.standard_normal(n), 0, 4)}


def two_of_queries(random: Random, n: int) -> Table:
    """Two systems whose lists differ in one query of six."""
    table = without_relevant(random, n)
    other = (random.random(n) < 1 / 6)[table["q"]]
    again = table["m"] + 0.3 * table["rel"] + random.standard_normal(len(other))
    return table | {"s": np.where(other, again, table["m"])}


def _rows(task: str, name: str, n: int, draw: Any, metrics: tuple[str, ...], level: str = "all") -> Design:
    roles = {"reference": "y", "prediction": "m", "weight": "w", "cluster": "c"}
    slices = {} if level == "all" else {"slices": ["g"]}
    return Design(task, name, n, draw, metrics, roles | slices, many=MANY, level=level)


def _raters(name: str, n: int, draw: Any, raters: int, metrics: tuple[str, ...], **settings: Any) -> Design:
    roles = {"raters": [f"r{k}" for k in range(raters)], "ok": "C1"} | settings
    return Design("agreement", name, n, draw, metrics, roles, many=5_000 if "measurement" in settings else MANY)


def _two(task: str, name: str, n: int, draw: Any, metrics: tuple[str, ...], roles: Mapping[str, Any]) -> Design:
    system, many = ("s · raw_trim" if task == "scoring" else "s"), (MANY // 4 if task == "ranking" else MANY)
    return Design(task, name, n, draw, metrics, roles, system=system, difference=True, many=many)


def _votes(name: str, n: int, draw: Any, metrics: tuple[str, ...]) -> Design:
    roles = {"reference": "preferred_text", "annotators": ["kind"]}
    return Design("preference", name, n, draw, metrics, roles, many=20_000)


def _rare_gain(random: Random, score: Any, arm: Any) -> Any:
    return (random.random(len(score)) < 0.03 + 0.08 * np.clip(score, 0, 1) * arm) * 1


# Exactly: a share so near to 1 is not told well enough by many rows.
_OF_995 = dict(zip(LABELS, (0.995, 0.995, 0.994794, 0.989588, 0.989590), strict=True))
_SPANS = ("pairwise_span_f(match=strict)", "pairwise_span_f(match=type)")
_HALVES = {"min": 0, "max": 4, "step": 0.5}
_SCORES = {"reference": "y", "score": ["p", "s"], "positive": "yes", "weight": "w", "cluster": "c"}
_ESSAYS = {"raters": ["h1", "h2"], "prediction": ["e", "s"], "zeros": "keep"} | _HALVES
_QUERIES = {"query": "q", "relevance": "rel", "score": ["m", "s"]}
USERS: tuple[Design, ...] = (
    *(rated("a judge's points, heaped at 7 and 8", n, heaps_of_points, PAIRS) for n in (60, 200)),
    *(_raters("unequal workloads, one against the others", n, workloads, 6, NOMINAL) for n in (80, 300)),
    *(_raters("a finding of 95 %", n, nearly_all, 2, (*NOMINAL, "cohen_kappa")) for n in (60, 100)),
    *(_raters("rare spans", n, rare_spans, 2, _SPANS, measurement="spans") for n in (80, 300)),
    *(
        replace(_rows("classification", "right in 995 of 1,000", n, right_in_995, LABELS), truths=_OF_995)
        for n in (100, 200, 500)
    ),
    *(classification("near chance", n, near_chance, SCORES) for n in (60, 250)),
    *(_rows("classification", "twelve labels, Zipf's shares", n, twelve_labels, LABELS) for n in (150, 500)),
    *(classification("1 % positives", n, five_in_500, SCORES) for n in (500, 1500)),
    *(classification("few rows weigh much", n, strata, SCORES) for n in (120, 400)),
    *(classification("clusters of one, four of fifty", n, clustered_labels, SCORES) for n in (80, 300)),
    *(classification("said to be sure", n, said_sure, SURE) for n in (100, 400)),
    *(classification("operating points", n, thresholds, (*POINTS, "max_accuracy")) for n in (200, 800)),
    _rows("classification", "a slice of twenty", 240, slices_of_labels, ("accuracy", "cohen_kappa"), "g = few"),
    *(_rows("regression", "missed by a factor", n, multiplied, AMOUNTS) for n in (60, 250)),
    *(_rows("regression", "counts, mostly zero", n, counts, NUMBERS) for n in (80, 300)),
    *(_rows("regression", "one in forty far out", n, far_out, NUMBERS) for n in (80, 250)),
    *(_rows("regression", "few rows weigh much", n, strata_of_numbers, NUMBERS) for n in (120, 400)),
    *(_rows("regression", "clusters of one, four of fifty", n, clustered_numbers, NUMBERS) for n in (80, 300)),
    _rows("regression", "a slice of fifteen", 180, slices_of_numbers, NUMBERS[:5], "g = few"),
    *(scoring("half points at the ceiling", n, at_the_ceiling, SCORED, _HALVES) for n in (80, 300)),
    *(_votes("repeated prompts", n, repeated_prompts, CHOSEN) for n in (60, 150)),
    *(_votes("votes for the first place", n, first_place, VOTES) for n in (80, 400)),
    *(
        Design(
            "ranking",
            "a third without a relevant item",
            n,
            without_relevant,
            LISTS,
            _QUERIES | {"score": "m"},
            many=20_000,
        )
        for n in (50, 150)
    ),
    judges("72 of 1,200 labelled, near the ceiling", 1200, judged(0.94, (0.96, 0.96), 0.06), {}),
    uplift("5 % outcomes, half treated", 400, arms(_rare_gain, 0.5)),
    diagnostic("40 templates, 3 %", 40, suite(0.03, 0.2, 4, 1.0), 0.03),
    *(
        _two(
            "classification",
            "two, alike in 95 of 100",
            n,
            nearly_alike,
            LABELS,
            {"reference": "y", "prediction": ["m", "s"]},
        )
        for n in (150, 300)
    ),
    *(_two("classification", "two, conversations", n, two_in_clusters, BOTH, _SCORES) for n in (50, 150)),
    *(_two("classification", "two, few rows weigh much", n, two_with_strata, BOTH, _SCORES) for n in (120, 400)),
    *(
        _two(
            "regression",
            "two, missed by a factor",
            n,
            two_multiplied,
            NUMBERS[:5],
            {"reference": "y", "prediction": ["m", "s"]},
        )
        for n in (60, 250)
    ),
    *(_two("scoring", "two at the ceiling", n, two_of_essays, SCORED[:3], _ESSAYS) for n in (80, 300)),
    *(_two("ranking", "two, one query in six differs", n, two_of_queries, RANKED, _QUERIES) for n in (60, 200)),
)
