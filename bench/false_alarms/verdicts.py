"""False alarms of the tenth set: p-values, verdicts and requirements where nothing differs.

Designs of bench.false_alarms, whose command runs them (`--only verdicts`). Of two systems it is counted how often p is
below .05, how often the first sentence says "better" or "worse", and how often a p-value and its limits do not say the
same. Answers of both systems are told apart by a coin; where a design says "as good", the two have the same true value
of the figure that is counted, but other errors: one is a little off everywhere, the other seldom and far. Written
before any was run, and nothing was chosen on them.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import adjudge
from bench.false_alarms.alarms import (
    ANSWERS,
    POINTS,
    REPLICATES,
    SCORES,
    Alarms,
    Draw,
    Random,
    Table,
    Tables,
    drifted,
    teams_apart,
    unfair,
    verdict_of,
)
from bench.heldout.designs import expit, yes_no

ERRORS = ("rmse", "mean_absolute_error", "mean_bias_error", "r_squared", "correlation")
OF_SCORES = ("roc_auc", "average_precision", "log_loss", "brier_score", "f_score")
SAID = ("accuracy", "balanced_accuracy", "f_score(average=macro)", "cohen_kappa", "matthews_correlation")


def told(table: Table, task: str, metrics: tuple[str, ...], **roles: Any) -> Alarms:
    """What is said of the first method of each difference, and in the first sentence."""
    found = adjudge.evaluate(table, task, metrics=list(metrics), replicates=REPLICATES, **roles)
    rows: dict[tuple[str, str, str], Any] = {}
    for row in found.table.differences:
        rows.setdefault((row.metric, row.system, row.category), row)
    alarms: Alarms = {}
    for (metric, _, _), row in rows.items():
        alarms[metric] = alarms.get(metric, False) or (row.p_adjusted is not None and row.p_adjusted < 0.05)
    known = [row for row in rows.values() if row.p is not None and np.isfinite(row.high - row.low)]
    return alarms | {
        "better or worse, said": said(found),
        "p and limits not of one mind": any((row.p < 0.05) == (row.low <= 0 <= row.high) for row in known),
    }


def said(found: Any) -> bool:
    """Whether the first sentence says that a system is better, or worse, than its baseline."""
    sentence, systems = str(found).splitlines()[1].partition(", but ")[0], found.outcome.systems
    return re.search(f" is (better|worse) than ({'|'.join(map(re.escape, systems))}) ", sentence) is not None


def swapped(task: str, draw: Tables, n: int, columns: tuple[str, ...], metrics: tuple[str, ...], **roles: Any) -> Draw:
    """Answers of systems in an order by chance, the same for all rows of a unit."""

    def alarms(random: Random) -> Alarms:
        table = draw(random, n)
        _, of = np.unique(
            np.asarray(table.get("c", table.get("q", np.arange(len(table[columns[0]]))))), return_inverse=True
        )
        order = random.permuted(np.tile(np.arange(len(columns)), (of.max() + 1, 1)), axis=1)[of]
        every = np.stack([np.asarray(table[name]) for name in columns], axis=1)
        every = np.take_along_axis(every, order, axis=1)
        return told(table | dict(zip(columns, every.T, strict=True)), task, metrics, **roles)

    return alarms


def as_good(task: str, draw: Tables, n: int, metrics: tuple[str, ...], **roles: Any) -> Draw:
    """Two systems whose true values are the same."""
    return lambda random: told(draw(random, n), task, metrics, **roles)


def spreads(random: Random, n: int) -> Table:
    """Numbers whose errors grow tenfold with the value, in common for the most part."""
    y = random.gamma(2.0, 2.0, n)
    wide, common = 0.1 + 0.25 * y, random.standard_normal(n)
    return {"y": y, **{k: y + wide * (0.8 * common + 0.6 * random.standard_normal(n)) for k in ("m", "s")}}


def heavy(random: Random, n: int) -> Table:
    """Errors with the tails of t₂."""
    y = random.normal(10, 3, n)
    return {"y": y, **{k: y + 0.5 * random.standard_t(2, n) for k in ("m", "s")}}


def far_out(random: Random, n: int) -> Table:
    """One reference in forty is ten times as large, and both systems miss it by a quarter."""
    y = random.normal(5, 1, n) * np.where(random.random(n) < 1 / 40, 10, 1)
    return {"y": y, **{k: y * (1 + 0.25 * random.standard_normal(n)) for k in ("m", "s")}}


def seldom_far(random: Random, n: int) -> Table:
    """Errors of variance 1: of one system normal, of the other mostly smaller, and one in twenty 2.8 wide."""
    y = random.normal(0, 2, n)
    wide = np.where(random.random(n) < 0.05, 2.8, 0.8)
    return {"y": y, "m": y + random.standard_normal(n), "s": y + wide * random.standard_normal(n)}


def three_levels(random: Random, n: int) -> Table:
    """Three levels of confidence, and one score in five differs."""
    yes = random.random(n) < 0.3
    levels = np.array([0.15, 0.4, 0.8])

    def score() -> Any:
        return np.digitize(np.where(yes, 0.7, -0.5) + random.standard_normal(n), (-0.3, 0.6))

    first, other = score(), score()
    return {"y": yes_no(yes), "p": levels[first], "s": levels[np.where(random.random(n) < 0.2, other, first)]}


def apart_seldom(random: Random, n: int) -> Table:
    """Two scores that are one but for a row in twelve, where one is off by t₂ noise."""
    yes = random.random(n) < 0.4
    logit = np.where(yes, 1.0, -1.0) + random.logistic(0, 0.6, n)
    off = np.where(random.random(n) < 1 / 12, 2 * random.standard_t(2, n), 0.0)
    return {"y": yes_no(yes), "p": expit(logit), "s": expit(np.clip(logit + off, -12, 12))}


def sure_and_wrong(random: Random, n: int) -> Table:
    """Log losses of mean .4: of one system Γ(2, .2), of the other .3, and 2.3 in one of twenty rows."""
    yes = random.random(n) < 0.45
    losses = random.gamma(2.0, 0.2, n), np.where(random.random(n) < 0.05, 2.3, 0.3)
    right = [np.exp(-loss) for loss in losses]
    return {"y": yes_no(yes), **{k: np.where(yes, p, 1 - p) for k, p in zip(("p", "s"), right, strict=True)}}


def zipf(random: Random, n: int) -> Table:
    """Clusters with sizes by Zipf's law, each as hard as its own."""
    of = np.repeat(np.arange(n), np.maximum(60 / np.arange(1, n + 1), 1).astype(int))
    truth, hard = random.integers(0, 2, len(of)), random.beta(6, 2, n)[of]
    words = np.array(["no", "yes"])
    said = {k: words[np.where(random.random(len(of)) < hard, truth, 1 - truth)] for k in ("m", "s")}
    return {"y": words[truth], **said, "c": of}


