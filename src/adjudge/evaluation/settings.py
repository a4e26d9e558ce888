"""The settings every evaluation shares, checked once."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np

from adjudge import __version__
from adjudge.engines import base
from adjudge.errors import SettingError, literal
from adjudge.inference.resampling import Bootstrap

Progress = base.Progress  # what, how much more, of how much (0: unknown)


def number_setting(setting: str, value: Any) -> float:
    """A setting that must be a number."""
    if not isinstance(value, (int, float, np.number)):
        raise SettingError(f"`{setting}` must be a number, not {literal(value)}.")
    return float(value)


def bootstrap_settings(replicates: Any, seed: Any, kind: str) -> Bootstrap:
    """How replicates are drawn; NumPy's whole numbers count as whole numbers."""
    count, start = (int(value) if isinstance(value, np.integer) else value for value in (replicates, seed))
    return Bootstrap(count, start, kind)


def versions() -> dict[str, str]:
    """What the numbers were made with."""
    import scipy

    return {
        "adjudge": __version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "python": platform.python_version(),
    }
