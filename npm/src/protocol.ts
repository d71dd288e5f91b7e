// The lines of pactkit worker, as docs/schemas/worker.json describes them.

import type { ErrorInfo, Position } from "./errors.js";
import type { SuiteReport } from "./report.js";

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** The edition of the specification that selectors are read in. */
export type Edition = "1.0" | "0.1";

/** The members of a node but its children. */
export interface NodeMembers {
  readonly id: string;
  readonly nodeType: string;
  readonly [member: string]: Json;
}

/** A request. Exactly one of `log`, `history` and `path` must be there, and one of `selectors`, `calls` and `suite`. */
export interface WorkerRequest {
  /** The answer repeats it. */
  id?: Json;
  /** A log: the text of a file, or the document itself. */
  log?: unknown;
  /** A history: the text of a journal or a document, or the document itself. */
  history?: unknown;
  /** A file, a folder, `FILE#NAME`, or the address of a store. */
  path?: string;
  /** How notes and errors call the log. */
  name?: string;
  /** The format of the log; it is recognized by default. */
  from?: string;
  /** The path of the member of the log that holds the messages. */
  messages?: string;
  selectors?: readonly string[] | Readonly<Record<string, string>>;
  want?: "ids" | "nodes";
  calls?: boolean;
  /** The text of a test suite. */
  suite?: string;
  edition?: Edition;
  /** How ranges are answered, as in a line of `pactkit eval --batch`. */
  options?: Readonly<Record<string, unknown>>;
  timeout_ms?: number;
}

/** What of a log does not fit into a tree, or is broken. */
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
  error?: ErrorInfo;
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

/** How what a selector selects changes from snapshot to snapshot, as `pactkit eval --json` prints it. */
export interface Changes {
  query: string;
  /** Newest first. */
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

/** A node that a model call no longer shows. */
export interface Departure {
  id: string;
  /** Such as `compacted`, `cleared`, `trimmed`, `edited`, `expired`, `pruned` or `unknown`. */
  cause: string;
  /** The node that stands for it. */
  by?: string;
  /** The log does not say so. */
  inferred?: true;
}

/** A model call, as `pactkit log --json` prints it; docs/schemas/log.json describes every member. */
export interface Call {
  history: string;
  /** Of the snapshot that shows what was sent: `@cN`. */
  cycle: number;
  /** Of a call beside the conversation, such as a summarizer's. */
  side: { of: number; kind: string } | null;
  /** RFC 3339; empty if the log has no time. */
  time: string;
  /** Empty if the log has no model. */
  model: string;
  /** Where the call is recorded. */
  source: { file: string; sample: string; call: number; line?: number } | null;
  /** How many it was sent. */
  messages: number;
  tokens: {
    in: number;
    out: number | null;
    cached: number | null;
    written: number | null;
    label: "exact" | "estimate";
    counted: { in: number; out: number | null; label: "exact" | "estimate"; encoding: string };
    scale: number;
  };
  /** Ids of nodes that the call before did not have. */
  added: string[];
  /** Nodes that the call before had. */
  left: Departure[];
  /** Answers to the call before that this one does not show. */
  unsent?: Departure[];
  /** Nodes that say something else than in the call before. */
  changed: { id: string; cause: string; inferred?: true }[];
  /** Names of members of the request that have another value, such as `tools`. */
  settings?: string[];
  /** Compared with the call before; in tokens. */
  cache: {
    before: number;
    same: number;
    broken: { by: "node" | "system" | "tools" | "parameters"; node?: string; setting?: string; event: string; resent: number } | null;
    read: number | null;
    cost?: { total: number; break: number; label: "exact" | "estimate" };
  };
}

/** What is answered about one history of a source. */
export interface HistoryAnswer {
  name: string;
  /** The file it was found in, of requests with a path. */
  path?: string;
  /** A list or an object, as the selectors of the request are. */
  answers?: Selected[] | Record<string, Selected>;
  calls?: Call[];
  test?: SuiteReport;
  /** Why this history, or this file of several, has no answer. */
  error?: ErrorInfo;
}

/** An answer. It has an `error` instead of `histories` if the request cannot be answered. */
export interface WorkerAnswer {
  id: Json;
  histories?: HistoryAnswer[];
  notes?: Note[];
  more_notes?: number;
  error?: ErrorInfo;
}
