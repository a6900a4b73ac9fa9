/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lib.c - D libraries: declarations available in every program.
 *
 * The files of compiler/lib are part of dtx.  They are not compiled with every program:
 * the first name unknown to the program and the tables builds an index of their
 * top-level names (a tenth of a millisecond), and a file is parsed when one of its names
 * is used.  So programs that do not need them have no cost, the order of the files does
 * not matter, and a program may redeclare their names.  Files of syslibdir, libdir and
 * -L are parsed as a whole, ordered by their `depends_on library` lines, before the
 * first program.
 * Why: docs/decisions/10-library-on-demand.md
 */
#include <unistd.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include <dtx/opt.h>
#include <dtx/tag.h>

#include "compiler/front/parse.h"
#include "compiler/front/front.h"

const char lib_origin[] = "the D library";

extern const struct lib_text {
	const char *name;
	const char *text, *end;
} dtx_d_lib[];                   /* ends with zeros */

struct libs {
	struct map *index;       /* name, or tag with a blank before it → struct lib_text */
	struct map *done;        /* name of a file → it was parsed */
};

/* ---- what a text declares ------------------------------------------------------------ */

struct scan {
	const char *p, *end;
	const char *word[3];     /* first word of the declaration, last word, the one before */
	u32 len[3];
	u32 depth;
	bool is_enum, named, item;
	struct libs *libs;
	const struct lib_text *file;
};

static bool scan_is(const struct scan *s, u32 i, const char *word)
{
	return s->word[i] && s->len[i] == strlen(word) && !memcmp(s->word[i], word, s->len[i]);
}

static void scan_add(struct scan *s, u32 i, bool tag)
{
	char name[80];

	if (!s->word[i] || s->len[i] > sizeof(name) - 2)
		return;
	name[0] = ' ';
	memcpy(name + 1, s->word[i], s->len[i]);
	name[1 + s->len[i]] = 0;
	map_set(s->libs->index, name + !tag, (void *)s->file);
}

static void scan_word(struct scan *s)
{
	const char *from = s->p;

	while (s->p < s->end && name_char(*s->p))
		s->p++;
	if (s->depth && !(s->is_enum && s->item))
		return;
	s->word[2] = s->word[1];
	s->len[2] = s->len[1];
	s->word[1] = from;
	s->len[1] = s->p - from;
	if (s->depth)
		scan_add(s, 1, false);
	else if (!s->word[0])
		s->word[0] = from, s->len[0] = s->len[1];
	s->is_enum |= !s->depth && scan_is(s, 1, "enum");
	s->item = false;
}

static void scan_name(struct scan *s)
{
	if (!s->depth && !s->named && (scan_is(s, 0, "inline") || scan_is(s, 0, "typedef")))
		scan_add(s, 1, false);
	s->named |= !s->depth;
}

static void scan_punct(struct scan *s, char c)
{
	if (c == '{' && !s->depth && (scan_is(s, 2, "struct") || scan_is(s, 2, "union") ||
				      scan_is(s, 2, "enum")))
		scan_add(s, 1, true);
	if (c == '=' || c == '[' || (c == ';' && !s->depth))
		scan_name(s);
	if (c == '{' || c == '[' || c == '(')
		s->depth++;
	else if ((c == '}' || c == ']' || c == ')') && s->depth)
		s->depth--;
	s->item = c == '{' || c == ',';
	if (c == ';' && !s->depth) {
		s->word[0] = s->word[1] = s->word[2] = NULL;
		s->is_enum = s->named = false;
	}
}

/* The text is ours: it has no character constants, and no brackets in strings. */
static void scan_text(struct libs *libs, const struct lib_text *file)
{
	struct scan s = { .p = file->text, .end = file->end, .libs = libs, .file = file };
	const char *stop;

	while (s.p < s.end) {
		if (isalpha((unsigned char)*s.p) || *s.p == '_') {
			scan_word(&s);
		} else if (*s.p == '/' && s.p[1] == '*') {
			stop = strstr(s.p + 2, "*/");
			s.p = stop ? stop + 2 : s.end;
		} else if (*s.p == '#' && !s.depth) {
			stop = memchr(s.p, '\n', s.end - s.p);
			s.p = stop ? stop + 1 : s.end;
		} else {
			if (!isspace((unsigned char)*s.p))
				scan_punct(&s, *s.p);
			s.p++;
		}
	}
}

static struct libs *libs_of(struct comp *c)
{
	struct libs *l = c->front->libs;

	if (l)
		return l;
	l = c->front->libs = ARENA_NEW(c->arena, struct libs);
	l->index = map_new();
	l->done = map_new();
	if (lib_left_out(c) || *opt_text(c->env, OPT_syslibdir))
		return l;
	for (const struct lib_text *t = dtx_d_lib; t->name; t++)
		scan_text(l, t);
	return l;
}

