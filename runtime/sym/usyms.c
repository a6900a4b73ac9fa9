/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usyms.c - addresses of processes.
 *
 *   pid -> process: mappings by address -> object (dev, inode) -> elfsyms
 *
 * Mappings are read when a process is first asked about, again when an address is
 * unknown or they are old, and are kept when it has ended.  Objects are shared by
 * all processes, so libc is read once.  They are opened through /proc/PID/map_files,
 * which is the very file whatever the mount namespace, else by path.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sym.h"

#define MAPS_OLD   1000000000ll  /* ns after which mappings are read again */
#define MAPS_RETRY 20000000ll    /* ns before an unknown address is worth another look */
#define VDSO_SIZE  8192

struct uobj {
	u32 dev_major, dev_minor;
	u64 inode;
	const char *path;                /* in its process's mount namespace */
	const char *name;                /* base name */
	struct elfsyms *syms;            /* NULL: none, or not yet tried */
	bool tried;
};

struct umap {
	u64 start, end, off;
	struct uobj *obj;                /* NULL: anonymous */
};

struct jitsym { u64 addr, size; const char *name; };

struct proc {
	u32 pid;
	s64 read_at;                     /* ns, 0: never */
	VEC(struct umap) maps;
	VEC(struct jitsym) jit;          /* perf-PID.map, by address */
	struct arena *jit_names;
	s64 jit_at;
};

struct usyms {
	struct arena *arena;
	VEC(struct proc *) procs;        /* by pid */
	VEC(struct uobj *) objs;
	u32 last_obj;                    /* found last: mappings of one object are neighbours */
};

static s64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return ts.tv_sec * 1000000000ll + ts.tv_nsec + 1;
}

struct usyms *usyms_get(struct dtx_env *env)
{
	struct sym *sym = sym_get(env);

	if (!sym->usyms) {
		sym->usyms = xcalloc(1, sizeof(struct usyms));
		sym->usyms->arena = arena_new();
	}
	return sym->usyms;
}

void usyms_free(struct usyms *u)
{
	if (!u)
		return;
	for (u32 i = 0; i < u->procs.n; i++) {
		struct proc *p = u->procs.v[i];

		VEC_FREE(&p->maps);
		VEC_FREE(&p->jit);
		arena_free(p->jit_names);
		free(p);
	}
	for (u32 i = 0; i < u->objs.n; i++)
		elfsyms_close(u->objs.v[i]->syms);
	VEC_FREE(&u->procs);
	VEC_FREE(&u->objs);
	arena_free(u->arena);
	free(u);
}

/* ---- mappings ------------------------------------------------------------------- */

static struct uobj *uobj_get(struct usyms *u, u32 major, u32 minor, u64 inode, char *path)
{
	struct uobj *o;
	char *cut;

	for (u32 n = 0; n < u->objs.n; n++) {
		u32 i = (u->last_obj + n) % u->objs.n;

		o = u->objs.v[i];
		if (o->inode == inode && o->dev_major == major && o->dev_minor == minor &&
		    (inode || !strcmp(o->path, path))) {
			u->last_obj = i;
			return o;
		}
	}
	cut = strstr(path, " (deleted)");
	if (cut && !cut[10])
		*cut = '\0';
	o = ARENA_NEW(u->arena, struct uobj);
	*o = (struct uobj){ .dev_major = major, .dev_minor = minor, .inode = inode };
	o->path = arena_strdup(u->arena, path);
	o->name = strrchr(o->path, '/') ? strrchr(o->path, '/') + 1 : o->path;
	u->last_obj = u->objs.n;
	VEC_PUSH(&u->objs, o);
	return o;
}

/* 7f0e3a000000-7f0e3a028000 r--p 00000000 08:01 131 /usr/lib/libc.so.6 */
static bool parse_map(struct usyms *u, char *line, struct umap *m)
{
	unsigned long long start, end, off, inode;
	unsigned int major, minor;
	int at = 0;

	if (sscanf(line, "%llx-%llx %*4s %llx %x:%x %llu %n", &start, &end, &off, &major, &minor,
		   &inode, &at) < 6)
		return false;
	m->start = start;
	m->end = end;
	m->off = off;
	m->obj = line[at] ? uobj_get(u, major, minor, inode, line + at) : NULL;
	return true;
}

