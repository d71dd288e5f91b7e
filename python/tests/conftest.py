from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

LOG: list[dict[str, Any]] = [
    {"role": "user", "content": "Where is <a>?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"name":"a"}'}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "Error: no such file"},
    {"role": "assistant", "content": "It is not there."},
    {"role": "user", "content": "Thanks."},
]


@pytest.fixture
def log() -> list[dict[str, Any]]:
    return [dict(m) for m in LOG]


# A program that answers like pactsel worker, but dies, hangs or prints garbage if a request tells it to.
_BROKEN = """\
#!{python}
import os, signal, subprocess, sys, time
real = subprocess.Popen([{real!r}, *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin.buffer:
    if b"CRASH" in line:
        sys.stderr.write("out of memory\\n")
        sys.stderr.flush()
        real.kill()
        os.kill(os.getpid(), signal.SIGKILL)
    if b"ONCE" in line and not os.path.exists({mark!r}):
        open({mark!r}, "w").close()
        os._exit(3)
    if b"HANG" in line:
        real.kill()
        time.sleep(60)
    if b"JUNK" in line:
        sys.stdout.buffer.write(b"\\x00\\xff junk\\n")
        sys.stdout.buffer.flush()
        continue
    real.stdin.write(line)
    real.stdin.flush()
    sys.stdout.buffer.write(real.stdout.readline())
    sys.stdout.buffer.flush()
"""


@pytest.fixture
def broken(tmp_path: Path) -> str:
    """The path of a program that misbehaves as a request tells it to."""
    import pactsel

    path = tmp_path / "broken"
    path.write_text(_BROKEN.format(python=sys.executable, real=pactsel.binary(), mark=str(tmp_path / "mark")))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    assert os.access(path, os.X_OK)
    return str(path)
