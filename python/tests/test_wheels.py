"""The wheels that ``make wheels`` built: their tags, contents and programs. This machine can run only one of them."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import os
import re
import runpy
import struct
import subprocess
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
WHEELS = ROOT / "out" / "wheels"

# The end of the name of a wheel, and the beginning of its programs: the magic number, and the
# offset and number of the machine.
ELF, MACHO, PE = b"\x7fELF", b"\xcf\xfa\xed\xfe", b"MZ"
PROGRAMS = {
    "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64": (ELF, 62),
    "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64": (ELF, 183),
    "macosx_12_0_x86_64": (MACHO, 0x01000007),
    "macosx_12_0_arm64": (MACHO, 0x0100000C),
    "win_amd64": (PE, 0x8664),
    "win_arm64": (PE, 0xAA64),
}


def machine(program: bytes) -> int:
    """Return the number of the machine that a program is for."""
    if program.startswith(ELF):
        return int(struct.unpack_from("<H", program, 18)[0])
    if program.startswith(MACHO):
        return int(struct.unpack_from("<I", program, 4)[0])
    header = struct.unpack_from("<I", program, 0x3C)[0]
    assert program[header : header + 4] == b"PE\0\0"
    return int(struct.unpack_from("<H", program, header + 4)[0])


def wheel(tag: str) -> Path:
    """Return the only wheel with a tag."""
    found = list(WHEELS.glob(f"pactsel-*-py3-none-{tag}.whl"))
    assert len(found) == 1, f"{len(found)} wheels for {tag} in {WHEELS}; 'make wheels' builds them"
    return found[0]


@pytest.mark.parametrize("tag", [*PROGRAMS, "any"])
def test_contents(tag: str) -> None:
    with zipfile.ZipFile(wheel(tag)) as z:
        assert z.testzip() is None
        files = {info.filename: info for info in z.infolist()}
        info = next(name.split("/")[0] for name in files if name.endswith(".dist-info/WHEEL"))
        about = z.read(f"{info}/WHEEL").decode().splitlines()
        assert [line for line in about if line.startswith("Tag:")] == [f"Tag: py3-none-{t}" for t in tag.split(".")]
        assert f"Root-Is-Purelib: {'true' if tag == 'any' else 'false'}" in about
        assert {"pactsel/__init__.py", "pactsel/py.typed", "pactsel/spark.py", f"{info}/licenses/LICENSE"} <= files.keys()
        recorded = {row[0]: row[1:] for row in csv.reader(z.read(f"{info}/RECORD").decode().splitlines())}
        assert recorded.keys() == files.keys()
        for name, (digest, size) in recorded.items():
            if digest:
                sum256 = base64.urlsafe_b64encode(hashlib.sha256(z.read(name)).digest()).rstrip(b"=").decode()
                assert (digest, int(size)) == (f"sha256={sum256}", files[name].file_size), name
        programs = {name.split("/")[-1]: name for name in files if "/scripts/" in name}
        scripts = z.read(f"{info}/entry_points.txt").decode()
        assert "[pytest11]\npactsel = pactsel.pytest_plugin\n" in scripts
        assert ("[console_scripts]\npactfmt = pactsel._launch:pactfmt\n" in scripts) == (tag != "any")
        if tag == "any":
            assert not programs
            return
        magic, number = PROGRAMS[tag]
        end = ".exe" if magic == PE else ""
        assert programs.keys() == {f"{name}{end}" for name in ("pactsel", "pact-lsp")}, "each program once"
        for name in programs.values():
            program = z.read(name)
            assert program.startswith(magic) and machine(program) == number, name
            assert files[name].external_attr >> 16 == 0o100755, name


def installed(tmp_path: Path, tag: str) -> tuple[Path, dict[str, str]]:
    """Install a wheel in a new environment without network. Return its Python and variables without a PATH to programs."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PACTKIT_", "PYTHON"))}
    env |= {"PATH": str(tmp_path), "HOME": str(tmp_path), "PIP_CONFIG_FILE": os.devnull}
    pip = [str(python), "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check", str(wheel(tag))]
    subprocess.run(pip, check=True, env=env)
    return python, env


def test_readme(tmp_path: Path, log: list[dict[str, Any]]) -> None:
    """The first block of the README runs where nothing else is installed."""
    tools = runpy.run_path(str(ROOT / "python" / "tools" / "wheels.py"))
    python, env = installed(tmp_path, tools["PLATFORMS"][tools["native"]()][2])
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "chat.json").write_text(json.dumps(log))
    readme = (ROOT / "python" / "README.md").read_text(encoding="utf-8")
    example, printed = re.findall(r"^```(?:python|text)\n(.*?)^```", readme, re.M | re.S)[:2]
    done = subprocess.run([str(python), "-c", example], capture_output=True, text=True, env=env, cwd=logs)
    assert (done.stdout, done.stderr) == (printed, "")


def test_no_program(tmp_path: Path) -> None:
    """The wheel for other platforms reports what is missing, and how to get it."""
    python, env = installed(tmp_path, "any")
    ask = "import pactsel; pactsel.read([{'role': 'user', 'content': 'hi'}], source='openai')"
    done = subprocess.run([str(python), "-c", ask], capture_output=True, text=True, env=env)
    last = done.stderr.strip().splitlines()[-1]
    assert done.returncode == 1 and last.startswith("pactsel._errors.BinaryNotFound: this package has no pactsel for "), done.stderr
    assert "go install" in last and "PACTKIT_BINARY" in last
