"""Would the tests notice? Changes one operator or constant of the source at a time and runs the tests that reach it.

    python tools/mutate.py map                      # once: which test reaches which line (needs `coverage`)
    python tools/mutate.py run --number 300 --seed 1

`map` runs tests and doctests once and remembers, for each of them, the lines of the package it ran and how long it
took. `run` draws mutations, two thirds of them from the rooms where a wrong number would be made, changes a copy of
the tree, and runs the tests that reach the changed line, nearest and cheapest first, until one fails. A mutation that
no test reaches counts as unnoticed, like one that all tests pass. The tree itself is never touched.
"""

import argparse
import ast
import copy
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path("src/adjudge")
FIRST_ROOMS = ("statistics", "metrics", "inference", "data")
REACH_FILE = ROOT / ".mutation" / "reach.json"
SECONDS = 150.0
"""At most this much recorded test time is spent on one mutation."""

COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
NAMES = {
    "min": "max",
    "max": "min",
    "minimum": "maximum",
    "maximum": "minimum",
    "any": "all",
    "all": "any",
    "floor": "ceil",
    "ceil": "floor",
}


@dataclass(frozen=True)
class Mutation:
    """One changed expression: where it stands, what it was and what it becomes."""

    path: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}  {self.before}  →  {self.after}"


def changed_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The node with one thing in it changed, in each way there is."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        other = copy.deepcopy(node)
        other.ops = [COMPARE[type(node.ops[0])]()]
        yield other
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not _of_text(node):
        other = copy.deepcopy(node)
        other.op = ARITHMETIC[type(node.op)]()
        yield other
    elif isinstance(node, ast.BoolOp):
        other = copy.deepcopy(node)
        other.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield other
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield ast.Attribute(node.value, NAMES[node.attr], node.ctx)


def _of_text(node: ast.BinOp) -> bool:
    """Whether a sum or product is one of text or types, where the change is an error and no mutation."""
    return any(
        isinstance(part, ast.JoinedStr) or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in ast.walk(node)
    )


def mutable_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Expressions that decide something: no annotation, declaration of a type, message or documentation."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.JoinedStr | ast.Raise | ast.Import | ast.ImportFrom | ast.Assert):
            continue
        if (
            isinstance(tree, ast.ClassDef | ast.FunctionDef)
            and node in tree.decorator_list
            and "dataclass" in ast.unparse(node)
        ):
            continue
        if isinstance(tree, ast.FunctionDef) and node is tree.returns:
            continue
        if isinstance(tree, ast.AnnAssign) and node is tree.annotation:
            continue
        if isinstance(tree, ast.arg):
            continue
        if (
            isinstance(tree, ast.Call)
            and isinstance(tree.func, ast.Name)
            and tree.func.id in ("cast", "TypeVar", "round")
        ):
            continue
        yield node
        yield from mutable_nodes(node)


def mutations_of(path: Path) -> list[Mutation]:
    """Every mutation of one module."""
    source = path.read_text(encoding="utf-8")
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node in mutable_nodes(ast.parse(source)):
        if not isinstance(node, ast.expr) or node.end_lineno is None or node.end_col_offset is None:
            continue
        begin, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        before = source.encode()[begin:end].decode()
        for changed in changed_nodes(node):
            after = f"({ast.unparse(ast.fix_missing_locations(changed))})"
            found.append(Mutation(str(path.relative_to(ROOT)), node.lineno, begin, end, before, after))
    return found


def draw_mutations(number: int, seed: int, only: str) -> list[Mutation]:
    """A random sample, two thirds of it from the rooms where numbers are made."""
    generator = random.Random(seed)
    first, rest = [], []
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        if only in str(path):
            room = path.relative_to(ROOT / PACKAGE).parts[0]
            (first if room in FIRST_ROOMS else rest).extend(mutations_of(path))
    many = min(len(first), round(number * 2 / 3)) if rest else number
    return generator.sample(first, min(many, len(first))) + generator.sample(rest, min(number - many, len(rest)))


class Recorder:
    """A plugin of pytest that notes which lines of the package each test runs, and its seconds."""

    def __init__(self) -> None:
        import coverage

        self.coverage = coverage.Coverage(data_file=None, source=[str(ROOT / PACKAGE)])
        self.seconds: dict[str, float] = {}
        self.coverage.start()

    def pytest_runtest_setup(self, item: Any) -> None:
        self.coverage.switch_context(item.nodeid.split("[")[0])

    def pytest_runtest_logreport(self, report: Any) -> None:
        name = report.nodeid.split("[")[0]
        self.seconds[name] = self.seconds.get(name, 0.0) + report.duration

    def reach(self) -> dict[str, dict[str, list[str]]]:
        """For each module, the tests that reach each of its lines; what runs on import belongs to no test."""
        self.coverage.stop()
        data = self.coverage.get_data()
        lines = {}
        for path in data.measured_files():
            by_line = data.contexts_by_lineno(path)
            lines[str(Path(path).relative_to(ROOT))] = {
                str(line): sorted(t for t in tests if t) for line, tests in by_line.items()
            }
        return lines


