"""`adjudge adequacy` and `adjudge.adequacy`: standings, exit codes, files, and what a person reads."""

from __future__ import annotations

import json
import tomllib
import xml.etree.ElementTree as ET
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.browsing import Visit

import adjudge
from adjudge.errors import SettingError
from adjudge.evaluation.adequacy.purpose_file import HEAD, PARTS
from adjudge.evaluation.adequacy.tradeoffs import KEYS

PURPOSE = Path(str(files("adjudge") / "demo" / "purpose" / "purpose.toml"))
LOG = {"ms": [20.0, 35.0, 41.0, 60.0] * 25}


def of_log(bound: float, *evidence: dict[str, Any], **head: Any) -> adjudge.Adequacy:
    requirement = {"metric": "quantile(0.5)", "column": "ms", "at_most": bound, "characteristic": "efficiency"}
    document = {"purpose": head, "table": [{"name": "log", "requirement": [requirement]}], "evidence": list(evidence)}
    return adjudge.adequacy(document, {"log": LOG})


@pytest.fixture(scope="module")
def found() -> adjudge.Adequacy:
    return adjudge.adequacy(PURPOSE)


def test_the_bundled_example_measures_all_eight(found: adjudge.Adequacy) -> None:
    assert len(found.external) == 8
    for standing in found.external:
        assert standing.measured, standing.name
        leaves = [leaf for one in standing.verdicts for leaf in one.leaves if leaf.method != "none"]
        assert any(leaf.low is not None and leaf.high is not None for leaf in leaves), standing.name
    assert found.exit_code == 3
    assert [one.name for one in found.external if one.verdict == "inconclusive"] == ["reliability"]


def test_internal_quality_is_never_passed(found: adjudge.Adequacy) -> None:
    assert {one.verdict for one in found.internal} == {"declared", "nothing declared"}
    assert len(found.internal) == 7


@pytest.mark.parametrize(("bound", "code", "word"), [(80, 0, "passed"), (30, 1, "failed"), (38, 3, "inconclusive")])
def test_exit_codes(bound: float, code: int, word: str) -> None:
    judged = of_log(bound)
    assert (judged.exit_code, judged["efficiency"].verdict, judged["accuracy"].verdict) == (
        code,
        word,
        "nothing measured",
    )


def test_evidence_is_declared_expired_or_missing() -> None:
    old = {"characteristic": "integrity", "statement": "x", "date": "2020-01-01", "expires": "2020-02-01"}
    assert of_log(80, old).exit_code == 0  # told only
    assert of_log(80, old)["integrity"].verdict == "expired"
    assert of_log(80, {**old, "must": True}).exit_code == 1
    assert of_log(80, require=["portability"])["portability"].verdict == "missing"
    assert of_log(80, require=["portability"]).exit_code == 1
    declared = of_log(80, {"characteristic": "efficiency", "statement": "x", "date": "2026-01-01"})
    assert declared["efficiency"].verdict == "passed"


def test_failing_pays_for_all_tables() -> None:
    # Each alone would fail; together the p-values of both are adjusted, as in one gate.
    requirement = {"metric": "failed_share", "column": "failed", "at_most": 0.1, "characteristic": "correctness"}
    tables = [{"name": name, "requirement": [requirement]} for name in "abc"]
    rows = {name: {"failed": [1] * 10 + [0] * 40} for name in "abc"}
    alone = adjudge.adequacy({"table": tables[:1]}, {"a": rows["a"]})
    together = adjudge.adequacy({"table": tables}, rows)
    [one], three = list(alone), list(together)
    assert one.p_failed_adjusted == one.p_failed
    assert three[0].p_failed_adjusted == pytest.approx(3 * three[0].p_failed)


def test_files(found: adjudge.Adequacy, tmp_path: Path, adjudge_cli: Any) -> None:
    outputs = {name: tmp_path / f"out.{name}" for name in ("html", "json", "junit", "markdown")}
    said = adjudge_cli("adequacy", str(PURPOSE), *(f"--{name}={path}" for name, path in outputs.items()))
    assert said.code == 3
    assert "reliability is undecided" in said.out
    told = json.loads(outputs["json"].read_text())
    assert [one["characteristic"] for one in told["characteristics"][:8]] == [one.name for one in found.external]
    weighed, expected = told["tradeoffs"], found.tradeoffs
    assert expected is not None
    assert [(one["system"], one["state"]) for one in weighed["systems"]] == [
        (name, place.state) for name, place in zip(expected.systems, expected.fronts, strict=True)
    ]
    assert all(one["low"] <= one["value"] <= one["high"] for one in weighed["values"])
    assert weighed["utility"]["systems"][0]["value"] == expected.utility.values[0]
    assert weighed["sentences"] == expected.sentences
    assert len(ET.fromstring(outputs["junit"].read_text()).findall(".//testcase")) == 14
    page = outputs["html"].read_text()
    assert all(one.name in page for one in (*found.external, *found.internal))
    assert 'class="says">3 declared<' in page, "a fold says what is in it"
    assert "| usability | easier than most systems | passed |" in outputs["markdown"].read_text()
    assert outputs["json"].read_bytes() == adjudge.adequacy(PURPOSE).to_json()  # same input, same bytes


