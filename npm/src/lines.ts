/**
 * Splits the output of a program into lines. Only U+000A ends a line: node:readline also splits at U+2028 and U+2029, which
 * JSON may contain.
 */
export class Lines {
  #parts: Buffer[] = [];

  /** Returns the lines that a chunk completes, without their ends. */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      lines.push(Buffer.concat([...this.#parts, chunk.subarray(start, end)]));
      this.#parts = [];
      start = end + 1;
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
    return lines;
  }
}
