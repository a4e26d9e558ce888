"""What is freed is given back, and the absence of GNU's C library is no error."""

import sys
from pathlib import Path

import numpy as np
import pytest

from adjudge.data import memory


def _resident() -> int:
    """How many pages this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_what_lies_free_between_arrays_is_given_back() -> None:
    memory.hold_memory()
    arrays = [np.ones(2**16) for _ in range(400)]  # 200 MiB, of which every tenth array stays
    held = arrays[::10]
    before = _resident()
    del arrays
    memory.release_all()
    assert before - _resident() > 100 * 2**20 / 4096
    assert all(array.all() for array in held)


def test_another_c_library_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert memory._of_c_library("malloc_trim") is None
    memory.share_memory()
    memory.release_all()


def test_a_function_that_the_library_has_not_is_left_out() -> None:
    assert memory._of_c_library("no_such_function_of_any_library") is None
