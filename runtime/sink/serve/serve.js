// SPDX-License-Identifier: BSD-2-Clause
//
// serve.js - the page of --serve.  Events bring the state each second; what the user asks for beyond
// that (another order, a filter, a flame graph) is requested.
"use strict";
const token = new URLSearchParams(location.search).get("token");
if (token) history.replaceState(null, "", location.pathname);    // a cookie has it now
const SPANS = 600, LINES = 2000, FLAME_MS = 3000;
const $ = id => document.getElementById(id);
let about = null, cards = [], paused = false, lines = 0, last = null;

function path(name, query) {
	const q = new URLSearchParams(query || {});
	if (token) q.set("token", token);
	const s = q.toString();
	return name + (s ? "?" + s : "");
}
async function ask(name, query, kind) {
	const r = await fetch(path(name, query));
	if (!r.ok) throw new Error((await r.text()).trim() || r.statusText);
	return kind === "text" ? r.text() : r.json();
}
const ended = () => last && last.state === "ended";
const first = meta => meta.columns.findIndex(c => c.what !== "key");
const notice = text => { $("notice").textContent = text; };
function make(tag, classes, text) {
	const e = document.createElement(tag);
	if (classes) e.className = classes;
	if (text !== undefined) e.textContent = text;
	return e;
}

// --- numbers as people read them; the exact one is the title
const TIMES = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };
function short(v, unit) {
	if (typeof v === "string") return /^-?\d+$/.test(v) ? BigInt(v).toLocaleString("en") : v;
	if (unit === "bytes" && Math.abs(v) >= 1024) {
		const k = Math.min(Math.floor(Math.log2(Math.abs(v)) / 10), 6);
		return `${+(v / 1024 ** k).toFixed(1)} ${" KMGTPE"[k]}iB`;
	}
	if (unit in TIMES) {
		if (!v) return unit === "us" ? "0 µs" : "0 " + unit;
		const ns = v * TIMES[unit], a = Math.abs(ns);
		return a < 1e3 ? `${+ns.toFixed(1)} ns` : a < 1e6 ? `${+(ns / 1e3).toFixed(1)} µs` : a < 1e9 ? `${+(ns / 1e6).toFixed(1)} ms` : `${+(ns / 1e9).toFixed(2)} s`;
	}
	if (Number.isInteger(v)) return v.toLocaleString("en");
	return Math.abs(v) < 10 ? v.toFixed(2) : v.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

// --- tables
function table(card) {
	const t = make("table"), head = t.createTHead().insertRow();
	card.meta.columns.forEach((c, i) => {
		const th = make("th", c.what === "key" ? "" : "number", c.name);
		th.title = "Sort by " + c.name;
		th.tabIndex = 0;
		th.addEventListener("keydown", e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); th.click(); } });
		th.addEventListener("click", () => {
			card.ascending = card.column === i ? !card.ascending : c.what === "key";
			card.column = i;
			refresh(card);
		});
		head.append(th);
	});
	card.body = t.createTBody();
	card.heads = [...head.cells];
	card.rows = make("div", "rows");
	card.rows.append(t);
	return card.rows;
}
function fill(card, rows, matching) {
	const fresh = document.createDocumentFragment();
	for (const row of rows) {
		const tr = make("tr");
		card.meta.columns.forEach((c, i) => {
			const td = make("td", c.what === "key" ? "" : "number", c.what === "key" ? row[i] : short(row[i], c.what === "rate" || c.what === "count" ? null : c.unit));
			td.title = row[i];
			td.dataset.value = row[i];
			tr.append(td);
		});
		fresh.append(tr);
	}
	card.body.replaceChildren(fresh);
	card.heads.forEach((th, i) => th.setAttribute("aria-sort", i !== card.column ? "none" : card.ascending ? "ascending" : "descending"));
	card.more.textContent = matching > rows.length ? `${short(rows.length)} of ${short(matching)} rows` : matching ? "" : card.filter ? "no key has this text" : "no rows yet";
}
async function refresh(card) {
	if (card.asking || ended()) return;
	card.asking = true;
	try {
		const r = await ask("rows", { agg: card.i, column: card.column, asc: card.ascending ? 1 : 0, filter: card.filter, n: 200 });
		fill(card, r.rows, r.matching);
	} catch (e) { notice(e.message); }
	card.asking = false;
}

