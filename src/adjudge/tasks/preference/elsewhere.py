"""How judges err, from another table in which people voted on the same traits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.cleaning import text_column
from adjudge.data.formats.pair_tables import PairTable, open_pairs
from adjudge.data.judgements.votes import MISSING, A, B, votes_in
from adjudge.diagnosis.preferences.judge_errors import judge_table
from adjudge.errors import ColumnNotFound
from adjudge.metrics import preference_kappa
from adjudge.statistics.base import Array


@dataclass(frozen=True)
class Elsewhere:
    """How often people said each vote and the judge each, in a table of its own, turned to the reference's choice."""

    table: Array  # (people, judge): with the reference, neither, against it
    people: str
    source: str
    kappa: float  # of both, where both chose


def errors_elsewhere(table: object, labels: Mapping[str, str], reference: str | None) -> dict[str, Elsewhere]:
    """The errors of every judge. Without the reference in that table, both ways of turning a pair count half."""
    source = open_pairs(table, [], None)
    known = source.annotators if isinstance(source, PairTable) else {}
    aliases = {alias: name for name, one in known.items() for alias in (one.id, one.label, name)}
    named = {name: aliases.get(name, name) for name in {*labels, *labels.values()}}
    for name, column in named.items():
        if column not in source.column_names:
            raise ColumnNotFound("labels_from", name, source.column_names)
    turned = reference if reference in source.column_names else None
    columns = list(dict.fromkeys([*named.values(), *([] if turned is None else [turned])]))
    parts = [{name: votes_in(text_column(batch, name)) for name in columns} for batch in source.batches(columns, [])]
    votes = {name: np.concatenate([np.zeros(0, dtype=np.int64), *(part[name] for part in parts)]) for name in columns}
    return {judge: _errors(votes, named[judge], named[person], turned, source.name) for judge, person in labels.items()}


def _errors(
    votes: Mapping[str, NDArray[np.int64]], judge: str, person: str, reference: str | None, source: str
) -> Elsewhere:
    both = (votes[judge] != MISSING) & (votes[person] != MISSING)
    if reference is not None:
        both &= votes[reference] <= B
    sign = {name: np.where(codes == A, 1.0, np.where(codes == B, -1.0, 0.0))[both] for name, codes in votes.items()}
    if reference is not None:
        table = judge_table(sign[person] * sign[reference], sign[judge] * sign[reference])
    else:
        table = (judge_table(sign[person], sign[judge]) + judge_table(-sign[person], -sign[judge])) / 2
    words = {1.0: "a", -1.0: "b", 0.0: "tie"}
    said = [[words[one] for one in sign[name].tolist()] for name in (person, judge)]
    kappa = preference_kappa(*said) if len(said[0]) else float("nan")
    return Elsewhere(table, person, source, kappa)
