/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * folded.c - folded stacks: a line "main;work;read_[k] 42" for each stack, from the root to the
 * leaf; with old values "… OLD NEW".  What would separate becomes something else: ';' in a name is
 * ':', and newlines and all that is no text are escapes (base/plain.c), so the file is UTF-8.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "runtime/sink/stacks/stackset.h"

static void folded_name(const char *text, struct buf *out)
{
	size_t from = out->len;

	buf_plain(out, text, strlen(text), 0);
	for (; from < out->len; from++)
		if (out->data[from] == ';')
			out->data[from] = ':';
}

static void folded_line(const struct stacktree *t, const struct stack_node *node,
			const struct buf *path, struct buf *out)
{
	buf_add(out, path->data, path->len);
	if (t->has_old)
		buf_printf(out, " %" PRIu64, node->old_self);
	buf_printf(out, " %" PRIu64 "\n", node->self);
}

void folded_write(const struct stacktree *t, struct buf *out)
{
	VEC(size_t) lens = { 0 };        /* of the path above each node that is open */
	struct buf path = { 0 };
	u32 at = t->nodes.v[0].child;

	buf_add(&path, "", 0);
	while (at) {
		const struct stack_node *node = &t->nodes.v[at];

		VEC_PUSH(&lens, path.len);
		if (path.len)
			buf_putc(&path, ';');
		folded_name(t->names.v[node->name].text, &path);
		if (node->self || node->old_self)
			folded_line(t, node, &path, out);
		if (node->child) {
			at = node->child;
			continue;
		}
		for (;;) {
			path.len = lens.v[--lens.n];
			if (node->next || !node->parent)
				break;
			node = &t->nodes.v[node->parent];
		}
		at = node->next;
	}
	buf_free(&path);
	VEC_FREE(&lens);
}

/* ---- reading ---------------------------------------------- */

static enum stack_kind folded_kind(const char *name)
{
	size_t n = strlen(name);

	if (n > 4 && !strcmp(name + n - 4, "_[k]"))
		return STACK_KERNEL;
	return n > 4 && !strcmp(name + n - 4, "_[i]") ? STACK_INLINED : STACK_USER;
}

/* Takes the number at the end of the line away; false: there is none. */
static bool folded_number(char *line, u64 *value)
{
	char *blank = strrchr(line, ' '), *end;

	if (!blank || !isdigit((u8)blank[1]))
		return false;
	errno = 0;
	*value = strtoull(blank + 1, &end, 10);
	*blank = '\0';
	return !errno && !*end && *line;
}

static bool folded_old(struct stacktree *t, char *line)
{
	char *save = NULL;
	u32 at = 0;
	u64 value;

	if (!folded_number(line, &value))
		return false;
	for (char *p = strtok_r(line, ";", &save); p; p = strtok_r(NULL, ";", &save))
		at = stacktree_step(t, at, &(struct stack_name){ p, NULL, folded_kind(p) });
	t->nodes.v[at].old_self += value;
	return true;
}

int folded_read_old(struct stacktree *t, const char *path, u32 *line)
{
	char *data, *save = NULL;
	size_t len;
	int err = file_read_named(path, &data, &len);

	if (err)
		return err;
	*line = 0;
	t->has_old = true;
	for (char *p = strtok_r(data, "\n", &save); p && !err; p = strtok_r(NULL, "\n", &save)) {
		++*line;
		if (!folded_old(t, p))
			err = -EINVAL;
	}
	free(data);
	return err;
}
