"""A tenth set of designs for bench/coverage_heldout.py (`--set outside`): one system or one panel, as others simulate.

Ten labels, labels with weights of a survey or a few heavy rows, scores of which most are 0 or 1, paraphrases, users of
Zipf's sizes, a slice of fifty with few positives; overdispersed counts, spreads that grow, stores with weeks that
follow each other; raters of common findings, of seven labels, of heaps at both ends, of devices that round, tags of
5 %, spans of unequal texts; essays with a strict rater; queries of users; votes with a lean to the longer answer.
Written down before any was run; nothing was chosen on them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bench.heldout.designs import (
    CHOSEN,
    RANKED,
    SCORED,
    Design,
    Random,
    Table,
    classification,
    expit,
    judges,
    regression,
    scoring,
    yes_no,
)
from bench.heldout.measured import LABELS, MANY, NOMINAL, NUMBERS, SCORES, SETS, SPANS, VOTES, WHOLE

DECIDED = ("precision", "recall", "specificity")
RATED = ("pearson", "concordance_correlation", "icc(form=A,1)", "upper_limit_of_agreement", "mean_difference")
ORDERED = (
    "cohen_kappa(weighting=quadratic)",
    "krippendorff_alpha(measurement=ordinal)",
    "gwet_ac2(weighting=quadratic)",
)


def ten_labels(random: Random, n: int) -> Table:
    """Ten labels as often, right in 85 of 100; half of the errors go to one neighbour."""
    truth = random.integers(0, 10, n)
    wrong = np.where(random.random(n) < 0.5, truth + 1, truth + random.integers(2, 10, n)) % 10
    letters = np.array(list("abcdefghij"))
    return {"y": letters[truth], "m": letters[np.where(random.random(n) < 0.85, truth, wrong)]}


def five_of_a_survey(random: Random, n: int) -> Table:
    """Five labels; rows that are hard were asked for half as often, and weights of gamma shape make up for it."""
    hard = random.random(n) < (0.5 if n >= WHOLE else 1 / 3)
    truth = random.choice(5, n, p=(0.38, 0.27, 0.18, 0.11, 0.06))
    right = random.random(n) < np.where(hard, 0.6, 0.92)
    letters = np.array(list("abcde"))
    table = {"y": letters[truth], "m": letters[np.where(right, truth, random.integers(0, 5, n))]}
    return table if n >= WHOLE else table | {"w": np.where(hard, 2.0, 1.0) * random.gamma(4.0, 0.25, n)}


def few_heavy(random: Random, n: int) -> Table:
    """One row in 25 weighs twelve; 45 % positives, logistic scores."""
    heavy = random.random(n) < (12 / 36 if n >= WHOLE else 0.04)
    yes = random.random(n) < 0.45
    logit = np.where(yes, 1.0, -1.0) * np.where(heavy, 0.7, 1.3) + random.logistic(0, 0.6, n)
    table = {"y": yes_no(yes), "p": expit(logit)}
    return table if n >= WHOLE else table | {"w": np.where(heavy, 12.0, 1.0)}


def six_per_cent(random: Random, n: int) -> Table:
    """Positives of 6 %, gamma scores of unequal shape, squeezed into (0, 1)."""
    yes = random.random(n) < 0.06
    amount = np.where(yes, random.gamma(2.0, 0.8, n), random.gamma(0.7, 0.35, n))
    return {"y": yes_no(yes), "p": np.clip(amount / (1 + amount), 1e-4, 1 - 1e-4)}


def nearly_certain(random: Random, n: int) -> Table:
    """A model that says 0.01 or 0.99 of four rows in five, and is wrong in one of twelve of these."""
    yes, sure = random.random(n) < 0.5, random.random(n) < 0.8
    right = random.random(n) < np.where(sure, 11 / 12, 0.7)
    said = np.where(sure, 0.99, np.round(0.5 + 0.45 * random.random(n), 1))
    return {"y": yes_no(yes), "p": np.where(yes == right, said, 1 - said)}


def paraphrases(random: Random, n: int) -> Table:
    """Questions with one to four wordings, scored nearly alike; each question has one answer."""
    of = np.repeat(np.arange(n), 1 if n >= WHOLE else random.integers(1, 5, n))
    logit = 1.5 * random.standard_normal(n)
    yes = random.random(n) < expit(0.9 * logit)
    return {"y": yes_no(yes)[of], "p": expit(logit[of] + 0.15 * random.standard_normal(len(of))), "c": of}


def users_of_zipf(random: Random, n: int) -> Table:
    """Users with Zipf's numbers of messages, at most 25; what is hard for one is hard in all messages."""
    sizes = np.ones(n, dtype=int) if n >= WHOLE else np.minimum(random.zipf(1.9, n), 25)
    of = np.repeat(np.arange(n), sizes)
    ease = (1.1 + 0.6 * random.standard_normal(n))[of]
    yes = random.random(len(of)) < 0.35
    return {"y": yes_no(yes), "p": expit(np.where(yes, 1, -1) * ease + random.standard_normal(len(of))), "c": of}


