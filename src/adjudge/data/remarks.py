"""What a table says of itself besides its rows. Most say nothing: every table inherits that, and says what it knows.

A table that is made of another says what the other says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from adjudge.data.source import Source


class Remarks(Protocol):
    """What is worth knowing of a table before, or instead of, reading it."""

    __slots__ = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was found out about how it is written."""
        return ()

    @property
    def doubts(self) -> tuple[str, ...]:
        """What it cannot tell, and should."""
        return ()

    @property
    def absent(self) -> Mapping[str, int]:
        """How many rows are not in it, by reason, where another tool wrote it."""
        return {}

    @property
    def rereads(self) -> bool:
        """Whether the first rows cost little to read again."""
        return False

    @property
    def scattered(self) -> bool:
        """Whether rows of one item may stand anywhere."""
        return False

    @property
    def counted(self) -> bool:
        """Whether it holds cells that were counted before, and not the rows themselves."""
        return False

    @property
    def ordered(self) -> bool:
        """Whether the order of its rows is that in which they came."""
        return True


class MadeOfAnother(Remarks, Protocol):
    """What is known of the other table is known of this one, too."""

    __slots__ = ()

    def origin(self) -> Source:
        """The other table."""

    @property
    def name(self) -> str:
        """What reports call it."""
        return self.origin().name

    @property
    def column_names(self) -> tuple[str, ...]:
        """All its columns, in order."""
        return self.origin().column_names

    @property
    def notes(self) -> tuple[str, ...]:
        """What was found out about how it is written."""
        return self.origin().notes

    @property
    def doubts(self) -> tuple[str, ...]:
        """What it cannot tell, and should."""
        return self.origin().doubts

    @property
    def absent(self) -> Mapping[str, int]:
        """How many rows are not in it, by reason, where another tool wrote it."""
        return self.origin().absent

    @property
    def rereads(self) -> bool:
        """Whether the first rows cost little to read again."""
        return self.origin().rereads

    @property
    def scattered(self) -> bool:
        """Whether rows of one item may stand anywhere."""
        return self.origin().scattered

    @property
    def counted(self) -> bool:
        """Whether it holds cells that were counted before, and not the rows themselves."""
        return self.origin().counted

    @property
    def ordered(self) -> bool:
        """Whether the order of its rows is that in which they came."""
        return self.origin().ordered

    def fingerprint(self) -> str:
        """That of the other table, as it is written."""
        return self.origin().fingerprint()
