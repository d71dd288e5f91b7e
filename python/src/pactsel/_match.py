"""Searches many sessions."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ._binary import find
from ._errors import Errors, check_errors, failure, treat
from ._history import text_of, warn_misspelled
from ._protocol import Json
from ._worker import shared_worker


@dataclass(frozen=True, slots=True)
class Match:
    """A node that :func:`grep` found."""

    path: str
    """The file, as it was named, or as it was found below a folder."""
    history: str
    """The name of the history in its file; empty if the file has only one."""
    cycle: int
    """The call whose snapshot shows the node."""
    id: str
    type: str
    role: str | None
    kind: str | None
    content: Json
    first: int | None = None
    """With ``ever``: the call of the first snapshot that has the node."""
    last: int | None = None
    """With ``ever``: the call of the last snapshot that has the node."""
    change: str | None = None
    """For a range of time: ``added``, ``removed`` or ``changed``."""

    @property
    def text(self) -> str:
        """The content as text."""
        return text_of(self.content)


def grep(
    selector: str,
    *paths: str | os.PathLike[str],
    source: str | None = None,
    messages: str | None = None,
    ever: bool = False,
    errors: Literal["raise", "warn", "ignore"] = "raise",
) -> Iterator[Match]:
    """Yield the nodes that a selector selects in files, folders and stores, in order, as ``pactsel grep`` finds them.

    It uses all processors. Without a path, it searches the working directory.

    :param source: the format of logs; it is recognized by default
    :param messages: the path of the member of logs with the messages
    :param ever: search each node that was ever in a session
    :param errors: ``"ignore"`` and ``"warn"`` skip files that cannot be read; ``"raise"`` raises after the last match
    :raises PactkitError: if the selector is wrong or, in the end, if files could not be read

    A word that is probably misspelled is a :class:`SelectorWarning` if nothing was found.
    """
    check_errors(errors, calls=False)
    return _grep(selector, paths, source, messages, ever, errors)


def _grep(
    selector: str, paths: Sequence[str | os.PathLike[str]], source: str | None, messages: str | None, ever: bool, errors: Errors
) -> Iterator[Match]:
    command = [find(), "grep", "--json", "--quiet"]
    command += [f"--from={source}"] if source else []
    command += [f"--messages={messages}"] if messages else []
    command += ["--ever"] if ever else []
    command += ["--", selector, *(os.fspath(p) for p in paths)]
    found = 0
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, stdin=subprocess.DEVNULL)
        assert process.stdout
        try:
            for line in process.stdout:
                found += 1
                yield _match(json.loads(line))
            code = process.wait()
        finally:
            process.kill()
            process.stdout.close()
            process.wait()
        said.seek(0)
        message = said.read().decode(errors="replace").strip()
    if code in (0, 1):
        if not found:
            warn_misspelled([selector], shared_worker())
        return
    error = failure(message or f"pactsel grep ended with exit code {code}", paths)
    treat(error, errors if found else "raise")


def _match(line: dict[str, Any]) -> Match:
    return Match(
        line["file"],
        line.get("session", ""),
        line["cycle"],
        line["id"],
        line["type"],
        line.get("role"),
        line.get("kind"),
        line.get("content"),
        line.get("first"),
        line.get("last"),
        line.get("change"),
    )
