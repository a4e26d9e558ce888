"""The example summaries, one after the other or by name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# The examples stand beside the tests; this works whatever import mode pytest runs in.
sys.path.insert(0, str(Path(__file__).parent))

import examples

from adjudge.report.summary import Summary


@pytest.fixture(params=list(examples.ALL))
def summary(request: pytest.FixtureRequest) -> Summary:
    """Each example in turn."""
    return examples.ALL[request.param]()
