"""What is hard to record: streams that the client cuts, huge bodies, sessions at a time, requests that are
canceled. The SDKs of OpenAI and Anthropic do it under "pactkit record"; what they are answered is not checked.

usage: hard.py STUB, such as hard.py http://127.0.0.1:8000"""
import asyncio
import concurrent.futures
import os
import sys

import anthropic
import openai

TIMES = int(os.environ.get("TIMES", 1)) * 15


def chat(kind, n):
    api = openai.OpenAI(base_url=f"{sys.argv[1]}/openai.{n}/{kind}/v1", api_key="none", max_retries=0)
    return lambda text, **more: api.chat.completions.create(model="gpt-5-stub", messages=[{"role": "user", "content": text}], **more)


def messages(kind, n):
    api = anthropic.Anthropic(base_url=f"{sys.argv[1]}/anthropic.{n}/{kind}", api_key="none", max_retries=0)
    return lambda text, **more: api.messages.create(model="claude-stub", max_tokens=100, messages=[{"role": "user", "content": text}], **more)


def cut(make, n):
    stream = make("cut", n)(f"Cut {n}.", stream=True)
    next(iter(stream))
    stream.close()


def huge(make, n):
    make("huge", n)(f"{n} " + "a \"line\" of ünïcode\n" * 50_000)


def at_once(make):
    def session(n):
        ask = make("at_once", n)
        for turn in range(5):
            ask(f"Session {n}, turn {turn}.", stream=turn % 2 == 0)
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        list(pool.map(session, range(TIMES)))


async def cancel(numbers):
    hello = lambda n: [{"role": "user", "content": f"Cancel {n}."}]
    tasks = []
    for n in numbers:
        openais = openai.AsyncOpenAI(base_url=f"{sys.argv[1]}/openai.{n}/cancel/v1", api_key="none", max_retries=0)
        anthropics = anthropic.AsyncAnthropic(base_url=f"{sys.argv[1]}/anthropic.{n}/cancel", api_key="none", max_retries=0)
        tasks.append(asyncio.create_task(openais.chat.completions.create(model="gpt-5-stub", messages=hello(n))))
        tasks.append(asyncio.create_task(anthropics.messages.create(model="claude-stub", max_tokens=100, messages=hello(n))))
    await asyncio.sleep(2)  # until the stub has them
    for t in tasks:
        t.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


for make in (chat, messages):
    for n in range(TIMES):
        cut(make, n)
    for n in range(TIMES):
        huge(make, n)
    at_once(make)
for n in range(0, TIMES, 5):
    asyncio.run(cancel(range(n, min(n + 5, TIMES))))
