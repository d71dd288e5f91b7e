// The SDK of Anthropic: messages.
import { converse, image, model, schema, tools } from './common.mjs'

const mark = { cache_control: { type: 'ephemeral' } }

class Messages {
  constructor (api, s, system, names) {
    Object.assign(this, { api: api.messages, s, messages: [], more: { max_tokens: 2000, system } })
    if (names.length) this.more.tools = names.map(t => ({ name: t, description: tools[t].description, input_schema: schema(t) }))
    if (s.cache) {
      this.more.system = [{ type: 'text', text: system, ...mark }]
      Object.assign(this.more.tools.at(-1), mark)
    }
    if (s.think) this.more.thinking = { type: 'enabled', budget_tokens: 1024 }
    const edit = s.clear ? 'clear_tool_uses_20250919' : s.compact ? 'compact_20260112' : ''
    if (edit) {
      this.api = api.beta.messages
      Object.assign(this.more, { betas: ['context-management-2025-06-27', 'compact-2026-01-12'], context_management: { edits: [{ type: edit }] } })
    }
  }

  ask (text, picture) {
    return this.call(picture ? [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }, { type: 'text', text }] : text)
  }

  results (results) {
    return this.call(results.map(([id, , text]) => ({ type: 'tool_result', tool_use_id: id, content: text })))
  }

  async call (content) {
    if (this.s.cache) { // the mark moves to the last message
      for (const m of this.messages) if (Array.isArray(m.content)) for (const block of m.content) delete block.cache_control
      if (typeof content === 'string') content = [{ type: 'text', text: content }]
      Object.assign(content.at(-1), mark)
    }
    this.messages.push({ role: 'user', content })
    const args = { model: model.anthropic, messages: this.messages, ...this.more }
    const answer = this.s.stream ? await this.api.stream(args).finalMessage() : await this.api.create(args)
    this.messages.push({ role: 'assistant', content: answer.content })
    return [answer.content.filter(b => b.type === 'text').map(b => b.text).join(''), answer.content.filter(b => b.type === 'tool_use').map(b => [b.id, b.name, b.input])]
  }
}

export const sdk = '@anthropic-ai/sdk'

async function run (s, url, fetch, { Anthropic }) {
  const api = new Anthropic({ baseURL: url, apiKey: 'none', ...(fetch ? { fetch } : {}) })
  await converse((system, names) => new Messages(api, s, system, names), s.system, s.tools, s.turns)
}

export const apis = { messages: [run, ['chained']] }
