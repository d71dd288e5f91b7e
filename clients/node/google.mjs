// The SDK of Google: generateContent. It has no hook, so the global fetch is replaced.
import { converse, image, model, schema, tools } from './common.mjs'

class Contents {
  constructor (api, s, system, names) {
    Object.assign(this, { api, s, contents: [], turns: 0, config: { systemInstruction: system } })
    if (names.length) this.config.tools = [{ functionDeclarations: names.map(t => ({ name: t, description: tools[t].description, parameters: schema(t) })) }]
    if (s.think) this.config.thinkingConfig = { includeThoughts: true }
  }

  ask (text, picture) {
    if (++this.turns === 3 && this.s.compact) { // the client's own: its summary stands for what left
      this.contents.splice(0, this.contents.length - 1, { role: 'user', parts: [{ text: 'So far: ferries at 08:15 and 17:40.' }] })
    }
    return this.call([{ text }, ...(picture ? [{ inlineData: { mimeType: 'image/png', data: image } }] : [])])
  }

  results (results) {
    return this.call(results.map(([, name, result]) => ({ functionResponse: { name, response: { result } } })))
  }

  async call (parts) {
    this.contents.push({ role: 'user', parts })
    const args = { model: model.google, contents: this.contents, config: this.config }
    const got = []
    if (this.s.stream) for await (const chunk of await this.api.models.generateContentStream(args)) got.push(...chunk.candidates[0].content.parts)
    else got.push(...(await this.api.models.generateContent(args)).candidates[0].content.parts)
    this.contents.push({ role: 'model', parts: got })
    return [got.filter(p => p.text && !p.thought).map(p => p.text).join(''), got.filter(p => p.functionCall).map(p => [p.functionCall.id, p.functionCall.name, p.functionCall.args])]
  }
}

export const sdk = '@google/genai'

async function run (s, url, fetch, { GoogleGenAI }) {
  const before = globalThis.fetch
  try {
    if (fetch) globalThis.fetch = fetch
    const api = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url, retryOptions: { attempts: 4 } } })
    await converse((system, names) => new Contents(api, s, system, names), s.system, s.tools, s.turns)
  } finally {
    globalThis.fetch = before
  }
}

export const apis = { generate: [run, ['clearing', 'chained', 'errors']] } // its retries take seconds
