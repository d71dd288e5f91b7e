"""Objects of the shapes that frameworks have, without the frameworks."""

from __future__ import annotations

import dataclasses
import datetime
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest

import pactsel


class Model:
    """A model of pydantic, as far as it is asked for."""

    def __init__(self, **members: Any) -> None:
        self.__dict__.update(members)

    def model_dump(self, mode: str = "python", serialize_as_any: bool = False) -> dict[str, Any]:
        if mode == "json" and any(type(v) is object for v in vars(self).values()):
            raise ValueError("unable to serialize")
        return dict(vars(self))


class Response(Model):
    """An object of the OpenAI SDK."""

    def to_dict(self, *, mode: str = "python") -> dict[str, Any]:
        return {name: value for name, value in self.model_dump(mode).items() if value is not None}


def messages() -> list[Model]:
    """Messages of LangChain, one of which has an artifact without a form in JSON."""
    return [
        Model(type="human", content="Late?", id="h1"),
        Model(
            type="ai",
            content="",
            tool_calls=[{"name": "clock", "args": {}, "id": "c"}],
            usage_metadata={"input_tokens": 7, "output_tokens": 2, "total_tokens": 9},
        ),
        Model(type="tool", content="9 pm", tool_call_id="c", artifact=object(), additional_kwargs={}),
        Model(type="ai", content="No.", usage_metadata={"input_tokens": 12, "output_tokens": 1, "total_tokens": 13}),
    ]


def tokens(history: pactsel.History) -> list[int]:
    return [call["tokens"]["in"] for call in history.calls()]


def test_langchain() -> None:
    history = pactsel.read(messages())
    assert tokens(history) == [7, 12]
    assert history.select("@t0 .block").texts == ["Late?", "{}", "9 pm", "No."]
    assert tokens(pactsel.open({"messages": messages()})) == [7, 12], "a state"
    assert tokens(pactsel.read(iter(messages()))) == [7, 12], "a generator"
    state = namedtuple("state", ["values", "config", "created_at", "tasks"])
    config = {"configurable": {"thread_id": "t"}}
    newest = state({"messages": messages()}, config, "2026-01-01T00:00:02Z", (object(),))
    oldest = state({"messages": messages()[:1]}, config, "2026-01-01T00:00:01Z", ())
    assert tokens(pactsel.read([newest, oldest])) == [7, 12], "states, the newest first"


def test_dataclasses() -> None:
    @dataclasses.dataclass
    class Part:
        content: Any
        part_kind: str
        timestamp: datetime.datetime = datetime.datetime(2026, 1, 1)
        _cache: Any = None

    @dataclasses.dataclass
    class Binary:
        data: bytes
        media_type: str = "image/png"
        kind: str = "binary"

    @dataclasses.dataclass
    class Message:
        parts: list[Part]
        kind: str
        usage: dict[str, int] = dataclasses.field(default_factory=dict)

    class Result:
        def all_messages(self) -> list[Message]:
            prompt = Part(["What is it?", Binary(b"ab")], "user-prompt")
            answer = Message([Part("A bird.", "text")], "response", {"input_tokens": 9, "output_tokens": 3})
            return [Message([prompt], "request"), answer]

    history = pactsel.read(Result())
    assert tokens(history) == [9] and history.select("@t0 .block").texts[0] == "What is it?"
    assert "data:image/png;base64,YWI=" in history.select("@t0 .block").texts[1]
    assert tokens(pactsel.read(Result().all_messages())) == [9]


def test_openai() -> None:
    answer = Response(role="assistant", content="Hello.", refusal=None)
    log = [{"role": "user", "content": "Hi"}, answer]
    assert pactsel.read(log).select("@t0 .block").texts == ["Hi", "Hello."]
    completion = Response(
        id="c",
        object="chat.completion",
        choices=[{"index": 0, "message": answer}],
        usage={"prompt_tokens": 4, "completion_tokens": 1},
    )
    exchange = {"request": {"model": "m", "messages": log[:1]}, "response": completion}
    assert tokens(pactsel.read([exchange])) == [4]
    with pytest.raises(pactsel.PactkitError, match="an OpenAI response without its request"):
        pactsel.read(completion)


def test_subclasses() -> None:
    class History(Model):  # whose messages are declared as of the base class, which has no calls
        def model_dump(self, mode: str = "python", serialize_as_any: bool = False) -> dict[str, Any]:
            calls = {"tool_calls": [{"id": "c", "name": "f", "args": {"of": "rye"}}]} if serialize_as_any else {}
            return {"messages": [{"type": "human", "content": "Rye?"}, {"type": "ai", "content": "", **calls}, {"type": "human", "content": "And oats?"}]}

    assert '{"of":"rye"}' in pactsel.read(History()).select("@t0 .block").texts


def test_agents() -> None:
    class Result:
        input = "Rye?"
        new_items = [Model(raw_item={"type": "message", "role": "assistant", "content": "None."})]
        raw_responses = [
            Model(usage={"input_tokens": 8, "output_tokens": 2}, output=[{"type": "message", "role": "assistant", "content": "None."}])
        ]

        def to_input_list(self) -> list[dict[str, Any]]:
            return [{"role": "user", "content": "Rye?"}, {"role": "assistant", "content": "None."}]

    class State:
        def to_json(self) -> str:
            return '{"original_input": "Rye?", "model_responses": [{"usage": {"input_tokens": 8}, "output": [{"role": "assistant", "content": "None."}]}]}'

    @dataclasses.dataclass
    class Item:
        raw_item: Any
        agent: Any = None
        type: str = "message_output_item"

        def to_input_item(self) -> Any:
            return self.raw_item

    assert tokens(pactsel.read(Result())) == [8]
    assert tokens(pactsel.read(State())) == [8]
    items = [Item(Model(type="message", role="assistant", content="None."), agent=object())]
    assert pactsel.read(items).select("@t0 .block").texts == ["None."]
    assert pactsel.read(Result().to_input_list()).select("@t0 .block").texts == ["Rye?", "None."]


@pytest.mark.parametrize("log", [5, None, object(), [object()], Model, open, [{"role": "user", "content": "Hi"}, Model]])
def test_refused(log: Any) -> None:
    with pytest.raises(pactsel.PactkitError, match="cannot be read as a log; what can be read is the text of a log; dicts") as e:
        pactsel.read(log)
    assert e.value.code == "E_FILE_SHAPE"


def test_paths(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        pactsel.open(tmp_path / "none.json")
