"""Compares recordings with what the stub received, as JSON values, and prints a table.

Requests of one kind are compared as a whole, because those of several sessions have no order. Credentials that
were replaced are counted.

usage: recorded.py OUT FOLDER…"""
import collections
import glob
import json
import os
import re
import sys


def requests(folder):
    """The path and the body of each call of a recording, as the documentation of package record says."""
    values = {}
    for line in open(os.path.join(folder, "calls.jsonl")):
        line = json.loads(line)
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
        for name, calls in line.get("drop", {}).items():
            for call in calls:
                values.pop((name, call), None)
        yield line["url"].split("://", 1)[1].split("/", 1)[1].split("?")[0], body


out, folders = sys.argv[1], sys.argv[2:]
got, recorded = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
for path in glob.glob(os.path.join(out, "*", "*.bodies")):
    run, scenario = path.split(os.sep)[-2:]
    for line in open(path):
        line = json.loads(line)
        got[scenario.removesuffix(".bodies")][f"{run}/{line['path']}", json.dumps(line["body"], sort_keys=True)] += 1
for folder in folders:
    for path, body in requests(folder):
        run, scenario, rest = path.split("/", 2)
        recorded[scenario][f"{run}/{rest}", json.dumps(body, sort_keys=True)] += 1
placeholders = sum(len(re.findall("<credential [0-9]+>", body)) * n for kind in recorded.values() for (_, body), n in kind.items())
print("| kind | calls | equal | only recorded |\n|---|--:|--:|--:|")
wrong = 0
for kind in sorted(got | recorded):
    calls, equal = got[kind].total(), (got[kind] & recorded[kind]).total()
    more = recorded[kind].total() - equal
    wrong += calls - equal + (more if kind != "cancel" else 0)  # the stub may not have got those that were canceled
    print(f"| {kind} | {calls} | {equal} | {more} |")
print(f"{placeholders} placeholders")
sys.exit(wrong > 0)
