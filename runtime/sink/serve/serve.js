// SPDX-License-Identifier: BSD-2-Clause
//
// serve.js - the page of --serve.  Events bring the state each second; what the user asks for beyond
// that (another order, a filter, a flame graph) is requested.
"use strict";
const token = new URLSearchParams(location.search).get("token");
if (token) history.replaceState(null, "", location.pathname + location.hash);    // a cookie has it now
const SPANS = 600, LINES = 2000, FLAME_MS = 3000, GONE_MS = 4000;
const $ = id => document.getElementById(id);
let about = null, cards = [], paused = false, lines = 0, last = null, kept = null, gone = false;

function path(name, query) {
	const q = new URLSearchParams(query || {});
	if (token) q.set("token", token);
	const s = q.toString();
	return name + (s ? "?" + s : "");
}
async function ask(name, query) {
	if (kept) return kept.ask(name, query);
	const r = await fetch(path(name, query));
	if (!r.ok) throw new Error((await r.text()).trim() || r.statusText);
	return r.json();
}
const ended = () => last && last.state === "ended";
const first = meta => meta.columns.findIndex(c => c.what !== "key");
// What is wrong is said in red; that a run has ended is not wrong.
function notice(text, calm) {
	$("notice").textContent = text;
	$("notice").classList.toggle("calm", !!calm);
}
function failed(e) {
	if (e instanceof TypeError && !kept) { lost(); return; }      // nobody answers
	notice(e.message);
}

// --- tables
async function refresh(card) {
	if (card.asking) { card.again = true; return; }
	if (ended() && !kept) return;
	card.asking = true;
	try {
		const q = rowsWanted(card), whole = brush.time() && settled(), r = await ask("rows", q);
		card.part = r.part;
		card.whole = whole;
		card.sum.textContent = summed(card, last && last.aggs[card.i]);
		rowsShow(card, r.rows, q.skip, r.matching);
	} catch (e) { failed(e); }
	card.asking = false;
	if (card.again) { card.again = false; refresh(card); }
}

