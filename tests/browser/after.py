# SPDX-License-Identifier: BSD-2-Clause
"""after.py report FILE | linger LINK ROWS: a report of tests/e2e/output/report.sh without dtx, or the page of a run that has ended."""
import os
import sys

from drive import Browser

kind, what, rows = sys.argv[1:]
rows = int(rows)
LONG = "window.pauses = []; new PerformanceObserver(l => l.getEntries().forEach(e => pauses.push(Math.round(e.duration)))).observe({entryTypes: ['longtask']})"


def expect(name, got, want):
    if got != want:
        sys.exit(f"{name}: {got!r} instead of {want!r}")


def scroll(page):
    """All rows are reached, in each order and by a filter; few are in the page at once."""
    first = "document.querySelector('#agg-0 tbody td').textContent"
    expect("rows in all", page.value("document.querySelector('#agg-0 table').getAttribute('aria-rowcount')"), str(rows + 1))
    page.click("#agg-0 .rows th button")
    page.until(f"{first} === '0'", 20)
    page.value("(() => { const r = document.querySelector('#agg-0 .rows'); r.scrollTop = r.scrollHeight; })()")
    page.until(f"[...document.querySelectorAll('#agg-0 tbody tr')].pop().cells[0].textContent === '{rows - 1}'", 20)
    drawn = page.value("document.querySelectorAll('#agg-0 tbody tr').length")
    if drawn > 100:
        sys.exit(f"{drawn} rows are drawn of {rows}")
    page.value(f"(() => {{ const i = document.querySelector('#agg-0 input'); i.value = '{rows - 1}'; i.dispatchEvent(new Event('input')); }})()")
    page.until("document.querySelectorAll('#agg-0 tbody tr').length === 1", 20)


with Browser(1300, 900) as page:
    page.open(what if kind == "linger" else f"file://{os.path.abspath(what)}")
    page.until("document.body.dataset.kept === '1' && document.querySelectorAll('#agg-0 tbody tr').length > 1", 30)
    page.value(LONG)
    expect("an ended run takes all of the axis: spans before the first", page.value("cards.map(c => c.plot ? c.plot.from : 0).join()").strip("0,"), "")
    expect("state", page.value("document.getElementById('state').textContent"), "ended")
    expect("loss and what helps", page.value("[...document.querySelectorAll('#losses tbody tr')].some(r => r.cells[3].textContent.includes('-x aggsize='))"), True)
    page.until("document.querySelectorAll('#agg-1 .graph rect').length > 1", 10)
    told = page.value("document.querySelector('#agg-1 p.tip').textContent")
    summed = page.value("cards[1].sum.textContent")
    if told.replace("total ", "").split(" ")[0] not in summed:
        sys.exit(f"the flame graph has {told}, the aggregation {summed}")
    scroll(page)
    expect("program", "@rows" in page.value("document.getElementById('program').textContent"), True)
    expect("log", "</script> & <b>" in page.value("document.getElementById('log').textContent"), True)
    outside = [e["params"]["request"]["url"] for e in page.events if e["method"] == "Network.requestWillBeSent"
               and not e["params"]["request"]["url"].startswith(("file://", "data:", "blob:"))]
    if kind == "report":
        expect("requests to the network", outside, [])
    print("pauses", sorted(page.value("pauses"))[-5:])
    expect("problems", page.problems, [])
