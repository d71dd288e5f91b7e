// The SDK of OpenAI: chat completions and Responses.
import { converse, image, model, schema, tools } from './common.mjs'

const picture64 = 'data:image/png;base64,' + image

class Chat {
  constructor (api, s, system, names) {
    Object.assign(this, { api, s, turns: 0, messages: [{ role: 'system', content: system }] })
    this.more = names.length ? { tools: names.map(t => ({ type: 'function', function: { name: t, description: tools[t].description, parameters: schema(t) } })) } : {}
    if (s.think) this.more.reasoning_effort = 'low'
  }

  ask (text, picture) {
    if (++this.turns === 3 && this.s.compact) { // the client's own: its summary stands for what left
      this.messages.splice(1, this.messages.length - 2, { role: 'user', content: 'So far: ferries at 08:15 and 17:40.' })
    }
    const parts = [{ type: 'text', text }, { type: 'image_url', image_url: { url: picture64 } }]
    this.messages.push({ role: 'user', content: picture ? parts : text })
    return this.call()
  }

  results (results) {
    for (const [id, , text] of results) this.messages.push({ role: 'tool', tool_call_id: id, content: text })
    return this.call()
  }

  async call () {
    const args = { model: model.openai, messages: this.messages, ...this.more }
    const answer = this.s.stream
      ? await this.api.chat.completions.stream({ ...args, stream_options: { include_usage: true } }).finalChatCompletion()
      : await this.api.chat.completions.create(args)
    const { role, content, tool_calls: calls } = answer.choices[0].message
    this.messages.push({ role, content, ...(calls?.length ? { tool_calls: calls.map(({ id, type, function: f }) => ({ id, type, function: { name: f.name, arguments: f.arguments } })) } : {}) })
    return [content, (calls ?? []).map(c => [c.id, c.function.name, JSON.parse(c.function.arguments)])]
  }
}

class Responses {
  constructor (api, s, system, names) {
    Object.assign(this, { api, s, items: [], more: { instructions: system, store: !!s.chain } })
    if (names.length) this.more.tools = names.map(t => ({ type: 'function', name: t, description: tools[t].description, parameters: schema(t), strict: false }))
    if (s.think) Object.assign(this.more, { reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'] })
    if (s.compact) this.more.context_management = [{ type: 'compaction', compact_threshold: 1000 }]
  }

  ask (text, picture) {
    const parts = [{ type: 'input_text', text }, { type: 'input_image', image_url: picture64, detail: 'auto' }]
    this.items.push({ role: 'user', content: picture ? parts : text })
    return this.call()
  }

  results (results) {
    for (const [id, , text] of results) this.items.push({ type: 'function_call_output', call_id: id, output: text })
    return this.call()
  }

  async call () {
    const args = { model: model.openai, input: this.items, ...this.more, ...(this.previous ? { previous_response_id: this.previous } : {}) }
    const answer = this.s.stream ? await this.api.responses.stream(args).finalResponse() : await this.api.responses.create(args)
    if (this.s.chain) [this.items, this.previous] = [[], answer.id]
    // What the SDK adds to items is not of the API.
    else this.items.push(...answer.output.map(({ parsed_arguments, ...item }) => item.content ? { ...item, content: item.content.map(({ parsed, ...part }) => part) } : item))
    return [answer.output_text, answer.output.filter(i => i.type === 'function_call').map(i => [i.call_id, i.name, JSON.parse(i.arguments)])]
  }
}

export const sdk = 'openai'

const run = Kind => async (s, url, fetch, { OpenAI }) => {
  const api = new OpenAI({ baseURL: url + '/v1', apiKey: 'none', ...(fetch ? { fetch } : {}) })
  await converse((system, names) => new Kind(api, s, system, names), s.system, s.tools, s.turns)
}

/** By API: what runs a scenario, and the scenarios that it cannot do. */
export const apis = { chat: [run(Chat), ['clearing', 'chained']], responses: [run(Responses), ['clearing']] }
