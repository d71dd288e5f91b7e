from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

TESTS = """
import pactsel
LOG = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]

@pactsel.selects(".block+user", min=1, source="openai")
@pactsel.selects(".block+tool", max=0, source="openai")
def test_good():
    return LOG

@pactsel.selects(".block+user", max=0, source="openai")
@pactsel.selects(".block+tool", max=0, source="openai")
def test_too_many():
    return LOG

@pactsel.selects(".block+tool", source="openai")
def test_none():
    return LOG

@pactsel.selects(".block")
def test_nothing():
    pass

@pactsel.selects(".block(", source="openai")
def test_wrong():
    return LOG

def test_fixture(pact_select, tmp_path):
    assert pact_select(LOG, ".block+user", min=1, source="openai").texts == ["hi"]
    pact_select(LOG, ".block+user", max=0, source="openai")
"""

COROUTINE = """
import asyncio, pactsel

@pactsel.selects(".block+user", min=2, max=2, source="openai")
async def check():
    return [{"role": "user", "content": "hi"}]

def test_coroutine():
    asyncio.run(check())
"""


def test_plugin(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_subprocess("-W", "error")
    result.assert_outcomes(passed=1, failed=5)
    result.stdout.fnmatch_lines_random(
        [
            "pactsel: *",
            "*AssertionError: .block+user selects 1 node, expected 0*",
            "*AssertionError: .block+tool selects 0 nodes, expected at least 1*",
            "*the test returned nothing*",
            "*E_SELECTOR_INVALID*",
        ]
    )


def test_coroutine(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(COROUTINE)
    pytester.runpytest_subprocess("-W", "error").stdout.fnmatch_lines(["*.block+user selects 1 node, expected 2*"])
