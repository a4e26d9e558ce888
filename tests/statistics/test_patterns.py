"""Patterns of ratings by many raters in many categories: counted in the few ways that differ, and in their order."""

from __future__ import annotations

import numpy as np
import pytest

from adjudge.data.judgements.ratings import ratings_of
from adjudge.statistics.ratings.patterns import distinct_patterns
from adjudge.statistics.ratings.vectors import RatingVectors


@pytest.mark.parametrize(("raters", "categories"), [(3, 4), (16, 18), (2, 60)])
def test_patterns_are_the_distinct_counts_in_order(raters: int, categories: int) -> None:
    codes = np.random.default_rng(1).integers(-1, categories, (500, raters))
    codes[250:] = np.random.default_rng(2).permuted(codes[:250], axis=1)  # the same ratings by other raters
    counts = np.stack([(codes == category).sum(1) for category in range(categories)], axis=1)
    patterns, place = distinct_patterns(codes, categories)
    assert np.array_equal(patterns, np.unique(counts, axis=0))
    assert np.array_equal(patterns[place], counts)


def test_shares_of_categories_by_rater() -> None:
    ratings = ratings_of([["a", "b", None], ["a", "a", None], ["b", "a", None], [None, "c", None]])
    vectors = RatingVectors.of_arrays([["a", "b", None], ["a", "a", None], ["b", "a", None], [None, "c", None]])
    assert vectors.categories == ratings.categories == ("a", "b", "c")
    assert vectors.rater_shares == pytest.approx(
        np.array([[2 / 3, 1 / 3, 0], [0.5, 0.25, 0.25], [np.nan] * 3]), nan_ok=True
    )
