// Search in many sessions.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { binary } from "./binary.js";
import { BinaryNotFound, checkErrors, PactkitError, treat } from "./errors.js";
import { textOf, warnOf } from "./history.js";
import { Lines } from "./lines.js";
import type { Json, Selected } from "./protocol.js";
import { sharedWorker } from "./worker.js";

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
  /** `"ignore"` and `"warn"` skip files that cannot be read; `"throw"`, the default, throws after the last match. */
  errors?: "throw" | "warn" | "ignore";
}

/**
 * Yields the nodes that a selector selects in files, folders and stores, in order, as `pactkit grep` finds them. It uses
 * all processors. Without a path, it searches the working directory. If nothing is found, a word of the selector that is
 * probably misspelled is a warning of type `SelectorWarning`.
 *
 * @throws {@link PactkitError} if the selector is wrong or, in the end, if files could not be read
 */
export async function* grep(
  selector: string,
  paths: string | URL | readonly (string | URL)[] = [],
  options: GrepOptions = {},
): AsyncGenerator<Match, void, undefined> {
  const { errors = "throw" } = options;
  checkErrors(errors);
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
    if (code !== 0 && code !== 1) {
      const error = new PactkitError(said.trim() || `pactkit grep ended with ${signal ?? `exit code ${code}`}`);
      treat(error, found ? errors : "throw");
    } else if (!found) {
      await warnOfMisspelled(selector);
    }
  } finally {
    child.kill("SIGKILL");
  }
}

/** Warns of words that are probably misspelled, where no history is at hand that may have them. */
async function warnOfMisspelled(selector: string): Promise<void> {
  const { histories = [] } = await sharedWorker().result({ history: { root: { children: [] } }, selectors: [selector] });
  const [answer] = histories[0]?.answers as [Selected];
  warnOf(selector, answer.misspelled?.map(({ word, near }) => `unknown word \`${word}\`; did you mean \`${near}\`?`));
}

function matchOf(line: string): Match {
  const { file, session, ...rest } = JSON.parse(line) as Omit<Match, "path" | "history" | "text"> & { file: string; session?: string };
  return { path: file, history: session ?? "", text: textOf(rest.content), ...rest };
}
