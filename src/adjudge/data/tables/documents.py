"""Small files that people write: TOML, JSON, or YAML where it is installed; and texts as TOML writes them."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

from adjudge.errors import InputError, did_you_mean, path_text, quoted

MOST_BYTES = 10_000_000
# A key of TOML with so many parts, a.b.c: each is looked up from the first on.
_DEEP = re.compile(r"""(?<![\w"'-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){100}""")


def read_document(path: str | os.PathLike[str], what: str) -> tuple[bytes, object]:
    """The bytes of a file, and what they say; `what` the file is stands in a refusal."""
    path = path_text(path)
    content = _content(path, what)
    return content, _parsed(Path(path).suffix.lower(), content, Path(path).name)


def _content(path: str | os.PathLike[str], what: str) -> bytes:
    content = whole_file(path, MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise InputError(f"{what} must be a small file, but {quoted(path)} is larger than {MOST_BYTES:,} bytes.")
    return content


def whole_file(path: str | os.PathLike[str], most: int = -1) -> bytes:
    """The bytes of a file that is read at once, at most so many; a device is refused, for it may have no end."""
    path = path_text(path)
    try:
        if stat.S_ISCHR(os.stat(path).st_mode):
            raise InputError(f"{quoted(path)} must be a file, but it is a device. Write it to a file first.")
        with open(path, "rb") as file:
            return file.read(most)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        name = os.path.basename(path) or path
        folder = os.path.dirname(path) or "."
        if isinstance(error, FileNotFoundError) and os.path.isdir(folder) and os.access(folder, os.R_OK):
            around = sorted(one for one in os.listdir(folder) if not one.startswith("."))
            message = f"{quoted(name)} must be an existing file, but there is none. {did_you_mean(name, around)}"
            raise InputError(message) from None
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{quoted(name)} must be a file that can be read, but: {reason}.") from None


def _parsed(suffix: str, content: bytes, name: str) -> object:
    """What a file holds, by the end of its name."""
    kind = {".json": "JSON", ".yaml": "YAML", ".yml": "YAML"}.get(suffix, "TOML")
    try:
        text = content.decode("utf-8-sig")
        if kind == "JSON":
            return json.loads(text, object_pairs_hook=members_once)
        if kind == "YAML":
            return _yaml(text, name)
        import tomllib

        if _DEEP.search(text):
            raise RecursionError
        return tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(
            f"{quoted(name)} must be UTF-8 text, but line {line} holds the byte {content[error.start]:#04x}. Save "
            "it again as UTF-8."
        ) from None
    except RecursionError:
        raise InputError(f"{quoted(name)} must be {kind}, but it is nested too deeply.") from None
    except (ValueError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{quoted(name)} must be {kind}, but: {error}. Correct that line.") from None


def members_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of JSON, whose keys stand once, as TOML asks for: a second would take the place of the first.

    >>> members_once([("a", 1), ("b", 2)])
    {'a': 1, 'b': 2}
    """
    members: dict[str, object] = {}
    for key, value in pairs:
        if key in members:
            raise ValueError(f"the key {quoted(key)} stands twice")
        members[key] = value
    return members


def _check_keys_once(node: object, seen: set[int]) -> None:
    """Refuse a part of YAML, as PyYAML composes it, in which a key stands twice; what is referred to is seen once."""
    parts = getattr(node, "value", None)
    if id(node) in seen or not isinstance(parts, list):
        return
    seen.add(id(node))
    pairs = [part for part in parts if isinstance(part, tuple)]
    members_once([(str(key.value), None) for key, _ in pairs if not isinstance(key.value, list)])
    for part in parts:
        for inner in part if isinstance(part, tuple) else (part,):
            _check_keys_once(inner, seen)


def _yaml(text: str, name: str) -> object:
    try:
        from importlib import import_module

        yaml = import_module("yaml")
    except ImportError:
        raise InputError("A file in YAML must have PyYAML to read it, but it is not installed. Use TOML.") from None
    try:
        _check_keys_once(yaml.compose(text, yaml.SafeLoader), set())
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InputError(f"{quoted(name)} must be YAML, but: {' '.join(str(error).split())}.") from None


def toml_text(text: str) -> str:
    """A TOML string: JSON's escapes are TOML's, but for what it leaves as it is.

    >>> print(toml_text('a "b"'))
    "a \\"b\\""
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
