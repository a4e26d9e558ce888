"""The forms of a score: as it is, trimmed and rounded, and the same on the raters' scale."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.data.judgements.score_types import RAW, SCALED, Scaling, ScoreScale, score_types
from adjudge.errors import AdjudgeError


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=20), st.sampled_from([0.5, 1.0]))
def test_the_six_forms_follow_from_one_another(values: list[float], step: float) -> None:
    raw, scale = np.array(values), ScoreScale(1, 6, step)
    forms = score_types(raw, scale, Scaling(3.0, 2.0, 3.5, 1.0))
    assert tuple(forms) == RAW + SCALED
    for names in (RAW, SCALED):
        plain, trimmed, rounded = (forms[name] for name in names)
        assert (trimmed == scale.trimmed(plain)).all()
        assert (np.abs(trimmed - plain)[(plain >= 1) & (plain <= 6)] == 0).all()
        assert set(rounded) <= set(np.arange(1, 6 + step, step))
        assert (np.abs(rounded - trimmed) <= step / 2 + 1e-12).all()
    assert forms["scale"] == pytest.approx((raw - 3) / 2 + 3.5)


def test_halves_round_to_even_and_the_tolerance_is_that_of_the_step() -> None:
    assert ScoreScale(1, 6).rounded(np.array([0.5, 1.5, 2.5, 3.5])).tolist() == [0, 2, 2, 4]
    assert ScoreScale(1, 6).slack == 0.4998
    assert ScoreScale(1, 6, 0.5).slack == pytest.approx(0.2499)
    assert ScoreScale(1, 6, tolerance=0).trimmed(np.array([6.2, 0.9])).tolist() == [6, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ScoreScale(6, 1), "`min` must be below `max`"),
        (lambda: ScoreScale(1, 6, 0), "`step` must be above 0"),
        (lambda: ScoreScale(1, np.inf), "finite ends"),
        (lambda: ScoreScale(1, 6, tolerance=-1), "`tolerance` must be at least 0"),
        (lambda: Scaling(1, 0, 1, 1), "needs scores that vary"),
        (lambda: Scaling(np.nan, 1, 1, 1), "`system_mean` of the scaling must be a number within .1e.50, not nan"),
        (lambda: Scaling.of_training(np.array([1.0]), np.array([1.0, 2])), "at least two human scores"),
    ],
)
def test_what_cannot_be_is_said(call, message: str) -> None:
    with pytest.raises(AdjudgeError, match=message):
        call()
