"""A fourteenth set of designs for bench/coverage_heldout.py (`--set unequal`): units that count for unlike much.

Agents with two to hundreds of calls, weights whose logarithm is normal and which go with how hard a row is, twenty
labels with Zipf's shares, 24 clusters, a label of 3 % in families of rows, a slice of seventy of weighted rows, amounts
with inverse Gaussian tails, sites whose errors are skewed, raters who use the ends of a scale, texts of very unequal
length, essays of few people, sessions of queries, a judge of 1,500 rows, templates with lognormal counts; n from 50 to
2,000. Written down before any was run; nothing was chosen on them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bench.heldout.designs import (
    CHOSEN,
    DEGRADED,
    SCORED,
    Design,
    Random,
    Table,
    classification,
    diagnostic,
    expit,
    judges,
    regression,
    scoring,
    suite,
    yes_no,
)
from bench.heldout.measured import (
    BOTH,
    CUT_OFF,
    ERRORS,
    GROUPS,
    LABELS,
    MANY,
    NOMINAL,
    NUMBERS,
    RATED,
    SCORES,
    SETS,
    SPANS,
    WHOLE,
)

DECIDED = ("precision", "recall", "specificity", "balanced_accuracy")
TWENTY = np.array([f"i{k:02}" for k in range(20)])
_ZIPF = 1 / np.arange(1, 21) ** 1.1


def agents(random: Random, n: int) -> Table:
    """Calls of n agents, lognormal with a factor of ten between common ones; each has a share of yes and a skill."""
    calls = np.clip(np.rint(np.exp(1.8 + 1.1 * random.standard_normal(n))), 1, 150).astype(int)
    of = np.repeat(np.arange(n), calls)
    yes = random.random(len(of)) < random.beta(1.5, 8.5, n)[of]
    skill = random.gamma(6.0, 0.2, n)[of]
    return {"y": yes_no(yes), "p": expit(np.where(yes, 1.3, -1.6) * skill + random.logistic(0, 0.7, len(of))), "c": of}


def thirty_in_2000(random: Random, n: int) -> Table:
    """1.5 % positives with beta scores that are too small for half of them."""
    yes = random.random(n) < 0.015
    seen = random.random(n) < 0.5
    score = np.where(yes, np.where(seen, random.beta(6, 2, n), random.beta(1.2, 4, n)), random.beta(0.5, 9, n))
    return {"y": yes_no(yes), "p": np.clip(score, 1e-4, 1 - 1e-4)}


def twenty_intents(random: Random, n: int) -> Table:
    """Twenty labels with Zipf's shares; two systems, of which the second takes rare ones for common ones less often."""
    share = _ZIPF / _ZIPF.sum()
    truth = random.choice(20, n, p=share)
    luck, guess = random.random(n), random.choice(20, n, p=share)
    said = {}
    for name, skill in (("m", 0.9 - 0.3 * (truth > 9)), ("s", 0.88 - 0.1 * (truth > 9))):
        said[name] = TWENTY[np.where((0.7 * luck + 0.3 * random.random(n)) < skill, truth, guess)]
    return {"y": TWENTY[truth]} | said


def raked(random: Random, n: int) -> Table:
    """Rows whose weights are lognormal; heavy ones are harder, and less often yes."""
    if n >= WHOLE:
        weight = np.exp(0.8 * random.standard_normal(n))
    else:  # what is drawn with chances of one over the weight has a logarithm that is lower by the variance
        weight = np.exp(0.8 * random.standard_normal(n) - 0.64)
    level = np.log(weight)
    yes = random.random(n) < expit(-0.3 - 0.5 * level)
    logit = np.where(yes, 1.3, -1.1) * np.exp(-0.4 * level) + random.standard_normal(n)
    return {"y": yes_no(yes), "p": expit(logit), "w": weight}


def two_dozen(random: Random, n: int) -> Table:
    """n clinics with ten to sixty patients, as many yes as a clinic's severity makes, scores that do not know it."""
    of = np.repeat(np.arange(n), random.integers(10, 61, n))
    severe = 0.6 * random.standard_t(6, n)[of]
    logit = 1.4 * random.standard_normal(len(of)) - 0.5
    return {"y": yes_no(random.random(len(of)) < expit(logit + severe)), "p": expit(logit), "c": of}


