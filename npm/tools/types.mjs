// Writes src/schema.ts: the types of live contexts and of what the program prints, from the JSON schemas in docs/schemas.
//
//     node tools/types.mjs [--check]
//
// With --check it only fails if the file is not up to date.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(dirname(fileURLToPath(import.meta.url)));
const SCHEMAS = join(HERE, "..", "docs", "schemas");
const FRAME = "journal.json#/$defs/frame/properties/";

// The types that get a name. What else a schema refers to is written where it is used.
const NAMES = {
  "policy.json": ["Policy", "A policy, as docs/reference/policy.md describes it."],
  "policy.json#/$defs/step": ["PolicyStep", "A step of a policy, which has one of `truncate`, `clear`, `dedupe`, `summarise` and `drop`."],
  "worker.json#/$defs/operation": ["Operation", "A change of a context, as docs/reference/worker.md describes it."],
  "worker.json#/$defs/result": ["OperationResult"],
  "worker.json#/$defs/draft": ["Draft"],
  "worker.json#/$defs/state": ["ContextState", "Where a context is."],
  "worker.json#/$defs/committed": ["Commit", "What a commit did."],
  "worker.json#/$defs/cause": ["Cause", "Why a node left or changed."],
  "worker.json#/$defs/changed": ["Changed"],
  "worker.json#/$defs/format": ["Format"],
  "worker.json#/$defs/info": ["CommitInfo"],
  "worker.json#/$defs/node": ["NodeMembers", null], // by hand, in protocol.ts
  "worker.json#/$defs/note": ["Note", null],
  [FRAME + "call"]: ["CallInfo"],
  [FRAME + "call/properties/usage"]: ["Usage"],
  [FRAME + "policy"]: ["PolicyRun"],
  "diff.json": ["Diff", "How two states differ, as `pactkit diff` prints it."],
  "trace.json": ["Trace", "The life of a node, as `pactkit trace` prints it."],
  "findings.json#/$defs/finding": ["Finding", "What a rule finds, as `pactkit lint` prints it."],
};

const files = new Map();
const written = new Map();

/** Returns the schema at an address such as `policy.json#/$defs/step`. */
function at(address) {
  const [file, pointer = ""] = address.split("#");
  if (!files.has(file)) files.set(file, JSON.parse(readFileSync(join(SCHEMAS, file), "utf8")));
  const found = pointer.split("/").slice(1).reduce((value, name) => value?.[name], files.get(file));
  if (found === undefined) throw new Error(`there is no schema ${address}`);
  return found;
}

function doc(text, indent = "") {
  return text ? `${indent}/** ${text} */\n` : "";
}

/** Returns the type of a schema. `file` is the one that its references are relative to. */
function typeOf(schema, file, indent) {
  if (schema.$ref) {
    const [other, pointer] = schema.$ref.split("#");
    return refer((other || file) + (pointer ? `#${pointer}` : ""), indent);
  }
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.properties || schema.type === "object") return objectOf(schema, file, indent);
  const any = schema.oneOf ?? schema.anyOf;
  if (any) return [...new Set(any.map((one) => typeOf(one, file, indent)))].join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, file, indent)).join(" | ");
  if (schema.type === "array") {
    const item = schema.items ? typeOf(schema.items, file, indent) : "unknown";
    return `readonly ${/[ |]/.test(item) ? `(${item})` : item}[]`;
  }
  return { integer: "number", number: "number", string: "string", boolean: "boolean", null: "null" }[schema.type] ?? "unknown";
}

function objectOf(schema, file, indent) {
  const more = schema.additionalProperties;
  if (!schema.properties) return `Readonly<Record<string, ${typeof more === "object" ? typeOf(more, file, indent) : "Json"}>>`;
  const required = schema.required ?? [];
  let text = "{\n";
  for (const [name, member] of Object.entries(schema.properties)) {
    const quoted = /^\w+$/.test(name) ? name : JSON.stringify(name);
    text += doc(member.description, `${indent}  `) + `${indent}  ${quoted}${required.includes(name) ? "" : "?"}: ${typeOf(member, file, `${indent}  `)};\n`;
  }
  if (more !== false) text += `${indent}  [member: string]: unknown;\n`;
  return `${text}${indent}}`;
}

/** Returns the name of the type at an address, and writes the type; or the type, if it has no name. */
function refer(address, indent) {
  const schema = at(address);
  const [file] = address.split("#");
  const named = NAMES[address];
  if (!named) return typeOf(schema, file, indent);
  const [name, about = schema.description] = named;
  if (written.has(name) || about === null) return name;
  written.set(name, "");
  const type = typeOf(schema, file, "");
  const head = schema.properties ? `export interface ${name} ${type}` : `export type ${name} = ${type};`;
  written.set(name, `${doc(about)}${head}\n`);
  return name;
}

for (const address of Object.keys(NAMES)) refer(address, "");
const types = [...written.values()].join("\n");
const used = ["Json", "NodeMembers", "Note"].filter((name) => new RegExp(`\\b${name}\\b`).test(types));
const text = `// Written by tools/types.mjs from docs/schemas. Do not edit.

import type { ${used.join(", ")} } from "./protocol.js";

${types}`;
const path = join(HERE, "src", "schema.ts");
if (!process.argv.includes("--check")) writeFileSync(path, text);
else if (readFileSync(path, "utf8") !== text) throw new Error("src/schema.ts is not up to date: run node npm/tools/types.mjs");
