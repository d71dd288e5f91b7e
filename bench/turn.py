"""Measure a turn of a live context over the pipe: insert, render, commit.

    VENV/bin/pip install out/wheels/one/*.whl
    VENV/bin/python bench/turn.py [TURNS]

The turns of a context in a folder, those of one in memory, and bare writes of as many bytes with an fsync take turns, so all of
them meet the same load. A context has 50 turns, because a rendering grows with them. It prints medians in milliseconds, the
median of turn ÷ fsync, and what the folder adds to a turn in memory ÷ fsync. The folder is in the current one: a temporary
folder may be in memory, where nothing has to be made durable.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pactsel

LENGTH = 50


def timed(do: Callable[[], object]) -> float:
    begun = time.perf_counter()
    do()
    return (time.perf_counter() - begun) * 1e3


def turn(ctx: pactsel.Context) -> None:
    ctx.insert("(d0,0, end)", role="user", text="hi")
    ctx.render("anthropic")
    ctx.commit()


def main(turns: int) -> None:
    stored, kept, bare = [], [], []
    with tempfile.TemporaryDirectory(dir=".") as folder:
        journal = Path(folder, "a.jsonl")
        file = os.open(Path(folder, "bare"), os.O_CREAT | os.O_WRONLY)

        def write(data: bytes) -> None:
            os.write(file, data)
            os.fsync(file)

        for _ in range(0, turns, LENGTH):
            journal.unlink(missing_ok=True)
            with pactsel.context(f"file:{folder}#a") as ctx, pactsel.context() as memory:
                turn(ctx)  # opens the context and creates the file
                turn(memory)
                for _ in range(LENGTH):
                    size = journal.stat().st_size
                    stored.append(timed(lambda: turn(ctx)))
                    data = bytes(journal.stat().st_size - size)
                    bare.append(timed(lambda: write(data)))
                    kept.append(timed(lambda: turn(memory)))
        os.close(file)
    ratio = median(a / b for a, b in zip(stored, bare, strict=True))
    added = median(a - c for a, c in zip(stored, kept, strict=True)) / median(bare)
    print(f"folder {median(stored):.2f} ms, memory {median(kept):.2f} ms, fsync {median(bare):.2f} ms; folder/fsync {ratio:.2f}, added/fsync {added:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
