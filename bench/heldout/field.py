"""A sixth set of designs for bench/coverage_heldout.py (`--set field`): one system or one team of raters.

Scores pushed to the ends, three levels of confidence, eight intents, a label of two in a hundred, case-control samples
and samples by uncertainty with their weights, one label for each document, slices of a dozen to forty rows, raters who
each see two of five items, seven points with rare ends, label sets, spans by raters of unequal care, candidates with
two tasks, annotators who call ties at different rates, a lenient judge of ten points, machines that fail unequally.
Written down before any was run; nothing was chosen on them. Two systems: bench/heldout/field_comparisons.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bench.heldout.designs import (
    DEGRADED,
    JUDGED,
    SCORED,
    Design,
    Random,
    Table,
    arms,
    classification,
    diagnostic,
    expit,
    judges,
    scoring,
    suite,
    uplift,
    yes_no,
)
from bench.heldout.measured import CUT_OFF, LABELS, MANY, NOMINAL, ORDERED, SCORES, SETS, SPANS, WHOLE

MACRO = (*LABELS, "precision(average=macro)", "recall(average=macro)", "f_score(average=weighted)")
DECISIONS = ("precision", "recall", "specificity", "balanced_accuracy")
POINTS = ("recall_at_precision(at=0.7)", "precision_at_recall(at=0.6)", "recall_at_false_positive_rate(at=0.05)")
VOTES = ("preference_strength", "preference_kappa", "preference_accuracy", "preference_relevance", "prefers_first")
OF_SCORES = (*SCORED, *DEGRADED, "exact_agreement", "adjacent_agreement")


def clusters_of(random: Random, n: int, mean: float) -> Any:
    """Which of n clusters each row is of: negative binomial sizes of at least one; a population has one row of each."""
    sizes = np.ones(n, dtype=int) if n >= WHOLE else 1 + random.negative_binomial(1.5, 1.5 / (0.5 + mean), n)
    return np.repeat(np.arange(n), sizes)


def pushed(random: Random, n: int) -> Table:
    """Scores whose logit is three times what it should be."""
    logit = -1.6 + 1.5 * random.gumbel(size=n)
    return {"y": yes_no(random.random(n) < expit(logit)), "p": np.clip(expit(3 * logit), 1e-4, 1 - 1e-4)}


def three_levels(random: Random, n: int) -> Table:
    """Low, medium and high confidence, as .2, .5 and .8."""
    level = random.choice(3, n, p=(0.55, 0.3, 0.15))
    return {
        "y": yes_no(random.random(n) < np.array([0.1, 0.45, 0.9])[level]),
        "p": np.array([0.2, 0.5, 0.8])[level],
    }


def answers(names: str, shares: tuple[float, ...], right: float, near: float) -> Any:
    """Labels, which a system gets right with a chance, or takes for the next one, or guesses."""
    of, letters = len(shares), np.array(list(names))

    def draw(random: Random, n: int) -> Table:
        truth, chance = random.choice(of, n, p=shares), random.random(n)
        other = np.where(chance < right + near, (truth + 1) % of, random.choice(of, n, p=shares))
        return {"y": letters[truth], "m": letters[np.where(chance < right, truth, other)]}

    return draw


def case_control(random: Random, n: int) -> Table:
    """Half positives in a sample of a population with 8 %; Student's scores."""
    yes = random.random(n) < (0.08 if n >= WHOLE else 0.5)
    score = expit(np.where(yes, 0.4, -2.2) + 1.1 * random.standard_t(6, n))
    table = {"y": yes_no(yes), "p": np.clip(score, 1e-4, 1 - 1e-4)}
    return table if n >= WHOLE else table | {"w": np.where(yes, 0.16, 1.84)}


