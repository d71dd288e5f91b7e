from __future__ import annotations

import asyncio
import copy
import dataclasses
import gc
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import pactsel

CLOCK = "2026-01-02T03:04:05Z"
END = "(d0,0, end)"


@pytest.fixture
def worker() -> Iterator[pactsel.Worker]:
    with pactsel.Worker(timeout=30) as w:
        yield w


@pytest.fixture
def store(tmp_path: Path) -> str:
    return f"file:{tmp_path}#a"


def kill(worker: pactsel.Worker) -> None:
    process = worker._process
    assert process is not None
    process.kill()
    process.wait()


def response(text: str, tokens: int = 12) -> dict[str, Any]:
    return {"role": "assistant", "model": "m", "content": [{"type": "text", "text": text}], "usage": {"input_tokens": tokens, "output_tokens": 5}}


def test_turn(store: str, worker: pactsel.Worker) -> None:
    with pactsel.context(store, worker=worker) as ctx:
        ctx.insert("(^sys, end)", role="system", text="Be kind.")
        node = ctx.insert(END, role="user", text="Where is my order?", members={"acme:cost": 3})
        assert node is not None and node.text == "Where is my order?" and node["acme:cost"] == 3
        request = ctx.render("anthropic")
        assert request == {"system": "Be kind.", "messages": [{"role": "user", "content": "Where is my order?"}]}
        answer = ctx.answer(response("On its way."))
        assert [n.text for n in answer.nodes] == ["On its way."]
        assert answer.usage == {"input": 12, "output": 5}
        assert answer.commit == ctx.last == pactsel.Commit(1)
        assert ctx.state == pactsel.State(2, 1, "1.0")
        assert ctx.select(".block+assistant").texts == ["On its way."]
        assert ctx.calls()[0]["tokens"]["in"] == 12
        assert ctx.changes("@t0..@t-1 .block")["diffs"][0].get("added_ids") == [answer.nodes[0].id]
    with pactsel.context(store, must="exist", worker=worker) as again:
        assert again.select(".block+assistant").texts == ["On its way."]
    history = pactsel.open(store)
    assert [call["model"] for call in history.calls()] == ["m"]


