"""TREC files: what is read, what is refused with file and line, and trec_eval's own figures where it is right."""

from __future__ import annotations

import gzip
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.golden.list_rows import CASES
from tests.tasks.ranking.tables import table_of

import adjudge
from adjudge.cli.main import main
from adjudge.errors import AdjudgeError
from adjudge.interop import trec

GIVEN, EXPECTED = CASES["trec_missing_and_unjudged"]["input"], CASES["trec_missing_and_unjudged"]["expect"]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "first.run"
    qrels.write_text(GIVEN["qrels"])
    run.write_text(GIVEN["run"])
    return qrels, run


def counted(e: adjudge.Evaluation) -> dict[str, Any]:
    [panel] = [panel for panel in e.outcome.panels.tables if "know" in panel.title]
    return {row[0]: row[1] for row in panel.rows}


def test_what_is_missing_and_what_nobody_judged(files: tuple[Path, Path]) -> None:
    e = trec.evaluate(*files, replicates=100)
    assert e["mean_reciprocal_rank"].value == EXPECTED["mrr"]
    assert e.outcome.systems == ["s"]
    facts, known = EXPECTED["facts"], counted(e)
    assert e.outcome.settings.choices["Queries"] == str(facts["queries_judged"])
    assert known["queries that s does not answer"] == facts["queries_not_in_run"]
    assert known["queries without a relevant item"] == facts["queries_without_relevant"]
    assert known["items that nobody judged"] == facts["unjudged_items"]
    assert e.left_out == {"no item of the query is judged": facts["queries_not_judged"]}
    answered = trec.evaluate(*files, unanswered="skip", replicates=100, metrics=["mean_reciprocal_rank", "ndcg"])
    assert answered["mean_reciprocal_rank"].value == EXPECTED["mrr_missing_skip"]


@pytest.mark.parametrize("unjudged", ["irrelevant", "skip"])
def test_the_first_query_alone(files: tuple[Path, Path], unjudged: str) -> None:
    suffix = "_unjudged_skip" if unjudged == "skip" else ""
    names = {"mean_reciprocal_rank": "rr_q1", "ndcg(gain=linear)": "ndcg_linear_q1"}
    e = trec.evaluate(*files, unanswered="skip", unjudged=unjudged, replicates=100, metrics=list(names))
    for metric, figure in names.items():
        assert e[metric].value == pytest.approx(EXPECTED[figure + suffix])


