"""Builds the wheels: one for each platform with the programs in it, and one for all others without.

    python tools/wheels.py [--platform NAME]... [--programs DIR] [--version VERSION] OUT

Only Go modules are downloaded, and the same sources give the same bytes. DIR has programs that are already built, in
folders such as linux_amd64, and the licenses of the software linked into them.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import platform as host
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
# What Go builds, and the name in the wheel: on PyPI, pactkit is another project with a program of that name.
PROGRAMS = {"pactkit": "pactsel", "pact-lsp": "pact-lsp"}
NOTICES = "THIRD_PARTY_LICENSES"

# Platforms by name: GOOS, GOARCH and the tag. The programs are static, so they run with every C
# library. The Go version of go.mod needs macOS 12.
PLATFORMS = {
    "linux-x86_64": ("linux", "amd64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"),
    "linux-aarch64": ("linux", "arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"),
    "macos-x86_64": ("darwin", "amd64", "macosx_12_0_x86_64"),
    "macos-arm64": ("darwin", "arm64", "macosx_12_0_arm64"),
    "windows-x86_64": ("windows", "amd64", "win_amd64"),
    "windows-arm64": ("windows", "arm64", "win_arm64"),
    "any": ("", "", "any"),
}


def build(platform: str, folder: Path) -> None:
    """Build the programs for a platform in a folder."""
    system, machine, _ = PLATFORMS[platform]
    go = os.environ.get("GO", "go")
    environment = {**os.environ, "CGO_ENABLED": "0", "GOOS": system, "GOARCH": machine, "GOAMD64": "v1", "GOARM64": "v8.0"}
    command = [go, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", str(folder) + os.sep]
    subprocess.run([*command, *(f"./cmd/{p}" for p in PROGRAMS)], cwd=HERE.parent, env=environment, check=True)


def built(platform: str, folder: Path) -> dict[str, bytes]:
    """Return the programs for a platform that are in a folder, by file name in the wheel."""
    end = ".exe" if PLATFORMS[platform][0] == "windows" else ""
    return {name + end: (folder / (p + end)).read_bytes() for p, name in PROGRAMS.items()}


def metadata(project: dict[str, Any], licenses: list[str]) -> str:
    """Return the core metadata of the package, with the names of the files of licenses."""
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Keywords: {','.join(project['keywords'])}",
        f"License-Expression: {project['license']}",
        *(f"License-File: {name}" for name in licenses),
        f"Requires-Python: {project['requires-python']}",
        *(f"Classifier: {c}" for c in project["classifiers"]),
    ]
    for extra, needs in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {n}; extra == '{extra}'" for n in needs]
    readme = (HERE / project["readme"]).read_text(encoding="utf-8")
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def entry_points(project: dict[str, Any], programs: bool) -> str:
    """Return the entry points of the package. Scripts start a program, so a wheel without programs has none."""
    groups = {**project["entry-points"], **({"console_scripts": project["scripts"]} if programs else {})}
    return "".join(f"[{g}]\n" + "".join(f"{k} = {v}\n" for k, v in entries.items()) for g, entries in groups.items())


def wheel(project: dict[str, Any], platform: str, programs: dict[str, bytes], notices: bytes, out: Path) -> Path:
    """Write a wheel and return its path. ``notices`` are the licenses of the software linked into the programs, if known."""
    name, tag = f"{project['name']}-{project['version']}", PLATFORMS[platform][2]
    info = f"{name}.dist-info"
    files: dict[str, bytes] = {}
    for path in sorted((HERE / "src" / "pactsel").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            files[path.relative_to(HERE / "src").as_posix()] = path.read_bytes()
    for file, data in programs.items():
        files[f"{name}.data/scripts/{file}"] = data
    tags = "".join(f"Tag: py3-none-{t}\n" for t in tag.split("."))
    pure = "false" if programs else "true"
    licenses = {"LICENSE": (HERE.parent / "LICENSE").read_bytes(), **({NOTICES: notices} if notices else {})}
    files[f"{info}/METADATA"] = metadata(project, list(licenses)).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: pactkit\nRoot-Is-Purelib: {pure}\n{tags}".encode()
    files[f"{info}/entry_points.txt"] = entry_points(project, bool(programs)).encode()
    files |= {f"{info}/licenses/{name}": data for name, data in licenses.items()}
    record = "".join(f"{path},sha256={digest(data)},{len(data)}\n" for path, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    target = out / f"{name}-py3-none-{tag}.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for name, data in files.items():
            one = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            one.compress_type = zipfile.ZIP_DEFLATED
            one.create_system = 3  # so that the mode counts, wherever it is built
            one.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            z.writestr(one, data)
    return target


def make(project: dict[str, Any], platform: str, programs: Path | None, out: Path) -> Path:
    """Write the wheel for a platform, with programs that are in folders of ``programs`` or are built, and return its path."""
    system, machine, _ = PLATFORMS[platform]
    if not system:
        return wheel(project, platform, {}, b"", out)
    if programs:
        folder = programs / f"{system}_{machine}"
        return wheel(project, platform, built(platform, folder), (folder / NOTICES).read_bytes(), out)
    with tempfile.TemporaryDirectory() as temporary:
        build(platform, Path(temporary))
        return wheel(project, platform, built(platform, Path(temporary)), b"", out)


def digest(data: bytes) -> str:
    """Return a digest in the format of RECORD."""
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def native() -> str:
    """Return the name of the platform of this machine."""
    system = {"linux": "linux", "darwin": "macos", "win32": "windows"}.get(sys.platform, "")
    machine = {"amd64": "x86_64"}.get(host.machine().lower(), host.machine().lower())
    name = f"{system}-{machine}"
    return name if name in PLATFORMS else "any"


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the wheels.")
    parser.add_argument("--platform", action="append", choices=[*PLATFORMS, "native"], help="all of them by default")
    parser.add_argument("--programs", type=Path, metavar="DIR", help="programs that are already built; by default they are built here")
    parser.add_argument("--version", help="that of pyproject.toml by default")
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    project["version"] = args.version or project["version"]
    for platform in args.platform or PLATFORMS:
        if platform == "native":
            platform = native()
        path = make(project, platform, args.programs, args.out)
        size = path.stat().st_size / 1e6
        print(f"{path}  {size:.1f} MB  sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}", flush=True)


if __name__ == "__main__":
    main()
