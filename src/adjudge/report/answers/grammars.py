"""How each kind of question is answered: beside a constant, beside another system, as the best of several, on a scale,
at a limit, or by what is strongest. A task says which kind its question is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from adjudge.errors import noted, with_minus
from adjudge.evaluation.answers.answering import many_of
from adjudge.evaluation.answers.claims import (
    ABOVE_ZERO,
    Claim,
    Evidence,
    Judged,
    judged_alone,
    judged_evidence,
    said_of,
    units_to_settle,
)
from adjudge.evaluation.answers.evidence import against_baseline, row_of, sign_of, standings_of
from adjudge.evaluation.answers.screen import Answering
from adjudge.evaluation.outcome import Outcome
from adjudge.metrics.catalogue import in_sentence, parse
from adjudge.report.answers.answer import Finding
from adjudge.report.answers.clauses import BAND, BASELINE, Case, Clause, change_text, chosen, value_text
from adjudge.report.answers.comparison_clauses import COMPARISON
from adjudge.report.answers.order import MARK
from adjudge.report.numbers import UNITS, Unit, percent_of

MOST_NAMES = 6
BY_MARGIN = ("better, small", "worse, small", "equivalent", "not worse")  # clauses that only a margin allows


@dataclass(frozen=True, slots=True)
class SpokenClause:
    """The answer: which clause, its sentence, and the findings that belong to it."""

    id: str
    text: str
    findings: list[Finding] = field(default_factory=list)
    exception: str = ""  # another metric that says the opposite
    wants_margin: str = ""  # what a margin would be given for
    more: str = ""  # how many more units would settle it


def answer_said(outcome: Outcome, answering: Answering) -> SpokenClause:
    """The answer to the task's question."""
    return GRAMMARS[answering.grammar](outcome, answering)


def unit_word(metric: str | None) -> Unit:
    """How a metric is read."""
    return UNITS["coefficient" if metric is None else parse(metric).unit]


def label_of(metric: str | None) -> str:
    """What a metric is called in a sentence: its short name where it has one.

    >>> label_of("rmse"), label_of("ndcg(at=5)"), label_of("krippendorff_alpha"), label_of("mean_average_precision")
    ('RMSE', 'NDCG@5', 'α', 'mean average precision')
    """
    return "" if metric is None else in_sentence(parse(metric))


def _case(outcome: Outcome, answering: Answering, one: Evidence) -> Case:
    """The facts of an answer that several grammars share."""
    metric, baseline = answering.metric(outcome), one.facts.get("baseline", math.nan)
    return Case(
        a=one.subject,
        evidence=one,
        unit=unit_word(metric),
        units=many_of(answering.unit),
        one_unit=answering.unit,
        label=label_of(metric),
        reads=answering.reads,
        sign=1 if metric is None else sign_of(metric),
        baseline=math.nan if isinstance(baseline, str) else baseline,
        constant=said_of(outcome, answering.constant),
        edges=answering.edges,
        scale=answering.scale,
        source=answering.source,
    )


def _by_clauses(clauses: Sequence[Clause], case: Case) -> SpokenClause:
    clause = chosen(clauses, case)
    return SpokenClause(clause.id, clause.says(case))


def _baseline(outcome: Outcome, answering: Answering) -> SpokenClause:
    return _by_clauses(BASELINE, _case(outcome, answering, answering.evidence(outcome)[0]))


def _difference(outcome: Outcome, answering: Answering) -> SpokenClause:
    """Two systems: the paired difference, then each system's own figure."""
    one = next((e for e in answering.evidence(outcome) if e.whole), answering.evidence(outcome)[0])
    metric, margin = answering.metric(outcome), answering.margin(outcome)
    a, b = str(one.facts["system"]), str(one.facts["baseline"])
    unit = unit_word(metric)
    case = Case(
        a=a,
        b=b,
        evidence=one,
        unit=unit,
        units=many_of(answering.unit),
        one_unit=answering.unit,
        label=label_of(metric),
        margin=margin,
    )
    said = _by_clauses(COMPARISON, case)
    question = judged_alone(one, ABOVE_ZERO if one.estimate < 0 else (-math.inf, 0.0))
    more = units_to_settle(question) if said.id in ("looks", "undecided") else None
    value = unit.change(one.estimate, unit.places(one.low, one.high)) if more else ""
    example = _example_margin(outcome, metric, b) if margin is None else None
    return SpokenClause(
        said.id,
        said.text,
        [finding] if (finding := _both(outcome, answering, a, b)) else [],
        _opposite(outcome, metric, one),
        wants_margin=f"{metric}={_margin(metric)}" if example is not None and _settled_by(case, example) else "",
        more=f"About {more:,} more {case.units} would settle which is better, if the true difference is {value}."
        if more
        else "",
    )


def _margin(metric: str | None) -> str:
    """An example of a margin: a point of a share, a little of a bounded figure, a part of one that has no bound.

    >>> _margin("accuracy"), _margin("ndcg(at=5)"), _margin("rmse")
    ('0.01', '0.02', '2%')
    """
    if unit_word(metric).factor == 100:
        return "0.01"
    return "0.02" if metric is None or all(map(math.isfinite, parse(metric).range)) else "2%"


