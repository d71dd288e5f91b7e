// Runs a program for the launchers in bin/.

import { spawn } from "node:child_process";
import { constants } from "node:os";

import { binary } from "./binary.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs a program with the arguments and streams of this process, and exits as the program does. */
export function launch(name: "pactkit" | "pactfmt" | "pact-lsp"): void {
  let path: string;
  try {
    path = binary(name === "pact-lsp" ? name : "pactkit");
  } catch (error) {
    return fail(name, error);
  }
  // PACTKIT_BINARY may name a launcher. Without the variable, the launcher starts the installed
  // program and not itself.
  const { PACTKIT_BINARY: _, ...env } = process.env;
  const child = spawn(path, process.argv.slice(2), { argv0: name, stdio: "inherit", env });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(name, error));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
  });
}

function fail(name: string, error: unknown): void {
  process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
