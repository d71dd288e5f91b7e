"""Answers the requests of the PACT conformance suite with the package egregore.

Usage: python adapter.py, in an environment with egregore (requirements.txt).

egregore keeps one node at each offset of a container and makes its trees by insertion, so this
adapter builds a history that is read from components: further nodes at an offset get the next free
one. It asks egregore every question that egregore has a function for, and answers "unsupported" to
the rest: canonical form, hashes, threads, differences and validation.
"""

import contextlib
import json
import logging
import os
import re
import sys
import tempfile
import time
from importlib.metadata import version
from typing import ClassVar

# The names and times that egregore makes are in the results, which would otherwise differ each time.
moments = iter(range(1, sys.maxsize))
time.time_ns = lambda: 1_700_000_000_000_000_000 + next(moments)
os.urandom = lambda n: next(moments).to_bytes(n, "big")
os.environ["TZ"] = "UTC"
time.tzset()

logging.disable(logging.CRITICAL)
os.chdir(tempfile.mkdtemp(prefix="egregore-"))

from egregore.core.context_management.pact.components.core import (  # noqa: E402
    MessageContainer,
    MessageTurn,
    TextContent,
)
from egregore.core.context_management.pact.context.base import Context  # noqa: E402
from egregore.core.context_management.pact.context.selector import parse  # noqa: E402

HEADERS = {"id", "nodeType", "parent_id", "offset", "ttl", "cad", "priority", "cycle", "key", "tag", "role", "kind",
           "content", "children", "created_at_ns", "created_at_iso", "creation_index"}
BLOCKS = {None, "block", "cb"}
CONTAINERS = {"cont", "mc"}
REGIONS = ("^sys", "^seq", "^ah")
NOTE = ("egregore makes its trees by insertion and keeps one node at each offset of a container, so the adapter builds a tree that is read "
        "from components and puts further nodes at an offset after the first. Its turns always have a core. A commit is what an agent does "
        "at the end of a cycle: lifetimes end, and the next turn begins. Snapshots need an agent, so only the working state is asked.")


class Unsupported(Exception):
    """What a request asks for that egregore does not have."""


def component_class(node_type, base):
    """The class of a user type: the type of a component is a member of its class."""
    return type("User", (base,), {"type": node_type, "__annotations__": {"type": ClassVar[str]}})


def make(context, node):
    """A component for a node of the specification, without its children."""
    node_type = node.get("nodeType")
    base = MessageContainer if node.get("children") or node_type in CONTAINERS else TextContent
    plain = node_type in BLOCKS or node_type in CONTAINERS
    members = {name: node[name] for name in ("id", "ttl", "cad", "key", "created_at_ns", "creation_index") if node.get(name) is not None}
    tag = node.get("tag") or []
    members["tags"] = [tag] if isinstance(tag, str) else tag
    if base is TextContent:
        content = node.get("content") or ""
        if not isinstance(content, str):
            raise Unsupported("content that is not text")
        members["content"] = content
    made = (base if plain else component_class(node_type, base))(context=context, **members)
    made._context_ref = context
    made.metadata.role, made.metadata.kind = node.get("role"), node.get("kind")
    made.metadata.priority = node.get("priority") or 0
    made.metadata.born_cycle = node.get("cycle") or context.current_episode
    for name, value in node.items():
        if name not in HEADERS:
            made.metadata.props[name] = value
    return made


def order(node):
    return (node.get("offset") or 0, node.get("created_at_ns") or 0, node.get("creation_index") or 0, node.get("id", ""))


def fill(context, parent, nodes):
    """Puts nodes into a container: the first at offset 0 is its core."""
    nodes = sorted(nodes, key=order)
    core = [n for n in nodes if (n.get("offset") or 0) == 0]
    before = [n for n in nodes if (n.get("offset") or 0) < 0]
    for node in core + [n for n in nodes if (n.get("offset") or 0) > 0] + before[::-1]:
        put(context, parent, node, -1 if node in before else 1)


def put(context, parent, node, sign):
    made = make(context, node)
    made.parent_id = parent.id
    made.offset = parent.content.append(made, sign)
    context._registry.register_component(made)
    if node.get("children"):
        fill(context, made, node["children"])


