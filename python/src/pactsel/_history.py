"""Histories, and the nodes in them."""

from __future__ import annotations

import builtins
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast, overload

from . import _frames, _html
from ._errors import PactkitError, SelectorError, SelectorWarning, error_of, warn
from ._protocol import CallLine, Json, NoteLine, Range, StateLine
from ._report import Report

if TYPE_CHECKING:
    import pandas
    import polars  # type: ignore[import-not-found,unused-ignore]  # pyright: ignore[reportMissingImports]
    import pyarrow


class Asked(Protocol):
    """What answers the questions of a history: a worker, or a context."""

    def result(self, request: Mapping[str, Any], /) -> dict[str, Json]: ...


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A node of a context: a message, a part of one, a call or its result, or a container of these."""

    members: Mapping[str, Json]
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
        tags = self.members.get("tag")
        return [tags] if isinstance(tags, str) else [str(t) for t in tags] if isinstance(tags, list) else []

    @property
    def parent_id(self) -> str | None:
        """The id of the parent of the node."""
        return self._string("parent_id")

    @property
    def cycle(self) -> int:
        """The cycle that created the node, from 0."""
        cycle = self.members.get("cycle")
        return int(cycle) if isinstance(cycle, (int, float)) else 0

    @property
    def content(self) -> Json:
        """The content, or ``None`` if there is none."""
        return self.members.get("content")

    @property
    def text(self) -> str:
        """The content as text: a string as it is, the texts of a list of parts, anything else as JSON."""
        return text_of(self.content)

    def get(self, member: str, default: Json = None) -> Json:
        """Return any member of the node."""
        return self.members.get(member, default)

    def __getitem__(self, member: str) -> Json:
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


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a selector, such as ``.block+tool``, and what it leaves."""

    step: str
    """The step as it is written."""
    count: int | None = None
    """How many nodes are left after it; ``None`` if an earlier side of ``??`` has found something."""
    fragment: int = 0
    """Which member of a union with commas it belongs to, from 0."""
    side: int = 0
    """Which side of ``??`` it belongs to, from 0."""
    empty: bool = False
    """Whether it is the first step of its side that leaves nothing."""


