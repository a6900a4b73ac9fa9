# SPDX-License-Identifier: BSD-2-Clause
"""looks.py LINK FOLDER: how the page of tests/e2e/output/page_looks.sh is laid out, on a screen and on a phone."""
import re
import sys

import access
from drive import Browser

link, folder = sys.argv[1:]
BOXES = ("cards.map((c, i) => { const r = document.getElementById('agg-' + i).getBoundingClientRect();"
         " return { name: c.meta.name, left: r.left, right: r.right, top: r.top + scrollY, bottom: r.bottom + scrollY }; })")


def expect(what, got, want):
    if got != want:
        sys.exit(f"{what}: {got!r} instead of {want!r}")


def layout(page, columns):
    boxes = page.value(BOXES)
    for a in boxes:
        for b in boxes:
            if a is not b and a["left"] < b["right"] and b["left"] < a["right"] and a["top"] < b["bottom"] and b["top"] < a["bottom"]:
                sys.exit(f"@{a['name']} is over @{b['name']}")
    at = {b["name"]: b for b in boxes}
    expect("columns", len({b["left"] for b in boxes}), columns)
    if columns == 2 and not at["most"]["bottom"] < at["least"]["top"] + 20 < at["lat"]["bottom"]:
        sys.exit(f"a hole below a small card: {boxes}")
    if page.value("document.documentElement.scrollWidth > innerWidth"):
        sys.exit("the page is wider than its window")
    high = page.value("document.querySelector('header').offsetHeight")
    if high > 120:
        sys.exit(f"the header is {high} pixels high")
    narrow = page.value("Math.min(...[...document.querySelectorAll('.head h2')].map(e => e.offsetWidth))")
    if narrow < 150:
        sys.exit(f"a heading is squeezed to {narrow} pixels")
    scale = page.value("(() => { const s = document.querySelector('#aggs svg.flame'); return s.getBoundingClientRect().width / s.viewBox.baseVal.width; })()")
    if not 0.98 < scale < 1.02:
        sys.exit(f"the letters of the flame graph are drawn {scale} times as large")
    below = page.value("(() => { const b = document.querySelector('.flames'); return b.scrollHeight - b.scrollTop - b.clientHeight; })()")
    if below > 20:
        sys.exit(f"the root of the flame graph is {below} pixels below its box")


def words(page):
    card = lambda name: f"cards.find(c => c.meta.name === '{name}')"
    said = lambda name: page.value(card(name) + ".sum.textContent")
    expect("a sum", said("big"), "1 row, total 9,007,199,254,740,993, 0 per s")
    # Beside the bars there is no room for so many digits, and its last ones alone would be another number.
    axis = page.value(card("big") + ".said")
    if not re.fullmatch(r"[1-9]\.\d\de1[4-7]", axis or ""):
        sys.exit(f"the axis of a sum: {axis!r}")
    expect("its room", page.value(f"(g => g.measureText({card('big')}.said).width <= 66)({card('big')}.canvas.getContext('2d'))"), True)
    expect("a short number", page.value(f"axisText({card('big')}.canvas.getContext('2d'), '1,234 B', 66)"), "1,234 B")
    expect("a maximum", said("most"), "1 row")
    expect("no rows", page.value(card("none") + ".more.textContent"), "no rows yet")
    expect("no values: the scale", page.value(card("none") + ".scale.hidden"), True)
    expect("no stacks", page.value("document.querySelectorAll('section.wide .tip')[2].textContent"), "no stacks yet")
    lin = card("lin")
    expect("labels", page.value(f"[...{lin}.meta.labels.keys()].map(b => label({lin}, b))"), ["< 0 µs", "0 µs", "500 µs", "1 ms", "1.5 ms", ">= 2 ms"])
    expect("the scale", page.value(lin + ".scale.hidden"), False)


def keyboard(page):
    page.value("document.querySelector('#agg-0 th button').focus()")
    expect("order", page.value("document.activeElement.parentElement.ariaSort"), "none")
    for kind in ("keyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    page.until("document.querySelector('#agg-0 th').ariaSort === 'ascending'", 5)


for name, width, columns in (("screen", 1280, 2), ("phone", 390, 1)):
    with Browser(width, 900, dark=name == "phone") as page:
        page.open(link)
        page.until("Number(document.body.dataset.events) >= 2 && document.querySelectorAll('#aggs .graph rect').length > 30", 20)
        page.picture(f"{folder}/{name}.png")
        layout(page, columns)
        words(page)
        keyboard(page)
        access.usable(page, name)
        access.colours(page)
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-contrast", "value": "more"}])
        access.usable(page, name + ", high contrast", 7)
        expect("problems", page.problems, [])
