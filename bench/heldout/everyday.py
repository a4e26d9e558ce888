"""A ninth set of designs for bench/coverage_heldout.py (`--set everyday`): tables as people have them on their desks.

Spam of 3 % with rounded scores, spreads that differ by class, confidences said in words, visits of patients, weights of
a survey, slices of thirty; prices, capped counts, sensors with offsets, exposure as weight, marks at the ceiling;
raters of unequal severity who skip, a crowd in which some guess, tags, rare spans; essays at the floor; queries of two
to five documents; votes of which half are ties; few labels of people; spending and failures with long tails.
Two systems are in bench/heldout/everyday_comparisons.py. Written down before any was run; nothing was chosen on them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bench.heldout.designs import (
    JUDGED,
    SCORED,
    Design,
    Random,
    Table,
    arms,
    classification,
    expit,
    judges,
    regression,
    scoring,
    uplift,
    yes_no,
)
from bench.heldout.measured import LABELS, MANY, NOMINAL, NUMBERS, SCORES, SETS, SPANS, VOTES, WHOLE

DECIDED = ("precision", "recall", "specificity")
ORDERED = ("krippendorff_alpha(measurement=ordinal)", "gwet_ac2(weighting=quadratic)", "percent_agreement")
RATED = ("pearson", "concordance_correlation", "icc(form=A,1)", "upper_limit_of_agreement", "mean_difference")


def spam(random: Random, n: int) -> Table:
    """Three in a hundred; scores in hundredths, most of them 0 to 0.05."""
    yes = random.random(n) < 0.03
    score = np.where(yes, random.beta(2.5, 1.5, n), random.beta(0.6, 8, n))
    return {"y": yes_no(yes), "p": np.clip(np.round(score, 2), 0.01, 0.99)}


def wide_positives(random: Random, n: int) -> Table:
    """Positives whose logits have nearly four times the spread of negatives'."""
    yes = random.random(n) < 0.3
    logit = np.where(yes, 1.0 + 2.2 * random.standard_normal(n), -1.5 + 0.6 * random.standard_normal(n))
    return {"y": yes_no(yes), "p": expit(logit)}


def in_words(random: Random, n: int) -> Table:
    """A model that says 60, 70, 80, 90 or 95 %, for or against, and is right less often."""
    said = random.choice([0.6, 0.7, 0.8, 0.9, 0.95], n, p=(0.05, 0.1, 0.25, 0.35, 0.25))
    yes, right = random.random(n) < 0.35, random.random(n) < 0.25 + 0.65 * said
    return {"y": yes_no(yes), "p": np.where(yes == right, said, 1 - said)}


def neighbours(random: Random, n: int) -> Table:
    """Six labels to 3 %, which are taken for the next one."""
    shares = np.array([0.35, 0.25, 0.17, 0.12, 0.08, 0.03])
    truth = random.choice(6, n, p=shares)
    step = np.where(random.random(n) < 0.7, 1, -1)
    slips = random.random(n) < np.array([0.1, 0.15, 0.2, 0.2, 0.3, 0.45])[truth]
    said = np.clip(truth + np.where(slips, step, 0), 0, 5)
    letters = np.array(list("abcdef"))
    return {"y": letters[truth], "m": letters[said]}


def at_97(random: Random, n: int) -> Table:
    """Four labels, right in 97 of 100."""
    letters, truth = np.array(list("abcd")), random.choice(4, n, p=(0.4, 0.3, 0.2, 0.1))
    said = np.where(random.random(n) < 0.97, truth, (truth + random.integers(1, 4, n)) % 4)
    return {"y": letters[truth], "m": letters[said]}


def patients(random: Random, n: int) -> Table:
    """Patients with one to some fifteen visits; the sick come more often, and are harder."""
    sick = random.random(n) < 0.3
    sizes = np.where(sick, random.geometric(1 / 6, n), random.geometric(1 / 2.5, n))
    of = np.repeat(np.arange(n), sizes)
    ease = np.where(sick, 0.7, 1.4) + 0.5 * random.standard_normal(n)
    yes = random.random(len(of)) < np.where(sick, 0.7, 0.1)[of]
    logit = np.where(yes, 1.0, -1.0) * ease[of] + random.standard_normal(len(of))
    return {"y": yes_no(yes), "p": expit(logit), "c": of}


