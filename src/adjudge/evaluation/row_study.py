"""What studies of tables share in which every row stands for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudge.data.facts import Facts
from adjudge.data.row_reading import RowReading


class RowStudy:
    """Rows are drawn, or clusters of them. For frozen dataclasses with a field `reading`."""

    if TYPE_CHECKING:  # a field of the study, of a kind of its own

        @property
        def reading(self) -> RowReading:
            """How rows become judgements."""

    @property
    def slices(self) -> tuple[tuple[str, ...], ...]:
        """The columns of each slice."""
        return self.reading.slices

    @property
    def unit(self) -> str:
        """What is drawn."""
        return "row" if self.reading.cluster is None else "cluster"

    @property
    def clustered(self) -> bool:
        """Whether several rows are drawn as one."""
        return self.reading.cluster is not None

    def used_rows(self, facts: Facts) -> int:
        """All complete rows."""
        return facts.used
