// JSON of logs with the digits that it has: numbers of JavaScript do not keep large integers, or the zeros of 39.90.

const json = JSON as JSON & { rawJSON?(text: string): object; isRawJSON?(value: unknown): boolean };

/** Reads JSON. Of a number that JavaScript would write otherwise, it makes an object that JSON.stringify writes as it was, if the browser can. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === "number" && context?.source !== undefined && context.source !== String(value) && json.rawJSON ? json.rawJSON(context.source) : value);
}

/** Whether a value is such an object. */
export function isExact(value: unknown): value is object {
  return json.isRawJSON?.(value) ?? false;
}
