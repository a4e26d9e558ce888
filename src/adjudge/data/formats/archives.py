"""Zip files of other people: read member by member, never unpacked to a disk, and refused where one is hostile."""

from __future__ import annotations

import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from adjudge.data.foreign import refusing
from adjudge.errors import InputError, quoted

MOST_MEMBERS = 100_000
MOST_TIMES, MOST_BYTES = 100, 1 << 30
ZSTD = 93  # which Python's own reader knows from 3.14 on


@dataclass(frozen=True)
class Archive:
    """A zip file whose members were looked at: none leads outside, all can be unpacked."""

    path: Path
    members: dict[str, zipfile.ZipInfo]

    @classmethod
    def of(cls, path: Path) -> Archive:
        """The members of a zip file."""
        with refusing(path.name):
            try:
                with zipfile.ZipFile(path) as file:
                    members = [one for one in file.infolist() if not one.filename.endswith("/")]
            except zipfile.BadZipFile as error:
                raise _refused(path, f"it is damaged: {error}", "Export it again") from None
        _check(path, members)
        return cls(path, {one.filename: one for one in members})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all members."""
        return tuple(self.members)

    def read(self, name: str) -> bytes:
        """What one member holds."""
        one = self.members[name]
        try:
            with refusing(self.path.name):
                return _zstd(self.path, one) if one.compress_type == ZSTD else _plain(self.path, one)
        except InputError:
            raise _refused(self.path, f"{quoted(name)} is damaged", "Export it again") from None

    def text(self, name: str) -> str:
        """The text that one member holds."""
        try:
            return self.read(name).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise _refused(self.path, f"{quoted(name)} is not UTF-8 text", "Export it again") from None


def _plain(path: Path, one: zipfile.ZipInfo) -> bytes:
    try:
        with zipfile.ZipFile(path) as file, file.open(one) as member:
            data = member.read(one.file_size + 1)
    except zipfile.BadZipFile as error:
        raise ValueError(str(error)) from None
    if len(data) > one.file_size:
        raise ValueError("a member is larger than it says")
    return data


def _zstd(path: Path, one: zipfile.ZipInfo) -> bytes:
    """A member packed by zstd, which pyarrow unpacks: its bytes follow its own header."""
    import pyarrow

    with path.open("rb") as file:
        file.seek(one.header_offset)
        header = file.read(30)
        if header[:4] != b"PK\x03\x04":
            raise ValueError("a member is not where it must be")
        file.seek(int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little"), 1)
        packed = file.read(one.compress_size)
    data = bytes(pyarrow.decompress(packed, decompressed_size=one.file_size, codec="zstd", asbytes=True))
    if zlib.crc32(data) != one.CRC:
        raise ValueError("a member is not what it was")
    return data


def _check(path: Path, members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MOST_MEMBERS:
        raise _refused(path, f"it has {len(members):,} members, more than {MOST_MEMBERS:,}", "Export fewer at a time")
    unpacked, packed = sum(one.file_size for one in members), sum(one.compress_size for one in members)
    if unpacked > MOST_BYTES and unpacked > MOST_TIMES * packed:
        raise _refused(
            path,
            f"its members would be {unpacked:,} bytes, {unpacked // max(packed, 1):,} times what is there",
            "Unpack it yourself if you trust it",
        )
    for one in members:
        name = one.filename
        place = PurePosixPath(name.replace("\\", "/"))
        if not name:
            raise _refused(path, "one of its members has no name", "Export it again")
        if place.is_absolute() or ".." in place.parts or ":" in name[:3]:
            raise _refused(path, f"{quoted(name)} leads outside", "Do not unpack it")
        if one.flag_bits & 1:
            raise _refused(path, f"{quoted(name)} is encrypted", "Export it without a password")
        if place.suffix.casefold() == ".zip":
            raise _refused(path, f"{quoted(name)} is a zip file in it", "Unpack it first")


def _refused(path: Path, reason: str, advice: str) -> InputError:
    return InputError(f"{quoted(path.name)} must be a plain zip file, but {reason}. {advice}.")
