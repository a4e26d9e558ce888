"""Tables in files: which files a path means, read one after the other.

A path is one file, a folder of Parquet files or a pattern such as `runs/*.csv`; all its files are of one
format. How a format is read is in `file_formats.py`.
"""

from __future__ import annotations

import glob
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from adjudge.data.blocks import reblocked
from adjudge.data.foreign import refusing
from adjudge.data.remarks import Remarks
from adjudge.data.source import ROWS, Batch, Source, around, check_request, distinct_names
from adjudge.data.tables.file_formats import FORMATS, Format, delimited_as, format_of
from adjudge.data.tables.fingerprints import BYTES, COLUMNS, FOOTERS, file_digest, joined_digests
from adjudge.data.tables.sheets import formulas_without_value, other_sheets
from adjudge.errors import InputError, SettingError, check_choice, did_you_mean, listed, quoted

if TYPE_CHECKING:
    from adjudge.data.tables.numbered_files import NumberedFiles

_NO_NAMES = re.compile(r"\s*(?:sep=.?|(?:#\s|//)[^\t]*)", re.IGNORECASE)  # what Excel reads, or a comment


@dataclass(frozen=True, slots=True)
class Files(Remarks):
    """One or several files of one format, read one after the other."""

    name: str
    paths: tuple[Path, ...]
    format: Format
    column_names: tuple[str, ...]
    states: Mapping[Path, tuple[int, ...]] = field(repr=False)  # of the files when they were opened
    notes: tuple[str, ...] = ()  # what was found out about how they are written
    doubts: tuple[str, ...] = ()  # what the first of them cannot tell, and should
    printed: str = BYTES  # what the fingerprint is of, and which columns, where it is of some
    columns: tuple[str, ...] = ()
    digests: dict[int, str] = field(default_factory=dict, repr=False, compare=False)  # of files, once they were made

    rereads: ClassVar[bool] = True  # the first rows cost little to read again

    def batches(self, texts: Sequence[str], numbers: Sequence[str], rows: int = ROWS) -> Iterator[Batch]:
        """The wanted columns, block by block; a block may span two files."""
        check_request([*texts, *numbers], self.column_names, rows)
        return reblocked(self._pieces(texts, numbers, rows), rows)

    def _pieces(self, texts: Sequence[str], numbers: Sequence[str], rows: int) -> Iterator[Batch]:
        for path in self.paths:
            try:
                if path != self.paths[0]:
                    self.check_alike(path, [*texts, *numbers])
                yield from self.format.pieces(path, texts, numbers, rows)
            except InputError:
                self._check_unchanged(path)  # a file that was cut may end in half a row
                raise
            self._check_unchanged(path)

    def _check_unchanged(self, path: Path) -> None:
        """What is evaluated, and what the fingerprint is of, must be the same file."""
        with refusing(path.name):
            same = _state(path) == self.states[path]
        if not same:
            raise InputError(
                f"A file must not change while it is read, but {quoted(path.name)} did. Wait until it is written, or "
                "copy it first."
            )

    def check_alike(self, path: Path, columns: Sequence[str]) -> None:
        known = _names(path, self.format)
        absent = [name for name in columns if name not in known]
        if absent and self.format.has_header:
            raise InputError(
                f"All files must have the same columns, but {quoted(path.name)} has no {listed(absent)} "
                f"and {quoted(self.paths[0].name)} has."
            )

    def expected_rows(self) -> int:
        """The rows that row groups count; of text, what the first lines are of all bytes; 0 where neither tells."""
        if (known := self.numbered()) is not None:
            return known.edges[-1]
        if not self.format.zipped or any(path.name.casefold().endswith(".gz") for path in self.paths):
            return 0
        with refusing(self.name), self.paths[0].open("rb") as file:
            first = file.read(1 << 18)
        return sum(state[2] for state in self.states.values()) * first.count(b"\n") // max(len(first), 1)

    def numbered(self) -> NumberedFiles | None:
        """The same rows by their numbers, where the files tell how many rows they have."""
        from adjudge.data.tables.numbered_files import numbered_files

        return numbered_files(self)

    def fingerprint(self) -> str:
        """A digest of the files, in order: of their bytes, or what is read of them; names and folders do not count."""
        each = [self.digest(place) for place in range(len(self.paths))]
        for path in self.paths:
            self._check_unchanged(path)
        return f"{'sha256' if self.printed == BYTES else self.printed}:{joined_digests(each)}"

    def digest(self, place: int) -> str:
        """That of one file, made once: where workers read files, by the one that reads its first rows."""
        if place not in self.digests:
            self.digests[place] = file_digest(self.paths[place], self.printed, self.columns)
        return self.digests[place]


