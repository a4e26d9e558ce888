"""Any scheduler can carry the walk: blocks summed elsewhere, in any order, give the same bytes as memory and stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.engines.bits import digest_of
from tests.engines.processes import Processes, workers

from adjudge.evaluation.comparison.panels import LIST
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import TablePanel
from adjudge.evaluation.request import Request, request
from adjudge.evaluation.walk import collect, measure, walk
from adjudge.metrics import parse, spearman
from adjudge.metrics.pair_fits import FITTED
from adjudge.tasks import task_named
from adjudge.tasks.scoring.choice import EVERY
from adjudge.tasks.scoring.panels import BY_PERSON, BY_RESPONSE

# Of numbers, ranks and what else is told from pairs; of ratings in rows, what tells raters apart.
HOLD_UNITS = {"spearman"}
HOLD_UNITS |= {"cohen_kappa", "baseline_cohen_kappa", "light_kappa", "conger_kappa"}
HOLD_UNITS |= {metric.name for metric in FITTED} - {"strength_difference", "largest_strength_difference"}
FAIRNESS = ("Fairness: what slices explain", "score accuracy by", "score difference by")
ROWS, BLOCK = 5_000, 128  # three spans of sixteen blocks, the last neither full
FEWER, OF_SPAN = 384, 5  # rows of a block and blocks of a span that cost less: three spans, too, the last neither full


@pytest.fixture(scope="module", autouse=True)
def nobody_stays() -> Iterator[None]:
    """The processes end with the tests."""
    yield
    workers().shutdown()
    workers.cache_clear()


@cache
def table() -> dict[str, list[Any]]:
    """Made once: no evaluation writes into it."""
    random = np.random.default_rng(11)
    label = random.integers(0, 2, ROWS)
    score = 1 / (1 + np.exp(-(random.normal(size=ROWS) + 1.5 * label - 0.7)))
    three = random.integers(0, 3, ROWS)
    shares = random.dirichlet(np.ones(3), ROWS) * 0.6
    shares[np.arange(ROWS), three] += 0.4
    return {
        "label": [None if random.random() < 0.01 else int(value) for value in label],
        "guess": (score > 0.5).astype(int).tolist(),
        "written": [("0.0", "1.0", "true", "False")[k] for k in random.integers(0, 4, ROWS)],
        "mixed": [("1", "2.0", "2")[k] if row < 4_000 else "word" for row, k in enumerate(three)],
        "mixed_too": [("1", "2.0", "1.0")[k] if row < 4_500 else "word" for row, k in enumerate(three)],
        "p": score.tolist(),
        "q": np.round(score + random.normal(size=ROWS) * 0.1, 2).clip(0.01, 0.99).tolist(),
        "colour": [("red", "green", "blue")[k] for k in three],
        **{name: shares[:, k].tolist() for k, name in enumerate(("p_red", "p_green", "p_blue"))},
        "w": random.gamma(2.0, 1.0, ROWS).tolist(),
        "person": [f"p{k}" for k in random.integers(0, 400, ROWS)],
        "where": random.choice(["here", "there", "elsewhere"], ROWS).tolist(),
        **scores(),
        **numbers(),
        **ratings(),
        **lists(),
        **votes(),
    }


def votes() -> dict[str, list[Any]]:
    """A reference and two traits with every way of not choosing, texts, models, and prompts that stand together."""
    random = np.random.default_rng(15)
    chosen = random.choice(["a", "b"], ROWS)
    kinds = np.array(["a", "b", "tie", "both", "neither", "invalid", "?", ""])

    def voted(right: float, other: float) -> list[Any]:
        said = np.where(random.random(ROWS) < right, chosen, np.where(chosen == "a", "b", "a"))
        return [str(one) or None for one in np.where(random.random(ROWS) < other, random.choice(kinds, ROWS), said)]

    return {
        "human": voted(0.95, 0.05),
        "polite": voted(0.6, 0.3),
        "brief": voted(0.4, 0.5),
        "prompt of pair": [f"q{row // 2}" for row in range(ROWS)],
        "text_a": ["x" * int(n) for n in random.integers(1, 60, ROWS)],
        "text_b": ["y" * int(n) for n in random.integers(1, 60, ROWS)],
        "model_a": [f"m{k}" for k in random.integers(0, 3, ROWS)],
        "model_b": [f"m{k}" for k in random.integers(0, 3, ROWS)],
    }


def scores() -> dict[str, list[Any]]:
    """Two raters, the second on half of the responses, a system, and people who stand together."""
    random = np.random.default_rng(12)
    truth = random.normal(3.5, 1, ROWS)
    first, second = (np.clip(np.rint(truth + random.normal(0, 0.5, ROWS)), 1, 6) for _ in range(2))
    return {
        "h1": first.tolist(),
        "h2": np.where(random.random(ROWS) < 0.5, second, np.nan).tolist(),
        "h3": np.where(random.random(ROWS) < 0.2, np.rint(truth).clip(1, 6), np.nan).tolist(),
        "engine": (truth + random.normal(0, 0.4, ROWS)).tolist(),
        "rule": np.rint(truth + random.normal(0, 0.8, ROWS)).tolist(),
        "pupil": [f"p{row // 3}" for row in range(ROWS)],
    }


def numbers() -> dict[str, list[Any]]:
    """A number that two systems predict, one with intervals that some rows lack."""
    random = np.random.default_rng(13)
    y = random.gamma(4.0, 2.0, ROWS)
    first, second = 0.8 * y + 1 + random.normal(size=ROWS), np.round(y + random.standard_t(3, ROWS), 1)
    return {
        "y": [None if random.random() < 0.01 else value for value in y.tolist()],
        "m1": first.tolist(),
        "m2": second.tolist(),
        "low": np.where(random.random(ROWS) < 0.1, np.nan, first - 1.5).tolist(),
        "high": (first + 1.5).tolist(),
    }


def ratings() -> dict[str, list[Any]]:
    """Three raters in columns, with gaps; sets of labels; and one rating a row, items together."""
    random = np.random.default_rng(14)
    truth = random.integers(0, 3, ROWS)

    def rated(miss: float) -> list[Any]:
        said = np.where(random.random(ROWS) < 0.7, truth, random.integers(0, 3, ROWS))
        return [None if random.random() < miss else "abc"[k] for k in said]

    def sets() -> list[Any]:
        return ["|".join(sorted({"abc"[k], "abc"[j]})) for k, j in zip(truth, random.integers(0, 3, ROWS), strict=True)]

    return {
        **{name: rated(miss) for name, miss in (("ann", 0.0), ("ben", 0.1), ("eva", 0.4))},
        **{f"{name}_moods": sets() for name in ("ann", "ben")},
        "item": [f"i{row // 4}" for row in range(ROWS)],
        "rater": [("ann", "ben", "eva", "tom")[row % 4] for row in range(ROWS)],
        "rating": ["abc"[truth[row - row % 4]] if random.random() < 0.7 else "a" for row in range(ROWS)],
        "whose": [("here", "there")[row // 4 % 2] for row in range(ROWS)],
        "item_weight": [1 + row // 4 % 5 / 7 for row in range(ROWS)],
        "set of items": [f"s{row // 32}" for row in range(ROWS)],
    }


def lists() -> dict[str, list[Any]]:
    """Queries that stand together, some without a relevant item, with scores that tie; and a trial."""
    random = np.random.default_rng(15)
    sizes = random.integers(1, 9, ROWS)
    query = np.repeat(np.arange(ROWS), sizes)[:ROWS]
    relevance = random.choice([0, 0, 0, 1, 2, 4], ROWS)
    arm = random.integers(0, 2, ROWS)
    return {
        "query": [f"q{k}" for k in query],
        "relevance": [None if random.random() < 0.02 else int(value) for value in relevance],
        "old": (0.3 * relevance + random.normal(size=ROWS)).round(1).tolist(),
        "new": [None if random.random() < 0.02 else value for value in (relevance + random.normal(size=ROWS)).tolist()],
        "topic": [f"t{k // 3}" for k in query],
        "kind": [("short", "long")[k % 2] for k in query],
        "query_weight": [0.5 + k % 4 for k in query],
        "arm": [("control", "pill")[k] for k in arm],
        "cured": (random.random(ROWS) < 0.3 + 0.2 * arm).astype(int).tolist(),
        "expected": random.normal(size=ROWS).tolist(),
    }


CASES: dict[str, dict[str, Any]] = {
    "classification: labels and slices": {"reference": "label", "prediction": "guess", "slices": ["where"]},
    "classification: labels that meet by value": {"reference": "label", "prediction": "written", "positive": "1.0"},
    "classification: labels that are read again, as written": {
        "reference": "mixed",
        "prediction": "mixed_too",
        "slices": ["where"],
    },
    "classification: a score and slices": {"reference": "label", "score": "p", "slices": ["where"]},
    "classification: two systems by cluster, weighted": {
        "reference": "label",
        "systems": {"a": {"prediction": "guess", "score": "p"}, "b": {"score": "q"}},
        "weight": "w",
        "cluster": "person",
        "slices": ["where"],
    },
    "classification: a score for each label, bca": {
        "reference": "colour",
        "score": {"red": "p_red", "green": "p_green", "blue": "p_blue"},
        "weight": "w",
        "bootstrap": "bca",
    },
    "scoring: two systems and slices, weighted": {
        "raters": ["h1", "h2"],
        "prediction": ["engine", "rule"],
        "min": 1,
        "max": 6,
        "slices": ["where"],
        "weight": "w",
        "metrics": [metric for metric in EVERY if metric is not spearman],
    },
    "scoring: by person and slices": {
        "raters": ["h1", "h2"],
        "prediction": "engine",
        "min": 1,
        "max": 6,
        "slices": ["where"],
        "candidate": "pupil",
        "metrics": [metric for metric in EVERY if metric is not spearman],
    },
}


CASES |= {
    "scoring: three raters and two systems, weighted": {
        "raters": ["h1", "h2", "h3"],
        "prediction": ["engine", "rule"],
        "min": 1,
        "max": 6,
        "slices": ["where"],
        "weight": "w",
    },
    "regression: two systems and slices, weighted": {
        "reference": "y",
        "prediction": ["m1", "m2"],
        "weight": "w",
        "slices": ["where"],
    },
    "regression: by cluster and slices, with intervals": {
        "reference": "y",
        "systems": {"new": {"prediction": "m1", "lower": "low", "upper": "high"}, "old": "m2"},
        "cluster": "person",
        "slices": ["where"],
        "weight": "w",
        "quantile": 0.9,
    },
    "regression: bca": {"reference": "y", "prediction": "m1", "bootstrap": "bca"},
    "agreement: in columns, weighted, and slices": {
        "raters": ["ann", "ben", "eva"],
        "weight": "w",
        "slices": ["where"],
    },
    "agreement: in columns by cluster": {"raters": ["ann", "ben", "eva"], "cluster": "person"},
    "agreement: in rows, items together": {
        "item": "item",
        "rater": "rater",
        "rating": "rating",
        "slices": ["whose"],
    },
    "agreement: in rows, weighted, by cluster, and slices": {
        "item": "item",
        "rater": "rater",
        "rating": "rating",
        "weight": "item_weight",
        "cluster": "set of items",
        "slices": ["whose"],
    },
    "ranking: two systems and slices, weighted": {
        "query": "query",
        "relevance": "relevance",
        "score": ["old", "new"],
        "weight": "query_weight",
        "slices": ["kind"],
    },
    "ranking: by topic, items that were missed, bca": {
        "query": "query",
        "relevance": "relevance",
        "score": ["old", "new"],
        "cluster": "topic",
        "unscored": "missed",
        "bootstrap": "bca",
    },
    "uplift: two systems and slices, weighted": {
        "outcome": "cured",
        "treatment": "arm",
        "score": ["expected", "p"],
        "weight": "w",
        "slices": ["where"],
    },
    "judges: two systems and slices, weighted": {
        "reference": "eva",
        "judge": "ann",
        "prediction": ["ben", "rating"],
        "weight": "w",
        "slices": ["where"],
    },
    "judges: by cluster": {"reference": "h2", "judge": "engine", "cluster": "person", "slices": ["where"]},
    "failures: two systems, weighted": {
        "exposure": "w",
        "failures": ["guess", "label"],
        "slices": ["where"],
        "weight": "q",
    },
    "failures: by cluster": {
        "exposure": ["w", "q"],
        "failures": ["guess", "label"],
        "cluster": "person",
        "slices": ["where"],
    },
    "uplift: by cluster": {"outcome": "y", "treatment": "arm", "score": ["expected", "p"], "cluster": "person"},
    "diagnostic: two systems by template, weighted": {
        "phenomenon": "where",
        "expect": "whose",
        "prediction": ["rater", "rating"],
        "template": "item",
        "weight": "w",
    },
    "preference: traits and models, slices, weighted": {
        "reference": "human",
        "annotators": ["polite", "brief"],
        "models": True,
        "split": ["where"],
        "weight": "w",
    },
    "preference: by prompt": {"reference": "human", "annotators": ["polite", "brief"], "prompt": "prompt of pair"},
    "agreement: sets": {"raters": ["ann_moods", "ben_moods"], "measurement": "sets", "slices": ["where"]},
}
FIRST = {case.split(":", maxsplit=1)[0]: case for case in reversed(CASES)}


def told(outcome: Outcome, metrics: set[str]) -> str:
    """Everything an outcome says, of these metrics."""
    rows = [row for row in outcome.table if row.metric in metrics]
    return repr((rows, outcome.data, outcome.systems))


def pictures(outcome: Outcome, without: set[str] = frozenset()) -> set[str]:
    """Every panel; the list of differences without these metrics."""
    labels = {parse(name, FITTED).full_label for name in without if not name.startswith("baseline_")}
    panels = [panel for kind in fields(outcome.panels) for panel in getattr(outcome.panels, kind.name)]
    lists = [isinstance(panel, TablePanel) and panel.title.startswith(LIST.format("")) for panel in panels]
    return {
        repr(replace(panel, rows=[row for row in panel.rows if row[2] not in labels]) if is_list else panel)
        for panel, is_list in zip(panels, lists, strict=True)
    }


def named_in(given: Any) -> set[str]:
    """Every text in what a case asks for; some are columns."""
    if isinstance(given, dict):
        return {text for key, value in given.items() for text in {key} | named_in(value)}
    if isinstance(given, list):
        return {text for value in given for text in named_in(value)}
    return {given} if isinstance(given, str) else set()


def columns_of(case: str) -> dict[str, list[Any]]:
    """The columns a case names, which cost less to look at than all of them; the first case has all."""
    named = named_in(CASES[case]) | ({"model_a", "model_b"} if "models" in CASES[case] else set())
    return {name: values for name, values in table().items() if name in named or case == next(iter(CASES))}


@pytest.mark.parametrize("case", CASES)
def test_the_same_bytes_wherever_blocks_are_summed(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In any order in other processes as in a stream; in memory too, but for what holds all units."""
    task, given = task_named(case.split(":", maxsplit=1)[0]), CASES[case]
    monkeypatch.setattr("adjudge.engines.base.SPAN_BLOCKS", OF_SPAN)

    def asked(name: str) -> Request:
        checked = request(task, columns_of(case), replicates=100, engine=name, **given)
        monkeypatch.setattr(type(checked.study.reading), "block_rows", FEWER)
        return checked

    checked = asked("stream")
    collected = collect(checked)
    elsewhere = collect(replace(checked, engine=Processes(seed=len(case))))  # cases differ in the order of their blocks
    assert digest_of(elsewhere) == digest_of(collected)
    stream = measure(checked, collected)
    metrics = {row.metric for row in stream.table}
    expected = told(stream, metrics)
    assert len(stream.table) > 10
    if case in FIRST.values():  # of one case of a task also what follows from the same sums
        from_elsewhere = measure(checked, elsewhere)
        assert told(from_elsewhere, metrics) == expected
        assert repr(from_elsewhere.panels) == repr(stream.panels)
        assert from_elsewhere.checks == stream.checks
    memory = walk(asked("memory"))
    assert told(memory, metrics) == expected
    held = {row.metric for row in memory.table} - metrics
    assert held <= HOLD_UNITS
    own = pictures(stream) - pictures(memory, held)
    if "candidate" in given:  # tests of fairness are by response in a stream, which says so
        assert own == {picture for picture in pictures(stream) if any(title in picture for title in FAIRNESS)}
        assert any(BY_RESPONSE in picture for picture in own)
        assert any(BY_PERSON in picture for picture in pictures(memory))
    else:
        assert not own
    assert set(stream.checks) <= set(memory.checks)