def test_strict_quiet_check_and_other_tables(tmp_path: Path, adjudge_cli: Any) -> None:
    assert adjudge_cli("adequacy", str(PURPOSE), "--check").out.endswith(
        "11 requirements, 3 of evidence, nothing wrong\n"
    )
    watched = tmp_path / "watch.csv"
    watched.write_text("week,hours,failures\n" + "".join(f"{week},168,0\n" for week in range(40)))
    said = adjudge_cli("adequacy", str(PURPOSE), "--quiet", "--data", f"service={watched}")
    assert (said.code, said.out) == (0, "")
    assert adjudge_cli("adequacy", str(PURPOSE), "--quiet", "--strict").code == 1
    refused = adjudge_cli("adequacy", str(PURPOSE), "--data", "service")
    assert refused.code == 2
    assert "NAME=TABLE" in refused.err


def test_what_could_not_run_is_an_error_for_junit(tmp_path: Path, adjudge_cli: Any) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("[[table]]\nname = 'log'\nrequirement = ['mean(ms) <= 1']\n")
    said = adjudge_cli("adequacy", str(broken), "--junit", str(tmp_path / "out.xml"))
    assert said.code == 2
    assert "characteristic" in said.err
    assert "<error" in (tmp_path / "out.xml").read_text()


def test_an_output_must_not_replace_a_table(tmp_path: Path, adjudge_cli: Any) -> None:
    said = adjudge_cli("adequacy", str(PURPOSE), "--html", str(PURPOSE))
    assert said.code == 2
    assert PURPOSE.read_text().startswith("#")


def test_a_hostile_name_is_only_text() -> None:
    name = "</script><script>alert(1)</script>"
    page = of_log(80, name=name).to_html()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (400, "dark")])
def test_the_page_in_a_browser(found: adjudge.Adequacy, browser: Any, tmp_path: Path, width: int, scheme: str) -> None:
    file = found.write(tmp_path / "page.html", "html")
    visit = Visit(browser, file, width, scheme=scheme)
    visit.unfold()
    visit.assert_quiet()
    assert not visit.sideways
    assert visit.violations() == []
    assert visit.count("#trade-offs table") >= 2
    text = visit.page.inner_text("body")
    assert all(one.name in text for one in (*found.external, *found.internal))
    visit.close()


def test_the_schema_says_what_the_reader_takes(adjudge_cli: Any) -> None:
    printed = json.loads(adjudge_cli("adequacy", "--schema").out)
    assert list(printed["properties"]) == list(PARTS)
    assert set(printed["properties"]["purpose"]["properties"]) == set(HEAD)
    assert set(printed["properties"]["tradeoffs"]["properties"]["of"]["items"]["properties"]) == set(KEYS)
    checker = pytest.importorskip("jsonschema").Draft202012Validator(printed)
    document = json.loads(json.dumps(tomllib.loads(PURPOSE.read_text(encoding="utf-8")), default=str))
    assert list(checker.iter_errors(document)) == []
    assert list(checker.iter_errors({**document, "porpose": {}}))
    assert list(checker.iter_errors({"table": [{"requirement": [{"metric": "mean", "at_mots": 3}]}]}))
    refused = adjudge_cli("adequacy")
    assert refused.code == 2
    assert "A purpose must be given" in refused.err


def test_an_unknown_characteristic_is_refused(found: adjudge.Adequacy) -> None:
    with pytest.raises(SettingError, match='Did you mean "usability"'):
        found["usabilty"]


def test_the_demonstration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, adjudge_cli: Any) -> None:
    monkeypatch.chdir(tmp_path)
    said = adjudge_cli("demo", "adequacy")
    assert said.code == 0
    assert said.out.startswith("adjudge demo adequacy --data purpose.toml\nadjudge adequacy purpose.toml\n")
    assert (tmp_path / "adjudge-demo.html").exists()
    assert adjudge_cli("demo", "adequacy", "--data", "purpose.toml").code == 0
    again = adjudge_cli("adequacy", "purpose.toml")
    assert (again.code, again.out in said.out) == (3, True)
    Path("survey.csv").write_text("mine")
    refused = adjudge_cli("demo", "adequacy", "--data", "purpose.toml")
    assert (refused.code, "survey.csv" in refused.err, Path("survey.csv").read_text()) == (2, True, "mine")