// --- heat maps: a column for each span, a row for each bucket
function heatColour(share, dark) {
	const s = Math.sqrt(share), stops = dark ? [[38, 26, 60], [139, 41, 129], [235, 88, 79], [252, 226, 140]] : [[238, 228, 246], [190, 120, 205], [139, 20, 130], [52, 4, 78]];
	const at = Math.min(s * 3, 2.9999), k = Math.floor(at), f = at - k;
	return `rgb(${stops[k].map((v, i) => Math.round(v + (stops[k + 1][i] - v) * f)).join(",")})`;
}
// What a label begins with must not be cut off: a long number is written with its power of ten.
function axisText(g, text, room) {
	if (g.measureText(text).width <= room) return text;
	return text.replace(/\d[\d,]{6,}(\.\d+)?/g, n => Number(n.replaceAll(",", "")).toExponential(2).replace("+", ""));
}
// null: a count that has left 64 bits.
const cell = (s, i) => s[i + 1] === null ? 2 ** 63 : s[i + 1];
// In each second: spans are not all equally long, and a longer one is no burst.
const dense = (s, i) => s[i + 1] === null ? 2 ** 63 : s[i + 1] / ((s[1] - s[0]) / 1000 || 1);
function heatRange(spans, buckets) {
	let low = Infinity, high = -1, most = 0;
	for (const s of spans)
		for (let i = 2; i < s.length; i += 2) {
			if (cell(s, i) <= 0) continue;
			low = Math.min(low, s[i]); high = Math.max(high, s[i]); most = Math.max(most, dense(s, i));
		}
	return high < 0 ? null : { low: Math.max(low - 1, 0), high: Math.min(high + 1, buckets - 1), most };
}
function heat(card) {
	if (!card.meta.hist) { bars(card); return; }
	const c = card.canvas, ratio = devicePixelRatio || 1, w = c.clientWidth, h = c.clientHeight, g = c.getContext("2d");
	if (c.width !== Math.round(w * ratio) || c.height !== Math.round(h * ratio)) { c.width = Math.round(w * ratio); c.height = Math.round(h * ratio); }
	g.setTransform(ratio, 0, 0, ratio, 0, 0);
	g.clearRect(0, 0, w, h);
	const r = card.range = heatRange(card.spans, card.meta.labels.length);
	card.scale.hidden = !r;
	if (!r) {
		g.fillStyle = getComputedStyle(document.body).getPropertyValue("--dim");
		g.font = "12px system-ui, sans-serif";
		g.textAlign = "center";
		g.fillText("no values yet", w / 2, h / 2);
		return;
	}
	const left = 74, top = 7, bottom = 20, n = widest(card.spans), dx = (w - left) / n, dy = (h - top - bottom) / (r.high - r.low + 1);
	const dark = matchMedia("(prefers-color-scheme: dark)").matches, style = getComputedStyle(document.body);
	card.plot = { left, top, dx, dy, from: n - card.spans.length };
	brushSaid(c, card.spans, spanCount);
	card.spans.forEach((s, k) => {
		for (let i = 2; i < s.length; i += 2) {
			if (cell(s, i) <= 0) continue;
			g.fillStyle = heatColour(dense(s, i) / r.most, dark);
			g.fillRect(left + (card.plot.from + k) * dx, top + (r.high - s[i]) * dy, Math.max(dx, 1) + 0.5, Math.max(dy - 0.5, 1));
		}
	});
	g.fillStyle = style.getPropertyValue("--dim");
	g.font = "11px system-ui, sans-serif";
	g.textAlign = "right";
	const step = Math.max(1, Math.ceil(14 / dy));
	for (let b = r.low; b <= r.high; b += step) g.fillText(axisText(g, label(card, b), left - 8), left - 6, top + (r.high - b + 0.5) * dy + 4, left - 8);
	heatTimes(card, g, w, h);
	brushShade(g, card.plot, card.spans, w, h - bottom + 2);
	card.least.textContent = "a cell, per s: 0";
	card.most.textContent = r.most < 2 ** 63 ? short(+r.most.toPrecision(3)) : BEYOND;
}
function spanCount(s) {
	let n = 0;
	for (let i = 2; i < s.length; i += 2) n += Math.max(cell(s, i), 0);
	return n;
}
// Of other functions: how much each span of time has added.
function bars(card) {
	const c = card.canvas, ratio = devicePixelRatio || 1, w = c.clientWidth, h = c.clientHeight, g = c.getContext("2d"), style = getComputedStyle(document.body);
	c.width = Math.round(w * ratio); c.height = Math.round(h * ratio);
	g.setTransform(ratio, 0, 0, ratio, 0, 0);
	g.clearRect(0, 0, w, h);
	if (!card.spans.length) return;
	const left = 74, top = 6, bottom = 20, n = widest(card.spans), dx = (w - left) / n, most = Math.max(1e-9, ...card.spans.map(s => spanCount(s) / (s[1] - s[0] || 1))), high = h - top - bottom;
	card.plot = { left, top, dx, dy: high, from: n - card.spans.length };
	g.fillStyle = style.getPropertyValue("--bars");
	card.spans.forEach((s, k) => {
		const y = spanCount(s) / (s[1] - s[0] || 1) / most * high;
		g.fillRect(left + (card.plot.from + k) * dx, top + high - y, Math.max(dx - 0.5, 1), y);
	});
	g.fillStyle = style.getPropertyValue("--dim");
	g.font = "11px system-ui, sans-serif";
	g.textAlign = "right";
	g.fillText(card.said = axisText(g, short(+(most * 1000).toPrecision(3), card.meta.func === "sum" ? card.meta.unit : null), left - 8), left - 6, top + 8, left - 8);
	g.fillText("per s", left - 6, top + 20);
	heatTimes(card, g, w, h);
	brushShade(g, card.plot, card.spans, w, h - bottom + 2);
	brushSaid(c, card.spans, spanCount);
}
// What comes has its place at the right; a run that has ended takes all of it.
const widest = spans => Math.max(spans.length, ended() ? 1 : 60);
const columnAt = (card, x) => card.plot ? Math.floor((x - card.plot.left) / card.plot.dx) - card.plot.from : 0;
// The axis of time: spans are not all equally long, so a moment is looked up among them.
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400];
const ago = s => s % 60 || s < 120 ? `-${s} s` : s % 3600 ? `-${s / 60} min` : `-${s / 3600} h`;
function heatTimes(card, g, w, h) {
	const p = card.plot, spans = card.spans, end = spans[spans.length - 1][1], all = Math.round((end - spans[0][0]) / 1000);
	const begin = p.left + p.from * p.dx, step = STEPS.find(s => s * (w - begin) >= 64 * all) || all;
	g.textAlign = "right";
	g.fillText(ended() ? "end" : "now", w - 2, h - 4);
	g.textAlign = "center";
	for (let s = step, next = w; s < all; s += step) {
		const k = spans.findIndex(span => span[1] >= end - s * 1000), x = begin + (k + 1) * p.dx;
		if (x > next - 52 || x < begin + 24) continue;      // a long span has several seconds
		next = x;
		g.fillRect(x, h - 18, 1, 4);
		g.fillText(ago(s), x, h - 4);
	}
}
function label(card, bucket) {
	const [, sign, v] = /^((?:[<>]=? )?)(-?\d+)$/.exec(card.meta.labels[bucket]) || [];
	return v === undefined ? card.meta.labels[bucket] : sign + short(Number(v), card.meta.unit);
}
function pointed(card, event) {
	const p = card.plot, r = card.range, k = columnAt(card, event.offsetX), when = s => `${((s[1] - s[0]) / 1000).toFixed(1)} s, from ${brush.seconds(s[0])} s on`;
	if (p && !card.meta.hist) { card.tip.textContent = card.spans[k] ? `${short(spanCount(card.spans[k]), card.meta.func === "sum" ? card.meta.unit : null)} in ${when(card.spans[k])}` : ""; return; }
	if (!p || !r) return;
	const b = r.high - Math.floor((event.offsetY - p.top) / p.dy), s = card.spans[k];
	if (!s || b < r.low || b > r.high) { card.tip.textContent = ""; return; }
	let count = 0;
	for (let i = 2; i < s.length; i += 2) if (s[i] === b) count = s[i + 1] ?? BEYOND;
	card.tip.textContent = `bucket ${label(card, b)}: ${short(count)} in ${when(s)}`;
}
async function heatAll(card) {
	card.spans = (await ask("heat", { agg: card.i })).spans.slice(-SPANS);
	heatTable(card);
	heat(card);
}

