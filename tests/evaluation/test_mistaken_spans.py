"""Spans as people spoil them, beside ones of people who differ."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import adjudge

Span = tuple[str, int, int, str]
RANDOM = np.random.default_rng(3)
ITEMS, LABELS = 60, np.array(["PER", "LOC", "ORG"])
OTHERWISE = {"PER": "LOC", "LOC": "PER", "ORG": "ORG"}
LONG = {"PER": "PERSON", "LOC": "PLACE", "ORG": "COMPANY"}


def true_spans() -> list[Span]:
    spans: list[Span] = []
    for item in range(ITEMS):
        place = 0
        for label in RANDOM.choice(LABELS, RANDOM.integers(1, 5)):
            start = place + int(RANDOM.integers(3, 40))
            place = start + int(RANDOM.integers(3, 14))
            spans.append((f"d{item}", start, place, str(label)))
    return spans


TRUE = true_spans()


def seen_by_one(share: float = 0.9) -> list[Span]:
    kept = [span for span in TRUE if RANDOM.random() < share]
    return [(d, s, e, x if RANDOM.random() < 0.95 else str(RANDOM.choice(LABELS))) for d, s, e, x in kept]


ANN, BOB = seen_by_one(), seen_by_one()


def said(bob: list[Span], ann: list[Span] = ANN) -> dict[str, str]:
    rows = list(dict.fromkeys([(*span, "ann") for span in ann] + [(*span, "bob") for span in bob]))
    names = ("item", "start", "end", "label", "rater")
    table = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    given = {name: name for name in names} | {"measurement": "spans", "seen_by": "all", "replicates": 100}
    checks = adjudge.evaluate(table, "agreement", **given).checks
    return {check.key: check.severity for check in reversed(checks)}


@pytest.mark.parametrize(
    ("spoil", "key"),
    [
        (lambda d, s, e, x: (d, s + 1, e + 1, x), "C34"),
        (lambda d, s, e, x: (d, s, e - 1, x), "C34"),
        (lambda d, s, e, x: (d, s + 20, e + 20, x), "C34"),  # a heading that the other text has not
        (lambda d, s, e, x: (d, s + s // 12, e + e // 12, x), "C12"),  # bytes
        (lambda d, s, e, x: (d, s + s // 6 * (len(d) % 2), e + e // 6 * (len(d) % 2), x), "C12"),  # of some items
        (lambda d, s, e, x: (d, s + s // 30, e + s // 30, x), "C12"),  # two signs at the end of a line
        (lambda d, s, e, x: (d, 2 * s, 2 * e, x), "C12"),
        (lambda d, s, e, x: (d, s + 3 * int(d[1:]) % 50, e + 3 * int(d[1:]) % 50, x), "C12"),
        (lambda d, s, e, x: (f"{d}.txt", s, e, x), "C7"),
        (lambda d, s, e, x: (d, s, e, f"B-{x}"), "C1"),
        (lambda d, s, e, x: (d, s, e, LONG[x]), "C1"),
        (lambda d, s, e, x: (d, s, e, OTHERWISE[x]), "C39"),
        (lambda d, s, e, x: (d, s, e, "PERSON" if x == "PER" else x), "C39"),
    ],
)
def test_spans_that_were_spoilt_are_said_first(spoil: Callable[..., Span], key: str) -> None:
    found = said([spoil(*span) for span in BOB])
    assert {name for name, severity in found.items() if severity == "serious"} == {key}


@pytest.mark.parametrize(
    ("bob", "key"),
    [
        ([(d, s, e - (place % 3 == 0), x) for place, (d, s, e, x) in enumerate(BOB)], "C34"),
        ([*BOB, *((d, s, e + 5, x) for d, s, e, x in BOB)], "C34"),
        ([span for span in BOB if int(span[0][1:]) < 30], "C26"),
        ([(f"d{(int(d[1:]) + 1) % ITEMS}", s, e, x) for d, s, e, x in BOB], "C36"),
    ],
)
def test_spans_that_may_be_so_are_remarked(bob: list[Span], key: str) -> None:
    assert said(bob) == {key: "remark"}


def with_article(spans: list[Span]) -> list[Span]:
    return [(d, max(s - 4 * (RANDOM.random() < 0.4), 0), e, x) for d, s, e, x in spans]


@pytest.mark.parametrize(
    ("bob", "ann"),
    [
        (BOB, ANN),
        (seen_by_one(0.4), seen_by_one(0.4)),
        (with_article(BOB), ANN),
        ([(d, s, e + int(RANDOM.integers(0, 3)), x) for d, s, e, x in BOB], ANN),
        ([(d, s, e, x if RANDOM.random() < 0.5 else "LOC") for d, s, e, x in BOB], ANN),
        ([(d, s // 6, s // 6 + 1, x) for d, s, e, x in BOB], [(d, s // 6, s // 6 + 1, x) for d, s, e, x in ANN]),
    ],
)
def test_spans_of_people_who_differ_are_ordinary(bob: list[Span], ann: list[Span]) -> None:
    assert "serious" not in said(bob, ann).values()
    assert "C36" not in said(bob, ann)


def test_places_may_be_very_large() -> None:
    far = 2**40
    moved = [(d, s + far, e + far, x) for d, s, e, x in ANN]
    assert "serious" not in said([(d, s + far, e + far, x) for d, s, e, x in BOB], moved).values()
