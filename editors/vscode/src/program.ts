// Where the programs of pactkit are.
import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

// The folder of the programs in an extension that was packaged for one platform.
const packaged = join(__dirname, "..", "bin");

// programPath finds a program: where the settings say, in the extension, on the PATH, or where `go install` puts it.
export function programPath(program: string, configured: string): string {
  if (configured !== "") {
    return configured.replace(/^~(?=\/|\\|$)/, homedir());
  }
  const name = process.platform === "win32" ? `${program}.exe` : program;
  const go = process.env.GOBIN ?? join(process.env.GOPATH?.split(delimiter)[0] ?? join(homedir(), "go"), "bin");
  for (const folder of [packaged, ...(process.env.PATH ?? "").split(delimiter), go]) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not in this folder
    }
  }
  return name;
}
