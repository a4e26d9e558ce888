"""One table, two engines: all rows at once, or block by block. The numbers must not tell which."""

from __future__ import annotations

import math
from dataclasses import astuple

import numpy as np
import pytest

from adjudge.engines.base import WHOLE, Collected, SumPlan, Tally, no_progress
from adjudge.engines.local import MEMORY
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.request import Request, request
from adjudge.evaluation.walk import walk
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.weights import Draws
from adjudge.tasks import task_named
from adjudge.tasks.classification.reading import LabelReading

ROWS, BLOCK = 730, 100  # the last block is not full


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch) -> None:
    monkeypatch.setattr(LabelReading, "block_rows", BLOCK)


def table() -> dict[str, list]:
    random = np.random.default_rng(5)
    reference = random.integers(0, 3, ROWS)
    scores = random.dirichlet(np.ones(3), ROWS) * 0.6
    scores[np.arange(ROWS), reference] += 0.4
    yes = random.random(ROWS) < 0.35
    p = 1 / (1 + np.exp(-(random.normal(size=ROWS) + 1.5 * yes - 0.7)))
    return {
        "label": [["red", "green", "blue"][k] for k in reference],
        "guess": [["red", "green", "blue"][k] for k in np.where(random.random(ROWS) < 0.7, reference, 0)],
        **{name: scores[:, k].tolist() for k, name in enumerate(["p_red", "p_green", "p_blue"])},
        "truth": yes.astype(int).tolist(),
        "p": p.tolist(),
        "q": np.round(p + random.normal(size=ROWS) * 0.1, 2).clip(0.01, 0.99).tolist(),
        "w": random.gamma(2.0, 1.0, ROWS).tolist(),
        "person": [f"p{k}" for k in random.integers(0, 90, ROWS)],
        "where": random.choice(["here", "there", "elsewhere"], ROWS).tolist(),
        "when": [None if random.random() < 0.1 else "now" for _ in range(ROWS)],
    }


COLOURS = {"red": "p_red", "green": "p_green", "blue": "p_blue"}
CASES = {
    "plain": {"reference": "label", "prediction": "guess"},
    "one score": {"reference": "truth", "score": "p"},
    "weighted": {"reference": "truth", "score": "p", "weight": "w"},
    "weighted decisions": {"reference": "label", "prediction": "guess", "weight": "w"},
    "clustered": {"reference": "truth", "score": "p", "cluster": "person"},
    "two systems": {"reference": "truth", "score": ["p", "q"]},
    "slices": {"reference": "truth", "score": "p", "slices": ["where", "where × when"]},
    "three categories with scores": {"reference": "label", "score": COLOURS},
    "everything": {
        "reference": "label",
        "systems": {"a": {"prediction": "guess", "score": COLOURS}, "b": "guess"},
        "weight": "w",
        "cluster": "person",
        "slices": ["where"],
    },
    "bca": {"reference": "truth", "score": "p", "weight": "w", "bootstrap": "bca"},
    "bayesian": {"reference": "truth", "score": "p", "cluster": "person", "bootstrap": "bayesian"},
}


def classification(table, **given) -> Request:
    return request(task_named("classification"), table, **given)


def outcome(given: dict, engine: str, **more) -> Outcome:
    return walk(classification(table(), engine=engine, replicates=200, **{**given, **more}))


def assert_same_table(a, b) -> None:
    assert len(a) == len(b)
    for mine, other in zip(a, b, strict=True):
        for left, right in zip(astuple(mine), astuple(other), strict=True):
            if isinstance(left, float):
                assert left == pytest.approx(right, rel=1e-9, abs=1e-9, nan_ok=True), (mine, other)
            else:
                assert left == right, (mine, other)


@pytest.mark.parametrize("case", CASES)
def test_memory_and_stream_give_the_same_table(case: str) -> None:
    a, b = (outcome(CASES[case], engine) for engine in ("memory", "stream"))
    assert_same_table(a.table, b.table)
    assert (a.data.rows, a.data.used, a.data.categories) == (b.data.rows, b.data.used, b.data.categories)
    assert (a.settings.engine, b.settings.engine) == ("memory", "stream")


@pytest.mark.parametrize("case", CASES)
def test_every_defined_estimate_has_an_interval_or_says_why_not(case: str) -> None:
    for row in outcome(CASES[case], "stream").table:
        if row.method == "baseline" or math.isnan(row.estimate):
            continue
        if row.method == "none":
            assert "too few units" in row.note or "not certainty" in row.note, row
        else:
            assert row.low < row.high, row


