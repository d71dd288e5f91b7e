"""Reads and commits in one history until it has won often enough, and reports each call: see TestRacingLanguages."""

import hashlib
import os
import time

import pactsel

NAME, ADDRESS = os.environ["PACTKIT_TEST_WRITER"].split(" ", 1)


def report(what: str, after: str, made: str, began: int) -> None:
    digests = (hashlib.sha256(text.encode()).hexdigest() if text else "-" for text in (after, made))
    print(what, 0, next(digests), 0, next(digests), began, time.monotonic_ns(), flush=True)


with pactsel.context(ADDRESS, must="exist") as ctx:
    n = won = 0
    while won < int(os.environ["TEXTS"]):
        began = time.monotonic_ns()
        ctx.reload()
        last = ctx.select(".block").texts[-1]
        report("read", last, "", began)
        made = f"python {NAME} {n}"
        n += 1
        ctx.insert("(d0,0, end)", text=made)
        began = time.monotonic_ns()
        try:
            ctx.commit()
        except pactsel.Conflict as e:
            assert e.changed is not None and e.changed["added"], e.changed
            report("lost", last, made, began)
        else:
            report("won", last, made, began)
            won += 1
