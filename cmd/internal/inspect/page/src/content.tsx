// The content of a node: Markdown, JSON or an image. Content of logs is hostile: it becomes text and elements of a fixed
// set, never HTML, and nothing is fetched for it.

import type { Token, Tokens } from "marked";
import { h, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { parseExact } from "./exact";
import { cut, visible } from "./format";

const longest = 200_000;

export function Content({ value, raw }: { value: unknown; raw: boolean }) {
  if (typeof value !== "string") return <Json value={value} />;
  const parsed = raw ? undefined : parseJSON(value);
  if (parsed !== undefined) return <Json value={parsed} />;
  if (raw || value.length > longest) return <pre class="plain">{visible(cut(value, longest))}</pre>;
  return <Markdown text={value} />;
}

/** Reads Markdown. It is made when it is needed first, which takes a while. */
let lexer: ((text: string) => Token[]) | undefined;

function Markdown({ text }: { text: string }) {
  const [, ready] = useState(lexer !== undefined);
  useEffect(() => {
    if (!lexer) void import("marked").then((m) => { lexer = m.lexer; ready(true); });
  }, []);
  return <div class="markdown">{lexer ? blocks(lexer(text)) : visible(text)}</div>;
}

function parseJSON(text: string): unknown {
  const t = text.trim();
  if (!/^[[{]/.test(t)) return undefined;
  try {
    return parseExact(t);
  } catch {
    return undefined;
  }
}

function Json({ value }: { value: unknown }) {
  const image = imageOf(value);
  return (
    <>
      {image && <Picture address={image} />}
      <pre class="plain">{visible(cut(JSON.stringify(value, shorten, 2) ?? "", longest))}</pre>
    </>
  );
}

export function Picture({ address }: { address: string }) {
  return <img class="picture" alt="image in the content" src={address} />;
}

/** Long base64 is cut where it is shown as text. */
function shorten(_key: string, value: unknown): unknown {
  return typeof value === "string" && value.length > 4096 && /^[A-Za-z0-9+/=]+$/.test(value.slice(0, 4096))
    ? `${value.slice(0, 60)}… (${value.length} characters)` : value;
}

const imageTypes = /^image\/(png|jpeg|gif|webp)$/;

/** The data address of an image block of a provider, for the types that cannot hold scripts. */
export function imageOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const v = value as Record<string, unknown>;
  const source = v["source"];
  if (typeof source === "object" && source !== null) {
    const s = source as Record<string, unknown>;
    const { type, media_type: media, data } = s;
    if (type === "base64" && typeof media === "string" && imageTypes.test(media) && isBase64(data)) return `data:${media};base64,${data}`;
  }
  const url = typeof v["image_url"] === "object" && v["image_url"] !== null ? (v["image_url"] as Record<string, unknown>)["url"] : v["image_url"];
  if (typeof url !== "string") return undefined;
  const m = /^data:([a-z/]+);base64,(.*)$/s.exec(url);
  return m && imageTypes.test(m[1]!) && isBase64(m[2]) ? url : undefined;
}

function isBase64(data: unknown): data is string {
  return typeof data === "string" && /^[A-Za-z0-9+/]+=*$/.test(data);
}

function blocks(tokens: Token[]): ComponentChildren {
  return tokens.map((t, i) => <Block key={i} token={t} />);
}

function Block({ token }: { token: Token }) {
  switch (token.type) {
    case "space": return null;
    case "heading": return h(`h${Math.min((token as Tokens.Heading).depth + 2, 6)}`, null, inline(token as Tokens.Heading));
    case "paragraph": return <p>{inline(token as Tokens.Paragraph)}</p>;
    case "code": return <pre class="plain">{visible((token as Tokens.Code).text)}</pre>;
    case "blockquote": return <blockquote>{blocks((token as Tokens.Blockquote).tokens)}</blockquote>;
    case "hr": return <hr />;
    case "list": {
      const list = token as Tokens.List;
      const items = list.items.map((item, i) => <li key={i}>{blocks(item.tokens)}</li>);
      return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
    }
    case "table": {
      const table = token as Tokens.Table;
      return (
        <table>
          <thead><tr>{table.header.map((c, i) => <th key={i}>{inline(c)}</th>)}</tr></thead>
          <tbody>{table.rows.map((r, i) => <tr key={i}>{r.map((c, k) => <td key={k}>{inline(c)}</td>)}</tr>)}</tbody>
        </table>
      );
    }
    case "text": return <>{inline(token as Tokens.Text)}</>;
    default: return <p>{visible(token.raw)}</p>; // also HTML, as text
  }
}

function inline(holder: { tokens?: Token[]; text: string }): ComponentChildren {
  if (!holder.tokens) return visible(holder.text);
  return holder.tokens.map((t, i) => {
    switch (t.type) {
      case "strong": return <strong key={i}>{inline(t as Tokens.Strong)}</strong>;
      case "em": return <em key={i}>{inline(t as Tokens.Em)}</em>;
      case "del": return <del key={i}>{inline(t as Tokens.Del)}</del>;
      case "codespan": return <code key={i}>{visible((t as Tokens.Codespan).text)}</code>;
      case "br": return <br key={i} />;
      case "link": // shown, not followed: an address in a log may be an attack
        return <span key={i} class="link">{inline(t as Tokens.Link)} <code>{visible((t as Tokens.Link).href)}</code></span>;
      case "escape": return (t as Tokens.Escape).text;
      case "text": return <span key={i}>{inline(t as Tokens.Text)}</span>;
      default: return visible(t.raw);
    }
  });
}
