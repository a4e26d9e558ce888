"""One order and one cut for every list: the worst first, and nothing is cut in silence."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from adjudge.evaluation.answers.answering import many_of
from adjudge.evaluation.answers.claims import (
    ALONE,
    ANYTHING,
    BEYOND,
    FEW,
    LEAST_UNITS,
    LOOKS,
    UNDECIDED,
    WITHIN,
    WORST_FIRST,
    Judged,
)

NEVER_CUT = (BEYOND, ALONE, LOOKS)
NEVER_CUT_BELOW = 8
MOST_FEW = 3
MARK = {
    BEYOND: "beyond",
    ALONE: "looks",
    LOOKS: "looks",
    UNDECIDED: "undecided",
    FEW: "few",
    WITHIN: "within",
    "undefined": "undefined",
}


def word_of(one: Judged) -> str:
    """The word of a state, in the words of its claim."""
    words = one.claim.words
    return {
        BEYOND: words.beyond,
        ALONE: "beyond before correction",
        LOOKS: f"{words.looks}, undecided",
        UNDECIDED: "undecided",
        FEW: "too few to say",
        WITHIN: words.within,
    }.get(one.state, "undefined")


def of_several(template: str, name: str, more: str) -> str:
    """A clause about a subject, and how many more: its verb agrees with them.

    >>> of_several("{subject} is worse", "de", ""), of_several("{subject} looks worse", "de", "1 more slice")
    ('de is worse', 'de and 1 more slice look worse')
    >>> of_several("is too low where it predicts {subject}", "above 5", "2 more regions")
    'is too low where it predicts above 5 and in 2 more regions'
    """
    if not more:
        return template.format(subject=name)
    if template.endswith("{subject}"):
        return f"{template.format(subject=name)} and in {more}"
    if template.startswith("{subject} "):
        verb, _, rest = template.removeprefix("{subject} ").partition(" ")
        template = f"{{subject}} {'are' if verb == 'is' else verb.removesuffix('s')} {rest}"
    return template.format(subject=f"{name} and {more}")


def ordered(evidence: Sequence[Judged]) -> list[Judged]:
    """The whole first, then the worst states, in each the furthest; of equals the one with more units."""
    return sorted(evidence, key=_place)


def _place(one: Judged) -> tuple[float, ...]:
    if one.evidence.whole:
        return (0,)
    value = one.evidence.estimate
    value = 0.0 if math.isnan(value) else value
    key = {
        "value": value,
        "high": -value,
        "strength": -abs(value),
        "excess": -float(one.evidence.facts.get("excess", -math.inf)),
    }.get(one.claim.order, -one.distance)
    state = 0 if one.claim.order == "strength" else WORST_FIRST.index(one.state)
    return (1, state, key, -one.evidence.n)


def cut(evidence: Sequence[Judged], most: int) -> tuple[list[Judged], list[Judged]]:
    """The wholes and the first `most` others; what is or looks beyond stays among the first eight. The rest is second.

    Subjects of fewer units than anything can be said of are never shown among the first, and of others of which too
    little is known no more than a few: what is known of the rest comes before them.
    """
    whole = [one for one in evidence if one.evidence.whole]
    parts = [one for one in evidence if not one.evidence.whole]
    tiny = [one for one in parts if one.evidence.n < LEAST_UNITS and one.state == FEW]
    known = [one for one in parts if one not in tiny]
    vague = [one for one in known if one.state == FEW][MOST_FEW:]
    shown = [
        one
        for place, one in enumerate(one for one in known if one not in vague)
        if place < most or (one.state in NEVER_CUT and place < max(most, NEVER_CUT_BELOW))
    ]
    if not known:
        return list(evidence), []
    return [*whole, *shown], [*(one for one in known if one not in shown), *tiny]


def rest_sentence(rest: Sequence[Judged], text: Callable[[float], str], of: str = "") -> str:
    """What was cut: how many of each state, and what range they span, of the estimate or of what is told under a name.

    >>> rest_sentence([], str)
    ''
    """
    tiny = [one for one in rest if one.evidence.n < LEAST_UNITS and one.state == FEW]
    parts, first = [], True
    for state in WORST_FIRST:
        own = [one for one in rest if one.state == state and one not in tiny]
        if not own:
            continue
        every = [float(one.evidence.facts.get(of, one.evidence.estimate)) for one in own]
        values = [value for value in every if not math.isnan(value)]
        span = f", {_span(values, text)}" if values else ""
        word = {UNDECIDED: "undecided", FEW: "too few to say"}.get(state, word_of(own[0]))
        word = "" if own[0].good == ANYTHING and not own[0].claim.either else f" {word}"
        parts.append(f"{len(own)}{' more' if first else ''}{word}{span}")
        first = False
    if tiny:
        words = tiny[0].claim.words
        name, have = (words.one, "has") if len(tiny) == 1 else (words.many, "have")
        parts.append(f"{len(tiny)} {name} {have} fewer than {LEAST_UNITS} {many_of(words.unit)}")
    return f"{'; '.join(parts)}: --all" if parts else ""


def _span(values: Sequence[float], text: Callable[[float], str]) -> str:
    low, high = text(min(values)), text(max(values))
    return low if low == high else f"{low} to {high}"
