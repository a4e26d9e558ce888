"""A stream of Arrow's batches as a table that can be read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adjudge.data.blocks import reblocked
from adjudge.data.decode import arrow_pieces, is_numeric
from adjudge.data.foreign import asking, refusing, validated
from adjudge.data.remarks import Remarks
from adjudge.data.source import ROWS, Batch, check_request, distinct_names
from adjudge.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(slots=True)
class ArrowStream(Remarks):
    """A reader of Arrow batches, which can be read once.

    It has no fingerprint, because computing one would use the rows up.
    """

    name: str
    reader: pa.RecordBatchReader = field(repr=False)
    column_names: tuple[str, ...] = ()
    used: bool = False

    def __post_init__(self) -> None:
        self.column_names = distinct_names(self.reader.schema.names, self.name)

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """The wanted columns, block by block; a second call is refused."""
        check_request([*texts, *numbers], self.column_names, rows)
        if self.used:
            raise InputError(
                f"A stream can be read once, but {self.name} was read already. Pass a table instead, "
                "for instance `reader.read_all()`."
            )
        self.used = True
        return reblocked(self._pieces(texts, numbers, rows), rows)

    def _pieces(self, texts: Sequence[str], numbers: Sequence[str], rows: int) -> Iterator[Batch]:
        with refusing(self.name):
            yield from arrow_pieces(self._batches(), texts, numbers, rows)

    def _batches(self) -> Iterator[pa.RecordBatch]:
        with asking(self.name):
            yield from map(validated, self.reader)

    def fingerprint(self) -> str:
        """Nothing: a stream's content is known only once it is gone."""
        return ""

    def holds_numbers(self, name: str) -> bool:
        """Whether the column is typed as numbers."""
        return is_numeric(self.reader.schema.field(name).type)
