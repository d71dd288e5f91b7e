"""The exceptions of the package, and its warnings."""

from __future__ import annotations

import errno as _errno
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from ._context import State
    from ._protocol import Changed

_PACKAGE = os.path.dirname(__file__) + os.sep


class PactkitError(Exception):
    """Something that pactkit could not do.

    ``code`` names the kind of failure, such as ``E_FILE_SHAPE``; ``pactsel explain CODE`` describes it. ``path`` is the
    file that it is about, or the name of the log. ``line``, from 1, and ``at``, a JSON path such as ``$[2].content``, say
    where in it. ``hint`` says what to do instead. Each of the four is ``None`` if it is not known.

    A file that the operating system refuses to read raises an error of this class and of the class that :func:`open`
    would raise, such as ``FileNotFoundError``, with its ``errno`` and ``filename``.
    """

    def __init__(
        self,
        message: str,
        code: str = "",
        *,
        path: str | None = None,
        line: int | None = None,
        at: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.path = path
        self.line = line
        self.at = at
        self.hint = hint

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        where += f"line {self.line}: " if self.line else ""
        message = f"{self.message}; {self.hint}" if self.hint else self.message
        return f"{where}{message}" + (f" [{self.code}]" if self.code else "")

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.message, self.code), self.__dict__


def _restored(kind: type[PactkitError], message: str, code: str) -> PactkitError:
    """Return an error for unpickling or copying, without its attributes."""
    return kind(message, code)


class SelectorError(PactkitError):
    """An invalid selector. ``range`` is the range of bytes in it that the message is about, end exclusive."""

    def __init__(
        self, message: str, code: str = "", *, range: tuple[int, int] | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message, code, hint=hint)
        self.range = range


class BinaryNotFound(PactkitError):
    """The program ``pactsel`` is not on this machine."""


class WorkerDied(PactkitError):
    """The program ended in the middle of a request, twice. ``code`` is ``E_WORKER_DIED``."""


class WorkerTimeout(PactkitError, TimeoutError):
    """A request took too long and was abandoned. ``code`` is ``E_WORKER_TIMEOUT``."""


class ContextLost(WorkerDied):
    """The worker died. The uncommitted changes of a context, or a context in memory, are lost.

    A context in a store goes on after ``state.newest``, the cycle of its last commit. If the commit was in progress,
    ``state`` tells whether it is done. ``code`` is ``E_CONTEXT_LOST``.
    """

    def __init__(self, message: str, code: str = "", *, state: State | None = None) -> None:
        super().__init__(message, code)
        self.state = state


class Conflict(PactkitError):
    """Another writer committed to the history first. :meth:`Context.reload` shows the new state.

    ``changed`` says what has changed since the newest snapshot of the context, and is ``None`` if that is not known.
    ``code`` is ``E_STORE_CONFLICT``.
    """

    def __init__(
        self, message: str, code: str = "", *, hint: str | None = None, changed: Changed | None = None
    ) -> None:
        super().__init__(message, code, hint=hint)
        self.changed = changed


class FileError(PactkitError, OSError):
    """The operating system refuses to read a file. ``code`` is ``E_WORKER_FILE``."""

    def __reduce__(self) -> tuple[object, ...]:
        kind, arguments, _ = super().__reduce__()
        return kind, arguments, {**self.__dict__, "errno": self.errno, "strerror": self.strerror, "filename": self.filename}


class MissingFile(FileError, FileNotFoundError):
    """A file that does not exist."""


class ForbiddenFile(FileError, PermissionError):
    """A file that this user may not read."""


class FolderError(FileError, IsADirectoryError):
    """A folder where a file is needed."""


class NotAFolder(FileError, NotADirectoryError):
    """A file where a folder is needed."""


_FILE_ERRORS: dict[str, type[FileError]] = {
    "ENOENT": MissingFile,
    "EACCES": ForbiddenFile,
    "EISDIR": FolderError,
    "ENOTDIR": NotAFolder,
}


class SelectorWarning(UserWarning):
    """Something in a selector that is probably wrong, such as a word that neither the language nor the history has."""


