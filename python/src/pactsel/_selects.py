"""A decorator for tests of agents."""

from __future__ import annotations

import functools
import inspect
import os
import warnings
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from ._errors import SelectorWarning
from ._history import History, Nodes, Step

F = TypeVar("F", bound=Callable[..., Any])


def selects(
    selector: str, *, min: int | None = None, max: int | None = None, source: str | None = None, messages: str | None = None
) -> Callable[[F], F]:
    """Make a test check how many nodes a selector selects in what the test returns.

    The test returns a :class:`History`, a path, or a log: a list of messages or the body of a request. It may be a
    coroutine function. Without ``min`` and ``max``, at least one node must be selected. A test can have
    several of these decorators:

    >>> import pactsel
    >>> @pactsel.selects(".block+tool{content~'Error'}", max=0, source="openai")
    ... @pactsel.selects(".block{kind=call}{name='search'}", min=1, source="openai")
    ... def test_search():
    ...     call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    ...     return [
    ...         {"role": "user", "content": "Where is it?"},
    ...         {"role": "assistant", "content": None, "tool_calls": [call]},
    ...         {"role": "tool", "tool_call_id": "c1", "content": "It is here."},
    ...     ]
    >>> test_search()

    A selector with a word that is probably misspelled fails the test, whatever it selects.

    :param source: the format of the log; it is recognized by default
    :param messages: the path of the member of the log with the messages
    """
    least, most = (1, None) if min is None and max is None else (min or 0, max)

    def decorate(test: F) -> F:
        def warn_test(message: str) -> None:
            code, module = test.__code__, test.__globals__
            registry = module.setdefault("__warningregistry__", {})
            warnings.warn_explicit(message, SelectorWarning, code.co_filename, code.co_firstlineno, test.__module__, registry)

        def check_result(result: Any) -> None:
            __tracebackhide__ = True
            if isinstance(result, _Checked):
                result = result.value
            check(history_of(result, source, messages), selector, least, most, warn_test)

        inner = getattr(test, "__pactsel_test__", None)
        run = inner or test

        if inspect.iscoroutinefunction(run):

            @functools.wraps(test)
            async def wait(*args: Any, **kwargs: Any) -> _Checked:
                result = await run(*args, **kwargs)
                check_result(result)
                return _Checked.of(result)

            called: Any = wait
        else:

            @functools.wraps(test)
            def call(*args: Any, **kwargs: Any) -> _Checked:
                result = run(*args, **kwargs)
                check_result(result)
                return _Checked.of(result)

            called = call
        return cast(F, _outer(test, called))

    return decorate


class _Checked:
    """What a test returned, passed on from one decorator to the next."""

    def __init__(self, value: Any) -> None:
        self.value = value

    @classmethod
    def of(cls, result: Any) -> _Checked:
        return result if isinstance(result, cls) else cls(result)


def _outer(test: Any, checked: Any) -> Any:
    """Return the function that pytest calls, which returns None. The next decorator finds the original function in it."""
    if inspect.iscoroutinefunction(checked):

        @functools.wraps(test)
        async def wait(*args: Any, **kwargs: Any) -> None:
            await checked(*args, **kwargs)

        outer: Any = wait
    else:

        @functools.wraps(test)
        def call(*args: Any, **kwargs: Any) -> None:
            checked(*args, **kwargs)

        outer = call
    outer.__pactsel_test__ = checked
    return outer


def history_of(result: Any, source: str | None, messages: str | None) -> History:
    """Return the history of what a test returned."""
    from . import open as open_file
    from . import read

    if isinstance(result, History):
        return result
    if isinstance(result, os.PathLike):
        return open_file(result, source=source, messages=messages)
    if isinstance(result, str) and "\n" not in result and not result.lstrip().startswith(("{", "[")):
        return open_file(result, source=source, messages=messages)
    if result is None:
        raise TypeError("the test returned nothing; it must return a history, a path, or a log such as a list of messages")
    return read(result, source=source, messages=messages)


def check(history: History, selector: str, least: int, most: int | None, warn: Callable[[str], None]) -> Nodes:
    """Return the nodes that a selector selects. Raise an AssertionError unless there are as many as there should be.

    A misspelled word is an error even then: a test that expects no node would pass forever.
    """
    __tracebackhide__ = True
    found, steps = history.explain(selector)
    as_many = len(found) >= least and (most is None or len(found) <= most)
    if as_many and not found.misspelled:
        for warning in found.warnings:
            warn(f"{selector}: {warning}")
        return found
    if most is None:
        wanted = f"at least {least}"
    else:
        wanted = str(most) if least == most else f"at most {most}" if least == 0 else f"{least} to {most}"
    count = f"{len(found)} node{'' if len(found) == 1 else 's'}"
    lines = [f"{selector} has a misspelled word, and selects {count}" if as_many else f"{selector} selects {count}, expected {wanted}"]
    lines += [f"  {w}" for w in found.warnings]
    lines += [f"  {n!r}" for n in found[:10]]
    if len(found) > 10:
        lines.append(f"  and {len(found) - 10} more")
    if len(found) == 0:
        lines += ["  nodes left after each step:", *_lines(steps)]
    raise AssertionError("\n".join(lines))


def _lines(steps: Sequence[Step]) -> list[str]:
    """Return the steps of a selector as ``pactsel explain`` prints them."""
    lines = []
    last: Step | None = None
    for step in steps:
        if last is not None and step.fragment != last.fragment:
            lines.append("    ,")
        elif last is not None and step.side != last.side:
            lines.append("    ??")
        count = "-" if step.count is None else step.count
        lines.append(f"    {count:>6}  {step.step}" + ("  <- nothing is left here" if step.empty else ""))
        last = step
    return lines
