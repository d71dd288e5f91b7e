// The inspector of pactkit: `pactkit inspect` serves a page about histories, which the browser shows.
import { spawn, type ChildProcess } from "node:child_process";
import * as vscode from "vscode";

import { programPath } from "./program";

// What the inspector is opened with.
export interface Subject {
  paths: string[]; // of histories
  selector?: string; // shown in them
}

// How the program prints the address of its page.
const addressLine = /^(http:\/\/127\.0\.0\.1:\d+\/#token=\w+)$/m;

interface Page {
  process: ChildProcess;
  address: Promise<string>;
}

// Inspector keeps a running program for each list of histories, until the editor ends or another program is set.
export class Inspector implements vscode.Disposable {
  private readonly pages = new Map<string, Page>();

  dispose(): void {
    for (const { process } of this.pages.values()) {
      process.kill();
    }
    this.pages.clear();
  }

  // open shows histories in the browser.
  async open({ paths, selector }: Subject): Promise<void> {
    const progress = { location: vscode.ProgressLocation.Notification, title: "Reading histories", cancellable: true };
    let address: string;
    try {
      address = await vscode.window.withProgress(progress, (_, canceled) => {
        const page = this.page(paths);
        canceled.onCancellationRequested(() => page.process.kill());
        return page.address;
      });
    } catch (e) {
      await failed(e instanceof Error ? e.message : String(e));
      return;
    }
    const [server, token] = address.split("#");
    const external = await vscode.env.asExternalUri(vscode.Uri.parse(server)); // elsewhere than here when the window is remote
    const view = selector ? `&${new URLSearchParams({ s: "0", q: selector })}` : ""; // in the first of several histories
    // As a string: a vscode.Uri would escape the separators after the "#".
    await vscode.env.openExternal(`${external}#${token}${view}` as unknown as vscode.Uri);
  }

  private page(paths: string[]): Page {
    const key = JSON.stringify(paths);
    const running = this.pages.get(key);
    if (running) {
      return running;
    }
    const page = start(paths, () => {
      if (this.pages.get(key) === page) {
        this.pages.delete(key);
      }
    });
    this.pages.set(key, page);
    return page;
  }
}

// start starts the program. Its address is refused when the program ends before it prints one.
function start(paths: string[], ended: () => void): Page {
  const program = programPath("pactkit", vscode.workspace.getConfiguration("pactkit.program").get("path", ""));
  const process = spawn(program, ["inspect", "--no-open", "--", ...paths], { stdio: ["ignore", "pipe", "pipe"] });
  const address = new Promise<string>((resolve, reject) => {
    let out = "";
    let errors = "";
    process.stdout.on("data", (data) => {
      out += data;
      const found = addressLine.exec(out);
      if (found) {
        resolve(found[1]);
      }
    });
    process.stderr.on("data", (data) => (errors += data));
    process.on("error", (e) => {
      ended();
      reject(e);
    });
    process.on("close", (code, signal) => {
      ended();
      reject(new Error(errors.trim() || `it ended with ${signal ?? `exit code ${code}`}`));
    });
  });
  return { process, address };
}

async function failed(why: string): Promise<void> {
  const install = "go install github.com/pactkit/pactkit/cmd/pactkit@latest";
  const message = `The inspector could not be opened: ${why}. It is a part of pactkit, which is installed with \`${install}\`.`;
  if (await vscode.window.showErrorMessage(message, "Open Settings")) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "pactkit.program.path");
  }
}
