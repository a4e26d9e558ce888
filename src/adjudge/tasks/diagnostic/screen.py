"""The first screen of a diagnostic evaluation: what an update broke, phenomenon by phenomenon."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from adjudge.evaluation.answers.answering import answers_of, figures, measured, p_text, plain, plural, top_subject
from adjudge.evaluation.answers.claims import Evidence, Words, claim_of_gains, judge
from adjudge.evaluation.answers.evidence import against_rest, leader, of_row, row_of, width_of
from adjudge.evaluation.answers.screen import Advice, Answering, GridOf, ListOf, Remark, Screen, StandingsOf
from adjudge.evaluation.comparison.side_effects import BY_SLICE, EFFECTS, SPREAD
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import Cell, TablePanel
from adjudge.evaluation.results import Row
from adjudge.tasks.diagnostic.panels import BROKEN_CASES, PHENOMENA_TABLE

RATE = "failure_rate"
FEW_TEMPLATES = 5
GAINS = Words(
    one="phenomenon",
    many="phenomena",
    beyond="broken",
    looks="looks broken",
    within="fixed",
    low="{subject} is broken",
    looks_low="{subject} looks broken",
    unit="case",
    value="{value} failing",
    by="failed",
)
POORER = Words(
    one="phenomenon",
    many="phenomena",
    beyond="fails more than the rest",
    looks="looks worse",
    within="fails less than the rest",
    finding="worse",
    finding_looks="looks worse",
    low="{subject} fails more than the rest",
    looks_low="{subject} looks worse than the rest",
    unit="case",
    value="{value} failing",
    by="failed",
)


def _column(outcome: Outcome) -> str:
    """The column of phenomena; where saved evaluations are compared, each has its own."""
    roles = outcome.data.roles.items()
    return next((column for role, column in roles if role.partition(" of ")[0] == "phenomenon"), "phenomenon")


def _by_phenomenon(outcome: Outcome) -> list[dict[str, Cell]]:
    """What the system that the screen is about fixes and breaks, phenomenon by phenomenon."""
    records = outcome.panels.records(BY_SLICE.format(_column(outcome)))
    return [record for record in records if record["system"] == leader(outcome)]


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _differences(outcome: Outcome) -> Mapping[str, Row]:
    rows = outcome.table.differences.first_methods()
    return {row.slice: row for row in rows if row.metric == RATE and row.system == leader(outcome)}


def _changes(outcome: Outcome) -> Iterator[Evidence]:
    """Every phenomenon: what is gained of its cases, with the p of as many fixed as broken."""
    rows = _differences(outcome)
    column = _column(outcome)
    own = {str(record["phenomenon"]): record for record in outcome.panels.records(PHENOMENA_TABLE)}
    for record in _by_phenomenon(outcome):
        name = str(record["level"])
        row = rows.get(f"{column} = {name}")
        if row is None:
            continue
        counts = {what: _number(record[what]) for what in ("fixed", "broken", "net")}
        facts: dict[str, str | float] = {"metric": RATE, **counts}
        rates = own.get(name, {})
        heads = (("value", "failing"), ("low", "low"), ("high", "high"))
        facts |= {what: _number(rates.get(f"{head}, {leader(outcome)}")) for what, head in heads}
        differing = round(counts["fixed"] + counts["broken"])
        p = _number(record["p"])
        yield Evidence(
            name,
            -row.estimate,
            -row.high,
            -row.low,
            row.n,
            row.level,
            row.note,
            p=None if math.isnan(p) else p,
            differing=differing,
            width=2 * width_of(RATE),
            facts=facts,
        )


CHANGES = claim_of_gains("phenomena", _changes, GAINS, metric=RATE, excepts=False)


def _broken(outcome: Outcome) -> Sequence[Evidence]:
    """The phenomenon that is broken most surely, where one is shown to be."""
    judgements = judge(CHANGES, outcome)
    alpha = 1 - outcome.settings.level
    shown = [one for one in judgements if one.p_adjusted < alpha and float(one.evidence.facts["net"]) < 0]
    if not shown:
        return []
    worst = min(shown, key=lambda one: (float(one.evidence.facts["net"]), one.p_adjusted))
    facts, p = worst.evidence.facts, worst.p_adjusted
    more = f" and {plural(len(shown) - 1, 'more phenomenon', 'more phenomena')}" if len(shown) > 1 else ""
    text = (
        f"{leader(outcome)} breaks {worst.subject}{more}: {_count(facts['broken'])} of {worst.evidence.n:,} cases "
        f"broken, {_count(facts['fixed'])} fixed (adjusted p {p_text(p)}, "
        f"{plural(worst.family, 'phenomenon', 'phenomena')})."
    )
    return [Evidence(worst.subject, worst.evidence.estimate, -1.0, 1.0, worst.evidence.n, facts={"sentence": text})]


def _count(value: float | str) -> str:
    return f"{float(value):,.0f}" if float(value) == round(float(value)) else f"{float(value):,.1f}"


def _alone(outcome: Outcome) -> Sequence[Evidence]:
    row = row_of(outcome, RATE, leader(outcome)) if len(outcome.systems) == 1 else None
    return [] if row is None else [of_row(row, row.system, whole=True, metric=RATE)]


def _worse(outcome: Outcome) -> list[Evidence]:
    """Phenomena beside the rest, of a system alone."""
    if outcome.table.differences.rows:
        return []
    column = f"{_column(outcome)} = "
    evidence = list(against_rest(RATE)(outcome))
    return [
        one if one.whole else replace(one, subject=one.subject.removeprefix(column))
        for one in evidence
        if one.whole or one.subject.startswith(column)
    ]


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    effects = {str(r["figure"]): r for r in outcome.panels.records(EFFECTS) if r["system"] == leader(outcome)}
    rate = next((figure for _, _, figure in figures(outcome, RATE)), None)
    if "Net" in effects and len(outcome.systems) == 2:
        fixed, broken, net = (_number(effects[name]["value"]) for name in ("Fixed", "Broken", "Net"))
        rate = rate if _broken(outcome) else None
        tail = "; failure rate {rate}" if rate is not None else ""
        text = f"all cases: {_count(fixed)} fixed, {_count(broken)} broken, net {net:+,.0f}{tail}".replace("-", "−")
        yield Remark("changes", text, {} if rate is None else {"rate": rate}, rank=0)
    spread = effects.get(SPREAD.format(_column(outcome)))
    if spread is not None and (p := _number(spread["value"])) < 1 - outcome.settings.level:
        yield Remark("uneven", f"some phenomena gain or lose more than others (p {p_text(p)})", rank=3)
    if empty := [str(r["phenomenon"]) for r in outcome.panels.records(PHENOMENA_TABLE) if r["cases"] == 0]:
        names = ", ".join(map(plain, empty[:6]))
        yield Remark("no cases", f"{names}: declared, but without cases in the suite", mark="undefined", rank=4)


def _top(outcome: Outcome) -> list[str]:
    choices = outcome.settings.choices
    cases = f"{choices.get('Cases', '?')} cases"
    units = next((f" of {choices[name]} {name.lower()}" for name in ("Templates", "Originals") if name in choices), "")
    phenomena = len({r["phenomenon"] for r in outcome.panels.records(PHENOMENA_TABLE)})
    return [top_subject(outcome), f"{cases}{units}", plural(phenomena, "phenomenon", "phenomena")]


def _steps(outcome: Outcome) -> Iterator[Advice]:
    if _broken_cases(outcome) is not None:
        yield Advice("Read the broken cases, and known failures that pass now:", "--items items.csv", needs=True)
    for record in outcome.panels.records(PHENOMENA_TABLE):
        templates = record.get("templates")
        if isinstance(templates, int) and templates < FEW_TEMPLATES:
            words = plural(templates, "template")
            yield Advice(f"{record['phenomenon']} has {words}: adding templates tells more than adding cases.")
            return


def _broken_cases(outcome: Outcome) -> TablePanel | None:
    return outcome.panels.table(BROKEN_CASES)


def _to_read(outcome: Outcome) -> TablePanel | None:
    """The broken cases as the screen has room for them; of several new systems, with whose they are."""
    table = _broken_cases(outcome)
    if table is None:
        return None
    several = len({record["system"] for record in table.records}) > 1
    own = ("system", "what", "expect") if several else ("what", "expect", "before")
    shown = ("case", "phenomenon", *own, "now")
    rows = [[record[name] for name in shown] for record in table.records]
    return TablePanel(table.title, table.note, [*shown], rows)


def _doubt(outcome: Outcome) -> str:
    roles = outcome.data.roles
    if "template" in roles:
        return "Cases of a template are not independent: intervals and tests go by template."
    if "Originals" in outcome.settings.choices:
        return "Cases made from one original are not independent: intervals and tests go by original."
    return (
        "Cases are assumed to be independent: give --template if not. Phenomena are corrected for multiple comparisons "
        "(Holm)."
    )


SCREEN = Screen(
    answers=(
        Answering("value", _broken, lambda outcome: RATE, says={"value": "{sentence}"}),
        *answers_of(measured(RATE), "", reads="failing", unit="case")[:2],
        Answering("value", _alone, lambda outcome: RATE, says={"value": "{a}: {value}."}, reads="of cases failed"),
    ),
    top=_top,
    claims=(
        CHANGES,
        claim_of_gains("worse", _worse, POORER, order="value", metric=RATE),
    ),
    remarks=_remarks,
    blocks=(
        StandingsOf("systems, best first", lambda outcome: RATE),
        GridOf(
            "phenomena",
            "phenomena, most broken first",
            "phenomenon",
            (("fixed", "fixed", "count"), ("broken", "broken", "count"), ("net", "net", "excess")),
            figure="failing",
            strip=False,
            p=True,
        ),
        GridOf("worse", "phenomena beside the rest", "phenomenon", figure="failing", strip=False, p=True),
        ListOf("cases to read ({shown} of {count})", _to_read, most=5),
    ),
    steps=_steps,
    doubt=_doubt,
)
