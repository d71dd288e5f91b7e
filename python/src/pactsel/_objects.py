"""The objects that frameworks keep messages in, as JSON.

No framework is imported: objects say themselves how they are written, by the methods that their libraries document.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime
import enum
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ._errors import PactkitError

_READABLE = (
    "the text of a log; dicts and lists of messages; messages of LangChain, states of LangGraph; messages or the result of a run of "
    "Pydantic AI; objects of the OpenAI SDK; the result, the state or the items of a run of the OpenAI Agents SDK"
)


def plain(log: Any) -> Any:
    """Return a log as JSON has it: text, or lists and dicts of what they hold, written as their classes document it.

    A value inside a message that has no form in JSON, such as an artifact of a tool, becomes its ``repr``.
    """
    if isinstance(log, str):
        return log
    found = _plain(log, _refuse)
    if isinstance(found, (dict, list)):
        return found
    raise _refused(log)


def _plain(value: Any, other: Callable[[Any], Any] = repr) -> Any:
    """Return a value as JSON has it. ``other`` makes something of a value that has no form in JSON."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value.value if isinstance(value, enum.Enum) else value
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        fields = getattr(value, "_fields", None)  # of a named tuple, such as a state of LangGraph
        return {name: _plain(one) for name, one in zip(fields, value)} if fields else [_plain(one, other) for one in value]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    for form in _FORMS:
        found = form(value)
        if found is not _NONE:
            return _plain(found)
    if other is not repr and isinstance(value, Iterable) and not isinstance(value, type):
        return [_plain(one, other) for one in value]
    return other(value)


_NONE: Any = object()


def _run(value: Any) -> Any:
    """The result of a run, or an item of it: of the OpenAI Agents SDK with its tokens, as the state of the run has them, or of Pydantic AI."""
    if callable(getattr(value, "to_input_list", None)):
        if all(hasattr(value, name) for name in ("input", "new_items", "raw_responses")):
            made = [{"raw_item": getattr(item, "raw_item", None)} for item in value.new_items]
            return {"original_input": value.input, "model_responses": list(value.raw_responses), "generated_items": made}
        return value.to_input_list()
    if callable(getattr(value, "all_messages", None)):
        return value.all_messages()
    if callable(getattr(value, "to_input_item", None)) and hasattr(value, "raw_item"):  # one of its items, which has its agent, too
        return {"type": getattr(value, "type", None), "raw_item": value.raw_item}
    return _NONE


def _model(value: Any) -> Any:
    """A model of pydantic, such as a message of LangChain or an object of the OpenAI SDK."""
    if isinstance(value, type) or not callable(getattr(value, "model_dump", None)):
        return _NONE
    if callable(getattr(value, "to_dict", None)):  # of the OpenAI SDK: without what the API did not send
        return value.to_dict(mode="json")
    try:  # serialize_as_any: in a list of the messages of LangChain each has the members of its own class
        return value.model_dump(mode="json", serialize_as_any=True)
    except ValueError:  # something in it has no form in JSON
        return value.model_dump(serialize_as_any=True)


def _dataclass(value: Any) -> Any:
    """A dataclass, such as a message of Pydantic AI, without its private fields."""
    if isinstance(value, type) or not dataclasses.is_dataclass(value):
        return _NONE
    return {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if not f.name.startswith("_")}


def _method(value: Any) -> Any:
    """An object with a method that says how it is written. It may return the text."""
    if isinstance(value, type):
        return _NONE
    for name in ("to_json", "to_dict"):
        method = getattr(value, name, None)
        if callable(method):
            found = method()
            return json.loads(found) if isinstance(found, str) else found
    return _NONE


_FORMS: tuple[Callable[[Any], Any], ...] = (_run, _model, _method, _dataclass)


def _refuse(value: Any) -> Any:
    raise _refused(value)


def _refused(value: Any) -> PactkitError:
    kind = value if isinstance(value, type) else type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    what = f"the class {name}, not an object of it," if isinstance(value, type) else f"an object of the type {name}"
    return PactkitError(f"{what} cannot be read as a log; what can be read is {_READABLE}", "E_FILE_SHAPE")
