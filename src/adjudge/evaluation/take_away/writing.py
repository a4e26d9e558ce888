"""Files are written whole or not at all, and several of one command together or none of them."""

from __future__ import annotations

import os
import platform
import re
import shutil
import signal
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from adjudge.errors import InputError, check_choice, path_text, quoted

PREFIX = ".adjudge-"
Content = str | bytes | Iterable[str | bytes]  # in one piece, or in several that are made one after another
Where = str | os.PathLike[str]


Place = TypeVar("Place", bound=Where)


class Written(ABC):
    """What files of several forms can be made of: `forms` says how each is made."""

    @property
    @abstractmethod
    def forms(self) -> Mapping[str, Callable[[], str | bytes]]:
        """What makes the content of each form."""

    def content(self, form: str) -> str | bytes:
        """What a file of one of the `forms` holds."""
        check_choice("form", form, self.forms)
        return self.forms[form]()

    def write(self, path: Where, form: str) -> Path:
        """Write a file of one of the `forms`."""
        return write_whole(path, self.content(form))


def write_whole(path: Where, content: Content) -> Path:
    """Write one file."""
    return write_together({path_text(path): content})[0]


def write_together(contents: Mapping[Place, Content]) -> list[Path]:
    """Write files: all go to temporary names beside their own first, and take their names when all are written."""
    targets = {checked_output(path): content for path, content in contents.items()}
    staged: list[tuple[Path, Path]] = []
    target = Path()
    try:
        for target, content in targets.items():
            if not _is_device(target):
                place = Path(os.path.realpath(target))
                staged.append((_staged(place, content), place))
        for target, content in targets.items():
            if _is_device(target):  # a pipe or a terminal: there is nothing to replace
                with target.open("wb") as file:
                    file.writelines(_encoded(content))
        with _uninterrupted():
            _put_in_place(staged)
    except OSError as error:
        where = quoted(error.filename2 or target)
        raise InputError(f"{where} must be a file that can be written, but: {error.strerror}.") from None
    finally:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)
    return list(targets)


def _encoded(content: Content) -> Iterator[bytes]:
    for piece in [content] if isinstance(content, (str, bytes)) else content:
        yield piece.encode("utf-8", "backslashreplace") if isinstance(piece, str) else piece


def _is_device(path: Path) -> bool:
    return os.path.exists(path) and not os.path.isfile(path)


def checked_output(path: Where) -> Path:
    """A file that may be written, as far as can be told before."""
    target = Path(path_text(path))
    try:
        os.stat(target)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"An output must be a name a file can have, but {quoted(path)} is none: {reason}.") from None
    if target.is_dir():
        raise InputError(f"An output must be a file, but {quoted(path)} is a folder. Add a file name.")
    if str(path) == "-":
        raise InputError('An output must be a file, but "-" is none. For standard output, name /dev/stdout.')
    if not target.parent.is_dir():
        how = f"{quoted(target.parent)} is a file" if target.parent.exists() else f"there is no {quoted(target.parent)}"
        what = "Name another" if target.parent.exists() else "Create it first"
        raise InputError(f"An output must be in an existing folder, but {how}. {what}.")
    if not _is_device(target) and not os.access(os.path.realpath(target.parent), os.W_OK | os.X_OK):
        raise InputError(
            f"An output must be in a folder that can be written, but {quoted(target.parent)} cannot. Name another."
        )
    return target


def _staged(target: Path, content: Content) -> Path:
    """The content under a temporary name, which says whose it is."""
    _sweep(target.parent)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f"{PREFIX}{_host()}-{os.getpid()}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(_encoded(content))
        os.chmod(name, 0o666 & ~_umask())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _put_in_place(staged: list[tuple[Path, Path]]) -> None:
    """Give the files their names; where one cannot have its own, all are as they were."""
    done: list[tuple[Path, Path | None]] = []
    try:
        for temporary, target in staged:
            old = _second_name(target)
            done.append((target, old))
            os.replace(temporary, target)
    except OSError:
        for target, old in done:
            if old is not None:
                os.replace(old, target)
            else:
                target.unlink(missing_ok=True)
        raise
    finally:
        for _, old in done:
            if old is not None:
                old.unlink(missing_ok=True)


def _second_name(target: Path) -> Path | None:
    """What stands there now, under a second name; None if nothing does."""
    if not target.exists():
        return None
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f"{PREFIX}{_host()}-{os.getpid()}-")
    os.close(handle)
    os.unlink(name)
    try:
        os.link(target, name)
    except OSError:  # a file system without links
        shutil.copy2(target, name)
    return Path(name)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C waits until all files are in place, and then says that they are."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        raise KeyboardInterrupt("stopped; the files were written.")


def _sweep(folder: Path) -> None:
    """Remove what runs left behind that were killed on this computer."""
    for path in folder.glob(f"{PREFIX}{_host()}-*-*"):
        process = path.name.removeprefix(f"{PREFIX}{_host()}-").partition("-")[0]
        if process.isdecimal() and not _is_alive(int(process)):
            with suppress(OSError):
                path.unlink()


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass  # somebody else's
    return True


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9]", "_", platform.node())[:40]


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
