"""Live contexts: what a model is sent next, kept in memory or in a store."""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast, overload

from ._errors import Conflict, ContextLost, ContextWarning, PactkitError, SelectorError, WorkerDied, absolute, error_of, redacted, warn
from ._history import History, Node, Nodes, Step
from ._objects import plain
from ._protocol import CallInfo, CallLine, Draft, Info, Json, Policy, Range, Usage
from ._report import Report
from ._threads import settled
from ._watch import Watch
from ._worker import Exchange, Worker, shared_worker

if TYPE_CHECKING:
    from typing_extensions import NotRequired, Unpack

    from ._async import AsyncContext


class NewNode(Draft, total=False):
    """The members of a new node: those of any node, and the following."""

    text: str
    """The content, if it is a text."""
    members: Mapping[str, Json]
    """Members of your own, such as ``{"acme:cost": 3}``."""


class AnthropicThread(TypedDict):
    """The messages of a request to the Messages API."""

    system: NotRequired[Json]
    messages: list[dict[str, Json]]


Format = Literal[
    "anthropic", "openai", "openai-responses", "gemini", "pact", "flat", "sharegpt", "claude-code", "langchain", "pydantic-ai", "ai-sdk", "ai-sdk-ui"
]
"""A format of messages."""

Summarise = Callable[[Sequence[Node]], "str | Draft | Awaitable[str | Draft]"]
"""A function that writes a summary of nodes, as a text or as a node. It may be asynchronous."""

_names = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a node left, or changed."""

    id: str
    cause: str
    """``expired``, ``pruned``, ``deleted``, ``compacted``, ``cleared``, ``truncated``, ``deduplicated`` …"""
    by: str | None = None
    """The id of the node that replaces it."""
    rule: str | None = None
    """The step or limit of the policy."""
    trigger: str | None = None
    """Why the policy ran: ``budget``, ``overflow`` or ``limit``."""
    saved: int = 0
    """The tokens that this saved in renderings."""
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class PolicyRun:
    """The result of the steps of a policy. ``before`` and ``after`` count tokens before and after the steps."""

    trigger: str
    before: int
    after: int
    budget: int = 0
    failed: tuple[str, ...] = ()
    """The summaries that failed, each with the reason."""


@dataclass(frozen=True, slots=True)
class Commit:
    """The end of a cycle."""

    cycle: int
    left: tuple[Cause, ...] = ()
    """Why nodes left."""
    changed: tuple[Cause, ...] = ()
    """Why nodes changed, or are shown in another form."""
    policy: PolicyRun | None = None
    """What the policy did; ``None`` if its steps did not run."""


@dataclass(frozen=True, slots=True)
class State:
    """The state of a context."""

    cycle: int
    """The cycle in progress."""
    newest: int | None
    """The cycle of the newest snapshot."""
    edition: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of :meth:`Context.answer`."""

    nodes: tuple[Node, ...]
    commit: Commit
    usage: Usage | None = field(default=None)


