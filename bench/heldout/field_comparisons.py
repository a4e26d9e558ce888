"""Two systems of the sixth set of designs for bench/coverage_heldout.py (`--set field`).

Near-equal answers of eight labels, scores that hardly differ, systems near chance, one label for each document,
case-control weights, essays, queries of users, judged answers, suites and machines. Written before any was run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bench.heldout.designs import SCORED, Design, Random, Table, expit, yes_no
from bench.heldout.field import case_control, clusters_of, few_again, two_tasks
from bench.heldout.measured import BOTH, LABELS, MANY, WHOLE


def hardly_apart(random: Random, n: int) -> Table:
    """Two scores that correlate to .98, one a little sharper; 30 % positives."""
    yes = random.random(n) < 0.3
    logit = np.where(yes, 0.8, -1.3) + random.standard_normal(n)
    return {"y": yes_no(yes)} | {
        name: expit(gain * logit + 0.2 * random.standard_normal(n)) for name, gain in (("p", 1.0), ("s", 1.2))
    }


def eight_nearly_equal(random: Random, n: int) -> Table:
    """Two systems for eight labels, right in 80 and 81 of 100, that err on the same rows half of the time."""
    truth = random.choice(8, n, p=(0.3, 0.2, 0.15, 0.12, 0.1, 0.06, 0.04, 0.03))
    letters, table = np.array(list("abcdefgh")), {"y": truth}
    hard, wrong = random.random(n) < 0.25, random.integers(1, 8, n)
    for name, chance in (("m", 0.62), ("s", 0.58)):
        errs = random.random(n) < np.where(hard, chance, (0.2 - 0.25 * chance) / 0.75)
        table[name] = np.where(errs, (truth + np.where(random.random(n) < 0.5, wrong, 1)) % 8, truth)
    return {name: letters[column] for name, column in table.items()}


def both_near_chance(random: Random, n: int) -> Table:
    """Two scores that say next to nothing, one of them nothing."""
    yes = random.random(n) < 0.4
    return {
        "y": yes_no(yes),
        "p": random.beta(4, 5, n),
        "s": np.where(yes, random.beta(4.6, 5, n), random.beta(4, 5, n)),
    }


def documents_of_one_label(random: Random, n: int) -> Table:
    """Two systems on documents whose passages all have one label; documents are easy or hard for both."""
    of = clusters_of(random, n, 6)
    yes, ease = (random.random(n) < 0.4)[of], random.normal(0.9, 0.7, n)
    own = {name: (ease + random.normal(up, 0.4, n))[of] for name, up in (("p", 0.0), ("s", 0.15))}
    sign, common = np.where(yes, 1.0, -1.0), random.standard_normal(len(of))
    scores = {k: expit(sign * own[k] + 0.7 * common + 0.7 * random.standard_normal(len(of))) for k in own}
    return {"y": yes_no(yes)} | scores | {"c": of}


def case_control_of_two(random: Random, n: int) -> Table:
    """Two systems on a case-control sample with its weights."""
    table = case_control(random, n)
    logit = np.log(table["p"] / (1 - table["p"]))
    return table | {"s": expit(0.8 * logit + 0.15 + 0.6 * random.standard_normal(n))}


def essays_of_two(random: Random, n: int) -> Table:
    """Two systems on essays of which thirty are rated again."""
    table = few_again(random, n)
    return table | {"s": table["e"] + 0.3 * random.standard_t(5, n)}


def candidates_of_two(random: Random, n: int) -> Table:
    """Two systems on two to four essays of each candidate."""
    table = two_tasks(random, n)
    return table | {
        "s": table["e"] + 0.2 * random.standard_normal(n)[table["c"]] + 0.2 * random.laplace(size=len(table["c"]))
    }


def users_of_two(random: Random, n: int) -> Table:
    """Two systems on queries of users, one to six each, that are easy or hard together."""
    sizes = np.ones(n, dtype=int) if n >= WHOLE // 5 else random.integers(1, 7, n)
    user = np.repeat(np.arange(n), sizes)
    grade = (random.random((len(user), 15)) < 0.12) * random.integers(1, 4, (len(user), 15))
    grade[np.arange(len(user)), random.integers(0, 15, len(user))] = 1
    ease = random.gamma(2.0, 0.4, n)[user][:, None]
    one = ease * grade + random.standard_normal(grade.shape)
    two = one + 0.1 * grade + 0.6 * random.standard_normal(grade.shape)
    return {
        "q": np.repeat(np.arange(len(user)), 15),
        "rel": grade.reshape(-1),
        "m": one.reshape(-1),
        "s": two.reshape(-1),
        "c": np.repeat(user, 15),
    }


def answers_judged(random: Random, n: int) -> Table:
    """Two systems' answers; people label one row in six, a judge all, nine of ten as people do."""
    truth = random.choice(3, n, p=(0.5, 0.3, 0.2))
    names = np.array(["a", "b", "c"], dtype=object)
    other = [(truth + random.integers(1, 3, n)) % 3 for _ in range(3)]
    judge, one = (np.where(random.random(n) < p, truth, w) for p, w in zip((0.9, 0.8), other, strict=False))
    two = np.where(random.random(n) < 0.7, one, np.where(random.random(n) < 0.85, truth, other[2]))
    people = names[truth]
    people[(random.random(n) > 1 / 6) & (n < WHOLE)] = None
    return {"h": people, "j": names[judge], "m": names[one], "s": names[two]}


