"""Cells with several labels, which are read as one: a mistake where the sign is that of lists, or makes many labels."""

from __future__ import annotations

import pytest

from adjudge.diagnosis.checks.check import REMARK, SERIOUS
from adjudge.diagnosis.checks.several_labels import joined_labels


@pytest.mark.parametrize(
    ("labels", "severity"),
    [
        (["a", "b", "a;b"], SERIOUS),
        (["a", "b", "a|b"], SERIOUS),
        (["a", "b", "c", "a,b", "a,c", "b,c"], SERIOUS),
        (["salt", "pepper", "salt & pepper"], REMARK),
        (["a", "b", "a,b"], REMARK),
        (["a", "b", "c", "a,b", "a+c", "b&c"], REMARK),
    ],
)
def test_a_label_of_several_that_all_columns_have(labels: list[str], severity: str) -> None:
    (check,) = joined_labels(labels, {"reference": labels, "prediction": labels})
    assert check.severity == severity


def test_labels_with_signs_whose_parts_are_no_labels_are_names() -> None:
    labels = ["R&D", "black;white", "tea"]
    assert list(joined_labels(labels, {"reference": labels, "prediction": labels})) == []
