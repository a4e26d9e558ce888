"""False alarms of what gates and screens promise besides: looks, many small groups, suites, searches, several systems.

Designs of bench.false_alarms, whose command runs them (`--only promised`). Written before any was run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.special import expit

import adjudge
from adjudge.data.judgements.ratings import ratings_of
from adjudge.diagnosis.raters.drift import drift
from adjudge.diagnosis.raters.replacement import NOT_WORSE, WORSE, can_replace
from adjudge.evaluation.gates.judging import Looks, judged
from bench.false_alarms.alarms import REPLICATES, SETTINGS, Alarms, Draw, Random, Table, Tables, unfair
from bench.false_alarms.verdicts import said
from bench.heldout.designs import yes_no

Errors = Callable[[Random, int], Any]
LABEL: dict[str, Any] = {"reference": "y", "prediction": "m"}


def looked(
    draw: Tables, units: tuple[int, ...], text: str, looks: object, task: str = "classification", **roles: Any
) -> Draw:
    """A requirement whose bound is the truth, looked at while the table grows: whether it ever passes."""
    metric = text.partition(" ")[0]

    @cache
    def bound() -> float:
        if " of " in text:
            return 0.0
        plain = {role: name for role, name in roles.items() if role not in ("weight", "cluster")}
        found = adjudge.evaluate(
            draw(np.random.default_rng(3), 60_000), task, metrics=[metric], replicates=100, **plain
        )
        return float(next(row.estimate for row in found.table if row.method != "baseline"))

    def alarms(random: Random) -> Alarms:
        table = draw(random, units[-1])
        whole = np.asarray(table.get("c", table.get("q", np.arange(units[-1]))))
        number: dict[str, Any] = {"metric": metric} if " of " not in text else {}
        if " of " in text:
            number = {
                "metric": metric,
                "system": "s",
                "versus": "m",
                "claim": "not_worse",
                "margin": float(text.rpartition(" ")[2]),
            }
        else:
            number["at_least" if ">=" in text else "at_most"] = bound()
        gate = adjudge.Gate.of(number | {"looks": looks, "minimum_n": 20})
        [requirement], ever = gate.file.requirements, False
        rows = tuple(int((whole < n).sum()) for n in units)
        planned = units if isinstance(looks, tuple | list) else rows
        for place, n in enumerate(units):
            part = {name: np.asarray(values)[whole < n] for name, values in table.items()}
            made = adjudge.evaluate(
                part, task, metrics=[metric], require=[requirement], replicates=2 * REPLICATES, **roles
            )
            seen = Looks({0: place + 1}, 0, {0: planned[: place + 1]})
            ever |= str(judged([requirement], made.outcome, seen)[0].verdict) == "passed"
        return {"ever passes": ever}

    return alarms


def answers(share: float) -> Tables:
    """Answers that are right as often, of labels of which three in ten are yes."""

    def draw(random: Random, n: int) -> Table:
        yes = random.random(n) < 0.3
        return {"y": yes_no(yes), "m": yes_no(yes == (random.random(n) < share))}

    return draw


def chats(random: Random, n: int) -> Table:
    """Chats of one to fifteen turns, each as hard as its own."""
    of = np.repeat(np.arange(n), np.minimum(random.geometric(0.2, n), 15))
    yes, hard = random.random(len(of)) < 0.4, random.beta(8, 1.2, n)[of]
    return {"y": yes_no(yes), "m": yes_no(yes == (random.random(len(of)) < hard)), "c": of}


def weighed(random: Random, n: int) -> Table:
    """Lognormal weights that have nothing to do with answers."""
    return answers(0.88)(random, n) | {"w": np.exp(0.8 * random.standard_normal(n))}


def scores(random: Random, n: int) -> Table:
    """Scores of a quarter of positives that spread more widely."""
    yes = random.random(n) < 0.25
    return {
        "y": yes_no(yes),
        "p": expit(np.where(yes, 1.2 + 1.5 * random.standard_normal(n), random.standard_normal(n))),
    }


def two(random: Random, n: int) -> Table:
    """A system that answers four in a hundred rows worse, and two better: 2 points are lost."""
    yes, right, chance = random.random(n) < 0.5, random.random(n) < 0.85, random.random(n)
    second = np.where(right, chance >= 0.04 / 0.85, chance < 0.02 / 0.15)
    return {"y": yes_no(yes), "m": yes_no(yes == right), "s": yes_no(yes == second)}


def gamma_errors(random: Random, n: int) -> Table:
    """Numbers whose errors are skewed."""
    y = random.normal(0, 2, n)
    return {"y": y, "m": y + random.gamma(2.0, 0.5, n) - 1}


def queries(random: Random, n: int) -> Table:
    """Ten documents of a query, mostly one of them relevant."""
    grade = random.random((n, 10)) < 0.15
    score = 1.3 * grade + random.standard_normal(grade.shape)
    return {"q": np.repeat(np.arange(n), 10), "rel": grade.reshape(-1) * 1, "m": score.reshape(-1)}


def many_groups(sizes: tuple[int, ...], errors: Errors, spread: tuple[float, float], responses: int = 1) -> Draw:
    """Groups of so many people, at unlike levels; their errors have mean 0 and spreads drawn between two."""

    def alarms(random: Random) -> Alarms:
        person = np.repeat(np.arange(len(sizes)), sizes)
        count = len(person)
        each = random.integers(1, responses + 1, count)
        who = np.repeat(np.arange(count), each)
        group = person[who]
        level, wide = random.normal(3.5, 0.4, len(sizes)), random.uniform(*spread, len(sizes))
        human = level[group] + 0.9 * random.standard_normal(len(who))
        own, shared = errors(random, len(who)), errors(random, count)[who]
        error = own if responses == 1 else 0.7 * own + 0.7 * shared
        names = [f"g{place:02d}" for place in range(len(sizes))]
        return unfair(
            human, human + wide[group] * error, group, names, who.astype(np.uint64) if responses > 1 else None
        )

    return alarms


def rounded(sizes: tuple[int, int], wide: float) -> Draw:
    """Points of 1 to 6 by person and engine, both cut at the ends; the smaller group stands in the middle."""

    def alarms(random: Random) -> Alarms:
        group = np.repeat([0, 1], sizes)
        human = np.clip(np.rint(random.normal(3.5, 1.0, len(group))), 2, 5)
        error = np.rint(np.where(group == 1, wide, 0.8) * random.standard_normal(len(group)))
        return unfair(human, human + np.clip(error, -2, 2), group, ("most", "few"))

    return alarms


def _t3(random: Random, n: int) -> Any:
    return random.standard_t(3, n) / np.sqrt(3)


def _lognormal(random: Random, n: int) -> Any:
    return np.exp(random.standard_normal(n)) - np.exp(0.5)


def many_batches(count: int, sizes: tuple[int, int], shares: tuple[float, ...], cluster: int = 1) -> Draw:
    """Batches of so many items, of which two to four of five raters say something; with clusters, items are alike."""

    def alarms(random: Random) -> Alarms:
        counts = random.integers(sizes[0], sizes[1] + 1, count)
        n, k = int(counts.sum()), len(shares)
        of = np.arange(n) // cluster
        truth = random.choice(k, of.max() + 1, p=shares)[of][:, None]
        sees = (
            random.random((n, 5))
            < np.array([0.97, 0.92, 0.87, 0.8, 0.7]) * random.beta(6, 1, of.max() + 1)[of][:, None]
        )
        words = np.array(list("abcdef"), dtype=object)[np.where(sees, truth, random.integers(0, k, (n, 5)))]
        silent = random.random((n, 5)).argsort(1) >= random.integers(2, 5, n)[:, None]
        batch = np.repeat([f"b{place:02d}" for place in range(count)], counts)
        if cluster > 1:  # a cluster is of the batch of its first item
            batch = batch[of * cluster]
        made = drift(ratings_of(np.where(silent, None, words).tolist()), batch.tolist(), settings=SETTINGS)
        return {
            "coefficient": any(each.flagged for each in made.batches),
            "raters": any(each.flagged for rater in made.raters for each in rater.batches),
        }

    return alarms


def in_place(humans: int, n: int, shares: tuple[float, ...], right: float, missing: float, worse: float = 0.0) -> Draw:
    """A model that rates as humans do, or so much worse that its alpha is .05 lower (`worse` was solved for)."""

    def alarms(random: Random) -> Alarms:
        k = len(shares)
        truth = random.choice(k, n, p=shares)[:, None]
        easy = random.beta(6, 1, n)[:, None]
        sees = np.concatenate([np.full(humans, right), [right - worse]])
        words = np.array(list("abcdef"), dtype=object)[
            np.where(random.random((n, humans + 1)) < sees * easy, truth, random.choice(k, (n, humans + 1), p=shares))
        ]
        words[:, :humans][random.random((n, humans)) < missing] = None
        table = ratings_of(words.tolist())
        verdict = can_replace(table, table.raters[-1], settings=SETTINGS).verdict
        return {"said to be not worse": verdict == NOT_WORSE} if worse else {"said to be worse": verdict == WORSE}

    return alarms


def lower_by_a_margin(humans: int, n: int, shares: tuple[float, ...], right: float, missing: float) -> Draw:
    """The same of a model whose agreement with a human is .05 below that of two humans."""

    # Two raters who see with chances p and q have an alpha of E[e²] p q, e being how easy an item is.
    easy = 6 * 7 / (7 * 8)
    return in_place(humans, n, shares, right, missing, 0.05 / (easy * right))


def suite(phenomena: int, cases: tuple[int, int], moved: float, size: int) -> Draw:
    """Two systems that are as good on every phenomenon; templates of so many cases gain or lose as a whole."""

    def alarms(random: Random) -> Alarms:
        counts = random.integers(cases[0], cases[1] + 1, phenomena)
        what = np.repeat([f"p{place:02d}" for place in range(phenomena)], counts)
        starts = np.concatenate([np.arange(count) // size for count in counts])
        template = np.unique([f"{a}/{b}" for a, b in zip(what, starts, strict=True)], return_inverse=True)[1]
        gain = random.normal(0, moved, template.max() + 1)[template]
        old = random.random(len(what)) < np.clip(0.8 - gain, 0.02, 0.98)
        new = random.random(len(what)) < np.clip(0.8 + gain, 0.02, 0.98)
        table = {
            "want": ["good"] * len(what),
            "old": np.where(old, "good", "bad"),
            "new": np.where(new, "good", "bad"),
            "what": what,
            "case": np.arange(len(what)),
            "template": [f"t{one}" for one in template],
        }
        by_template = {"template": "template"} if size > 1 else {}
        made = adjudge.diagnostic(
            table, case="case", phenomenon="what", expect="want", prediction=["old", "new"], replicates=REPLICATES,
            **by_template,
        )  # fmt: skip
        headline = made.summary.answer.headline
        at_once = next(one for one in made.outcome.panels.tables if one.title == "Every phenomenon at once")
        place = at_once.columns.index("adjusted p")
        return {
            "breaks, or better or worse, said": " breaks " in headline or said(made),
            "any phenomenon at once": any(row[place] is not None and float(row[place]) < 0.05 for row in at_once.rows),
        }

    return alarms


def searched(rows: int, errors: Errors, way: str | None, cluster: int = 1, weighed: bool = False) -> Draw:
    """A search of slices of eight columns, whose levels have Zipf's shares and nothing to do with the errors."""

    def alarms(random: Random) -> Alarms:
        of = np.arange(rows) // cluster
        y = random.normal(0, 2, rows)
        spread = 0.4 + random.random(of.max() + 1)[of]
        share = 1 / np.arange(1, 7)
        table: Table = {"y": y, "m": y + spread * errors(random, rows)}
        names = [f"c{place}" for place in range(8)]
        for name in names:  # of whole clusters, as what is known of a person is
            table[name] = np.array(list("abcdef"))[random.choice(6, of.max() + 1, p=share / share.sum())[of]]
        roles: dict[str, Any] = {}
        if cluster > 1:
            table["c"], roles["cluster"] = of, "c"
        if weighed:
            table["w"], roles["weight"] = np.exp(random.standard_normal(rows)), "w"
        asked = {"search": names, "search_null": 0} | ({} if way is None else {"search_by": way})
        made = adjudge.regression(
            table, reference="y", prediction="m", metrics=["mean_absolute_error"], replicates=100, **asked, **roles
        )
        tables = made.outcome.panels.tables
        found = next((one for one in tables if one.title == "Slices that were searched for"), None)
        rows_found = [] if found is None else found.rows
        return {"any slice": any(str(row[1]) in ("confirmed", "shown") for row in rows_found)}

    return alarms


