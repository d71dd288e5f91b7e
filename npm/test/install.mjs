// Installs the packages in a folder into a new one, without a network and in a separate home, and
// copies the tests there.
//
//     node test/install.mjs PACKAGES CLEAN

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [packages, clean] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const tarball = (name) => `file:${join(packages, readdirSync(packages).find((file) => new RegExp(`^pactkit-${name}-[0-9]`).test(file)))}`;

rmSync(clean, { recursive: true, force: true });
mkdirSync(clean, { recursive: true });
const native = `cli-${process.platform}-${process.arch}`;
const manifest = {
  private: true,
  type: "module",
  dependencies: { "@pactkit/cli": tarball("cli") },
  overrides: { [`@pactkit/${native}`]: tarball(native) },
};
writeFileSync(join(clean, "package.json"), JSON.stringify(manifest, null, 2));
const home = mkdtempSync(join(tmpdir(), "pactkit-home-"));
try {
  const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home, npm_config_cache: join(home, "cache") };
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--no-update-notifier"], { cwd: clean, env, stdio: "inherit" });
} finally {
  rmSync(home, { recursive: true });
}
cpSync(here, join(clean, "test"), { recursive: true });
cpSync(join(here, "..", "README.md"), join(clean, "README.md"));
cpSync(join(here, "..", "..", "docs", "guide-agent.md"), join(clean, "guide-agent.md"));
cpSync(join(here, "..", "..", "testdata", "live"), join(clean, "live"), { recursive: true });
