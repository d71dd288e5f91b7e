"""Runs the scenarios with one client and one recorder; TIMES of the environment says how many times.

usage: run.py CLIENT API RECORDER STUB OUT, such as run.py openai chat dump http://127.0.0.1:8000 out"""
import importlib
import os
import sys
import warnings

from common import TABLE, Dump, NoDump, Spans
from instruments import switch_on

warnings.simplefilter("ignore")
client, api, recorder, stub, out = sys.argv[1:]
name = f"py-{client}-{api}-{recorder}"
os.makedirs(os.path.join(out, name), exist_ok=True)
spans = None
if recorder != "dump":
    spans = Spans()
    switch_on(client, recorder, spans.provider)
run, cannot = importlib.import_module("client_" + client).APIS[api]
def paths():
    """The addresses below that of the stub, with their scenarios. TIMES counts more for rare scenarios."""
    for scenario, s in TABLE["scenarios"].items():
        for n in range(1 + (int(os.environ.get("TIMES", 1)) - 1) * s.get("rare", 1)):
            yield f"{name}.{n}/{scenario}" if n else f"{name}/{scenario}", scenario, s


for path, scenario, s in paths():
    if scenario in cannot:
        continue
    log, url = os.path.join(out, name, scenario + ".jsonl"), f"{stub}/{path}"
    try:
        if spans:
            with spans.scenario(log):
                run(s, url, NoDump())
        else:
            run(s, url, Dump(log))
    except Exception as e:  # the last answer of "errors" is one
        if "planned error 400" not in str(e):
            raise
