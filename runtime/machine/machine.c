/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.c - what is asked of a machine, and its two answers: of this machine, where it is read
 * and tried, and of one that was recorded, where it is in the description.
 *
 * A description is files below /sys and /proc with their paths, and answers: lines "QUESTION
 * VALUE".  It also says what it lacks, because whoever made it could not read that: a program that
 * asks for such a thing is told, and a file that is neither there nor lacking did not exist.
 * Why: docs/decisions/47-machines.md
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/arch.h>

#include "runtime/machine/archive.h"

#define MACH_PART(part) MACH_PART_##part

const struct mach_def mach_defs[MACH_N] = {
#define MACHINE(id, path, part, who, what) [id] = { path, MACH_PART(part), who, what },
#include <dtx/tables/machine.def>
#undef MACHINE
};

/* ---- names ---------------------------------------------------------------------------------- */

/* Does the path match, part by part?  "/sys/module/x" is in "/sys/module/x/" as a folder. */
static bool path_matches(const char *glob, const char *path)
{
	char part[256], want[256];

	for (;; glob += *glob == '/', path += *path == '/') {
		size_t n = strcspn(glob, "/"), m = strcspn(path, "/");

		if (n >= sizeof(want) || m >= sizeof(part))
			return false;
		memcpy(want, glob, n);
		memcpy(part, path, m);
		want[n] = part[m] = '\0';
		if (n != m && !n)
			return false;
		if (n && !glob_matches(want, part))
			return false;
		glob += n;
		path += m;
		if (!*path)                      /* a folder of it is asked for, too */
			return true;
		if (!*glob)
			return false;
	}
}

static u32 mach_row_of(const char *path)
{
	for (u32 i = 0; i < MACH_N; i++)
		if (mach_defs[i].path && path_matches(mach_defs[i].path, path))
			return i;
	return MACH_N;
}

/* It is not in the description: because it could not be read? */
static int machine_none(struct machine *m, const char *path)
{
	u32 row = mach_row_of(path);

	if (row < MACH_N)
		m->asked |= m->lacks & 1ull << row;
	return -ENOENT;
}

bool machine_records(const char *path)
{
	return mach_row_of(path) < MACH_N;
}

bool machine_is_here(const struct dtx_env *env)
{
	return !env->machine || !env->machine->path;
}

bool machine_has_programs(const struct dtx_env *env)
{
	return !machine_is_here(env) && env->machine->programs;
}

const char *machine_name(const struct dtx_env *env)
{
	return machine_is_here(env) ? "this machine" : env->machine->name;
}

/* ---- files ---------------------------------------------------------------------------------- */

static int read_symbols(const struct archive_member *f, char **text, size_t *len)
{
	struct buf out = { 0 };

	if (!part_unfold(f->data, f->len, MACH_SYMBOLS_MOST, &out)) {
		buf_free(&out);
		return -EINVAL;
	}
	if (len)
		*len = out.len;
	buf_putc(&out, '\0');
	*text = out.data;
	return 0;
}

int machine_read(struct dtx_env *env, const char *path, char **text, size_t *len)
{
	const struct archive_member *f;

	if (machine_is_here(env))
		return file_read(path, text, len);
	f = map_get(env->machine->files, path);
	if (!f)
		return machine_none(env->machine, path);
	if (!env->machine->whole && !strcmp(path, mach_defs[MACH_SYMBOLS].path))
		return read_symbols(f, text, len);
	*text = xmalloc(f->len + 1);
	memcpy(*text, f->data, f->len);
	(*text)[f->len] = '\0';
	if (len)
		*len = f->len;
	return 0;
}

int machine_access(struct dtx_env *env, const char *path, int mode)
{
	if (machine_is_here(env))
		return file_access(path, mode);
	if (map_get(env->machine->files, path) || map_get(env->machine->folders, path))
		return 0;
	return machine_none(env->machine, path);
}

s64 machine_number(struct dtx_env *env, const char *path, s64 otherwise)
{
	const struct archive_member *f;

	if (machine_is_here(env))
		return file_number(path, otherwise);
	f = map_get(env->machine->files, path);
	if (!f)
		machine_none(env->machine, path);
	return f ? strtoll(arena_strndup(env->arena, f->data, f->len), NULL, 10) : otherwise;
}

static int each_recorded(struct dtx_env *env, const char *folder,
			 int (*fn)(void *arg, const char *name), void *arg)
{
	struct machine *m = env->machine;
	size_t len = strlen(folder);
	struct map *told;
	int err = 0;

	if (!map_get(m->folders, folder))
		return machine_none(m, folder);
	told = map_new();
	for (u32 i = 0; i < m->members.n && !err; i++) {
		const char *path = m->members.v[i].path, *name;

		if (strncmp(path, folder, len) || path[len] != '/' || !path[len + 1])
			continue;
		name = arena_strndup(env->arena, path + len + 1, strcspn(path + len + 1, "/"));
		if (!map_add(told, name, m))
			err = fn(arg, name);
	}
	map_free(told);
	return err;
}

