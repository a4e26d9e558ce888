"""Models of pairs as annotators of their own, as Feedback Forensics counts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from adjudge.data.formats.annotated_pairs import Annotator, Pairs
from adjudge.data.judgements.pair_votes import votes_for_model

MODEL = "Model: "


def with_models(pairs: Pairs, against: Sequence[str]) -> Pairs:
    """Models as annotators: each chooses the answer it wrote."""
    written = [pairs.columns.get(f"model_{side}") for side in "ab"]
    if any(column is None or not any(column) for column in written):
        return pairs
    names = sorted({name for column in written for name in column or () if isinstance(name, str)})
    code_of: dict[object, int] = {name: code for code, name in enumerate(names)}
    codes = np.array([[code_of.get(name, -1) for name in column or ()] for column in written], dtype=np.int64).T
    others = np.array([code_of[name] for name in against if name in code_of], dtype=np.int64) if against else None
    votes, annotators = dict(pairs.votes), dict(pairs.annotators)
    for name in names:
        visible = f"{MODEL}{name.removeprefix('openrouter/')}"
        visible = visible if visible not in votes else f"{MODEL}{name}"
        votes[visible] = votes_for_model(code_of[name], codes, others)
        annotators[visible] = Annotator(visible, f"{name}-preference", "model")
    return replace(pairs, votes=votes, annotators=annotators)