class Context:
    """A live context. :func:`pactsel.context` makes one; the first call opens it.

    Use it with ``with``, or with ``async with``, which gives an :class:`AsyncContext`. At the end it is closed; what is
    not committed is lost. Any number of threads may use it, one after the other.

    Each call is durable when it returns, if it ends a cycle and the context is in a store. If the process behind it
    dies, a context in a store is attached again at its last commit: a call that lost changes raises
    :class:`ContextLost`, and the next one goes on from there. A context in memory raises it from every
    call.
    """

    def __init__(self, address: str, options: Mapping[str, Any], summarise: Summarise | None, worker: Worker, timeout: float | None) -> None:
        self._address, self._options, self._summarise = address, dict(options), summarise
        self._worker, self._timeout = worker, timeout
        self._name = f"{os.getpid()}-{next(_names)}"
        self._start = 0  # the start of the worker that has it open; 0 before it is opened
        self._changed = False  # there are uncommitted changes
        self._ends: PactkitError | None = None  # why it is unusable
        self._state: State | None = None
        self.last = Commit(0)
        """The end of the last cycle that this object ended; its ``cycle`` is 0 before the first."""
        self.history = History.of("", (), {"context": self._name}, self)
        """The history of the context, for questions: see :class:`History`."""

    @property
    def address(self) -> str:
        """The address, without a password: ``memory:``, or that of a history in a store."""
        return redacted(self._address)

    @property
    def state(self) -> State:
        """The cycle in progress, and the newest snapshot. Opens the context if it is not open."""
        if self._state is None:
            self._do([])
        assert self._state is not None
        return self._state

    def __repr__(self) -> str:
        return f"<Context {self.address}>"

    def __enter__(self) -> Context:
        self._do([])
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    async def __aenter__(self) -> AsyncContext:
        from ._async import AsyncContext

        self._twin = AsyncContext(self)
        return await self._twin.__aenter__()

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._twin.__aexit__(kind, error, trace)

    def __del__(self) -> None:
        if getattr(self, "_start", 0):
            self._worker.abandoned.append((self._start, self._name))

    def __reduce__(self) -> tuple[object, ...]:
        if self._address == "memory:":
            raise TypeError("a context in memory cannot be pickled or copied; fork it, or keep it in a store")
        return Context, (self._address, self._options, self._summarise, self._worker, self._timeout)

    def insert(self, position: str, **node: Unpack[NewNode]) -> Node | None:
        """Insert a node at a position, such as ``(d0,0, end)``, the end of the turn in progress. Return the node.

        ``role`` and ``text`` are the usual members; ``ttl``, ``key``, ``priority``, ``pinned`` … are those of the engine.
        With a ``?`` after the position, which may then not exist, the result may be ``None``.
        """
        return self._node({"insert": position, "node": draft_of(node)})

    def replace(self, selector: str | Node, **node: Unpack[NewNode]) -> Node | None:
        """Replace a node that a selector selects, or that was returned. In a sealed turn, add an overlay, and return that."""
        return self._node({"replace": target(selector), "node": draft_of(node)})

    def move(self, selector: str | Node, to: str) -> Node | None:
        """Move the selected node to a position."""
        return self._node({"move": target(selector), "to": to})

    def delete(self, selector: str | Node) -> Node | None:
        """Delete the selected node. In a sealed turn, add a redaction marker, and return that."""
        return self._node({"delete": target(selector)})

    def pin(self, selector: str | Node) -> Node | None:
        """Exempt a node of the turn in progress from expiry and pruning."""
        return self._node({"pin": target(selector)})

    def unpin(self, selector: str | Node) -> Node | None:
        """Undo :meth:`pin`."""
        return self._node({"unpin": target(selector)})

    def hold(self, id: str | Node) -> None:
        """Protect a node from expiry, pruning and deletion until :meth:`release` was called as often."""
        self._do([{"hold": id_of(id)}])

    def release(self, id: str | Node) -> None:
        """Undo one :meth:`hold`."""
        self._do([{"release": id_of(id)}])

    def attach(self, position: str, history: str, of: str, *, at: str | None = None, **node: Unpack[NewNode]) -> Node | None:
        """Attach a subtree of another history, read-only, and return the node that refers to it.

        :param history: the id of another history of the store
        :param of: a selector of one node of that history, the top of the subtree
        :param at: the address of a snapshot, such as ``@c12``; without it, the attachment is live: :meth:`render` shows the
            newest snapshot, until the turn with the attachment is sealed
        """
        op: dict[str, Any] = {"attach": position, "history": history, "of": of}
        if at is not None:
            op["at"] = at
        if node:
            op["node"] = draft_of(node)
        return self._node(op)

    def refresh(self) -> None:
        """Bring live attachments up to date, as :meth:`render` does."""
        self._do([{"refresh": True}])

    def stop(self, key: str) -> None:
        """End the cadence of a key."""
        self._do([{"stop": key}])

    def describe(self, info: Info) -> None:
        """Describe the next commit: its call with the usage, an event, causes."""
        self._do([{"describe": info}])

    def add(self, messages: Iterable[object], source: Format) -> tuple[Node, ...]:
        """Insert messages of a provider at the end of the turn in progress, such as the result of a tool.

        System messages go to ``^sys``, which needs ``system=True``. The messages may be objects of an SDK.
        """
        return nodes_in(self._do([{"add": plain(list(messages)), "from": source}])[0]["nodes"])

    @overload
    def render(self, format: Literal["anthropic"], *, at: str | None = None, fit: bool = False) -> AnthropicThread: ...
    @overload
    def render(
        self, format: Literal["openai", "openai-responses"], *, at: str | None = None, fit: bool = False
    ) -> list[dict[str, Json]]: ...
    @overload
    def render(
        self, format: Format, *, at: str | None = None, fit: bool = False
    ) -> AnthropicThread | list[dict[str, Json]] | Json: ...
    def render(
        self, format: Format, *, at: str | None = None, fit: bool = False
    ) -> AnthropicThread | list[dict[str, Json]] | Json:
        """Return the context as the messages of a request to a provider.

        :param at: the address of an older snapshot, such as ``@t-1``
        :param fit: end the cycle first: lifetimes and the policy apply to what is sent, :attr:`last` says what left, and the
            next :meth:`answer` completes that cycle
        """
        op: dict[str, Any] = {"render": format}
        if at is not None:
            op["at"] = at
        if fit:
            op["fit"] = True
        result = self._do([op])[0]
        if fit:
            self.last = commit_of(result["commit"])
        for note in result.get("notes", ()):
            if note["kind"] in ("lost", "refused"):
                warn(f"{note.get('node', format)}: {note['message']}", ContextWarning)
        thread: Json = result["thread"]
        return thread

    def answer(self, response: object, source: Format | None = None) -> Answer:
        """Take the response of a provider: its messages become nodes, its usage is recorded, and the cycle ends.

        The turn is sealed, unless the response calls a tool, whose result belongs to the same turn.

        :param response: the document, or the object of an SDK
        :param source: its format; that of the last :meth:`render` by default
        """
        op: dict[str, Any] = {"answer": plain(response)}
        if source is not None:
            op["from"] = source
        result = self._do([op], commits=True)[0]
        self.last = commit_of(result["commit"])
        return Answer(nodes_in(result["nodes"]), self.last, result.get("usage"))

    def prepare(self) -> Commit:
        """End the cycle, for a call whose request the caller makes: lifetimes and the policy apply.

        :meth:`complete` says what the call used, and the next :meth:`checkpoint` or commit stores both.
        """
        self.last = commit_of(self._do([{"prepare": True}])[0]["commit"])
        return self.last

    def complete(self, call: CallInfo) -> None:
        """Describe the call of the last :meth:`prepare`: its model, its usage. The caller inserts the answer."""
        self._do([{"complete": call}])

    def commit(self, times: int = 1) -> Commit:
        """End the cycle, and seal the turn in progress. ``times`` does so repeatedly."""
        return self._end({"commit": True if times == 1 else times})

    def step(self, times: int = 1) -> Commit:
        """End the cycle without sealing: a model call within a turn that continues."""
        return self._end({"step": True if times == 1 else times})

    def shrink(self, tokens: int) -> Commit:
        """End the cycle like :meth:`step`, and save ``tokens`` by the policy, after a call was refused as too long."""
        return self._end({"shrink": tokens})

    def seal(self) -> None:
        """Seal the turn in progress without ending the cycle."""
        self._do([{"seal": True}])

    def checkpoint(self) -> None:
        """Make the changes durable without ending the cycle."""
        self._do([{"checkpoint": True}], commits=True)

    def policy(self, policy: Policy | None) -> None:
        """Replace the policy, from the next commit on. With ``None``, the context has no policy."""
        self._do([{"policy": policy}])
        self._options["policy"] = policy

    def fork(self, to: str | None = None, *, at: str | None = None) -> Context:
        """Return a context that begins with the snapshots of this one, up to ``at``, such as ``@c3``.

        ``to`` is the name of the fork in the store; a fork of a context in memory is in memory and has none.
        """
        address = self._address
        if to is not None and address != "memory:":
            address = f"{address[: address.rindex('#')]}#{re.sub('[%#@]', lambda found: f'%{ord(found[0]):02X}', to)}"
        fork = Context(address, {k: v for k, v in self._options.items() if k != "must"}, self._summarise, self._worker, self._timeout)
        op = {"fork": fork._name}
        if to is not None:
            op["to"] = to
        if at is not None:
            op["at"] = at
        fork._state = state_of(self._do([op], changes=False, stores=True)[0]["state"])
        fork._start = self._start
        return fork

    def rewind(self, to: str, *, keep: str | None = None) -> str | None:
        """Continue from an earlier snapshot, such as ``@c3``. Uncommitted changes are lost.

        Return the name under which what was there is kept: in a store always, and in memory never.
        """
        op: dict[str, Any] = {"rewind": to}
        if keep is not None:
            op["keep"] = keep
        result = self._do([op], commits=True)[0]
        self._state = state_of(result["state"])
        return cast("str | None", result.get("keep"))

    def reload(self) -> State:
        """Load the state in the store, which others may have changed. Uncommitted changes are lost."""
        self._state = state_of(self._do([{"reload": True}], commits=True)[0]["state"])
        return self._state

    def close(self) -> None:
        """Close the context. Uncommitted changes are lost. Closing it again does nothing."""
        if self._start and self._start == self._worker.starts and self._worker.is_running():
            with self._worker.exchange(self._timeout) as exchange:
                try:
                    exchange.ask({"context": self._name, "do": [{"close": True}]}, self._summary)
                except WorkerDied:
                    pass
        self._start, self._changed, self._state = 0, False, None
        if self._ends is None:
            self._ends = PactkitError("the context is closed", "E_WORKER_CONTEXT")

    def watch(self, selector: str, *, stored: bool = False, every: float = 0.2) -> Watch:
        """Follow a selector: what commits add to its result, remove from it, and change in it.

        For most selectors, the cost of a commit depends on what it changed, and not on the size of the context.

        >>> for change in ctx.watch(".block+tool", stored=True):
        ...     print(change.cycle, change.added, change.removed)

        :param selector: a selector without a time
        :param stored: follow the history in the store, with the commits of other writers; the context does not change
        :param every: how long iterating pauses after it found nothing, in seconds
        """
        name = f"watch-{next(_names)}"
        op = {"watch": selector, "as": name, **({"stored": True} if stored else {})}

        def end() -> None:
            if self._ends is None:
                self._do([{"unwatch": name}], changes=False)

        return Watch(lambda: self._do([op], changes=False)[0], end, every)

    def select(self, selector: str, *, edition: str | None = None) -> Nodes:
        """Return the nodes that a selector selects: see :meth:`History.select`."""
        return self.history.select(selector, edition=edition)

    def select_all(self, selectors: Mapping[str, str], *, edition: str | None = None) -> dict[str, Nodes]:
        """Like :meth:`select`, for several selectors at once, each with a name."""
        return self.history.select_all(selectors, edition=edition)

    def explain(self, selector: str, *, edition: str | None = None) -> tuple[Nodes, list[Step]]:
        """Return the nodes that a selector selects, and how many nodes each of its steps leaves."""
        return self.history.explain(selector, edition=edition)

    def changes(self, selector: str = "@t0..@t-1 *", *, edition: str | None = None, options: Mapping[str, Json] | None = None) -> Range:
        """Return how the result of a selector changes from snapshot to snapshot: see :meth:`History.changes`."""
        return self.history.changes(selector, edition=edition, options=options)

    def calls(self) -> list[CallLine]:
        """Return what each model call was sent, and what entered and left since the previous call."""
        return self.history.calls()

    def test(self, suite: str | os.PathLike[str]) -> Report:
        """Run the cases of a suite on the context."""
        return self.history.test(suite)

    def result(self, request: Mapping[str, Any]) -> dict[str, Json]:
        """Ask a question of protocol 2 about the context: see ``docs/reference/worker.md``."""
        return self._ask(request, changes=False, commits=False, stores=False)

    def _node(self, op: Mapping[str, Any]) -> Node | None:
        result = self._do([op])[0]
        for warning in result.get("warnings", ()):
            warn(warning, ContextWarning)
        return None if result["node"] is None else Node(result["node"])

    def _end(self, op: Mapping[str, Any]) -> Commit:
        self.last = commit_of(self._do([op], commits=True)[0]["commit"])
        for failure in self.last.policy.failed if self.last.policy else ():
            warn(failure, ContextWarning)
        return self.last

    def _do(
        self, operations: Sequence[Mapping[str, Any]], *, changes: bool = True, commits: bool = False, stores: bool = False
    ) -> list[dict[str, Any]]:
        """Run operations. One that ``commits`` leaves nothing uncommitted. One that ``stores`` is not repeated."""
        reads = not changes or all("render" in op and "fit" not in op for op in operations)
        answer = self._ask({"do": list(operations)}, changes=not reads, commits=commits, stores=stores or commits)
        done: list[dict[str, Any]] = answer["done"]
        return done

    def _ask(self, request: Mapping[str, Any], *, changes: bool, commits: bool, stores: bool) -> dict[str, Any]:
        with self._worker.exchange(self._timeout) as exchange:
            if self._ends is not None:
                raise self._ends
            try:
                answer = self._ask_once(exchange, request)
            except ContextLost:
                raise
            except WorkerDied as e:
                self._lost(exchange, e, stores)
                answer = self._ask_once(exchange, request)  # the worker stored nothing
        if "error" in answer:
            if changes and len(answer.get("done", ())) > 0:
                self._changed = True
            raise context_error(answer["error"])
        if changes:
            self._changed = not commits
        for result in answer.get("done", ()):
            if commits and "commit" in result:
                cycle = result["commit"]["cycle"]
                self._state = State(cycle + 1, cycle, self._state.edition if self._state else "1.0")
        return answer

    def _ask_once(self, exchange: Exchange, request: Mapping[str, Any]) -> dict[str, Any]:
        """Ask, after opening the context if it is not open."""
        start = exchange.start()
        if start != self._start:
            if self._start and (self._changed or self._address == "memory:"):
                self._lost(exchange, WorkerDied("the worker was started again", "E_WORKER_DIED"), True)
            self._open(exchange)
        if request.get("do") == []:
            return {"done": []}
        return exchange.ask({**request, "context": self._name}, self._summary)

    def _open(self, exchange: Exchange) -> None:
        """Open the context, and check that it has everything that was committed."""
        start = exchange.start()
        op = {"open": self._address, **{k: v for k, v in self._options.items() if k != "must" or not self._start}}
        if self._summarise is not None:
            op["summarise"] = True
        answer = exchange.ask({"context": self._name, "do": [op]}, self._summary)
        if "error" in answer:
            raise context_error(answer["error"])
        before, self._state = self._state, state_of(answer["done"][0]["state"])
        self._start, self._changed = start, False
        if before is not None and before.newest is not None and (self._state.newest or 0) < before.newest:
            raise ContextLost(f"{self.address} ends at cycle {self._state.newest}, and cycle {before.newest} was committed", "E_CONTEXT_LOST")

    def _lost(self, exchange: Exchange, error: WorkerDied, stores: bool) -> None:
        """Continue after the death of the worker, or raise an error if changes are lost or may be stored."""
        if self._address == "memory:":
            self._ends = ContextLost(f"{error.message}; the context was in its memory and is lost", "E_CONTEXT_LOST")
            raise self._ends from error
        lost = self._changed or stores
        self._changed = False
        if self._start:
            self._open(exchange)
        if lost:
            newest = self._state.newest if self._state else None
            raise ContextLost(
                f"{error.message}; changes that were not committed are lost, and the context goes on after cycle {newest}",
                "E_CONTEXT_LOST",
                state=self._state,
            ) from error

    def _summary(self, nodes: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Return the answer to a question for a summary."""
        assert self._summarise is not None
        try:
            summary = settled(self._summarise(nodes_in(nodes)))
            json.dumps(summary)  # a summary that cannot be sent has failed
        except Exception as e:  # the policy continues without the summary, and reports why
            return {"summary": None, "error": f"{type(e).__name__}: {e}"}
        return {"summary": {"role": "user", "content": summary} if isinstance(summary, str) else summary}


def target(selector: str | Node) -> str:
    """Return a selector of a node."""
    return selector if isinstance(selector, str) else f"*{{id={json.dumps(id_of(selector), ensure_ascii=False)}}}"


def id_of(node: str | Node) -> str:
    """Return the id of a node."""
    if not isinstance(node, (str, Node)):
        raise TypeError(f"a node is named by a text or by a Node, not by {type(node).__name__}")
    return node if isinstance(node, str) else node.id


def draft_of(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return a node as the protocol writes it."""
    draft = dict(node)
    members = draft.pop("members", None)
    if "text" in draft:
        if "content" in draft:
            raise TypeError("a node has text or content, not both")
        draft["content"] = draft.pop("text")
    return {**(members or {}), **cast("dict[str, Any]", plain(draft))}


def nodes_in(nodes: Iterable[Mapping[str, Any]]) -> tuple[Node, ...]:
    return tuple(Node(n) for n in nodes)


def state_of(state: Mapping[str, Any]) -> State:
    return State(state["cycle"], state["newest"], state["edition"])


def commit_of(commit: Mapping[str, Any]) -> Commit:
    run = commit.get("policy")
    return Commit(
        commit["cycle"],
        tuple(Cause(**c) for c in commit["left"]),
        tuple(Cause(**c) for c in commit["changed"]),
        PolicyRun(**{**run, "failed": tuple(run.get("failed", ()))}) if run else None,
    )


def context_error(problem: Mapping[str, Any]) -> PactkitError:
    """Return the exception for an error of an operation."""
    if problem.get("code") != "E_STORE_CONFLICT":
        return error_of(problem)
    return Conflict(str(problem["message"]), "E_STORE_CONFLICT", hint=problem.get("hint"), changed=problem.get("changed"))


def context(
    address: str | os.PathLike[str] = "memory:",
    *,
    policy: Policy | None = None,
    summarise: Summarise | None = None,
    system: bool = True,
    edition: Literal["1.0", "0.1"] | None = None,
    clock: str | None = None,
    seed: int | None = None,
    must: Literal["exist", "begin"] | None = None,
    timeout: float | None = None,
    worker: Worker | None = None,
) -> Context:
    """Return a live context: in memory, or a history of a store, which begins with its first commit.

    >>> with pactsel.context("file:sessions#support-17") as ctx:
    ...     ctx.insert("(d0,0, end)", role="user", text="Where is my order?")
    ...     answer = client.messages.create(model=model, max_tokens=1000, **ctx.render("anthropic", fit=True))
    ...     ctx.answer(answer)

    :param address: ``memory:``, ``file:FOLDER#NAME`` or ``postgres://…#NAME``
    :param policy: what keeps the context within the window of a model
    :param summarise: writes the summaries that the policy asks for
    :param system: whether system prompts can be changed
    :param clock: the time of the first node, RFC 3339; each further one follows by a nanosecond
    :param seed: draws ids at random; they are numbered by default
    :param must: whether the history must exist already, or must not
    :param timeout: of each call, in seconds; that of the worker by default
    """
    options: dict[str, Any] = {"policy": policy, "edition": edition, "clock": clock, "seed": seed, "must": must}
    options = {name: value for name, value in options.items() if value is not None}
    if system:
        options["system"] = True
    where = os.fspath(address)
    if where.startswith("file:") and "#" not in where:
        raise SelectorError(f"{where} names a store and no history in it; write {where}#NAME", "E_STORE_ADDRESS")
    if where.startswith("file:"):
        where = absolute(where)
    return Context(where, options, summarise, worker or shared_worker(), timeout)
