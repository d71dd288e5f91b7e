"""A process that answers requests: ``pactsel worker``."""

from __future__ import annotations

import atexit
import contextvars
import functools
import itertools
import json
import os
import queue
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import IO, Any

from ._binary import find
from ._errors import PactkitError, WorkerDied, WorkerTimeout, error_of
from ._protocol import Json

PROTOCOL = 2

_holds: contextvars.ContextVar[tuple[object, ...]] = contextvars.ContextVar("_holds", default=())
"""What :attr:`Worker._busy` was when this thread, or the one that asked it for a summary, got the lock."""

_shared: Worker | None = None
_shared_lock = threading.Lock()

# How much longer than its timeout a request may take before the process is killed, in seconds.
_GRACE = 2.0


class Worker:
    """A process that answers requests, one after the other. It is started by the first request.

    A process that dies is restarted, and gets the request once more. A request that takes longer than ``timeout``
    seconds is abandoned; a process that does not respond to that is killed. Any number of threads may send requests.
    A copy, also a pickled one, has the same settings and a process of its own.

    :param binary: the program; by default the one that :func:`pactsel.binary` finds
    :param timeout: of one request, in seconds; ``None`` for no limit
    :param max_bytes: the size of the largest request; 256 MiB by default
    """

    def __init__(
        self, *, binary: str | Sequence[str] | None = None, timeout: float | None = None, max_bytes: int | None = None
    ) -> None:
        self._command = [binary] if isinstance(binary, str) else list(binary) if binary else None
        self.timeout = timeout
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._owner = 0
        self._busy = object()  # a new one for each holder of the lock
        self._ids = itertools.count(1)
        self.abandoned: deque[tuple[int, str]] = deque()
        """The contexts to close with the next request, with the start of their process."""
        self.starts = 0
        """The number of processes that were started."""

    def ask(self, request: Mapping[str, Any], /) -> dict[str, Json]:
        """Send a request and return its answer, as ``docs/reference/worker.md`` describes both.

        An answer that is an error is returned like any other. Raises :class:`WorkerDied` if the process died twice,
        :class:`WorkerTimeout` if it had to be killed, and :class:`BinaryNotFound`.
        """
        line = _line(request, self.timeout)
        with self._held():
            try:
                answer = self._send(self._start(), line, self.timeout)
            except WorkerDied:
                answer = self._send(self._start(), line, self.timeout)
        if answer.get("id") != request.get("id"):
            self.close()
            raise PactkitError(f"the answer to {request.get('id')!r} is one to {answer.get('id')!r}", "E_WORKER_DIED")
        return answer

    def result(self, request: Mapping[str, Any], /) -> dict[str, Json]:
        """Like :meth:`ask`, but raise an answer that is an error."""
        answer: Any = self.ask(request)
        if "error" in answer:
            raise error_of(answer["error"])
        found: dict[str, Json] = answer
        return found

    @contextmanager
    def exchange(self, timeout: float | None = None) -> Iterator[Exchange]:
        """Send several requests without requests of other threads in between.

        :param timeout: of each request, in seconds; that of the worker by default
        """
        with self._held():
            exchange = Exchange(self, self.timeout if timeout is None else timeout)
            while self.abandoned:
                start, name = self.abandoned.popleft()
                if self.is_running() and start == self.starts:
                    try:
                        exchange.ask({"context": name, "do": [{"close": True}]}, _no_summary)
                    except PactkitError:  # the next request gets the same error
                        break
            yield exchange

    def is_running(self) -> bool:
        """Report whether a process runs that this one has started."""
        process = self._process
        return process is not None and self._owner == os.getpid() and process.poll() is None

    def close(self) -> None:
        """End the process. The next request starts another one."""
        with self._held():
            self._stop()

    @contextmanager
    def _held(self) -> Iterator[None]:
        if self._busy in _holds.get():
            raise PactkitError("a summary must not use the worker that waits for it", "E_WORKER_BUSY")
        with self._lock:
            self._busy = object()
            token = _holds.set((*_holds.get(), self._busy))
            try:
                yield
            finally:
                self._busy = object()
                _holds.reset(token)

    def __reduce__(self) -> tuple[object, ...]:
        if self is _shared:
            return shared_worker, ()
        return _worker_of, (self._command, self.timeout, self._max_bytes)

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        try:
            self._stop()
        except Exception:  # the interpreter may be shutting down
            pass

    def _send(self, process: subprocess.Popen[bytes], line: bytes, timeout: float | None) -> dict[str, Any]:
        killed = threading.Event()

        def kill() -> None:
            killed.set()
            process.kill()

        timer = None if timeout is None else threading.Timer(timeout + _GRACE, kill)
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            return self._exchange(process, line)
        except WorkerDied:
            if killed.is_set():
                raise WorkerTimeout(f"no answer after {timeout} s; the worker was killed", "E_WORKER_TIMEOUT") from None
            raise
        except BaseException:  # such as a KeyboardInterrupt: the next request would get this answer
            self._stop(kill=True)
            raise
        finally:
            if timer is not None:
                timer.cancel()

    def _exchange(self, process: subprocess.Popen[bytes], line: bytes) -> dict[str, Any]:
        assert process.stdin and process.stdout
        try:
            process.stdin.write(line)
            process.stdin.flush()
            answer = process.stdout.readline()
        except OSError:
            answer = b""
        if not answer.endswith(b"\n"):
            raise self._died(process)
        value: Any = None
        try:
            value = json.loads(answer)
        except ValueError:
            pass
        if not isinstance(value, dict):
            self._stop(kill=True)
            raise PactkitError(f"this is not an answer of pactsel worker: {answer[:80]!r}", "E_WORKER_DIED")
        return value

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._owner != os.getpid():  # after a fork, it belongs to the parent
            self._process = self._errors = None
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._stop()
        command = [*(self._command or [find()]), "worker"]
        if self._max_bytes is not None:
            command += ["--max-bytes", str(self._max_bytes)]
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, bufsize=-1
            )
        except OSError as e:
            raise PactkitError(f"cannot start {command[0]}: {e.strerror or e}", "E_NO_BINARY") from e
        self.starts += 1
        self._owner = os.getpid()
        hello = self._exchange(self._process, b'{"worker":%d}\n' % PROTOCOL)
        if hello.get("worker") != PROTOCOL:
            self._stop(kill=True)
            raise error_of(hello.get("error") or {"message": f"{command[0]} speaks another protocol"})
        return self._process

    def _died(self, process: subprocess.Popen[bytes]) -> WorkerDied:
        process.kill()
        code = process.wait()
        said = ""
        if self._errors is not None:
            self._errors.seek(0)
            said = self._errors.read()[-2000:].decode(errors="replace").strip()
        self._stop()
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return WorkerDied(f"pactsel worker died ({how})" + (f": {said}" if said else ""), "E_WORKER_DIED")

    def _stop(self, kill: bool = False) -> None:
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            if kill:
                process.kill()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    try:
                        pipe.close()
                    except OSError:
                        pass
            try:
                process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        errors, self._errors = self._errors, None
        if errors is not None:
            errors.close()