def surveyed(random: Random, n: int) -> Table:
    """Weights exp(0.8 z) of a normal trait that also makes a row harder: samples have less of it than the whole."""
    trait = random.standard_normal(n) - (0.0 if n >= WHOLE else 0.8)
    yes = random.random(n) < 0.4
    logit = np.where(yes, 1.0, -1.0) * (1.4 - 0.4 * trait) + random.standard_normal(n)
    table = {"y": yes_no(yes), "p": expit(logit)}
    return table if n >= WHOLE else table | {"w": np.exp(0.8 * trait)}


def of_a_part(random: Random, n: int) -> Table:
    """A part of 15 % in which positives are one in six and scores say less."""
    few = random.random(n) < 0.15
    yes = random.random(n) < np.where(few, 1 / 6, 0.4)
    logit = np.where(yes, 1.0, -1.0) * np.where(few, 0.8, 1.6) + random.logistic(0, 0.7, n)
    return {"y": yes_no(yes), "p": expit(logit), "g": np.where(few, "few", "most")}


def prices(random: Random, n: int) -> Table:
    """Lognormal prices, missed by factors with Student's logarithms."""
    price = np.exp(5 + 0.7 * random.standard_normal(n))
    return {"y": price, "m": price * np.exp(-0.02 + 0.12 * random.standard_t(5, n))}


def capped(random: Random, n: int) -> Table:
    """Counts of a gamma mixture, none above 20, and predictions that keep to the middle."""
    level = random.gamma(1.2, 5.0, n)
    return {
        "y": np.minimum(random.poisson(level), 20),
        "m": 2.5 + 0.6 * level**0.9 + 0.6 * random.standard_normal(n),
    }


def sensors(random: Random, n: int) -> Table:
    """Sensors with two to some thirty readings, an offset and a spread of their own."""
    sizes = np.full(n, 1) if n >= WHOLE // 2 else 1 + random.geometric(1 / 8, n)
    of = np.repeat(np.arange(n), sizes)
    y = 20 + 5 * random.standard_normal(len(of))
    off = 0.6 * random.standard_t(6, n)
    wide = random.gamma(4, 0.25, n)
    return {"y": y, "m": y + off[of] + wide[of] * random.standard_normal(len(of)), "c": of}


def exposures(random: Random, n: int) -> Table:
    """Rates of gamma exposures, which are the weights, and tell more of long ones."""
    exposure = random.gamma(3.0 if n >= WHOLE else 2.0, 1.0, n)
    truth = random.gamma(3.0, 1.0, n)
    table = {"y": truth + random.standard_normal(n) / np.sqrt(exposure + 0.1), "m": 0.3 + 0.9 * truth}
    return table if n >= WHOLE else table | {"w": exposure}


def marks(random: Random, n: int) -> Table:
    """Marks of 0 to 100, a quarter of them 100; so are the predictions."""
    level = 103 - random.gamma(1.4, 12.0, n)
    first, second = (np.clip(np.rint(level + 6 * random.standard_normal(n)), 0, 100) for _ in range(2))
    return {"y": first, "m": second}


def wide_part(random: Random, n: int) -> Table:
    """A part of one in eight with thrice the spread and lower numbers."""
    few = random.random(n) < 0.125
    y = random.normal(10, 2, n) - 2.0 * few
    return {"y": y, "m": y + np.where(few, 3.0, 1.0) * random.laplace(size=n), "g": np.where(few, "few", "most")}


def unequal_severity(random: Random, n: int) -> Table:
    """Five raters of five points, from strict to mild, each of whom misses a third of the items."""
    level = random.normal(3.2, 1.0, n)
    table: Table = {}
    for k, shift in enumerate((-0.8, -0.3, 0.0, 0.2, 0.7)):
        rating = np.clip(np.rint(level + shift + 0.6 * random.standard_normal(n)), 1, 5)
        table[f"r{k}"] = np.where(random.random(n) < 1 / 3, np.nan, rating)
    return table


def lenient_in_fives(random: Random, n: int) -> Table:
    """Two raters of 0 to 100 in fives, one of them milder the higher it goes."""
    level = 100 * random.beta(3, 2, n)
    first = level + 8 * random.standard_normal(n)
    second = 8 + 0.97 * level + 10 * random.standard_normal(n)
    return {f"r{k}": 5 * np.rint(np.clip(one, 0, 100) / 5) for k, one in enumerate((first, second))}


