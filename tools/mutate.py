"""Would the tests notice? Changes one operator or constant of the source at a time and runs the tests that reach it.

    python tools/mutate.py run --number 300 --seed 3
    python tools/mutate.py report --seed 3      # writes docs/validation/mutation.md and .csv

Mutations (`mutants.py`) are drawn in a fixed random order, two thirds of them from the rooms where a wrong number would
be made. All of them are written into one copy of the tree, each behind a switch that is off, which also tells who
reached it. Libraries, the package and the tests are loaded once; everything else runs in forks of that process:

- Each file of tests runs once with all switches off, which tells for each test its seconds and the mutations it
  reaches. Of a test with parameters, some are run, in a random order, until its time is spent; of a law, all.
- For each mutation its switch is turned on, and the tests that reach it are run, the cheap and specific ones first,
  until one fails or the time for one mutation is spent. What runs on import is tried with the package loaded anew.

A mutation that no test reaches counts as unnoticed, like one that all tests pass. A run that was stopped goes on where
it ended; after a test was added or changed, the next run maps its file and tries what was unnoticed on its tests.
"""

import argparse
import csv
import functools
import gc
import hashlib
import importlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict
from itertools import chain, groupby, pairwise
from pathlib import Path
from typing import Any

from mutants import FIRST_ROOMS, PACKAGE, ROOT, Mutation, draw_mutations, runs_on_import, write_switched