class Exchange:
    """Requests that one thread sends one after the other. :meth:`Worker.exchange` makes one."""

    def __init__(self, worker: Worker, timeout: float | None) -> None:
        self._worker, self._timeout = worker, timeout
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> int:
        """Start the process if none runs, and return the number of starts. Later requests go to this process."""
        self._process = self._worker._start()
        return self._worker.starts

    def ask(
        self, request: Mapping[str, Any], summarise: Callable[[Sequence[Mapping[str, Any]]], Mapping[str, Any]]
    ) -> dict[str, Any]:
        """Send a request once and return its answer. ``summarise`` answers questions for summaries."""
        process = self._process or self._worker._start()
        id = next(self._worker._ids)
        ends = None if self._timeout is None else time.monotonic() + self._timeout
        answer = self._worker._send(process, _line({"id": id, **request}, self._timeout), self._timeout)
        while "summarise" in answer:
            try:
                summary = self._in_time(functools.partial(summarise, answer["summarise"]["nodes"]), ends)
            except BaseException:
                self._worker._stop(kill=True)  # it waits for the summary
                raise
            answer = self._worker._send(process, _line({"id": id, **summary}, None), self._timeout)
        if answer.get("id") != id:
            self._worker._stop(kill=True)
            raise PactkitError(f"the answer to {id} is one to {answer.get('id')!r}", "E_WORKER_DIED")
        return answer

    def _in_time(self, summarise: Callable[[], Mapping[str, Any]], ends: float | None) -> Mapping[str, Any]:
        """Return a summary, or that there is none when the time of the request is over. The function then goes on in its thread."""
        if ends is None:
            return summarise()
        done: queue.SimpleQueue[tuple[Mapping[str, Any], BaseException | None]] = queue.SimpleQueue()

        def run() -> None:
            try:
                done.put((summarise(), None))
            except BaseException as e:
                done.put(({}, e))

        threading.Thread(target=contextvars.copy_context().run, args=(run,), name="pactsel-summary", daemon=True).start()
        try:
            summary, error = done.get(timeout=max(0.0, ends - time.monotonic()))
        except queue.Empty:
            return {"summary": None, "error": "it took longer than the request may"}
        if error is not None:
            raise error
        return summary


def _line(request: Mapping[str, Any], timeout: float | None) -> bytes:
    if timeout is not None and "timeout_ms" not in request:
        request = {**request, "timeout_ms": max(1, round(timeout * 1000))}
    return json.dumps(request, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def shared_worker() -> Worker:
    """Return the worker that the functions of this package share."""
    global _shared
    with _shared_lock:
        if _shared is None:
            _shared = Worker()
            atexit.register(_shared.close)
        return _shared


def _worker_of(command: list[str] | None, timeout: float | None, max_bytes: int | None) -> Worker:
    return Worker(binary=command, timeout=timeout, max_bytes=max_bytes)


def _no_summary(nodes: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    return {"summary": None}