def skip_the_rare(random: Random, n: int) -> Table:
    """Three raters who leave out two fifths of what they would call the rarest label, of 12 %."""
    truth = random.choice(3, n, p=(0.55, 0.33, 0.12))
    letters, table = np.array(list("abc"), dtype=object), {}
    for k, right in enumerate((0.9, 0.85, 0.75)):
        said = np.where(random.random(n) < right, truth, (truth + random.integers(1, 3, n)) % 3)
        words = letters[said]
        words[(said == 2) & (random.random(n) < 0.4)] = None
        table[f"r{k}"] = words
    return table


def crowd(random: Random, n: int) -> Table:
    """Forty workers, three for each item; every fifth of them guesses."""
    truth = random.choice(3, n, p=(0.5, 0.3, 0.2))
    who = np.argsort(random.random((n, 40)), axis=1)[:, :3]
    knows = random.random((n, 3)) < np.where(who % 5 == 0, 0.0, 0.8)
    said = np.where(knows, truth[:, None], random.integers(0, 3, (n, 3)))
    words = np.full((n, 40), None, dtype=object)
    words[np.arange(n)[:, None], who] = np.array(list("abc"), dtype=object)[said]
    return {f"r{k}": words[:, k] for k in range(40)}


def tags(random: Random, n: int) -> Table:
    """Two raters who choose any of five tags, the rarest 5 %; one chooses more."""
    true = random.random((n, 5)) < np.array([0.5, 0.35, 0.2, 0.1, 0.05])
    table: Table = {}
    for k, (keeps, adds) in enumerate(((0.75, 0.01), (0.9, 0.06))):
        says = np.where(true, random.random((n, 5)) < keeps, random.random((n, 5)) < adds)
        table[f"r{k}"] = ["|".join(c for c, s in zip("uvwxy", row, strict=True) if s) or "none" for row in says]
    return table


def rarely_apart(random: Random, n: int) -> Table:
    """Two raters of yes and no, 25 % yes, who differ in three of a hundred."""
    yes = random.random(n) < 0.25
    return {"r0": yes_no(yes), "r1": yes_no(yes ^ (random.random(n) < 0.03))}


def three_readers(random: Random, n: int) -> Table:
    """Three readers of a lognormal length; errors grow with it, and one in thirty is of another item."""
    level = np.exp(2.5 + 0.5 * random.standard_normal(n))
    table: Table = {}
    for k in range(3):
        value = level * (1 + 0.08 * random.standard_normal(n)) + 0.3 * k
        table[f"r{k}"] = np.where(random.random(n) < 1 / 30, random.permutation(level), value)
    return table


def few_spans(random: Random, n: int) -> Table:
    """Texts of which half have a span of three kinds, the rarest one in ten; raters shift and miss it."""
    table: Table = {"r0": [], "r1": []}
    for _ in range(n):
        there = random.random() < 0.5
        at, long, kind = int(random.integers(0, 20)), int(random.integers(1, 6)), random.choice(3, p=(0.6, 0.3, 0.1))
        for name, keeps in (("r0", 0.9), ("r1", 0.75)):
            marks = ["O"] * 27
            if there and random.random() < keeps:
                first = at + int(random.random() < 0.15)
                said = "ABC"[kind if random.random() < 0.9 else (kind + 1) % 3]
                marks[first : first + long] = [f"B-{said}"] + [f"I-{said}"] * (long - 1)
            table[name].append(" ".join(marks))
    return table


