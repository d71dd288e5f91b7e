"""Rows as data frames. Each function needs only the library in its name."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas
    import polars  # type: ignore[import-not-found,unused-ignore]  # pyright: ignore[reportMissingImports]
    import pyarrow

    from ._history import Node

_COLUMNS: tuple[str, ...] = ("id", "type", "role", "kind", "name", "text", "cycle", "parent_id", "key", "ttl", "priority", "tags", "snapshot", "members")


def arrow(nodes: Iterable[Node]) -> pyarrow.Table:
    """Return a table with the same columns whatever the nodes have. ``members`` has all of them, as JSON."""
    import pyarrow

    rows = [_row(n) for n in nodes]
    text, count = pyarrow.string(), pyarrow.int64()
    kinds = {"cycle": count, "ttl": count, "priority": count, "tags": pyarrow.list_(text)}
    return pyarrow.Table.from_pylist(rows, pyarrow.schema([(name, kinds.get(name, text)) for name in _COLUMNS]))


def to_pandas(nodes: Iterable[Node]) -> pandas.DataFrame:
    import pandas

    rows = [_row(n) for n in nodes]
    return pandas.DataFrame({name: [row[name] for row in rows] for name in _COLUMNS})


def to_polars(nodes: Iterable[Node]) -> polars.DataFrame:
    import polars  # type: ignore[import-not-found,unused-ignore]  # pyright: ignore[reportMissingImports]

    kinds: dict[str, polars.DataType] = {"cycle": polars.Int64(), "ttl": polars.Int64(), "priority": polars.Int64(), "tags": polars.List(polars.String())}
    return polars.DataFrame([_row(n) for n in nodes], schema={name: kinds.get(name, polars.String()) for name in _COLUMNS})


def _row(node: Node) -> dict[str, object]:
    own = {
        "id": node.id,
        "type": node.type,
        "role": node.role,
        "kind": node.kind,
        "name": node.name,
        "text": node.text,
        "cycle": node.cycle,
        "parent_id": node.parent_id,
        "tags": node.tags,
        "snapshot": node.snapshot,
        "members": json.dumps(dict(node.members), ensure_ascii=False),
    }
    return {name: own[name] if name in own else node.get(name) for name in _COLUMNS}
