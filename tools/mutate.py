"""Would the tests notice? Changes one operator or constant of the source at a time and runs the tests that reach it.

    python tools/mutate.py map                      # once: which test reaches which line (needs `coverage`)
    python tools/mutate.py run --number 300 --seed 1

`map` runs tests and doctests once and remembers, for each of them, the lines of the package it ran and how long it
took; named tests are added to what is known. `run` draws mutations in a fixed random order, two thirds of them from
the rooms where a wrong number would be made, changes a copy of the tree, and runs the tests that reach the changed
line, nearest and cheapest first, until one fails or the time for one mutation is spent. A mutation that no test
reaches counts as unnoticed, like one that all tests pass. What is known is kept, and a run that was stopped goes on
where it ended. The tree itself is never touched. Libraries are loaded once: each mutation runs in a fork.
"""

import argparse
import ast
import copy
import importlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path("src/adjudge")
FIRST_ROOMS = ("statistics", "metrics", "inference", "data")
REACH_FILE = ROOT / ".mutation" / "reach.json"
SECONDS = 15.0
"""At most this much recorded test time is spent on one mutation."""
EACH, KEPT = 12, 400
"""Of one test with parameters, and of all tests, this many are remembered for a line: the quickest."""
PRELOADED = (
    "pytest",
    "_pytest.doctest",
    "_pytest.assertion.rewrite",
    "numpy",
    "scipy.special",
    "scipy.stats",
    "pandas",
    "pyarrow.parquet",
    "narwhals",
    "rich.table",
    "msgspec",
)

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
    """A random sample in random order, two thirds of it from the rooms where numbers are made."""
    generator = random.Random(seed)
    first, rest = [], []
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        if only in str(path):
            room = path.relative_to(ROOT / PACKAGE).parts[0]
            (first if room in FIRST_ROOMS else rest).extend(mutations_of(path))
    many = min(len(first), round(number * 2 / 3)) if rest else number
    drawn = generator.sample(first, min(many, len(first))) + generator.sample(rest, min(number - many, len(rest)))
    generator.shuffle(drawn)
    return drawn


