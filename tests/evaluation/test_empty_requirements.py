"""Requirements that nothing could miss, keys that stand twice, and plans that cannot come true."""

from __future__ import annotations

from pathlib import Path

import pytest

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.evaluation.gates.file import read_gate

TWICE = {
    "json": '{"requirement": [{"metric": "accuracy", "at_least": 0.99, "at_least": 0.5}]}',
    "yaml": "requirement:\n  - metric: accuracy\n    at_least: 0.99\n    at_least: 0.5\n",
    "toml": '[[requirement]]\nmetric = "accuracy"\nat_least = 0.99\nat_least = 0.5\n',
}
ONCE = {
    "json": '{"requirement": [{"metric": "accuracy", "at_least": 0.5}]}',
    "yaml": "requirement:\n  - metric: accuracy\n    at_least: 0.5\n",
    "toml": '[[requirement]]\nmetric = "accuracy"\nat_least = 0.5\n',
}


@pytest.mark.parametrize("ending", TWICE)
def test_a_key_that_stands_twice_is_refused_whatever_the_file_is_written_in(ending: str, tmp_path: Path) -> None:
    if ending == "yaml":
        pytest.importorskip("yaml")
    path = tmp_path / f"gate.{ending}"
    path.write_text(TWICE[ending])
    with pytest.raises(AdjudgeError, match=r"stands twice|overwrite"):
        read_gate(path)
    path.write_text(ONCE[ending])
    assert read_gate(path).requirements[0].at_least == 0.5


def test_keys_of_yaml_may_be_merged_and_referred_to(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    path = tmp_path / "gate.yaml"
    path.write_text(
        "requirement:\n  - &first {metric: accuracy, at_least: 0.9}\n  - {<<: *first, at_least: 0.5, name: low}\n"
    )
    assert [one.at_least for one in read_gate(path).requirements] == [0.9, 0.5]


def test_a_bound_that_is_meant_to_be_met_by_all_may_be_said() -> None:
    gate = adjudge.Gate.of({"metric": "accuracy", "at_least": 0.0, "anyway": True})
    assert gate.run({"y": ["a", "b"] * 30, "p": ["a"] * 60}, reference="y", prediction="p").passed


def test_a_plan_says_that_what_is_expected_does_not_do() -> None:
    plan = adjudge.Gate.of({"metric": "accuracy", "at_least": 0.8, "expect": 0.7}).plan(rows=600)
    assert plan.headline == "No number of rows is enough: the expected value does not meet accuracy >= 0.8."
    assert adjudge.Gate.of({"metric": "accuracy", "at_least": 0.8, "expect": 0.9}).plan(rows=600).headline == (
        "600 rows are enough."
    )


def test_the_smallest_slice_is_of_every_slice() -> None:
    with pytest.raises(AdjudgeError, match="`smallest` must go with a requirement of `every` slice"):
        adjudge.plan("accuracy >= 0.9", expect=0.93, smallest=0.1)
