"""Runs many cases in child processes, so that a crash, a hang or a loss of memory is a finding and the run goes on.

    python -m tests.fuzz.run --cases 10000 --seed 1

`--only NUMBER` runs one case of the seed in this process, with its traceback. `--go-on` leaves out the cases that ended
cleanly before, as long as no line of the package has changed since, and tells how many these are of all seeds.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import json
import multiprocessing
import os
import resource
import shutil
import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

MEMORY = 4 << 30  # bytes beyond what the libraries take
CPU_SECONDS = 20  # of one case
WALL_SECONDS = 600  # of one case in which it did next to nothing: on a machine that others use too, work takes longer
CHUNK = 50
MOST_CHUNKS = 100  # of one child: libraries keep addresses for threads that are gone, which would use up its memory


@dataclass(frozen=True)
class Finding:
    """A case that did not end cleanly."""

    seed: int
    case: int
    what: str

    def __str__(self) -> str:
        return f"seed {self.seed}, case {self.case}: {self.what}"


def child(pipe: Connection) -> None:
    """Runs the cases it is sent, and tells the end of each."""
    # One thread for each library: less memory, and what a case costs is what it does.
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"), "1")
    os.environ["RUST_BACKTRACE"] = "0"  # polars says in pages what the case tells in a line
    from tests.fuzz.cases import run_case

    faulthandler.register(signal.SIGUSR1, _trace(os.getpid()).open("w"))
    own = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (own + MEMORY, own + MEMORY))
    while True:
        seed, kinds, cases = pipe.recv()
        for case in cases:
            used = resource.getrusage(resource.RUSAGE_SELF)
            limit = int(used.ru_utime + used.ru_stime) + CPU_SECONDS
            resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
            folder = Path(tempfile.mkdtemp(prefix="adjudge-fuzz-"))
            pipe.send(("begins", case, str(folder)))
            try:
                pipe.send(("ended", case, run_case(seed, case, folder, kinds)))
            except BaseException:
                pipe.send(("failed", case, traceback.format_exc()))
            finally:
                shutil.rmtree(folder, ignore_errors=True)
        pipe.send(("done", None, None))


class Child:
    """One child process with the cases it still has to run."""

    def __init__(self, seed: int, kinds: Sequence[str] = ()) -> None:
        self.seed, self.kinds, self.cases, self.chunks = seed, kinds, list[int](), 0
        self.folder, self.since, self.worked = "", time.monotonic(), 0.0
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=child, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def send(self, cases: list[int]) -> None:
        """Give it cases to run."""
        self.cases, self.since, self.chunks = cases, time.monotonic(), self.chunks + 1
        self.pipe.send((self.seed, self.kinds, cases))

    def has_worked(self) -> bool:
        """Whether it used the processor since this was asked; how much of it a case may use has its own limit."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        before, self.worked = self.worked, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        self.since = time.monotonic() if self.worked > before + 1 else self.since
        return self.worked > before + 1

    def stop(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self.pipe.close()
        _trace(self.process.pid or 0).unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def run(
    seed: int, cases: list[int], processes: int = 2, kinds: Sequence[str] = ()
) -> Iterator[tuple[int, str, Finding | None]]:
    """The end of every case, in the order in which they end; of some kinds of cases alone where these are named."""
    waiting = [cases[start : start + CHUNK] for start in range(0, len(cases), CHUNK)][::-1]
    children = [Child(seed, kinds) for _ in range(min(processes, len(waiting)))]
    for one in children:
        one.send(waiting.pop())
    while children:
        ready = wait([one.pipe for one in children], timeout=1)
        for place, one in enumerate(list(children)):
            ended: tuple[int, str, Finding | None] | None = None
            if one.pipe in ready:
                ended = _heard(one)
            elif time.monotonic() - one.since > WALL_SECONDS and not one.has_worked():
                ended = _lost(one, f"no end within {WALL_SECONDS} seconds\n{_doing(one.process)}")
            if ended is not None:
                yield ended
            if one.cases:
                if not one.process.is_alive() and not one.pipe.closed and not one.pipe.poll():
                    yield _lost(one, _end_of(one.process))
                if one.pipe.closed:
                    children[place] = Child(seed, kinds)
                    children[place].send(one.cases)
        for one in [one for one in children if not one.cases and not one.pipe.closed]:
            if waiting and one.chunks < MOST_CHUNKS:
                one.send(waiting.pop())
            else:
                one.stop()
        children = [one for one in children if not one.pipe.closed]
        while waiting and len(children) < processes:  # after one that was lost with its last case, or is old
            children.append(Child(seed, kinds))
            children[-1].send(waiting.pop())


def _heard(one: Child) -> tuple[int, str, Finding | None] | None:
    try:
        what, case, text = one.pipe.recv()
    except (EOFError, ConnectionResetError):
        one.process.join(10)
        return _lost(one, _end_of(one.process))
    if what == "begins":
        one.folder, one.since = text, time.monotonic()
    if what not in ("ended", "failed"):
        return None
    one.cases.remove(case)
    return case, text, Finding(one.seed, case, text) if what == "failed" else None


def _lost(one: Child, why: str) -> tuple[int, str, Finding | None]:
    """The case during which a child went away; another child takes the rest."""
    one.stop()
    case = one.cases.pop(0)
    return case, "lost", Finding(one.seed, case, why)


def _trace(process: int) -> Path:
    """Where a child that is asked for it writes what it is doing."""
    return Path(tempfile.gettempdir()) / f"adjudge-fuzz-{process}.trace"


def _doing(process: Any) -> str:
    if not _trace(process.pid).exists():
        return "it had not begun: the machine is too busy"
    os.kill(process.pid, signal.SIGUSR1)
    time.sleep(2)
    return _trace(process.pid).read_text()


def _end_of(process: Any) -> str:
    return f"the process ended with {process.exitcode} (a negative number is a signal: 11 a crash, 24 too much time)"


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Run random cases; a finding is written to a file with its seed.")
    parser.add_argument("--cases", type=int, default=2_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", type=int, help="run this case alone, here")
    parser.add_argument("--kinds", nargs="+", default=(), help="cases of these kinds alone; they do not count as clean")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--go-on", action="store_true", help="only cases that were not clean since the last change")
    options = parser.parse_args()
    if options.only is not None:
        from tests.fuzz.cases import run_case

        print(run_case(options.seed, options.only, Path(tempfile.mkdtemp(prefix="adjudge-fuzz-")), options.kinds))
        return 0
    ends, findings, began = Counter[str](), list[Finding](), time.monotonic()
    clean = Clean(options.findings)
    cases = list(range(options.first, options.first + options.cases))
    if options.go_on:
        cases = [case for case in cases if case not in clean.of(options.seed)]
    for number, (case, end, finding) in enumerate(run(options.seed, cases, options.processes, options.kinds), 1):
        if finding is None:
            ends[end] += 1
            clean.of(options.seed).update(() if options.kinds else [case])
        else:
            findings.append(finding)
            options.findings.mkdir(exist_ok=True)
            (options.findings / f"{finding.seed}-{finding.case}.txt").write_text(
                str(finding), errors="backslashreplace"
            )
        if number % 100 == 0 or number == len(cases):
            clean.keep()
            speed = number / (time.monotonic() - began)
            print(f"{number:,} cases, {len(findings)} findings, {speed:.1f} a second", flush=True)
    for end, count in sorted(ends.items()):
        print(f"{count:8,}  {end}")
    seconds = time.monotonic() - began
    ended = sum(ends.values()) + len(findings)
    speed = f"{ended:,} of {len(cases):,} cases in {seconds:.0f} s ({ended / max(seconds, 1e-9):.1f} a second)"
    print(f"seed {options.seed}: {speed}, {len(findings)} findings; {clean}")
    return 1 if findings or ended < len(cases) else 0


class Clean:
    """Cases that ended cleanly, by seed, since a line of the package or of the fuzzer has changed."""

    def __init__(self, folder: Path) -> None:
        self.path, self.code = folder / "clean.json", _code()
        known = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.seeds = {
            int(seed): set(cases)
            for seed, cases in (known.get("seeds", {}) if known.get("code") == self.code else {}).items()
        }

    def of(self, seed: int) -> set[int]:
        """Those of one seed."""
        return self.seeds.setdefault(seed, set())

    def keep(self) -> None:
        """Remember them for another run."""
        self.path.parent.mkdir(exist_ok=True)
        seeds = {seed: sorted(cases) for seed, cases in self.seeds.items()}
        self.path.write_text(json.dumps({"code": self.code, "seeds": seeds}))

    def __str__(self) -> str:
        total = sum(map(len, self.seeds.values()))
        return f"{total:,} clean cases of seeds {sorted(self.seeds)} since the code was last changed ({self.code})"


def _code() -> str:
    """What names the package and the fuzzer as they are."""
    digest = hashlib.sha256()
    for folder in (Path(__file__).parents[2] / "src", Path(__file__).parent):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


if __name__ == "__main__":
    raise SystemExit(main())