def test_a_file_is_read_in_blocks_and_gives_the_same(tmp_path) -> None:
    columns = table()
    path = tmp_path / "rows.csv"
    lines = [
        ",".join(columns),
        *(",".join("" if v is None else str(v) for v in row) for row in zip(*columns.values(), strict=True)),
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    given = {"reference": "truth", "score": "p", "weight": "w", "slices": ["where"]}
    from_file = walk(classification(str(path), replicates=200, **given))
    assert from_file.settings.engine == "stream"
    assert_same_table(from_file.table, outcome(given, "memory").table)


def test_the_same_seed_gives_the_same_bytes_and_another_does_not() -> None:
    given = CASES["two systems"]
    a, b, c = (outcome(given, "memory", seed=seed).table.rows for seed in (7, 7, 8))
    assert repr(a) == repr(b)
    assert repr(a) != repr(c)
    assert [row.estimate for row in a] == pytest.approx([row.estimate for row in c], nan_ok=True)


def test_rows_of_one_cluster_are_drawn_together() -> None:
    """Every row twice, as a cluster of two, is no more evidence than every row once."""
    columns = table()
    once = {name: columns[name] for name in ("label", "guess")}
    twice = {name: [v for v in values for _ in range(2)] for name, values in once.items()}
    twice["pair"] = [str(k // 2) for k in range(2 * ROWS)]

    def width(rows: dict, **more) -> float:
        given = {"reference": "label", "prediction": "guess", "replicates": 2_000, "metrics": ["accuracy"], **more}
        row = walk(classification(rows, **given)).table.find("accuracy", method="bootstrap")
        return row.high - row.low

    # The ends of an interval of 2,000 replicates are sure to about 3 % of its width.
    assert width(twice, cluster="pair") / width(once) == pytest.approx(1, abs=0.1)
    assert width(twice) / width(once) == pytest.approx(1 / math.sqrt(2), abs=0.07)


def test_two_systems_are_drawn_together() -> None:
    """A copy of a system has the very same replicates, and so the very same interval."""
    rows = outcome({"reference": "truth", "systems": {"a": {"score": "p"}, "b": {"score": "p"}}}, "memory").table
    for metric in ("roc_auc", "log_loss", "accuracy"):
        a, b = (rows.find(metric, system=name, method="bootstrap") for name in "ab")
        assert (a.low, a.high) == (b.low, b.high)


def test_rescaled_weights_change_nothing() -> None:
    columns = table()
    scaled = {**columns, "w": [100 * value for value in columns["w"]]}
    given = {**CASES["weighted"], "replicates": 200}
    assert_same_table(walk(classification(columns, **given)).table, walk(classification(scaled, **given)).table)


def test_undefined_replicates_are_counted_in_the_note() -> None:
    """Two positives among forty: about one replicate in eight has none."""
    rows = {"truth": [1, 0, 1] + [0] * 37, "p": (np.linspace(0.9, 0.1, 40)).round(3).tolist()}
    found = walk(classification(rows, reference="truth", score="p", replicates=1_000)).table
    row = found.find("average_precision", method="bootstrap")
    count = int(row.note.split("undefined in ")[1].split(" of 1,000 replicates")[0])
    expected = 1_000 * (38 / 40) ** 40
    assert abs(count - expected) <= 4 * math.sqrt(expected)
    left_out = f"undefined in {count} of 1,000 replicates, which were left out"
    assert row.note.startswith(left_out)


def test_an_undefined_estimate_says_why() -> None:
    rows = {"truth": [1, 1, 1, 0, 0], "p": [0.9, 0.8, 0.7, 0.2, 0.1], "part": list("aaabb")}
    found = walk(classification(rows, reference="truth", score="p", slices="part", replicates=100)).table
    row = found.find("roc_auc", slice="part = a")
    assert math.isnan(row.estimate)
    assert math.isnan(row.low)
    assert row.method == "none"
    assert row.note == "undefined: it needs rows of the category and rows of another"


class Seen:
    """A source that counts how often each row is handed out."""

    def __init__(self, source) -> None:
        self.source, self.rows, self.blocks = source, 0, 0

    def __getattr__(self, name: str):
        return getattr(self.source, name)

    def batches(self, *arguments, **keywords):
        for batch in self.source.batches(*arguments, **keywords):
            self.rows += batch.rows
            self.blocks += 1
            yield batch


@pytest.mark.parametrize(("block", "blocks"), [(10**9, 1), (BLOCK, 8), (7, 105)])
def test_each_row_is_read_once_for_all_statistics(block: int, blocks: int, monkeypatch) -> None:
    monkeypatch.setattr(LabelReading, "block_rows", block)
    given = classification(table(), **CASES["everything"])
    tallies = (Tally("a", Confusion, by_rows=True), Tally("a", Curves), Tally("b", Confusion))
    plan = SumPlan(tallies, ("where",), ((Draws("poisson", 20, 1), tallies[:1]),))
    source = Seen(given.source)
    collected: Collected = MEMORY.collect(source, given.study.reading, lambda first: plan, no_progress)
    assert (source.rows, source.blocks) == (ROWS, blocks)
    assert collected.facts.used == ROWS
    whole = collected.sums[WHOLE, tallies[0]]
    parts = [value for (key, tally), value in collected.sums.items() if key[0] and tally == tallies[0]]
    assert sum(part.total for part in parts) == pytest.approx(whole.total)
