"""Which task a table is for, and which column plays which role: from names and values, by what the tasks declare."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from adjudge.data.tables.profiles import Profile
from adjudge.evaluation.declaration import Role, Task

POSITIVE = {("0", "1"): "1", ("no", "yes"): "yes", ("false", "true"): "true", ("n", "y"): "y"}
MOST_SLICES = 4
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True, slots=True)
class Guess:
    """One way to read a table: the columns of each role, and what else the task must be told."""

    task: Task
    columns: dict[str, list[str]]
    shape: tuple[str, ...]  # the roles that it was known by
    settings: dict[str, str] = field(default_factory=dict)
    by_name: int = 0  # for how many roles of the shape a name speaks, not values alone

    @property
    def named(self) -> bool:
        """Whether names speak for every role of the shape."""
        return self.by_name == len(self.shape)

    @property
    def sure(self) -> bool:
        """Whether it may be run: names speak for every role, or for all but one that follows from the others.

        One follows where labels meet those of the other, or two names speak; unless its own name says something else.
        """
        likes = {role.name: role.like for role in self.task.roles if role.name in self.shape and role.like is not None}
        silent = [role for role in self.shape if not all(_called(one, likes[role].names) for one in self.columns[role])]
        meets = any(like.meets and like.holds == "labels" for like in likes.values())
        others = [name for role, like in likes.items() if role not in silent for name in like.names]
        strange = any(_called(one, others) for role in silent for one in self.columns[role])
        return self.named or (len(silent) == 1 and self.by_name >= (1 if meets else 2) and not strange)

    @property
    def core(self) -> frozenset[str]:
        """The columns that make it a table of the task's kind, without those that only tell more."""
        return frozenset(name for role, names in self.columns.items() if role in self.shape for name in names)


def guesses(tasks: Iterable[Task], profiles: Sequence[Profile]) -> list[Guess]:
    """Every way to read the table; one that explains less than another is left out.

    Where names speak for all roles of some, the others do not count; otherwise those count that have the most roles
    with a name that speaks for them.
    """
    profiles = [one for one in profiles if one.name.strip() and one.name != "Unnamed: 0"]  # row numbers, left by a tool
    every = [guess for task in tasks for guess in _of_task(task, profiles)]
    most = max((guess.by_name for guess in every), default=0)
    chosen = [guess for guess in every if guess.named] or [guess for guess in every if guess.by_name == most]
    return [guess for guess in chosen if not any(_explains_more(other, guess) for other in chosen)]


def _explains_more(one: Guess, other: Guess) -> bool:
    """Whether a guess takes in all columns of another and more; by values alone that says nothing."""
    return other.core < one.core and one.by_name + other.by_name > 0


def _of_task(task: Task, profiles: Sequence[Profile]) -> Iterator[Guess]:
    """The task's shape that the table has, and for which most names speak; of such, the first."""
    roles = {role.name: role for role in task.roles}
    guesses = [
        Guess(
            task, columns, shape, dict(like.asks for name in shape if (like := roles[name].like) and like.asks), by_name
        )
        for shape in task.shapes
        for columns, by_name in _filled([roles[name] for name in shape], profiles, {})
    ]
    if guesses:
        best = max(guesses, key=lambda guess: (guess.named, guess.by_name))
        yield from _with_settings(_with_decimal(_with_more(best, profiles), profiles), profiles)


def _filled(
    roles: Sequence[Role], profiles: Sequence[Profile], columns: dict[str, list[str]]
) -> Iterator[tuple[dict[str, list[str]], int]]:
    """Every way to give each role its columns, in the table's order, and how many roles are known by a name."""
    if not roles:
        yield columns, 0
        return
    role, *others = roles
    free = [one for one in profiles if not any(one.name in taken for taken in columns.values())]
    for named in (True, False):
        suiting = [one for one in free if _suits(role, one, named) and _meets(role, one, columns, profiles)]
        for names in [_alike(suiting)] if role.many else [[one] for one in suiting]:
            if len(names) >= role.least:
                chosen = columns | {role.name: [one.name for one in names]}
                for every, by_name in _filled(others, profiles, chosen):
                    yield every, by_name + named


def _suits(role: Role, column: Profile, named: bool) -> bool:
    """Whether a column may play a role: it holds such values and, if asked for, is called so."""
    like = role.like
    if like is None:
        return False
    # A name that speaks outweighs how few rows there are: one row of "label" and "pred" is a table of labels.
    if named and like.holds == "labels" and "few labels" in column.holds:
        return _called(column.name, like.names)
    by_value = like.by_value and not _called(column.name, like.unlike)
    return like.holds in column.holds and (_called(column.name, like.names) if named else by_value)


