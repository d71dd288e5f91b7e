# pyright: basic, reportMissingImports=false
"""Queries many sessions at once, on Apache Spark.

One ``pactsel worker`` runs for each task. A row that cannot be read is a row with an error; one that kills its worker
twice is marked and passed over. Needs pyspark 4 and pyarrow 18 or newer, and this package on every executor.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._errors import BinaryNotFound, PactkitError, WorkerDied, WorkerTimeout
from ._history import nodes_of, suite_text, warn_misspelled
from ._report import Report
from ._worker import Worker, shared_worker

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

# How many rows an Arrow batch of results has at most.
_BATCH = 1024

# The columns of select after the id, all of them strings.
COLUMNS = ("selector", "history", "snapshot", "node", "type", "role", "kind", "name", "text", "error_code", "error")


def select(
    df: DataFrame,
    selectors: Mapping[str, str],
    *,
    id: str = "id",
    log: str = "messages",
    source: str | None = None,
    messages: str | None = None,
    timeout: float = 300.0,
    max_bytes: int | None = None,
    binary: str | None = None,
) -> DataFrame:
    """Return a row for each node that each selector selects in each session.

    The columns are that of ``id``, then ``selector`` (its name), ``history`` (in a log that holds several),
    ``snapshot`` (for ``@mode=latest``), ``node`` (the id), ``type``, ``role``, ``kind``, ``name``, ``text``, and
    ``error_code`` and ``error``, which are null but in rows about a session, or a selector, without an answer.

    :param df: a row a session
    A word in a selector that is probably misspelled is a :class:`pactsel.SelectorWarning`.

    :param selectors: by name; ranges of time need ``@mode=union`` or ``@mode=latest``
    :param id: the column that identifies a session
    :param log: the column with the log: text, or an array or struct, whose nulls are left out
    :param source: the format of the logs; it is recognized by default
    :param messages: the path of the member of the logs that holds the messages
    :param timeout: for one session, in seconds
    :param max_bytes: the size of the largest session; 256 MiB by default
    :param binary: the program on the executors; by default the one installed with this package
    """
    try:
        warn_misspelled(selectors.values(), shared_worker())
    except BinaryNotFound:  # it may be on the executors only
        pass
    question: dict[str, Any] = {"selectors": dict(selectors), "want": "nodes"}
    return _map(df, question, _matches, COLUMNS, id, log, _options(source, messages, timeout, max_bytes, binary))


def test(
    df: DataFrame,
    suite: str | os.PathLike[str],
    *,
    id: str = "id",
    log: str = "messages",
    source: str | None = None,
    messages: str | None = None,
    timeout: float = 300.0,
    max_bytes: int | None = None,
    binary: str | None = None,
) -> DataFrame:
    """Run a suite on each session, and return a row for each.

    The columns are that of ``id``, then ``history``, ``status`` (``passed``, ``failed`` or ``error``), ``failed`` (the
    names of the cases that did not pass, one per line), ``report`` (as ``pactsel test --output-format json`` prints it),
    ``error_code`` and ``error``. The parameters are those of :func:`select`; ``suite`` is a text or a local path.
    """
    question = {"suite": suite_text(suite)}
    columns = ("history", "status", "failed", "report", "error_code", "error")
    return _map(df, question, _reports, columns, id, log, _options(source, messages, timeout, max_bytes, binary))


test.__test__ = False  # type: ignore[attr-defined]  # it is not a test of pytest's


def _options(
    source: str | None, messages: str | None, timeout: float, max_bytes: int | None, binary: str | None
) -> dict[str, Any]:
    origin = {k: v for k, v in (("from", source), ("messages", messages)) if v is not None}
    return {"origin": origin, "worker": {"timeout": timeout, "max_bytes": max_bytes, "binary": binary}}


Row = dict[str, str | None]


def _map(
    df: DataFrame,
    question: Mapping[str, Any],
    rows: Callable[[Mapping[str, Any]], Iterator[Row]],
    columns: Iterable[str],
    id: str,
    log: str,
    options: Mapping[str, Any],
) -> DataFrame:
    from pyspark.sql.types import StringType, StructField, StructType

    columns = tuple(columns)
    field = df.schema[id]
    schema = StructType([StructField(id, field.dataType), *(StructField(c, StringType()) for c in columns)])

    def task(batches: Iterable[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
        import pyarrow as pa

        pending_ids: list[Any] = []
        pending: list[Row] = []

        def batch(type_: pa.DataType) -> pa.RecordBatch:
            arrays = [pa.array(pending_ids, type_), *(pa.array([r.get(c) for r in pending], pa.string()) for c in columns)]
            out = pa.RecordBatch.from_arrays(arrays, [id, *columns])
            pending_ids.clear()
            pending.clear()
            return out

        with Worker(**options["worker"]) as worker:
            for b in batches:
                ids, logs = b.column(0), b.column(1)
                for i in range(b.num_rows):
                    key = ids[i].as_py()
                    for row in rows(_answer(worker, {**question, **options["origin"]}, logs[i].as_py())):
                        pending_ids.append(key)
                        pending.append(row)
                        if len(pending) >= _BATCH:
                            yield batch(ids.type)
                if pending:
                    yield batch(ids.type)

    return df.select(id, log).mapInArrow(task, schema)


def _answer(worker: Worker, question: Mapping[str, Any], log: Any) -> dict[str, Any]:
    """Return the answer about one session; an error is an answer."""
    if log is None or log == "":
        return {"error": {"code": "E_FILE_SHAPE", "message": "the session is empty"}}
    try:
        return worker.ask({**question, "log": log if isinstance(log, str) else _without_nulls(log)})
    except (WorkerDied, WorkerTimeout) as e:
        return {"error": {"code": e.code, "message": e.message}}


def _without_nulls(value: Any) -> Any:
    """Return a value without the members that are null: a column of structs has all of them in every row."""
    if isinstance(value, dict):
        return {k: _without_nulls(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        if value and all(isinstance(v, tuple) and len(v) == 2 for v in value):  # a map
            return {str(k): _without_nulls(v) for k, v in value}
        return [_without_nulls(v) for v in value]
    return value


def _failure(error: Mapping[str, Any], **more: str | None) -> Row:
    return {**more, "error_code": error.get("code"), "error": error.get("message")}


def _matches(answer: Mapping[str, Any]) -> Iterator[Row]:
    if "error" in answer:
        yield _failure(answer["error"])
        return
    for history in answer["histories"]:
        name = history["name"]
        if "error" in history:
            yield _failure(history["error"], history=name)
            continue
        for selector, found in history["answers"].items():
            yield from _selected(selector, name, found)


def _selected(selector: str, history: str, found: Mapping[str, Any]) -> Iterator[Row]:
    try:
        nodes = nodes_of(selector, found)
    except PactkitError as e:
        yield _failure({"code": e.code or "E_SELECTOR_INVALID", "message": e.message}, selector=selector, history=history)
        return
    for n in nodes:
        yield {
            "selector": selector,
            "history": history,
            "snapshot": n.snapshot,
            "node": n.id,
            "type": n.type,
            "role": n.role,
            "kind": n.kind,
            "name": n.name,
            "text": n.text,
        }


def _reports(answer: Mapping[str, Any]) -> Iterator[Row]:
    if "error" in answer:
        yield {**_failure(answer["error"]), "status": "error"}
        return
    for history in answer["histories"]:
        if "error" in history:
            yield {**_failure(history["error"], history=history["name"]), "status": "error"}
            continue
        report = Report(history["test"])
        yield {
            "history": history["name"],
            "status": "passed" if report else "error" if report.problems else "failed",
            "failed": "\n".join(c.name for c in report.failed),
            "report": json.dumps(history["test"], ensure_ascii=False),
        }