def families(random: Random, n: int) -> Table:
    """Families of one to nine rows that mostly share one of four labels, the rarest 3 %, with a score for each."""
    of = np.repeat(np.arange(n), 1 + random.binomial(8, 0.25, n))
    shares = np.array([0.55, 0.27, 0.15, 0.03])
    truth = np.where(
        random.random(len(of)) < 0.6, random.choice(4, n, p=shares)[of], random.choice(4, len(of), p=shares)
    )
    logit = np.log(shares) + 1.8 * np.eye(4)[truth] + 0.8 * random.gumbel(size=(len(of), 4))
    said = np.exp(logit) / np.exp(logit).sum(1, keepdims=True)
    return {"y": np.array(list("abcd"))[truth], "c": of} | {f"p {c}": said[:, k] for k, c in enumerate("abcd")}


def weighted_part(random: Random, n: int) -> Table:
    """A market of one row in ten, with weights of one to four that go with the score."""
    drawn = n if n >= WHOLE else 5 * n
    few = random.random(drawn) < 0.1
    yes = random.random(drawn) < np.where(few, 0.35, 0.2)
    score = expit(np.where(yes, 1.2, -1.3) * np.where(few, 0.8, 1.3) + 0.7 * random.logistic(size=drawn))
    table = {"y": yes_no(yes), "p": score, "g": np.where(few, "few", "most")}
    if n >= WHOLE:
        return table
    chance = np.select([score > 0.6, score > 0.3], [1.0, 0.5], 0.25)
    rows = np.flatnonzero(random.random(drawn) < chance)[:n]
    return {name: column[rows] for name, column in table.items()} | {"w": 1 / chance[rows]}


def two_for_agents(random: Random, n: int) -> Table:
    """Two scores for calls of agents: half of their noise is an agent's, in common; the second is better on few."""
    calls = 1 + random.negative_binomial(1.0, 0.15, n)
    of = np.repeat(np.arange(n), calls)
    yes = random.random(len(of)) < 0.3
    common = 0.6 * random.standard_normal(n)[of] + 0.6 * random.standard_normal(len(of))
    better = (random.random(n) < 0.3)[of]
    first, second = (0.5 * random.standard_normal(len(of)) for _ in range(2))
    logit = np.where(yes, 1.0, -1.0)
    return {
        "y": yes_no(yes), "p": expit(logit + common + first), "s": expit(logit * (1 + 0.5 * better) + common + second),
        "c": of,
    }  # fmt: skip


def claims(random: Random, n: int) -> Table:
    """Inverse Gaussian amounts, missed by a factor whose logarithm is Laplace, and more where they are large."""
    amount = random.wald(3.0, 3.0, n) + 0.1
    return {"y": amount, "m": amount * np.exp(0.12 * random.laplace(size=n) - 0.05 * np.log(amount))}


def branches(random: Random, n: int) -> Table:
    """Weeks of n branches, two to dozens of each; an offset of a branch, and Gumbel errors that grow with its size."""
    weeks = 2 + random.negative_binomial(0.8, 0.1, n)
    of = np.repeat(np.arange(n), weeks)
    y = 30 + 6 * random.standard_normal(n)[of] + 4 * random.standard_normal(len(of))
    off = 1.2 * (random.gamma(2.0, 1.0, n) - 2)[of]
    return {"y": y, "m": y + off + (1 + 0.03 * weeks[of]) * (random.gumbel(size=len(of)) - 0.5772), "c": of}


def weak_forecast(random: Random, n: int) -> Table:
    """References that follow a forecast weakly, with hyperbolic secant noise."""
    m = random.standard_normal(n)
    return {"y": 0.6 * m + 0.7 * np.log(np.tan(np.pi / 2 * np.clip(random.random(n), 1e-9, 1 - 1e-9))), "m": m}


def raked_numbers(random: Random, n: int) -> Table:
    """Numbers with gamma weights, of which heavy ones are further off to one side."""
    weight = random.gamma(2.0, 0.5, n) + 0.1 if n < WHOLE else np.ones(n)
    if n >= WHOLE:  # of the population, in proportion to the weights
        pool = random.gamma(2.0, 0.5, n) + 0.1
        heavy = random.choice(pool, n, p=pool / pool.sum())
    else:
        heavy = weight
    y = 5 + 2 * random.standard_normal(n)
    return {"y": y, "m": y + 0.4 * heavy * random.exponential(size=n) + 0.5 * random.standard_normal(n), "w": weight}


def one_shrinks(random: Random, n: int) -> Table:
    """Two forecasts of a Gumbel quantity with half of the noise in common; the second keeps to the middle."""
    y, common = 2 * random.gumbel(size=n), random.standard_normal(n)
    first, second = (y + common + random.standard_normal(n) for _ in range(2))
    return {"y": y, "m": first, "s": 0.8 * second + 0.3}