// --- flame graphs
function flameBox(box, i) {
	const NS = "http://www.w3.org/2000/svg", svg = document.createElementNS(NS, "svg");
	svg.setAttribute("class", "flame");
	svg.setAttribute("width", "100%");
	const graph = document.createElementNS(NS, "g"), scroll = make("div", "flames");
	graph.setAttribute("class", "graph");
	svg.append(graph);
	scroll.append(svg);
	const tools = make("div"), told = make("p", "tip");
	box.append(tools, scroll, told);
	return flame(svg, { box: scroll, tools, told, mark: String(i) });
}
// Is all of the selected time over?  What is asked for then stays as it is.
const settled = () => !!last && brush.time().to <= last.now;
async function flames(card) {
	if (paused || card.flaming || document.hidden || (ended() && !kept)) return;
	const q = brush.query(), of = JSON.stringify(q);
	if (brush.time() && card.flamed === of && !ended()) return;
	card.flaming = true;
	const whole = brush.time() && settled();
	try {
		const d = await ask("flame", { ...q, agg: card.i });
		card.flame.show(d);
		card.flamed = whole && !d.later ? of : null;
	} catch (e) { failed(e); }
	card.flaming = false;
	if (JSON.stringify(brush.query()) !== of) flames(card);
}

// The same as a table, for who does not see the picture: buckets of the whole time.
function heatList(card) {
	const box = make("details", "heatlist"), t = make("table"), head = t.createTHead().insertRow();
	box.append(make("summary", "", "As a table"), t);
	for (const h of ["Bucket", "Values", "Share"]) { const th = make("th", h === "Bucket" ? "" : "number", h); th.scope = "col"; head.append(th); }
	card.heatBody = t.createTBody();
	box.addEventListener("toggle", () => heatTable(card));
	card.heatBox = box;
	return box;
}
function heatTable(card) {
	if (!card.heatBox || !card.heatBox.open) return;
	const sums = new Map(), all = document.createDocumentFragment();
	for (const s of card.spans) for (let i = 2; i < s.length; i += 2) sums.set(s[i], (sums.get(s[i]) || 0) + cell(s, i));
	const total = [...sums.values()].reduce((a, b) => a + b, 0);
	for (const [b, v] of [...sums].sort((x, y) => x[0] - y[0])) {
		const tr = make("tr");
		tr.append(make("td", "", label(card, b)), make("td", "number", v < 2 ** 63 ? short(v) : BEYOND), make("td", "number", total > 0 && total < 2 ** 63 ? (100 * v / total).toFixed(1) + " %" : ""));
		all.append(tr);
	}
	card.heatBody.replaceChildren(all);
}

