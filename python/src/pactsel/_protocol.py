"""The shapes of the protocol of ``pactsel worker``. Written by ``tools/protocol.py`` from ``docs/schemas``: do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Literal, TypedDict, Union

Json = Union[None, bool, int, float, str, List["Json"], Dict[str, "Json"]]
"""A JSON value."""

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class Draft(TypedDict):
    """A node to make, written like a node of a snapshot."""

    id: NotRequired[str]
    nodeType: NotRequired[str]
    key: NotRequired[str]
    kind: NotRequired[str]
    role: NotRequired[str]
    tag: NotRequired[str | list[str]]
    offset: NotRequired[int]
    ttl: NotRequired[int | None]
    """The lifetime in cycles."""
    cad: NotRequired[int | None]
    """The cadence in cycles."""
    priority: NotRequired[int]
    content: NotRequired[Json]
    """Any value."""
    removable: NotRequired[bool]
    pinned: NotRequired[bool]
    refs: NotRequired[str | list[str]]
    provenance: NotRequired[Json]
    """Any value."""
    children: NotRequired[list[Draft]]


class CallInfoBy(TypedDict):
    """The call that started this history."""

    call: NotRequired[str]
    cycle: int
    history: str


class CallInfoStart(TypedDict):
    """An object of the protocol."""

    call: NotRequired[str]
    history: str


class Usage(TypedDict):
    """An object of the protocol."""

    cache_read: NotRequired[int]
    cache_unknown: NotRequired[Literal[True]]
    cache_write: NotRequired[int]
    cache_write_1h: NotRequired[int]
    input: NotRequired[int]
    iterations: NotRequired[list[int]]
    output: NotRequired[int]
    session: NotRequired[int]
    thoughts: NotRequired[int]


class CallInfo(TypedDict):
    """The model call of the commit. In a delta, members are omitted that equal those of the previous commit's call."""

    file: NotRequired[str]
    line: NotRequired[int]
    """The line in the log; 0 if the previous call has a line and this one does not."""
    model: NotRequired[str]
    number: NotRequired[int]
    """The number of the model call in its sample, or in a log without samples, from 0."""
    sample: NotRequired[str]
    """The sample, in a log with several."""
    by: NotRequired[CallInfoBy]
    """The call that started this history."""
    starts: NotRequired[list[CallInfoStart]]
    """The histories that its answer started, with the ids of the tool calls that did."""
    failed: NotRequired[str]
    """Why the provider did not answer."""
    from_cache: NotRequired[Literal[True]]
    """The answer came from a cache of the client or a proxy; the provider was not asked."""
    missing: NotRequired[list[str]]
    """What of the request the log does not record; omitted if it is as in the previous call."""
    recorded: NotRequired[bool]
    """The log has the request as it was sent; omitted if it is as in the previous call."""
    time: NotRequired[str]
    usage: NotRequired[Usage]
    window: NotRequired[int]
    """How many tokens the model can take, as the log says; omitted if it is as in the previous call."""


class InfoSide(TypedDict):
    """An object of the protocol."""

    kind: str
    of: int


class InfoEvent(TypedDict):
    """Of a state between calls: what happened."""

    after: NotRequired[int]
    """Tokens after it, as the source states them."""
    before: NotRequired[int]
    """Tokens before it."""
    kind: str
    """answer, compaction, clear, rewind, rollback, edit or interrupt."""
    trigger: NotRequired[str]
    """As in the source, such as auto or manual."""


class InfoCause(TypedDict):
    """An object of the protocol."""

    by: NotRequired[str]
    cause: str
    inferred: NotRequired[Literal[True]]
    rule: NotRequired[str]
    """The step or limit of a policy."""
    saved: NotRequired[int]
    """Tokens that are no longer rendered of the node."""
    trigger: NotRequired[str]
    """Why the policy ran: budget, overflow or limit."""


