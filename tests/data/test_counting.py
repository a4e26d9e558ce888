"""Rows that are alike are read once: nothing that is known or summed of them changes."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from adjudge.data.counting import counted_rows
from adjudge.data.source import Batch, Numbers, Text, code_type
from adjudge.data.systems import SystemRoles
from adjudge.engines.base import SumPlan, Tally, sum_block
from adjudge.statistics.confusion import Confusion
from adjudge.tasks.classification.reading import LabelReading

LEVELS = tuple(f"level {place}" for place in range(300))  # more than a byte holds


def reading(**more: object) -> LabelReading:
    system = SystemRoles(name="guess", prediction="guess")
    return LabelReading(reference="label", systems=(system,), slices=(("where",), ("label", "who")), **more)


def table(rows: int, missing: float, levels: int) -> Batch:
    random = np.random.default_rng(rows)

    def column(labels: tuple[str, ...]) -> Text:
        codes = random.integers(0, len(labels), rows).astype(code_type(len(labels)))
        return Text(np.where(random.random(rows) < missing, codes.dtype.type(-1), codes), labels)

    names = {"label": ("0", "1", "2"), "guess": ("1", "0", "unused", "2"), "where": LEVELS[:levels], "who": ("x",)}
    return Batch(rows, {name: column(labels) for name, labels in names.items()})


@pytest.mark.parametrize(("rows", "missing", "levels"), [(500, 0.0, 4), (500, 0.2, 4), (9, 1.0, 1), (20_000, 0.1, 100)])
def test_rows_read_once_tell_the_same(rows: int, missing: float, levels: int) -> None:
    batch = table(rows, missing, levels)
    few = counted_rows(batch)
    assert few is not None
    assert few.rows <= len(np.unique(np.stack([text.codes for text in batch.columns.values()]), axis=1).T)
    each, once = reading().read(batch, 70), reading().read(few, 70)
    for one in fields(each.facts):
        assert repr(getattr(once.facts, one.name)) == repr(getattr(each.facts, one.name)), one.name
    plan = SumPlan((Tally("guess", Confusion),), ("where", "label × who"))
    sums, alike = sum_block(each, plan).sums, sum_block(once, plan).sums
    assert list(sums) == list(alike)
    assert [repr(value) for value in sums.values()] == [repr(value) for value in alike.values()]


def test_many_levels_are_told_apart_in_small_codes() -> None:
    batch = table(20_000, 0.1, 300)
    assert counted_rows(batch) is None  # too many rows that there could be
    where = batch.columns["where"]
    wide = Batch(batch.rows, {**batch.columns, "where": Text(where.codes.astype(np.int64), where.labels)})
    small, large = reading().read(batch, 0), reading().read(wide, 0)
    for a, b in zip(small.slices, large.slices, strict=True):
        assert a.categories == b.categories
        assert a.codes.tolist() == b.codes.tolist()
        assert a.codes.min() >= 0


def test_numbers_and_names_are_not_counted() -> None:
    batch = table(9, 0.0, 2)
    nothing = np.zeros(9, dtype=np.bool_)
    assert counted_rows(Batch(9, {**batch.columns, "score": Numbers(np.zeros(9), nothing, nothing)})) is None
    assert reading().countable
    assert not reading(cluster="who").countable
    assert not reading(id="who").countable
