"""The Markdown report: tables keep their columns, labels stay text."""

from __future__ import annotations

import re

import examples
import pytest

from adjudge.report import markdown
from adjudge.report.summary import Summary


def test_every_table_row_has_as_many_cells_as_its_head(summary: Summary) -> None:
    width = 0
    for line in markdown.render(summary).splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        cells = len(re.findall(r"(?<!\\)\|", line)) - 1
        width = width or cells
        assert cells == width


def test_no_label_becomes_html(summary: Summary) -> None:
    folds = re.compile(r"^(</?details>|<summary>[^<]*</summary>)$", re.MULTILINE)  # the only tags there are
    assert not re.search(r"<[a-zA-Z/!]", folds.sub("", markdown.render(summary)))


def test_numbers_are_there() -> None:
    text = markdown.render(examples.binary())
    assert "| Accuracy | 0.9052 | [0.8999, 0.9105] | 0.8000 | 11,988 | Wilson score |  |" in text
    assert "undefined" in text
    assert "| reference is missing | 31 rows |" in text


def test_panels_are_there() -> None:
    text = markdown.render(examples.agreement())
    assert "| ann | – | 0.92 | – | 0.86 | 0.83 |" in text
    assert "| ben | 0.750 | [0.690, 0.800] | 370 | often one step higher |" in text
    assert "| no drift over time | 1.21 | 0.272 | yes |" in text
    assert "75 more rows are left out." in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a\\|b"),
        ("`code`", "\\`code\\`"),
        ("*b* _i_", "\\*b\\* \\_i\\_"),
        ("# head", "\\# head"),
        ("- item", "\\- item"),
        ("1. item", "1\\. item"),
        ("[a](b)", "[a\\](b)"),
        ("back\\slash|", "back\\\\slash\\|"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("two\nlines", "two\\\\nlines"),
    ],
)
def test_escaping(text: str, shown: str) -> None:
    assert markdown.escaped(text) == shown
