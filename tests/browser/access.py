# SPDX-License-Identifier: BSD-2-Clause
"""Whether a page can be used by all: names, roles, landmarks, keys, contrast; and whether the colours of the flame graph stay
apart for the colour-blind.  Debian has no package of axe; these are its rules that such a page can break."""
import sys

CHECK = r"""(() => {
	const bad = [], seen = e => e.checkVisibility() && e.getClientRects().length, say = (e, what) => bad.push(what + ": " + e.outerHTML.slice(0, 90));
	const name = e => (e.getAttribute("aria-label") || e.labels && [...e.labels].map(l => l.textContent).join(" ") || e.textContent || e.title || "").trim();
	for (const e of document.querySelectorAll("button, a, input, select, textarea, summary")) if (seen(e) && !name(e)) say(e, "no name");
	for (const e of document.querySelectorAll("canvas, [role=img], [role=region], [role=application]")) if (seen(e) && !e.getAttribute("aria-label")) say(e, "no label");
	for (const e of document.querySelectorAll("thead th")) if (!e.scope) say(e, "no scope");
	for (const e of document.querySelectorAll("[aria-sort]")) if (!["TH"].includes(e.tagName)) say(e, "sort");
	for (const e of document.querySelectorAll("[id]")) if (document.querySelectorAll("#" + CSS.escape(e.id)).length > 1) say(e, "an id twice");
	if (document.querySelectorAll("main").length !== 1 || document.querySelectorAll("h1").length !== 1 || !document.documentElement.lang || !document.title) bad.push("main, h1, language, title");
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const rgb = c => (/rgba?\(([^)]+)\)/.exec(c) || [0, "0,0,0,0"])[1].split(/[ ,/]+/).map(Number);
	const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const done = new Set();
	for (let n; (n = walk.nextNode()); ) {
		const e = n.parentElement;
		if (!n.data.trim() || done.has(e) || !seen(e) || e.closest("svg, script, style, noscript")) continue;
		done.add(e);
		if (!e.closest("header, main, [role=status]")) say(e, "outside of landmarks");
		let back = e;
		while (back && rgb(getComputedStyle(back).backgroundColor)[3] === 0) back = back.parentElement;
		const a = light(rgb(getComputedStyle(e).color)), b = light(back ? rgb(getComputedStyle(back).backgroundColor) : [255, 255, 255]);
		const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (contrast < LEAST) say(e, "contrast " + contrast.toFixed(2));
	}
	for (const e of document.querySelectorAll("*")) {
		if (!seen(e) || !/auto|scroll/.test(getComputedStyle(e).overflowY) || e.scrollHeight <= e.clientHeight + 1) continue;
		if (e.tabIndex < 0 && !e.querySelector("[tabindex='0'], button, a[href], input")) say(e, "cannot be scrolled by keys");
	}
	return bad;
})()"""

# Machado, Oliveira, Fernandes 2009: protanopia and deuteranopia, linear RGB.
BLIND = {"protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
         "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))}


def lab(rgb):
    x, y, z = (sum(k * v for k, v in zip(row, rgb)) for row in
               ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)))
    f = [(v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116) for v in (max(x, 0) / 0.9505, max(y, 0), max(z, 0) / 1.089)]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def seen_as(rgb, blind):
    linear = [(v / 255) / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in rgb]
    return lab([min(max(sum(k * v for k, v in zip(row, linear)), 0), 1) for row in blind])


def usable(page, what, least=4.5):
    bad = page.value(CHECK.replace("LEAST", str(least)))
    if bad:
        sys.exit(f"{what}: " + "\n".join(bad[:12]))


def colours(page):
    """Kinds of functions, and what grew and shrank, are told apart."""
    fill = page.value("Object.fromEntries(['u0','u1','u2','u3','u4','u5','k0','k1','k2','k3','k4','k5','i0','y0','g1','g2','g3','l1','l2','l3','e0'].map(c => {"
                      " const s = document.querySelector('svg.flame'), r = s.appendChild(document.createElementNS(s.namespaceURI, 'rect')); r.setAttribute('class', c);"
                      " const f = getComputedStyle(r).fill; r.remove(); return [c, f.match(/[0-9]+/g).map(Number)]; }))")
    for blind, matrix in BLIND.items():
        at = {name: seen_as(rgb, matrix) for name, rgb in fill.items()}
        for a in at:
            for b in at:
                if a[0] >= b[0] or (a[0] in "gle") != (b[0] in "gle"):
                    continue
                apart = sum((x - y) ** 2 for x, y in zip(at[a], at[b])) ** 0.5
                if apart < 10:
                    sys.exit(f"{a} and {b} look alike with {blind}: {apart:.1f}")
