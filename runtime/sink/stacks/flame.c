/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flame.c - a flame graph: one SVG file that needs nothing else.
 *
 * The picture is laid out here, FLAME_WIDTH units wide: functions narrower than a unit are not
 * drawn, so its size does not depend on the number of stacks.  All data are in the file, too, as
 * JSON: the script (flame.js) reads them when somebody zooms, searches or turns the graph.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "runtime/sink/stacks/stackset.h"

#define FLAME_WIDTH   1200
#define FLAME_ROW     16                 /* height of a function */
#define FLAME_TOP     76                 /* above the graph: title, buttons */
#define FLAME_BOTTOM  26                 /* below it: what is pointed at */
#define FLAME_LEAST   0.75               /* units: what is narrower is not drawn */
#define FLAME_LETTER  6.6                /* width of a letter of the 11 px font */
#define FLAME_COLOURS 6                  /* of each kind; flame.js has the same rule */

extern const char dtx_flame_js[], dtx_flame_js_end[], dtx_flame_css[], dtx_flame_css_end[];

/* ---- text ---------------------------------------------- */

static void flame_escape(const char *text, size_t len, struct buf *out)
{
	for (size_t i = 0; i < len; i++) {
		u8 c = text[i];

		if (c == '<' || c == '>' || c == '&' || c == '"')
			buf_printf(out, "&#%u;", c);
		else if (c >= ' ' && c != 0x7f)
			buf_putc(out, c);
		else
			buf_putc(out, ' ');
	}
}

/* Text that XML and JSON allow: what is no UTF-8 becomes U+FFFD. */
static void flame_clean(const char *text, struct buf *out)
{
	size_t left = strlen(text);

	while (left) {
		u32 n = (u8)*text < 0x80 ? 1 : utf8_len((const u8 *)text, MIN(left, 4u));

		if (n)
			buf_add(out, text, n);
		else
			buf_puts(out, "\xef\xbf\xbd");
		n = n ? n : 1;
		text += n;
		left -= n;
	}
}

/* A JSON string that is also good inside of <script> and of CDATA. */
static void flame_string(const char *text, struct buf *out)
{
	struct buf clean = { 0 };

	buf_add(&clean, "", 0);
	flame_clean(text, &clean);
	buf_putc(out, '"');
	for (size_t i = 0; i < clean.len; i++) {
		u8 c = clean.data[i];

		if (c < ' ' || c == 0x7f || strchr("\"\\<>&", c))
			buf_printf(out, "\\u%04x", c);
		else
			buf_putc(out, c);
	}
	buf_putc(out, '"');
	buf_free(&clean);
}

/* ---- data ---------------------------------------------- */

/*
 * "nodes" has for each node, in the order of a walk: how many levels above the node before it its
 * parent is, its name, its own value, and with old values the old one.
 */
static void flame_nodes(const struct stacktree *t, struct buf *out)
{
	u32 at = t->nodes.v[0].child, up = 0;

	while (at) {
		const struct stack_node *node = &t->nodes.v[at];

		buf_printf(out, "%s%u,%u,%" PRIu64, out->data[out->len - 1] == '[' ? "" : ",", up,
			   node->name, node->self);
		if (t->has_old)
			buf_printf(out, ",%" PRIu64, node->old_self);
		up = 0;
		if (node->child) {
			at = node->child;
			continue;
		}
		for (up = 1; !node->next && node->parent; up++)
			node = &t->nodes.v[node->parent];
		at = node->next;
	}
}

/* Where a function is: "libc.so.6, malloc/malloc.c". */
static void flame_place(const struct stack_name *n, struct buf *out)
{
	const char *object = n->object ? n->object : "", *file = n->file ? n->file : "";
	char *both = xprintf("%s%s%s", object, *object && *file ? ", " : "", file);

	flame_string(both, out);
	free(both);
}

void flame_data(const struct stacktree *t, struct buf *out)
{
	buf_printf(out, "{\"old\":%s,\"names\":[", t->has_old ? "true" : "false");
	for (u32 i = 0; i < t->names.n; i++) {
		buf_puts(out, i ? "," : "");
		flame_string(t->names.v[i].text, out);
	}
	buf_puts(out, "],\"objects\":[");
	for (u32 i = 0; i < t->names.n; i++) {
		buf_puts(out, i ? "," : "");
		flame_place(&t->names.v[i], out);
	}
	buf_puts(out, "],\"kinds\":\"");
	for (u32 i = 0; i < t->names.n; i++)
		buf_putc(out, "ukiy"[t->names.v[i].kind]);
	buf_puts(out, "\",\"nodes\":[");
	flame_nodes(t, out);
	buf_puts(out, "]}");
}

/* ---- picture ---------------------------------------------- */

struct flame {
	const struct stacktree *t;
	struct buf *out;
	u32 deepest;             /* of what is drawn */
	double scale;            /* units of one */
};

