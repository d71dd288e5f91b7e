"""The SDK of OpenAI: chat completions and Responses."""
import json

import openai

from common import IMAGE, MODEL, TOOLS, converse, schema

PACKAGE = "openai"


def client(url, dump):
    return openai.OpenAI(base_url=url + "/v1", api_key="none", http_client=dump.client(openai.DefaultHttpxClient))


class Chat:
    def __init__(self, api, s, system, tools):
        self.api, self.s = api, s
        self.messages = [{"role": "system", "content": system}]
        self.more = {"tools": [{"type": "function", "function": {"name": t, "description": TOOLS[t]["description"], "parameters": schema(t)}} for t in tools]} if tools else {}
        if s.get("think"):
            self.more["reasoning_effort"] = "low"
        self.turns = 0

    def ask(self, text, picture):
        self.turns += 1
        if self.s.get("compact") and self.turns == 3:  # the client's own: its summary stands for what left
            self.messages[1:-1] = [{"role": "user", "content": "So far: ferries at 08:15 and 17:40."}]
        parts = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": "data:image/png;base64," + IMAGE}}]
        self.messages.append({"role": "user", "content": parts if picture else text})
        return self.call()

    def results(self, results):
        self.messages += [{"role": "tool", "tool_call_id": i, "content": text} for i, _, text in results]
        return self.call()

    def call(self):
        arguments = {"model": MODEL["openai"], "messages": self.messages, **self.more}
        if self.s.get("stream"):
            with self.api.chat.completions.stream(**arguments, stream_options={"include_usage": True}) as stream:
                answer = stream.get_final_completion()
        else:
            answer = self.api.chat.completions.create(**arguments)
        m = answer.choices[0].message
        self.messages.append({"role": "assistant", "content": m.content, **({"tool_calls": [
            {"id": c.id, "type": "function", "function": {"name": c.function.name, "arguments": c.function.arguments}} for c in m.tool_calls]} if m.tool_calls else {})})
        return m.content, [(c.id, c.function.name, json.loads(c.function.arguments)) for c in m.tool_calls or []]


class Responses:
    def __init__(self, api, s, system, tools):
        self.api, self.s, self.items, self.previous = api, s, [], None
        self.more = {"instructions": system, "store": bool(s.get("chain"))}
        if tools:
            self.more["tools"] = [{"type": "function", "name": t, "description": TOOLS[t]["description"], "parameters": schema(t), "strict": False} for t in tools]
        if s.get("think"):
            self.more.update(reasoning={"effort": "low", "summary": "auto"}, include=["reasoning.encrypted_content"])
        if s.get("compact"):
            self.more["context_management"] = [{"type": "compaction", "compact_threshold": 1000}]

    def ask(self, text, picture):
        parts = [{"type": "input_text", "text": text}, {"type": "input_image", "image_url": "data:image/png;base64," + IMAGE, "detail": "auto"}]
        self.items.append({"role": "user", "content": parts if picture else text})
        return self.call()

    def results(self, results):
        self.items += [{"type": "function_call_output", "call_id": i, "output": text} for i, _, text in results]
        return self.call()

    def call(self):
        arguments = {"model": MODEL["openai"], "input": self.items, **self.more}
        if self.previous:
            arguments["previous_response_id"] = self.previous
        if self.s.get("stream"):
            with self.api.responses.stream(**arguments) as stream:
                answer = stream.get_final_response()
        else:
            answer = self.api.responses.create(**arguments)
        if self.s.get("chain"):
            self.items, self.previous = [], answer.id
        else:
            self.items += [item.model_dump(exclude_none=True) for item in answer.output]
        return answer.output_text, [(i.call_id, i.name, json.loads(i.arguments)) for i in answer.output if i.type == "function_call"]


def run(kind):
    def with_kind(s, url, dump):
        api = client(url, dump)
        converse(lambda system, tools: kind(api, s, system, tools), s["system"], s["tools"], s["turns"])
    return with_kind


# By API: what runs a scenario, and the scenarios that it cannot do.
APIS = {"chat": (run(Chat), {"clearing", "chained"}), "responses": (run(Responses), {"clearing"})}
