"""What many tests share: the command line run in this process, and what it said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from tests.browsing import opened_browser

from adjudge.cli.main import main


@dataclass(frozen=True)
class Said:
    """The end of one command."""

    code: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture
def adjudge_cli(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `adjudge …` and tells its exit code and what it printed."""

    def run(*arguments: object) -> Said:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return run


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser, for the tests of one module."""
    yield from opened_browser()