def old_and_new(random: Random, n: int) -> Table:
    """Templates whose cases fail together; the new version mends a third of the failures and breaks 3 %."""
    of = np.repeat(np.arange(n), 1 + random.negative_binomial(2, 0.3, n))
    old = random.random(len(of)) < random.beta(0.5, 3.0, n)[of]
    mends, breaks = (random.random(n) < 1 / 3)[of], random.random(len(of)) < 0.03
    new = np.where(old, ~mends, breaks)
    return {
        "what": ["all"] * len(of),
        "want": ["a"] * len(of),
        "v1": np.where(old, "b", "a"),
        "v2": np.where(new, "b", "a"),
        "tpl": [f"t{one}" for one in of],
    }


def two_of_machines(random: Random, n: int) -> Table:
    """Two versions on the same machines, which are good or bad for both."""
    rate, hours = random.gamma(2.5, 0.4, n), random.uniform(50, 250, n)
    return {"hours": hours, "f": random.poisson(rate * hours / 60), "s": random.poisson(rate * hours / 80)}


def _two(
    task: str, name: str, n: int, draw: Any, metrics: tuple[str, ...], roles: Mapping[str, Any], **known: Any
) -> Design:
    system = "s · raw_trim" if task == "scoring" else "v2" if task == "diagnostic" else "s"
    many = {"ranking": 20_000, "diagnostic": 40_000}.get(task, MANY)
    return Design(task, name, n, draw, metrics, roles, system=system, difference=True, many=many, **known)


_LABELS = {"reference": "y", "prediction": ["m", "s"]}
_SCORES = {"reference": "y", "score": ["p", "s"], "positive": "yes", "weight": "w", "cluster": "c"}
_ESSAYS = {"raters": ["h1", "h2"], "prediction": ["e", "s"], "candidate": "c", "zeros": "keep", "min": 1, "max": 6}
_LISTS = {"query": "q", "relevance": "rel", "score": ["m", "s"], "cluster": "c"}
_SUITE = {"phenomenon": "what", "expect": "want", "prediction": ["v1", "v2"], "template": "tpl"}
_AREAS = (*BOTH, "average_precision", "calibration_error")
COMPARED: tuple[Design, ...] = (
    *(_two("classification", "two, scores hardly apart", n, hardly_apart, _AREAS, _SCORES) for n in (80, 300)),
    *(_two("classification", "two, eight labels", n, eight_nearly_equal, LABELS, _LABELS) for n in (120, 400)),
    *(_two("classification", "two, near chance", n, both_near_chance, _AREAS, _SCORES) for n in (60, 250)),
    *(
        _two("classification", "two, documents of one label", n, documents_of_one_label, _AREAS, _SCORES)
        for n in (50, 150)
    ),
    *(_two("classification", "two, case-control", n, case_control_of_two, _AREAS, _SCORES) for n in (100, 300)),
    *(_two("scoring", "two, 30 rated again", n, essays_of_two, SCORED[:4], _ESSAYS) for n in (120, 300)),
    *(_two("scoring", "two, two to four essays each", n, candidates_of_two, SCORED[:4], _ESSAYS) for n in (50, 120)),
    *(
        _two("ranking", "two, queries of users", n, users_of_two, ("ndcg(at=5)", "mean_reciprocal_rank"), _LISTS)
        for n in (50, 120)
    ),
    _two(
        "judges",
        "two, judged",
        600,
        answers_judged,
        ("judge_assisted_mean", "labelled_mean"),
        {"reference": "h", "judge": "j", "prediction": ["m", "s"]},
    ),
    *(_two("diagnostic", "two, a third mended", n, old_and_new, ("failure_rate",), _SUITE) for n in (50, 120)),
    *(
        _two(
            "failures",
            "two, the same machines",
            n,
            two_of_machines,
            ("mean_time_between_failures",),
            {"exposure": "hours", "failures": ["f", "s"]},
            truths={"mean_time_between_failures": 20.0},
        )
        for n in (60, 150)
    ),
)
