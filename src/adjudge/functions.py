"""One function for each task. Written by tools/write_tasks.py from the declarations; not edited by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudge.evaluation.settings import Progress
from adjudge.metrics.base import Metric
from adjudge.report.evaluation import Evaluation, evaluate

__all__ = ["classification"]


def _evaluated(task: str, given: dict[str, Any]) -> Evaluation:
    """What was given, without what was left out."""
    return evaluate(task=task, **{name: value for name, value in given.items() if value is not None})


def classification(
    table: Any,
    *,
    reference: str,
    prediction: str | Sequence[str] | None = None,
    score: Any = None,
    weight: str | None = None,
    cluster: str | None = None,
    id: str | None = None,
    slices: str | Sequence[str] | None = None,
    positive: Any = None,
    threshold: float | None = None,
    systems: Any = None,
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    level: float = 0.95,
    replicates: int = 2_000,
    seed: int = 7,
    bootstrap: str = "percentile",
    engine: str = "auto",
    progress: Progress | None = None,
) -> Evaluation:
    r"""Is the system right, how sure are we, and for whom?

    reference: column of labels to measure against
    prediction: column of decided labels; several columns are several systems
    score: column of scores for the positive label; several columns are several systems; LABEL=COLUMN for each
        label gives one score per label
    weight: column of case weights
    cluster: column of units to resample together, such as a person or a document
    id: column that names each row; repeated names are refused
    slices: columns to evaluate level by level; 'a × b' crosses two
    positive: the label a lone score speaks of
    threshold: score from which the positive label is decided (default 0.5)
    systems: the columns of each system, by its name
    metrics: only these, such as 'f_score(beta=2)'; see: adjudge metrics
    level: confidence level (default 0.95)
    replicates: bootstrap replicates (default 2000)
    seed: seed of the replicates (default 7)
    bootstrap: one of percentile, bca, poisson, bayesian (default percentile)
    engine: auto (default), memory or stream: the numbers are the same

    >>> import adjudge
    >>> table = {"label": ["a", "a", "b", "b"], "guess": ["a", "b", "b", "b"]}
    >>> adjudge.classification(table, reference="label", prediction="guess")["accuracy"].value
    0.75
    """
    return _evaluated("classification", locals())
