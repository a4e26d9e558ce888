"""A thirteenth set of designs for bench/coverage_heldout.py (`--set crossed`): what the twelve have one at a time.

Weights and clusters at once, one cluster that is much larger than the others, three systems that err together, slices
of 40 to 80 rows whose prevalence differs tenfold, scores in hundredths with heaps, numbers that are mostly zero,
counts whose spread grows, two to seven raters of an item, thirty raters of few items each, lists of one to hundreds of
documents, second ratings of one essay in eight, and tables that are streamed. Written down before any was run; nothing
was chosen on them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bench.heldout.designs import (
    AVERAGES,
    SCORED,
    Design,
    Random,
    Table,
    arms,
    classification,
    diagnostic,
    expit,
    judges,
    regression,
    scoring,
    suite,
    uplift,
    yes_no,
)
from bench.heldout.measured import LABELS, MANY, NOMINAL, NUMBERS, SCORES, VOTES, WHOLE

DECIDED = ("precision", "recall", "specificity", "balanced_accuracy")
STREAMED = {"engine": "stream"}
AMOUNTS = (*NUMBERS[:4], "median_absolute_error", "symmetric_mean_absolute_percentage_error")


def _schools(random: Random, n: int) -> tuple[Any, Any, Any]:
    """Which of n schools each row is of, its stratum, and what it weighs: rural ones are rarely asked, and small."""
    whole = n >= WHOLE
    living, chance = np.array([0.5, 0.3, 0.2]), np.array([0.15, 0.5, 1.0])
    stratum = random.choice(3, n, p=living if whole else living * chance / (living * chance).sum())
    sizes = 1 + random.poisson(np.array([4.0, 7.0, 14.0])[stratum])
    of = np.repeat(np.arange(n), sizes)
    # Of a school, a part of its rows is asked, which weigh as much more.
    return of, stratum[of], (1 / chance)[stratum[of]] * random.choice([1.0, 2.0, 3.0], len(of), p=(0.6, 0.3, 0.1))


def schools(random: Random, n: int) -> Table:
    """Pupils of schools in strata: both the share of yes and how plain it is go with the stratum."""
    of, stratum, weight = _schools(random, n)
    level = 0.7 * random.standard_normal(n)[of] + np.array([-0.9, -0.2, 0.5])[stratum]
    yes = random.random(len(of)) < expit(level)
    score = expit(np.where(yes, 1.0, -1.0) * np.array([0.6, 1.0, 1.8])[stratum] + 0.9 * random.standard_normal(len(of)))
    return {"y": yes_no(yes), "p": score, "c": of, "w": weight}


def school_marks(random: Random, n: int) -> Table:
    """Marks of such pupils, missed by what a school has in common and by gamma amounts of their own."""
    of, stratum, weight = _schools(random, n)
    mark = 50 + 6 * stratum + 5 * random.standard_normal(n)[of] + 8 * random.standard_normal(len(of))
    off = 2.5 * random.standard_normal(n)[of] + (random.gamma(2.0, 2.0, len(of)) - 4) * (1.6 - 0.4 * stratum)
    return {"y": mark, "m": mark + off, "c": of, "w": weight}


def _one_giant(random: Random, n: int) -> Any:
    """Which of n clusters each row is of: 2 to 7 rows each, and 30 of one."""
    sizes = random.integers(2, 8, n)
    if n < WHOLE:
        sizes[0] = 30
    return np.repeat(np.arange(n), sizes)


def one_giant(random: Random, n: int) -> Table:
    """Clusters that are easy or hard, one of which has six times as many rows."""
    of = _one_giant(random, n)
    yes = random.random(len(of)) < random.beta(3, 4, n)[of]
    logit = np.where(yes, 1.0, -1.0) * random.gamma(3.0, 0.4, n)[of] + random.gumbel(size=len(of)) * 0.8
    return {"y": yes_no(yes), "p": expit(logit), "c": of}


def one_giant_of_numbers(random: Random, n: int) -> Table:
    """Numbers of such clusters: each has an offset and a spread of its own."""
    of = _one_giant(random, n)
    y = 10 + 3 * random.standard_normal(n)[of] + 2 * random.standard_normal(len(of))
    off = 0.8 * random.standard_normal(n)[of]
    return {"y": y, "m": y + off + random.gamma(4, 0.3, n)[of] * random.standard_t(8, len(of)), "c": of}


def heaped_hundredths(random: Random, n: int) -> Table:
    """Scores in hundredths; a third of them is .05, .5 or .95, whatever the row is like."""
    yes = random.random(n) < 0.3
    score = np.where(yes, random.beta(3, 2, n), random.beta(1.5, 4, n))
    heaped = random.random(n) < 1 / 3
    heap = np.select([score < 0.3, score < 0.7], [0.05, 0.5], 0.95)
    return {"y": yes_no(yes), "p": np.clip(np.where(heaped, heap, np.round(score, 2)), 0.01, 0.99)}


def just_calibrated(random: Random, n: int) -> Table:
    """Scores that say what happens, mostly small."""
    score = random.beta(0.8, 3.2, n)
    return {"y": yes_no(random.random(n) < score), "p": np.clip(score, 0.001, 0.999)}


def tenfold_slices(random: Random, n: int) -> Table:
    """Two parts of like size, one with 5 % positives and one with half."""
    few = random.random(n) < 0.5
    yes = random.random(n) < np.where(few, 0.05, 0.5)
    logit = np.where(yes, 1.4, -1.4) - 1.2 * few + random.standard_t(5, n)
    return {"y": yes_no(yes), "p": expit(logit), "g": np.where(few, "few", "many")}


def five_of_words(random: Random, n: int) -> Table:
    """Five labels of .4 to .08; the score of each in hundredths, of a system that confuses neighbours."""
    truth = random.choice(5, n, p=(0.4, 0.22, 0.18, 0.12, 0.08))
    logit = random.standard_normal((n, 5)) + 2.2 * np.exp(-np.abs(np.arange(5) - truth[:, None]))
    said = np.round(np.exp(logit) / np.exp(logit).sum(1, keepdims=True), 2) + 1e-3
    said /= said.sum(1, keepdims=True)
    return {"y": np.array(list("abcde"))[truth]} | {f"p {c}": said[:, k] for k, c in enumerate("abcde")}


def three_that_err_together(random: Random, n: int) -> Table:
    """Three systems for four labels, in clusters of one to five rows; two of three errors are made by all."""
    of = np.repeat(np.arange(n), random.integers(1, 6, n))
    letters, truth = np.array(list("abcd")), random.choice(4, len(of), p=(0.45, 0.25, 0.2, 0.1))
    hard = random.random(len(of)) < random.beta(1, 4, n)[of]
    wrong = (truth + random.integers(1, 4, len(of))) % 4
    answers = {}
    for name, share in (("m", 0.12), ("s", 0.1), ("t", 0.06)):
        errs = (hard & (random.random(len(of)) < 0.9)) | (random.random(len(of)) < share)
        answers[name] = letters[np.where(errs, wrong, truth)]
    return {"y": letters[truth], "c": of} | answers


def three_forecasts(random: Random, n: int) -> Table:
    """Three forecasts of zero-inflated amounts, which share most of their errors; the third is too low."""
    amount = (random.random(n) < 0.6) * random.gamma(1.3, 5.0, n)
    common = (0.3 + 0.25 * amount) * random.standard_normal(n)
    own = [(0.2 + 0.1 * amount) * random.standard_normal(n) for _ in range(3)]
    said = [np.maximum(amount + common + one, 0) for one in own]
    return {"y": amount, "m": said[0], "s": said[1], "t": said[2] * 0.92}


def counts_that_spread(random: Random, n: int) -> Table:
    """Negative binomial counts of one and more, about a forecast whose scale runs over two orders of magnitude."""
    level = np.exp(random.uniform(np.log(2), np.log(120), n))
    return {"y": 1 + random.poisson(level * random.gamma(3.0, 1 / 3, n)), "m": np.round(1 + level, 1)}


def mostly_nothing(random: Random, n: int) -> Table:
    """Amounts of which seven in ten are zero; so are most forecasts of these."""
    there = random.random(n) < 0.3
    amount = there * np.exp(1.2 + 0.7 * random.standard_normal(n))
    seen = np.where(there, random.random(n) < 0.85, random.random(n) < 0.1)
    return {"y": amount, "m": seen * np.round(0.5 * amount + random.gamma(2.0, 0.9, n), 1)}


def three_regions(random: Random, n: int) -> Table:
    """Three regions with levels and spreads of their own; the smallest has one row in six."""
    region = random.choice(3, n, p=(0.5, 1 / 3, 1 / 6))
    y = np.array([20.0, 12.0, 6.0])[region] + 3 * random.standard_normal(n)
    wide = np.array([1.0, 1.5, 3.0])[region] * random.laplace(size=n)
    return {"y": y, "m": y + wide, "g": np.array(["north", "south", "isle"])[region]}


def two_to_seven(random: Random, n: int) -> Table:
    """Two to seven of seven raters for an item, mostly two; five grades with a floor and a ceiling."""
    level = 5.5 * random.beta(0.9, 0.7, n) + 0.25
    count = np.minimum(2 + random.geometric(0.5, n) - 1, 7)
    seen = random.random((n, 7)).argsort(1) < count[:, None]
    said = level[:, None] + np.linspace(-0.4, 0.4, 7) + 0.7 * random.standard_normal((n, 7))
    said = np.where(seen, np.clip(np.rint(said), 1, 5), np.nan)
    return {f"r{k}": said[:, k] for k in range(7)}


def thirty_raters(random: Random, n: int) -> Table:
    """Thirty raters with skills of their own, of whom three see an item; three labels."""
    truth = random.choice(3, n, p=(0.6, 0.25, 0.15))
    who = random.random((n, 30)).argsort(1)[:, :3]
    sees = random.random((n, 3)) < np.linspace(0.55, 0.97, 30)[who]
    said = np.where(sees, truth[:, None], random.choice(3, (n, 3), p=(0.6, 0.25, 0.15)))
    words = np.full((n, 30), None, dtype=object)
    np.put_along_axis(words, who, np.array(list("abc"), dtype=object)[said], axis=1)
    return {f"r{k}": words[:, k] for k in range(30)}


def two_at_the_floor(random: Random, n: int) -> Table:
    """Two raters of six points, half of the items at the lowest; the second is kinder to the middle."""
    level = np.where(random.random(n) < 0.45, 1.0, 1 + 5 * random.beta(1.2, 1.6, n))
    first, second = (level + 0.6 * random.standard_normal(n) for _ in range(2))
    second = second + 0.5 * ((level > 1.5) & (level < 4))
    return {f"r{k}": np.clip(np.rint(one), 1, 6).astype(int) for k, one in enumerate((first, second))}


def twelve_tags(random: Random, n: int) -> Table:
    """Three raters of twelve tags that come in two families; a tag is missed where there are many."""
    family = random.random(n) < 0.4
    share = np.where(
        family[:, None], np.r_[np.full(6, 0.3), np.full(6, 0.05)], np.r_[np.full(6, 0.06), np.full(6, 0.2)]
    )
    true = random.random((n, 12)) < share
    miss = np.minimum(0.06 * true.sum(1, keepdims=True), 0.5)
    table: Table = {}
    for k, adds in enumerate((0.01, 0.02, 0.04)):
        says = np.where(true, random.random((n, 12)) > miss, random.random((n, 12)) < adds)
        rows = ("|".join(c for c, s in zip("abcdefghijkl", row, strict=True) if s) or "none" for row in says)
        table[f"r{k}"] = [*rows]
    return table


def sites_of_readers(random: Random, n: int) -> Table:
    """Three readers of a skewed length at n sites of one to ten items; a site shifts and spreads them."""
    of = np.repeat(np.arange(n), 1 + random.binomial(9, 0.3, n))
    level = random.gamma(4.0, 2.0, len(of)) + 1.5 * random.standard_normal(n)[of]
    wide = random.gamma(5.0, 0.2, n)[of]
    return {
        f"r{k}": level + s * random.standard_normal(n)[of] + wide * random.standard_normal(len(of))
        for k, s in enumerate((0.2, 0.4, 0.8))
    } | {"c": of}


def unlike_lists(random: Random, n: int) -> Table:
    """Lists of one to some hundreds of documents, lognormal; users of one to six queries; long lists are hard."""
    user = np.repeat(np.arange(n), random.integers(1, 7, n))
    sizes = np.clip(np.rint(np.exp(2.2 + 1.2 * random.standard_normal(len(user)))), 1, 400).astype(int)
    query = np.repeat(np.arange(len(user)), sizes)
    grade = random.choice(4, len(query), p=(0.8, 0.1, 0.06, 0.04))
    ease = (random.gamma(2.0, 0.4, n)[user] / (1 + 0.1 * np.log(sizes)))[query]
    score = np.round(ease * grade + 0.8 * random.gumbel(size=len(query)), 1)
    return {"q": query, "rel": grade, "m": score, "c": user[query]}


def two_that_end_alike(random: Random, n: int) -> Table:
    """Lists of 3 to 60 documents; a second system that scores as the first, but for half of the queries' noise."""
    query = np.repeat(np.arange(n), random.integers(3, 61, n))
    relevant = (random.random(len(query)) < 0.15) * 1
    one = 1.2 * relevant + random.standard_normal(len(query))
    noisy = (random.random(n) < 0.5)[query]
    return {"q": query, "rel": relevant, "m": one, "s": one + 0.5 * noisy * random.standard_normal(len(query))}


