"""Compare a policy with LangChain's middleware and Anthropic's context editing on recorded sessions.

    python -m venv VENV && VENV/bin/pip install langchain==1.5.2
    VENV/bin/python bench/policies.py --pactkit out/bin/pactkit SESSION...

A SESSION is what pactkit renders as the messages of one conversation; ``FILE:N`` is sample N of a list of tau-bench. At each
call of the model, each way gets the same messages and the same knobs, and the script prints what each would have sent:

- ``pactkit policy try`` with a step ``clear``;
- ``ClearToolUsesEdit`` of LangChain's ``ContextEditingMiddleware``, the code of the installed package;
- Anthropic's ``clear_tool_uses_20250919``, a *model* of its documentation: above the trigger, all results but the newest ``keep``
  are replaced, unless that would clear less than ``clear_at_least``. What the service really does was not measured.

The trigger is between the smallest and the largest call, so each way may count tokens as it does: pactkit with its own counter,
the others with a quarter of the characters, as LangChain approximates them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain.agents.middleware.context_editing import ClearToolUsesEdit
from langchain_core.messages import BaseMessage, ToolMessage, convert_to_messages

Message = dict[str, Any]
PLACEHOLDER = "[cleared]"


@dataclass
class Sum:
    """What one way did: in its own tokens."""

    calls: int = 0
    acted: int = 0  # calls at which it changed what was sent before
    raw: int = 0
    sent: int = 0
    again: int = 0  # sent after the first such change, so a cache of the provider does not have it
    over: int = 0  # calls above the trigger nevertheless

    def add(self, other: Sum) -> None:
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def __str__(self) -> str:
        return f"{self.sent / self.raw:.0%} | {self.again / self.raw:.0%} | {self.acted} | {self.over}"


def between(sizes: list[int], share: float) -> int:
    """Return a trigger between the smallest and the largest call, whatever a system prompt takes."""
    return int(min(sizes) + share * (max(sizes) - min(sizes)))


def tokens(messages: list[Any]) -> int:
    return sum(-(-len(text_of(m)) // 4) for m in messages)


def text_of(message: Any) -> str:
    if isinstance(message, BaseMessage):
        return f"{message.content}{getattr(message, 'tool_calls', None) or ''}"
    return f"{message.get('content') or ''}{message.get('tool_calls') or ''}"


def replay(messages: list[Message], trigger: int, edit: Callable[[list[BaseMessage], int], list[BaseMessage]]) -> Sum:
    """Edit what was sent at each call."""
    total, before = Sum(), []
    for at, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        sent = convert_to_messages(messages[:at])
        raw = tokens(sent)
        sent = edit(sent, trigger)
        total.calls, total.raw, total.sent = total.calls + 1, total.raw + raw, total.sent + tokens(sent)
        texts = [text_of(m) for m in sent]
        same = next((i for i, (a, b) in enumerate(zip(before, texts)) if a != b), min(len(before), len(texts)))
        if same < len(before):
            total.acted += 1
            total.again += tokens(sent[same:])
        total.over += tokens(sent) > trigger
        before = texts
    return total


def langchain(keep: int, at_least: int) -> Callable[[list[BaseMessage], int], list[BaseMessage]]:
    def edit(messages: list[BaseMessage], trigger: int) -> list[BaseMessage]:
        rule = ClearToolUsesEdit(trigger=trigger, keep=keep, clear_at_least=at_least, placeholder=PLACEHOLDER)
        rule.apply(messages, count_tokens=tokens)
        return messages

    return edit


def anthropic(keep: int, at_least: int) -> Callable[[list[BaseMessage], int], list[BaseMessage]]:
    def edit(messages: list[BaseMessage], trigger: int) -> list[BaseMessage]:
        results = [i for i, m in enumerate(messages) if isinstance(m, ToolMessage)]
        if tokens(messages) <= trigger or len(results) <= keep:
            return messages
        edited = list(messages)
        for i in results[: len(results) - keep]:
            edited[i] = edited[i].model_copy(update={"content": PLACEHOLDER})
        return edited if tokens(messages) - tokens(edited) >= at_least else messages

    return edit


def policy(pactkit: str, messages: list[Message], share: float, keep: int, at_least: float) -> Sum:
    with tempfile.TemporaryDirectory() as folder:
        log, file = Path(folder, "log.json"), Path(folder, "policy.toml")
        log.write_text(json.dumps(messages))

        def run(window: int, gain: int) -> Any:
            file.write_text(
                f'window = {window}\nmin-gain = {gain}\n[[step]]\nclear = ".block+tool"\n'
                f'except = ".block+tool @order=turn:desc,pre @limit={keep}"\nwith = "{PLACEHOLDER}"\n'
            )
            command = [pactkit, "policy", "try", str(log), "--from", "openai", "--policy", str(file), "--json"]
            return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)

        sent = [c["sent"] for c in run(1, 0)["calls"]]  # above that budget, all calls are listed
        trigger = between(sent, share)
        found = run(trigger, int(at_least * trigger))["total"]
        return Sum(found["calls"], found["changed"], found["sent"], found["policy"], found["again"], found["over"])


def read(pactkit: str, name: str) -> list[Message]:
    """Return the messages of a session, from the first to the last call of the model."""
    path, _, number = name.rpartition(":")
    if number.isdigit():
        found = json.loads(Path(path).read_text())[int(number)]["traj"]
    else:
        command = [pactkit, "render", "-f", name, "--to", "openai"]
        found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    while found and found[-1]["role"] != "assistant":
        found.pop()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--pactkit", default="pactkit")
    parser.add_argument("--trigger", type=float, default=0.5, help="where it is between the smallest and the largest call")
    parser.add_argument("--keep", type=int, default=3, help="results that stay")
    parser.add_argument("--at-least", type=float, nargs="*", default=[0, 0.2], help="the least that an edit clears, a share of the trigger")
    parser.add_argument("sessions", nargs="+")
    o = parser.parse_args()
    ways = ("policy try", "LangChain", "Anthropic (model)")
    print(f"Trigger {o.trigger:.0%} of the way from the smallest to the largest call, keep {o.keep}. For each way: tokens sent, sent again after a change, calls with a change, calls over.\n")
    for at_least in o.at_least:
        print(f"At least {at_least:.0%} of the trigger at a time:\n")
        print("| session | calls | " + " | ".join(f"{w}: sent | again | changes | over" for w in ways) + " |")
        print("|---|---|" + "---|---|---|---|" * len(ways))
        totals = [Sum() for _ in ways]
        for name in o.sessions:
            messages = read(o.pactkit, name)
            trigger = between([tokens(messages[:i]) for i, m in enumerate(messages) if m["role"] == "assistant"], o.trigger)
            least = int(at_least * trigger)
            sums = [
                policy(o.pactkit, messages, o.trigger, o.keep, at_least),
                replay(messages, trigger, langchain(o.keep, least)),
                replay(messages, trigger, anthropic(o.keep, least)),
            ]
            for total, one in zip(totals, sums):
                total.add(one)
            path, _, number = name.rpartition(":")
            short = f"{Path(path).stem} {number}" if number.isdigit() else Path(name).stem[:8]
            print(f"| {short} | {sums[0].calls} | " + " | ".join(map(str, sums)) + " |")
        print(f"| all | {totals[0].calls} | " + " | ".join(map(str, totals)) + " |\n")


main()
