"""What agreement refuses: settings that do not fit the ratings, and what only the whole table shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from adjudge.data.cleaning import count_text
from adjudge.data.facts import Facts
from adjudge.data.judgements.labels import ordered_labels
from adjudge.errors import BadValue, InputError, SettingError, check_choice, listed, quoted
from adjudge.evaluation.declaration import Given
from adjudge.metrics.weightings import are_numbers
from adjudge.tasks.agreement.by_measurement import NUMBERS

# Numbers with more values than this are not categories any more, and labels with more do not fit tables of every two.
MOST_CATEGORIES = 100
# What settings that not every kind of rating has are for.
MADE_FOR = {
    **dict.fromkeys(("scale", "model"), "single labels"),
    **dict.fromkeys(("distance", "separator"), 'sets of labels (measurement="sets")'),
    **dict.fromkeys(("scheme", "mode", "seen_by"), 'spans (measurement="spans")'),
    "systems": "systems that predict",
}
PARTS_OF_SPANS = ("start", "end", "label")


def refuse_settings(measurement: str, given: Given) -> None:
    """Refuse settings that say nothing about ratings of this kind."""
    for name, value in given.items():
        if value is not None:
            raise SettingError(
                f"`{name}` must be left out with measurement={quoted(measurement)}: it is for {MADE_FOR[name]}."
            )


def refuse_parts(measurement: str, roles: Given) -> None:
    """Refuse columns of spans where a rating is no span."""
    for role in PARTS_OF_SPANS:
        if roles.get(role) is not None:
            raise SettingError(
                f'`{role}` must be left out with measurement={quoted(measurement)}: it is for measurement="spans".'
            )


def refuse_batch(measurement: str, roles: Given) -> None:
    """Refuse batches where drift is not looked for."""
    if roles.get("batch") is not None:
        raise SettingError(
            f"`batch` must be left out with measurement={quoted(measurement)}. Give the column as `slices`."
        )


def choice_of(given: Given, name: str, allowed: Collection[str], usual: str) -> str:
    """A setting that is one of a few words; the usual one where nothing is given."""
    value = usual if given.get(name) is None else given[name]
    check_choice(name, value, allowed)
    return str(value)


def checked_scale(scale: Iterable[object] | None) -> tuple[object, ...] | None:
    """The declared categories; a text alone is a slip of the pen."""
    if isinstance(scale, str):
        raise SettingError(f"`scale` must list the categories in their order, not be {quoted(scale)}.")
    return None if scale is None else tuple(scale)


def check_items_together(facts: Facts) -> None:
    """Refuse an item whose rows are not together, where nothing could bring them together."""
    if repeated := facts.repeated:
        come = "comes" if repeated == 1 else "come"
        raise BadValue(
            f"Streamed ratings of an item must stand side by side, but {count_text(repeated, 'item')} {come} again "
            "later. "
            'Sort the table by item, or use engine="memory".'
        )


def check_rated(facts: Facts) -> None:
    """Refuse a table in which nobody rated anything."""
    if facts.read and not facts.used:
        raise InputError(
            f"Some items must be rated, but all {facts.read:,} rows were left out ({facts.reasons}). "
            "Are these the right columns?"
        )


def check_labels(measurement: str, scale: Sequence[object] | None, labels: Collection[str]) -> None:
    """Refuse labels that the level of measurement does not fit, or too many of them."""
    if measurement != "nominal" and scale is None and not are_numbers(tuple(labels)):
        raise SettingError(
            f"`scale` must give the order of labels that are not numbers: measurement {quoted(measurement)} "
            f"cannot order {listed(ordered_labels(labels))}."
        )
    if measurement not in NUMBERS and len(labels) > MOST_CATEGORIES:
        raise BadValue(
            f"Measurement {quoted(measurement)} must have at most {MOST_CATEGORIES} categories, but there are "
            f"{len(labels):,}. "
            'If they are numbers, use measurement="interval"; if they are labels, group the rare ones.'
        )


def check_streamed(crowded: bool) -> None:
    """Refuse numbers with too many values where the table is not at hand."""
    if crowded:
        raise SettingError(
            f"Streamed numbers must have at most {MOST_CATEGORIES} different values, but there are more. "
            'Use engine="memory".'
        )


def check_drawn_raters(raters: int) -> None:
    """Refuse to draw raters who are not told apart (0), or too few to tell of others."""
    if not raters:
        raise SettingError(
            '`resample` must be "items" where ratings in rows are streamed: raters are not told apart. '
            'Use engine="memory", or give a column for each rater.'
        )
    if raters < 3:
        raise SettingError(
            f'`resample` must be "items" with fewer than three raters, and there are {raters}: '
            "they cannot show how other raters would differ. Leave it out."
        )


def check_model(model: str | None, raters: Collection[str]) -> None:
    """Refuse a model that rated nothing."""
    if model is not None and model not in raters:
        raise SettingError(f"`model` must be one of the raters {listed(sorted(raters))}, not {quoted(model)}.")
