"""LangGraph: its prebuilt agent, with the models of LangChain for OpenAI and Anthropic."""
from langchain_core.messages import HumanMessage
from langchain_core.tools import StructuredTool
from langgraph.prebuilt import create_react_agent

from common import IMAGE, MODEL, TABLE, TOOLS, schema, words


def tool(model, s, name):
    argument = TOOLS[name]["argument"]

    def use(**args):
        if name != "research":
            return TOOLS[name]["result"]
        return converse(model, s, TABLE["agent"]["system"], TABLE["agent"]["tools"], [args[argument]])
    return StructuredTool.from_function(func=use, name=name, description=TOOLS[name]["description"], args_schema=schema(name))


def converse(model, s, system, tools, turns):
    agent = create_react_agent(model, [tool(model, s, t) for t in tools], prompt=system)
    messages = []
    for turn in turns:
        text, picture = words(turn)
        parts = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": "data:image/png;base64," + IMAGE}}]
        messages.append(HumanMessage(parts if picture else text))
        if s.get("stream"):
            for state in agent.stream({"messages": messages}, stream_mode=["messages", "values"]):
                if state[0] == "values":
                    messages = state[1]["messages"]
        else:
            messages = agent.invoke({"messages": messages})["messages"]
    return messages[-1].text


def chat(s, url, dump):
    import openai
    from langchain_openai import ChatOpenAI
    model = ChatOpenAI(model=MODEL["openai"], base_url=url + "/v1", api_key="none", use_responses_api=False, stream_usage=True,
                       http_client=dump.client(openai.DefaultHttpxClient))
    converse(model, s, s["system"], s["tools"], s["turns"])


def messages(s, url, dump):
    from langchain_anthropic import ChatAnthropic
    thinking = {"thinking": {"type": "enabled", "budget_tokens": 1024}} if s.get("think") else {}
    model = ChatAnthropic(model=MODEL["anthropic"], base_url=url, api_key="none", max_tokens=2000, **thinking)
    converse(model, s, s["system"], s["tools"], s["turns"])


CANNOT = {"clearing", "compaction", "chained"}
APIS = {"chat": (chat, CANNOT), "messages": (messages, CANNOT)}
