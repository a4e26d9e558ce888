"""Every metric's docstring: a sentence, when it is undefined, an example that runs; and its references.

Runs the examples itself: a metric is an object, and doctest looks for examples only in functions and classes.
"""

import doctest
import inspect
import sys
from collections.abc import Callable, Iterator
from typing import Any

MOST_LINES = 25
EXAMPLES = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def docstring_faults(formula: Callable[..., Any]) -> Iterator[str]:
    text = inspect.cleandoc(formula.__doc__ or "")
    lines = text.splitlines()
    first_paragraph = text.split("\n\n")[0].rstrip()
    if not first_paragraph.endswith(".") or first_paragraph.startswith(">>>"):
        yield "must open with a sentence that ends in a full stop"
    if not any(line.startswith("Undefined") for line in lines):
        yield 'must have a line that starts with "Undefined" ("Undefined never." if it always has a value)'
    if ">>> " not in text:
        yield "must have a `>>>` example"
    if len(lines) > MOST_LINES:
        yield f"must have at most {MOST_LINES} lines, has {len(lines)}"
    yield from example_faults(formula, text)


def example_faults(formula: Callable[..., Any], text: str) -> Iterator[str]:
    code = formula.__code__
    test = doctest.DocTestParser().get_doctest(
        text, dict(formula.__globals__), formula.__name__, code.co_filename, code.co_firstlineno
    )
    report: list[str] = []
    doctest.DocTestRunner(optionflags=EXAMPLES).run(test, out=report.append)
    if report:
        yield "has an example that fails:\n" + "".join(report)


def faults(metrics: list[Any]) -> Iterator[str]:
    """One line per fault; a formula shared by several named metrics is read once."""
    seen = set()
    for metric in metrics:
        if not metric.references:
            yield f"{metric.name}: must name at least one reference"
        if metric.formula not in seen:
            seen.add(metric.formula)
            yield from (f"{metric.name}: docstring {fault}" for fault in docstring_faults(metric.formula))


def main() -> int:
    from adjudge.metrics import catalogue

    metrics = list(catalogue.every())
    found = list(faults(metrics))
    print(*found, sep="\n", end="\n" * bool(found))
    print(f"{len(metrics)} metrics, {len(found)} faults")
    return bool(found) or not metrics


if __name__ == "__main__":
    sys.exit(main())