class Info(TypedDict):
    """What is known about a commit."""

    call: NotRequired[CallInfo]
    side: NotRequired[InfoSide]
    event: NotRequired[InfoEvent]
    causes: NotRequired[dict[str, InfoCause]]


class ChangedChanged(TypedDict):
    """An object of the protocol."""

    id: str
    fields: list[str]


class Changed(TypedDict):
    """What others have committed."""

    newest: int
    """The cycle of the newest snapshot."""
    added: list[str]
    removed: list[str]
    changed: list[ChangedChanged]


class NoteLine(TypedDict):
    """An object of the protocol."""

    kind: str
    code: NotRequired[str]
    node: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]
    path: NotRequired[str]
    message: str


PolicyStep = TypedDict(
    "PolicyStep",
    {
        "truncate": "NotRequired[str]",
        "clear": "NotRequired[str]",
        "dedupe": "NotRequired[str]",
        "summarise": "NotRequired[str]",
        "drop": "NotRequired[str]",
        "over": "NotRequired[int]",
        "to": "NotRequired[int]",
        "except": "NotRequired[str]",
        "with": "NotRequired[str]",
    },
)
"""An object of the protocol."""


Policy = TypedDict(
    "Policy",
    {
        "window": "NotRequired[int | str]",
        "reserve": "NotRequired[int]",
        "nodes": "NotRequired[int]",
        "keep-first": "NotRequired[list[str]]",
        "keep-last": "NotRequired[int]",
        "min-gain": "NotRequired[int]",
        "step": "NotRequired[list[PolicyStep]]",
    },
)
"""A policy: what keeps a context within the window of a model"""


class CallLineSide1(TypedDict):
    """An object of the protocol."""

    of: int
    """The cycle of the call whose context the side call was sent."""
    kind: str
    """The kind of side call, such as summary; empty if unknown."""


class CallLineSource1(TypedDict):
    """An object of the protocol."""

    file: str
    sample: str
    """The sample, in a log with several; otherwise empty."""
    call: int
    """The number of the model call in the sample, or in the log, from 0."""
    line: NotRequired[int]
    """The line of the log, from 1."""


class CallLineStart(TypedDict):
    """An object of the protocol."""

    history: str
    """The name of the conversation: the part after the # in its address."""
    call: NotRequired[str]
    """The id of the tool call."""


class CallLineBy(TypedDict):
    """In the first call of a conversation that another one started: the call whose answer started it."""

    history: str
    """The name of the conversation of the call."""
    cycle: int
    call: NotRequired[str]
    """The id of the tool call."""


CallLineWindow = TypedDict(
    "CallLineWindow",
    {
        "tokens": "int",
        "from": "str",
    },
)
"""How many tokens the model can take; missing if that is not known. Of a state, that of the latest call."""


CallLineTokensCounted = TypedDict(
    "CallLineTokensCounted",
    {
        "in": "int",
        "label": "Literal['exact', 'estimated']",
        "encoding": "str",
        "media": "NotRequired[int]",
    },
)
"""The tokens of the texts and tools, counted with a vocabulary. exact means that it is the vocabulary of the model and that nothing is left out. Missing if they were not counted: with --stat they always are."""


class CallLineTokensShare(TypedDict):
    """A part of what a call was sent. The shares of a call add up to its input."""

    what: str
    """system, tools (the list of tools), user, assistant or another role, call and result (of tools), reminder (what a client adds to what a person writes), thinking, image, audio, document, summary; rest: what only the provider counted; vocabulary: how many tokens more it counted in the texts, or fewer. Inside these server (of MCP), tool, file, text, or others: the smaller files of a tool that has more than 200."""
    name: NotRequired[str]
    """The name of the server, tool, file or text; of rest, what it is as far as the log says."""
    nodes: int
    """0 in a sum over calls."""
    tokens: int
    label: Literal['exact', 'at-least', 'counted', 'estimated', 'unknown']
    cost: NotRequired[float]
    """The cost of the tokens as they were billed; missing if the price is not known."""
    shares: NotRequired[list[CallLineTokensShare]]
    """What it consists of, the largest first."""


