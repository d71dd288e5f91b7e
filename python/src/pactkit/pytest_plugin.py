"""The plugin for pytest, found automatically: a fixture, and the version in the header."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import pactkit


@pytest.fixture
def pact_select() -> Iterator[Callable[..., pactkit.Nodes]]:
    """A function ``(log, selector, min=…, max=…)`` that checks like :func:`pactkit.selects`, and returns the nodes."""
    from ._selects import fail, history_of

    def select(
        log: object,
        selector: str,
        *,
        min: int = 0,
        max: int | None = None,
        source: str | None = None,
        messages: str | None = None,
    ) -> pactkit.Nodes:
        __tracebackhide__ = True
        found = history_of(log, source, messages).select(selector)
        fail(selector, found, min, max)
        return found

    yield select


def pytest_report_header() -> str:
    """Return the line that names the program in use."""
    try:
        return f"pactkit: {pactkit.binary()}"
    except pactkit.BinaryNotFound as e:
        return f"pactkit: {e}"