def record(arguments: list[str]) -> None:
    """Run the tests once and write what each of them reaches."""
    import pytest

    recorder = Recorder()
    pytest.main(["-q", "-p", "no:cacheprovider", "--doctest-modules", *arguments], plugins=[recorder])
    REACH_FILE.parent.mkdir(exist_ok=True)
    REACH_FILE.write_text(json.dumps({"seconds": recorder.seconds, "lines": recorder.reach()}), encoding="utf-8")


def tests_for(mutation: Mutation, reach: dict[str, Any]) -> list[str]:
    """The tests that run a line of the changed expression, those of the same room and the quick ones first."""
    lines = reach["lines"].get(mutation.path, {})
    seconds = reach["seconds"]
    last = mutation.line + mutation.before.count("\n")
    names = {test for line in range(mutation.line, last + 1) for test in lines.get(str(line), [])}
    if not names:  # a constant of the module: whoever runs anything of the module may notice
        names = {test for tests in lines.values() for test in tests}
    room, stem = Path(mutation.path).parts[2], Path(mutation.path).stem
    near = sorted(names, key=lambda test: (stem not in test, f"tests/{room}/" not in test, seconds.get(test, 0.0)))
    chosen, spent = [], 0.0
    for test in near:
        spent += seconds.get(test, 0.0)
        if spent > SECONDS and chosen:
            continue
        chosen.append(test)
    return chosen


def noticed(mutation: Mutation, tree: Path, tests: list[str]) -> str:
    """What became of one mutation: the first test that failed, or empty."""
    path = tree / mutation.path
    original = path.read_bytes()
    path.write_bytes(original[: mutation.start] + mutation.after.encode() + original[mutation.end :])
    environment = os.environ | {"PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    try:
        for chunk in (tests[:25], tests[25:]):
            if not chunk:
                continue
            command = [
                sys.executable,
                "-m",
                "pytest",
                "-x",
                "-q",
                "--no-header",
                "-p",
                "no:cacheprovider",
                "--doctest-modules",
                *chunk,
            ]
            try:
                result = subprocess.run(
                    command, check=False, cwd=tree, env=environment, capture_output=True, text=True, timeout=4 * SECONDS
                )
            except subprocess.TimeoutExpired:
                return "timeout"
            if result.returncode == 5:
                continue
            if result.returncode:
                failed = [line for line in result.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
                return failed[0][:160] if failed else f"exit {result.returncode}"
    finally:
        path.write_bytes(original)
    return ""


def run(number: int, seed: int, only: str, part: tuple[int, int]) -> int:
    """Try mutations, print each that stayed unnoticed, and the share that was noticed."""
    reach = json.loads(REACH_FILE.read_text(encoding="utf-8"))
    mutations = draw_mutations(number, seed, only)[part[0] :: part[1]]
    killed, survivors = 0, []
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        tree = Path(folder)
        for name in ("src", "tests", "tools", "bench", "docs"):
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile"):
            shutil.copy(ROOT / name, tree / name)
        for position, mutation in enumerate(mutations, 1):
            began = time.monotonic()
            tests = tests_for(mutation, reach)
            failure = noticed(mutation, tree, tests) if tests else ""
            killed += bool(failure)
            if not failure:
                survivors.append(mutation)
                print(f"UNNOTICED ({len(tests)} tests)  {mutation}", flush=True)
            print(
                f"{position}/{len(mutations)}  {killed} noticed  {time.monotonic() - began:.0f} s",
                file=sys.stderr,
                flush=True,
            )
    print(f"{killed} of {len(mutations)} mutations noticed ({killed / max(len(mutations), 1):.1%})")
    (REACH_FILE.parent / f"survivors-{seed}-{part[0]}.json").write_text(
        json.dumps([asdict(m) for m in survivors], indent=1), encoding="utf-8"
    )
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Would the tests notice a changed operator or constant?")
    commands = parser.add_subparsers(dest="command", required=True)
    mapping = commands.add_parser("map", help="run the tests once and note which lines each reaches")
    mapping.add_argument("tests", nargs="*", default=["tests", "src"])
    trying = commands.add_parser("run", help="try mutations")
    trying.add_argument("--number", type=int, default=300)
    trying.add_argument("--seed", type=int, default=1)
    trying.add_argument("--only", default="", help="modules whose path contains this")
    trying.add_argument(
        "--part", type=int, nargs=2, default=(0, 1), metavar=("K", "OF"), help="every OF-th mutation from the K-th on"
    )
    options = parser.parse_args()
    if options.command == "map":
        record(options.tests)
        return 0
    return run(options.number, options.seed, options.only, tuple(options.part))


if __name__ == "__main__":
    sys.exit(main())
