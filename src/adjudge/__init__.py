"""adjudge: one table of judgements in, every number with its doubt out.

>>> import adjudge
>>> e = adjudge.evaluate({"label": ["a", "a", "b"], "guess": ["a", "b", "b"]}, reference="label", prediction="guess")
>>> round(e["accuracy"].value, 3)
0.667
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from adjudge import metrics
    from adjudge.evaluation.agree_difference import agreement_difference
    from adjudge.evaluation.estimate import estimate
    from adjudge.inference.interval import Estimate, Interval
    from adjudge.metrics.own import metric
    from adjudge.report.evaluation import Evaluation, agreement, evaluate, load

__all__ = [
    "Estimate",
    "Evaluation",
    "Interval",
    "__version__",
    "agreement",
    "agreement_difference",
    "estimate",
    "evaluate",
    "load",
    "metric",
    "metrics",
]

# Where each public name lives. They are imported when first used, so `import adjudge` costs nothing.
_HOMES = {
    "Estimate": "adjudge.inference.interval",
    "Evaluation": "adjudge.report.evaluation",
    "Interval": "adjudge.inference.interval",
    "agreement": "adjudge.report.evaluation",
    "agreement_difference": "adjudge.evaluation.agree_difference",
    "estimate": "adjudge.evaluation.estimate",
    "evaluate": "adjudge.report.evaluation",
    "load": "adjudge.report.evaluation",
    "metric": "adjudge.metrics.own",
    "metrics": "adjudge.metrics",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'adjudge' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    found = home if name == "metrics" else getattr(home, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
