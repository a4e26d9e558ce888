"""Codes are counted and looked up two at a time where that is possible, which no figure shows."""

import numpy as np
import pytest

from adjudge.data.codes import FEWEST, MOST, of_codes, times_of_codes
from adjudge.data.judgements.columns import distinct_numbers


@pytest.mark.parametrize("size", [1, 2, 7, MOST, MOST + 1])
@pytest.mark.parametrize("rows", [0, 1, FEWEST - 1, FEWEST, FEWEST + 1, 3 * FEWEST])
@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int64])
def test_every_code_is_counted_once(size: int, rows: int, kind: type[np.signedinteger]) -> None:
    codes = np.random.default_rng(rows).integers(0, size, rows).astype(kind)
    assert times_of_codes(codes, size + 1).tolist() == [int((codes == code).sum()) for code in range(size + 1)]
    assert times_of_codes(codes[::2], size).tolist() == [int((codes[::2] == code).sum()) for code in range(size)]


@pytest.mark.parametrize("size", [1, 7, MOST, MOST + 1])
@pytest.mark.parametrize("rows", [0, 1, FEWEST - 1, FEWEST, FEWEST + 1])
@pytest.mark.parametrize("kind", [np.int8, np.int16])
def test_every_code_has_what_the_table_says(size: int, rows: int, kind: type[np.signedinteger]) -> None:
    random = np.random.default_rng(rows)
    table, codes = random.integers(-128, 128, size).astype(np.int8), random.integers(0, size, rows).astype(kind)
    for some in (codes, codes[::2]):
        expected = [table.tolist()[code] for code in some.tolist()]
        assert of_codes(table, some).tolist() == expected
        assert of_codes(table.astype(np.int16), some).tolist() == expected


@pytest.mark.parametrize(
    "values",
    [
        [],
        [3.0, 1.0, 3.0],
        [-4.0, 1e-20, -4.0],  # 1e-20 is not 0, though 4 + 1e-20 is 4
        [0.0, 300.0, 5_000.0],
        [-130.0, 125.0, 0.0],
        [-128.0, 127.0, 0.5],
        [-128.0, 127.0, -1.0],
        [-100.0, 27.0, 3.0],
        [-100.0, 28.0, 3.0],
        [1.0, 1.5],
        [1.0] * FEWEST + [6.0] * (FEWEST + 1),
    ],
)
def test_distinct_numbers_are_those_of_sorting(values: list[float]) -> None:
    numbers = np.array(values, dtype=np.float64)
    expected = np.unique(numbers, return_counts=True)
    assert [of.tolist() for of in distinct_numbers(numbers)] == [of.tolist() for of in expected]
