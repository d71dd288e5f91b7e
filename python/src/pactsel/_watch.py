"""What commits change in the result of a selector."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ._errors import PactkitError
from ._history import Node
from ._threads import in_thread


@dataclass(frozen=True, slots=True)
class ChangedNode:
    """A node that changed but is still selected."""

    node: Node
    fields: tuple[str, ...]
    """What changed, such as ``ttl``."""


@dataclass(frozen=True, slots=True)
class Watched:
    """How the result of a selector has changed."""

    cycle: int | None
    """The cycle of the newest snapshot; ``None`` if there is none."""
    added: tuple[Node, ...] = ()
    removed: tuple[Node, ...] = ()
    """The nodes that are no longer selected, as they were."""
    changed: tuple[ChangedNode, ...] = ()
    first: bool = False
    """Whether ``added`` has everything that is selected: in the first result, and in the first one of a new worker."""

    def __bool__(self) -> bool:
        return bool(self.first or self.added or self.removed or self.changed)


class Watch:
    """Follows a selector: see :meth:`Context.watch`. :meth:`changes` asks once; iterating waits for changes, without an end."""

    def __init__(self, ask: Callable[[], dict[str, Any]], end: Callable[[], object], every: float) -> None:
        self._ask, self._end, self._every = ask, end, every
        self._closed = False

    def changes(self) -> Watched:
        """Return what commits have changed since the last call; at first, everything that is selected."""
        if self._closed:
            raise PactkitError("the watch is closed", "E_WORKER_CONTEXT")
        return watched_of(self._ask()["watched"])

    def __iter__(self) -> Iterator[Watched]:
        while True:
            if found := self.changes():
                yield found
            else:
                time.sleep(self._every)

    def close(self) -> None:
        """End the watch. It ends with the context, too. Closing it again does nothing."""
        if not self._closed:
            self._closed = True
            self._end()

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncWatch:
    """A :class:`Watch` with asynchronous methods, for ``async for``."""

    def __init__(self, sync: Watch) -> None:
        self.sync = sync
        """The same watch with synchronous methods."""

    async def changes(self) -> Watched:
        """Return what commits have changed since the last call; at first, everything that is selected."""
        return await in_thread(self.sync.changes)

    async def __aiter__(self) -> AsyncIterator[Watched]:
        while True:
            if found := await self.changes():
                yield found
            else:
                await asyncio.sleep(self.sync._every)

    async def close(self) -> None:
        """End the watch. It ends with the context, too. Closing it again does nothing."""
        await in_thread(self.sync.close)

    async def __aenter__(self) -> AsyncWatch:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def watched_of(found: dict[str, Any]) -> Watched:
    return Watched(
        found["cycle"],
        tuple(Node(n) for n in found["added"]),
        tuple(Node(n) for n in found["removed"]),
        tuple(ChangedNode(Node(c["node"]), tuple(c["fields"])) for c in found["changed"]),
        found.get("first", False),
    )
