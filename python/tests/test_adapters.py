"""Agents of the real frameworks run on contexts, with a scripted model."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pactsel
import pactsel.agents
import pactsel.langchain

POLICY: pactsel.Policy = {"window": 120, "keep-last": 1, "step": [{"clear": ".block+tool"}]}
LONG = "line " * 100


async def agents(folder: Path) -> None:
    from agents import Agent, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
    from agents.memory import Session
    from agents.models.interface import Model
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    set_tracing_disabled(True)
    sent: list[Any] = []

    class Scripted(Model):
        async def get_response(self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any) -> ModelResponse:
            sent.append(input)
            n = len(sent)
            output: list[Any] = []
            if str(input[-1].get("content", "")).startswith("Read"):
                output.append(ResponseFunctionToolCall(type="function_call", call_id=f"c{n}", name="read", arguments='{"name":"a"}', id=f"fc_{n}"))
            else:
                text = ResponseOutputText(type="output_text", text="Done.", annotations=[])
                output.append(ResponseOutputMessage(id=f"msg_{n}", type="message", role="assistant", status="completed", content=[text]))
            return ModelResponse(output=output, usage=Usage(), response_id=None)

        def stream_response(self, *args: Any, **kwargs: Any) -> Any:
            raise NotImplementedError

    @function_tool
    def read(name: str) -> str:
        return LONG

    def session() -> pactsel.agents.Session:
        return pactsel.agents.Session("1", f"file:{folder}#agents", policy=POLICY)

    one = session()
    assert isinstance(one, Session)
    agent = Agent(name="reader", model=Scripted(), tools=[read])
    assert (await Runner.run(agent, "Read a", session=one)).final_output == "Done."
    items = await one.get_items()
    assert [i.get("type") or i.get("role") for i in items] == ["user", "function_call", "function_call_output", "message"]
    await Runner.run(agent, "Read b", session=one)
    one = session()  # another process
    await Runner.run(agent, "Hello", session=one)
    assert [i["output"] for i in sent[-1] if i.get("type") == "function_call_output"] == ["[cleared: read, 101 tokens]", LONG]
    before = await one.get_items()
    assert await one.pop_item() == before[-1]
    assert await one.get_items() == before[:-1] and await one.get_items(2) == before[-3:-1]
    await one.add_items([before[-1]])
    assert await one.get_items() == before
    await one.clear_session()
    assert await one.get_items() == [] and await one.pop_item() is None
    assert len(one.context.select("@* .block+user")) == 3, "the history keeps them"


def test_agents(tmp_path: Path) -> None:
    asyncio.run(agents(tmp_path))


def test_langchain(tmp_path: Path) -> None:
    from langchain.agents import create_agent
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langgraph.checkpoint.memory import InMemorySaver

    sent: list[list[BaseMessage]] = []

    class Scripted(BaseChatModel):
        @property
        def _llm_type(self) -> str:
            return "scripted"

        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            return self

        def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
            sent.append(messages)
            n, tokens = len(sent), sum(len(str(m.content).split()) for m in messages)
            used = {"input_tokens": tokens, "output_tokens": 1, "total_tokens": tokens + 1}
            answer = AIMessage("Done.", usage_metadata=used)
            if str(messages[-1].content).startswith("Read"):
                answer = AIMessage("", tool_calls=[{"id": f"c{n}", "name": "read", "args": {"name": "a"}}], usage_metadata=used)
            return ChatResult(generations=[ChatGeneration(message=answer)])

    def read(name: str) -> str:
        """Read a file."""
        return LONG

    saver = InMemorySaver()

    def build() -> tuple[Any, pactsel.langchain.ContextMiddleware]:
        middleware = pactsel.langchain.ContextMiddleware(f"file:{tmp_path}", policy=POLICY)
        return create_agent(Scripted(), [read], checkpointer=saver, middleware=[middleware], system_prompt="Be kind."), middleware

    thread: Any = {"configurable": {"thread_id": "t#1"}}
    agent, middleware = build()
    for question in "Read a", "Read b":
        found = agent.invoke({"messages": [("user", question)]}, thread)
    assert [m.content for m in sent[-1] if m.type == "tool"] == ["[cleared: read, 101 tokens]", LONG]
    assert len(found["messages"]) == 8, "the state has all messages"
    calls = middleware.context("t#1").calls()
    assert [c["tokens"]["in"] for c in calls] == [sum(len(str(m.content).split()) for m in s) for s in sent]
    agent, middleware = build()  # another process
    found = asyncio.run(agent.ainvoke({"messages": [("user", "Hello")]}, thread))
    assert found["messages"][-1].content == "Done." and len(found["messages"]) == 10
    assert len(sent[-1]) == 10, "the system prompt and nine messages, each once"