// --- heat maps: a column for each span, a row for each bucket
function heatColour(share, dark) {
	const s = Math.sqrt(share), stops = dark ? [[38, 26, 60], [139, 41, 129], [235, 88, 79], [252, 226, 140]] : [[238, 228, 246], [190, 120, 205], [139, 20, 130], [52, 4, 78]];
	const at = Math.min(s * 3, 2.9999), k = Math.floor(at), f = at - k;
	return `rgb(${stops[k].map((v, i) => Math.round(v + (stops[k + 1][i] - v) * f)).join(",")})`;
}
function heatRange(spans, buckets) {
	let low = Infinity, high = -1, most = 1;
	for (const s of spans)
		for (let i = 2; i < s.length; i += 2) {
			if (s[i + 1] <= 0) continue;
			low = Math.min(low, s[i]); high = Math.max(high, s[i]); most = Math.max(most, s[i + 1]);
		}
	return high < 0 ? null : { low: Math.max(low - 1, 0), high: Math.min(high + 1, buckets - 1), most };
}
function heat(card) {
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
	const left = 74, top = 7, bottom = 20, n = Math.max(card.spans.length, 60), dx = (w - left) / n, dy = (h - top - bottom) / (r.high - r.low + 1);
	const dark = matchMedia("(prefers-color-scheme: dark)").matches, style = getComputedStyle(document.body);
	card.plot = { left, top, dx, dy, from: n - card.spans.length };
	card.spans.forEach((s, k) => {
		for (let i = 2; i < s.length; i += 2) {
			if (s[i + 1] <= 0) continue;
			g.fillStyle = heatColour(s[i + 1] / r.most, dark);
			g.fillRect(left + (card.plot.from + k) * dx, top + (r.high - s[i]) * dy, Math.max(dx, 1) + 0.5, Math.max(dy - 0.5, 1));
		}
	});
	g.fillStyle = style.getPropertyValue("--dim");
	g.font = "11px system-ui, sans-serif";
	g.textAlign = "right";
	const step = Math.max(1, Math.ceil(14 / dy));
	for (let b = r.low; b <= r.high; b += step) g.fillText(label(card, b), left - 6, top + (r.high - b + 0.5) * dy + 4);
	heatTimes(card, g, w, h);
	card.least.textContent = "a cell: 1";
	card.most.textContent = short(r.most);
}
// The axis of time: spans are not all equally long, so a moment is looked up among them.
const STEPS = [5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400];
const ago = s => s % 60 || s < 120 ? `-${s} s` : s % 3600 ? `-${s / 60} min` : `-${s / 3600} h`;
function heatTimes(card, g, w, h) {
	const p = card.plot, spans = card.spans, end = spans[spans.length - 1][1], all = Math.round((end - spans[0][0]) / 1000);
	const begin = p.left + p.from * p.dx, step = STEPS.find(s => s * (w - begin) >= 64 * all) || all;
	g.textAlign = "right";
	g.fillText("now", w - 2, h - 4);
	g.textAlign = "center";
	for (let s = step; s < all; s += step) {
		const k = spans.findIndex(span => span[1] >= end - s * 1000), x = begin + (k + 1) * p.dx;
		if (x > w - 52 || x < begin + 24) continue;
		g.fillRect(x, h - 18, 1, 4);
		g.fillText(ago(s), x, h - 4);
	}
}
function label(card, bucket) {
	const [, sign, v] = /^((?:[<>]=? )?)(-?\d+)$/.exec(card.meta.labels[bucket]) || [];
	return v === undefined ? card.meta.labels[bucket] : sign + short(Number(v), card.meta.unit);
}
function pointed(card, event) {
	const p = card.plot, r = card.range;
	if (!p || !r) return;
	const k = Math.floor((event.offsetX - p.left) / p.dx) - p.from, b = r.high - Math.floor((event.offsetY - p.top) / p.dy), s = card.spans[k];
	if (!s || b < r.low || b > r.high) { card.tip.textContent = ""; return; }
	let count = 0;
	for (let i = 2; i < s.length; i += 2) if (s[i] === b) count = s[i + 1];
	card.tip.textContent = `bucket ${label(card, b)}: ${short(count)} in ${((s[1] - s[0]) / 1000).toFixed(1)} s`;
}
async function heatAll(card) {
	card.spans = (await ask("heat", { agg: card.i })).spans.slice(-SPANS);
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
async function flames(card) {
	if (paused || card.flaming || document.hidden || ended()) return;
	card.flaming = true;
	try { card.flame.show(await ask("flame", { agg: card.i })); } catch (e) { notice(e.message); }
	card.flaming = false;
}

// --- the time line: of --trace FILE as it grows, or of a file that the user has
const line = timeline($("lanes"));
let traced = 0, following = false;
function lineShown(text) {
	for (const e of $("timeline").querySelectorAll("[hidden]")) e.hidden = false;
	$("timeline").querySelector("small").textContent = text || line.said();
}
async function follow() {
	if (!about.trace || following || document.hidden || paused || ended() || line.full()) return;
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
	box.querySelector("input[type=search]").addEventListener("input", e => line.search(e.target.value));
	box.querySelector("input[type=file]").addEventListener("change", e => { if (e.target.files[0]) openFile(e.target.files[0]).catch(w => notice(w.message)); });
	if (!about.trace) box.querySelector("small").textContent = "start dtx with --trace FILE, or open such a file";
	else download({ i: 0, head: box.querySelector(".head") }, "trace", "trace");
}

// --- cards
const GAP = 14;
const bricks = new ResizeObserver(all => {
	for (const e of all) e.target.style.gridRowEnd = "span " + Math.ceil(e.target.offsetHeight + GAP);
});
// How many rows, and what they are together: of the smallest and the largest there is no sum.
function summed(card, a) {
	const f = card.meta.func, unit = f === "sum" ? card.meta.columns[first(card.meta)].unit : null;
	const rows = `${short(a.nrows)} ${a.nrows === 1 ? "row" : "rows"}`;
	if (f === "min" || f === "max") return rows;
	return `${rows}, ${f === "sum" || f === "count" ? "total " + short(a.total, unit) : short(a.total) + " values"}, ${short(a.rate, unit)} per s`;
}
function download(card, text, name, query) {
	const a = make("a", "", text);
	a.href = path(name, { agg: card.i, ...query });
	a.download = "";
	card.head.append(a);
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
		refresh(card);
	});
	if (meta.columns[0].what === "key") card.head.append(filter);
	download(card, "csv", "csv");
	download(card, "json", "json");
	box.append(card.head);
	if (meta.hist) {
		card.canvas = make("canvas");
		card.canvas.setAttribute("aria-label", "Heat map of @" + meta.name);
		const below = make("p", "heat");
		below.append(card.tip = make("span"), card.scale = make("span"));
		card.scale.append(card.least = make("span"), make("i"), card.most = make("span"));
		card.canvas.addEventListener("mousemove", e => pointed(card, e));
		card.canvas.addEventListener("mouseleave", () => { card.tip.textContent = ""; });
		box.append(card.canvas, below);
		heatAll(card).catch(e => notice(e.message));
	}
	if (meta.stacks) {
		for (const f of ["folded", "pprof", "svg"]) download(card, f, "stacks", { format: f });
		card.flame = flameBox(box, i);
		card.flame.show({ old: false, names: [""], objects: [""], kinds: "y", nodes: [] });
		flames(card);
		setInterval(() => flames(card), FLAME_MS);
	}
	box.append(table(card), card.more = make("p", "tip"));
	$("aggs").append(box);
	bricks.observe(box);
	return card;
}

