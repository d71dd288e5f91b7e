// Runs pactkit, compiled to WebAssembly, beside the page. Each message is [number, request], each answer [number, answer as JSON].

declare const importScripts: (name: string) => void;
declare const pactkit: (request: string) => string;
declare const Go: new () => { importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void> };

/** The program, which is compressed unless the server has decompressed it. */
async function program(): Promise<ArrayBuffer> {
  const bytes = await (await fetch("pactkit.wasm.gz")).arrayBuffer();
  const head = new Uint8Array(bytes, 0, 2);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return bytes;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

async function start(): Promise<void> {
  importScripts("wasm_exec.js");
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(await program(), go.importObject);
  void go.run(instance); // until the worker ends
}

const ready = start();
onmessage = async (e: MessageEvent<[number, object]>) => {
  const [id, request] = e.data;
  try {
    await ready;
    postMessage([-1, ""]); // the time limit of a request starts here
    postMessage([id, pactkit(JSON.stringify(request))]);
  } catch (err) {
    postMessage([id, JSON.stringify({ error: String(err) })]);
  }
};
