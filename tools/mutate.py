"""Would the tests notice? Changes one operator or constant of the source at a time and runs the tests that reach it.

    python tools/mutate.py map                               # which test reaches which line (needs `coverage`)
    python tools/mutate.py run --number 300 --seed 1
    python tools/mutate.py report --number 300 --seed 1      # writes docs/validation/mutation.md and .csv

`map` runs test files and doctests, each file in a fork, and remembers for every test the lines of the package it ran
and how long it took; a file is mapped again when it has changed. `run` draws mutations (`mutants.py`) in a fixed random
order, two thirds of them from the rooms where a wrong number would be made, changes a copy of the tree, and runs the
tests that reach the changed line, the cheap and specific ones first, until one fails or the time for one mutation is
spent. A mutation that no test reaches counts as unnoticed, like one that all tests pass. What was noticed is kept, and
what was not is tried again when other tests reach it: a run that was stopped goes on where it ended. The tree itself is
never touched. Libraries, the package and the tests are loaded once, and each mutation runs in a fork, in which the code
of the changed function is exchanged; a change outside functions is tried in a fork that loads the package anew.
"""

import argparse
import ast
import csv
import difflib
import gc
import hashlib
import importlib
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from mutants import FIRST_ROOMS, PACKAGE, ROOT, Mutation, draw_mutations

KNOWN = ROOT / ".mutation"
TABLE = ROOT / "docs" / "validation" / "mutation.csv"
PAGE = TABLE.with_suffix(".md")
SECONDS = 10.0
"""At most this much recorded test time is spent on one mutation."""
FILE_SECONDS = 20.0
"""After this time of the processor no further test of a file is mapped."""
TEST_SECONDS = 1.0
"""After this time of the processor no further parameters of a test are mapped, which come in a random order."""
WAITING = 40
"""So many times as long as it may run, a fork may take by the clock."""
EACH = 25
"""Of one test with parameters this many are run, the quickest."""
FIRST = 12
"""So many tests are run before the rest of them is looked for."""
DEAR = (
    "fuzz/test_fuzz.py",
    "budgets/",
    "laws/test_mutations.py",
    "test_browser.py",
    "in_browser.py",
    "test_coverage.py",
    "test_clusters.py",
)
"""Files that are not mapped: each of their tests reaches everything, or runs elsewhere, and takes long."""
PRELOADED = (
    "pytest",
    "_pytest.doctest",
    "_pytest.assertion.rewrite",
    "coverage",
    "hypothesis",
    "numpy",
    "scipy.special",
    "scipy.stats",
    "scipy.optimize",
    "scipy.sparse",
    "sklearn.metrics",
    "duckdb",
    "openpyxl",
    "jinja2",
    "pandas",
    "polars",
    "pyarrow.parquet",
    "narwhals",
    "rich.table",
    "msgspec",
)


# Which test reaches what


def _plain(test: str) -> str:
    """The name of a test without its parameters."""
    return test.split("[", maxsplit=1)[0]