static bool maps_read(struct usyms *u, struct proc *p)
{
	char path[40], *text, *line, *next;

	p->read_at = now_ns();
	snprintf(path, sizeof(path), "/proc/%u/maps", p->pid);
	if (file_read(path, &text, NULL))
		return false;
	if (*text)
		p->maps.n = 0;
	for (line = text; *line; line = next) {
		struct umap m;

		next = strchr(line, '\n');
		if (!next)
			break;
		*next++ = '\0';
		if (parse_map(u, line, &m))
			VEC_PUSH(&p->maps, m);
	}
	free(text);
	return true;
}

static struct proc *proc_get(struct usyms *u, u32 pid)
{
	u32 lo = 0, hi = u->procs.n;
	struct proc *p;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (u->procs.v[mid]->pid < pid)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < u->procs.n && u->procs.v[lo]->pid == pid)
		return u->procs.v[lo];
	p = xcalloc(1, sizeof(*p));
	p->pid = pid;
	VEC_PUSH(&u->procs, p);
	memmove(&u->procs.v[lo + 1], &u->procs.v[lo], (u->procs.n - 1 - lo) * sizeof(p));
	u->procs.v[lo] = p;
	return p;
}

void usyms_note(struct usyms *u, u32 pid)
{
	maps_read(u, proc_get(u, pid));
}

static const struct umap *map_at(const struct proc *p, u64 addr)
{
	u32 lo = 0, hi = p->maps.n;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (p->maps.v[mid].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < p->maps.n && p->maps.v[lo].start <= addr ? &p->maps.v[lo] : NULL;
}

static const struct umap *map_find(struct usyms *u, struct proc *p, u64 addr)
{
	s64 age = p->read_at ? now_ns() - p->read_at : INT64_MAX;
	const struct umap *m;

	if (age > MAPS_OLD)
		maps_read(u, p);
	m = map_at(p, addr);
	if (!m && age > MAPS_RETRY && age <= MAPS_OLD && maps_read(u, p))
		m = map_at(p, addr);
	return m;
}

/* ---- objects ------------------------------------------------------------------------ */

static struct elfsyms *vdso_syms(void)
{
	unsigned long base = getauxval(AT_SYSINFO_EHDR);
	struct elfsyms *s;
	void *copy;

	if (!base)
		return NULL;
	copy = xmalloc(VDSO_SIZE);
	memcpy(copy, (const void *)base, VDSO_SIZE);
	s = elfsyms_memory(copy, VDSO_SIZE);
	free(copy);
	return s;
}

static struct elfsyms *uobj_syms(struct uobj *o, u32 pid, const struct umap *m)
{
	char path[PATH_MAX + 64], root[40];
	int fd;

	if (o->tried)
		return o->syms;
	o->tried = true;
	if (!strcmp(o->path, "[vdso]"))
		return o->syms = vdso_syms();
	if (*o->path != '/' || !strncmp(o->path, "/dev/", 5) || !strncmp(o->path, "/memfd:", 7))
		return NULL;
	snprintf(root, sizeof(root), "/proc/%u/root", pid);
	snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", pid,
		 (unsigned long long)m->start, (unsigned long long)m->end);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		snprintf(path, sizeof(path), "%s%s", root, o->path);
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	}
	if (fd < 0) {
		fd = open(o->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		root[0] = '\0';
	}
	if (fd >= 0)
		o->syms = elfsyms_fd(fd, root);
	return o->syms;
}

/* ---- code made at run time: perf-PID.map ---------------------------------------------- */

static int jit_cmp(const void *a, const void *b)
{
	u64 x = ((const struct jitsym *)a)->addr, y = ((const struct jitsym *)b)->addr;

	return x < y ? -1 : x > y;
}

/* The process's own number in its innermost namespace. */
static u32 ns_pid(u32 pid)
{
	char path[40], *text, *p;
	u32 n = pid;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	if (file_read(path, &text, NULL))
		return pid;
	p = strstr(text, "\nNSpid:");
	if (p) {
		for (p += 7; *p == '\t' || *p == ' ';)
			n = (u32)strtoul(p, &p, 10);
	}
	free(text);
	return n;
}

