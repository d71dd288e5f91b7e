// Builds the packages: @pactkit/cli, and one for each platform with the programs in it.
//
//     node tools/pack.mjs [--platform NAME]... [--programs DIR] [--version VERSION] OUT
//
// Only Go modules are downloaded, and the same sources and tools give the same bytes. DIR has
// programs that are already built, in folders such as linux_amd64, and the licenses of the software
// linked into them.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const HERE = dirname(dirname(fileURLToPath(import.meta.url)));
const ROOT = dirname(HERE);
const PROGRAMS = ["pactkit", "pact-lsp"]; // pactfmt is pactkit under another name
const NOTICES = "THIRD_PARTY_LICENSES";

// Platforms as Node names them: GOOS and GOARCH. The programs are static, so they run with every C library.
const PLATFORMS = {
  "linux-x64": ["linux", "amd64"],
  "linux-arm64": ["linux", "arm64"],
  "darwin-x64": ["darwin", "amd64"],
  "darwin-arm64": ["darwin", "arm64"],
  "win32-x64": ["windows", "amd64"],
  "win32-arm64": ["windows", "arm64"],
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    platform: { type: "string", multiple: true, default: Object.keys(PLATFORMS) },
    programs: { type: "string" },
    version: { type: "string" },
  },
});
if (positionals.length !== 1) throw new Error("usage: pack.mjs [--platform NAME]... [--programs DIR] [--version VERSION] OUT");
const out = resolve(positionals[0]);
mkdirSync(out, { recursive: true });

const manifest = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8"));
manifest.version = values.version ?? manifest.version;

for (const name of values.platform) {
  const platform = name === "native" ? `${process.platform}-${process.arch}` : name;
  if (!(platform in PLATFORMS)) throw new Error(`there is no platform ${platform}: ${Object.keys(PLATFORMS).join(", ")}`);
  pack((folder) => platformPackage(platform, folder));
}
pack(mainPackage);

/** Writes the files of the package for a platform, and returns its manifest. */
function platformPackage(platform, folder) {
  const [system, machine] = PLATFORMS[platform];
  const [os, cpu] = platform.split("-");
  const bin = join(folder, "bin");
  mkdirSync(bin);
  if (values.programs) {
    const built = join(values.programs, `${system}_${machine}`);
    for (const program of PROGRAMS.map((name) => name + (system === "windows" ? ".exe" : ""))) copyFileSync(join(built, program), join(bin, program));
    copyFileSync(join(built, NOTICES), join(folder, NOTICES));
  } else {
    build(system, machine, bin);
  }
  for (const file of readdirSync(bin)) chmodSync(join(bin, file), 0o755);
  writeFileSync(join(folder, "README.md"), `# ${manifest.name}-${platform}\n\nThe programs of [${manifest.name}](https://www.npmjs.com/package/${manifest.name}) for ${os} on ${cpu}.\n`);
  return {
    name: `${manifest.name}-${platform}`,
    version: manifest.version,
    description: `The programs of ${manifest.name} for ${os} on ${cpu}`,
    license: manifest.license,
    repository: manifest.repository,
    engines: manifest.engines,
    os: [os],
    cpu: [cpu],
    preferUnplugged: true,
    files: ["bin", NOTICES],
  };
}

/** Builds the programs for a platform, the same as in the wheels of the Python package. */
function build(system, machine, folder) {
  const flags = ["-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", folder + "/"];
  execFileSync(process.env.GO ?? "go", ["build", ...flags, ...PROGRAMS.map((program) => `./cmd/${program}`)], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, CGO_ENABLED: "0", GOOS: system, GOARCH: machine, GOAMD64: "v1", GOARM64: "v8.0" },
  });
}

/** Writes the files of @pactkit/cli, and returns its manifest. */
function mainPackage(folder) {
  const tsc = join(HERE, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "--project", HERE, "--outDir", join(folder, "dist")], { stdio: "inherit" });
  cpSync(join(HERE, "bin"), join(folder, "bin"), { recursive: true });
  copyFileSync(join(HERE, "README.md"), join(folder, "README.md"));
  const { devDependencies: _, ...kept } = manifest;
  const platforms = Object.keys(PLATFORMS).map((platform) => [`${manifest.name}-${platform}`, manifest.version]);
  return { ...kept, optionalDependencies: Object.fromEntries(platforms) };
}

/** Writes the tarball of a package with npm. Its modes and times do not depend on this machine. */
function pack(write) {
  const folder = mkdtempSync(join(tmpdir(), "pactkit-npm-"));
  try {
    const made = write(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify(made, null, 2) + "\n");
    copyFileSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
    for (const entry of readdirSync(folder, { recursive: true })) {
      const path = join(folder, entry);
      chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
    }
    const npm = ["pack", "--json", "--ignore-scripts", "--pack-destination", out];
    const [{ filename }] = JSON.parse(execFileSync("npm", npm, { cwd: folder, stdio: ["ignore", "pipe", "inherit"], shell: process.platform === "win32" }));
    const data = readFileSync(join(out, filename));
    console.log(`${join(out, filename)}  ${(data.length / 1e6).toFixed(1)} MB  sha256:${createHash("sha256").update(data).digest("hex")}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
