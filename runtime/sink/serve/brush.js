// SPDX-License-Identifier: BSD-2-Clause
//
// brush.js - one time for all panels: what is selected in a heat map, in bars or in the time line (or
// typed) is what tables, flame graphs and the log are of.  Times are those of the run's clock, in ms.
"use strict";
const brush = (() => {
	const heard = [], box = id => document.getElementById(id);
	let time = null, zero = 0;
	const seconds = ms => +((ms - zero) / 1000).toFixed(2);
	function set(from, to) {
		time = from === null || !(to >= from) ? null : { from: Math.floor(from), to: Math.max(Math.ceil(to), Math.floor(from) + 1) };
		box("from").value = time ? seconds(time.from) : "";
		box("to").value = time ? seconds(time.to) : "";
		box("brush").classList.toggle("on", !!time);
		box("unbrush").hidden = !time;
		document.body.dataset.brushed = time ? 1 : 0;
		for (const f of heard) f(time);
	}
	function typed() {
		const from = box("from").value, to = box("to").value;
		if (from === "" && to === "") set(null);
		else if (to !== "" || from !== "") set(zero + 1000 * Number(from || 0), zero + 1000 * (to === "" ? Number(from) + 1 : Number(to)));
	}
	for (const id of ["from", "to"]) box(id).addEventListener("change", typed);
	box("unbrush").addEventListener("click", () => { set(null); box("from").focus(); });
	return {
		set,
		begins(ms) { zero = ms; },
		time: () => time,
		on: f => heard.push(f),
		query: () => time ? { from: time.from, to: time.to } : {},
		has: ms => !time || (ms >= time.from && ms < time.to),
		said: t => `${seconds(t.from)} s to ${seconds(t.to)} s`,
		ms: us => zero + us / 1000,                            // of the time line, which counts from the begin
		us: ms => (ms - zero) * 1000,
		seconds,
	};
})();

// --- on a canvas whose columns are spans of time: at(x) is the number of the column there
const middle = s => (s[0] + s[1]) / 2;
function brushed(spans) {
	const t = brush.time();
	if (!t) return null;
	let low = -1, high = -1;
	spans.forEach((s, k) => { if (middle(s) >= t.from && middle(s) < t.to) { low = low < 0 ? k : low; high = k; } });
	return low < 0 ? null : [low, high];
}
function brushable(canvas, spans, at) {
	let anchor = null, last = null;
	const pick = (a, b) => {
		const v = spans();
		last = b;
		brush.set(v[Math.min(a, b)][0], v[Math.max(a, b)][1]);
	};
	const inside = k => Math.min(Math.max(k, 0), spans().length - 1);
	canvas.tabIndex = 0;
	canvas.setAttribute("role", "slider");
	canvas.addEventListener("pointerdown", e => {
		if (e.button || !spans().length) return;
		canvas.setPointerCapture(e.pointerId);
		anchor = inside(at(e.offsetX));
		pick(anchor, anchor);
	});
	canvas.addEventListener("pointermove", e => { if (anchor !== null && inside(at(e.offsetX)) !== last) pick(anchor, inside(at(e.offsetX))); });
	for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { anchor = null; });
	canvas.addEventListener("keydown", e => {
		const n = spans().length, now = brushed(spans()) || [n, n], step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
		if (!n) return;
		if (e.key === "Escape") brush.set(null);
		else if (e.key === "Home" || e.key === "End") pick(e.key === "Home" ? 0 : n - 1, e.key === "Home" ? 0 : n - 1);
		else if (!step) return;
		else if (e.shiftKey && now[0] < n) pick(step < 0 ? inside(now[0] - 1) : now[0], step < 0 ? now[1] : inside(now[1] + 1));
		else pick(inside((step < 0 ? now[0] : now[1]) + step), inside((step < 0 ? now[0] : now[1]) + step));
		e.preventDefault();
	});
}
// What a screen reader is told of it.
function brushSaid(canvas, spans, counted) {
	const b = brushed(spans), sum = b ? spans.slice(b[0], b[1] + 1).reduce((all, s) => all + counted(s), 0) : 0;
	canvas.setAttribute("aria-valuemin", 0);
	canvas.setAttribute("aria-valuemax", Math.max(spans.length - 1, 0));
	canvas.setAttribute("aria-valuenow", b ? b[1] : Math.max(spans.length - 1, 0));
	canvas.setAttribute("aria-valuetext", b ? `${brush.said({ from: spans[b[0]][0], to: spans[b[1]][1] })}: ${short(sum)}` : "all of the run");
}
// What is not selected is paler.
function brushShade(g, p, spans, w, h) {
	const b = brushed(spans);
	if (!b) return;
	const begin = p.left + p.from * p.dx, x0 = p.left + (p.from + b[0]) * p.dx, x1 = p.left + (p.from + b[1] + 1) * p.dx, style = getComputedStyle(document.body);
	g.fillStyle = style.getPropertyValue("--veil");
	g.fillRect(begin, 0, x0 - begin, h);
	g.fillRect(x1, 0, w - x1, h);
	g.strokeStyle = style.getPropertyValue("--mark");
	g.lineWidth = 1.5;
	g.strokeRect(x0 + 0.5, 1, Math.max(x1 - x0 - 1, 2), h - 2);
}

