"""The six forms of a system's score: as it is, trimmed to the scale, rounded; and the same after scaling.

raw → raw_trim → raw_trim_round, and scale → scale_trim → scale_trim_round, where scale is raw moved to the mean and
spread of human scores.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adjudge.data.judgements.columns import Array
from adjudge.data.source import MOST_NUMBER
from adjudge.errors import BadValue, SettingError, literal

# How far beyond the ends of a scale a score may lie, in steps: it still rounds to the end.
TRIM_TOLERANCE = 0.4998
RAW = ("raw", "raw_trim", "raw_trim_round")
SCALED = ("scale", "scale_trim", "scale_trim_round")


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """The scale of the scores: its ends, its step, and how far beyond the ends a score is let be.

    >>> ScoreScale(1, 6).trimmed(np.array([0.2, 3.3, 9.0])).round(4).tolist()
    [0.5002, 3.3, 6.4998]
    """

    low: float
    high: float
    step: float = 1.0
    tolerance: float | None = None  # 0.4998 steps

    def __post_init__(self) -> None:
        for name in ("low", "high", "step"):
            if not np.isfinite(getattr(self, name)):
                shown = literal(getattr(self, name))
                raise SettingError(f"The scale must have finite ends and a finite step, not {shown}.")
        if not self.low < self.high:
            raise SettingError(f"`min` must be below `max`, but they are {self.low:g} and {self.high:g}.")
        if not self.step > 0:
            raise SettingError(f"`step` must be above 0, not {self.step:g}.")
        if self.tolerance is not None and not self.tolerance >= 0:
            raise SettingError(f"`tolerance` must be at least 0, not {literal(self.tolerance)}.")

    @property
    def slack(self) -> float:
        """How far beyond its ends a trimmed score may lie."""
        return TRIM_TOLERANCE * self.step if self.tolerance is None else self.tolerance

    def trimmed(self, values: Array) -> Array:
        """Scores moved to the nearest end of the scale where they lie beyond it."""
        return np.asarray(np.clip(values, self.low - self.slack, self.high + self.slack))

    def rounded(self, values: Array) -> Array:
        """Scores at the nearest step, halves to the even one.

        >>> ScoreScale(1, 6).rounded(np.array([2.5, 3.5])).tolist(), ScoreScale(1, 6, 0.5).rounded(np.array([2.8]))
        ([2.0, 4.0], array([3.]))
        """
        return np.asarray(np.rint(values / self.step) * self.step)


@dataclass(frozen=True, slots=True)
class Scaling:
    """What moves a system's scores to the mean and spread of human scores."""

    system_mean: float
    system_sd: float
    human_mean: float
    human_sd: float

    def __post_init__(self) -> None:
        for name in ("system_mean", "system_sd", "human_mean", "human_sd"):
            if not abs(getattr(self, name)) <= MOST_NUMBER:
                shown = literal(getattr(self, name))
                raise SettingError(f"`{name}` of the scaling must be a number within ±{MOST_NUMBER:g}, not {shown}.")
        if not self.system_sd > 0 or not self.human_sd >= 0:
            raise SettingError(
                "Scaling needs scores that vary, but the standard deviation of the system's is "
                f"{self.system_sd:g} and that of the human scores {self.human_sd:g}."
            )

    @classmethod
    def of_training(cls, human: Array, system: Array) -> Scaling:
        """From the scores of a training set, missing ones left out (SDs with N − 1).

        >>> Scaling.of_training(np.array([1.0, 2, 3]), np.array([10.0, 20, 30])).applied(np.array([25.0]))
        array([2.5])
        """
        known = (values[np.isfinite(values)] for values in (system, human))
        return cls.of_moments(
            *((len(v), float(v.mean()), float(v.std(ddof=1))) if len(v) > 1 else (len(v),) for v in known)
        )

    @classmethod
    def of_moments(cls, system: tuple[float, ...], human: tuple[float, ...]) -> Scaling:
        """From how many scores there are of the system and of people, their mean and their SD."""
        for name, (count, *_) in (("system", system), ("human", human)):
            if count < 2:
                raise BadValue(f"The training table must have at least two {name} scores, but has {count}.")
        return cls(*system[1:], *human[1:])

    def applied(self, values: Array) -> Array:
        """The scaled scores."""
        return np.asarray((values - self.system_mean) / self.system_sd * self.human_sd + self.human_mean)


def score_types(raw: Array, scale: ScoreScale | None, scaling: Scaling | None = None) -> dict[str, Array]:
    """Every form of a score that can be made: trimming needs the scale, scaling its parameters.

    >>> forms = score_types(np.array([6.9, 2.5]), ScoreScale(1, 6))
    >>> {name: values.round(4).tolist() for name, values in forms.items()}
    {'raw': [6.9, 2.5], 'raw_trim': [6.4998, 2.5], 'raw_trim_round': [6.0, 2.0]}
    """
    forms = _forms(RAW, raw, scale)
    if scaling is not None:
        forms |= _forms(SCALED, scaling.applied(raw), scale)
    return forms


def _forms(names: tuple[str, str, str], values: Array, scale: ScoreScale | None) -> dict[str, Array]:
    if scale is None:
        return {names[0]: values}
    trimmed = scale.trimmed(values)
    return {names[0]: values, names[1]: trimmed, names[2]: scale.rounded(trimmed)}
