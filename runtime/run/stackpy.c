/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stackpy.c - where the interpreter of Python is in a process, for programs that use pystack()
 * (dtx/python.h).
 *
 * A process is asked for once.  If the interpreter is its executable, all later processes that run
 * it are known from their begin; if it is a library, each is asked for.  An interpreter may be
 * loaded later: who has none is asked for again, each time after twice the time.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <dtx/base.h>
#include <dtx/tables/maprole.h>

#include "runtime/code/code.h"
#include "runtime/proc/proc.h"
#include "runtime/run/run.h"
#include "runtime/stack/stack.h"

/* A file that was looked at. */
struct pyfile {
	bool is_python;
	u32 row;                         /* DTX_PY_… */
	struct python py;
};

struct pythons {
	struct dtx_session *s;
	int exes, procs, offs;
	u32 rows;                        /* of dtx_pyoffs */
	struct keytab *files;            /* struct dtx_objkey -> struct pyfile */
	bool told;                       /* of a version that cannot be read */
};

/* A process that is looked at. */
struct looking {
	struct pythons *p;
	u32 pid;
	struct stat exe;
	bool has_exe;
	struct dtx_pyproc answer;
};

/* ---- files ----------------------------------------------------------------------------------- */

/* Said once: why there will be no frames. */
static void version_tell(struct pythons *p, const struct python *py, const char *path)
{
	char version[24] = "before 3.11";

	if (p->told)
		return;
	p->told = true;
	if (py->version)
		snprintf(version, sizeof(version), "%u.%u", py->version >> 8, py->version & 0xff);
	consumer_tell(p->s->con, MESSAGE(DTX_NOTICE, DTX_WARNING),
		      "pystack() cannot read Python %s (%s): it reads 3.11, 3.12 and 3.13 with the "
		      "global lock", version, path);
}

static u32 file_row(struct pythons *p, const struct python *py, const char *path)
{
	u32 row = p->rows;

	if (!py->known) {
		version_tell(p, py, path);
		return DTX_PY_OTHER;
	}
	if (row >= DTX_PY_OFFS_MAX || bpf_map_update_elem(p->offs, &row, &py->off, BPF_ANY))
		return DTX_PY_OTHER;
	p->rows++;
	return row + DTX_PY_FIRST;
}

/* The file that a process has mapped. */
static const struct pyfile *file_of(struct pythons *p, u32 pid, const struct proc_map *m,
				    const struct dtx_objkey *key)
{
	const struct proc_mapped its = proc_mapped_of(pid, m);
	struct pyfile *f = keytab_get(p->files, key);
	struct codefile *file = f ? NULL : codefile_mapped(p->s->env, &its);

	if (!file)
		return f;
	f = keytab_put(p->files, key);
	f->is_python = python_read(codefile_fd(file), &f->py);
	f->row = f->is_python ? file_row(p, &f->py, m->path) : DTX_PY_NONE;
	codefile_close(file);
	return f;
}

/* ---- processes ------------------------------------------------------------------------------- */

static bool is_library(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && !strncmp(name, "/libpython", strlen("/libpython"));
}

/* Remembers an executable: all processes that run it have the interpreter in the same place. */
static void exe_note(struct pythons *p, const struct dtx_objkey *key, const struct pyfile *f)
{
	struct dtx_pyexe exe = { f->py.runtime, f->row, f->py.moves };

	if (f->py.moves)
		exe.runtime -= f->py.code;
	bpf_map_update_elem(p->exes, key, &exe, BPF_ANY);
}

