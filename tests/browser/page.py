# SPDX-License-Identifier: BSD-2-Clause
"""page.py LINK FOLDER PID: the page of tests/e2e/output/page.sh; prints the numbers that it shows, ends the run, and looks again."""
import os
import signal
import sys

from drive import Browser

link, folder, pid = sys.argv[1:]
CANVAS = "document.querySelector('#agg-2 canvas').toDataURL()"


def expect(what, got, want):
    if got != want:
        sys.exit(f"{what}: {got!r} instead of {want!r}")


with Browser(1400, 1400) as page:
    page.open(link)
    page.until("Number(document.body.dataset.events) >= 2", 15)
    before = page.value(CANVAS)
    page.until("Number(document.body.dataset.events) >= 4", 15)
    if page.value(CANVAS) == before:
        sys.exit("the heat map does not change")
    keys = page.value("[...document.querySelectorAll('#agg-0 tbody tr')].map(r => r.cells[0].textContent)")
    expect("keys", keys, ["one <i>", "two"])
    page.value("(() => { const i = document.querySelector('#agg-0 input'); i.value = 'tw'; i.dispatchEvent(new Event('input')); })()")
    page.until("document.querySelectorAll('#agg-0 tbody tr').length === 1", 5)
    page.value("(() => { const i = document.querySelector('#agg-0 input'); i.value = ''; i.dispatchEvent(new Event('input')); })()")
    page.until("document.querySelectorAll('#agg-0 tbody tr').length === 2", 5)
    page.click("#agg-0 th")                              # by key, ascending
    page.until("document.querySelector('#agg-0 th').ariaSort === 'ascending'", 5)
    page.until("document.querySelectorAll('#agg-3 .graph rect').length > 1", 8)
    page.click("#agg-3 .graph rect:nth-of-type(2)")
    if page.value("document.querySelector('#agg-3 svg').dataset.zoom") == "all":
        sys.exit("a click on a function does not zoom")
    page.until("document.getElementById('log').textContent.includes('first line')", 5)
    page.until("document.getElementById('errors').textContent === '1'", 5)
    page.picture(f"{folder}/page.png")
    for number in page.value("[...document.querySelectorAll('#agg-0 tbody tr, #agg-1 tbody tr')].map(r => "
                             "r.querySelector('.number').dataset.value)"):
        print(number)
    size = page.value("JSON.stringify(cards.map(c => c.spans)).length")
    if size > 2000000:
        sys.exit(f"heat maps take {size} bytes")
    os.kill(int(pid), signal.SIGTERM)
    page.until("document.getElementById('state').textContent === 'ended'", 10)
    expect("problems", page.problems, [])
