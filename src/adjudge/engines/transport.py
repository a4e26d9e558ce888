"""What travels between processes: bytes that say which adjudge wrote them, and hold nothing but ours and NumPy's.

A worker with another version refuses the work before it opens it, and so does whoever gets its answer: what the parts
of a state mean may change from one version to the next.
"""

from __future__ import annotations

import pickle
from io import BytesIO

from adjudge import __version__
from adjudge.errors import SettingError

MARK = b"adjudge.state "
PACKAGES = ("adjudge", "numpy", "pyarrow", "tblib")  # by the last a refusal travels wherever Dask was imported
PLAIN = {
    ("builtins", name) for name in ("set", "frozenset", "slice", "range", "bytearray", "getattr", "complex", "object")
}
PLAIN |= {("functools", "partial"), ("collections", "Counter"), ("collections", "OrderedDict"), ("pathlib", "Path")}
PLAIN |= {
    ("pathlib", "PosixPath"),
    ("pathlib", "WindowsPath"),
    ("copyreg", "_reconstructor"),
    ("types", "MappingProxyType"),
}


def sealed_states(value: object) -> bytes:
    """A value as bytes, with the version that wrote it."""
    return MARK + __version__.encode() + b"\n" + pickle.dumps(value, protocol=5)


def unsealed(sent: bytes) -> object:
    """The value; of another version, or of anything else, it is refused.

    >>> unsealed(sealed_states({"rows": 3}))
    {'rows': 3}
    """
    end = sent.find(b"\n", 0, 100)
    if not sent.startswith(MARK) or end < 0:
        raise SettingError("What a worker sends must be a state of adjudge, but it is not. Is it the right cluster?")
    if (version := sent[len(MARK) : end].decode()) != __version__:
        raise SettingError(
            f"Every worker must have the same adjudge, but one has {__version__} and another {version}. "
            "Install one version everywhere."
        )
    return _Reader(BytesIO(sent[end + 1 :])).load()


class _Reader(pickle.Unpickler):
    """Opens states, and nothing that could be something else."""

    def find_class(self, module: str, name: str) -> object:
        if module.partition(".")[0] in PACKAGES or (module, name) in PLAIN:
            return super().find_class(module, name)
        raise SettingError(f"A state must hold sums only, but this one holds {module}.{name}. Is it the right cluster?")
