// The list of keys.

import { useEffect, useRef } from "preact/hooks";
import { keyList } from "./keys";

export function Help({ onClose }: { onClose(): void }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current!.showModal(), []);
  return (
    <dialog ref={box} class="help" aria-labelledby="help-title" onClose={onClose} onClick={(e) => e.target === e.currentTarget && e.currentTarget.close()}>
      <header><h2 id="help-title">Keys</h2><button onClick={() => box.current!.close()} aria-label="close">✕</button></header>
      <dl>
        {keyList.map(([keys, does]) => (
          <div key={does}><dt>{keys.map((k) => (k === "…" ? " … " : <kbd key={k}>{k}</kbd>))}</dt><dd>{does}</dd></div>
        ))}
      </dl>
    </dialog>
  );
}
