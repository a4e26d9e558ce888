"""Whether votes lean to one place, and whether a chance of one half is justified then."""

from __future__ import annotations

from adjudge.diagnosis.preferences.trait_effects import Lean, independent_kappa, lean
from adjudge.errors import percent
from adjudge.statistics.preferences.votes import ASKED, CHOICE, VoteTable

LEANS, MATTERS = 0.05, 0.01
LEVEL = 0.95


def leans_of(table: VoteTable, level: float = LEVEL) -> tuple[Lean, Lean]:
    """How the reference and the annotator lean, in the pairs that both were asked about."""
    effect = max(float(table.squares.sum() / max(float(table.total), 1e-300)), 1e-300)
    reference = table.counts[CHOICE, ASKED].sum(1) / effect
    annotator = table.counts[ASKED, CHOICE].sum(0) / effect
    return lean(reference[0], reference[1], level), lean(annotator[0], annotator[1], level)


def chance_warning(table: VoteTable, *, by_design: bool = False) -> str:
    """Why kappa with a chance of one half misleads; empty where it does not.

    Both must lean, and votes without any relation must give more than a hundredth. A model that always wrote the first
    answer leans by design: then the annotator decides.
    """
    reference, annotator = leans_of(table)
    if not reference.n or not annotator.n:
        return ""
    expected = independent_kappa(reference.share, annotator.share)
    fixed = by_design and reference.share in (0.0, 1.0)
    if annotator.p >= LEANS or (reference.p >= LEANS and not fixed) or abs(expected) <= MATTERS:
        return ""
    return (
        f"both lean to one place (a in {percent(reference.share)} and {percent(annotator.share)}): unrelated votes "
        f"would give {expected:.2f}; read kappa with observed chance"
    )