def slice_of_fifty(random: Random, n: int) -> Table:
    """A sixth of the rows in another language, where positives are one in eight and scores are shifted."""
    few = random.random(n) < 1 / 6
    yes = random.random(n) < np.where(few, 0.125, 0.35)
    logit = np.where(yes, 1.3, -1.3) + 0.7 * few + random.standard_normal(n)
    return {"y": yes_no(yes), "p": expit(logit), "g": np.where(few, "few", "most")}


def overdispersed(random: Random, n: int) -> Table:
    """Counts of a negative binomial distribution, and rounded predictions of their mean."""
    mean = np.exp(1.2 + 0.6 * random.standard_normal(n))
    return {"y": random.poisson(mean * random.gamma(2.5, 0.4, n)), "m": np.rint(mean)}


def spreads_and_weights(random: Random, n: int) -> Table:
    """Laplace errors that grow with the level; the large are drawn more often, and weigh less."""
    level = random.gamma(2.0 if n >= WHOLE else 3.0, 1.0, n)
    table = {"y": level + 0.15 * level * random.laplace(size=n), "m": 0.1 + 0.97 * level}
    return table if n >= WHOLE else table | {"w": 1 / np.maximum(level, 0.1)}


def stores(random: Random, n: int) -> Table:
    """Stores with four to thirty weeks whose errors follow each other; stores differ in level and spread."""
    sizes = np.ones(n, dtype=int) if n >= WHOLE else random.integers(4, 31, n)
    of = np.repeat(np.arange(n), sizes)
    level, wide = random.gamma(4.0, 5.0, n), np.exp(0.4 * random.standard_normal(n))
    noise, last = random.standard_normal(len(of)), 0.0
    errors = np.empty(len(of))
    for row, store in enumerate(of):
        last = noise[row] if row == 0 or of[row - 1] != store else 0.6 * last + 0.8 * noise[row]
        errors[row] = last
    prediction = level[of] + 2 * random.standard_normal(len(of))
    return {"y": prediction + wide[of] * errors, "m": prediction, "c": of}


def seven_labels(random: Random, n: int) -> Table:
    """Two raters of seven labels, three of them 3 % each; one prefers the commonest where in doubt."""
    truth = random.choice(7, n, p=(0.4, 0.2, 0.18, 0.13, 0.03, 0.03, 0.03))
    letters = np.array(list("abcdefg"))
    first = np.where(random.random(n) < 0.85, truth, random.integers(0, 7, n))
    second = np.where(random.random(n) < 0.8, truth, 0)
    return {"r0": letters[first], "r1": letters[second]}


def common_finding(random: Random, n: int) -> Table:
    """Three raters of what 85 % have; one of them guesses in a fifth of the items."""
    yes = random.random(n) < 0.85
    table = {f"r{k}": yes_no(yes ^ (random.random(n) < 0.06)) for k in range(2)}
    return table | {"r2": np.where(random.random(n) < 0.2, yes_no(random.random(n) < 0.5), yes_no(yes))}


def heaps_at_ends(random: Random, n: int) -> Table:
    """Two raters of four grades, mostly the lowest or the highest; they differ by one, or by all."""
    grade = random.choice(4, n, p=(0.45, 0.1, 0.1, 0.35)) + 1
    second = np.clip(grade + random.choice((-1, 0, 1), n, p=(0.12, 0.76, 0.12)), 1, 4)
    return {"r0": grade, "r1": np.where(random.random(n) < 0.05, 5 - second, second)}


def devices(random: Random, n: int) -> Table:
    """Two devices: gamma levels, lognormal errors, one rounds to fives and reads a little high."""
    level = random.gamma(3.0, 20.0, n)
    first, second = (level * np.exp(0.12 * random.standard_normal(n)) for _ in range(2))
    return {"r0": np.round(first, 1), "r1": 5 * np.rint((second + 2) / 5)}


def tags_of_three(random: Random, n: int) -> Table:
    """Three raters who choose any of four tags, the rarest 5 %; tags go together."""
    mood = random.standard_normal(n)[:, None]
    true = random.random((n, 4)) < expit(np.array([0.3, -0.8, -1.6, -3.2]) + 0.6 * mood)
    table: Table = {}
    for k, keeps in enumerate((0.9, 0.8, 0.7)):
        says = np.where(true, random.random((n, 4)) < keeps, random.random((n, 4)) < 0.02)
        table[f"r{k}"] = ["|".join(c for c, s in zip("uvwx", row, strict=True) if s) or "none" for row in says]
    return table


