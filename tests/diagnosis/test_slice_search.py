"""A search of slices: what is there is found, what is not is not, and every number by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import adjudge
from adjudge.diagnosis.slices.search_units import SearchedColumn, SearchUnits
from adjudge.diagnosis.slices.slice_search import search
from adjudge.diagnosis.slices.slice_tests import beside_rest
from adjudge.errors import AdjudgeError
from adjudge.evaluation.slice_search.search import CHANCE, FOUND


def quiet(what: str, more: int, of: int) -> None: ...


def units(rows: int = 4_000, seed: int = 1, planted: float = 0.15, clusters: int | None = None) -> SearchUnits:
    random = np.random.default_rng(seed)
    columns = tuple(
        SearchedColumn(f"c{k}", tuple("abcd"), random.integers(0, 4, rows).astype(np.int32)) for k in range(5)
    )
    inside = (columns[0].codes == 1) & (columns[1].codes == 2)
    losses = (random.random(rows) < np.where(inside, planted, 0.15)).astype(float)
    keys = np.arange(rows) // (rows // clusters) if clusters else np.arange(rows)
    return SearchUnits(columns, losses, keys.astype(np.uint64) + np.uint64(1), clusters is not None)


def searched(one: SearchUnits, **given: Any) -> Any:
    return search(one, **({"way": None, "level": 0.95, "seed": 7, "tables": 20, "progress": quiet} | given))


def test_a_planted_slice_is_confirmed_in_rows_that_did_not_choose_it() -> None:
    found = searched(units(planted=0.4))
    assert found.way == "split"
    assert found.rows + found.confirmed_in == 4_000
    assert found.finds[0].name == "c0 × c1 = b × c"
    assert found.finds[0].p_adjusted < 0.001
    assert found.by_chance == pytest.approx(1 / 21)
    # Neither of its parents adds to it, nor its copies.
    assert all(
        one.p_adjusted > 0.05 for one in found.finds[1:] if "c0 = b" not in one.name and "c1 = c" not in one.name
    )


@pytest.mark.parametrize("clusters", [None, 200])
def test_where_there_is_nothing_hardly_anything_is_found(clusters: int | None) -> None:
    hits = [
        any(one.p_adjusted < 0.05 for one in searched(units(2_000, seed, clusters=clusters), tables=0).finds)
        for seed in range(40)
    ]
    assert sum(hits) <= 6  # 5 % of 40 are 2; more than 6 come in 0.3 % of runs


def test_cells_are_counted_right() -> None:
    one = units(3_000)
    found = searched(one, way="all", tables=0)
    assert found.searched == 5 * 4 + 10 * 16
    first = found.finds[0]
    name, _, levels = first.name.partition(" = ")
    inside = np.ones(3_000, dtype=bool)
    for column, level in zip(name.split(" × "), levels.split(" × "), strict=True):
        inside &= one.columns[int(column[1:])].codes == "abcd".index(level)
    hits = int(one.losses[inside].sum())
    assert (first.part.rows, first.part.mean) == (int(inside.sum()), hits / inside.sum())
    p = stats.hypergeom.sf(hits - 1, 3_000, int(one.losses.sum()), int(inside.sum()))
    assert first.part.p == pytest.approx(p, rel=1e-12)
    assert first.p_adjusted >= p
    rest = (one.losses.sum() - hits) / (~inside).sum()
    assert first.part.excess == pytest.approx(hits - inside.sum() * rest)
    assert first.part.share == pytest.approx(hits / one.losses.sum())
    assert one.losses.mean() <= first.shrunken <= first.part.mean


def test_losses_of_clusters_vary_with_clusters() -> None:
    random = np.random.default_rng(4)
    groups = np.repeat(np.arange(40), 25)
    losses = random.random(1_000) + random.normal(size=40)[groups]
    inside = groups < 15
    alone, together = (beside_rest(losses, inside, of, None, 0.95) for of in (None, groups))
    assert alone.mean == together.mean
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_a_part_beside_the_rest_is_welch_of_means() -> None:
    random = np.random.default_rng(5)
    losses, inside = random.exponential(size=400), np.arange(400) < 100
    found = beside_rest(losses, inside, None, None, 0.95)
    welch = stats.ttest_ind(losses[inside], losses[~inside], equal_var=False, alternative="greater")
    assert found.p == pytest.approx(welch.pvalue, rel=0.05)


def test_the_order_of_rows_changes_nothing() -> None:
    one = units(planted=0.3)
    order = np.random.default_rng(0).permutation(one.rows)
    assert searched(one) == searched(one.of_rows(order))


def test_a_slice_that_chose_itself_is_drawn_towards_the_mean_of_all() -> None:
    """Six levels of 40 rows: by as many rows as the variance within has of what means vary by beyond it (moments)."""
    failing = np.array([4, 6, 8, 10, 12, 30])
    losses = np.concatenate([np.arange(40) < many for many in failing]).astype(float)
    column = SearchedColumn("c", tuple("abcdef"), np.repeat(np.arange(6), 40).astype(np.int32))
    one = SearchUnits((column,), losses, np.arange(1, 241, dtype=np.uint64), False)
    worst = searched(one, way="all", tables=0).finds[0]
    mean, within = 70 / 240, 70 / 240 * 170 / 240
    between = np.mean((failing / 40 - mean) ** 2) - within * 6 / 240
    assert worst.name == "c = f"
    assert worst.shrunken == pytest.approx((30 + within / between * mean) / (40 + within / between))


def table(rows: int = 2_400) -> dict[str, list[Any]]:
    random = np.random.default_rng(6)
    where, size = random.choice(["north", "south"], rows), random.normal(50, 10, rows)
    wrong = random.random(rows) < np.where((where == "north") & (size > 57), 0.5, 0.1)
    want = random.choice(["a", "b"], rows)
    return {
        "want": want.tolist(),
        "said": np.where(wrong, "c", want).tolist(),
        "where": where.tolist(),
        "size": size.tolist(),
        "price": random.exponential(1.0, rows).tolist(),
        "guess": (random.exponential(1.0, rows) + 3 * wrong).tolist(),
        "who": [f"p{row // 3}" for row in range(rows)],
    }


def panel(evaluation: adjudge.Evaluation, title: str) -> Any:
    return next(table for table in evaluation.outcome.panels.tables if table.title == title)


@pytest.mark.parametrize("given", [{}, {"cluster": "who"}, {"engine": "stream"}, {"search_by": "all"}])
def test_a_search_of_decisions(given: dict[str, Any]) -> None:
    asked = {"reference": "want", "prediction": "said", "search": ["where", "size"], "replicates": 100} | given
    found = adjudge.classification(table(), search_null=10, **asked)
    first = dict(zip(panel(found, FOUND).columns, panel(found, FOUND).rows[0], strict=True))
    assert first["slice"].startswith("where × size = north × above 5")
    assert first["verdict"] in ("confirmed", "shown")
    assert panel(found, CHANCE).rows[-1][0] == "found here"


def test_a_search_of_errors_of_numbers() -> None:
    found = adjudge.regression(
        table(), reference="price", prediction="guess", search=["where", "size"], search_null=5, replicates=100
    )
    assert panel(found, FOUND).rows[0][1] == "confirmed"


def test_a_system_that_loses_nothing_has_nothing_to_search_for() -> None:
    found = adjudge.classification(
        table() | {"said": table()["want"]}, reference="want", prediction="said", search=["where"], replicates=100
    )
    assert panel(found, FOUND).rows == []


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"search": ["wher"]}, "where"),
        ({"search": ["where"], "search_by": "halves"}, "`search_by` must be one of"),
        ({"search": ["where"], "search_null": -1}, "`search_null` must lie between"),
        ({"search_null": 3}, "`search` must name columns"),
    ],
)
def test_a_search_that_cannot_be_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(AdjudgeError, match=says):
        adjudge.classification(table(100), reference="want", prediction="said", **given)


def test_a_task_without_losses_of_rows_refuses_a_search() -> None:
    votes = {"a": ["x", "y"] * 20, "b": ["x", "x"] * 20, "where": ["n"] * 40}
    with pytest.raises(AdjudgeError, match="what each row cost"):
        adjudge.agreement(votes, raters=["a", "b"], search=["where"], replicates=100)
