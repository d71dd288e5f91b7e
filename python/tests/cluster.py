"""A standalone Spark cluster of separate JVMs on this machine, for tests.

As a program it asks many sessions, kills an executor in the middle, and compares the answers:

    python tests/cluster.py SESSIONS.jsonl

where each line is an object with the members ``id`` and ``messages``, the text of a log.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import pyspark
from pyspark.sql import DataFrame, Row, SparkSession

import pactsel
import pactsel.spark

SELECTORS = {"errors": ".block+tool{content~'(?i)error'}", "questions": "@* .block+user{content~'[?]'}"}

_LOG4J = """\
rootLogger.level = error
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %m%n
"""


class Cluster:
    """A master and two workers. The driver is this process."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pactsel-spark-")
        self._home = Path(str(pyspark.__file__)).parent
        folder = Path(self._folder.name)
        (folder / "log4j2.properties").write_text(_LOG4J)
        os.environ.update(
            SPARK_HOME=str(self._home),
            SPARK_CONF_DIR=str(folder),
            SPARK_LOCAL_IP="127.0.0.1",
            SPARK_DAEMON_MEMORY="192m",
            PYSPARK_PYTHON=sys.executable,
        )
        self._processes: list[subprocess.Popen[bytes]] = []
        self._log = open(folder / "daemons.log", "wb")
        url = self._master()
        for _ in range(2):
            self._daemon("worker.Worker", "--port", "0", "--webui-port", "0", "-c", "1", "-m", "1g", "-d", str(folder), url)
        self.spark = self._session(url)

    def _session(self, url: str) -> SparkSession:
        settings = {
            "spark.executor.memory": "512m",
            "spark.executor.cores": "1",
            "spark.driver.memory": "1g",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.shuffle.partitions": "4",
            "spark.sql.execution.arrow.maxRecordsPerBatch": "500",
            "spark.scheduler.minRegisteredResourcesRatio": "1.0",
            "spark.scheduler.maxRegisteredResourcesWaitingTime": "60s",
            "spark.local.dir": self._folder.name,
            "spark.sql.warehouse.dir": self._folder.name + "/warehouse",
        }
        builder = SparkSession.builder.master(url).appName("pactsel")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session: SparkSession = builder.getOrCreate()
        return session

    def _master(self) -> str:
        """Start the master on a free port, and return its address."""
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        self._daemon("master.Master", "--port", str(port), "--webui-port", "0")
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", port)) == 0:
                    return f"spark://127.0.0.1:{port}"
            time.sleep(0.1)
        raise RuntimeError("the master does not answer")

    def _daemon(self, name: str, *args: str) -> None:
        command = [str(self._home / "bin" / "spark-class"), "org.apache.spark.deploy." + name, "--host", "127.0.0.1", *args]
        self._processes.append(subprocess.Popen(command, stdout=self._log, stderr=self._log, start_new_session=True))

    def executors(self) -> list[int]:
        """Return the process ids of the executors of this cluster."""
        groups = {p.pid for p in self._processes}
        found: list[int] = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                line, group = (folder / "cmdline").read_bytes(), os.getpgid(int(folder.name))
            except OSError:
                continue
            if b"CoarseGrainedExecutorBackend" in line and group in groups:
                found.append(int(folder.name))
        return sorted(found)

    def kill_one(self, after: float) -> threading.Timer:
        """Kill an executor after some seconds. The timer has ended when it is done."""
        timer = threading.Timer(after, lambda: os.kill(self.executors()[0], signal.SIGKILL))
        timer.start()
        return timer

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.spark.stop()
        for p in reversed(self._processes):
            for sig in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(p.pid, sig)
                    p.wait(timeout=10)
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    pass
        self._log.close()
        self._folder.cleanup()


def answers(rows: Iterable[Row]) -> list[tuple[str, ...]]:
    """Return what rows of :func:`pactsel.spark.select` say, sorted."""
    return sorted(tuple("" if v is None else str(v) for v in row) for row in rows)


