"""The SDK of Anthropic: messages."""
import anthropic

from common import IMAGE, MODEL, TOOLS, converse, schema

PACKAGE = "anthropic"
MARK = {"cache_control": {"type": "ephemeral"}}


class Messages:
    def __init__(self, api, s, system, tools):
        self.api, self.s, self.messages = api.messages, s, []
        self.more = {"max_tokens": 2000, "system": system}
        if tools:
            self.more["tools"] = [{"name": t, "description": TOOLS[t]["description"], "input_schema": schema(t)} for t in tools]
        if s.get("cache"):
            self.more["system"] = [{"type": "text", "text": system, **MARK}]
            self.more["tools"][-1].update(MARK)
        if s.get("think"):
            self.more["thinking"] = {"type": "enabled", "budget_tokens": 1024}
        edits = [{"type": "clear_tool_uses_20250919"}] if s.get("clear") else [{"type": "compact_20260112"}] if s.get("compact") else []
        if edits:
            self.api = api.beta.messages
            self.more.update(betas=["context-management-2025-06-27", "compact-2026-01-12"], context_management={"edits": edits})

    def ask(self, text, picture):
        parts = [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": IMAGE}}, {"type": "text", "text": text}]
        return self.call(parts if picture else text)

    def results(self, results):
        return self.call([{"type": "tool_result", "tool_use_id": i, "content": text} for i, _, text in results])

    def call(self, content):
        if self.s.get("cache"):  # the mark moves to the last message
            for m in self.messages:
                for block in m["content"] if isinstance(m["content"], list) else []:
                    block.pop("cache_control", None)
            content = [{"type": "text", "text": content}] if isinstance(content, str) else content
            content[-1].update(MARK)
        self.messages.append({"role": "user", "content": content})
        arguments = {"model": MODEL["anthropic"], "messages": self.messages, **self.more}
        if self.s.get("stream"):
            with self.api.stream(**arguments) as stream:
                answer = stream.get_final_message()
        else:
            answer = self.api.create(**arguments)
        self.messages.append({"role": "assistant", "content": [b.model_dump(exclude_none=True) for b in answer.content]})
        return "".join(b.text for b in answer.content if b.type == "text"), [(b.id, b.name, b.input) for b in answer.content if b.type == "tool_use"]


def run(s, url, dump):
    api = anthropic.Anthropic(base_url=url, api_key="none", http_client=dump.client(anthropic.DefaultHttpxClient))
    converse(lambda system, tools: Messages(api, s, system, tools), s["system"], s["tools"], s["turns"])


APIS = {"messages": (run, {"chained"})}
