"""Speed and memory beside other tools.

    python -m bench [--repeats 3] [--full] [--json FILE]

Costs are processor seconds (all threads), medians of a few repeats in which the tools take turns. A ratio is the
peer's cost over ours. A benchmark is not a test: a target that is missed is shown, and the exit code stays 0.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from adjudge import __version__
from bench import agreement, comparison, ranking, scoring, spans
from bench.speed import Case, hundred_thousand, one_million, streamed, weighted
from bench.startup import startups

TOOLS = ("numpy", "scipy", "pyarrow", "ydf", "scikit-learn", "krippendorff", "pingouin", "seqeval")
HEADER = ("case", "ours", "peer", "ratio", "target", "met")


def cases(repeats: int, *, full: bool) -> Iterator[Case]:
    """Everything, the quick parts first."""
    yield from startups(repeats)
    yield from spans.run(repeats)
    yield from agreement.run(repeats)
    yield from scoring.run(repeats)
    yield from ranking.run(repeats)
    yield from comparison.run()
    yield from streamed(repeats)
    yield from hundred_thousand(repeats)
    yield from weighted()
    yield from one_million(repeats, full=full)


def cells(case: Case) -> tuple[str, ...]:
    """One line of the table."""
    peer = "–" if case.peer is None else f"{_amount(case.peer, case.unit)} ({case.peer_name})"
    met = "–" if case.met is None else "yes" if case.met else "no"
    ratio = "–" if case.ratio is None else f"{case.ratio:.3g}×"
    return case.name, _amount(case.ours, case.unit), peer, ratio, case.target or "–", met


def _amount(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if unit == "MB" or value >= 100 else f"{value:.3g} {unit}"


def table(found: Sequence[Case]) -> str:
    """A Markdown table that also reads well in a terminal."""
    lines = [HEADER, *map(cells, found)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = [
        "| " + " | ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    return "\n".join([rows[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *rows[1:]])


def setting() -> str:
    """With what it was measured."""
    named = [f"adjudge {__version__}"]
    for tool in TOOLS:
        try:
            named.append(f"{tool} {version(tool)}")
        except PackageNotFoundError:
            continue
    return f"Python {platform.python_version()}, {', '.join(named)}; {os.cpu_count()} processors"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3, help="repeats of each timing (default 3)")
    parser.add_argument("--full", action="store_true", help="run YDF's 2,000 replicates of 1,000,000 rows (minutes)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures for programs")
    chosen = parser.parse_args(arguments)
    found = []
    for case in cases(chosen.repeats, full=chosen.full):
        print("measured:", case.name, flush=True)
        found.append(case)
    print("", table(found), "", *(f"- {case.note}" for case in found if case.note), "", setting(), sep="\n")
    if chosen.json is not None:
        figures = [{**asdict(case), "ratio": case.ratio} for case in found]
        chosen.json.write_text(json.dumps({"setting": setting(), "cases": figures}, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
