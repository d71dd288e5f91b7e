"""The Agents SDK of OpenAI, over chat completions and Responses."""
import asyncio
import json

import agents
import openai

from common import IMAGE, MODEL, TABLE, TOOLS, Dump, schema, words


def tool(model, s, name):
    async def use(context, args):
        if name != "research":
            return TOOLS[name]["result"]
        return await converse(model, s, "assistant", TABLE["agent"]["system"], TABLE["agent"]["tools"], [json.loads(args)[TOOLS[name]["argument"]]])
    return agents.FunctionTool(name=name, description=TOOLS[name]["description"], params_json_schema=schema(name), on_invoke_tool=use, strict_json_schema=False)


async def converse(model, s, name, system, tools, turns):
    agent = agents.Agent(name=name, instructions=system, model=model, tools=[tool(model, s, t) for t in tools])
    items, text = [], ""
    for turn in turns:
        said, picture = words(turn)
        parts = [{"type": "input_text", "text": said}, {"type": "input_image", "image_url": "data:image/png;base64," + IMAGE, "detail": "auto"}]
        items.append({"role": "user", "content": parts if picture else said})
        if s.get("stream"):
            result = agents.Runner.run_streamed(agent, items)
            async for _ in result.stream_events():
                pass
        else:
            result = await agents.Runner.run(agent, items)
        items, text = result.to_input_list(), result.final_output
    return text


def run(kind):
    def with_kind(s, url, dump):
        if isinstance(dump, Dump):  # no traces to its vendor
            agents.set_trace_processors([])
        client = openai.AsyncOpenAI(base_url=url + "/v1", api_key="none", http_client=dump.aclient(openai.DefaultAsyncHttpxClient))
        asyncio.run(converse(kind(MODEL["openai"], client), s, "planner", s["system"], s["tools"], s["turns"]))
    return with_kind


CANNOT = {"clearing", "compaction", "chained"}
APIS = {"chat": (run(agents.OpenAIChatCompletionsModel), CANNOT), "responses": (run(agents.OpenAIResponsesModel), CANNOT)}
