"""Names that are written in several ways, of as many names as there are: a fact that adds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from adjudge.data.judgements.labels import folded_case, number_in
from adjudge.data.keys import quick_keys

# Of many names, those with the least keys stand for all; of each, so many ways of writing are kept.
KEPT, WAYS = 512, 3


@dataclass(frozen=True, slots=True)
class Spellings:
    """How names are written that are alike but for case, blanks around them and the form of a number; adds.

    >>> one, two = Spellings.of(["de", "fr"]), Spellings.of(["DE", "en"])
    >>> (one + two).several, (one + two).share
    ((('DE', 'de'),), 0.3333333333333333)
    """

    ways: Mapping[int, tuple[str, ...]] = field(default_factory=dict)  # by the key of what they have in common

    @classmethod
    def of(cls, names: Iterable[str]) -> Spellings:
        """Of names, each once."""
        ways: dict[str, list[str]] = {}
        for name in names:
            ways.setdefault(_folded(name), []).append(name)
        return cls(_least(dict(zip(quick_keys(ways).tolist(), (_few(of) for of in ways.values()), strict=True))))

    def __add__(self, other: Spellings) -> Spellings:
        keys = {**self.ways, **other.ways}
        return Spellings(_least({key: _few((*self.ways.get(key, ()), *other.ways.get(key, ()))) for key in keys}))

    @property
    def several(self) -> tuple[tuple[str, ...], ...]:
        """The names that are written in several ways, in the order of these."""
        return tuple(sorted(ways for ways in self.ways.values() if len(ways) > 1))

    @property
    def share(self) -> float:
        """How many of the names are."""
        return len(self.several) / max(len(self.ways), 1)


def _folded(name: str) -> str:
    """What names have in common; numbers by value where they are whole, for 1.1 and 1.10 are two versions.

    >>> _folded("1.0") == _folded("1"), _folded("1.10") == _folded("1.1")
    (True, False)
    """
    number = number_in(name.strip())
    return name.strip() if number is not None and number % 1 else folded_case(name)


def _few(ways: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(ways))[:WAYS])


def _least(ways: Mapping[int, tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
    return {key: ways[key] for key in sorted(ways)[:KEPT]}