def one_in_eight_again(random: Random, n: int) -> Table:
    """Half points of 1 to 6 with a ceiling; one essay in eight is rated again; scores in hundredths."""
    level = np.minimum(6.2 - random.gamma(2.5, 0.7, n), 6)
    first, second = (np.clip(np.round(2 * (level + 0.45 * random.standard_t(6, n))) / 2, 1, 6) for _ in range(2))
    again = (random.random(n) < 0.125) | (n >= WHOLE)
    machine = np.round(0.5 + 0.85 * level + 0.35 * random.standard_normal(n), 2)
    return {"h1": first, "h2": np.where(again, second, np.nan), "e": machine}


def few_candidates(random: Random, n: int) -> Table:
    """One to eight answers of a candidate on a scale of 0 to 4 with a floor; some raters are strict."""
    of = np.repeat(np.arange(n), random.integers(1, 9, n))
    level = 1.2 + 1.1 * random.standard_normal(n)[of] + 0.6 * random.standard_normal(len(of))
    first, second = (
        np.clip(np.rint(level - 0.5 * (random.random(len(of)) < 0.3) + 0.5 * random.standard_normal(len(of))), 0, 4)
        for _ in range(2)
    )
    return {"h1": first, "h2": second, "e": level + 0.5 * random.standard_normal(len(of)), "c": of}


