"""What was met while reading a table, in numbers that add: what they forbid is judged when all rows are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from adjudge.data.adding import added_by_key
from adjudge.data.keys import Keys, NameKeys, RowKeys, Twins, fewest_keys
from adjudge.data.runs import Runs
from adjudge.data.table_facts import TableFacts
from adjudge.errors import BadValue, InputError, quoted

# A slice with more levels than this is almost surely an identifier.
MOST_LEVELS = 2_000
# Names of rows that are looked for twice at once, in 512 MiB of keys; of more, one in two, four, eight …
MOST_NAMES = 2**26
CROSS = " × "
USED, LOST, BELOW, ABOVE, POINT = "used", "left out", "below", "above", "point"  # what rows are counted by
NO_KEYS: Keys = np.zeros(0, dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about some rows. `a + b` are the facts about both parts, in the order of the table.

    >>> (Facts(read=3, used=2, left_out={"label is missing": 1}) + Facts(read=2, used=2)).left_out
    {'label is missing': 1}
    """

    read: int = 0  # rows of the table
    used: int = 0  # rows, items or responses that stay
    left_out: Mapping[str, int] = field(default_factory=dict)  # by reason
    unused: Mapping[str, int] = field(default_factory=dict)  # values that are not used though their row stays
    seen: Mapping[str, frozenset[str]] = field(default_factory=dict)  # what was met, by what it is: labels, raters …
    levels: Mapping[str, frozenset[str]] = field(default_factory=dict)  # by slice
    ids: tuple[Keys, ...] = ()  # names of rows or items that may stand once only: part by part
    together: tuple[Keys, ...] = ()  # names of people or items whose rows stand in one part only: part by part
    units: Keys = field(default_factory=lambda: NO_KEYS)  # the least and the largest key of what is drawn together
    gathered: Twins = field(default_factory=lambda: Twins.of(NO_KEYS))  # how often these are named again
    weight: float = 0.0  # of all that stays
    squared_weight: float = 0.0  # the sum of its squares
    whole_weights: bool = True  # whether every weight is a whole number
    digests: Mapping[str, int] = field(default_factory=dict)  # by system: equal where all answers are
    twins: Twins = field(default_factory=lambda: Twins.of(NO_KEYS))  # of rows with fine numbers, how many repeat
    weights: Keys = field(default_factory=lambda: NO_KEYS)  # the least keys of weights, which tell how many differ
    runs: Mapping[str, Runs] = field(default_factory=dict)  # by system: how its errors follow one another
    counted: Mapping[tuple[str, ...], int] = field(default_factory=dict)  # rows by what they are: USED, slice, level …
    table: TableFacts = field(default_factory=TableFacts)  # what its columns hold and have in common
    halved: int = 0  # how often the names that are kept were halved, because there were too many
    digests_of_files: Mapping[int, str] = field(
        default_factory=dict, compare=False
    )  # made by who read their first rows

    def __add__(self, other: Facts) -> Facts:
        ids, halved = _kept_names(self, other)
        levels = {name: self.levels.get(name, _NONE) | other.levels.get(name, _NONE) for name in _both(self, other)}
        for name, known in levels.items():
            if len(known) > MOST_LEVELS:
                raise too_many_levels(name)
        names = dict.fromkeys([*self.seen, *other.seen])
        return Facts(
            self.read + other.read,
            self.used + other.used,
            added_by_key(self.left_out, other.left_out),
            added_by_key(self.unused, other.unused),
            {name: self.seen.get(name, _NONE) | other.seen.get(name, _NONE) for name in names},
            levels,
            ids,
            self.together + other.together,
            ends(np.concatenate([self.units, other.units])),
            self.gathered + other.gathered,
            self.weight + other.weight,
            self.squared_weight + other.squared_weight,
            self.whole_weights and other.whole_weights,
            {name: digest % 2**64 for name, digest in added_by_key(self.digests, other.digests).items()},
            self.twins + other.twins,
            _fewest(self.weights, other.weights),
            added_by_key(self.runs, other.runs),
            added_by_key(self.counted, other.counted),
            self.table + other.table,
            halved,
            {**self.digests_of_files, **other.digests_of_files},
        )

    def without_order(self) -> Facts:
        """The same where rows have no order: how they follow one another says nothing."""
        return replace(self, runs={}, table=self.table.without_order())

    @property
    def reasons(self) -> str:
        """Why rows were left out, in one line."""
        return _in_words(self.left_out)

    @property
    def reasons_unused(self) -> str:
        """Why values were not used though their row stays, in one line."""
        return _in_words(self.unused)

    @property
    def repeated(self) -> int:
        """How many names stand in several parts."""
        return _in_several(self.ids)

    @property
    def cut(self) -> int:
        """How many people or items have rows in several parts."""
        return _in_several(self.together)


