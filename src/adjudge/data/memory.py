"""What the memory allocators of this process keep while a table is read, and when they give it back."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

# The most that the GNU C library learns from.
HELD = 30 << 20
ARENA_MAX = -8  # what malloc.h calls M_ARENA_MAX


def hold_memory() -> None:
    """Let the arrays of one block be those of the next, instead of giving memory back and asking for it again.

    The GNU C library keeps what is freed up to twice the largest array that it got from the system by itself and gave
    back; with blocks of a megabyte, that is a part of one. An array that nobody touches costs nothing.
    """
    np.empty(HELD, dtype=np.uint8)


def share_memory() -> None:
    """Let threads that begin take arrays from the same free memory, instead of each keeping some of its own.

    Sums are made by one thread and held by another, so that each thread's memory would be a sieve. NumPy asks for few,
    large arrays: threads do not wait for one another. Other C libraries than GNU's are left as they are.
    """
    if (set_option := _of_c_library("mallopt")) is not None:
        set_option(ARENA_MAX, 1)


def release_memory() -> None:
    """Give back what pyarrow keeps of what it decoded into, for the next table."""
    if (arrow := sys.modules.get("pyarrow")) is not None:
        arrow.default_memory_pool().release_unused()


def release_all() -> None:
    """The same, and what lies free between arrays; takes some thousandths of a second."""
    release_memory()
    if (trim := _of_c_library("malloc_trim")) is not None:
        trim(0)


def _of_c_library(name: str) -> Callable[..., int] | None:
    """A function of GNU's C library; None where programs rest on another one."""
    import ctypes

    if not sys.platform.startswith("linux"):
        return None
    function: Callable[..., int] | None = getattr(ctypes.CDLL(None), name, None)
    return function
