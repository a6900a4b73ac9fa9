# SPDX-License-Identifier: BSD-2-Clause
"""flame.py SMALL LARGE PARTS FOLDER: the flame graphs of tests/e2e/output/flame.sh; pictures go to the folder."""
import sys

from drive import Browser

small, large, parts, folder = sys.argv[1:]
SEARCH = "(text => {{ const i = document.querySelector('input'); i.value = text; i.dispatchEvent(new Event('input')); }})({!r})"


def expect(what, got, want):
    if got != want:
        sys.exit(f"{what}: {got!r} instead of {want!r}")


with Browser() as page:
    page.open(f"file://{large}")
    page.until("document.querySelector('.tools button')", 10)
    boxes = page.value("document.querySelectorAll('.graph rect').length")
    if not 100 < boxes < 20000:
        sys.exit(f"{boxes} boxes are drawn of 100,000 stacks")
    page.value(SEARCH.format("function_0_1$"))
    found = page.value("Number(document.documentElement.dataset.found)")
    total = page.value("Number(document.querySelector('.told').textContent.replace(/[^0-9]/g, ''))")
    if not 0.3 < found / total < 0.37:
        sys.exit(f"a third of the stacks has function_0_1, found: {found} of {total}")
    expect("marked boxes", page.value("document.querySelectorAll('rect.found').length"), 1)
    page.picture(f"{folder}/flame-found.png")
    page.click("rect.found")
    expect("zoomed", page.value("document.documentElement.dataset.zoom"), "function_0_1")
    wide = page.value("document.querySelector('rect.found').width.baseVal.value")
    if wide < 1279:
        sys.exit(f"the zoomed function is {wide} units wide")
    if "function_0_1" not in page.value("location.hash") or "find=" not in page.value("location.hash"):
        sys.exit(f"zoom and search are not in the address: {page.value('location.hash')}")
    page.picture(f"{folder}/flame-zoomed.png")
    page.value("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))")
    expect("zoomed out", page.value("document.documentElement.dataset.zoom"), "all")
    page.value(SEARCH.format(""))
    page.value("document.querySelector('.graph').focus()")
    for key, want in (("ArrowUp", "all"), ("ArrowUp", "function_0_0"), ("ArrowRight", "function_0_1")):
        page.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key)
        if not page.value("document.querySelector('.told').textContent").startswith(want):
            sys.exit(f"{key} does not go to {want}: {page.value('document.querySelector(`.told`).textContent')}")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    expect("zoomed by key", page.value("document.documentElement.dataset.zoom"), "function_0_1")
    page.value("document.querySelector('.graph').blur()")
    page.value("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))")
    page.click(".tools button:nth-of-type(5)")           # Table
    functions = page.value("[...document.querySelectorAll('.functions tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
    expect("rows of the table", len(functions), 200)
    page.click(".tools button:nth-of-type(5)")
    page.click(".tools button:nth-of-type(3)")           # Inverted: the leaf is next to "all"
    page.until("document.querySelectorAll('.graph rect').length > 1", 20)
    expect("total, inverted", page.value("document.querySelector('.told').textContent.replace(/[^0-9]/g, '')"), str(total))
    expect("problems", page.problems, [])

with Browser(dark=True) as page:
    page.open(f"file://{small}")
    page.until("document.querySelector('.tools button')", 10)
    expect("paper", page.value("getComputedStyle(document.querySelector('.paper')).fill"), "rgb(23, 23, 27)")
    page.click(".tools button:nth-of-type(1)")
    names = page.value("[...document.querySelectorAll('.graph text')].map(e => e.textContent)")
    if '</script>]]>&"' not in names:
        sys.exit(f"a key with the signs of HTML: {names}")
    page.click(".tools button:nth-of-type(4)")           # Old widths
    page.until("[...document.querySelectorAll('.graph text')].some(e => e.textContent === 'main')", 5)
    widths = page.value("Object.fromEntries([...document.querySelectorAll('.graph text')].map(e => "
                        "[e.textContent, e.previousSibling.width.baseVal.value]))")
    if abs(widths["b"] / widths["a"] - 10 / 35) > 0.01:
        sys.exit(f"old widths: {widths}")
    page.picture(f"{folder}/flame-old.png")
    outside = [e for e in page.events if e["method"] == "Network.requestWillBeSent"
               and not e["params"]["request"]["url"].startswith("file://")]
    expect("requests to the network", outside, [])
    expect("problems", page.problems, [])

# A link with zoom and search; two units are two parts, each with its own total; deep stacks take the whole width.
with Browser(1300, 900) as page:
    page.open(f"file://{large}#zoom=function_0_1&find=function_1_2")
    page.until("document.documentElement.dataset.zoom === 'function_0_1'", 10)
    expect("searched by the link", page.value("document.querySelector('input').value"), "function_1_2")
    page.open(f"file://{parts}")
    page.until("document.querySelector('.tools button')", 10)
    told = page.value("document.querySelector('.told').textContent")
    if not told.startswith("totals: @n 70 events, @time 70 ms"):
        sys.exit(f"parts: {told}")
    rows = page.value("[...document.querySelectorAll('.graph rect')].map(e => [e.x.baseVal.value, e.width.baseVal.value, e.y.baseVal.value])")
    expect("rows of boxes", len({y for _, _, y in rows}) > 60, True)
    wide = [sum(w for _, w, at in rows if at == y) for y in {y for _, _, y in rows}]
    if not len([w for w in wide if w > 1200]) > 60:
        sys.exit(f"deep stacks are not as wide as the window: {wide}")
    expect("parts", [round(w / 65) for x, w, y in rows if y == sorted({y for _, _, y in rows})[-2]], [10, 10])
    legend = page.value("document.querySelector('.tools .legend').textContent.trim()")
    if "user" not in legend:
        sys.exit(f"legend: {legend}")
    expect("title", page.value("document.querySelector('.head').textContent"), "@n[ustack(127)] = count(), @time[ustack(127)] = sum(this->ns)")
    page.picture(f"{folder}/flame-parts.png")
    expect("problems", page.problems, [])
