/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userothers.c - places in programs where other tools have probes: events of tracefs (perf probe),
 * and BPF programs.  A second probe at the same place costs no second trap, so that of dtx stays
 * there.
 * Why: docs/decisions/50-past-the-entry.md
 */
#include <stdlib.h>

#include "runtime/kernel/kernel.h"
#include "runtime/proc/proc.h"
#include "runtime/provider/provider.h"
#include "runtime/provider/user/codewalk.h"
#include "runtime/types/types.h"

#define ASKED_MOST (64u << 10)   /* bytes: with more places the program is not kept */

struct place { u64 dev, ino, off; };

static void others_add(void *arg, const char *path, u64 off)
{
	struct file_seen f = file_seen_now(path);        /* the program does not depend on it */
	struct place p = { f.dev, f.ino, off };

	if (f.ino)
		keytab_put(arg, &p);
}

/* "p:probes/name /bin/x:0x0000000000001129 …"; paths may have a colon. */
static void add_event(struct keytab *to, char *line)
{
	char *path = strchr(line, ' '), *end = path ? strchr(++path, ' ') : NULL, *colon;

	if (end)
		*end = '\0';
	colon = path ? strrchr(path, ':') : NULL;
	if (!colon)
		return;
	*colon = '\0';
	others_add(to, path, strtoull(colon + 1, NULL, 16));
}

static void add_events(struct dtx_env *env, struct keytab *to)
{
	const char *tracefs = tracefs_path(env);
	char *text = NULL, *line, *rest;
	size_t len;

	if (!tracefs || machine_read(env, arena_printf(env->arena, "%s/uprobe_events", tracefs),
				     &text, &len))
		return;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		add_event(to, line);
	free(text);
}

bool user_others(struct dtx_env *env, const char *path, u64 off)
{
	struct user_ends_cache *c = user_ends_cache(env);
	struct file_id id = file_identity(path);
	struct place p = { id.dev, id.ino, off };
	bool there;

	if (!c->others) {
		c->others = keytab_new(sizeof(struct place), 1);
		add_events(env, c->others);
		sys_each_uprobe(others_add, c->others);
	}
	there = keytab_get(c->others, &p);
	if (c->asked.len < ASKED_MOST)
		buf_printf(&c->asked, "other %d %llx %s\n", there, (unsigned long long)off, path);
	else
		file_note_passing();
	return there;
}

void user_others_asked(struct dtx_env *env, struct buf *b)
{
	const struct user_ends_cache *c = user_ends_cache(env);

	buf_add(b, c->asked.data ? c->asked.data : "", c->asked.len);
}
