"""Writes the exports in this folder: the SDKs of OpenAI and Anthropic, instrumented, against a server on loopback that
answers from a script. truth.json has the bodies that the server was sent, by export.

usage: generate.py [KIND OUT], with the packages of requirements.txt
"""

import json, os, subprocess, sys, threading
from http.server import BaseHTTPRequestHandler, HTTPServer

KINDS = ["genai-openai", "genai-anthropic", "genai-responses", "events-openai", "openinference-openai"]
SYSTEM = "You are a terse weather assistant."
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
SENT = []


class Server(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        SENT.append(body)
        calls = len(SENT) == 1
        text = "It is 7C and raining in Oslo, naïve 東京." if len(SENT) == 2 else "Yes."
        if self.path.endswith("/chat/completions"):
            message = {"role": "assistant", "content": None if calls else text}
            if calls:
                message["tool_calls"] = [
                    {"id": f"call_{n}", "type": "function", "function": {"name": "get_weather", "arguments": json.dumps({"city": c})}}
                    for n, c in enumerate(["Oslo", "Bergen"], 1)]
            out = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": body["model"],
                   "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}],
                   "usage": {"prompt_tokens": 40, "completion_tokens": 9, "total_tokens": 49}}
        elif self.path.endswith("/responses"):
            item = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "get_weather", "arguments": "{\"city\":\"Oslo\"}", "status": "completed"}
            if not calls:
                item = {"type": "message", "id": f"msg_{len(SENT)}", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": text, "annotations": []}]}
            out = {"id": f"resp_{len(SENT)}", "object": "response", "created_at": 1, "status": "completed", "model": body["model"], "output": [item],
                   "parallel_tool_calls": True, "tool_choice": "auto", "tools": body.get("tools", []), "instructions": body.get("instructions"),
                   "usage": {"input_tokens": 40, "output_tokens": 9, "total_tokens": 49, "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}}
        else:
            content = [{"type": "text", "text": "Let me look."}, {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Oslo"}}] if calls else [{"type": "text", "text": text}]
            out = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": content,
                   "stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None, "usage": {"input_tokens": 40, "output_tokens": 9}}
        data = json.dumps(out).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def anthropic(url):
    import anthropic
    client = anthropic.Anthropic(base_url=url, api_key="x")
    tools = [{"name": "get_weather", "description": "Look up weather", "input_schema": SCHEMA}]
    messages = [{"role": "user", "content": "What is the weather in Oslo?"}]
    def ask():
        r = client.messages.create(model="claude-test", max_tokens=200, system=SYSTEM, tools=tools, messages=messages)
        messages.append({"role": "assistant", "content": [b.model_dump(exclude_none=True) for b in r.content]})
    ask()
    messages.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "7C rain"}]})
    ask()
    messages.append({"role": "user", "content": "Should I take an umbrella?"})
    ask()
    del messages[1:3]  # the result was trimmed
    messages.append({"role": "user", "content": "Sure?"})
    ask()


def openai_chat(url):
    import openai
    client = openai.OpenAI(base_url=url + "/v1", api_key="x")
    tools = [{"type": "function", "function": {"name": "get_weather", "description": "Look up weather", "parameters": SCHEMA}}]
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "What is the weather in Oslo and Bergen?"}]
    def ask(**more):
        r = client.chat.completions.create(model="gpt-test", messages=messages, temperature=0.2, max_tokens=100, **more)
        messages.append(r.choices[0].message.model_dump(exclude_none=True))
    ask(tools=tools)
    messages.append({"role": "tool", "tool_call_id": "call_1", "content": "7C rain"})
    messages.append({"role": "tool", "tool_call_id": "call_2", "content": "9C sun"})
    ask(tools=tools)
    messages.append({"role": "user", "content": "Should I take an umbrella?"})
    ask(tools=tools)
    messages[3]["content"] = "[removed]"  # a result was cleared
    messages.append({"role": "user", "content": [{"type": "text", "text": "Sure?"}]})
    ask()


def openai_responses(url):
    import openai
    client = openai.OpenAI(base_url=url + "/v1", api_key="x")
    tools = [{"type": "function", "name": "get_weather", "description": "Look up weather", "parameters": SCHEMA, "strict": True}]
    items = [{"role": "user", "content": "What is the weather in Oslo?"}]
    def ask():
        r = client.responses.create(model="gpt-test", instructions=SYSTEM, tools=tools, input=items)
        items.extend(i.model_dump(exclude_none=True) for i in r.output)
    ask()
    items.append({"type": "function_call_output", "call_id": "call_1", "output": "7C rain"})
    ask()
    items.append({"role": "user", "content": "Should I take an umbrella?"})
    ask()


def write(kind, out):
    if kind.startswith("genai"):
        os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
        os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"
    else:
        os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "true"
    from opentelemetry import trace, _logs
    from opentelemetry.exporter.otlp.json.file.trace_exporter import FileSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    resource = Resource({"service.name": "weather"})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(SimpleSpanProcessor(FileSpanExporter(out + ".spans.jsonl")))
    trace.set_tracer_provider(provider)
    more = {}
    if kind.startswith("events"):
        from opentelemetry.exporter.otlp.json.file._log_exporter import FileLogExporter
        from opentelemetry.sdk._logs import LoggerProvider
        from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
        logs = LoggerProvider(resource=resource)
        logs.add_log_record_processor(SimpleLogRecordProcessor(FileLogExporter(out + ".logs.jsonl")))
        _logs.set_logger_provider(logs)
        more["logger_provider"] = logs
        from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor as Instrumentor
    elif kind == "genai-anthropic":
        from opentelemetry.instrumentation.genai.anthropic import AnthropicInstrumentor as Instrumentor
    elif kind.startswith("genai"):
        from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor as Instrumentor
    else:
        from openinference.instrumentation.openai import OpenAIInstrumentor as Instrumentor
    Instrumentor().instrument(tracer_provider=provider, **more)
    server = HTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    with trace.get_tracer("app").start_as_current_span("turn"):
        (anthropic if kind.endswith("anthropic") else openai_responses if kind.endswith("responses") else openai_chat)(url)
    provider.shutdown()
    server.shutdown()
    print(json.dumps(SENT))


if len(sys.argv) > 2:
    write(*sys.argv[1:])
else:
    here = os.path.dirname(os.path.abspath(__file__))
    truth = {}
    for kind in KINDS:
        for end in (".spans.jsonl", ".logs.jsonl"):
            if os.path.exists(os.path.join(here, kind + end)):
                os.remove(os.path.join(here, kind + end))
        made = subprocess.run([sys.executable, __file__, kind, os.path.join(here, kind)], check=True, stdout=subprocess.PIPE)
        truth[kind] = json.loads(made.stdout)
    with open(os.path.join(here, "truth.json"), "w") as f:
        json.dump(truth, f, ensure_ascii=False, indent=1)
