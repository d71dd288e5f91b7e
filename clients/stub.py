"""A stand-in for OpenAI (chat completions and Responses), Anthropic (messages) and Gemini
(generateContent) on loopback. Its addresses are http://127.0.0.1:PORT/RUN/SCENARIO, and the N-th
request to one of them gets the N-th answer of the scenario. Bodies are kept in OUT/RUN/SCENARIO.bodies,
one JSON object a line: {"path", "status", "body", "plan", "answer", "usage": {"in", "out", "cached", "written"}, "stream"}.

usage: stub.py OUT, which prints its port."""
import contextlib
import hashlib
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HERE = os.path.dirname(os.path.abspath(__file__))


def expanded(answers):
    """Answers, with those that repeat as often as they do. They have their number in place of {n}."""
    again = lambda a: [json.loads(json.dumps(x).replace("{n}", str(n))) for n in range(a["repeat"]) for x in a["of"]]
    return [x for a in answers for x in (again(a) if "repeat" in a else [a])]


TABLE = {k: {**v, "answers": expanded(v["answers"])} for name in ("scenarios.json", "agents.json", "hard.json") for k, v in json.load(open(os.path.join(HERE, name)))["scenarios"].items()}
OUT = sys.argv[1]
LOCK = threading.Lock()
COUNTS, CACHES = {}, {}


def text(v):
    """JSON without the marks of a cache."""
    if isinstance(v, dict):
        v = {k: json.loads(text(w)) for k, w in v.items() if k != "cache_control"}
    elif isinstance(v, list):
        v = [json.loads(text(w)) for w in v]
    return json.dumps(v, sort_keys=True)


def tokens(pieces):
    return sum(len(p) for p in pieces) // 4


def cached(run, body, blocks):
    """The tokens of a request, those read from the cache, and those written to it. A provider with marks
    reads and writes up to marked blocks, the others up to any."""
    cache, pieces = CACHES.setdefault(run, set()), [text(b) for b in blocks]
    hashes = [hashlib.sha256("\0".join(pieces[: n + 1]).encode()).digest() for n in range(len(pieces))]
    marked = "cache_control" in json.dumps(body)
    ends = [n for n, b in enumerate(blocks) if not marked or "cache_control" in json.dumps(b)]
    if "max_tokens" in body and "system" in body and not marked:
        return tokens(pieces), 0, 0
    read = max([n + 1 for n, h in enumerate(hashes) if h in cache], default=0)
    last = ends[-1] + 1 if ends else 0
    cache.update(hashes[n] for n in ends)
    written = tokens(pieces[:last]) - tokens(pieces[:read]) if marked else 0
    return tokens(pieces), tokens(pieces[:read]), max(written, 0)


