// Functions that run the program once.

import { spawn } from "node:child_process";
import { once } from "node:events";

import { binary } from "./binary.js";
import { BinaryNotFound, PactkitError } from "./errors.js";
import type { Edition } from "./protocol.js";
import type { Finding } from "./schema.js";

/** Formats a selector as `pactfmt` does. */
export async function format(selector: string, options: { edition?: Edition } = {}): Promise<string> {
  return (await run(["fmt", ...editionOf(options), "-"], `${selector}\n`)).trimEnd();
}

/** Returns what `pactkit lint` finds in a selector. */
export async function lint(selector: string, options: { edition?: Edition } = {}): Promise<Finding[]> {
  const args = ["lint", "--output-format=json", "--isolated", ...editionOf(options), "-"];
  return (JSON.parse(await run(args, `${selector}\n`, [1])) as { findings: Finding[] }).findings;
}

/** Explains a selector, a code such as `E_SEALED`, or a rule in words. */
export async function explain(text: string): Promise<string> {
  return run(["explain", "--", text]);
}

function editionOf({ edition }: { edition?: Edition }): string[] {
  return edition ? [`--edition=${edition}`] : [];
}

/**
 * Runs the program and returns what it prints.
 *
 * @param allowed exit codes that are not errors, in addition to 0
 */
export async function run(args: readonly string[], input = "", allowed: readonly number[] = []): Promise<string> {
  const program = binary();
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  const out: Buffer[] = [];
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(0, 10_000)));
  child.stdin.on("error", () => undefined); // the exit code reports the error
  child.stdin.end(input);
  const [code, signal] = (await once(child, "close").catch((error: Error) => {
    throw new BinaryNotFound(`cannot start ${program}: ${error.message}`, "E_NO_BINARY");
  })) as [number | null, NodeJS.Signals | null];
  if (code === 0 || (code !== null && allowed.includes(code))) return Buffer.concat(out).toString();
  throw failure(said, `pactkit ${args[0]} ended with ${signal ?? `exit code ${code}`}`);
}

/** Parses the error message of the program. */
function failure(said: string, otherwise: string): PactkitError {
  const [, message = otherwise, code = ""] = /^(?:pactkit: )?(?:error: )?(.+?)(?: \[(E_\w+)\])?$/m.exec(said.trim()) ?? [];
  const hint = /^ *hint: (.+)$/m.exec(said)?.[1];
  return new PactkitError(message, code, { ...(hint && { hint }) });
}