def by_uncertainty(random: Random, n: int) -> Table:
    """Rows near .5 are drawn more often; weights are one over the chance, of any size from 1 to 10."""
    count = n if n >= WHOLE else 8 * n
    logit = 1.8 * random.standard_normal(count)
    table = {"y": yes_no(random.random(count) < expit(0.7 * logit)), "p": expit(logit)}
    if n >= WHOLE:
        return table
    chance = np.maximum(4 * table["p"] * (1 - table["p"]), 0.1)
    rows = np.flatnonzero(random.random(count) < chance)[:n]
    return {name: column[rows] for name, column in table.items()} | {"w": 1 / chance[rows]}


def one_label_each(random: Random, n: int) -> Table:
    """Documents of one to thirty passages, all with the label of their document."""
    of = clusters_of(random, n, 6)
    yes, ease = (random.random(n) < 0.35)[of], random.normal(1.0, 0.8, n)[of]
    return {"y": yes_no(yes), "p": expit(np.where(yes, 1.0, -1.0) * ease + random.standard_normal(len(of))), "c": of}


def speakers(random: Random, n: int) -> Table:
    """Rows of speakers who differ in how often they say it and how well they are understood; four labels."""
    of = clusters_of(random, n, 12)
    shares = random.dirichlet((2.0, 1.5, 1.0, 0.5), n).cumsum(1)[of]
    truth = np.minimum((shares < random.random(len(of))[:, None]).sum(1), 3)
    said = np.where(random.random(len(of)) < random.beta(6, 1.5, n)[of], truth, random.integers(0, 4, len(of)))
    letters = np.array(list("kelm"))
    return {"y": letters[truth], "m": letters[said], "c": of}


def four_scores(random: Random, n: int) -> Table:
    """Four labels, one of them 5 %, with overconfident scores that add to one."""
    logit = random.standard_normal((n, 4)) * 1.3 + np.array([1.0, 0.6, 0.0, -1.6])
    likely, said = (np.exp(k * logit) / np.exp(k * logit).sum(1, keepdims=True) for k in (1.0, 2.2))
    place = np.minimum((likely.cumsum(1) < random.random(n)[:, None]).sum(1), 3)
    return {"y": np.array(list("abcd"))[place]} | {f"p{k}": said[:, j] for j, k in enumerate("abcd")}


def parts(share: float) -> Any:
    """Scores of rows of which a share belongs to a part that is harder and has more positives."""

    def draw(random: Random, n: int) -> Table:
        few = random.random(n) < share
        yes = random.random(n) < np.where(few, 0.5, 0.25)
        logit = np.where(yes, 1.0, -1.0) * np.where(few, 0.9, 1.5) + random.logistic(size=n) * 0.8
        return {"y": yes_no(yes), "p": expit(logit), "g": np.where(few, "few", "most")}

    return draw


def tied_thresholds(random: Random, n: int) -> Table:
    """Scores in hundredths; 30 % positives of which one in six looks like a negative."""
    yes = random.random(n) < 0.3
    seen = yes & (random.random(n) > 1 / 6)
    return {
        "y": yes_no(yes),
        "p": np.clip(np.round(random.beta(np.where(seen, 4, 1.5), np.where(seen, 2, 4)), 2), 0.01, 0.99),
    }


def planned(random: Random, n: int) -> Table:
    """Five raters, two of them for each item, by turns; three labels of 85, 10 and 5 %."""
    truth = random.choice(3, n, p=(0.85, 0.1, 0.05))
    right = random.random((n, 5)) < np.array([0.95, 0.92, 0.9, 0.85, 0.8])
    said = np.where(right, truth[:, None], random.choice(3, (n, 5), p=(0.6, 0.25, 0.15)))
    words = np.array(["none", "mild", "bad"], dtype=object)[said]
    turn = np.arange(n)[:, None] % 5
    words[~np.isin((np.arange(5)[None, :] - turn) % 5, (0, 2))] = None
    return {f"r{k}": words[:, k] for k in range(5)}


def seven_points(random: Random, n: int) -> Table:
    """Three raters on seven points whose ends are rare; the third is cautious."""
    level = random.normal(4.0, 0.9, n)
    pull, wide = (1.0, 1.1, 0.6), (0.6, 0.8, 0.7)
    said = [np.rint(4 + pull[k] * (level - 4) + wide[k] * random.standard_normal(n)) for k in range(3)]
    return {f"r{k}": np.clip(one, 1, 7).astype(int) for k, one in enumerate(said)}