CallLineTokens = TypedDict(
    "CallLineTokens",
    {
        "in": "int",
        "out": "int | None",
        "cached": "int | None",
        "written": "int | None",
        "written_1h": "NotRequired[int]",
        "thoughts": "NotRequired[int]",
        "label": "Literal['exact', 'at-least', 'counted', 'estimated', 'unknown']",
        "out_label": "Literal['exact', 'at-least', 'counted', 'estimated', 'unknown']",
        "rest": "NotRequired[int]",
        "fewer": "NotRequired[int]",
        "iterations": "NotRequired[list[int]]",
        "session": "NotRequired[int]",
        "media": "NotRequired[int]",
        "counted": "NotRequired[CallLineTokensCounted]",
        "shares": "NotRequired[list[CallLineTokensShare]]",
    },
)
"""An object of the protocol."""


class CallLineLeft(TypedDict):
    """An object of the protocol."""

    id: str
    cause: str
    """The cause, such as compacted, cleared, trimmed, edited, rewound, expired, pruned, truncated, deduplicated, deleted, session-cleared or unknown."""
    by: str
    """The node that replaced it; empty if there is none."""
    inferred: NotRequired[Literal[True]]
    """The cause is inferred, not recorded in the log."""
    rule: NotRequired[str]
    trigger: NotRequired[Literal['budget', 'limit', 'overflow']]
    saved: NotRequired[int]


class CallLineChanged(TypedDict):
    """An object of the protocol."""

    id: str
    cause: str
    by: NotRequired[str]
    """The node whose content is shown."""
    inferred: NotRequired[Literal[True]]
    rule: NotRequired[str]
    trigger: NotRequired[Literal['budget', 'limit', 'overflow']]
    saved: NotRequired[int]


class CallLineCacheBroken1(TypedDict):
    """An object of the protocol."""

    by: Literal['node', 'system', 'tools', 'parameters']
    node: NotRequired[str]
    setting: NotRequired[str]
    """The member of the request."""
    event: str
    """The cause for a node that left or changed; inserted, moved, redacted or replaced by an overlay; for a setting added, removed or changed."""
    resent: int
    """The tokens after the break that the previous call also had; an estimate."""


class CallLineCacheMiss(TypedDict):
    """What the provider's cache had according to the previous calls, and was not read from it, though this call begins with all of the previous one."""

    tokens: int
    why: Literal['idle', 'model', 'unknown']
    """idle: more time passed since the previous call than the cache keeps what is written to it. model: the previous call was of another model."""
    idle: NotRequired[int]
    """The seconds since the previous call."""
    lifetime: NotRequired[int]
    """The seconds for which the cache keeps what is written to it, at least."""
    cost: NotRequired[float]
    """How much more the tokens cost than reading them from the cache."""


CallLineCacheCost = TypedDict(
    "CallLineCacheCost",
    {
        "total": "float",
        "input": "float",
        "cache_read": "float",
        "cache_write": "float",
        "output": "float",
        "thoughts": "NotRequired[float]",
        "break": "float",
        "label": "Literal['exact', 'at-least', 'counted', 'estimated', 'unknown']",
        "from": "str",
    },
)
"""The cost at the prices in the configuration, else at known prices in US dollars."""


class CallLineCache(TypedDict):
    """A comparison with the previous call, in the order tools, system prompt, messages. All numbers are tokens."""

    before: int
    """The number of tokens sent to the previous call; 0 for the first call."""
    same: int
    """How many of those this call begins with; an estimate."""
    broken: None | CallLineCacheBroken1
    """What ended the common beginning; null if this call begins with all of the previous one."""
    read: int | None
    """The tokens read from the cache, according to the log; null if unknown."""
    miss: NotRequired[CallLineCacheMiss]
    """What the provider's cache had according to the previous calls, and was not read from it, though this call begins with all of the previous one."""
    cost: NotRequired[CallLineCacheCost]
    """The cost at the prices in the configuration, else at known prices in US dollars."""
    no_cost: NotRequired[Literal['unknown model', 'unknown tokens']]
    """Why the cost is not known."""


