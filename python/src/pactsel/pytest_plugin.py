"""The plugin for pytest, found automatically: a fixture, and the version in the header."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import pactsel


@pytest.fixture
def pact_select() -> Iterator[Callable[..., pactsel.Nodes]]:
    """A function ``(log, selector, min=…, max=…)`` that checks like :func:`pactsel.selects`, and returns the nodes."""
    from ._errors import SelectorWarning, warn
    from ._selects import check, history_of

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
        return check(history_of(log, source, messages), selector, min, max, lambda message: warn(message, SelectorWarning))

    yield select


def pytest_report_header() -> str:
    """Return the line that names the program in use."""
    try:
        return f"pactsel: {pactsel.binary()}"
    except pactsel.BinaryNotFound as e:
        return f"pactsel: {e}"