KNOWN = ROOT / ".mutation"
TABLE = ROOT / "docs" / "validation" / "mutation.csv"
PAGE = TABLE.with_suffix(".md")
SECONDS = 12.0
"""At most this much recorded test time of a folder is spent on one mutation, so that all first screens fit in."""
ANEW = 6
"""Of what is tried with the package loaded anew, the tests of so many files are run, the cheap and specific first."""
FILE_SECONDS = 6.0
"""After this time of the processor no further test of a file is mapped."""
TEST_SECONDS = 0.4
"""After this time of the processor no further parameters of a test are mapped, which come in a random order."""
LAWS, LAW_SECONDS = "tests/laws/", 60.0
"""Of a law each parameter is of another statistic, metric or interval: all of them are mapped, in so many seconds."""
STUCK = 60.0
"""A fork that neither runs nor waits for another process for so many seconds is ended."""
EACH = 25
"""Of one test with parameters this many are run, the quickest."""
DEAR = ("/fuzz/", "/budgets/", "laws/test_mutations.py", "browser", "test_coverage.py", "test_clusters.py")
"""Files that are not run: each of their tests reaches everything, or runs elsewhere, and takes long."""
ROOMS = ("diagnosis", "golden", "tasks", "evaluation", "report", "interop", "engines", "laws", "messages", "cli")
"""The order in which folders of tests are run, after those of the rooms where numbers are made."""
PRELOADED = (
    "pytest",
    "_pytest.doctest",
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
OPTIONS = [
    "-q",
    "--continue-on-collection-errors",
    "--no-header",
    "--doctest-modules",
    "--assert=plain",
    "--tb=line",
    "-m",
    "not spark and not dask and not browser",
]
WITHOUT = ("cacheprovider", "playwright", "xdist.looponfail", "base_url", "anyio", "axe")

Tests = dict[str, dict[str, Any]]
"""Of each test its `seconds` and the keys of the mutations it `reaches`."""


# Forks


def _state(process: int) -> tuple[str, int]:
    """Whether a process runs or sleeps, and its ticks of the processor so far; waiting for a child is running."""
    with suppress(OSError):
        if Path(f"/proc/{process}/task/{process}/children").read_text():
            return "R", time.monotonic_ns()
        words = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        return words[0], int(words[11]) + int(words[12])
    return "R", time.monotonic_ns()


def forked(work: Callable[[], object], seconds: float) -> int:
    """The exit code of the work, done in a fork that is ended after so many seconds of the processor.

    Not of the clock: on a busy machine a fork that has hardly begun would be taken for one without an end.
    """
    process = os.fork()
    if process == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    since, last = time.monotonic(), -1
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        state, ticks = _state(process)
        if state != "S" or ticks != last:
            since, last = time.monotonic(), ticks
        if time.monotonic() - since > STUCK:
            with suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return -signal.SIGKILL
        time.sleep(0.01)


# Which test reaches what


def base(test: str) -> str:
    """The name of a test without its parameters."""
    return test.split("[", maxsplit=1)[0]


def file_of(test: str) -> str:
    """The file that a test stands in."""
    return test.split("::", maxsplit=1)[0]


def failed(item: Any, following: Any) -> bool | None:
    """Whether the test fails; None if it is skipped."""
    from _pytest.runner import runtestprotocol

    reports = runtestprotocol(item, log=False, nextitem=following)
    if any(report.failed for report in reports):
        return True
    return None if any(report.skipped for report in reports) else False


def seconds_to_map(file: str) -> tuple[float, float]:
    """How long tests of one name, and all of a file, may take until no further one is mapped."""
    return (LAW_SECONDS, LAW_SECONDS) if file.startswith(LAWS) else (TEST_SECONDS, FILE_SECONDS)


def map_file(items: list[Any], keys: list[str], entry: dict[str, Any], kept: Path) -> None:
    """Run tests of one file and write which mutations each reaches; tests of the same name in a random order."""
    switch = importlib.import_module("mutation_switch")
    began, spent = time.process_time(), dict[str, float]()
    of_test, of_file = seconds_to_map(entry["file"])
    tests: Tests = entry["tests"]
    some = [
        random.Random(1).sample(list(alike), len(list(alike)))
        for alike in (list(group) for _, group in groupby(items, key=lambda item: base(item.nodeid)))
    ]
    order = [item for item in chain.from_iterable(some) if item.nodeid not in tests]
    for item, following in pairwise([*order, None]):
        if spent.get(base(item.nodeid), 0.0) > of_test or time.process_time() - began > of_file:
            continue
        switch.reached.clear()
        since = time.process_time()
        if failed(item, following) is False:
            seconds = time.process_time() - since
            spent[base(item.nodeid)] = spent.get(base(item.nodeid), 0.0) + seconds
            reached = sorted(keys[number] for number in switch.reached)
            tests[item.nodeid] = {"seconds": round(seconds, 4), "reaches": reached}
    entry["mapped"] = True
    kept.write_text(json.dumps(entry), encoding="utf-8")


def known_tests(seed: int, files: set[str]) -> Tests:
    """The tests of these files, which were mapped as they are."""
    tests: Tests = {}
    for file in sorted((KNOWN / f"reach-{seed}").glob("*.json")):
        entry = json.loads(file.read_text(encoding="utf-8"))
        if entry["file"] in files and entry["digest"] == digest(entry["file"]):
            tests |= entry["tests"]
    return tests


@functools.cache
def digest(file: str) -> str:
    path = ROOT / file
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else ""


def _kept(file: str, seed: int) -> Path:
    return KNOWN / f"reach-{seed}" / f"{file.replace('/', '-')}.json"


def is_mapped(file: str, seed: int) -> bool:
    """Whether the tests of a file were run as they are now."""
    kept = _kept(file, seed)
    return kept.exists() and bool(json.loads(kept.read_text(encoding="utf-8"))["digest"] == digest(file))


def files_by_room(only: list[str]) -> list[list[str]]:
    """The files with tests or doctests, room by room: doctests, then the rooms where tests are small and specific."""
    files = [path for path in sorted((ROOT / PACKAGE).rglob("*.py")) if b">>>" in path.read_bytes()]
    files += sorted((ROOT / "tests").rglob("test_*.py"))
    names = [str(path.relative_to(ROOT)) for path in files]
    parts: dict[str, list[str]] = {room: [] for room in ("src", *FIRST_ROOMS, *ROOMS)}
    for name in names:
        if any(one in name for one in only) and not any(dear in name for dear in DEAR):
            parts.setdefault("src" if name.startswith("src") else Path(name).parts[1], []).append(name)
    return [part for part in parts.values() if part]


def ordered(mutation: Mutation, tests: Tests, reaching: dict[str, list[str]]) -> list[str]:
    """Tests to run, the cheap and specific ones first: a test that reaches little is more likely to be about this."""
    stem = Path(mutation.path).stem

    def cost(test: str) -> tuple[float, str]:
        near = 0.1 if stem in test else 0.5 if f"tests/{mutation.room}/" in test else 1.0
        return near * (tests[test]["seconds"] + 0.02) * len(tests[test]["reaches"]), test

    chosen, spent, taken = list[str](), 0.0, dict[str, int]()
    for test in sorted(reaching.get(mutation.key, ()), key=cost):
        taken[base(test)] = taken.get(base(test), 0) + 1
        if taken[base(test)] <= EACH and (not chosen or spent + tests[test]["seconds"] <= SECONDS):
            spent += tests[test]["seconds"]
            chosen.append(test)
    return chosen


# Trying


def results(seed: int) -> dict[str, dict[str, Any]]:
    """What became of mutations in this and earlier runs, by key; the last word counts."""
    file = KNOWN / f"results-{seed}.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {one["key"]: one for one in map(json.loads, lines)}


def as_they_are(known: dict[str, Any]) -> set[str]:
    """The tests that were tried on a mutation and stand in files that were not changed since."""
    then = known.get("digests", {})
    return {
        test for test in known["tried"] or () if then.get(file_of(test), digest(file_of(test))) == digest(file_of(test))
    }


def turn_on(number: int) -> None:
    os.environ["MUTATION"] = str(number)
    if (switch := sys.modules.get("mutation_switch")) is not None:
        switch.active = number  # type: ignore[attr-defined]


def _in_function(mutation: Mutation) -> bool:
    return not runs_on_import(mutation)


class Run:
    """One run: what is drawn, what is known of it, and the tree in which all of it stands."""

    def __init__(self, tree: Path, number: int, seed: int, only: list[str], anew: bool) -> None:
        self.tree, self.seed, self.only, self.anew, self.files = tree, seed, only, anew, set[str]()
        self.mutations = draw_mutations(number, seed, "")
        self.keys = [one.key for one in self.mutations]
        self.said = tree / "said.txt"
        self.noted: dict[str, str] = {}  # by mutation, the test that noticed it: what is to be tried again

    def todo(self, pick: Callable[[Mutation], bool]) -> Iterable[tuple[int, Mutation, list[str]]]:
        """The mutations that were not noticed, each with the tests that were not tried on it; or those to try again."""
        if self.noted:
            for number, mutation in enumerate(self.mutations):
                test = self.noted.get(mutation.key, "")
                if pick(mutation) and file_of(test) in self.files:
                    yield number, mutation, [test]
            return
        tests, done = known_tests(self.seed, self.files), results(self.seed)
        reaching: dict[str, list[str]] = {}
        for test, of in tests.items():
            for key in of["reaches"]:
                reaching.setdefault(key, []).append(test)
        for number, mutation in enumerate(self.mutations):
            known = done.get(mutation.key, {"failure": "", "tried": None})
            if not known["failure"] and pick(mutation):
                tried = as_they_are(known)
                chosen = [test for test in ordered(mutation, tests, reaching) if test not in tried]
                if chosen or known["tried"] is None:
                    yield number, mutation, chosen

    def on_import(self) -> list[tuple[int, Mutation, list[str]]]:
        """What is to be tried with the package loaded anew: what only runs on import, or runs there as well."""
        some = [(number, mutation, tests) for number, mutation, tests in self.todo(runs_on_import) if tests]
        loading, done = self.tree / "on_import.json", results(self.seed)
        for key in json.loads(loading.read_text()) if loading.exists() else []:
            if not done.get(key, {"failure": "unknown"})["failure"]:
                number = self.keys.index(key)
                tests = [test for test in done[key]["tried"] if file_of(test) in self.files]
                some += [(number, self.mutations[number], tests)] if tests else []
        return some

    def keep(self, mutation: Mutation, code: int, tests: list[str], began: float) -> None:
        """Note and say what became of a mutation."""
        said = self.said.read_text(encoding="utf-8") if self.said.exists() else ""
        if code == -signal.SIGKILL:
            print(f"STUCK  {mutation}  {said}", flush=True)
            return
        failure = said.removeprefix("failed ") if said.startswith("failed ") else ""
        if not failure and code:
            failure = "no end" if code == -signal.SIGXCPU else f"exit {code}"
        done, spent = results(self.seed), round(time.monotonic() - began, 1)
        tried = [] if failure else sorted({*tests, *as_they_are(done.get(mutation.key, {"tried": ()}))})
        digests = {file: digest(file) for file in {file_of(test) for test in tried}}
        entry = {"key": mutation.key, "failure": failure, "tried": tried, "digests": digests, "seconds": spent}
        with (KNOWN / f"results-{self.seed}.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry | asdict(mutation)) + "\n")
        done[mutation.key] = entry
        if not failure:
            print(f"UNNOTICED ({len(tried)} tests)  {mutation}", flush=True)
        killed = sum(bool(done[key]["failure"]) for key in self.keys if key in done)
        print(f"{killed} of {sum(key in done for key in self.keys)} noticed  {spent} s", flush=True)

    def try_one(self, number: int, tests: list[str], items: dict[str, Any]) -> None:
        """In a fork: run the tests with the switch on, until one fails, and write which."""
        turn_on(number)
        some = [items[test] for test in tests if test in items]
        for item, following in pairwise([*some, None]):
            self.said.write_text(f"running {item.nodeid}", encoding="utf-8")
            if failed(item, following):
                self.said.write_text(f"failed {item.nodeid}", encoding="utf-8")
                return
        self.said.write_text("", encoding="utf-8")

    def pytest_runtestloop(self, session: Any) -> bool:
        """Instead of running what was collected: map it where it is not known, and try mutations on it."""
        switch = importlib.import_module("mutation_switch")
        on_import = {self.keys[number] for number in switch.reached}
        loading = self.tree / "on_import.json"
        on_import |= set(json.loads(loading.read_text())) if loading.exists() else set()
        loading.write_text(json.dumps(sorted(on_import)))
        caches = [one for one in gc.get_objects() if type(one).__name__ == "_lru_cache_wrapper"]
        for one in caches:
            if "adjudge" in str(getattr(one, "__module__", "")):
                one.cache_clear()
        gc.freeze()
        for file, group in groupby(session.items, key=lambda item: item.nodeid.split("::")[0]):
            if not self.noted and not is_mapped(file, self.seed):
                entry = {"file": file, "digest": digest(file), "tests": {}, "mapped": False}
                kept, some, began = _kept(file, self.seed), list(group), time.monotonic()
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(entry), encoding="utf-8")
                work = functools.partial(map_file, some, self.keys, entry, kept)
                code = forked(work, 4 * seconds_to_map(file)[1])
                print(f"mapped {file}  {time.monotonic() - began:.0f} s  {code or ''}", flush=True)
        items = {item.nodeid: item for item in session.items}
        for number, mutation, tests in list(self.todo(_in_function)):
            began = time.monotonic()
            self.said.write_text("", encoding="utf-8")
            code = forked(functools.partial(self.try_one, number, tests, items), 4 * SECONDS) if tests else 0
            self.keep(mutation, code, tests, began)
        return True

    def collect(self, files: list[str]) -> None:
        """In a fork: load these files of tests, and go on in the loop above."""
        import pytest

        options = [*OPTIONS, *(f"-pno:{plugin}" for plugin in WITHOUT), f"--rootdir={self.tree}"]
        pytest.main([*options, f"--basetemp={self.tree / 'temporary'}", *files], plugins=[self])

    def try_anew(self, number: int, tests: list[str]) -> None:
        """In a fork: load the package with the switch on, and run the tests until one fails."""
        import pytest

        turn_on(number)
        run = self

        class Some:
            def pytest_runtestloop(self, session: Any) -> bool:
                run.try_one(number, tests, {item.nodeid: item for item in session.items})
                return True

        files = sorted({file_of(test) for test in tests})
        options = [*OPTIONS, *(f"-pno:{plugin}" for plugin in WITHOUT), f"--rootdir={self.tree}"]
        code = pytest.main([*options, f"--basetemp={self.tree / 'temporary'}", *files], plugins=[Some()])
        if code not in (0, 5):
            self.said.write_text(f"failed {files[0]} (when it is loaded)", encoding="utf-8")

    def go(self) -> None:
        """Room by room, map and try in a process that has all its tests loaded; then, anew, what runs on import."""
        rooms = files_by_room(self.only)
        for files in rooms:
            self.files = set(files)
            pending = {file_of(test) for _, _, tests in self.todo(_in_function) for test in tests}
            if load := [file for file in files if file in pending or not (self.noted or is_mapped(file, self.seed))]:
                forked(functools.partial(self.collect, load), 10**6)
        self.files = set(chain.from_iterable(rooms))
        if self.anew:
            for number, mutation, tests in self.on_import():
                began, near = time.monotonic(), list(dict.fromkeys(file_of(test) for test in tests))[:ANEW]
                some = [test for test in tests if file_of(test) in near]
                self.said.write_text("", encoding="utf-8")
                code = forked(functools.partial(self.try_anew, number, some), 4 * SECONDS + 20)
                self.keep(mutation, code, some, began)


def copied_tree(folder: str) -> Path:
    """A copy of all that tests read."""
    tree = Path(folder)
    for name in ("src", "tests", "tools", "bench", "docs"):
        shutil.copytree(ROOT / name, tree / name)
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile"):
        shutil.copy(ROOT / name, tree / name)
    return tree


def run(number: int, seed: int, only: list[str], anew: bool, again: bool = False) -> int:
    """Try mutations, print each that stayed unnoticed, and the share that was noticed."""
    KNOWN.mkdir(exist_ok=True)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    for name in PRELOADED:
        with suppress(ImportError):
            importlib.import_module(name)
    from hypothesis import HealthCheck, Phase, settings

    settings.register_profile(
        "mutate",
        phases=(Phase.explicit, Phase.generate),
        database=None,
        derandomize=True,
        deadline=None,  # on a busy machine a test that is late would be taken for one that noticed
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("mutate")
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        tree = copied_tree(folder)
        one = Run(tree, number, seed, only, anew)
        if again:
            one.noted = {key: test for key, known in results(seed).items() if "::" in (test := known["failure"])}
        write_switched(tree, one.mutations)
        os.environ["PYTHONPATH"] = str(tree / "src")
        sys.path[:] = [str(tree / "src"), str(tree), *(place for place in sys.path if str(ROOT / "src") != place)]
        os.chdir(tree)
        one.go()
        os.chdir(ROOT)
    return 0


# Telling

COLUMNS = ("draw", "module", "line", "before", "after", "noticed_by", "tests_passed", "reason", "key")
SINCE = "since a test was added"
BY_HAND = "<!-- what follows is written by hand -->\n"
"""What stands after this line of the page is kept."""

Line = dict[str, str]


def _written() -> list[Line]:
    """The rows of the table as it is."""
    if not TABLE.exists():
        return []
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def report(seed: int) -> int:
    """Write what became of every mutation of a draw; rows of other draws, and a reason beside one, are kept.

    What an earlier report of the draw gave as unnoticed, and is noticed now, is marked so. Lines are those of the
    module when the mutation was tried.
    """
    before = {row["key"]: row for row in _written() if row["draw"] == str(seed)}
    lines = [row for row in _written() if row["draw"] != str(seed)]
    for one in sorted(results(seed).values(), key=lambda one: (one["path"], one["start"])):
        then = before.get(one["key"], {"noticed_by": one["failure"], "reason": ""})
        later = then["reason"] == SINCE or not then["noticed_by"]
        reason = (SINCE if later else "") if one["failure"] else then["reason"]
        values = [one[name] for name in ("path", "line", "before", "after", "failure")]
        values = [seed, *values, "" if one["failure"] else len(one["tried"]), reason, one["key"]]
        lines.append(dict(zip(COLUMNS, map(str, values), strict=True)))
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    by_hand = PAGE.read_text(encoding="utf-8").partition(BY_HAND)[2] if PAGE.exists() else ""
    PAGE.write_text(_page(lines) + BY_HAND + by_hand, encoding="utf-8")
    return 0


ABOUT = """\
# Would the tests notice?

`python tools/mutate.py run --number N --seed S` and `python tools/mutate.py report --seed S` made this page. One
operator or constant of the source is changed at a time, and the tests that reach it are run, cheap and specific ones
first, for at most {seconds} seconds of tests in each folder of tests, until one fails. Of the mutations, drawn in a
fixed random order, two thirds are from statistics, metrics, inference and data.

Left out of the draw by rule (`tools/mutants.py`): documentation, annotations, texts of messages, whatever raises or
asserts, `__repr__`, options of dataclasses, `strict=` of `zip`, sizes of caches and of what is worked on at a time.
Tests that need minutes (coverage of intervals, clusters of computers, browsers, the fuzzer, budgets) are not run on
mutations, and of a test with many parameters only some are, laws aside, so that every share is a lower bound.

Every mutation, with the test that noticed it, is in [mutation.csv](mutation.csv). "Same" are mutations that no input
can tell from our program; "before" is by tests there were, "now" also by those added since.

{tables}

These stayed, and are understood:

| where | was | becomes | why it stayed |
|---|---|---|---|
{survivors}

"""


IN_ALL_ROOMS = ("3", "4", "5")
"""Draws that were tried in all rooms, which are told room by room."""
HEAD = """\
| {first} | drawn | noticed before | noticed now | no test run yet | same | noticed now, of the others |
|---|---|---|---|---|---|---|
"""


def _page(lines: list[Line]) -> str:
    def counted(label: str, some: list[Line]) -> str:
        killed, same = sum(bool(row["noticed_by"]) for row in some), sum(row["reason"][:5] == "same:" for row in some)
        early = sum(bool(row["noticed_by"]) and row["reason"] != SINCE for row in some)
        shares = [f"{many} ({many / len(some):.0%})" for many in (early, killed)]
        untried = sum(row["tests_passed"] == "0" and not row["reason"] for row in some)
        rest = f"{killed / max(len(some) - same, 1):.1%}"
        return f"| {label} | {len(some)} | {' | '.join(shares)} | {untried} | {same} | {rest} |"

    def survivor(row: Line) -> str:
        was, becomes = (" ".join(row[name].split()).replace("|", "\\|")[:90] for name in ("before", "after"))
        place = f"{row['module'].removeprefix('src/adjudge/')}:{row['line']}"
        return f"| {place} | `{was}` | `{becomes}` | {row['reason']} |"

    def table(first: str, parts: dict[str, list[Line]]) -> str:
        return HEAD.format(first=first) + "\n".join(counted(label, some) for label, some in parts.items() if some)

    draws: dict[str, list[Line]] = {}
    for row in sorted(lines, key=lambda row: int(row["draw"])):
        draws.setdefault(row["draw"], []).append(row)
    tables = []
    for seed in IN_ALL_ROOMS:
        rooms: dict[str, list[Line]] = {room: [] for room in FIRST_ROOMS}
        for row in draws.get(seed, ()):
            rooms.setdefault(Path(row["module"]).parts[2], []).append(row)
        tables.append(f"The draw of seed {seed}:\n\n" + table("room", rooms))
    tables.append("All draws:\n\n" + table("draw", {f"seed {seed}": some for seed, some in draws.items()}))
    return ABOUT.format(
        seconds=int(SECONDS),
        tables="\n\n".join(tables),
        survivors="\n".join(survivor(row) for row in lines if not row["noticed_by"] and row["reason"]),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Would the tests notice a changed operator or constant?")
    commands = parser.add_subparsers(dest="command", required=True)
    for command, about in (("run", "try mutations"), ("report", "write docs/validation/mutation.md and .csv")):
        trying = commands.add_parser(command, help=about)
        trying.add_argument("--seed", type=int, default=3)
        if command == "run":
            trying.add_argument("--number", type=int, default=300)
            trying.add_argument("--tests", nargs="+", default=[""], help="run files whose path contains one of these")
            trying.add_argument(
                "--again", action="store_true", help="run, of what was noticed, the test that noticed it"
            )
            trying.add_argument(
                "--leave-imports", action="store_true", help="leave what is tried on a package loaded anew"
            )
    options = parser.parse_args()
    if options.command == "report":
        return report(options.seed)
    return run(options.number, options.seed, options.tests, not options.leave_imports, options.again)


if __name__ == "__main__":
    sys.exit(main())
