# SPDX-License-Identifier: BSD-2-Clause
"""flame.py SMALL LARGE FOLDER: the flame graphs of tests/e2e/output/flame.sh; pictures go to the folder."""
import sys

from drive import Browser

small, large, folder = sys.argv[1:]
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
    if wide < 1199:
        sys.exit(f"the zoomed function is {wide} units wide")
    page.picture(f"{folder}/flame-zoomed.png")
    page.value("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))")
    expect("zoomed out", page.value("document.documentElement.dataset.zoom"), "all")
    page.value(SEARCH.format(""))
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