class Recorder:
    """A plugin of pytest that notes which lines of the package each test runs, and its seconds."""

    def __init__(self) -> None:
        import coverage

        self.coverage = coverage.Coverage(data_file=None, source=[str(ROOT / PACKAGE)])
        self.seconds: dict[str, float] = {}
        self.coverage.start()

    def pytest_runtest_setup(self, item: Any) -> None:
        self.coverage.switch_context(item.nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration

    def reach(self) -> dict[str, dict[str, list[str]]]:
        """For each module, the tests that reach each of its lines; what runs on import belongs to no test."""
        self.coverage.stop()
        data = self.coverage.get_data()
        lines = {}
        for path in data.measured_files():
            by_line = data.contexts_by_lineno(path)
            lines[str(Path(path).relative_to(ROOT))] = {
                str(line): quickest([test for test in tests if test], self.seconds) for line, tests in by_line.items()
            }
        return lines


def quickest(tests: list[str], seconds: dict[str, float]) -> list[str]:
    """The quick ones, and of one test with many parameters only some."""
    kept: list[str] = []
    taken: dict[str, int] = {}
    for test in sorted(tests, key=lambda name: (seconds.get(name, 0.0), name)):
        base = test.split("[")[0]
        taken[base] = taken.get(base, 0) + 1
        if taken[base] <= EACH and len(kept) < KEPT:
            kept.append(test)
    return kept


def known_reach() -> dict[str, Any]:
    """What `map` has found so far."""
    return json.loads(REACH_FILE.read_text(encoding="utf-8")) if REACH_FILE.exists() else {"seconds": {}, "lines": {}}


def record(arguments: list[str]) -> None:
    """Run the tests once and write what each of them reaches, beside what is known of others."""
    import pytest

    recorder = Recorder()
    pytest.main(["-q", "-p", "no:cacheprovider", "--doctest-modules", *arguments], plugins=[recorder])
    known = known_reach()
    known["seconds"] |= recorder.seconds
    for path, lines in recorder.reach().items():
        of_path = known["lines"].setdefault(path, {})
        for line, tests in lines.items():
            of_path[line] = quickest([*{*of_path.get(line, []), *tests}], known["seconds"])
    REACH_FILE.parent.mkdir(exist_ok=True)
    REACH_FILE.write_text(json.dumps(known), encoding="utf-8")


def tests_for(mutation: Mutation, reach: dict[str, Any]) -> list[str]:
    """The tests that run a line of the changed expression, those of the same room and the quick ones first."""
    lines = reach["lines"].get(mutation.path, {})
    seconds = reach["seconds"]
    last = mutation.line + mutation.before.count("\n")
    names = {test for line in range(mutation.line, last + 1) for test in lines.get(str(line), [])}
    if not names:  # a constant of the module: whoever runs anything of the module may notice
        names = {test for tests in lines.values() for test in tests}
    room, stem = Path(mutation.path).parts[2], Path(mutation.path).stem
    near = sorted(
        names, key=lambda test: (stem not in test, f"tests/{room}/" not in test, seconds.get(test, 0.0), test)
    )
    chosen, spent = [], 0.0
    for test in near:
        if chosen and spent + seconds.get(test, 0.0) > SECONDS:
            continue
        spent += seconds.get(test, 0.0)
        chosen.append(test)
    return chosen


def noticed(mutation: Mutation, tree: Path, tests: list[str], turn: int) -> str:
    """What became of one mutation: the first test that failed, or empty."""
    path = tree / mutation.path
    original, before = path.read_bytes(), path.stat().st_mtime
    path.write_bytes(original[: mutation.start] + mutation.after.encode() + original[mutation.end :])
    os.utime(path, (before + 10 + turn, before + 10 + turn))  # or what was compiled before would be run
    try:
        return failure_of(tree, tests)
    finally:
        path.write_bytes(original)
        os.utime(path, (before, before))


def failure_of(tree: Path, tests: list[str]) -> str:
    """The first failure of these tests, run in a fork of this process."""
    said = tree / "said.txt"
    process = os.fork()
    if process == 0:
        os.setsid()
        os.chdir(tree)
        out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.path[:0] = [str(tree / "src"), str(tree)]
        import pytest

        options = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", "--doctest-modules"]
        code = int(pytest.main([*options, f"--rootdir={tree}", *tests]))
        sys.stdout.flush()
        os._exit(code)
    began, code = time.monotonic(), None
    while code is None:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
        elif time.monotonic() - began > 12 * SECONDS:
            with suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return "timeout"
        else:
            time.sleep(0.05)
    if code in (0, 5):
        return ""
    lines = said.read_text(encoding="utf-8", errors="replace").splitlines()
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return failed[0][:200] if failed else f"exit {code}"


def copied_tree(folder: str) -> Path:
    """A copy of all that tests read, compiled."""
    import compileall

    tree = Path(folder)
    for name in ("src", "tests", "tools", "bench", "docs"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile"):
        shutil.copy(ROOT / name, tree / name)
    compileall.compile_dir(tree / "src", quiet=2)
    return tree


def run(number: int, seed: int, only: str) -> int:
    """Try mutations, print each that stayed unnoticed, and the share that was noticed."""
    reach = known_reach()
    mutations = draw_mutations(number, seed, only)
    results = REACH_FILE.parent / f"results-{seed}{only.replace('/', '-')}.jsonl"
    done: dict[str, str] = {}
    if results.exists():
        for line in results.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            done[one["key"]] = one["failure"]
    for name in PRELOADED:
        with suppress(ImportError):
            importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        tree = copied_tree(folder)
        os.environ |= {"PYTHONPATH": str(tree / "src"), "OMP_NUM_THREADS": "1"}
        for turn, mutation in enumerate(mutations, 1):
            key = f"{mutation.start} {mutation}"
            if key not in done:
                began, tests = time.monotonic(), tests_for(mutation, reach)
                done[key] = noticed(mutation, tree, tests, turn) if tests else ""
                spent = round(time.monotonic() - began, 1)
                entry = {"key": key, "failure": done[key], "tests": len(tests), "seconds": spent}
                with results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(entry | asdict(mutation)) + "\n")
                mark = f"UNNOTICED ({len(tests)} tests)  {mutation}\n" if not done[key] else ""
                print(f"{mark}{turn}/{len(mutations)}  {_share(done)}  {spent} s", flush=True)
    print(f"{_share(done)} of {len(mutations)} mutations drawn")
    return 0


def _share(done: dict[str, str]) -> str:
    killed = sum(map(bool, done.values()))
    return f"{killed} of {len(done)} noticed ({killed / max(len(done), 1):.1%})"


def main() -> int:
    parser = argparse.ArgumentParser(description="Would the tests notice a changed operator or constant?")
    commands = parser.add_subparsers(dest="command", required=True)
    mapping = commands.add_parser("map", help="run tests once and note which lines each reaches")
    mapping.add_argument("tests", nargs="*", default=["tests", "src"])
    trying = commands.add_parser("run", help="try mutations")
    trying.add_argument("--number", type=int, default=300)
    trying.add_argument("--seed", type=int, default=1)
    trying.add_argument("--only", default="", help="modules whose path contains this")
    options = parser.parse_args()
    if options.command == "map":
        record(options.tests)
        return 0
    return run(options.number, options.seed, options.only)


if __name__ == "__main__":
    sys.exit(main())
