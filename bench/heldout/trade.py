"""A twelfth set of designs for bench/coverage_heldout.py (`--set trade`): what three trades would bring to an audit.

An organisation that scores tests, a company that labels, a team that builds systems: clusters whose size goes with how
hard they are, weights of draws in proportion to size, scores in two kinds of tails, a rater who always says the same,
sets that are mostly empty, floors and heaps, spreads and offsets of subgroups, ties of lists, slices of thirty and
forty, and two systems that rank alike or are apart in a subgroup. Written down before any was run; nothing was chosen
on them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bench.heldout.designs import (
    DEGRADED,
    POINTS,
    RANKED,
    SCORED,
    Design,
    Random,
    Table,
    classification,
    expit,
    regression,
    scoring,
    yes_no,
)
from bench.heldout.measured import (
    BOTH,
    ERRORS,
    GROUPS,
    LABELS,
    MANY,
    NOMINAL,
    NUMBERS,
    ORDERED,
    RATED,
    RATINGS,
    SCORES,
    VOTES,
    WHOLE,
)

DECIDED = ("precision", "recall", "balanced_accuracy")
SETS = ("set_alpha", "set_similarity", "same_set_agreement", "macro_label_alpha")


def fraud(random: Random, n: int) -> Table:
    """3 % positives, of which half are plain and half look like Laplace noise; scores in thousandths."""
    yes = random.random(n) < 0.03
    plain = yes & (random.random(n) < 0.5)
    logit = np.where(plain, 3.0, np.where(yes, -0.5, -3.0)) + 0.8 * random.laplace(size=n)
    return {"y": yes_no(yes), "p": np.clip(np.round(expit(logit), 3), 0.001, 0.999)}


def two_kinds_of_tails(random: Random, n: int) -> Table:
    """35 % positives with skewed scores; negatives with Student's of two degrees of freedom."""
    yes = random.random(n) < 0.35
    logit = np.where(yes, 2.5 - random.gamma(1.2, 1.3, n), -1.2 + 0.6 * random.standard_t(2, n))
    return {"y": yes_no(yes), "p": expit(np.clip(logit, -7, 7))}


def _hard_when_large(random: Random, n: int, most: int = 40) -> tuple[Any, Any]:
    """Which of n documents each row is of, and how plain it is: long documents are hard."""
    plain = random.gamma(4.0, 0.25, n)
    sizes = np.minimum(1 + random.poisson(4 / (0.3 + plain)), most)
    of = np.repeat(np.arange(n), sizes)
    return of, plain[of]


def long_documents(random: Random, n: int) -> Table:
    """Documents whose sentences are the harder the more there are."""
    of, plain = _hard_when_large(random, n)
    yes = random.random(len(of)) < 0.3
    logit = np.where(yes, 1.6, -1.6) * plain + random.standard_normal(len(of))
    return {"y": yes_no(yes), "p": expit(logit), "c": of}


def _in_proportion(random: Random, n: int, table: Table, size: Any) -> Table:
    """n rows drawn with chances in proportion to their size, which weigh as much less."""
    if n >= WHOLE:
        return table
    rows = random.choice(len(size), n, p=size / size.sum())
    return {name: column[rows] for name, column in table.items()} | {"w": size.mean() / size[rows]}


def by_exposure(random: Random, n: int) -> Table:
    """Rows drawn by how often they are seen, lognormal; what is seen often is easier."""
    count = n if n >= WHOLE else 2_000
    seen = np.exp(0.7 * random.standard_normal(count))
    yes = random.random(count) < 0.4
    logit = np.where(yes, 1.0, -1.0) * (0.9 + 0.5 * np.log(seen)) + random.standard_normal(count)
    return _in_proportion(random, n, {"y": yes_no(yes), "p": expit(logit)}, seen)