def fingerprinted(source: Source, of: str | None, columns: Sequence[str]) -> Source:
    """The same table, with a fingerprint of what was asked for: usually of the columns that are read, where these stand
    apart in files, as in Parquet; of all bytes elsewhere.
    """
    check_choice("fingerprint", of or BYTES, (COLUMNS, BYTES, FOOTERS))
    if (inner := getattr(source, "source", None)) is not None:
        again = fingerprinted(inner, of, columns)
        return source if again is inner else around(source, again)
    if not isinstance(source, Files) or source.format is not FORMATS[".parquet"]:
        if of in (COLUMNS, FOOTERS):
            raise SettingError(
                f"`fingerprint` must be bytes where columns do not stand apart: {quoted(source.name)} is not Parquet "
                "files."
            )
        return source
    if of == BYTES or (of is None and not {*columns} <= {*source.column_names}):
        return source
    return replace(source, printed=of or COLUMNS, columns=tuple(sorted({*columns} & {*source.column_names})))


def open_files(where: str, delimiter: str | None = None) -> Source:
    """The source behind a path: a file, a folder of Parquet files, or a pattern.

    Cells of text files are parted by `delimiter`, or by what the first file shows.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "judgements.csv").write_text("item,label\\n1,spam\\n2,NA\\n")
    >>> source = open_files(str(folder / "judgements.csv"))
    >>> source.name, source.column_names
    ('judgements.csv', ('item', 'label'))
    """
    path = Path(os.path.expanduser(where))
    if not where:
        raise InputError("The table must be an existing file, but its name is empty. Name one.")
    if where == "-" or _is_pipe(path):
        what = "standard input" if where == "-" else f"{quoted(path.name)} is a pipe or a device, which"
        raise InputError(
            f"The table must be a file, because it is read more than once, but {what} can be read once. Write it to a "
            "file first, and name that."
        )
    # Of names that no file can have, such as too long ones, `os.path` says that there is none; pathlib raises.
    if os.path.isdir(path):
        check_folder(path)
        paths = _parquet_files(path)
        name = f"{os.path.basename(os.path.realpath(path))} ({_count(paths)})"
    elif os.path.isfile(path):
        paths, name = [path], path.name
    elif glob.has_magic(where):
        paths = [Path(name) for name in sorted(glob.glob(str(path), recursive=True)) if Path(name).is_file()]
        name = f"{path.name} ({_count(paths)})"
    else:
        raise no_file(path)
    if not paths:
        raise no_match(path)
    announced = _one_format(paths)
    with refusing(name):
        states = {path: _state(path) for path in paths}  # before the first of their bytes is looked at
    kind = delimited_as(announced, paths[0], delimiter)
    names = _names(paths[0], kind)
    doubts = formulas_without_value(paths[0]) if kind is FORMATS[".xlsx"] else ()
    return Files(name, tuple(paths), kind, names, states, _notes(paths[0], announced, kind, delimiter), doubts)


def files_meant(where: str) -> list[str]:
    """Every file that a path may mean, before it is opened: a file, those of a folder, or those of a pattern.

    >>> files_meant("no such file.csv")
    ['no such file.csv']
    """
    path = os.path.expanduser(where)
    if "\0" in path:  # no name of a file has one
        return [path]
    if os.path.isdir(path):
        within = os.path.join(glob.escape(path), "**", "*.parquet")
        return glob.glob(within, recursive=True) or glob.glob(os.path.join(glob.escape(path), "*"))
    return sorted({path, *glob.glob(path, recursive=True)})


def no_match(pattern: Path) -> InputError:
    """The refusal of a pattern that no file matches, as far as its folder can be looked into."""
    if os.path.isdir(pattern.parent):
        check_folder(pattern.parent)
    return InputError(f"There must be at least one file, but none matches {quoted(pattern.name)}.")


