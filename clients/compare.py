"""Compares what pactkit reads in the logs of the clients with the bodies that the stub received.

Each call of a log is compared, after a neutral form of its own, with the next body that the stub answered in
the same way: its messages, tools and tokens. A call that differs must say what it lacks ("missing").

usage: compare.py PACKTKIT OUT [-v] [RUN[/SCENARIO]]…"""
import json
import os
import re
import subprocess
import sys


def pactkit(*args):
    p = subprocess.run([sys.argv[1], *args], capture_output=True, text=True)
    return p.stdout, p.stderr


def loads(s):
    try:
        return json.loads(s) if isinstance(s, str) else s
    except ValueError:
        return s


def stable(v):
    return json.dumps(v, sort_keys=True, ensure_ascii=False)


def listed(content):
    return [{"text": content}] if isinstance(content, str) else content or []


def flat(content):
    """The text of the content of a result."""
    if content is None:
        return ""
    return content if isinstance(content, str) else "".join(p.get("text", "") for p in content) if isinstance(content, list) else stable(content)


TABLE = json.load(open(os.path.join(os.path.dirname(__file__), "scenarios.json")))

# What a client does not record, and pactkit cannot know: by recorder and scenario.
GAPS = {
    ("genai", "clearing"): "applied_edits", ("traceloop", "clearing"): "applied_edits",
    ("responses-genai", "chained"): "previous_response_id", ("responses-traceloop", "chained"): "previous_response_id",
    ("responses-genai", "compaction"): "items of a compaction", ("responses-traceloop", "compaction"): "items of a compaction",
    ("responses-traceloop", "thinking"): "reasoning",
    ("messages-traceloop", "streaming"): "output tokens: those of the first event are added to the total",
    ("generate-traceloop", "thinking"): "tokens of thoughts",
    ("langgraph-messages-openinference", "thinking"): "thinking",
    **{("agents-chat-openinference", name): "tools, and the tokens read from the cache" for name in TABLE["scenarios"]},
}


def chat(body):
    for m in body.get("messages") or []:
        role = "system" if m["role"] == "developer" else m["role"]
        if role == "tool":
            yield "result", m["tool_call_id"], flat(m["content"])
            continue
        for p in listed(m.get("content")):
            kind = p.get("type", "text")
            if kind in ("reasoning", "thinking"):
                yield "thinking", p.get("content") or p.get("thinking") or p.get("text")
            elif kind == "compaction":
                yield kind, p["content"]
            else:
                yield role, p["image_url"]["url"] if kind == "image_url" else p["text"] if kind == "text" else stable(p)
        for c in m.get("tool_calls") or []:
            yield "call", c["id"], c["function"]["name"], stable(loads(c["function"]["arguments"]))


def responses(body):
    if body.get("instructions"):
        yield "system", body["instructions"]
    items = body.get("input") or []
    for i in [{"role": "user", "content": items}] if isinstance(items, str) else items:
        kind = i.get("type", "message")
        if kind == "message":
            role = "system" if i["role"] == "developer" else i["role"]
            for p in listed(i["content"]):
                yield (role, p["image_url"]) if p.get("type") == "input_image" else (role, p.get("text"))
        elif kind == "reasoning":
            yield "thinking", "".join(p["text"] for p in i.get("summary") or i.get("content") or [])
        elif kind == "function_call":
            yield "call", i["call_id"], i["name"], stable(loads(i["arguments"]))
        elif kind == "function_call_output":
            yield "result", i["call_id"], flat(i["output"])
        else:
            yield kind, i.get("encrypted_content", "")


def messages(body):
    for p in listed(body.get("system")):
        yield "system", p["text"]
    for m in body.get("messages") or []:
        for p in listed(m["content"]):
            kind = p.get("type", "text")
            if kind == "text":
                yield m["role"], p["text"]
            elif kind == "image":
                s = p["source"]
                yield m["role"], s.get("url") or f"data:{s['media_type']};base64,{s['data']}"
            elif kind == "thinking":
                yield "thinking", p["thinking"]
            elif kind == "tool_use":
                yield "call", p["id"], p["name"], stable(p["input"])
            elif kind == "tool_result":
                yield "result", p["tool_use_id"], flat(p.get("content"))
            else:
                yield kind, flat(p.get("content"))


