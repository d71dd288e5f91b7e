"""The guide to an agent in 60 lines runs, and its agent survives kill -9 at any time."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import pactsel

GUIDE = Path(__file__).parents[2] / "docs" / "guide-agent-python.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.M | re.S)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "agent.py").write_text(BLOCKS[0][1])
    return tmp_path


def test_guide(folder: Path) -> None:
    """Each command prints what the block after it says."""
    env = {**os.environ, "PATH": os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ["PATH"]]), "PYTHONWARNINGS": "error"}
    (folder / "pactsel").symlink_to(pactsel.binary())
    assert len(BLOCKS[0][1].splitlines()) <= 60
    for i, (lang, text) in enumerate(BLOCKS[1:], 1):
        if lang == "python":
            (folder / "block.py").write_text(text)
            text = "python block.py"
        if lang == "text" or "kill" in text:
            continue
        done = subprocess.run(["sh", "-c", text], cwd=folder, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        if i + 1 < len(BLOCKS) and BLOCKS[i + 1][0] == "text":
            assert done.stdout + done.stderr == BLOCKS[i + 1][1]
    assert pactsel.open(f"file:{folder}/sessions#three").select("^seq .block+user").texts == ["Read a.txt", "Read d.txt"]


def test_guide_types(folder: Path) -> None:
    """The programs of the guide pass both type checkers in their strict modes."""
    blocks = [text for lang, text in BLOCKS if lang == "python"]
    for i, text in enumerate(blocks[1:]):
        (folder / f"block{i}.py").write_text(text)
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    files = sorted(path.name for path in folder.glob("*.py"))
    subprocess.run([sys.executable, "-m", "mypy", "--strict", *files], cwd=folder, check=True)
    subprocess.run([sys.executable, "-m", "pyright", "--pythonpath", sys.executable], cwd=folder, check=True)


def test_kills(folder: Path) -> None:
    """Killed at random, the agent ends with every question answered once."""
    chance = random.Random(3)
    where = f"file:{folder}/sessions#k"
    command = [sys.executable, "agent.py", where]
    start = time.monotonic()
    subprocess.run([*command, "Read", "a.txt"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    takes = time.monotonic() - start
    asked = ["Read a.txt"]
    for n in range(8):
        agent = subprocess.Popen([*command, "Read", f"{n}.txt"], cwd=folder, stdout=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.4, 1) * takes)
        agent.kill()
        agent.wait()
        asked.append(f"Read {n}.txt")
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    history = pactsel.open(where)
    questions = history.select("@* .block+user").texts
    answers = Counter(n.text for n in history.select("@* .block+assistant{kind=text}"))
    assert set(questions) <= set(asked)
    assert answers["Done."] == len(questions)
    assert len(history.select("@t0 ^ah .block")) == 0, "no turn is left unfinished"