void lib_close(struct front *f)
{
	if (!f->libs)
		return;
	map_free(f->libs->index);
	map_free(f->libs->done);
}

/* ---- names of the libraries that are part of dtx ---------------------------------------- */

static struct source *lib_source(struct comp *c, const char *name, const char *text, u32 len)
{
	struct source *src = source_open(c->env->arena, name, text, len, true);

	src->is_library = true;
	return src;
}

static bool lib_load(struct comp *c, const char *key)
{
	struct libs *l = libs_of(c);
	const struct lib_text *t = map_get(l->index, key);
	enum lib_kind was = c->front->in_lib;

	if (!t || map_get(l->done, t->name))
		return false;
	map_set(l->done, t->name, (void *)t);
	c->front->in_lib = LIB_OWN;
	parse_library(c, lib_source(c, arena_printf(c->env->arena, "<dtx>/%s", t->name), t->text,
				    t->end - t->text));
	c->front->in_lib = was;
	return true;
}

bool lib_name(struct comp *c, const char *name)
{
	if (strchr(name, '`') || builtin_exact(name))
		return false;
	return lib_load(c, name);
}

bool lib_type(struct comp *c, enum type_kind what, const char *name)
{
	if (what == T_TYPEDEF)
		return lib_load(c, name);
	return lib_load(c, arena_printf(c->arena, " %s", name));
}

static int lib_near(const char *key, void *value, void *near)
{
	(void)value;
	near_offer(near, key);
	return 0;
}

void near_libs(struct comp *c, struct near *near)
{
	map_each(libs_of(c)->index, lib_near, near);
}

/* ---- library files --------------------------------------------------------------------------- */

enum lib_state { LIB_NEW, LIB_OPEN, LIB_DONE };

struct lib_file {
	const char *name, *path, *text;
	u32 len;
	enum lib_state state;
};

struct lib_dir {
	VEC(struct lib_file) files;
};

static int lib_file_cmp(const void *a, const void *b)
{
	return strcmp(((const struct lib_file *)a)->name, ((const struct lib_file *)b)->name);
}

static void lib_dir_read(struct comp *c, struct lib_dir *d, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;

	file_note_passing();
	while (dir && (e = readdir(dir))) {
		struct lib_file f = { .name = arena_strdup(c->arena, e->d_name) };
		size_t n = strlen(f.name), len;
		char *text;
		int err;

		if (n < 3 || f.name[0] == '.' || strcmp(f.name + n - 2, ".d"))
			continue;
		f.path = arena_printf(c->env->arena, "%s/%s", path, f.name);
		err = file_read_named(f.path, &text, &len);
		if (err && err != -ENOENT)
			diags_say(&c->env->diags, MESSAGE(DTX_NOTICE, DTX_WARNING),
				  "cannot read the library %s: %s", f.path, file_why(-err));
		if (err)
			continue;
		f.text = arena_strndup(c->arena, text, len);
		f.len = len;
		free(text);
		VEC_PUSH(&d->files, f);
	}
	if (dir)
		closedir(dir);
	if (d->files.n)
		qsort(d->files.v, d->files.n, sizeof(*d->files.v), lib_file_cmp);
}

static bool lib_depends(struct comp *c, struct lib_dir *d, struct lib_file *f, bool *skip);

/* Files that this one depends on; if a provider or module is missing, the file is dropped. */
static bool lib_file_parse(struct comp *c, struct lib_dir *d, struct lib_file *f)
{
	struct range at = { lib_source(c, f->path, f->text, f->len), 0, 0 };
	bool skip = false;
	enum lib_kind was = c->front->in_lib;

	if (f->state == LIB_DONE)
		return true;
	if (f->state == LIB_OPEN) {
		diag_error(&c->env->diags, D_PRAGMA_DEPEND, at,
			   "the library depends on itself, through others");
		return false;
	}
	f->state = LIB_OPEN;
	if (!lib_depends(c, d, f, &skip))
		return false;
	f->state = LIB_DONE;
	if (skip)
		return true;
	c->front->in_lib = LIB_FILE;
	parse_library(c, at.src);
	c->front->in_lib = was;
	return !c->env->diags.nerrors;
}