def label_sets(random: Random, n: int) -> Table:
    """Three raters who choose any of four labels, none of them in a fifth of the items; the last label is rare."""
    true = random.random((n, 4)) < np.array([0.4, 0.3, 0.2, 0.05])
    table: Table = {}
    for k, (sees, extra) in enumerate(((0.9, 0.03), (0.8, 0.05), (0.7, 0.02))):
        says = np.where(true, random.random((n, 4)) < sees, random.random((n, 4)) < extra)
        table[f"r{k}"] = ["|".join(c for c, s in zip("uvwz", row, strict=True) if s) or "none" for row in says]
    return table


def careless_spans(random: Random, n: int) -> Table:
    """Texts of thirty tokens with up to three spans of two kinds; one rater misses a third and ends too early."""
    table: Table = {"r0": [], "r1": []}
    for _ in range(n):
        spans = [(10 * k + int(random.integers(0, 4)), "AB"[int(random.random() < 0.3)]) for k in range(3)]
        spans = [one for one in spans if random.random() < 0.6]
        long = [int(random.integers(1, 5)) for _ in spans]
        for name, sees, short in (("r0", 0.92, 0.05), ("r1", 0.67, 0.25)):
            tags = ["O"] * 30
            for (at, kind), length in zip(spans, long, strict=True):
                if random.random() < sees:
                    stop = at + max(1, length - (random.random() < short))
                    tags[at:stop] = [f"B-{kind}"] + [f"I-{kind}"] * (stop - at - 1)
            table[name].append(" ".join(tags))
    return table


def in_documents(random: Random, n: int) -> Table:
    """Two raters on sentences of documents; a document is easy or hard, and mostly about one label."""
    of = clusters_of(random, n, 5)
    topic = random.choice(3, n, p=(0.5, 0.3, 0.2))[of]
    truth = np.where(random.random(len(of)) < 0.5, topic, random.choice(3, len(of)))
    clear = random.beta(5, 1.2, n)[of]
    words = np.array(["pos", "neg", "mix"])
    said = [np.where(random.random(len(of)) < clear, truth, random.choice(3, len(of))) for _ in range(2)]
    return {"r0": words[said[0]], "r1": words[said[1]], "c": of}


def six_on_tenths(random: Random, n: int) -> Table:
    """Six raters, from careful to guessing, on a finding of one in ten; a tenth of the ratings is missing."""
    yes = random.random(n) < 0.1
    sees, raises = np.array([0.95, 0.9, 0.85, 0.7, 0.6, 0.4]), np.array([0.01, 0.01, 0.03, 0.05, 0.1, 0.15])
    said = random.random((n, 6)) < np.where(yes[:, None], sees, raises)
    words = yes_no(said).astype(object)
    words[random.random((n, 6)) < 0.1] = None
    return {f"r{k}": words[:, k] for k in range(6)}


def strict_and_mild(random: Random, n: int) -> Table:
    """Two raters on four grades, one a grade stricter in a third of the items."""
    level = random.choice(4, n, p=(0.15, 0.4, 0.35, 0.1))
    first = np.clip(level + random.choice((-1, 0, 1), n, p=(0.1, 0.8, 0.1)), 0, 3)
    return {"r0": first + 1, "r1": np.clip(level - (random.random(n) < 1 / 3), 0, 3) + 1}


def few_again(random: Random, n: int) -> Table:
    """One to six points with Student's errors; thirty of the responses have a second rating."""
    level = random.normal(3.4, 1.0, n)
    first, second = (np.clip(np.rint(level + 0.45 * random.standard_t(5, n)), 1, 6) for _ in range(2))
    second = second if n >= WHOLE else np.where(np.arange(n) < 30, second, np.nan)
    return {"h1": first, "h2": second, "e": 3.4 + 0.9 * (level - 3.4) + 0.45 * random.standard_normal(n)}


