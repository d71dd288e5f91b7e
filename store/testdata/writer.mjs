// Reads and commits in one history until it has won often enough, and reports each call: see TestRacingLanguages.

import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";

const { context } = await import(pathToFileURL(process.argv[2]).href);
const [, name, address] = /^(\S+) (.*)$/.exec(process.env.PACTKIT_TEST_WRITER);
const digest = (text) => (text ? createHash("sha256").update(text).digest("hex") : "-");
const report = (what, after, made, began) =>
  console.log(what, 0, digest(after), 0, digest(made), String(began), String(process.hrtime.bigint()));

const ctx = await context(address, { must: "exist" });
for (let n = 0, won = 0; won < Number(process.env.TEXTS); n++) {
  let began = process.hrtime.bigint();
  await ctx.reload();
  const last = (await ctx.select(".block")).texts.at(-1);
  report("read", last, "", began);
  const made = `typescript ${name} ${n}`;
  await ctx.insert("(d0,0, end)", { content: made });
  began = process.hrtime.bigint();
  try {
    await ctx.commit();
    report("won", last, made, began);
    won++;
  } catch (error) {
    if (error.code !== "E_STORE_CONFLICT") throw error;
    report("lost", last, made, began);
  }
}
await ctx.close();