def several(
    draw: Tables, n: int, columns: tuple[str, ...], metric: str, task: str = "classification", **roles: Any
) -> Draw:
    """Systems that are alike, told apart by the throw of a die for each unit: whether any two are told apart."""

    def alarms(random: Random) -> Alarms:
        table = draw(random, n)
        values = np.stack([np.asarray(table[name]) for name in columns])
        unit = np.asarray(table.get("c", table.get("q", np.arange(values.shape[1]))))
        order = random.random((int(unit.max()) + 1, len(columns))).argsort(1)[unit].T
        dealt = np.take_along_axis(values, order, 0)
        table |= {name: dealt[place] for place, name in enumerate(columns)}
        made = adjudge.evaluate(table, task, metrics=[metric], replicates=2 * REPLICATES, **roles)
        panel = made.outcome.panels.standings[0]
        headline = made.summary.answer.headline
        return {
            "any two told apart": any((pair.p_adjusted or 1.0) < 0.05 for pair in panel.pairs),
            "the best is named": " is the best of " in headline,
        }

    return alarms


def labels_of(count: int, right: float, alike: float) -> Tables:
    """So many systems for four labels that are as often right, and mostly in the same rows."""

    def draw(random: Random, n: int) -> Table:
        names, truth = np.array(list("abcd")), random.choice(4, n, p=(0.5, 0.3, 0.15, 0.05))
        common = random.random(n) < right
        table: Table = {"y": names[truth]}
        for place in range(count):
            seen = np.where(random.random(n) < alike, common, random.random(n) < right)
            table[f"s{place}"] = names[np.where(seen, truth, (truth + random.integers(1, 4, n)) % 4)]
        return table

    return draw


