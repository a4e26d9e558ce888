"""Examples drawn from a seed, the same in every run.

Rows made from a seed have no simpler example to look for, and a search for one costs more than the laws themselves.
"""

from __future__ import annotations

import inspect
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")


class Draw:
    """What one example is made from; the first example has the smallest sizes there are."""

    def __init__(self, name: str, turn: int) -> None:
        self.random, self.turn = np.random.default_rng([zlib.crc32(name.encode()), turn]), turn

    def whole(self, least: int, most: int) -> int:
        return int(self.random.integers(least, most + 1)) if self.turn else least

    def one(self, options: Sequence[T]) -> T:
        return options[int(self.random.integers(len(options)))]


def examples(number: int, name: str) -> Iterator[Draw]:
    """As many draws, which depend on the name alone."""
    return (Draw(name, turn) for turn in range(number))


def drawn(number: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The test, run for so many examples: it takes each as `draw`."""

    def turned(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(**given: Any) -> None:
            for draw in examples(number, " ".join(map(repr, (test.__name__, *given.values())))):
                test(**given, draw=draw)

        signature = inspect.signature(test)
        others = [parameter for name, parameter in signature.parameters.items() if name != "draw"]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return run

    return turned
