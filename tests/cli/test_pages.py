"""The page of a task names its roles and settings as they are: ranking's `unanswered` was told as `missing`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudge.tasks import task_named, task_names

TABLE = re.compile(r"^\| (?:role|setting) \|.*\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)
OF_ALL = {"systems", "level", "replicates", "seed", "engine"}  # settings of every task that pages tell again


@pytest.mark.parametrize("name", task_names())
def test_tables_of_roles_and_settings_name_what_the_task_takes(name: str) -> None:
    task, page = task_named(name), Path(f"docs/{name}.md").read_text(encoding="utf-8")
    rows = [row for table in TABLE.findall(page) for row in table.splitlines()]
    told = {word for row in rows for word in re.findall(r"`([a-z_]+)`", row.split("|")[1])}
    assert told <= {one.name for one in (*task.roles, *task.settings)} | OF_ALL