def forecasts(count: int) -> Tables:
    """So many forecasts of amounts, whose errors are lognormal and have much in common."""

    def draw(random: Random, n: int) -> Table:
        y, common = np.exp(random.normal(2, 0.7, n)), random.standard_normal(n)
        factors = np.exp(0.3 * common + 0.3 * random.standard_normal((count, n)))
        return {"y": y} | {f"s{place}": y * factor for place, factor in enumerate(factors)}

    return draw


def sessions(count: int) -> Tables:
    """So many systems on sessions of one to eight turns."""

    def draw(random: Random, n: int) -> Table:
        of = np.repeat(np.arange(n), random.integers(1, 9, n))
        yes, hard = random.random(len(of)) < 0.5, random.beta(4, 1, n)[of]
        said_by = {f"s{place}": yes_no(yes == (random.random(len(of)) < hard)) for place in range(count)}
        return {"y": yes_no(yes), **said_by, "c": of}

    return draw


def traded(n: int, loses: float, costs: Errors) -> Draw:
    """One system is cheaper by far, the other more often right by a little: whether the dearer is called dominated."""

    def alarms(random: Random) -> Alarms:
        right = random.random(n) < 0.95
        table = {
            "y": ["a"] * n,
            "dear": np.where(right, "a", "b"),
            "cheap": np.where(right & (random.random(n) >= loses), "a", "b"),
            "dear_cost": 4 + costs(random, n),
            "cheap_cost": 1 + costs(random, n),
        }
        found = adjudge.tradeoffs(
            table,
            ["dear", "cheap"],
            [
                {"characteristic": "accuracy", "metric": "accuracy", "column": ["y", "{system}"]},
                {"characteristic": "efficiency", "metric": "mean", "column": "{system}_cost"},
            ],
        )
        return {"dominated": found.fronts[0].state == "dominated"}

    return alarms


