"""Every case with what each system made of it: known failures that are met now first, then broken cases."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.data.judgements.cases import MFT, Cases
from adjudge.data.judgements.unit_losses import JOINTLY
from adjudge.evaluation.request import Request
from adjudge.evaluation.take_away.row_items import blocks_with_rows
from adjudge.evaluation.take_away.tables import Part
from adjudge.evaluation.walk import settled_by_facts
from adjudge.tasks.diagnostic.reading import KNOWN
from adjudge.tasks.diagnostic.study import DiagnosticStudy

CHANGES = ("known failure, met now", "broken", "known failure", "fixed", "same")


def diagnostic_items(request: Request) -> Iterator[Part]:
    """Each case and system: met or failed, and what changed beside the first; those to read first come first."""
    request, _ = settled_by_facts(request)
    study = request.study_as(DiagnosticStudy)
    kept = study.first(request)
    records = []
    for _, _, block in blocks_with_rows(request):
        for known, cases in ((False, block.views[JOINTLY]), (True, block.views[KNOWN])):
            records += [
                record for system in enumerate(study.names) for record in _records(cases, system, kept, known=known)
            ]
    records.sort(key=lambda record: record[0])
    names = ("case", "phenomenon", "kind", "expect", "system", "prediction", "failed", "change")
    yield {name: [record[1][at] for record in records] for at, name in enumerate(names)}


def _records(
    cases: Cases, system: tuple[int, str], kept: int, *, known: bool
) -> Iterator[tuple[tuple[object, ...], tuple[str, ...]]]:
    place, name = system
    for row, case in enumerate(cases.texts.tolist()):
        failed, before = bool(cases.failed[row, place]), bool(cases.failed[row, kept])
        change = CHANGES[4 if failed == before or place == kept else 1 if failed else 3]
        if known:
            change = CHANGES[2 if failed else 0]
        order = (CHANGES.index(change), case.kind != MFT, case.phenomenon, len(case.name), case.name, place)
        what = (
            case.name,
            case.phenomenon,
            case.kind,
            case.expect,
            name,
            case.answers[place],
            str(failed).lower(),
            change,
        )
        yield order, what
