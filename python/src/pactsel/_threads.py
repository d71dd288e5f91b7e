"""Threads that wait for the worker, so that loops of asyncio need not."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_loop: ContextVar[asyncio.AbstractEventLoop | None] = ContextVar("_loop", default=None)


async def in_thread(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a function in a thread. What it gives to :func:`settled` runs in the loop meanwhile."""
    token = _loop.set(asyncio.get_running_loop())
    try:
        return await asyncio.to_thread(function, *args, **kwargs)
    finally:
        _loop.reset(token)


def settled(value: R | Awaitable[R]) -> R:
    """Wait for a value, if it is awaitable: in the loop that :func:`in_thread` was called in, or else in one of its own."""
    if not inspect.isawaitable(value):
        return value

    async def wait() -> R:
        return await value

    loop = _loop.get()
    return asyncio.run(wait()) if loop is None else asyncio.run_coroutine_threadsafe(wait(), loop).result()
