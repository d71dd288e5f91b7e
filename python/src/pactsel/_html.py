"""What notebooks show: tables, trees and timelines. Everything that comes from a log is escaped."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._history import Node

# How many rows a table or tree shows, and lines of a log a timeline.
_ROWS = 200
_CALLS = 2000


def shorten(text: str, width: int) -> str:
    """Return the beginning of a text on one line."""
    line = " ".join(text[: 4 * width].split())
    return line if len(line) <= width and len(text) <= 4 * width else line[: width - 1] + "…"


def table(nodes: Sequence[Node]) -> str:
    """Return nodes as a table."""
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(str(v or ''))}</td>" for v in _row(n)) + "</tr>" for n in nodes[:_ROWS]
    )
    head = "".join(f"<th>{h}</th>" for h in ("id", "role", "kind", "name", "content"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{_more(len(nodes))}"


def _row(n: Node) -> tuple[str | None, ...]:
    return (n.id, n.role or n.type, n.kind, n.name, shorten(n.text, 100))


def _more(count: int) -> str:
    return f"<p>and {count - _ROWS} more</p>" if count > _ROWS else ""


def tree(nodes: Sequence[Node]) -> str:
    """Return nodes as nested lists, each below its parent. It does not recurse, since trees may be deep."""
    shown = nodes[:_ROWS]
    known = {n.id for n in shown}
    children: dict[str | None, list[Node]] = {}
    for n in shown:
        children.setdefault(n.parent_id if n.parent_id in known else None, []).append(n)
    out: list[str] = ["<ul>"]
    stack: list[Node | str] = list(reversed(children.get(None, [])))
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        words = " ".join(html.escape(w) for w in (item.role, item.kind, item.name) if w)
        out.append(f"<li><code>{html.escape(item.id)}</code> {words} <i>{html.escape(shorten(item.text, 80))}</i>")
        below = children.get(item.id, [])
        if below:
            out.append("<ul>")
            stack.append("</ul></li>")
            stack.extend(reversed(below))
        else:
            out.append("</li>")
    return "".join(out) + "</ul>" + _more(len(nodes))


def timeline(lines: Sequence[Mapping[str, Any]]) -> str:
    """Return a picture of the lines of a log: what entered with each above the line, what left below it, newest on the right."""
    shown = lines[-_CALLS:]
    if not shown:
        return '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="10" role="img"><title>no calls</title></svg>'
    top = max([1, *(len(row["added"]) for row in shown)])
    bottom = max([1, *(len(row["left"]) for row in shown)])
    step, height = max(2, min(16, 900 // len(shown))), 48
    width, line = step * len(shown) + 2, height + 4
    bars: list[str] = []
    for i, row in enumerate(shown):
        x, w = 1 + i * step, max(1, step - 1)
        up, down = height * len(row["added"]) / top, height * len(row["left"]) / bottom
        causes = ", ".join(sorted({str(d["cause"]) for d in row["left"]}))
        title = f"@c{row['cycle']}: {len(row['added'])} came, {len(row['left'])} left" + (f" ({causes})" if causes else "")
        bars.append(
            f'<g><title>{html.escape(title)}</title>'
            f'<rect x="{x}" y="{line - up:.1f}" width="{w}" height="{up:.1f}" fill="#2a7"/>'
            f'<rect x="{x}" y="{line}" width="{w}" height="{down:.1f}" fill="#c33"/></g>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{2 * height + 8}" role="img">'
        f"<title>what came and left with each of {len(shown)} calls and states</title>{''.join(bars)}"
        f'<line x1="0" y1="{line}" x2="{width}" y2="{line}" stroke="#888"/></svg>'
    )
