const whole = new Intl.NumberFormat("en");

export function count(n: number): string {
  return whole.format(n);
}

/** A number in few characters, such as 12.3k. */
export function short(n: number): string {
  if (n < 1000) return String(n);
  if (n < 100_000) return `${(n / 1000).toFixed(1)}k`;
  if (n < 1_000_000) return `${Math.round(n / 1000)}k`;
  return `${(n / 1_000_000).toFixed(1)}M`;
}

/** A number of tokens after the mark of its grade. */
export function tokens(n: number, grade: string): string {
  return (grade === "exact" || grade === "counted" ? "" : grade === "at-least" ? "≥" : "~") + count(n);
}

/** An amount of money after the mark of its grade. */
export function money(n: number, grade: string): string {
  if (n > 0 && n < 0.0001) return "<$0.0001";
  return `${grade === "exact" ? "" : grade === "at-least" ? "≥" : "~"}$${n.toFixed(Math.abs(n) < 1 ? 4 : 2)}`;
}

/** Seconds in the two largest units that are not 0. */
export function duration(seconds: number): string {
  const units: [string, number][] = [["h", 3600], ["min", 60], ["s", 1]];
  const out: string[] = [];
  for (const [name, size] of units) {
    const n = Math.floor(seconds / size);
    if (n > 0 && out.length < 2) out.push(`${n} ${name}`);
    seconds -= n * size;
  }
  return out.join(" ") || "0 s";
}

/** A part of a whole, such as 12 %. */
export function percent(part: number, whole: number): string {
  return part > 0 && 100 * part < whole ? "<1 %" : `${Math.round((100 * part) / Math.max(whole, 1))} %`;
}

/** A time of RFC 3339 to the second. */
export function clock(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z?$/, "$1 $2");
}

/** One of something, or several. */
export function plural(n: number, one: string, many = one + "s"): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/**
 * Text of a log as it may be shown on one line. Characters that would change the order or the place of others are shown
 * by their code.
 */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, (c) =>
    `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** What a failure says. */
export function message(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}

/** The beginning of a text, and how much is left out. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}\n… ${plural(text.length - length, "more character")}` : text;
}

/** What an empty selector bar shows. */
export const hint = "a selector, such as  .seg .block+tool";
