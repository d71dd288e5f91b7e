// What the page asks the program for.

import { useEffect, useMemo, useState } from "preact/hooks";
import { message } from "../../../inspect/page/src/format";
import { Model } from "../../../inspect/page/src/model";
import { engine, type Answer } from "./engine";

/** A history, as far as its steps have arrived. The version changes with the model. */
export interface Shown { model: Model; version: number; whole: boolean }

/** The history of a sample, or of the user's own file; why it cannot be read, and a function that says so. */
export function useHistory(sample: string, file: { name: string; text: string } | undefined): [Shown, string, (error: string) => void] {
  const [shown, set] = useState<Shown>(() => ({ model: new Model(), version: 0, whole: false }));
  const [error, setError] = useState("");
  useEffect(() => {
    let current = true;
    const read = async () => {
      const { name, text } = file ?? { name: `${sample}.jsonl`, text: await (await fetch(`samples/${sample}.jsonl`)).text() };
      const { steps } = await engine.load(name, text);
      const model = new Model();
      for (let version = 1; current && model.calls.length < steps; version++) {
        for (const step of await engine.steps(model.calls.length)) model.append(step);
        if (!current) return;
        setError("");
        set({ model, version, whole: model.calls.length === steps });
      }
    };
    read().catch((e: unknown) => { if (current) setError(message(e)); });
    return () => { current = false; };
  }, [sample, file]);
  return [shown, error, setError];
}

/** The latest answer to a selector, why there is none, and whether it is about what is asked now. */
export function useAnswer(selector: string, model: Model, at: number): [Answer | undefined, string, boolean] {
  const question = useMemo(() => ({}), [selector, model, at]);
  const [state, set] = useState<{ answer?: Answer | undefined; error: string; question?: object }>({ error: "" });
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      engine.ask(selector, at).then(
        (answer) => current && set({ answer, error: "", question }),
        (e: unknown) => current && set((old) => ({ answer: old.answer, error: message(e), question })),
      );
    }, 60);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [question]);
  return [state.answer, state.error, state.question === question];
}

/** The steps at which a selector finds something, as they are found. */
export function useMatches(selector: string, model: Model, whole: boolean): readonly number[] {
  const [matches, set] = useState<readonly number[]>([]);
  useEffect(() => {
    let current = true;
    const search = async () => {
      for (let from = 0; current && from < model.calls.length;) {
        const { calls, next } = await engine.calls(selector, from);
        if (current) set((old) => [...old, ...calls]);
        from = next;
      }
    };
    set([]);
    const timer = setTimeout(() => { if (whole) search().catch(() => undefined); }, 200); // useAnswer says what is wrong
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [selector, model, whole]);
  return matches;
}