def two_grades_of_school(random: Random, n: int) -> Table:
    """Essays of which one in five is of a lower grade, with other marks, of which the system thinks too little."""
    low = random.random(n) < 0.2
    level = np.where(low, 2.2, 3.8) + np.where(low, 0.7, 1.0) * random.standard_normal(n)
    first, second = (np.clip(np.rint(level + 0.5 * random.logistic(size=n) * 0.6), 1, 6) for _ in range(2))
    machine = level - 0.25 * low + 0.45 * random.standard_normal(n)
    return {"h1": first, "h2": second, "e": machine, "g": np.where(low, "low", "high")}


def weighed_and_judged(random: Random, n: int) -> Table:
    """Answers of users, of which heavy ones are asked for less; people label one in six, a judge is kind to some."""
    of = np.repeat(np.arange(n), 1 + random.poisson(4.0, n))
    good = random.random(len(of)) < random.beta(4, 2, n)[of]
    kind = random.random(n)[of] < 0.3
    judge = random.random(len(of)) < np.where(good, 0.9, np.where(kind, 0.5, 0.15))
    seen = (random.random(len(of)) < 1 / 6) | (n >= WHOLE)
    return {"h": np.where(seen, good * 1.0, np.nan), "j": judge * 1.0, "c": of}


def votes_of_prompts(random: Random, n: int) -> Table:
    """One to six pairs of a prompt, which lean together; a trait that ties in one of four."""
    of = np.repeat(np.arange(n), random.integers(1, 7, n))
    first = random.random(len(of)) < random.beta(2, 2, n)[of]
    vote = np.where(first == (random.random(len(of)) < random.beta(6, 3, n)[of]), "a", "b").astype(object)
    vote[random.random(len(of)) < 0.25] = "tie"
    return {"preferred_text": np.where(first, "a", "b"), "kind": vote, "prompt": [f"p{k}" for k in of]}