// --- events
function log(l) {
	const pre = $("log"), low = pre.scrollTop + pre.clientHeight > pre.scrollHeight - 20, all = document.createDocumentFragment();
	let at = l.first;
	if (lines && l.first > lines) all.append(make("span", "message", `… ${l.first - lines} lines are not shown\n`));
	for (const [from, text] of l.lines) {
		if (at++ < lines) continue;
		const s = typeof text === "string" ? text : "\\x" + text.hex.replace(/..(?=.)/g, "$&\\x");
		all.append(make("span", from === 2 ? "message" : "", s + "\n"));
	}
	lines = l.next;
	pre.append(all);
	while (pre.childElementCount > LINES) pre.firstElementChild.remove();
	if (low) pre.scrollTop = pre.scrollHeight;
}
function losses(e) {
	const rows = [...e.losses, ...e.faults], all = document.createDocumentFragment();
	for (const [what, probe, count] of rows) {
		const tr = make("tr");
		tr.append(make("td", "", what || ""), make("td", "", probe || ""), make("td", "number", count));
		all.append(tr);
	}
	$("losses").hidden = !rows.length;
	$("losses").querySelector("tbody").replaceChildren(all);
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
		if (ended()) { card.filter = ""; card.ascending = false; card.column = first(card.meta); }        // nobody answers any more
		if (!card.filter && !card.ascending && card.column === first(card.meta)) fill(card, a.rows, a.matching);
		else refresh(card);
		if (span(card, a.span)) heat(card);
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
async function begin() {
	try {
		about = await ask("about");
		log(await ask("log"));
	} catch (e) { notice(e.message); return; }
	$("host").textContent = `${about.host}, Linux ${about.kernel}`;
	$("program").textContent = about.programs.join("\n");
	document.title = "dtx on " + about.host;
	cards = about.aggs.map(build);
	lineButtons();
	follow();                                              // of a replay it is all there, and nothing more comes
	const source = new EventSource(path("events"));
	source.onmessage = m => { notice(""); event(JSON.parse(m.data)); if (ended()) { source.close(); notice("The run has ended; this is its last state."); } };
	source.addEventListener("missed", m => {
		notice(`${m.data} states were not shown: this page was too slow`);
		for (const card of cards) if (card.canvas) heatAll(card).catch(() => {});
	});
	source.onerror = () => { if (!ended()) notice("No connection to dtx; trying again."); };
}
$("pause").addEventListener("click", () => {
	paused = !paused;
	$("pause").setAttribute("aria-pressed", paused);
	if (!paused && last) event({ ...last, log: { first: lines, next: lines, lines: [] } });
});
addEventListener("resize", () => { for (const card of cards) if (card.canvas) heat(card); });
begin();
