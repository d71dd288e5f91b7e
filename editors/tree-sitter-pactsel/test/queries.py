"""Tries the queries with the grammars of the host languages, and runs test/corpus.

    python test/queries.py FOLDER    where pactsel.so and pactsel_inline.so are

With PACTKIT_UPDATE=1 it rewrites what it expects; read the difference.
"""

import ctypes
import os
import re
import sys
from pathlib import Path

import tree_sitter_go
import tree_sitter_java
import tree_sitter_javascript
import tree_sitter_markdown
import tree_sitter_python
import tree_sitter_ruby
import tree_sitter_rust
import tree_sitter_toml
import tree_sitter_typescript
import tree_sitter_yaml
from tree_sitter import Language, Parser, Query, QueryCursor

HERE = Path(__file__).parent
QUERIES = HERE.parent / "queries"
UPDATE = os.environ.get("PACTKIT_UPDATE") == "1"
CAPSULE = b"tree_sitter.Language"  # a capsule keeps a pointer to its name
failures = []


def own(folder, name):
    """The language of a library that gcc has made."""
    function = getattr(ctypes.CDLL(str(Path(folder).resolve() / f"{name}.so")), f"tree_sitter_{name}")
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return Language(capsule(function(), CAPSULE, None))


def read_query(language, path):
    text = path.read_text()
    if text.startswith("; inherits: pactsel"):
        text = (QUERIES / "pactsel" / path.name).read_text()
    return Query(language, text)


def expect(path, got):
    if UPDATE:
        path.write_text(got)
    elif path.read_text() != got:
        failures.append(f"{path} says\n{path.read_text()}but it is\n{got}")


def predicate(source):
    """The predicates that the library leaves to its caller: only #offset!, which changes columns."""
    return lambda name, args, pattern, captures: True


def injected(language, path, source):
    query = read_query(language, path)
    found = set()
    for pattern, captures in QueryCursor(query).matches(Parser(language).parse(source).root_node, predicate(source)):
        for node in captures.get("injection.content", []):
            found.add((node.start_byte, node.end_byte))
    return [source[start:end].decode() for start, end in sorted(found)]


def check_hosts():
    hosts = [
        ("go", "a.go", tree_sitter_go.language()),
        ("python", "a.py", tree_sitter_python.language()),
        ("javascript", "a.js", tree_sitter_javascript.language()),
        ("typescript", "a.ts", tree_sitter_typescript.language_typescript()),
        ("tsx", "a.tsx", tree_sitter_typescript.language_tsx()),
        ("rust", "a.rs", tree_sitter_rust.language()),
        ("java", "A.java", tree_sitter_java.language()),
        ("ruby", "a.rb", tree_sitter_ruby.language()),
        ("markdown", "a.md", tree_sitter_markdown.language()),
        ("yaml", "a.yaml", tree_sitter_yaml.language()),
        ("toml", "a.toml", tree_sitter_toml.language()),
    ]
    lines = []
    for name, file, pointer in hosts:
        source = (HERE / "testdata" / file).read_bytes()
        for text in injected(Language(pointer), QUERIES / name / "injections.scm", source):
            lines.append(f"{file}: {text!r}\n")
    expect(HERE / "testdata" / "want.txt", "".join(lines))


def check_colors(language, name):
    """Each node has one color: editors take the first or the last of several patterns."""
    for path in QUERIES.joinpath(name).glob("*.scm"):
        read_query(language, path)
    query = read_query(language, QUERIES / name / "highlights.scm")
    source = (HERE / "testdata" / "colors.pactsel").read_bytes()
    colors = {}
    for color, nodes in QueryCursor(query).captures(Parser(language).parse(source).root_node).items():
        for node in nodes:
            if node.id in colors:
                failures.append(f"{name}: {node} is {colors[node.id][0]} and {color}")
            colors[node.id] = (color, node)
    lines = [f"{node.start_point.row + 1}:{node.start_point.column + 1} {color} {node.text.decode()}\n"
             for color, node in sorted(colors.values(), key=lambda c: c[1].start_byte)]
    if name == "pactsel":
        expect(HERE / "testdata" / "colors.txt", "".join(lines))


def check_zed(language):
    """Zed's queries fit the grammar, and its colors are those of all editors."""
    folder = HERE.parent.parent / "zed" / "languages" / "pact-selector"
    for path in folder.glob("*.scm"):
        Query(language, path.read_text())
    colors = "highlights.scm"
    if (folder / colors).read_bytes() != (QUERIES / "pactsel" / colors).read_bytes():
        failures.append(f"{folder / colors} is not the one of {QUERIES}: copy it")


def check_corpus(folder):
    case = re.compile(r"^=+\n([^\n]*)\n((?::[^\n]*\n)*)=+\n(.*?)\n---+\n\n?(.*?)\s*(?=^=+\n|\Z)", re.M | re.S)
    count = 0
    for path in sorted((HERE / "corpus").glob("*.txt")):
        language = own(folder, "pactsel_inline" if path.stem.startswith("inline") else "pactsel")

        def run(match):
            nonlocal count
            count += 1
            title, settings, source, want = match.groups()
            root = Parser(language).parse(source.encode() + b"\n").root_node
            if (":error" in settings) != root.has_error:
                failures.append(f"{path.name}: {title}: has an error: {root.has_error}")
            got = indent(str(root))
            if not UPDATE and got.split() != want.split():
                failures.append(f"{path.name}: {title}\n{got}")
            return f"{'=' * 20}\n{title}\n{settings}{'=' * 20}\n{source}\n---\n\n{got}\n\n"

        text = path.read_text()
        rewritten = case.sub(run, text).rstrip() + "\n"
        if UPDATE:
            path.write_text(rewritten)
    return count


def indent(sexp):
    out, depth = [], 0
    for token in re.findall(r"\(|\)|[^\s()]+:|[^\s()]+", sexp):
        if token == "(":
            out.append("" if out and out[-1].endswith(": ") else "\n" + "  " * depth)
            out.append("(")
            depth += 1
        elif token == ")":
            depth -= 1
            out.append(")")
        elif token.endswith(":"):
            out.append("\n" + "  " * depth + token + " ")
        else:
            out.append(token if out[-1] == "(" else " " + token)
    return "".join(out).strip()


def main(folder):
    check_hosts()
    for name in ("pactsel", "pactsel_inline"):
        check_colors(own(folder, name), name)
    check_zed(own(folder, "pactsel"))
    count = check_corpus(folder)
    print("\n\n".join(failures) or f"the queries and {count} cases of test/corpus are as expected")
    sys.exit(bool(failures))


main(sys.argv[1])