def expected(sessions: Iterable[tuple[str, str]], source: str) -> list[tuple[str, ...]]:
    """Return what one worker answers about the same sessions, in the form of :func:`answers`."""
    return sorted(_expected(sessions, source))


def _expected(sessions: Iterable[tuple[str, str]], source: str) -> Iterator[tuple[str, ...]]:
    with pactsel.Worker() as worker:
        for key, log in sessions:
            request = {"log": log, "selectors": SELECTORS, "want": "nodes", "from": source}
            answer: Any = worker.result(request)
            for history in answer["histories"]:
                for name, found in history["answers"].items():
                    for n in map(pactsel.Node, found["nodes"]):
                        row = (key, name, history["name"], "", n.id, n.type, n.role, n.kind, n.name, n.text, "", "")
                        yield tuple(v or "" for v in row)


def grepped(sessions: Sequence[tuple[str, str]], source: str) -> set[tuple[str, str, str]]:
    """Return the id, the name of the selector and the node for each match that ``pactsel grep`` finds."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as f:
        for _, log in sessions:
            f.write('{"messages":' + log + "}\n")
        f.flush()
        found: set[tuple[str, str, str]] = set()
        for name, selector in SELECTORS.items():
            for m in pactsel.grep(selector, f.name, source=source, messages="messages"):
                found.add((sessions[int(m.history or 1) - 1][0], name, m.id))
        return found


def digest(rows: Iterable[tuple[str, ...]]) -> str:
    """Return the digest of answers."""
    h = hashlib.sha256()
    for row in rows:
        h.update(json.dumps(row).encode())
    return h.hexdigest()[:16]


def parse_only(df: DataFrame) -> DataFrame:
    """Return a row a session, with a plain mapInArrow that only parses its JSON: what the answers are compared with."""

    def task(batches: Iterable[Any]) -> Iterable[Any]:
        import orjson
        import pyarrow as pa

        for b in batches:
            yield pa.RecordBatch.from_arrays([pa.array([len(orjson.loads(t)) for t in b.column(0).to_pylist()])], ["n"])

    return df.select("messages").mapInArrow(task, "n long")


def main() -> None:
    path = sys.argv[1]
    with open(path, encoding="utf-8") as f:
        sessions = [(o["id"], o["messages"]) for o in map(json.loads, f)]
    size = sum(len(t) for _, t in sessions)
    print(f"{len(sessions)} sessions, {size / 1e6:.1f} MB", flush=True)
    with Cluster() as cluster:
        df = cluster.spark.read.json(path, schema="id string, messages string").repartition(8)
        parse_only(df).agg({"n": "sum"}).collect()
        begin = time.monotonic()
        parse_only(df).agg({"n": "sum"}).collect()
        took = time.monotonic() - begin
        print(f"orjson alone: {took:.1f} s, {size / took / 2e6:.2f} MB/s a core", flush=True)
        begin = time.monotonic()
        quiet = answers(pactsel.spark.select(df, SELECTORS, source="openai").collect())
        took = time.monotonic() - begin
        print(f"{len(quiet)} matches in {took:.1f} s, {size / took / 2e6:.2f} MB/s a core: {digest(quiet)}", flush=True)
        before = cluster.executors()
        timer = cluster.kill_one(took / 2)
        killed = answers(pactsel.spark.select(df, SELECTORS, source="openai").collect())
        timer.join()
        print(f"executors {before}, then {cluster.executors()}: {len(killed)} matches: {digest(killed)}", flush=True)
    alone = expected(sessions, "openai")
    print(f"one worker: {len(alone)} matches: {digest(alone)}")
    found = grepped(sessions, "openai")
    print(f"pactsel grep: {len(found)} matches")
    if not quiet == killed == alone or found != {(row[0], row[1], row[4]) for row in alone}:
        sys.exit("the answers differ")


if __name__ == "__main__":
    main()