/* The class of a node is its colour: by name, so that a function has the same one everywhere. */
static void flame_colour(const struct flame *f, const struct stack_node *node, struct buf *out)
{
	const struct stack_node *root = &f->t->nodes.v[0];
	const struct stack_name *name = &f->t->names.v[node->name];
	u32 hash = 0;

	if (f->t->has_old) {
		double now = root->total ? (double)node->total / root->total : 0;
		double was = root->old_total ? (double)node->old_total / root->old_total : 0;
		double d = now - was;
		double size = d < 0 ? -d : d;
		int step = size < 0.001 ? 0 : size < 0.01 ? 1 : size < 0.05 ? 2 : 3;

		buf_printf(out, "%c%d", !step ? 'e' : d > 0 ? 'g' : 'l', step);
		return;
	}
	for (const char *p = name->text; *p; p++)
		hash = hash * 31 + (u8)*p;
	buf_printf(out, "%c%u", "ukiy"[name->kind], hash % FLAME_COLOURS);
}

static void flame_box(const struct flame *f, const struct stack_node *node, double x, u32 depth)
{
	double width = node->total * f->scale;
	const char *name = depth ? f->t->names.v[node->name].text : "all";
	u32 room = width < 24 ? 0 : (u32)((width - 4) / FLAME_LETTER);
	u32 y = (f->deepest - depth) * FLAME_ROW;
	size_t len = strlen(name);

	buf_puts(f->out, "<rect class=\"");
	flame_colour(f, node, f->out);
	buf_printf(f->out, "\" x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\"/>", x, y,
		   MAX(width - 0.4, 0.4), FLAME_ROW - 1);
	if (room < 3 || !len)
		return;
	struct buf clean = { 0 };
	flame_clean(name, &clean);
	if (clean.len > room)            /* cut between letters */
		for (clean.len = room - 1; clean.len && (clean.data[clean.len] & 0xc0) == 0x80; )
			clean.len--;
	buf_printf(f->out, "<text x=\"%.2f\" y=\"%u\">", x + 3, y + 12);
	flame_escape(clean.data, clean.len, f->out);
	buf_printf(f->out, "%s</text>", strlen(name) > room ? "…" : "");
	buf_free(&clean);
}

/* Calls `box` for each node that is wide enough, parents first; without it, finds the depth. */
static void flame_walk(struct flame *f, bool draw)
{
	VEC(double) xs = { 0 };          /* where the next child begins, of each open node */
	u32 at = 0;
	double x = 0;

	for (;;) {
		const struct stack_node *node = &f->t->nodes.v[at];
		bool wide = node->total * f->scale >= FLAME_LEAST;

		if (draw && wide)
			flame_box(f, node, x, xs.n);
		if (wide)
			f->deepest = MAX(f->deepest, xs.n);
		if (wide && node->child) {
			VEC_PUSH(&xs, x + node->total * f->scale);
			at = node->child;
			continue;
		}
		x += node->total * f->scale;
		while (at && !node->next) {
			at = node->parent;
			node = &f->t->nodes.v[at];
			x = xs.v[--xs.n];
		}
		if (!at)
			break;
		at = node->next;
	}
	VEC_FREE(&xs);
}

static void flame_text(const char *from, const char *to, struct buf *out)
{
	buf_add(out, from, to - from);
}

void flame_write(const struct stacktree *t, const char *title, struct buf *out)
{
	u64 total = t->nodes.v[0].total;
	struct flame f = { t, out, 0, total ? (double)FLAME_WIDTH / total : 0 };

	flame_walk(&f, false);
	u32 height = (f.deepest + 1) * FLAME_ROW;
	buf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%%\" "
		   "preserveAspectRatio=\"xMidYMin\" viewBox=\"0 0 %u %u\" data-rows=\"%u\">\n"
		   "<style>", FLAME_WIDTH, FLAME_TOP + height + FLAME_BOTTOM,
		   f.deepest);
	flame_text(dtx_flame_css, dtx_flame_css_end, out);
	buf_puts(out, "</style>\n<title>");
	flame_escape(title, strlen(title), out);
	buf_printf(out, "</title>\n<rect class=\"paper\" width=\"%u\" height=\"100%%\"/>\n"
		   "<text class=\"head\" x=\"10\" y=\"24\">", FLAME_WIDTH);
	flame_escape(title, strlen(title), out);
	buf_printf(out, "</text>\n<g class=\"graph\" transform=\"translate(0,%u)\">", FLAME_TOP);
	flame_walk(&f, true);
	buf_printf(out, "</g>\n<text class=\"told\" x=\"10\" y=\"%u\">total %" PRIu64 "</text>\n"
		   "<script type=\"application/json\" class=\"data\"><![CDATA[",
		   FLAME_TOP + height + 18, total);
	flame_data(t, out);
	buf_puts(out, "]]></script>\n<script><![CDATA[");
	flame_text(dtx_flame_js, dtx_flame_js_end, out);
	buf_puts(out, "]]></script>\n</svg>\n");
}