def hard_weigh(random: Random, n: int) -> Table:
    """Rows weigh what they are hard: from 1 to 20."""
    weight, yes = np.exp(random.uniform(0, 3, n)), random.random(n) < 0.4
    sign, common = np.where(yes, 1.5, -1.5) / np.sqrt(weight), random.standard_normal(n)
    scores = {k: expit(sign + 0.7 * common + 0.7 * random.standard_normal(n)) for k in ("p", "s")}
    return {"y": yes_no(yes), **scores, "w": weight}


def letters(shares: tuple[float, ...], right: float, differ: float) -> Tables:
    """Labels of these shares; answers of two systems are one but for a few."""

    def draw(random: Random, n: int) -> Table:
        names, truth = np.array(list("abcdefgh")), random.choice(len(shares), n, p=shares)

        def said() -> Any:
            return np.where(random.random(n) < right, truth, random.integers(0, len(shares), n))

        first, other = said(), said()
        return {"y": names[truth], "m": names[first], "s": names[np.where(random.random(n) < differ, other, first)]}

    return draw


def three_systems(random: Random, n: int) -> Table:
    """Three systems for three labels that are as often right."""
    table = letters((0.5, 0.3, 0.2), 0.75, 0.4)(random, n)
    letters_of = np.array(list("abc"))
    third = np.where(random.random(n) < 0.75, table["y"], letters_of[random.integers(0, 3, n)])
    return table | {"t": np.where(random.random(n) < 0.5, third, table["m"])}


