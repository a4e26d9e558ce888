"""Which engine: by its name, or by what somebody's cluster is called."""

from __future__ import annotations

from functools import partial

from adjudge.data.reading import BLOCK_ROWS
from adjudge.data.source import Source, numbered
from adjudge.data.tables.spark_frames import spark_table
from adjudge.engines.base import SPAN_BLOCKS, Engine
from adjudge.engines.local import MEMORY, STREAM
from adjudge.errors import SettingError, listed, quoted

ENGINES = ("memory", "stream", "threads", "spark", "dask")
# Tables of more rows than this are spread over threads: a thread has a span at a time.
LARGE = 8 * SPAN_BLOCKS * BLOCK_ROWS


def engine_for(engine: object, usual: str, source: Source, master: str | None = None) -> Engine:
    """The engine that was asked for; "auto" is the usual one, or what suits the table."""
    if master is not None and engine not in ("spark", "dask"):
        raise SettingError(
            '`master` must be given with engine="spark" or engine="dask": it is the address of the cluster.'
        )
    if spark_table(source) is not None and _in_its_session(engine):
        from adjudge.engines.spark_frames import SparkFrames

        return SparkFrames()
    if not isinstance(engine, str):
        return _of_cluster(engine)
    name = _suited(source) if engine == usual == "auto" else usual if engine == "auto" else engine
    if name in ("memory", "stream"):
        return MEMORY if name == "memory" else STREAM
    if name not in ENGINES:
        raise SettingError(
            f'`engine` must be "auto", one of {listed(ENGINES)}, a SparkSession or a Dask Client, not {quoted(name)}.'
        )
    from adjudge.engines.spread import Spread, Starting, by_numbers

    by_numbers(source, name)  # refused before a cluster is started
    if name == "threads":
        from adjudge.engines.threads import Threads

        return Spread(Threads())
    if name == "spark":
        from adjudge.engines.spark import connect as connect_spark

        return Spread(Starting(name, partial(connect_spark, master)))
    from adjudge.engines.dask import connect

    return Spread(Starting(name, partial(connect, master)))


def _in_its_session(engine: object) -> bool:
    """Whether a DataFrame is summed where it is: unless told to be read here."""
    return engine in ("auto", "spark") if isinstance(engine, str) else type(engine).__module__.startswith("pyspark.")


def _suited(source: Source) -> str:
    """Files are streamed, large ones by threads; other tables are in memory already."""
    if not hasattr(getattr(source, "source", source), "paths"):
        return "memory"
    table = numbered(source)
    return "stream" if table is None or table.edges[-1] <= LARGE else "threads"


def _of_cluster(engine: object) -> Engine:
    """The engine of a session or client, told by the library it comes from; an engine or scheduler passes."""
    from adjudge.engines.spread import Spread

    library = type(engine).__module__.partition(".")[0]
    if library == "pyspark":
        from adjudge.engines.spark import Spark

        return Spread(Spark(engine))
    if library == "distributed":
        from adjudge.engines.dask import Client, Dask

        if isinstance(engine, Client):
            return Spread(Dask(engine))
    elif hasattr(engine, "map") and hasattr(engine, "name"):
        return Spread(engine)
    raise SettingError(
        f"`engine` must be a name, a SparkSession or a Dask Client, not something of the type {type(engine).__name__}."
    )
