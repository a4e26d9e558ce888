"""Would the tests notice? Changes one operator or constant of the source at a time and runs the tests that reach it.

    python tools/mutate.py run --draw 7:150
    python tools/mutate.py run --draw 7:150 --unnoticed     # after tests were added: what stayed, on changed files
    python tools/mutate.py report --seed 7                  # writes docs/validation/mutation.md and .csv

Mutations (`mutants.py`) are drawn in a fixed random order, two thirds of them from the rooms where a wrong number would
be made. All of them are written into one copy of the tree, each behind a switch that is off, which also tells who
reached it. Libraries, the package and the tests are loaded once; everything else runs in forks of that process:

1. Each file of tests runs once, whole, with all switches off, which tells for each test its seconds and the mutations
   it reaches, also in processes that it starts.
2. For each mutation its switch is turned on, and the tests that reach it are run, the cheap and specific ones first,
   until one fails or a few seconds are spent.
3. Those that stayed are turned on together, and every file that reaches one of them is run whole. A test that fails
   is run again with half of them, and half of that, until the one is found that it notices, which is turned off.

So nothing counts as unnoticed that a test of the files which reach it would notice, and the last step costs one run of
the tests, however many stayed. What runs on import goes through steps 2 and 3 with the package loaded anew.
"""

import argparse
import functools
import gc
import hashlib
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from mutants import PACKAGE, ROOT, Mutation, draw_mutations, runs_on_import, write_switched
from mutation_page import report

KNOWN = ROOT / ".mutation"
SECONDS = 3.0
"""At most this much recorded test time is spent on one mutation before those that stayed are tried together."""
ANEW = 6
"""Of what is first tried with the package loaded anew, the tests of so many files are run."""
STUCK = 60.0
"""A fork that neither runs nor waits for another process for so many seconds is ended."""
DEAR = ("/fuzz/", "/budgets/", "laws/test_mutations.py", "browser", "test_coverage.py", "test_clusters.py")
"""Files that are not run: each of their tests reaches everything, or runs elsewhere, and takes long."""
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


# Switches, which all processes share


def turn_on(numbers: Iterable[int]) -> None:
    """Turn these mutations on and all others off."""
    switch = importlib.import_module("mutation_switch")
    switch.bits[switch.many :] = bytes(switch.many)
    for number in numbers:
        switch.bits[switch.many + number] = 1


def take_reached() -> list[int]:
    """Which mutations were reached since this was asked last."""
    switch = importlib.import_module("mutation_switch")
    reached = [number for number in range(switch.many) if switch.bits[number]]
    switch.bits[: switch.many] = bytes(switch.many)
    return reached


# Which test reaches what


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


@functools.cache
def digest(file: str) -> str:
    path = ROOT / file
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else ""


def _kept(file: str) -> Path:
    return KNOWN / "reach" / f"{file.replace('/', '-')}.json"


def mapped(file: str, keys: Iterable[str]) -> dict[str, Any] | None:
    """What is known of the tests of a file, if it was run as it is, with all of these mutations in the tree."""
    kept = _kept(file)
    entry: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    return entry if entry.get("digest") == digest(file) and set(keys) <= set(entry["keys"]) else None


def map_file(file: str, items: list[Any], keys: list[str]) -> None:
    """Run the tests of one file and write which mutations each reaches, and which of them fail as it is."""
    tests: Tests = {}
    broken = []
    for item, following in pairwise([*items, None]):
        take_reached()
        since = time.process_time()
        ends = failed(item, following)
        if ends is False:
            seconds = round(time.process_time() - since, 4)
            tests[item.nodeid] = {"seconds": seconds, "reaches": [keys[number] for number in take_reached()]}
        broken += [item.nodeid] if ends else []
    entry = {"file": file, "digest": digest(file), "keys": sorted(keys), "tests": tests, "broken": broken}
    _kept(file).write_text(json.dumps(entry), encoding="utf-8")


def files_with_tests(only: list[str]) -> list[str]:
    """The files with doctests or tests."""
    files = [path for path in sorted((ROOT / PACKAGE).rglob("*.py")) if b">>>" in path.read_bytes()]
    files += sorted((ROOT / "tests").rglob("test_*.py"))
    names = [str(path.relative_to(ROOT)) for path in files]
    return [name for name in names if any(one in name for one in only) and not any(dear in name for dear in DEAR)]


# Trying


def results(seed: int) -> dict[str, dict[str, Any]]:
    """What became of mutations in this and earlier runs, by key; the last word counts."""
    file = KNOWN / f"results-{seed}.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {one["key"]: one for one in map(json.loads, lines)}


def _is_tried(known: dict[str, Any], file: str) -> bool:
    """Whether all tests of a file, as it is, passed with a mutation."""
    return bool(known["files"].get(file) == digest(file))