def in_batches(random: Random, n: int) -> Table:
    """Four raters of five labels, the rarest 3 %, in n batches of one to twenty items; a batch is easy or hard."""
    of = np.repeat(np.arange(n), 1 if n >= WHOLE // 2 else np.minimum(1 + random.geometric(0.2, n), 20))
    truth = random.choice(5, len(of), p=(0.45, 0.25, 0.17, 0.1, 0.03))
    sees = random.random((len(of), 4)) < random.beta(5, 1, n)[of][:, None] * np.array([1.0, 0.97, 0.93, 0.85])
    said = np.where(sees, truth[:, None], random.integers(0, 5, (len(of), 4)))
    words = np.array(list("abcde"), dtype=object)[said]
    return {f"r{k}": words[:, k] for k in range(4)} | {"c": of}


def both_ends(random: Random, n: int) -> Table:
    """Three raters of seven points who use the ends most; the third is one lower in a quarter of the items."""
    level = 1 + 6 * random.beta(0.5, 0.7, n)
    said = [level + 0.8 * random.standard_t(7, n) for _ in range(3)]
    said[2] = said[2] - (random.random(n) < 0.25)
    return {f"r{k}": np.clip(np.rint(one), 1, 7).astype(int) for k, one in enumerate(said)}


def factors(random: Random, n: int) -> Table:
    """Three readers of a gamma amount who err by gamma factors; the third reads 4 % more."""
    level = random.gamma(3.0, 8.0, n) + 2
    return {f"r{k}": level * random.gamma(60.0, 1 / 60, n) * (1 + 0.04 * (k == 2)) for k in range(3)}


def rare_tags(random: Random, n: int) -> Table:
    """Two raters of eight tags of .5 to .03, of which an item has more where its subject is rich."""
    rich = random.gamma(2.0, 0.5, n)[:, None]
    true = random.random((n, 8)) < np.clip(np.array([0.4, 0.3, 0.22, 0.16, 0.1, 0.07, 0.05, 0.03]) * rich, 0, 0.95)
    table: Table = {}
    for k, (keeps, adds) in enumerate(((0.88, 0.015), (0.72, 0.03))):
        says = np.where(true, random.random((n, 8)) < keeps, random.random((n, 8)) < adds)
        table[f"r{k}"] = ["|".join(c for c, s in zip("uvwxyzab", row, strict=True) if s) or "none" for row in says]
    return table


def long_and_short_texts(random: Random, n: int) -> Table:
    """Texts of lognormal length with a span in eight words; three raters, the third of whom misses half of them."""
    table: Table = {"r0": [], "r1": [], "r2": []}
    for words in np.clip(np.rint(np.exp(2.9 + 0.8 * random.standard_normal(n))), 4, 150).astype(int):
        starts = np.flatnonzero(random.random(words) < 0.125)
        starts = starts[np.diff(starts, prepend=-9) > 3]
        kinds = random.choice(["A", "B", "C"], len(starts), p=(0.6, 0.3, 0.1))
        for name, keeps in (("r0", 0.9), ("r1", 0.85), ("r2", 0.5)):
            marks = ["O"] * (int(words) + 3)
            for at, kind in zip(starts, kinds, strict=True):
                if random.random() < keeps:
                    long = 1 + (random.random() < 0.6) + (random.random() < 0.3)
                    marks[at : at + long] = [f"B-{kind}"] + [f"I-{kind}"] * (long - 1)
            table[name].append(" ".join(marks))
    return table


def out_of_twelve(random: Random, n: int) -> Table:
    """Points of 0 to 12, skewed to few; two essays in five rated again, by a rater who errs in Laplace amounts."""
    level = 12 * random.beta(1.6, 2.6, n)
    first = np.clip(np.rint(level + 0.9 * random.standard_normal(n)), 0, 12)
    second = np.clip(np.rint(level + 0.8 * random.laplace(size=n)), 0, 12)
    again = (random.random(n) < 0.4) | (n >= WHOLE)
    return {"h1": first, "h2": np.where(again, second, np.nan), "e": level + 0.9 * random.standard_t(4, n)}


def a_tenth(random: Random, n: int) -> Table:
    """One response in ten is of a school that writes less and is scored with more noise, half a point too low."""
    few = random.random(n) < 0.1
    level = np.where(few, 2.8, 3.4) + np.where(few, 0.8, 1.0) * random.standard_normal(n)
    first, second = (np.clip(np.rint(level + 0.5 * random.standard_normal(n)), 1, 5) for _ in range(2))
    machine = level - 0.3 * few + np.where(few, 0.7, 0.4) * random.standard_t(6, n)
    return {"h1": first, "h2": second, "e": machine, "g": np.where(few, "few", "most")}


def two_for_people(random: Random, n: int) -> Table:
    """One to ten answers of a person on five points, two engines of which the second is wider on the weak ones."""
    of = np.repeat(np.arange(n), 1 + random.binomial(9, 0.2, n))
    level = 3 + 0.9 * random.standard_normal(n)[of] + 0.5 * random.standard_normal(len(of))
    first, second = (np.clip(np.rint(level + 0.6 * random.standard_normal(len(of))), 1, 5) for _ in range(2))
    common = 0.4 * random.standard_normal(n)[of] + 0.3 * random.standard_normal(len(of))
    other = level + common + np.where(level < 2.5, 0.6, 0.2) * random.standard_normal(len(of))
    return {
        "h1": first, "h2": second, "e": level + common + 0.25 * random.standard_normal(len(of)), "s": other, "c": of,
    }  # fmt: skip


def sessions(random: Random, n: int) -> Table:
    """Sessions of one to dozens of queries, of 5 to 30 documents in five grades; half of the luck is a session's."""
    session = np.repeat(np.arange(n), 1 if n >= 5_000 else 1 + random.negative_binomial(0.7, 0.15, n))
    sizes = random.integers(5, 31, len(session))
    query = np.repeat(np.arange(len(session)), sizes)
    grade = random.choice(5, len(query), p=(0.62, 0.18, 0.1, 0.06, 0.04))
    ease = (0.5 * random.gamma(2.0, 0.5, n)[session] + 0.5 * random.gamma(2.0, 0.5, len(session)))[query]
    return {"q": query, "rel": grade, "m": ease * grade + random.standard_normal(len(query)), "c": session[query]}


def two_at_the_top(random: Random, n: int) -> Table:
    """Twenty documents of which one to four are relevant; the second puts the first of them up in one query of five."""
    grade = np.zeros((n, 20), dtype=int)
    for row, count in zip(grade, random.integers(1, 5, n), strict=True):
        row[:count] = 1
    one = 0.9 * grade + random.standard_normal(grade.shape)
    two = one + 0.25 * random.standard_normal(grade.shape)
    two[:, 0] += 2.0 * (random.random(n) < 0.2)
    return {"q": np.repeat(np.arange(n), 20), "rel": grade.reshape(-1), "m": one.reshape(-1), "s": two.reshape(-1)}


def few_prompts(random: Random, n: int) -> Table:
    """Pairs of n prompts, geometric counts; Weibull lengths; a prompt leans to its first answer or away from it."""
    prompt = np.repeat(np.arange(n), 1 if n >= 5_000 else np.minimum(random.geometric(0.25, n), 25))
    long = [np.rint(1 + 80 * random.weibull(0.9, len(prompt))).astype(int) for _ in range(2)]
    first = random.random(len(prompt)) < expit(0.9 * random.standard_normal(n)[prompt] + 0.3 * (long[0] > long[1]))
    trait = np.where(random.random(len(prompt)) < 0.2, first, random.random(len(prompt)) < 0.6)
    return {
        "preferred_text": np.where(first, "a", "b"),
        "kind": np.where(trait, "a", "b"),
        "text_a": ["x" * int(one) for one in long[0]],
        "text_b": ["x" * int(one) for one in long[1]],
        "prompt": [f"p{one}" for one in prompt],
    }


def one_in_twelve_labelled(random: Random, n: int) -> Table:
    """People label one row in twelve, more of those that a judge calls bad; a judge is worse on the second half."""
    bad = random.random(n) < 0.12
    judge = random.random(n) < np.where(bad, np.where(np.arange(n) < n / 2, 0.85, 0.6), 0.06)
    seen = (random.random(n) < 1 / 12) | (n >= WHOLE)
    return {"h": np.where(seen, bad * 1.0, np.nan), "j": judge * 1.0}


def _raters(name: str, n: int, draw: Any, raters: int, metrics: tuple[str, ...], **more: Any) -> Design:
    many = 6_000 if more.get("measurement") in ("sets", "spans") else WHOLE
    roles = {"raters": [f"r{k}" for k in range(raters)], "ok": "C1"} | more
    return Design("agreement", name, n, draw, metrics, roles, many=many)


def _two(task: str, name: str, n: int, draw: Any, metrics: tuple[str, ...], **roles: Any) -> Design:
    system = "s · raw_trim" if task == "scoring" else "s"
    return Design(task, name, n, draw, metrics, roles, system=system, difference=True, many=WHOLE)


_ANSWERS = {"reference": "y", "prediction": ["m", "s"]}
_LISTS = {"query": "q", "relevance": "rel"}
_MACRO = ("accuracy", "f_score(average=macro)", "recall(average=macro)", "cohen_kappa", "recall [i05]")
_FOUR = tuple(f"{m}(average=macro)" for m in ("roc_auc", "average_precision", "f_score", "recall"))
UNEQUAL: tuple[Design, ...] = (
    replace(classification("agents of 2 to 150 calls", 90, agents, (*SCORES, *DECIDED)), many=WHOLE),
    classification("1.5 % of 2,000", 2_000, thirty_in_2000, (*SCORES, *DECIDED)),
    Design("classification", "twenty intents", 300, twenty_intents, _MACRO, {"reference": "y", "prediction": "m"}),
    replace(classification("raked weights", 250, raked, (*SCORES, *DECIDED)), many=MANY),
    replace(classification("two dozen clinics", 24, two_dozen, (*SCORES, *DECIDED[:2])), many=WHOLE),
    Design(
        "classification", "families, a label of 3 %", 60, families, (*_FOUR, *LABELS[3:], "log_loss", "recall [d]"),
        {"reference": "y", "score": {c: f"p {c}" for c in "abcd"}, "cluster": "c"}, many=WHOLE,
    ),
    Design(
        "classification", "a slice of seventy, weighted", 700, weighted_part, (*SCORES, *DECIDED[:2]),
        {"reference": "y", "score": "p", "positive": "yes", "weight": "w", "slices": ["g"]}, many=MANY, level="g = few",
    ),
    _two("classification", "two, twenty intents", 200, twenty_intents, LABELS, **_ANSWERS),
    _two("classification", "two, calls of agents", 60, two_for_agents, (*BOTH, "average_precision"), reference="y",
         score=["p", "s"], positive="yes", cluster="c"),
    regression("claims, inverse Gaussian", 500, claims, (*NUMBERS, "mean_absolute_percentage_error")),
    replace(regression("branches, skewed", 45, branches, NUMBERS), many=WHOLE),
    regression("a weak forecast", 50, weak_forecast, NUMBERS),
    replace(regression("heavy ones are off to one side", 120, raked_numbers, NUMBERS), many=MANY,
            roles={"reference": "y", "prediction": "m", "weight": "w"}),
    _two("regression", "two, one shrinks", 70, one_shrinks, ERRORS, **_ANSWERS),
    _raters("batches of one to twenty", 60, in_batches, 4, NOMINAL, cluster="c"),
    _raters("both ends of seven", 75, both_ends, 3,
            ("krippendorff_alpha(measurement=ordinal)", "gwet_ac2", "percent_agreement", "kendall_w"),
            measurement="ordinal", scale=[1, 2, 3, 4, 5, 6, 7]),
    _raters("readers who err by factors", 55, factors, 3,
            ("icc(form=A,1)", "icc(form=C,k)", "interval_alpha", "kendall_w"), measurement="interval"),
    _raters("rare tags, rich subjects", 150, rare_tags, 2, (*SETS[:4], "label_alpha [b]"), measurement="sets"),
    _raters("texts of very unequal length", 70, long_and_short_texts, 3, SPANS, measurement="spans"),
    Design("agreement", "two who err by factors", 50, factors, RATED,
           {"raters": ["r0", "r2"], "measurement": "interval", "ok": "C1"}, many=WHOLE),
    scoring("out of twelve", 150, out_of_twelve, (*SCORED, *DEGRADED), {"min": 0, "max": 12}),
    Design("scoring", "a tenth, noisier", 500, a_tenth,
           GROUPS,
           {"raters": ["h1", "h2"], "prediction": "e", "slices": ["g"], "zeros": "keep", "min": 1, "max": 5},
           many=WHOLE, level="g = few"),
    _two("scoring", "two, answers of people", 60, two_for_people, SCORED[:4], raters=["h1", "h2"],
         prediction=["e", "s"], candidate="c", zeros="keep", min=1, max=5),
    Design("ranking", "sessions of unequal length", 60, sessions, CUT_OFF,
           _LISTS | {"score": "m", "cluster": "c"}, many=20_000),
    replace(_two("ranking", "two, the first put up", 120, two_at_the_top, CUT_OFF[:3],
                 **_LISTS, score=["m", "s"]), many=20_000),
    Design("preference", "prompts of geometric counts", 60, few_prompts, CHOSEN,
           {"reference": "preferred_text", "annotators": ["kind"], "prompt": "prompt"}, many=20_000),
    judges("one in twelve labelled", 1_500, one_in_twelve_labelled),
    diagnostic("50 templates, lognormal counts", 50, suite(0.15, 0.6, 8, 1.1), 0.15),
)  # fmt: skip
