"""Rows cut into blocks of the same size, wherever files and row groups end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adjudge.data.source import Batch, joined_batches


def reblocked(pieces: Iterable[Batch], rows: int) -> Iterator[Batch]:
    """The same rows in blocks of exactly `rows`, so that nothing later depends on how a file was cut.

    >>> pieces = [Batch(2, {}), Batch(5, {}), Batch(1, {})]
    >>> [block.rows for block in reblocked(pieces, 3)]
    [3, 3, 2]
    """
    held: list[Batch] = []
    room = rows
    for piece in pieces:
        start = 0
        while piece.rows - start >= room:
            yield joined_batches([*held, piece[start : start + room]])
            held, room, start = [], rows, start + room
        if start < piece.rows:
            held.append(piece[start:])
            room -= piece.rows - start
    if held:
        yield joined_batches(held)