def four_confidences(random: Random, n: int) -> Table:
    """Four labels of .5 to .06 with a score each, drawn about the truth by Dirichlet, too flat for the rare ones."""
    truth = random.choice(4, n, p=(0.5, 0.28, 0.16, 0.06))
    said = random.gamma(0.7 + np.eye(4)[truth] * np.array([4.0, 3.0, 2.0, 1.5])[truth][:, None])
    said = (said + 1e-3) / (said + 1e-3).sum(1, keepdims=True)
    return {"y": np.array(list("abcd"))[truth]} | {f"p {c}": said[:, k] for k, c in enumerate("abcd")}


def slice_of_forty(random: Random, n: int) -> Table:
    """One row in ten is of another market: more positives, less plain scores."""
    few = random.random(n) < 0.1
    yes = random.random(n) < np.where(few, 0.55, 0.25)
    logit = np.where(yes, 1.0, -1.2) * np.where(few, 0.7, 1.6) + 0.6 * random.logistic(size=n)
    return {"y": yes_no(yes), "p": expit(logit), "g": np.where(few, "few", "most")}


def one_of_few_words(random: Random, n: int) -> Table:
    """Two to five of five raters label an item; one of them says the commonest label whatever it is."""
    letters, truth = np.array(list("abcd"), dtype=object), random.choice(4, n, p=(0.55, 0.25, 0.12, 0.08))
    plain = random.beta(7, 1.5, n)[:, None]
    said = np.where(random.random((n, 5)) < plain, truth[:, None], random.integers(0, 4, (n, 5)))
    said[:, 4] = 0
    words = letters[said]
    words[random.random((n, 5)).argsort(1) >= random.integers(2, 6, n)[:, None]] = None
    return {f"r{k}": words[:, k] for k in range(5)}


def at_the_floor(random: Random, n: int) -> Table:
    """Three raters of five grades, of which six in ten items have the lowest; the third is at times one too high."""
    level = np.where(random.random(n) < 0.6, 1.0, 1 + random.gamma(2.0, 0.9, n))
    said = [np.clip(np.rint(level + 0.5 * random.standard_normal(n)), 1, 5) for _ in range(3)]
    said[2] = np.minimum(said[2] + (random.random(n) < 0.15), 5)
    return {f"r{k}": one.astype(int) for k, one in enumerate(said)}


def mostly_empty(random: Random, n: int) -> Table:
    """Two raters of six tags with Zipf's shares; half of the items have none."""
    any_tag = random.random(n)[:, None] < 0.5
    true = any_tag & (random.random((n, 6)) < 0.8 / np.arange(1, 7))
    table: Table = {}
    for k, (keeps, adds) in enumerate(((0.85, 0.02), (0.75, 0.01))):
        says = random.random((n, 6)) < np.where(true, keeps, adds)
        table[f"r{k}"] = ["|".join(c for c, s in zip("abcdef", row, strict=True) if s) or "none" for row in says]
    return table


def spread_by_level(random: Random, n: int) -> Table:
    """Lognormal amounts; errors in proportion with Student's tails, and one in six is nothing for both."""
    level = np.where(random.random(n) < 1 / 6, 0.0, np.exp(1 + 0.6 * random.standard_normal(n)))
    return {name: level * (1 + 0.12 * random.standard_t(4, n)) for name in ("a", "b")}


def long_threads(random: Random, n: int) -> Table:
    """Two raters of three labels in threads that are the harder the longer they are."""
    of, plain = _hard_when_large(random, n, 25)
    letters, truth = np.array(list("abc")), random.choice(3, len(of), p=(0.6, 0.3, 0.1))
    sees = 1 - 0.6 * np.exp(-1.5 * plain)
    said = [np.where(random.random(len(of)) < sees, truth, random.integers(0, 3, len(of))) for _ in range(2)]
    return {"r0": letters[said[0]], "r1": letters[said[1]], "c": of}


def spreads_of_their_own(random: Random, n: int) -> Table:
    """Three raters with spreads of their own give points in halves; one is strict."""
    level = 5 + 1.5 * random.logistic(size=n)
    said = level[:, None] + random.standard_normal((n, 3)) * (0.5, 0.8, 1.4) + (0.0, 0.3, -0.4)
    return {f"r{k}": np.round(2 * said[:, k]) / 2 for k in range(3)}