def _called(name: str, usual: Sequence[str]) -> bool:
    """Whether a column's name is one of the usual ones, or has one as a part.

    >>> _called("pred_old", ["pred"]), _called("isPredicted", ["predicted"]), _called("spread", ["pred"])
    (True, True, False)
    """
    whole = name.strip().casefold()
    parts = {part.casefold() for part in _PARTS.findall(name)}
    return any(word == whole or word in parts for word in usual)


def swapped_roles(task: Task, given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Every two roles whose columns are each called as the other's is; `given` is a column by role."""
    names = {role.name: [name for name in role.like.names if len(name) > 1] for role in task.roles if role.like}
    known = [role for role in names if role in given]
    for one, other in combinations(known, 2):
        as_other = [_called(given[one], names[other]), _called(given[other], names[one])]
        as_own = [_called(given[one], names[one]), _called(given[other], names[other])]
        if all(as_other) and not any(as_own):
            yield one, other


def _meets(role: Role, column: Profile, columns: dict[str, list[str]], profiles: Sequence[Profile]) -> bool:
    """Whether a column has values in common with the role that it is measured against, and differs within another."""
    if role.like is None:
        return True
    by_name = {one.name: one for one in profiles}
    if role.like.within in columns and not column.differs_within(by_name[columns[role.like.within][0]]):
        return False
    if role.like.meets not in columns or role.like.holds != "labels":
        return True
    other = by_name[columns[role.like.meets][0]]
    # In another case or between blanks they do not meet, but are meant to: the data check then says so.
    one, two = ({value.strip().casefold() for value in each.values} for each in (column, other))
    return 2 * len(one & two) >= min(len(one), len(two))


def _alike(columns: Sequence[Profile]) -> list[Profile]:
    """The most columns that hold the same kind of values as one of them: labels in common, or numbers too."""
    return max(([one for one in columns if _same_kind(one, first)] for first in columns), key=len, default=[])


def _same_kind(one: Profile, other: Profile) -> bool:
    if one.numbers is not None and other.numbers is not None:
        return True
    return 2 * len(set(one.values) & set(other.values)) >= min(one.distinct, other.distinct)


def _with_more(guess: Guess, profiles: Sequence[Profile]) -> Guess:
    """Besides the shape: an id, weights and the like by their names, and slices by what they hold."""
    columns = {role: list(names) for role, names in guess.columns.items()}
    for role in guess.task.roles:
        taken = {name for names in columns.values() for name in names}
        free = [one for one in profiles if one.name not in taken]
        if role.name in guess.shape or role.like is None:
            continue
        if role.name == "slices":
            suiting = [one for one in free if role.like.holds in one.holds and may_slice(role, one, columns, profiles)]
            columns["slices"] = [one.name for one in suiting][:MOST_SLICES]
        elif role.like.always and (suiting := [one for one in free if _suits(role, one, named=True)]):
            columns[role.name] = [suiting[0].name]
    return replace(guess, columns={role: names for role, names in columns.items() if names})


def may_slice(role: Role, column: Profile, columns: Mapping[str, Sequence[str]], profiles: Sequence[Profile]) -> bool:
    """Whether a column is the same for all rows of what its role says it must be the same in, such as a query."""
    same_in = columns.get(role.like.same_in, []) if role.like else []
    return not any(column.differs_within(one) for one in profiles if one.name in same_in)


def _with_decimal(guess: Guess, profiles: Sequence[Profile]) -> Guess:
    """How numbers are written, where they have commas."""
    commas = any(one.commas for one in profiles if one.name in guess.core)
    return replace(guess, settings={**guess.settings, "decimal": ","}) if commas else guess


def _with_settings(guess: Guess, profiles: Sequence[Profile]) -> list[Guess]:
    """What a lone score, or a share, is of, where the labels leave no doubt; otherwise once for each label of two."""
    known = {setting.name for setting in guess.task.settings}
    if "positive" not in known or "prediction" in guess.columns or "reference" not in guess.columns:
        return [guess]
    reference = next(one for one in profiles if one.name == guess.columns["reference"][0])
    if "score" not in guess.columns and reference.numbers is not None:
        return [guess]
    if reference.distinct != 2:
        return []
    spelled = {value.casefold(): value for value in reference.values}
    positives = [spelled[positive] for pair, positive in POSITIVE.items() if set(spelled) == set(pair)]
    return [replace(guess, settings={**guess.settings, "positive": label}) for label in positives or reference.values]
