// SPDX-License-Identifier: BSD-2-Clause
//
// flame.js - the flame graph: zoom, search, turning, comparing.  In a file of --stacks svg it takes the
// data of the file, and is as wide as the window.  The page of --serve calls flame(svg, page) and
// show(data): there the graph is as wide as page.box, which scrolls, and the buttons are outside.
//
// Zoom and search are in the address, after #: whoever gets the link sees the same.
"use strict";
function flame(svg, page) {
	const NS = "http://www.w3.org/2000/svg", XHTML = "http://www.w3.org/1999/xhtml";
	const box = page && page.box, mark = page ? page.mark : "";
	const ROW = 16, BOTTOM = box ? 0 : 26, LEAST = 0.75, LETTER = 6.6, COLOURS = 6;
	const graph = svg.querySelector(".graph"), told = page ? page.told : svg.querySelector(".told");
	let tools = page && page.tools, TOP = box ? 0 : 96, WIDTH = 1200, low = true, tree = null, forward = null, zoomed = 0, here = -1, down = false, byLeaf = false, byOld = false;
	let wanted = null, drawn = [], base = null, plain = null, list = null;

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
		t.names = d.names; t.objects = d.objects; t.kinds = d.kinds; t.has = d.old; t.unit = d.unit || ""; t.parts = d.parts;
		return finish(t);
	}
	// A tree that grows: below(at, name) is the node of the name there.
	function growing() {
		const g = { name: [0], parent: [0], self: [0], old: [0] };
		let slots = new Int32Array(1 << 16);
		const hash = (at, name) => { const h = Math.imul(Math.imul(at, 0x9e3779b1) ^ name, 0x85ebca6b); return h ^ h >>> 15; };
		function larger() {
			slots = new Int32Array(slots.length * 2);
			for (let i = 1, m = slots.length - 1; i < g.name.length; i++) {
				let k = hash(g.parent[i], g.name[i]) & m;
				while (slots[k]) k = k + 1 & m;
				slots[k] = i;
			}
		}
		g.below = (at, name) => {
			if (g.name.length * 2 > slots.length) larger();
			const m = slots.length - 1;
			let k = hash(at, name) & m;
			for (; slots[k]; k = k + 1 & m) if (g.parent[slots[k]] === at && g.name[slots[k]] === name) return slots[k];
			slots[k] = g.name.length;
			g.name.push(name); g.parent.push(at); g.self.push(0); g.old.push(0);
			return slots[k];
		};
		return g;
	}
	// The same in the order of a walk, by name.
	function flat(g, like) {
		const n = g.name.length, rank = new Uint32Array(like.names.length), first = new Int32Array(n).fill(-1), next = new Int32Array(n).fill(-1), r = blank(n);
		[...rank.keys()].sort((a, b) => like.names[a] < like.names[b] ? -1 : 1).forEach((name, at) => { rank[name] = at; });
		const order = new Uint32Array(n), begin = new Uint32Array(like.names.length + 1);       // by name, the last one first
		for (let i = 1; i < n; i++) begin[like.names.length - rank[g.name[i]]]++;
		for (let i = 1; i < begin.length; i++) begin[i] += begin[i - 1];
		for (let i = 1; i < n; i++) order[begin[like.names.length - rank[g.name[i]] - 1]++] = i;
		for (let k = 0; k < n - 1; k++) { const i = order[k], p = g.parent[i]; next[i] = first[p]; first[p] = i; }
		const stack = [[0, 0, 0]];
		for (let i = 0; stack.length; i++) {
			const [from, parent, depth] = stack.pop();
			r.name[i] = g.name[from]; r.parent[i] = parent; r.depth[i] = depth; r.self[i] = g.self[from]; r.old[i] = g.old[from];
			if (from && next[from] >= 0) stack.push([next[from], parent, depth]);
			if (first[from] >= 0) stack.push([first[from], i, depth + 1]);
		}
		r.names = like.names; r.objects = like.objects; r.kinds = like.kinds; r.has = like.has; r.unit = like.unit; r.parts = like.parts;
		return finish(r);
	}
	// The same stacks read from the leaf; parts stay apart.
	function turned(t) {
		const g = growing();
		for (let i = 1; i < t.name.length; i++) {
			if (!t.self[i] && !t.old[i]) continue;
			let at = 0, last = 0;
			if (t.parts) { last = top(i, t); at = g.below(0, t.name[last]); }
			for (let p = i; p !== last; p = t.parent[p]) at = g.below(at, t.name[p]);
			g.self[at] += t.self[i];
			g.old[at] += t.old[i];
		}
		return flat(g, t);
	}
	// Folded lines, "a;b;c 12", with their sum.
	function folded(text) {
		const lines = new Map();
		for (const l of text.split("\n")) {
			const [, stack, v] = /^(.*) (\d+)$/.exec(l) || [];
			if (stack === undefined && l.trim()) throw new Error("no folded stack: " + l.slice(0, 60));
			if (stack !== undefined) lines.set(stack, (lines.get(stack) || 0) + Number(v));
		}
		return lines;
	}
	const clean = name => name.replace(/;/g, ":").replace(/\n/g, "\\n");
	function unfolded(t) {
		const way = [], out = new Map();
		for (let i = 1; i < t.name.length; i++) {
			way.length = t.depth[i] - 1;
			way.push(clean(t.names[t.name[i]]));
			const s = way.join(";");
			if (t.self[i]) out.set(s, (out.get(s) || 0) + t.self[i]);
		}
		return out;
	}
	// A tree with the old values of folded lines.
	function compared(t, lines) {
		const like = { ...t, names: [...t.names], objects: [...t.objects], has: true }, number = new Map();
		like.names.forEach((n, i) => number.set(clean(n), i));
		for (const stack of lines.keys())
			for (const name of stack.split(";"))
				if (!number.has(name)) {
					number.set(name, like.names.length);
					like.names.push(name); like.objects.push(""); like.kinds += name.endsWith("_[k]") ? "k" : name.endsWith("_[i]") ? "i" : "u";
				}
		const g = growing(), at = [0];
		for (let i = 1; i < t.name.length; i++) {
			at[i] = g.below(at[t.parent[i]], t.name[i]);
			g.self[at[i]] += t.self[i];
		}
		for (const [stack, v] of lines) g.old[stack.split(";").reduce((n, name) => g.below(n, number.get(name)), 0)] += v;
		return flat(g, like);
	}
	function load() {
		if (tree) return;
		forward = tree = plain = read(JSON.parse(svg.querySelector(".data").textContent));
		from(address());
	}

	// --- the address
	const AT = "zoom" + mark, FIND = "find" + mark, TURN = "inverted" + mark;
	function address() { return new URLSearchParams(location.hash.slice(1)); }
	function wayTo(i) {
		const way = [];
		for (let p = i; p; p = tree.parent[p]) way.unshift(tree.names[tree.name[p]]);
		return way;
	}
	function follow(way) {
		let at = 0;
		for (const name of way) {
			let i = at + 1;
			while (i < tree.end[at] && tree.names[tree.name[i]] !== name) i = tree.end[i];
			if (i >= tree.end[at]) break;
			at = i;
		}
		return at;
	}
	function keep() {
		const q = address(), was = q.toString(), set = (k, v) => v ? q.set(k, v) : q.delete(k);
		set(AT, zoomed ? wayTo(zoomed).map(encodeURIComponent).join(";") : "");
		set(FIND, input ? input.value : "");
		set(TURN, byLeaf ? "1" : "");
		if (q.toString() !== was) history.replaceState(null, "", "#" + q);
	}
	function from(q) {
		if (input) input.value = q.get(FIND) || input.value;
		if (q.get(TURN) && !byLeaf) { byLeaf = true; toggle(turner, true); tree = turned(forward); }
		if (q.get(AT)) zoomed = follow(q.get(AT).split(";").map(decodeURIComponent));
		marks();
	}

	// --- drawing
	const width = i => byOld ? tree.oldTotal[i] : tree.total[i];
	const text = i => i ? tree.names[tree.name[i]] : "all";
	function top(i, t) { while (t.parent[i]) i = t.parent[i]; return i; }
	// What is 100 %: the sum, or that of the part.
	const whole = i => tree.parts && i ? top(i, tree) : 0;
	function colour(i) {
		if (tree.has) {
			const r = whole(i), d = (tree.total[r] ? tree.total[i] / tree.total[r] : 0) - (tree.oldTotal[r] ? tree.oldTotal[i] / tree.oldTotal[r] : 0);
			const size = Math.abs(d), step = size < 0.001 ? 0 : size < 0.01 ? 1 : size < 0.05 ? 2 : 3;
			return (!step ? "e" : d > 0 ? "g" : "l") + step;
		}
		let hash = 0;
		for (const c of new TextEncoder().encode(tree.names[tree.name[i]])) hash = (Math.imul(hash, 31) + c) >>> 0;
		return tree.kinds[tree.name[i]] + hash % COLOURS;
	}
	// Boxes of what is wide enough below the zoomed node, and of those above it.  Parts are equally wide.
	function boxes() {
		const out = [], x = [], apart = tree.parts && !zoomed;
		let scale = WIDTH / (width(zoomed) || 1), each = WIDTH, n = 0;
		if (apart) {
			for (let i = 1; i < tree.name.length; i = tree.end[i]) n++;
			each = WIDTH / (n || 1);
			n = 0;
		}
		for (let p = zoomed; p; ) { p = tree.parent[p]; out.push({ i: p, x: 0, w: WIDTH, above: true }); }
		for (let i = zoomed, last = tree.end[zoomed]; i < last; ) {
			const d = tree.depth[i] - tree.depth[zoomed];
			if (apart && d === 1) { scale = each / (width(i) || 1); x[0] = each * n++; }
			const at = d ? x[d - 1] : 0, w = apart && !d ? WIDTH : width(i) * scale;
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
		WIDTH = Math.max(box ? box.clientWidth : document.documentElement.clientWidth || innerWidth, 300);
		drawn = boxes();
		const deepest = drawn.reduce((m, b) => Math.max(m, tree.depth[b.i]), 0);
		const all = document.createDocumentFragment();
		for (const b of drawn) {
			const y = (down ? tree.depth[b.i] : deepest - tree.depth[b.i]) * ROW;
			const box = document.createElementNS(NS, "rect");
			box.setAttribute("class", colour(b.i) + (b.above ? " above" : "") + (wanted && wanted[tree.name[b.i]] && b.i ? " found" : "") + (b.i === here ? " here" : ""));
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
		place((deepest + 1) * ROW);
		svg.setAttribute("data-zoom", text(zoomed));
		tell();
		legend();
		table();
	}
	function place(height) {
		const extra = list && !box ? 300 : 0;
		if (!box) {                                        // buttons take as many lines as they need
			holder.setAttribute("width", WIDTH - 20);
			holder.setAttribute("height", tools.scrollHeight + 4);
			TOP = Math.max(96, 52 + tools.scrollHeight);
			graph.setAttribute("transform", "translate(0," + TOP + ")");
		}
		svg.setAttribute("viewBox", "0 0 " + WIDTH + " " + (TOP + height + BOTTOM + extra));
		svg.setAttribute("height", TOP + height + BOTTOM + extra);
		if (box) { toRoot(); return; }
		svg.setAttribute("width", WIDTH);
		told.setAttribute("y", TOP + height + 18);
		if (list) { list.holder.setAttribute("y", TOP + height + BOTTOM); list.holder.setAttribute("width", WIDTH - 20); }
	}
	function legend() {
		const seen = new Set(), words = { u: "user", k: "kernel", i: "inlined", y: "key" };
		for (const b of drawn) if (b.i) seen.add(tree.kinds[tree.name[b.i]]);
		const items = tree.has ? [["g2", "grew"], ["l2", "shrank"], ["e0", "the same"]] : [..."ukiy"].filter(k => seen.has(k)).map(k => [k + "0", words[k]]);
		const key = items.join();
		if (key === swatches.key) return;
		swatches.key = key;
		swatches.replaceChildren(...items.map(([colour, word]) => {
			const one = document.createElementNS(XHTML, "span"), s = one.appendChild(document.createElementNS(NS, "svg")), r = s.appendChild(document.createElementNS(NS, "rect"));
			for (const [k, v] of [["width", 12], ["height", 10], ["aria-hidden", "true"]]) s.setAttribute(k, v);
			for (const [k, v] of [["width", 12], ["height", 10], ["class", colour]]) r.setAttribute(k, v);
			one.append(" " + word);
			return one;
		}));
	}

	// --- what is pointed at
	const share = (v, of) => of ? (100 * v / of).toFixed(2) + " %" : "0 %";
	const SECONDS = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1 };
	function amount(v, unit) {
		if (unit in SECONDS) {
			const s = v * SECONDS[unit];
			return s >= 1 || !s ? +s.toFixed(3) + " s" : s >= 1e-3 ? +(s * 1e3).toFixed(2) + " ms" : s >= 1e-6 ? +(s * 1e6).toFixed(2) + " µs" : +(s * 1e9).toFixed(0) + " ns";
		}
		return v.toLocaleString("en") + (unit ? " " + (v === 1 ? unit.replace(/s$/, "") : unit) : "");
	}
	const unitOf = i => tree.parts ? tree.parts[text(whole(i))] || "" : tree.unit;
	function describe(i) {
		const r = whole(i), unit = unitOf(i);
		if (tree.parts && !i) return "each part has its own total";
		let s = text(i) + (i && tree.objects[tree.name[i]] ? " (" + tree.objects[tree.name[i]] + ")" : "");
		s += ": " + amount(tree.total[i], unit) + ", " + share(tree.total[i], tree.total[r]);
		if (tree.self[i]) s += "; itself " + amount(tree.self[i], unit);
		if (tree.has) s += "; before " + amount(tree.oldTotal[i], unit) + ", " + share(tree.oldTotal[i], tree.oldTotal[r]);
		return s;
	}
	function sum() {
		if (zoomed) return describe(zoomed);
		if (tree.parts && tree.name.length > 1) {
			const all = [];
			for (let i = 1; i < tree.name.length; i = tree.end[i]) all.push(text(i) + " " + amount(tree.total[i], unitOf(i)));
			return "totals: " + all.join(", ");
		}
		return tree.total[0] ? "total " + amount(tree.total[0], tree.unit) : "no stacks yet";
	}
	function tell(i) {
		if (tree) told.textContent = i !== undefined ? describe(i) : here >= 0 ? describe(here) : sum();
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
		const sums = new Map();
		let all = 0;
		for (let i = 1; i < tree.name.length; ) {
			if (!wanted[tree.name[i]]) { i++; continue; }
			sums.set(whole(i), (sums.get(whole(i)) || 0) + width(i));
			all += width(i);
			i = tree.end[i];
		}
		found.textContent = sums.size ? [...sums].map(([r, v]) => (r ? text(r) + " " : "") + share(v, width(r))).join(", ") + " found" : "not found";
		svg.setAttribute("data-found", all);
	}
	function zoom(i) { load(); zoomed = i; here = -1; draw(); keep(); }
	function turn() {
		load();
		tree = byLeaf ? turned(forward) : forward;
		zoomed = 0;
		here = -1;
		marks();
		draw();
		keep();
	}

	// --- functions as a table: itself, and with what it calls; a function that calls itself counts once
	function functions() {
		const n = tree.names.length, self = new Float64Array(n), all = new Float64Array(n), open = new Uint32Array(n), way = [];
		for (let i = 1; i < forward.name.length; i++) {
			while (way.length && forward.depth[way[way.length - 1]] >= forward.depth[i]) open[forward.name[way.pop()]]--;
			const name = forward.name[i];
			self[name] += forward.self[i];
			if (!open[name]) all[name] += forward.total[i];
			open[name]++;
			way.push(i);
		}
		return [...self.keys()].filter(i => all[i] && forward.names[i]).sort((a, b) => self[b] - self[a] || all[b] - all[a]).slice(0, 200)
			.map(i => [forward.names[i], self[i], all[i]]);
	}
	const html = (tag, words, inside) => {
		const e = document.createElementNS(XHTML, tag);
		if (words !== undefined) e.textContent = words;
		if (inside) inside.appendChild(e);
		return e;
	};
	function table() {
		if (!list) return;
		const t = html("table"), head = html("tr", undefined, html("thead", undefined, t)), body = html("tbody", undefined, t), unit = tree.parts ? "" : tree.unit;
		html("caption", "Functions by what they took themselves", t);
		for (const h of ["Function", "Itself", "Share", "With callees", "Share"]) html("th", h, head).setAttribute("scope", "col");
		for (const [name, self, all] of functions()) {
			const row = html("tr", undefined, body), whole = tree.parts ? 0 : forward.total[0];
			html("th", name, row).setAttribute("scope", "row");
			for (const v of [amount(self, unit), whole ? share(self, whole) : "", amount(all, unit), whole ? share(all, whole) : ""]) html("td", v, row);
		}
		list.replaceChildren(t);
	}
	function listed(on) {
		load();
		if (list) { (list.holder || list).remove(); list = null; }
		if (on) {
			list = html("div");
			list.setAttribute("class", "functions");
			list.setAttribute("tabindex", "0");
			list.setAttribute("role", "region");
			list.setAttribute("aria-label", "Functions as a table");
			if (box) box.after(list);
			else {
				list.holder = svg.appendChild(document.createElementNS(NS, "foreignObject"));
				list.holder.setAttribute("x", 10);
				list.holder.setAttribute("height", 300);
				list.holder.appendChild(list);
			}
		}
		draw();
	}

	// --- buttons
	function button(label, title, act) {
		const b = html("button", label, tools);
		b.setAttribute("type", "button");
		b.setAttribute("title", title);
		b.addEventListener("click", () => act(b));
		return b;
	}
	const toggle = (b, on) => b.setAttribute("aria-pressed", on ? "true" : "false");
	const pressed = b => b.getAttribute("aria-pressed") === "true";
	let holder = null;
	if (!tools) {
		holder = svg.appendChild(document.createElementNS(NS, "foreignObject"));
		for (const [k, v] of [["x", 10], ["y", 44], ["width", WIDTH - 20], ["height", 50]]) holder.setAttribute(k, v);
		tools = holder.appendChild(html("div"));
		const fixed = svg.querySelector(".legend");
		if (fixed) fixed.remove();
	}
	tools.setAttribute("class", "tools");
	input = html("input", undefined, tools);
	input.setAttribute("type", "search");
	input.setAttribute("placeholder", "Search functions");
	input.setAttribute("aria-label", "Search functions");
	input.addEventListener("input", () => { load(); marks(); draw(); keep(); });
	button("Reset zoom", "Show everything (Escape)", () => zoom(0));
	toggle(button("Root on top", "Turn the graph upside down", b => { load(); down = !down; toggle(b, down); draw(); }), false);
	const turner = button("Inverted", "Begin with the functions that ran, and show their callers", b => { byLeaf = !byLeaf; toggle(b, byLeaf); turn(); });
	toggle(turner, false);
	const olds = button("Old widths", "Widths of the earlier run", b => { load(); byOld = !byOld; toggle(b, byOld); marks(); draw(); });
	toggle(olds, false);
	toggle(button("Table", "The functions as a table", b => { toggle(b, !pressed(b)); listed(pressed(b)); }), false);
	const data = svg.querySelector(".data");
	olds.hidden = !(data && data.textContent.startsWith('{"old":true'));
	if (page) {
		toggle(button("Compare from now", "Colour what grows and shrinks from now on", b => {
			toggle(b, !pressed(b));
			base = pressed(b) && plain ? unfolded(plain) : null;
			again();
		}), false);
		const label = html("label", "Compare with a file", tools), file = html("input", undefined, label);
		label.setAttribute("class", "button");
		label.setAttribute("title", "Folded stacks of another run: --stacks folded=FILE");
		file.setAttribute("type", "file");
		file.addEventListener("change", async () => {
			try { base = folded(await file.files[0].text()); again(); } catch (e) { told.textContent = e.message; }
		});
	}
	found = html("output", undefined, tools);
	const swatches = html("span", undefined, tools);
	swatches.setAttribute("class", "legend");

	// --- mouse and keys
	function at(event) {
		if (!event.target.closest || event.target.closest(".graph") !== graph) return -1;
		if (!event.target.hasAttribute("data-i")) {                // laid out by dtx: it has no number yet
			const k = [...graph.querySelectorAll("rect")].indexOf(event.target);
			load();
			draw();
			return k >= 0 && k < drawn.length ? drawn[k].i : -1;
		}
		return Number(event.target.getAttribute("data-i"));
	}
	graph.addEventListener("click", e => { const i = at(e); if (i >= 0) zoom(i); });
	graph.addEventListener("mousemove", e => {                       // not when boxes move below a mouse at rest
		const i = e.movementX || e.movementY ? at(e) : -1;
		if (i >= 0) tell(i);
	});
	graph.addEventListener("mouseout", () => tell());
	graph.setAttribute("tabindex", "0");
	graph.setAttribute("role", "application");
	graph.setAttribute("aria-roledescription", "flame graph");
	graph.setAttribute("aria-label", "Flame graph. Arrow keys go to callers, callees and neighbours, Enter zooms, Escape shows all; the button Table shows the same as a table.");
	told.setAttribute("aria-live", "polite");
	const shown = i => i > 0 && drawn.some(b => b.i === i);
	const moves = {
		down: i => { for (let k = i + 1; k < tree.end[i]; k = tree.end[k]) if (shown(k)) return k; return i; },
		up: i => i && i !== zoomed ? tree.parent[i] : i,
		right: i => { const last = i ? tree.end[tree.parent[i]] : 0; for (let k = tree.end[i]; k < last; k = tree.end[k]) if (shown(k)) return k; return i; },
		left: i => { let was = i; for (let k = i ? tree.parent[i] + 1 : i; k < i; k = tree.end[k]) if (shown(k)) was = k; return was; },
	};
	graph.addEventListener("keydown", e => {
		const act = { ArrowUp: down ? "up" : "down", ArrowDown: down ? "down" : "up", ArrowLeft: "left", ArrowRight: "right" }[e.key];
		load();
		if (act) here = here < 0 ? zoomed : moves[act](here);
		else if ((e.key === "Enter" || e.key === " ") && here >= 0) { const i = here; zoom(i); here = i; }
		else return;
		e.preventDefault();
		draw();
		const r = box && graph.querySelector(".here");
		if (r && r.scrollIntoView) r.scrollIntoView({ block: "nearest", inline: "nearest" });
	});
	graph.addEventListener("blur", () => { if (here >= 0) { here = -1; draw(); } });
	(box || document).addEventListener("keydown", e => { if (e.key === "Escape" && tree) zoom(0); });

	// New data keep the zoom, by the names on the way to it.
	function again() {
		const way = tree ? wayTo(zoomed) : [], on = tree && here >= 0 ? wayTo(here) : null;
		forward = base ? compared(plain, base) : plain;
		tree = byLeaf ? turned(forward) : forward;
		olds.hidden = !forward.has;
		byOld = byOld && forward.has;
		zoomed = follow(way);
		here = on ? follow(on) : -1;
		marks();
		draw();
	}
	let first = true;
	function show(d) {
		plain = read(d);
		if (first && d.nodes.length) { forward = tree = plain; first = false; from(address()); }
		again();
	}
	if (box) {
		box.addEventListener("scroll", () => { low = box.scrollTop + box.clientHeight > box.scrollHeight - ROW; });
		new ResizeObserver(() => { if (tree && box.clientWidth !== WIDTH) draw(); else toRoot(); }).observe(box);
	} else {
		load();
		draw();
		addEventListener("resize", draw);
		addEventListener("hashchange", () => { zoomed = 0; from(address()); draw(); });
	}
	return { show, zoom, folded: () => unfolded(plain || read({ old: false, names: [""], objects: [""], kinds: "y", nodes: [] })) };
}
if (document.documentElement.localName === "svg") flame(document.documentElement);
