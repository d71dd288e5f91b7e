"""Live contexts for asyncio."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Concatenate, Literal, overload

from ._context import AnthropicThread, Commit, Context, Format, State
from ._history import History
from ._protocol import Json
from ._threads import P, R, in_thread
from ._watch import AsyncWatch


def _awaited(method: Callable[Concatenate[Context, P], R]) -> Callable[Concatenate[AsyncContext, P], Coroutine[Any, Any, R]]:
    async def call(self: AsyncContext, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await in_thread(method, self.sync, *args, **kwargs)

    call.__name__, call.__doc__ = method.__name__, method.__doc__
    return call


class AsyncContext:
    """A :class:`Context` with asynchronous methods. A thread waits for the worker, and the loop does not.

    A call that is canceled may happen nevertheless.
    """

    def __init__(self, sync: Context) -> None:
        self.sync = sync
        """The same context with synchronous methods."""

    @property
    def address(self) -> str:
        """The address, without a password."""
        return self.sync.address

    @property
    def last(self) -> Commit:
        """The end of the last cycle that this object ended; its ``cycle`` is 0 before the first."""
        return self.sync.last

    @property
    def history(self) -> History:
        """The history of the context, with synchronous methods."""
        return self.sync.history

    def __repr__(self) -> str:
        return f"<AsyncContext {self.address}>"

    async def __aenter__(self) -> AsyncContext:
        await in_thread(self.sync.__enter__)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    insert = _awaited(Context.insert)
    replace = _awaited(Context.replace)
    move = _awaited(Context.move)
    delete = _awaited(Context.delete)
    pin = _awaited(Context.pin)
    unpin = _awaited(Context.unpin)
    hold = _awaited(Context.hold)
    release = _awaited(Context.release)
    attach = _awaited(Context.attach)
    refresh = _awaited(Context.refresh)
    stop = _awaited(Context.stop)
    describe = _awaited(Context.describe)
    add = _awaited(Context.add)
    answer = _awaited(Context.answer)
    commit = _awaited(Context.commit)
    prepare = _awaited(Context.prepare)
    complete = _awaited(Context.complete)
    step = _awaited(Context.step)
    shrink = _awaited(Context.shrink)
    seal = _awaited(Context.seal)
    checkpoint = _awaited(Context.checkpoint)
    policy = _awaited(Context.policy)
    rewind = _awaited(Context.rewind)
    reload = _awaited(Context.reload)
    close = _awaited(Context.close)
    select = _awaited(Context.select)
    select_all = _awaited(Context.select_all)
    explain = _awaited(Context.explain)
    changes = _awaited(Context.changes)
    calls = _awaited(Context.calls)
    test = _awaited(Context.test)

    @overload
    async def render(self, format: Literal["anthropic"], *, at: str | None = None, fit: bool = False) -> AnthropicThread: ...
    @overload
    async def render(
        self, format: Literal["openai", "openai-responses"], *, at: str | None = None, fit: bool = False
    ) -> list[dict[str, Json]]: ...
    @overload
    async def render(
        self, format: Format, *, at: str | None = None, fit: bool = False
    ) -> AnthropicThread | list[dict[str, Json]] | Json: ...
    async def render(
        self, format: Format, *, at: str | None = None, fit: bool = False
    ) -> AnthropicThread | list[dict[str, Json]] | Json:
        """Return the context as the messages of a provider: see :meth:`Context.render`."""
        return await in_thread(self.sync.render, format, at=at, fit=fit)

    async def fork(self, to: str | None = None, *, at: str | None = None) -> AsyncContext:
        """Return a fork: see :meth:`Context.fork`."""
        return AsyncContext(await in_thread(self.sync.fork, to, at=at))

    def watch(self, selector: str, *, stored: bool = False, every: float = 0.2) -> AsyncWatch:
        """Follow a selector with ``async for``: see :meth:`Context.watch`."""
        return AsyncWatch(self.sync.watch(selector, stored=stored, every=every))

    async def state(self) -> State:
        """Return the cycle in progress, and the newest snapshot."""
        return await in_thread(lambda: self.sync.state)