/* The first mapping of code of a file says where the file is. */
static bool look_at(void *arg, struct proc_map *m)
{
	struct looking *l = arg;
	struct dtx_objkey key;
	const struct pyfile *f;
	struct stat st;
	bool exe;

	if (!m->code || *m->path != '/' || !stackfile_key_of(l->pid, m, &key, &st))
		return true;
	exe = l->has_exe && st.st_dev == l->exe.st_dev && st.st_ino == l->exe.st_ino;
	if (!exe && !is_library(m->path))
		return true;
	f = file_of(l->p, l->pid, m, &key);
	if (!f || !f->is_python)
		return true;
	if (exe)
		exe_note(l->p, &key, f);
	l->answer.row = f->row;
	l->answer.runtime = f->py.runtime;
	if (f->py.moves)
		l->answer.runtime += m->start - (f->py.code & -(u64)sysconf(_SC_PAGESIZE));
	return false;
}

static void look(struct looking *l)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u/exe", l->pid);
	l->has_exe = !stat(path, &l->exe);
	l->answer.row = DTX_PY_NONE;
	procmap_each(l->pid, look_at, l);
}

/* An executable by its path; key: of the file that it has to be, or NULL. */
static void look_at_path(struct pythons *p, const char *path, const struct dtx_objkey *wanted)
{
	struct codefile *file = *path == '/' ? codefile_at(p->s->env, path) : NULL;
	int fd = file ? codefile_fd(file) : -1;
	struct pyfile f = { 0 };
	struct dtx_objkey key;

	if (fd >= 0 && stackfile_key(fd, &key) && !keytab_get(p->files, &key) &&
	    (!wanted || !memcmp(&key, wanted, sizeof(key))) && python_read(fd, &f.py) &&
	    f.py.known) {
		f.is_python = true;
		f.row = file_row(p, &f.py, path);
		*(struct pyfile *)keytab_put(p->files, &key) = f;
		exe_note(p, &key, &f);
	}
	if (file)
		codefile_close(file);
}

void pythons_answer(struct pythons *p, const struct dtx_sight *s)
{
	struct looking l = { .p = p, .pid = s->pid };
	struct dtx_pykey key = { .stack = s->start, .code = s->end, .tgid = s->tgid };

	if (!p)
		return;
	look(&l);
	if (!l.has_exe && s->at < DTX_PATH_MAX)          /* it has ended: for the next one */
		look_at_path(p, s->path + s->at, &s->key);
	l.answer.times = s->times;
	if (l.answer.row == DTX_PY_NONE)
		l.answer.until = clock_ns(CLOCK_MONOTONIC) +
				 (DTX_PY_PATIENCE << MIN(s->times, 10u));
	bpf_map_update_elem(p->procs, &key, &l.answer, BPF_EXIST);
}

#define STAT_CODE 26             /* startcode; endcode and startstack follow (proc_pid_stat(5)) */

static bool process_key(u32 pid, struct dtx_pykey *key)
{
	u64 v[3];

	if (!proc_stat(pid, STAT_CODE, v, ARRAY_SIZE(v)))
		return false;
	*key = (struct dtx_pykey){ .tgid = pid, .code = v[0], .stack = v[2] };
	return true;
}

void pythons_prepare(struct pythons *p, u32 pid)
{
	struct looking l = { .p = p, .pid = pid };
	struct dtx_pykey key;

	if (!p)
		return;
	look(&l);
	l.answer.until = l.answer.row == DTX_PY_NONE;    /* it may load one: asked at once */
	if (!p->s->env->pidns && process_key(pid, &key))
		bpf_map_update_elem(p->procs, &key, &l.answer, BPF_ANY);
}

/* ---- life ------------------------------------------------------------------------------------ */

struct pythons *pythons_new(struct dtx_session *s)
{
	int procs = load_role_fd(&s->ld, ROLE_pyprocs);
	struct pythons *p;

	if (procs < 0)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->s = s;
	p->procs = procs;
	p->exes = load_role_fd(&s->ld, ROLE_pyexes);
	p->offs = load_role_fd(&s->ld, ROLE_pyoffs);
	p->files = keytab_new(sizeof(struct dtx_objkey), sizeof(struct pyfile));
	look_at_path(p, "/usr/bin/python3", NULL);
	return p;
}

void pythons_free(struct pythons *p)
{
	if (!p)
		return;
	keytab_free(p->files);
	free(p);
}
