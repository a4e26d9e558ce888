"""How large sums are is said of every statistic: docs/states.md."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import adjudge.statistics
from adjudge.statistics.base import Statistic

PAGE = Path(__file__).parents[2] / "docs" / "states.md"


def summed(base: type = Statistic) -> Iterator[type]:
    """Every class that sums units; the bases that they share do not."""
    for one in base.__subclasses__():
        if one.summing.__func__ is not Statistic.summing.__func__ and one.__module__.startswith("adjudge.statistics."):
            yield one
        yield from summed(one)


def test_the_page_has_a_row_for_every_statistic() -> None:
    for module in pkgutil.walk_packages(adjudge.statistics.__path__, "adjudge.statistics."):
        importlib.import_module(module.name)
    firsts = [line.split("|")[1] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    names = {one.__name__ for one in summed()}
    assert len(names) > 30
    assert {name for name in names if not any(f"`{name}`" in first for first in firsts)} == set()
