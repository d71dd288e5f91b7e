"""Words that neither the language nor the history has."""

from __future__ import annotations

import doctest
import inspect
import warnings
from pathlib import Path
from typing import Any

import pytest

import pactsel

pytest_plugins = ["pytester"]


def line() -> int:
    """Return the number of the line that calls this function."""
    frame = inspect.currentframe()
    assert frame and frame.f_back
    return frame.f_back.f_lineno


def test_warns(log: list[dict[str, Any]]) -> None:
    """A warning names the selector, and is about the line of the caller."""
    history = pactsel.read(log, source="openai")
    with pytest.warns(pactsel.SelectorWarning) as caught:
        found = history.select(".block+tol"); here = line()  # noqa: E702
        history.select_all({"a": ".blok"})
        history.changes("@t0..@t-1 .block+usr")
        history.tree("@t0 .block{nmae='x'}")
    assert [str(w.message) for w in caught] == [
        ".block+tol: unknown tag `tol`; did you mean `tool`? [correctness/unknown-tag]",
        ".blok: unknown type `blok`; did you mean `block`? [correctness/unknown-type]",
        "@t0..@t-1 .block+usr: unknown tag `usr`; did you mean `user`? [correctness/unknown-tag]",
        "@t0 .block{nmae='x'} *: unknown attribute `nmae`; did you mean `name`? [correctness/unknown-attribute]",
    ]
    assert [(w.filename, w.lineno) for w in caught] == [(__file__, here + i) for i in range(4)]
    assert found.misspelled == {"tol": "tool"} and found.warnings[0].startswith("unknown tag")
    with pytest.warns(pactsel.SelectorWarning, match="no tree is known to have the tag `nobody`"):
        assert history.select(".block+nobody").misspelled == {}


def test_known(log: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No warning is about a role, an attribute of calls, or a word that the configuration lists."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        history = pactsel.read(log[:1], source="openai")
        assert not history.select(".block+tool") and not history.select(".block{name='send'}{call_id='1'}")
        (tmp_path / ".pactkit.toml").write_text('[known]\ntags = ["flagged"]\n')
        monkeypatch.chdir(tmp_path)
        with pactsel.Worker() as worker:
            history = pactsel.read(log, source="openai", worker=worker)
            assert not history.select(".block+flagged")


def test_explain(log: list[dict[str, Any]]) -> None:
    nodes, steps = pactsel.read(log, source="openai").explain(".seg .block+tool > .block, .nobody ?? .block ?? .seg")
    assert len(nodes) == 5
    assert [(s.step, s.count, s.fragment, s.side, s.empty) for s in steps] == [
        (".seg", 2, 0, 0, False),
        (".block+tool", 1, 0, 0, False),
        (".block", 0, 0, 0, True),
        (".nobody", 0, 1, 0, True),
        (".block", 5, 1, 1, False),
        (".seg", None, 1, 2, False),
    ]


def test_search(log: list[dict[str, Any]], tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"role": "user", "content": "hi"}]')
    with pytest.warns(pactsel.SelectorWarning, match="unknown word `usr`; did you mean `user`") as caught:
        assert not list(pactsel.grep(".block+usr", tmp_path, source="openai"))
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not list(pactsel.grep(".block+nobody", tmp_path, source="openai"))


def test_docstrings() -> None:
    """What the documentation in the code shows is so."""
    for module in (pactsel, pactsel._selects):
        result = doctest.testmod(module)
        assert result.attempted > 0 and result.failed == 0


TESTS = """
import pactsel
LOG = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]

@pactsel.selects(".block+tol{content~'Error'}", max=0, source="openai")
def test_typo():
    return LOG

def test_typo_in_fixture(pact_select):
    pact_select(LOG, ".blok", max=0, source="openai")

@pactsel.selects(".seg .block+tool > .block", source="openai")
def test_empty():
    return LOG

@pactsel.selects(".block+flagged", max=0, source="openai")
def test_unknown():
    return LOG

def test_unknown_in_fixture(pact_select):
    pact_select(LOG, ".block+flagged", source="openai")
"""


def test_helpers(pytester: pytest.Pytester) -> None:
    """A helper fails if a word is misspelled, and says at which step nothing is left."""
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_subprocess("-W", "default")
    result.assert_outcomes(passed=2, failed=3, warnings=2)
    result.stdout.fnmatch_lines(
        [
            "E *AssertionError: .block+tol{content~'Error'} has a misspelled word, and selects 0 nodes",
            "E *unknown tag `tol`; did you mean `tool`? [[]correctness/unknown-tag]",
            "E *nodes left after each step:",
            "E *0  .block+tol{content~'Error'}  <- nothing is left here",
            "E *AssertionError: .blok has a misspelled word, and selects 0 nodes",
            "E *unknown type `blok`; did you mean `block`? [[]correctness/unknown-type]",
            "E *AssertionError: .seg .block+tool > .block selects 0 nodes, expected at least 1",
            "E *nodes left after each step:",
            "E *1  .seg",
            "E *0  .block+tool  <- nothing is left here",
            "E *0  .block",
            "*test_helpers.py:15: SelectorWarning: .block+flagged: no tree is known to have the tag `flagged`*",
            "*test_helpers.py:20: SelectorWarning: .block+flagged: no tree is known to have the tag `flagged`*",
        ]
    )
