// Written by tools/types.mjs from docs/schemas. Do not edit.

import type { NodeMembers, Note } from "./protocol.js";

/** A policy, as docs/reference/policy.md describes it. */
export interface Policy {
  /** How many tokens fit: a number, or the name of a model. */
  window?: number | string;
  /** Tokens of the window that are kept free for the answer. */
  reserve?: number;
  /** How many nodes a snapshot may have; 0 for any number. */
  nodes?: number;
  /** Selectors of nodes that the policy leaves alone. */
  "keep-first"?: readonly string[];
  /** How many of the newest turns the policy leaves alone. */
  "keep-last"?: number;
  /** Change nothing to save fewer tokens than this. */
  "min-gain"?: number;
  /** The steps, in this order, until the budget is met. */
  step?: readonly PolicyStep[];
}

/** A step of a policy, which has one of `truncate`, `clear`, `dedupe`, `summarise` and `drop`. */
export interface PolicyStep {
  /** A selector. Texts of more than over tokens are cut to at most to. */
  truncate?: string;
  /** A selector. The text with is shown in place of the content. */
  clear?: string;
  /** A selector. The text with is shown in place of what a later node repeats. */
  dedupe?: string;
  /** A selector. The program writes a summary of the nodes. */
  summarise?: string;
  /** A selector. Nodes are removed. */
  drop?: string;
  over?: number;
  to?: number;
  /** A selector of nodes that the step leaves alone. */
  except?: string;
  /** {name}, {tokens}, {id} and {kind} are replaced. */
  with?: string;
}

/** A change of a context, as docs/reference/worker.md describes it. */
export type Operation = {
  /** memory:, file:DIR#NAME or postgres://…#NAME. */
  open: string;
  policy?: Policy;
  /** The edition of a new history. */
  edition?: "1.0" | "0.1";
  /** The time at which the first node is made; by default that of the machine. */
  clock?: string;
  /** Ids are drawn at random from it; by default they are numbered. */
  seed?: number;
  /** Whether ^sys can be changed. */
  system?: boolean;
  /** Whether the caller writes the summaries that a policy asks for. */
  summarise?: boolean;
  /** Whether the history must exist already, or must not. */
  must?: "exist" | "begin";
} | {
  /** An insertion position. */
  insert: string;
  node: Draft;
} | {
  replace: string;
  node: Draft;
} | {
  move: string;
  /** An insertion position. */
  to: string;
} | {
  delete: string;
} | {
  /** An insertion position. */
  attach: string;
  /** The id of another history of the store; for a context in memory, the name of another one. */
  history: string;
  /** A selector of exactly one node of that history. */
  of: string;
  /** The address of a snapshot of that history; by default the attachment is live. */
  at?: string;
  node?: Draft;
} | {
  refresh: true;
} | {
  commit: true | number;
} | {
  step: true | number;
} | {
  /** The key of a cadence. */
  stop: string;
} | {
  /** The id of a node. */
  hold: string;
} | {
  /** The id of a node. */
  release: string;
} | {
  pin: string;
} | {
  unpin: string;
} | {
  seal: true;
} | {
  checkpoint: true;
} | {
  describe: CommitInfo;
} | {
  /** Messages of a provider. */
  add: readonly unknown[];
  from: Format;
} | {
  render: Format;
  /** The address of a snapshot, such as @t-1; by default the working state. */
  at?: string;
  /** Whether to end the cycle first, for a call that answer will complete. */
  fit?: boolean;
} | {
  /** Ends the cycle for a call that complete will describe. */
  prepare: true;
} | {
  complete: CallInfo;
} | {
  /** The response of a provider. */
  answer: unknown;
  from?: Format;
} | {
  policy: Policy | null;
} | {
  /** The number of tokens to save. */
  shrink: number;
} | {
  fork: string;
  /** The name of the fork in the store. */
  to?: string;
  /** The last snapshot that both have, such as @c3; by default the newest. */
  at?: string;
} | {
  /** The snapshot to go on from, such as @c3. */
  rewind: string;
  /** The name under which what was there is kept: of a history in the store, or of a context. */
  keep?: string;
} | {
  /** A selector without a time. */
  watch: string;
  /** The name of the watch; by default the selector. */
  as?: string;
  /** Whether to watch the history in the store, with the commits of other writers. */
  stored?: boolean;
} | {
  /** The name of a watch. */
  unwatch: string;
} | {
  reload: true;
} | {
  close: true;
};

