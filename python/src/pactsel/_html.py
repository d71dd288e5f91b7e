"""What notebooks show: tables, trees and timelines. Everything that comes from a log is escaped."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._history import Node
    from ._protocol import CallLine, CallLineTokensShare

# How many rows a table or tree shows, calls a timeline, and parts a part of a call.
_ROWS = 200
_CALLS = 2000
_SHARES = 12


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


# What a bar is split into, as in the page of pactsel inspect: a colour, and the shares that it sums.
_GROUPS = {
    "system": ("#7a5cc0", ("system",)),
    "tools": ("#a58fd6", ("tools",)),
    "user": ("#2f7dd1", ("user", "reminder", "summary")),
    "assistant": ("#2e9e6b", ("assistant", "thinking")),
    "calls": ("#d08a1d", ("call",)),
    "results": ("#c9597c", ("result",)),
    "other": ("#8c95a1", ()),
}
# What only the provider counted is not drawn.
_UNSEEN = ("rest", "vocabulary")

# The signs above the bars, the most important first: their meaning, and the causes of what left.
_SIGNS = (
    ("▼", "compacted", ("compacted",)),
    ("○", "cleared", ("cleared", "session-cleared")),
    ("↺", "rewound", ("rewound",)),
    ("−", "trimmed", ("trimmed", "pruned", "expired")),
)


def _sign(call: CallLine) -> tuple[str, str]:
    causes = {d["cause"] for d in call["left"]}
    for sign, title, of in _SIGNS:
        if causes.intersection(of):
            return sign, title
    return ("✕", "cache broke") if call["cache"]["broken"] else ("•", "side call") if call["side"] else ("", "")


def _parts(call: CallLine) -> dict[str, int]:
    """Return the tokens of a call by group."""
    out = dict.fromkeys(_GROUPS, 0)
    for share in call["tokens"].get("shares", ()):
        if share["what"] not in _UNSEEN:
            out[next((g for g, (_, of) in _GROUPS.items() if share["what"] in of), "other")] += max(share["tokens"], 0)
    return out


def timeline(calls: Sequence[CallLine]) -> str:
    """Return a picture of calls with shares: a bar for each, its height the tokens, the newest on the right."""
    shown = calls[-_CALLS:]
    if not shown:
        return '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="10" role="img"><title>no calls</title></svg>'
    parts = [_parts(c) for c in shown]
    top = max(1, *(sum(p.values()) for p in parts))
    step, height, head = max(2, min(24, 900 // len(shown))), 110, 16
    width, w = max(step * len(shown) + 2, 420), max(1, step - 2)
    bars: list[str] = []
    for i, (call, part) in enumerate(zip(shown, parts)):
        x, y, tokens = 1 + i * step, float(head + height), call["tokens"]
        sign, happened = _sign(call)
        bars.append(f"<g><title>{html.escape(_title(call, happened))}</title>")
        for group, n in part.items():
            if n > 0:
                y -= height * n / top
                bars.append(f'<rect x="{x}" y="{y:.1f}" width="{w}" height="{height * n / top:.1f}" fill="{_GROUPS[group][0]}"/>')
        if tokens["cached"] and tokens["in"] > 0:
            read = min(tokens["cached"] / tokens["in"], 1) * height * sum(part.values()) / top
            bars.append(f'<rect x="{x}" y="{head + height - read:.1f}" width="{w}" height="{read:.1f}" fill="#fff" opacity="0.45"/>')
        if sign:
            bars.append(f'<text x="{x + w / 2}" y="11" font-size="11" text-anchor="middle" fill="#b3261e">{sign}</text>')
        bars.append("</g>")
    line = head + height
    legend = "".join(
        f'<rect x="{2 + 68 * i}" y="{line + 8}" width="9" height="9" fill="{color}"/><text x="{14 + 68 * i}" y="{line + 16}" font-size="11" fill="#777">{group}</text>'
        for i, (group, (color, _)) in enumerate(_GROUPS.items())
        if any(p[group] for p in parts)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{max(width, 480)}" height="{line + 22}" role="img">'
        f"<title>the tokens of {len(shown)} calls, at most {top:,}</title>{''.join(bars)}"
        f'<line x1="0" y1="{line}" x2="{width}" y2="{line}" stroke="#888"/>{legend}</svg>'
    )


def _title(call: CallLine, happened: str) -> str:
    tokens, window = call["tokens"], call.get("window")
    words = [f"@c{call['cycle']}: {_count(tokens['in'], tokens['label'])} tokens"]
    if window and tokens["in"]:
        words.append(f"{100 * tokens['in'] / window['tokens']:.0f} % of the window")
    if tokens["cached"] and tokens["in"]:
        words.append(f"{100 * tokens['cached'] / tokens['in']:.0f} % from the cache")
    return ", ".join([*words, happened] if happened else words)


def _count(n: int, label: str) -> str:
    """Return a number of tokens after the mark of its grade."""
    return ("" if label in ("exact", "counted") else "≥" if label == "at-least" else "~") + f"{n:,}"


def _named(share: CallLineTokensShare) -> str:
    """Return the name of a part of a call in words, as the page of pactsel inspect has it."""
    what, name = share["what"], share.get("name", "")
    if what == "rest":
        return f"not in this log, or not counted: {name}" if name else "not explained"
    if what == "vocabulary":
        return "counted otherwise by the provider"
    plural = {"call": "calls", "result": "results", "reminder": "reminders", "image": "images", "document": "documents", "summary": "summaries"}
    return f"MCP server {name}" if what == "server" else name or plural.get(what, what)


def shares(call: CallLine | None) -> str:
    """Return what filled a call as a table, the largest first, with the parts of each part."""
    if call is None:
        return ""
    tokens, window = call["tokens"], call.get("window")
    rows: list[str] = []

    def add(list_: Sequence[CallLineTokensShare], level: int) -> None:
        for s in list_[:_SHARES]:
            name = html.escape(shorten(_named(s), 80))
            width = 100 * max(s["tokens"], 0) / max(tokens["in"], 1)
            rows.append(
                f'<tr><td style="text-align:left;padding-left:{6 + 16 * level}px">{name}</td><td>{_count(s["tokens"], s["label"])}</td><td>{width:.0f} %</td>'
                f'<td style="min-width:120px"><div style="height:9px;width:{min(width, 100):.1f}%;background:#2458d6"></div></td></tr>'
            )
            add(s.get("shares", ()), level + 1)
        if len(list_) > _SHARES:
            rows.append(f"<tr><td>and {len(list_) - _SHARES} more</td></tr>")

    add(tokens.get("shares", ()), 0)
    full = f" of {window['tokens']:,}" if window else ""
    caption = html.escape(f"@c{call['cycle']} {call['model']}: {_count(tokens['in'], tokens['label'])}{full} tokens")
    return f"<table><caption>{caption}</caption><tbody>{''.join(rows)}</tbody></table>"
