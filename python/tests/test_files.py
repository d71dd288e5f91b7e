"""Files that cannot be read, folders file by file, and values that travel."""

from __future__ import annotations

import copy
import dataclasses
import errno
import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pactsel
from pactsel._errors import error_of


@pytest.fixture
def logs(log: list[dict[str, Any]], tmp_path: Path) -> Path:
    """A folder of four logs, of which the second is broken and the third is gone when its turn comes."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in "acd":
        (folder / f"{name}.json").write_text(json.dumps(log))
    (folder / "b.json").write_text('[{"role": "user", "content": 1}, {')
    return folder


def test_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that does not exist is a FileNotFoundError, with the path as it was named."""
    monkeypatch.chdir(tmp_path)
    for path in ("gone.json", "no/../gone.json", tmp_path / "gone.json"):
        for read in (pactsel.open, lambda p: list(pactsel.histories(p)), lambda p: list(pactsel.grep(".block", p)), pactsel.stats):
            with pytest.raises(FileNotFoundError, match="no such file") as e:
                read(path)
            assert isinstance(e.value, pactsel.PactkitError) and isinstance(e.value, pactsel.FileError)
            assert (e.value.path, e.value.filename, e.value.errno) == (os.fspath(path), os.fspath(path), errno.ENOENT)
            assert str(e.value) == f"{path}: no such file or directory [E_WORKER_FILE]"
            assert e.value.strerror == "no such file or directory"