def _example_margin(outcome: Outcome, metric: str | None, baseline: str) -> float | None:
    """The same example in the metric's own unit."""
    size, row = _margin(metric), row_of(outcome, metric, baseline)
    if not size.endswith("%"):
        return float(size)
    return None if row is None or math.isnan(row.estimate) else float(size[:-1]) / 100 * abs(row.estimate)


def _settled_by(case: Case, margin: float) -> bool:
    """Whether a margin would turn the answer into one that is decided, or is shown not to matter.

    >>> near, far = Evidence("a", 0.001, -0.003, 0.005, 9000), Evidence("a", 0.05, 0.02, 0.08, 400)
    >>> _settled_by(Case("a", near, b="b"), 0.01), _settled_by(Case("a", far, b="b"), 0.01)
    (True, False)
    """
    return chosen(COMPARISON, replace(case, margin=margin)).id in BY_MARGIN


def _both(outcome: Outcome, answering: Answering, a: str, b: str) -> Finding | None:
    """Each system's figure, and on how many units each is better."""
    metric = answering.metric(outcome)
    rows = [row_of(outcome, metric, name) for name in (a, b)]
    if rows[0] is None or rows[1] is None or math.isnan(rows[0].estimate):
        return None
    unit = unit_word(metric)
    places = unit.places(rows[0].low, rows[0].high) if not math.isnan(rows[0].low) else 2
    first, second = (f"{unit.text(r.estimate, places)} {{}}{unit.span(r.low, r.high, places)}" for r in rows if r)
    reads = f"{answering.reads} " if answering.reads else ""
    label = "" if answering.reads else f"{label_of(metric)} "
    text = f"{label}{first.format(reads)} against {second.format('')}"
    for panel in outcome.panels.units:
        if (panel.system, panel.baseline) == (a, b) and not rows[0].category:  # a figure of ranks is not made of rows
            kinds = ("fixed", "broken") if answering.reads else ("better", "worse")
            text += f"; {panel.better:,} {kinds[0]}, {panel.worse:,} {kinds[1]}"
            break
    constant = next(iter(against_baseline(metric or "")(outcome)), None) if answering.reads else None
    if constant is not None and not math.isnan(baseline := float(constant.facts["baseline"])):
        text += f"; {said_of(outcome, answering.constant)} gets {unit.text(baseline, places)}"
    return Finding("plain", "figures", text)


def _opposite(outcome: Outcome, metric: str | None, one: Evidence) -> str:
    """Another metric whose difference is shown with the other sign."""
    for row in outcome.table.differences.first_methods():
        if row.slice != "all" or row.category or row.metric == metric or row.baseline != one.facts.get("baseline"):
            continue
        sign = sign_of(row.metric)
        low, high = sorted((sign * row.low, sign * row.high)) if not math.isnan(row.low) else (math.nan, math.nan)
        shown = row.p_adjusted is not None and row.p_adjusted < 1 - row.level
        if shown and one.low > 0 and high < 0:
            return f", but {label_of(row.metric)} is worse"
        if shown and one.high < 0 and low > 0:
            return f", but {label_of(row.metric)} is better"
    return ""


def _best(outcome: Outcome, answering: Answering) -> SpokenClause:
    """Three or more systems: who may be the best."""
    metric = answering.metric(outcome)
    panel = None if metric is None else standings_of(outcome, metric)
    if panel is None:
        return _baseline(outcome, answering)
    unit, lines = unit_word(panel.metric), panel.lines
    may = [line.system for line in lines if line.may_be_best]
    names = ", ".join(may[:MOST_NAMES]) + (f" and {len(may) - MOST_NAMES} more" if len(may) > MOST_NAMES else "")
    first, second = lines[0], lines[1]
    lead = ""
    low, high, gap = second.difference_low, second.difference_high, second.difference
    if low is not None and high is not None and gap is not None:
        places, sign = unit.places(low, high), 1 if panel.better == "higher" else -1
        least, largest = sorted((-sign * low, -sign * high))
        shown = unit.change(-sign * gap, places, signed=False)
        span = unit.span(least, largest, places, signed=least < 0, limits=[0.0])
        lead = f" {first.system} leads {second.system} by {shown} {span}."
    if len(may) == 1:
        text = f"{first.system} is the best of {len(lines)}.{lead}"
    else:
        text = f"{len(may)} of {len(lines)} systems may be the best: {names}.{lead}"
    worse = [line for line in lines[1:] if not line.may_be_best]
    findings = []
    if worse:
        findings.append(Finding("within", "shown", f"{_count(len(worse), 'system')} worse than {first.system}"))
    chances = ", ".join(f"{line.system} {percent_of(line.probability_best)}" for line in lines[:3])
    findings.append(Finding("plain", "best", f"probability of being best: {chances}"))
    return SpokenClause("best set" if len(may) > 1 else "best", text, findings)


def _count(many: int, one: str) -> str:
    return f"{many} {one} is" if many == 1 else f"{many} {one}s are"


