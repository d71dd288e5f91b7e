"""Pydantic AI, with the spans that it writes itself."""
import base64

from pydantic_ai import Agent, BinaryContent, Tool

from common import IMAGE, MODEL, TABLE, TOOLS, schema, words


def tool(model, s, name):
    argument = TOOLS[name]["argument"]

    async def use(**args):
        if name != "research":
            return TOOLS[name]["result"]
        return await converse(model, s, TABLE["agent"]["system"], TABLE["agent"]["tools"], [args[argument]])
    return Tool.from_schema(use, name=name, description=TOOLS[name]["description"], json_schema=schema(name))


async def converse(model, s, system, tools, turns):
    agent = Agent(model, instructions=system, tools=[tool(model, s, t) for t in tools])
    history, text = [], ""
    for turn in turns:
        said, picture = words(turn)
        prompt = [said, BinaryContent(base64.b64decode(IMAGE), media_type="image/png")] if picture else said
        if s.get("stream"):
            async with agent.run_stream(prompt, message_history=history) as result:
                text = await result.get_output()
                history = result.all_messages()
        else:
            result = await agent.run(prompt, message_history=history)
            history, text = result.all_messages(), result.output
    return text


def run(model):
    def with_model(s, url, dump):
        import asyncio
        asyncio.run(converse(model(s, url, dump), s, s["system"], s["tools"], s["turns"]))
    return with_model


def openai(url, dump):
    import openai as sdk
    from pydantic_ai.providers.openai import OpenAIProvider
    return OpenAIProvider(openai_client=sdk.AsyncOpenAI(base_url=url + "/v1", api_key="none", http_client=dump.aclient(sdk.DefaultAsyncHttpxClient)))


def chat(s, url, dump):
    from pydantic_ai.models.openai import OpenAIChatModel
    return OpenAIChatModel(MODEL["openai"], provider=openai(url, dump))


def responses(s, url, dump):
    from pydantic_ai.models.openai import OpenAIResponsesModel
    return OpenAIResponsesModel(MODEL["openai"], provider=openai(url, dump))


def messages(s, url, dump):
    import anthropic as sdk
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider
    client = sdk.AsyncAnthropic(base_url=url, api_key="none", http_client=dump.aclient(sdk.DefaultAsyncHttpxClient))
    settings = {"anthropic_thinking": {"type": "enabled", "budget_tokens": 1024}} if s.get("think") else None
    return AnthropicModel(MODEL["anthropic"], provider=AnthropicProvider(anthropic_client=client), settings=settings)


CANNOT = {"clearing", "compaction", "chained"}
APIS = {"chat": (run(chat), CANNOT), "responses": (run(responses), CANNOT), "messages": (run(messages), CANNOT)}
