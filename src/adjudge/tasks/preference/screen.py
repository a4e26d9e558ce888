"""The first screen of preference: what goes with the choice most, both ways, and what else could explain it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.answers.claims import Claim, Evidence, Words
from adjudge.evaluation.answers.evidence import metric_in, of_row, row_of
from adjudge.evaluation.answers.screen import Advice, Answering, ForestOf, Remark, Screen, SpokenNumber
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import TablePanel

TRAIT = Words(one="trait", many="traits", beyond="shown", looks="looks so", within="shown", unit="pair")
STRENGTH = "preference_strength"
STRENGTH_NOTE = (
    "Strength: the share of pairs in which the choice goes with the trait, less that in which it goes against it."
)
SAYS = {
    "shown": "Chosen answers go {value}.",
    "undecided": "None of {count} traits is shown to matter; strongest: {value}, undecided.",
    "one": "Undecided whether chosen answers go with {value}.",
}


def _traits(outcome: Outcome) -> list[Evidence]:
    rows = (row_of(outcome, STRENGTH, system) for system in outcome.systems)
    return [of_row(row, row.system, metric=STRENGTH) for row in rows if row is not None]


def _share(table: TablePanel | None, column: str) -> SpokenNumber | None:
    """The first row's share under a head, with the limits that stand beside it."""
    if table is None or column not in table.columns or not table.rows:
        return None
    place = table.columns.index(column)
    numbers = table.rows[0][place : place + 3]
    if len(numbers) < 3 or not all(isinstance(one, int | float) for one in numbers):
        return None
    value, low, high = (float(one) for one in numbers if one is not None and not isinstance(one, str))
    return SpokenNumber(value, low, high, "share", limits=(0.5,))


def _remarks(outcome: Outcome) -> Iterator[Remark]:
    overall = outcome.panels.table("Overall statistics")
    longer, first = _share(overall, "Prop preferring longer text"), _share(overall, "Prop preferring text_a")
    if longer is not None:
        yield Remark("length", "the longer answer is chosen in {share}", {"share": longer})
    if first is not None:
        shown = first.low > 0.5 or first.high < 0.5
        where = "first" if first.estimate > 0.5 else "second"
        end = f"the {where} position is preferred" if shown else "no preference for a position is shown"
        yield Remark(
            "position",
            f"the first answer is chosen in {{share}}; {end}",
            {"share": first},
            "looks" if shown else "plain",
        )


def _top(outcome: Outcome) -> list[str]:
    return [str(outcome.data.roles.get("reference", "")), plural(len(outcome.systems), "trait")]


def _doubt(outcome: Outcome) -> str:
    # Of results that are compared, roles are said of each.
    prompts = any(role.partition(" of ")[0] == "prompt" for role in outcome.data.roles)
    counted = "Pairs of a prompt are counted together" if prompts else "Pairs are assumed to be independent"
    return f"{counted}; strengths are corrected for multiple comparisons (Holm)."


SCREEN = Screen(
    answers=(Answering("strongest", _traits, lambda outcome: metric_in(outcome, STRENGTH), says=SAYS, unit="trait"),),
    top=_top,
    claims=(
        Claim(
            "traits",
            _traits,
            TRAIT,
            good=(-math.inf, math.inf),
            neutral=0.0,
            difference=True,
            either=True,
            order="strength",
            excepts=False,
            listed=False,
            settles=False,
        ),
    ),
    remarks=_remarks,
    blocks=(ForestOf("traits", "strongest both ways", "strength", STRENGTH_NOTE),),
    steps=lambda outcome: [
        Advice("Read the pairs that go against the strongest trait:", "--items items.csv", needs=True)
    ],
    doubt=_doubt,
)