def fill_turn(context, turn, nodes):
    """Puts nodes into a turn, whose core container is there already."""
    cores = [n for n in nodes if n.get("nodeType") in CONTAINERS and (n.get("offset") or 0) == 0]
    loose = [n for n in nodes if n not in cores and (n.get("offset") or 0) == 0]
    if len(cores) > 1 or (cores and loose):
        raise Unsupported("a turn with several nodes at offset 0")
    core = turn.content.core
    if cores:
        core.id = cores[0]["id"]
    core._context_ref = context
    core.parent_id, core.offset = turn.id, 0
    context._registry.register_component(core)
    fill(context, core, cores[0].get("children", []) if cores else loose)
    fill(context, turn, [n for n in nodes if (n.get("offset") or 0) != 0])


class Adapter:
    def __init__(self):
        self.context = Context()

    def hello(self, request):
        features = [name for name in dir(self) if not name.startswith("_") and name not in ("hello", "context")]
        return {"implementation": "egregore", "version": version("egregore"), "editions": ["1.0"],
                "features": features, "note": NOTE}

    def open(self, request):
        history = request["history"]
        if request.get("strict"):
            raise Unsupported("strict reading")
        if "snapshots" in history:
            raise Unsupported("a history of several snapshots")
        root = history.get("root")
        if not isinstance(root, dict):
            raise ValueError("there is no root")
        regions = root.get("children", [])
        if sorted(r.get("nodeType", "") for r in regions) != sorted(REGIONS):
            raise Unsupported("a tree without exactly the three regions")
        sys_region, seq, head = (next(r for r in regions if r["nodeType"] == name) for name in REGIONS)
        self.context = context = Context()
        context._current_episode = history.get("cycle", 0)
        context.id = root.get("id", context.id)
        context.system_header.id = sys_region["id"]
        fill(context, context.system_header, sys_region.get("children", []))
        context.active_message.id = head["id"]
        fill_turn(context, context.active_message, head.get("children", []))
        for segment in sorted(seq.get("children", []), key=order):  # the newest is inserted last, at depth 1
            turn = MessageTurn(context=context, id=segment["id"])
            turn.metadata.priority = segment.get("priority") or 0
            context.content.insert(1, turn)
            context._registry.register_component(turn)
            fill_turn(context, turn, segment.get("children", []))
        return {}

    def new(self, request):
        if request.get("policy"):
            raise Unsupported("pruning")
        self.context = Context()
        return {}

    def parse(self, request):
        if request.get("strict"):
            raise Unsupported("old forms as errors")
        parse(request["selector"])
        return {}

    def select(self, request):
        found = self.context.pact_select(request["selector"])
        if not isinstance(found, list):
            return {"range": json.loads(found.model_dump_json())}
        return {"ids": [component.id for component in found]}

    def export(self, request):
        if request.get("form") or request["at"] != "@t0":
            raise Unsupported("this export")
        return {"text": json.dumps(self.context.to_pact())}

    def insert(self, request):
        return self._done(self.context.pact_insert(self._target(request), make(self.context, request["node"])))

    def replace(self, request):
        made = make(self.context, request["node"])
        return self._done(self.context.pact_update(request["target"], component=made, mode="replace"))

    def delete(self, request):
        self._done(self.context.pact_delete(request["target"]))
        return {}

    def commit(self, request):
        """Ends a cycle as the agent does: lifetimes end, and the next turn begins."""
        self.context.current_episode += 1
        turn = self.context.content.create_message_turn(depth=0)
        self.context._registry.register_component(turn)
        return {"cycle": self.context.current_episode}

    def _target(self, request):
        """A position in egregore's form: a depth, then an index at each level."""
        if "depth" in request:
            return f"d{request['depth']},{request['offset']}"
        if re.fullmatch(r"\(d0,0, end\)", request.get("position", "")):
            return f"d0,0,{len(self.context.active_message.content.core.content)}"
        raise Unsupported("this position")

    def _done(self, result):
        if not result.success:
            raise ValueError(result.errors[0] if result.errors else "it fails")
        return {"id": result.updated_components[0].id} if result.updated_components else {}


def answer(adapter, line):
    try:
        request = json.loads(line)
        method = getattr(adapter, request["do"], None)
        if method is None or request["do"].startswith("_"):
            return {"unsupported": request["do"]}
        with contextlib.redirect_stdout(sys.stderr if os.environ.get("VERBOSE") else open(os.devnull, "w")):
            return method(request)
    except Unsupported as what:
        return {"unsupported": str(what)}
    except Exception as error:  # every error of egregore is an answer
        message = str(error).strip().split("\n")[0]
        return {"error": {"message": f"{type(error).__name__}: {message}"}}


def main():
    adapter = Adapter()
    for line in sys.stdin:
        print(json.dumps(answer(adapter, line)), flush=True)


main()
