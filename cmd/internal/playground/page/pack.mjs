// Compresses a file: pack.mjs FROM TO. The output depends only on the input, and the sizes are printed.

import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [from, to] = process.argv.slice(2);
const bytes = readFileSync(from);
const packed = gzipSync(bytes, { level: 9, memLevel: 7 }); // smallest of all levels; the header has no name and no time
writeFileSync(to, packed);
const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 } });
console.log(`${to}: ${packed.length} bytes, ${bytes.length} before, ${brotli.length} with brotli`);