def two_tasks(random: Random, n: int) -> Table:
    """Candidates who write two to four essays each, on one to six points; a quarter is rated again."""
    sizes = np.ones(n, dtype=int) if n >= WHOLE else random.integers(2, 5, n)
    of = np.repeat(np.arange(n), sizes)
    level = random.normal(3.5, 0.9, n)[of] + 0.5 * random.standard_normal(len(of))
    first, second = (np.clip(np.rint(level + 0.5 * random.standard_normal(len(of))), 1, 6) for _ in range(2))
    second = np.where(random.random(len(of)) < 0.25, second, np.nan)
    machine = level + 0.25 * random.standard_normal(n)[of] + 0.4 * random.standard_normal(len(of))
    return {"h1": first, "h2": second, "e": machine, "c": of}


def cautious_machine(random: Random, n: int) -> Table:
    """One to four points, mostly 2 and 3; a system that keeps to the middle."""
    level = random.normal(2.4, 0.7, n)
    first, second = (np.clip(np.rint(level + 0.4 * random.standard_normal(n)), 1, 4) for _ in range(2))
    return {"h1": first, "h2": second, "e": 2.5 + 0.55 * (level - 2.4) + 0.2 * random.standard_normal(n)}


def learners(random: Random, n: int) -> Table:
    """Two groups of test takers: a fifth, weaker by half a point, and scored lower by a sixth of a point."""
    small = random.random(n) < 0.2
    level = random.normal(3.6, 1.0, n) - 0.5 * small
    first, second = (np.clip(np.rint(level + 0.5 * random.standard_normal(n)), 1, 6) for _ in range(2))
    return {
        "h1": first,
        "h2": second,
        "e": level - small / 6 + 0.5 * random.standard_normal(n),
        "g": np.where(small, "few", "most"),
    }


def graded_lists(random: Random, n: int) -> Table:
    """Ten to forty items; few relevant ones, in some queries very many; grades 0, 1, 2; a weak system."""
    sizes = random.integers(10, 41, n)
    query = np.repeat(np.arange(n), sizes)
    rich = random.beta(0.8, 6.0, n)[query]
    grade = (random.random(len(query)) < rich) * (1 + (random.random(len(query)) < 0.3))
    ease = random.gamma(2.0, 0.35, n)[query]
    return {"q": query, "rel": grade, "m": ease * grade + random.standard_normal(len(query))}


def ties_by_annotator(random: Random, n: int) -> Table:
    """Prompts with one to five pairs; a trait says tie in half of the cases for half of the prompts, else seldom."""
    sizes = np.ones(n, dtype=int) if n >= WHOLE // 5 else random.integers(1, 6, n)
    of = np.repeat(np.arange(n), sizes)
    lean = expit(random.normal(0.3, 0.9, n))[of]
    first = random.random(len(of)) < lean
    same = random.random(len(of)) < random.beta(6, 3, n)[of]
    vote = np.where(first == same, "a", "b").astype(object)
    strict = (random.random(n) < 0.5)[of]
    vote[random.random(len(of)) < np.where(strict, 0.5, 0.08)] = "tie"
    return {"preferred_text": np.where(first, "a", "b"), "kind": vote, "prompt": [f"p{one}" for one in of]}


def lenient_judge(random: Random, n: int) -> Table:
    """People give 0 to 10 on one row in seven; a judge gives two points more and hardly uses the low half."""
    quality = 10 * random.beta(2.5, 1.5, n)
    people = np.clip(np.rint(quality + 1.3 * random.standard_normal(n)), 0, 10)
    judge = np.clip(np.rint(0.6 * quality + 4.5 + 0.9 * random.standard_normal(n)), 0, 10)
    return {"h": people if n >= WHOLE else np.where(random.random(n) < 1 / 7, people, np.nan), "j": judge}


