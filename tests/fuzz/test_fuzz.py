"""A few hundred random cases; `make fuzz` runs thousands. What a finding is, and how it is run again, is in run.py."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Sequence

import pytest
from tests.fuzz import run as run_module
from tests.fuzz.cases import KINDS
from tests.fuzz.run import run

SEED = 71
CASES = 240


def test_random_cases_end_in_an_answer_or_a_refusal() -> None:
    ends = list(run(SEED, list(range(CASES)), processes=1))
    findings = [str(finding) for _, _, finding in ends if finding is not None]
    assert not findings, "\n".join(findings)
    assert sorted(case for case, _, _ in ends) == list(range(CASES))
    kinds = {(end.partition(": ")[0], end.partition(": ")[2]) for _, end, _ in ends}
    assert kinds >= {(kind, "refused") for kind in KINDS if kind != "completion"}  # which answers whatever was typed
    likely = [end for _, end, _ in ends if not end.startswith("arguments")]  # which are odd, and mostly refused
    assert len([end for end in likely if end.endswith("answered")]) > len(likely) / 6, (
        "most must not be refused at once"
    )


def test_completion_answers_whatever_was_typed() -> None:
    ends = list(run(SEED, list(range(5)), processes=1, kinds=["completion"]))
    assert [(end, finding) for _, end, finding in ends] == [("completion: answered", None)] * 5


class Dying:
    """A child that ends every case but the last of its first cases, and then is gone."""

    born = 0

    def __init__(self, seed: int, kinds: Sequence[str] = ()) -> None:
        self.seed, self.cases, self.folder, self.since, self.chunks = seed, list[int](), "", time.monotonic(), 0
        self.pipe, self.theirs = multiprocessing.Pipe()
        self.process = self
        self.pid, self.exitcode, self.dies = 0, -11, Dying.born == 0
        Dying.born += 1

    def send(self, cases: list[int]) -> None:
        self.cases = cases
        for case in cases[:-1] if self.dies else cases:
            self.theirs.send(("ended", case, "kind: answered"))
        if self.dies:
            self.theirs.close()

    def is_alive(self) -> bool:
        return not self.dies

    def join(self, seconds: float = 0) -> None:
        pass

    def stop(self) -> None:
        self.pipe.close()


def test_all_cases_run_though_a_child_dies_with_its_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "Child", Dying)
    ended = list(run_module.run(1, list(range(run_module.CHUNK * 3)), processes=1))
    assert sorted(case for case, _, _ in ended) == list(range(run_module.CHUNK * 3))
    assert [finding.case for _, _, finding in ended if finding is not None] == [run_module.CHUNK - 1]


def test_a_child_that_is_old_is_followed_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "CHUNK", 1)
    monkeypatch.setattr(run_module, "MOST_CHUNKS", 2)
    ended = list(run_module.run(SEED, list(range(5)), processes=1, kinds=["completion"]))
    assert sorted((case, finding) for case, _, finding in ended) == [(case, None) for case in range(5)]