class Nodes(Sequence[Node]):
    """The nodes that a selector selects, in order. A notebook shows them as a table."""

    def __init__(
        self, selector: str, nodes: Sequence[Node], warnings: Sequence[str] = (), misspelled: Mapping[str, str] | None = None
    ) -> None:
        self.selector = selector
        self.warnings = tuple(warnings)
        """Warnings about the selector: unknown words, old forms, a range that begins before the history does."""
        self.misspelled = dict(misspelled or {})
        """The unknown words of the selector that were probably misspelled, each with the word that was probably meant."""
        self._nodes = tuple(nodes)

    @property
    def ids(self) -> list[str]:
        """The ids of the nodes."""
        return [n.id for n in self._nodes]

    @property
    def texts(self) -> list[str]:
        """The contents of the nodes as text."""
        return [n.text for n in self._nodes]

    def to_arrow(self) -> pyarrow.Table:
        """Return a table of ``pyarrow`` with a row for each node."""
        return _frames.arrow(self)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame of ``pandas`` with a row for each node."""
        return _frames.to_pandas(self)

    def to_polars(self) -> polars.DataFrame:
        """Return a data frame of ``polars`` with a row for each node."""
        return _frames.to_polars(self)

    @overload
    def __getitem__(self, index: int) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> Nodes: ...
    def __getitem__(self, index: int | slice) -> Node | Nodes:
        if isinstance(index, slice):
            return Nodes(self.selector, self._nodes[index], self.warnings, self.misspelled)
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


class _Asks:
    """The members of a history that are no data: what it asks, and whom."""

    __slots__ = ("_source", "_worker")
    _source: Mapping[str, Any]
    _worker: Asked


@dataclass(frozen=True, slots=True, eq=False)
class History(_Asks):
    """What a model saw, call by call.

    :func:`pactsel.open` and :func:`pactsel.read` make one. A pickled history has the log that was read; one of a file
    has its path, and reads the file again.
    """

    name: str
    """The name of the history in its file; empty if the file has only one."""
    notes: tuple[NoteLine, ...]
    """What in the log does not fit into a tree, or is malformed."""

    @classmethod
    def of(cls, name: str, notes: tuple[NoteLine, ...], source: Mapping[str, Any], worker: Asked) -> History:
        """Return the history of that name that a request names."""
        history = cls(name, notes)
        object.__setattr__(history, "_source", source)
        object.__setattr__(history, "_worker", worker)
        return history

    def __reduce__(self) -> tuple[object, ...]:
        return History.of, (self.name, self.notes, self._source, self._worker)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and (self.name, self._source) == (other.name, other._source)

    def __hash__(self) -> int:
        return hash((self.name, self._source.get("path")))

    def select(self, selector: str, *, edition: str | None = None) -> Nodes:
        """Return the nodes that a selector selects.

        A word that neither the language nor the history has, and is probably misspelled, is a :class:`SelectorWarning`,
        like anything else that :attr:`Nodes.warnings` has. Raises :class:`SelectorError` for an invalid selector, and
        for one that compares snapshots: see :meth:`changes`.
        """
        return self.select_all({"": selector}, edition=edition)[""]

    def select_all(self, selectors: Mapping[str, str], *, edition: str | None = None) -> dict[str, Nodes]:
        """Like :meth:`select`, for several selectors at once, each with a name."""
        answers = self._ask({"selectors": dict(selectors), "want": "nodes"}, edition)
        found = {name: nodes_of(selectors[name], answer) for name, answer in answers.items()}
        for nodes in found.values():
            warn_of(nodes.selector, nodes.warnings)
        return found

    def explain(self, selector: str, *, edition: str | None = None) -> tuple[Nodes, list[Step]]:
        """Return the nodes that a selector selects, without warnings, and how many nodes each of its steps leaves.

        The steps are counted in the newest snapshot that the selector asks for.
        """
        answer = self._ask({"selectors": [selector], "want": "nodes", "trace": True}, edition)[0]
        return nodes_of(selector, answer), [Step(**step) for step in answer["steps"]]

    def changes(self, selector: str, *, edition: str | None = None, options: Mapping[str, Json] | None = None) -> Range:
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
        warn_of(selector, answer.get("warnings", ()))
        return cast(Range, answer["range"])

    def calls(self) -> list[CallLine]:
        """Return what each model call was sent, and what entered and left since the line before it in ``log``."""
        return [line for line in self.log() if "event" not in line]

    def log(self, *, shares: bool = False) -> list[CallLine | StateLine]:
        """Return the lines of ``pactsel log --json``: the model calls, and the states between them, which have ``event``.

        With ``shares``, each call has ``tokens.shares``, what filled it, which takes counting all texts: about a second for
        3 MB.
        """
        return cast("list[CallLine | StateLine]", self._result({"calls": True, "shares": shares})["calls"])

    def test(self, suite: str | os.PathLike[str]) -> Report:
        """Run the cases of a suite on this history. ``suite`` is its text, or the path of its file."""
        return Report(self._result({"suite": suite_text(suite)})["test"])

    def _ask(self, question: Mapping[str, Any], edition: str | None) -> Any:
        return self._result(question if edition is None else {**question, "edition": edition})["answers"]

    def _result(self, question: Mapping[str, Any]) -> dict[str, Any]:
        answer: Any = self._worker.result({**self._source, **question})
        for one in answer["histories"]:
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
        """Return an SVG picture of the tokens of each call, by who said them, as in ``pactsel inspect``.

        Tokens read from a cache are paler, and marks above the bars say what happened: ▼ compacted, ○ cleared, ↺ rewound,
        − trimmed, ✕ the cached prefix broke, • a side call.
        """
        return _html.timeline(self._counted())

    def shares(self, cycle: int | None = None) -> str:
        """Return what filled the window of a call as an HTML table: of the call of a cycle, or of the largest one.

        Raises :class:`ValueError` if no call has that cycle.
        """
        return _html.shares(_chosen(self._counted(), cycle))

    def _counted(self) -> list[CallLine]:
        return [line for line in self.log(shares=True) if "event" not in line]

    def _repr_html_(self) -> str:
        calls = self._counted()
        return f"<div>{_html.timeline(calls)}{_html.shares(_chosen(calls, None))}{self.tree()}</div>"


def _chosen(calls: Sequence[CallLine], cycle: int | None) -> CallLine | None:
    """Return the call of a cycle, or the largest one; ``None`` if there is no call."""
    if cycle is None:
        return max(calls, key=lambda c: c["tokens"]["in"], default=None)
    for call in calls:
        if call["cycle"] == cycle:
            return call
    raise ValueError(f"there is no call @c{cycle}")


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
    nodes = [Node(n) for n in answer.get("nodes", [])]
    nodes += [Node(n["node"], n["snapshot"]) for n in answer.get("latest", [])]
    return Nodes(selector, nodes, answer.get("warnings", ()), {m["word"]: m["near"] for m in answer.get("misspelled", ())})


def warn_of(selector: str, warnings: Iterable[str]) -> None:
    """Warn of what is probably wrong with a selector."""
    for warning in warnings:
        warn(f"{selector}: {warning}", SelectorWarning)


def warn_misspelled(selectors: Iterable[str], worker: Asked) -> None:
    """Warn of words that are probably misspelled, where no history is at hand that may have them."""
    asked = list(selectors)
    found: Any = worker.result({"history": {"root": {"children": []}}, "selectors": asked})
    for selector, answer in zip(asked, found["histories"][0]["answers"]):
        for m in answer.get("misspelled", ()):
            warn(f"{selector}: unknown word `{m['word']}`; did you mean `{m['near']}`?", SelectorWarning)


def suite_text(suite: str | os.PathLike[str]) -> str:
    """Return the text of a suite that is given as text or as a path."""
    if isinstance(suite, str) and "\n" in suite:
        return suite
    with builtins.open(suite, encoding="utf-8") as f:
        return f.read()
