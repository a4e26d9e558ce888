"""One metric of two arrays, with its doubt, and what looks like a mistake in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from adjudge.diagnosis.checks.check import serious_sentences
from adjudge.evaluation.arrays.checks import Arrays, array_checks
from adjudge.evaluation.arrays.estimate import plain_estimate, read_metric
from adjudge.evaluation.asking.arguments import SHARED, checked_arguments
from adjudge.evaluation.declaration import Task
from adjudge.inference.intervals.interval import Estimate
from adjudge.metrics.base import Metric
from adjudge.tasks import task_named, task_names


def estimate(
    metric: Metric | str,
    reference: object,
    prediction: object = None,
    *,
    weights: Sequence[float] | NDArray[np.generic] | None = None,
    positive: object = None,
    categories: Sequence[object] | None = None,
    method: str | None = None,
    ok: str | Sequence[str] = (),
    **settings: object,
) -> Estimate:
    """A metric of two arrays (or a matrix of ratings) with its interval: by its default method, or by the named one.

    `level`, `replicates`, `seed` and `bootstrap` are as in `evaluate`; what else the metric takes to read arrays, such
    as the `scheme` of tags, may be given too. What is serious in the data check of such a table stands in `checks`, and
    is printed; what it stops is refused. `ok` silences a check by its key.

    >>> from adjudge import metrics
    >>> e = estimate(metrics.accuracy, ["a"] * 20, ["a"] * 15 + ["b"] * 5)
    >>> round(e.interval.low, 3), round(e.interval.high, 3)
    (0.531, 0.896)
    >>> label = ["spam", "ham", "NA", "spam"] * 15
    >>> print(estimate("accuracy", label, ["spam", "ham", "ham", "ham"] * 15))
    accuracy: 0.5 [0.3774, 0.6226] (95%, wilson, n = 60)
    Check the data first: "NA" in the labels counts as a label, but probably stands for a missing value. Declare it \
missing: missing=["NA"]. (C22)
    """
    checked_arguments(
        "estimate",
        (),
        [one for one in SHARED if one.name == "ok"],
        {"ok": None if isinstance(ok, Sequence) and not ok else ok},
    )
    named = {"weights": weights, "positive": positive, "categories": categories}
    plain = plain_estimate(metric, reference, prediction, method=method, **named, **settings)  # type: ignore[arg-type]
    read = read_metric(metric, settings)
    task = _task_of(read)
    if task is None:
        return plain
    options = {**read.array_options, "positive": positive, "scale": categories}
    checks = array_checks(
        read, task, Arrays(reference, prediction, weights, categories, options), [ok] if isinstance(ok, str) else ok
    )
    return replace(plain, checks=serious_sentences(checks))


def _task_of(metric: Metric) -> Task | None:
    """The task that measures the metric of such arrays; of one that none measures, one that takes the arrays."""
    takers = [task for task in map(task_named, task_names()) if metric.over in task.arrays]
    measuring = [task for task in takers if any(one.name == metric.name for one in task.metrics)]
    return next(iter([*measuring, *takers[-1:]]), None)
