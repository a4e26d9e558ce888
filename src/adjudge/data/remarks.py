"""What a table says of itself besides its rows. Most say nothing: every table inherits that, and says what it knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


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
