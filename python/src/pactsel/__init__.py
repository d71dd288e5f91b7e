"""Find out what a language model saw.

>>> import pactsel
>>> history = pactsel.read([{"role": "user", "content": "hi"}], source="openai")
>>> history.select(".block+user").texts
['hi']

The work is done by the program ``pactsel``, which is included in the wheels of this package. ``pactsel.spark`` queries
many sessions at once, on a cluster.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ._binary import find as binary
from ._errors import BinaryNotFound, PactkitError, SelectorError, WorkerDied, WorkerTimeout, error_of
from ._history import History, Node, Nodes
from ._match import Match, grep
from ._report import Case, Report
from ._selects import selects
from ._stats import stats, write_parquet
from ._worker import Worker

__all__ = [
    "BinaryNotFound",
    "Case",
    "History",
    "Match",
    "Node",
    "Nodes",
    "PactkitError",
    "Report",
    "SelectorError",
    "Worker",
    "WorkerDied",
    "WorkerTimeout",
    "binary",
    "grep",
    "histories",
    "open",
    "read",
    "selects",
    "stats",
    "test",
    "write_parquet",
]

Log = str | Mapping[str, Any] | Sequence[Any]
"""A log: the text of a file, or the document itself, such as a list of messages."""

_lock = threading.Lock()
_shared: Worker | None = None


def _shared_worker() -> Worker:
    """Return the worker that the functions of this module share."""
    global _shared
    with _lock:
        if _shared is None:
            _shared = Worker()
            atexit.register(_shared.close)
        return _shared


def open(  # noqa: A001 - pactsel.open reads as it should
    path: str | os.PathLike[str], *, source: str | None = None, messages: str | None = None, worker: Worker | None = None
) -> History:
    """Open a file with one history: a log, a journal or a document; or a history of a store.

    :param path: a file, ``FILE#NAME``, or the address of a history in a store
    :param source: the format of the log; it is recognized by default
    :param messages: the path of the member of the log with the messages
    :raises PactkitError: if the file cannot be read, or has several histories; see :func:`histories`
    """
    return _only(list(histories(path, source=source, messages=messages, worker=worker)), os.fspath(path))


def read(
    log: Log, *, source: str | None = None, messages: str | None = None, name: str | None = None, worker: Worker | None = None
) -> History:
    """Make a history from a log: the text of a file, or the document itself, such as a list of messages.

    :param source: the format of the log; it is recognized by default
    :param messages: the path of the member with the messages
    :param name: the name of the log in errors
    """
    request: dict[str, Any] = {"log": log if isinstance(log, (str, Mapping)) else list(log)}
    if name is not None:
        request["name"] = name
    return _only(list(_histories(request, source, messages, worker)), name or "the log")


def histories(
    path: str | os.PathLike[str], *, source: str | None = None, messages: str | None = None, worker: Worker | None = None
) -> Iterator[History]:
    """Yield the histories of a file, a folder or a store. A file that cannot be read raises its error when its turn comes."""
    return _histories({"path": _absolute(os.fspath(path))}, source, messages, worker)


def _absolute(path: str) -> str:
    """Return a path that does not depend on the folder that the worker was started in."""
    scheme, colon, rest = path.partition(":")
    if colon and scheme == "file":
        return f"file:{os.path.abspath(rest)}"
    return path if colon and scheme in ("postgres", "postgresql") else os.path.abspath(path)


def _histories(
    request: Mapping[str, Any], source: str | None, messages: str | None, worker: Worker | None
) -> Iterator[History]:
    worker = worker or _shared_worker()
    origin = dict(request)
    if source is not None:
        origin["from"] = source
    if messages is not None:
        origin["messages"] = messages
    answer = worker.result({**origin, "selectors": []})
    notes = tuple(answer.get("notes", ()))
    for one in answer["histories"]:
        if "error" in one:
            raise error_of(one["error"])
        mine = origin if "path" not in one else {**origin, "path": one["path"]}
        yield History(one["name"], notes, mine, worker)


def _only(found: Sequence[History], what: str) -> History:
    if len(found) != 1:
        names = ", ".join(h.name for h in found[:5])
        raise PactkitError(f"{what} holds {len(found)} histories ({names}): use histories, or name one", "E_SEVERAL_HISTORIES")
    return found[0]


def test(suite: str | os.PathLike[str], history: History) -> Report:
    """Run the cases of a suite on a history. ``suite`` is its text, or the path of its file."""
    return history.test(suite)


test.__test__ = False  # type: ignore[attr-defined]  # it is not a test of pytest's
