"""Which engine: by its name, or by what somebody's cluster is called."""

from __future__ import annotations

from typing import Any

from adjudge.data.reading import BLOCK_ROWS
from adjudge.data.source import Source, numbered
from adjudge.engines.base import SPAN_BLOCKS, Engine
from adjudge.engines.local import MEMORY, STREAM
from adjudge.errors import SettingError, listed

ENGINES = ("memory", "stream", "threads", "spark", "dask")
# Tables of more rows than this are spread over threads: a thread has a span at a time.
LARGE = 4 * SPAN_BLOCKS * BLOCK_ROWS


def engine_for(asked: Any, usual: str, source: Source, master: str | None = None) -> Engine:
    """The engine that was asked for; "auto" is the usual one, or what suits the table."""
    if master is not None and asked not in ("spark", "dask"):
        raise SettingError('`master` must be given with engine="spark" or engine="dask": it says where the cluster is.')
    if not isinstance(asked, str):
        return _of_cluster(asked)
    name = _suited(source) if asked == usual == "auto" else usual if asked == "auto" else asked
    if name in ("memory", "stream"):
        return MEMORY if name == "memory" else STREAM
    if name not in ENGINES:
        raise SettingError(
            f'`engine` must be "auto", one of {listed(ENGINES)}, a SparkSession or a Dask Client, not "{name}".'
        )
    from adjudge.engines.spread import Spread, by_numbers

    by_numbers(source, name)  # refused before a cluster is started
    if name == "threads":
        from adjudge.engines.threads import Threads

        return Spread(Threads())
    if name == "spark":
        from adjudge.engines.spark import connect as connect_spark

        return Spread(connect_spark(master))
    from adjudge.engines.dask import connect

    return Spread(connect(master))


def _suited(source: Source) -> str:
    """Files are streamed, large ones by threads; other tables are in memory already."""
    if not hasattr(getattr(source, "source", source), "paths"):
        return "memory"
    table = numbered(source)
    return "stream" if table is None or table.edges[-1] <= LARGE else "threads"


def _of_cluster(asked: Any) -> Engine:
    """The engine of a session or client, told by the library it comes from; an engine or scheduler passes."""
    from adjudge.engines.spread import Spread

    library = type(asked).__module__.partition(".")[0]
    if library == "pyspark":
        from adjudge.engines.spark import Spark

        return Spread(Spark(asked))
    if library == "distributed":
        from adjudge.engines.dask import Dask

        return Spread(Dask(asked))
    if hasattr(asked, "map") and hasattr(asked, "name"):
        return Spread(asked)
    raise SettingError(
        f"`engine` must be a name, a SparkSession or a Dask Client, not something of the type {type(asked).__name__}."
    )