def plants(random: Random, n: int) -> Table:
    """Machines of n plants, one to six of each; a plant's rate is gamma about one in 50 hours."""
    of = np.repeat(np.arange(n), random.integers(1, 7, n))
    rate = random.gamma(2.5, 1 / 2.5, n)[of]
    hours = random.uniform(20, 200, len(of))
    return {"hours": hours, "f": random.poisson(rate * hours / 50), "c": of}


def _bought(random: Random, score: Any, arm: Any) -> Any:
    return (random.random(len(score)) < 0.06 + 0.1 * np.clip(score, 0, 1) * arm) * 1


def _raters(name: str, n: int, draw: Any, raters: int, metrics: tuple[str, ...], **more: Any) -> Design:
    many = 6_000 if more.get("measurement") == "sets" else 20_000 if raters > 9 else WHOLE
    roles = {"raters": [f"r{k}" for k in range(raters)], "ok": "C1"} | more
    return Design("agreement", name, n, draw, metrics, roles, many=many)


def _part(task: str, name: str, n: int, draw: Any, metrics: tuple[str, ...], level: str, **roles: Any) -> Design:
    return Design(task, name, n, draw, metrics, roles | {"slices": ["g"]}, many=MANY, level=f"g = {level}")


def _third(task: str, name: str, n: int, draw: Any, metrics: tuple[str, ...], **roles: Any) -> Design:
    both = {"reference": "y", "prediction": ["m", "s", "t"]}
    return Design(task, name, n, draw, metrics, both | roles, system="t", difference=True, many=WHOLE)


