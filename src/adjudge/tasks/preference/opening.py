"""What a table of pairs says of itself: who votes, who is measured against, which columns hold what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from adjudge.data.cleaning import text_column
from adjudge.data.formats.pair_tables import USUAL, PairTable, few_words, open_pairs, usual_columns, vote_columns
from adjudge.data.judgements.labels import label_text
from adjudge.data.judgements.votes import KINDS
from adjudge.data.source import Source
from adjudge.data.systems import as_list, slices_of
from adjudge.errors import ColumnNotFound, InputError, SettingError, did_you_mean, listed, quoted
from adjudge.evaluation.declaration import Given
from adjudge.tasks.preference.judges import Elsewhere, errors_elsewhere
from adjudge.tasks.preference.reading import LONGER, MODEL, is_computed

LONG = ("pair", "annotator", "vote")
OF_PAIRS = ("prompt", "text_a", "text_b", "model_a", "model_b", "weight")


def opened_pairs(table: object, given: Given) -> tuple[Source, dict[str, object]]:
    """The table with a row for each pair, and what was given, completed by what the table says."""
    pair, annotator, vote = long = tuple(given.get(role) for role in LONG)
    if any(long) and not all(long):
        raise SettingError(
            "`pair`, `annotator` and `vote` must be given together: they name the columns of single votes."
        )
    source = open_pairs(
        table, as_list(given.get("merge")), (pair, annotator, vote) if pair and annotator and vote else None
    )
    named = {role: given.get(role) or column for role, column in usual_columns(source.column_names).items()}
    complete = {**{role: value for role, value in given.items() if role not in LONG}, **named}
    known = dict(source.annotators) if isinstance(source, PairTable) else {}
    aliases = {alias: name for name, one in known.items() for alias in (one.id, one.label, name)}
    voters = list(known) or _voters(source, complete, given)
    complete["models"] = _models(source, complete, given.get("models"))
    complete["reference"] = _reference(source, given.get("reference"), aliases, complete, voters)
    chosen = given.get("annotators")
    if chosen is None:
        traits = [name for name, one in known.items() if one.group == "trait"]
        others = [name for name in traits or voters if name != complete["reference"]]
        complete["annotators"] = (
            others or _every_model(source, complete) or _longer(complete) or _nobody(source, complete)
        )
    else:
        complete["annotators"] = [_named("annotators", name, aliases, source) for name in as_list(chosen)]
    complete["groups"] = {name: one.group for name, one in known.items()}
    complete["labels"], complete["elsewhere"] = _labels(source, complete, given, aliases)
    complete["swapped"] = {
        _named("swapped", name, aliases, source): _named("swapped", other, aliases, source)
        for name, other in _by_name("swapped", given.get("swapped")).items()
    }
    complete["split"] = [*as_list(given.get("split")), *as_list(given.get("slices"))] or None
    if isinstance(source, PairTable) and source.pairs.several:
        _check_pairs(source, complete)
    complete["single_votes"] = {role: given[role] for role in LONG} if all(long) else {}
    complete["notes"] = dict(source.pairs.notes) if isinstance(source, PairTable) else {}
    return source, complete


def _check_pairs(source: PairTable, complete: Given) -> None:
    """Refuse votes of one pair that say different things of it, such as its answers in another order."""
    named = [(role, name) for role in OF_PAIRS for name in as_list(complete.get(role))]
    named += [("slices", name) for names in slices_of(complete["split"], source.column_names) for name in names]
    for role, name in named:
        if (both := source.pairs.several.get(name)) is not None:
            raise InputError(
                f"`{role}` must be the same for all votes of a pair, but {quoted(name)} has {both}. Give each "
                "pair one; where its answers stood the other way round, turn the vote round, too."
            )


def _labels(
    source: Source, complete: Given, given: Given, aliases: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, Elsewhere]]:
    """Which judges people put right: here, where they voted on some of the pairs, and by another table."""
    pairs = {
        _named("labels", judge, aliases, source): person
        for judge, person in _by_name("labels", given.get("labels")).items()
    }
    other = given.get("labels_from")
    here = {
        judge: _named("labels", person, aliases, source)
        for judge, person in pairs.items()
        if other is None or aliases.get(person, person) in source.column_names
    }
    if other is None:
        return here, {}
    if not pairs:
        raise SettingError("`labels_from` must come with `labels`, JUDGE=PERSON: who is put right by whom.")
    return here, errors_elsewhere(other, pairs, complete["reference"])


def _by_name(role: str, given: Mapping[str, object] | str | Iterable[str] | None) -> dict[str, str]:
    """What a dictionary says, or texts of NAME=VALUE."""
    if isinstance(given, Mapping):
        return {label_text(name): label_text(value) for name, value in given.items()}
    pairs = [text.partition("=") for text in as_list(given)]
    if any(not name or not value for name, _, value in pairs):
        what = {"labels": "JUDGE=PERSON: two annotators of one trait", "swapped": "NAME=COLUMN: votes in both orders"}
        raise SettingError(f"`{role}` must be given as {what[role]}.")
    return {name: value for name, _, value in pairs}


def _voters(source: Source, complete: Given, given: Given) -> list[str]:
    """The columns that hold votes, found where they were not named."""
    if given.get("annotators") is not None and given.get("reference") is not None:
        return as_list(given["annotators"])
    roles = ("prompt", "text_a", "text_b", "model_a", "model_b", "weight", "id")
    others = (
        [complete[role] for role in roles if complete.get(role)]
        + as_list(given.get("split"))
        + as_list(given.get("slices"))
    )
    return vote_columns(source, others)


def _named(role: str, name: str, aliases: Mapping[str, str], source: Source) -> str:
    """The column of an annotator, by its visible name, its label or its id."""
    column = aliases.get(name, name)
    if column not in source.column_names and not is_computed(column):
        raise ColumnNotFound(role, name, list(aliases.values()) or source.column_names)
    return column


def _reference(
    source: Source, given: str | None, aliases: Mapping[str, str], complete: Mapping[str, object], voters: Sequence[str]
) -> str | None:
    if given is not None:
        return _named("reference", given, aliases, source)
    if isinstance(source, PairTable) and source.pairs.reference is not None:
        return source.pairs.reference
    if complete.get("reference") is not None:
        return str(complete["reference"])
    if complete["models"]:
        return None
    raise SettingError(
        "`reference` must be given: the annotator that the others are measured against"
        + (f", one of {listed(voters)}." if voters else ". No column of this table holds votes for a or b.")
    )


def _nobody(source: Source, complete: Given) -> list[str]:
    """Nobody votes besides the reference; refused where a column may hold votes in other words."""
    roles = [name for role in USUAL if (name := complete.get(role)) is not None]
    for name, words in few_words(source, [*roles, *(complete.get("split") or ())]).items():
        raise SettingError(
            "`annotators` must include someone besides the reference, but nobody else votes: votes are written "
            f"{', '.join(KINDS[:7])}, and {quoted(name)} says {listed(words, 4)}. Write its votes so, or name columns."
        )
    return []


def _longer(complete: Mapping[str, object]) -> list[str]:
    """Length is a trait that texts show by themselves."""
    known = complete.get("text_a") and complete.get("text_b") and complete["reference"] is not None
    return [LONGER] if known else []


def _every_model(source: Source, complete: Mapping[str, object]) -> list[str]:
    """The answers of each model stand for votes, where nobody else votes: is the model's answer the one preferred?"""
    named = complete.get("model_a") and complete.get("model_b") and complete["reference"] is not None
    return [f"{MODEL}{name}" for name in _models(source, complete, [])] if named else []


def _models(source: Source, complete: Given, given: Sequence[str] | None) -> tuple[str, ...]:
    """The models to be measured against: those named, or all that wrote an answer."""
    if given is None:
        return ()
    columns = [complete[role] for role in ("model_a", "model_b") if complete.get(role)]
    if len(columns) < 2:
        raise SettingError(
            "`models` must be in two columns, `model_a` and `model_b`, but the table does not have both."
        )
    if getattr(source, "used", None) is not None:
        raise InputError("Models must be named when the table is a stream: give `models` their names.")
    known: set[str] = set()
    for batch in source.batches(columns, []):
        for column in (text_column(batch, name) for name in columns):
            known |= {column.labels[code] for code in np.unique(column.codes) if code >= 0}
    for name in given:
        if name.removeprefix(MODEL) not in known:
            raise SettingError(
                f"`models` must be ones that wrote an answer, not {quoted(name)}. {did_you_mean(name, sorted(known))}"
            )
    return tuple(name.removeprefix(MODEL) for name in given) or tuple(sorted(known))
