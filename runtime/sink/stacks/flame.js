// SPDX-License-Identifier: BSD-2-Clause
//
// flame.js - the flame graph: zoom, search, turning.  In a file of --stacks svg it takes the data of
// the file when somebody first uses it.  The page of --serve calls flame(svg, box, tools, told) and
// show(data): there the graph is as wide as its box, which scrolls, and the buttons are outside.
"use strict";
function flame(svg, box, tools, told) {
	const NS = "http://www.w3.org/2000/svg", XHTML = "http://www.w3.org/1999/xhtml";
	const ROW = 16, TOP = box ? 0 : 76, BOTTOM = box ? 0 : 26, LEAST = 0.75, LETTER = 6.6, COLOURS = 6;
	const graph = svg.querySelector(".graph");
	told = told || svg.querySelector(".told");
	let WIDTH = 1200, low = true, tree = null, forward = null, zoomed = 0, down = false, byLeaf = false, byOld = false, wanted = null, rest = "", drawn = [];

	// --- the tree: arrays by node, in the order of a walk; the node after the last one below i is end[i]
	function finish(t) {
		const n = t.name.length;
		t.total = Float64Array.from(t.self);
		t.oldTotal = Float64Array.from(t.old);
		t.end = new Uint32Array(n);
		for (let i = n - 1; i >= 0; i--) {
			if (!t.end[i]) t.end[i] = i + 1;
			if (!i) break;
			const p = t.parent[i];
			t.total[p] += t.total[i];
			t.oldTotal[p] += t.oldTotal[i];
			if (t.end[p] < t.end[i]) t.end[p] = t.end[i];
		}
		return t;
	}
	function blank(n) {
		return { name: new Uint32Array(n), parent: new Uint32Array(n), depth: new Uint16Array(n), self: new Float64Array(n), old: new Float64Array(n) };
	}
	function read(d) {
		const step = d.old ? 4 : 3, n = d.nodes.length / step, t = blank(n + 1);
		for (let i = 1, at = 0; i <= n; i++, at += step) {
			let p = i - 1;
			for (let up = d.nodes[at]; up > 0; up--) p = t.parent[p];
			t.parent[i] = p;
			t.depth[i] = t.depth[p] + 1;
			t.name[i] = d.nodes[at + 1];
			t.self[i] = d.nodes[at + 2];
			if (d.old) t.old[i] = d.nodes[at + 3];
		}
		t.names = d.names; t.objects = d.objects; t.kinds = d.kinds; t.has = d.old;
		return finish(t);
	}
	// The same stacks read from the leaf.
	function turned(t) {
		const kids = [new Map()], names = [0], self = [0], old = [0];
		for (let i = 1; i < t.name.length; i++) {
			if (!t.self[i] && !t.old[i]) continue;
			let at = 0;
			for (let p = i; p; p = t.parent[p]) {
				let next = kids[at].get(t.name[p]);
				if (next === undefined) {
					next = kids.length;
					kids[at].set(t.name[p], next);
					kids.push(new Map());
					names.push(t.name[p]); self.push(0); old.push(0);
				}
				at = next;
			}
			self[at] += t.self[i];
			old[at] += t.old[i];
		}
		const r = blank(kids.length), stack = [[0, 0, 0]];
		let n = 0;
		while (stack.length) {
			const [from, parent, depth] = stack.pop(), i = n++;
			r.name[i] = names[from]; r.parent[i] = parent; r.depth[i] = depth; r.self[i] = self[from]; r.old[i] = old[from];
			const next = [...kids[from].values()].sort((a, b) => t.names[names[a]] < t.names[names[b]] ? 1 : -1);
			for (const kid of next) stack.push([kid, i, depth + 1]);
		}
		r.names = t.names; r.objects = t.objects; r.kinds = t.kinds; r.has = t.has;
		return finish(r);
	}
	function load() {
		if (tree) return;
		forward = tree = read(JSON.parse(svg.querySelector(".data").textContent));
		marks();
	}

	// --- drawing
	const width = i => byOld ? tree.oldTotal[i] : tree.total[i];
	const text = i => i ? tree.names[tree.name[i]] : "all";
	function colour(i) {
		if (tree.has) {
			const d = (tree.total[0] ? tree.total[i] / tree.total[0] : 0) - (tree.oldTotal[0] ? tree.oldTotal[i] / tree.oldTotal[0] : 0);
			const size = Math.abs(d), step = size < 0.001 ? 0 : size < 0.01 ? 1 : size < 0.05 ? 2 : 3;
			return (!step ? "e" : d > 0 ? "g" : "l") + step;
		}
		let hash = 0;
		for (const c of new TextEncoder().encode(tree.names[tree.name[i]])) hash = (Math.imul(hash, 31) + c) >>> 0;
		return tree.kinds[tree.name[i]] + hash % COLOURS;
	}
	// Boxes of what is wide enough below the zoomed node, and of those above it.
	function boxes() {
		const out = [], scale = WIDTH / (width(zoomed) || 1), x = [];
		for (let p = zoomed; p; ) { p = tree.parent[p]; out.push({ i: p, x: 0, w: WIDTH, above: true }); }
		for (let i = zoomed, last = tree.end[zoomed]; i < last; ) {
			const d = tree.depth[i] - tree.depth[zoomed], at = d ? x[d - 1] : 0, w = width(i) * scale;
			if (d) x[d - 1] += w;
			x[d] = at;
			if (w < LEAST) { i = tree.end[i]; continue; }
			out.push({ i, x: at, w });
			i++;
		}
		return out;
	}
	// A graph that is higher than its box shows its root, unless somebody has scrolled.
	function toRoot() { if (down) box.scrollTop = 0; else if (low) box.scrollTop = box.scrollHeight; }
	function draw() {
		if (box) WIDTH = Math.max(box.clientWidth, 300);
		drawn = boxes();
		const deepest = drawn.reduce((m, b) => Math.max(m, tree.depth[b.i]), 0);
		const all = document.createDocumentFragment();
		for (const b of drawn) {
			const y = (down ? tree.depth[b.i] : deepest - tree.depth[b.i]) * ROW;
			const box = document.createElementNS(NS, "rect");
			box.setAttribute("class", colour(b.i) + (b.above ? " above" : "") + (wanted && wanted[tree.name[b.i]] && b.i ? " found" : ""));
			box.setAttribute("x", b.x.toFixed(2));
			box.setAttribute("y", y);
			box.setAttribute("width", Math.max(b.w - 0.4, 0.4).toFixed(2));
			box.setAttribute("height", ROW - 1);
			box.setAttribute("data-i", b.i);
			all.appendChild(box);
			const room = b.w < 24 ? 0 : Math.floor((b.w - 4) / LETTER), name = text(b.i);
			if (room < 3) continue;
			const label = document.createElementNS(NS, "text");
			label.setAttribute("x", (b.x + 3).toFixed(2));
			label.setAttribute("y", y + 12);
			label.textContent = name.length > room ? name.slice(0, room - 1) + "…" : name;
			all.appendChild(label);
		}
		graph.replaceChildren(all);
		const height = (deepest + 1) * ROW;
		svg.setAttribute("viewBox", "0 0 " + WIDTH + " " + (TOP + height + BOTTOM));
		if (box) {
			svg.setAttribute("height", height);
			toRoot();
		} else told.setAttribute("y", TOP + height + 18);
		svg.setAttribute("data-zoom", text(zoomed));
		tell();
	}

	// --- what is pointed at
	const share = (v, of) => of ? (100 * v / of).toFixed(2) + " %" : "0 %";
	function describe(i) {
		let s = text(i) + (i && tree.objects[tree.name[i]] ? " (" + tree.objects[tree.name[i]] + ")" : "");
		s += ": " + tree.total[i].toLocaleString("en") + ", " + share(tree.total[i], tree.total[0]);
		if (tree.self[i]) s += "; itself " + tree.self[i].toLocaleString("en");
		if (tree.has) s += "; before " + tree.oldTotal[i].toLocaleString("en") + ", " + share(tree.oldTotal[i], tree.oldTotal[0]);
		return s;
	}
	function tell(i) {
		if (!tree) return;
		if (i === undefined) { rest = zoomed ? describe(zoomed) : tree.total[0] ? "total " + tree.total[0].toLocaleString("en") : "no stacks yet"; told.textContent = rest; }
		else told.textContent = describe(i);
	}

	// --- search: the functions whose names match; what is below a match counts once
	let found = null, input = null;
	function marks() {
		if (!input) return;
		const s = input.value;
		wanted = null;
		found.textContent = "";
		if (!s || !tree) return;
		let match;
		try { const e = new RegExp(s, "i"); match = n => e.test(n); } catch (e) { match = n => n.includes(s); }
		wanted = tree.names.map(n => n !== "" && match(n));
		let sum = 0;
		for (let i = 1; i < tree.name.length; ) {
			if (wanted[tree.name[i]]) { sum += width(i); i = tree.end[i]; } else i++;
		}
		found.textContent = share(sum, width(0)) + " found";
		svg.setAttribute("data-found", sum);
	}
	function zoom(i) { load(); zoomed = i; draw(); }
	function turn() {
		load();
		tree = byLeaf ? turned(forward) : forward;
		zoomed = 0;
		marks();
		draw();
	}

	// --- buttons
	function button(label, title, act) {
		const b = document.createElementNS(XHTML, "button");
		b.setAttribute("type", "button");
		b.setAttribute("title", title);
		b.textContent = label;
		b.addEventListener("click", () => act(b));
		tools.appendChild(b);
		return b;
	}
	const toggle = (b, on) => b.setAttribute("aria-pressed", on ? "true" : "false");
	if (!tools) {
		const holder = svg.appendChild(document.createElementNS(NS, "foreignObject"));
		for (const [k, v] of [["x", 10], ["y", 36], ["width", WIDTH - 20], ["height", 34]]) holder.setAttribute(k, v);
		tools = holder.appendChild(document.createElementNS(XHTML, "div"));
	}
	tools.setAttribute("class", "tools");
	input = document.createElementNS(XHTML, "input");
	input.setAttribute("type", "search");
	input.setAttribute("placeholder", "Search functions");
	input.setAttribute("aria-label", "Search functions");
	input.addEventListener("input", () => { load(); marks(); draw(); });
	tools.appendChild(input);
	button("Reset zoom", "Show everything (Escape)", () => zoom(0));
	toggle(button("Root on top", "Turn the graph upside down", b => { load(); down = !down; toggle(b, down); draw(); }), false);
	toggle(button("Inverted", "Begin with the functions that ran, and show their callers", b => { byLeaf = !byLeaf; toggle(b, byLeaf); turn(); }), false);
	const olds = button("Old widths", "Widths of the earlier run", b => { load(); byOld = !byOld; toggle(b, byOld); marks(); draw(); });
	toggle(olds, false);
	found = document.createElementNS(XHTML, "output");
	tools.appendChild(found);
	const data = svg.querySelector(".data");
	olds.hidden = !(data && data.textContent.startsWith('{"old":true'));

	// A box that was laid out by dtx has no number yet: the first use draws them again.
	function at(event) {
		if (!event.target.closest || event.target.closest(".graph") !== graph) return -1;
		if (!event.target.hasAttribute("data-i")) {
			const k = [...graph.querySelectorAll("rect")].indexOf(event.target);
			load();
			draw();
			return k >= 0 && k < drawn.length ? drawn[k].i : -1;
		}
		return Number(event.target.getAttribute("data-i"));
	}
	graph.addEventListener("click", e => { const i = at(e); if (i >= 0) zoom(i); });
	graph.addEventListener("mouseover", e => { const i = at(e); if (i >= 0) tell(i); });
	graph.addEventListener("mouseout", () => tell());
	document.addEventListener("keydown", e => { if (e.key === "Escape" && tree) zoom(0); });

	// New data keep the zoom, by the names on the way to it.
	function show(d) {
		const way = [];
		for (let p = zoomed; p; p = tree.parent[p]) way.unshift(tree.names[tree.name[p]]);
		forward = read(d);
		tree = byLeaf ? turned(forward) : forward;
		olds.hidden = !d.old;
		zoomed = 0;
		for (const name of way) {
			let i = zoomed + 1;
			while (i < tree.end[zoomed] && tree.names[tree.name[i]] !== name) i = tree.end[i];
			if (i >= tree.end[zoomed]) break;
			zoomed = i;
		}
		marks();
		draw();
	}
	if (box) {
		box.addEventListener("scroll", () => { low = box.scrollTop + box.clientHeight > box.scrollHeight - ROW; });
		new ResizeObserver(() => { if (tree && box.clientWidth !== WIDTH) draw(); else toRoot(); }).observe(box);
	}
	return { show, zoom };
}
if (document.documentElement.localName === "svg") flame(document.documentElement);
