from __future__ import annotations

import json
import os
import subprocess
import threading
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import pactsel

SUITE = "-- cases --\n# no errors\n.block+tool{content~'Error'}\n=> (none)\n# the user\n.block+user[content~'Where']\n=> block:2\n"


def test_select(log: list[dict[str, Any]]) -> None:
    history = pactsel.read(log, source="openai")
    found = history.select(".block+tool{content~'Error'}")
    assert found.texts == ["Error: no such file"]
    node = found[0]
    assert (node.type, node.role, node.kind, node.tags) == ("block", "tool", "result", ["tool"])
    assert node["call_id"] == "c1" and node.get("nothing", 7) == 7
    assert node == history.select(".block+tool")[0] and len({node, history.select(".block+tool")[0]}) == 1
    assert found[:1] == found and repr(found).startswith("<1 node of")
    assert history.select(".block{content='nothing'}") == pactsel.Nodes("", [])
    both = history.select_all({"user": ".block+user", "call": ".block{kind=call}"})
    assert len(both["user"]) == 2 and both["call"][0].name == "find"
    assert history.select("@t0..@t-1 .block+user @mode=latest")[0].snapshot == "@t0"


def test_changes_and_calls(log: list[dict[str, Any]]) -> None:
    history = pactsel.read(log, source="openai")
    added = history.changes("@t0..@t-1 .block")["diffs"][0]["added_ids"]
    assert history.select(".block{content~'Thanks'}").ids[0] in added
    with pytest.raises(pactsel.SelectorError, match="no range"):
        history.changes(".block")
    with pytest.raises(pactsel.SelectorError, match="use changes"):
        history.select("@t0..@t-1 .block")
    assert [len(c["added"]) > 0 for c in history.calls()][0]


def test_errors(log: list[dict[str, Any]], tmp_path: Path) -> None:
    history = pactsel.read(log, source="openai")
    with pytest.raises(pactsel.SelectorError) as e:
        history.select(".block(")
    assert e.value.code == "E_SELECTOR_INVALID" and e.value.range == (7, 7)
    assert history.select(".block+user"), "the worker goes on"
    with pytest.raises(pactsel.PactkitError, match="E_FILE_SYNTAX"):
        pactsel.read('[{"role": "user"', source="openai")
    with pytest.raises(pactsel.PactkitError, match="telnet"):
        pactsel.read(log, source="telnet")
    (tmp_path / "junk.json").write_bytes(b"\x00\xff\x01" * 100)
    with pytest.raises(pactsel.PactkitError):
        pactsel.open(tmp_path / "junk.json")
    two = "".join(json.dumps({"messages": log}) + "\n" for _ in range(2))
    with pytest.raises(pactsel.PactkitError, match="holds 2 histories"):
        pactsel.read(two, source="openai", name="two.jsonl")
    (tmp_path / "unnamed").mkdir()
    for name in ("a.json", "b.json"):
        (tmp_path / "unnamed" / name).write_text(json.dumps(log))
    with pytest.raises(pactsel.PactkitError, match="holds 2 histories: use histories"):
        pactsel.open(tmp_path / "unnamed", source="openai")


