"""Two raters beside one another: the only pair there is shares the sums and draws of all responses."""

from __future__ import annotations

import pytest
from tests.tasks.scoring.test_scoring import evaluated, rows_of, table_of

from adjudge.statistics.scores.totals import ScoreTotals

PAIR = "h1 × h2"


def only_both(table: dict[str, list]) -> dict[str, list]:
    rows = [place for place, score in enumerate(table["h2"]) if score is not None]
    return {name: [values[place] for place in rows] for name, values in table.items()}


def test_the_only_pair_is_measured_on_the_responses_that_both_scored() -> None:
    table = table_of()
    rows, both = (rows_of(evaluated(of, slices=["l1"])) for of in (table, only_both(table)))
    of_pair = [key for key in rows if key[0] == PAIR and "standardized_means" not in key[2]]
    assert len(of_pair) > 50
    for key in of_pair:
        assert rows[key].n == both[key].n, key
        assert rows[key].estimate == pytest.approx(both[key].estimate, nan_ok=True), key
        assert rows[key].method in ("baseline", "none") or rows[key].low <= rows[key].estimate <= rows[key].high


def test_the_only_pair_has_no_sums_of_its_own() -> None:
    for raters, views in ((["h1", "h2"], {""}), (["h1", "h2", "h3"], {"", PAIR, "h1 × h3", "h2 × h3"})):
        summed = collected_views(raters)
        assert summed == views


def collected_views(raters: list[str]) -> set[str]:
    from adjudge.evaluation.request import request
    from adjudge.evaluation.walk import collect
    from adjudge.tasks import task_named

    scoring = request(task_named("scoring"), table_of(), raters=raters, prediction="engine", min=1, max=6)
    return {tally.view for _, tally in collect(scoring).sums if tally.statistic is ScoreTotals}
