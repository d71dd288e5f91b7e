"""A session of the OpenAI Agents SDK that is kept in a context: ``pip install pactsel[agents]``.

>>> session = pactsel.agents.Session("support-17", "file:sessions#support-17", policy={"window": 200_000, "step": [{"drop": ".block"}]})
>>> result = await Runner.run(agent, "Where is my order?", session=session)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from ._context import Context, Summarise, context, target
from ._history import Node
from ._objects import plain
from ._protocol import Policy
from ._threads import in_thread
from ._worker import Worker

if TYPE_CHECKING:
    from agents.items import TResponseInputItem
    from agents.memory import SessionSettings

    Item = TResponseInputItem

_FORMAT: Literal["openai-responses"] = "openai-responses"


class Session:
    """The items of a conversation, as the protocol ``Session`` of the SDK has them. Each call is durable when it returns.

    A turn is sealed when an answer ends it. The policy applies then: :meth:`get_items` returns what it leaves, and
    :attr:`context` says why the rest left.
    """

    def __init__(
        self,
        session_id: str,
        address: str = "memory:",
        *,
        policy: Policy | None = None,
        summarise: Summarise | None = None,
        timeout: float | None = None,
        worker: Worker | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings: SessionSettings | None = None
        self._policy = policy
        self.context: Context = context(address, policy=policy, summarise=summarise, timeout=timeout, worker=worker)
        """The context of the session."""

    async def get_items(self, limit: int | None = None) -> list[Item]:
        """Return the newest ``limit`` items that the model is sent."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        items = await in_thread(self._items)
        return items if limit is None else items[len(items) - min(limit, len(items)) :]

    async def add_items(self, items: Sequence[Item]) -> None:
        """Add items to the conversation."""
        if items:
            await in_thread(self._add, items)

    async def pop_item(self) -> Item | None:
        """Remove the newest item, and return it."""
        return await in_thread(self._pop)

    async def clear_session(self) -> None:
        """Remove all items. The history keeps them, with the cause."""
        await in_thread(self._clear)

    def _items(self) -> list[Item]:
        return cast("list[Item]", self.context.render(_FORMAT))

    def _add(self, items: Sequence[Item]) -> None:
        self.context.add(items, _FORMAT)
        last = cast("dict[str, Any]", plain(items[-1]))
        if last.get("role") == "assistant":
            self.context.commit()
        else:  # the turn continues
            self.context.step()

    def _pop(self) -> Item | None:
        items = self._items()
        if not items:
            return None
        nodes = self.context.select("^seq .block, ^ah .block")
        newest = max(map(_message, nodes))
        self._drop([target(n) for n in nodes if _message(n) == newest])
        left = self._items()
        if missing := [item for item in items[:-1] if item not in left]:  # a call leaves with its result
            self.context.add(missing, _FORMAT)
            self.context.step()
        return items[-1]

    def _clear(self) -> None:
        self._drop(["^seq .block", "^ah .block"])

    def _drop(self, selectors: Sequence[str]) -> None:
        self.context.policy({"window": 1, "step": [{"drop": ", ".join(selectors)}]})
        try:
            self.context.shrink(2**31 - 1)
        finally:
            self.context.policy(self._policy)


def _message(node: Node) -> int:
    """Return the number of the message of a node."""
    provenance = node.get("provenance")
    number = provenance.get("message") if isinstance(provenance, dict) else None
    return number if isinstance(number, int) else -1
