/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * container.c - the control group of a container, by the id or the name that people know it by.
 *
 * Engines name the group after the container, with words of their own around it:
 * docker-ID.scope, libpod-ID.scope, cri-containerd-ID.scope, crio-ID.scope, /docker/ID,
 * lxc.payload.NAME, machine-NAME.scope (systemd-nspawn), NAME.service.  An id may be cut short, as
 * their listings do.
 */
#include <ctype.h>
#include <fts.h>
#include <string.h>

#include "runtime/run/run.h"

#define SHORTEST_ID  4           /* characters of an id that is cut short */

/* Groups of the processes that watch a container, named after it, too. */
static const char *const watchers[] = { "conmon", "lxc.monitor" };

/* The name of a group without systemd's escapes (systemd.unit(5): \x2d is '-'). */
static const char *group_name(struct arena *a, const char *name)
{
	char *plain = arena_strdup(a, name), *to = plain;
	unsigned byte;

	for (const char *s = name; *s; s++, to++) {
		bool escaped = s[0] == '\\' && s[1] == 'x' && isxdigit((unsigned char)s[2]) &&
			       sscanf(s + 2, "%2x", &byte) == 1;

		*to = escaped ? (char)byte : *s;
		s += escaped ? 3 : 0;
	}
	*to = '\0';
	return plain;
}

/* Is what follows the beginning of an id the rest of it? */
static bool is_rest_of_id(const char *id, const char *rest)
{
	size_t len = strlen(id), more = strspn(rest, "0123456789abcdef");

	return len >= SHORTEST_ID && strspn(id, "0123456789abcdef") == len &&
	       !isalnum((unsigned char)rest[more]);
}

static bool names_it(const char *name, const char *id)
{
	size_t len = strlen(id);

	for (size_t i = 0; i < ARRAY_SIZE(watchers); i++)
		if (strstr(name, watchers[i]))
			return false;
	for (const char *at = name; len && (at = strstr(at, id)); at++)
		if ((at == name || !isalnum((unsigned char)at[-1])) &&
		    (!isalnum((unsigned char)at[len]) || is_rest_of_id(id, at + len)))
			return true;
	return false;
}

void containers_find(struct arena *a, const char *root, const char *id, struct containers *found)
{
	char *roots[] = { (char *)root, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL);

	*found = (struct containers){ 0 };
	for (FTSENT *e; tree && (e = fts_read(tree));) {
		if (e->fts_info != FTS_D || !e->fts_level ||
		    !names_it(group_name(a, e->fts_name), id))
			continue;
		if (found->n < ARRAY_SIZE(found->paths))
			found->paths[found->n] = arena_strdup(a, e->fts_path);
		found->n++;
	}
	if (tree)
		fts_close(tree);
}