def sloppy_judge(random: Random, n: int) -> Table:
    """People say of one row in eight whether it is harmful (7 % are); a judge raises twice as many."""
    yes = random.random(n) < 0.07
    judge = random.random(n) < np.where(yes, 0.75, 0.08)
    seen = (random.random(n) < 1 / 8) | (n >= WHOLE)
    return {"h": np.where(seen, yes * 1.0, np.nan), "j": judge * 1.0}


def machines(spread: float) -> Any:
    """Machines watched for unequal times, whose failure rates are gamma distributed (0: all alike), mean 1 in 120."""

    def draw(random: Random, n: int) -> Table:
        rate = random.gamma(1 / spread, spread, n) if spread else np.ones(n)
        hours = random.uniform(50, 250, n)
        return {"hours": hours, "f": random.poisson(rate * hours / 120)}

    return draw


def _money(random: Random, score: Any, arm: Any) -> Any:
    return (random.random(len(score)) < 0.25 + 0.25 * score * arm) * random.gamma(1.5, 20.0, len(score))


def _visits(random: Random, score: Any, arm: Any) -> Any:
    return (random.random(len(score)) < 0.15 + 0.2 * np.clip(score, 0, 1) ** 2 * arm) * 1


def _labels(name: str, n: int, draw: Any, metrics: tuple[str, ...], level: str = "all") -> Design:
    roles: dict[str, Any] = {"reference": "y", "prediction": "m", "cluster": "c"}
    return Design("classification", name, n, draw, metrics, roles, many=MANY, level=level)


def _parts(name: str, n: int, share: float) -> Design:
    roles = {"reference": "y", "score": "p", "positive": "yes", "slices": ["g"]}
    metrics = ("accuracy", "f_score", "cohen_kappa", "roc_auc", "brier_score", "recall")
    return Design("classification", name, n, parts(share), metrics, roles, many=MANY, level="g = few")


def _raters(name: str, n: int, draw: Any, raters: int, metrics: tuple[str, ...], **settings: Any) -> Design:
    roles = {"raters": [f"r{k}" for k in range(raters)], "ok": "C1"} | settings
    many = 6_000 if settings.get("measurement") in ("spans", "sets") else MANY
    return Design("agreement", name, n, draw, metrics, roles, many=many)


