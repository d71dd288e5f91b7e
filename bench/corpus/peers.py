"""Answers questions with DuckDB and orjson: it reads lines LIB QUESTION FILE and writes lines COUNT CPU_SECONDS."""
import sys
import time

import duckdb
import orjson

WHERE = {
    "few": "m.role = 'tool' AND contains(m.content, 'Error')",
    "count": "m.role = 'tool'",
    "none": "contains(m.content, 'no such words')",
}
SQL = """SELECT count(*) FROM (SELECT unnest(messages) m FROM read_json('{file}', format = 'newline_delimited',
columns = {{messages: 'STRUCT(role VARCHAR, content VARCHAR)[]'}})) WHERE {where}"""
HAS = {
    "few": lambda m: m["role"] == "tool" and "Error" in (m["content"] or ""),
    "count": lambda m: m["role"] == "tool",
    "none": lambda m: "no such words" in (m["content"] or ""),
}


def with_duckdb(question: str, file: str) -> int:
    return DB.execute(SQL.format(file=file, where=WHERE[question])).fetchone()[0]


def with_orjson(question: str, file: str) -> int:
    has, found = HAS[question], 0
    with open(file, "rb") as lines:
        for line in lines:
            for m in orjson.loads(line)["messages"]:
                if has(m):
                    found += 1
    return found


DB = duckdb.connect()
DB.execute("SET threads = 1")
for line in sys.stdin:
    lib, question, file = line.split()
    begun = time.process_time()
    found = {"duckdb": with_duckdb, "orjson": with_orjson}[lib](question, file)
    print(found, time.process_time() - begun, flush=True)
