// What the clients share: the scenarios, the loop of an agent, and the two ways to record what it does.
import { appendFileSync, readFileSync } from 'node:fs'

export const table = JSON.parse(readFileSync(new URL('../scenarios.json', import.meta.url)))
export const { model, tools, image } = table

/** The JSON schema of the arguments of a tool. */
export const schema = name => ({ type: 'object', properties: { [tools[name].argument]: { type: 'string' } }, required: [tools[name].argument] })

/** The text of a turn, and whether it has a picture. */
export const words = turn => typeof turn === 'string' ? [turn, false] : [turn.text, turn.image]

/**
 * Has a conversation. make(system, tools) returns an object that calls the model: ask(text, picture) and
 * results([[id, name, text]]) return the text of the answer and its calls, [id, name, arguments].
 */
export async function converse (make, system, names, turns) {
  const chat = make(system, names)
  let text = ''
  for (const turn of turns) {
    let calls
    ;[text, calls] = await chat.ask(...words(turn))
    while (calls.length) {
      const results = []
      for (const [id, name, args] of calls) results.push([id, name, await use(make, name, args)])
      ;[text, calls] = await chat.results(results)
    }
  }
  return text
}

/** The result of a tool. That of an agent is its last answer. */
export async function use (make, name, args) {
  if (name !== 'research') return tools[name].result
  return converse(make, table.agent.system, table.agent.tools, [args[tools[name].argument]])
}

const real = globalThis.fetch

/** A fetch that writes requests and answers to a file. */
export const dump = path => async (url, init) => {
  const time = new Date().toISOString()
  const response = await real(url, init)
  let answer = await response.clone().text()
  try { answer = JSON.parse(answer) } catch {}
  const request = JSON.parse(typeof init.body === 'string' ? init.body : new TextDecoder().decode(init.body))
  appendFileSync(path, JSON.stringify({ time, url: String(url), request, status: response.status, response: answer }) + '\n')
  return response
}

/** Exports the spans of each scenario to a file of its own, as OTLP JSON. */
export class Spans {
  async start () {
    const { NodeTracerProvider, SimpleSpanProcessor } = await import('@opentelemetry/sdk-trace-node')
    const { JsonTraceSerializer } = await import('@opentelemetry/otlp-transformer')
    const exporter = {
      export: (spans, done) => {
        appendFileSync(this.path, new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans)) + '\n')
        done({ code: 0 })
      },
      shutdown: async () => {}
    }
    this.provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    this.provider.register()
    return this
  }

  async scenario (path, run) {
    this.path = path
    try {
      await this.provider.getTracer('clients').startActiveSpan('scenario', async span => {
        try { await run() } finally { span.end() }
      })
    } finally {
      await this.provider.forceFlush()
    }
  }
}