def _fewest(a: Keys, b: Keys) -> Keys:
    return fewest_keys(np.concatenate([a, b])) if len(a) and len(b) else a if len(a) else b


def _kept_names(a: Facts, b: Facts) -> tuple[tuple[Keys, ...], int]:
    """The names of both parts, or an even share of them by their keys: the same in whatever order parts are added."""
    halved = max(a.halved, b.halved)
    ids = _of_least(a.ids, a.halved, halved) + _of_least(b.ids, b.halved, halved)
    while sum(map(len, ids)) > MOST_NAMES:
        ids, halved = _of_least(ids, halved, halved + 1), halved + 1
    return ids, halved


def _of_least(parts: tuple[Keys, ...], before: int, halved: int) -> tuple[Keys, ...]:
    return parts if before == halved else tuple(part[part < np.uint64(2 ** (64 - halved))] for part in parts)


def _in_several(parts: tuple[Keys, ...]) -> int:
    every = np.sort(np.concatenate(parts)) if len(parts) > 1 else NO_KEYS
    return int((every[1:] == every[:-1]).sum())


def _in_words(counts: Mapping[str, int]) -> str:
    return "; ".join(f"{reason}: {count:,}" for reason, count in counts.items())


_NONE: frozenset[str] = frozenset()


def _both(a: Facts, b: Facts) -> Iterable[str]:
    return dict.fromkeys([*a.levels, *b.levels])


def ends(keys: Keys | RowKeys | NameKeys) -> Keys:
    """The least and the largest key: all that must be kept of a block to know whether keys differ."""
    if isinstance(keys, RowKeys | NameKeys):
        keys = keys.two
    return np.array([keys.min(), keys.max()], dtype=np.uint64) if len(keys) > 1 else keys


def named_again(keys: Keys | RowKeys | NameKeys | None) -> Twins:
    """How often units are named again; rows and items that stand for themselves are not."""
    return Twins.of(keys if isinstance(keys, np.ndarray) else NO_KEYS)


def check_rows(facts: Facts, source: str, must: str) -> None:
    """Refuse a table without rows, or without any that stays; `must` says what some of them must be."""
    if facts.read == 0:
        raise InputError(f"The table must have rows, but {source} has none. Is it the right table?")
    if facts.used == 0:
        out = "the only one was" if facts.read == 1 else f"all {facts.read:,} were"
        raise InputError(
            f"{must}, but {out} left out ({facts.reasons or facts.reasons_unused}). Are these the right columns?"
        )


def check_weight(facts: Facts, column: str | None, unit: str) -> None:
    """Refuse weights that are zero everywhere; `unit` is what would not count."""
    if column is not None and facts.used and not facts.weight:
        raise BadValue(
            f"`weight` must be above 0 somewhere, but {quoted(column)} is 0 throughout, so no {unit} would count. "
            "Give another column, or leave `weight` out."
        )


def check_clusters(facts: Facts, role: str, column: str | None) -> None:
    """Refuse rows that are all of one cluster: nothing is drawn but all of them, and intervals would have no width."""
    if column is not None and facts.used > 1 and (facts.units == facts.units[0]).all():
        raise BadValue(
            f"`{role}` must have at least two values, but {quoted(column)} has only one, so there can be no "
            "interval. Leave it out if rows are independent."
        )


def check_together(facts: Facts, role: str, column: str | None) -> None:
    """Refuse units whose rows stand far apart, where an engine that does not hold the table cannot gather them."""
    if column is not None and (cut := facts.cut):
        raise BadValue(
            f"`{role}` must have the rows of each value side by side when streaming, because they are drawn together, "
            f"but {cut:,} {'value' if cut == 1 else 'values'} of {quoted(column)} {'occurs' if cut == 1 else 'occur'} "
            'again far apart. Sort the table by this column, or use engine="memory".'
        )


def too_many_levels(name: str) -> BadValue:
    """The refusal of a slice that is almost surely an identifier."""
    return BadValue(
        f"`slices` must have at most {MOST_LEVELS:,} levels, but {quoted(name)} has more. "
        "Is it an identifier? Group its values, or leave it out."
    )
