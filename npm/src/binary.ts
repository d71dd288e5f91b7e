import { createRequire } from "node:module";

import { BinaryNotFound } from "./errors.js";

/**
 * Returns the path of a program. It is the file that the environment variable `PACTKIT_BINARY` names (only for
 * `pactkit`), otherwise that of the package for this platform. `pactfmt` is `pactkit` under another name.
 *
 * The `PATH` is not searched: there, `pactkit` may be the launcher of this package.
 *
 * @throws {@link BinaryNotFound} if there is no package for this platform, or it was not installed
 */
export function binary(name: "pactkit" | "pact-lsp" = "pactkit"): string {
  const named = process.env["PACTKIT_BINARY"];
  if (named && name === "pactkit") return named;
  const platform = `${process.platform}-${process.arch}`;
  const file = name + (process.platform === "win32" ? ".exe" : "");
  try {
    return createRequire(import.meta.url).resolve(`@pactkit/cli-${platform}/bin/${file}`);
  } catch {
    throw new BinaryNotFound(
      `there is no ${name} for ${platform}: @pactkit/cli-${platform} is not installed. Install without --omit=optional, ` +
        "or build the program with 'go install github.com/pactkit/pactkit/cmd/...' and name pactkit in PACTKIT_BINARY",
      "E_NO_BINARY",
    );
  }
}
