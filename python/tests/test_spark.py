"""On a small cluster of separate JVMs; ``tests/cluster.py`` is the large run."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from cluster import SELECTORS, Cluster, answers, expected
from pyspark.sql import DataFrame

import pactsel
import pactsel.spark

pytestmark = pytest.mark.filterwarnings("default")  # pyspark has its own


def sessions(count: int, log: list[dict[str, Any]]) -> list[tuple[str, str]]:
    r = random.Random(1)
    return [(f"s{i}", json.dumps([*log[: r.randrange(1, 6)], {"role": "user", "content": f"No. {i}?"}])) for i in range(count)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster() as c:
        yield c


def frame(cluster: Cluster, rows: list[tuple[str, Any]], parts: int = 4) -> DataFrame:
    df: DataFrame = cluster.spark.createDataFrame(rows, "id string, messages string").repartition(parts)
    return df


def test_answers(cluster: Cluster, log: list[dict[str, Any]]) -> None:
    """The answers are those of one worker, also if an executor is killed in the middle."""
    rows = sessions(300, log)
    alone = expected(rows, "openai")
    assert len(alone) > 300
    df = frame(cluster, rows, 16)
    assert answers(pactsel.spark.select(df, SELECTORS, source="openai").collect()) == alone
    timer = cluster.kill_one(0.5)
    assert answers(pactsel.spark.select(df, SELECTORS, source="openai").collect()) == alone
    timer.join()


def test_structs(cluster: Cluster) -> None:
    """A column of structs; the id may be of any type."""
    rows = [(7, [("user", "hi", None), ("assistant", "ho", None)]), (8, [("user", "you", None)])]
    df = cluster.spark.createDataFrame(rows, "n long, chat array<struct<role:string,content:string,name:string>>")
    found = pactsel.spark.select(df, {"user": ".block+user"}, id="n", log="chat", source="openai").collect()
    assert sorted((r.n, r.text) for r in found) == [(7, "hi"), (8, "you")]


def test_poison(cluster: Cluster, broken: str, log: list[dict[str, Any]]) -> None:
    """Rows that cannot be answered are rows, and the others are answered."""
    good = json.dumps(log)
    bad = [
        ("none", None),
        ("empty", ""),
        ("json", good[:-7]),
        ("binary", "\x00\x01\x7f"),
        ("large", json.dumps([{"role": "user", "content": "x" * 3_000_000}])),
        ("crash", json.dumps([{"role": "user", "content": "CRASH"}])),
        ("hang", json.dumps([{"role": "user", "content": "HANG"}])),
    ]
    rows = [*bad, *((f"good{i}", good) for i in range(5))]
    df = frame(cluster, rows, 1)
    options: dict[str, Any] = {"source": "openai", "timeout": 15.0, "max_bytes": 1_000_000, "binary": broken}
    found = pactsel.spark.select(df, {"user": ".block+user", "wrong": ".block("}, **options).collect()
    codes = {r.id: r.error_code for r in found if r.selector is None}
    assert codes == {
        "none": "E_FILE_SHAPE",
        "empty": "E_FILE_SHAPE",
        "json": "E_FILE_SYNTAX",
        "binary": "E_FILE_SYNTAX",
        "large": "E_WORKER_LINE",
        "crash": "E_WORKER_DIED",
        "hang": "E_WORKER_TIMEOUT",
    }
    assert sorted(r.id for r in found if r.node and r.text == "Thanks.") == [f"good{i}" for i in range(5)]
    assert {r.error_code for r in found if r.selector == "wrong"} == {"E_SELECTOR_INVALID"}
    suite = "-- cases --\n# polite\n.block+user{content~'Thanks'}\n=> (none)\n"
    tested = {r.id: r.status for r in pactsel.spark.test(df, suite, **options).collect()}
    assert tested == {i: "failed" if i.startswith("good") else "error" for i, _ in rows}
