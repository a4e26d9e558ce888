"""The pages that are written from the declarations say what the declarations say: ranges, defaults and intervals."""

from __future__ import annotations

import pytest
from tools import write_metric_pages, write_tasks

from adjudge.metrics import catalogue
from adjudge.metrics.base import Metric


@pytest.mark.parametrize("metric", catalogue.every(), ids=repr)
def test_the_page_of_metrics_says_what_a_metric_declares(metric: Metric) -> None:
    """Run tools/write_metric_pages.py where a declaration was changed on purpose."""
    written = write_metric_pages.PAGE.read_text(encoding="utf-8")
    assert "\n".join(write_metric_pages.section(metric)) in written


def test_the_page_of_tasks_says_what_tasks_declare() -> None:
    """Run tools/write_tasks.py where a declaration was changed on purpose."""
    assert write_tasks.page() == write_tasks.PAGE.read_text(encoding="utf-8")
