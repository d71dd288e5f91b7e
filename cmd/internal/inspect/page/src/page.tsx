// A page of its own for what cannot be shown.

export function Page({ title, text, hint, bad }: { title: string; text: string; hint?: string; bad?: boolean }) {
  return (
    <main class="alone">
      <div role={bad ? "alert" : "status"}>
        <h1 class={bad ? "bad" : ""}>{title}</h1>
        <p>{text}</p>
        {hint && <p class="hint">{hint}</p>}
      </div>
    </main>
  );
}
