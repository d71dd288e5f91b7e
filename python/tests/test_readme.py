"""The blocks of the README run, in order."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

README = Path(__file__).resolve().parent.parent / "README.md"


def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chat.json").write_text(json.dumps(log))
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", README.read_text(), re.M | re.S)
    assert [lang for lang, _ in blocks] == ["sh", "python", "text", "python", "text", "python", "python"]
    (_, script), (_, example), (_, printed), (_, live), (_, said), (_, tests), _ = blocks
    assert "make wheels" in script and "pip install" in script
    names: dict[str, Any] = {}
    for code, output in ((example, printed), (live, said)):
        exec(compile(code, "README.md", "exec"), names)
        assert capsys.readouterr().out == output
    (tmp_path / "test_agent.py").write_text(tests)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q"], capture_output=True, text=True)
    assert "2 passed" in done.stdout, done.stdout


def test_spark_block() -> None:
    """The block about Spark compiles; tests/test_spark.py runs what it shows."""
    block = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.M | re.S)[-1]
    assert "pactsel.spark.select" in block
    compile(block, "README.md", "exec")
