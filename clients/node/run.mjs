// Runs the scenarios with one client and one recorder; TIMES of the environment says how many times.
//
// usage: run.mjs CLIENT API RECORDER STUB OUT, such as run.mjs openai chat dump http://127.0.0.1:8000 out
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Spans, dump, table } from './common.mjs'

const [client, api, recorder, stub, out] = process.argv.slice(2)
const name = `js-${client}-${api}-${recorder}`
mkdirSync(`${out}/${name}`, { recursive: true })
const { sdk, apis } = await import(`./${client}.mjs`)
const [run, cannot] = apis[api]
const spans = recorder === 'dump' ? undefined : await new Spans().start()
const require = createRequire(import.meta.url)
const module = sdk ? require(sdk) : {}
if (recorder === 'openinference') {
  const kinds = require('@arizeai/openinference-instrumentation-' + client)
  const instrumentation = new kinds[client === 'openai' ? 'OpenAIInstrumentation' : 'AnthropicInstrumentation']()
  instrumentation.setTracerProvider(spans.provider)
  instrumentation.manuallyInstrument(module.default ?? module)
}
if (client === 'vercel') {
  const { OpenTelemetry, LegacyOpenTelemetry } = await import('@ai-sdk/otel')
  const { registerTelemetry } = await import('ai')
  registerTelemetry(recorder === 'genai' ? new OpenTelemetry() : new LegacyOpenTelemetry())
}
// TIMES counts more for rare scenarios.
const paths = Object.entries(table.scenarios).flatMap(([scenario, s]) =>
  Array.from({ length: 1 + (Number(process.env.TIMES ?? 1) - 1) * (s.rare ?? 1) }, (_, n) => [`${name}${n ? '.' + n : ''}/${scenario}`, scenario, s]))
for (const [path, scenario, s] of paths) {
  if (cannot.includes(scenario)) continue
  const log = `${out}/${name}/${scenario}.jsonl`
  const url = `${stub}/${path}`
  try {
    if (spans) await spans.scenario(log, () => run(s, url, undefined, module))
    else await run(s, url, dump(log), module)
  } catch (e) { // the last answer of "errors" is one
    if (!String(e.message + JSON.stringify(e)).includes('planned error 400')) throw e
  }
}