class Run:
    """One run: what is drawn, what is known of it, and the tree in which all of it stands."""

    def __init__(self, tree: Path, draws: list[tuple[int, int]], only: list[str], unnoticed: bool) -> None:
        self.tree, self.said = tree, tree / "said.txt"
        self.seeds: dict[str, int] = {}
        self.done: dict[str, dict[str, Any]] = {}
        self.mutations: list[Mutation] = []
        for seed, number in draws:
            known = results(seed)
            self.done |= known
            for one in draw_mutations(number, seed):
                stayed = one.key in known and not known[one.key]["failure"]
                if one.key not in self.seeds and (stayed or not unnoticed):
                    self.seeds[one.key] = seed
                    self.mutations.append(one)
        self.keys = [one.key for one in self.mutations]
        self.number_of = {key: number for number, key in enumerate(self.keys)}
        self.files = files_with_tests(only)
        self.tests: Tests = {}
        self.on_import: set[int] = {number for number, one in enumerate(self.mutations) if runs_on_import(one)}

    # What is known

    def read_map(self) -> None:
        """Which tests reach which mutations, by what was run."""
        self.tests = {}
        for file in self.files:
            self.tests |= (mapped(file, self.keys) or {"tests": {}})["tests"]

    def reaching(self, number: int) -> list[str]:
        """The tests that reach a mutation; of what a function does on import alone, also those of its room."""
        key, mutation = self.keys[number], self.mutations[number]
        hidden = number in self.on_import and not runs_on_import(mutation)
        near = ("tests/golden/test_rows.py", f"tests/{mutation.room}/") if hidden else ()
        return [test for test, of in self.tests.items() if key in of["reaches"] or file_of(test).startswith(near)]

    def is_open(self, number: int) -> bool:
        return not self.done.get(self.keys[number], {"failure": ""})["failure"]

    def untried(self, number: int) -> set[str]:
        """The files that reach a mutation and were not yet run whole with it."""
        known = self.done.get(self.keys[number], {"files": {}})
        return {file for file in map(file_of, self.reaching(number)) if not _is_tried(known, file)}

    def ordered(self, number: int) -> list[str]:
        """Tests to run first, cheap and specific: a test that reaches little is more likely to be about this."""
        mutation, untried = self.mutations[number], self.untried(number)
        stem = Path(mutation.path).stem

        def cost(test: str) -> tuple[float, str]:
            near = 0.1 if stem in test else 0.5 if f"tests/{mutation.room}/" in test else 1.0
            return near * (self.tests[test]["seconds"] + 0.02) * len(self.tests[test]["reaches"]), test

        chosen, spent = list[str](), 0.0
        for test in sorted((test for test in self.reaching(number) if file_of(test) in untried), key=cost):
            if not chosen or spent + self.tests[test]["seconds"] <= SECONDS:
                spent += self.tests[test]["seconds"]
                chosen.append(test)
        return chosen

    def keep(self, number: int, failure: str, files: Iterable[str] = (), step: str = "") -> None:
        """Note what became of a mutation: the test that noticed it, or the files of which every test passed."""
        mutation = self.mutations[number]
        known = self.done.get(mutation.key, {"files": {}})
        tried = {} if failure else known["files"] | {file: digest(file) for file in files}
        passed = sum(file_of(test) in tried for test in self.reaching(number))
        entry = {"key": mutation.key, "failure": failure, "step": step, "files": tried, "passed": passed}
        seed = self.seeds[mutation.key]
        with (KNOWN / f"results-{seed}.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry | asdict(mutation)) + "\n")
        self.done[mutation.key] = entry
        print(f"{seed}  {step}  {mutation}  {failure or 'UNNOTICED'}", flush=True)

    def how_it_ended(self, code: int) -> str:
        """The test that failed in the last fork, or how else it ended; nothing if all tests passed."""
        said = self.said.read_text(encoding="utf-8")
        if said.startswith("failed "):
            return said.removeprefix("failed ")
        if code == -signal.SIGXCPU or code == -signal.SIGKILL:
            return f"no end: {said.removeprefix('running ')}"
        return f"exit {code}: {said.removeprefix('running ')}" if code else ""

    # In a process that has the tests loaded

    def try_tests(self, numbers: list[int], items: list[Any]) -> str:
        """The first of the tests that fails with these mutations on, found in a fork."""

        def work() -> None:
            for item, following in pairwise([*items, None]):
                self.said.write_text(f"running {item.nodeid}", encoding="utf-8")
                if failed(item, following):
                    self.said.write_text(f"failed {item.nodeid}", encoding="utf-8")
                    return
            self.said.write_text("", encoding="utf-8")

        self.said.write_text("", encoding="utf-8")
        turn_on(numbers)
        seconds = sum(self.tests[item.nodeid]["seconds"] for item in items)
        code = forked(work, 10 + 4 * seconds)
        turn_on(())
        return self.how_it_ended(code)

    def failing(self, numbers: list[int], items: list[Any]) -> list[str]:
        """All tests of one file that fail with these mutations on, found in a fork."""
        told = self.tree / "failing.txt"

        def work() -> None:
            with told.open("w", encoding="utf-8") as file:
                for item, following in pairwise([*items, None]):
                    print(item.nodeid, file=file, end="\t", flush=True)
                    print("failed" if failed(item, following) else "passed", file=file, flush=True)

        told.write_text("")
        turn_on(numbers)
        seconds = sum(self.tests[item.nodeid]["seconds"] for item in items)
        forked(work, 20 + 4 * seconds)
        turn_on(())
        lines = [line.split("\t") for line in told.read_text(encoding="utf-8").splitlines()]
        ended = {line[0]: line[-1] for line in lines}
        return [item.nodeid for item in items if ended.get(item.nodeid, "not run") != "passed"]

    def noticed_by(self, test: str, numbers: list[int], fails: Callable[[list[int]], str]) -> list[int]:
        """Which of these mutations the test notices, alone: by halves."""
        if not numbers or not fails(numbers):
            return []
        if len(numbers) == 1:
            return numbers
        half = len(numbers) // 2
        return self.noticed_by(test, numbers[:half], fails) + self.noticed_by(test, numbers[half:], fails)

    def try_together(self, items: dict[str, Any], pick: Callable[[int], bool], step: str, try_one: Any) -> None:
        """All that stayed unnoticed, on every file that reaches one of them and was not run with it."""
        stayed = [number for number in range(len(self.keys)) if pick(number) and self.is_open(number)]
        untried = {number: self.untried(number) for number in stayed}
        for file, group in groupby(items.values(), key=lambda item: file_of(item.nodeid)):
            some = [number for number in stayed if self.is_open(number) and file in untried[number]]
            tests = [item for item in group if item.nodeid in self.tests]
            if not some:
                continue
            for test in self.failing(some, tests):
                fails = functools.partial(try_one, items=[items[test]])
                for number in self.noticed_by(test, [one for one in some if self.is_open(one)], fails):
                    self.keep(number, test, step=step)
        for number in stayed:
            if self.is_open(number):
                # What runs on import is tried with the package loaded anew: that it passes here tells nothing.
                self.keep(number, "", () if number in self.on_import else untried[number], step)

    def pytest_runtestloop(self, session: Any) -> bool:
        """Instead of running what was collected: map what is not known, and try mutations on it."""
        self.on_import |= set(take_reached())
        (self.tree / "on_import.json").write_text(json.dumps(sorted(self.on_import)))
        for one in gc.get_objects():
            if type(one).__name__ == "_lru_cache_wrapper" and "adjudge" in str(getattr(one, "__module__", "")):
                one.cache_clear()
        gc.freeze()
        for file, group in groupby(session.items, key=lambda item: file_of(item.nodeid)):
            some, began = list(group), time.monotonic()
            if mapped(file, self.keys) is None:
                code = forked(functools.partial(map_file, file, some, self.keys), 900)
                print(f"mapped {file}  {time.monotonic() - began:.0f} s  {code or ''}", flush=True)
        self.read_map()
        items = {item.nodeid: item for item in session.items}
        for number, mutation in enumerate(self.mutations):
            if not runs_on_import(mutation) and self.is_open(number):
                some = [items[test] for test in self.ordered(number) if test in items]
                if some and (failure := self.try_tests([number], some)):
                    self.keep(number, failure, step="alone")
        self.try_together(items, lambda number: not runs_on_import(self.mutations[number]), "together", self.try_tests)
        return True

    # With the package loaded anew

    def collect(self, files: list[str], loop: object) -> int:
        """Load these files of tests and go on in the loop."""
        import pytest

        options = [*OPTIONS, *(f"-pno:{plugin}" for plugin in WITHOUT), f"--rootdir={self.tree}"]
        return int(pytest.main([*options, f"--basetemp={self.tree / 'temporary'}", *files], plugins=[loop]))

    def try_anew(self, numbers: list[int], tests: list[str]) -> str:
        """The first of the tests that fails in a fork that loads the package with these mutations on."""
        run, files = self, sorted(set(map(file_of, tests)))

        class Loop:
            def pytest_runtestloop(self, session: Any) -> bool:
                items = [item for item in session.items if item.nodeid in set(tests)]
                for item, following in pairwise([*items, None]):
                    run.said.write_text(f"running {item.nodeid}", encoding="utf-8")
                    if failed(item, following):
                        run.said.write_text(f"failed {item.nodeid}", encoding="utf-8")
                        return True
                run.said.write_text("", encoding="utf-8")
                return True

        def work() -> None:
            if self.collect(files, Loop()) not in (0, 5):
                self.said.write_text(f"failed {files[0]} (when it is loaded)", encoding="utf-8")

        self.said.write_text("", encoding="utf-8")
        turn_on(numbers)
        seconds = sum(self.tests[test]["seconds"] for test in tests)
        code = forked(work, 30 + 4 * seconds)
        turn_on(())
        return self.how_it_ended(code)

    def go_anew(self) -> None:
        """What runs on import: first each alone, then all together, on the tests that use what is made there."""
        stayed = [number for number in sorted(self.on_import) if self.is_open(number)]
        for number in stayed:
            tests = self.ordered(number)
            near = list(dict.fromkeys(map(file_of, tests)))[:ANEW]
            some = [test for test in tests if file_of(test) in near]
            if some and (failure := self.try_anew([number], some)):
                self.keep(number, failure, step="anew")
        stayed = [number for number in stayed if self.is_open(number)]
        untried = {number: self.untried(number) for number in stayed}
        run = self

        class Loop:
            def pytest_runtestloop(self, session: Any) -> bool:
                for file, group in groupby(session.items, key=lambda item: file_of(item.nodeid)):
                    some = [number for number in stayed if file in untried[number]]
                    failing = run.failing(stayed, [item for item in group if item.nodeid in run.tests]) if some else []
                    (run.tree / "anew.txt").open("a").writelines(f"{test}\n" for test in failing)
                return True

        (self.tree / "anew.txt").write_text("")
        turn_on(stayed)
        if files := sorted(set().union(*untried.values())):
            forked(lambda: self.collect(files, Loop()), 10**6)
        turn_on(())
        failing = (self.tree / "anew.txt").read_text().splitlines()
        for number in stayed:  # not by halves: loading the package takes longer than most tests
            some = [test for test in failing if file_of(test) in untried[number]]
            failure = self.try_anew([number], some) if some else ""
            self.keep(number, failure, () if failure else untried[number], "anew together")

    def go(self) -> None:
        """Map and try in a process that has all tests loaded; then, anew, what runs on import; then say the share."""
        turn_on(())
        self.read_map()
        load = [file for file in self.files if mapped(file, self.keys) is None]
        for number in range(len(self.keys)):
            if self.is_open(number):
                load += self.untried(number)
        if load:
            forked(lambda: self.collect(sorted(set(load)), self), 10**6)
        loading = self.tree / "on_import.json"
        self.on_import |= set(json.loads(loading.read_text())) if loading.exists() else set()
        for seed in set(self.seeds.values()):
            self.done |= results(seed)
        self.read_map()
        self.go_anew()
        for seed in sorted(set(self.seeds.values())):
            some = [self.done[key] for key, its in self.seeds.items() if its == seed]
            print(f"seed {seed}: {sum(bool(one['failure']) for one in some)} of {len(some)} noticed")


def copied_tree(folder: str) -> Path:
    """A copy of all that tests read."""
    tree = Path(folder)
    for name in ("src", "tests", "tools", "bench", "docs", ".ci"):
        shutil.copytree(ROOT / name, tree / name)
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, tree / path.name)
    return tree