def check_folder(path: Path) -> None:
    """Refuse a folder that cannot be looked into; for whoever may not, there is nothing in it."""
    try:
        os.scandir(path).close()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(
            f"A folder must be one that can be looked into, but {quoted(path.name)} cannot: {reason}."
        ) from None


def _is_pipe(path: Path) -> bool:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _state(path: Path) -> tuple[int, ...]:
    """What changes when a file does."""
    now = os.stat(path)
    return now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns


def _parquet_files(folder: Path) -> list[Path]:
    """In order of their names, folders within included; hidden files are what other tools leave behind."""
    files = sorted(path for path in folder.rglob("*.parquet") if path.is_file())
    kept = [path for path in files if not any(part[0] in "._" for part in path.relative_to(folder).parts)]
    if not kept:
        raise _other_folder(folder)
    return kept


def _other_folder(folder: Path) -> InputError:
    """The refusal of a folder that is no table: what it holds, and a pattern of the first of its tables."""
    name = os.path.basename(os.path.realpath(folder))
    held = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name[0] not in "._")
    tables = [Path(one.removesuffix(".gz")).suffix for one in held]
    suffix = next((suffix for suffix in tables if suffix.casefold() in FORMATS), ".csv")
    only = f", only {listed(held, 3)}" if held else ""
    return InputError(
        f"A folder must hold Parquet files, but {quoted(name)} holds none{only}. "
        f"For other formats, give a pattern such as {quoted(f'{name}/*{suffix}')}."
    )


def _one_format(paths: Sequence[Path]) -> Format:
    formats = {path: format_of(path) for path in paths}
    first = formats[paths[0]]
    for path, format_of_file in formats.items():
        if format_of_file is not first:
            raise InputError(
                f"All files must be of one format, but {quoted(paths[0].name)} is {first.label} "
                f"and {quoted(path.name)} is {format_of_file.label}."
            )
    return first


def _names(path: Path, kind: Format) -> tuple[str, ...]:
    with refusing(path.name):
        names = kind.column_names(path)
        if "".join(names[1:]) == "" and _NO_NAMES.fullmatch("".join(names)):
            raise InputError(
                f"The first line of {quoted(path.name)} must name the columns, but it begins with {quoted(names[0])}. "
                "Remove the lines above the names."
            )
        if (unnamed := names.count("")) > 1:
            raise InputError(
                f"The first line of {quoted(path.name)} must name the columns, but {unnamed} of its {len(names)} cells "
                f"are empty, and the first is {quoted(names[0])}. Is it a title, or the upper line of two? Remove the "
                "lines above the names, or name every column."
            )
        return distinct_names(names, quoted(path.name))


def _notes(path: Path, announced: Format, kind: Format, delimiter: str | None) -> tuple[str, ...]:
    if kind is FORMATS[".xlsx"]:
        return other_sheets(path)
    if kind is announced or delimiter is not None:
        return ()
    return (f"{quoted(path.name)} is read with {quoted(kind.delimiter)} between cells, as its first lines show.",)


def no_file(path: Path, what: str = "The table") -> InputError:
    """What is said where there is no file: what could be meant instead, or what else is in the way."""
    folder = path.parent
    if re.match(r"[a-z][a-z0-9+.-]+:/", str(path)):  # pathlib takes one of two slashes away
        return InputError(
            f"{what} must be a file of this machine, but {quoted(path)} is an address: nothing is fetched. Copy it "
            "here first, or read it with pandas, polars or DuckDB and give the frame."
        )
    if not os.path.isdir(folder):
        return InputError(f"{what} must be an existing file, but there is no folder {quoted(folder.name)}.")
    try:
        around = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except OSError as error:
        return InputError(
            f"{what} must be an existing file, but the folder {quoted(folder.name)} cannot be looked into: "
            f"{error.strerror}."
        )
    return InputError(
        f"{what} must be an existing file, but there is no {quoted(path.name)} in its folder. "
        f"{did_you_mean(path.name, around)}"
    )


def _count(paths: Sequence[Path]) -> str:
    return "1 file" if len(paths) == 1 else f"{len(paths)} files"
