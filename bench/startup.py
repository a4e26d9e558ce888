"""What it costs to begin: processor time of whole processes, the interpreter included."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from statistics import median

from bench.speed import Case

NOTHING = ("-c", "pass")
NUMPY = ("-c", "import numpy")
ADJUDGE = ("-c", "import adjudge")
EVALUATE = ("-c", "from adjudge import evaluate")
HELP = ("-m", "adjudge", "--help")


def process_seconds(arguments: tuple[str, ...]) -> float:
    """User and system time of one Python process."""
    child = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"python {' '.join(arguments)} ended with {child.returncode}")
    return used.ru_utime + used.ru_stime


def startups(repeats: int) -> Iterator[Case]:
    """Importing the package, and asking for help."""
    commands = (NOTHING, NUMPY, ADJUDGE, EVALUATE, HELP)
    runs = [[process_seconds(command) for command in commands] for _ in range(2 * repeats + 1)]
    nothing, numpy, ours, evaluate, shown = (median(column) for column in zip(*runs[1:], strict=True))
    note = f"startup: whole processes; a Python process that does nothing takes {nothing:.3f} CPU s"
    yield Case("import adjudge", ours, "CPU s", "import numpy", numpy, "≤ 2× numpy", ours <= 2 * numpy, note)
    yield Case("from adjudge import evaluate", evaluate, "CPU s", "import numpy", numpy)
    yield Case("adjudge --help", shown, "CPU s", target="≤ 0.2 s", met=shown <= 0.2)
