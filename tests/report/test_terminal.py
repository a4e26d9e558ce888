"""The terminal report: eighty columns, any encoding, any label."""

from __future__ import annotations

import io

import examples
import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

import adjudge
from adjudge.report import terminal
from adjudge.report.sheet import Sheet
from adjudge.report.summary import Summary


def printed(summary: Summary, width: int = 80, encoding: str = "utf-8", *, everything: bool = False) -> str:
    """What arrives in a file of that encoding: characters it cannot hold would raise."""
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
    console = Console(file=file, width=width, force_terminal=False, legacy_windows=False)
    terminal.render(summary, console, everything=everything)
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_it_fits_eighty_columns_in_any_encoding(summary: Summary, encoding: str) -> None:
    for line in printed(summary, encoding=encoding).splitlines():
        assert cell_len(line) <= 80


def test_numbers_are_not_cut() -> None:
    text = printed(examples.binary())
    for shown in ("0.9052", "[0.8999, 0.9105]", "11,988", "undefined", "no threshold reaches this recall"):
        assert shown in text
    for shown in ("rules-2024", "transformer-small", "31 rows", "Seed 7", "2,000 replicates"):
        assert shown in text


def test_labels_print_as_they_are() -> None:
    text = printed(examples.hostile(), width=400)
    assert "[red]x[/red]" in text
    assert "\\x1b[31mred\\x1b[0m" in text


def test_no_control_character_is_emitted(summary: Summary) -> None:
    text = printed(summary)
    assert all(character.isprintable() or character == "\n" for character in text)


def test_ascii_terminals_get_ascii() -> None:
    assert printed(examples.binary(), encoding="ascii").isascii()


def test_a_level_without_a_value_is_shown() -> None:
    assert "NA" in printed(examples.binary())


def test_it_prints_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.render(examples.undefined())
    assert "undefined" in capsys.readouterr().out


def test_panels_are_printed_as_tables() -> None:
    text = printed(examples.agreement())
    assert "30 × 30 values, from −0.21 (annotator 01, annotator 03) to 0.95" in text
    assert "rated no item that others rated" in text
    assert "Compare with 0.731." in text
    assert "left out" not in text
    for shown in ("0.92", "−0.21", "[0.740, 0.850]", "31.8 %", "<0.001", "12,345", "doc-9 "):
        assert shown in text


def ratings(categories: int = 4, **asked: object) -> Summary:
    """Three raters of a hundred items, one of whom is often wrong."""
    random = np.random.default_rng(1)
    truth = random.integers(0, categories, 100)
    table: dict[str, list[object]] = {"month": [f"month {row // 25}" for row in range(100)]}
    for name, right in (("ann", 0.9), ("ben", 0.8), ("eva", 0.5)):
        said = np.where(random.random(100) < right, truth, random.integers(0, categories, 100))
        table[name] = [None if random.random() < 0.1 else int(code) for code in said]
    return adjudge.agreement(table, raters=["ann", "ben", "eva"], replicates=200, **asked).summary


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("categories", [2, 4, 30])
def test_agreement_is_short_enough_to_be_read(level: str, categories: int) -> None:
    summary = ratings(categories, measurement=level)
    short, whole = printed(summary, width=100), printed(summary, everything=True)
    assert len(short.splitlines()) <= 40
    assert len(whole.splitlines()) > 120
    assert summary.answer is not None
    assert summary.answer.headline in " ".join(short.split())
    assert "eva" in short
    panels = summary.panels
    for panel in (*panels.matrices, *panels.forests, *panels.bars, *panels.tables):
        assert panel.title in whole
    assert "--all" in short


def test_what_was_asked_for_is_among_the_findings() -> None:
    text = " ".join(printed(ratings(model="eva", batch="month"), width=100).split())
    assert "stand-in" in text
    assert "lowest of 4 batches" in text


def test_a_note_that_many_metrics_share_is_printed_once() -> None:
    table = {"ann": ["a"] * 30 + ["b"] * 3, "ben": ["a"] * 29 + ["b"] * 4, "eva": ["a"] * 30 + ["b"] * 3}
    text = " ".join(
        printed(adjudge.agreement(table, raters=list(table), replicates=200).summary, everything=True).split()
    )
    assert text.count("outside the commonest category") == 1
    assert "Krippendorff's alpha, Percent agreement, Fleiss' kappa" in text


@pytest.mark.parametrize("width", [0, 1, 2, 5, 9, 17])
def test_terminals_that_are_hardly_there(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some say that they have no columns at all."""
    sheet = Sheet(width)
    text = "87.7 % [82.6, 91.5] of 212 rows · extraordinarily"
    for first, indent in (("", 0), ("  ", 2), ("●  ", 12)):
        lines = sheet.wrapped(text, first, indent)
        assert "".join("".join(lines).split()).endswith("extraordinarily")
    found = adjudge.regression(
        {"y": [1.0, 2, 3, 4], "p": [1.0, 2, 3, 5]}, reference="y", prediction="p", replicates=100
    )
    monkeypatch.setenv("COLUMNS", str(width))
    terminal.render(found.summary, everything=True)
    assert capsys.readouterr().out