class Recorder:
    """A plugin of pytest that notes which lines of the package each test runs, and its seconds."""

    def __init__(self, known: set[str], most: float) -> None:
        import coverage

        self.known, self.most, self.cut = known, most, False
        self.of_test: dict[str, float] = {}
        self.coverage = coverage.Coverage(data_file=None, source=[str(ROOT / PACKAGE)], config_file=False)
        self.seconds: dict[str, float] = {}
        self.began = self.since = time.process_time()
        self.coverage.start()

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Shuffle the parameters of each test; tests stay where they are, so that what they share is made once."""
        places: dict[str, list[int]] = {}
        for place, item in enumerate(items):
            places.setdefault(_plain(item.nodeid), []).append(place)
        for some in places.values():
            shuffled = random.Random(1).sample([items[place] for place in some], len(some))
            for place, item in zip(some, shuffled, strict=True):
                items[place] = item

    def pytest_runtest_setup(self, item: Any) -> None:
        import pytest

        if item.nodeid in self.known:
            pytest.skip("mapped before")
        if time.process_time() - self.began > self.most:
            self.cut = True
            pytest.skip("the time of this file is spent")
        if self.of_test.get(_plain(item.nodeid), 0.0) > TEST_SECONDS:
            pytest.skip("the time of this test is spent")
        self.since = time.process_time()
        self.coverage.switch_context(item.nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.outcome == "passed":
            spent, self.since = time.process_time() - self.since, time.process_time()
            self.seconds[report.nodeid] = round(self.seconds.get(report.nodeid, 0.0) + spent, 4)
            self.of_test[_plain(report.nodeid)] = self.of_test.get(_plain(report.nodeid), 0.0) + spent

    def reach(self) -> dict[str, dict[str, str]]:
        """For each module, the lines that each test runs, as bits of a number; what runs on import belongs to none."""
        self.coverage.stop()
        data = self.coverage.get_data()
        lines: dict[str, dict[str, str]] = {}
        for path in data.measured_files():
            bits = dict[str, int]()
            for line, tests in data.contexts_by_lineno(path).items():
                for test in tests:
                    bits[test] = bits.get(test, 0) | 1 << line
            if bits.keys() - {""}:
                lines[str(Path(path).relative_to(ROOT))] = {test: f"{of:x}" for test, of in bits.items() if test}
        return lines


def record(arguments: list[str], most: float) -> None:
    """Map every file of tests that is not known as it is, one after the other; doctests folder by folder.

    A file that was left before its end goes on there.
    """
    parts = [part for one in arguments for part in _parts(ROOT / one)]
    _preload()
    for number, files in enumerate(parts, 1):
        name = str((files[0] if len(files) == 1 else files[0].parent).relative_to(ROOT))
        digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
        kept = KNOWN / "reach" / f"{name.replace('/', '-')}.json"
        known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {"digest": ""}
        known = known if known["digest"] == digest else {"digest": digest, "seconds": {}, "cut": True, "parts": []}
        if not known["cut"]:
            continue
        began, code = time.monotonic(), _forked(partial(_map, files, known, kept, most), 4 * most)
        print(f"{number}/{len(parts)}  {name}  {time.monotonic() - began:.0f} s  {code or ''}", flush=True)


def _parts(place: Path) -> list[list[Path]]:
    if place.is_file():
        return [[place]]
    found = [path for path in sorted(place.rglob("*.py")) if not any(dear in str(path) for dear in DEAR)]
    if PACKAGE.parts[0] in place.relative_to(ROOT).parts:
        told = [path for path in found if ">>>" in path.read_text(encoding="utf-8")]
        return [
            list(files) for _, files in groupby(sorted(told, key=lambda path: path.parent), lambda path: path.parent)
        ]
    return [[path] for path in found if path.name.startswith("test_")]


def _map(files: list[Path], known: dict[str, Any], kept: Path, most: float) -> None:
    import pytest

    os.chdir(ROOT)
    recorder = Recorder(set(known["seconds"]), most)
    names = [str(file.relative_to(ROOT)) for file in files]
    options = ["-q", "-p", "no:cacheprovider", "--doctest-modules", "-m", "not spark and not dask and not browser"]
    pytest.main([*options, *names], plugins=[recorder])
    lines = recorder.reach()
    sources = {}
    for path in lines:
        text = (ROOT / path).read_bytes()
        sources[path] = hashlib.sha256(text).hexdigest()[:16]
        source = KNOWN / "sources" / sources[path]
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_bytes(text)
    kept.parent.mkdir(parents=True, exist_ok=True)
    known["parts"].append({"lines": lines, "sources": sources})
    known |= {"seconds": known["seconds"] | recorder.seconds, "cut": recorder.cut}
    kept.write_text(json.dumps(known), encoding="utf-8")


class Reach:
    """Which tests run which lines, in the lines of the modules as they are now."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.lines: dict[str, list[tuple[str, dict[str, int]]]] = {}
        self.breadth: dict[str, int] = {}
        for file in sorted((KNOWN / "reach").glob("*.json")):
            known = json.loads(file.read_text(encoding="utf-8"))
            self.seconds |= known["seconds"]
            for part in known["parts"]:
                for path, by_test in part["lines"].items():
                    bits = {test: int(of, 16) for test, of in by_test.items() if test in known["seconds"]}
                    self.lines.setdefault(path, []).append((part["sources"][path], bits))
                    for test, of in bits.items():
                        self.breadth[test] = self.breadth.get(test, 0) + of.bit_count()

    def tests_of(self, path: str, lines: set[int]) -> set[str]:
        """The tests that run one of these lines of the module."""
        found = set()
        for source, by_test in self.lines.get(path, ()):
            before = _lines_before(path, source)
            wanted = sum(1 << before[line] for line in lines if line in before)
            found |= {test for test, bits in by_test.items() if bits & wanted}
        return found

    def running(self, mutation: Mutation) -> set[str]:
        """The tests that run the changed line; none where it runs on import, which belongs to no test."""
        last = mutation.line + mutation.before.count("\n")
        lines = set(range(mutation.line, last + 1)) & _in_functions(mutation.path)
        return self.tests_of(mutation.path, lines)

    def of(self, mutation: Mutation) -> set[str]:
        """The tests that run the changed line; of what runs on import, those that run what it is about."""
        if found := self.running(mutation):
            return found
        inside, text = _in_functions(mutation.path), (ROOT / mutation.path).read_text(encoding="utf-8").splitlines()
        if found := self.tests_of(mutation.path, _statement(text, mutation.line) & inside):
            return found
        named = "|".join(re.findall(r"[A-Za-z_]{3,}", mutation.scope.split(".")[0]))
        for path in sorted(self.lines):
            if named and path.endswith(".py") and (ROOT / path).exists():
                within = (ROOT / path).read_text(encoding="utf-8").splitlines()
                uses = {at for at, line in enumerate(within, 1) if re.search(rf"\b({named})\b", line)}
                found |= self.tests_of(path, uses & _in_functions(path)) if uses else set()
        if found:
            return found
        found = self.tests_of(mutation.path, inside)
        return found or {test for test in self.seconds if f"/{Path(mutation.path).parts[-2]}/" in test}

    def ordered(self, mutation: Mutation) -> list[str]:
        """Tests to run, the cheap and specific ones first: a test of few lines is more likely to be about this one."""
        stem = Path(mutation.path).stem

        def cost(test: str) -> tuple[float, str]:
            near = 0.1 if stem in test else 0.5 if f"tests/{mutation.room}/" in test else 1.0
            return near * (self.seconds[test] + 0.02) * self.breadth.get(test, 1), test

        chosen, spent, taken = list[str](), 0.0, dict[str, int]()
        for test in sorted(self.of(mutation), key=cost):
            base = test.split("[")[0]
            taken[base] = taken.get(base, 0) + 1
            if taken[base] <= EACH and (not chosen or spent + self.seconds[test] <= SECONDS):
                spent += self.seconds[test]
                chosen.append(test)
        return chosen


