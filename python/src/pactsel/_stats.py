"""Statistics of sessions."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable
from typing import Literal

from ._binary import find
from ._errors import check_errors, failure, treat
from ._protocol import StatsRow


def stats(
    *paths: str | os.PathLike[str],
    source: str | None = None,
    messages: str | None = None,
    tokens: bool = True,
    errors: Literal["raise", "warn", "ignore"] = "raise",
) -> list[StatsRow]:
    """Return a row for each session of files, folders and stores: calls, turns, tokens, tools, what left, cache.

    The rows are those of ``pactsel stats --json``. Without a path, the sessions are those of the working directory.

    :param source: the format of logs; it is recognized by default
    :param messages: the path of the member of logs with the messages
    :param tokens: estimate the tokens that no provider counted, which takes most of the time
    :param errors: ``"ignore"`` and ``"warn"`` skip files that cannot be read
    :raises PactkitError: if a file cannot be read, unless errors are ignored and there is a row
    """
    check_errors(errors, calls=False)
    command = [find(), "stats", "--json", "--quiet"]
    command += [f"--from={source}"] if source else []
    command += [f"--messages={messages}"] if messages else []
    command += [] if tokens else ["--no-tokens"]
    command += ["--", *(os.fspath(p) for p in paths or (".",))]
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
    rows: list[StatsRow] = json.loads(done.stdout)["sessions"] if done.stdout else []
    if done.returncode != 0:
        message = done.stderr.decode(errors="replace").strip()
        treat(failure(message or f"pactsel stats ended with exit code {done.returncode}", paths), errors if rows else "raise")
    return rows


def write_parquet(rows: Iterable[StatsRow], path: str | os.PathLike[str]) -> None:
    """Write the rows of :func:`stats` to a Parquet file, with the same columns whatever is in them.

    It needs ``pyarrow``: ``pip install 'pactsel[parquet]'``.
    """
    import pyarrow
    import pyarrow.parquet

    text, count, number = pyarrow.string(), pyarrow.int64(), pyarrow.float64()
    schema = pyarrow.schema(
        {
            "file": text,
            "session": text,
            "models": pyarrow.list_(text),
            "calls": count,
            "side_calls": count,
            "turns": count,
            "nodes": count,
            "recorded": count,
            "missing": pyarrow.list_(text),
            "failed": count,
            "from_cache": count,
            "tokens": pyarrow.struct({"in": count, "out": count, "cached": count, "label": text, "out_label": text, "session": count, "rest": count}),
            "tools": pyarrow.list_(pyarrow.struct({"name": text, "calls": count, "errors": count})),
            "left": pyarrow.list_(pyarrow.struct({"cause": text, "nodes": count})),
            "cache": pyarrow.struct(dict.fromkeys(("breaks", "resent", "misses", "missed", "written", "rewritten"), count)),
            "cost": pyarrow.struct(
                dict.fromkeys(("total", "input", "cache_read", "cache_write", "output", "thoughts", "break", "miss"), number)
                | {"label": text, "from": pyarrow.list_(text), "unknown": pyarrow.list_(text)}
            ),
            "window": pyarrow.struct({"cycle": count, "in": count, "tokens": count, "label": text}),
            "compactions": pyarrow.list_(pyarrow.struct({"cycle": count, "trigger": text, "before": count, "after": count, "free": count})),
        }
    )
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows), schema), os.fspath(path))
