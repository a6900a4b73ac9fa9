/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * limits.c - what the owner of this machine allows: /etc/dtx/run.conf.  It holds for every run of
 * dtx and dtx-run, whatever the command line, the environment and the image say.
 *
 * A line is "NAME = VALUE", or a comment that begins with '#'.  Who could change the file could
 * lift the limits: it counts only if it belongs to the superuser and nobody else may write to it.
 * What cannot be read or understood is not passed over: then nothing runs.
 * Why: docs/decisions/52-limits-and-signatures.md
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dtx/opt.h>

#include "runtime/run/run.h"
#include "runtime/kernel/kernel.h"

#define LIMITS_FOLDER "/etc/dtx"
#define LIMITS_FILE   LIMITS_FOLDER "/run.conf"
#define LIMITS_MOST   65536      /* bytes of the file */

struct limits {
	struct dtx_env *env;
	const struct img *img;
	struct loaded *ld;
	const char *where;               /* "/etc/dtx/run.conf:3" */
	const char *value;
};

/* ---- the file ------------------------------------------------------------------------------- */

/* NULL: only the superuser can change it. */
static const char *who_else(const struct stat *st)
{
	if (st->st_uid)
		return "it does not belong to root";
	return st->st_mode & (S_IWGRP | S_IWOTH) ? "others than root may write to it" : NULL;
}

static int fail_file(struct dtx_env *env, const char *path, const char *why)
{
	bool folder = !strcmp(path, LIMITS_FOLDER);

	return dtx_env_fail(env, -EPERM, "nothing is run: %s has limits for " TOOL ", but %s: it "
			    "has to be a %s of root with the mode %s", path, why,
			    folder ? "folder" : "file", folder ? "0755" : "0644");
}

/* The text, malloc'd; NULL with 0: there are no limits. */
static int read_limits(struct dtx_env *env, char **text)
{
	int fd = open(LIMITS_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK), err = 0;
	const char *why = NULL, *path = LIMITS_FILE;
	struct stat st;
	size_t len;

	*text = NULL;
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd < 0)
		return fail_file(env, path, errno == ELOOP ? "it is a symbolic link" :
							     strerror(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > LIMITS_MOST)
		why = "it is no file of text";
	else if (!(why = who_else(&st)) && !lstat(LIMITS_FOLDER, &st)) {
		path = LIMITS_FOLDER;
		why = S_ISLNK(st.st_mode) ? "it is a symbolic link" : who_else(&st);
	}
	if (!why && (err = file_read_fd(fd, text, &len)))
		why = strerror(-err);
	else if (!why && strlen(*text) != len)   /* as a crash of the machine may leave it */
		why = "it has bytes that are no text";
	close(fd);
	return why ? fail_file(env, path, why) : 0;
}

/* ---- each limit ----------------------------------------------------------------------------- */

static int fail_value(const struct limits *l)
{
	return dtx_env_fail(l->env, -EINVAL, "nothing is run: the limit at %s cannot be "
			    "understood: '%s'", l->where, l->value);
}

/* Of an option 0 means that there is no limit; the one that is not given gets the owner's. */
static int limit_option(const struct limits *l, u32 id)
{
	const char *name = opt_rows[id].name;
	struct options *own = options_new(l->env->arena);
	s64 most, asked = opt_num(l->env, id);

	if (options_set(own, l->env->arena, name, l->value, NULL))
		return fail_value(l);
	most = own->v[id].n;
	if (!most)
		return fail_value(l);
	if (asked && asked <= most)
		return 0;
	if (opt_is_set(l->env, id))
		return dtx_env_fail(l->env, -EPERM, "this machine allows at most %s=%s (%s), and "
				    "the program asks for %s", name, l->value, l->where,
				    asked ? opt_text(l->env, id) : "no limit");
	return env_set_option(l->env, name, l->value);
}

static int limit_duration(const struct limits *l)
{
	bool asked = opt_is_set(l->env, OPT_duration);
	int err = limit_option(l, OPT_duration);

	if (err || asked)
		return err;
	l->ld->ends_where = l->where;
	if (!env_is_quiet(l->env))
		diags_say(&l->env->diags, MESSAGE(DTX_NOTICE, DTX_INFO),
			  "this run ends after %s (%s)", l->value, l->where);
	return err;
}