class CallLineEvent(TypedDict):
    """An object of the protocol."""

    cycle: int
    """The cycle of the state after the event."""
    kind: str
    cause: NotRequired[str]
    """The cause of most of what left or changed."""


class CallLine(TypedDict):
    """An object of the protocol."""

    history: str
    """The argument that selects this history."""
    cycle: int
    """The cycle of the snapshot that shows what was sent: @cN."""
    side: None | CallLineSide1
    """Set for a side call, such as that of a summarizer; otherwise null."""
    time: str
    """The time of the call in RFC 3339; empty if the log has none."""
    model: str
    """The model; empty if the log does not name it."""
    source: None | CallLineSource1
    """Where the call is recorded; null if the history does not record calls."""
    starts: NotRequired[list[CallLineStart]]
    """The conversations that the answer of the call started, such as those of agents."""
    by: NotRequired[CallLineBy]
    """In the first call of a conversation that another one started: the call whose answer started it."""
    window: NotRequired[CallLineWindow]
    messages: int
    """The number of messages that the call was sent."""
    recorded: NotRequired[Literal[True]]
    """The log has the request as it was sent. Otherwise it is inferred from what else the log has."""
    missing: NotRequired[list[str]]
    """What of the request the log does not record, such as system prompt and tools."""
    failed: NotRequired[str]
    """Why the provider did not answer; the tokens of such a call are not summed."""
    from_cache: NotRequired[Literal[True]]
    """The answer came from a cache of the client or a proxy. The provider was not asked, and the tokens of such a call are not summed."""
    tokens: CallLineTokens
    added: list[str]
    """The ids of nodes that the previous line did not have."""
    left: list[CallLineLeft]
    """Nodes of the previous line that this one does not have."""
    unsent: NotRequired[list[CallLineLeft]]
    """Nodes of the answer to the previous call that this one was not sent."""
    changed: list[CallLineChanged]
    """Nodes whose content differs from the previous line, or which a policy shows otherwise."""
    settings: NotRequired[list[str]]
    """The names of members of the request whose values changed, such as tools."""
    cache: CallLineCache
    """A comparison with the previous call, in the order tools, system prompt, messages. All numbers are tokens."""
    events: NotRequired[list[CallLineEvent]]
    """What the source states to have happened since the previous call."""


class StateLineEvent(TypedDict):
    """An object of the protocol."""

    kind: str
    """answer, or what the source states: compaction, clear, rewind, rollback, edit or interrupt."""
    trigger: NotRequired[str]
    """As in the source, such as auto or manual."""
    before: NotRequired[int]
    """Tokens before the event, as the source states them."""
    after: NotRequired[int]
    """Tokens after it."""
    full: NotRequired[int]
    """The tokens of the window that were in use before: before, else those of the latest call and its answer."""


class StateLine(TypedDict):
    """What the next call would have been sent after an answer and what follows it, or after an event that the source states."""

    history: str
    cycle: int
    """The cycle of the snapshot: @cN."""
    event: StateLineEvent
    window: NotRequired[CallLineWindow]
    messages: int
    added: list[str]
    left: list[CallLineLeft]
    changed: list[CallLineChanged]


class RangeSnapshot(TypedDict):
    """An object of the protocol."""

    kind: Literal['t', 'c']
    value: int
    label: str
    cycle: int


RangeDiffChangedDelta = TypedDict(
    "RangeDiffChangedDelta",
    {
        "from": "Json",
        "to": "Json",
    },
)
"""An object of the protocol."""


