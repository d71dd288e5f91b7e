"""No public function, method or attribute of the package, or of an adapter, has ``Any`` as its result."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterator

import pytest

import pactsel
import pactsel.agents
import pactsel.langchain
import pactsel.pytest_plugin
import pactsel.spark


def results(where: str, owner: object) -> Iterator[tuple[str, str]]:
    """Yield the types, as they are written, of what a name gives: itself, or a member of a class."""
    if isinstance(owner, type):
        for name, written in inspect.get_annotations(owner).items():
            if not name.startswith("_"):
                yield f"{where}.{name}", str(written)
        for name, value in vars(owner).items():
            if not name.startswith("_") or name.startswith("__"):
                yield from results(f"{where}.{name}", value)
    elif isinstance(owner, property):
        yield from results(where, owner.fget)
    elif isinstance(owner, classmethod | staticmethod):
        yield from results(where, owner.__func__)
    elif isinstance(owner, types.FunctionType):
        yield where, str(inspect.get_annotations(owner).get("return", ""))


PUBLIC = [(f"pactsel.{name}", getattr(pactsel, name)) for name in pactsel.__all__]
PUBLIC += [
    (f"{module.__name__}.{name}", value)
    for module in (pactsel.agents, pactsel.langchain, pactsel.pytest_plugin, pactsel.spark)
    for name, value in vars(module).items()
    if getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
]


@pytest.mark.parametrize(("where", "owner"), PUBLIC, ids=[where for where, _ in PUBLIC])
def test_results(where: str, owner: object) -> None:
    assert [name for name, written in results(where, owner) if re.search(r"\bAny\b", written)] == []
