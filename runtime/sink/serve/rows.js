// SPDX-License-Identifier: BSD-2-Clause
//
// rows.js - tables of any length, and the data of a run that has ended.  A table keeps only the rows
// that are seen: the page of a run asks dtx for them, one that has ended (or a report) has them all,
// and sorts and filters them in pieces of a few milliseconds.
"use strict";
const ROW_HEIGHT = 20, ROWS_MORE = 20, PIECE_MS = 12;

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
function make(tag, classes, text) {
	const e = document.createElement(tag);
	if (classes) e.className = classes;
	if (text !== undefined) e.textContent = text;
	return e;
}

// --- the table: changed(card) is called when other rows are seen, or another order is wanted
function rowsTable(card, changed) {
	const t = make("table"), head = t.createTHead().insertRow();
	card.meta.columns.forEach((c, i) => {
		const th = make("th", c.what === "key" ? "" : "number");
		const b = make("button", "", c.name);
		b.type = "button";
		b.title = "Sort by " + c.name;
		th.scope = "col";
		b.addEventListener("click", () => {
			card.ascending = card.column === i ? !card.ascending : c.what === "key";
			card.column = i;
			card.rows.scrollTop = 0;
			changed(card);
		});
		th.append(b);
		head.append(th);
	});
	card.body = t.createTBody();
	card.heads = [...head.cells];
	card.skip = 0;
	card.space = make("div", "space");
	card.rows = make("div", "rows");
	card.rows.tabIndex = 0;
	card.rows.setAttribute("role", "region");
	card.rows.setAttribute("aria-label", "Rows of @" + card.meta.name);
	card.space.append(t);
	card.rows.append(card.space);
	let asked = false;
	card.rows.addEventListener("scroll", () => {
		const top = Math.floor(card.rows.scrollTop / ROW_HEIGHT), seen = Math.ceil(card.rows.clientHeight / ROW_HEIGHT);
		if (asked || (top >= card.skip && top + seen <= card.skip + card.body.rows.length) || card.skip + card.body.rows.length >= card.matching && top >= card.skip) return;
		asked = true;
		requestAnimationFrame(() => { asked = false; changed(card); });
	}, { passive: true });
	return card.rows;
}
// Which rows the table wants.
function rowsWanted(card) {
	const top = Math.floor(card.rows.scrollTop / ROW_HEIGHT);
	return { ...brush.query(), agg: card.i, column: card.column, asc: card.ascending ? 1 : 0, filter: card.filter, skip: Math.max(0, top - ROWS_MORE),
		n: Math.ceil((card.rows.clientHeight || 360) / ROW_HEIGHT) + 2 * ROWS_MORE };
}
function rowsShow(card, rows, skip, matching) {
	const fresh = document.createDocumentFragment();
	rows.forEach((row, at) => {
		const tr = make("tr");
		tr.ariaRowIndex = skip + at + 2;
		card.meta.columns.forEach((c, i) => {
			const td = make("td", c.what === "key" ? "" : "number", c.what === "key" ? row[i] : short(row[i], c.what === "rate" || c.what === "count" ? null : c.unit));
			td.title = row[i];
			td.dataset.value = row[i];
			tr.append(td);
		});
		fresh.append(tr);
	});
	card.skip = skip;
	card.matching = matching;
	card.body.replaceChildren(fresh);
	const table = card.body.parentElement;
	table.style.marginTop = skip * ROW_HEIGHT + "px";
	table.setAttribute("aria-rowcount", matching + 1);
	card.space.style.height = (matching + 1) * ROW_HEIGHT + 4 + "px";
	card.heads.forEach((th, i) => th.setAttribute("aria-sort", i !== card.column ? "none" : card.ascending ? "ascending" : "descending"));
	card.more.textContent = matching > 17 ? `${short(matching)} rows: scroll, or filter their keys` : matching ? "" : card.filter ? "no key has this text" : "no rows yet";
	if (partSaid(card)) card.more.textContent = partSaid(card);
}
// What is to be known of the part of the time that a table shows.
function partSaid(card) {
	const p = card.part;
	if (!brush.time() || p === undefined) return "";
	if (!p) return card.meta.past ? "nothing is known of this time" : `${card.meta.func}() does not know when its values came: it has no rows for a part of the time`;
	const said = [];
	if (p.cleared) said.push("the program has cleared meanwhile: what came just before that is missing");
	if (p.forgotten) said.push(`${short(p.forgotten)} rows that were cleared long ago are missing`);
	if (!p.nrows) said.push("nothing was added in this time");
	return said.join("; ");
}