/* Libraries of DTrace: dtx has their content, in files with other names. */
static bool lib_is_own(const char *name)
{
	static const char *const names[] = {
		"cpuinfo.d", "errno.d", "fc.d", "io.d", "ip.d", "iscsi.d", "lockstat.d", "net.d",
		"nfs.d", "pcap.d", "procfs.d", "regs.d", "sched.d", "scsi.d", "signal.d", "smb.d",
		"srp.d", "sysevent.d", "tcp.d", "udp.d", "unistd.d", "vmlinux.d",
	};

	for (const struct lib_text *t = dtx_d_lib; t->name; t++)
		if (!strcmp(t->name, name))
			return true;
	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* A file of the same directory, or a library of dtx, which is always available. */
static bool lib_depends_file(struct comp *c, struct lib_dir *d, const struct lib_file *f,
			     const char *name)
{
	const char *own = arena_printf(c->arena, "%s/%s", opt_text(c->env, OPT_syslibdir), name);

	for (u32 i = 0; i < d->files.n; i++)
		if (!strcmp(d->files.v[i].name, name))
			return lib_file_parse(c, d, &d->files.v[i]);
	if (lib_is_own(name) || !file_access(own, F_OK))
		return true;
	struct range at = { lib_source(c, f->path, f->text, f->len), 0, 0 };
	struct diag *e = diag_error(&c->env->diags, D_PRAGMA_DEPEND, at,
				    "this library needs the library '%s', which is not there",
				    name);
	diag_hint(&c->env->diags, e, "put it beside this one");
	return false;
}

static bool lib_depends_one(struct comp *c, struct lib_dir *d, const struct lib_file *f,
			    const char *what, const char *name, bool *skip)
{
	if (!strcmp(what, "provider"))
		*skip |= !lib_has_provider(c, name);
	else if (!strcmp(what, "module"))
		*skip |= !lib_has_module(c, name);
	else if (!strcmp(what, "library"))
		return lib_depends_file(c, d, f, name);
	return true;
}

static bool lib_depends(struct comp *c, struct lib_dir *d, struct lib_file *f, bool *skip)
{
	for (const char *p = f->text; p && *p; p = strchr(p, '\n'), p += !!p) {
		char what[16], name[128];

		if (sscanf(p, " #pragma D depends_on %15s %127s", what, name) == 2 &&
		    !lib_depends_one(c, d, f, what, name, skip))
			return false;
	}
	return true;
}

static bool lib_dir_parse(struct comp *c, const char *path)
{
	struct lib_dir d = { .files = { NULL, 0, 0 } };
	bool ok = true;

	lib_dir_read(c, &d, path);
	for (u32 i = 0; ok && i < d.files.n; i++)
		ok = lib_file_parse(c, &d, &d.files.v[i]);
	VEC_FREE(&d.files);
	return ok;
}

/* "6.10" of DIR/6.10 as a number, 0: no version. */
static u32 lib_version(const char *name)
{
	u32 major, minor, micro = 0;
	int n = 0;

	if (sscanf(name, "%u.%u%n.%u%n", &major, &minor, &n, &micro, &n) < 2)
		return 0;
	return major << 20 | (minor & 0x3ff) << 10 | (micro & 0x3ff);
}

/* The sub-directory for the newest kernel that is not newer than this one. */
static const char *lib_kernel_dir(struct comp *c, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	u32 best = 0, running;
	const char *found = NULL;

	file_note_passing();
	running = lib_version(machine_uname(c->env)->release);
	while (dir && (e = readdir(dir))) {
		u32 v = e->d_name[strspn(e->d_name, "0123456789.")] ? 0 : lib_version(e->d_name);

		if (v > best && v <= running) {
			best = v;
			found = arena_printf(c->arena, "%s/%s", path, e->d_name);
		}
	}
	if (dir)
		closedir(dir);
	return found;
}

static bool lib_path(struct comp *c, const char *path)
{
	const char *sub = lib_kernel_dir(c, path);

	return (!sub || lib_dir_parse(c, sub)) && lib_dir_parse(c, path);
}

bool lib_left_out(struct comp *c)
{
	return opt_num(c->env, OPT_nolibs);
}

bool lib_open(struct comp *c)
{
	const struct opt_value *opts = c->env->opts->v;
	char *dirs, *save = NULL;

	if (lib_left_out(c))
		return true;
	if (*opts[OPT_syslibdir].s && !lib_path(c, opts[OPT_syslibdir].s))
		return false;
	dirs = arena_strdup(c->arena, opts[OPT_libdir].s);
	for (char *d = strtok_r(dirs, "\n", &save); d; d = strtok_r(NULL, "\n", &save))
		if (!lib_path(c, d))
			return false;
	return true;
}

/* ---- what depends_on asks for --------------------------------------------------------- */

bool lib_has_provider(struct comp *c, const char *name)
{
	return provider_by_name(name);
}

bool lib_has_module(struct comp *c, const char *name)
{
	char *path = arena_printf(c->arena, "/sys/module/%s", name);

	if (!strcmp(name, "vmlinux"))
		return true;
	for (char *p = path; *p; p++)
		if (*p == '-')
			*p = '_';
	return !machine_access(c->env, path, F_OK);
}
