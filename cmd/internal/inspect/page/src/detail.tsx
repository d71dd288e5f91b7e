// The node that is chosen: its content, headers and life.

import { diffLines } from "diff";
import { useMemo, useState } from "preact/hooks";
import { Content, imageOf, Picture } from "./content";
import type { NodeDetail, Reader } from "./data";
import { count, cut, plural, visible } from "./format";
import { because } from "./happened";
import { useNode } from "./hooks";
import type { Model, Row } from "./model";
import { label, labelOf } from "./tree";

interface Props {
  data: Reader;
  model: Model;
  session: number;
  at: number;
  id: string;
  onMove(at: number): void;
  onSelect(id: string): void;
  onSelector(selector: string): void;
}

export function Detail({ data, model, session, at, id, onMove, onSelect, onSelector }: Props) {
  const here = model.node(id, at);
  const life = model.life(id);
  const row = here ?? life.findLast((r) => r.from <= at) ?? life[0];
  const [detail, error, stale] = useNode(data, session, row, at);
  const [raw, setRaw] = useState(false);
  const body = useMemo(() => detail && <Body detail={detail} raw={raw} />, [detail, raw]);
  if (!row) return <p class="empty">{id ? `There is no node ${visible(id)}.` : "Choose a node in the tree."}</p>;
  const gone = here ? undefined : model.cause(id, at);
  return (
    <article class={"detail" + (stale ? " stale" : "")} aria-busy={stale} aria-label={`node ${visible(id)}`}>
      <h2>{label({ row })} <code>{visible(id)}</code></h2>
      {!here && (
        <p class="gone">
          {row.from > at ? "Not there yet." : gone ? `Left at call ${gone.call + 1}: it ${visible(because(gone.cause, 1))}.` : `Left at call ${row.to + 1}.`}
          {gone?.cause.by && <> <button class="link" onClick={() => onSelect(gone.cause.by!)}>{labelOf(model, gone.cause.by, at)}</button> stands for it.</>}
        </p>
      )}
      <Life model={model} life={life} at={at} onMove={onMove} />
      {error && <p class="error" role="alert">{error}</p>}
      <div class="bar">
        <span>{plural(row.tokens, "token")}, {plural(row.bytes, "byte")}</span>
        <label><input type="checkbox" checked={raw} onChange={() => setRaw(!raw)} /> as text</label>
        {data.live && <button onClick={() => onSelector(selectorOf(row))}>Write its selector</button>}
      </div>
      {body}
      <Versions data={data} session={session} life={life} row={row} />
    </article>
  );
}

function Body({ detail, raw }: { detail: NodeDetail; raw: boolean }) {
  return (
    <>
      {detail.content !== undefined && <Content value={detail.content} raw={raw} />}
      <h3>Headers</h3>
      <table class="headers">
        <tbody>
          {Object.entries(detail.headers).map(([name, value]) => (
            <tr key={name}><th scope="row">{visible(name)}</th><td><code>{visible(cut(JSON.stringify(value), 2000))}</code></td></tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The selector that finds a node, and nothing else. */
function selectorOf(row: Row): string {
  if (row.id.startsWith("^")) return row.id;
  return `{id=${JSON.stringify(row.id)}}`;
}

/** When a node came, changed and left, and why; each a link to the call. */
function Life({ model, life, at, onMove }: { model: Model; life: readonly Row[]; at: number; onMove(at: number): void }) {
  const events: { at: number; text: string }[] = [];
  life.forEach((row, n) => {
    const before = life[n - 1];
    if (!before) events.push({ at: row.from, text: "came" });
    else if (before.to < row.from) events.push({ at: row.from, text: "came back" });
    else if (before.parent !== row.parent) events.push({ at: row.from, text: "moved" });
    else events.push({ at: row.from, text: "changed" });
    const next = life[n + 1];
    if (row.to < model.calls.length && (!next || next.from > row.to)) {
      const cause = model.departure(row);
      events.push({ at: row.to, text: cause ? because(cause, 1) : "left" });
    }
  });
  const shown = events.length > 12 ? [...events.slice(0, 6), ...events.slice(-6)] : events;
  return (
    <ol class="life" aria-label="life of the node">
      {shown.map((e, n) => (
        <li key={n} class={e.at <= at ? "past" : ""}>
          <button class="link" onClick={() => onMove(e.at)}>call {count(e.at + 1)}</button> {e.text}
        </li>
      ))}
    </ol>
  );
}

/** What the last change of the content was. */
function Versions({ data, session, life, row }: { data: Reader; session: number; life: readonly Row[]; row: Row }) {
  const before = life[life.indexOf(row) - 1];
  const [older] = useNode(data, session, before, before?.from ?? 0);
  const [newer] = useNode(data, session, before && row, row.from);
  return useMemo(() => {
    if (!older || !newer) return null;
    const a = asText(older.content), b = asText(newer.content);
    if (a === b) return null;
    const images = [imageOf(older.content), imageOf(newer.content)];
    return (
      <>
        <h3>Changed at call {count(row.from + 1)}</h3>
        {images.some((i) => i !== undefined)
          ? <div class="versions">{images.map((i, n) => <figure key={n}><figcaption>{n === 0 ? "before" : "after"}</figcaption>{i ? <Picture address={i} /> : "no image"}</figure>)}</div>
          : <Difference before={a} after={b} />}
      </>
    );
  }, [older, newer]);
}

/** How much of a text is compared. */
const longest = 200_000;

export function Difference({ before, after }: { before: string; after: string }) {
  return (
    <pre class="diff">
      {diffLines(cut(before, longest), cut(after, longest), { maxEditLength: 2000 })?.map((part, i) => (
        <span key={i} class={part.added ? "ins" : part.removed ? "del" : ""}>
          {part.value.split("\n").filter((l, k, all) => k < all.length - 1 || l !== "").map((l) => (part.added ? "+" : part.removed ? "-" : " ") + visible(l) + "\n")}
        </span>
      )) ?? "The versions differ in too many lines."}
    </pre>
  );
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value, null, 2);
}
