// What the page asks the server for while one moves through a session.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Data, Figures, Match, News, NodeDetail, Problem, Reader } from "./data";
import { message } from "./format";
import { Model, type Row } from "./model";

/** How long news is collected before it is drawn, but for the first, in milliseconds. */
const pause = 100;

/** Reads a session, and follows it while it grows. The version changes with the model. */
export function useModel(data: Data, session: number): { model: Model; version: number; error: string } {
  const [model] = useState(() => new Model());
  const [version, setVersion] = useState(0);
  const [error, setError] = useState("");
  useLayoutEffect(() => { // an effect waits for a frame
    const stop = new AbortController();
    let timer = 0;
    const show = (): void => {
      timer = 0;
      setVersion((n) => n + 1);
    };
    const add = (news: News[]): void => {
      const first = model.calls.length === 0;
      for (const n of news) {
        if ("keep" in n) {
          model.truncate(n.keep);
          setError("");
        } else if ("problem" in n) setError(n.problem);
        else if ("counts" in n) model.count(n);
        else model.append(n);
      }
      if (first) show();
      else timer ||= setTimeout(show, pause);
    };
    model.truncate(0);
    data.steps(session, add, stop.signal).then(
      () => { if (!stop.signal.aborted && data.live) setError("pactkit inspect has ended: what it sent before is still shown."); },
      (e: unknown) => { if (!stop.signal.aborted) setError(model.calls.length > 0 ? "pactkit inspect has ended: what it sent before is still shown." : message(e)); },
    );
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [data, session]);
  return { model, version, error };
}

const nothing: Match = { ids: [], steps: [] };

/** What the selector finds at a call, and the call. While one answer is awaited, only the latest question waits. */
export function useMatch(data: Data, session: number, at: number, selector: string, version: number): [Match, Problem[], number] {
  const [state, set] = useState<[Match, Problem[], number]>([nothing, [], at]);
  const asking = useRef(false);
  const next = useRef<(() => void) | undefined>(undefined);
  const wanted = useRef("");
  useLayoutEffect(() => { // an effect waits for a frame
    if (!selector.trim() || !data.live) {
      next.current = undefined;
      wanted.current = "";
      set([nothing, [], at]);
      return;
    }
    wanted.current = selector;
    const ask = (): void => {
      asking.current = true;
      next.current = undefined;
      data.select(session, at, selector).then(
        (r): [Match, Problem[], number] => (Array.isArray(r) ? [nothing, r, at] : [r, [], at]),
        (e: unknown): [Match, Problem[], number] => [nothing, [{ message: message(e) }], at],
      ).then((answer) => {
        asking.current = false;
        if (wanted.current === selector) set(answer); // of another call, it is close
        next.current?.();
      });
    };
    if (asking.current) next.current = ask;
    else ask();
  }, [data, session, at, selector, version]);
  return state;
}

const noCalls: readonly number[] = [];

/** The numbers of the calls at which the selector finds something, as they are found. */
export function useCalls(data: Data, session: number, selector: string, length: number): readonly number[] {
  const [found, set] = useState(noCalls);
  useEffect(() => {
    set(noCalls);
    if (!selector.trim() || !data.live || length === 0) return;
    const stop = new AbortController();
    data.calls(session, selector, (calls) => set((old) => [...old, ...calls]), stop.signal).catch(() => undefined); // useMatch says what is wrong
    return () => stop.abort();
  }, [data, session, selector, length]);
  return found;
}

/** A value that follows another one once that has been still for some milliseconds. */
export function useSettled<T>(value: T, milliseconds: number): T {
  const [settled, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/**
 * The whole of a version of a node, and why it could not be had. Within a version only its time to live differs from call to
 * call, so it is asked for once unless it has one. Until it is there, the version that was shown before is, as stale.
 */
export function useNode(data: Reader, session: number, row: Row | undefined, at: number): [detail: NodeDetail | undefined, error: string, stale: boolean] {
  const [state, set] = useState<{ row?: Row | undefined; detail?: NodeDetail; error: string }>({ error: "" });
  const runsDown = state.row === row && state.detail?.headers["ttl"] !== undefined;
  const call = row && (runsDown ? Math.min(Math.max(at, row.from), row.to - 1) : row.from);
  useEffect(() => {
    if (!row || call === undefined) return;
    let current = true;
    data.node(session, call, row.id).then(
      (detail) => current && set({ row, detail, error: "" }),
      (e: unknown) => current && set({ row, error: message(e) }),
    );
    return () => { current = false; };
  }, [data, session, row, call]);
  return state.row && state.row.id === row?.id ? [state.detail, state.error, state.row !== row] : [undefined, "", false];
}

/** How many nodes are asked for at a time, and how many are kept. */
const batch = 50, mostKept = 2000;

/** The versions of nodes that are there at a call, as they arrive. */
export function useContents(data: Reader, session: number, at: number, rows: readonly Row[]): ReadonlyMap<Row, NodeDetail> {
  const known = useRef(new Map<Row, NodeDetail>());
  const asked = useRef(new Set<Row>());
  const [, arrived] = useState(0);
  useEffect(() => {
    if (known.current.size > mostKept) for (const list of [known, asked]) for (const r of list.current.keys()) if (!rows.includes(r)) list.current.delete(r);
    const wanted = rows.filter((r) => !asked.current.has(r));
    for (const r of wanted) asked.current.add(r);
    for (let i = 0; i < wanted.length; i += batch) {
      const some = wanted.slice(i, i + batch);
      data.nodes(session, at, some.map((r) => r.id)).then((found) => {
        for (const r of some) if (found[r.id]) known.current.set(r, found[r.id]!);
        arrived((n) => n + 1);
      }, () => some.forEach((r) => asked.current.delete(r))); // the beginnings of the texts stay
    }
  });
  return known.current;
}

/** The figures of a session, once they are wanted, and why they could not be had. */
export function useFigures(data: Data, session: number, wanted: boolean, length: number): [Figures | undefined, string] {
  const [state, set] = useState<{ figures?: Figures; error: string }>({ error: "" });
  useEffect(() => {
    if (!wanted || length === 0) return;
    let current = true;
    data.figures(session).then((figures) => current && set({ figures, error: "" }), (e: unknown) => current && set({ error: message(e) }));
    return () => { current = false; };
  }, [data, session, wanted, length]);
  return [state.figures, state.error];
}
