"""The first screen of scoring: beside a second rater, against the limits of the field, then for whom scores are off."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from adjudge.errors import with_minus
from adjudge.evaluation.answers.answering import plain
from adjudge.evaluation.answers.claims import BEYOND, LOOKS, Claim, Evidence, Words, judged_alone
from adjudge.evaluation.answers.evidence import in_slices, of_row, row_of
from adjudge.evaluation.answers.screen import (
    Advice,
    Answering,
    ForestOf,
    LimitOf,
    LimitsOf,
    MatrixOf,
    Remark,
    Screen,
    SpokenNumber,
)
from adjudge.evaluation.outcome import Outcome
from adjudge.metrics.catalogue import parse
from adjudge.tasks.scoring.flags import RULES, limits_in
from adjudge.tasks.scoring.forms import APART, MAIN_CONTINUOUS, MAIN_ROUNDED

QWK, DSM, LESS = "quadratic_weighted_kappa", "difference_of_standardized_means", "degradation(of=qwk)"
# One form speaks for each metric: rounded scores of exact and adjacent agreement, continuous ones of the rest.
COLUMNS = (
    ("QWK", QWK, MAIN_CONTINUOUS),
    ("PRMSE", "prmse", MAIN_CONTINUOUS),
    ("SMD", "standardized_mean_difference", MAIN_CONTINUOUS),
    ("less 2nd rater", LESS, MAIN_CONTINUOUS),
    ("exact", "exact_agreement", MAIN_ROUNDED),
    ("adjacent", "adjacent_agreement", MAIN_ROUNDED),
)
ALSO = (("correlation", "correlation"), ("disattenuated correlation", "disattenuated_correlation"))
GROUP = Words(
    one="group",
    many="groups",
    beyond="beyond limit",
    looks="looks beyond",
    within="within",
    finding="beyond",
    low="scores {subject} lower than raters do",
    high="scores {subject} higher than raters do",
    looks_low="seems to score {subject} lower than raters do",
    looks_high="seems to score {subject} higher than raters do",
    unit="response",
)
SECOND = {
    "within": "{a} is not worse than a second rater.",
    "beyond": "{a} is worse than a second rater: QWK {value}, limit {limit}.",
    "looks beyond": "{a} looks worse than a second rater: QWK {value}, limit {limit}, undecided.",
    "undecided": "Undecided whether {a} is worse than a second rater: QWK {value}, limit {limit}.",
}
ALONE = {
    "within": "{a} reaches the limit of {limit}: {value}.",
    "beyond": "{a} is below the limit of {limit}: {value}.",
    "looks beyond": "{a} looks below the limit of {limit}: {value}, undecided.",
    "undecided": "Undecided whether {a} reaches the limit of {limit}: {value}.",
}


CUSTOMS = "Limits are conventions (Williamson, Xi and Breyer 2012); --limits sets others."


def systems_in(outcome: Outcome) -> list[str]:
    """The systems by their own names, in the order they were given."""
    return list(dict.fromkeys(name.rpartition(APART)[0] for name in outcome.systems if APART in name))


def form_in(outcome: Outcome, system: str, forms: Sequence[str]) -> str | None:
    """The form of a system's score that speaks."""
    names = (f"{system}{APART}{form}" for form in forms)
    return next((name for name in names if name in outcome.systems), None)


def _evidence(outcome: Outcome, system: str, metric: str, forms: Sequence[str]) -> Evidence | None:
    form = form_in(outcome, system, forms)
    row = None if form is None else row_of(outcome, metric, form)
    return None if row is None else of_row(row, system, whole=True)


def _first(outcome: Outcome) -> str:
    return next(iter(systems_in(outcome)), "")


def _second_rater(outcome: Outcome) -> list[Evidence]:
    """How much less a system agrees with a rater than a second rater does."""
    one = _evidence(outcome, _first(outcome), LESS, MAIN_CONTINUOUS)
    own = _evidence(outcome, _first(outcome), QWK, MAIN_CONTINUOUS)
    if one is None or math.isnan(one.low) or own is None:  # too few second ratings say nothing of a second rater
        return []
    beside = with_minus(own.estimate - one.estimate, ".2f")
    reads = f"QWK {with_minus(own.estimate, '.2f')} against {beside} of two raters: {{value}}"
    return [replace(one, facts={"reads": reads})]


def _alone(outcome: Outcome) -> list[Evidence]:
    one = _evidence(outcome, _first(outcome), QWK, MAIN_CONTINUOUS)
    return [] if one is None else [one]


def limit_in(outcome: Outcome, metric: str) -> tuple[float, float]:
    """The good side of a metric, by the flags that were asked for."""
    known = limits_in(outcome.panels.tables)
    rule = next((rule for rule in RULES if metric in rule.metrics), None)
    if rule is None:
        return (-math.inf, math.inf)
    return known.get(parse(metric).full_label, rule.good)


def _groups(outcome: Outcome) -> Iterator[Evidence]:
    form = form_in(outcome, _first(outcome), MAIN_CONTINUOUS)
    for row in in_slices(outcome, DSM, form or ""):
        yield of_row(row, row.slice, metric=DSM)


