"""What docs/scale.md says runs where is what the tests of engines run."""

from __future__ import annotations

import re
from pathlib import Path

from bench.scale_paper import Constants, page
from tests.engines.test_any_scheduler import CASES
from tests.engines.test_clusters import EVERY_TASK, OF_FRAMES

from adjudge.tasks import task_names

ROLES = {
    "weights": {"weight"},
    "clusters": {"cluster", "candidate", "template", "prompt"},
    "slices": {"slices", "split", "phenomenon"},
}
RUN = {"files: stream, threads, Spark, Dask": EVERY_TASK, "Spark DataFrame": OF_FRAMES}
SHAPES = {
    "agreement, a column for each rater": "agreement: in columns",
    "agreement, a row for each rating": "agreement: in rows",
}


def lines() -> list[dict[str, str]]:
    """The first table under "What runs where", by its columns."""
    text = Path("docs/scale.md").read_text(encoding="utf-8").partition("## What runs where")[2]
    table = text.partition("\n| task")[2].partition("\n\n")[0].split("\n")
    names = ["task", *(cell.strip() for cell in table[0].split("|")[1:-1])]
    return [dict(zip(names, (cell.strip() for cell in line.strip("|").split("|")), strict=True)) for line in table[2:]]


def test_every_yes_is_run() -> None:
    """Each task, with weights, clusters and slices, on every engine."""
    assert {line["task"].partition(",")[0] for line in lines()} == {*task_names()}
    for line in lines():
        of_task = SHAPES.get(line["task"], f"{line['task']}:")
        given = {role for case, roles in CASES.items() if case.startswith(of_task) for role in roles}
        for column, roles in ROLES.items():
            assert line[column].startswith("yes") == bool(roles & given), (line["task"], column)
        for column, cases in RUN.items():
            assert (line[column] == "yes") == any(case.startswith(of_task) for case in cases), (line["task"], column)


def test_the_page_on_paper_follows_from_its_constants() -> None:
    """What is said of 10¹¹ rows is what the benchmark would print of the constants above it."""
    text = Path("docs/scale.md").read_text(encoding="utf-8").partition("## On paper")[2]
    constants = {}
    for which, said in re.findall(r"^- (labels[a-z ]*): (.*)$", text, re.MULTILINE):
        row, measure, rows, size, add, row_bytes, byte = (
            float(number.replace(",", "")) for number in re.findall(r"\d[\d.,]*(?= )", said)
        )
        constants[which] = Constants(int(rows), row / 1e6, measure, round(size * 1e6), add / 1e3, row_bytes, byte / 1e9)
    assert len(constants) == 2
    told = list(page(constants, 1e11, 1_000))
    assert [line for line in told if line.startswith("|") and line not in text] == []
    assert [line for line in told if line.startswith("labels") and f"- {line}" not in text] == []
    for number in re.findall(r"\d+,\d+,\d+|\d+ MB|\d+ GB", told[-1]):
        assert number in text
