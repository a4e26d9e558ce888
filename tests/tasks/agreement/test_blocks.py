"""Blocks are read anywhere, added along the fixed tree, and give the bytes of the whole; no item is counted twice."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from tests.tasks.agreement import set_tables, span_tables
from tests.tasks.agreement.ratings_tables import IN_ROWS, RATERS, long, some, wide

import adjudge
from adjudge.data.reading import Reading, batches_of
from adjudge.data.source import Source
from adjudge.engines.base import Collected, Planner, Progress, SumPlan, added
from adjudge.engines.blocks import sum_block
from adjudge.engines.local import MEMORY
from adjudge.errors import BadValue, SettingError
from adjudge.evaluation.request import Request, request
from adjudge.evaluation.take_away.exports import to_json
from adjudge.evaluation.walk import walk
from adjudge.tasks import task_named
from adjudge.tasks.agreement import labels
from adjudge.tasks.agreement.reading import RatingReading

MEASURED = {name: np.round(np.random.default_rng(k).normal(50, 9, 90), 1).tolist() for k, name in enumerate(RATERS)}
ROLES: dict[str, Any] = {"raters": RATERS}


@dataclass(frozen=True)
class Scattered:
    """Blocks summed one by one in any order, sent away and back as bytes, and added in the order of the table."""

    name: str = "memory"
    holds_table: bool = True

    def collect(self, source: Source, reading: Reading, planner: Planner, progress: Progress) -> Collected:
        batches = list(batches_of(source, reading, gather=True))
        read = pickle.loads(pickle.dumps(reading)).read
        blocks = [(place.number, read(batch, place.first_row)) for place, batch in batches]
        plan: SumPlan = planner(next(block for _, block in blocks if block.rows))
        shuffled = random.Random(3).sample(blocks, len(blocks))
        sums = {number: pickle.dumps(sum_block(block, plan)) for number, block in shuffled}
        in_order: Iterator[tuple[int, Collected]] = ((number, pickle.loads(sums[number])) for number in sorted(sums))
        return added(in_order)


def asked(table: Any, **given: Any) -> Request:
    return request(task_named("agreement"), table, **{"replicates": 200, **given})


def document(checked: Request, engine: Any) -> dict[str, Any]:
    return json.loads(to_json(walk(replace(checked, engine=engine))))


CASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "columns": (wide(), {**ROLES, "slices": ["kind"], "batch": "batch", "model": "eva"}),
    "weights and clusters": (wide(), {**ROLES, "weight": "weight", "cluster": "page", "slices": ["kind × batch"]}),
    "rows": (long(wide()), {**IN_ROWS, "slices": ["kind"], "weight": "weight", "measurement": "ordinal"}),
    "rows out of order": (some(long(wide()), np.random.default_rng(5).permutation(287)), {**IN_ROWS, "batch": "batch"}),
    "numbers": (MEASURED, {**ROLES, "measurement": "interval"}),
    "sets": (set_tables.wide(), {"raters": set_tables.RATERS, "measurement": "sets"}),
    "spans": (span_tables.wide(), {"raters": span_tables.RATERS, "measurement": "spans"}),
    "spans in rows": (span_tables.span_rows(span_tables.wide()), {**span_tables.SPAN_ROWS, "measurement": "spans"}),
}


@pytest.mark.parametrize("case", CASES)
def test_blocks_in_any_order_give_the_same_bytes(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, given = CASES[case]
    monkeypatch.setattr(RatingReading, "block_rows", 17)
    assert document(asked(table, **given), Scattered()) == document(asked(table, **given), MEMORY)


@pytest.mark.parametrize("rows", [7, 40])
@pytest.mark.parametrize("case", CASES)
def test_where_the_table_is_cut_does_not_matter(case: str, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table, given = CASES[case]
    whole = document(asked(table, **given), MEMORY)
    monkeypatch.setattr(RatingReading, "block_rows", rows)
    parts = document(asked(table, **given), MEMORY)
    assert_near(parts, whole)


def assert_near(a: Any, b: Any) -> None:
    """The same but for the last bits of sums."""
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        for name in a:
            assert_near(a[name], b[name])
    elif isinstance(a, list):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            assert_near(one, other)
    elif isinstance(a, float):
        assert a == pytest.approx(b, rel=1e-9, abs=1e-9)
    else:
        assert a == b


def straddling() -> dict[str, list[Any]]:
    """300 items of three ratings each: no multiple of seven rows ends where an item ends, but for every 21st."""
    table = wide(300, missing=0)
    return long(table)


@pytest.mark.parametrize("engine", ["memory", "stream"])
@pytest.mark.parametrize("ordered", [True, False])
def test_an_item_cut_by_a_block_is_counted_once(engine: str, ordered: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = straddling()
    if not ordered:
        rows = some(rows, np.random.default_rng(2).permutation(900))
    whole = adjudge.agreement(rows, **IN_ROWS, replicates=100)
    assert whole["krippendorff_alpha"].n == 300
    monkeypatch.setattr(RatingReading, "block_rows", 7)
    if engine == "stream" and not ordered:
        with pytest.raises(
            BadValue, match=r"Streamed ratings of an item must stand side by side, but \d+ items come again"
        ):
            adjudge.agreement(rows, **IN_ROWS, replicates=100, engine=engine)
        return
    parts = adjudge.agreement(rows, **IN_ROWS, replicates=100, engine=engine)
    assert parts["krippendorff_alpha"].n == 300
    assert parts["krippendorff_alpha"].value == pytest.approx(whole["krippendorff_alpha"].value, abs=1e-12)
    assert parts.outcome.settings.choices["Items with two ratings or more"] == "300"
    assert parts.outcome.data.used == 900


def test_one_item_far_away_from_itself_is_refused_not_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = straddling()
    moved = some(rows, [*range(1, 900), 0])
    monkeypatch.setattr(RatingReading, "block_rows", 100)
    with pytest.raises(BadValue, match="but 1 item comes again later"):
        adjudge.agreement(moved, **IN_ROWS, replicates=100, engine="stream")
    assert adjudge.agreement(moved, **IN_ROWS, replicates=100)["krippendorff_alpha"].n == 300


def test_what_is_refused_does_not_depend_on_the_size_of_blocks() -> None:
    rows = straddling()
    with pytest.raises(BadValue, match="but 1 item comes again later"):
        adjudge.agreement(some(rows, [*range(1, 900), 0]), **IN_ROWS, replicates=100, engine="stream")


def test_raters_who_are_not_in_every_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second half is rated by others: blocks have different raters."""
    rows = straddling()
    rows["rater"] = [name if row < 450 else f"{name} too" for row, name in enumerate(rows["rater"])]
    whole = document(asked(rows, **IN_ROWS), MEMORY)
    monkeypatch.setattr(RatingReading, "block_rows", 100)
    assert_near(document(asked(rows, **IN_ROWS), MEMORY), whole)


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_numbers_become_too_many_in_a_later_block(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RatingReading, "block_rows", 10)
    monkeypatch.setattr(labels, "MOST_CATEGORIES", 30)
    table = {name: [*column[:20], *column[:20], *column] for name, column in MEASURED.items()}
    given = {**ROLES, "measurement": "interval", "replicates": 100, "engine": engine}
    if engine == "stream":
        with pytest.raises(SettingError, match="Streamed numbers must have at most"):
            adjudge.agreement(table, **given)
        return
    e = adjudge.agreement(table, **given)
    assert "krippendorff_alpha(measurement=interval)" not in e.outcome.metrics
    matrix = np.stack([table[name] for name in RATERS], axis=1)
    assert e["interval_alpha"].value == pytest.approx(adjudge.metrics.interval_alpha(matrix), abs=1e-12)