def _band(outcome: Outcome, answering: Answering) -> SpokenClause:
    """A coefficient on a scale; without a rater it may be shown to reach it."""
    one = answering.evidence(outcome)[0]
    case = _case(outcome, answering, one)
    said = _by_clauses(BAND, case)
    if said.id in ("undefined", "too few"):
        return said
    edge = case.edges[-1][0]
    text = said.text
    if said.id in ("no band", "below band") and "without" in one.facts:
        end = "it is" if said.id == "no band" else "it is shown to reach it"
        text = f"{text.removesuffix('.')}; without {one.facts['without']} {end}."
    also = str(one.facts.get("also", ""))
    if said.id in ("band", "lower band"):
        return SpokenClause(said.id, text, [Finding("plain", "equal", also)] if also else [])
    chance = f"{case.label} reaches {edge:.2f} with {percent_of(case.reached(edge))} probability"
    mark, word = ("looks", "not shown") if said.id == "no band" else ("beyond", "below")
    return SpokenClause(said.id, text, [Finding(mark, word, noted(chance, also))])


def _limit(outcome: Outcome, answering: Answering) -> SpokenClause:
    """One figure at its limit, in the task's own words."""
    evidence = answering.evidence(outcome)
    one = judged_alone(evidence[0], said_of(outcome, answering.good))
    case = _case(outcome, answering, one.evidence)
    if one.state in ("undefined", "too few"):
        return _by_clauses(BASELINE, case)
    limits = [end for end in one.good if math.isfinite(end)]
    template = answering.says.get(one.state) or answering.says["undecided"]
    value = value_text(case, limits, signed=answering.signed)
    limit = ", ".join(with_minus(end) for end in limits)
    text = template.format(a=case.a, value=value, limit=limit)
    reading = str(one.evidence.facts.get("reads", "{value}")).format(value=value)
    finding = Finding(MARK[one.state], _state_word(one), f"{reading}, limit {limit}")
    return SpokenClause(one.state, text, [finding])


def _state_word(one: Judged) -> str:
    return {"beyond": "beyond", "within": "within", "looks beyond": "looks beyond"}.get(one.state, "undecided")


def _strongest(outcome: Outcome, answering: Answering) -> SpokenClause:
    """What goes with a choice most, both ways, after correction for how many were looked at."""
    evidence = answering.evidence(outcome)
    claim = Claim("answer", lambda outcome: (), neutral=0.0)
    everything = judged_evidence(claim, evidence, (-math.inf, math.inf))
    alpha = 1 - evidence[0].level

    def text(one: Judged) -> str:
        return f"{one.subject} ({change_text(_case(outcome, answering, one.evidence))})"

    known = [one for one in everything if not math.isnan(one.evidence.low) and not math.isnan(one.p_adjusted)]
    shown = [one for one in known if one.p_adjusted < alpha and not one.evidence.low <= 0 <= one.evidence.high]
    up = max((one for one in shown if one.evidence.estimate > 0), key=lambda one: one.evidence.estimate, default=None)
    down = min((one for one in shown if one.evidence.estimate < 0), key=lambda one: one.evidence.estimate, default=None)
    parts = [f"with {text(up)}"] if up else []
    parts += [f"against {text(down)}"] if down else []
    left = len(everything) - len(shown)
    count = len(everything)
    many = (
        f"{len(shown)} of {count} {answering.unit}s, corrected for multiple comparisons"
        if count > 1
        else f"the one {answering.unit}"
    )
    finding = (
        Finding("within", "shown", f"{many}; {left} undecided" if left else many)
        if shown
        else Finding("undecided", "undecided", many.replace("0 of ", "all ", 1))
    )
    if parts:
        return SpokenClause("strongest", answering.says["shown"].format(value=" and ".join(parts)), [finding])
    if not known:
        return SpokenClause(
            "too few", f"Too few to say: {evidence[0].n:,} {'pair' if evidence[0].n == 1 else 'pairs'}."
        )
    top = max(known, key=lambda one: abs(one.evidence.estimate))
    said = answering.says["undecided" if count > 1 else "one"].format(count=count, value=text(top))
    return SpokenClause("none shown", said, [finding])


def _value(outcome: Outcome, answering: Answering) -> SpokenClause:
    """A figure that nothing is held against."""
    one = answering.evidence(outcome)[0]
    case = _case(outcome, answering, one)
    if math.isnan(one.estimate) or math.isnan(one.low):
        return _by_clauses(BASELINE, case)
    template = answering.says.get("value", "{a}: {value}.")
    texts = {name: value for name, value in one.facts.items() if isinstance(value, str)}
    figure = value_text(replace(case, label="")).strip()
    return SpokenClause("value", template.format(a=case.a, value=value_text(case), figure=figure, **texts))


GRAMMARS: Mapping[str, Callable[[Outcome, Answering], SpokenClause]] = MappingProxyType(
    {
        "baseline": _baseline,
        "difference": _difference,
        "best": _best,
        "band": _band,
        "limit": _limit,
        "strongest": _strongest,
        "value": _value,
    }
)
