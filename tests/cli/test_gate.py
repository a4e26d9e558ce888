"""`adjudge gate` and `--require`: exit codes, files, and what a person reads."""

from __future__ import annotations

import json
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from adjudge.evaluation.gates.schema import schema

DOCS = Path(__file__).parents[2] / "docs"
GATE = """
[gate]
name = "release 4.2"
data = "test.csv"
task = "classification"
reference = "label"
prediction = { old = "v41", new = "v42" }
positive = "spam"
replicates = 200

[[requirement]]
name = "good enough"
metric = "accuracy"
system = "new"
at_least = 0.80

[[requirement]]
name = "no worse than the one in use"
metric = "accuracy"
system = "new"
versus = "old"
margin = 0.1

[[requirement]]
name = "nobody left behind"
metric = "recall"
system = "new"
every = "language"
at_least = 0.80
undecided = "{undecided}"

[[evidence]]
characteristic = "integrity"
statement = "access review done"
owner = "security team"
date = 2026-11-02
expires = 2999-05-02
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = ["label,v41,v42,language\n"]
    for i in range(300):
        label = "spam" if i % 2 else "ham"
        other = "ham" if i % 2 else "spam"
        language = "fi" if i % 30 in (0, 1) else "de\x1b[31m" if i % 3 else "en <b>"
        lines.append(f"{label},{label if i % 10 else other},{label if i % 12 else other},{language}\n")
    (tmp_path / "test.csv").write_text("".join(lines), encoding="utf-8")
    (tmp_path / "gate.toml").write_text(GATE.replace("{undecided}", "warn"), encoding="utf-8")
    return tmp_path


def test_the_whole_way(folder: Path, adjudge_cli: Any) -> None:
    files = {kind: folder / f"out.{kind}" for kind in ("junit", "json", "markdown", "html", "save")}
    said = adjudge_cli("gate", folder / "gate.toml", *(f"--{kind}={path}" for kind, path in files.items()))
    assert said.code == 0, said.err
    assert "PASSED" in said.out
    assert "nobody left behind" in said.out
    assert "\x1b" not in said.out
    verdicts = json.loads(files["json"].read_text())
    assert verdicts["exit_code"] == 0
    assert [one["verdict"] for one in verdicts["verdicts"]] == ["passed", "passed", "inconclusive", "declared"]
    assert len(verdicts["file_hash"]) == 64
    assert verdicts["fingerprint"]
    assert "Requirements" in files["html"].read_text()
    again = adjudge_cli("gate", folder / "gate.toml", "--data", files["save"], "--quiet")
    assert (again.code, again.out) == (0, "")


def test_junit_has_the_structure_that_readers_know(folder: Path, adjudge_cli: Any) -> None:
    adjudge_cli("gate", folder / "gate.toml", f"--junit={folder / 'out.xml'}", "--quiet")
    root = ET.parse(folder / "out.xml").getroot()
    assert root.tag == "testsuites"
    [suite] = root
    assert suite.attrib["name"] == "release 4.2"
    cases = suite.findall("testcase")
    assert int(suite.attrib["tests"]) == len(cases) == 6
    assert int(suite.attrib["skipped"]) == len(suite.findall("testcase/skipped"))
    assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
    for case in cases:
        assert {"name", "classname", "time"} <= case.attrib.keys()
        assert {child.tag for child in case} <= {"properties", "failure", "error", "skipped"}
        assert {one.attrib["name"] for one in case.iter("property")} >= {"method", "n"}
    assert any("�[31m" in case.attrib["name"] for case in cases)


def test_strict_and_blocking(folder: Path, adjudge_cli: Any) -> None:
    blocking = folder / "block.toml"
    blocking.write_text(GATE.replace("{undecided}", "block"), encoding="utf-8")
    said = adjudge_cli("gate", blocking, f"--junit={folder / 'out.xml'}")
    assert said.code == 3
    assert said.out.count("INCONCLUSIVE: nobody left behind.") == 1
    assert "These data show" in said.out
    assert 'type="inconclusive"' in (folder / "out.xml").read_text()
    assert adjudge_cli("gate", blocking, "--strict").code == 1


def test_what_did_not_pass_advises_a_command_that_runs(
    folder: Path, adjudge_cli: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = GATE.replace("{undecided}", "warn").replace("at_least = 0.80", "at_least = 0.97", 1)
    (folder / "gate.toml").write_text(text, encoding="utf-8")
    said = adjudge_cli("gate", folder / "gate.toml", "--html", folder / "page.html")
    assert said.code == 1
    plain = " ".join(said.out.split())
    typed = plain[plain.index("adjudge classification test.csv") :].partition("--items items.csv")
    assert "in the folder of the table:" in plain
    assert "--margin" not in plain.replace(typed[0], "")
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "<code>--" not in page.partition('id="next-title"')[2].partition("</aside>")[0]
    monkeypatch.chdir(folder)
    again = adjudge_cli(*shlex.split(typed[0] + typed[1])[1:])
    assert (again.code, (folder / "items.csv").exists()) == (0, True), again.err


def test_a_requirement_on_a_column_names_it(folder: Path, adjudge_cli: Any) -> None:
    rows = "\n".join(f"a,a,{place % 50}" for place in range(200))
    (folder / "t.csv").write_text(f"y,p,seconds\n{rows}\n")
    (folder / "c.toml").write_text(
        '[gate]\ndata = "t.csv"\ntask = "classification"\nreference = "y"\nprediction = "p"\n'
        '[[requirement]]\nname = "fast"\nmetric = "quantile(at=0.95)"\ncolumn = "seconds"\nat_most = 3\n'
        '[[requirement]]\nname = "good"\nmetric = "accuracy"\nat_least = 0.5\n'
    )
    said = adjudge_cli("gate", folder / "c.toml")
    assert "fast: quantile(at=0.95) of seconds 47" in said.out
    assert "good: accuracy 1" in said.out


def test_the_summary_of_a_step(folder: Path, adjudge_cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = folder / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert adjudge_cli("gate", folder / "gate.toml", "--summary", "--quiet").code == 0
    text = summary.read_text()
    assert text.startswith("before\n")
    assert "**PASSED" in text
    assert "| ✓ passed | good enough |" in text


def test_a_long_summary_is_cut() -> None:
    from adjudge.evaluation.gates.verdicts import Judgement, Verdict
    from adjudge.report.gates.gate import Verdicts

    levels = tuple(Verdict("a", "a", "failed", "x" * 50, slice=f"language = {i}") for i in range(50_000))
    text = Verdicts(Judgement("a", "failed", (Verdict("a", "a", "failed", levels=levels),))).to_markdown()
    assert len(text.encode()) < 1_000_000
    assert "more level" in text


def test_what_cannot_run_says_so_everywhere(folder: Path, adjudge_cli: Any) -> None:
    said = adjudge_cli("gate", folder / "gate.toml", "--data", folder / "none.csv", f"--junit={folder / 'out.xml'}")
    assert said.code == 2
    assert said.err.startswith("adjudge: ")
    assert "<error" in (folder / "out.xml").read_text()
    wrong = folder / "wrong.toml"
    wrong.write_text(GATE.replace("{undecided}", "warn").replace('reference = "label"', 'referense = "label"'))
    said = adjudge_cli("gate", wrong, "--check")
    assert said.code == 2
    assert 'Did you mean "reference"' in said.err
    wrong.write_text("[gate\n")
    assert "must be TOML" in adjudge_cli("gate", wrong).err
    assert adjudge_cli("gate", folder / "gate.toml", "--check").out.endswith("3 requirements, nothing wrong\n")
    assert "is already read" in adjudge_cli("gate", folder / "gate.toml", f"--json={folder / 'test.csv'}").err


def test_json_and_yaml_are_the_same_gate(folder: Path, adjudge_cli: Any) -> None:
    document = {"gate": {"name": "a"}, "requirement": ["accuracy >= 0.9", {"metric": "recall", "at_least": 0.5}]}
    (folder / "gate.json").write_text(json.dumps(document))
    assert adjudge_cli("gate", folder / "gate.json", "--check").code == 0
    (folder / "gate.yaml").write_text("requirement:\n  - accuracy >= 0.9\n")
    said = adjudge_cli("gate", folder / "gate.yaml", "--check")
    assert said.code == 0 or "PyYAML" in said.err


def test_required_on_any_task(folder: Path, adjudge_cli: Any) -> None:
    roles = ("--reference", "label", "--prediction", "v42", "--replicates", "200")
    table = folder / "test.csv"
    said = adjudge_cli(
        "classification", table, *roles, "--require", "accuracy >= 0.8", "every language: recall[spam] >= 0.1"
    )
    assert said.code == 0, said.err
    assert said.out.index("PASSED") < said.out.index("accuracy >= 0.8")
    assert adjudge_cli("classification", table, *roles, "--quiet", "--require", "accuracy >= 0.99").code == 1
    assert adjudge_cli("classification", table, *roles, "--quiet", "--require", "accuracy >= 0.92").code == 3
    assert adjudge_cli("classification", table, *roles, "--quiet", "--require", "accuracy > 0.9").code == 2
    numbers = folder / "numbers.csv"
    numbers.write_text("y,m\n" + "".join(f"{i},{i + (i % 3) - 1}\n" for i in range(100)))
    regression = ("regression", numbers, "--reference=y", "--prediction=m", "--quiet", "--require")
    assert adjudge_cli(*regression, "rmse <= 2.5", "mean_absolute_error <= 1").code == 0


def test_begin_from_an_evaluation(folder: Path, adjudge_cli: Any) -> None:
    saved, begun = folder / "e.adjudge", folder / "begun.toml"
    roles = ("--reference", "label", "--system", "old", "prediction=v41", "--system", "new", "prediction=v42")
    adjudge_cli("classification", folder / "test.csv", *roles, "--save", saved, "--quiet", "--replicates", "200")
    assert adjudge_cli("gate", "init", saved, "--out", begun).code == 0
    text = begun.read_text()
    assert '# metric = "accuracy"' in text
    begun.write_text(
        "\n".join(line.removeprefix("# ") if "estimate" not in line else "" for line in text.splitlines()[1:])
    )
    said = adjudge_cli("gate", begun, "--json", folder / "v.json")
    assert said.code == 0, said.out + said.err
    assert adjudge_cli("gate", "init", saved, "--out", begun).code == 2


def test_the_schema_is_shipped_and_says_what_the_reader_takes(adjudge_cli: Any) -> None:
    printed = json.loads(adjudge_cli("gate", "--schema").out)
    assert printed == schema() == json.loads((DOCS / "gate.schema.json").read_text(encoding="utf-8"))
    keys = printed["properties"]["requirement"]["oneOf"][1]["items"]["oneOf"][0]["properties"]
    assert {"metric", "between", "looks", "every", "characteristic"} <= keys.keys()


@pytest.mark.parametrize("where", ["before", "below"])
@pytest.mark.parametrize("line", ['"accuracy >= 0.6"', '["accuracy >= 0.6"]'])
def test_a_line_of_text_is_read_wherever_it_stands(where: str, line: str, folder: Path, adjudge_cli: Any) -> None:
    """What is written below [gate] belongs to it in TOML, which few who write one know."""
    line = f"requirement = {line}\n"
    head = '[gate]\ndata = "test.csv"\nreference = "label"\nprediction = "v42"\n'
    (folder / "own.toml").write_text(line + head if where == "before" else head + line)
    said = adjudge_cli("gate", folder / "own.toml")
    assert (said.code, "✓ passed       accuracy >= 0.6" in said.out) == (0, True), said.err
