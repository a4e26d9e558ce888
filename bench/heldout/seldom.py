"""A fifteenth set of designs for bench/coverage_heldout.py (`--set seldom`): what fourteen sets seldom measure.

Columns of costs, times and tries (task `columns`: `adjudge.estimate` of plain columns), ends of prediction intervals,
errors of logarithms and percentages, operating points, agreement on single categories, spans of a system, cascades of
lists, true scores, two judges' tables, strengths of models, and differences of these. What makes them: numbers that are
zero or whole, long on one side or of two kinds; weights that go with what is weighed; one huge cluster; a rater who
copies another; boundaries that are always one too far; queries without anything relevant; a judge who is worse where
more is labelled; votes for the first place on repeated prompts. Written down before any was run; nothing was chosen on
them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bench.heldout.designs import Design, Random, Table, arms, classification, expit, scoring, uplift, yes_no
from bench.heldout.measured import WHOLE


def times(random: Random, n: int) -> Table:
    """Times on a task with a lognormal body, of which one in eight runs into a long Weibull wait."""
    long = 20 * random.weibull(0.7, n) * (random.random(n) < 0.125)
    return {"x": 3 * np.exp(0.7 * random.standard_normal(n)) + long}


def costs(random: Random, n: int) -> Table:
    """Whole cents, mostly nothing, otherwise negative binomial; dear answers are right less often."""
    cents = random.negative_binomial(0.8, 0.02, n) * (random.random(n) < 0.35)
    return {"x": cents, "right": (random.random(n) < 0.9 - 0.4 * (cents > 40)) * 1}


def invoices(random: Random, n: int) -> Table:
    """Amounts in whole units with Lomax tails of index 3."""
    return {"x": np.rint(30 * random.pareto(3.0, n))}


def respondents(random: Random, n: int) -> Table:
    """Ten answers of people of two kinds: enthusiasts who use one end, and the rest about the middle."""
    fond = (random.random(n) < 0.6)[:, None]
    level = np.where(fond, 4.7, 2.8) + 0.5 * random.standard_normal((n, 1)) + 0.7 * random.standard_normal((n, 10))
    even = np.arange(10) % 2 == 1
    answers = np.clip(np.rint(np.where(even, 6 - level, level)), 1, 5)
    return {f"q{k}": answers[:, k] for k in range(10)}


def tries(random: Random, n: int) -> Table:
    """Three to eight tries of a task, which nearly always or hardly ever goes well."""
    skill = np.where(random.random(n) < 0.8, random.beta(30, 1, n), random.beta(1, 3, n))
    right = (random.random((n, 8)) < skill[:, None]) * 1.0
    right[np.arange(8) >= random.integers(3, 9, n)[:, None]] = np.nan
    return {f"t{k}": right[:, k] for k in range(8)}


def marks_kept(random: Random, n: int) -> Table:
    """Marks of 0 to 1 before and after a disturbance: mostly the same, and nothing left in one case of twelve."""
    first = random.beta(4, 1.5, n)
    after = np.where(random.random(n) < 0.5, first, np.clip(first - 0.05 * random.exponential(size=n), 0, 1))
    return {"x": first, "z": np.where(random.random(n) < 1 / 12, 0.0, after)}


def answers_kept(random: Random, n: int) -> Table:
    """Right and wrong before and after a disturbance; nine in ten are right, a few are lost, fewer won."""
    first = random.random(n) < 0.9
    after = np.where(first, random.random(n) < 0.95, random.random(n) < 0.15)
    return {"x": first * 1, "z": after * 1}


def hard_to_reach(random: Random, n: int) -> Table:
    """Costs and failures of people whom a survey reaches seldom: what weighs more is dearer and fails more."""
    reached = random.beta(2, 2, 40 * n if n < WHOLE else n)
    seen = np.flatnonzero(random.random(len(reached)) < 0.1 + 0.9 * reached)[:n] if n < WHOLE else np.arange(n)
    chance = reached[seen]
    table = {
        "x": random.gamma(0.8, 2.0, len(seen)) * (1.5 - chance),
        "failed": (random.random(len(seen)) < 0.25 - 0.2 * chance) * 1,
    }
    return table | ({} if n >= WHOLE else {"w": 1 / (0.1 + 0.9 * chance)})


def two_services(random: Random, n: int) -> Table:
    """Hours and failures of two services on the same machines, whose rates they share up to a gamma factor."""
    machine, hours = np.exp(0.7 * random.standard_normal(n)), random.gamma(3.0, 40.0, n)
    own, other = (random.gamma(2.0, 0.5, n) * machine * hours for _ in range(2))
    return {
        "h": hours, "f": random.poisson(0.012 * own), "h2": hours, "f2": random.poisson(0.02 * other),
    }  # fmt: skip


def one_bad_line(random: Random, n: int) -> Table:
    """Hours and failures of lines of which one in twenty fails fifteen times as often."""
    hours = random.integers(20, 200, n)
    rate = 0.004 * np.where(random.random(n) < 0.05, 15, 1)
    return {"h": hours, "f": random.poisson(rate * hours)}


def ends(random: Random, n: int) -> Table:
    """Prediction intervals for a tenth below and above, as wide as a forecast thinks; lognormal, in whole units."""
    thinks = np.exp(0.9 * random.standard_normal(n))
    level = 50 + 10 * random.standard_normal(n)
    y = level + 3 * thinks**0.7 * random.standard_t(5, n)
    return {"y": np.rint(y), "m": level, "lo": np.floor(level - 4 * thinks), "hi": np.ceil(level + 4 * thinks)}


def ends_by_plant(random: Random, n: int) -> Table:
    """The same of n plants, one of which in eight reports ten times as often; its weeks are hard together."""
    weeks = 1 if n >= 5_000 else np.where(random.random(n) < 0.125, 10, 1) * random.integers(2, 6, n)
    of = np.repeat(np.arange(n), weeks)
    wide = np.exp(0.5 * random.standard_normal(n))[of]
    off = 1.2 * random.standard_normal(n)[of]
    m = 20 + 4 * random.standard_normal(len(of))
    y = m + off + wide * random.logistic(size=len(of))
    return {"y": y, "m": m, "lo": m - 3 * wide**0.5, "hi": m + 3 * wide**0.5, "c": of}


def daily_counts(random: Random, n: int) -> Table:
    """Counts, zero in a third, whose forecast is a factor off: mostly a little, in one case of ten threefold."""
    rate = random.gamma(1.2, 10.0, n)
    y = random.poisson(rate) * (random.random(n) > 0.33)
    factor = np.exp(0.2 * random.standard_normal(n)) * np.where(random.random(n) < 0.1, 3.0, 1.0)
    return {"y": y, "m": np.rint(0.67 * rate * factor)}


def two_of_counts(random: Random, n: int) -> Table:
    """Two forecasts of lognormal amounts with ends; the second is off by less, but sometimes by a factor of four."""
    y = np.exp(2 + 0.6 * random.standard_normal(n))
    common = 0.15 * random.standard_normal(n)
    m = y * np.exp(common + 0.25 * random.laplace(size=n) / 2**0.5)
    s = y * np.exp(common + 0.15 * random.standard_normal(n)) * np.where(random.random(n) < 0.06, 4.0, 1.0)
    wide = np.exp(0.6 * random.standard_normal(n))
    return {
        "y": y, "m": m, "s": s, "lo": m / np.exp(0.4 * wide), "hi": m * np.exp(0.4 * wide),
        "lo2": s / np.exp(0.35), "hi2": s * np.exp(0.35),
    }  # fmt: skip


def twentieths(random: Random, n: int) -> Table:
    """A fifth is positive; scores in steps of a twentieth, of which half of the positives sit at three steps."""
    yes = random.random(n) < 0.2
    score = expit(np.where(yes, 1.0, -1.4) + 1.2 * random.standard_normal(n))
    score = np.where(yes & (random.random(n) < 0.5), random.choice([0.85, 0.9, 0.95], n), score)
    return {"y": yes_no(yes), "p": np.clip(np.rint(score * 20) / 20, 0.05, 0.95)}


def threads(random: Random, n: int) -> Table:
    """Posts of threads, one in ten of which is long; a thread is heated or not, and scores see half of that."""
    posts = 1 if n >= 5_000 else np.where(random.random(n) < 0.1, 15, 1) * random.integers(1, 5, n)
    of = np.repeat(np.arange(n), posts)
    heat = 1.1 * random.standard_normal(n)[of]
    yes = random.random(len(of)) < expit(-1.2 + heat)
    return {
        "y": yes_no(yes),
        "p": expit(0.5 * heat + np.where(yes, 0.9, -0.9) + random.logistic(0, 0.6, len(of))),
        "c": of,
    }


def two_that_reorder(random: Random, n: int) -> Table:
    """Two scores, a quarter positive; the second is the first but for a fifth of the rows, drawn anew and better."""
    yes = random.random(n) < 0.25
    first = expit(np.where(yes, 1.0, -1.0) + 1.1 * random.standard_normal(n))
    other = expit(np.where(yes, 2.0, -2.0) + 1.1 * random.standard_normal(n))
    return {"y": yes_no(yes), "p": first, "s": np.where(random.random(n) < 0.2, other, first)}


WORDS = np.array(list("abcde"), dtype=object)


def a_copier(random: Random, n: int) -> Table:
    """Three raters of five labels, the rarest 4 %; the third takes seven in ten from the second."""
    truth = random.choice(5, n, p=(0.46, 0.26, 0.16, 0.08, 0.04))
    said = [np.where(random.random(n) < 0.8, truth, random.integers(0, 5, n)) for _ in range(3)]
    said[2] = np.where(random.random(n) < 0.7, said[1], said[2])
    return {f"r{k}": WORDS[one] for k, one in enumerate(said)}


def wide_and_narrow(random: Random, n: int) -> Table:
    """Two raters of three labels; what the first calls b, a tenth of all, the second calls a in two cases of five."""
    truth = random.choice(3, n, p=(0.8, 0.1, 0.1))
    first = np.where(random.random(n) < 0.95, truth, random.integers(0, 3, n))
    second = np.where(random.random(n) < 0.92, truth, random.integers(0, 3, n))
    return {"r0": WORDS[first], "r1": WORDS[np.where((first == 1) & (random.random(n) < 0.4), 0, second)]}


def tied_grades(random: Random, n: int) -> Table:
    """Two raters of four grades, more than half in the second, of whom the second is one higher in a fifth."""
    level = random.choice(4, n, p=(0.15, 0.55, 0.2, 0.1)) + 1
    first = np.clip(level + random.choice([-1, 0, 1], n, p=(0.1, 0.8, 0.1)), 1, 4)
    return {
        "r0": first,
        "r1": np.clip(level + (random.random(n) < 0.2) + random.choice([-1, 0], n, p=(0.1, 0.9)), 1, 4),
    }


def panels_of_labels(random: Random, n: int) -> Table:
    """Five raters who mostly agree, and split evenly on one item in six."""
    hard, truth = random.random(n) < 1 / 6, random.random(n) < 0.3
    table: Table = {}
    for k in range(5):
        sure = np.where(random.random(n) < 0.96, truth, ~truth)
        table[f"r{k}"] = np.where(np.where(hard, random.random(n) < 0.5, sure), "x", "y")
    return table


def boundaries(random: Random, n: int, texts: Any = None) -> Table:
    """Texts in n documents, one huge in ten; a system whose spans end a word late in two cases of five, by document."""
    if texts is None:
        texts = 1 if n >= 2_000 else np.where(random.random(n) < 0.1, 12, 1) * random.integers(1, 4, n)
    of = np.repeat(np.arange(n), texts)
    table: Table = {"r0": [], "r1": [], "c": of}
    late = random.beta(0.8, 1.2, n)
    for one in of:
        gold, said = ["O"] * 24, ["O"] * 24
        for at in range(1, 22, 5):
            if random.random() < 0.45:
                kind = "A" if random.random() < 0.85 else "B"
                gold[at : at + 2] = [f"B-{kind}", f"I-{kind}"]
                if random.random() < 0.88:
                    said[at : at + 2] = gold[at : at + 2]
                    if random.random() < late[one]:
                        said[at + 2] = f"I-{kind}"
            elif random.random() < 0.06:
                said[at] = "B-B"
        table["r0"].append(" ".join(gold))
        table["r1"].append(" ".join(said))
    return table


def lone_texts(random: Random, n: int) -> Table:
    """The same of one text for each document, as lists of tags."""
    table = boundaries(random, n, 1)
    return {name: [tags.split() for tags in table[name]] for name in ("r0", "r1")}


def empty_queries(random: Random, n: int) -> Table:
    """Twelve documents in four grades; nothing is relevant in two queries of five, and much in a tenth."""
    share = random.choice([0.0, 0.12, 0.7], n, p=(0.4, 0.5, 0.1))
    grade = (random.random((n, 12)) < share[:, None]) * random.integers(1, 4, (n, 12))
    one = np.rint(2 * (0.7 * grade + random.standard_normal((n, 12)))) / 2
    two = np.where((random.random(n) < 0.3)[:, None], one + 0.8 * grade + random.standard_normal((n, 12)), one)
    columns = {"rel": grade, "m": one, "s": two}
    return {"q": np.repeat(np.arange(n), 12)} | {name: column.reshape(-1) for name, column in columns.items()}


def rubric(random: Random, n: int) -> Table:
    """Points of 1 to 6 of two raters, the second for three in ten, whose error is wider on weak responses."""
    level = 3.4 + 1.0 * random.standard_normal(n)
    wide = np.where(level < 2.8, 0.9, 0.5)
    first, second = (np.clip(np.rint(level + wide * random.standard_normal(n)), 1, 6) for _ in range(2))
    again = (random.random(n) < 0.3) | (n >= WHOLE)
    return {
        "h1": first, "h2": np.where(again, second, np.nan), "e": level + 0.5 * random.standard_t(5, n),
        "s": 3.4 + 0.9 * (level - 3.4) + 0.45 * random.standard_normal(n),
    }  # fmt: skip


def where_it_is_hard(random: Random, n: int) -> Table:
    """Yes in a fifth, two in five of a hard kind of which more is labelled and a judge errs three times as often."""
    hard = random.random(n) < 0.4
    yes = random.random(n) < np.where(hard, 0.35, 0.1)
    judge = np.where(random.random(n) < np.where(hard, 0.24, 0.08), ~yes, yes)
    chance = np.where(hard, 0.45, 0.15)
    seen = (random.random(n) < chance) | (n >= WHOLE)
    says = np.where(random.random(n) < 0.82, yes, random.random(n) < 0.3)
    words = yes_no(yes).astype(object)
    table = {"h": np.where(seen, words, None), "j": yes_no(judge), "m": yes_no(says)}
    return table if n >= WHOLE else table | {"w": np.where(seen, 1 / chance, 1 / (1 - chance))}


def some_labelled(random: Random, n: int) -> Table:
    """A third is labelled, at random; four answers of which the last is rare, a judge who avoids it, a system."""
    truth = random.choice(4, n, p=(0.5, 0.3, 0.14, 0.06))
    judge = np.where(random.random(n) < np.where(truth == 3, 0.5, 0.9), truth, random.choice(3, n))
    says = np.where(random.random(n) < 0.75, truth, random.integers(0, 4, n))
    seen = (random.random(n) < 1 / 3) | (n >= WHOLE)
    return {"h": np.where(seen, WORDS[truth], None), "j": WORDS[judge], "m": WORDS[says]}


def battles(random: Random, n: int) -> Table:
    """Votes on n prompts for four models, one of them seldom; a lean to the first, ties where models are alike."""
    prompt = np.repeat(np.arange(n), 1 if n >= 5_000 else np.minimum(random.geometric(0.35, n), 12))
    rows, kind = len(prompt), random.standard_normal(n)[prompt]
    first = random.choice(4, rows, p=(0.35, 0.3, 0.25, 0.1))
    second = (first + random.integers(1, 4, rows)) % 4
    strength = np.array([0.5, 0.2, 0.0, -0.6])
    gap = strength[first] - strength[second] + 0.8 * kind * ((first == 0) * 1.0 - (second == 0)) + 0.25
    tie = random.random(rows) < 0.35 * np.exp(-np.abs(gap))
    won = random.random(rows) < expit(gap)
    names = np.array(["ash", "birch", "cedar", "dill"], dtype=object)
    return {
        "model_a": names[first], "model_b": names[second], "winner": np.where(tie, "tie", np.where(won, "a", "b")),
        "prompt": [f"p{one}" for one in prompt],
    }  # fmt: skip


def _spent(random: Random, score: Any, arm: Any) -> Any:
    buys = random.random(len(score)) < 0.3 + 0.15 * np.clip(score, -1, 1) * arm
    return np.rint(10 * random.gamma(0.9, 1.0, len(score))) * buys


def _columns(name: str, n: int, draw: Any, metrics: tuple[str, ...], *columns: str) -> Design:
    return Design("columns", name, n, draw, metrics, {"columns": columns, "weight": "w"}, many=400_000)


def _raters(name: str, n: int, draw: Any, raters: int, metrics: tuple[str, ...], **more: Any) -> Design:
    roles = {"raters": [f"r{k}" for k in range(raters)], "ok": ["C1"]} | more
    return Design("agreement", name, n, draw, metrics, roles, many=WHOLE)


def _two(task: str, name: str, n: int, draw: Any, metrics: tuple[str, ...], **roles: Any) -> Design:
    system = "s · raw_trim" if task == "scoring" else "s"
    return Design(task, name, n, draw, metrics, roles, system=system, difference=True, many=WHOLE)


_POINTS = (
    "precision_at_volume(at=0.15)",
    "false_positive_rate_at_recall(at=0.7)",
    "precision_at_recall(at=0.5)",
    "recall_at_precision(at=0.6)",
    "error_rate",
    "max_accuracy",
)
_ENDS = ("interval_coverage", "interval_width", "median_absolute_error", "explained_variance", "mean_squared_error")
_ENDED = {"reference": "y", "prediction": "m", "lower": "lo", "upper": "hi"}
_LOGS = (
    "mean_squared_log_error",
    "symmetric_mean_absolute_percentage_error",
    "median_absolute_error",
    "mean_absolute_percentage_error",
)
_CATEGORIES = tuple(f"{m} [{c}]" for m in ("specific_agreement", "category_kappa") for c in ("a", "c", "e"))
_LISTS = {"query": "q", "relevance": "rel"}
_CASCADES = ("expected_reciprocal_rank", "rank_biased_precision", "query_kendall_tau", "hit_rate_at(at=1)", "ndcg")
_TRUE = ("true_score_variance", "true_score_mse", "disattenuated_correlation", "prmse", "adjacent_agreement")
_SPANS = tuple(f"span_f_score(match={match})" for match in ("strict", "type", "partial"))
_PARTS = ("span_precision", "span_recall", "span_f_score")
_ESSAYS = scoring("wider on weak ones", 120, rubric, _TRUE, {"min": 1, "max": 6})
_JUDGED = {"reference": "h", "judge": "j", "weight": "w"}
_BATTLES = Design(
    "preference", "four models, a lean to the first", 120, battles,
    tuple(f"{m} [against dill]" for m in ("win_rate", "win_probability", "model_strength_difference")),
    {"prompt": "prompt"}, system="ash", many=WHOLE,
)  # fmt: skip
SELDOM: tuple[Design, ...] = (
    _columns("times with long waits", 50, times,
             ("mean", "geometric_mean", "quantile(at=0.5)", "quantile(at=0.9)"), "x"),
    _columns("times with long waits", 200, times, ("mean", "geometric_mean", "quantile(at=0.9)"), "x"),
    _columns("cents, mostly nothing", 80, costs, ("mean", "quantile(at=0.8)"), "x"),
    _columns("cents, mostly nothing", 250, costs, ("mean",), "x"),
    _columns("cents for what is right", 80, costs, ("cost_per_right",), "x", "right"),
    _columns("invoices, Lomax", 120, invoices, ("mean", "quantile(at=0.75)"), "x"),
    _columns("enthusiasts and others", 50, respondents, ("system_usability",), *(f"q{k}" for k in range(10))),
    _columns("nearly always or hardly ever", 60, tries,
             ("pass_hat_k(k=2)", "pass_hat_k"), *(f"t{k}" for k in range(8))),
    _columns("marks kept", 50, marks_kept, ("share_kept", "robustness_drop"), "x", "z"),
    _columns("marks kept", 200, marks_kept, ("share_kept", "robustness_drop"), "x", "z"),
    _columns("answers kept", 60, answers_kept, ("share_kept", "robustness_drop"), "x", "z"),
    _columns("hard to reach, costs", 150, hard_to_reach, ("mean", "geometric_mean", "quantile(at=0.5)"), "x"),
    _columns("hard to reach, failures", 150, hard_to_reach, ("failed_share",), "failed"),
    _columns("two services", 60, two_services, ("failure_ratio",), "h", "f", "h2", "f2"),
    _columns("one bad line in twenty", 80, one_bad_line, ("mean_time_between_failures",), "h", "f"),
    _columns("a high quantile of times", 60, ends, ("pinball_loss(quantile=0.9)",), "y", "hi"),
    Design("regression", "ends in whole units", 60, ends, _ENDS, _ENDED, many=WHOLE),
    Design("regression", "ends by plant", 50, ends_by_plant, _ENDS[:4], _ENDED | {"cluster": "c"}, many=WHOLE),
    Design("regression", "daily counts", 80, daily_counts, _LOGS[:3], {"reference": "y", "prediction": "m"},
           many=WHOLE),
    _two("regression", "two, one rarely fourfold", 100, two_of_counts,
         (*_LOGS, "interval_coverage", "interval_width", "explained_variance", "spearman"),
         reference="y", prediction=["m", "s"], lower=["lo", "lo2"], upper=["hi", "hi2"]),
    classification("twentieths, heaped", 120, twentieths, _POINTS),
    replace(classification("threads, some long", 80, threads, (*_POINTS[:3], "error_rate", "brier_score")), many=WHOLE),
    _two("classification", "two that reorder", 150, two_that_reorder,
         (*_POINTS, "brier_score", "calibration_error", "specificity", "recall"), reference="y", score=["p", "s"],
         positive="yes"),
    _raters("one copies another", 60, a_copier, 3, (*_CATEGORIES, "randolph_kappa", "conger_kappa", "light_kappa")),
    _raters("narrow against wide", 70, wide_and_narrow, 2,
            ("kappa_max", "scott_pi", "bennett_s", "specific_agreement [b]", "category_kappa [b]", "cohen_kappa")),
    _raters("grades with ties", 50, tied_grades, 2,
            ("kendall_tau", "spearman", "gwet_ac2", "scott_pi(weighting=linear)"),
            measurement="ordinal", scale=[1, 2, 3, 4]),
    _columns("five who split on some", 60, panels_of_labels, ("label_ceiling",), *(f"r{k}" for k in range(5))),
    replace(_raters("ends one word late", 50, boundaries, 2, _SPANS, measurement="spans", cluster="c"), many=6_000),
    replace(_columns("ends one word late", 60, lone_texts, _PARTS, "r0", "r1"), many=6_000),
    Design("ranking", "two in five without anything", 60, empty_queries, _CASCADES, _LISTS | {"score": "m"},
           many=20_000),
    replace(_two("ranking", "two, three in ten differ", 80, empty_queries, _CASCADES, **_LISTS, score=["m", "s"]),
            many=20_000),
    _ESSAYS,
    _two("scoring", "two, one keeps to the middle", 150, rubric, (*_TRUE[1:], "mean_absolute_error"),
         raters=["h1", "h2"], prediction=["e", "s"], zeros="keep", min=1, max=6),
    Design("judges", "more labels where it is hard", 500, where_it_is_hard,
           ("judge_assisted_mean", "labelled_mean"), _JUDGED | {"positive": "yes"}, many=WHOLE),
    Design("judges", "more labels where it is hard, a system", 600, where_it_is_hard,
           ("judge_assisted_mean", "judge_assisted_kappa", "judge_assisted_f_score [yes]"),
           _JUDGED | {"prediction": "m"}, many=WHOLE),
    Design("judges", "a third labelled, four answers", 400, some_labelled,
           ("judge_assisted_kappa", "judge_assisted_f_score [a]", "judge_assisted_f_score [d]", "judge_kappa"),
           {"reference": "h", "judge": "j", "prediction": "m"}, many=WHOLE),
    _BATTLES,
    replace(_BATTLES, n=60, metrics=("model_strength",)),
    uplift("whole amounts, three in ten buy", 500, arms(_spent, 0.25, (1, 0, 0))),
)  # fmt: skip
