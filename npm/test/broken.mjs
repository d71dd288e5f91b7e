// A program that answers like pactkit worker, but dies, hangs or prints garbage if a request tells it to.
//
//     node broken.mjs MARK worker ...
// MARK is a file that exists after the program died for ONCE.

import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { binary } from "@pactkit/cli";

const [mark, ...args] = process.argv.slice(2);
const real = spawn(binary(), args, { stdio: ["pipe", "pipe", "inherit"] });
const answers = createInterface({ input: real.stdout })[Symbol.asyncIterator]();
for await (const line of createInterface({ input: process.stdin })) {
  if (line.includes("CRASH")) {
    process.stderr.write("out of memory\n");
    real.kill("SIGKILL");
    process.kill(process.pid, "SIGKILL");
  }
  if (line.includes("ONCE") && !existsSync(mark)) {
    writeFileSync(mark, "");
    process.exit(3);
  }
  if (line.includes("HANG")) {
    await new Promise(() => setInterval(() => undefined, 1000));
  } else if (line.includes("JUNK")) {
    process.stdout.write(Buffer.from([0, 255, 1, 10]));
  } else if (line.includes("HALF")) {
    process.stdout.write('{"id":nu');
    process.exit(0);
  } else {
    real.stdin.write(`${line}\n`);
    process.stdout.write(`${(await answers.next()).value}\n`);
  }
}
real.stdin.end();