// --- parts of the time, of a page that has all of the past
const plus = (a, b) => { const s = Number(a) + Number(b); return Number.isSafeInteger(s) ? s : (BigInt(a) + BigInt(b)).toString(); };
const over = (v, by) => {
	if (v === undefined) return 0;
	const q = typeof v === "number" && Number.isSafeInteger(by) ? Math.trunc(v / by) : BigInt(v) / BigInt(by);
	return typeof q === "number" ? q : Number.isSafeInteger(Number(q)) ? Number(q) : q.toString();
};
// A sum, and the word after it, which counts what goes beyond 64 bits.
const wide = (w, at) => w.get(at + 1) ? (BigInt(w.get(at) || 0) + (BigInt(w.get(at + 1)) << 64n)).toString() : w.get(at);
// The root of the mean of squares less the square of the mean, as stddev_number(); words 3 to 5 are the squares' sum.
function partDeviation(w, norm) {
	const n = BigInt(w.get(0) || 0), by = BigInt(norm) < 0n ? -BigInt(norm) : BigInt(norm) || 1n;
	if (!n) return 0;
	const squares = [3, 4, 5].reduce((all, at) => all + (BigInt(w.get(at) || 0) << BigInt(64 * (at - 3))), 0n);
	const mean = BigInt(wide(w, 1) || 0) / by / n, v = squares / by / by / n - mean * mean;
	if (v <= 0n) return 0;
	let root = BigInt(Math.floor(Math.sqrt(Number(v)))) || 1n;
	root = (root + v / root) >> 1n;
	while (root * root > v) root--;
	while ((root + 1n) * (root + 1n) <= v) root++;
	return over(root.toString(), 1);
}
// By function: value, what rates are made of, the width in a flame graph; as in runtime/value/aggop.c.
const PARTS = {
	count: (w, norm) => { const v = over(w.get(0), norm); return { value: v, amount: v, width: v }; },
	sum: (w, norm) => { const v = over(wide(w, 0), norm); return { value: v, amount: v, width: v }; },
	avg: (w, norm) => ({ value: w.get(0) ? over(over(wide(w, 1), norm), w.get(0)) : 0, count: w.get(0) || 0, amount: w.get(0) || 0, width: over(wide(w, 1), norm) }),
	stddev: (w, norm) => ({ value: partDeviation(w, norm), count: w.get(0) || 0, amount: w.get(0) || 0, width: over(wide(w, 1), norm) }),
	stats: (w, norm) => ({ value: over(wide(w, 1), norm), count: w.get(0) || 0, amount: w.get(0) || 0, width: over(wide(w, 1), norm) }),
};
// A count that has left 64 bits is the smallest number of them (AGG_BEYOND): it is not known, nor what is made of it.
const BEYOND = "> 64 bits";
function partHist(w, bounds) {
	if ([...w.values()].some(v => Number(v) <= -(2 ** 63))) return { count: BEYOND, amount: 0, width: 2 ** 63, p50: BEYOND, p99: BEYOND, max: bounds[Math.max(...[...w].filter(([, v]) => v).map(([b]) => b))], beyond: true };
	const some = [...w].filter(([, v]) => Number(v) > 0).sort((a, b) => a[0] - b[0]), n = some.reduce((all, [, v]) => all + Number(v), 0), r = { count: n, amount: n, width: n, p50: 0, p99: 0, max: 0 };
	let before = 0;
	for (const [b, v] of some) {
		if (before * 2 < n) r.p50 = bounds[b];
		if (before * 100 < n * 99) r.p99 = bounds[b];
		r.max = bounds[b];
		before += Number(v);
	}
	return r;
}
function partSpans(past, from, to) {
	const inside = past.spans.filter(s => middle(s) >= from && middle(s) < to);
	return inside.length ? inside : past.spans.filter(s => s[1] > (from + to) / 2).slice(0, 1);
}
// What is added to each word.  `low`: the words that are parts of a sum below its highest, so they have no sign; their sum may exceed 64 bits.
function partWords(spans, low) {
	const rows = new Map();
	for (const s of spans)
		for (let i = 4, id = 0; i < s.length; id++) {
			id += s[i++];
			let words = rows.get(id);
			if (!words) rows.set(id, words = new Map());
			for (let n = s[i++], at = 0; n; n--, at++) {
				at += s[i++];
				const v = low.includes(at) ? BigInt.asUintN(64, BigInt(s[i++])).toString() : s[i++];
				words.set(at, words.has(at) ? plus(words.get(at), v) : v);
			}
		}
	return rows;
}
// The rows of a part as a table has them, and the widths by node of the flame graph; null: there is nothing.
function partOf(all, agg, from, to) {
	const { past, table } = all.aggs[agg], meta = all.about.aggs[agg], make = meta.hist ? w => partHist(w, past.bounds) : past && PARTS[meta.func] && (w => PARTS[meta.func](w, past.norm));
	const spans = past && make ? partSpans(past, from, to) : [];
	if (!spans.length) return null;
	if (!past.keyOf) {
		const keys = meta.columns.filter(c => c.what === "key").length;
		past.keyOf = new Map(past.gone.map(([id, ...k]) => [id, k]));
		table.ids.forEach((id, i) => past.keyOf.set(id, table.rows[i].slice(0, keys)));
	}
	const part = { from: spans[0][0], to: spans[spans.length - 1][1], rows: [], widths: new Map(), total: 0, forgotten: 0, cleared: false }, seconds = (part.to - part.from) / 1000;
	for (const s of spans) { part.forgotten += s[2]; part.cleared = part.cleared || !!s[3]; }
	for (const [id, words] of partWords(spans, meta.func === "stddev" ? [3, 4] : [])) {
		const v = make(words), keys = past.keyOf.get(id) || [];
		let key = 0;
		part.rows.push(meta.columns.map(c => c.what === "key" ? keys[key++] : c.what !== "rate" ? v[c.what] : v.beyond ? BEYOND : Number(v.amount) / seconds));
		part.total = plus(part.total, v.amount);
		part.beyond = part.beyond || v.beyond;
		const node = past.leaf[id];
		if (node && Number(v.width) > 0) part.widths.set(node, (part.widths.get(node) || 0) + Number(v.width));
	}
	part.rate = part.beyond ? BEYOND : Number(part.total) / seconds;
	if (part.beyond) part.total = BEYOND;
	part.nrows = part.rows.length;
	return part;
}
function partFlame(flame, part) {
	const nodes = flame.nodes.slice(), step = flame.old ? 4 : 3;
	for (let i = 0; i * step < nodes.length; i++) nodes[i * step + 2] = part && part.widths.get(i + 1) || 0;
	return { ...flame, nodes };
}
