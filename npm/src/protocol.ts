// The lines of pactkit worker, as docs/schemas/worker.json describes them.

import type { ErrorInfo, Position } from "./errors.js";
import type { SuiteReport } from "./report.js";
import type { Draft, Operation, OperationResult } from "./schema.js";

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** The edition of the specification in which selectors are read. */
export type Edition = "1.0" | "0.1";

/** The members of a node except its children. */
export interface NodeMembers {
  readonly id: string;
  readonly nodeType: string;
  readonly [member: string]: Json;
}

/** A request. Exactly one of `log`, `history`, `path` and `context` must be there, and one of `selectors`, `calls`, `suite`, `files` and `do`. */
export interface WorkerRequest {
  /** The answer repeats it. */
  id?: Json;
  /** A log: the text of a file, or the document itself. */
  log?: unknown;
  /** A history: the text of a journal or a document, or the document itself. */
  history?: unknown;
  /** A file, a folder, `FILE#NAME`, or the address of a store. */
  path?: string;
  /** The name of an open context. */
  context?: string;
  /** Operations on the context. */
  do?: readonly Operation[];
  /** After a question for a summary: the summary, or `null` and an error. */
  summary?: Draft | null;
  error?: string;
  /** The name of the log in notes and errors. */
  name?: string;
  /** The format of the log; it is recognized by default. */
  from?: string;
  /** The path of the member of the log with the messages. */
  messages?: string;
  /** Whether to return just the files that the path names. */
  files?: boolean;
  /** Whether to return how many nodes each step of each selector leaves. */
  trace?: boolean;
  selectors?: readonly string[] | Readonly<Record<string, string>>;
  want?: "ids" | "nodes";
  calls?: boolean;
  /** With calls, whether each has its shares: what filled it. */
  shares?: boolean;
  /** The text of a test suite. */
  suite?: string;
  edition?: Edition;
  /** Options for the results of ranges, as in a line of `pactkit eval --batch`. */
  options?: Readonly<Record<string, unknown>>;
  timeout_ms?: number;
}

/** What in a log does not fit into a tree, or is malformed. */
export interface Note extends Position {
  kind: string;
  message: string;
  code?: string;
  node?: string;
  file?: string;
}

/** The answer to one selector: one of `ids`, `nodes`, `range`, `latest` and `error`. */
export interface Selected {
  ids?: string[];
  nodes?: NodeMembers[];
  /** As `pactkit eval --json` prints it. */
  range?: Changes;
  latest?: { snapshot: string; node: NodeMembers }[];
  warnings?: string[];
  /** The unknown words of the selector that were probably misspelled. */
  misspelled?: { word: string; near: string; range: [number, number] }[];
  /** For `trace`. */
  steps?: Step[];
  error?: ErrorInfo;
}

/** A step of a selector, such as `.block+tool`, and what it leaves. */
export interface Step {
  /** The step as it is written. */
  step: string;
  /** How many nodes are left after it; missing if an earlier side of `??` has found something. */
  count?: number;
  /** Which member of a union with commas it belongs to, from 0, which is left out. */
  fragment?: number;
  /** Which side of `??` it belongs to, from 0, which is left out. */
  side?: number;
  /** The first step of its side that leaves nothing. */
  empty?: true;
}

/** A snapshot of a history. */
export interface Snapshot {
  kind: "t" | "c";
  value: number;
  /** Such as `@t-2` or `@c3`. */
  label: string;
  cycle: number;
}

/** Members of a node that differ, by name: the older value and the newer one. */
export type Pairs = Record<string, { from: Json; to: Json }>;

/** How the result of a selector changes from snapshot to snapshot, as `pactkit eval --json` prints it. */
export interface Changes {
  query: string;
  /** The snapshots, newest first. */
  snapshots: Snapshot[];
  diffs: {
    /** The newer snapshot. */
    from: Snapshot;
    /** The older snapshot. */
    to: Snapshot;
    added_ids: string[];
    removed_ids: string[];
    changed: { id: string; fields: string[]; delta?: Pairs; content_diff?: Json; materialized?: Pairs }[];
    stats: { added: number; removed: number; changed: number };
  }[];
  mode: "pairwise" | "reduce";
  limits?: { maxSnapshots?: number; maxChangesPerSnapshot?: number; truncated?: boolean };
  warnings?: string[];
}

/** A node that a model call no longer shows, or shows in another form. */
export interface Departure {
  id: string;
  /** Such as `compacted`, `cleared`, `trimmed`, `edited`, `expired`, `pruned` or `unknown`. */
  cause: string;
  /** The node that replaced it, or whose content is shown. */
  by?: string;
  /** The cause is inferred, not recorded in the log. */
  inferred?: true;
  /** The step or limit of a policy. */
  rule?: string;
  /** Why the policy ran: `budget`, `limit` or `overflow`. */
  trigger?: string;
  /** The tokens that this saved. */
  saved?: number;
}

/** How good a count is, from the best to the worst. */
export type Grade = "exact" | "at-least" | "counted" | "estimated" | "unknown";

