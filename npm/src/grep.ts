// Search in many sessions.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { binary } from "./binary.js";
import { BinaryNotFound, PactkitError } from "./errors.js";
import { textOf } from "./history.js";
import { Lines } from "./lines.js";
import type { Json } from "./protocol.js";

/** A node that {@link grep} found. */
export interface Match {
  /** The file, as it was named, or as it was found below a folder. */
  readonly path: string;
  /** The name of the history in its file; empty if the file has only one. */
  readonly history: string;
  /** The call whose snapshot shows the node. */
  readonly cycle: number;
  readonly id: string;
  readonly type: string;
  readonly role?: string;
  readonly kind?: string;
  readonly content?: Json;
  /** The content as text. */
  readonly text: string;
  /** With `ever`: the call of the first snapshot that has the node. */
  readonly first?: number;
  /** With `ever`: the call of the last snapshot that has the node. */
  readonly last?: number;
  /** For a range of time: what happened to the node. */
  readonly change?: "added" | "removed" | "changed";
}

/** How {@link grep} searches. */
export interface GrepOptions {
  /** The format of logs; it is recognized by default. */
  source?: string;
  /** The path of the member of logs with the messages. */
  messages?: string;
  /** Search each node that was ever in a session. */
  ever?: boolean;
  /** `"ignore"` skips files that cannot be read; `"throw"`, the default, throws after the last match. */
  errors?: "throw" | "ignore";
}

/**
 * Yields the nodes that a selector selects in files, folders and stores, in order, as `pactkit grep` finds them. It uses
 * all processors. Without a path, it searches the working directory.
 *
 * @throws {@link PactkitError} if the selector is wrong or, in the end, if files could not be read
 */
export async function* grep(
  selector: string,
  paths: string | URL | readonly (string | URL)[] = [],
  options: GrepOptions = {},
): AsyncGenerator<Match, void, undefined> {
  const args = ["grep", "--json", "--quiet"];
  if (options.source !== undefined) args.push(`--from=${options.source}`);
  if (options.messages !== undefined) args.push(`--messages=${options.messages}`);
  if (options.ever) args.push("--ever");
  const named = typeof paths === "string" || paths instanceof URL ? [paths] : paths;
  args.push("--", selector, ...named.map((path) => (typeof path === "string" ? path : fileURLToPath(path))));
  const program = binary();
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-10_000)));
  const ended = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  ended.catch(() => undefined); // seen below
  let found = false;
  try {
    const lines = new Lines();
    for await (const chunk of child.stdout) {
      for (const line of lines.push(chunk as Buffer)) {
        found = true;
        yield matchOf(line.toString());
      }
    }
    const [code, signal] = await ended.catch((error: Error) => {
      throw new BinaryNotFound(`cannot start ${program}: ${error.message}`, "E_NO_BINARY");
    });
    if (code !== 0 && code !== 1 && (options.errors !== "ignore" || !found)) {
      throw new PactkitError(said.trim() || `pactkit grep ended with ${signal ?? `exit code ${code}`}`);
    }
  } finally {
    child.kill("SIGKILL");
  }
}

function matchOf(line: string): Match {
  const { file, session, ...rest } = JSON.parse(line) as Omit<Match, "path" | "history" | "text"> & { file: string; session?: string };
  return { path: file, history: session ?? "", text: textOf(rest.content), ...rest };
}
