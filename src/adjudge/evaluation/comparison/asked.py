"""What was asked of a comparison, held to what is compared: nothing that was asked is left unanswered in silence."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.errors import SettingError, did_you_mean, listed, quoted
from adjudge.evaluation.comparison.settings import OF_COMPARISONS
from adjudge.evaluation.declaration import View
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import ResultTable
from adjudge.inference.differences.paired_shares import EXACT, ONE_SIDED

# What is asked of differences that a task works out itself.
OF_OWN_DIFFERENCES = ("baseline", "adjust", "family")
# How the tests that can be asked for are called in a row, or the method of their limits.
CALLED = {
    "mcnemar": {EXACT},
    "mcnemar_one_sided": {ONE_SIDED},
    "newcombe": {"newcombe"},
    "permutation": {"permutation", EXACT},
    "wilcoxon": {"Wilcoxon's test"},
    "sign": {"sign test", EXACT},
    "student": {"Student's t"},
    "delong": {"DeLong's test"},
}


def contests(views: Sequence[View]) -> set[str]:
    """The words that several views share, and so are compared under."""
    words = [view.contest for view in views if view.contest is not None]
    return {word for word in words if words.count(word) > 1}


def check_asked(request: Request, views: Sequence[View]) -> None:
    """Refuse what is asked of a comparison where there is none, and a margin of what is not measured."""
    several = contests(views)
    compared = [view for view in views if view.contest in several]
    own = [view.versus for view in views if view.versus is not None]
    settings = [name for name in OF_COMPARISONS if name in request.given]
    answered = OF_COMPARISONS if several else OF_OWN_DIFFERENCES if own else ()
    for name in settings:
        # A system beside itself, run again, is compared with nothing else.
        alone = name == "repeats" and any(view.contest is not None for view in views)
        if name not in answered and not alone:
            raise SettingError(f"`{name}` must be left out {_where(request, views, name, differ=bool(own))}")
    baseline, systems = request.comparing.baseline, dict.fromkeys([*(view.system_name for view in compared), *own])
    if baseline is not None and baseline not in systems:
        raise SettingError(
            f"`baseline` must be one of the systems, not {quoted(baseline)}. {did_you_mean(baseline, systems)}"
        )
    measured = {metric for view in compared for whole in (True, False) for metric in view.metrics_of(whole=whole)}
    for metric in request.comparing.margins if several else ():
        if metric not in measured:
            alike = [one for one in measured if one.name == metric.name] or measured
            raise SettingError(
                f"`margin` must be of a metric that is measured, but {quoted(repr(metric))} is not. "
                f"{did_you_mean(repr(metric), sorted(map(repr, alike)))}"
            )


def untested(request: Request, table: ResultTable) -> dict[str, str]:
    """A note of tests that were asked for and are about nothing that is compared."""
    tests_told = {word for row in table.differences for word in (row.test, row.method)}
    without = [name for name in request.comparing.tests if tests_told and not CALLED[name] & tests_told]
    return {"Tests left out": f"{listed(without)}, of nothing that is compared here"} if without else {}


def _where(request: Request, views: Sequence[View], name: str, *, differ: bool) -> str:
    """Where nothing is compared that a setting could be about, and what to do."""
    systems = {view.system_name for view in views if view.contest is not None}
    systems = systems or {view.system_name for view in views if view.leads}
    if differ:
        return f"of {request.task.name}, whose differences are told with `baseline`, `adjust` and `family` alone."
    if name == "repeats" or (len(systems) > 1 and {"baseline", "against"} & {*request.given}):
        return f"of {request.task.name}, which does not compare systems."
    if len(systems) < 2:
        return "where a single system is measured: there is no other."
    return "where systems are not compared, or be given with the `baseline` to compare with."