// --- the time line: of --trace FILE as it grows, or of a file that the user has
const line = timeline($("lanes"), (from, to) => brush.set(from === null ? null : brush.ms(from), brush.ms(to)));
let traced = 0, following = false, lineLink = null;
function lineShown(text) {
	for (const e of $("timeline").querySelectorAll("[hidden]")) e.hidden = false;
	$("timeline").querySelector("small").textContent = text || line.said();
}
async function follow() {
	if (!about.trace || kept || following || document.hidden || paused || ended() || line.full()) return;
	following = true;
	try {
		for (let size = 1, decoder = new TextDecoder(); size; ) {
			const r = await fetch(path("trace", { from: traced })), bytes = r.ok ? await r.arrayBuffer() : new ArrayBuffer(0);
			size = bytes.byteLength;
			traced += size;
			if (size) { line.text(decoder.decode(bytes, { stream: true })); lineShown(); }
		}
	} catch (e) { /* the run has ended */ }
	following = false;
}
async function openFile(file) {
	about.trace = null;                                    // the page shows this one from now on
	line.clear();
	let all = "";
	const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
	for (let part; !(part = await reader.read()).done; ) { line.text(part.value); if (file.size < 3e7) all += part.value; }
	line.text("\n");
	setTimeout(function wait() {
		if ($("lanes").dataset.busy === "1") { lineShown("reading " + file.name); setTimeout(wait, 100); return; }
		try { line.whole(all); } catch (e) { notice(`${file.name} is no trace file: ${e.message}`); }
		lineShown(`${file.name}: ${line.said()}`);
		line.drawNow();
	}, 0);
}
function lineButtons() {
	const on = (id, does) => $(id).addEventListener("click", does), box = $("timeline");
	on("closer", () => line.zoom(0.5));
	on("wider", () => line.zoom(2));
	on("whole", () => line.all());
	on("chosen", () => line.choose());
	box.querySelector("input[type=search]").addEventListener("input", e => line.search(e.target.value));
	box.querySelector("input[type=file]").addEventListener("change", e => { if (e.target.files[0]) openFile(e.target.files[0]).catch(w => notice(w.message)); });
	if (!about.trace) box.querySelector("small").textContent = "start dtx with --trace FILE, or open such a file";
	else lineLink = download({ i: 0, head: box.querySelector(".head") }, "trace", "trace");
}

