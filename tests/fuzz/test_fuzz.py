"""A few hundred random cases; `make fuzz` runs thousands. What a finding is, and how it is run again, is in run.py."""

from __future__ import annotations

from tests.fuzz.cases import KINDS
from tests.fuzz.run import run

SEED = 9
CASES = 240


def test_random_cases_end_in_an_answer_or_a_refusal() -> None:
    ends = list(run(SEED, list(range(CASES)), processes=1))
    findings = [str(finding) for _, _, finding in ends if finding is not None]
    assert not findings, "\n".join(findings)
    assert sorted(case for case, _, _ in ends) == list(range(CASES))
    kinds = {(end.partition(": ")[0], end.partition(": ")[2]) for _, end, _ in ends}
    assert kinds >= {(kind, "refused") for kind in KINDS}
    assert len([end for _, end, _ in ends if end.endswith("answered")]) > CASES / 6, "most must not be refused at once"
