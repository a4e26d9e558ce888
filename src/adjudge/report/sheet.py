"""What text is printed on: so many columns, some encoding, whatever the labels hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adjudge.report import words
from adjudge.report.answers.answer import MARKS

if TYPE_CHECKING:
    from rich.console import Console

WIDEST, NARROW = 100, 80
FEW_COLUMNS = 16  # fewer have no room for both ends of a name
ASCII_MARKS = {
    "beyond": "[X]",
    "looks": "[!]",
    "undecided": "[?]",
    "few": "[.]",
    "undefined": "[-]",
    "within": "[ok]",
    "plain": "[*]",
}
STYLES = {"beyond": "red", "looks": "yellow", "within": "green"}
_ASCII = {
    "−": "-",
    "–": "-",
    "—": "-",
    "·": "-",
    "…": "~",
    "∞": "inf",
    "“": '"',
    "”": '"',
    "’": "'",
    "α": "a",
    "κ": "k",
}
_ASCII |= {
    "±": "+/-",
    "│": "|",
    "┊": ":",
    "─": "-",
    "●": "o",
    "→": "->",
    "×": "x",
    "█": "#",
    "²": "2",
    "≥": ">=",
    "≤": "<=",
}
_TO_ASCII = str.maketrans(_ASCII)


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One line, with the style of all of it, or of the mark that it shows."""

    text: str
    style: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed on: so many columns, in some encoding."""

    width: int
    encoding: str = "utf-8"
    ascii: bool = False

    def shown(self, text: str, most: int = 2000) -> str:
        """Text in characters that can be shown, none of which moves the cursor."""
        text = words.visible(text, most)
        text = text.translate(_TO_ASCII) if self.ascii else text
        return text.encode(self.encoding, "backslashreplace").decode(self.encoding)

    def mark(self, mark: str) -> str:
        """How a state is drawn."""
        return "" if not mark else ASCII_MARKS[mark] if self.ascii else MARKS[mark]

    def wrapped(self, text: str, first: str = "", indent: int = 0) -> list[str]:
        """Text broken between words; one that is longer than a line is broken inside."""
        from rich.cells import cell_len, chop_cells

        lines, line = [], first
        for piece in _unbroken(text):
            word = piece
            start = line if not line.strip() or line.endswith(" ") else f"{line} "
            if cell_len(start) + cell_len(word) > self.width and line.strip():
                lines.append(line.rstrip())
                start = " " * indent
            while word and cell_len(start) + cell_len(word) > self.width:
                room = max(8, self.width - cell_len(start))
                pieces = chop_cells(word, room)
                lines.append(start + pieces[0])
                start, word = " " * indent, "".join(pieces[1:])
            line = start + word
        return [*lines, line.rstrip()]

    def fitted(self, text: str, room: int) -> str:
        """Text cut to some room."""
        from rich.cells import cell_len, set_cell_size

        if cell_len(text) <= room:
            return text
        return set_cell_size(text, max(1, room - 1)).rstrip() + ("~" if self.ascii else "…")

    def named(self, text: str, room: int) -> str:
        """A name cut in its middle: what parts it from another may stand at its end."""
        from rich.cells import cell_len

        if cell_len(text) <= room or room < FEW_COLUMNS:
            return self.fitted(text, room)
        end = text[-room // 3 :]
        while cell_len(end) > room // 3:
            end = end[1:]
        return self.fitted(text, room - cell_len(end)) + end

    def ending(self, text: str, room: int) -> str:
        """The end of a name that has no room: what parts it from the others stands there."""
        from rich.cells import cell_len

        while cell_len(text) > room and len(text) > 1:
            text = text[2:] if text[0] in "~…" else text[1:]
            text = ("~" if self.ascii else "…") + text
        return text


def standard_output() -> Console:
    """The console of standard output, of the usual width where it says that it has no columns, as some do."""
    from rich.console import Console

    console = Console()
    return console if console.width > 0 else Console(width=NARROW)


def _unbroken(text: str) -> list[str]:
    """Words, with intervals and percentages in one piece.

    >>> _unbroken("87.7 % [82.6, 91.5] of 212")
    ['87.7 %', '[82.6, 91.5]', 'of', '212']
    """
    kept: list[str] = []
    for word in text.split(" "):
        open_bracket = kept and kept[-1].startswith("[") and "]" not in kept[-1] and len(kept[-1]) < 16
        if kept and (word.startswith("%") or open_bracket):
            kept[-1] = f"{kept[-1]} {word}"
        else:
            kept.append(word)
    return kept


def columns_wide(text: str) -> int:
    """How many columns a text takes."""
    from rich.cells import cell_len

    return cell_len(text)


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Text filled up to a width."""
    space = " " * max(0, width - columns_wide(text))
    return space + text if right else text + space


def widest(names: Sequence[str], sheet: Sheet, most: int) -> int:
    """The columns that a column of names takes, at most so many."""
    return min(most, max((columns_wide(sheet.shown(name)) for name in names), default=1))