def both_ends(random: Random, n: int) -> Table:
    """0 to 3 points, mostly 0 or 3; a quarter has a second rating; a system with uniform errors."""
    level = 3 * random.beta(0.6, 0.5, n)
    first, second = (np.clip(np.rint(level + 0.4 * random.standard_normal(n)), 0, 3) for _ in range(2))
    again = (random.random(n) < 0.25) | (n >= WHOLE)
    return {"h1": first, "h2": np.where(again, second, np.nan), "e": level + random.uniform(-0.8, 0.8, n)}


def able_answer_more(random: Random, n: int) -> Table:
    """Candidates who answer the more questions the abler they are; 1 to 5 points, the system kind to some of them."""
    able = random.standard_normal(n)
    of = np.repeat(np.arange(n), 1 + random.poisson(np.exp(0.6 + 0.5 * able)))
    level = 2.8 + able[of] + 0.5 * random.standard_normal(len(of))
    first, second = (np.clip(np.rint(level + 0.5 * random.logistic(size=len(of))), 1, 5) for _ in range(2))
    kind = (0.4 * random.standard_normal(n))[of]
    return {"h1": first, "h2": second, "e": level + kind + 0.4 * random.standard_normal(len(of)), "c": of}


def second_language(random: Random, n: int) -> Table:
    """Test takers of whom one in seven writes in a second language: scored with twice the spread, a tenth higher."""
    few = random.random(n) < 1 / 7
    level = np.where(few, 2.8 + 0.7 * random.standard_normal(n), 3.6 + 1.1 * random.standard_normal(n))
    first, second = (np.clip(np.rint(level + 0.5 * random.standard_normal(n)), 1, 6) for _ in range(2))
    machine = level + 0.1 * few + np.where(few, 0.8, 0.4) * random.standard_normal(n)
    return {"h1": first, "h2": second, "e": machine, "g": np.where(few, "few", "most")}


def off_in_a_part(random: Random, n: int) -> Table:
    """15 % of rows are off by two and three times as widely."""
    part = random.random(n) < 0.15
    prediction = random.gamma(5.0, 1.0, n)
    return {"y": prediction + np.where(part, 2 + 1.8 * random.standard_normal(n), 0.6 * random.standard_normal(n)),
            "m": prediction}  # fmt: skip


def busy_sites(random: Random, n: int) -> Table:
    """Sites that are the further off the more rows they have."""
    of, plain = _hard_when_large(random, n)
    prediction = 3 * random.standard_normal(n)[of] + random.standard_normal(len(of))
    wrong = 0.5 * random.standard_normal(n)[of]
    return {"y": prediction + wrong + random.logistic(size=len(of)) * 0.5 / (0.3 + plain), "m": prediction, "c": of}


def mostly_one_answer(random: Random, n: int) -> Table:
    """Six in ten predictions are the same number; references are gamma."""
    level = random.gamma(1.5, 2.0, n)
    return {"y": level, "m": np.where(random.random(n) < 0.6, 2.5, np.round(0.5 * level + random.exponential(1.0, n)))}


def by_amount(random: Random, n: int) -> Table:
    """Amounts drawn in proportion to themselves, missed by a part of them."""
    count = n if n >= WHOLE else 2_000
    amount = random.gamma(2.5, 4.0, count) + 0.5
    table = {"y": amount, "m": amount * (1.05 + 0.15 * random.standard_normal(count)) + 0.3}
    return _in_proportion(random, n, table, amount)


def tied_lists(random: Random, n: int) -> Table:
    """3 to 40 documents a query; scores in tenths, so that many tie; queries are easy or hard."""
    query = np.repeat(np.arange(n), random.integers(3, 41, n))
    relevant = (random.random(len(query)) < random.beta(1.5, 6, n)[query]) * 1
    ease = random.exponential(1.2, n)[query]
    return {"q": query, "rel": relevant, "m": np.round(expit(ease * relevant + random.standard_normal(len(query))), 1)}