def blocks(body):
    """What a provider shows the model, in its order."""
    out = [*(body.get("tools") or [])]
    for name in ("system", "instructions", "systemInstruction", "messages", "input", "contents"):
        part = body.get(name) or []
        for m in part if isinstance(part, list) else [part]:
            content = m.get("content") if isinstance(m, dict) else None
            out += [{"role": m["role"], "part": p} for p in content] if isinstance(content, list) else [m]
    return out


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        run, scenario, path = self.path.split("?")[0].strip("/").split("/", 2)
        with LOCK:
            self.is_agent = run == "agents"
            title = self.is_agent and not body.get("tools")  # its place among the requests is not known
            name = scenario + "_title" if title else scenario
            n = COUNTS[run, name] = COUNTS.get((run, name), 0) + 1
            answers = [{"text": "A title"}] * n if title else TABLE[scenario]["answers"]
            a = answers[n - 1] if n <= len(answers) else {"text": "Nothing more is planned."}
            total, read, written = cached((run, scenario), body, blocks(body))
            use = {"in": total, "out": len(json.dumps(a)) // 4, "cached": read, "written": written}
        self.events, n = None, f"{name}_{n}"  # for the ids, which no two answers share
        if "status" in a:
            answer = {"type": "error", "error": {"type": "api_error", "message": f"planned error {a['status']}", "code": a["status"], "status": "UNAVAILABLE"}}
        elif path.endswith("chat/completions"):
            answer = chat(self, body, a, n, use)
        elif path.endswith("responses"):
            answer = responses(self, body, a, n, use)
        elif path.endswith("messages"):
            answer = messages(self, body, a, n, use)
        else:
            answer = gemini(self, body, a, n, use, "stream" in path)
        with LOCK:
            os.makedirs(os.path.join(OUT, run), exist_ok=True)
            with open(os.path.join(OUT, run, scenario + ".bodies"), "a") as f:
                json.dump({"path": path, "status": a.get("status", 200), "body": body, "plan": a, "answer": answer, "usage": use, "stream": "".join(self.events or [])}, f)
                f.write("\n")
        time.sleep(a.get("late", 0))
        if self.events and "wait" in a:
            self.drip(a["wait"])
        elif self.events:
            self.send("".join(self.events).encode(), "text/event-stream")
        else:
            time.sleep(a.get("wait", 0))
            self.send(json.dumps(answer).encode(), "application/json", a.get("status", 200))

    def send(self, data, kind, status=200):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.send_header("retry-after-ms", "1")
        self.end_headers()
        self.wfile.write(data)

    def drip(self, seconds):
        """Sends the events one by one."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for event in self.events:
            self.wfile.write(event.encode())
            self.wfile.flush()
            time.sleep(seconds)

    def handle(self):
        with contextlib.suppress(ConnectionError):  # clients go away
            super().handle()

    def stream(self, events, named=False):
        """Sends events in place of the answer."""
        self.events = [(f"event: {e['type']}\n" if named else "") + "data: " + (e if isinstance(e, str) else json.dumps(e)) + "\n\n" for e in events]


def halves(s):
    return [s[: len(s) // 2], s[len(s) // 2 :]]


def calls(a, prefix, n):
    return [(f"{prefix}_{n}_{i}", name, args) for i, (name, args) in enumerate(a.get("calls", []))]


def chat(h, body, a, n, use):
    u = {"prompt_tokens": use["in"], "completion_tokens": use["out"], "total_tokens": use["in"] + use["out"],
         "prompt_tokens_details": {"cached_tokens": use["cached"]}, "completion_tokens_details": {"reasoning_tokens": 5 if "think" in a else 0}}
    base = {"id": f"chatcmpl-{n}", "created": 1, "model": body["model"]}
    tools = [{"id": i, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}} for i, name, args in calls(a, "call", n)]
    end = "tool_calls" if tools else "stop"
    thought = {"reasoning_content": a["think"]} if h.is_agent and "think" in a else {}
    m = {"role": "assistant", "content": a.get("text"), **thought, "refusal": None, "annotations": [], **({"tool_calls": tools} if tools else {})}
    answer = {**base, "object": "chat.completion", "choices": [{"index": 0, "message": m, "finish_reason": end, "logprobs": None}], "usage": u}
    if not body.get("stream"):
        return answer
    deltas = [{"role": "assistant", "content": ""}] + ([thought] if thought else []) + [{"content": s} for s in halves(a.get("text", "")) if s]
    for i, t in enumerate(tools):
        first, second = halves(t["function"]["arguments"])
        deltas.append({"tool_calls": [{**t, "index": i, "function": {**t["function"], "arguments": first}}]})
        deltas.append({"tool_calls": [{"index": i, "function": {"arguments": second}}]})
    chunk = lambda d, end: {**base, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": d, "finish_reason": end}]}
    last = [{**base, "object": "chat.completion.chunk", "choices": [], "usage": u}] if (body.get("stream_options") or {}).get("include_usage") else []
    h.stream([chunk(d, None) for d in deltas] + [chunk({}, end)] + last + ["[DONE]"])
    return answer


def responses_usage(use):
    return {"input_tokens": use["in"], "output_tokens": use["out"], "total_tokens": use["in"] + use["out"],
            "input_tokens_details": {"cached_tokens": use["cached"]}, "output_tokens_details": {"reasoning_tokens": 0}}


def compaction(a, n):
    return {"type": "compaction", "id": f"cmp_{n}", "encrypted_content": "b3BhcXVl" * 4 + str(n)}


def responses(h, body, a, n, use):
    items = []
    if "compact" in a and body.get("context_management"):
        items.append(compaction(a, n))
    if "think" in a:
        items.append({"type": "reasoning", "id": f"rs_{n}", "summary": [{"type": "summary_text", "text": a["think"]}], "encrypted_content": f"c2VjcmV0{n}"})
    if "text" in a:
        items.append({"type": "message", "id": f"msg_{n}", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": a["text"], "annotations": []}]})
    for i, name, args in calls(a, "call", n):
        items.append({"type": "function_call", "id": i.replace("call", "fc"), "call_id": i, "name": name, "arguments": json.dumps(args), "status": "completed"})
    answer = {"id": f"resp_{n}", "object": "response", "created_at": 1, "status": "completed", "model": body["model"], "output": items, "parallel_tool_calls": True,
              "tool_choice": "auto", "tools": body.get("tools", []), "previous_response_id": body.get("previous_response_id"), "instructions": body.get("instructions"),
              "error": None, "incomplete_details": None, "metadata": {}, "temperature": 1.0, "top_p": 1.0, "usage": responses_usage(use)}
    if not body.get("stream"):
        return answer
    events = [{"type": "response.created", "response": {**answer, "status": "in_progress", "output": [], "usage": None}}]
    for k, item in enumerate(items):
        at = {"output_index": k, "item_id": item["id"]}
        if item["type"] == "message":
            part = item["content"][0]
            events.append({"type": "response.output_item.added", "output_index": k, "item": {**item, "content": [], "status": "in_progress"}})
            events.append({"type": "response.content_part.added", **at, "content_index": 0, "part": {**part, "text": ""}})
            events += [{"type": "response.output_text.delta", **at, "content_index": 0, "delta": s, "logprobs": []} for s in halves(part["text"])]
            events.append({"type": "response.output_text.done", **at, "content_index": 0, "text": part["text"], "logprobs": []})
            events.append({"type": "response.content_part.done", **at, "content_index": 0, "part": part})
        elif item["type"] == "function_call":
            events.append({"type": "response.output_item.added", "output_index": k, "item": {**item, "arguments": "", "status": "in_progress"}})
            events += [{"type": "response.function_call_arguments.delta", **at, "delta": s} for s in halves(item["arguments"])]
            events.append({"type": "response.function_call_arguments.done", **at, "name": item["name"], "arguments": item["arguments"]})
        else:
            events.append({"type": "response.output_item.added", "output_index": k, "item": item})
        events.append({"type": "response.output_item.done", "output_index": k, "item": item})
    events.append({"type": "response.completed", "response": answer})
    h.stream([{**e, "sequence_number": i} for i, e in enumerate(events)], named=True)
    return answer


def messages(h, body, a, n, use):
    content = []
    if "compact" in a and body.get("context_management"):
        content.append({"type": "compaction", "content": a["compact"]})
    if "think" in a:
        content.append({"type": "thinking", "thinking": a["think"], "signature": f"c2ln{n}"})
    if "text" in a:
        content.append({"type": "text", "text": a["text"]})
    content += [{"type": "tool_use", "id": i, "name": name, "input": args} for i, name, args in calls(a, "toolu", n)]
    u = {"input_tokens": use["in"] - use["cached"] - use["written"], "output_tokens": use["out"],
         "cache_read_input_tokens": use["cached"], "cache_creation_input_tokens": use["written"]}
    answer = {"id": f"msg_{n}", "type": "message", "role": "assistant", "model": body["model"], "content": content, "stop_reason": "tool_use" if a.get("calls") else "end_turn", "stop_sequence": None, "usage": u}
    if a.get("cleared") and body.get("context_management"):
        answer["context_management"] = {"applied_edits": [{"type": "clear_tool_uses_20250919", "cleared_tool_uses": a["cleared"], "cleared_input_tokens": 9}]}
    if not body.get("stream"):
        return answer
    events = [{"type": "message_start", "message": {**answer, "content": [], "stop_reason": None, "usage": {**u, "output_tokens": 1}}}]
    for k, block in enumerate(content):
        start, deltas = {**block}, []
        if block["type"] == "text":
            start["text"], deltas = "", [{"type": "text_delta", "text": s} for s in halves(block["text"])]
        elif block["type"] == "thinking":
            start.update(thinking="", signature="")
            deltas = [{"type": "thinking_delta", "thinking": block["thinking"]}, {"type": "signature_delta", "signature": block["signature"]}]
        elif block["type"] == "tool_use":
            start["input"], deltas = {}, [{"type": "input_json_delta", "partial_json": s} for s in halves(json.dumps(block["input"]))]
        events.append({"type": "content_block_start", "index": k, "content_block": start})
        events += [{"type": "content_block_delta", "index": k, "delta": d} for d in deltas]
        events.append({"type": "content_block_stop", "index": k})
    events.append({"type": "message_delta", "delta": {"stop_reason": answer["stop_reason"], "stop_sequence": None}, "usage": {"output_tokens": use["out"]}})
    h.stream(events + [{"type": "message_stop"}], named=True)
    return answer


def gemini(h, body, a, n, use, stream):
    parts = [{"text": a["think"], "thought": True}] if "think" in a else []
    if "text" in a:
        parts.append({"text": a["text"]})
    for i, (_, name, args) in enumerate(calls(a, "call", n)):
        parts.append({"functionCall": {"name": name, "args": args}, **({"thoughtSignature": "c2lnbmF0dXJl"} if i == 0 else {})})
    thoughts = 5 if "think" in a else 0
    u = {"promptTokenCount": use["in"], "candidatesTokenCount": use["out"] - thoughts, "thoughtsTokenCount": thoughts, "cachedContentTokenCount": use["cached"], "totalTokenCount": use["in"] + use["out"]}
    part = lambda parts, end: {"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0, **({"finishReason": "STOP"} if end else {})}],
                                 "usageMetadata": u, "modelVersion": "gemini-3-stub", "responseId": f"r{n}"}
    if not stream:
        return part(parts, True)
    chunks = [[{**p, "text": s}] for p in parts if "text" in p for s in halves(p["text"])] + [[p] for p in parts if "text" not in p]
    h.stream([part(c, i == len(chunks) - 1) for i, c in enumerate(chunks)])
    return part(parts, True)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