def column(text: str, draw: Tables, n: int, cluster: bool = False) -> Draw:
    """A requirement of columns whose bound is the truth: whether it passes."""

    def alarms(random: Random) -> Alarms:
        log = {"name": "log", "characteristic": "efficiency", "requirement": [text]} | (
            {"cluster": "c"} if cluster else {}
        )
        found = adjudge.adequacy({"table": [log]}, {"log": draw(random, n)})
        return {"passes": found.exit_code == 0, "fails": found.exit_code == 1}

    return alarms


def _costs(random: Random, n: int) -> Table:
    return {"cost": np.exp(0.7 * random.standard_normal(n)), "right": (random.random(n) < 0.6) * 1}


def _in_sessions(random: Random, n: int) -> Table:
    of = np.repeat(np.arange(n), random.integers(1, 7, n))
    shared, own = random.standard_normal(n)[of], random.standard_normal(len(of))
    return {"cost": np.exp(0.5 * shared + 0.5 * own), "c": of}


_THREE, _RARE = (0.5, 0.3, 0.2), (0.85, 0.1, 0.05)
_TEN = (12, 9, 8, 7, 7, 6, 6, 5, 4, 3)
PROMISED: dict[str, dict[str, Draw]] = {
    "promised: looks": {
        "accuracy, five looks at 30 to 150 rows": looked(
            answers(0.9), (30, 60, 90, 120, 150), "accuracy >=", 5, **LABEL
        ),
        "accuracy, five looks at rows that were named": looked(
            answers(0.8), (25, 60, 100, 110, 200), "accuracy >=", [25, 60, 100, 110, 200], **LABEL
        ),
        "accuracy of 20 to 80 chats, four looks": looked(
            chats, (20, 40, 60, 80), "accuracy >=", 4, cluster="c", **LABEL
        ),
        "accuracy of weighted rows, four looks at 40 to 160": looked(
            weighed, (40, 80, 120, 160), "accuracy >=", 4, weight="w", **LABEL
        ),
        "kappa, three looks at 40 to 160 rows": looked(answers(0.85), (40, 80, 160), "cohen_kappa >=", 3, **LABEL),
        "F of chats, three looks": looked(chats, (25, 50, 75), "f_score(average=macro) >=", 3, cluster="c", **LABEL),
        "ROC AUC, three looks at 40 to 120 rows": looked(
            scores, (40, 80, 120), "roc_auc >=", 3, reference="y", score="p", positive="yes"
        ),
        "RMSE, three looks at 40 to 120 rows": looked(gamma_errors, (40, 80, 120), "rmse <=", 3, "regression", **LABEL),
        "NDCG of 30 to 150 queries, any looks": looked(
            queries, tuple(range(30, 151, 15)), "ndcg(at=5) >=", "any", "ranking", query="q", relevance="rel", score="m"
        ),
        "NDCG of 20 to 80 queries, four looks": looked(
            queries, (20, 40, 60, 80), "ndcg(at=5) >=", 4, "ranking", query="q", relevance="rel", score="m"
        ),
        "not worse by 2 points, four looks at 50 to 200 rows": looked(
            two, (50, 100, 150, 200), "accuracy of 0.02", 4, reference="y", prediction=["m", "s"]
        ),
        "not worse by 2 points, any looks at 50 to 500 rows": looked(
            two, tuple(range(50, 501, 50)), "accuracy of 0.02", "any", reference="y", prediction=["m", "s"]
        ),
    },
    "promised: fairness": {
        "ten groups of 3 to 12, t₃": many_groups(_TEN, _t3, (0.2, 0.6)),
        "ten groups of 3 to 12, lognormal": many_groups(_TEN, _lognormal, (0.2, 0.6)),
        "200 and nine groups of 3 to 9, normal, spreads 1 to 4": many_groups(
            (200, *_TEN[1:]), lambda random, n: random.standard_normal(n), (0.2, 0.8)
        ),
        "60, 20, 10 and 8 people, one to four responses, lognormal": many_groups(
            (60, 20, 10, 8), _lognormal, (0.2, 0.5), 4
        ),
        "15, 5, 5 and 4 people, one to eight responses, t₃": many_groups((15, 5, 5, 4), _t3, (0.2, 0.5), 8),
        "points, 200 and 20": rounded((200, 20), 0.5),
        "points, 120 and 12, wider": rounded((120, 12), 1.2),
    },
    "promised: drift": {
        "twelve batches of 5 to 15": many_batches(12, (5, 15), _THREE),
        "twelve batches of 5 to 15, rare labels": many_batches(12, (5, 15), _RARE),
        "three batches of 8 to 100": many_batches(3, (8, 100), _THREE),
        "25 batches of 3 to 6": many_batches(25, (3, 6), _THREE),
    },
    "promised: replacement": {
        "three humans, 30 items": in_place(3, 30, _THREE, 0.9, 0.0),
        "three humans, 30 items, rare labels": in_place(3, 30, _RARE, 0.9, 0.0),
        "eight humans, two in three silent, 60 items": in_place(8, 60, _THREE, 0.85, 0.66),
        "three humans, 30 items: lower by .05": lower_by_a_margin(3, 30, _THREE, 0.9, 0.0),
        "three humans, 300 items: lower by .05": lower_by_a_margin(3, 300, _THREE, 0.9, 0.0),
        "three humans, 100 items, rare labels: lower by .05": lower_by_a_margin(3, 100, _RARE, 0.9, 0.0),
        "eight humans, two in three silent, 150 items: lower by .05": lower_by_a_margin(8, 150, _THREE, 0.85, 0.66),
    },
    "promised: suites": {
        "fourteen phenomena of 4 to 40 cases": suite(14, (4, 40), 0.0, 1),
        "eight phenomena of 20 to 100 cases of templates of 5": suite(8, (20, 100), 0.1, 5),
        "thirty phenomena of 10 to 20 cases of templates of 2": suite(30, (10, 20), 0.1, 2),
    },
    "promised: searches": {
        "600 rows, lognormal errors": searched(600, _lognormal, None),
        "600 rows, lognormal weights": searched(600, _t3, None, weighed=True),
        "600 rows in clusters of 4": searched(600, _t3, None, cluster=4),
        "2,400 rows, lognormal errors": searched(2_400, _lognormal, None),
        "2,400 rows in clusters of 8, lognormal weights": searched(2_400, _t3, None, 8, weighed=True),
    },
    "promised: several systems": {
        "six for four labels, 60 rows": several(
            labels_of(6, 0.8, 0.6), 60, tuple(f"s{k}" for k in range(6)), "accuracy", reference="y",
            prediction=[f"s{k}" for k in range(6)],
        ),
        "eight for four labels, 200 rows, macro F": several(
            labels_of(8, 0.8, 0.6), 200, tuple(f"s{k}" for k in range(8)), "f_score(average=macro)", reference="y",
            prediction=[f"s{k}" for k in range(8)],
        ),
        "five forecasts of amounts, 60 rows": several(
            forecasts(5), 60, tuple(f"s{k}" for k in range(5)), "rmse", "regression", reference="y",
            prediction=[f"s{k}" for k in range(5)],
        ),
        "four on 40 sessions": several(
            sessions(4), 40, tuple(f"s{k}" for k in range(4)), "accuracy", reference="y",
            prediction=[f"s{k}" for k in range(4)], cluster="c",
        ),
    },
    "promised: trade-offs": {
        "1 in 100 lost, 30 rows": traded(30, 0.01, lambda random, n: random.random(n)),
        "1 in 50 lost, 100 rows, skewed costs": traded(100, 0.02, lambda random, n: random.exponential(1, n)),
        "1 in 20 lost, 60 rows": traded(60, 0.05, lambda random, n: random.random(n)),
    },
    "promised: columns": {
        "mean of lognormal costs, 60 rows": column(f"mean(cost) <= {np.exp(0.245):.6f}", _costs, 60),
        "cost per right answer, lognormal, 60 rows": column(
            f"cost_per_right(cost, right) <= {np.exp(0.245) / 0.6:.6f}", _costs, 60
        ),
        "mean of lognormal costs, 40 sessions": column(
            f"mean(cost) <= {np.exp(0.25):.6f}", _in_sessions, 40, cluster=True
        ),
        "p90 of costs, 40 sessions": column(
            f"p90(cost) <= {np.exp(np.sqrt(0.5) * 1.2815516):.6f}", _in_sessions, 40, cluster=True
        ),
    },
}  # fmt: skip