int machine_each(struct dtx_env *env, const char *folder, int (*fn)(void *arg, const char *name),
		 void *arg)
{
	struct dirent *e;
	int err = 0;
	DIR *dir;

	if (!machine_is_here(env))
		return each_recorded(env, folder, fn, arg);
	file_note(folder);
	dir = opendir(folder);
	if (!dir)
		return -errno;
	while (!err && (e = readdir(dir)))
		if (*e->d_name != '.')
			err = fn(arg, e->d_name);
	closedir(dir);
	return err;
}

const struct utsname *machine_uname(struct dtx_env *env)
{
	struct utsname *u;

	if (!machine_is_here(env))
		return &env->machine->uts;
	u = ARENA_NEW(env->arena, struct utsname);
	uname(u);
	return u;
}

u32 machine_cpus(struct dtx_env *env)
{
	const char *n = machine_is_here(env) ? NULL : machine_answer(env, "cpus");

	return n ? (u32)strtoul(n, NULL, 10) : (u32)sysconf(_SC_NPROCESSORS_CONF);
}

/* ---- answers -------------------------------------------------------------------------------- */

const char *machine_answer(struct dtx_env *env, const char *question)
{
	struct machine *m = env->machine;
	const char *answer = map_get(m->answers, question);

	if (!answer && m->lacks & 1ull << MACH_ANSWERS)
		m->asked |= 1ull << MACH_ANSWERS;
	else if (!answer && !m->unsaid)
		m->unsaid = arena_strdup(env->arena, question);
	return answer;
}

bool machine_has_answer(const struct dtx_env *env, const char *question)
{
	return map_get(env->machine->answers, question);
}

bool machine_says_yes(struct dtx_env *env, const char *question)
{
	const char *answer = machine_answer(env, question);

	return answer && !strcmp(answer, "yes");
}

void machine_note(struct dtx_env *env, const char *question, const char *answer)
{
	if (env->machine && !env->machine->path)
		buf_printf(&env->machine->notes, "%s %s\n", question, answer);
}

void machine_note_yes(struct dtx_env *env, const char *question, bool yes)
{
	machine_note(env, question, yes ? "yes" : "no");
}

static int machine_fail(struct dtx_env *env, const char *fmt, ...) PRINTF_LIKE(2, 3);
static int machine_fail(struct dtx_env *env, const char *fmt, ...)
{
	va_list ap;
	int err;

	va_start(ap, fmt);
	err = diags_vfail(&env->diags, (struct failure){ .kind = DTX_FAILURE, .error = -EINVAL },
			  fmt, ap);
	va_end(ap);
	return err;
}

/* ---- a description is taken ----------------------------------------------------------------- */

static void add_folders(struct machine *m, const char *path)
{
	char folder[300];                /* a path of tar has 257 bytes at most */

	snprintf(folder, sizeof(folder), "%s", path);
	for (char *p = folder + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		map_add(m->folders, folder, m);
		*p = '/';
	}
}

static void read_answers(struct machine *m, char *text)
{
	char *save = NULL;

	for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		char *blank = strchr(l, ' ');

		if (blank)
			*blank++ = '\0';
		if (blank)
			map_set(m->answers, l, blank);
	}
}

static void read_lacks(struct machine *m, char *text)
{
	char *save = NULL;

	for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
		for (u32 i = 0; i < MACH_N; i++)
			if (!strcmp(l, mach_defs[i].path ? mach_defs[i].path : MACH_FILE_ANSWERS))
				m->lacks |= 1ull << i;
}

/* More than a machine has would take memory without end. */
static bool is_too_much(struct machine *m, const struct archive_member *f)
{
	if (!strncmp(f->path, "/dtx/", 5))
		m->told += f->len;
	return m->members.n == MACH_MEMBERS_MOST || m->told > MACH_ANSWERS_MOST;
}

static void take_member(struct machine *m, struct arena *a, const struct archive_member *f)
{
	size_t n = strlen(f->path);

	add_folders(m, f->path);
	if (!strcmp(f->path, MACH_FILE_ANSWERS))
		read_answers(m, arena_strndup(a, f->data, f->len));
	else if (!strcmp(f->path, MACH_FILE_LACKS))
		read_lacks(m, arena_strndup(a, f->data, f->len));
	else if (f->path[n - 1] != '/')
		map_set(m->files, f->path, arena_memdup(a, f, sizeof(*f)));
	VEC_PUSH(&m->members, *f);
}

static void uts_field(struct machine *m, const char *question, char *field, size_t size)
{
	const char *answer = map_get(m->answers, question);

	snprintf(field, size, "%s", answer ? answer : "");
}

