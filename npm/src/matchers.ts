// The matcher for tests of agents, for expect.extend of Vitest and Jest.

import { History, open, read, type Log } from "./index.js";

/** How many nodes must be selected, and how the log is read. */
export interface ToSelectOptions {
  /** At least 1 by default, if there is no `max`. */
  min?: number;
  max?: number;
  /** The format of the log; it is recognized by default. */
  source?: string;
  /** The path of the member of the log with the messages. */
  messages?: string;
}

/**
 * Checks how many nodes a selector selects in what an agent did. It returns a promise: `await expect(log).toSelect(…)`.
 *
 * @param received a history, the path of a file, or a log: its text, or a document such as a list of messages
 */
export async function toSelect(
  received: History | URL | Log,
  selector: string,
  options: ToSelectOptions = {},
): Promise<{ pass: boolean; message: () => string }> {
  const { min = options.max === undefined ? 1 : 0, max = Infinity, ...how } = options;
  const found = await (await historyOf(received, how)).select(selector);
  const wanted = max === Infinity ? `at least ${min}` : min === max ? `${min}` : min === 0 ? `at most ${max}` : `${min} to ${max}`;
  const pass = found.length >= min && found.length <= max;
  const message = (): string => {
    const lines = found.slice(0, 10).map((node) => `  ${node}`);
    if (found.length > 10) lines.push(`  and ${found.length - 10} more`);
    return [`${selector} selects ${found.length} ${found.length === 1 ? "node" : "nodes"}, expected ${pass ? "not " : ""}${wanted}`, ...lines].join("\n");
  };
  return { pass, message };
}

async function historyOf(received: History | URL | Log, how: { source?: string; messages?: string }): Promise<History> {
  if (received instanceof History) return received;
  if (received instanceof URL) return open(received, how);
  if (typeof received === "string") return /\n|^\s*[{[]/.test(received) ? read(received, how) : open(received, how);
  if (typeof received === "object" && received !== null) return read(received, how);
  throw new TypeError(`toSelect needs a history, a path, or a log such as a list of messages, not ${String(received)}`);
}