// --- what a page keeps
const rest = () => new Promise(done => setTimeout(done, 0));
function pieces() {
	let until = performance.now() + PIECE_MS;
	return { async over() { if (performance.now() > until) { await rest(); until = performance.now() + PIECE_MS; } } };
}
// A merge sort that rests: numbers of rows, by before(a, b).
async function sorted(list, before) {
	const p = pieces(), RUN = 512;
	let from = list, to = new Uint32Array(list.length);
	for (let i = 0; i < from.length; i += RUN) { from.subarray(i, i + RUN).sort(before); await p.over(); }
	for (let size = RUN; size < from.length; size *= 2) {
		for (let low = 0; low < from.length; low += 2 * size) {
			const mid = Math.min(low + size, from.length), high = Math.min(low + 2 * size, from.length);
			for (let a = low, b = mid, k = low; k < high; k++) {
				to[k] = a < mid && (b >= high || before(from[a], from[b]) <= 0) ? from[a++] : from[b++];
				if (!(k & 4095)) await p.over();
			}
		}
		[from, to] = [to, from];
	}
	return from;
}
const bigger = (a, b) => { const x = BigInt(a), y = BigInt(b); return x < y ? -1 : x > y ? 1 : 0; };
function keeping(all) {
	const orders = new Map(), texts = new Map();
	let part = null;
	function within(q) {
		if (!part || part.agg !== q.agg || part.asked !== q.from + " " + q.to) part = { agg: q.agg, asked: q.from + " " + q.to, of: partOf(all, q.agg, q.from, q.to) };
		return part.of;
	}
	const source = q => !q.to ? all.aggs[q.agg].table.rows : within(q) ? within(q).rows : [];
	async function matching(q, rows, filter) {
		const agg = q.to ? null : q.agg, keys = all.about.aggs[q.agg].columns.filter(c => c.what === "key").length, p = pieces(), out = [];
		if (!texts.has(agg) || q.to) texts.set(agg, []);
		const lower = texts.get(agg), wanted = filter.toLowerCase();
		for (let i = 0; i < rows.length; i++) {
			if (lower[i] === undefined) lower[i] = rows[i].slice(0, keys).join("\n").toLowerCase();
			if (!wanted || lower[i].includes(wanted)) out.push(i);
			if (!(i & 1023)) await p.over();
		}
		return Uint32Array.from(out);
	}
	async function order(q) {
		const name = [q.agg, q.column, q.asc, q.filter, q.from, q.to].join("\n"), rows = source(q), c = q.column, text = all.about.aggs[q.agg].columns[c].what === "key";
		if (orders.has(name)) return orders.get(name);
		const numbers = text && rows.every(r => /^-?\d+$/.test(r[c]) && r[c].length < 16);
		const value = text && !numbers ? r => r[c] : r => Number(r[c]);
		const values = rows.map(value), sign = q.asc ? 1 : -1;
		const list = await sorted(await matching(q, rows, q.filter || ""), (a, b) => {
			const x = values[a], y = values[b];
			if (x < y) return -sign;
			if (x > y) return sign;
			return (typeof x === "number" && Math.abs(x) > Number.MAX_SAFE_INTEGER ? sign * bigger(rows[a][c], rows[b][c]) : 0) || a - b;
		});
		if (orders.size > 8) orders.clear();
		orders.set(name, list);
		return list;
	}
	return {
		all,
		async ask(name, q) {
			if (name === "about" || name === "log") return all[name];
			if (name === "flame" && q.to) return partFlame(all.aggs[q.agg].flame, within(q));
			if (name === "heat" || name === "flame") return all.aggs[q.agg][name];
			const list = await order(q), rows = source(q);
			return { part: q.to ? within(q) : undefined, matching: list.length, rows: [...list.subarray(q.skip, q.skip + q.n)].map(i => rows[i]) };
		},
	};
}
// Files that the page makes itself.
const csvText = v => /[",\r\n]/.test(v) ? '"' + String(v).replace(/"/g, '""') + '"' : v;
function csvOf(meta, rows) {
	return [meta.columns.map(c => csvText(c.name)), ...rows.map(r => r.map(csvText))].map(r => r.join(",") + "\r\n").join("");
}
function jsonOf(meta, rows) {
	return rows.map(r => JSON.stringify(Object.fromEntries(meta.columns.map((c, i) => [c.name, r[i]])))).join("\n") + "\n";
}