/* NULL, or why it is no description. */
static const char *take_archive(struct machine *m, struct arena *a, size_t len)
{
	struct archive_member f;
	const char *format;
	size_t at = 0;
	bool bad;

	while (archive_next(a, m->tar, len, &at, &f, &bad)) {
		if (is_too_much(m, &f))
			return "it has more than any machine has";
		take_member(m, a, &f);
	}
	format = map_get(m->answers, "format");
	if (bad || !format)
		return "it is damaged: describe the machine again";
	m->whole = !strcmp(format, MACH_FORMAT_WHOLE);
	if (!m->whole && strcmp(format, MACH_FORMAT))
		return "another version of dtx made it: describe the machine again with this one";
	uts_field(m, "uname.sysname", m->uts.sysname, sizeof(m->uts.sysname));
	uts_field(m, "uname.nodename", m->uts.nodename, sizeof(m->uts.nodename));
	uts_field(m, "uname.release", m->uts.release, sizeof(m->uts.release));
	uts_field(m, "uname.version", m->uts.version, sizeof(m->uts.version));
	uts_field(m, "uname.machine", m->uts.machine, sizeof(m->uts.machine));
	return NULL;
}

struct machine *machine_new(void)
{
	struct machine *m = xcalloc(1, sizeof(*m));

	m->files = map_new();
	m->folders = map_new();
	m->answers = map_new();
	return m;
}

static const char *machine_load(struct machine *m, struct dtx_env *env)
{
	char *data = NULL;
	size_t len, tar_len = 0;
	const char *why;
	int err = file_read_named(m->path, &data, &len);

	m->name = m->path;
	if (err)
		return file_why(-err);
	why = archive_unpack(data, len, &m->tar, &tar_len);
	free(data);
	why = why ? why : take_archive(m, env->arena, tar_len);
	why = why ? why : programs_take(m, env->arena);
	if (!why && strcmp(ARCH_MACHINE, m->uts.machine))
		why = arena_printf(env->arena, "it is of a machine of another kind, %s, and this "
				   "dtx compiles for " ARCH_MACHINE ": make FOR=%s builds one that "
				   "compiles for it", m->uts.machine, m->uts.machine);
	m->name = why ? m->path : arena_printf(env->arena, "%s (Linux %s)", m->uts.nodename,
					       m->uts.release);
	return why;
}

int machine_open(struct dtx_env *env, const char *path, bool preset)
{
	struct machine *m;

	if (env->machine && env->machine->preset)
		machine_close(env);
	if (env->machine)
		return machine_fail(env, "a program is compiled for one machine, and %s "
				    "is a second one: only -e takes several", path);
	m = env->machine = machine_new();
	m->path = arena_strdup(env->arena, path);
	m->preset = preset;
	m->why = machine_load(m, env);
	return machine_check(env);
}

int machine_check(struct dtx_env *env)
{
	const struct machine *m = env->machine;

#ifdef DTX_FOREIGN
	if (!m)
		return machine_fail(env, "this dtx runs here and compiles for another kind of "
				    "machine, " ARCH_MACHINE ": describe one there (dtx-run "
				    "--describe FILE), and give -x machine=FILE");
#endif
	if (!m || !m->why)
		return 0;
	return machine_fail(env, "cannot read the machine in %s: %s", m->path, m->why);
}

void machine_close(struct dtx_env *env)
{
	struct machine *m = env->machine;

	if (!m)
		return;
	file_view_free(m->programs);
	map_free(m->files);
	map_free(m->folders);
	map_free(m->answers);
	VEC_FREE(&m->members);
	buf_free(&m->notes);
	free(m->tar);
	free(m);
	env->machine = NULL;
}

static const struct range machine_nowhere;

/* Whoever made it had the rights, but not this dtx. */
static void tell_unsaid(struct dtx_env *env)
{
	struct machine *m = env->machine;

	if (!m->unsaid)
		return;
	diag_hint(&env->diags,
		  diag_warn(&env->diags, DIAG_NONE, machine_nowhere,
			    "the program asks %s for what %s does not say: %s", m->name, m->path,
			    m->unsaid),
		  "describe that machine again with this dtx: dtx --describe FILE");
	m->unsaid = NULL;
}

static void tell_lacks(struct dtx_env *env)
{
	struct machine *m = env->machine;
	struct buf what = { 0 }, who = { 0 };

	if (!m->asked)
		return;
	for (u32 i = 0; i < MACH_N; i++) {
		const struct mach_def *d = &mach_defs[i];

		if (!(m->asked & 1ull << i) || (what.len && strstr(what.data, d->what)))
			continue;
		buf_printf(&what, "%s%s", what.len ? ", " : "", d->what);
		if (!who.len)
			buf_puts(&who, d->who);
	}
	diag_hint(&env->diags,
		  diag_warn(&env->diags, DIAG_NONE, machine_nowhere,
			    "the program asks %s for what %s does not have: %s", m->name, m->path,
			    what.data),
		  "describe that machine again with the rights to read it (%s): dtx --describe "
		  "FILE",
		  who.data);
	m->asked = 0;
	buf_free(&what);
	buf_free(&who);
}

void machine_tell(struct dtx_env *env)
{
	if (machine_is_here(env) || env->machine->why)
		return;
	tell_lacks(env);
	tell_unsaid(env);
}