class RangeDiffChangedContentDiffSummary(TypedDict):
    """An object of the protocol."""

    bytesNewer: NotRequired[int]
    bytesOlder: NotRequired[int]
    tokensNewer: NotRequired[int]
    tokensOlder: NotRequired[int]
    identical: bool
    truncated: bool


class RangeDiffChangedContentDiff(TypedDict):
    """An object of the protocol."""

    mode: Literal['unified', 'jsonpatch', 'tokens']
    mime: str
    tokenizer: NotRequired[str]
    summary: RangeDiffChangedContentDiffSummary
    diff: NotRequired[str]
    patch: NotRequired[list[Json]]
    hunks: NotRequired[list[Json]]


class RangeDiffChanged(TypedDict):
    """An object of the protocol."""

    id: str
    fields: list[str]
    """The members that differ, sorted."""
    delta: NotRequired[dict[str, RangeDiffChangedDelta]]
    """The old and new value by member, except where a value is a list or an object."""
    content_diff: NotRequired[RangeDiffChangedContentDiff]
    materialized: NotRequired[dict[str, RangeDiffChangedDelta]]


class RangeDiffStats(TypedDict):
    """An object of the protocol."""

    added: int
    removed: int
    changed: int


RangeDiff = TypedDict(
    "RangeDiff",
    {
        "from": "RangeSnapshot",
        "to": "RangeSnapshot",
        "added_ids": "list[str]",
        "removed_ids": "list[str]",
        "changed": "list[RangeDiffChanged]",
        "stats": "RangeDiffStats",
    },
)
"""An object of the protocol."""


class RangeLimits(TypedDict):
    """An object of the protocol."""

    maxSnapshots: NotRequired[int]
    maxChangesPerSnapshot: NotRequired[int]
    truncated: NotRequired[bool]


class RangeError(TypedDict):
    """An object of the protocol."""

    code: str
    message: str
    fatal: bool
    """There are no differences after it."""


class Range(TypedDict):
    """An object of the protocol."""

    query: str
    """The selector as it was given."""
    snapshots: list[RangeSnapshot]
    """The snapshots, newest first."""
    diffs: list[RangeDiff]
    mode: Literal['pairwise', 'reduce']
    limits: NotRequired[RangeLimits]
    warnings: NotRequired[list[str]]
    errors: NotRequired[list[RangeError]]
    """Why there is no answer, or no whole one; the exit code is then not 0."""


class FindingRangeStart(TypedDict):
    """An object of the protocol."""

    line: int
    column: int
    """The column in characters."""
    offset: int
    """The offset in bytes from the start of the file."""


class FindingRange(TypedDict):
    """An object of the protocol."""

    start: FindingRangeStart
    end: FindingRangeStart


class FindingFixeEdit(TypedDict):
    """An object of the protocol."""

    range: FindingRange
    text: str


class FindingFixe(TypedDict):
    """An object of the protocol."""

    title: str
    safe: bool
    """Whether the fix is certain not to change what is selected."""
    edits: list[FindingFixeEdit]


class Finding(TypedDict):
    """An object of the protocol."""

    path: str
    """The path of the file, relative to the working directory, with slashes."""
    rule: str
    """The id of the rule."""
    code: NotRequired[str]
    """The code of the language, if the finding has one."""
    level: Literal['error', 'warning', 'info']
    message: str
    hint: NotRequired[str]
    range: FindingRange
    selector: NotRequired[str]
    """The canonical form of the selector that the finding is about, or its source text if it has an error."""
    fixes: list[FindingFixe]
    """Alternative fixes, best first. All edits of a fix are applied together."""
    fingerprint: str
    """Identifies the finding; it does not change when other lines change."""
    silenced: NotRequired[str]
    """The reason given in the comment that suppresses the finding."""


class DiffChanged(TypedDict):
    """An object of the protocol."""

    id: str
    fields: list[str]
    """The members that differ, sorted; content is reported as content_hash."""


