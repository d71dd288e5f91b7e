// The AI SDK of Vercel, which has the loop of an agent, with the providers of OpenAI, Anthropic and Google.
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { image, model, schema, table, tools, words } from './common.mjs'

async function converse (make, s, system, names, turns) {
  const messages = []
  const list = Object.fromEntries(names.map(name => [name, tool({
    description: tools[name].description,
    inputSchema: jsonSchema(schema(name)),
    execute: async args => name === 'research'
      ? converse(make, s, table.agent.system, table.agent.tools, [args[tools[name].argument]])
      : tools[name].result
  })]))
  let text = ''
  for (const turn of turns) {
    const [said, picture] = words(turn)
    messages.push({ role: 'user', content: picture ? [{ type: 'text', text: said }, { type: 'image', image, mediaType: 'image/png' }] : said })
    const args = {
      ...make(s), system, messages, ...(names.length ? { tools: list } : {}), stopWhen: stepCountIs(9), maxRetries: 3, experimental_telemetry: { isEnabled: true }
    }
    const got = s.stream ? await streamText(args) : await generateText(args)
    if (s.stream) await got.consumeStream()
    text = await got.text
    messages.push(...(await got.response).messages)
  }
  return text
}

// By API: the provider of a conversation, and the scenarios that it cannot do.
const kinds = {
  chat: async url => {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return () => ({ model: createOpenAI({ baseURL: url + '/v1', apiKey: 'none' }).chat(model.openai) })
  },
  responses: async url => {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return s => ({ model: createOpenAI({ baseURL: url + '/v1', apiKey: 'none' }).responses(model.openai), providerOptions: { openai: { store: false, ...(s.think ? { reasoningSummary: 'auto', include: ['reasoning.encrypted_content'] } : {}) } } })
  },
  messages: async url => {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return s => ({ model: createAnthropic({ baseURL: url + '/v1', apiKey: 'none' })(model.anthropic), ...(s.think ? { providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } } } : {}) })
  },
  generate: async url => {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
    return s => ({ model: createGoogleGenerativeAI({ baseURL: url + '/v1beta', apiKey: 'none' })(model.google), ...(s.think ? { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } } : {}) })
  }
}

const run = kind => async (s, url) => {
  await converse(await kinds[kind](url), s, s.system, s.tools, s.turns)
}

export const apis = Object.fromEntries(Object.keys(kinds).map(kind => [kind, [run(kind), ['clearing', 'compaction', 'chained', 'errors']]]))