def run(draws: list[tuple[int, int]], only: list[str], unnoticed: bool) -> int:
    """Try mutations, print what became of each, and the share that was noticed."""
    (KNOWN / "reach").mkdir(parents=True, exist_ok=True)
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
        one = Run(tree, draws, only, unnoticed)
        write_switched(tree, one.mutations)
        os.environ["PYTHONPATH"] = str(tree / "src")
        sys.path[:] = [str(tree / "src"), str(tree), *(place for place in sys.path if str(ROOT / "src") != place)]
        os.chdir(tree)
        one.go()
        os.chdir(ROOT)
    return 0


def _draw(text: str) -> tuple[int, int]:
    seed, _, number = text.partition(":")
    return int(seed), int(number)


def main() -> int:
    parser = argparse.ArgumentParser(description="Would the tests notice a changed operator or constant?")
    commands = parser.add_subparsers(dest="command", required=True)
    trying = commands.add_parser("run", help="try mutations")
    trying.add_argument("--draw", type=_draw, nargs="+", default=[(3, 300)], help="a seed and how many: 3:300")
    trying.add_argument("--tests", nargs="+", default=[""], help="run files whose path contains one of these")
    trying.add_argument("--unnoticed", action="store_true", help="only what an earlier run left unnoticed")
    commands.add_parser("report", help="write docs/validation/mutation.md and .csv").add_argument("--seed", type=int)
    options = parser.parse_args()
    if options.command == "report":
        return report(options.seed, results(options.seed))
    return run(options.draw, options.tests, options.unnoticed)


if __name__ == "__main__":
    sys.exit(main())