class DiffChildrenAdded(TypedDict):
    """An object of the protocol."""

    parent: str
    children: list[str]


class DiffParentChanged(TypedDict):
    """An object of the protocol."""

    id: str
    previous_parent_id: str | None
    new_parent_id: str | None


class DiffOffsetChanged(TypedDict):
    """An object of the protocol."""

    id: str
    previous_offset: float
    new_offset: float


class DiffMoved(TypedDict):
    """An object of the protocol."""

    removed: str
    added: str


class Diff(TypedDict):
    """pactkit diff --format json"""

    added: list[str]
    """Ids of the added nodes, in document order of the second state."""
    removed: list[str]
    """Ids of the removed nodes, in document order of the first state."""
    changed: list[DiffChanged]
    children_added: NotRequired[list[DiffChildrenAdded]]
    children_removed: NotRequired[list[DiffChildrenAdded]]
    parent_changed: NotRequired[list[DiffParentChanged]]
    offset_changed: NotRequired[list[DiffOffsetChanged]]
    moved: NotRequired[list[DiffMoved]]
    """Removed nodes, each paired with an added node of the same content."""


class TraceEvent(TypedDict):
    """An object of the protocol."""

    cycle: int
    source: None | CallLineSource1
    what: Literal['entered', 'changed', 'left', 'returned', 'answered', 'recorded']
    cause: NotRequired[str]
    by: NotRequired[str]
    inferred: NotRequired[Literal[True]]
    rule: NotRequired[str]
    trigger: NotRequired[Literal['budget', 'limit', 'overflow']]
    saved: NotRequired[int]


TraceSeen = TypedDict(
    "TraceSeen",
    {
        "from": "int",
        "to": "int",
        "calls": "int",
    },
)
"""An object of the protocol."""


class TraceRecorded(TypedDict):
    """Where the log has what no call was sent, such as thinking that is not sent again."""

    file: str
    line: NotRequired[int]
    before: NotRequired[str]
    """The node that follows it."""


class TraceRefer(TypedDict):
    """An object of the protocol."""

    id: str
    how: str


class Trace(TypedDict):
    """pactkit trace --json: the life of one node"""

    history: str
    id: str
    type: NotRequired[str]
    """The type of the node; missing for a node that was never sent, like the next three members."""
    role: NotRequired[str]
    kind: NotRequired[str]
    name: NotRequired[str]
    """The name of the tool."""
    content: str
    """The content in the latest state: a text, or JSON."""
    answer_to: int
    """The cycle of the call whose answer the node is; 0 if there is none."""
    state: NotRequired[int]
    """The cycle of the first state between calls that has it, if no call was sent it after that."""
    events: list[TraceEvent]
    seen: list[TraceSeen]
    """Runs of consecutive calls that were sent the node."""
    now: Literal['present', 'gone', 'never sent']
    stand: list[str]
    """The node that replaced it, then the node that replaced that one, and so on."""
    stand_for: list[str]
    """The nodes that it replaced."""
    recorded: NotRequired[TraceRecorded]
    """Where the log has what no call was sent, such as thinking that is not sent again."""
    refer: list[TraceRefer]
    """Nodes of the newest state that refer to it."""


StatsRowTokens = TypedDict(
    "StatsRowTokens",
    {
        "in": "int",
        "out": "int",
        "cached": "int",
        "label": "Literal['exact', 'at-least', 'counted', 'estimated', 'unknown']",
        "out_label": "Literal['exact', 'at-least', 'counted', 'estimated', 'unknown']",
        "session": "NotRequired[int]",
        "rest": "NotRequired[int]",
    },
)
"""An object of the protocol."""


class StatsRowTool(TypedDict):
    """An object of the protocol."""

    name: str
    calls: int
    errors: int
    """The number of results that are errors: is_error is true, or the text begins with Error or Traceback."""