def two_of_lists(random: Random, n: int) -> Table:
    """Ten documents in four grades; the second system sees the best ones better, and noise of its own."""
    grade = random.choice(4, (n, 10), p=(0.65, 0.2, 0.1, 0.05))
    common = random.standard_normal(grade.shape)
    one = 0.8 * grade + common + 0.5 * random.standard_normal(grade.shape)
    two = 0.7 * grade + 0.8 * (grade == 3) + common + 0.5 * random.standard_normal(grade.shape)
    return {"q": np.repeat(np.arange(n), 10), "rel": grade.reshape(-1), "m": one.reshape(-1), "s": two.reshape(-1)}


def often_a_tie(random: Random, n: int) -> Table:
    """A trait that goes with the choice in three of five pairs; pairs of a tie are one in three."""
    first = random.random(n) < 0.6
    vote = np.where(first == (random.random(n) < 0.6), "a", "b").astype(object)
    vote[random.random(n) < 1 / 3] = "tie"
    return {"preferred_text": np.where(first, "a", "b"), "kind": vote}


def two_on_documents(random: Random, n: int) -> Table:
    """Two systems on documents that are the harder the longer; the second is better on the hard ones."""
    of, plain = _hard_when_large(random, n)
    letters, truth = np.array(list("abc")), random.choice(3, len(of), p=(0.55, 0.3, 0.15))
    luck = random.random(len(of))
    chance = 1 - 0.7 * np.exp(-1.5 * plain)
    wrong = (truth + random.integers(1, 3, len(of))) % 3
    better = np.clip(chance + 0.15 * (plain < 0.6), 0, 1)
    answers = {name: letters[np.where(luck < c, truth, wrong)] for name, c in (("m", chance), ("s", better))}
    return {"y": letters[truth], "c": of} | answers


def ranked_alike(random: Random, n: int) -> Table:
    """Two scores that rank alike, the second of which is too sure of itself."""
    yes = random.random(n) < 0.2
    logit = np.where(yes, 0.6, -1.8) + random.standard_normal(n)
    return {"y": yes_no(yes), "p": expit(logit), "s": np.clip(expit(2 * logit + 0.4), 1e-6, 1 - 1e-6)}


def apart_in_a_part(random: Random, n: int) -> Table:
    """Two systems with Student's errors in common; the second is off by one and a half in a quarter of the rows."""
    y, common = random.gamma(3.0, 2.0, n), 0.5 * random.standard_t(4, n)
    part = random.random(n) < 0.25
    second = common + 0.4 * random.laplace(size=n) + 1.5 * part
    return {"y": y, "m": y + common + 0.4 * random.laplace(size=n), "s": y + second}


def two_engines(random: Random, n: int) -> Table:
    """Two engines for six points; the second never gives the ends; half of the essays have a second rating."""
    level = 3.4 + 1.2 * random.standard_normal(n)
    first, second = (np.clip(np.rint(level + 0.55 * random.standard_normal(n)), 1, 6) for _ in range(2))
    engine, luck = level + 0.5 * random.standard_normal(n), 0.3 * random.standard_normal(n)
    again = (random.random(n) < 0.5) | (n >= WHOLE)
    return {"h1": first, "h2": np.where(again, second, np.nan), "e": engine, "s": np.clip(engine + luck, 2.4, 4.6)}


def _raters(name: str, n: int, draw: Any, raters: int, metrics: tuple[str, ...], **more: Any) -> Design:
    many = 6_000 if more.get("measurement") == "sets" else WHOLE
    return Design(
        "agreement", name, n, draw, metrics, {"raters": [f"r{k}" for k in range(raters)]} | more, many=many
    )  # fmt: skip


def _two(task: str, name: str, n: int, draw: Any, metrics: tuple[str, ...], **roles: Any) -> Design:
    system = "s · raw_trim" if task == "scoring" else "s"
    return Design(task, name, n, draw, metrics, {"cluster": "c"} | roles, system=system, difference=True, many=WHOLE)


