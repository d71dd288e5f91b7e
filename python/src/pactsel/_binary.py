"""Finds the program that does the work."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from ._errors import BinaryNotFound


def find(name: str = "pactsel") -> str:
    """Return the path of a program of this package: ``pactsel``, ``pactfmt`` or ``pact-lsp``.

    It is the file that the environment variable ``PACTKIT_BINARY`` names (only for ``pactsel``), otherwise the one
    installed with this package, otherwise the one on the ``PATH``. Raises :class:`BinaryNotFound`.
    """
    named = os.environ.get("PACTKIT_BINARY", "")
    if named and name == "pactsel":
        if shutil.which(named) is None:
            raise BinaryNotFound(f"PACTKIT_BINARY names {named}, which is not a program", "E_NO_BINARY")
        return named
    for folder in _folders():
        found = folder / (name + (".exe" if os.name == "nt" else ""))
        if found.is_file():
            return str(found)
    on_path = shutil.which(name)
    if on_path is not None:
        return on_path
    raise BinaryNotFound(
        f"this package has no {name} for {sys.platform} on {platform.machine()}: build it with "
        "'go install github.com/pactkit/pactkit/cmd/...', and name its pactkit in PACTKIT_BINARY",
        "E_NO_BINARY",
    )


def _folders() -> Iterator[Path]:
    """Yield the folders in which installers put programs, first that of this copy of the package."""
    package = Path(__file__).resolve().parent
    yield package.parent / "bin"  # pip install --target
    yield Path(sysconfig.get_path("scripts"))
    yield Path(sysconfig.get_path("scripts", f"{os.name}_user"))
    yield Path(sys.executable).parent