@cache
def _lines_before(path: str, source: str) -> dict[int, int]:
    """For each line of the module as it is now, its number when it was mapped."""
    new = (ROOT / path).read_bytes() if (ROOT / path).exists() else b""
    if hashlib.sha256(new).hexdigest()[:16] == source:
        return {line: line for line in range(1, new.count(b"\n") + 2)}
    old = (KNOWN / "sources" / source).read_text(encoding="utf-8").splitlines()
    matcher = difflib.SequenceMatcher(None, old, new.decode().splitlines(), autojunk=False)
    return {
        block.b + step + 1: block.a + step + 1 for block in matcher.get_matching_blocks() for step in range(block.size)
    }


@cache
def _in_functions(path: str) -> set[int]:
    """The lines of a module that run when a function is called."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)
    }


def _statement(text: list[str], line: int) -> set[int]:
    """The lines of the outermost function, class or assignment, with its decorators, that holds this line."""
    for node in ast.parse("\n".join(text)).body:
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
        if first <= line <= (node.end_lineno or first):
            return set(range(first, (node.end_lineno or first) + 1))
    return set()


# Trying


Codes = dict[tuple[str, str, int], CodeType]


def changed_codes(original: bytes, changed: bytes, path: Path) -> Codes | None:
    """The functions whose code differs, by file, name and line; None if something outside functions does."""
    codes: Codes = {}

    def compare(one: CodeType, other: CodeType) -> bool:
        inner = [(a, b) for a, b in zip(one.co_consts, other.co_consts, strict=False) if isinstance(a, CodeType)]
        if one.co_flags & 0x02 and one != other:  # a function, not a module or the body of a class
            codes[str(path), one.co_qualname, one.co_firstlineno] = other
            return one.co_freevars == other.co_freevars
        same = one.co_code == other.co_code and one.co_names == other.co_names
        values = [[const for const in code.co_consts if not isinstance(const, CodeType)] for code in (one, other)]
        return same and repr(values[0]) == repr(values[1]) and all(compare(a, b) for a, b in inner)

    old, new = (compile(text, str(path), "exec") for text in (original, changed))
    return codes if compare(old, new) and codes else None


class Loaded:
    """The functions of the package that there are once tests are loaded, and what remembers their calls."""

    def __init__(self) -> None:
        self.functions: dict[tuple[str, str, int], list[FunctionType]] = {}
        self.remembering = []
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and "/adjudge/" in thing.__code__.co_filename:
                code = thing.__code__
                key = code.co_filename, code.co_qualname, code.co_firstlineno
                self.functions.setdefault(key, []).append(thing)
            elif type(thing).__name__ == "_lru_cache_wrapper" and "adjudge" in str(getattr(thing, "__module__", "")):
                self.remembering.append(thing)
        gc.freeze()

    def exchange(self, codes: Codes) -> None:
        """Give every function that was made of these codes the changed one, and forget what was remembered."""
        for key, new in codes.items():
            for function in self.functions.get(key, ()):
                function.__code__ = new
        for one in self.remembering:
            one.cache_clear()


OPTIONS = ("-x", "-q", "--no-header", "--doctest-modules")
WITHOUT = ("cacheprovider", "playwright", "xdist", "xdist.looponfail", "base_url", "anyio", "axe")


def failure_of(tree: Path, tests: list[str], codes: Codes | None, loaded: Loaded) -> str:
    """The first failure of these tests, run in a fork of this process."""
    said = tree / "said.txt"

    def trial() -> int:
        import pytest

        out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        if codes is None:
            for name in [name for name in sys.modules if name.split(".")[0] in ("adjudge", "tests")]:
                del sys.modules[name]
        else:
            loaded.exchange(codes)
        options = [*OPTIONS, *(f"-pno:{plugin}" for plugin in WITHOUT), f"--rootdir={tree}"]
        code = int(pytest.main([*options, *tests[:FIRST]]))  # most fail here, and other files need not be collected
        return code if code not in (0, 5) or not tests[FIRST:] else int(pytest.main([*options, *tests[FIRST:]]))

    code = _forked(trial, 6 * SECONDS)
    if code in (0, 5):
        return ""
    if code == -signal.SIGXCPU:
        return "no end"
    if code == -signal.SIGKILL:
        raise TimeoutError("The tests of one mutation wait for something, or the machine is too busy to run them.")
    lines = said.read_text(encoding="utf-8", errors="replace").splitlines()
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0].split(" ", 1)[1][:200] if failed else f"exit {code}"


def noticed(mutation: Mutation, tree: Path, tests: list[str], loaded: Loaded, anew: bool) -> str:
    """What became of one mutation: the first test that failed, or empty; `anew` loads the package again."""
    path = tree / mutation.path
    original, before = path.read_bytes(), path.stat().st_mtime
    changed = original[: mutation.start] + mutation.after.encode() + original[mutation.end :]
    codes = None if anew else changed_codes(original, changed, path)
    path.write_bytes(changed)
    stamp = before + 10 + zlib.crc32(changed) % 10**6
    os.utime(path, (stamp, stamp))  # or what was compiled before would be run
    try:
        failure = failure_of(tree, tests, codes, loaded)
        # What tests made on import was made by the code as it was: what stays unnoticed is tried again, all anew.
        return failure or (failure_of(tree, tests, None, loaded) if codes is not None else "")
    finally:
        path.write_bytes(original)
        os.utime(path, (before, before))


def _load_tests(tree: Path, tests: set[str]) -> Loaded:
    """Import the package and every file of these tests, once for all forks."""
    import pytest

    os.chdir(tree)
    sys.path[:0] = [str(tree / "src"), str(tree)]
    files = [file for file in sorted({test.split("::")[0] for test in tests}) if (tree / file).exists()]
    pytest.main([*OPTIONS, f"--rootdir={tree}", "--collect-only", "-qqq", *files])
    return Loaded()


def _forked(work: Callable[[], int | None], seconds: float) -> int:
    """The exit code of the work, done in a fork that is ended after so many seconds of the processor.

    Not of the clock: on a busy machine a fork that has hardly begun would be taken for one without an end.
    """
    process = os.fork()
    if process == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
        code = 1
        try:
            code = work() or 0
            sys.stdout.flush()
        finally:
            os._exit(code)
    began = time.monotonic()
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() - began > WAITING * seconds:
            with suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return -signal.SIGKILL
        time.sleep(0.02)


def _preload() -> None:
    for name in PRELOADED:
        with suppress(ImportError):
            importlib.import_module(name)


def copied_tree(folder: str) -> Path:
    """A copy of all that tests read, with what is compiled of it."""
    tree = Path(folder)
    for name in ("src", "tests", "tools", "bench", "docs"):
        shutil.copytree(ROOT / name, tree / name)
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile"):
        shutil.copy(ROOT / name, tree / name)
    return tree


def results(seed: int) -> dict[str, dict[str, Any]]:
    """What became of mutations in this and earlier runs, by key; the last word counts."""
    file = KNOWN / f"results-{seed}.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {one["key"]: one for one in map(json.loads, lines)}


def run(number: int, seed: int, only: str) -> int:
    """Try mutations, print each that stayed unnoticed, and the share that was noticed."""
    reach, mutations, done = Reach(), draw_mutations(number, seed, only), results(seed)
    chosen = {one.key: reach.ordered(one) for one in mutations if not done.get(one.key, {}).get("failure")}
    on_import = {one.key for one in mutations if one.key in chosen and not reach.running(one)}
    for key, tests in chosen.items():  # only what has not been tried on it
        chosen[key] = [test for test in tests if key not in done or test not in done[key]["tried"]]
    _preload()
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        tree = copied_tree(folder)
        os.environ |= {"PYTHONPATH": str(tree / "src"), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        loaded = _load_tests(tree, {test for tests in chosen.values() for test in tests})
        for turn, mutation in enumerate(mutations, 1):
            tests, known = chosen.get(mutation.key, []), done.get(mutation.key)
            if known is not None and not tests:
                continue
            began, anew = time.monotonic(), mutation.key in on_import
            failure = noticed(mutation, tree, tests, loaded, anew) if tests else ""
            spent = round(time.monotonic() - began, 1)
            tried = [] if failure else sorted({*tests, *(known["tried"] if known else ())})
            entry = {"key": mutation.key, "failure": failure, "tried": tried, "seconds": spent}
            done[mutation.key] = entry
            with (KNOWN / f"results-{seed}.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry | asdict(mutation)) + "\n")
            if not failure:
                print(f"UNNOTICED ({len(tried)} tests)  {mutation}", flush=True)
            print(f"{turn}/{len(mutations)}  {_share(mutations, done)}  {spent} s", flush=True)
    print(f"{_share(mutations, done)}, of {len(mutations)} drawn")
    return 0


def _share(mutations: list[Mutation], done: dict[str, dict[str, Any]]) -> str:
    tried = [done[one.key] for one in mutations if one.key in done]
    killed = sum(bool(one["failure"]) for one in tried)
    return f"{killed} of {len(tried)} noticed ({killed / max(len(tried), 1):.1%})"


# Telling

COLUMNS = ("module", "line", "before", "after", "noticed_by", "reason", "key")


def report(number: int, seed: int) -> int:
    """Write what became of every mutation that was drawn; a reason once written beside one is kept."""
    reasons = {}
    if TABLE.exists():
        with TABLE.open(encoding="utf-8", newline="") as file:
            reasons = {row["key"]: row["reason"] for row in csv.DictReader(file) if row["reason"]}
    done, rows = results(seed), []
    for one in sorted(draw_mutations(number, seed, ""), key=lambda mutation: (mutation.path, mutation.start)):
        if (known := done.get(one.key)) is not None:
            reason = "" if known["failure"] else reasons.get(one.key, "")
            rows.append((one.path, one.line, one.before, one.after, known["failure"], reason, one.key))
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    PAGE.write_text(_page(rows, number, seed), encoding="utf-8")
    return 0


ABOUT = """\
# Would the tests notice?