def test_files(log: list[dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(log))
    (tmp_path / "b.json").write_text(json.dumps(log[:1]))
    history = pactsel.open(tmp_path / "a.json", source="openai")
    assert len(history.select(".block+user")) == 2
    (tmp_path / "a.json").write_text(json.dumps(log[:4]))
    assert len(history.select(".block+user")) == 1, "the file has changed"
    assert [len(h.select(".block")) for h in pactsel.histories(tmp_path, source="openai")] == [4, 1]
    found = list(pactsel.grep(".block+user", tmp_path, source="openai"))
    assert [Path(m.path).name for m in found] == ["a.json", "b.json"] and found[0].text == "Where is <a>?"
    with pytest.raises(pactsel.PactkitError, match="closed"):
        list(pactsel.grep(".block(", tmp_path))
    assert list(pactsel.grep(".block{content='nothing'}", tmp_path, source="openai")) == []


def test_suite(log: list[dict[str, Any]], tmp_path: Path) -> None:
    history = pactsel.read(log, source="openai")
    report = pactsel.test(SUITE, history)
    assert not report and [c.name for c in report.failed] == ["no errors"] and "not ok: no errors" in str(report)
    (tmp_path / "s.suite.txtar").write_text(SUITE.replace("(none)", "block:3"))
    assert history.test(tmp_path / "s.suite.txtar")
    broken = history.test("cases: none\n")
    assert not broken and broken.problems


def test_notebook() -> None:
    evil = "</svg><script>alert(1)</script>&\"'"
    history = pactsel.read([{"role": "user", "content": evil}, {"role": evil, "content": evil}], source="openai")
    shown = history._repr_html_() + history.select(".block")._repr_html_()
    assert "<script" not in shown and "&lt;script&gt;" in shown
    assert shown.count("<svg") == shown.count("</svg>") == 1 and shown.count("<ul>") == shown.count("</ul>")


def test_notebook_timeline() -> None:
    """The bars have the tokens of the page, the marks what happened, and the table what fills the largest call."""
    log = Path(__file__).parents[2] / "testdata/logs/support/refund.jsonl"
    history = pactsel.open(log)
    picture = ElementTree.fromstring(history.timeline())
    svg = "{http://www.w3.org/2000/svg}"
    calls = history.calls()
    bars = picture.findall(f"{svg}g")
    assert len(bars) == len(calls)
    counted = [line for line in history.log(shares=True) if "event" not in line]
    heights = [sum(float(r.get("height", "")) for r in bar.findall(f"{svg}rect") if r.get("opacity") is None) for bar in bars]
    drawn = [sum(s["tokens"] for s in c["tokens"].get("shares", []) if s["what"] not in ("rest", "vocabulary")) for c in counted]
    for height, tokens in zip(heights, drawn):
        assert abs(height / max(heights) - tokens / max(drawn)) < 0.01
    for bar, call in zip(bars, calls):
        title = bar.findtext(f"{svg}title") or ""
        assert title.startswith(f"@c{call['cycle']}: {call['tokens']['in']:,} tokens")
        compacted = any(d["cause"] == "compacted" for d in call["left"])
        assert title.endswith("compacted") == compacted and (bar.findtext(f"{svg}text") == "▼") == compacted
    largest = max(counted, key=lambda c: c["tokens"]["in"])
    table = history.shares()
    assert f"<caption>@c{largest['cycle']} claude-sonnet-4-5: {largest['tokens']['in']:,} of 200,000 tokens</caption>" in table
    assert f"<td>{largest['tokens'].get('shares', [])[0]['tokens']:,}</td>" in table.replace("~", "")
    assert "@c10" in history.shares(10) and table in history._repr_html_()
    with pytest.raises(ValueError, match="no call @c99"):
        history.shares(99)


def test_dies(log: list[dict[str, Any]], broken: str) -> None:
    with pactsel.Worker(binary=broken) as worker:
        answer: Any = worker.ask({"log": "ONCE", "selectors": []})
        assert answer["error"]["code"] == "E_FILE_SYNTAX"
        assert worker.starts == 2, "a worker that died is started again"
        with pytest.raises(pactsel.WorkerDied, match=r"signal 9.*out of memory"):
            worker.ask({"log": "CRASH", "selectors": []})
        assert worker.starts == 3
        with pytest.raises(pactsel.PactkitError, match="not an answer"):
            worker.ask({"log": "JUNK", "selectors": []})
        assert pactsel.read(log, source="openai", worker=worker).select(".block+user")


def test_hangs(log: list[dict[str, Any]], broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pactsel._worker._GRACE", 0.1)
    with pactsel.Worker(binary=broken, timeout=0.4) as worker:
        with pytest.raises(TimeoutError):
            worker.ask({"log": "HANG", "selectors": []})
        worker.timeout = 60
        assert worker.ask({"log": log, "from": "openai", "selectors": []})["histories"]


def test_threads_and_forks(log: list[dict[str, Any]]) -> None:
    history = pactsel.read(log, source="openai")
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(len(history.select(".block")))) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [5] * 8
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, str(len(history.select(".block"))).encode())
        os._exit(0)
    os.close(write)
    assert os.waitpid(child, 0)[1] == 0 and os.read(read, 10) == b"5"
    os.close(read)
    assert len(history.select(".block")) == 5, "the child has left the parent's worker alone"


def test_programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The installed programs print the names that they are called by; pactfmt is pactsel by that name."""
    monkeypatch.delenv("PACTKIT_BINARY", raising=False)

    def run(name: str, *args: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run([pactsel.binary(name), *args], input=stdin, capture_output=True, text=True)

    for name in ("pactsel", "pactfmt", "pact-lsp"):
        assert run(name, "--version").stdout.startswith(name + " ")
    assert run("pactsel", "chek").stderr.endswith("Run 'pactsel --help' for usage.\n")
    done = run("pactfmt", "-", stdin=".block   +tool")
    assert done.returncode == 0 and done.stdout == run("pactsel", "fmt", "-", stdin=".block   +tool").stdout != ""
    monkeypatch.setenv("PACTKIT_BINARY", str(tmp_path / "gone"))
    done = run("pactfmt", "-")
    assert done.returncode == 2 and done.stderr.startswith("pactfmt: PACTKIT_BINARY names ")
    (tmp_path / "odd").write_text("\0")
    (tmp_path / "odd").chmod(0o755)
    monkeypatch.setenv("PACTKIT_BINARY", str(tmp_path / "odd"))
    done = run("pactfmt", "-")
    assert done.returncode == 2 and done.stderr.startswith(f"pactfmt: cannot start {tmp_path}/odd: ")


def test_no_binary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PACTKIT_BINARY", raising=False)
    monkeypatch.setattr("pactsel._binary._folders", lambda: iter([tmp_path]))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pactsel.BinaryNotFound, match="go install"):
        pactsel.Worker().ask({})
    monkeypatch.setenv("PACTKIT_BINARY", str(tmp_path / "gone"))
    with pytest.raises(pactsel.BinaryNotFound, match="PACTKIT_BINARY"):
        pactsel.binary()
    monkeypatch.setenv("PACTKIT_BINARY", "/bin/true")
    with pytest.raises(pactsel.WorkerDied):
        pactsel.Worker().ask({})


def test_interrupted(log: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer to an interrupted request is not taken for that of the next request."""
    worker = pactsel.Worker()
    worker.ask({"log": log, "from": "openai", "selectors": []})
    exchange = pactsel.Worker._exchange

    def interrupt(self: pactsel.Worker, process: Any, line: bytes) -> Any:
        exchange(self, process, line[:-2] + b',"x":1}\n')
        raise KeyboardInterrupt

    monkeypatch.setattr(pactsel.Worker, "_exchange", interrupt)
    with pytest.raises(KeyboardInterrupt):
        worker.ask({"id": 1, "log": log, "from": "openai", "selectors": []})
    monkeypatch.undo()
    assert worker.ask({"id": 2, "log": log, "from": "openai", "selectors": []})["id"] == 2 and worker.starts == 2
    worker.close()