/* Only what the process's own user wrote is believed. */
static int jit_open(u32 pid)
{
	char path[80];
	struct stat file, process;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u", pid);
	if (stat(path, &process))
		return -1;
	snprintf(path, sizeof(path), "/proc/%u/root/tmp/perf-%u.map", pid, ns_pid(pid));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return -1;
	if (!fstat(fd, &file) && S_ISREG(file.st_mode) && file.st_uid == process.st_uid)
		return fd;
	close(fd);
	return -1;
}

static void jit_read(struct proc *p)
{
	char *text, *line, *next, *q;
	int fd = jit_open(p->pid);

	p->jit_at = now_ns();
	if (fd < 0)
		return;
	if (!file_read_fd(fd, &text, NULL)) {
		arena_free(p->jit_names);
		p->jit_names = arena_new();
		p->jit.n = 0;
		for (line = text; (next = strchr(line, '\n')); line = next + 1) {
			struct jitsym s;

			*next = '\0';
			s.addr = strtoull(line, &q, 16);
			s.size = strtoull(q, &q, 16);
			if (*q++ != ' ')
				continue;
			s.name = arena_strdup(p->jit_names, q);
			VEC_PUSH(&p->jit, s);
		}
		if (p->jit.n)
			qsort(p->jit.v, p->jit.n, sizeof(*p->jit.v), jit_cmp);
		free(text);
	}
	close(fd);
}

static bool jit_find(struct usyms *u, struct proc *p, u64 addr, struct usym *out)
{
	u32 lo = 0, hi;

	if (!p->jit_at || now_ns() - p->jit_at > MAPS_OLD)
		jit_read(p);
	for (hi = p->jit.n; lo < hi;) {
		u32 mid = lo + (hi - lo) / 2;

		if (p->jit.v[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || addr - p->jit.v[lo - 1].addr >= p->jit.v[lo - 1].size)
		return false;
	out->object = "[jit]";
	out->sym = arena_strdup(u->arena, p->jit.v[lo - 1].name);
	out->start = p->jit.v[lo - 1].addr;
	out->off = addr - out->start;
	return true;
}

/* ---- questions ------------------------------------------------------------------------- */

/* The .bss of an object is anonymous memory right behind its last mapping. */
static bool lookup_bss(const struct proc *p, const struct umap *m, u64 addr, struct usym *out)
{
	const struct elfsym *sym;
	u64 vaddr;

	if (m == p->maps.v || m[-1].end != m->start || !m[-1].obj || !m[-1].obj->syms)
		return false;
	out->file_off = addr - m[-1].start + m[-1].off;
	vaddr = elfsyms_vaddr(m[-1].obj->syms, out->file_off);
	sym = vaddr == ~0ull ? NULL : elfsyms_at(m[-1].obj->syms, vaddr);
	if (!sym)
		return false;
	out->object = m[-1].obj->name;
	out->sym = sym->name;
	out->off = vaddr - sym->addr;
	out->start = addr - out->off;
	return true;
}

bool usyms_lookup(struct usyms *u, u32 pid, u64 addr, struct usym *out)
{
	struct proc *p = proc_get(u, pid);
	const struct umap *m = map_find(u, p, addr);
	const struct elfsym *sym;
	struct elfsyms *syms;
	u64 vaddr;

	memset(out, 0, sizeof(*out));
	if (!m)
		return false;
	out->file_off = addr - m->start + m->off;
	syms = m->obj ? uobj_syms(m->obj, pid, m) : NULL;
	if (!syms && jit_find(u, p, addr, out))
		return true;
	if (!m->obj)
		return lookup_bss(p, m, addr, out);
	out->object = m->obj->name;
	out->off = out->file_off;
	out->start = addr;
	vaddr = syms ? elfsyms_vaddr(syms, out->file_off) : ~0ull;
	if (vaddr == ~0ull)
		return true;
	out->off = vaddr;
	sym = elfsyms_at(syms, vaddr);
	if (sym) {
		out->sym = sym->name;
		out->off = vaddr - sym->addr;
		out->start = addr - out->off;
	}
	return true;
}

bool usyms_find(struct usyms *u, u32 pid, u64 addr, const char **object, const char **sym, u64 *off,
		u64 *start)
{
	struct usym s;
	bool found = usyms_lookup(u, pid, addr, &s);

	*object = s.object;
	*sym = s.sym;
	*off = s.off;
	*start = s.start;
	return found;
}
