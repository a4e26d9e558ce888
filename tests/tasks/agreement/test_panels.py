"""The annotation lead's page: which panels there are, their limits, their cost."""

from __future__ import annotations

import json
import math
import time
from dataclasses import asdict

import numpy as np
import pytest
from tests.diagnosis.anaesthetists import FIRST_READINGS

from adjudge.data.judgements.ratings import Ratings, ratings_of
from adjudge.evaluation.panels import Panels
from adjudge.inference.resampling import Bootstrap
from adjudge.tasks.agreement.label_panels import MOST_BATCHES, agreement_panels
from adjudge.tasks.agreement.rater_panels import MOST_RATERS

QUICK = Bootstrap(300)


def simulated(items: int, raters: int, size: int, per_item: int | None = None) -> Ratings:
    random = np.random.default_rng(1)
    truth = random.integers(0, size, items)
    codes = np.where(random.random((items, raters)) < 0.8, truth[:, None], random.integers(0, size, (items, raters)))
    if per_item is not None:
        codes[np.argsort(random.random((items, raters)), axis=1) >= per_item] = -1
    return Ratings(codes, tuple(str(k) for k in range(size)), tuple(f"r{place}" for place in range(raters)))


def titles(panels: Panels) -> set[str]:
    return {one.title for part in (panels.matrices, panels.forests, panels.bars, panels.tables) for one in part}


def finite(panels: Panels) -> bool:
    """Plain JSON, without NaN."""
    json.dumps(asdict(panels), allow_nan=False)
    return True


def test_the_anaesthetists_page() -> None:
    batches = ["early"] * 20 + ["late"] * 25
    panels = agreement_panels(
        ratings_of(FIRST_READINGS),
        [f"patient {place + 1}" for place in range(45)],
        measurement="ordinal",
        settings=QUICK,
        batches=batches,
        model="5",
    )
    assert titles(panels) == {
        "Agreement of every two raters",
        "Agreement with the others by rater and batch",
        "Agreement without each rater",
        "Agreement with the majority of the others",
        "Vitality of each rater",
        "Mean kappa of each rater with the others",
        "Severity of each rater",
        "Agreement by batch",
        "Can 5 stand in for a human?",
        "Use of categories by rater",
        "Adjudication queue",
        "Hardest items",
        "Most confused labels",
        "Reliability of each rater",
        "Do raters use the scale alike?",
        "What the value is called",
        "How many more items?",
    }
    assert finite(panels)
    hardest = next(one for one in panels.tables if one.title == "Hardest items")
    assert str(hardest.rows[0][0]).startswith("patient ")


def test_the_nominal_page_has_the_published_figures() -> None:
    panels = agreement_panels(ratings_of(FIRST_READINGS), None, settings=QUICK)
    forest = panels.forests[0]
    assert forest.against == pytest.approx(0.584, abs=5e-4)
    assert [line.estimate for line in forest.lines][:2] == pytest.approx([0.537, 0.629], abs=5e-4)
    assert "vitality −0.045" in forest.lines[1].note


def test_many_raters_and_items_are_cut_with_a_note() -> None:
    panels = agreement_panels(simulated(2_000, 40, 3, per_item=3), None, settings=QUICK)
    matrix = panels.matrices[0]
    assert len(matrix.rows) == len(matrix.columns) == len(matrix.values) == MOST_RATERS
    assert "10 are not" in matrix.note
    assert all(len(table.rows) <= 50 for table in panels.tables)
    assert finite(panels)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio", "circular", "bipolar"])
def test_every_measurement(level: str) -> None:
    rows = [[1, 1, 2], [2, 2, 2], [3, 2, 3], [1, 1, 1], [3, 3, 1]] * 4
    panels = agreement_panels(ratings_of(rows), None, measurement=level, settings=QUICK)
    assert panels.forests[0].against is not None
    assert finite(panels)


def test_numbers_with_many_values_get_what_needs_no_categories() -> None:
    random = np.random.default_rng(2)
    values = random.normal(size=(300, 1)) + 0.3 * random.normal(size=(300, 3))
    panels = agreement_panels(ratings_of(values), None, measurement="interval", settings=QUICK)
    assert {"Agreement without each rater", "Severity of each rater"} <= titles(panels)
    assert not panels.matrices
    assert finite(panels)


def test_labels_by_the_dozen_get_the_lists() -> None:
    panels = agreement_panels(simulated(500, 4, 80), None, settings=QUICK)
    assert {"Agreement with the majority of the others", "Adjudication queue"} <= titles(panels)


@pytest.mark.parametrize(
    "rows",
    [
        [[None, None]],
        [["a", None], [None, "a"]],
        [["a", "a"], ["a", "a"]],
        [["a", "b"]],
        [["a"], ["b"]],
        [["a", "a", None], ["b", None, "b"]],
    ],
)
def test_degenerate_ratings_give_panels_and_no_traceback(rows: list[list[str | None]]) -> None:
    panels = agreement_panels(
        ratings_of(rows), None, measurement="ordinal", settings=QUICK, batches=["x"] * len(rows), model="1"
    )
    assert finite(panels)


def test_nothing_at_all() -> None:
    assert agreement_panels(Ratings(np.zeros((0, 2), dtype=np.int64), (), ("1", "2")), None) == Panels()


def test_the_same_input_gives_the_same_page() -> None:
    ratings = simulated(300, 4, 3)
    assert agreement_panels(ratings, None, settings=QUICK) == agreement_panels(ratings, None, settings=QUICK)


@pytest.mark.slow
def test_a_hundred_thousand_items_take_seconds() -> None:
    ratings = simulated(100_000, 5, 5)
    start = time.process_time()
    panels = agreement_panels(ratings, None, batches=[str(place % 20) for place in range(100_000)], model="r0")
    assert time.process_time() - start < 15  # about 2 on a quiet core; the machine may be busy
    assert not math.isnan(panels.forests[0].against or math.nan)


@pytest.mark.parametrize("many", [MOST_BATCHES, MOST_BATCHES + 1])
def test_earlier_batches_are_counted_where_some_are_not_shown(many: int) -> None:
    ratings = simulated(3 * many, 3, 3)
    panels = agreement_panels(ratings, None, batches=[f"b{place % many:02d}" for place in range(3 * many)], model="r0")
    [panel] = [panel for panel in panels.forests if panel.title == "Agreement by batch"]
    assert len(panel.lines) == MOST_BATCHES
    assert ("1 earlier ones are not" in panel.note, "earlier" in panel.note) == (many > MOST_BATCHES,) * 2
