# SPDX-License-Identifier: BSD-2-Clause
"""screenshots.py KIND FROM TO [WIDTH HEIGHT]: one picture for tests/screenshots; KIND is file, page, line or terminal."""
import html
import os
import re
import sys
import time

from drive import Browser

COLOURS = ["#1b1b1f", "#d9534f", "#5cb85c", "#d9a441", "#5b8dd9", "#b45bd9", "#45b5c4", "#dcdce4"]


def colour(codes):
    """The colour after 38 or 48 of a sequence: by number, or red, green, blue."""
    if codes[:1] == ["5"]:
        n = int(codes[1])
        if n < 16:
            return COLOURS[n % 8], 2
        if n < 232:
            n -= 16
            return "#%02x%02x%02x" % tuple(0 if v == 0 else 55 + 40 * v for v in (n // 36, n // 6 % 6, n % 6)), 2
        return "#%02x%02x%02x" % ((8 + 10 * (n - 232),) * 3), 2
    return "#%02x%02x%02x" % tuple(int(v) for v in codes[1:4]), 4


def style(codes, now):
    """The style after a sequence of colours."""
    at = 0
    while at < len(codes):
        c = int(codes[at] or 0)
        at += 1
        if c == 0:
            now = {}
        elif c == 1:
            now = {**now, "bold": True}
        elif c == 7:
            now = {**now, "reverse": True}
        elif c == 27:
            now = {**now, "reverse": False}
        elif 30 <= c <= 37 or 90 <= c <= 97:
            now = {**now, "ink": COLOURS[c % 10]}
        elif 40 <= c <= 47 or 100 <= c <= 107:
            now = {**now, "paper": COLOURS[c % 10]}
        elif c in (38, 48):
            value, used = colour(codes[at:])
            at += used
            now = {**now, "ink" if c == 38 else "paper": value}
        elif c == 39:
            now = {k: v for k, v in now.items() if k != "ink"}
        elif c == 49:
            now = {k: v for k, v in now.items() if k != "paper"}
    return now


def page_of(screen):
    """A terminal's screen, as tmux captures it, as a page."""
    out, now = [], {}
    for part in re.split(r"(\x1b\[[0-9;]*m)", screen):
        if part.startswith("\x1b["):
            now = style(part[2:-1].split(";"), now)
            continue
        part = re.sub(r"\x1b\([A-Z0-9]|[\x0e\x0f]", "", part)
        ink, paper = now.get("ink", "#dcdce4"), now.get("paper", "#17171b")
        if now.get("reverse"):
            ink, paper = paper, ink
        bold = ";font-weight:700" if now.get("bold") else ""
        out.append(f'<span style="color:{ink};background:{paper}{bold}">{html.escape(part)}</span>')
    return ('<meta charset="utf-8"><body style="margin:0;background:#17171b"><pre style="display:inline-block;margin:0;padding:12px;'
            'font:14px/17px DejaVu Sans Mono,monospace">' + "".join(out) + "</pre>")


def main():
    kind, source, to = sys.argv[1:4]
    width, height = [int(v) for v in sys.argv[4:6]] or (1000, 620)
    if kind == "terminal":
        with open(source, encoding="utf-8") as f:
            text = page_of(f.read().rstrip("\n"))
        source += ".html"
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
    with Browser(width, height) as page:
        page.open(source if kind in ("page", "line") else "file://" + os.path.abspath(source))
        if kind == "page":
            time.sleep(25)
            page.until("Number(document.body.dataset.events) > 12", 30)
        if kind == "line":
            page.until("document.readyState === 'complete' && line.rows().length > 1 && document.getElementById('lanes').dataset.busy === '0'", 30)
            page.value("(() => { const t = line.rows().map(r => r.thread).find(t => t && t.lanes.length > 3), deep = t.lanes[t.lanes.length - 1];"
                       " line.look(deep.start.a[0] - 600, deep.start.a[0] + 900); })()")
        page.picture(to, "#timeline" if kind == "line" else None)


main()
