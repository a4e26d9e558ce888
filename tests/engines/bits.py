"""What sums and facts are, to the last bit, however they were held on the way."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import partial
from hashlib import sha256
from typing import Any

import numpy as np

from adjudge.engines.base import Collected
from adjudge.statistics.curves.growing import GrowingCells


def digest_of(collected: Collected) -> str:
    """Equal where every number is."""
    sums = {repr((key, tally.view, tally.statistic.__name__)): value for (key, tally), value in collected.sums.items()}
    draws = {repr((key, t.view, t.statistic.__name__, d)): v for (key, t, d), v in collected.replicates.items()}
    assert len(sums) == len(collected.sums)
    digest = sha256()
    _update(digest, [collected.facts, sums, draws])
    return digest.hexdigest()


def _update(digest: Any, value: Any) -> None:
    if isinstance(value, GrowingCells):  # rows that wait are as good as cells
        value = value.points
    if isinstance(value, np.ndarray):
        value = np.array(value.tolist(), dtype=object) if value.dtype == object else value
        digest.update(repr((value.dtype.str, value.shape)).encode())
        digest.update(repr(value.tolist()).encode() if value.dtype == object else np.ascontiguousarray(value).tobytes())
    elif is_dataclass(value) and not isinstance(value, type):
        digest.update(type(value).__name__.encode())
        for one in fields(value):
            if one.init and not one.name.startswith("_"):
                digest.update(one.name.encode())
                _update(digest, getattr(value, one.name))
    elif isinstance(value, dict):
        for key in sorted(value, key=repr):
            digest.update(repr(key).encode())
            _update(digest, value[key])
    elif isinstance(value, (set, frozenset)):
        digest.update(repr(sorted(value)).encode())
    elif isinstance(value, (list, tuple)):
        digest.update(repr(len(value)).encode())
        for part in value:
            _update(digest, part)
    elif isinstance(value, partial):
        _update(digest, [value.func.__name__, value.args, value.keywords])
    elif callable(value):
        digest.update(getattr(value, "__name__", type(value).__name__).encode())
    else:
        assert isinstance(value, (str, int, float, bytes, np.generic, type(None))), type(value)
        digest.update(repr(value).encode())
