"""The plugin for pytest, found automatically: a fixture, and the version in the header."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import pactsel


@pytest.fixture
def pact_select() -> Iterator[Callable[..., pactsel.Nodes]]:
    """A function ``(log, selector, min=…, max=…)`` that checks like :func:`pactsel.selects`, and returns the nodes."""
    from ._selects import fail, history_of

    def select(
        log: object,
        selector: str,
        *,
        min: int = 0,
        max: int | None = None,
        source: str | None = None,
        messages: str | None = None,
    ) -> pactsel.Nodes:
        __tracebackhide__ = True
        found = history_of(log, source, messages).select(selector)
        fail(selector, found, min, max)
        return found

    yield select


def pytest_report_header() -> str:
    """Return the line that names the program in use."""
    try:
        return f"pactsel: {pactsel.binary()}"
    except pactsel.BinaryNotFound as e:
        return f"pactsel: {e}"