def _columns(outcome: Outcome) -> list[LimitOf]:
    columns = []
    for name, metric, forms in COLUMNS:
        good = limit_in(outcome, metric)
        by_system = {system: _evidence(outcome, system, metric, forms) for system in systems_in(outcome)}
        known = {system: one for system, one in by_system.items() if one is not None}
        if known:
            unit = parse(metric).unit
            signed = metric in (LESS, "standardized_mean_difference")
            columns.append(LimitOf(name, _limit_words(good, unit), unit, good, known, signed))
    return columns


def _limit_words(good: tuple[float, float], unit: str) -> str:
    low, high = good
    factor, suffix = (100, " %") if unit == "share" else (1, "")
    if math.isfinite(high) and math.isfinite(low):
        return f"±{high * factor:g}{suffix}"
    return f"at least {low * factor:g}{suffix}".replace("-", "−") if math.isfinite(low) else "–"


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    """Every other limit of the first system that is not met, or not shown to be."""
    system, second = _first(outcome), bool(_second_rater(outcome))
    others = [
        (name, metric, forms) for name, metric, forms in COLUMNS if metric not in ((LESS,) if second else (LESS, QWK))
    ]
    others += [(name, metric, MAIN_CONTINUOUS) for name, metric in ALSO]
    texts: dict[str, list[str]] = {BEYOND: [], LOOKS: []}
    missed: list[str] = []
    figures: dict[str, SpokenNumber] = {}
    for name, metric, forms in others:
        one, good = _evidence(outcome, system, metric, forms), limit_in(outcome, metric)
        limits = tuple(end for end in good if math.isfinite(end))
        if one is None or not limits:
            continue
        state = judged_alone(one, good).state
        if state == BEYOND and (name, metric) not in ALSO:  # the headline is of what the table of limits shows
            missed.append(name)
        if state in texts:
            key = f"f{len(figures)}"
            figures[key] = SpokenNumber(one.estimate, one.low, one.high, parse(metric).unit, limits=limits)
            texts[state].append(f"{plain(name)} {{{key}}}, limit {_limit_words(good, parse(metric).unit)}")
    if texts[BEYOND]:
        named = " and ".join(filter(None, (", ".join(missed[:-1]), *missed[-1:])))
        named += " agreement" if missed[-1:] in (["exact"], ["adjacent"]) else ""
        but = f"{named} {'misses its limit' if len(missed) == 1 else 'miss their limits'}" if missed else ""
        yield Remark("beyond", "; ".join(texts[BEYOND]), figures, "beyond", rank=1, but=but)
    if texts[LOOKS]:
        yield Remark("looks beyond", "; ".join(texts[LOOKS]) + "; undecided", figures, "looks", rank=2)


def _counts(outcome: Outcome) -> tuple[str, list[str], list[list[float]]] | None:
    name = form_in(outcome, _first(outcome), MAIN_ROUNDED)
    panel = next((one for one in outcome.panels.confusions if one.system == name), None)
    return None if panel is None else (_first(outcome), panel.categories, panel.counts)


def _top(outcome: Outcome) -> list[str]:
    systems = systems_in(outcome)
    beside = f", beside {', '.join(systems[1:3])}" if len(systems) > 1 else ""
    twice = outcome.settings.choices.get("Responses with two ratings or more", "")
    scale = str(outcome.settings.choices.get("Scale", "")).partition(" in steps")[0]
    parts = [f"{systems[0] if systems else ''}{beside}", f"{twice} scored twice" if twice not in ("", "0") else ""]
    return [part for part in (*parts, f"scale {scale}" if scale else "") if part]


def _doubt(outcome: Outcome) -> str:
    twice = outcome.settings.choices.get("Responses with two ratings or more", "")
    rests = f"PRMSE and the second rater rest on the {twice} scored twice. " if twice not in ("", "0") else ""
    candidate = outcome.data.roles.get("candidate")
    people = f"Responses of one {candidate} are drawn together. " if candidate else ""
    return f"{rests}{people}Groups are corrected for multiple comparisons (Holm). Limits are conventions: --limits."


SCREEN = Screen(
    answers=(
        Answering(
            "limit",
            _second_rater,
            lambda outcome: LESS,
            says=SECOND,
            signed=True,
            good=lambda o: limit_in(o, LESS),
            unit="response",
        ),
        Answering("limit", _alone, lambda outcome: QWK, says=ALONE, good=lambda o: limit_in(o, QWK), unit="response"),
    ),
    top=_top,
    claims=(
        Claim("groups", _groups, GROUP, good=lambda o: limit_in(o, DSM), neutral=0.0, difference=True, opens=True),
    ),
    remarks=_remarks,
    blocks=(
        LimitsOf("", _columns, systems_in, CUSTOMS),
        ForestOf(
            "groups",
            "bias by group (DSM), worst first",
            "DSM",
            "Difference of standardized means: below 0 scored too low.",
        ),
        MatrixOf("where the points differ", _counts, ordinal=True, rows=lambda outcome: "the first rater"),
    ),
    steps=lambda outcome: [Advice("Read the responses with the largest errors:", "--items items.csv", needs=True)],
    doubt=_doubt,
)
