"""Tasks are declared, not asked for: no room of the walk knows one by name, and a folder is all that a task needs."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import adjudge
import adjudge.tasks
from adjudge.tasks import task_names

SOURCE = Path(adjudge.__file__).parent
ROOMS = ("cli", "evaluation", "engines", "report", "data", "statistics", "inference", "diagnosis")


def asked(code: str, tasks: tuple[str, ...]) -> Iterator[str]:
    """Every place where a task is known by its name: compared, looked up, or passed on."""
    tree = ast.parse(code)
    # What is evaluated unless something else is named may be said: it decides nothing.
    arguments = [node.args for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    defaults = {id(default) for of in arguments for default in (*of.defaults, *of.kw_defaults)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in tasks and id(node) not in defaults:
            yield f"line {node.lineno}: the task {node.value!r} by name"
        if isinstance(node, (ast.Compare, ast.Match)):
            subjects = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node.subject]
            told = [ast.unparse(subject) for subject in subjects if not isinstance(subject, ast.Constant)]
            if any(text.endswith((".task", "task.name")) for text in told) and not _of_all(node):
                yield f"line {node.lineno}: {ast.unparse(node)}"


def _of_all(node: ast.Compare | ast.Match) -> bool:
    """Whether it asks only whether there is such a task."""
    return isinstance(node, ast.Compare) and any(ast.unparse(part) == "task_names()" for part in node.comparators)


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_knows_a_task_by_name(room: str) -> None:
    files = sorted((SOURCE / room).rglob("*.py"))
    assert files
    found = [f"{file.name}, {what}" for file in files for what in asked(file.read_text(encoding="utf-8"), task_names())]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "if task.name == name: pass",
        "if request.task.name != 'scoring': pass",
        "LIMITS = {'agreement': 3}",
        "limits['agreement']",
        "if outcome.task in KNOWN: pass",
        "match outcome.task:\n    case 'scoring': pass",
        "walk('regression')",
    ],
)
def test_a_branch_would_be_seen(code: str) -> None:
    assert list(asked(code, task_names()))


def test_what_is_no_branch_is_not_taken_for_one() -> None:
    code = "def evaluate(table, task='classification'): ...\nif outcome.task not in task_names(): ...\n'of scoring'"
    assert list(asked(code, task_names())) == []


@pytest.mark.parametrize("room", ["data", "statistics", "metrics", "inference", "diagnosis", "engines", "evaluation"])
def test_the_walk_imports_no_task(room: str) -> None:
    for file in (SOURCE / room).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.startswith("adjudge.tasks") for name in names), file


PURPOSE = '"""ask how often an answer is yes"""'
DECLARED = Path(__file__).with_name("yeses_task.py")


@pytest.fixture
def new_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A folder that lies among the tasks for the time of a test."""
    folder = tmp_path / "tasks" / "yeses"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(PURPOSE, encoding="utf-8")
    (folder / "task.py").write_bytes(DECLARED.read_bytes())
    monkeypatch.setattr(adjudge.tasks, "__path__", [*adjudge.tasks.__path__, str(folder.parent)])
    task_names.cache_clear()
    yield "yeses"
    task_names.cache_clear()
    for name in [name for name in sys.modules if name.startswith("adjudge.tasks.yeses")]:
        del sys.modules[name]


TABLE = {"said": ["yes", "no", "yes", None, "yes"], "w": [1, 2, 1, 1, 1], "part": list("aabbb")}


def test_a_folder_is_all_that_a_task_needs(new_task: str, tmp_path: Path, adjudge_cli: Any) -> None:
    e = adjudge.evaluate(TABLE, new_task, answer="said", weight="w", slices=["part"], replicates=100)
    assert e["yes_share"].value == 0.6
    assert e.get("yes_share", slice="part = b").value == 1.0
    assert {row.method for row in e.table} == {"wilson"}  # so few rows are not drawn
    assert e.left_out == {'answer "said" is missing': 1}
    assert adjudge.load(e.save(tmp_path / "saved.json"))["yes_share"].value == 0.6
    page = e.report(tmp_path / "report.html").read_text(encoding="utf-8")
    for words in ("How often is the answer yes?", "Share of yes", "Yeses of answers", "Distributions"):
        assert words in page

    path = tmp_path / "answers.csv"
    path.write_text("said,part\nyes,a\nno,a\nyes,b\n", encoding="utf-8")
    said = adjudge_cli(new_task, path, "--answer", "said", "--slices", "part", "--json", tmp_path / "r.json")
    assert (said.code, said.err) == (0, "")
    assert "share of yes" in said.out
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["task"] == new_task
    assert adjudge_cli(new_task, path, "--answer", "said", "--metrics", "yes_share", "--quiet").code == 0


def test_its_help_and_its_refusals_come_from_the_declaration(new_task: str, tmp_path: Path, adjudge_cli: Any) -> None:
    assert "ask how often an answer is yes" in adjudge_cli("--help").out
    with pytest.raises(SystemExit) as ended:
        adjudge_cli(new_task, "--help")
    assert ended.value.code == 0
    path = tmp_path / "answers.csv"
    path.write_text("said\nyes\n", encoding="utf-8")
    for given, told in (
        (["--answer", "sayd"], 'Did you mean "said"?'),
        (["--answer", "said", "--metrics", "accuracy"], "it is not about yes and no"),
    ):
        said = adjudge_cli(new_task, path, *given)
        assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
        assert told in said.err
    with pytest.raises(adjudge.errors.SettingError, match="must be a role or a setting of yeses"):
        adjudge.evaluate(TABLE, new_task, answer="said", reference="said")


@pytest.mark.usefixtures("new_task")
def test_its_function_and_page_would_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SOURCE.parents[1] / "tools"))
    import write_tasks

    functions, page = write_tasks.written().values()
    assert "def yeses(" in functions
    assert "*How often is the answer yes?* `adjudge yeses`: ask how often an answer is yes." in page
