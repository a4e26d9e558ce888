"""From an outcome to a summary: which lines to show, and in which order."""

from __future__ import annotations

import inspect
import math
import re
from fnmatch import fnmatchcase

from adjudge.errors import with_minus
from adjudge.evaluation.declaration import Task
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import finite
from adjudge.evaluation.results import BASELINE, WHOLE_NAME, Row
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.catalogue import parse
from adjudge.report import words
from adjudge.report.answers.first_screen import answer_of
from adjudge.report.summary import Alternative, Fact, GlossaryEntry, MetricLine, SliceGroup, Summary

MOST_HEADLINES = 3
# The headline speaks of the first systems; the tables hold all.
MOST_LEADING = 3
MOST_SLICE_METRICS = 2


def summarize(outcome: Outcome, task: Task) -> Summary:
    """Everything a renderer needs to know."""
    lines = [line for line in _lines(outcome, task) if line.system in outcome.systems]
    whole = [line for line in lines if line.slice == WHOLE_NAME]
    leading = outcome.systems[:MOST_LEADING]
    names = dict.fromkeys(name.split("(")[0] for name in outcome.metrics)
    headline = _headline([line for line in whole if line.system in leading], task)
    return Summary(
        title=f"{task.name.capitalize()} of {_named(outcome.systems)}",
        task=task.name,
        question=task.question,
        systems=list(outcome.systems),
        headline=headline,
        metrics=whole,
        slices=_slices(outcome, lines, headline),
        panels=outcome.panels,
        rows_read=outcome.data.rows,
        rows_used=outcome.data.used,
        left_out=[Fact(reason, f"{count:,}") for reason, count in outcome.data.left_out.items()],
        how=_how(outcome),
        glossary=[_glossary_entry(parse(name, task.metrics)) for name in names],
        checks=list(outcome.checks),
        sections=dict(task.sections),
        gate=outcome.gate,
        answer=answer_of(outcome, task),
    )


def _named(systems: list[str]) -> str:
    return " and ".join(systems[:3]) + (" …" if len(systems) > 3 else "")


def _lines(outcome: Outcome, task: Task) -> list[MetricLine]:
    """One line for each estimate: its first row, with the other methods and the baseline beside it."""
    grouped: dict[tuple[str, str, str, str], list[Row]] = {}
    for row in outcome.table.estimates:
        grouped.setdefault((row.system, row.slice, row.category, row.metric), []).append(row)
    known = {name: parse(name, task.metrics) for name in outcome.metrics}
    lines = []
    for (system, part, category, name), rows in grouped.items():
        if name in known:
            baseline = grouped.get((system, part, category, f"{BASELINE}_{name}"))
            lines.append(_line(rows, known[name], baseline[0].estimate if baseline else math.nan))
    return lines


def _line(rows: list[Row], metric: Metric, baseline: float) -> MetricLine:
    first = rows[0]
    return MetricLine(
        system=first.system,
        slice=first.slice,
        category=first.category,
        metric=first.metric,
        label=metric.full_label,
        estimate=finite(first.estimate),
        low=finite(first.low),
        high=finite(first.high),
        level=first.level,
        method=first.method,
        n=first.n,
        note=first.note,
        baseline=finite(baseline),
        direction=metric.better,
        limits=metric.range,
        alternatives=[Alternative(row.method, finite(row.low), finite(row.high)) for row in rows[1:]],
    )


def _headline(whole: list[MetricLine], task: Task) -> list[MetricLine]:
    """The task's leading metrics, as far as they were estimated, at most a handful."""
    headlines = [
        line for name in task.headline for line in whole if fnmatchcase(line.metric, name) and line.estimate is not None
    ]
    names = list(dict.fromkeys(line.metric for line in headlines))[:MOST_HEADLINES]
    chosen = [line for line in headlines if line.metric in names]
    return chosen or whole[:1]


def _slices(outcome: Outcome, lines: list[MetricLine], headline: list[MetricLine]) -> list[SliceGroup]:
    groups = []
    names = list(dict.fromkeys((line.metric, line.category) for line in headline))[:MOST_SLICE_METRICS]
    for column in outcome.slice_columns:
        for name, category in names:
            chosen = [
                line
                for line in lines
                if (line.metric, line.category) == (name, category)
                and (line.slice == WHOLE_NAME or line.slice.startswith(f"{column} = "))
            ]
            if len(chosen) > 1:
                groups.append(SliceGroup(column, name, chosen[0].label, chosen))
    return groups


def _how(outcome: Outcome) -> list[Fact]:
    data, chosen = outcome.data, outcome.settings
    labels = ", ".join(data.categories[:20]) + (" …" if len(data.categories) > 20 else "")
    facts = [
        Fact("Input", data.source),
        Fact("Input fingerprint", data.fingerprint or "not available"),
        *(Fact(role.capitalize(), column) for role, column in data.roles.items()),
        *([Fact("Labels", labels)] if labels else []),
        Fact("Confidence level", words.level_text(chosen.level)),
        Fact("Replicates", f"{chosen.replicates:,} ({chosen.bootstrap}; {chosen.draws})"),
        Fact("Seed", str(chosen.seed)),
        Fact("Engine", chosen.engine),
    ]
    if chosen.positive is not None:
        facts.append(Fact("Positive label", chosen.positive))
    if chosen.positive is not None and chosen.threshold is not None:
        facts.append(
            Fact("Decision", f"score at least {with_minus(chosen.threshold)}, unless there is a prediction column")
        )
    facts += [Fact(name, value) for name, value in chosen.choices.items()]
    facts += [Fact("Command", chosen.command, typed=True)] if chosen.command else []
    facts.append(Fact("Versions", ", ".join(f"{name} {version}" for name, version in chosen.versions.items())))
    return facts


def _glossary_entry(metric: Metric) -> GlossaryEntry:
    sentence, formula, undefined = explained(metric)
    return GlossaryEntry(
        metric.name, metric.label, sentence, formula, reading(metric), undefined, list(metric.references)
    )


def reading(metric: Metric) -> str:
    """How to read a metric's values: computed from the declaration, so it cannot drift.

    >>> from adjudge.metrics import accuracy
    >>> reading(accuracy)
    'From 0 to 1; higher is better; 1 is best.'
    """
    low, high, best = (with_minus(value).replace("inf", "∞") for value in (*metric.range, metric.best))
    ends = "" if metric.direction is Direction.NEAREST else f"; {best} is best"
    return f"From {low} to {high}; {metric.better}{ends}."


def explained(metric: Metric) -> tuple[str, str, str]:
    """The sentence, the formula and the undefined cases of a metric, from its docstring.

    >>> from adjudge.metrics import accuracy
    >>> explained(accuracy)[0]
    'Share of rows whose prediction is the reference.'
    """
    text = inspect.cleandoc(metric.formula.__doc__ or "").split(">>>")[0]
    paragraphs = [re.sub(r"\s+", " ", part).strip() for part in text.split("\n\n")]
    undefined = " ".join(part.removeprefix("Undefined ") for part in paragraphs if part.startswith("Undefined"))
    formula = " ".join(part for part in paragraphs[1:] if part and not part.startswith("Undefined"))
    return paragraphs[0], formula, undefined
