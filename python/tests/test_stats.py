from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import pactkit


def test_stats(tmp_path: Path, log: list[dict[str, Any]]) -> None:
    (tmp_path / "chat.json").write_text(json.dumps(log))
    (tmp_path / "other.json").write_text('{"not": "a log"}')
    rows = pactkit.stats(tmp_path, source=None, tokens=False)
    assert [Path(row["file"]).name for row in rows] == ["chat.json"]
    assert (rows[0]["calls"], rows[0]["turns"], rows[0]["tools"]) == (2, 2, [{"name": "find", "calls": 1, "errors": 1}])
    with pytest.raises(pactkit.PactkitError, match="none.json"):
        pactkit.stats(tmp_path / "chat.json", tmp_path / "none.json", source="openai")
    assert len(pactkit.stats(tmp_path / "chat.json", tmp_path / "none.json", errors="ignore")) == 1


def test_parquet(tmp_path: Path, log: list[dict[str, Any]]) -> None:
    (tmp_path / "chat.json").write_text(json.dumps(log))
    rows = pactkit.stats(tmp_path / "chat.json")
    pactkit.write_parquet(rows, tmp_path / "rows.parquet")
    read = pyarrow.parquet.read_table(tmp_path / "rows.parquet")
    assert read.to_pylist() == [{"session": None, **row} for row in rows]
    pactkit.write_parquet([], tmp_path / "none.parquet")
    assert pyarrow.parquet.read_schema(tmp_path / "none.parquet") == read.schema
