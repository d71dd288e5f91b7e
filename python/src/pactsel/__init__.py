"""Find out what a language model saw.

>>> import pactsel
>>> history = pactsel.read([{"role": "user", "content": "hi"}], source="openai")
>>> history.select(".block+user").texts
['hi']

The work is done by the program ``pactsel``, which is included in the wheels of this package. ``pactsel.spark`` queries
many sessions at once, on a cluster.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ._async import AsyncContext
from ._binary import find as binary
from ._context import Answer, AnthropicThread, Cause, Commit, Context, PolicyRun, State, context
from ._errors import (
    BinaryNotFound,
    Conflict,
    ContextLost,
    ContextWarning,
    Errors,
    FileError,
    PactkitError,
    SelectorError,
    SelectorWarning,
    SkippedFile,
    WorkerDied,
    WorkerTimeout,
    absolute,
    check_errors,
    error_of,
    redacted,
    rename,
    treat,
)
from ._history import History, Node, Nodes
from ._match import Match, grep
from ._objects import plain
from ._protocol import CallInfo, CallLine, Changed, Diff, Draft, Finding, Info, Json, Policy, Range, StateLine, StatsRow, TestReport, Trace, Usage
from ._report import Case, Report
from ._selects import selects
from ._stats import stats, write_parquet
from ._verbs import diff, explain, format, lint, render, trace  # noqa: A004 - verbs of the program
from ._watch import AsyncWatch, ChangedNode, Watch, Watched
from ._worker import Worker, shared_worker

__all__ = [
    "Answer",
    "AnthropicThread",
    "AsyncContext",
    "AsyncWatch",
    "BinaryNotFound",
    "CallInfo",
    "CallLine",
    "Case",
    "Cause",
    "ChangedNode",
    "Changed",
    "Commit",
    "Conflict",
    "Context",
    "ContextLost",
    "ContextWarning",
    "Diff",
    "Draft",
    "FileError",
    "Finding",
    "History",
    "Info",
    "Json",
    "Match",
    "Node",
    "Nodes",
    "PactkitError",
    "Policy",
    "PolicyRun",
    "Range",
    "Report",
    "SelectorError",
    "SelectorWarning",
    "SkippedFile",
    "State",
    "StateLine",
    "StatsRow",
    "TestReport",
    "Trace",
    "Usage",
    "Watch",
    "Watched",
    "Worker",
    "WorkerDied",
    "WorkerTimeout",
    "binary",
    "context",
    "diff",
    "explain",
    "format",
    "grep",
    "histories",
    "lint",
    "open",
    "read",
    "render",
    "selects",
    "stats",
    "test",
    "trace",
    "write_parquet",
]

Log = str | Mapping[str, Any] | Iterable[Any] | object
"""A log: the text of a file; the document itself, such as a list of messages; or what a framework keeps messages in."""


def open(  # noqa: A001 - pactsel.open reads as it should
    path: str | os.PathLike[str] | object, *, source: str | None = None, messages: str | None = None, worker: Worker | None = None
) -> History:
    """Open a file with one history: a log, a journal or a document; or a history of a store.

    :param path: a file, ``FILE#NAME``, or the address of a history in a store; anything but a path is read as by :func:`read`
    :param source: the format of the log; it is recognized by default
    :param messages: the path of the member of the log with the messages
    :raises PactkitError: if the file cannot be read, or has several histories; see :func:`histories`
    """
    if not isinstance(path, (str, os.PathLike)):
        return read(path, source=source, messages=messages, worker=worker)
    return _only(list(histories(path, source=source, messages=messages, worker=worker)), os.fspath(path))


def read(
    log: Log, *, source: str | None = None, messages: str | None = None, name: str | None = None, worker: Worker | None = None
) -> History:
    """Make a history from a log: the text of a file, or the document itself, such as a list of messages.

    The document may have objects in it, or be one: messages of LangChain and states of LangGraph, messages and results of
    Pydantic AI, objects of the OpenAI SDK, results and states of the OpenAI Agents SDK, and whatever else has a method
    ``model_dump``, ``to_json`` or ``to_dict``, or is a dataclass.

    :param source: the format of the log; it is recognized by default
    :param messages: the path of the member with the messages
    :param name: the name of the log in errors
    """
    request: dict[str, Any] = {"log": plain(log)}
    if name is not None:
        request["name"] = name
    return _only(_load({**request, **_how(source, messages)}, worker or shared_worker()), name or "the log")


def histories(
    path: str | os.PathLike[str],
    *,
    source: str | None = None,
    messages: str | None = None,
    worker: Worker | None = None,
    errors: Errors = "raise",
) -> Iterator[History]:
    """Yield the histories of a file, a folder or a store, in order. Of a folder, a file is read when its turn comes.

    :param errors: what happens to the error of a file, or of one history in it: ``"raise"`` raises it when its turn
        comes, ``"warn"`` warns of it with :class:`SkippedFile`, ``"ignore"`` skips it, and a function is called with it;
        the histories that follow are yielded unless it is raised
    """
    check_errors(errors)
    return _files(os.fspath(path), _how(source, messages), worker or shared_worker(), errors)


def _how(source: str | None, messages: str | None) -> dict[str, Any]:
    """Return the members of a request that say how logs are read."""
    return {k: v for k, v in (("from", source), ("messages", messages)) if v is not None}


def _files(path: str, how: Mapping[str, Any], worker: Worker, errors: Errors) -> Iterator[History]:
    """Yield the histories of the files that a path names."""
    whole = absolute(path)
    for one in _each(whole, how, worker):
        if isinstance(one, History):
            yield one
        elif isinstance(one, BinaryNotFound) or one.code in ("E_WORKER_REQUEST", "E_WORKER_VERSION"):
            raise one  # no file can be read like this
        else:
            rename(one, whole, path)
            treat(one, errors)


def _each(path: str, how: Mapping[str, Any], worker: Worker) -> Iterator[History | PactkitError]:
    try:
        answer: Any = worker.result({"path": path, **how, "files": True})
    except PactkitError as e:
        yield e
        return
    for file in answer["files"]:
        try:
            found = [error_of(file["error"])] if "error" in file else _load({"path": file["path"], **how}, worker)
        except PactkitError as e:
            e.path = e.path or file["path"]
            found = [e]
        yield from found


def _load(request: Mapping[str, Any], worker: Worker) -> list[History | PactkitError]:
    """Return the histories that a request names, and the errors of those that cannot be read."""
    answer: Any = worker.result({**request, "selectors": []})
    notes = tuple(answer.get("notes", ()))
    return [error_of(h["error"]) if "error" in h else History.of(h["name"], notes, request, worker) for h in answer["histories"]]


def _only(found: Sequence[History | PactkitError], what: str) -> History:
    histories = []
    for one in found:
        if isinstance(one, PactkitError):
            raise one
        histories.append(one)
    if len(histories) != 1:
        names = ", ".join(h.name for h in histories[:5] if h.name)  # a file with one has no name for it
        message = f"holds {len(histories)} histories{f' ({names})' if names else ''}: use histories, or name one"
        raise PactkitError(message, "E_SEVERAL_HISTORIES", path=redacted(what))
    return histories[0]


def test(suite: str | os.PathLike[str], history: History) -> Report:
    """Run the cases of a suite on a history. ``suite`` is its text, or the path of its file."""
    return history.test(suite)


test.__test__ = False  # type: ignore[attr-defined]  # it is not a test of pytest's
