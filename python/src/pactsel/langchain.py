"""A middleware of LangChain that sends a context to the model: ``pip install pactsel[langchain]``.

>>> agent = create_agent(model, tools, checkpointer=saver, middleware=[pactsel.langchain.ContextMiddleware("file:sessions", policy=policy)])
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Awaitable, Callable
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ContextT, ResponseT
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, convert_to_messages, convert_to_openai_messages
from langgraph.config import get_config

from ._context import Context, Summarise, context
from ._protocol import Policy
from ._threads import in_thread
from ._worker import Worker


class ContextMiddleware(AgentMiddleware[AgentState[ResponseT], ContextT, ResponseT]):
    """Keeps a context for each thread of a graph, and sends it to the model.

    The state of the graph keeps all messages, as it does without this. The policy decides which of them the model is
    sent, and the context says why the others left. Messages that the state removes stay in the context.

    :param store: ``memory:``, or the address of a store, such as ``file:sessions``, in which each thread has a history
        of its name
    """

    def __init__(
        self,
        store: str = "memory:",
        *,
        policy: Policy | None = None,
        summarise: Summarise | None = None,
        timeout: float | None = None,
        worker: Worker | None = None,
    ) -> None:
        super().__init__()
        self._store = store
        self._policy, self._summarise, self._timeout, self._worker = policy, summarise, timeout, worker
        self._contexts: dict[str, Context] = {}
        self._seen: dict[str, set[str]] = {}
        self._lock = threading.Lock()

    def context(self, thread: str) -> Context:
        """Return the context of a thread, by its ``thread_id``."""
        with self._lock:
            if thread not in self._contexts:
                name = thread.replace("%", "%25").replace("#", "%23")
                address = self._store if self._store == "memory:" else f"{self._store}#{name}"
                self._contexts[thread] = context(
                    address, policy=self._policy, summarise=self._summarise, timeout=self._timeout, worker=self._worker
                )
            return self._contexts[thread]

    def wrap_model_call(
        self, request: ModelRequest[ContextT], handler: Callable[[ModelRequest[ContextT]], ModelResponse[ResponseT]]
    ) -> ModelResponse[ResponseT]:
        thread = _thread()
        response = handler(self._before(thread, request))
        self._after(thread, response)
        return response

    async def awrap_model_call(
        self, request: ModelRequest[ContextT], handler: Callable[[ModelRequest[ContextT]], Awaitable[ModelResponse[ResponseT]]]
    ) -> ModelResponse[ResponseT]:
        thread = _thread()
        response = await handler(await in_thread(self._before, thread, request))
        await in_thread(self._after, thread, response)
        return response

    def _before(self, thread: str, request: ModelRequest[ContextT]) -> ModelRequest[ContextT]:
        """Add new messages to the context, and return a request with the messages of the context."""
        ctx = self.context(thread)
        seen = self._known(thread, ctx)
        for message in request.messages:
            if message.id is None or message.id not in seen:
                ctx.add([_written(message)], "openai")
                seen.add(str(message.id))
        prompt = None if request.system_message is None else str(request.system_message.text)
        if prompt is not None and prompt not in ctx.select("^sys .block+system").texts:
            ctx.delete("#system-prompt?")
            ctx.insert("(^sys, end)", key="system-prompt", role="system", text=prompt)
        sent = [m for m in ctx.render("openai", fit=True) if m["role"] != "system"]
        return request.override(messages=cast("list[AnyMessage]", convert_to_messages(sent)))

    def _after(self, thread: str, response: ModelResponse[ResponseT]) -> None:
        """Add the answer to the context."""
        ctx, seen = self._contexts[thread], self._seen[thread]
        for message in response.result:
            if message.id is None:
                message.id = str(uuid.uuid4())
            seen.add(message.id)
            if isinstance(message, AIMessage):
                ctx.answer({"choices": [{"message": _written(message)}], **_usage(message)}, "openai")
            else:
                ctx.add([_written(message)], "openai")

    def _known(self, thread: str, ctx: Context) -> set[str]:
        """Return the ids of all messages that were in the context."""
        if thread not in self._seen:
            found = ctx.select("@* .block") if ctx.state.newest is not None else ctx.select(".block")
            self._seen[thread] = {str(n.get("message_id")) for n in found}
        return self._seen[thread]


def _thread() -> str:
    """Return the thread in which the graph runs."""
    return str((get_config().get("configurable") or {}).get("thread_id", ""))


def _written(message: BaseMessage) -> dict[str, Any]:
    """Return a message as OpenAI's chat API has it, with its id."""
    return {**convert_to_openai_messages(message), "id": message.id or str(uuid.uuid4())}


def _usage(message: AIMessage) -> dict[str, Any]:
    used = message.usage_metadata
    model = message.response_metadata.get("model_name")
    out: dict[str, Any] = {} if model is None else {"model": model}
    if used is not None:
        out["usage"] = {
            "prompt_tokens": used["input_tokens"],
            "completion_tokens": used["output_tokens"],
            "total_tokens": used["total_tokens"],
            "prompt_tokens_details": {"cached_tokens": (used.get("input_token_details") or {}).get("cache_read", 0)},
        }
    return out