// --- cards
const GAP = 14;
const bricks = new ResizeObserver(all => {
	for (const e of all) e.target.style.gridRowEnd = "span " + Math.ceil(e.target.offsetHeight + GAP);
});
// How many rows, and what they are together: of the smallest and the largest there is no sum.
function summed(card, a) {
	const f = card.meta.func, unit = f === "sum" ? card.meta.columns[first(card.meta)].unit : null;
	const p = brush.time() ? card.part : undefined;
	if (p === null) return card.meta.past ? "nothing is known of this time" : "the time of its values is not known";
	if (p) a = p;
	if (!a) return "";
	const rows = (p ? brush.said(p) + ": " : "") + `${short(a.nrows)} ${a.nrows === 1 ? "row" : "rows"}`;
	if (f === "min" || f === "max") return rows;
	return `${rows}, ${f === "sum" || f === "count" ? "total " + short(a.total, unit) : short(a.total) + " values"}, ${short(a.rate, unit)} per s`;
}
function download(card, text, name, query) {
	const a = make("a", "", text);
	a.href = kept ? "#" : path(name, { agg: card.i, ...query });
	a.download = "";
	a.dataset.name = name;
	card.head.append(a);
	(card.links = card.links || []).push(a);
	return a;
}
// A link to what the page has: it works when nobody answers any more.
function own(a, data, file) {
	const blob = data instanceof Blob ? data : new Blob([data], { type: "text/plain" });
	a.href = URL.createObjectURL(blob);
	a.dataset.size = blob.size;
	a.download = file;
}
const fileName = (card, end) => `dtx-${card.meta.name}.${end}`;
const SUFFIX = { csv: "csv", json: "json", folded: "folded", pprof: "pb.gz", svg: "svg" };
async function keepLinks() {
	for (const card of cards)
		for (const a of card.links) {
			const r = await fetch(a.href);
			if (r.ok) own(a, await r.blob(), fileName(card, SUFFIX[a.textContent]));
		}
	if (!lineLink) return;
	const r = await fetch(lineLink.href);
	if (r.ok) own(lineLink, await r.blob(), "dtx.trace.json");
}
function reportLinks() {
	for (const card of cards) {
		const rows = kept.all.aggs[card.i].table.rows;
		for (const a of card.links) {
			const kind = a.textContent;
			a.addEventListener("click", () => {                // made when it is wanted
				if (!a.href.startsWith("blob:"))
					own(a, kind === "csv" ? csvOf(card.meta, rows) : kind === "json" ? jsonOf(card.meta, rows) :
						[...card.flame.folded()].map(([stack, v]) => `${stack} ${v}\n`).join(""), fileName(card, SUFFIX[kind]));
			});
		}
	}
}
// The end: the page takes all that it may be asked for, and says so.
async function keep() {
	try {
		while (following) await rest();
		const r = await fetch(path("all"));
		if (!r.ok) throw new Error(r.statusText);
		const all = await r.json();
		await keepLinks();
		const page = await fetch(path("report"));
		if (page.ok) own($("save"), await page.blob(), "dtx.html");
		$("save").hidden = !page.ok;
		kept = keeping(all);
		fetch(path("kept")).catch(() => {});
		for (const card of cards) refresh(card);
		for (const card of cards) if (card.flame) flames(card);
		notice("The run has ended. All of it is in this page: rows, downloads and graphs go on working.", true);
	} catch (e) { notice("The run has ended; this is its last state. Not all of it could be fetched in time: dtx --linger waits for the page.", true); }
	document.body.dataset.kept = kept ? "1" : "0";
}
let silent = 0;
function lost() {
	if (ended() || kept) return;
	silent = silent || Date.now();
	if (Date.now() - silent < GONE_MS) { notice("No answer from dtx; trying again.", true); return; }
	gone = true;
	$("state").textContent = last ? "no answer" : "not reached";
	notice(last ? "dtx does not answer any more: it has ended, or the connection is lost. This is the last state that it sent." :
		"dtx does not answer: it has ended. Start it again with --linger, and its page stays after the run.", true);
}

function build(meta, i) {
	const card = { meta, i, column: first(meta), ascending: false, filter: "", spans: [] };
	const box = make("section", "card" + (meta.stacks ? " wide" : ""));
	box.id = "agg-" + i;
	card.head = make("div", "head");
	const title = make("h2", "", "@" + (meta.name === "_" ? "" : meta.name) + " ");
	title.append(make("small", "", meta.func + "()"), card.sum = make("small", "sum"));
	card.head.append(title);
	const filter = make("input");
	filter.type = "search";
	filter.placeholder = "Filter keys";
	filter.setAttribute("aria-label", "Filter keys of @" + meta.name);
	filter.addEventListener("input", () => {
		card.rows.style.minHeight = filter.value ? card.rows.offsetHeight + "px" : "";       // the cards below stay where they are
		card.filter = filter.value;
		card.rows.scrollTop = 0;
		refresh(card);
	});
	if (meta.columns[0].what === "key") card.head.append(filter);
	download(card, "csv", "csv");
	download(card, "json", "json");
	box.append(card.head);
	if (meta.hist || meta.past) {
		card.canvas = make("canvas", meta.hist ? "" : "bars");
		card.canvas.setAttribute("aria-label", meta.hist ? `Heat map of @${meta.name}: arrows select a time; below is the same as a table` : `@${meta.name} over time: arrows select a time`);
		brushable(card.canvas, () => card.spans, x => columnAt(card, x));
		const below = make("p", "heat");
		below.append(card.tip = make("span"), card.scale = make("span"));
		card.scale.hidden = !meta.hist;
		card.scale.append(card.least = make("span"), make("i"), card.most = make("span"));
		card.canvas.addEventListener("mousemove", e => pointed(card, e));
		card.canvas.addEventListener("mouseleave", () => { card.tip.textContent = ""; });
		box.append(card.canvas, below);
		heatAll(card).catch(failed);
	}
	if (meta.stacks) {
		for (const f of kept ? ["folded"] : ["folded", "pprof", "svg"]) download(card, f, "stacks", { format: f });
		card.flame = flameBox(box, i);
		card.flame.show({ old: false, names: [""], objects: [""], kinds: "y", nodes: [] });
		flames(card);
		setInterval(() => flames(card), FLAME_MS);
	}
	box.append(rowsTable(card, refresh), card.more = make("p", "tip"));
	if (meta.hist) box.append(heatList(card));
	$("aggs").append(box);
	bricks.observe(box);
	return card;
}

