"""Tags read into spans: as seqeval reads them where it is right, and with every malformed tag counted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from adjudge.data.judgements.annotations import TagReport
from adjudge.data.judgements.tags import annotations_of, spans_of_tags, spans_of_triples
from adjudge.errors import BadValue, SettingError
from adjudge.metrics import span_f_score

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "spans.json").read_text(encoding="utf-8"))
SEQUENCES = GOLDEN["random sequences"]


def read(tags: str, scheme: str = "bio", mode: str = "conll") -> list[tuple[str, int, int]]:
    return spans_of_tags([tags.split()], scheme, mode).triples()[0]


@pytest.mark.parametrize("row", SEQUENCES, ids=lambda row: f"{row['scheme']} {row['tags']}")
def test_random_sequences_are_read_as_seqeval_reads_them(row: dict) -> None:
    """seqeval 1.2.2; its lenient mode does not know L and U, so BILOU is compared in strict mode only."""
    assert [list(span) for span in read(row["tags"], row["scheme"], "strict")] == row["strict"]
    if row["default"] is not None:
        assert [list(span) for span in read(row["tags"], row["scheme"])] == row["default"]


TABLE = [  # spec, section 5.4: tags, scheme, lenient, strict
    ("O I-PER I-PER O", "bio", [("PER", 1, 3)], []),
    ("B-PER I-PER I-ORG O", "bio", [("PER", 0, 2), ("ORG", 2, 3)], [("PER", 0, 2)]),
    ("B-PER I-ORG", "bio", [("PER", 0, 1), ("ORG", 1, 2)], [("PER", 0, 1)]),
    ("B-PER I-PER B-PER", "bio", [("PER", 0, 2), ("PER", 2, 3)], [("PER", 0, 2), ("PER", 2, 3)]),
    ("B-X I-X E-X S-X", "bioes", [("X", 0, 3), ("X", 3, 4)], [("X", 0, 3), ("X", 3, 4)]),
    ("B-X I-X L-X U-X", "bilou", [("X", 0, 3), ("X", 3, 4)], [("X", 0, 3), ("X", 3, 4)]),
    ("B-PER I-PER O", "bioes", [("PER", 0, 2)], []),
    ("B-geo-loc I-geo-loc", "bio", [("geo-loc", 0, 2)], [("geo-loc", 0, 2)]),
    ("I-PER I-PER B-PER I-ORG", "iob1", [("PER", 0, 2), ("PER", 2, 3), ("ORG", 3, 4)], None),
    ("O B-PER I-PER", "iob1", [("PER", 1, 3)], []),
    ("U-X U-X", "bilou", [("X", 0, 1), ("X", 1, 2)], [("X", 0, 1), ("X", 1, 2)]),
    ("E-X B-X", "bioes", [("X", 0, 1), ("X", 1, 2)], []),  # conlleval's E–B bug is not copied
    ("B I O", "bio", [("_", 0, 2)], [("_", 0, 2)]),
]


@pytest.mark.parametrize(("tags", "scheme", "lenient", "strict"), TABLE, ids=lambda value: str(value))
def test_the_table_of_schemes(tags: str, scheme: str, lenient: list, strict: list | None) -> None:
    assert read(tags, scheme) == lenient
    assert read(tags, scheme, "strict") == (lenient if strict is None else strict)


def test_a_malformed_chunk_is_kept_and_matches_nothing_when_penalised() -> None:
    spans = spans_of_tags([["O", "I-PER"], ["B-PER"]])
    assert spans.penalised.tolist() == [True, False]
    assert spans.triples() == [[], [("PER", 0, 1)]]


@pytest.mark.parametrize(("mode", "repaired"), [("conll", 3), ("strict", 0), ("strict-penalise", 0)])
def test_malformed_tags_are_counted_whatever_is_done(mode: str, repaired: int) -> None:
    documents = [["I-A", "I-A", "O"], [], ["B-A", "I-B"]]
    assert spans_of_tags(documents, mode=mode).report == TagReport(5, 3, 2, 3, repaired)


def test_a_document_never_runs_into_the_next() -> None:
    spans = spans_of_tags([["B-A"], [], ["I-A", "O"], ["O", "B-A"], ["I-A"], []], mode="conll")
    assert spans.triples() == [[("A", 0, 1)], [], [("A", 0, 1)], [("A", 1, 2)], [("A", 0, 1)], []]
    assert spans_of_tags([["I-A"], ["B-A"]], "iob1").penalised.tolist() == [False, True]


def test_all_documents_at_once_are_as_one_by_one() -> None:
    documents = [row["tags"].split() for row in SEQUENCES if row["scheme"] == "bioes"]
    together = spans_of_tags(documents, "bioes", "conll").triples()
    assert together == [read(" ".join(tags), "bioes") for tags in documents]


def test_some_documents_in_any_order() -> None:
    spans = spans_of_tags([["B-A", "B-B"], ["O"], ["B-B", "I-B"]])
    assert spans.of_rows(np.array([2, 0, 2])).triples() == [[("B", 0, 2)], [("A", 0, 1), ("B", 1, 2)], [("B", 0, 2)]]


def test_spans_given_as_they_are() -> None:
    spans = spans_of_triples([[("PER", 0, 5), {"label": "ORG", "start": 0, "end": 9}], [], None])
    assert spans.triples() == [[("PER", 0, 5), ("ORG", 0, 9)], [], []]
    assert spans.annotated.tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([["B-A", "X-A"]], '"X-A" was found'),
        ([["B-A", "S-A"]], '"S-A" was found'),
        ([["O-A"]], '"O-A" was found'),
        ([["B-"]], '"B-" was found'),
        ([["B-A", None]], '"None" was found'),
        (["B-A"], "one list for each document"),
        ([5], "one list for each document"),
    ],
)
def test_what_is_not_a_tag_is_named(given: list, said: str) -> None:
    with pytest.raises(BadValue, match=said):
        spans_of_tags(given)


@pytest.mark.parametrize(
    "span",
    [
        ("A", 3, 3),
        ("A", 4, 3),
        ("A", -1, 3),
        ("A", 0.5, 3),
        ("A", True, 3),
        ("A", 0, 2**41 + 1),
        ("A", 0, 10**30),
        ("A", 1),
        "A",
        {"label": "A", "start": 0, "stop": 1},
        (["A"], 0, 1),
        (None, 0, 1),
        (float("nan"), 0, 1),
    ],
)
def test_what_is_not_a_span_is_named(span: object) -> None:
    with pytest.raises(BadValue, match="document 2"):
        spans_of_triples([[], [span]])
    with pytest.raises(BadValue, match='item "second"'):
        spans_of_triples([[], [span]], ["first", "second"])


def test_the_last_place_of_a_span_still_counts() -> None:
    far = [[("A", 2**41 - 9, 2**41)]] * 3
    assert span_f_score(far, [[("A", 2**41 - 9, 2**41 - 4)]] * 3, match="type") == 1.0


def test_annotators_must_have_the_same_documents_and_tokens() -> None:
    with pytest.raises(BadValue, match="same documents"):
        annotations_of([[["O"]], [["O"], ["O"]]])
    with pytest.raises(BadValue, match='document 2 has "1", "2" tags'):
        annotations_of([[["O"], ["O", "O"]], [["O"], ["O"]]])
    with pytest.raises(BadValue, match="mixed"):
        annotations_of([[["B-A"]], [[("A", 0, 1)]]])
    with pytest.raises(BadValue, match="two annotators at least"):
        annotations_of([[["O"]]])


def test_schemes_and_modes_are_checked() -> None:
    with pytest.raises(SettingError, match="`scheme` must be one of"):
        spans_of_tags([["O"]], "iobx")
    with pytest.raises(SettingError, match="`mode` must be one of"):
        spans_of_tags([["O"]], mode="loose")
