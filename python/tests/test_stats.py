from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import pactsel


def test_stats(tmp_path: Path, log: list[dict[str, Any]]) -> None:
    (tmp_path / "chat.json").write_text(json.dumps(log))
    (tmp_path / "other.json").write_text('{"not": "a log"}')
    rows = pactsel.stats(tmp_path, source=None, tokens=False)
    assert [Path(row.get("file", "")).name for row in rows] == ["chat.json"]
    assert (rows[0]["calls"], rows[0]["turns"], rows[0]["tools"]) == (2, 2, [{"name": "find", "calls": 1, "errors": 1}])
    with pytest.raises(pactsel.PactkitError, match="none.json"):
        pactsel.stats(tmp_path / "chat.json", tmp_path / "none.json", source="openai")
    assert len(pactsel.stats(tmp_path / "chat.json", tmp_path / "none.json", errors="ignore")) == 1


def filled(value: Any, kind: pyarrow.DataType) -> Any:
    """Return a value with None for the members of its type that it does not have."""
    if value is None:
        return None
    if pyarrow.types.is_struct(kind):
        assert set(value) <= {f.name for f in kind}
        return {f.name: filled(value.get(f.name), f.type) for f in kind}
    if pyarrow.types.is_list(kind):
        return [filled(v, kind.value_type) for v in value]
    return value


def test_parquet(tmp_path: Path, log: list[dict[str, Any]]) -> None:
    (tmp_path / "chat.json").write_text(json.dumps(log))
    rows = pactsel.stats(tmp_path / "chat.json")
    pactsel.write_parquet(rows, tmp_path / "rows.parquet")
    read = pyarrow.parquet.read_table(tmp_path / "rows.parquet")
    assert read.to_pylist() == [filled(row, pyarrow.struct(read.schema)) for row in rows]
    pactsel.write_parquet([], tmp_path / "none.parquet")
    assert pyarrow.parquet.read_schema(tmp_path / "none.parquet") == read.schema