def test_other_errors(log: list[dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[{")
    with pytest.raises(pactsel.PactkitError) as e:
        pactsel.open(tmp_path / "a.json", source="openai")
    assert (e.value.path, e.value.line, e.value.at) == (str(tmp_path / "a.json"), 1, "$[0]")
    assert str(e.value).startswith(f"{tmp_path}/a.json: line 1: ")
    with pytest.raises(NotADirectoryError):
        pactsel.open(tmp_path / "a.json" / "x")
    with pytest.raises(pactsel.PactkitError) as e:
        pactsel.read("[{", source="openai", name="mine")
    assert e.value.path == "mine" and str(e.value).startswith("mine: line 1: ")
    for name, kind in (("EACCES", PermissionError), ("EISDIR", IsADirectoryError), ("ELOOP", OSError), ("", OSError)):
        error = error_of({"code": "E_WORKER_FILE", "message": "no", "file": "f", "errno": name})
        assert isinstance(error, kind) and isinstance(error, pactsel.FileError)
    address = "postgres://me:secret@127.0.0.1:1/x?password=secret#1"
    with pytest.raises(pactsel.PactkitError) as e:
        pactsel.open(address)
    assert "secret" not in f"{e.value}{e.value.__dict__}"


def test_histories(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder is read file by file; errors says what happens to the error of one."""
    monkeypatch.chdir(logs.parent)
    asked: list[str] = []
    result = pactsel.Worker.result

    def ask(self: pactsel.Worker, request: Any) -> Any:
        asked.append(os.path.basename(request["path"]))
        return result(self, request)

    monkeypatch.setattr(pactsel.Worker, "result", ask)
    each = pactsel.histories("logs", source="openai")
    first = next(each)
    assert asked == ["logs", "a.json"] and len(first.select(".block")) == 5
    (logs / "c.json").unlink()
    with pytest.raises(pactsel.PactkitError, match=r"^logs/b.json: line 1: .*E_FILE_SYNTAX"):
        next(each)

    def read(errors: Any) -> list[str]:
        (logs / "c.json").write_text("[]")
        found = []
        for history in pactsel.histories("logs", source="openai", errors=errors):
            (logs / "c.json").unlink(missing_ok=True)
            found.append(history._source["path"][-6:])
        return found

    seen: list[pactsel.PactkitError] = []
    assert read(seen.append) == ["a.json", "d.json"] == read("ignore")
    assert [(e.path, isinstance(e, FileNotFoundError)) for e in seen] == [("logs/b.json", False), ("logs/c.json", True)]
    with pytest.warns(pactsel.SkippedFile) as caught:
        assert read("warn") == ["a.json", "d.json"]
    assert [str(w.message).partition(":")[2][:12] for w in caught] == [" logs/b.json", " logs/c.json"]
    assert {w.filename for w in caught} == {__file__}
    assert list(pactsel.histories("gone", errors="ignore")) == []
    for wrong in ("skip", None, 1):
        with pytest.raises(ValueError, match="errors must be"):
            pactsel.histories("logs", errors=wrong)  # type: ignore[arg-type]
    for search in (lambda: pactsel.grep(".block", "logs", errors="skip"), lambda: pactsel.stats("logs", errors="skip")):  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="errors must be"):
            search()
    with pytest.warns(pactsel.SkippedFile, match="b.json"):
        assert len(list(pactsel.grep(".block+tool", "logs", source="openai", errors="warn"))) == 2


def test_no_file(log: list[dict[str, Any]], logs: Path, broken: str) -> None:
    """An error that every file would have is raised, and one that a worker dies of is about its file."""
    with pytest.raises(pactsel.PactkitError, match="telnet"):
        list(pactsel.histories(logs, source="telnet", errors="ignore"))
    (logs / "CRASH.json").write_text(json.dumps(log))
    seen: list[pactsel.PactkitError] = []
    with pactsel.Worker(binary=broken) as worker:
        assert len(list(pactsel.histories(logs, source="openai", worker=worker, errors=seen.append))) == 3
    assert [(type(e), e.path) for e in seen][0] == (pactsel.WorkerDied, str(logs / "CRASH.json"))


COPIES: list[Callable[[Any], Any]] = [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy]


@pytest.mark.parametrize("copied", COPIES, ids=["pickle", "copy", "deepcopy"])
def test_copies(copied: Callable[[Any], Any], log: list[dict[str, Any]], tmp_path: Path) -> None:
    history = pactsel.read(log, source="openai", name="chat")
    nodes = history.select(".block")
    (tmp_path / "a.json").write_text(json.dumps(log))
    opened = pactsel.open(tmp_path / "a.json", source="openai")
    latest = history.select("@t0..@t-1 .block+user @mode=latest")
    match = next(pactsel.grep(".block", tmp_path))
    report = history.test("-- cases --\n.block+tool\n=> block:3\n")
    for value in (nodes[0], nodes, latest, history, opened, match, report.cases[0], history.explain(".block")[1]):
        assert copied(value) == value and type(copied(value)) is type(value)
    assert copied(nodes).warnings == nodes.warnings and bool(copied(report)) and copied(nodes[2]).text == nodes[2].text
    for one in (history, opened):
        again = copied(one)
        assert again.select(".block") == nodes and again._worker is one._worker and hash(again) == hash(one)
    with pactsel.Worker(timeout=5, max_bytes=1 << 20) as worker:
        mine = copied(pactsel.read(log, source="openai", worker=worker))
        assert mine._worker.timeout == 5 and mine.select(".block") == nodes
        mine._worker.close()
        other = copied(worker)
        assert (other.timeout, other._max_bytes, other.starts) == (5, 1 << 20, 0)


@pytest.mark.parametrize("copied", COPIES, ids=["pickle", "copy", "deepcopy"])
def test_errors_copy(copied: Callable[[Any], Any], tmp_path: Path) -> None:
    problems: list[dict[str, Any]] = [
        {"code": "E_FILE_SYNTAX", "message": "m", "file": "f", "line": 3, "path": "$[1]"},
        {"code": "E_SELECTOR_INVALID", "message": "m", "range": [1, 2]},
        {"code": "E_WORKER_TIMEOUT", "message": "m"},
        *({"code": "E_WORKER_FILE", "message": "m", "file": "f", "errno": e} for e in ("ENOENT", "EACCES", "EISDIR", "ENOTDIR", "")),
    ]
    errors = [error_of(p) for p in problems]
    errors += [pactsel.BinaryNotFound("m", "E_NO_BINARY"), pactsel.WorkerDied("m", "E_WORKER_DIED")]
    for e in errors:
        again = copied(e)
        assert type(again) is type(e) and str(again) == str(e) and again.__dict__ == e.__dict__ and again.args == e.args
        if isinstance(e, OSError):
            assert isinstance(again, OSError)
            assert (again.errno, again.strerror, again.filename) == (e.errno, e.strerror, e.filename)


def test_asdict(log: list[dict[str, Any]]) -> None:
    """What asdict returns is JSON."""
    history = pactsel.read([*log, {"role": "robot", "content": "x"}], source="openai")
    node = history.select(".block+tool")[0]
    assert dataclasses.asdict(node) == {"members": dict(node.members), "snapshot": None}
    assert dataclasses.asdict(history) == {"name": "", "notes": history.notes} and history.notes
    json.dumps([dataclasses.asdict(node), dataclasses.asdict(history)])
    assert dataclasses.replace(node, snapshot="@t0").snapshot == "@t0"
