"""The terminal report: eighty columns, any encoding, any label."""

from __future__ import annotations

import io

import examples
import pytest
from rich.cells import cell_len
from rich.console import Console

from adjudge.report import terminal
from adjudge.report.summary import Summary


def printed(summary: Summary, width: int = 80, encoding: str = "utf-8") -> str:
    """What arrives in a file of that encoding: characters it cannot hold would raise."""
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, write_through=True)
    terminal.render(summary, Console(file=file, width=width, force_terminal=False, legacy_windows=False))
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
    assert "30 × 30 values, from -0.21 (annotator 01, annotator 03) to 0.95" in text
    assert "rated no item that others rated" in text
    assert "Compare with 0.731." in text
    assert "75 more rows are left out." in text
    for shown in ("0.92", "-0.21", "[0.740, 0.850]", "31.8 %", "<0.001", "12,345", "doc-9 "):
        assert shown in text