/** A node to make, written like a node of a snapshot. */
export interface Draft {
  id?: string;
  nodeType?: string;
  key?: string;
  kind?: string;
  role?: string;
  tag?: string | readonly string[];
  offset?: number;
  /** The lifetime in cycles. */
  ttl?: number | null;
  /** The cadence in cycles. */
  cad?: number | null;
  priority?: number;
  /** Any value. */
  content?: unknown;
  removable?: boolean;
  pinned?: boolean;
  refs?: string | readonly string[];
  /** Any value. */
  provenance?: unknown;
  children?: readonly Draft[];
  [member: string]: unknown;
}

/** What is known about a commit. */
export interface CommitInfo {
  call?: CallInfo;
  side?: {
    kind: string;
    of: number;
  };
  event?: {
    /** Tokens after it, as the source states them. */
    after?: number;
    /** Tokens before it. */
    before?: number;
    /** answer, compaction, clear, rewind, rollback, edit or interrupt. */
    kind: string;
    /** As in the source, such as auto or manual. */
    trigger?: string;
  };
  causes?: Readonly<Record<string, {
    by?: string;
    cause: string;
    inferred?: true;
    /** The step or limit of a policy. */
    rule?: string;
    /** Tokens that are no longer rendered of the node. */
    saved?: number;
    /** Why the policy ran: budget, overflow or limit. */
    trigger?: string;
  }>>;
}

/** The model call of the commit. In a delta, members are omitted that equal those of the previous commit's call. */
export interface CallInfo {
  file?: string;
  /** The line in the log; 0 if the previous call has a line and this one does not. */
  line?: number;
  model?: string;
  /** The number of the model call in its sample, or in a log without samples, from 0. */
  number?: number;
  /** The sample, in a log with several. */
  sample?: string;
  /** The call that started this history. */
  by?: {
    call?: string;
    cycle: number;
    history: string;
  };
  /** The histories that its answer started, with the ids of the tool calls that did. */
  starts?: readonly ({
    call?: string;
    history: string;
  })[];
  /** Why the provider did not answer. */
  failed?: string;
  /** The answer came from a cache of the client or a proxy; the provider was not asked. */
  from_cache?: true;
  /** What of the request the log does not record; omitted if it is as in the previous call. */
  missing?: readonly string[];
  /** The log has the request as it was sent; omitted if it is as in the previous call. */
  recorded?: boolean;
  time?: string;
  usage?: {
    cache_read?: number;
    cache_unknown?: true;
    cache_write?: number;
    cache_write_1h?: number;
    input?: number;
    iterations?: readonly number[];
    output?: number;
    session?: number;
    thoughts?: number;
  };
  /** How many tokens the model can take, as the log says; omitted if it is as in the previous call. */
  window?: number;
}

/** A format of messages. */
export type Format = "pact" | "openai" | "openai-responses" | "anthropic" | "gemini" | "flat" | "sharegpt" | "claude-code" | "langchain" | "pydantic-ai" | "ai-sdk" | "ai-sdk-ui";

/** The result of an operation; which members it has depends on the operation. */
export interface OperationResult {
  state?: ContextState;
  node?: NodeMembers | null;
  nodes?: readonly NodeMembers[];
  commit?: Commit;
  /** The messages, as the provider takes them. */
  thread?: unknown;
  notes?: readonly Note[];
  /** The number of further notes. */
  more_notes?: number;
  usage?: Usage;
  /** The name under which a rewind keeps what was there. */
  keep?: string;
  watched?: {
    /** Set for the first result of a watch: added has everything that is selected. */
    first?: true;
    /** The cycle of the newest snapshot; null if there is none. */
    cycle: number | null;
    added: readonly NodeMembers[];
    /** The nodes as they were. */
    removed: readonly NodeMembers[];
    changed: readonly ({
      id: string;
      /** What has changed. */
      fields: readonly string[];
      node: NodeMembers;
    })[];
  };
  /** A sentence each, with the code in brackets. */
  warnings?: readonly string[];
}

/** Where a context is. */
export interface ContextState {
  /** The cycle in progress. */
  cycle: number;
  /** The cycle of the newest snapshot; null if there is none. */
  newest: number | null;
  edition: "1.0" | "0.1";
}

/** What a commit did. */
export interface Commit {
  /** The cycle of the snapshot. */
  cycle: number;
  /** Why nodes left. */
  left: readonly Cause[];
  /** Why nodes changed, or are shown otherwise. */
  changed: readonly Cause[];
  policy?: PolicyRun;
}

/** Why a node left or changed. */
export interface Cause {
  id: string;
  cause: string;
  /** The node that replaces it. */
  by?: string;
  inferred?: true;
  /** The step or limit of the policy. */
  rule?: string;
  /** Why the policy ran. */
  trigger?: string;
  /** Tokens that are no longer rendered. */
  saved?: number;
}

/** What the steps of a policy did, in tokens. */
export interface PolicyRun {
  after: number;
  before: number;
  budget?: number;
  /** The rules of the summaries that failed, each with the reason. */
  failed?: readonly string[];
  trigger: "budget" | "overflow";
}

