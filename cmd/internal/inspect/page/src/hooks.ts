// What the page asks the server for while one moves through a session.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Data, Match, News, Problem } from "./data";
import { message } from "./format";
import { Model } from "./model";

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

/** What the selector finds at a call. While one answer is awaited, only the latest question waits. */
export function useMatch(data: Data, session: number, at: number, selector: string, version: number): [Match, Problem[]] {
  const [state, set] = useState<[Match, Problem[]]>([nothing, []]);
  const asking = useRef(false);
  const next = useRef<(() => void) | undefined>(undefined);
  const wanted = useRef("");
  useLayoutEffect(() => { // an effect waits for a frame
    if (!selector.trim() || !data.live) {
      next.current = undefined;
      wanted.current = "";
      set([nothing, []]);
      return;
    }
    wanted.current = selector;
    const ask = (): void => {
      asking.current = true;
      next.current = undefined;
      data.select(session, at, selector).then(
        (r): [Match, Problem[]] => (Array.isArray(r) ? [nothing, r] : [r, []]),
        (e: unknown): [Match, Problem[]] => [nothing, [{ message: message(e) }]],
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
