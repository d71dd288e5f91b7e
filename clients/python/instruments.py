"""The instrumentations: how each is switched on for a client, as its page says."""
import os

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"
os.environ["TRACELOOP_TRACE_CONTENT"] = "true"

# By client and recorder: the distribution, for the table of versions, its module and its class.
TABLE = {
    ("openai", "genai"): ("opentelemetry-instrumentation-genai-openai", "opentelemetry.instrumentation.genai.openai", "OpenAIInstrumentor"),
    ("openai", "openinference"): ("openinference-instrumentation-openai", "openinference.instrumentation.openai", "OpenAIInstrumentor"),
    ("openai", "traceloop"): ("opentelemetry-instrumentation-openai", "opentelemetry.instrumentation.openai", "OpenAIInstrumentor"),
    ("anthropic", "genai"): ("opentelemetry-instrumentation-genai-anthropic", "opentelemetry.instrumentation.genai.anthropic", "AnthropicInstrumentor"),
    ("anthropic", "openinference"): ("openinference-instrumentation-anthropic", "openinference.instrumentation.anthropic", "AnthropicInstrumentor"),
    ("anthropic", "traceloop"): ("opentelemetry-instrumentation-anthropic", "opentelemetry.instrumentation.anthropic", "AnthropicInstrumentor"),
    ("google", "genai"): ("opentelemetry-instrumentation-google-genai", "opentelemetry.instrumentation.google_genai", "GoogleGenAiSdkInstrumentor"),
    ("google", "openinference"): ("openinference-instrumentation-google-genai", "openinference.instrumentation.google_genai", "GoogleGenAIInstrumentor"),
    ("google", "traceloop"): ("opentelemetry-instrumentation-google-generativeai", "opentelemetry.instrumentation.google_generativeai", "GoogleGenerativeAiInstrumentor"),
    ("langgraph", "genai"): ("opentelemetry-instrumentation-genai-langchain", "opentelemetry.instrumentation.genai.langchain", "LangChainInstrumentor"),
    ("langgraph", "openinference"): ("openinference-instrumentation-langchain", "openinference.instrumentation.langchain", "LangChainInstrumentor"),
    ("langgraph", "traceloop"): ("opentelemetry-instrumentation-langchain", "opentelemetry.instrumentation.langchain", "LangchainInstrumentor"),
    ("agents", "genai"): ("opentelemetry-instrumentation-genai-openai-agents", "opentelemetry.instrumentation.genai.openai_agents", "OpenAIAgentsInstrumentor"),
    ("agents", "openinference"): ("openinference-instrumentation-openai-agents", "openinference.instrumentation.openai_agents", "OpenAIAgentsInstrumentor"),
}


def switch_on(client, recorder, provider):
    import importlib
    if client == "pydantic":  # its own
        from pydantic_ai import Agent
        from pydantic_ai.models.instrumented import InstrumentationSettings
        Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))
        return
    if client == "agents":  # not to its vendor
        import agents
        agents.set_trace_processors([])
    _, module, name = TABLE[client, recorder]
    getattr(importlib.import_module(module), name)().instrument(tracer_provider=provider)