def _streamed(design: Design, name: str, n: int) -> Design:
    return replace(design, name=name, n=n, roles=dict(design.roles) | STREAMED)


_FIVE = {"measurement": "ordinal", "scale": [1, 2, 3, 4, 5]}
_BINARY = {"reference": "y", "score": "p", "positive": "yes"}
_HEAPED = classification("heaps of hundredths", 60, heaped_hundredths, (*SCORES, *DECIDED))
_ESSAYS = scoring("one in eight again", 240, one_in_eight_again, (*SCORED, "exact_agreement"), {"min": 1, "max": 6})
_LISTS = Design(
    "ranking", "one to hundreds of documents", 40, unlike_lists,
    ("ndcg(at=10)", "mean_reciprocal_rank", "mean_average_precision", "recall_at(at=10)", "precision_at(at=3)"),
    {"query": "q", "relevance": "rel", "score": "m", "cluster": "c"}, many=20_000,
)  # fmt: skip
_SEVEN = _raters(
    "two to seven raters, floor and ceiling", 50, two_to_seven, 7,
    ("krippendorff_alpha(measurement=ordinal)", "gwet_ac2", "percent_agreement"), **_FIVE,
)  # fmt: skip
_COUNTS = regression(
    "counts that spread", 80, counts_that_spread, (*NUMBERS, "mean_absolute_percentage_error", "median_absolute_error")
)
CROSSED: tuple[Design, ...] = (
    replace(classification("schools in strata", 40, schools, (*SCORES, *DECIDED)), many=WHOLE),
    replace(classification("one giant", 40, one_giant, (*SCORES, *DECIDED)), many=WHOLE),
    _HEAPED,
    _streamed(_HEAPED, "heaps of hundredths, streamed", 150),
    classification("calibrated, mostly small", 120, just_calibrated, SCORES),
    _part("classification", "slices, 5 % positives", 160, tenfold_slices, (*SCORES, "recall"), "few", **_BINARY),
    _part("classification", "slices, half positives", 120, tenfold_slices, (*SCORES, "recall"), "many", **_BINARY),
    Design(
        "classification", "five labels in hundredths", 70, five_of_words,
        (*AVERAGES, "balanced_accuracy", "matthews_correlation"),
        {"reference": "y", "score": {c: f"p {c}" for c in "abcde"}},
    ),
    _third("classification", "the third of three, clusters", 30, three_that_err_together, LABELS, cluster="c"),
    _third("regression", "the third of three forecasts", 90, three_forecasts, NUMBERS[:5]),
    replace(regression("school marks, weighed", 35, school_marks, NUMBERS), many=WHOLE,
            roles={"reference": "y", "prediction": "m", "cluster": "c", "weight": "w"}),
    replace(regression("one giant, offsets", 30, one_giant_of_numbers, NUMBERS), many=WHOLE),
    _COUNTS,
    replace(_streamed(_COUNTS, "counts that spread, streamed", 150),
            metrics=(*NUMBERS[:5], NUMBERS[6], "mean_absolute_percentage_error")),
    regression("mostly nothing", 90, mostly_nothing, AMOUNTS),
    _part("regression", "the smallest of three regions", 300, three_regions, NUMBERS, "isle",
          reference="y", prediction="m"),
    _SEVEN,
    _streamed(_SEVEN, "two to seven raters, streamed", 120),
    _raters("thirty raters of few items", 80, thirty_raters, 30, NOMINAL[:3]),
    _raters(
        "two at the floor", 50, two_at_the_floor, 2,
        ("cohen_kappa(weighting=linear)", "cohen_kappa(weighting=quadratic)", "cohen_kappa", "percent_agreement",
         "spearman", "gwet_ac2"), measurement="ordinal", scale=[1, 2, 3, 4, 5, 6],
    ),
    _raters("twelve tags in two families", 90, twelve_tags, 3,
            ("set_alpha", "set_similarity", "macro_label_alpha", "label_agreement [a]", "label_alpha [h]"),
            measurement="sets"),
    _raters("readers at sites", 30, sites_of_readers, 3, ("icc(form=A,1)", "icc(form=C,1)", "interval_alpha"),
            measurement="interval", cluster="c"),
    _LISTS,
    _streamed(_LISTS, "one to hundreds, streamed", 80),
    Design("ranking", "two that end alike", 70, two_that_end_alike,
           ("ndcg(at=10)", "mean_reciprocal_rank", "mean_average_precision", "recall_at(at=5)"),
           {"query": "q", "relevance": "rel", "score": ["m", "s"]}, system="s", difference=True, many=20_000),
    _ESSAYS,
    _streamed(_ESSAYS, "one in eight again, streamed", 400),
    replace(scoring("few candidates at the floor", 30, few_candidates, SCORED, {"min": 0, "max": 4}), many=WHOLE),
    _part("scoring", "a lower grade", 260, two_grades_of_school,
          ("difference_of_standardized_means", "quadratic_weighted_kappa", "correlation", "adjacent_agreement"), "low",
          raters=["h1", "h2"], prediction="e", zeros="keep", min=1, max=6),
    replace(judges("users, a kind judge", 120, weighed_and_judged), many=WHOLE),
    Design("preference", "pairs of prompts that lean", 50, votes_of_prompts, VOTES,
           {"reference": "preferred_text", "annotators": ["kind"], "prompt": "prompt"}, many=WHOLE),
    diagnostic("22 templates, one to twenty cases", 22, suite(0.25, 1.2, 7, 0.9), 0.25),
    Design("failures", "25 plants", 25, plants, ("mean_time_between_failures",),
           {"exposure": "hours", "failures": "f", "cluster": "c"},
           truths={"mean_time_between_failures": 50.0}),
    uplift("rare purchases, 30 clusters", 30, arms(_bought, 0.5, (20, 0.6, 0.1))),
)  # fmt: skip