def essays(random: Random, n: int) -> Table:
    """One to nine essays of each candidate, whom both engines misjudge by t₄ errors."""
    of = np.repeat(np.arange(n), np.minimum(random.geometric(0.35, n), 9))
    true = random.normal(3.5, 1.0, n)[of] + 0.4 * random.standard_normal(len(of))
    human = {k: np.clip(np.rint(true + 0.5 * random.standard_normal(len(of))), 1, 6) for k in ("h1", "h2")}
    engines = {k: true + 0.3 * random.standard_t(4, n)[of] + 0.4 * random.standard_normal(len(of)) for k in ("e", "s")}
    return human | engines | {"c": of}


def lists(random: Random, n: int) -> Table:
    """Twelve documents of a query; two of three lists are the same for both systems."""
    grade = random.choice(3, (n, 12), p=(0.8, 0.15, 0.05))
    first, other = (grade + random.standard_normal(grade.shape) for _ in range(2))
    second = np.where(random.random((n, 1)) < 1 / 3, other, first)
    return {"q": np.repeat(np.arange(n), 12), "rel": grade.reshape(-1), "m": first.reshape(-1), "s": second.reshape(-1)}


def gaining_slices(count: int, sizes: tuple[int, int]) -> Draw:
    """Whether any slice is said to gain or to lose by two systems that are told apart by a coin (Holm)."""

    def alarms(random: Random) -> Alarms:
        counts = random.integers(sizes[0], sizes[1] + 1, count)
        table = letters((0.6, 0.4), 0.75, 0.4)(random, int(counts.sum()))
        coin = random.random(len(table["y"])) < 0.5
        table |= {"m": np.where(coin, table["m"], table["s"]), "s": np.where(coin, table["s"], table["m"])}
        table["g"] = np.repeat([f"s{k}" for k in range(count)], counts)
        found = adjudge.evaluate(
            table, "classification", reference="y", prediction=["m", "s"], slices=["g"], metrics=["accuracy"],
            replicates=REPLICATES,
        )  # fmt: skip
        panel = next(one for one in found.outcome.panels.tables if one.title == "Slices that gain and lose")
        return {
            "any slice gains or loses": any(row[-1] in ("gains", "loses") for row in panel.rows),
            "better or worse, said": said(found),
        }

    return alarms


def lost(share: float, gains: float, n: int) -> Draw:
    """A system that answers so many rows worse, and others better: not worse than by what it truly loses?"""

    def alarms(random: Random) -> Alarms:
        yes = random.random(n) < 0.5
        first = random.random(n) < 0.85
        chance = random.random(n)
        second = np.where(first, chance >= (share + gains) / 0.85, chance < gains / 0.15)
        table = {"y": yes_no(yes), "m": yes_no(yes == first), "s": yes_no(yes == second)}
        found = adjudge.classification(
            table, reference="y", prediction=["m", "s"], metrics=["accuracy"],
            require=[f"accuracy of s >= m - {share}"], replicates=REPLICATES,
        )  # fmt: skip
        return verdict_of(found)

    return alarms


def batches(sizes: tuple[int, ...]) -> Draw:
    """Batches of these sizes, of which five raters leave out a third."""

    def alarms(random: Random) -> Alarms:
        n = sum(sizes)
        truth = random.choice(3, n, p=(0.7, 0.2, 0.1))
        said = np.where(
            random.random((n, 5)) < (0.95, 0.9, 0.85, 0.8, 0.7), truth[:, None], random.integers(0, 3, (n, 5))
        )
        words = np.where(random.random((n, 5)) < 1 / 3, None, np.array(list("abc"), dtype=object)[said])
        return drifted(words, sizes)

    return alarms


def people(count: tuple[int, int], each: int, wide: float, tail: float) -> Draw:
    """People of two groups, with one to so many responses; errors of the second are wider, and have the tails of t."""

    def alarms(random: Random) -> Alarms:
        of = np.repeat(np.arange(sum(count)), random.integers(1, each + 1, sum(count)))
        small = of >= count[0]
        human = np.clip(np.rint(3.5 + 1.1 * random.standard_normal(len(of))), 1, 6)
        error = 0.5 * random.standard_t(tail, sum(count))[of] + 0.5 * random.standard_t(tail, len(of))
        who = of.astype(np.uint64) if each > 1 else None
        return unfair(human, human + 0.4 * np.where(small, wide, 1.0) * error, small * 1, ("most", "few"), who)

    return alarms


