"""Compares recordings with what the stub received and answered, as JSON values, and prints a table.

Calls of one kind are compared as a whole, because those of several sessions have no order. The bytes of a
stream must be those that the stub sent, up to where the client cut it. Credentials that were replaced are
counted.

usage: recorded.py OUT FOLDER…"""
import collections
import glob
import json
import os
import re
import sys

import zstandard


def recorded_calls(folder):
    """The path and the body of each call of a recording, and the line of its answer, as the documentation of
    package record says."""
    values, calls = {}, {}
    for line in open(os.path.join(folder, "calls.jsonl")):
        line = json.loads(line)
        if "answer" in line:
            calls[line["answer"]][2] = line
        if "call" not in line:
            continue
        body = line.get("request", {})
        for name, (call, *part) in line.get("kept", {}).items():
            value = values[name, call]
            if part:
                count, first = part[0], part[1] if len(part) > 1 else 0
                value = value[first : first + count] + body[name]
            body[name] = value
        values.update({(name, line["call"]): v for name, v in body.items()})
        for name, dropped in line.get("drop", {}).items():
            for call in dropped:
                values.pop((name, call), None)
        calls[line["call"]] = [line["url"].split("://", 1)[1].split("/", 1)[1].split("?")[0], body, None]
    return calls.values()


def said(answer):
    """What an answer says, without what chat completions have only outside of streams."""
    if answer and "choices" in answer:
        only = ("index", "logprobs", "refusal", "annotations")
        choices = [{k: v for k, v in {**c, **c["message"]}.items() if k not in (*only, "message")} for c in answer["choices"]]
        answer = {**answer, "choices": choices, "object": "chat.completion"}
    return json.dumps(answer, sort_keys=True)


def equal(line, sent, streams):
    """Whether the recorded answer is what the stub sent: all of it, or its beginning if the client cut it."""
    if line is None or line.get("status") not in (None, sent["status"]):
        return False
    if "stream" in line:
        start, size = line["stream"]
        raw = zstandard.ZstdDecompressor().decompressobj().decompress(streams[start : start + size]).decode()
        if raw != sent.get("stream") and not (line["end"].startswith("cut") and (sent.get("stream") or "").startswith(raw)):
            return False
    if line["end"] in ("complete", "refused"):
        answer = sent["answer"]
        if "stream" in line and "choices" in answer and not (sent["body"].get("stream_options") or {}).get("include_usage"):
            answer = {k: v for k, v in answer.items() if k != "usage"}
        return said(line.get("response")) == said(answer)
    return line["end"] == "cut by the client"


# What the last message of a request for a summary has, for each agent.
COMPACTIONS = "conversation to summarize|Here is the conversation so far|CONTEXT CHECKPOINT|<state_snapshot>|anchored summary"

# The kinds of which each agent makes at least this many calls; thinking, if its answers have some.
LEAST = 10
AGENTS = ("tools", "parallel tools", "thinking", "images", "huge", "errors", "compaction", "cut", "cancel", "sessions at a time")


def kinds(run, scenario, line):
    """The kinds of a call. That of an SDK has the kind of its scenario."""
    if run != "agents":
        return [scenario]
    plan, body = line["plan"], json.dumps(line["body"])
    last = next(json.dumps(line["body"][name][-1]) for name in ("messages", "input", "contents") if name in line["body"])
    is_ = {
        "tools": len(plan.get("calls", [])) == 1,
        "parallel tools": len(plan.get("calls", [])) > 1,
        "thinking": "think" in plan,
        "images": "iVBORw0KGgo" in body,
        "huge": len(body) > 100_000,
        "errors": line["status"] >= 400,
        "compaction": re.search(COMPACTIONS, last) is not None,
        "cut": "wait" in plan,
        "cancel": "late" in plan,
        "sessions at a time": "wait" in plan or "late" in plan,
        "all": True,
    }
    return [scenario.split(".")[0] + ", " + kind for kind, holds in is_.items() if holds]


out, folders = sys.argv[1], sys.argv[2:]
count = collections.defaultdict(collections.Counter)
received = collections.defaultdict(lambda: collections.defaultdict(list))
for path in glob.glob(os.path.join(out, "*", "*.bodies")):
    run, scenario = path.split(os.sep)[-2:]
    for line in open(path):
        line = json.loads(line)
        scenario = scenario.removesuffix(".bodies")
        line["kinds"] = kinds(run, scenario, line)
        received[scenario][f"{run}/{line['path']}", json.dumps(line["body"], sort_keys=True)].append(line)
        for kind in line["kinds"]:
            count[kind]["calls"] += 1
placeholders = 0
for folder in folders:
    streams = open(os.path.join(folder, "streams.zst"), "rb").read()
    for path, body, line in recorded_calls(folder):
        run, scenario, rest = path.split("/", 2)
        body = json.dumps(body, sort_keys=True)
        placeholders += len(re.findall("<credential [0-9]+>", body))
        sent = received[scenario][f"{run}/{rest}", body]
        if not sent:
            count["agents" if run == "agents" else scenario]["only recorded"] += 1
            continue
        # Of requests that are alike, such as retries, any answer will do that no other has.
        i = next((i for i, s in enumerate(sent) if equal(line, s, streams)), None)
        for kind in sent.pop(i or 0)["kinds"]:
            count[kind]["requests equal"] += 1
            count[kind]["answers equal"] += i is not None
            count[kind]["cut"] += line is not None and line["end"] == "cut by the client"
print("| kind | calls | requests equal | answers equal | of them cut | only recorded |\n|---|--:|--:|--:|--:|--:|")
wrong, total = 0, collections.Counter()
for kind, n in [*sorted(count.items()), ("all", total)]:
    print(f"| {kind} | {n['calls']} | {n['requests equal']} | {n['answers equal']} | {n['cut']} | {n['only recorded']} |")
    if ", " not in kind or kind.endswith(", all"):  # a call of an agent has several kinds
        total += n
    wrong += 2 * n["calls"] - n["requests equal"] - n["answers equal"]
    wrong += n["only recorded"] if kind not in ("cancel", "agents", "all") else 0  # the stub may not have got those that were canceled
print(f"{placeholders} placeholders")
# Each agent makes some calls of each kind that its scenarios have.
planned = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "agents.json")))["scenarios"]
few = [f"{agent}, {kind}" for agent in sorted({k.split(", ")[0] for k in count if ", " in k}) for kind in AGENTS
       if count[f"{agent}, {kind}"]["calls"] < LEAST and (kind != "thinking" or "think" in json.dumps(planned[agent + ".long"]))]
for kind in few:
    print(f"{kind}: {count[kind]['calls']} calls, fewer than {LEAST}", file=sys.stderr)
sys.exit(wrong > 0 or bool(few))
