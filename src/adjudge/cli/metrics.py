"""`adjudge metrics`: the catalogue, and one metric explained."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from adjudge.cli.output import Parser
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import chapters, parse
from adjudge.report.summarize import explained, reading
from adjudge.report.words import method_name


def run(name: str, arguments: Sequence[str]) -> int:
    """List the catalogue, or explain one metric."""
    parser = Parser("metrics", "List every metric, or explain one.")
    parser.add_argument("metric", nargs="?", help="the metric to explain")
    chosen = parser.parse_args(arguments).metric
    print(explanation(parse(chosen)) if chosen else listing())
    return 0


def listing() -> str:
    """All metrics with one line each."""
    lines = []
    for title, metrics in chapters().items():
        lines += ["", title]
        lines += [f"  {metric.name:<32} {metric.label}" for metric in metrics]
    return "\n".join([*lines[1:], "", "adjudge metrics NAME explains one."])


def explanation(metric: Metric) -> str:
    """Everything the declaration says about a metric."""
    sentence, formula, undefined = explained(metric)
    parameters = inspect.signature(metric.formula).parameters.values()
    takes = [f"{p.name} (default {p.default})" for p in parameters if p.kind is p.KEYWORD_ONLY]
    if metric.per == "category":
        takes.append("average (macro, micro, weighted; default: one value for each category)")
    facts = {
        "formula": formula or "see above",
        "parameters": ", ".join(takes) or "none",
        "reading": reading(metric),
        "undefined": undefined,
        "intervals": ", ".join(method_name(method) for method in metric.intervals) + " (the first is the default)",
        "baseline": "the best constant answer is reported beside it" if metric.baseline else "none",
        "references": "; ".join(metric.references),
    }
    lines = [f"{metric!r}: {metric.label}", sentence, ""]
    return "\n".join([*lines, *(f"  {name:<11} {value}" for name, value in facts.items() if value)])
