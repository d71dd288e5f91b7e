// The matcher for tests of agents, for expect.extend of Vitest and Jest.

import { warnOf } from "./history.js";
import { History, open, read, type Log, type Step } from "./index.js";

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
 * A selector with a word that is probably misspelled fails the test, whatever it selects, and also after `not`.
 *
 * @param received a history, the path of a file, or a log: its text, or a document such as a list of messages
 */
export async function toSelect(
  received: History | URL | Log,
  selector: string,
  options: ToSelectOptions = {},
): Promise<{ pass: boolean; message: () => string }> {
  const { min = options.max === undefined ? 1 : 0, max = Infinity, ...how } = options;
  const { nodes: found, steps } = await (await historyOf(received, how)).explain(selector);
  const count = `${found.length} ${found.length === 1 ? "node" : "nodes"}`;
  const lines = found.warnings.map((warning) => `  ${warning}`);
  lines.push(...found.slice(0, 10).map((node) => `  ${node}`));
  if (found.length > 10) lines.push(`  and ${found.length - 10} more`);
  if (found.length === 0) lines.push("  nodes left after each step:", ...linesOf(steps));
  // With "not" too: a test that expects no node would pass forever.
  if (Object.keys(found.misspelled).length > 0) throw new Error([`${selector} has a misspelled word, and selects ${count}`, ...lines].join("\n"));
  warnOf(selector, found.warnings);
  const wanted = max === Infinity ? `at least ${min}` : min === max ? `${min}` : min === 0 ? `at most ${max}` : `${min} to ${max}`;
  const pass = found.length >= min && found.length <= max;
  return { pass, message: () => [`${selector} selects ${count}, expected ${pass ? "not " : ""}${wanted}`, ...lines].join("\n") };
}

/** Returns the steps of a selector as `pactkit explain` prints them. */
function linesOf(steps: readonly Step[]): string[] {
  return steps.flatMap(({ step, count = "-", fragment = 0, side = 0, empty }, i) => {
    const { fragment: lastFragment = 0, side: lastSide = 0 } = steps[i - 1] ?? { fragment, side };
    const between = fragment !== lastFragment ? ["    ,"] : side !== lastSide ? ["    ??"] : [];
    return [...between, `    ${String(count).padStart(6)}  ${step}${empty ? "  <- nothing is left here" : ""}`];
  });
}

async function historyOf(received: History | URL | Log, how: { source?: string; messages?: string }): Promise<History> {
  if (received instanceof History) return received;
  if (received instanceof URL) return open(received, how);
  if (typeof received === "string") return /\n|^\s*[{[]/.test(received) ? read(received, how) : open(received, how);
  if (typeof received === "object" && received !== null) return read(received, how);
  throw new TypeError(`toSelect needs a history, a path, or a log such as a list of messages, not ${String(received)}`);
}
