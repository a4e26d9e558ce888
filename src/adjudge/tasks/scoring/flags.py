"""Flags: which estimates lie beyond the limits of the field, as data; the interval says how sure that is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from adjudge.errors import SettingError, did_you_mean, quoted
from adjudge.evaluation.asking.settings import named_numbers
from adjudge.evaluation.panels import TablePanel, finite
from adjudge.evaluation.results import ResultTable, Row
from adjudge.metrics.catalogue import parse

FLAGGED, FINE, UNDECIDED, UNDEFINED = "flagged", "fine", "undecided", "undefined"
TOO_FEW = "too few to say"
BELOW, BEYOND = "below", "beyond ±"


@dataclass(frozen=True, slots=True)
class FlagRule:
    """A limit of some metrics: the value must not lie below it, or must not lie beyond it on either side."""

    name: str
    limit: float
    kind: str
    metrics: tuple[str, ...]

    def verdict(self, row: Row) -> str:
        """flagged or fine when the whole interval says so, undecided when the limit lies inside it or there is none."""
        low, high = row.low, row.high
        if math.isnan(row.estimate):
            return UNDEFINED
        if math.isnan(low):
            return TOO_FEW
        if self.kind == BELOW:
            return FLAGGED if high < self.limit else FINE if low >= self.limit else UNDECIDED
        if low > self.limit or high < -self.limit:
            return FLAGGED
        return FINE if -self.limit <= low and high <= self.limit else UNDECIDED

    @property
    def text(self) -> str:
        """The rule in words."""
        return f"{self.kind} {self.limit:g}" if self.kind == BELOW else f"{self.kind}{self.limit:g}"

    @property
    def good(self) -> tuple[float, float]:
        """The good side of the limit."""
        return (self.limit, math.inf) if self.kind == BELOW else (-abs(self.limit), abs(self.limit))


# Williamson, Xi and Breyer 2012, as RSMTool's reports apply them.
RULES = (
    FlagRule("smd", 0.15, BEYOND, ("standardized_mean_difference", "standardized_mean_difference(method=pooled)")),
    FlagRule("dsm", 0.1, BEYOND, ("difference_of_standardized_means",)),
    FlagRule("qwk", 0.7, BELOW, ("quadratic_weighted_kappa",)),
    FlagRule("correlation", 0.7, BELOW, ("correlation",)),
    FlagRule("degradation", -0.1, BELOW, ("degradation(of=correlation)", "degradation(of=qwk)")),
    FlagRule("exact", 0.5, BELOW, ("exact_agreement",)),
    FlagRule("adjacent", 0.95, BELOW, ("adjacent_agreement",)),
    FlagRule("disattenuated", 0.9, BELOW, ("disattenuated_correlation",)),
)


def flag_rules(limits: Mapping[str, object] | Iterable[str] | None) -> tuple[FlagRule, ...]:
    """The rules with some limits changed: {"smd": 0.2}, or ["smd=0.2"].

    >>> [rule.limit for rule in flag_rules({"smd": 0.2}) if rule.name == "smd"]
    [0.2]
    """
    changed = named_numbers("limits", limits)
    known = [rule.name for rule in RULES]
    for name in changed:
        if name not in known:
            raise SettingError(f"`limits` must be for known flags, not for {quoted(name)}. {did_you_mean(name, known)}")
    return tuple(FlagRule(r.name, changed.get(r.name, r.limit), r.kind, r.metrics) for r in RULES)


def flags_panel(
    table: ResultTable, rules: tuple[FlagRule, ...], shown: Collection[str], continuous: Collection[str]
) -> TablePanel:
    """One row for each estimate of the shown systems that has a limit, the worst verdicts first.

    The limits of exact and adjacent agreement are those of rounded scores: `continuous` names the other systems.
    """
    by_metric = {metric: rule for rule in rules for metric in rule.metrics}
    judged = []
    for row in table.estimates.first_methods():
        rule = by_metric.get(row.metric)
        if rule is None or row.system not in shown:
            continue
        if rule.name in ("exact", "adjacent") and row.system in continuous:
            continue
        judged.append((row, rule, rule.verdict(row)))
    order = (FLAGGED, UNDECIDED, TOO_FEW, UNDEFINED, FINE)
    judged.sort(key=lambda entry: order.index(entry[2]))
    labels = {name: parse(name).full_label for name in {row.metric for row, *_ in judged}}
    count = Counter(verdict for *_, verdict in judged)
    counts = ", ".join(f"{count[verdict]} {verdict}" for verdict in order if count[verdict])
    return TablePanel(
        title="Flags",
        note=f"{counts}. Flagged and fine are said when the whole interval lies on one side of the limit; "
        "without an interval nothing is.",
        columns=["verdict", "system", "slice", "metric", "estimate", "low", "high", "flagged when", "n"],
        rows=[
            [
                verdict,
                row.system,
                row.slice,
                labels[row.metric],
                *map(finite, (row.estimate, row.low, row.high)),
                rule.text,
                row.n,
            ]
            for row, rule, verdict in judged
        ],
    )


def limits_in(tables: Iterable[TablePanel]) -> dict[str, tuple[float, float]]:
    """The good side of every metric that the table of flags has a limit of, by its label."""
    limits = {}
    for table in tables:
        if table.title == "Flags":
            for record in table.records:
                said = str(record["flagged when"])
                kind = BELOW if said.startswith(BELOW) else BEYOND
                limits[str(record["metric"])] = FlagRule("", float(said.removeprefix(kind)), kind, ()).good
    return limits
