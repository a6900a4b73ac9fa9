/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * container.c - the control group of a container, by the id or the name that people know it by.
 *
 * Engines name the group after the container, with words of their own around it:
 * docker-ID.scope, libpod-ID.scope, cri-containerd-ID.scope, crio-ID.scope, /docker/ID,
 * lxc.payload.NAME, machine-NAME.scope (systemd-nspawn), NAME.service.  An id may be cut short, as
 * their listings do, and stands after any word; a name is all that stands between those words.
 */
#include <ctype.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>

#include "runtime/proc/proc.h"

#define SHORTEST_ID  4           /* characters of an id that is cut short */
#define LONG_ID      32          /* of a whole one, at least */

/* What stands before the name of a container, and after it. */
static const char *const before[] = { "machine-", "lxc.payload.", "lxc.", "docker-", "libpod-" };
static const char *const after[] = { ".scope", ".service", ".slice" };

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

static bool names_container(const char *name, const char *id)
{
	size_t len = strlen(id);

	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		if (!strncmp(name, before[i], strlen(before[i]))) {
			name += strlen(before[i]);
			break;
		}
	if (strncmp(name, id, len))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(after); i++)
		if (!strcmp(name + len, after[i]))
			return true;
	return !name[len];
}

/* Is it a word of the name, or the beginning of one, that looks like an id?  The processes that
 * watch a container are in a group with its id, too: libpod-conmon-ID. */
static bool is_id(const char *name, const char *id)
{
	static const char hex[] = "0123456789abcdef";
	size_t len = strlen(id);

	if (len < SHORTEST_ID || strspn(id, hex) != len || strstr(name, "conmon"))
		return false;
	for (const char *at = name; (at = strstr(at, id)); at++)
		if ((at == name || !isalnum((unsigned char)at[-1])) && strspn(at, hex) >= LONG_ID &&
		    !isalnum((unsigned char)at[strspn(at, hex)]))
			return true;
	return false;
}

static bool names_it(const char *name, const char *id)
{
	return *id && (is_id(name, id) || names_container(name, id));
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
