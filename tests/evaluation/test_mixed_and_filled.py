"""Numbers in two scales or filled in from their neighbours, and cells that are no numbers: said first, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.errors import BadValue

DRAWN = np.random.default_rng(7)
ROWS = 300
TRUE = DRAWN.gamma(4, 25, ROWS)
NEAR = TRUE * np.exp(DRAWN.normal(0, 0.15, ROWS))
CELSIUS = DRAWN.normal(15, 8, ROWS)
FORECAST = CELSIUS + DRAWN.normal(0, 2, ROWS)
HALF, FEW = np.arange(ROWS) % 2 == 0, DRAWN.random(ROWS) < 0.08


def said(true: Any, guess: Any, key: str, **options: Any) -> str | None:
    table = {"true": true, "guess": guess}
    roles: dict[str, Any] = {"reference": "true", "prediction": "guess", "replicates": 100, **options}
    found = adjudge.regression(table, **roles)
    return next((check.sentence for check in found.checks if check.key == key and check.severity == "serious"), None)


def fahrenheit(degrees: Any) -> Any:
    return 1.8 * degrees + 32


@pytest.mark.parametrize(
    ("true", "guess", "how"),
    [
        (CELSIUS, np.where(HALF, FORECAST, fahrenheit(FORECAST)), '1.8 times "true" plus 32'),
        (CELSIUS, np.where(FEW, fahrenheit(FORECAST), FORECAST), '1.8 times "true" plus 32'),
        (np.where(HALF, CELSIUS, fahrenheit(CELSIUS)), FORECAST, '"true" less 32, by 1.8'),
        (CELSIUS, FORECAST + 273.15 * FEW, '"true" plus 273.15'),
        (CELSIUS + 273.15, FORECAST + 273.15 * HALF, '"true" less 273.15'),
    ],
)
def test_some_rows_in_degrees_of_another_scale(true: Any, guess: Any, how: str) -> None:
    for engine in ("memory", "stream"):
        assert how in str(said(true, guess, "C12", engine=engine))


def test_numbers_that_lie_in_two_groups_are_no_degrees() -> None:
    groups = DRAWN.choice([20.0, 290.0], ROWS)
    taken = np.where(DRAWN.random(ROWS) < 0.1, 310 - groups, groups)
    assert said(groups + DRAWN.normal(0, 5, ROWS), taken + DRAWN.normal(0, 5, ROWS), "C12") is None
    assert said(CELSIUS, FORECAST, "C12") is None
    assert said(TRUE, NEAR + 200 * FEW, "C12") is None


@pytest.mark.parametrize("step", [2, 3])
def test_numbers_that_were_interpolated(step: int) -> None:
    places = np.arange(ROWS)
    filled = np.interp(places, places[::step], NEAR[::step])
    for engine in ("memory", "stream"):
        assert "interpolated" in str(said(TRUE, filled, "C22", engine=engine))
    assert "interpolated" in str(said(np.interp(places, places[::step], TRUE[::step]), NEAR, "C22"))


def test_lines_that_follow_the_reference_were_not_filled_in() -> None:
    places = np.arange(ROWS)
    drift = 50 + np.cumsum(DRAWN.normal(size=ROWS))
    assert said(drift, np.interp(places, places[::2], drift[::2]), "C22") is None
    assert said(0.5 * places + DRAWN.normal(0, 3, ROWS), 0.5 * places, "C22") is None
    assert said(DRAWN.integers(1, 100, ROWS), DRAWN.integers(1, 100, ROWS), "C22") is None


@pytest.mark.parametrize("cells", [["high"] * ROWS, [f"tensor({one:.2f})" for one in NEAR], NEAR + 1j])
def test_a_column_without_any_number_is_refused_with_what_it_holds(cells: Any) -> None:
    with pytest.raises(BadValue, match=r'Cells of "guess" must be numbers, but ".*" is none'):
        said(TRUE, cells, "C20")


def test_pairs_that_show_the_same_texts_again() -> None:
    texts = {name: [f"answer {name} {place}" for place in range(200)] for name in "ab"}
    table = texts | {"human": DRAWN.choice(["a", "b"], 200).tolist(), "judge": DRAWN.choice(["a", "b"], 200).tolist()}
    again = {name: [*column, *column[:60]] for name, column in table.items()}
    turned = again | {"a": [*texts["a"], *texts["b"][:60]], "b": [*texts["b"], *texts["a"][:60]]}
    roles = {"reference": "human", "annotators": ["judge"], "text_a": "a", "text_b": "b", "replicates": 100}

    def keys(of: dict[str, Any], **more: Any) -> list[str]:
        return [check.key for check in adjudge.preference(of, **roles, **more).checks]

    assert "C5" in keys(again)
    assert "C5" in keys(turned)
    assert "C5" not in keys(table)
    prompts = [f"p{place}" for place in [*range(200), *range(60)]]
    assert "C5" not in keys(again | {"prompt": prompts}, prompt="prompt")
    short = {name: DRAWN.choice(["yes", "no", "maybe", "never"], 200).tolist() for name in "ab"}
    assert "C5" not in keys(table | short)


def test_scores_of_lists_have_no_scale_to_be_mistaken() -> None:
    drawn = np.random.default_rng(8)
    query = np.repeat(np.arange(40), 8)
    grade = drawn.integers(0, 4, 320) * (drawn.random(320) < 0.6)
    sure = np.round(1 / (1 + np.exp(-8 * (grade + drawn.normal(size=320) * 1.2))), 6)
    roles = {"query": "q", "relevance": "r", "score": "s", "replicates": 100}
    found = adjudge.ranking({"q": query, "r": grade, "s": sure}, **roles)
    assert "C12" not in [check.key for check in found.checks]