`python tools/mutate.py map`, `python tools/mutate.py run --number {number} --seed {seed}` and
`python tools/mutate.py report --number {number} --seed {seed}` made this page. One operator or constant of the source
is changed at a time, and the tests that reach it are run, cheap and specific ones first, for at most {seconds} seconds
of tests, until one fails. Of the mutations, drawn in a fixed random order, two thirds are from statistics, metrics,
inference and data, which are tried first. **{tried} of {number} were tried.**

| where | tried | noticed | the same program | noticed of the others |
|---|---|---|---|---|
{table}

Left out of the draw by rule (`tools/mutants.py`): documentation, annotations, texts of messages, whatever raises or
asserts, `__repr__`, options of dataclasses, `strict=` of `zip`, sizes of caches and of what is worked on at a time.
Tests that need minutes (coverage of intervals, clusters of computers, browsers, the fuzzer) are not run on mutations.

Every mutation, with the test that noticed it, is in [mutation.csv](mutation.csv). These stayed unnoticed. "Same" means
that no input can tell the changed program from ours: the reason is in the row.

| where | was | becomes | why it stayed |
|---|---|---|---|
{survivors}
"""


def _page(rows: list[tuple[Any, ...]], number: int, seed: int) -> str:
    def counted(label: str, some: list[tuple[Any, ...]]) -> str:
        killed, same = sum(bool(row[4]) for row in some), sum(row[5].startswith("same:") for row in some)
        share = killed / max(len(some) - same, 1)
        return f"| {label} | {len(some)} | {killed} ({killed / max(len(some), 1):.0%}) | {same} | {share:.1%} |"

    def survivor(row: tuple[Any, ...]) -> str:
        was, becomes = (" ".join(text.split()).replace("|", "\\|")[:90] for text in row[2:4])
        place = f"{row[0].removeprefix('src/adjudge/')}:{row[1]}"
        return f"| {place} | `{was}` | `{becomes}` | {row[5] or 'no test asks'} |"

    first = [row for row in rows if Path(row[0]).parts[2] in FIRST_ROOMS]
    parts = {"statistics, metrics, inference, data": first, "elsewhere": [row for row in rows if row not in first]}
    table = "\n".join(counted(label, some) for label, some in (parts | {"all": rows}).items())
    survivors = "\n".join(survivor(row) for row in rows if not row[4])
    return ABOUT.format(
        number=number, seed=seed, tried=len(rows), seconds=int(SECONDS), table=table, survivors=survivors
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Would the tests notice a changed operator or constant?")
    commands = parser.add_subparsers(dest="command", required=True)
    mapping = commands.add_parser("map", help="run tests once and note which lines each reaches")
    mapping.add_argument("tests", nargs="*", default=["tests", "src"])
    mapping.add_argument("--seconds", type=float, default=FILE_SECONDS, help="after which a file is left")
    for command, about in (("run", "try mutations"), ("report", "write docs/validation/mutation.md and .csv")):
        trying = commands.add_parser(command, help=about)
        trying.add_argument("--number", type=int, default=300)
        trying.add_argument("--seed", type=int, default=1)
        if command == "run":
            trying.add_argument("--only", default="", help="modules whose path contains this")
    options = parser.parse_args()
    if options.command == "map":
        record(options.tests, options.seconds)
        return 0
    if options.command == "report":
        return report(options.number, options.seed)
    return run(options.number, options.seed, options.only)


if __name__ == "__main__":
    sys.exit(main())
