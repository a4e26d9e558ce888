"""adjudge: evaluate a table of judgements; every number has its interval.

>>> import adjudge
>>> e = adjudge.evaluate({"label": ["a", "a", "b"], "guess": ["a", "b", "b"]}, reference="label", prediction="guess")
>>> round(e["accuracy"].value, 3)
0.667
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from adjudge import metrics
    from adjudge.functions import *  # noqa: F403
    from adjudge.inference.intervals.interval import Estimate, Interval
    from adjudge.metrics.own import metric
    from adjudge.report.adequacy.adequacy import Adequacy, adequacy, tradeoffs
    from adjudge.report.compare import compare
    from adjudge.report.estimate import estimate
    from adjudge.report.evaluation import Evaluation, evaluate, load
    from adjudge.report.gates.gate import Gate, Verdicts
    from adjudge.report.plan import Plan, plan
    from adjudge.tasks.agreement.difference import agreement_difference

__all__ = [
    "Adequacy",
    "Estimate",
    "Evaluation",
    "Gate",
    "Interval",
    "Plan",
    "Verdicts",
    "__version__",
    "adequacy",
    "agreement_difference",
    "compare",
    "estimate",
    "evaluate",
    "load",
    "metric",
    "metrics",
    "plan",
    "tradeoffs",
]

# Where each public name lives. They are imported when first used, so `import adjudge` costs nothing.
_HOMES = {
    "Adequacy": "adjudge.report.adequacy.adequacy",
    "adequacy": "adjudge.report.adequacy.adequacy",
    "Estimate": "adjudge.inference.intervals.interval",
    "Evaluation": "adjudge.report.evaluation",
    "Gate": "adjudge.report.gates.gate",
    "Interval": "adjudge.inference.intervals.interval",
    "Verdicts": "adjudge.report.gates.gate",
    "Plan": "adjudge.report.plan",
    "agreement_difference": "adjudge.tasks.agreement.difference",
    "compare": "adjudge.report.compare",
    "estimate": "adjudge.report.estimate",
    "evaluate": "adjudge.report.evaluation",
    "load": "adjudge.report.evaluation",
    "metric": "adjudge.metrics.own",
    "metrics": "adjudge.metrics",
    "plan": "adjudge.report.plan",
    "tradeoffs": "adjudge.report.adequacy.adequacy",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    from adjudge.tasks import task_names

    home = "adjudge.functions" if name in task_names() else _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'adjudge' has no attribute {name!r}")
    module = import_module(home)
    value = module if name == "metrics" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from adjudge.tasks import task_names

    return sorted([*__all__, *task_names()])
