"""Runs ``pactsel`` as ``pactfmt``: a wheel cannot contain links, and the program is large."""

from __future__ import annotations

import os
import subprocess
import sys

from ._binary import find
from ._errors import BinaryNotFound


def pactfmt() -> int:
    """Run ``pactfmt`` with the arguments and streams of this process, and return its exit code."""
    try:
        program = find()
    except BinaryNotFound as e:
        print(f"pactfmt: {e}", file=sys.stderr)
        return 2
    # The program behaves as the name that it is called by.
    command = ["pactfmt", *sys.argv[1:]]
    if os.name == "nt":
        return subprocess.call(command, executable=program)
    try:
        os.execv(program, command)
    except OSError as e:
        print(f"pactfmt: cannot start {program}: {e.strerror}", file=sys.stderr)
        return 2
