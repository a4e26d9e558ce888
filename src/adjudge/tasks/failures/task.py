"""How long does it run until it fails? Read this file to know everything the failures task promises."""

from __future__ import annotations

from adjudge.evaluation.asking.likenesses import FAILED, ID, SLICES, WATCHED, WEIGHT
from adjudge.evaluation.cubes.keys import cells_by, row_keys
from adjudge.evaluation.declaration import Demo, Role, Setting, TakeAway, Task
from adjudge.metrics import failure_ratio, mean_time_between_failures
from adjudge.tasks.failures.items import failure_items
from adjudge.tasks.failures.screen import SCREEN
from adjudge.tasks.failures.stacking import compared_logs
from adjudge.tasks.failures.study import FailureStudy

TASK = Task(
    name="failures",
    question="How long does it run until it fails, how sure are we, and does another one run longer?",
    roles=(
        Role(
            "exposure",
            "column of how long each row was watched: hours, requests; one for all systems, or one for each",
            many=True,
            of_system=True,
            like=WATCHED,
        ),
        Role(
            "failures",
            "column of how often it failed in that row; several columns are several systems",
            many=True,
            of_system=True,
            like=FAILED,
        ),
        Role("weight", "column of case weights", like=WEIGHT),
        Role("cluster", "column of units to resample together, such as a machine"),
        Role("id", "column that names each row; repeated names are refused", like=ID),
        Role("slices", "columns to evaluate level by level; 'a × b' crosses two", many=True, like=SLICES),
    ),
    metrics=(mean_time_between_failures, failure_ratio),
    study=FailureStudy.of,
    headline=("mean_time_between_failures", "mean_time_between_failures(*)"),
    settings=(Setting("stopped", "what ended the watch: time (default) or failure"),),
    shapes=(("exposure", "failures"),),
    screen=SCREEN,
    compares=compared_logs,
    demo=Demo(
        "weeks.csv", {"exposure": ["hours"], "failures": ["current_failures", "candidate_failures"], "slices": ["site"]}
    ),
    example=(
        '>>> table = {"hours": [168, 168, 168], "old": [4, 3, 5], "new": [1, 0, 1]}\n'
        '>>> found = adjudge.failures(table, exposure="hours", failures=["old", "new"])\n'
        '>>> found.get("mean_time_between_failures", system="new").value\n'
        "252.0"
    ),
    cells=cells_by(row_keys),
    takes_away=(
        TakeAway("items", "each row: how long each system was watched, and how often it failed", failure_items),
    ),
)
