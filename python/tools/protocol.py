"""Write src/pactsel/_protocol.py: the shapes of the protocol, from the JSON schemas in docs/schemas.

    python tools/protocol.py [--check]
"""

from __future__ import annotations

import json
import keyword
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "docs" / "schemas"
OUT = ROOT / "python" / "src" / "pactsel" / "_protocol.py"

# The types with a name in Python: where they are in the schemas.
NAMES = {
    "worker.json#/$defs/draft": "Draft",
    "worker.json#/$defs/info": "Info",
    "worker.json#/$defs/changed": "Changed",
    "worker.json#/$defs/note": "NoteLine",
    "journal.json#/$defs/frame/properties/call/properties/usage": "Usage",
    "journal.json#/$defs/frame/properties/call": "CallInfo",
    "policy.json": "Policy",
    "log.json#/$defs/call": "CallLine",
    "log.json#/$defs/state": "StateLine",
    "eval.json#/$defs/range": "Range",
    "findings.json#/$defs/finding": "Finding",
    "diff.json": "Diff",
    "trace.json": "Trace",
    "stats.json#/$defs/row": "StatsRow",
    "test.json": "TestReport",
}

HEADER = '''"""The shapes of the protocol of ``pactsel worker``. Written by ``tools/protocol.py`` from ``docs/schemas``: do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Literal, TypedDict, Union

Json = Union[None, bool, int, float, str, List["Json"], Dict[str, "Json"]]
"""A JSON value."""

if TYPE_CHECKING:
    from typing_extensions import NotRequired
'''


class Writer:
    """Writes the types that schemas describe."""

    def __init__(self) -> None:
        self.files: dict[str, Any] = {}
        self.done: dict[str, str] = {}  # names by place
        self.texts: list[str] = []

    def at(self, place: str) -> Any:
        name, _, pointer = place.partition("#")
        if name not in self.files:
            self.files[name] = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
        found = self.files[name]
        for step in pointer.strip("/").split("/") if pointer.strip("/") else ():
            found = found[int(step)] if isinstance(found, list) else found[step]
        return found

    def type(self, schema: Any, place: str, name: str) -> str:
        """Return the type of a schema. An object with members gets a class, with a name for those without one."""
        if isinstance(schema, bool):
            return "Json"
        if "$ref" in schema:
            ref = schema["$ref"]
            target = ref if not ref.startswith("#") else place.partition("#")[0] + ref
            return self.type(self.at(target), target, name)
        if place in NAMES:
            name = NAMES[place]
        if place in self.done:
            return self.done[place]
        for many in ("oneOf", "anyOf"):
            if many in schema and "properties" not in schema:
                each = [self.type(s, f"{place}/{many}/{i}" if "#" in place else f"{place}#/{many}/{i}", f"{name}{i or ''}") for i, s in enumerate(schema[many])]
                return union(each)
        if "const" in schema:
            return f"Literal[{schema['const']!r}]"
        if "enum" in schema:
            return f"Literal[{', '.join(repr(v) for v in schema['enum'])}]"
        kinds = schema.get("type")
        if kinds is None and "properties" in schema:
            kinds = "object"
        kinds = kinds if isinstance(kinds, list) else [kinds]
        return union([self.kind(kind, schema, place, name) for kind in kinds])

    def kind(self, kind: str | None, schema: Any, place: str, name: str) -> str:
        sep = "/" if "#" in place else "#/"
        match kind:
            case "string" | "integer" | "number" | "boolean" | "null":
                return {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}[kind]
            case "array":
                items = schema.get("items")
                return f"list[{self.type(items, f'{place}{sep}items', name.removesuffix('s')) if items else 'Json'}]"
            case "object" if "properties" in schema:
                return self.object(schema, place, name)
            case "object":
                values = schema.get("additionalProperties")
                return f"dict[str, {self.type(values, f'{place}{sep}additionalProperties', name.removesuffix('s')) if isinstance(values, dict) else 'Json'}]"
        return "Json"

    def object(self, schema: Any, place: str, name: str) -> str:
        taken = set(self.done.values())
        while name in taken:
            name += "_"
        self.done[place] = name
        required = schema.get("required", [])
        sep = "/" if "#" in place else "#/"
        members, functional = [], False
        for member, one in schema["properties"].items():
            made = self.type(one, f"{place}{sep}properties/{member}", name + camel(member))
            functional = functional or not member.isidentifier() or keyword.iskeyword(member)
            members.append((member, made if member in required else f"NotRequired[{made}]", one.get("description") if isinstance(one, dict) else None))
        text = schema.get("description") or schema.get("title") or "An object of the protocol."
        if functional:
            lines = [f"{name} = TypedDict(", f'    "{name}",', "    {"]
            lines += [f'        "{member}": "{made}",' for member, made, _ in members]
            lines += ["    },", ")", f'"""{text}"""']
        else:
            lines = [f"class {name}(TypedDict):", f'    """{text}"""', ""]
            for member, made, about in members:
                lines.append(f"    {member}: {made}")
                if about:
                    lines.append(f'    """{about}"""')
        self.texts.append("\n".join(lines))
        return name


def union(types: list[str]) -> str:
    return " | ".join(dict.fromkeys(types))


def camel(member: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[-_]", member))


def main() -> int:
    writer = Writer()
    for place, name in NAMES.items():
        writer.type(writer.at(place), place, name)
    text = HEADER + "".join(f"\n\n{one}\n" for one in writer.texts)
    if "--check" in sys.argv[1:]:
        if OUT.read_text(encoding="utf-8") != text:
            print(f"{OUT} differs from what the schemas say: run python tools/protocol.py", file=sys.stderr)
            return 1
        return 0
    OUT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
