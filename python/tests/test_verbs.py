from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pactsel


@pytest.fixture
def chat(tmp_path: Path, log: list[dict[str, Any]]) -> Path:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(log))
    return path


def test_selectors(tmp_path: Path) -> None:
    assert "E_TIME_REQUIRED" in pactsel.explain("E_TIME_REQUIRED")
    assert pactsel.format(".block") == "@t0 (*[nodeType='block'])"
    assert pactsel.format(pactsel.format(".block"), style="compact") == ".block"
    with pytest.raises(pactsel.SelectorError) as e:
        pactsel.format(".block(")
    assert e.value.code == "E_SELECTOR_INVALID" and "never closed" in e.value.message
    with pytest.raises(pactsel.PactkitError):
        pactsel.explain("E_NONE")
    (tmp_path / "bad.pactsel").write_text(".block(\n")
    assert [f.get("code") for f in pactsel.lint(tmp_path)] == ["E_SELECTOR_INVALID"]
    with pytest.raises(FileNotFoundError):
        pactsel.lint(tmp_path / "none.pactsel")


def test_histories(chat: Path) -> None:
    thread = pactsel.render(chat, "anthropic", source="openai")
    assert isinstance(thread, dict) and isinstance(thread["messages"], list) and len(thread["messages"]) == 5
    assert pactsel.diff(chat, "@t-1", "@t0", source="openai")["added"]
    traced = pactsel.trace(chat, ".block+tool", source="openai")
    assert traced.get("kind") == "result" and traced["id"]
    with pytest.raises(FileNotFoundError):
        pactsel.trace("none.json", "x")
    with pytest.raises(pactsel.PactkitError):
        pactsel.diff(chat, "@t-9", "@t0", source="openai")


def test_frames(chat: Path) -> None:
    nodes = pactsel.open(chat, source="openai").select(".block")
    table = nodes.to_arrow()
    assert table.num_rows == len(nodes) and table.column("text").to_pylist() == nodes.texts
    frame = nodes.to_pandas()
    assert list(frame["id"]) == nodes.ids and list(frame.columns) == table.column_names
    assert nodes.to_polars().columns == table.column_names and nodes.to_polars()["text"].to_list() == nodes.texts
