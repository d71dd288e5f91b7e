"""Objects of the real frameworks are logs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import pactsel


def langchain() -> dict[str, Any]:
    from langchain_core.messages import AIMessage, HumanMessage
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.memory import MemorySaver
    from langgraph.graph import END, START, MessagesState, StateGraph

    def answer(state: MessagesState) -> dict[str, Any]:
        n = 5 * len(state["messages"])
        return {"messages": [AIMessage("Yes.", usage_metadata={"input_tokens": n, "output_tokens": 1, "total_tokens": n + 1})]}

    graph = StateGraph(MessagesState)
    graph.add_node("model", answer)
    graph.add_edge(START, "model")
    graph.add_edge("model", END)
    saver = MemorySaver()
    app = graph.compile(checkpointer=saver)
    thread: RunnableConfig = {"configurable": {"thread_id": "t"}}
    for question in "A?", "B?":
        found = app.invoke({"messages": [HumanMessage(question)]}, thread)
    return {
        "messages": found["messages"],
        "state": found,
        "snapshot": app.get_state(thread),
        "states": app.get_state_history(thread),
        "checkpoint": saver.get_tuple(thread),
    }


def pydantic_ai() -> dict[str, Any]:
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.models.function import FunctionModel
    from pydantic_ai.usage import RequestUsage

    def answer(messages: list[Any], _: Any) -> ModelResponse:
        return ModelResponse(parts=[TextPart("Yes.")], usage=RequestUsage(input_tokens=5 * len(messages), output_tokens=1))

    agent = Agent(FunctionModel(answer))
    first = asyncio.run(agent.run("A?"))  # run_sync would leave an event loop open
    result = asyncio.run(agent.run("B?", message_history=first.all_messages()))
    return {"result": result, "messages": result.all_messages(), "json": result.all_messages_json().decode()}


def openai() -> dict[str, Any]:
    from openai.types.chat import ChatCompletion

    def exchange(n: int) -> dict[str, Any]:
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Yes."}}
        usage = {"prompt_tokens": n, "completion_tokens": 1, "total_tokens": n + 1}
        answer = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        body = {"model": "m", "messages": [{"role": "user", "content": "A?"}, {"role": "user", "content": "B?"}][: 1 + n // 15]}
        return {"request": body, "response": ChatCompletion.model_validate(answer)}

    return {"exchanges": [exchange(5), exchange(15)]}


def agents() -> dict[str, Any]:
    from agents import Agent, Runner, Usage, set_tracing_disabled
    from agents.items import ModelResponse
    from agents.models.interface import Model
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    from agents import function_tool

    class Two(Model):
        calls = 0

        async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
            self.calls += 1
            text = ResponseOutputText(annotations=[], text="Yes.", type="output_text")
            said: list[Any] = [ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")]
            if self.calls == 1:
                said = [ResponseFunctionToolCall(arguments="{}", call_id="c", name="look", type="function_call")]
            n = 10 * self.calls - 5
            return ModelResponse(output=said, usage=Usage(requests=1, input_tokens=n, output_tokens=1, total_tokens=n + 1), response_id=None)

        def stream_response(self, *_: Any, **__: Any) -> Any:
            raise NotImplementedError

    @function_tool
    def look() -> str:
        return "nothing"

    set_tracing_disabled(True)
    result = asyncio.run(Runner.run(Agent(name="A", model=Two(), tools=[look]), "A?"))
    return {"result": result, "state": result.to_state()}


@pytest.mark.parametrize("framework", [langchain, pydantic_ai, openai, agents])
def test_framework(framework: Callable[[], dict[str, Any]]) -> None:
    for name, log in framework().items():
        assert [call["tokens"]["in"] for call in pactsel.read(log).calls()] == [5, 15], name
