"""Keeps histories in a folder by the contexts of the package, as each line of standard input says: see TestPostgresHomes."""

import json
import sys

import pactsel

contexts: dict[str, pactsel.Context] = {}


def of(name: str) -> pactsel.Context:
    if name not in contexts:
        contexts[name] = pactsel.context(f"{sys.argv[1]}#{name}", system=False, clock="1970-01-01T00:00:01Z")
    return contexts[name]


for line in sys.stdin:
    op = json.loads(line)
    ctx, n = of(op["id"]), op.get("n")
    if "keep" in op:
        ctx.rewind(op["at"], keep=op["keep"])
    elif "to" in op:
        ctx.fork(op["to"], at=op["at"]).close()
    else:
        nodes = [
            ctx.insert("(d0,0, end)", id=f"n{n}-{i}", role=["user", "assistant"][i % 2], text=f"text {i} of {n}")
            for i in range(op["drafts"])
        ]
        if op["drop"]:
            ctx.delete(nodes[0])
        if op["seal"]:
            ctx.commit()
        else:
            ctx.checkpoint()
    print("done", flush=True)
