"""What tells that results side by side do not go together: one table twice, other labels, settings or units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.diagnosis.checks.counted import labels_apart
from adjudge.errors import SettingError, listed, quoted
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.results import WHOLE_NAME

TIMES = 10  # that what a constant answer gets differs by where units differ
SPREADS = ("baseline_rmse", "baseline_mean_absolute_error")  # in the unit of the reference
# Fingerprints that tell one table from any other; of some columns, up to this, which is of the footers of its files.
TELLING, TABLE_ENDS = ("sha256:", "columns:"), "-"
COMPARED = "Differences"  # among the choices: how two systems of one result were compared


def check_comparable(outcomes: Mapping[str, Outcome]) -> None:
    """Refuse results whose numbers cannot be set against one another at all."""
    levels = sorted({outcome.settings.level for outcome in outcomes.values()})
    if len(levels) > 1:
        raise SettingError(
            f"Evaluations side by side must have intervals of one level, but these have {listed(map(str, levels))}. "
            "Evaluate again with one `level`."
        )
    metrics = [{row.metric for row in outcome.table.estimates} for outcome in outcomes.values()]
    if not set[str].intersection(*metrics):
        raise SettingError(
            f"Evaluations side by side must have a metric in common, but {listed(outcomes)} have none. Evaluate again."
        )


def checks_apart(outcomes: Mapping[str, Outcome]) -> Iterator[Check]:
    """C42: whatever tells that a difference may not be one of the systems."""
    (first, start), *others = outcomes.items()
    for name, outcome in others:
        both = f"{quoted(first)} and {quoted(name)}"
        if are_of_one_table([start, outcome]):
            yield from _of_one_table(both, start, outcome)
        else:
            tables = f"{quoted(start.data.source)}, {start.data.rows:,} rows, and {quoted(outcome.data.source)}, "
            said = f"{both} are of different tables ({tables}{outcome.data.rows:,} rows)"
            yield Check("C42", REMARK, f"{said}: a difference may come from the rows alone.")
        ones, theirs = (dict.fromkeys(one.data.categories, 0.0) for one in (start, outcome))
        yield from labels_apart(both, (ones, theirs), SERIOUS)
        yield from _of_settings(both, start, outcome)
        yield from _of_units(both, start, outcome)


def are_of_one_table(outcomes: Iterable[Outcome]) -> bool:
    """Whether these are told to be of the same rows, whichever columns of them were read."""
    tables = {outcome.data.fingerprint.partition(TABLE_ENDS)[0] for outcome in outcomes}
    return len(tables) == 1 and tables.pop().startswith(TELLING)


def _of_one_table(both: str, one: Outcome, other: Outcome) -> Iterator[Check]:
    mine, theirs = one.data.roles, other.data.roles
    same = one.data.fingerprint == other.data.fingerprint and mine == theirs
    if same and one.settings == other.settings and one.systems == other.systems:
        yield Check("C42", SERIOUS, f"{both} are one evaluation: the same table, columns and settings. Name another.")
        return
    against = [result.data.roles.get("reference") for result in (one, other)]
    if None not in against and against[0] != against[1]:
        named = " and ".join(quoted(column) for column in against)
        said = f"{both} are of one table, but are measured against different columns, {named}."
        yield Check("C42", SERIOUS, f"{said} Give both the same `reference`.")
    elif mine != theirs:
        said = f"{both} are of the same rows, but are compared as if of different ones, for these were not saved."
        yield Check("C42", REMARK, f"{said} Save both with `with_items`, or give both systems at once.")


def _of_settings(both: str, one: Outcome, other: Outcome) -> Iterator[Check]:
    mine, theirs = one.settings, other.settings
    if mine.positive != theirs.positive:
        named = " and ".join(quoted(label) for label in (mine.positive, theirs.positive))
        yield Check("C42", SERIOUS, f"{both} must be of one positive label, but have {named}. Give both the same.")
    if mine.threshold != theirs.threshold and None not in (mine.threshold, theirs.threshold):
        said = f"{both} were decided at different thresholds, {mine.threshold:g} and {theirs.threshold:g}"
        yield Check("C42", REMARK, f"{said}: a difference may be one of these.")
    known = dict.fromkeys([*mine.choices, *theirs.choices])
    if differ := [name for name in known if name != COMPARED and mine.choices.get(name) != theirs.choices.get(name)]:
        yield Check("C42", REMARK, f"{both} were evaluated otherwise in {listed(differ)}: a difference may be of that.")


def _of_units(both: str, one: Outcome, other: Outcome) -> Iterator[Check]:
    """What the best constant answer gets, of errors in the unit of the reference: its spread."""
    spreads = [
        {
            row.metric: row.estimate
            for row in result.table.estimates
            if row.slice == WHOLE_NAME and row.metric in SPREADS
        }
        for result in (one, other)
    ]
    for metric, mine in spreads[0].items():
        theirs = spreads[1].get(metric, 0.0)
        if mine > 0 and theirs > 0 and not 1 / TIMES < mine / theirs < TIMES:
            times = f"{max(mine / theirs, theirs / mine):,.0f} times as much in one of them as in the other"
            yield Check(
                "C42", SERIOUS, f"{both} must be in one unit, but the reference varies {times}. Is it the same?"
            )
            return