def at_the_floor(random: Random, n: int) -> Table:
    """Four points, half of the essays at the lowest; a strict and a mild rater; a quarter is rated twice."""
    level = 0.6 + random.gamma(1.1, 0.9, n)
    first, second = (np.clip(np.rint(level + s + 0.4 * random.standard_normal(n)), 1, 4) for s in (-0.2, 0.2))
    second = np.where((random.random(n) < 0.25) | (n >= MANY // 2), second, np.nan)
    return {"h1": first, "h2": second, "e": np.clip(level + 0.4 * random.standard_normal(n), 0.5, 4.5)}


def answers_of_candidates(random: Random, n: int) -> Table:
    """Candidates with one to six answers, on a scale of 0 to 5; every other answer is rated twice."""
    of = np.repeat(np.arange(n), random.integers(1, 7, n))
    level = (2.4 + random.standard_normal(n))[of] + 0.7 * random.standard_normal(len(of))
    first, second = (np.clip(np.rint(level + 0.55 * random.standard_normal(len(of))), 0, 5) for _ in range(2))
    second = np.where((random.random(len(of)) < 0.5) | (n >= WHOLE), second, np.nan)
    machine = level + 0.3 * random.standard_normal(n)[of] + 0.4 * random.standard_normal(len(of))
    return {"h1": first, "h2": second, "e": machine, "c": of}


def short_lists(random: Random, n: int) -> Table:
    """Two to five documents a query, of which the first found is often the only relevant one."""
    query = np.repeat(np.arange(n), random.integers(2, 6, n))
    relevant = (random.random(len(query)) < 0.45) * 1
    return {"q": query, "rel": relevant, "m": 1.1 * relevant + random.gumbel(size=len(query))}


def tied_lists(random: Random, n: int) -> Table:
    """Twelve documents of three grades, scored 1 to 5 in whole points."""
    query = np.repeat(np.arange(n), 12)
    grade = random.choice(3, len(query), p=(0.75, 0.18, 0.07))
    ease = random.gamma(3.0, 0.4, n)[query]
    return {
        "q": query,
        "rel": grade,
        "m": np.clip(np.rint(2 + ease * grade + random.standard_normal(len(query))), 1, 5),
    }


def half_ties(random: Random, n: int) -> Table:
    """A trait that says tie for half of the pairs, and else goes with the choice in three of five."""
    first = random.random(n) < 0.55
    vote = np.where(first == (random.random(n) < 0.6), "a", "b").astype(object)
    vote[random.random(n) < 0.5] = "tie"
    return {"preferred_text": np.where(first, "a", "b"), "kind": vote}


def few_labelled(random: Random, n: int) -> Table:
    """People label 60 of 2,000; 15 % are bad, a judge finds four in five of them, and 7 % of others."""
    yes = random.random(n) < 0.15
    judge = random.random(n) < np.where(yes, 0.8, 0.07)
    seen = (random.permutation(n) < 60) | (n >= WHOLE)
    return {"h": np.where(seen, yes * 1.0, np.nan), "j": judge * 1.0}


def five_points_judged(random: Random, n: int) -> Table:
    """Five points, mostly 4 and 5; a judge who gives 5 to most; one row in ten is labelled."""
    level = 5.3 - random.gamma(1.3, 0.7, n)
    people = np.clip(np.rint(level + 0.4 * random.standard_normal(n)), 1, 5)
    judge = np.clip(np.rint(level + 0.5 + 0.7 * random.standard_normal(n)), 1, 5)
    return {"h": people if n >= WHOLE else np.where(random.random(n) < 0.1, people, np.nan), "j": judge}


def _spending(random: Random, score: Any, arm: Any) -> Any:
    buys = random.random(len(score)) < 0.3 + 0.15 * score * arm
    return buys * np.exp(2.5 + 0.9 * random.standard_normal(len(score)))


def templates(random: Random, n: int) -> Table:
    """Templates with one to forty cases; most never fail, one in eight fails in nearly half of its cases."""
    of = np.repeat(np.arange(n), np.minimum(random.geometric(0.12, n), 40))
    rate = np.where(random.random(n) < 0.125, 0.45, 0.01)[of]
    return {
        "what": ["all"] * len(of),
        "want": ["a"] * len(of),
        "v1": np.where(random.random(len(of)) < rate, "b", "a"),
        "tpl": [f"t{one}" for one in of],
    }


def long_tailed_machines(random: Random, n: int) -> Table:
    """Lognormal rates of failure about one in 90 hours, watched for unequal times."""
    rate = np.exp(0.9 * random.standard_normal(n) - 0.405)
    hours = random.gamma(3.0, 50.0, n)
    return {"hours": hours, "f": random.poisson(rate * hours / 90)}


def _labels(name: str, n: int, draw: Any, metrics: tuple[str, ...]) -> Design:
    return Design("classification", name, n, draw, metrics, {"reference": "y", "prediction": "m"}, many=MANY)


def _raters(name: str, n: int, draw: Any, raters: int, metrics: tuple[str, ...], **more: Any) -> Design:
    roles = {"raters": [f"r{k}" for k in range(raters)], "ok": "C1"} | more
    many = 6_000 if more.get("measurement") in ("spans", "sets") else 20_000 if raters > 9 else MANY // 2
    return Design("agreement", name, n, draw, metrics, roles, many=many)


_SCORE = {"reference": "y", "score": "p", "positive": "yes", "slices": ["g"]}
_MEASURED = {"reference": "y", "prediction": "m", "weight": "w"}
_LISTS = {"query": "q", "relevance": "rel", "score": "m"}
_FIVE: dict[str, Any] = {"measurement": "ordinal", "scale": [1, 2, 3, 4, 5]}
EVERYDAY_ONE: tuple[Design, ...] = (
    classification("spam of 3 %, hundredths", 300, spam, (*SCORES, *DECIDED)),
    *(classification("positives spread widely", n, wide_positives, SCORES) for n in (60, 200)),
    classification("confidence in words", 150, in_words, SCORES),
    *(
        _labels("six labels, the next one said", n, neighbours, (*LABELS, "recall [f]", "precision [f]"))
        for n in (80, 250)
    ),
    _labels("four labels, 97 of 100", 100, at_97, LABELS),
    replace(classification("patients, the sick come more often", 60, patients, SCORES[:6]), many=40_000),
    classification("survey weights of a trait", 200, surveyed, (*SCORES, *DECIDED)),
    Design(
        "classification",
        "a part of thirty",
        200,
        of_a_part,
        ("accuracy", "f_score", "roc_auc", "brier_score"),
        _SCORE,
        many=MANY,
        level="g = few",
    ),
    regression("prices missed by factors", 80, prices, (*NUMBERS, "mean_absolute_percentage_error")),
    regression("capped counts", 100, capped, NUMBERS),
    replace(regression("sensors with offsets", 40, sensors, NUMBERS), many=MANY),
    Design("regression", "exposure as weight", 100, exposures, NUMBERS, _MEASURED, many=MANY),
    regression("marks at the ceiling", 60, marks, NUMBERS),
    Design(
        "regression",
        "a part of one in eight, wider",
        200,
        wide_part,
        NUMBERS[:5],
        {"reference": "y", "prediction": "m", "slices": ["g"]},
        many=MANY,
        level="g = few",
    ),
    *(_raters("five of unequal severity", n, unequal_severity, 5, ORDERED, **_FIVE) for n in (60, 150)),
    _raters("fives, one milder", 80, lenient_in_fives, 2, RATED, measurement="interval"),
    _raters("the rarest left out", 100, skip_the_rare, 3, NOMINAL),
    _raters("a crowd of forty", 100, crowd, 40, NOMINAL),
    _raters("two who rarely differ", 100, rarely_apart, 2, (*NOMINAL, "cohen_kappa")),
    _raters(
        "three readers, one in thirty of another",
        60,
        three_readers,
        3,
        ("icc(form=A,1)", "icc(form=C,k)", "icc(form=C,1)"),
        measurement="interval",
    ),
    _raters("five tags, one chooses more", 120, tags, 2, (*SETS[:4], "label_alpha [y]"), measurement="sets"),
    _raters("few spans of three kinds", 80, few_spans, 2, SPANS, measurement="spans"),
    scoring("half at the floor", 100, at_the_floor, SCORED, {"min": 1, "max": 4}),
    scoring("one to six answers", 60, answers_of_candidates, SCORED, {"min": 0, "max": 5}),
    Design(
        "ranking",
        "two to five documents",
        60,
        short_lists,
        ("ndcg(at=10)", "mean_reciprocal_rank", "mean_average_precision", "precision_at(at=1)"),
        _LISTS,
        many=20_000,
    ),
    Design(
        "ranking",
        "scores of whole points",
        80,
        tied_lists,
        ("ndcg(at=5)", "mean_reciprocal_rank", "mean_average_precision", "recall_at(at=5)"),
        _LISTS,
        many=20_000,
    ),
    *(
        Design(
            "preference",
            "half of the votes ties",
            n,
            half_ties,
            VOTES,
            {"reference": "preferred_text", "annotators": ["kind"]},
            many=MANY,
        )
        for n in (80, 250)
    ),
    judges("60 of 2,000 labelled", 2000, few_labelled),
    replace(judges("five points, one in ten labelled", 600, five_points_judged), metrics=JUDGED[:2]),
    uplift("spending, two fifths treated", 300, arms(_spending, 0.4)),
    Design(
        "diagnostic",
        "40 templates, one in eight bad",
        40,
        templates,
        ("failure_rate",),
        {"phenomenon": "what", "expect": "want", "prediction": ["v1"], "template": "tpl"},
        truths={"failure_rate": 0.065},
    ),
    *(
        Design(
            "failures",
            "lognormal rates",
            n,
            long_tailed_machines,
            ("mean_time_between_failures",),
            {"exposure": "hours", "failures": "f"},
            truths={"mean_time_between_failures": 90.0},
        )
        for n in (80, 250)
    ),
)
