/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * imgshow.c - what an image holds, as text (--inspect): what it was made for, whether it can run
 * here, its programs, options, aggregations and probes.
 */
#include <inttypes.h>

#include "runtime/image/image.h"
#include "runtime/provider/provider.h"

PRINTF_LIKE(3, 4)
static void show_row(struct buf *out, const char *name, const char *fmt, ...)
{
	struct buf text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	buf_printf(out, "%-13s ", name);
	buf_plain(out, text.data, text.len, 0);
	buf_putc(out, '\n');
	buf_free(&text);
}

static void show_origin(struct dtx_env *env, const struct img *img, struct buf *out)
{
	const char *why = img_misfit(env, img);

	show_row(out, "kernel", "%s", img->kernel ? img->kernel : "not said");
	show_row(out, "valid",
		 img->boot ? "until the machine is started again"
			   : "each time this kernel is started");
	for (u32 i = 0; i < img->nfiles; i++)
		show_row(out, "object", "%s, %" PRIu64 " bytes", img->files[i].path,
			 (uint64_t)img->files[i].size);
	show_row(out, "here", "%s", why ? why : "it can run");
}

/* A script is shown by its file name; the image does not have its text. */
static void show_contents(const struct img *img, struct buf *out)
{
	for (u32 i = 0; i < img->ndescs; i++)
		show_row(out, img->descs[i].is_script ? "script" : "description", "%s, %u probe%s",
			 img->descs[i].text, img->descs[i].nprobes,
			 img->descs[i].nprobes == 1 ? "" : "s");
	for (u32 i = 0; i < img->noptions; i++) {
		const struct img_option *o = &img->options[i];
		show_row(out, "option", "%s%s%s", o->name, o->value ? "=" : "",
			 o->value ? o->value : "");
	}
	for (u32 i = 0; i < img->naggs; i++) {
		const struct img_agg *g = &img->aggs[i];
		show_row(out, "aggregation", "@%s: %s(), %u key%s",
			 strcmp(g->name, "_") ? g->name : "", g->func, g->nkeys,
			 g->nkeys == 1 ? "" : "s");
	}
	if (img->destructive)
		show_row(out, "destructive", "yes: it runs with -w");
	for (u32 i = 0; i < img->nneeds; i++)
		show_row(out, "needs", "%s", img->needs[i]);
}

void img_show(struct dtx_env *env, const struct img *img, struct buf *out)
{
	show_row(out, "image", "%zu bytes, %u program%s, %u map%s", img->elf_len, img->nprogs,
		 img->nprogs == 1 ? "" : "s", img->nmaps, img->nmaps == 1 ? "" : "s");
	show_origin(env, img, out);
	show_contents(img, out);
	list_head(out);
	for (u32 i = 0; i < img->nprobes; i++)
		list_row(env, &img->probes[i], false, out);
}
