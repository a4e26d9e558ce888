"""Span F1 of tagged sentences beside seqeval, in one process, turn by turn."""

from __future__ import annotations

import numpy as np

from bench.speed import Case, cpu_seconds, turn_by_turn

SENTENCES, TOKENS = 10_000, 20
LABELS = ("PER", "LOC", "ORG", "MISC")
MODES = {"conll": None, "strict": "strict"}


def tagged(sentences: int, seed: int) -> tuple[list[list[str]], list[list[str]]]:
    """Sentences with about three spans each in BIO tags, and a second tagging that differs in one tag of twelve."""
    random = np.random.default_rng(seed)
    tags = np.array(["O", *(f"{prefix}-{label}" for label in LABELS for prefix in "BI")])
    opens = random.random((sentences, TOKENS)) < 0.15
    label = random.integers(0, len(LABELS), (sentences, TOKENS))
    goes_on = random.random((sentences, TOKENS)) < 0.4
    codes = np.where(opens, 1 + 2 * label, 0)
    for place in range(1, TOKENS):
        inside = (codes[:, place] == 0) & (codes[:, place - 1] > 0) & goes_on[:, place]
        codes[inside, place] = codes[inside, place - 1] + codes[inside, place - 1] % 2
    changed = random.random((sentences, TOKENS)) < 1 / 12
    other = np.where(changed, random.integers(0, len(tags), (sentences, TOKENS)), codes)
    return tags[codes].tolist(), tags[other].tolist()


def run(repeats: int = 5) -> list[Case]:
    """F1 of 10,000 sentences of 20 tokens, read leniently and strictly; with 2,000 replicates for the interval."""
    from adjudge.metrics import span_f_score

    reference, prediction = tagged(SENTENCES, seed=3)
    span_f_score(reference[:100], prediction[:100])
    name = f"span F1, {SENTENCES:,} sentences × {TOKENS} tokens"
    cases = []
    for mode, peer_mode in MODES.items():
        ours = lambda mode=mode: span_f_score(reference, prediction, mode=mode)  # noqa: E731
        try:
            from seqeval.metrics import f1_score
            from seqeval.scheme import IOB2
        except ImportError:
            ((cost, _),) = turn_by_turn(repeats, ours)
            cases.append(Case(f"{name}, {mode}", cost, "CPU s", note="seqeval is not installed"))
            continue
        settings = {} if peer_mode is None else {"mode": peer_mode, "scheme": IOB2}
        (cost, a), (peer, b) = turn_by_turn(
            repeats, ours, lambda settings=settings: f1_score(reference, prediction, **settings)
        )
        same = f"span F1 ({mode}): adjudge {a:.12f}, seqeval {b:.12f}"
        cases.append(Case(f"{name}, {mode}", cost, "CPU s", "seqeval", peer, "≥ 5×", peer / cost >= 5, same))
    cost, _ = cpu_seconds(lambda: _with_interval(reference, prediction))
    cases.append(Case(f"{name}, with 2,000 replicates", cost, "CPU s", note="documents drawn with replacement"))
    return cases


def _with_interval(reference: list[list[str]], prediction: list[list[str]]) -> tuple[float, float]:
    """The interval of F1, sentences resampled."""
    from adjudge.data.judgements.tags import annotations_of
    from adjudge.metrics import span_f_score
    from adjudge.statistics.ratings.spans import SpanCounts
    from adjudge.statistics.weights import Weights

    annotations = annotations_of([reference, prediction])
    counts = SpanCounts.collect(annotations, Weights(len(annotations)))
    low, high = np.quantile(
        np.concatenate(
            [
                span_f_score.averaged("micro").values(counts.resampled("multinomial", 100, 7, f"bench/{part}"))
                for part in range(20)
            ]
        ),
        [0.025, 0.975],
    )
    return float(low), float(high)