export interface Usage {
  cache_read?: number;
  cache_unknown?: true;
  cache_write?: number;
  cache_write_1h?: number;
  input?: number;
  iterations?: readonly number[];
  output?: number;
  session?: number;
  thoughts?: number;
}

/** What others have committed. */
export interface Changed {
  /** The cycle of the newest snapshot. */
  newest: number;
  added: readonly string[];
  removed: readonly string[];
  changed: readonly ({
    id: string;
    fields: readonly string[];
  })[];
}

/** How two states differ, as `pactkit diff` prints it. */
export interface Diff {
  /** Ids of the added nodes, in document order of the second state. */
  added: readonly string[];
  /** Ids of the removed nodes, in document order of the first state. */
  removed: readonly string[];
  changed: readonly ({
    id: string;
    /** The members that differ, sorted; content is reported as content_hash. */
    fields: readonly string[];
  })[];
  children_added?: readonly ({
    parent: string;
    children: readonly string[];
  })[];
  children_removed?: readonly ({
    parent: string;
    children: readonly string[];
  })[];
  parent_changed?: readonly ({
    id: string;
    previous_parent_id: string | null;
    new_parent_id: string | null;
  })[];
  offset_changed?: readonly ({
    id: string;
    previous_offset: number;
    new_offset: number;
  })[];
  /** Removed nodes, each paired with an added node of the same content. */
  moved?: readonly ({
    removed: string;
    added: string;
  })[];
}

/** The life of a node, as `pactkit trace` prints it. */
export interface Trace {
  history: string;
  id: string;
  /** The type of the node; missing for a node that was never sent, like the next three members. */
  type?: string;
  role?: string;
  kind?: string;
  /** The name of the tool. */
  name?: string;
  /** The content in the latest state: a text, or JSON. */
  content: string;
  /** The cycle of the call whose answer the node is; 0 if there is none. */
  answer_to: number;
  /** The cycle of the first state between calls that has it, if no call was sent it after that. */
  state?: number;
  events: readonly ({
    cycle: number;
    source: null | {
      file: string;
      /** The sample, in a log with several; otherwise empty. */
      sample: string;
      /** The number of the model call in the sample, or in the log, from 0. */
      call: number;
      /** The line of the log, from 1. */
      line?: number;
    };
    what: "entered" | "changed" | "left" | "returned" | "answered" | "recorded";
    cause?: string;
    by?: string;
    inferred?: true;
    rule?: string;
    trigger?: "budget" | "limit" | "overflow";
    saved?: number;
  })[];
  /** Runs of consecutive calls that were sent the node. */
  seen: readonly ({
    from: number;
    to: number;
    calls: number;
  })[];
  now: "present" | "gone" | "never sent";
  /** The node that replaced it, then the node that replaced that one, and so on. */
  stand: readonly string[];
  /** The nodes that it replaced. */
  stand_for: readonly string[];
  /** Where the log has what no call was sent, such as thinking that is not sent again. */
  recorded?: {
    file: string;
    line?: number;
    /** The node that follows it. */
    before?: string;
  };
  /** Nodes of the newest state that refer to it. */
  refer: readonly ({
    id: string;
    how: string;
  })[];
}

/** What a rule finds, as `pactkit lint` prints it. */
export interface Finding {
  /** The path of the file, relative to the working directory, with slashes. */
  path: string;
  /** The id of the rule. */
  rule: string;
  /** The code of the language, if the finding has one. */
  code?: string;
  level: "error" | "warning" | "info";
  message: string;
  hint?: string;
  range: {
    start: {
      line: number;
      /** The column in characters. */
      column: number;
      /** The offset in bytes from the start of the file. */
      offset: number;
    };
    end: {
      line: number;
      /** The column in characters. */
      column: number;
      /** The offset in bytes from the start of the file. */
      offset: number;
    };
  };
  /** The canonical form of the selector that the finding is about, or its source text if it has an error. */
  selector?: string;
  /** Alternative fixes, best first. All edits of a fix are applied together. */
  fixes: readonly ({
    title: string;
    /** Whether the fix is certain not to change what is selected. */
    safe: boolean;
    edits: readonly ({
      range: {
        start: {
          line: number;
          /** The column in characters. */
          column: number;
          /** The offset in bytes from the start of the file. */
          offset: number;
        };
        end: {
          line: number;
          /** The column in characters. */
          column: number;
          /** The offset in bytes from the start of the file. */
          offset: number;
        };
      };
      text: string;
    })[];
  })[];
  /** Identifies the finding; it does not change when other lines change. */
  fingerprint: string;
  /** The reason given in the comment that suppresses the finding. */
  silenced?: string;
}
