"""Votes: what Feedback Forensics and scikit-learn give for the same votes, and cases worked by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.golden.row import Row

GOLDEN = json.loads((Path(__file__).parent / "preference.json").read_text())
PEER = "Feedback Forensics 0.5.0, {} of {} in {}"
COHEN = "scikit-learn 1.9.1 through Feedback Forensics 0.5.0, cohens_kappa_og of {} in {}"
REFERENCE = GOLDEN["datasets"]["d2_models"]["metadata"]["default_annotator"]


def votes_of(dataset: dict[str, Any], annotator: str) -> list[str | None]:
    """What an annotator said, as the peer reads it: anything but a and b is no choice."""
    said = (pair["annotations"].get(annotator) for pair in dataset["comparisons"])
    return [None if one is None else one.get("pref") if one.get("pref") in ("a", "b") else "tie" for one in said]


def _rows() -> list[Row]:
    rows = []
    for name in ("d1_votes", "d2_models"):
        dataset, answers = GOLDEN["datasets"][name], GOLDEN["answers"][name]["views"]["default"]["annotator"][name]
        reference = votes_of(dataset, REFERENCE)
        for annotator, about in GOLDEN["answers"][name]["annotators"].items():
            trait = about["annotator_in_row_name"]
            if trait not in answers["metrics"]["acc"]:
                continue
            given = (reference, votes_of(dataset, annotator))
            value = {key: of_trait[trait] for key, of_trait in answers["metrics"].items()}
            for metric, key in (("preference_accuracy", "acc"), ("preference_relevance(over=reference)", "relevance")):
                rows.append(Row(metric, *given, value[key], PEER.format(key, trait, name)))
            strength = value["strength"]["strength"]
            rows.append(
                Row("preference_strength(over=reference)", *given, strength, PEER.format("strength", trait, name))
            )
            rows.append(
                Row("preference_kappa", *given, value["cohens_kappa"], PEER.format("cohens_kappa", trait, name))
            )
            observed = value["cohens_kappa_og"]
            rows.append(Row("preference_kappa(chance=observed)", *given, observed, COHEN.format(trait, name)))
    return rows


GENERAL = {
    "Number of preference pairs": "preference_pairs(of=chosen)",
    "Prop selecting text_a": "prefers_first",
    "Avg len text_a (chars)": "answer_length(of=a)",
    "Avg len text_b (chars)": "answer_length(of=b)",
    "Avg len selected text (chars)": "answer_length",
    "Avg len rejected text (chars)": "answer_length(of=rejected)",
}


def _general() -> list[Row]:
    """The general statistics; the peer counts texts of equal length as if the second were longer, which is left out."""
    rows = []
    for name in ("d1_votes", "d2_models"):
        dataset = GOLDEN["datasets"][name]
        answers = GOLDEN["answers"][name]["views"]["default"]["overall"][name]
        lengths = [[len(pair[f"response_{side}"]["text"]) for side in "ab"] for pair in dataset["comparisons"]]
        given = (votes_of(dataset, REFERENCE), lengths)
        rows += [
            Row(metric, *given, answers[key], PEER.format(key, "the reference", name))
            for key, metric in GENERAL.items()
        ]
        chosen = [(vote, *both) for vote, both in zip(*given, strict=True) if vote in ("a", "b")]
        if all(a != b for _, a, b in chosen):
            value = answers["Prop selecting longer text"]
            rows.append(Row("prefers_longer", *given, value, PEER.format("longer text", "the reference", name)))
    return rows


SEED = "definition in the documentation of Feedback Forensics, worked by hand: {}"
# Five pairs that both were asked about; the annotator chose in four, three of them beside a choice of the reference.
WORKED = (["a", "b", "a", "tie", "b", "b", None], ["a", "b", "b", "a", "both", None, "a"])
PREFERENCE = [
    *_rows(),
    *_general(),
    Row("preference_pairs", WORKED[0], None, 7.0, SEED.format("seven pairs, chosen or not")),
    Row(
        "prefers_longer",
        ["a", "b", "a", "b", "tie"],
        [[3, 2], [1, 4], [2, 6], [5, 5], [9, 1]],
        2 / 3,
        SEED.format("the longer in two of three choices between unequal texts"),
    ),
    Row("preference_relevance", *WORKED, 4 / 5, SEED.format("4 of 5 pairs")),
    Row("preference_strength", *WORKED, 4 / 15, SEED.format("kappa 1/3 times relevance 4/5")),
]
