"""Histories, and the nodes in them."""

from __future__ import annotations

import builtins
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, overload

from . import _html
from ._errors import PactkitError, SelectorError, error_of
from ._report import Report
from ._worker import Worker


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A node of a context: a message, a part of one, a call or its result, or a container of these."""

    members: Mapping[str, Any]
    """All members of the node except its children, as in the history."""
    snapshot: str | None = None
    """The newest snapshot that selects the node, such as ``@t-2``, for selectors with ``@mode=latest``."""

    @property
    def id(self) -> str:
        """The id, which is the same in all snapshots."""
        return str(self.members["id"])

    @property
    def type(self) -> str:
        """The type: ``block``, ``seg``, ``cont`` or another one."""
        return str(self.members["nodeType"])

    @property
    def role(self) -> str | None:
        """Who speaks: ``user``, ``assistant``, ``system``, ``tool`` …"""
        return self._string("role")

    @property
    def kind(self) -> str | None:
        """What a block is: ``text``, ``call``, ``result`` …"""
        return self._string("kind")

    @property
    def name(self) -> str | None:
        """The name of the tool, for calls and results."""
        return self._string("name")

    @property
    def tags(self) -> list[str]:
        """The tags, such as ``tool``."""
        tags = self.members.get("tag") or []
        return [tags] if isinstance(tags, str) else [str(t) for t in tags]

    @property
    def parent_id(self) -> str | None:
        """The id of the parent of the node."""
        return self._string("parent_id")

    @property
    def cycle(self) -> int:
        """The cycle that created the node, from 0."""
        return int(self.members.get("cycle") or 0)

    @property
    def content(self) -> Any:
        """The content, or ``None`` if there is none."""
        return self.members.get("content")

    @property
    def text(self) -> str:
        """The content as text: a string as it is, the texts of a list of parts, anything else as JSON."""
        return text_of(self.content)

    def get(self, member: str, default: Any = None) -> Any:
        """Return any member of the node."""
        return self.members.get(member, default)

    def __getitem__(self, member: str) -> Any:
        return self.members[member]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return self.snapshot == other.snapshot and dict(self.members) == dict(other.members)

    def __hash__(self) -> int:
        return hash((self.id, self.snapshot))

    def __repr__(self) -> str:
        words = [self.id, self.role or self.type, self.kind or "", self.name or ""]
        return f"<Node {' '.join(w for w in words if w)} {_html.shorten(self.text, 60)!r}>"

    def _string(self, member: str) -> str | None:
        value = self.members.get(member)
        return value if isinstance(value, str) else None


class Nodes(Sequence[Node]):
    """The nodes that a selector selects, in order. A notebook shows them as a table."""

    def __init__(self, selector: str, nodes: Sequence[Node], warnings: Sequence[str] = ()) -> None:
        self.selector = selector
        self.warnings = tuple(warnings)
        """Warnings about the selector, such as a range that begins before the history does."""
        self._nodes = tuple(nodes)

    @property
    def ids(self) -> list[str]:
        """The ids of the nodes."""
        return [n.id for n in self._nodes]

    @property
    def texts(self) -> list[str]:
        """The contents of the nodes as text."""
        return [n.text for n in self._nodes]

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> Nodes: ...
    def __getitem__(self, index: int | slice) -> Node | Nodes:
        if isinstance(index, slice):
            return Nodes(self.selector, self._nodes[index], self.warnings)
        return self._nodes[index]

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self._nodes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Nodes) and self._nodes == other._nodes

    def __repr__(self) -> str:
        return f"<{len(self)} node{'' if len(self) == 1 else 's'} of {self.selector!r}: {', '.join(self.ids[:5])}{', …' if len(self) > 5 else ''}>"

    def _repr_html_(self) -> str:
        return _html.table(self)


@dataclass(frozen=True, slots=True)
class History:
    """What a model saw, call by call.

    :func:`pactsel.open` and :func:`pactsel.read` make one.
    """

    name: str
    """The name of the history in its file; empty if the file has only one."""
    notes: tuple[Mapping[str, Any], ...]
    """What in the log does not fit into a tree, or is malformed."""
    _source: Mapping[str, Any] = field(repr=False)
    _worker: Worker = field(repr=False)

    def select(self, selector: str, *, edition: str | None = None) -> Nodes:
        """Return the nodes that a selector selects.

        Raises :class:`SelectorError` for an invalid selector, and for one that compares snapshots: see :meth:`changes`.
        """
        return self.select_all({"": selector}, edition=edition)[""]

    def select_all(self, selectors: Mapping[str, str], *, edition: str | None = None) -> dict[str, Nodes]:
        """Like :meth:`select`, for several selectors at once, each with a name."""
        answers = self._ask({"selectors": dict(selectors), "want": "nodes"}, edition)
        return {name: nodes_of(selectors[name], answer) for name, answer in answers.items()}

    def changes(self, selector: str, *, edition: str | None = None, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return how the result of a selector changes from snapshot to snapshot, as ``pactsel eval --json`` prints it.

        The selector has a range of time, such as ``@t0..@t-3 .block``. ``options`` are those of ``eval --batch``:
        ``includeContent``, ``contextLines``, ``maxSnapshots`` …
        """
        request: dict[str, Any] = {"selectors": [selector]}
        if options:
            request["options"] = dict(options)
        answer = self._ask(request, edition)[0]
        if "error" in answer:
            raise error_of(answer["error"])
        if "range" not in answer:
            raise SelectorError("the selector has no range of time, such as @t0..@t-3: use select")
        changes: dict[str, Any] = answer["range"]
        return changes

    def calls(self) -> list[dict[str, Any]]:
        """Return what each model call was sent, and what entered and left, as ``pactsel log --json`` prints it."""
        calls: list[dict[str, Any]] = self._result({"calls": True})["calls"]
        return calls

    def test(self, suite: str | os.PathLike[str]) -> Report:
        """Run the cases of a suite on this history. ``suite`` is its text, or the path of its file."""
        return Report(self._result({"suite": suite_text(suite)})["test"])

    def _ask(self, question: Mapping[str, Any], edition: str | None) -> Any:
        return self._result(question if edition is None else {**question, "edition": edition})["answers"]

    def _result(self, question: Mapping[str, Any]) -> dict[str, Any]:
        for one in self._worker.result({**self._source, **question})["histories"]:
            if one["name"] == self.name:
                if "error" in one:
                    raise error_of(one["error"])
                found: dict[str, Any] = one
                return found
        raise self._gone()

    def _gone(self) -> PactkitError:
        return PactkitError(f"the history {self.name!r} is no longer in its file")

    def tree(self, at: str = "@t0") -> str:
        """Return the tree of a snapshot as HTML."""
        return _html.tree(self.select(f"{at} *"))

    def timeline(self) -> str:
        """Return an SVG picture of what entered and left with each call."""
        return _html.timeline(self.calls())

    def _repr_html_(self) -> str:
        return f"<div>{self.timeline()}{self.tree()}</div>"


def text_of(content: Any) -> str:
    """Return a content as text."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [p["text"] for p in content if isinstance(p, dict) and isinstance(p.get("text"), str)]
        if len(parts) == len(content):
            return "\n".join(parts)
    return json.dumps(content, ensure_ascii=False)


def nodes_of(selector: str, answer: Mapping[str, Any]) -> Nodes:
    """Return the nodes in the answer to a selector."""
    if "error" in answer:
        raise error_of(answer["error"])
    if "range" in answer:
        raise SelectorError("the selector compares snapshots: use changes, or @mode=union or @mode=latest")
    nodes = [Node(MappingProxyType(n)) for n in answer.get("nodes", [])]
    nodes += [Node(MappingProxyType(n["node"]), n["snapshot"]) for n in answer.get("latest", [])]
    return Nodes(selector, nodes, answer.get("warnings", ()))


def suite_text(suite: str | os.PathLike[str]) -> str:
    """Return the text of a suite that is given as text or as a path."""
    if isinstance(suite, str) and "\n" in suite:
        return suite
    with builtins.open(suite, encoding="utf-8") as f:
        return f.read()
