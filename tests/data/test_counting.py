"""Rows that are alike are read once: nothing that is known or summed of them changes."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.engines.bits import digest_of

from adjudge.data.counting import counted_rows
from adjudge.data.facts import Facts
from adjudge.data.source import Batch, Numbers, Text, code_type
from adjudge.data.systems import SystemRoles
from adjudge.engines.base import EVERYWHERE, WHOLE_ONLY, SumPlan, Tally
from adjudge.engines.blocks import sum_block
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.curves.curve import Curves
from adjudge.tasks.classification.reading import LabelReading

LEVELS = tuple(f"level {place}" for place in range(300))  # more than a byte holds


def reading(*scores: tuple[str | None, str], **more: object) -> LabelReading:
    system = SystemRoles(name="guess", prediction="guess", scores=scores)
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


def scored(batch: Batch, values: NDArray[np.float64]) -> Batch:
    return Batch(batch.rows, {**batch.columns, "score": Numbers(values)})


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_scores_of_rows_read_once_are_those_of_all_rows(missing: float) -> None:
    """Facts and curves too: those of the whole, of two slices at once and, with too many levels, one by one."""
    batch = scored(table(900, missing, 100), np.random.default_rng(5).random(900))
    few = counted_rows(batch)
    assert few is not None
    assert few.rows < 900
    read = reading((None, "score"), positive="1")
    each, once = read.read(batch, 70), read.read(few, 70)
    for one in fields(each.facts):
        assert repr(getattr(once.facts, one.name)) == repr(getattr(each.facts, one.name)), one.name
    for where in (WHOLE_ONLY, EVERYWHERE):
        plan = SumPlan((Tally("guess", Confusion, where), Tally("guess", Curves, where)), ("where", "label × who"))
        a, b = sum_block(each, plan), sum_block(once, plan)
        assert list(a.sums) == list(b.sums)
        assert digest_of(replace(a, facts=Facts())) == digest_of(replace(b, facts=Facts()))


def test_infinite_numbers_and_names_are_not_counted() -> None:
    batch = table(9, 0.0, 2)
    assert counted_rows(scored(batch, np.zeros(9))) is not None
    assert counted_rows(scored(batch, np.where(np.arange(9) == 4, np.inf, 0.0))) is None
    assert counted_rows(scored(batch, np.where(np.arange(9) == 4, np.nan, 0.0))) is None
    assert reading().countable
    assert not reading(cluster="who").countable
    assert not reading(id="who").countable