// --- events
function log(l) {
	const pre = $("log"), low = pre.scrollTop + pre.clientHeight > pre.scrollHeight - 20, all = document.createDocumentFragment();
	let at = l.first;
	if (lines && l.first > lines) all.append(make("span", "message", `… ${l.first - lines} lines are not shown\n`));
	for (const [from, text, ms] of l.lines) {
		if (at++ < lines) continue;
		const s = typeof text === "string" ? text : "\\x" + text.hex.replace(/..(?=.)/g, "$&\\x");
		const one = make("span", from === 2 ? "message" : "", s + "\n");
		one.dataset.ms = ms;
		one.hidden = !brush.has(ms);
		all.append(one);
	}
	lines = l.next;
	pre.append(all);
	while (pre.childElementCount > LINES) pre.firstElementChild.remove();
	if (low) pre.scrollTop = pre.scrollHeight;
	logged();
}
function logged() {
	const all = $("log").children.length, hidden = $("log").querySelectorAll("[hidden]").length;
	$("logged").textContent = brush.time() ? `${short(all - hidden)} of ${short(all)} lines are of this time` : "";
}
// Another time is selected: everything shows it.
brush.on(time => {
	for (const card of cards) {
		card.part = undefined;
		card.rows.scrollTop = 0;
		refresh(card);
		if (card.canvas) heat(card);
		if (card.flame) flames(card);
	}
	for (const e of $("log").children) e.hidden = e.dataset.ms !== undefined && !brush.has(Number(e.dataset.ms));
	logged();
	line.brush(time && brush.us(time.from), time && brush.us(time.to));
});
function losses(e) {
	const rows = [...e.losses, ...e.faults], all = document.createDocumentFragment();
	for (const [what, probe, count, hint] of rows) {
		const tr = make("tr");
		tr.append(make("td", "", what || ""), make("td", "", probe || ""), make("td", "number", short(count)), make("td", "hint", hint || (rows.find(r => r[0] === what && r[3]) || [])[3] || ""));
		all.append(tr);
	}
	program(e.faults.filter(f => f[4]));
	$("losses").hidden = !rows.length;
	$("losses").querySelector("tbody").replaceChildren(all);
}
// The program, with what could not be computed at its place: how often, and why.
let marked = null;
function program(faults) {
	const all = document.createDocumentFragment();
	if (marked === JSON.stringify(faults)) return;
	marked = JSON.stringify(faults);
	about.programs.forEach((text, n) => {
		const starts = [0], marks = new Map();
		for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
		for (const [why, , count, , expression, row, column] of faults) {
			const at = starts[row - 1] + [...text.slice(starts[row - 1])].slice(0, column - 1).join("").length;
			if (!expression || !text.startsWith(expression, at)) continue;
			const m = marks.get(at) || { end: 0, whys: new Map() };
			m.end = Math.max(m.end, at + expression.length);
			m.whys.set(why, (m.whys.get(why) || 0) + count);
			marks.set(at, m);
		}
		let done = 0;
		for (const [at, m] of [...marks].sort((a, b) => a[0] - b[0])) {
			all.append(text.slice(done, Math.max(at, done)));
			const end = Math.max(m.end, done);
			all.append(make("mark", "", text.slice(Math.max(at, done), end)), make("span", "fault", " " + [...m.whys].map(([why, count]) => `${short(count)} × ${why}`).join(", ") + " "));
			done = end;
		}
		all.append(text.slice(done) + (n + 1 < about.programs.length ? "\n" : ""));
	});
	$("program").replaceChildren(all);
}
function state(e) {
	$("state").textContent = e.state;
	$("time").textContent = Math.round((e.now - e.began) / 1000) + " s";
	$("records").textContent = short(e.records);
	$("rate").textContent = short(e.recordRate);
	$("lost").textContent = short(e.lost);
	$("errors").textContent = short(e.errors);
	$("lostbox").classList.toggle("bad", e.lost > 0);
	$("errorbox").classList.toggle("bad", e.errors > 0);
}
function event(e) {
	last = e;
	log(e.log);
	if (paused) { for (const card of cards) span(card, e.aggs[card.i].span); return; }
	state(e);
	losses(e);
	for (const card of cards) {
		const a = e.aggs[card.i];
		card.sum.textContent = summed(card, a);
		if (brush.time() && card.part && card.whole) { if (span(card, a.span)) heat(card); continue; }
		if (!kept && !brush.time() && !card.filter && !card.ascending && card.column === first(card.meta) && card.rows.scrollTop < ROW_HEIGHT) rowsShow(card, a.rows, 0, a.matching);
		else refresh(card);
		if (span(card, a.span)) { heat(card); heatTable(card); }
	}
	follow();
	document.body.dataset.events = Number(document.body.dataset.events || 0) + 1;
}
function span(card, s) {
	if (!card.canvas || !s) return false;
	const n = card.spans.length;
	if (n && card.spans[n - 1][0] === s[0]) card.spans[n - 1] = s;
	else card.spans.push(s);
	if (card.spans.length > SPANS) card.spans.shift();
	return true;
}
// A report has its data, and nobody to ask.
function report(text) {
	kept = keeping(JSON.parse(text));
	document.body.dataset.kept = "1";
	notice("");
	$("pause").hidden = true;
}
function keptLine() {
	const data = $("keptline");
	if (!data) { $("timeline").hidden = true; return; }
	line.text(data.textContent);
	line.text("\n");
	setTimeout(() => { line.whole(data.textContent); lineShown(); line.drawNow(); }, 0);
}
async function begin() {
	const data = $("kept");
	if (data) report(data.textContent);
	try {
		about = await ask("about");
		log(await ask("log"));
	} catch (e) {
		lost();
		notice(e instanceof TypeError ? "dtx does not answer: it has ended. Start it again with --linger, and its page stays after the run." : e.message, e instanceof TypeError);
		$("state").textContent = "not reached";
		return;
	}
	notice("");
	brush.begins(about.start);
	$("host").textContent = `${about.host}, Linux ${about.kernel}`;
	program([]);
	document.title = "dtx on " + about.host;
	cards = about.aggs.map(build);
	lineButtons();
	if (kept) {
		const e = kept.all.event;
		last = e;
		state(e);
		losses(e);
		for (const card of cards) { card.sum.textContent = summed(card, e.aggs[card.i]); refresh(card); }
		reportLinks();
		keptLine();
		document.body.dataset.events = 1;
		return;
	}
	follow();                                              // of a replay it is all there, and nothing more comes
	const source = new EventSource(path("events"));
	source.onmessage = m => {
		silent = 0;
		notice("");
		event(JSON.parse(m.data));
		if (!ended()) return;
		source.close();
		keep();
	};
	source.addEventListener("missed", m => {
		notice(`${m.data} states were not shown: this page was too slow`);
		for (const card of cards) if (card.canvas) heatAll(card).catch(() => {});
	});
	source.onerror = lost;
	setInterval(() => { if (silent && !gone) lost(); }, 500);
}
$("pause").addEventListener("click", () => {
	paused = !paused;
	$("pause").setAttribute("aria-pressed", paused);
	if (!paused && last) event({ ...last, log: { first: lines, next: lines, lines: [] } });
});
addEventListener("resize", () => { for (const card of cards) if (card.canvas) heat(card); });
begin();