def camel(v):
    """With the names of members as the API writes them; the SDK also takes snake_case."""
    if isinstance(v, list):
        return [camel(w) for w in v]
    if not isinstance(v, dict):
        return v
    return {re.sub("_([a-z])", lambda m: m[1].upper(), k): w if k in ("args", "response") else camel(w) for k, w in v.items()}


def gemini(body):
    body = camel(body)
    for m in [{**(body.get("systemInstruction") or {}), "role": "system"}, *(body.get("contents") or [])]:
        role = "assistant" if m.get("role") == "model" else m.get("role") or "user"
        for p in m.get("parts") or []:
            if p.get("thought"):
                yield "thinking", p["text"]
            elif "text" in p:
                yield role, p["text"]
            elif "functionCall" in p:
                yield "call", p["functionCall"]["name"], stable(p["functionCall"].get("args") or {})
            elif "functionResponse" in p:
                got = p["functionResponse"].get("response")  # the AI SDK puts a text into an object
                yield "result", stable(got["content"] if isinstance(got, dict) and set(got) == {"name", "content"} else got)
            elif "inlineData" in p:
                yield role, f"data:{p['inlineData']['mimeType']};base64,{p['inlineData']['data']}"
            else:
                yield "other", stable(p)


def tools(body):
    """The name, description and schema of each tool, in any provider's form."""
    for t in body.get("tools") or []:
        for f in t.get("functionDeclarations") or t.get("function_declarations") or [t.get("function", t)]:
            schema = f.get("input_schema") or f.get("parameters") or f.get("parametersJsonSchema") or f.get("inputSchema")
            yield f.get("name"), f.get("description"), stable(loads(schema)).replace('"STRING"', '"string"').replace('"OBJECT"', '"object"')


FORMS = {"chat/completions": ("openai", chat), "responses": ("openai-responses", responses), "messages": ("anthropic", messages), "Content": ("gemini", gemini)}


def numbered(parts):
    """The ids of calls as numbers, in their order: spans of Gemini and of Traceloop have other ids."""
    ids = {}
    for p in parts:
        if p[0] == "call":
            p = "call", ids.setdefault(p[1], len(ids)), *p[2:]
        yield ("result", ids.get(p[1], p[1]), p[2]) if p[0] == "result" else p


def unnamed(parts):
    """Without the ids of calls, which Gemini does not have."""
    for p in parts:
        yield ("call", *p[2:]) if p[0] == "call" else ("result", stable(loads(p[2]))) if p[0] == "result" else p


def form(path):
    return next(f for end, f in FORMS.items() if end in path)


def sent(bodies):
    """Gives each body what the provider adds to it, and takes what it leaves out."""
    known = {}
    for b in bodies:
        body, answer = dict(b["body"]), b["answer"]
        if "responses" in b["path"]:
            before = known[body["previous_response_id"]] if body.get("previous_response_id") else []
            items = body.get("input") or []
            body["input"] = before + ([{"role": "user", "content": items}] if isinstance(items, str) else items)
            known[answer.get("id")] = body["input"] + answer.get("output", [])
        if b["path"].endswith("messages"):
            at = max([i for i, m in enumerate(body["messages"]) if any(p.get("type") == "compaction" for p in listed(m["content"]))], default=0)
            body["messages"] = body["messages"][at:]
            edits = (answer.get("context_management") or {}).get("applied_edits") or []
            body = json.loads(json.dumps(body))
            results = [p for m in body["messages"] for p in listed(m["content"]) if p.get("type") == "tool_result"]
            for p in results[: sum(e.get("cleared_tool_uses", 0) for e in edits)]:
                p["content"] = ""
        b["sent"] = body
    return bodies


def without(kind, parts):
    return [p for p in parts if p[0] != kind]


def same(want, got, missing):
    """Whether a call has what it was sent, less what it says is missing."""
    if "system prompt" in missing:
        want, got = without("system", want), without("system", got)
    if "history kept by the provider" in missing:
        want = want[len(want) - len(got):]
    return want == got


def rendered(address, to, parts):
    text, err = pactkit("render", address[0], "--at", address[1], "--to", to)
    got = json.loads(text or "{}")
    if isinstance(got, list):
        got = {"messages" if to == "openai" else "input" if to == "openai-responses" else "contents": got}
    return list(parts(got)), err


def listed_tools(address):
    """The tools that the snapshot of a call has."""
    def find(node):
        return node.get("tools") or next(filter(None, map(find, node.get("children", []))), None)
    return find(json.loads(pactkit("export", address[0], "--at", address[1])[0])["root"])