def test_tools(worker: pactsel.Worker) -> None:
    """A call and its result are in one turn, and the final answer seals it."""
    with pactsel.context(worker=worker) as ctx:
        ctx.insert(END, role="user", text="Read a.")
        ctx.render("openai", fit=True)
        call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"name":"a"}'}}
        ctx.answer({"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [call]}}]})
        assert len(ctx.select("^seq .block")) == 0
        ctx.add([{"role": "tool", "tool_call_id": "c1", "content": "A text."}], "openai")
        assert [m["role"] for m in ctx.render("openai", fit=True)] == ["user", "assistant", "tool"]
        ctx.answer({"choices": [{"message": {"role": "assistant", "content": "It is a text."}}]})
        assert ctx.select("^seq .block").texts == ["Read a.", '{"name":"a"}', "A text.", "It is a text."]
        assert len(ctx.render("openai", at="@t-1")) == 3


def test_mutations(worker: pactsel.Worker) -> None:
    with pactsel.context(worker=worker) as ctx:
        ctx.insert(END, key="plan", text="old", ttl=1)
        replaced = ctx.replace("#plan", text="new", ttl=1)
        assert replaced is not None and replaced.text == "new"
        assert ctx.delete("#none?") is None
        pinned = ctx.pin("#plan")
        assert pinned is not None and pinned["pinned"] is True
        ctx.step(3)
        assert ctx.select("#plan").texts == ["new"]
        ctx.unpin("#plan")
        assert [(c.id, c.cause) for c in ctx.step().left] == [(pinned.id, "expired")]
        held = ctx.insert(END, text="held", ttl=1)
        assert held is not None
        ctx.hold(held)
        ctx.step(3)
        ctx.release(held.id)
        assert [c.id for c in ctx.step().left] == [held.id]
        moved = ctx.insert(END, text="moved")
        assert moved is not None
        ctx.move(moved, "(d0, end)")
        ctx.describe({"event": {"kind": "edit"}})
        ctx.seal()
        ctx.step()
        ctx.checkpoint()
        with pytest.raises(pactsel.PactkitError) as e:
            ctx.replace("#none", text="x")
        assert e.value.code == "E_NOT_FOUND"
        with pytest.raises(pactsel.SelectorError):
            ctx.insert("(d0", text="x")


def test_policy(worker: pactsel.Worker) -> None:
    asked: list[int] = []

    def summarise(nodes: Sequence[pactsel.Node]) -> str:
        asked.append(len(nodes))
        return "numbers"

    policy: pactsel.Policy = {"window": 20, "step": [{"summarise": "^seq .block"}]}
    with pactsel.context(policy=policy, summarise=summarise, worker=worker) as ctx:
        ctx.insert(END, role="user", text="one two three " * 10)
        commit = ctx.commit()
        assert asked == [1] and commit.policy is not None and commit.policy.before > 20 >= commit.policy.after
        assert [(c.cause, c.rule, c.trigger) for c in commit.left] == [("compacted", "summarise ^seq .block", "budget")]
        assert commit.left[0].saved > 0 and commit.left[0].by is not None
        assert ctx.select(".summary").texts == ["numbers"]
        ctx.policy({"window": 20, "step": [{"drop": "^seq .block"}]})
        ctx.insert(END, role="user", text="four five six " * 10)
        assert {c.cause for c in ctx.shrink(1000).left} == {"pruned"}
        with pytest.raises(pactsel.PactkitError) as e:
            ctx.policy({"step": [{"drop": ".block("}]})
        assert e.value.at == "$.policy.step[0].drop"

    def fail(nodes: Sequence[pactsel.Node]) -> str:
        raise RuntimeError("the model is busy")

    with pactsel.context(policy=policy, summarise=fail, worker=worker) as ctx:
        ctx.insert(END, role="user", text="one two three " * 10)
        with pytest.warns(pactsel.ContextWarning, match="the model is busy"):
            ctx.commit()
        assert len(ctx.select(".block")) == 1


@pytest.mark.parametrize("made", [object(), float("nan"), "\ud800", [1], None])
def test_malformed_summary(worker: pactsel.Worker, made: Any) -> None:
    """What cannot be a summary is one that failed, and the next requests have their own answers."""
    policy: pactsel.Policy = {"window": 5, "step": [{"summarise": ".block"}]}
    with pactsel.context(policy=policy, summarise=lambda nodes: made, worker=worker) as ctx:
        ctx.insert(END, role="user", text="one two three " * 10)
        with pytest.warns(pactsel.ContextWarning, match="summarise .block: "):
            ctx.commit()
        assert len(ctx.select(".block")) == 1 and worker.starts == 1


def test_text_and_content(worker: pactsel.Worker) -> None:
    with pactsel.context(worker=worker) as ctx, pytest.raises(TypeError, match="text or content"):
        ctx.insert(END, role="user", text="one", content="two")


def test_summary_must_not_ask(worker: pactsel.Worker) -> None:
    """A summary that uses its own context fails, and does not wait forever."""

    def summarise(nodes: Sequence[pactsel.Node]) -> str:
        return ctx.select(".block").texts[0]

    with pactsel.context(policy={"window": 5, "step": [{"summarise": ".block"}]}, summarise=summarise, worker=worker) as ctx:
        ctx.insert(END, role="user", text="one two three " * 10)
        with pytest.warns(pactsel.ContextWarning, match="must not use the worker"):
            ctx.commit()


def test_names(tmp_path: Path, worker: pactsel.Worker) -> None:
    """A wrong name of a history or of a node is an error that says so."""
    with pactsel.context(f"file:{tmp_path}#a/b", worker=worker) as ctx:
        ctx.insert(END, role="user", text="one")
        ctx.commit()
        with pytest.raises(pactsel.Conflict, match="exists; choose another name"):
            ctx.fork("a/b")
        with pytest.raises(pactsel.PactkitError, match="in the store of its base; write only its name"):
            ctx.fork(f"file:{tmp_path}#c")
        with pytest.raises(pactsel.PactkitError, match="of the same store; write its id"):
            ctx.attach(END, f"file:{tmp_path}#c", ".block")
        with pytest.raises(TypeError, match="not by NoneType"):
            ctx.delete(None)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="not by NoneType"):
            ctx.hold(None)  # type: ignore[arg-type]
        assert ctx.fork("a/c").select(".block").texts == ["one"]
        assert ctx.fork("../d").select(".block").texts == ["one"]
    assert not (tmp_path.parent / "d.jsonl").exists()


UNUSUAL = ["a/b", "a//b", "/", "a/", "..", ".", "a/../a/b", "../../etc/passwd", " a ", "a@b", "a@c1", "a#b", "50%", "%2e", "C:\\x", "con", "会話", "🙂\u202e", "\n", "x" * 600]


def test_unusual_names(tmp_path: Path, worker: pactsel.Worker) -> None:
    """Every name is that of a history of its own, in the folder of the store, however it is opened."""
    store = f"file:{tmp_path}/store"
    base = pactsel.context(f"{store}#base", worker=worker)
    base.insert(END, role="user", text="base")
    base.commit()
    addresses = {}
    for name in UNUSUAL:
        with base.fork(name) as fork:
            fork.insert(END, role="user", text=name)
            fork.commit()
            addresses[name] = fork.address
            assert "@" not in fork.address, "an @ can be that of a password"
    for name, address in addresses.items():
        assert pactsel.open(address, worker=worker).select("^seq .block").texts == ["base", name]
        with pactsel.context(address, must="exist", worker=worker) as again:
            assert again.rewind("@c1", keep=name + "~") == name + "~"
            assert again.select("^seq .block").texts == ["base"]
        assert pactsel.open(address + "~", worker=worker).select("^seq .block").texts == ["base", name]
    assert os.listdir(tmp_path) == ["store"]
    base.close()


def test_asynchronous_summary(worker: pactsel.Worker) -> None:
    """A summary may be a coroutine. It runs in the loop of the caller, which is not blocked, and must not ask its context."""
    policy: pactsel.Policy = {"window": 20, "step": [{"summarise": ".block"}]}
    text = "one two three " * 10
    loops: list[asyncio.AbstractEventLoop] = []

    async def summarise(nodes: Sequence[pactsel.Node]) -> str:
        await asyncio.sleep(0)
        loops.append(asyncio.get_running_loop())
        return f"{len(nodes)} left"

    async def run(timeout: float | None) -> None:
        async with pactsel.context(policy=policy, summarise=summarise, worker=worker, timeout=timeout) as ctx:
            await ctx.insert(END, role="user", text=text)
            assert (await ctx.commit()).left
            assert (await ctx.select(".summary")).texts == ["1 left"] and loops == [asyncio.get_running_loop()]

    for timeout in (None, 30):
        loops.clear()
        asyncio.run(run(timeout))
    with pactsel.context(policy=policy, summarise=summarise, worker=worker) as ctx:
        ctx.insert(END, role="user", text=text)
        assert ctx.commit().left and ctx.select(".summary").texts == ["1 left"]

    async def ask() -> None:
        async def select(nodes: Sequence[pactsel.Node]) -> str:
            return (await own.select(".block")).texts[0]

        async with pactsel.context(policy=policy, summarise=select, worker=worker) as own:
            await own.insert(END, role="user", text=text)
            with pytest.warns(pactsel.ContextWarning, match="must not use the worker"):
                await own.commit()
            assert len(await own.select(".block")) == 1

    asyncio.run(ask())


def test_fork(store: str, worker: pactsel.Worker) -> None:
    for address, name in ((store, "b"), ("memory:", None)):
        ctx = pactsel.context(address, worker=worker)
        for text in ("one", "two"):
            ctx.insert(END, role="user", text=text)
            ctx.commit()
        fork = ctx.fork(name, at="@c1")
        fork.insert(END, role="user", text="three")
        fork.commit()
        assert fork.select("^seq .block").texts == ["one", "three"]
        kept = ctx.rewind("@c1")
        assert (kept is None) == (address == "memory:")
        assert ctx.select("^seq .block").texts == ["one"]
        if kept:
            assert pactsel.open(f"{address[:-1]}{kept}").select("^seq .block").texts == ["one", "two"]
            assert fork.address.endswith("#b")
        ctx.close()
        fork.close()


def test_conflict(store: str, worker: pactsel.Worker) -> None:
    with pactsel.context(store, worker=worker) as a, pactsel.context(store) as b:
        a.insert(END, role="user", text="a")
        b.insert(END, role="user", text="b")
        made = a.commit()
        with pytest.raises(pactsel.Conflict) as e:
            b.commit()
        assert e.value.code == "E_STORE_CONFLICT" and e.value.hint
        assert e.value.changed is not None and e.value.changed["newest"] == made.cycle
        again = pickle.loads(pickle.dumps(e.value))
        assert again.changed == e.value.changed and str(again) == str(e.value)
        assert b.select(".block").texts == ["b"], "the working state is as before"
        b.reload()
        assert b.select(".block").texts == ["a"]


def test_warnings(worker: pactsel.Worker) -> None:
    with pactsel.context(worker=worker) as ctx:
        with pytest.warns(pactsel.ContextWarning, match="namespace") as caught:
            ctx.insert(END, text="x", members={"cost": 1})
        assert caught[0].filename == __file__
        with pytest.warns(pactsel.SelectorWarning, match="user"):
            ctx.select(".block+usr")


def test_values(store: str) -> None:
    ctx = pactsel.context(store)
    ctx.insert(END, role="user", text="x")
    commit = ctx.commit()
    assert dataclasses.asdict(commit)["cycle"] == 1
    assert copy.deepcopy(commit) == commit == pickle.loads(pickle.dumps(commit))
    with pickle.loads(pickle.dumps(ctx)) as other, copy.copy(ctx) as third:
        assert other.select(".block").texts == third.select(".block").texts == ["x"]
    history = pickle.loads(pickle.dumps(ctx.history))
    assert history.select(".block").texts == ["x"]
    ctx.close()
    with pytest.raises(TypeError):
        pickle.dumps(pactsel.context())
    with pytest.raises(pactsel.PactkitError):
        pactsel.context("file:sessions")


def test_async(store: str) -> None:
    async def one(n: int) -> str:
        async with pactsel.context() as ctx:
            await ctx.insert(END, role="user", text=str(n))
            request = await ctx.render("openai")
            await ctx.answer({"choices": [{"message": {"role": "assistant", "content": "yes"}}]})
            assert ctx.last.cycle == 1 and (await ctx.state()).newest == 1
            fork = await ctx.fork(at="@c1")
            assert (await fork.select(".block")).texts == [str(n), "yes"]
            return str(request[0]["content"])

    async def many() -> list[str]:
        return await asyncio.gather(*(one(n) for n in range(20)))

    assert asyncio.run(many()) == [str(n) for n in range(20)]


def test_death(store: str, worker: pactsel.Worker) -> None:
    ctx, memory = pactsel.context(store, worker=worker), pactsel.context(worker=worker)
    ctx.insert(END, role="user", text="one")
    ctx.commit()
    memory.insert(END, role="user", text="one")
    kill(worker)
    assert ctx.select(".block").texts == ["one"], "nothing was lost, and nobody is told"
    ctx.insert(END, role="user", text="two")
    kill(worker)
    with pytest.raises(pactsel.ContextLost) as e:
        ctx.commit()
    assert e.value.state == pactsel.State(2, 1, "1.0") and e.value.code == "E_CONTEXT_LOST"
    ctx.insert(END, role="user", text="two")
    assert ctx.commit().cycle == 2
    for _ in range(2):
        with pytest.raises(pactsel.ContextLost):
            memory.commit()


def test_kills(store: str) -> None:
    """A worker is killed at random while commits go on: what was answered is there, in order."""
    chance = random.Random(7)
    with pactsel.Worker(timeout=30) as worker:
        ctx = pactsel.context(store, worker=worker)
        done: list[str] = []
        unknown: set[str] = set()
        stop = threading.Event()

        def killer() -> None:
            while not stop.wait(chance.uniform(0.01, 0.1)):
                process = worker._process
                if process is not None:
                    os.kill(process.pid, signal.SIGKILL)

        thread = threading.Thread(target=killer)
        thread.start()
        try:
            for n in range(100):
                try:
                    ctx.insert(END, role="user", text=str(n))
                    ctx.commit()
                    done.append(str(n))
                except pactsel.WorkerDied:
                    unknown.add(str(n))
        finally:
            stop.set()
            thread.join()
        with pactsel.context(store, worker=worker) as ctx:
            texts = ctx.select("^seq .block").texts
    assert [t for t in texts if t not in unknown] == done
    assert len(texts) == len(set(texts))


def test_same_bytes(tmp_path: Path) -> None:
    """The same turns give the same journal, byte by byte, from Python as from the program."""
    turns = [
        ['{"insert":"(d0,0, end)","node":{"role":"user","content":"one","key":"k"}}', '{"commit":true}'],
        ['{"replace":"#k","node":{"key":"k","content":"two","ttl":2}}', '{"hold":"block:2"}', '{"step":true}'],
        ['{"delete":"#k"}', '{"insert":"(d0, )","node":{"content":{"a":[1.5,null]},"tag":"x","priority":3}}', '{"commit":true}'],
        ['{"commit":true}'],
    ]
    go, py = f"file:{tmp_path}/go#a", f"file:{tmp_path}/py#a"
    for n, turn in enumerate(turns):
        script = tmp_path / "script.jsonl"
        script.write_text("\n".join(turn))
        where = ["-f", go] if n else ["-o", go]
        subprocess.run([pactsel.binary(), "commit", "--script", script, "--clock", CLOCK, *where], check=True)
    with pactsel.context(py, clock=CLOCK, system=False) as ctx:
        ctx.insert(END, role="user", text="one", key="k")
        ctx.commit()
        ctx.replace("#k", key="k", text="two", ttl=2)
        ctx.hold("block:2")
        ctx.step()
        ctx.delete("#k")
        ctx.insert("(d0, )", content={"a": [1.5, None]}, tag="x", priority=3)
        ctx.commit()
        ctx.commit()
    written = (tmp_path / "py" / "a.jsonl").read_bytes()
    assert written == (tmp_path / "go" / "a.jsonl").read_bytes()


def test_many(worker: pactsel.Worker) -> None:
    contexts = [pactsel.context(worker=worker) for _ in range(1000)]
    for n, ctx in enumerate(contexts):
        ctx.insert(END, role="user", text=str(n))
        ctx.commit()
    assert contexts[999].select(".block").texts == ["999"]
    assert worker.starts == 1


def test_abandoned(worker: pactsel.Worker) -> None:
    """A context that nobody has any more is closed."""
    ctx = pactsel.context(worker=worker)
    ctx.insert(END, text="x")
    name, other = ctx._name, pactsel.context(worker=worker)
    del ctx
    gc.collect()
    other.insert(END, text="y")
    answer: Any = worker.ask({"id": 1, "context": name, "do": [{"commit": True}]})
    assert answer["error"]["code"] == "E_WORKER_CONTEXT"


# The methods of a context that ask the worker, with arguments.
ASKING: dict[str, tuple[Any, ...]] = {
    "insert": (END,), "replace": (".block",), "move": (".block", END), "delete": (".block",), "pin": (".block",), "unpin": (".block",),
    "hold": ("x",), "release": ("x",), "attach": (END, "b", "*"), "refresh": (), "stop": ("k",), "describe": ({},), "add": ([], "openai"),
    "render": ("openai",), "answer": ({},), "prepare": (), "complete": ({},), "commit": (), "step": (), "shrink": (1,), "seal": (), "checkpoint": (), "policy": (None,),
    "fork": ("b",), "rewind": ("@c1",), "reload": (), "select": (".block",), "select_all": ({"a": ".block"},), "explain": (".block",),
    "changes": (), "calls": (), "test": ("cases: []\n",), "result": ({"calls": True},),
}  # fmt: skip


@pytest.mark.parametrize("address", ["memory:", ""])
def test_closed(address: str, store: str, worker: pactsel.Worker) -> None:
    """Everything that is asked of a closed context or watch is an error, and closing it again does nothing."""
    assert {name for name in vars(pactsel.Context) if not name.startswith("_")} - {"address", "state", "watch", "close"} == set(ASKING)
    ctx = pactsel.context(address or store, worker=worker)
    ctx.insert(END, text="x")
    ctx.commit()
    with ctx.watch(".block") as closed:
        assert closed.changes().first
    closed.close()
    open = ctx.watch(".block")
    with pytest.raises(pactsel.PactkitError, match="the watch is closed") as e:
        closed.changes()
    assert e.value.code == "E_WORKER_CONTEXT"
    with pytest.raises(pactsel.PactkitError, match="the watch is closed"):
        next(iter(closed))
    ctx.close()
    ctx.close()
    for name, arguments in ASKING.items():
        with pytest.raises(pactsel.PactkitError, match="the context is closed") as e:
            getattr(ctx, name)(*arguments)
        assert e.value.code == "E_WORKER_CONTEXT", name
    for ask in (lambda: ctx.state, ctx.history.log, open.changes, ctx.watch(".block").changes, ctx.__enter__):
        with pytest.raises(pactsel.PactkitError, match="the context is closed"):
            ask()
    open.close()


def test_protocol_is_that_of_the_schemas() -> None:
    tools = Path(__file__).parents[1] / "tools" / "protocol.py"
    subprocess.run([sys.executable, str(tools), "--check"], check=True)


def test_watch(store: str, worker: pactsel.Worker) -> None:
    """A watch has everything at first, and then what commits change; of a store, also those of others."""
    with pactsel.context(store, worker=worker) as ctx, pactsel.context(store, worker=worker) as other:
        own, stored = ctx.watch(".block+user"), ctx.watch(".block+user", stored=True, every=0.001)
        assert own.changes() == stored.changes() == pactsel.Watched(None)
        ctx.insert(END, role="user", text="One.", ttl=3)
        assert not own.changes()
        ctx.commit()
        first = own.changes()
        assert first.first and first.cycle == 1 and [n.text for n in first.added] == ["One."]
        assert next(iter(stored)).added == first.added
        other.reload()
        other.insert(END, role="user", text="Two.")
        ctx.insert(END, role="user", text="mine")
        other.commit()
        assert not own.changes()
        two = next(iter(stored))
        assert [n.text for n in two.added] == ["Two."] and [(c.node.text, c.fields) for c in two.changed] == [("One.", ("ttl",))]
        with pytest.raises(pactsel.Conflict) as conflict:
            ctx.commit()
        assert conflict.value.changed is not None and two.added[0].id in conflict.value.changed["added"]
        ctx.reload()
        assert own.changes().added == two.added
        kill(worker)
        again = own.changes()
        assert again.first and len(again.added) == 2
        with pytest.raises(pactsel.SelectorError):
            ctx.watch("@t-1 .block").changes()

    async def run() -> list[str]:
        async with pactsel.context(store, worker=worker) as ctx:
            texts: list[str] = []
            async with ctx.watch(".block+user", stored=True, every=0.001) as watch:
                async for change in watch:
                    texts += [n.text for n in change.added]
                    if len(texts) == 3:
                        return texts
                    await ctx.insert(END, role="user", text="Three.")
                    await ctx.commit()
        return []

    assert asyncio.run(run()) == ["One.", "Two.", "Three."]


def test_attach(store: str, worker: pactsel.Worker) -> None:
    """An attachment shows a turn of another history, follows it while it is live, and is read-only."""
    with pactsel.context(store, worker=worker) as ctx, pactsel.context(f"{store}2", worker=worker) as source:
        source.insert(END, role="user", text="plan A", key="plan")
        source.commit()
        ctx.insert(END, role="user", text="Hello.")
        ctx.attach(END, "a2", "#plan", at="@c1", id="pinned")
        ctx.attach("(^sys, end)", "a2", "^seq", id="live", key="shared")
        assert ctx.select("^ah .block").texts == ["Hello.", "plan A"]
        assert ctx.select("{attached_id=block:2}").ids == ["live/block:2", "pinned/block:2"]
        with pytest.raises(pactsel.PactkitError) as e:
            ctx.delete("*{id='pinned/block:2'}")
        assert e.value.code == "E_SEALED"
        source.insert(END, role="user", text="plan B")
        source.commit()
        assert [m["content"] for m in ctx.render("openai")] == ["plan A", "plan B", "Hello.", "plan A"]
        ctx.commit()
    assert pactsel.open(store).select(".block").texts == ["plan A", "plan B", "Hello.", "plan A"]


def test_slow_summary(worker: pactsel.Worker) -> None:
    """A summary that takes longer than the request may is given up, and the nodes stay."""
    go_on = threading.Event()

    def summarise(nodes: Sequence[pactsel.Node]) -> str:
        go_on.wait(60)
        return "late"

    with pactsel.context(policy={"window": 10, "step": [{"summarise": ".block"}]}, summarise=summarise, worker=worker, timeout=0.5) as ctx:
        ctx.insert(END, role="user", text="one two three four five six seven eight nine ten eleven")
        with pytest.warns(pactsel.ContextWarning, match="longer than the request may"):
            ctx.commit()
        go_on.set()
        assert len(ctx.select(".block")) == 1
