# SPDX-License-Identifier: BSD-2-Clause
"""page.py LINK FOLDER PID: the page of tests/e2e/output/page.sh; prints the numbers that it shows, ends the run, and looks again."""
import os
import signal
import sys
import time

from drive import Browser

link, folder, pid = sys.argv[1:]
LANES = "document.querySelector('#lanes canvas').toDataURL()"
CANVAS = "document.querySelector('#agg-2 canvas').toDataURL()"


def expect(what, got, want):
    if got != want:
        sys.exit(f"{what}: {got!r} instead of {want!r}")


def time_line(page):
    """Spans and a counter come while the run goes on; closer is another picture, and so is what was found."""
    page.until("line.rows().some(r => r.counter && r.counter.name === '@naps') && "
               "line.rows().filter(r => r.thread && r.thread.spans.start.n).length >= 2", 15)
    at = ("(() => { const r = line.rows().find(r => r.thread && r.thread.spans.start.n); for (let x = 150; x < 1300; x++) {"
          " const t = line.told(x, r.y + 20); if (t) return t; } })()")
    told = page.value(at)
    if not told.startswith("clock_nanosleep, ") or " · pid:" not in told or "return:{pid:" not in told:
        sys.exit(f"a span is told as {told!r}")
    page.value("(() => { paused = true; })()")           # what changes the picture from now on is the user
    pictures = [page.value(LANES)]
    page.value("(() => { const i = document.querySelector('#timeline input[type=search]'); i.value = 'NANO'; i.dispatchEvent(new Event('input')); })()")
    pictures.append(page.value(LANES))
    page.click("#closer")
    pictures.append(page.value(LANES))
    if len(set(pictures)) != 3:
        sys.exit("the time line is not drawn anew")
    page.value("(() => { paused = false; })()")


def open_file(page, path):
    """Many events, of which at most one for each pixel is drawn; nested, so there are two lanes."""
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"traceEvents":[')
        for n in range(20000):
            at, dur = (n // 2 * 10, 10) if n % 2 else (n // 2 * 10 + 2, 5)
            f.write(("," if n else "") + '\n{"ph":"X","name":"f%d","pid":1,"tid":7,"ts":%d.000,"dur":%d.000,"args":{"n":%d}}' % (n % 2, at, dur, n))
        f.write("\n]}\n")
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    node = page.call("DOM.querySelector", nodeId=root, selector="#timeline input[type=file]")["nodeId"]
    page.call("DOM.setFileInputFiles", files=[path], nodeId=node)
    page.until("document.querySelector('#timeline small').textContent === 'events.json: 20000 events, 20000 of them spans'", 15)
    expect("lanes", page.value("line.rows().map(r => [r.thread.tid, r.thread.lanes.map(l => l.id.n)])"), [[7, [10000, 10000]]])
    drawn = page.value("Number(document.getElementById('lanes').dataset.drawn)")
    if not 1000 < drawn < 2800:
        sys.exit(f"{drawn} bars are drawn of 20000 spans")
    page.value("(() => { for (let i = 0; i < 30; i++) line.zoom(0.5); })()")
    expect("close", page.value("line.told(600, 45)").split(" at ")[0], "f1, 10 µs")


def after(page):
    """dtx has gone: the page says so calmly, and all it offers is still there."""
    while os.path.exists(f"/proc/{pid}"):
        time.sleep(0.05)
    expect("calm", page.value("document.getElementById('notice').className"), "calm")
    names = page.value("[...document.querySelectorAll('#agg-3 .head a')].map(a => a.textContent)")
    expect("downloads", names, ["csv", "json", "folded", "pprof", "svg"])
    links = page.value("[...document.querySelectorAll('#aggs .head a, #save')].map(a => [a.href.slice(0, 5), Number(a.dataset.size)])")
    if not all(kind == "blob:" and size > 10 for kind, size in links):
        sys.exit(f"downloads after the end: {links}")
    page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=folder)
    page.click("#agg-0 .head a")
    while not os.path.exists(f"{folder}/dtx-fixed.csv"):
        time.sleep(0.05)
    with open(f"{folder}/dtx-fixed.csv", encoding="utf-8") as f:
        expect("csv", [row.split(",")[:2] for row in f.read().split("\n")[1:3]], [["one <i>", "1234567"], ["two", "89"]])
    page.value("(() => { const i = document.querySelector('#agg-0 input'); i.value = 'tw'; i.dispatchEvent(new Event('input')); })()")
    page.until("document.querySelectorAll('#agg-0 tbody tr').length === 1", 5)
    page.click("#agg-3 .graph rect:nth-of-type(1)")


with Browser(1400, 1400) as page:
    page.open(link)
    page.until("Number(document.body.dataset.events) >= 2", 15)
    before = page.value(CANVAS)
    page.until("Number(document.body.dataset.events) >= 4", 15)
    if page.value(CANVAS) == before:
        sys.exit("the heat map does not change")
    expect("what a span of four seconds is in a heat map, beside one of one second",
           page.value("heatRange([[0, 1000, 3, 10], [1000, 5000, 3, 20]], 8).most"), 10)
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
    time_line(page)
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
    page.until("document.body.dataset.kept === '1'", 10)
    after(page)
    open_file(page, f"{folder}/events.json")
    expect("problems", page.problems, [])
