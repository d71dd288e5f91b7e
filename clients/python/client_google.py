"""The SDK of Google: generateContent."""
import base64

from google import genai
from google.genai import types

from common import IMAGE, MODEL, TOOLS, converse, schema

PACKAGE = "google-genai"


class Contents:
    def __init__(self, api, s, system, tools):
        self.api, self.s, self.contents, self.turns = api, s, [], 0
        declarations = [{"name": t, "description": TOOLS[t]["description"], "parameters": schema(t)} for t in tools]
        self.config = types.GenerateContentConfig(
            system_instruction=system, tools=[{"function_declarations": declarations}] if tools else None,
            thinking_config={"include_thoughts": True} if s.get("think") else None)

    def ask(self, text, picture):
        self.turns += 1
        if self.s.get("compact") and self.turns == 3:  # the client's own: its summary stands for what left
            self.contents[:-1] = [types.Content(role="user", parts=[types.Part(text="So far: ferries at 08:15 and 17:40.")])]
        image = [types.Part.from_bytes(data=base64.b64decode(IMAGE), mime_type="image/png")] if picture else []
        return self.call([types.Part(text=text), *image])

    def results(self, results):
        return self.call([types.Part.from_function_response(name=name, response={"result": text}) for _, name, text in results])

    def call(self, parts):
        self.contents.append(types.Content(role="user", parts=parts))
        arguments = {"model": MODEL["google"], "contents": self.contents, "config": self.config}
        if self.s.get("stream"):
            chunks = list(self.api.models.generate_content_stream(**arguments))
            got = [p for c in chunks for p in c.candidates[0].content.parts or []]
        else:
            got = self.api.models.generate_content(**arguments).candidates[0].content.parts
        self.contents.append(types.Content(role="model", parts=got))
        calls = [p.function_call for p in got if p.function_call]
        return "".join(p.text for p in got if p.text and not p.thought), [(c.id, c.name, c.args) for c in calls]


def run(s, url, dump):
    import httpx
    retry = types.HttpRetryOptions(attempts=4, initial_delay=0.01, max_delay=0.02, http_status_codes=[429, 500, 529])
    api = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=url, retry_options=retry, httpx_client=dump.client(httpx.Client)))
    converse(lambda system, tools: Contents(api, s, system, tools), s["system"], s["tools"], s["turns"])


APIS = {"generate": (run, {"clearing", "chained"})}