class ContextWarning(UserWarning):
    """Something about a context that is probably wrong: a member without a namespace, a summary that failed."""


class SkippedFile(UserWarning):
    """A file that could not be read and was skipped."""


def error_of(problem: Mapping[str, Any]) -> PactkitError:
    """Return the exception for an error of the protocol."""
    code, message = str(problem.get("code", "")), str(problem.get("message", ""))
    span, hint = problem.get("range"), problem.get("hint")
    if isinstance(span, list):
        return SelectorError(message, code, range=(span[0], span[1]), hint=hint)
    if code == "E_WORKER_TIMEOUT":
        return WorkerTimeout(message, code)
    path = problem.get("file")
    if code != "E_WORKER_FILE":
        return PactkitError(message, code, path=path, line=problem.get("line"), at=problem.get("path"), hint=hint)
    return _file_error(message, path, str(problem.get("errno", "")))


def _file_error(message: str, path: str | None, name: str) -> FileError:
    """Return the exception for an error of the operating system, such as ENOENT."""
    program, found, reason = message.partition(f": {path}: ")
    if found and program.isidentifier():
        message = reason  # the path is printed before the message
    error = _FILE_ERRORS.get(name, FileError)(message, "E_WORKER_FILE", path=path)
    error.errno, error.strerror, error.filename = getattr(_errno, name, None), message, path
    return error


def rename(error: PactkitError, absolute: str, named: str) -> None:
    """Give an error the path of its file as the caller named it, or as it was found below the folder that was named."""
    path = error.path or absolute
    if path.startswith(absolute):
        rest = path[len(absolute) :]
        path = os.path.normpath(named + rest) if rest.startswith(os.sep) else named + rest
    error.path = redacted(path)
    if isinstance(error, FileError):
        error.filename = error.path


def absolute(path: str) -> str:
    """Return a path, or the address of a store, that does not depend on the folder that the worker was started in."""
    if path.startswith(("postgres:", "postgresql:")):
        return path
    rest = path.removeprefix("file:")
    # After a #, there may be the name of a history, in which slashes and dots are not those of a path.
    whole = os.path.join(os.getcwd(), rest) if "#" in rest else os.path.abspath(rest)
    return "file:" + whole if path.startswith("file:") else whole


def redacted(path: str) -> str:
    """Return a path, or the address of a store without the name and the password of its user."""
    address = urlsplit(path) if path.startswith(("postgres:", "postgresql:")) else None
    if address is None:
        return path
    return address._replace(netloc=address.netloc.rpartition("@")[2], query="").geturl()


def failure(message: str, paths: Iterable[str | os.PathLike[str]]) -> PactkitError:
    """Return the exception for a run of the program that failed: if it was named a file that cannot be read, that error."""
    for named in paths:
        path = os.fspath(named)
        if path.partition(":")[0] in ("file", "postgres", "postgresql"):
            continue
        for file in (path, path.rpartition("#")[0], path.removesuffix("+"), path.rpartition("#")[0].removesuffix("+")):
            if file and os.path.exists(file):
                if not os.access(file, os.R_OK):
                    return _file_error(message, path, "EACCES")
                break
        else:
            return _file_error(message, path, "ENOENT")
    return PactkitError(message)


Errors = Literal["raise", "warn", "ignore"] | Callable[[PactkitError], object]
"""What happens to the error of a file among several: see :func:`pactsel.histories`."""


def check_errors(errors: Errors, *, calls: bool = True) -> None:
    """Raise a ValueError for an unknown way to treat errors."""
    if errors not in ("raise", "warn", "ignore") and not (calls and callable(errors)):
        what = "'raise', 'warn', 'ignore'" + (" or a function of the error" if calls else "")
        raise ValueError(f"errors must be {what}, not {errors!r}")


def treat(error: PactkitError, errors: Errors) -> None:
    """Raise an error, warn about it, ignore it, or pass it to a function."""
    if errors == "raise":
        raise error
    if errors == "warn":
        warn(f"skipped: {error}", SkippedFile)
    elif callable(errors):
        errors(error)


def warn(message: str, category: type[Warning]) -> None:
    """Warn about the line that called this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
