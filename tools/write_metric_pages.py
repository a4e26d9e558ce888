"""Writes docs/metrics.md from the declarations of the metrics; with --check, says whether it is up to date.

The page is never edited by hand, so it cannot say anything that the code does not.
"""

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import chapters
from adjudge.report.summarize import explained, reading
from adjudge.report.words import method_name

PAGE = Path(__file__).parent.parent / "docs" / "metrics.md"
OPENING = """# Metrics

Written by `tools/write_metric_pages.py` from the declarations in `src/adjudge/metrics`; `adjudge metrics NAME` prints
the same. Each metric is a function of two arrays, those of many raters of one array of ratings. The number alone, and
the number with its interval:

```python
import numpy as np

import adjudge
from adjudge.metrics import *

accuracy(["a", "a", "b", "b"], ["a", "b", "b", "b"])
adjudge.estimate(accuracy, ["a", "a", "b", "b"], ["a", "b", "b", "b"])
```

The first interval named for a metric is its default. An undefined value is NaN, with the reason in `note`.

## A metric of your own

Any function of two arrays becomes a metric: what it is called, which way is better and what values it takes are said
beside it, and its interval comes from the bootstrap. A replicate is the rows that were drawn, repeated; a function with
a keyword `weights` (or `sample_weight`) gets each distinct row once, with how often it counts, which is faster and
serves case weights.

```python
>>> def cost(reference, prediction, weights=None, miss=5.0):
...     wrong = np.where(reference == 1, miss * (prediction != 1), prediction == 1)
...     return np.average(wrong, weights=weights)
>>> mean_cost = adjudge.metric(cost, label="Mean cost", direction="lower", range=(0, np.inf))
>>> mean_cost([1, 1, 0, 0], [1, 0, 0, 1])
1.5
>>> mean_cost.using(miss=10)
cost(miss=10)
>>> e = adjudge.estimate(mean_cost, [1, 1, 0, 0] * 25, [1, 0, 0, 1] * 25, seed=1)
>>> e.metric, e.value, e.method, e.interval.low < 1.5 < e.interval.high
('cost', 1.5, 'bootstrap', True)
```

With `of="score"` the second array is a score. Labels that all spell numbers are given as numbers; an error of the kind
that data without an answer cause (`ValueError`, division by zero) is an undefined value.
"""


def parameters(metric: Metric) -> str:
    """What the formula takes beside the data, with the defaults."""
    given = inspect.signature(metric.formula).parameters.values()
    takes = [f"`{p.name}` (default {p.default})" for p in given if p.kind is p.KEYWORD_ONLY]
    if metric.per == "category":
        kinds = "macro, micro or weighted" if hasattr(metric.over, "pooled") else "macro or weighted"
        takes.append(f"`average` ({kinds}; by default one value for each category)")
    return ", ".join(takes) or "none"


def example(metric: Metric) -> str:
    """The example of the docstring."""
    lines = inspect.cleandoc(metric.formula.__doc__ or "").splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith(">>>"))
    return "\n".join(lines[first:])


def section(metric: Metric) -> Iterator[str]:
    """Everything the declaration says about one metric."""
    sentence, formula, undefined = explained(metric)
    yield f"### {metric.name}\n\n**{metric.label}.** {sentence}\n"
    facts = {
        "formula": formula,
        "parameters": parameters(metric),
        "reading": reading(metric),
        "undefined": re.sub(r"^Undefined ", "", undefined),
        "intervals": ", ".join(f"{method_name(method)} (`{method}`)" for method in metric.intervals),
        "baseline": "the best constant answer stands beside it" if metric.baseline else "none",
        "threshold": "named in `note`; also `threshold_of`" if metric.threshold else "",
        "needs": "probabilities: scores in [0, 1] that sum to 1 over the categories" if metric.probabilities else "",
        "references": "; ".join(metric.references),
    }
    yield "| | |\n|---|---|"
    yield from (f"| {name} | {text.replace('|', chr(92) + '|')} |" for name, text in facts.items() if text)
    yield f"\n```python\n{example(metric)}\n```\n"


def page() -> str:
    """The whole page."""
    lines = [OPENING]
    for title, metrics in chapters().items():
        lines.append(f"## {title.capitalize()}\n")
        lines += [line for metric in metrics for line in section(metric)]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Write the page, or compare it."""
    made = page()
    if "--check" not in arguments:
        PAGE.write_text(made, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == made:
        return 0
    print(f"{PAGE.name} is not what the declarations say. Run: python tools/write_metric_pages.py")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