/** A model call, as `pactkit log --json` prints it; docs/schemas/log.json describes every member. */
export interface Call {
  history: string;
  /** The cycle of the snapshot that shows what was sent: `@cN`. */
  cycle: number;
  /** Set for a side call, such as that of a summarizer. */
  side: { of: number; kind: string } | null;
  /** The time in RFC 3339; empty if the log has none. */
  time: string;
  /** The model; empty if the log does not name it. */
  model: string;
  /** Where the call is recorded. */
  source: { file: string; sample: string; call: number; line?: number } | null;
  /** Missing if it is not known. */
  window?: Window;
  /** The number of messages that the call was sent. */
  messages: number;
  /** The log has the request as it was sent; otherwise it is inferred from what else the log has. */
  recorded?: true;
  /** What of the request the log does not record, such as `system prompt` and `tools`. */
  missing?: string[];
  /** Why the provider did not answer. */
  failed?: string;
  /** The answer came from a cache of the client or a proxy; the provider was not asked. */
  from_cache?: true;
  tokens: {
    in: number;
    out: number | null;
    cached: number | null;
    written: number | null;
    /** The grade of `in`. */
    label: Grade;
    /** The grade of `out`. */
    out_label: Grade;
    /** The part of `written` that the provider keeps for an hour, if the log counts it. */
    written_1h?: number;
    /** The part of `out` that the model thought, if the log counts it. */
    thoughts?: number;
    /** What the provider counted in addition to the texts in the log. */
    rest?: number;
    /** How many tokens fewer than expected the provider counted. */
    fewer?: number;
    /** The inputs of the requests that the provider made for this call, if it made several. */
    iterations?: number[];
    /** The input of all calls up to this one, as the log itself sums it. */
    session?: number;
    /** The images, sounds and files that entered since the last exact count, which `in` leaves out. */
    media?: number;
    counted?: { in: number; label: "exact" | "estimated"; encoding: string; media?: number };
  };
  /** The ids of nodes that the previous line of the log did not have. */
  added: string[];
  /** Nodes of the previous line that this call does not have. */
  left: Departure[];
  /** Nodes of the answer to the previous call that this one was not sent. */
  unsent?: Departure[];
  /** Nodes whose content differs from the previous line. */
  changed: Departure[];
  /** The names of members of the request whose values changed, such as `tools`. */
  settings?: string[];
  /** A comparison with the previous call, in tokens. */
  cache: {
    before: number;
    same: number;
    broken: { by: "node" | "system" | "tools" | "parameters"; node?: string; setting?: string; event: string; resent: number } | null;
    read: number | null;
    /** What the cache had according to the previous calls, and was not read from it. */
    miss?: { tokens: number; why: "idle" | "model" | "unknown"; idle?: number; lifetime?: number; cost?: number };
    /** At the prices of a dated table, in US dollars. */
    cost?: {
      total: number;
      input: number;
      cache_read: number;
      cache_write: number;
      output: number;
      thoughts?: number;
      break: number;
      label: Grade;
      from: string;
    };
    /** Why the cost is not known. */
    no_cost?: "unknown model" | "unknown tokens";
  };
  /** What the source states to have happened since the previous call; `cycle` is that of the state after it. */
  events?: { cycle: number; kind: string; cause?: string }[];
}

/** How many tokens the model can take. */
export interface Window {
  tokens: number;
  /** `configuration`, `log`, `request`, or the table of models with its date. */
  from: string;
}

/** A state between calls: what the next call would have been sent. */
export interface State {
  history: string;
  /** The cycle of the snapshot: `@cN`. */
  cycle: number;
  /** `answer`, or what the source states: `compaction`, `clear`, `rewind`, `rollback`, `edit` or `interrupt`. */
  event: { kind: string; trigger?: string; before?: number; after?: number; full?: number };
  window?: Window;
  messages: number;
  added: string[];
  left: Departure[];
  changed: Departure[];
}

/** The answers for one history of a source. */
export interface HistoryAnswer {
  name: string;
  /** The file of the history, for requests with a path. */
  path?: string;
  /** The answers, in a list or an object like the selectors of the request. */
  answers?: Selected[] | Record<string, Selected>;
  /** The calls, and the states between them. */
  calls?: (Call | State)[];
  test?: SuiteReport;
  /** Why there is no answer for this history, or for this one of several files. */
  error?: ErrorInfo;
}

/** An answer. It has an `error` instead of `histories` if the request cannot be answered. */
export interface WorkerAnswer {
  id: Json;
  histories?: HistoryAnswer[];
  /** The files that the path names, for a request for files. */
  files?: { path: string; error?: ErrorInfo }[];
  notes?: Note[];
  more_notes?: number;
  error?: ErrorInfo;
  /** The results of the operations on a context. With an error, those of the operations before the one that failed. */
  done?: OperationResult[];
  /** A question for a summary, which the next line must answer. */
  summarise?: { nodes: NodeMembers[] };
}