_LISTS = {"query": "q", "relevance": "rel"}
_ANSWERS = {"reference": "y", "prediction": ["m", "s"]}
_FOUR = tuple(f"{m}(average=macro)" for m in ("roc_auc", "average_precision", "f_score", "recall", "precision"))
TRADE: tuple[Design, ...] = (
    regression("a part off by two", 80, off_in_a_part, NUMBERS),
    regression("mostly one answer", 100, mostly_one_answer, NUMBERS),
    replace(regression("busy sites are further off", 60, busy_sites, NUMBERS), many=WHOLE),
    Design(
        "regression", "amounts drawn by amount", 120, by_amount, NUMBERS,
        {"reference": "y", "prediction": "m", "weight": "w"}, many=MANY,
    ),
    _two("regression", "two, apart in a part", 100, apart_in_a_part, ERRORS, **_ANSWERS),
    Design(
        "agreement", "spread by the level", 70, spread_by_level, RATED,
        {"raters": ["a", "b"], "measurement": "interval", "ok": "C1"}, many=MANY,
    ),
    _raters("spreads of their own", 60, spreads_of_their_own, 3, RATINGS, measurement="interval", ok="C1"),
    _raters("one says the same", 70, one_of_few_words, 5, NOMINAL),
    _raters("grades at the floor", 60, at_the_floor, 3, ORDERED, measurement="ordinal", scale=[1, 2, 3, 4, 5]),
    _raters("sets, mostly empty", 80, mostly_empty, 2, (*SETS, "label_alpha [c]"), measurement="sets"),
    _raters("long threads are hard", 60, long_threads, 2, (*NOMINAL, "cohen_kappa"), cluster="c"),
    classification("fraud of 3 %", 400, fraud, (*SCORES, *DECIDED)),
    classification("two kinds of tails", 60, two_kinds_of_tails, (*SCORES, *DECIDED)),
    classification("two kinds of tails, points", 200, two_kinds_of_tails, POINTS),
    replace(classification("long documents are hard", 60, long_documents, (*SCORES, *DECIDED)), many=WHOLE),
    replace(classification("drawn by exposure", 150, by_exposure, (*SCORES, *DECIDED)), many=MANY),
    Design(
        "classification", "four confidences", 120, four_confidences, (*_FOUR, *LABELS[3:], "log_loss", "recall [d]"),
        {"reference": "y", "score": {c: f"p {c}" for c in "abcd"}},
    ),
    Design(
        "classification", "a slice of forty", 400, slice_of_forty, SCORES,
        {"reference": "y", "score": "p", "positive": "yes", "slices": ["g"]}, many=MANY, level="g = few",
    ),
    _two("classification", "two, long documents", 60, two_on_documents, LABELS, **_ANSWERS),
    _two(
        "classification", "two that rank alike", 120, ranked_alike, (*BOTH, "average_precision"), reference="y",
        score=["p", "s"], positive="yes",
    ),
    scoring("points at both ends", 120, both_ends, (*SCORED, *DEGRADED), {"min": 0, "max": 3}),
    replace(scoring("the able answer more", 60, able_answer_more, SCORED, {"min": 1, "max": 5}), many=WHOLE),
    Design(
        "scoring", "a second language", 300, second_language, GROUPS,
        {"raters": ["h1", "h2"], "prediction": "e", "slices": ["g"], "zeros": "keep", "min": 1, "max": 6},
        many=WHOLE, level="g = few",
    ),
    _two(
        "scoring", "two engines, one without ends", 100, two_engines, SCORED[:4], raters=["h1", "h2"],
        prediction=["e", "s"], zeros="keep", min=1, max=6,
    ),
    Design("ranking", "tied scores, 3 to 40", 60, tied_lists, RANKED, _LISTS | {"score": "m"}, many=20_000),
    replace(_two("ranking", "two, the best seen better", 80, two_of_lists, RANKED[:2]),
            roles=_LISTS | {"score": ["m", "s"]}, many=20_000),
    Design(
        "preference", "a third are ties", 80, often_a_tie, VOTES,
        {"reference": "preferred_text", "annotators": ["kind"]}, many=MANY,
    ),
)  # fmt: skip