static int limit_overhead(const struct limits *l)
{
	return limit_option(l, OPT_maxoverhead);
}

/* The kernel's helpers that change what others do (linux/bpf.h): what the code calls counts, and
 * not what the image says of itself. */
static const u32 changing[] = { 36 /* probe_write_user */, 58 /* override_return */,
				109 /* send_signal */, 117 /* send_signal_thread */ };

static bool changes(const struct img *img)
{
	return img->destructive || img_does(img, ACTF_MACHINE) ||
	       img_calls(img, changing, ARRAY_SIZE(changing));
}

static int limit_destructive(const struct limits *l)
{
	bool allowed = !strcmp(l->value, "yes");

	if (!allowed && strcmp(l->value, "no"))
		return fail_value(l);
	if (allowed || !changes(l->img))
		return 0;
	return dtx_env_fail(l->env, -EPERM, "this machine allows no destructive actions (%s), and "
			    "the program has some", l->where);
}

static int limit_memory(const struct limits *l)
{
	s64 most;

	if (!options_read(OPTK_SIZE, l->value, &most) || most <= 0)
		return fail_value(l);
	l->ld->most_bytes = (u64)most;
	l->ld->most_where = l->where;
	return 0;
}

static bool is_allowed(const struct limits *l, const struct dtx_probe *p)
{
	const char *name = p->provider->name;
	size_t n = strlen(name);

	if (!strcmp(name, "dtrace"))     /* BEGIN, END and ERROR */
		return true;
	for (const char *at = l->value; *(at += strspn(at, " \t,")); at += strcspn(at, " \t,"))
		if (strcspn(at, " \t,") == n && !memcmp(at, name, n))
			return true;
	return false;
}

static int limit_providers(const struct limits *l)
{
	for (const char *at = l->value; *(at += strspn(at, " \t,")); at += strcspn(at, " \t,"))
		if (!provider_by_name(arena_strndup(l->env->arena, at, strcspn(at, " \t,"))))
			return fail_value(l);
	for (u32 i = 0; i < l->img->nprobes; i++)
		if (!is_allowed(l, img_probe(l->img, i)))
			return dtx_env_fail(l->env, -EPERM, "this machine allows no probes of the "
					    "provider %s (%s), and the program has " PROBE_NAME,
					    img_probe(l->img, i)->provider->name, l->where,
					    PROBE_PARTS(img_probe(l->img, i)));
	return 0;
}

static const struct limit {
	const char *name;
	int (*apply)(const struct limits *);
} known[] = {
	{ "destructive", limit_destructive },
	{ "duration", limit_duration },
	{ "maxoverhead", limit_overhead },
	{ "memory", limit_memory },
	{ "providers", limit_providers },
};

/* ---- all of them ---------------------------------------------------------------------------- */

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && strchr(" \t\r", end[-1]))
		*--end = '\0';
	return text + strspn(text, " \t");
}

static int take_line(struct limits *l, char *line)
{
	char *equals = strchr(line, '=');
	const char *name;

	line = trim(line);
	l->value = line;
	if (!*line || *line == '#')
		return 0;
	if (!equals)
		return fail_value(l);
	*equals = '\0';
	name = trim(line);
	for (u32 i = 0; i < ARRAY_SIZE(known); i++) {
		if (strcmp(known[i].name, name))
			continue;
		l->value = trim(equals + 1);
		return *l->value ? known[i].apply(l) : fail_value(l);
	}
	l->value = name;
	return fail_value(l);
}

int limits_apply(struct dtx_env *env, const struct img *img, struct loaded *ld)
{
	struct limits l = { .env = env, .img = img, .ld = ld };
	char *text, *at, *line;
	int err = read_limits(env, &text);

	at = text;
	for (u32 n = 1; !err && (line = strsep(&at, "\n")); n++) {
		l.where = arena_printf(env->arena, LIMITS_FILE ":%u", n);
		err = take_line(&l, line);
	}
	free(text);
	return err;
}
