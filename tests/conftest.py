"""What many tests share: the command line run in this process, and what it said; and which tests run in one process."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests.browsing import opened_browser

from adjudge.cli.main import main

# How long a test takes says nothing of the code: machines have other work.
settings.register_profile("untimed", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one file run in one process, so that what they share is made once; all that open a browser do, too."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            in_browser = item.get_closest_marker("browser") is not None
            item.add_marker(pytest.mark.xdist_group("browser" if in_browser else item.nodeid.split("::")[0]))


@pytest.fixture
def browser() -> Any:
    """A real browser, started once for tests that follow one another."""
    return shared_browser()[1]


@cache
def shared_browser() -> tuple[ExitStack, Any]:
    stack = ExitStack()
    return stack, stack.enter_context(opened_browser())


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """The browser is closed once the next test opens none."""
    if shared_browser.cache_info().currsize and (nextitem is None or nextitem.get_closest_marker("browser") is None):
        shared_browser()[0].close()
        shared_browser.cache_clear()