class StatsRowEvent(TypedDict):
    """An object of the protocol."""

    kind: str
    events: int


class StatsRowLeft(TypedDict):
    """An object of the protocol."""

    cause: str
    nodes: int


class StatsRowCache(TypedDict):
    """An object of the protocol."""

    breaks: int
    """The number of calls that did not begin with all of the previous call."""
    resent: int
    """The number of tokens after the breaks that the previous call also had."""
    misses: NotRequired[int]
    """The number of calls that did not read from the cache what it had."""
    missed: NotRequired[int]
    """The tokens that they did not read."""
    written: NotRequired[int]
    """The tokens written to the cache, according to the log."""
    rewritten: NotRequired[int]
    """Of those, the tokens that had been written before."""


StatsRowCost = TypedDict(
    "StatsRowCost",
    {
        "total": "NotRequired[float]",
        "input": "NotRequired[float]",
        "cache_read": "NotRequired[float]",
        "cache_write": "NotRequired[float]",
        "output": "NotRequired[float]",
        "thoughts": "NotRequired[float]",
        "break": "NotRequired[float]",
        "miss": "NotRequired[float]",
        "label": "Literal['exact', 'at-least', 'counted', 'estimated', 'unknown']",
        "from": "list[str]",
        "unknown": "NotRequired[list[str]]",
    },
)
"""What the calls cost, as far as prices are known; missing with --no-tokens."""


StatsRowWindow = TypedDict(
    "StatsRowWindow",
    {
        "cycle": "int",
        "in": "int",
        "tokens": "int",
        "label": "Literal['exact', 'at-least', 'counted', 'estimated', 'unknown']",
    },
)
"""The call that took most of the window of its model; missing if no window is known."""


class StatsRowCompactionLeft(TypedDict):
    """An object of the protocol."""

    what: str
    """As the shares of a call name it."""
    name: NotRequired[str]
    """The name of the tool."""
    nodes: int


class StatsRowCompactionAgain(TypedDict):
    """An object of the protocol."""

    cycle: int
    id: str
    """Of the call."""
    of: str
    """Of the call that left."""
    tool: str
    same: Literal['arguments', 'file']
    file: NotRequired[str]
    tokens: int
    """Of the result; 0 if unknown."""
    cost: NotRequired[float]
    """Of the result, as it was sent the first time."""


class StatsRowCompaction(TypedDict):
    """An object of the protocol."""

    cycle: int
    """The cycle of the state after it, or of the first call that lacks what left."""
    trigger: NotRequired[str]
    inferred: NotRequired[Literal[True]]
    """The log does not state it."""
    before: int
    """The tokens before it: as the log states them, else of the call before it and its answer; 0 if unknown."""
    after: int
    """The tokens after it: as the log states them, else of the call after it; 0 if unknown."""
    window: NotRequired[CallLineWindow]
    free: NotRequired[int]
    """The tokens of the window that were free before it."""
    by: NotRequired[str]
    """The node that stands for what left."""
    left: list[StatsRowCompactionLeft]
    """What left, the most nodes first."""
    again: list[StatsRowCompactionAgain]
    """The calls of tools that fetched again what left."""


