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
#define FLAME_TOP     96                 /* above the graph: title, buttons */
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
		u32 n = utf8_len(text, left);

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

static void flame_parts(const struct flame_words *w, struct buf *out)
{
	buf_puts(out, ",\"parts\":{");
	for (u32 i = 0; i < w->nparts; i++) {
		buf_puts(out, i ? "," : "");
		flame_string(w->parts[i].name, out);
		buf_putc(out, ':');
		flame_string(w->parts[i].unit, out);
	}
	buf_putc(out, '}');
}

void flame_data(const struct stacktree *t, const struct flame_words *w, struct buf *out)
{
	buf_printf(out, "{\"old\":%s,\"title\":", t->has_old ? "true" : "false");
	flame_string(w->title, out);
	buf_puts(out, ",\"unit\":");
	flame_string(w->unit ? w->unit : "", out);
	if (w->nparts)
		flame_parts(w, out);
	if (w->later)
		buf_printf(out, ",\"later\":%u", w->later);
	buf_puts(out, ",\"names\":[");
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
	u32 nparts, part;        /* 0: one sum; else how many there are, and that of this node */
	double scale;            /* units of one */
	bool kinds[4];           /* which are drawn */
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
	double width = depth || !f->nparts ? node->total * f->scale : FLAME_WIDTH;
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
		clean.len = utf8_begin(clean.data, room - 1);
	buf_printf(f->out, "<text x=\"%.2f\" y=\"%u\">", x + 3, y + 12);
	flame_escape(clean.data, clean.len, f->out);
	buf_printf(f->out, "%s</text>", strlen(name) > room ? "…" : "");
	buf_free(&clean);
}

/* Parts of different units are equally wide, each with a scale of its own. */
static double flame_part(struct flame *f, const struct stack_node *node)
{
	double each = (double)FLAME_WIDTH / f->nparts;

	f->scale = node->total ? each / node->total : 0;
	return each * f->part++;
}

static double flame_wide(const struct flame *f, const struct stack_node *node)
{
	return f->nparts && node == f->t->nodes.v ? FLAME_WIDTH : node->total * f->scale;
}

static void flame_begin(struct flame *f)
{
	const struct stack_node *root = f->t->nodes.v;

	f->part = 0;
	f->scale = root->total ? (double)FLAME_WIDTH / root->total : 0;
	if (!f->nparts)
		return;
	f->nparts = 0;
	for (u32 i = root->child; i; i = f->t->nodes.v[i].next)
		f->nparts++;
}

/* Calls `box` for each node that is wide enough, parents first; without it, finds the depth. */
static void flame_walk(struct flame *f, bool draw)
{
	VEC(double) xs = { 0 };          /* where the next child begins, of each open node */
	u32 at = 0;
	double x = 0;

	flame_begin(f);
	for (;;) {
		const struct stack_node *node = &f->t->nodes.v[at];

		if (f->nparts && at && !node->parent)
			x = flame_part(f, node);
		bool wide = flame_wide(f, node) >= FLAME_LEAST;
		if (draw && wide)
			flame_box(f, node, x, xs.n);
		if (wide)
			f->deepest = MAX(f->deepest, xs.n);
		if (wide && at)
			f->kinds[f->t->names.v[node->name].kind] = true;
		if (wide && node->child) {
			VEC_PUSH(&xs, x + flame_wide(f, node));
			at = node->child;
			continue;
		}
		x += flame_wide(f, node);
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

/* What the colours mean: of the kinds that are drawn. */
static void flame_legend(const struct flame *f)
{
	static const struct { const char *colour, *text; } kinds[] = {
		[STACK_USER] = { "u0", "user" }, [STACK_KERNEL] = { "k0", "kernel" },
		[STACK_INLINED] = { "i0", "inlined" }, [STACK_KEY] = { "y0", "key" },
	}, changes[] = { { "g2", "grew" }, { "l2", "shrank" }, { "e0", "the same" } };
	u32 n = f->t->has_old ? ARRAY_SIZE(changes) : ARRAY_SIZE(kinds), x = 10;

	buf_puts(f->out, "<g class=\"legend\">");
	for (u32 i = 0; i < n; i++) {
		const char *colour = f->t->has_old ? changes[i].colour : kinds[i].colour;
		const char *text = f->t->has_old ? changes[i].text : kinds[i].text;

		if (!f->t->has_old && !f->kinds[i])
			continue;
		buf_printf(f->out, "<rect class=\"%s\" x=\"%u\" y=\"80\" width=\"12\" "
			   "height=\"10\"/><text x=\"%u\" y=\"89\">%s</text>",
			   colour, x, x + 16, text);
		x += 36 + (u32)(strlen(text) * FLAME_LETTER);
	}
	buf_puts(f->out, "</g>");
}

static void flame_line(const char *class, u32 y, const char *text, struct buf *out)
{
	struct buf clean = { 0 };

	buf_add(&clean, "", 0);
	flame_clean(text, &clean);
	buf_printf(out, "<text class=\"%s\" x=\"10\" y=\"%u\">", class, y);
	flame_escape(clean.data, clean.len, out);
	buf_puts(out, "</text>\n");
	buf_free(&clean);
}

void flame_write(const struct stacktree *t, const struct flame_words *w, struct buf *out)
{
	struct flame f = { .t = t, .out = out, .nparts = w->nparts };

	flame_walk(&f, false);
	u32 height = (f.deepest + 1) * FLAME_ROW, all = FLAME_TOP + height + FLAME_BOTTOM;
	buf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		   "viewBox=\"0 0 %u %u\" data-rows=\"%u\">\n<style>", FLAME_WIDTH, all,
		   FLAME_WIDTH, all, f.deepest);
	flame_text(dtx_flame_css, dtx_flame_css_end, out);
	buf_puts(out, "</style>\n<title>");
	flame_escape(w->title, strlen(w->title), out);
	buf_puts(out, "</title>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
	flame_line("head", 22, w->title, out);
	flame_line("about", 38, w->about, out);
	flame_legend(&f);
	buf_printf(out, "<g class=\"graph\" transform=\"translate(0,%u)\">", FLAME_TOP);
	flame_walk(&f, true);
	buf_printf(out, "</g>\n<text class=\"told\" x=\"10\" y=\"%u\">", FLAME_TOP + height + 18);
	if (w->nparts)
		buf_puts(out, "each part has its own total");
	else
		buf_printf(out, "total %" PRIu64 " %s", t->nodes.v[0].total, w->unit);
	buf_puts(out, "</text>\n<script type=\"application/json\" class=\"data\"><![CDATA[");
	flame_data(t, w, out);
	buf_puts(out, "]]></script>\n<script><![CDATA[");
	flame_text(dtx_flame_js, dtx_flame_js_end, out);
	buf_puts(out, "]]></script>\n</svg>\n");
}
