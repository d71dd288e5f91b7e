// What the tests share.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A conversation in OpenAI's format. */
export const LOG = [
  { role: "user", content: "Where is <a>?" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "c1", type: "function", function: { name: "find", arguments: '{"name":"a"}' } }],
  },
  { role: "tool", tool_call_id: "c1", content: "Error: no such file" },
  { role: "assistant", content: "It is not there." },
  { role: "user", content: "Thanks." },
];

/** Returns a folder that is removed after the test. */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), "pactkit-test-"));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}
