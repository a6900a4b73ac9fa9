// SPDX-License-Identifier: BSD-2-Clause
//
// timeline.js - a time line in Chrome's trace event format on a canvas: timeline(box, chosen) makes it, text(t)
// adds a piece of such a file.  Spans lie in lanes by thread and depth.  A lane has its spans in order
// and the sum of their times up to each, so what is narrower than a pixel is drawn as one bar for each
// pixel, found by halving: a picture costs as much as it is wide, with a thousand events or a million.
"use strict";
function timeline(box, chosen) {
	const LANE = 16, HEAD = 18, COUNTER = 46, AXIS = 20, MOST = 3000000, SLICE = 40, LEFT = 150;
	const make = (tag, set) => Object.assign(document.createElement(tag), set);
	const canvas = make("canvas", { tabIndex: 0 }), scroll = make("div", { className: "lanes" }), space = make("div"), tip = make("p", { className: "tip" });
	const g = canvas.getContext("2d"), dark = matchMedia("(prefers-color-scheme: dark)");
	const threads = new Map(), counters = new Map(), names = [], numbers = new Map(), lines = [], hues = new Map(), colours = new Map();
	let first = Infinity, last = -Infinity, from = 0, to = 1, all = true, rest = "", queue = [], busy = false, found = null, rows = [], count = 0, spans = 0, cost = 0, drawn = 0;
	canvas.setAttribute("aria-label", "Time line");
	scroll.append(canvas, space);
	box.append(scroll, tip);

	// --- columns that grow
	function column(Type) {
		const c = { a: new Type(256), n: 0, push(v) {
			if (c.n === c.a.length) { const b = new Type(c.n * 2); b.set(c.a); c.a = b; }
			c.a[c.n++] = v;
		} };
		return c;
	}
	const list = () => ({ start: column(Float64Array), end: column(Float64Array), name: column(Uint32Array), line: column(Uint32Array) });
	function number(name) {
		let n = numbers.get(name);
		if (n === undefined) { n = names.length; names.push(name); numbers.set(name, n); }
		return n;
	}
	function thread(e) {
		let t = threads.get(e.tid);
		if (!t) threads.set(e.tid, t = { tid: e.tid, pid: 0, name: "", spans: list(), marks: list(), lanes: [], sorted: null, fresh: true });
		if (e.pid) t.pid = e.pid;
		return t;
	}
	function push(l, start, end, name, line) {
		l.start.push(start); l.end.push(end); l.name.push(name); l.line.push(line);
	}

	// --- events
	function add(e, text) {
		if (e.ph === "M") {
			if (e.name === "thread_name" && e.args) { const t = thread(e); t.name = String(e.args.name); t.fresh = true; }
			return;
		}
		if (count >= MOST || typeof e.ts !== "number") return;
		const end = e.ts + (e.dur || 0);
		if (e.ph === "X" || e.ph === "i" || e.ph === "I") {
			const t = thread(e);
			push(e.ph === "X" ? t.spans : t.marks, e.ts, end, number(e.name), lines.length);
			lines.push(text);
			t.fresh = true;
			spans += e.ph === "X";
		} else if (e.ph === "C") {
			let c = counters.get(e.name);
			if (!c) counters.set(e.name, c = { name: e.name, series: new Map() });
			for (const [key, value] of Object.entries(e.args || {})) {
				if (!c.series.has(key)) c.series.set(key, { at: column(Float64Array), value: column(Float64Array) });
				c.series.get(key).at.push(e.ts);
				c.series.get(key).value.push(Number(value));
			}
		} else {
			return;
		}
		count++;
		first = Math.min(first, e.ts);
		last = Math.max(last, end);
	}
	// A line is an event, as dtx writes it.  What spans and instants have recorded is read when it is asked for.
	const usual = /^\{"ph":"([Xi])","name":"([^"\\]*)","pid":(\d+),"tid":(\d+),"ts":(-?[\d.]+)(?:,"dur":([\d.]+))?/;
	function line(text) {
		const s = text.endsWith(",") ? text.slice(0, -1) : text, m = usual.exec(s);
		if (m) { add({ ph: m[1], name: m[2], pid: +m[3], tid: +m[4], ts: +m[5], dur: m[6] === undefined ? 0 : +m[6] }, s); return; }
		if (!s.startsWith("{") || !s.endsWith("}")) return;
		try { add(JSON.parse(s), s); } catch (e) { /* the head of the file, or its end */ }
	}
	function work() {
		const began = performance.now();
		while (queue.length && performance.now() - began < SLICE) {
			const q = queue[0], stop = Math.min(q.at + 500, q.lines.length);
			while (q.at < stop) line(q.lines[q.at++]);
			if (q.at === q.lines.length) queue.shift();
		}
		later();
		if (queue.length) setTimeout(work, 0);
		else busy = false;
		box.dataset.busy = busy ? 1 : 0;
		box.dataset.events = count;
	}
	function text(t) {
		const parts = (rest + t).split("\n");
		rest = parts.pop();
		queue.push({ lines: parts, at: 0 });
		if (!busy) { busy = true; work(); }
	}
	function whole(t) {
		if (!count && !queue.length) for (const e of JSON.parse(t).traceEvents || JSON.parse(t)) add(e, JSON.stringify(e));
		later();
		box.dataset.events = count;
	}

	function clear() {
		threads.clear(); counters.clear();
		lines.length = count = spans = 0;
		queue = []; rest = ""; found = null; all = true; first = Infinity; last = -Infinity;
	}

	// --- lanes: the spans of one depth of a thread, in order, with the sum of times before each
	function layout(t) {
		const { start, end } = t.spans, n = start.n, order = new Uint32Array(n), open = [], lanes = [];
		for (let i = 0; i < n; i++) order[i] = i;
		order.sort((a, b) => start.a[a] - start.a[b] || end.a[b] - end.a[a] || b - a);
		for (const i of order) {
			while (open.length && open[open.length - 1] <= start.a[i]) open.pop();
			const lane = lanes[open.length] ??= { start: column(Float64Array), end: column(Float64Array), sum: column(Float64Array), id: column(Uint32Array), hits: null };
			open.push(end.a[i]);
			const k = lane.sum.n;
			lane.sum.push(k ? lane.sum.a[k - 1] + lane.end.a[k - 1] - lane.start.a[k - 1] : 0);
			lane.start.push(start.a[i]); lane.end.push(end.a[i]); lane.id.push(i);
		}
		t.lanes = lanes;
		t.fresh = false;
		if (found) hits(t);
	}
	function hits(t) {
		for (const lane of t.lanes) {
			lane.hits = new Uint32Array(lane.id.n + 1);
			for (let k = 0; k < lane.id.n; k++) lane.hits[k + 1] = lane.hits[k] + (found[t.spans.name.a[lane.id.a[k]]] ? 1 : 0);
		}
	}
	// The first one of a sorted column that is above v.
	function above(c, v, low) {
		let high = c.n;
		while (low < high) { const m = (low + high) >> 1; if (c.a[m] > v) high = m; else low = m + 1; }
		return low;
	}
	function place() {
		const began = performance.now();
		rows = [];
		let y = AXIS;
		for (const c of [...counters.values()].sort((a, b) => a.name < b.name ? -1 : 1)) { rows.push({ y, h: COUNTER, counter: c }); y += COUNTER + 4; }
		for (const t of [...threads.values()].sort((a, b) => a.pid - b.pid || a.tid - b.tid)) {
			if (t.fresh) layout(t);
			if (!t.spans.start.n && !t.marks.start.n) continue;
			const h = HEAD + t.lanes.length * LANE;
			rows.push({ y, h, thread: t });
			y += h + 4;
		}
		space.style.height = y + "px";
		cost = performance.now() - began;
	}

	// --- drawing
	const x = time => LEFT + (time - from) / (to - from) * (canvas.clientWidth - LEFT);
	const timeAt = px => from + (px - LEFT) / (canvas.clientWidth - LEFT) * (to - from);
	function hue(n) {
		let h = hues.get(n);
		if (h === undefined) {
			h = 0;
			for (const k of names[n]) h = (Math.imul(h, 31) + k.codePointAt(0)) >>> 0;
			hues.set(n, h %= 360);
		}
		return h;
	}
	function colour(n) {
		let c = colours.get(n);
		if (!c) colours.set(n, c = `hsl(${hue(n)} 55% ${dark.matches ? 38 : 76}%)`);
		return c;
	}
	function shown(us) {
		const a = Math.abs(us);
		return a < 1 ? `${+(us * 1e3).toFixed(0)} ns` : a < 1e3 ? `${+us.toFixed(2)} µs` : a < 1e6 ? `${+(us / 1e3).toFixed(3)} ms` : `${+(us / 1e6).toFixed(4)} s`;
	}
	function bar(t, lane, k, y, w) {
		const n = t.spans.name.a[lane.id.a[k]], x0 = Math.max(x(lane.start.a[k]), LEFT), x1 = Math.min(x(lane.end.a[k]), w);
		g.fillStyle = lane.hits && found[n] ? ink.mark : colour(n);
		g.fillRect(x0, y, Math.max(x1 - x0 - 0.5, 0.5), LANE - 1);
		if (x1 - x0 < 28) return;
		g.save();
		g.beginPath(); g.rect(x0, y, x1 - x0 - 2, LANE); g.clip();
		g.fillStyle = lane.hits && found[n] ? ink.card : ink.ink;
		g.fillText(names[n], x0 + 3, y + 11.5);
		g.restore();
	}
	let ink = {};
	function drawLane(t, lane, y, w) {
		const perPixel = (to - from) / (w - LEFT);
		for (let k = above(lane.end, from, 0); k < lane.start.n && lane.start.a[k] < to; ) {
			if (lane.end.a[k] - lane.start.a[k] >= 1.5 * perPixel) { bar(t, lane, k++, y, w); continue; }
			const px = Math.floor(x(lane.start.a[k])), next = above(lane.start, timeAt(px + 1), k + 1);
			const used = (lane.sum.a[next - 1] + lane.end.a[next - 1] - lane.start.a[next - 1] - lane.sum.a[k]) / perPixel;
			const hit = lane.hits && lane.hits[next] > lane.hits[k];
			g.globalAlpha = hit ? 1 : Math.min(Math.max(used, 0.3), 1);
			g.fillStyle = hit ? ink.mark : colour(t.spans.name.a[lane.id.a[k]]);
			g.fillRect(Math.max(px, LEFT), y, 1, LANE - 1);
			g.globalAlpha = 1;
			drawn++;
			k = next;
		}
	}
	function drawMarks(t, y, w) {
		const m = t.marks;
		if (!m.sorted || m.sorted.n !== m.start.n) {
			const order = [...m.start.a.subarray(0, m.start.n).keys()].sort((a, b) => m.start.a[a] - m.start.a[b]);
			m.sorted = { a: Float64Array.from(order, i => m.start.a[i]), n: m.start.n, id: order };
		}
		for (let k = above(m.sorted, from, 0); k < m.sorted.n && m.sorted.a[k] < to; ) {
			const px = Math.floor(x(m.sorted.a[k])), n = m.name.a[m.sorted.id[k]];
			g.fillStyle = found && found[n] ? ink.mark : ink.dim;
			g.beginPath(); g.moveTo(px, y + 5); g.lineTo(px + 3, y + HEAD - 4); g.lineTo(px - 3, y + HEAD - 4); g.fill();
			drawn++;
			k = above(m.sorted, timeAt(px + 1), k + 1);
		}
	}
	function drawCounter(c, y, w) {
		let high = 1;
		for (const s of c.series.values()) for (let i = 0; i < s.value.n; i++) high = Math.max(high, s.value.a[i]);
		for (const [key, s] of c.series) {
			g.strokeStyle = `hsl(${hue(number(key))} 60% ${dark.matches ? 62 : 42}%)`;
			g.lineWidth = 2;
			g.beginPath();
			let k = Math.max(above(s.at, from, 0) - 1, 0), py = null;
			for (; k < s.at.n && s.at.a[k] <= to; ) {
				const px = Math.max(x(s.at.a[k]), LEFT), ny = y + COUNTER - 3 - s.value.a[k] / high * (COUNTER - 8);
				if (py === null) g.moveTo(px, ny); else { g.lineTo(px, py); g.lineTo(px, ny); }
				py = ny;
				k = Math.max(above(s.at, timeAt(Math.floor(px) + 1), k + 1) - 1, k + 1);
			}
			if (py !== null) g.lineTo(Math.min(x(last), w), py);
			g.stroke();
		}
	}
	function axis(w) {
		const least = (to - from) / Math.max((w - LEFT) / 90, 1), unit = 10 ** Math.floor(Math.log10(least)), step = unit * (least / unit <= 2 ? 2 : least / unit <= 5 ? 5 : 10);
		g.fillStyle = ink.dim;
		for (let k = Math.ceil(from / step); k * step < to; k++) {
			g.fillText(shown(k * step), x(k * step) + 3, 13);
			g.fillRect(x(k * step), 4, 1, AXIS - 4);
		}
	}
	function head(row, y) {
		const t = row.thread, title = t ? `${t.name || "thread"} ${t.tid}` : row.counter.name;
		g.fillStyle = ink.line;
		g.fillRect(0, y + row.h + 2, canvas.clientWidth, 1);
		g.save();
		g.beginPath(); g.rect(0, y, LEFT - 8, row.h); g.clip();
		g.fillStyle = ink.ink;
		g.fillText(title, 2, y + 13);
		g.restore();
		if (!t) [...row.counter.series.keys()].slice(0, 2).forEach((key, i) => { g.fillStyle = ink.dim; g.fillText(key, 10, y + 26 + i * 12); });
	}
	function draw() {
		const ratio = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight, style = getComputedStyle(document.body), top = scroll.scrollTop;
		if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) { canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio); }
		g.setTransform(ratio, 0, 0, ratio, 0, 0);
		g.clearRect(0, 0, w, h);
		if (last < first) return;
		if (all) { from = first; to = Math.max(last, first + 1); }
		for (const name of ["ink", "dim", "line", "mark", "card"]) ink[name] = style.getPropertyValue("--" + name);
		g.font = "11px system-ui, sans-serif";
		drawn = 0;
		for (const row of rows) {
			const y = row.y - top;
			if (y + row.h < AXIS || y > h) continue;
			head(row, y);
			if (row.counter) { drawCounter(row.counter, y, w); continue; }
			drawMarks(row.thread, y, w);
			row.thread.lanes.forEach((lane, d) => drawLane(row.thread, lane, y + HEAD + d * LANE, w));
		}
		veil(w, h, style);
		g.clearRect(0, 0, w, AXIS);
		axis(w);
		box.dataset.drawn = drawn;
	}
	// What is not selected is paler.
	let picked = null;
	function veil(w, h, style) {
		if (!picked) return;
		const x0 = Math.min(Math.max(x(picked[0]), LEFT), w), x1 = Math.min(Math.max(x(picked[1]), LEFT), w);
		g.fillStyle = style.getPropertyValue("--veil");
		g.fillRect(LEFT, AXIS, x0 - LEFT, h);
		g.fillRect(x1, AXIS, w - x1, h);
	}
	// New events are shown at most as often as a tenth of the time allows.
	let waiting = false;
	function later() {
		if (waiting) return;
		waiting = true;
		setTimeout(() => { waiting = false; if (box.hidden || document.hidden) return; place(); draw(); }, Math.max(100, cost * 10));
	}

	// --- what is under the mouse
	function under(px, py) {
		const y = py + scroll.scrollTop, row = rows.find(r => y >= r.y && y < r.y + r.h), at = timeAt(px), reach = (to - from) / (canvas.clientWidth - LEFT);
		if (!row || !row.thread || px < LEFT || py < AXIS) return null;
		const t = row.thread, lane = t.lanes[Math.floor((y - row.y - HEAD) / LANE)];
		if (!lane) {
			if (!t.marks.sorted) return null;
			const k = above(t.marks.sorted, at - 4 * reach, 0);
			return k < t.marks.sorted.n && t.marks.sorted.a[k] < at + 4 * reach ? { t, l: t.marks, i: t.marks.sorted.id[k], more: 1 } : null;
		}
		const k = above(lane.end, at - reach, 0), next = above(lane.start, at + reach, k);
		return k < next ? { t, l: t.spans, i: lane.id.a[k], more: next - k } : null;
	}
	function told(u) {
		if (!u) return "";
		const { l, i } = u, args = JSON.parse(lines[l.line.a[i]]).args || {};
		const extra = Object.keys(args).length ? " · " + JSON.stringify(args).slice(1, -1).replaceAll('"', "").replaceAll(",", ", ") : "";
		return `${names[l.name.a[i]]}${l === u.t.spans ? ", " + shown(l.end.a[i] - l.start.a[i]) : ""} at ${shown(l.start.a[i])}${u.more > 1 ? `, and ${u.more - 1} more here` : ""}${extra}`;
	}

	// --- moving
	function show(a, b) {
		const least = 0.01, wide = Math.max(b - a, least);
		from = a; to = a + wide; all = a <= first && b >= last;
		draw();
	}
	function zoom(by, at) {
		const c = at === undefined ? (from + to) / 2 : at;
		show(Math.max(c - (c - from) * by, first), Math.min(c + (to - c) * by, last));
	}
	const move = share => { const d = (to - from) * share; show(from + d, to + d); };
	let dragged = null, anchor = null;
	canvas.addEventListener("mousemove", e => {
		if (anchor !== null) { picked = [Math.min(timeAt(anchor), timeAt(e.offsetX)), Math.max(timeAt(anchor), timeAt(e.offsetX))]; draw(); return; }
		if (dragged !== null) { const d = timeAt(dragged) - timeAt(e.offsetX); dragged = e.offsetX; show(from + d, to + d); return; }
		tip.textContent = told(under(e.offsetX, e.offsetY));
	});
	canvas.addEventListener("mousedown", e => { if (e.shiftKey) anchor = e.offsetX; else dragged = e.offsetX; });
	addEventListener("mouseup", () => {
		if (anchor !== null && picked && chosen) chosen(picked[0], picked[1]);
		dragged = anchor = null;
	});
	canvas.addEventListener("dblclick", e => {
		const u = under(e.offsetX, e.offsetY);
		if (u && u.l === u.t.spans) { const d = u.l.end.a[u.i] - u.l.start.a[u.i]; show(u.l.start.a[u.i] - d / 10, u.l.end.a[u.i] + d / 10); }
	});
	canvas.addEventListener("wheel", e => {
		if (!e.ctrlKey && !e.metaKey) return;                  // without, the page scrolls
		e.preventDefault();
		zoom(e.deltaY > 0 ? 1.25 : 0.8, timeAt(e.offsetX));
	}, { passive: false });
	const keys = { "+": () => zoom(0.5), "-": () => zoom(2), "0": () => show(first, last), ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2), s: () => chosen(from, to), Escape: () => chosen(null) };
	canvas.addEventListener("keydown", e => { if (keys[e.key]) { e.preventDefault(); keys[e.key](); } });
	scroll.addEventListener("scroll", draw);
	addEventListener("resize", draw);
	dark.addEventListener("change", () => { colours.clear(); draw(); });

	return {
		text, whole, clear, zoom, draw: later, drawNow: () => { place(); draw(); }, all: () => show(first, last), told: (px, py) => told(under(px, py)), rows: () => rows,
		choose: () => chosen(from, to),
		brush(a, b) {
			picked = a === null ? null : [a, b];
			if (!count) return;
			if (picked && (a < from || b > to)) show(Math.max(a - (b - a) / 10, first), Math.min(b + (b - a) / 10, last));
			else draw();
		},
		look: show, full: () => count >= MOST,
		search(wanted) {
			const w = wanted.toLowerCase();
			found = w ? names.map(n => n.toLowerCase().includes(w)) : null;
			for (const t of threads.values()) if (found) hits(t); else for (const lane of t.lanes) lane.hits = null;
			draw();
		},
		said: () => `${count} events, ${spans} of them spans`,
	};
}