def compare(run, scenario, out, verbose):
    """The counts of one log: calls, equal, missing said, not recorded, wrong."""
    log, counts = os.path.join(out, run, scenario + ".jsonl"), [0, 0, 0, 0, 0]
    gap = next((why for (recorder, name), why in GAPS.items() if run.endswith(recorder) and name == scenario), "")
    bodies = sent([json.loads(l) for l in open(os.path.join(out, run, scenario + ".bodies"))])
    lines, notes = pactkit("log", log, "--json")
    calls = sorted((c for c in map(json.loads, lines.splitlines()) if "tokens" in c), key=lambda c: c["time"].rstrip("Z").ljust(40, "0"))

    def wrong(what, want="", got=""):
        counts[3 if gap else 4] += 1
        if verbose and not gap and counts[4] <= 2:
            print(f"{run}/{scenario}: {what}\n  want {want}\n  got  {got}")

    at = 0
    for c in calls:
        counts[0] += 1
        address = c["history"], "@c%d" % c["cycle"]
        at = next((i for i in range(at, len(bodies)) if (bodies[i]["status"] != 200) == ("failed" in c)), len(bodies))
        if at == len(bodies):
            wrong(f"{address} is no request", got=c)
            continue
        body, at = bodies[at], at + 1
        body["read"] = True
        missing = c.get("missing", [])
        to, parts = form(body["path"])
        want, have, err = list(parts(body["sent"])), *rendered(address, to, parts)
        if not same(want, have, missing):  # spans are kept in the form of chats
            have, err = rendered(address, "openai", chat)
            if parts == gemini:
                have = list(unnamed(have))
            elif "dump" not in run:
                want, have = list(numbered(want)), list(numbered(have))
        wanted, had = sorted(tools(body["sent"]), key=str), sorted(tools({"tools": listed_tools(address)}), key=str)
        t, u = c["tokens"], body["usage"]
        counted = (t["in"], t["out"] or 0, t["cached"], t["written"] or 0)
        billed = (u["in"], u["out"], u["cached"], u["written"])
        if not same(want, have, missing):
            first = next((i for i, (a, b) in enumerate(zip(want, have)) if a != b), min(len(want), len(have)))
            wrong(f"{address} differs at part {first} (missing {missing}) {err}", want[first:first + 3], have[first:first + 3])
        elif wanted != had and not (not had and "tools" in missing):
            wrong(f"{address}: tools (missing {missing})", wanted, had)
        elif t["label"] == "exact" and any(a is not None and a != b for a, b in zip(counted, billed)):
            wrong(f"{address}: tokens in, out, cached, written", billed, counted)
        elif u["cached"] and c["cache"]["broken"] and u["cached"] == c["cache"]["before"]:
            wrong(f"{address}: the cache did not break", got=c["cache"])
        elif want != have or wanted != had:
            counts[2] += 1
        else:
            counts[1] += 1
    unread = re.search(r"spans of model calls without messages are left out: (\d+)", notes)
    unread = int(unread[1]) if unread else len(bodies) if "no span has the messages of a model call" in notes else 0
    for b in bodies:
        if b["status"] == 200 and "read" not in b:
            if unread > 0:
                unread, counts[2] = unread - 1, counts[2] + 1
            else:
                wrong("a request is in no call: " + notes, b["path"])
    return counts


def main():
    out, names = sys.argv[2], sys.argv[3:]
    verbose = "-v" in names
    names = [n for n in names if n != "-v"]
    bad = 0
    print(f"{'client':<44} {'scenarios':>9} {'calls':>6} {'equal':>6} {'missing said':>12} {'not recorded':>12} {'wrong':>6}")
    for run in sorted(os.listdir(out)):
        if not os.path.isdir(os.path.join(out, run)):
            continue
        scenarios = sorted(n[:-7] for n in os.listdir(os.path.join(out, run)) if n.endswith(".bodies"))
        if names:
            scenarios = [s for s in scenarios if run in names or f"{run}/{s}" in names]
        rows = [compare(run, s, out, verbose) for s in scenarios]
        if rows:
            total = [sum(r) for r in zip(*rows)]
            print(f"{run:<44} {len(rows):>9} {total[0]:>6} {total[1]:>6} {total[2]:>12} {total[3]:>12} {total[4]:>6}", flush=True)
            bad += total[4]
    sys.exit(bad > 0)


main()
