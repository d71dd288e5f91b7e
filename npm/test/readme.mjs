import { readFileSync } from "node:fs";

/** The code blocks of the README: `lang` and `text`. */
export const README = [...readFileSync(new URL("../README.md", import.meta.url), "utf8").matchAll(/^```(\w+)\n(.*?)^```/gms)].map(
  ([, lang, text]) => ({ lang, text }),
);
