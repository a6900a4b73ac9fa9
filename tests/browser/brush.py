# SPDX-License-Identifier: BSD-2-Clause
"""brush.py LINK|FILE [PICTURE]: the page of tests/e2e/output/brush.sh, live, of a replay, after the run or as a report: a stall of
300 ms is found by selecting its column in the heat map, with the mouse, with keys and by typing its time."""
import os
import sys
import tempfile

from drive import Browser

where = sys.argv[1]
OLD = os.path.join(tempfile.gettempdir(), "dtx-compare")
STALL = ("cards[0].spans.findIndex(s => { for (let i = 2; i < s.length; i += 2)"
         " if (s[i + 1] > 0 && Number(cards[0].meta.labels[s[i]]) >= 2 ** 28) return true; })")
FIRST = "(document.querySelector('#agg-1 tbody td') || {}).textContent"


def expect(name, got, want):
    if got != want:
        sys.exit(f"{name}: {got!r} instead of {want!r}")


def key(page, name, shift=False):
    for kind in ("rawKeyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, modifiers=8 if shift else 0)


def widest(page, agg):
    """The function of the graph without functions below it that is the widest."""
    return page.value("""(async () => { const d = await ask('flame', { ...brush.query(), agg: AGG }), n = d.nodes.length / 3;
        let best = -1, name = ''; for (let i = 0; i < n; i++) if (d.nodes[3 * i + 2] > best) { best = d.nodes[3 * i + 2]; name = i; }
        const way = []; for (let i = name, up = []; i >= 0; i--) way.push(d.names[d.nodes[3 * i + 1]]);
        return way.slice(0, 6).join(' '); })()""".replace("AGG", str(agg)))


def stalled(page, how):
    page.until(f"({FIRST} || '').includes('stalled') && cards[1].part && cards[2].part !== undefined", 10)
    expect(f"rows in the time, {how}", page.value("cards[1].part.nrows <= 2"), True)
    for agg in (1, 4, 5):                                  # the last two were cleared since
        if "stalled" not in widest(page, agg):
            sys.exit(f"{how}, aggregation {agg}: the widest is {widest(page, agg)}")
    page.until("[...document.querySelectorAll('#agg-1 .graph text')].some(t => t.textContent.includes('stalled'))", 10)
    shown = page.value("[...document.querySelectorAll('#log span:not([hidden])')].map(e => e.textContent.trim())")
    expect(f"lines of the time, {how}", [shown.count("stall"), shown.count("nap") <= 1], [1, True])
    few = page.value("document.querySelector('#agg-2 .sum').textContent")
    if "not known" not in few:
        sys.exit(f"max() in a part of the time says {few!r}")


def deviation(page):
    """All parts of the run together have the standard deviation of the run; its squares exceed 64 bits."""
    page.value("brush.set(last.began, last.now + 1000)")
    page.until("cards[6].part", 10)
    got, want = page.value("""(() => { const c = cards[6].meta.columns.findIndex(c => c.what === 'value');
        return [cards[6].part.rows[0][c], kept.all.aggs[6].table.rows[0][c]].map(String); })()""")
    expect("stddev()", got, want)
    if int(want) < 1e9:
        sys.exit(f"stddev() is {want}")


def again(page):
    """A graph that lacks names, or whose time is not over, is asked for again while the run goes on; another one is not."""
    asked = page.value("""(async () => {
        const real = ask, asked = [], over = async () => { while (cards.some(c => c.flaming)) await new Promise(r => setTimeout(r, 20)); };
        let n = 0, later = 1;
        for (let i = 0; i < 1000; i++) clearInterval(i);
        window.ask = async (name, q) => { n += name === 'flame'; const d = await real(name, q); return name === 'flame' ? { ...d, later } : d; };
        last.state = 'tracing';
        const twice = async (from, to) => { brush.set(from, to); await over(); n = 0; await flames(cards[1]); await flames(cards[1]); asked.push(n); };
        await twice(last.began, last.now - 1000);
        later = 0;
        await twice(last.began, last.now - 500);
        await twice(last.now - 1000, last.now + 1000);
        last.state = 'ended';
        window.ask = real;
        brush.set(null);
        await over();
        return asked; })()""")
    expect("asked again: names, nothing, a time that goes on", asked, [2, 0, 2])


def unknown(page):
    """A time after the run, of which there is nothing: the reason is not that of max()."""
    page.value("brush.set(last.now + 3.6e6, last.now + 3.7e6)")
    page.until("cards.every(c => c.part === null)", 10)
    said = page.value("[1, 2].map(i => document.querySelector(`#agg-${i} .sum`).textContent)")
    expect("no values of a time", said, ["nothing is known of this time", "the time of its values is not known"])
    page.value("brush.set(null)")
    page.until("brush.time() === null", 5)


def faults(page):
    """What could not be computed is marked in the program, with all times that it came."""
    expect("marks", page.value("[...document.querySelectorAll('#program mark, #program .fault')].map(e => e.textContent.trim())"),
           ["7 / zero", "150 × divide-by-zero"])
    expect("errors", page.value("document.getElementById('errors').textContent"), "150")
    expect("the program", page.value("[...document.getElementById('program').childNodes].filter(e => e.className !== 'fault').map(e => e.textContent).join('')"),
           page.value("about.programs.join('\\n')"))


def compared(page):
    """An earlier run that waited in usual() only: stalled() is new, and what is no more is there with nothing."""
    lines = page.value("[...cards[1].flame.folded()].map(([s, v]) => [s, v])")
    total = sum(v for _, v in lines)
    usual = next(s for s, _ in lines if "usual" in s)
    with open(OLD, "w", encoding="utf-8") as f:
        f.write(f"{usual} 1000\n{usual};gone 500\n")
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    node = page.call("DOM.querySelector", nodeId=root, selector="#agg-1 .flame ~ input[type=file], #agg-1 label input[type=file]")["nodeId"]
    page.call("DOM.setFileInputFiles", files=[OLD], nodeId=node)
    page.until("document.querySelector('#agg-1 .legend').textContent.includes('grew')", 5)
    told = page.value("""(() => { const out = {}, g = document.querySelector('#agg-1 .graph'), tip = document.querySelector('#agg-1 p.tip');
        for (const r of g.querySelectorAll('rect[data-i]')) { r.dispatchEvent(new MouseEvent('mousemove', { bubbles: true, movementX: 1 })); const t = tip.textContent; out[t.split(/[ ,:(]/)[0]] = [t, r.getAttribute('class')]; }
        return out; })()""")
    if not all(w in told for w in ("usual", "stalled")):
        sys.exit(f"compared: {told}")
    for name, before, colour in (("usual", "1.5", "l"), ("stalled", "before 0", "g")):
        text, kind = told[name]
        if before not in text or not kind.startswith(colour):
            sys.exit(f"compared, {name}: {text!r} in {kind!r}")
    page.value("[...document.querySelectorAll('#agg-1 button')].find(b => b.textContent === 'Old widths').click()")
    page.until("[...document.querySelectorAll('#agg-1 .graph text')].some(t => t.textContent.includes('gone'))", 5)
    expect("total", sum(v for _, v in page.value("[...cards[1].flame.folded()]")), total)


with Browser(1300, 1000) as page:
    page.open(where if where.startswith("http") else f"file://{os.path.abspath(where)}")
    page.until(f"document.querySelectorAll('#agg-1 tbody tr').length > 1 && {STALL} >= 0 && ({STALL} + 2 < cards[0].spans.length || ended())", 30)
    page.until(f"({FIRST} || '').includes('usual')", 5)
    # The mouse: a click on the column.
    x, y = page.value(f"(() => {{ const c = cards[0].canvas; c.scrollIntoView(); const r = c.getBoundingClientRect(), p = cards[0].plot; return [r.x + p.left + (p.from + {STALL} + 0.5) * p.dx, r.y + 60]; }})()")
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    stalled(page, "a click")
    time = page.value("[document.getElementById('from').value, document.getElementById('to').value]")
    if len(sys.argv) > 2:
        page.picture(sys.argv[2])
    page.click("#unbrush")
    page.until(f"({FIRST} || '').includes('usual')", 10)
    expect("lines without a selection", page.value("document.querySelectorAll('#log [hidden]').length"), 0)
    # Keys: the last column, then to the left; shift takes more of them.
    page.value("cards[0].canvas.focus()")
    key(page, "End")
    for _ in range(60):
        if page.value(f"(brushed(cards[0].spans) || [])[0] === {STALL}"):
            break
        key(page, "ArrowLeft")
    stalled(page, "keys")
    expect("said", "s to" in page.value("cards[0].canvas.getAttribute('aria-valuetext')"), True)
    key(page, "ArrowLeft", shift=True)
    page.until("brushed(cards[0].spans)[1] - brushed(cards[0].spans)[0] === 1", 5)
    key(page, "Escape")
    page.until("brush.time() === null", 5)
    # Typing.
    page.value(f"(() => {{ for (const [id, v] of [['from', {time[0]}], ['to', {time[1]}]]) document.getElementById(id).value = v; document.getElementById('to').dispatchEvent(new Event('change')); }})()")
    stalled(page, "typing")
    if not where.startswith("http"):
        unknown(page)
        deviation(page)
        again(page)
        faults(page)
        page.value("brush.set(null)")
        page.until("brush.time() === null && cards[1].sum.textContent.includes('total')", 5)
        compared(page)
    expect("problems", page.problems, [])