_EIGHT = answers("abcdefgh", (0.32, 0.22, 0.16, 0.11, 0.08, 0.05, 0.04, 0.02), 0.72, 0.14)
_RARE = answers("nrx", (0.9, 0.08, 0.02), 0.93, 0.03)
_FIVE = answers("vwxyz", (0.3, 0.25, 0.2, 0.15, 0.1), 0.05, 0.0)
_SCORES_OF_FOUR = (
    "roc_auc(average=macro)",
    "average_precision(average=macro)",
    "f_score(average=macro)",
    "roc_auc [d]",
    "recall [d]",
    "precision [d]",
    "f_score [d]",
    "log_loss",
    "brier_score",
    "calibration_error",
    "accuracy",
)
_FOUR, _SIX = {"min": 1, "max": 4}, {"min": 1, "max": 6}
_GROUP = ("difference_of_standardized_means", "quadratic_weighted_kappa", "correlation")
_LISTS = {"query": "q", "relevance": "rel", "score": "m"}
# Without the scale, AC2 of a sample that misses an end has other weights than that of all items.
_SEVEN: dict[str, Any] = {"measurement": "ordinal", "scale": list(range(1, 8))}
# Exactly: two of three votes that are no ties go with the choice, 29 of 100 are ties; the last by quadrature.
_TIES = dict(zip(VOTES, (0.71 / 3, 1 / 3, 2 / 3, 0.71, 0.563548), strict=True))
_VOTED = {"reference": "preferred_text", "annotators": ["kind"]}
_MACHINES = {"exposure": "hours", "failures": "f"}
FIELD: tuple[Design, ...] = (
    *(classification("pushed to the ends", n, pushed, (*SCORES, *DECISIONS)) for n in (60, 200)),
    *(classification("three levels of confidence", n, three_levels, SCORES) for n in (70, 250)),
    *(_labels("eight intents", n, _EIGHT, (*MACRO, "recall [g]", "f_score [g]")) for n in (120, 300)),
    *(_labels("three labels, 2 % the rarest", n, _RARE, (*MACRO, "recall [r]", "precision [r]")) for n in (100, 400)),
    *(_labels("five labels, near chance", n, _FIVE, LABELS) for n in (60, 200)),
    *(classification("case-control, 8 % of all", n, case_control, (*SCORES, *DECISIONS)) for n in (100, 300)),
    *(classification("drawn by uncertainty", n, by_uncertainty, (*SCORES, *DECISIONS)) for n in (100, 300)),
    *(classification("documents of one label", n, one_label_each, (*SCORES, *DECISIONS)) for n in (50, 150)),
    *(_labels("speakers, four labels", n, speakers, LABELS) for n in (20, 50)),
    *(
        Design(
            "classification",
            "four labels, scores too sure",
            n,
            four_scores,
            _SCORES_OF_FOUR,
            {"reference": "y", "score": {k: f"p{k}" for k in "abcd"}},
            many=MANY,
        )
        for n in (100, 300)
    ),
    _parts("a part of 12", 150, 0.08),
    _parts("a part of 40", 400, 0.1),
    *(classification("operating points, hundredths", n, tied_thresholds, POINTS) for n in (150, 500)),
    *(_raters("two of five raters by turns", n, planned, 5, NOMINAL) for n in (60, 200)),
    *(_raters("seven points, rare ends", n, seven_points, 3, ORDERED, **_SEVEN) for n in (50, 150)),
    *(_raters("label sets", n, label_sets, 3, SETS, measurement="sets") for n in (60, 200)),
    *(_raters("spans, one careless rater", n, careless_spans, 2, SPANS, measurement="spans") for n in (50, 150)),
    *(_raters("documents, two raters", n, in_documents, 2, (*NOMINAL, "cohen_kappa"), cluster="c") for n in (50, 120)),
    *(_raters("six raters, a finding of 10 %", n, six_on_tenths, 6, NOMINAL) for n in (60, 200)),
    *(
        _raters(
            "four grades, one strict",
            n,
            strict_and_mild,
            2,
            ("cohen_kappa", "cohen_kappa(weighting=quadratic)", *ORDERED[:2]),
            measurement="ordinal",
        )
        for n in (50, 150)
    ),
    *(scoring("30 rated again, Student's errors", n, few_again, OF_SCORES, _SIX) for n in (120, 300)),
    *(scoring("two to four essays each", n, two_tasks, OF_SCORES, _SIX) for n in (50, 120)),
    *(scoring("a system that keeps to the middle", n, cautious_machine, OF_SCORES, _FOUR) for n in (60, 200)),
    *(
        Design(
            "scoring",
            "a fifth, scored low",
            n,
            learners,
            _GROUP,
            {"raters": ["h1", "h2"], "prediction": "e", "slices": ["g"], "zeros": "keep"} | _SIX,
            level="g = few",
        )
        for n in (100, 250)
    ),
    *(Design("ranking", "graded, a weak system", n, graded_lists, CUT_OFF, _LISTS, many=10_000) for n in (50, 200)),
    *(Design("preference", "ties at two rates", n, ties_by_annotator, VOTES, _VOTED, truths=_TIES) for n in (60, 200)),
    replace(judges("a lenient judge of ten points", 500, lenient_judge), metrics=JUDGED[:2]),
    judges("a sloppy judge of 7 %", 800, sloppy_judge),
    uplift("money, a third treated", 300, arms(_money, 1 / 3)),
    uplift("visits, a fifth treated", 400, arms(_visits, 0.2)),
    diagnostic("50 templates, 12 %", 50, suite(0.12, 0.4, 5, 0.6), 0.12),
    *(
        Design(
            "failures", name, n, machines(spread), ("mean_time_between_failures",), _MACHINES,
            truths={"mean_time_between_failures": 120.0},
        )
        for name, spread in (("machines that are alike", 0.0), ("machines that fail unequally", 0.8))
        for n in (60, 150)
    ),
)  # fmt: skip