def test_the_command_reads_them(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ranking", str(files[0]), "--runs", str(files[1]), "--replicates", "100", "--at", "3"]) == 0
    assert "2 queries, NDCG@3 0.09" in capsys.readouterr().out


def test_several_runs_are_several_systems_and_odd_files_are_read(tmp_path: Path, files: tuple[Path, Path]) -> None:
    """A byte order mark, blank lines, tabs, CRLF, fractions, a zipped file; a line that says the same twice."""
    (tmp_path / "odd.qrels").write_bytes(
        "\ufeffq1\t0\ta 1\r\n\r\nq1 0 a 1\r\nq1 0 b 0.5\r\n q2 0 x -1\r\nq2 0 y 1".encode()
    )
    with gzip.open(tmp_path / "second.run.gz", "wt") as file:
        file.write("q1 Q0 a 1 1.0 one\nq2 Q0 y 1 1.0 two\nq2 Q0 x 2 2.0 two\n")
    qrels, run = trec.read_qrels(tmp_path / "odd.qrels"), trec.read_run(tmp_path / "second.run.gz")
    assert (qrels.relevance["q1", "a"], qrels.relevance["q1", "b"], qrels.repeated) == (1.0, 0.5, 1)
    assert (run.name, run.contradictions) == ("second.run.gz", 1)
    e = trec.evaluate(tmp_path / "odd.qrels", [files[1], tmp_path / "second.run.gz"], replicates=100)
    assert e.outcome.systems == ["s", "second.run.gz"]
    assert e.get("mean_reciprocal_rank", system="second.run.gz").value == 0.75


WRONG = {
    "q1 Q0 a 1 2.0": "line 1 has 5 fields",
    "q1 Q0 a 1 2.0 s t": "line 1 has 7 fields",
    "q1 Q0 a 1 high s": "the score of line 1 is no finite number",
    "q1 Q0 a 1 nan s": "the score of line 1 is no finite number",
    "q1 Q0 a 1 2 s\nq1 Q0 a 2 1 s": 'lines 1 and 2 both have "a" of query "q1"',
    "": "it has none",
    "x" * 200 + " Q0": "xxx...",
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: WRONG[text])
def test_wrong_runs_are_refused_with_file_and_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.run").write_text(text)
    with pytest.raises(AdjudgeError) as refusal:
        trec.read_run(tmp_path / "wrong.run")
    assert WRONG[text] in str(refusal.value)
    assert '"wrong.run"' in str(refusal.value)
    assert len(str(refusal.value)) < 260


def test_judgements_that_differ_are_refused(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 a 2\n")
    with pytest.raises(AdjudgeError, match="lines 1 and 2 both have"):
        trec.read_qrels(tmp_path / "qrels")
    (tmp_path / "qrels").write_text("q1 0 a yes\n")
    with pytest.raises(AdjudgeError, match="the relevance of line 1 is no finite number"):
        trec.read_qrels(tmp_path / "qrels")
    with pytest.raises(AdjudgeError, match=r'must be an existing file, but there is no "nowhere" in its folder'):
        trec.read_qrels(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["\ud800", "a\0b", "cut.gz", "long.gz", "x" * 5000, "folder"])
def test_runs_that_cannot_be_read_are_refused(name: str, tmp_path: Path, files: tuple[Path, Path]) -> None:
    """Names that no file can have, a packed file that is cut off, and one line without an end."""
    whole = gzip.compress(b"1 Q0 d1 1 0.5 run\n" * 1000)
    (tmp_path / "cut.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "long.gz").write_bytes(gzip.compress(b"x" * (1 << 24)))
    (tmp_path / "folder").mkdir()
    with pytest.raises(AdjudgeError):
        trec.evaluate(files[0], [os.path.join(tmp_path, name)])


def test_roles_follow_from_the_files(files: tuple[Path, Path]) -> None:
    with pytest.raises(AdjudgeError, match="`query` must be left out where `runs` are given"):
        trec.evaluate(*files, query="q")
    with pytest.raises(AdjudgeError, match="must be a TREC file of judgements"):
        adjudge.ranking({"q": [1]}, runs="first.run")
    with pytest.raises(AdjudgeError, match="Runs must have different tags"):
        trec.evaluate(files[0], [files[1], files[1]])


def answered(digits: int) -> dict[str, Any]:
    """A table in which every query has a relevant item."""
    table = table_of(80, digits=digits)
    keep = {q for q, rel in zip(table["q"], table["rel"], strict=True) if rel}
    rows = [k for k, q in enumerate(table["q"]) if q in keep]
    return {name: [values[k] for k in rows] for name, values in table.items()}


def in_dicts(table: dict[str, Any]) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for q, doc, rel, score in zip(table["q"], table["doc"], table["rel"], table["m"], strict=True):
        qrels.setdefault(q, {})[doc] = rel
        run.setdefault(q, {})[doc] = score
    return qrels, run


NAMES = {
    "ndcg(gain=linear)": "ndcg",
    "ndcg(at=5, gain=linear)": "ndcg_cut_5",
    "mean_average_precision": "map",
    "mean_average_precision(at=5)": "map_cut_5",
    "mean_reciprocal_rank": "recip_rank",
    "precision_at(at=5)": "P_5",
    "recall_at(at=5)": "recall_5",
    "hit_rate_at(at=5)": "success_5",
}


@pytest.mark.parametrize("ties", ["none", "as trec_eval breaks them"])
def test_the_figures_of_trec_eval(ties: str) -> None:
    """Without ties on any data; with ties where they are broken as it breaks them."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    table = answered(15 if ties == "none" else 1)
    qrels, run = in_dicts(table)
    measures = {"ndcg", "ndcg_cut", "map", "map_cut", "recip_rank", "P", "recall", "success"}
    found = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    how = {} if ties == "none" else {"document": "doc", "ties": "trec"}
    e = adjudge.ranking(table, query="q", relevance="rel", score="m", metrics=list(NAMES), replicates=100, **how)
    for metric, name in NAMES.items():
        assert e[metric].value == pytest.approx(np.mean([query[name] for query in found.values()]), abs=1e-6), metric


def test_the_tied_ndcg_of_scikit_learn() -> None:
    """Query by query: it averages tied scores as we do, given the gains."""
    from sklearn.metrics import ndcg_score

    table = answered(1)
    for query in dict.fromkeys(table["q"]):
        rows = [k for k, q in enumerate(table["q"]) if q == query]
        relevance, score = ([table[name][k] for k in rows] for name in ("rel", "m"))
        if len(rows) > 1:
            theirs = ndcg_score([np.exp2(relevance) - 1], [score], k=5)
            assert adjudge.metrics.ndcg(relevance, score, at=5) == pytest.approx(theirs)


def test_figures_of_ir_measures() -> None:
    """Without ties, which it breaks in two ways; its gains are linear."""
    ir = pytest.importorskip("ir_measures")
    table = answered(15)
    qrels, run = in_dicts(table)
    names = {
        ir.nDCG: "ndcg(gain=linear)",
        ir.nDCG @ 5: "ndcg(at=5, gain=linear)",
        ir.AP: "mean_average_precision",
        ir.AP @ 5: "mean_average_precision(at=5)",
        ir.RR: "mean_reciprocal_rank",
        ir.RR @ 3: "mean_reciprocal_rank(at=3)",
        ir.P @ 5: "precision_at(at=5)",
        ir.R @ 5: "recall_at(at=5)",
        ir.Success @ 5: "hit_rate_at(at=5)",
    }
    theirs = ir.calc_aggregate(list(names), qrels, run)
    e = adjudge.ranking(table, query="q", relevance="rel", score="m", metrics=list(names.values()), replicates=100)
    for measure, metric in names.items():
        assert e[metric].value == pytest.approx(theirs[measure], abs=1e-6), metric


def test_figures_of_ranx() -> None:
    ranx = pytest.importorskip("ranx")
    table = answered(15)
    qrels, run = in_dicts(table)
    names = {"ndcg_burges@5": "ndcg(at=5)", "mrr": "mean_reciprocal_rank", "map@5": "mean_average_precision(at=5)"}
    theirs = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), list(names), make_comparable=False)
    e = adjudge.ranking(table, query="q", relevance="rel", score="m", metrics=list(names.values()), replicates=100)
    for name, metric in names.items():
        assert e[metric].value == pytest.approx(theirs[name])


def test_a_run_without_a_query_has_no_value_of_it(files: tuple[Path, Path]) -> None:
    e = trec.evaluate(*files, replicates=100, unanswered="skip")
    assert e["mean_reciprocal_rank"].n == 1
    assert math.isnan(e["mean_reciprocal_rank"].interval.low)
