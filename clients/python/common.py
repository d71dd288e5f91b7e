"""What all clients share: the scenarios, the loop of an agent, and the two ways to record what it does."""
import contextlib
import datetime
import json
import os

TABLE = json.load(open(os.path.join(os.path.dirname(__file__), "..", "scenarios.json")))
MODEL, TOOLS, IMAGE = TABLE["model"], TABLE["tools"], TABLE["image"]


def schema(name):
    """The JSON schema of the arguments of a tool."""
    argument = TOOLS[name]["argument"]
    return {"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]}


def words(turn):
    """The text of a turn, and whether it has a picture."""
    return (turn, False) if isinstance(turn, str) else (turn["text"], turn.get("image", False))


def converse(make, system, tools, turns):
    """Has a conversation. make(system, tools) returns an object that calls the model: ask(text, picture) and
    results([(id, name, text)]) return the text of the answer and its calls, (id, name, arguments)."""
    chat = make(system, tools)
    text = ""
    for turn in turns:
        text, calls = chat.ask(*words(turn))
        while calls:
            text, calls = chat.results([(i, name, use(make, name, args)) for i, name, args in calls])
    return text


def use(make, name, args):
    """The result of a tool. That of an agent is its last answer."""
    if name != "research":
        return TOOLS[name]["result"]
    agent = TABLE["agent"]
    return converse(make, agent["system"], agent["tools"], [args[TOOLS[name]["argument"]]])


class Dump:
    """Writes requests and answers to a file, with hooks of the HTTP client of the SDKs."""

    def __init__(self, path):
        self.path = path

    def client(self, kind):
        """An HTTP client of the given kind, such as openai.DefaultHttpxClient, with the hook."""
        return kind(event_hooks={"response": [self.keep]})

    def aclient(self, kind):
        async def keep(response):
            await response.aread()
            self.write(response)
        return kind(event_hooks={"response": [keep]})

    def keep(self, response):
        response.read()  # of a stream, too
        self.write(response)

    def write(self, response):
        request, text = response.request, response.text
        with contextlib.suppress(ValueError):
            text = json.loads(text)
        with open(self.path, "a") as f:
            now = datetime.datetime.now(datetime.timezone.utc).isoformat()
            f.write(json.dumps({"time": now, "url": str(request.url), "request": json.loads(request.content), "status": response.status_code, "response": text}) + "\n")


class NoDump:
    """Records nothing: spans do."""

    def client(self, kind):
        return kind()

    aclient = client


class Spans:
    """Exports the spans of each scenario to a file of its own, as OTLP JSON."""

    def __init__(self):
        from opentelemetry import trace
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        self.provider, self.simple = TracerProvider(), SimpleSpanProcessor
        trace.set_tracer_provider(self.provider)
        self.tracer = self.provider.get_tracer("clients")
        self.provider.add_span_processor(self)
        self.current = None

    def on_start(self, span, parent_context=None):
        self.current.on_start(span, parent_context)

    def on_end(self, span):
        self.current.on_end(span)

    def _on_ending(self, span):
        pass

    def shutdown(self):
        pass

    def force_flush(self, timeout_millis=0):
        return True

    @contextlib.contextmanager
    def scenario(self, path):
        from opentelemetry.exporter.otlp.json.file.trace_exporter import FileSpanExporter
        self.current = self.simple(FileSpanExporter(path))
        with self.tracer.start_as_current_span("scenario"):
            yield
        self.current.shutdown()
