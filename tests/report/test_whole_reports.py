"""Whole reports of the small examples, as text: every table, note and fold line, in Markdown and on the page."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import examples
from tests.kept.keeping import kept

from adjudge.evaluation.panels import ForestLine, ForestPanel, MatrixPanel
from adjudge.report import fold_lines, grids, html, markdown
from adjudge.report.summary import Summary

SNAPSHOT = Path(__file__).with_name("whole_reports.md")
READ = ("binary", "topics", "agreement", "undefined", "empty", "degenerate")
"""The examples that a person can read through: the others are hostile, or huge."""


def seen(page: str) -> str:
    """What a page says: its text without scripts, styles and drawings, a line for each row, head and paragraph."""
    body = page[page.index("<body") :]
    body = re.sub(r"(?s)<(script|style|svg|template)\b.*?</\1>", "", body)
    body = re.sub(r"\s+", " ", body)
    body = re.sub(r"</(tr|p|h\d|summary|section|caption|li|dt|dd|figcaption|div)>", "\n", body)
    body = re.sub(r"</t[hd]>", " | ", body)
    lines = (re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", line))).strip() for line in body.splitlines())
    return "\n".join(line for line in lines if line.strip("| "))


def shown(name: str) -> str:
    summary: Summary = examples.ALL[name]()
    return (
        f"# {name}, in Markdown\n\n```text\n{markdown.render(summary)}```\n\n"
        f"# {name}, on the page\n\n```text\n{seen(html.render(summary))}\n```\n"
    )


def test_whole_reports_are_as_they_were() -> None:
    made = "\n".join(shown(name) for name in READ)
    assert made == kept(SNAPSHOT, made)


def test_names_of_raters_do_not_cut_what_is_said_of_a_matrix() -> None:
    """A name may hold what parts sentences."""
    panel = MatrixPanel("", "", ["a; b"], ["5 values, c", "d"], [[0.25, 0.5]], [], [], [], (0.0, 1.0))
    said = "from 0.25 (a; b, 5 values, c) to 0.50 (a; b, d)"
    assert fold_lines._matrix(panel) == said
    assert grids.matrix_words(panel) == f"1 × 2 values, {said}; the HTML report draws them."
    nothing = MatrixPanel("", "", ["a"], ["b"], [[None]], [], [], [], (0.0, 1.0))
    assert fold_lines._matrix(nothing) == "none of them defined"
    assert grids.matrix_words(nothing) == "1 × 1 values, none of them defined."


def test_a_report_of_one_metric() -> None:
    """One line, one system: no column of systems, and no table of other methods where there is none."""
    summary = examples.binary()
    alone = replace(summary, systems=["rules-2024"], metrics=[replace(summary.metrics[1], level=0.9)])
    text, page = markdown.render(alone), seen(html.render(alone))
    assert "| Metric | Estimate | 90 % interval | Baseline | n | Method | Note |" in text
    assert text.count("| Precision · spam |") == 1
    for shown_text in (text, page):
        assert "other methods" not in shown_text
    assert "Metric | Estimate | 90 % interval |" in page


def test_a_forest_of_equal_values_is_not_said_twice() -> None:
    both = [ForestLine(name, 0.318, 0.242, 0.398, 40) for name in ("ann", "ben")]
    panel = ForestPanel("agreement", "", "F", both, None)
    assert fold_lines._forest(panel) == "ann 0.318 [0.242, 0.398], the same for all"
