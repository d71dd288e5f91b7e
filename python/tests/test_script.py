"""One script gives the same journal in every language: testdata/live."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pactsel

SHARED = Path(__file__).resolve().parents[2] / "testdata" / "live"
POLICY: Any = {"window": 90, "keep-last": 1, "step": [{"clear": ".block+tool"}]}


def test_script(tmp_path: Path) -> None:
    with (
        pactsel.Worker() as worker,
        pactsel.context(f"file:{tmp_path}#script", clock="2026-01-01T00:00:00Z", system=True, policy=POLICY, worker=worker) as ctx,
    ):
        for line in (SHARED / "script.jsonl").read_text(encoding="utf-8").splitlines():
            (method, argument), *more = json.loads(line).items()
            call = getattr(ctx, method)
            if argument is True:
                call()
            elif more and more[0][0] == "node":
                call(argument, members=more[0][1])
            else:
                call(argument, *(value for _, value in more))
    assert (tmp_path / "script.jsonl").read_bytes() == (SHARED / "journal.jsonl").read_bytes()
