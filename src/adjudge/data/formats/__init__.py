"""Files of other tools: recognised by what they hold, read into tables. One module for each tool, or kind of table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from adjudge.data.formats.base import TABLES, Imported, Importer, Picks, checked_picks, written_by
from adjudge.data.formats.sample import Sample, sample_of
from adjudge.errors import InputError, listed, quoted


@cache
def importers() -> tuple[Importer, ...]:
    """Every importer there is."""
    from adjudge.data.formats import (
        argilla,
        brat,
        choices,
        conll,
        doccano,
        forms,
        inception,
        inspect_ai,
        label_studio,
        lm_eval,
        model_logs,
        mturk,
        plain,
        prodigy,
        votes,
    )

    tools = (label_studio, lm_eval, argilla, brat, conll, doccano, forms, inception, inspect_ai, mturk, prodigy)
    kinds = (votes, choices, model_logs, plain)
    return tuple(importer for module in (*tools, *kinds) for importer in module.IMPORTERS)


def readers_of(path: Path) -> tuple[Sample, list[Importer]]:
    """What is seen of a file, and who would read it: nobody, one, or several where it could be of two tools."""
    sample = sample_of(path)
    return sample, list(dict.fromkeys(importer for _, importer in _matches(sample)))


def recognised(path: Path) -> tuple[Importer, Sample] | None:
    """Who reads a file; refused where it could be of two tools."""
    sample, readers = readers_of(path)
    if len(readers) > 1:
        tools = listed(sorted({importer.tool for importer in readers}))
        raise InputError(
            f"{quoted(path.name)} must be of one tool, but it looks like one of {tools}. Rename its columns."
        )
    return (readers[0], sample) if readers else None


def _matches(sample: Sample) -> list[tuple[str, Importer]]:
    return [(kind, one) for one in importers() for kind, is_so in one.kinds.items() if is_so(sample)]


def imported(
    paths: Sequence[Path], given: Mapping[str, str] | None = None, tables: Sequence[str] = TABLES
) -> Imported | None:
    """The table that files of another tool hold; None where they are of none that is known.

    `given` says what to pick of them, `tables` which kinds of table are of use.
    """
    reader = recognised(paths[0])
    if reader is None:
        return None
    importer, sample = reader
    checked_picks(importer, given or {})
    with written_by(importer.tool, paths[0].name):
        return importer.read(paths, Picks(dict(given or {}), tuple(tables)), sample)
