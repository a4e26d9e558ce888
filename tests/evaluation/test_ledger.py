"""Looks at growing data are counted beside the gate, other candidates too, and a frozen baseline is known again."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import NormalDist

import pytest

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.evaluation.gates.requirement_scope import errors_at

GATE = """
[gate]
data = "rows.csv"
reference = "label"
prediction = {{ new = "guess" }}
metrics = "accuracy"
replicates = 200
id = "id"
{more}

[[requirement]]
metric = "accuracy"
at_least = 0.85
{how}
"""


def gate(folder: Path, how: str = "looks = 2", more: str = "") -> adjudge.Gate:
    (folder / "gate.toml").write_text(GATE.format(how=how, more=more))
    return adjudge.Gate.read(folder / "gate.toml")


def rows(folder: Path, count: int, wrong: int = 20, every: int = 20) -> None:
    lines = [f"{i},a,{'b' if i % every == wrong % every else 'a'}\n" for i in range(count)]
    (folder / "rows.csv").write_text("id,label,guess\n" + "".join(reversed(lines)))


def look(verdicts: adjudge.Verdicts) -> int:
    return next(iter(verdicts)).look


def test_grown_rows_are_another_look_and_the_same_rows_are_not(tmp_path: Path) -> None:
    judged = gate(tmp_path)
    rows(tmp_path, 100)
    assert [look(judged.run()), look(judged.run())] == [1, 1]
    rows(tmp_path, 200)
    assert look(judged.run()) == 2
    rows(tmp_path, 300)
    third = judged.run()
    assert look(third) == 3
    assert [one.verdict for one in third] == ["inconclusive"], "more looks than were planned"
    ledger = (tmp_path / "adjudge-looks.jsonl").read_text().splitlines()
    assert [json.loads(line)["units"] for line in ledger] == [100, 200, 300]
    rows(tmp_path, 100)
    assert look(judged.run()) == 1, "the first rows again are the first look again"


def test_other_answers_to_the_same_rows_are_another_candidate(tmp_path: Path) -> None:
    judged = gate(tmp_path, 'reuse = "bonferroni"')
    for candidate in range(3):
        rows(tmp_path, 300, wrong=candidate)
        assert judged.run().judgement.candidates == candidate + 1
    assert judged.run().judgement.candidates == 3, "the same candidate again is none more"


def test_what_passed_at_a_look_stays_shown(tmp_path: Path) -> None:
    judged = gate(tmp_path, 'looks = "any"')
    rows(tmp_path, 600, every=60)
    assert judged.run().passed
    rows(tmp_path, 600, every=60)
    more = [f"{i},a,b\n" for i in range(600, 700)]
    (tmp_path / "rows.csv").write_text((tmp_path / "rows.csv").read_text() + "".join(more))
    [verdict] = judged.run()
    assert (verdict.verdict, verdict.look, verdict.why) == ("passed", 2, "passed at an earlier look")


def test_a_difference_may_be_looked_at_at_any_time(tmp_path: Path) -> None:
    """It ended in a traceback: its p-value was looked for at errors that no sequence is tightest for."""
    answers = ["a,a", "a,b", "b,a", "a,a", "a,a"]
    lines = [f"{i},a,{answers[i % 5]}\n" for i in range(200)]
    (tmp_path / "rows.csv").write_text("id,label,old,new\n" + "".join(lines))
    text = GATE.format(how="", more="").replace('{ new = "guess" }', '["old", "new"]')
    ends = {}
    for margin in (0.05, 0.3):
        compared = f'system = "new"\nversus = "old"\nmargin = {margin}\nlooks = "any"'
        (tmp_path / "gate.toml").write_text(text.replace("at_least = 0.85", compared))
        [verdict] = adjudge.Gate.read(tmp_path / "gate.toml").run()
        ends[margin] = verdict.verdict
    assert ends == {0.05: "inconclusive", 0.3: "passed"}


def test_nothing_is_kept_where_nobody_counts(tmp_path: Path) -> None:
    rows(tmp_path, 100)
    gate(tmp_path, "").run()
    assert not (tmp_path / "adjudge-looks.jsonl").exists()


def test_a_frozen_baseline(tmp_path: Path) -> None:
    rows(tmp_path, 100)
    fingerprint = gate(tmp_path).run().judgement.systems["new"]
    frozen = f'frozen = {{ new = "{fingerprint}" }}'
    assert gate(tmp_path, "", frozen).run().passed is not None
    rows(tmp_path, 100, wrong=3)
    with pytest.raises(AdjudgeError, match="must answer as when it was frozen"):
        gate(tmp_path, "", frozen).run()
    with pytest.raises(AdjudgeError, match="`frozen` must name a system"):
        gate(tmp_path, "", 'frozen = { newer = "1" }').run()


LINE = {"requirement": "r", "data": "d", "keys": ["0" * 16], "answers": ["f" * 16], "units": 1}
DAMAGED: list[object] = [
    {},
    [],
    LINE | {"requirement": ["r"]},
    LINE | {"data": ["d"]},
    LINE | {"keys": "0" * 16},
    LINE | {"keys": [7]},
    LINE | {"keys": ["0" * 17]},
    LINE | {"answers": ["xyz"]},
    LINE | {"answers": []},
    LINE | {"units": "many"},
    LINE | {"units": 1e400},
]


@pytest.mark.parametrize("text", [*(json.dumps(line) for line in DAMAGED), "", "[" * 100_000, "\udc80"])
def test_a_damaged_ledger_is_refused(tmp_path: Path, text: str) -> None:
    judged = gate(tmp_path)
    rows(tmp_path, 100)
    judged.run()
    ledger = tmp_path / "adjudge-looks.jsonl"
    requirement = json.loads(ledger.read_text())["requirement"]
    ledger.write_bytes(f"{text}\n".replace('"r"', f'"{requirement}"').encode("utf-8", "surrogateescape"))
    with pytest.raises(AdjudgeError, match="must hold the judgements so far"):
        judged.run()


def test_an_empty_ledger_has_no_judgements(tmp_path: Path) -> None:
    rows(tmp_path, 100)
    (tmp_path / "adjudge-looks.jsonl").write_text("")
    assert look(gate(tmp_path).run()) == 1


def test_a_system_whose_name_breaks_lines_is_known_again(tmp_path: Path) -> None:
    """A line separator is no end of a line of JSON."""
    rows(tmp_path, 100)
    text = GATE.format(how="looks = 2", more="").replace("new =", '"new\\u2028er" =')
    (tmp_path / "gate.toml").write_text(text)
    judged = adjudge.Gate.read(tmp_path / "gate.toml")
    assert [look(judged.run()), look(judged.run())] == [1, 1]


def test_looks_at_planned_numbers_of_units_spend_as_lan_and_demets_say(tmp_path: Path) -> None:
    """At half of all units 2 − 2Φ(1.96 / √½) = 0.0056 may be spent; afterwards all of 5 %."""
    [half, full] = errors_at((100, 200), 200, 0.05)
    assert half == pytest.approx(2 - 2 * NormalDist().cdf(NormalDist().inv_cdf(0.975) / 0.5**0.5), rel=1e-6)
    assert half < full < 0.05
    judged = gate(tmp_path, "looks = [100, 200]")
    rows(tmp_path, 100, every=10)
    [first] = judged.run()
    assert (first.look, first.looks, first.verdict) == (1, 2, "inconclusive")
    rows(tmp_path, 200, every=10)
    [second] = judged.run()
    assert (second.look, second.verdict) == (2, "passed" if (second.p_passed or 1) <= full else "inconclusive")
    rows(tmp_path, 300, every=10)
    assert [one.verdict for one in judged.run()] == ["inconclusive"], "more looks than were planned"


def test_a_look_at_another_number_of_units_is_judged_by_what_it_may_spend(tmp_path: Path) -> None:
    judged = gate(tmp_path, "looks = [100, 400, 500]")
    rows(tmp_path, 100, every=10)
    assert [one.verdict for one in judged.run()] == ["inconclusive"]
    rows(tmp_path, 320)
    [one] = judged.run()
    assert one.verdict == "passed"
    assert "what this look may spend at 320 units" in one.why
    assert one.p_passed is not None
    assert one.p_passed <= errors_at((100, 320), 500, 0.05)[-1]


def test_nothing_is_left_to_spend_once_all_planned_units_were_seen(tmp_path: Path) -> None:
    judged = gate(tmp_path, "looks = [100, 200, 300]")
    for count in (100, 320):
        rows(tmp_path, count, every=8)
        judged.run()
    rows(tmp_path, 400, every=8)
    [one] = judged.run()
    assert one.verdict == "inconclusive"
    assert "had been seen" in one.why


def test_units_of_looks_are_clusters_where_rows_belong_together(tmp_path: Path) -> None:
    """Of ten rows each, the first hundred clusters were taken for all the units there should ever be."""
    judged = gate(tmp_path, "looks = [100, 200]", more='cluster = "page"')
    for clusters in (100, 200):
        lines = [f"{i},a,{'b' if i % 10 == i // 10 % 10 else 'a'},p{i // 10}\n" for i in range(10 * clusters)]
        (tmp_path / "rows.csv").write_text("id,label,guess,page\n" + "".join(lines))
        [one] = judged.run()
        assert "may spend" not in one.why, "the look is one of those that were planned"
    assert (one.look, one.verdict) == (2, "passed")
    ledger = (tmp_path / "adjudge-looks.jsonl").read_text().splitlines()
    assert [json.loads(line)["units"] for line in ledger] == [100, 200]
