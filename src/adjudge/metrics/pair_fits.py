"""What is estimated by fits of whole pairs: metrics that are rows of the result, and no formulas of counts."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from adjudge.metrics.base import Direction, Metric, metric
from adjudge.metrics.declaration import Declaration
from adjudge.statistics.base import Array
from adjudge.statistics.preferences.pair_units import PairUnits

GREENLAND = "Greenland & Mansournia 2015 (half a choice each way)"


def _fitted(name: str, title: str, about: str, *sources: str, **declared: Unpack[Declaration]) -> Metric:
    usual: Declaration = {
        "label": title,
        "over": PairUnits,
        "range": (-1.0, 1.0),
        "best": 1.0,
        "direction": Direction.HIGHER,
        "undefined": "the pairs do not tell it",
        "intervals": ("none",),
        "references": sources,
    }

    def of_pairs(units: PairUnits) -> Array:
        # Fits are made once, of all pairs, with everything that is shown of them: see `tasks/preference/rows.py`.
        return np.asarray(np.nan)

    of_pairs.__name__ = name
    of_pairs.__doc__ = f"{about}\n\nUndefined when the pairs do not tell it."
    return metric(**(usual | declared))(of_pairs)


LOG_ODDS: Declaration = {"range": (-np.inf, np.inf), "best": np.inf}
SHARE: Declaration = {"range": (0.0, 1.0), "unit": "share"}

strength_difference = _fitted(
    "strength_difference",
    "Difference of strengths",
    "Strength in one slice less that in another, not paired: the category says of which.",
    "Tango 1998",
    "Zou & Donner 2008 (limits squared and added)",
    range=(-2.0, 2.0),
    best=2.0,
)
largest_strength_difference = _fitted(
    "largest_strength_difference",
    "Largest difference of strengths",
    "The largest strength less the smallest, with limits that hold for all differences at once.",
    "Hothorn, Bretz & Westfall 2008 (max-T)",
    range=(0.0, 2.0),
    best=2.0,
)
strength_difference_by_prompt = _fitted(
    "strength_difference_by_prompt",
    "Difference of strengths, by prompt",
    "Strength beside one model less that beside another, paired by prompt: the category says of which.",
    "Liang & Zeger 1986 (errors by prompt)",
    range=(-2.0, 2.0),
    best=2.0,
)
largest_strength_difference_by_prompt = _fitted(
    "largest_strength_difference_by_prompt",
    "Largest difference of strengths, by prompt",
    "The largest strength less the smallest, paired by prompt, with limits that hold for all differences at once.",
    "Hothorn, Bretz & Westfall 2008 (max-T)",
    range=(0.0, 2.0),
    best=2.0,
)
strength_at_equal_length = _fitted(
    "strength_at_equal_length",
    "Strength at equal length",
    "Strength if both answers were as long, from a logistic fit of the choice on the trait and the lengths.",
    "Dubois and others 2024 (length control)",
    GREENLAND,
)
joint_coefficient = _fitted(
    "joint_coefficient",
    "Coefficient beside all traits",
    "Log odds of the choice for a trait at given votes of all others, from one logistic fit.",
    GREENLAND,
    **LOG_ODDS,
)
corrected_strength = _fitted(
    "corrected_strength",
    "Strength put right by people",
    "Strength that people's votes would have, from a judge's on all pairs and theirs on some, or on others.",
    "Angelopoulos, Duchi & Zrnic 2024 (PPI++)",
)
turned_votes = _fitted(
    "turned_votes",
    "Votes that turn with the order",
    "Share of votes that choose the other answer when the two are shown in the other order.",
    "Wilson 1927 (interval)",
    **(SHARE | {"direction": Direction.LOWER, "best": 0.0}),
)
model_strength = _fitted(
    "model_strength",
    "Strength of a model",
    "Log odds of winning against the average of all models; a tie is half a win.",
    "Bradley & Terry 1952",
    GREENLAND,
    **LOG_ODDS,
)
model_strength_difference = _fitted(
    "model_strength_difference",
    "Difference of strengths of models",
    "Log odds of a model beating another one.",
    "Bradley & Terry 1952",
    **LOG_ODDS,
)
win_rate = _fitted(
    "win_rate",
    "Win rate",
    "Share of the pairs of two models in which the first's answer was chosen; a tie is half.",
    "Tango 1998 (interval)",
    **SHARE,
)
win_probability = _fitted(
    "win_probability",
    "Win probability",
    "How likely a model beats another one where each has one strength.",
    "Bradley & Terry 1952",
    **SHARE,
)
worth_of_first_place = _fitted(
    "worth_of_first_place",
    "Worth of coming first",
    "Log odds of the first answer beating one by an equal model, where which comes first was drawn.",
    "Bradley & Terry 1952",
    **(LOG_ODDS | {"direction": Direction.NEAREST, "best": 0.0}),
)

FITTED = (
    strength_difference,
    largest_strength_difference,
    strength_difference_by_prompt,
    largest_strength_difference_by_prompt,
    strength_at_equal_length,
    joint_coefficient,
    corrected_strength,
    turned_votes,
    model_strength,
    model_strength_difference,
    win_rate,
    win_probability,
    worth_of_first_place,
)