def spans_of_texts(random: Random, n: int) -> Table:
    """Texts of 10 to 60 words with one span in ten words, on average; two kinds; two raters miss and shorten."""
    table: Table = {"r0": [], "r1": []}
    for words in random.integers(10, 61, n):
        starts = np.flatnonzero(random.random(words) < 0.1)
        starts = starts[np.diff(starts, prepend=-9) > 3]
        kinds = np.where(random.random(len(starts)) < 0.75, "A", "B")
        for name, keeps in (("r0", 0.85), ("r1", 0.8)):
            marks = ["O"] * (int(words) + 3)
            for at, kind in zip(starts, kinds, strict=True):
                if random.random() < keeps:
                    long = 2 + (random.random() < 0.8)
                    said = kind if random.random() < 0.93 else "A"
                    marks[at : at + long] = [f"B-{said}"] + [f"I-{said}"] * (long - 1)
            table[name].append(" ".join(marks))
    return table


def threads(random: Random, n: int) -> Table:
    """Two raters of three labels in threads of one to a dozen posts, most of which share their label."""
    of = np.repeat(np.arange(n), 1 if n >= WHOLE // 2 else 1 + random.binomial(11, 0.25, n))
    usual = random.choice(3, n, p=(0.5, 0.3, 0.2))
    truth = np.where(random.random(len(of)) < 0.6, usual[of], random.choice(3, len(of), p=(0.5, 0.3, 0.2)))
    clear = random.beta(6, 1.5, n)[of]
    letters = np.array(list("abc"))
    said = [np.where(random.random(len(of)) < clear, truth, random.integers(0, 3, len(of))) for _ in range(2)]
    return {"r0": letters[said[0]], "r1": letters[said[1]], "c": of}


def strict_first(random: Random, n: int) -> Table:
    """Six points; the first rater is strict, a third of the essays is rated twice, the system shrinks to the middle."""
    level = random.normal(3.6, 1.1, n)
    first = np.clip(np.rint(level - 0.4 + 0.6 * random.standard_normal(n)), 1, 6)
    second = np.clip(np.rint(level + 0.2 + 0.6 * random.standard_normal(n)), 1, 6)
    second = np.where((random.random(n) < 1 / 3) | (n >= MANY // 2), second, np.nan)
    return {"h1": first, "h2": second, "e": 3.4 + 0.75 * (level - 3.5) + 0.4 * random.logistic(0, 0.6, n)}


def portfolios(random: Random, n: int) -> Table:
    """Candidates with two or three essays of 0 to 10 points; half of the essays are rated twice, in wide errors."""
    of = np.repeat(np.arange(n), random.integers(2, 4, n))
    level = (6 + 2 * random.standard_normal(n))[of] + random.standard_normal(len(of))
    first, second = (np.clip(np.rint(level + 1.1 * random.laplace(size=len(of))), 0, 10) for _ in range(2))
    second = np.where((random.random(len(of)) < 0.5) | (n >= WHOLE), second, np.nan)
    return {"h1": first, "h2": second, "e": level + 0.9 * random.standard_normal(len(of)), "c": of}


def queries_of_users(random: Random, n: int) -> Table:
    """Users with one to nine queries of eight documents in four grades; users are served well or badly."""
    user = np.repeat(np.arange(n), 1 if n >= 5_000 else 1 + random.binomial(8, 0.2, n))
    ease = (0.9 + 0.6 * random.standard_normal(n))[user][:, None]
    grade = random.choice(4, (len(user), 8), p=(0.6, 0.2, 0.13, 0.07))
    score = ease * grade + 1.3 * random.standard_normal(grade.shape)
    query = np.repeat(np.arange(len(user)), 8)
    return {"q": query, "rel": grade.reshape(-1), "m": score.reshape(-1), "c": np.repeat(user, 8)}


def some_without_any(random: Random, n: int) -> Table:
    """Five to twenty documents a query; one query in six has none that is relevant."""
    count = random.integers(5, 21, n)
    query = np.repeat(np.arange(n), count)
    rate = np.where(random.random(n) < 1 / 6, 0.0, random.beta(2, 8, n))[query]
    relevant = (random.random(len(query)) < rate) * 1
    return {"q": query, "rel": relevant, "m": 1.4 * relevant + random.standard_normal(len(query))}


def longer_wins(random: Random, n: int) -> Table:
    """Prompts with one to six pairs; lognormal lengths of a prompt's own level; the longer is chosen more often."""
    prompt = np.repeat(np.arange(n), 1 if n >= 5_000 else 1 + random.binomial(5, 0.3, n))
    level = 3.5 + 0.5 * random.standard_normal(n)[prompt]
    long = [np.rint(np.exp(level + 0.5 * random.standard_normal(len(prompt)))).astype(int) + 1 for _ in range(2)]
    lean = 0.4 * random.standard_normal(n)[prompt] + 0.8 * np.log(long[0] / long[1])
    first = random.random(len(prompt)) < expit(lean)
    return {
        "preferred_text": np.where(first, "a", "b"),
        "kind": np.where(first == (random.random(len(prompt)) < 0.7), "a", "b"),
        "text_a": ["x" * one for one in long[0]],
        "text_b": ["x" * one for one in long[1]],
        "prompt": [f"p{one}" for one in prompt],
    }


def few_ties(random: Random, n: int) -> Table:
    """A trait that goes with the choice in four of five pairs, and says tie in one of ten."""
    first = random.random(n) < 0.4
    vote = np.where(first == (random.random(n) < 0.8), "a", "b").astype(object)
    vote[random.random(n) < 0.1] = "tie"
    return {"preferred_text": np.where(first, "a", "b"), "kind": vote}


def judged_in_part(random: Random, n: int) -> Table:
    """A quarter is labelled; 30 % are good, a judge finds nine in ten of them and is fooled by one in five others."""
    yes = random.random(n) < 0.3
    judge = random.random(n) < np.where(yes, 0.9, 0.2)
    return {"h": np.where((random.random(n) < 0.25) | (n >= WHOLE), yes * 1.0, np.nan), "j": judge * 1.0}


def _labels(name: str, n: int, draw: Any, *more: str) -> Design:
    roles = {"reference": "y", "prediction": "m", "weight": "w"}
    return Design("classification", name, n, draw, (*LABELS, *more), roles, many=MANY)


def _raters(name: str, n: int, draw: Any, raters: int, metrics: tuple[str, ...], **more: Any) -> Design:
    roles = {"raters": [f"r{k}" for k in range(raters)]} | more
    many = 6_000 if more.get("measurement") in ("spans", "sets") else MANY // 2
    return Design("agreement", name, n, draw, metrics, roles, many=many)


_LISTS = {"query": "q", "relevance": "rel", "score": "m", "cluster": "c"}
_VOTED = {"reference": "preferred_text", "annotators": ["kind"]}
OUTSIDE: tuple[Design, ...] = (
    _labels("ten labels, right in 85", 150, ten_labels, "recall [d]", "precision [d]"),
    _labels("five labels of a survey", 200, five_of_a_survey, "f_score [e]"),
    classification("one in 25 weighs twelve", 120, few_heavy, (*SCORES, *DECIDED)),
    classification("6 % positives, gamma scores", 250, six_per_cent, (*SCORES, *DECIDED)),
    classification("0.01 or 0.99", 100, nearly_certain, SCORES),
    classification("paraphrases", 70, paraphrases, SCORES),
    classification("users of Zipf's sizes", 150, users_of_zipf, SCORES),
    Design(
        "classification", "a slice of fifty", 300, slice_of_fifty, (*SCORES, *DECIDED),
        {"reference": "y", "score": "p", "positive": "yes", "slices": ["g"]}, many=MANY, level="g = few",
    ),
    regression("overdispersed counts", 90, overdispersed, NUMBERS),
    Design(
        "regression", "large ones drawn more often", 120, spreads_and_weights, NUMBERS,
        {"reference": "y", "prediction": "m", "weight": "w"}, many=MANY,
    ),
    replace(regression("stores, weeks that follow", 50, stores, NUMBERS), many=MANY),
    _raters("seven labels, three rare", 80, seven_labels, 2, (*NOMINAL, "cohen_kappa")),
    _raters("what 85 % have", 60, common_finding, 3, NOMINAL),
    _raters("heaps at both ends", 70, heaps_at_ends, 2, ORDERED, measurement="ordinal"),
    _raters("devices, one rounds", 60, devices, 2, RATED, measurement="interval", ok="C1"),
    _raters("four tags, one of 5 %", 100, tags_of_three, 3, (*SETS[:4], "label_alpha [x]"), measurement="sets"),
    _raters("spans of unequal texts", 60, spans_of_texts, 2, SPANS, measurement="spans"),
    _raters("threads of one label", 60, threads, 2, (*NOMINAL, "cohen_kappa"), cluster="c"),
    scoring("a strict first rater", 100, strict_first, (*SCORED, "degradation(of=qwk)"), {"min": 1, "max": 6}),
    scoring("two or three essays, wide errors", 70, portfolios, SCORED, {"min": 0, "max": 10}),
    Design("ranking", "queries of users", 60, queries_of_users, RANKED, _LISTS, many=20_000),
    Design("ranking", "one query in six without any", 60, some_without_any, RANKED, _LISTS, many=20_000),
    Design("preference", "the longer wins", 60, longer_wins, CHOSEN, _VOTED, many=20_000),
    Design("preference", "few ties", 100, few_ties, VOTES, _VOTED, many=MANY),
    judges("a quarter labelled", 400, judged_in_part),
)  # fmt: skip