class StatsRow(TypedDict):
    """An object of the protocol."""

    file: NotRequired[str]
    session: NotRequired[str]
    """The name of the session if the file has several."""
    sessions: NotRequired[int]
    models: list[str]
    """The models, sorted by name."""
    calls: int
    """The number of model calls of the conversation."""
    side_calls: int
    """The number of side calls, such as those of a summarizer."""
    turns: int
    nodes: int
    """The number of blocks that were ever in the context."""
    recorded: int
    """The calls, also side calls, whose requests the logs have as they were sent; the others are inferred."""
    missing: NotRequired[list[str]]
    """What of the requests the logs do not record, sorted."""
    failed: NotRequired[int]
    """The calls without an answer, whose tokens are not summed."""
    from_cache: NotRequired[int]
    """The calls that a cache of the client or a proxy answered instead of the provider, whose tokens are not summed."""
    tokens: StatsRowTokens
    tools: list[StatsRowTool]
    """The tools, sorted by name."""
    events: NotRequired[list[StatsRowEvent]]
    """The events that the source states, such as compactions, sorted by kind; missing if there are none."""
    left: list[StatsRowLeft]
    """The nodes that left, sorted by cause."""
    cache: StatsRowCache
    cost: NotRequired[StatsRowCost]
    """What the calls cost, as far as prices are known; missing with --no-tokens."""
    window: NotRequired[StatsRowWindow]
    """The call that took most of the window of its model; missing if no window is known."""
    compactions: NotRequired[list[StatsRowCompaction]]
    """The compactions of a session, in their order."""
    shares: NotRequired[list[CallLineTokensShare]]
    """With --shares: what all calls together were sent."""


class TestReportSuiteCaseFailureEvidence(TypedDict):
    """An object of the protocol."""

    cycle: int
    """The cycle of the call: @cN."""
    source: None | CallLineSource1
    """Where the call is recorded."""
    event: Literal['left', 'changed', 'broke', 'sent', 'called', 'stated']
    """left, changed: a node left or changed; broke: the cache broke; sent: tokens were sent; called: the last of too many or too few calls; stated: the source states an event."""
    node: NotRequired[str]
    """The node that left or changed, or at which the cache broke."""
    cause: NotRequired[str]
    """Why the node left or changed; for a break, what happened there; of stated, the kind of event."""
    by: NotRequired[str]
    """The node that replaced it; for a break, the setting of the request."""
    inferred: NotRequired[Literal[True]]
    """The cause is inferred, not recorded."""
    rule: NotRequired[str]
    trigger: NotRequired[Literal['budget', 'limit', 'overflow']]
    saved: NotRequired[int]
    tokens: NotRequired[int]
    """The tokens that were sent; for a break, sent again."""
    label: NotRequired[Literal['exact', 'at-least', 'counted', 'estimated', 'unknown']]


class TestReportSuiteCaseFailure(TypedDict):
    """An object of the protocol."""

    expected: str
    """The expectation as an archive writes it, without the arrow."""
    line: int
    """The line of the expectation in the suite."""
    message: str
    evidence: list[TestReportSuiteCaseFailureEvidence]
    """What happened at which call, in the order of the calls."""
    more: NotRequired[int]
    """The number of pieces of evidence that are omitted."""


class TestReportSuiteCase(TypedDict):
    """An object of the protocol."""

    name: str
    line: int
    """The line of the selector, or of the first expectation."""
    selector: str
    """The selector; empty if the expectations are about whole calls."""
    status: Literal['passed', 'failed', 'updated', 'error']
    """error means that the case could not be run."""
    expected: list[str]
    selected: list[str]
    details: NotRequired[list[str]]
    """The lines of the text report about a case that does not pass."""
    failures: NotRequired[list[TestReportSuiteCaseFailure]]
    """The expectations about model calls that failed."""


class TestReportSuite(TypedDict):
    """An object of the protocol."""

    file: str
    title: NotRequired[str]
    """The first line of the description."""
    problem: NotRequired[str]
    """Why the suite was not run."""
    cases: list[TestReportSuiteCase]


class TestReportExit(TypedDict):
    """How a pactkit verb exited"""

    code: Literal[0, 1, 2, 130]
    """0: no findings, or done; 1: findings; 2: the job could not be done; 130: interrupted."""
    reasons: list[str]
    """The reasons for the code, in the order in which they occurred; empty for 0."""


class TestReport(TypedDict):
    """pactkit test --output-format json"""

    suites: list[TestReportSuite]
    """The suites in the order of their names."""
    counts: dict[str, int]
    """The number of cases by status."""
    exit: TestReportExit
