"""The exceptions of the package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class PactkitError(Exception):
    """Something that pactsel could not do.

    ``code`` names the kind of failure, such as ``E_FILE_SHAPE``; ``pactsel explain CODE`` describes it. ``line`` and
    ``path`` say where in the log it is, if that is known.
    """

    def __init__(self, message: str, code: str = "", *, line: int | None = None, path: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.line = line
        self.path = path

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.message}" + (f" [{self.code}]" if self.code else "")


class SelectorError(PactkitError):
    """An invalid selector. ``range`` is the range of bytes in it that the message is about, end exclusive."""

    def __init__(self, message: str, code: str = "", *, range: tuple[int, int] | None = None) -> None:
        super().__init__(message, code)
        self.range = range


class BinaryNotFound(PactkitError):
    """The program ``pactsel`` is not on this machine."""


class WorkerDied(PactkitError):
    """The program ended in the middle of a request, twice. ``code`` is ``E_WORKER_DIED``."""


class WorkerTimeout(PactkitError, TimeoutError):
    """A request took too long and was abandoned. ``code`` is ``E_WORKER_TIMEOUT``."""


def error_of(problem: Mapping[str, Any]) -> PactkitError:
    """Return the exception for an error of the protocol."""
    code, message = str(problem.get("code", "")), str(problem.get("message", ""))
    span = problem.get("range")
    if isinstance(span, list):
        return SelectorError(message, code, range=(span[0], span[1]))
    if code == "E_WORKER_TIMEOUT":
        return WorkerTimeout(message, code)
    return PactkitError(message, code, line=problem.get("line"), path=problem.get("path"))
