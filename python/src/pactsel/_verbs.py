"""Functions that run the program once."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any, Literal, cast

from ._binary import find
from ._context import Format
from ._errors import PactkitError, SelectorError, failure
from ._protocol import Diff, Finding, Json, Trace

Path = str | os.PathLike[str]


def explain(what: str, *, edition: Literal["1.0", "0.1"] | None = None) -> str:
    """Explain a selector, a code such as ``E_TIME_REQUIRED``, a rule of the linter, or a word of the language.

    :raises PactkitError: for anything else, and for a selector with errors
    """
    return _run("explain", *_options(edition=edition), "--", what)


def format(selector: str, *, style: Literal["canonical", "compact"] = "canonical") -> str:  # noqa: A001 - a verb
    """Return a selector in the canonical or the shortest spelling.

    :raises SelectorError: if it has errors
    """
    done = _process("fmt", "--isolated", "--stdin-filename", "selector.pactsel", "--style", style, "-", given=selector)
    if done.returncode != 0:
        raise SelectorError(*_first_error(done.stderr.decode(errors="replace")))
    return done.stdout.decode().rstrip("\n")


def lint(*paths: Path) -> list[Finding]:
    """Return the mistakes and old forms in the selectors of files and folders, by default those of the working directory.

    :raises PactkitError: if a file cannot be read
    """
    done = _process("lint", "--output-format", "json", "--", *(os.fspath(p) for p in paths or (".",)))
    if done.returncode > 1 or not done.stdout:
        raise failure(_said(done), paths)
    return cast("list[Finding]", json.loads(done.stdout)["findings"])


def render(path: Path, format: Format, *, at: str = "@t0", source: str | None = None) -> Json:
    """Return a snapshot of a history or a log as the messages of a provider.

    :param at: the address of the snapshot, such as ``@t-1``
    """
    options = _options(to=format, at=at, **{"from": source})
    done = _process("render", *options, "--quiet", "--", os.fspath(path))
    if done.returncode > 1 or not done.stdout:
        raise failure(_said(done), [path])
    return cast(Json, json.loads(done.stdout) if format != "claude-code" else done.stdout.decode())


def diff(path: Path, older: str = "@t-1", newer: str = "@t0", *, select: str | None = None, source: str | None = None) -> Diff:
    """Return the differences between two snapshots of a history or a log, or between the results of a selector in them."""
    text = _run("diff", "--json", *_options(select=select, **{"from": source}), "--", os.fspath(path), older, newer, paths=[path])
    return cast(Diff, json.loads(text))


def trace(path: Path, node: str, *, source: str | None = None) -> Trace:
    """Return the life of the node with an id or of a selector: where it came from, when and why it left."""
    return cast(Trace, json.loads(_run("trace", "--json", *_options(**{"from": source}), "--", os.fspath(path), node, paths=[path])))


def _options(**given: str | None) -> list[str]:
    return [f"--{name}={value}" for name, value in given.items() if value is not None]


def _process(*arguments: str, given: str | None = None) -> subprocess.CompletedProcess[bytes]:
    stdin: dict[str, Any] = {"stdin": subprocess.DEVNULL} if given is None else {"input": given.encode()}
    return subprocess.run([find(), *arguments], capture_output=True, **stdin)


def _run(*arguments: str, paths: list[Path] | None = None) -> str:
    done = _process(*arguments)
    if done.returncode != 0:
        if paths:
            raise failure(_said(done), paths)
        raise PactkitError(*_first_error(_said(done)))
    return done.stdout.decode()


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stderr.decode(errors="replace").strip() or f"pactsel ended with exit code {done.returncode}"


def _first_error(text: str) -> tuple[str, str]:
    """Return the first message of the program, and its code."""
    line = text.strip().splitlines()[0] if text.strip() else ""
    message = line.partition(": error: ")[2] or line
    if message.endswith("]") and " [E_" in message:
        message, _, code = message[:-1].rpartition(" [")
        return message, code
    return message, ""
