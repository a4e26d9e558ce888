"""What a design is, and tables of every task, drawn in many ways, of which designs are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Random = np.random.Generator
Table = dict[str, Any]
Draw = Callable[[Random, int], Any]
MANY = 100_000
# Columns that a population has no use for: all its rows count one, and none belongs to another.
OF_SAMPLES = ("weight", "cluster", "candidate")


@dataclass(frozen=True)
class Design:
    """Tables of n units of one task, what is measured of them, and where the true values come from."""

    task: str
    name: str
    n: int
    draw: Callable[[Random, int], Table]
    metrics: tuple[str, ...]
    roles: Mapping[str, Any]
    system: str | None = None
    truths: Mapping[str, float] = field(default_factory=dict)
    whole: Callable[[Random, int], Table] | None = None  # of the population, where samples are not drawn evenly
    many: int = MANY
    level: str = "all"  # of a slice, where one is looked at
    difference: bool = False  # of the system from the first

    def roles_of(self, table: Table) -> dict[str, Any]:
        """The roles whose columns the table has, and the settings."""
        return {role: name for role, name in self.roles.items() if role not in OF_SAMPLES or name in table}

    def population(self, random: Random) -> Table:
        """Very many rows."""
        table = (self.whole or self.draw)(random, self.many)
        apart = {self.roles[role] for role in OF_SAMPLES if role in self.roles}
        return {name: column for name, column in table.items() if name not in apart}


def yes_no(chosen: Any) -> Any:
    """Two labels."""
    return np.where(chosen, "yes", "no")


def expit(values: Any) -> Any:
    """A chance of its logit."""
    return 1 / (1 + np.exp(-values))


def _sizes(random: Random, count: int, mean: float, spread: float) -> Any:
    """How many rows clusters have: all alike without spread, lognormal with it."""
    if not spread:
        return np.full(count, round(mean))
    return np.maximum(1, np.rint(mean * np.exp(spread * random.standard_normal(count) - spread**2 / 2))).astype(int)


# Numbers.

NUMBERS = ("rmse", "mean_absolute_error", "mean_bias_error", "r_squared", "explained_variance", "correlation")
MORE_NUMBERS = (*NUMBERS, "median_absolute_error", "spearman", "concordance_correlation")


def numbers(errors: Draw, spread: float = 2.0) -> Callable[[Random, int], Table]:
    """References about predictions."""

    def draw(random: Random, n: int) -> Table:
        prediction = spread * random.standard_normal(n)
        return {"y": prediction + errors(random, n), "m": prediction}

    return draw


def uneven(random: Random, n: int) -> Table:
    """Errors whose spread grows with the prediction."""
    prediction = random.standard_normal(n)
    return {"y": prediction + np.exp(0.4 * prediction) * random.standard_normal(n), "m": prediction}


def whole_numbers(random: Random, n: int) -> Table:
    """Numbers with many ties."""
    prediction = 2 * random.standard_normal(n)
    return {"y": np.rint(prediction + random.laplace(size=n)), "m": np.rint(prediction)}


def rare(share: float, times: float, usual: Draw) -> Draw:
    """Errors of which a share is so many times as large."""
    return lambda random, n: usual(random, n) * np.where(random.random(n) < share, times, 1.0)


def numbers_in_clusters(
    errors: Draw, habits: Draw, mean: float, spread: float, off: float = 0.5, scale: float = 0.3
) -> Callable[[Random, int], Table]:
    """n clusters, which differ in the level of their numbers, how far a system is off there, and by how much."""

    def draw(random: Random, n: int) -> Table:
        count = n if n < 5_000 else n // int(mean)
        which = np.repeat(np.arange(count), _sizes(random, count, mean, spread))
        level, wrong, wide = (habits(random, count) for _ in range(3))
        prediction = 2 * random.standard_normal(len(which)) + level[which]
        error = off * wrong[which] + np.exp(scale * np.clip(wide, -4, 4))[which] * errors(random, len(which))
        return {"y": prediction + error, "m": prediction, "c": which}

    return draw


def regression(name: str, n: int, draw: Any, metrics: tuple[str, ...] = MORE_NUMBERS) -> Design:
    roles = {"reference": "y", "prediction": "m", "cluster": "c"}
    return Design("regression", name, n, draw, metrics, roles, many=60_000)


# Raters' numbers.

RATED = (
    "pearson",
    "spearman",
    "concordance_correlation",
    "icc(form=A,1)",
    "icc(form=C,k)",
    "lower_limit_of_agreement",
    "upper_limit_of_agreement",
    "mean_difference",
)


def contaminated(share: float, scale: float, noise: float, of: Draw) -> Callable[[Random, int], Table]:
    """Two ratings of the same, of which some of the second say nothing."""

    def draw(random: Random, n: int) -> Table:
        common = of(random, n)
        first, second = (common + noise * random.standard_normal(n) for _ in range(2))
        return {"a": first, "b": np.where(random.random(n) < share, scale * of(random, n), second)}

    return draw


def off_one_way(share: float, by: float, of: Draw) -> Callable[[Random, int], Table]:
    """Two ratings of the same, of which some of the second are off, all to the same side."""

    def draw(random: Random, n: int) -> Table:
        common = of(random, n)
        first, second = (common + 0.5 * random.standard_normal(n) for _ in range(2))
        return {"a": first, "b": second + by * (random.random(n) < share)}

    return draw


def mistyped(share: float, points: int) -> Callable[[Random, int], Table]:
    """Two ratings on a scale of points, of which some of the second are one of its ends."""

    def draw(random: Random, n: int) -> Table:
        common = (points + 1) / 2 + points / 5 * random.standard_normal(n)
        first, second = (np.clip(np.rint(common + 0.6 * random.standard_normal(n)), 1, points) for _ in range(2))
        ends = np.where(random.random(n) < 0.5, 1.0, points)
        return {"a": first, "b": np.where(random.random(n) < share, ends, second)}

    return draw


def rated(name: str, n: int, draw: Any, metrics: tuple[str, ...] = RATED) -> Design:
    return Design("agreement", name, n, draw, metrics, {"raters": ["a", "b"], "measurement": "interval", "ok": "C1"})


# Raters' labels, some of them missing where an item is hard.

LABELLED = ("krippendorff_alpha", "percent_agreement", "gwet_ac1", "fleiss_kappa")


def labels_missing(
    shares: tuple[float, ...], raters: int, right: float, hard: float, missing: tuple[float, float]
) -> Callable[[Random, int], Table]:
    """Raters who err more on hard items, and who skip those more often."""

    def draw(random: Random, n: int) -> Table:
        truth = random.choice(len(shares), n, p=shares)
        difficult = random.random(n) < 0.35
        sees = random.random((n, raters)) < np.where(difficult, hard, right)[:, None]
        said = np.where(sees, truth[:, None], random.choice(len(shares), (n, raters), p=shares))
        gone = random.random((n, raters)) < np.where(difficult, missing[1], missing[0])[:, None]
        words = np.array([f"l{k}" for k in range(len(shares))], dtype=object)[said]
        words[gone] = None
        return {f"r{k}": words[:, k] for k in range(raters)}

    return draw


def labelled(name: str, n: int, draw: Any, raters: int) -> Design:
    return Design("agreement", name, n, draw, LABELLED, {"raters": [f"r{k}" for k in range(raters)]}, many=20_000)


# Scores of essays.

SCORED = ("quadratic_weighted_kappa", "correlation", "standardized_mean_difference", "prmse", "rater_error_variance")
DEGRADED = tuple(f"degradation(of={of})" for of in ("correlation", "qwk", "smd"))


def essays(
    truth: Draw, errors: Draw, rater: float, system: float, double: int, points: int = 0
) -> Callable[[Random, int], Table]:
    """Ratings of which so many have a second one; points: a scale of 1 to so many."""

    def draw(random: Random, n: int) -> Table:
        level = truth(random, n)
        first, second = (level + rater * errors(random, n) for _ in range(2))
        machine = level + system * random.standard_normal(n)
        if points:
            first, second = (np.clip(np.rint(one), 1, points) for one in (first, second))
        if n < MANY:
            second = np.where(np.arange(n) < double, second, np.nan)
        return {"h1": first, "h2": second, "e": machine}

    return draw


def candidates(
    truth: Draw, errors: Draw, mean: float, spread: float, shares: float, double: float
) -> Callable[[Random, int], Table]:
    """Responses of candidates, whose level and whose luck with the system go together."""

    def draw(random: Random, n: int) -> Table:
        count = n if n < 5_000 else n // int(mean)
        which = np.repeat(np.arange(count), _sizes(random, count, mean, spread))
        level = truth(random, count)[which] + 0.6 * random.standard_normal(len(which))
        first, second = (np.clip(np.rint(level + 0.6 * errors(random, len(which))), 1, 6) for _ in range(2))
        second = np.where(random.random(len(which)) < double, second, np.nan)
        machine = level + shares * random.standard_normal(count)[which] + 0.5 * errors(random, len(which))
        return {"h1": first, "h2": second, "e": machine, "c": which}

    return draw


def scoring(name: str, n: int, draw: Any, metrics: tuple[str, ...], settings: Mapping[str, Any]) -> Design:
    roles = {"raters": ["h1", "h2"], "prediction": "e", "candidate": "c", "zeros": "keep"} | dict(settings)
    return Design("scoring", name, n, draw, metrics, roles, system=None)


# Scores of labels.

CURVES = ("roc_auc", "average_precision", "pr_auc", "log_loss", "brier_score", "calibration_error")
DECIDED = ("accuracy", "precision", "recall", "f_score", "cohen_kappa", "matthews_correlation", "balanced_accuracy")
AVERAGES = (
    "roc_auc(average=macro)",
    "average_precision(average=macro)",
    "pr_auc(average=weighted)",
    "f_score(average=macro)",
    "recall(average=macro)",
    "precision(average=macro)",
    "cohen_kappa",
    "log_loss",
)
POINTS = ("recall_at_precision(at=0.8)", "precision_at_recall(at=0.8)", "recall_at_false_positive_rate(at=0.1)")


def two_labels(positive: Draw, negative: Draw, prevalence: float, digits: int = 0) -> Callable[[Random, int], Table]:
    """Scores drawn by what rows are; digits: rounded."""

    def draw(random: Random, n: int) -> Table:
        yes = random.random(n) < prevalence
        score = np.clip(expit(np.where(yes, positive(random, n), negative(random, n))), 1e-6, 1 - 1e-6)
        score = np.clip(np.round(score * digits) / digits, 0.02, 0.98) if digits else score
        return {"y": np.where(yes, "yes", "no"), "p": score}

    return draw


def labels_in_clusters(
    habits: Draw, mean: float, spread: float, apart: float, base: float = -0.4
) -> Callable[[Random, int], Table]:
    """Rows of clusters that differ in how often they are yes, and in how they are scored."""

    def draw(random: Random, n: int) -> Table:
        count = n if n < 5_000 else n // int(mean)
        which = np.repeat(np.arange(count), _sizes(random, count, mean, spread))
        level, habit = (apart * habits(random, count) for _ in range(2))
        logit = 1.3 * random.standard_normal(len(which)) + level[which] + base
        score = np.clip(expit(logit + habit[which]), 1e-6, 1 - 1e-6)
        yes = random.random(len(which)) < expit(logit)
        return {"y": np.where(yes, "yes", "no"), "p": score, "c": [f"c{one}" for one in which]}

    return draw


def weighted_labels(draw: Callable[[Random, int], Table], keep: float) -> Callable[[Random, int], Table]:
    """Rows with low scores are kept with a small chance and weigh as much more."""

    def drawn(random: Random, n: int) -> Table:
        table = draw(random, 6 * n)
        chance = np.where(table["p"] > 0.5, 1.0, keep)
        rows = np.flatnonzero(random.random(6 * n) < chance)[:n]
        return {name: column[rows] for name, column in table.items()} | {"w": 1 / chance[rows]}

    return drawn


def three_labels(of: Draw, scale: float, sharper: float, tilt: float) -> Callable[[Random, int], Table]:
    """Three labels with a score each."""
    names = ("low", "mid", "high")

    def draw(random: Random, n: int) -> Table:
        logit = scale * of(random, 3 * n).reshape(n, 3) + tilt * np.array([1.0, 0.0, -1.0])
        likely, said = (np.exp(k * logit - (k * logit).max(1, keepdims=True)) for k in (1.0, sharper))
        likely, said = likely / likely.sum(1, keepdims=True), said / said.sum(1, keepdims=True)
        place = np.minimum((likely.cumsum(1) < random.random(n)[:, None]).sum(1), 2)
        return {"y": np.array(names)[place]} | {f"p {label}": said[:, k] for k, label in enumerate(names)}

    return draw


def classification(name: str, n: int, draw: Any, metrics: tuple[str, ...], whole: Any = None) -> Design:
    roles = {"reference": "y", "score": "p", "positive": "yes", "weight": "w", "cluster": "c"}
    return Design("classification", name, n, draw, metrics, roles, whole=whole)


def of_three(name: str, n: int, draw: Any) -> Design:
    scores = {label: f"p {label}" for label in ("low", "mid", "high")}
    return Design("classification", name, n, draw, AVERAGES, {"reference": "y", "score": scores})


# Lists of queries.

RANKED = ("ndcg(at=10)", "mean_reciprocal_rank", "precision_at(at=5)", "mean_average_precision")


def lists(lift: float, relevant: float, users: tuple[float, float, float]) -> Callable[[Random, int], Table]:
    """Ten items for each query; queries of a user (so many of one, with a spread) are easy or hard together."""
    mean, spread, apart = users

    def draw(random: Random, n: int) -> Table:
        count = n if n < 5_000 else n // int(max(mean, 1))
        user = np.repeat(np.arange(count), _sizes(random, count, mean, spread))
        ease = lift + apart * random.standard_normal(count)[user]
        grade = (random.random((len(user), 10)) < relevant) * 1
        grade[np.arange(len(user)), random.integers(0, 10, len(user))] = 1
        score = grade * ease[:, None] + random.standard_normal(grade.shape)
        query = np.repeat(np.arange(len(user)), 10)
        table = {"q": query, "rel": grade.reshape(-1), "m": score.reshape(-1)}
        return table if not apart else table | {"c": np.repeat(user, 10)}

    return draw


def ranking(name: str, n: int, draw: Any) -> Design:
    return Design(
        "ranking", name, n, draw, RANKED, {"query": "q", "relevance": "rel", "score": "m", "cluster": "c"}, many=20_000
    )


# Choices between answers.

CHOSEN = ("prefers_first", "prefers_longer", "answer_length", "answer_length(of=rejected)", "preference_strength")


def choices(lengths: Draw, prompts: tuple[float, float], lean: float, leans: float) -> Callable[[Random, int], Table]:
    """Pairs of answers of prompts, which have lengths and a lean to the first in common."""
    mean, spread = prompts

    def draw(random: Random, n: int) -> Table:
        count = n if n < 5_000 else n // int(max(mean, 1))
        prompt = np.repeat(np.arange(count), _sizes(random, count, mean, spread))
        common = lengths(random, count)[prompt] if mean > 1 else 1.0
        long = [np.maximum(1, np.rint(60 * np.sqrt(common) * lengths(random, len(prompt)))) for _ in range(2)]
        first = random.random(len(prompt)) < expit(lean + leans * random.standard_normal(count)[prompt])
        trait = np.where(random.random(len(prompt)) < 0.3, first, random.random(len(prompt)) < 0.5)
        table = {
            "preferred_text": np.where(first, "a", "b"),
            "kind": np.where(trait, "a", "b"),
            "text_a": ["x" * int(one) for one in long[0]],
            "text_b": ["x" * int(one) for one in long[1]],
        }
        return table if mean == 1 else table | {"prompt": [f"p{one}" for one in prompt]}

    return draw


def preference(name: str, n: int, draw: Any) -> Design:
    roles = {"reference": "preferred_text", "annotators": ["kind"]}
    return Design("preference", name, n, draw, CHOSEN, roles, many=20_000)


# Arms.


def arms(
    outcome: Callable[[Random, Any, Any], Any], treated: float, clusters: tuple[float, float, float] = (1, 0, 0)
) -> Callable[[Random, int], Table]:
    """Rows of which a share is treated; clusters have their own level."""
    mean, spread, apart = clusters

    def draw(random: Random, n: int) -> Table:
        count = n if n < 5_000 or mean == 1 else n // int(mean)
        which = np.repeat(np.arange(count), _sizes(random, count, mean, spread))
        score, arm = random.random(len(which)), random.random(len(which)) < treated
        level = apart * random.standard_normal(count)[which]
        table = {"o": outcome(random, score + level, arm * 1.0), "t": arm * 1, "s": np.round(score, 2)}
        return table if mean == 1 else table | {"c": which}

    return draw


def uplift(name: str, n: int, draw: Any) -> Design:
    roles = {"outcome": "o", "treatment": "t", "score": "s", "cluster": "c"}
    return Design("uplift", name, n, draw, ("qini", "uplift_auc"), roles, many=400_000)


# Few labels of people, many of a judge.

JUDGED = ("judge_assisted_mean", "labelled_mean", "judge_kappa")


def judged(
    truth: float, right: tuple[float, float], labels: float, clusters: tuple[float, float, float] = (1, 0, 0)
) -> Callable[[Random, int], Table]:
    """A judge who is right with one chance in the first half of the rows, and another in the second: it drifts."""
    mean, spread, apart = clusters

    def draw(random: Random, n: int) -> Table:
        count = n if n < 5_000 or mean == 1 else n // int(mean)
        which = np.repeat(np.arange(count), _sizes(random, count, mean, spread))
        rows = len(which)
        chance = expit(np.log(truth / (1 - truth)) + apart * random.standard_normal(count)[which])
        good = random.random(rows) < chance
        sees = random.random(rows) < np.where(np.arange(rows) < rows / 2, *right)
        said = np.where(random.random(rows) < (labels if n < MANY else 2.0), good * 1.0, np.nan)
        table = {"h": said, "j": np.where(sees, good, ~good) * 1.0}
        return table if mean == 1 else table | {"c": which}

    return draw


def judges(name: str, n: int, draw: Any, truths: Mapping[str, float] | None = None) -> Design:
    return Design(
        "judges", name, n, draw, JUDGED, {"reference": "h", "judge": "j", "cluster": "c"}, truths=truths or {}
    )


# Test suites.


def suite(rate: float, alike: float, mean: float, spread: float) -> Callable[[Random, int], Table]:
    """Cases of templates, whose failure rates are beta distributed."""

    def draw(random: Random, n: int) -> Table:
        count = n if n < 5_000 else n // int(mean)
        which = np.repeat(np.arange(count), _sizes(random, count, mean, spread))
        chance = random.beta(rate / alike, (1 - rate) / alike, count)[which]
        fails = random.random(len(which)) < chance
        return {
            "what": ["all"] * len(which),
            "want": ["a"] * len(which),
            "v1": np.where(fails, "b", "a"),
            "tpl": [f"t{one}" for one in which],
        }

    return draw


def diagnostic(name: str, n: int, draw: Any, rate: float) -> Design:
    roles = {"phenomenon": "what", "expect": "want", "prediction": ["v1"], "template": "tpl"}
    return Design("diagnostic", name, n, draw, ("failure_rate",), roles, truths={"failure_rate": rate})