def teams(n: int, shares: tuple[float, ...]) -> Draw:
    """Two teams of three raters, one of whom is careless, on so few items."""

    def alarms(random: Random) -> Alarms:
        truth = random.choice(len(shares), n, p=shares)
        right = np.array([0.95, 0.85, 0.7] * 2)
        guess = random.choice(len(shares), (n, 6), p=shares)
        words = np.array(list("abc"), dtype=object)[np.where(random.random((n, 6)) < right, truth[:, None], guess)]
        return teams_apart(words[:, :3], words[:, 3:])

    return alarms


_ESSAYS: dict[str, Any] = {"raters": ["h1", "h2"], "prediction": ["e", "s"], "candidate": "c", "min": 1, "max": 6}
_SIX = (0.4, 0.25, 0.15, 0.1, 0.05, 0.05)
VERDICTS: dict[str, dict[str, Draw]] = {
    "verdicts: comparison": {
        "unequal spreads, 80 rows": swapped("regression", spreads, 80, ("m", "s"), ERRORS, **ANSWERS),
        "t with 2 degrees, 60 rows": swapped("regression", heavy, 60, ("m", "s"), ERRORS, **ANSWERS),
        "one in forty far out, 80 rows": swapped("regression", far_out, 80, ("m", "s"), ERRORS, **ANSWERS),
        "as good, one seldom far off, 150 rows": as_good(
            "regression", seldom_far, 150, ("rmse", "r_squared"), **ANSWERS
        ),
        "three levels, 100 rows": swapped("classification", three_levels, 100, ("p", "s"), OF_SCORES, **SCORES),
        "apart in one of twelve, 120 rows": swapped(
            "classification", apart_seldom, 120, ("p", "s"), OF_SCORES, **SCORES
        ),
        "as good, one sure and wrong, 150 rows": as_good(
            "classification", sure_and_wrong, 150, ("log_loss",), **SCORES
        ),
        "hard rows weigh more, 120 rows": swapped(
            "classification", hard_weigh, 120, ("p", "s"), OF_SCORES, weight="w", **SCORES
        ),
        "40 clusters, Zipf's sizes": swapped("classification", zipf, 40, ("m", "s"), SAID, cluster="c", **ANSWERS),
        "alike in 98 of 100, 250 rows": swapped(
            "classification", letters((0.5, 0.3, 0.2), 0.8, 0.05), 250, ("m", "s"), SAID, **ANSWERS
        ),
        "six labels, six rows the rarest, 120 rows": swapped(
            "classification", letters(_SIX, 0.7, 0.3), 120, ("m", "s"), SAID, **ANSWERS
        ),
        "three systems, 100 rows": swapped(
            "classification", three_systems, 100, ("m", "s", "t"), SAID, reference="y", prediction=["m", "s", "t"]
        ),
        "essays of 45 candidates": swapped("scoring", essays, 45, ("e", "s"), tuple(POINTS), **_ESSAYS),
        "two of three lists alike, 50 queries": swapped(
            "ranking", lists, 50, ("m", "s"), ("ndcg(at=10)", "mean_reciprocal_rank"), query="q", relevance="rel",
            score=["m", "s"],
        ),
    },
    "verdicts: slices": {
        "twenty of 10 to 60 rows": gaining_slices(20, (10, 60)),
        "six of 5 to 15 rows": gaining_slices(6, (5, 15)),
    },
    "verdicts: gates": {
        "3 of 100 lost, 5 gained, 300 rows": lost(0.03, 0.05, 300),
        "2 of 100 lost, none gained, 200 rows": lost(0.02, 0.0, 200),
    },
    "verdicts: drift": {"five raters, batches of 15 to 90": batches((15, 30, 60, 90))},
    "verdicts: fairness": {
        "10 + 6 people, t₄, thrice as wide": people((10, 6), 6, 3.0, 4.0),
        "25 + 10 people, t₃, as wide": people((25, 10), 5, 1.0, 3.0),
        "150 + 12 responses, t₃, twice as wide": people((150, 12), 1, 2.0, 3.0),
    },
    "verdicts: two teams": {
        "25 items": teams(25, (0.5, 0.3, 0.2)),
        "25 items, a rare label": teams(25, (0.8, 0.15, 0.05)),
    },
}  # fmt: skip
