/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usyms.c - addresses of processes.
 *
 *   pid, exec -> process: mappings by address -> object (dev, inode) -> codefile
 *
 * Mappings are read on the first lookup in a process, again when an address is
 * unknown or they are old, and are kept when the process has ended or runs another
 * program: its addresses never get names of that one.  Objects are
 * shared by all processes: libc is one (another one when it was replaced).
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dtx/opt.h>

#include "runtime/code/code.h"
#include "runtime/proc/proc.h"
#include "runtime/stack/stack-private.h"

#define MAPS_OLD   1000000000ll  /* ns after which mappings are read again */
#define MAPS_RETRY 20000000ll    /* ns before mappings are read again for an unknown address */
#define GONE_MOST 1024           /* mappings of a process that are no more */
#define FOLLOWED_MOST 256        /* processes that make code */
#define MEMFD "/memfd:"          /* how paths of files in memory begin */
#define NO_MAPPING 65536         /* nothing is mapped below: vm.mmap_min_addr of Debian */

struct uobj {
	u32 dev_major, dev_minor;
	u64 inode;
	const char *path;                /* in its process's mount namespace */
	const char *name;                /* base name */
	struct codefile *file;           /* NULL: none, or not yet opened */
	bool tried;                      /* it was opened */
	u32 no_file; /* the last process through which it could not be opened */
	bool replaced; /* it has changed since: used only for processes that have ended */
};

struct umap {
	u64 start, end, off;
	struct uobj *obj;                /* NULL: anonymous */
	bool code;
};

/* A process while it runs one program. */
struct proc {
	u32 pid;
	u32 exec;                        /* DTX_EXEC_OF() it, 0: not known */
	bool over;                       /* it runs another program now */
	s64 read_at;                     /* ns, 0: never */
	bool our_root;                   /* its paths are valid for dtx too */
	VEC(struct umap) maps;
	struct jitcode *jit;
};

struct usyms {
	struct dtx_env *env;
	struct arena *arena;
	VEC(struct proc *) procs;        /* by pid, then exec */
	VEC(struct uobj *) objs;
	VEC(u32) followed;               /* processes that make code and run */
	u32 last_obj;                    /* last one found: mappings of one object are adjacent */
};

struct usyms *usyms_get(struct dtx_env *env)
{
	struct symtabs *sym = symtabs_get(env);

	if (!sym->usyms) {
		sym->usyms = xcalloc(1, sizeof(struct usyms));
		sym->usyms->env = env;
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
		jitcode_free(p->jit);
		free(p);
	}
	VEC_FREE(&u->procs);
	VEC_FREE(&u->objs);
	VEC_FREE(&u->followed);
	arena_free(u->arena);
	free(u);
}

/* ---- mappings ------------------------------------------------------------------- */

static struct uobj *uobj_get(struct usyms *u, u32 major, u32 minor, u64 inode, char *path)
{
	struct uobj *o;

	for (u32 n = 0; n < u->objs.n; n++) {
		u32 i = (u->last_obj + n) % u->objs.n;

		o = u->objs.v[i];
		if (o->inode == inode && o->dev_major == major && o->dev_minor == minor &&
		    !o->replaced && (inode || !strcmp(o->path, path))) {
			u->last_obj = i;
			return o;
		}
	}
	path[proc_told_len(path)] = '\0';
	o = ARENA_NEW(u->arena, struct uobj);
	*o = (struct uobj){ .dev_major = major, .dev_minor = minor, .inode = inode };
	o->path = arena_strdup(u->arena, path);
	o->name = strrchr(o->path, '/') ? strrchr(o->path, '/') + 1 : o->path;
	u->last_obj = u->objs.n;
	VEC_PUSH(&u->objs, o);
	return o;
}

/*
 * A rebuilt file often gets the inode of the previous one.  This checks the file itself, so only
 * for objects whose symbols were read, and for the first mapping of each.
 */
static bool was_replaced(const struct proc *p, const struct umap *m)
{
	const struct uobj *o = m->obj;
	struct file_id now, then;
	char path[PROCMAP_FILE];

	if (!o || !o->file || !o->inode || (p->maps.n && p->maps.v[p->maps.n - 1].obj == o))
		return false;
	procmap_file(path, p->pid, m->start, m->end);
	now = file_identity(path);
	then = *codefile_id(o->file);
	return now.ino && (now.size != then.size || now.changed != then.changed);
}

/* The vDSO of 32-bit programs is another one than that of dtx, and has no file. */
static void name_vdso(struct proc_map *m)
{
	static char vdso32[] = "[vdso32]";

	if (m->start <= UINT32_MAX && !strcmp(m->path, "[vdso]"))
		m->path = vdso32;
}

struct maps_reader {
	struct usyms *u;
	struct proc *p;
	bool begun;
};

/* A process that has ended has no mappings: the old ones are kept. */
static bool maps_add(void *arg, struct proc_map *from)
{
	struct maps_reader *r = arg;
	struct proc *p = r->p;
	struct umap m = { .start = from->start, .end = from->end, .off = from->off,
			  .code = from->code };

	if (!r->begun) {
		r->begun = true;
		p->maps.n = 0;
		p->our_root = proc_our_root(p->pid);
	}
	name_vdso(from);
	if (*from->path)
		m.obj = uobj_get(r->u, from->major, from->minor, from->inode, from->path);
	if (was_replaced(p, &m)) {
		m.obj->replaced = true;
		m.obj = uobj_get(r->u, from->major, from->minor, from->inode, from->path);
	}
	VEC_PUSH(&p->maps, m);
	jitcode_mapped(p->jit, from);
	return true;
}

/* The first of n mappings that ends above addr. */
static u32 map_above(const struct umap *v, u32 n, u64 addr)
{
	return BISECT(i, n, v[i].end > addr);
}

static const struct umap *map_at(const struct proc *p, u64 addr)
{
	u32 at = map_above(p->maps.v, p->maps.n, addr);

	return at < p->maps.n && p->maps.v[at].start <= addr ? &p->maps.v[at] : NULL;
}

static int umap_cmp(const void *pa, const void *pb)
{
	const struct umap *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* Code that is not mapped any more (dlclose()) keeps its names, if nothing else took its place. */
static void keep_gone(struct proc *p, const struct umap *old, u32 n)
{
	u32 now = p->maps.n;

	for (u32 i = 0; i < n; i++) {
		u32 at = map_above(p->maps.v, now, old[i].start);

		if (old[i].code && p->maps.n < now + GONE_MOST &&
		    (at == now || p->maps.v[at].start >= old[i].end))
			VEC_PUSH(&p->maps, old[i]);
	}
	if (p->maps.n > now)
		qsort(p->maps.v, p->maps.n, sizeof(*p->maps.v), umap_cmp);
}

/* Does the process run another program than this one? */
static bool proc_over(struct proc *p)
{
	u32 exec = p->exec && !p->over ? proc_exec(p->pid) : 0;

	if (exec && exec != p->exec)
		p->over = true;
	return p->over;
}

static bool maps_read(struct usyms *u, struct proc *p)
{
	struct maps_reader r = { .u = u, .p = p };
	u32 n = p->maps.n;
	struct umap *old;
	bool read;

	p->read_at = clock_ns(CLOCK_MONOTONIC_COARSE);
	if (proc_over(p))
		return false;
	old = xmalloc((n + 1) * sizeof(*old));
	if (n)
		memcpy(old, p->maps.v, n * sizeof(*old));
	read = procmap_each(p->pid, maps_add, &r);
	if (proc_over(p)) {                      /* meanwhile: these may be those of either */
		p->maps.n = 0;
		for (u32 i = 0; i < n; i++)
			VEC_PUSH(&p->maps, old[i]);
	} else if (r.begun) {
		keep_gone(p, old, n);
	}
	free(old);
	return read && !p->over;
}

static u64 proc_key(u32 pid, u32 exec)
{
	return (u64)pid << 32 | exec;
}

/* The first process with this key or a larger one. */
static u32 proc_index(const struct usyms *u, u64 key)
{
	return BISECT(i, u->procs.n, proc_key(u->procs.v[i]->pid, u->procs.v[i]->exec) >= key);
}

static struct proc *proc_exact(struct usyms *u, u32 pid, u32 exec)
{
	u32 lo = proc_index(u, proc_key(pid, exec));
	struct proc *p;

	if (lo < u->procs.n && u->procs.v[lo]->pid == pid && u->procs.v[lo]->exec == exec)
		return u->procs.v[lo];
	p = xcalloc(1, sizeof(*p));
	p->pid = pid;
	p->exec = exec;
	p->jit = jitcode_new(pid, opt_num(u->env, OPT_stacklines));
	VEC_PUSH(&u->procs, p);
	memmove(&u->procs.v[lo + 1], &u->procs.v[lo], (u->procs.n - 1 - lo) * sizeof(p));
	u->procs.v[lo] = p;
	return p;
}

/* What the process runs now; when it has ended, what was read last. */
static struct proc *proc_now(struct usyms *u, u32 pid)
{
	u32 exec = proc_exec(pid);
	struct proc *last = NULL;

	if (exec)
		return proc_exact(u, pid, exec);
	for (u32 i = proc_index(u, proc_key(pid, 0)); i < u->procs.n; i++) {
		struct proc *p = u->procs.v[i];

		if (p->pid != pid)
			break;
		if (!last || p->read_at > last->read_at)
			last = p;
	}
	return last ? last : proc_exact(u, pid, 0);
}

static struct proc *proc_get(struct usyms *u, u32 pid, u32 exec)
{
	return exec ? proc_exact(u, pid, exec) : proc_now(u, pid);
}

void usyms_note(struct usyms *u, u32 pid)
{
	maps_read(u, proc_now(u, pid));
}

static const struct umap *map_find(struct usyms *u, struct proc *p, u64 addr)
{
	s64 age = p->read_at ? clock_ns(CLOCK_MONOTONIC_COARSE) - p->read_at : INT64_MAX;
	const struct umap *m;

	if (age > MAPS_OLD)
		maps_read(u, p);
	m = map_at(p, addr);
	if (!m && age > MAPS_RETRY && age <= MAPS_OLD && maps_read(u, p))
		m = map_at(p, addr);
	return m;
}

/* ---- objects ------------------------------------------------------------------------ */

/* Of a program that is over, the mapping may be another one now. */
static struct codefile *uobj_open(struct usyms *u, const struct uobj *o, const struct proc *p,
				  const struct umap *m)
{
	struct proc_mapped its = { .pid = p->pid, .start = p->over ? 0 : m->start,
				   .end = p->over ? 0 : m->end, .told = o->path, .ino = o->inode,
				   .major = o->dev_major, .minor = o->dev_minor,
				   .our_root = p->our_root };

	return codefile_mapped(u->env, &its);
}

/* Its file; NULL: it is none of code, or cannot be opened. */
static struct codefile *uobj_file(struct usyms *u, struct uobj *o, const struct proc *p,
				  const struct umap *m)
{
	if (o->tried || o->no_file == p->pid)
		return o->file;
	o->tried = *o->path != '/' || !strncmp(o->path, "/dev/", 5);
	if (!strcmp(o->path, "[vdso]"))
		o->file = codefile_vdso(u->env);
	if (o->tried)
		return o->file;
	o->file = uobj_open(u, o, p, m);
	o->tried = o->file;
	if (!o->file)
		o->no_file = p->pid;
	return o->file;
}

static struct elfsyms *uobj_syms(struct usyms *u, struct uobj *o, const struct proc *p,
				 const struct umap *m)
{
	struct codefile *f = uobj_file(u, o, p, m);

	if (f)
		codefile_room(f);
	return f ? codefile_symbols(f) : NULL;
}

static bool jit_find(struct usyms *u, struct proc *p, u64 addr, struct usym *out)
{
	const struct jitsym *sym = p->over ? NULL : jitcode_at(p->jit, addr);

	if (!sym)
		return false;
	out->object = "[jit]";
	out->sym = arena_strdup(u->arena, sym->name);
	out->start = sym->addr;
	out->off = addr - out->start;
	out->jit = p->jit;
	return true;
}

/* ---- processes that make code ------------------------------------------------------------ */

/* What is known of code in memory as long as its process is there; files in memory may be libraries
 * with symbols. */
static void read_memory_code(struct usyms *u, struct proc *p)
{
	for (u32 i = 0; i < p->maps.n; i++) {
		const struct umap *m = &p->maps.v[i];

		if (m->code && m->obj && !strncmp(m->obj->path, MEMFD, strlen(MEMFD)))
			uobj_syms(u, m->obj, p, m);
	}
	jitcode_read(p->jit);
}

void usyms_follow(struct usyms *u, u32 pid)
{
	struct proc *p = proc_now(u, pid);

	if (u->followed.n < FOLLOWED_MOST && maps_read(u, p)) {
		read_memory_code(u, p);
		VEC_PUSH(&u->followed, pid);
	}
}

void usyms_refresh(struct usyms *u)
{
	u32 n = 0;

	for (u32 i = 0; i < u->followed.n; i++) {
		struct proc *p = proc_now(u, u->followed.v[i]);

		if (maps_read(u, p))
			u->followed.v[n++] = p->pid;
		read_memory_code(u, p);
	}
	u->followed.n = n;
}

/* ---- questions ------------------------------------------------------------------------- */

/* The .bss of an object is anonymous memory directly after its last mapping. */
static bool lookup_bss(const struct proc *p, const struct umap *m, u64 addr, struct usym *out)
{
	const struct elfsym *sym;
	struct elfsyms *syms;
	u64 vaddr;

	if (m == p->maps.v || m[-1].end != m->start || !m[-1].obj || !m[-1].obj->file)
		return false;
	syms = codefile_symbols(m[-1].obj->file);
	out->file_off = addr - m[-1].start + m[-1].off;
	vaddr = syms ? elfsyms_vaddr(syms, out->file_off) : ~0ull;
	sym = vaddr == ~0ull ? NULL : elfsyms_at(syms, vaddr);
	if (!sym)
		return false;
	out->object = m[-1].obj->name;
	out->sym = sym->name;
	out->off = vaddr - sym->addr;
	out->start = addr - out->off;
	return true;
}

bool usyms_lookup(struct usyms *u, u32 pid, u32 exec, u64 addr, struct usym *out)
{
	struct proc *p = proc_get(u, pid, exec);
	const struct umap *m = map_find(u, p, addr);
	const struct elfsym *sym;
	struct elfsyms *syms;

	*out = (struct usym){ .vaddr = ~0ull };
	if (!m)
		return false;
	out->file_off = addr - m->start + m->off;
	syms = m->obj ? uobj_syms(u, m->obj, p, m) : NULL;
	if (!syms && jit_find(u, p, addr, out))
		return true;
	if (!m->obj)
		return lookup_bss(p, m, addr, out);
	out->object = m->obj->name;
	out->off = out->file_off;
	out->start = addr;
	out->dwarf = m->obj->file ? stack_source(u->env, m->obj->file) : NULL;
	out->vaddr = syms ? elfsyms_vaddr(syms, out->file_off) : ~0ull;
	if (out->vaddr == ~0ull)
		return true;
	out->off = out->vaddr;
	sym = elfsyms_at(syms, out->vaddr);
	if (sym) {
		out->sym = sym->name;
		out->off = out->vaddr - sym->addr;
		out->start = addr - out->off;
	}
	return true;
}

bool usyms_no_code(struct usyms *u, u32 pid, u32 exec, u64 addr)
{
	const struct umap *m = map_find(u, proc_get(u, pid, exec), addr);

	return addr < NO_MAPPING || (m && !m->code);
}

bool usyms_find(struct usyms *u, const struct dtx_symref *at, const char **object, u64 *start)
{
	struct usym s;
	bool found;

	codefiles_trim(u->env);
	found = usyms_lookup(u, at->pid, at->exec, at->addr, &s);
	*object = s.object;
	*start = s.sym ? s.start : at->addr;
	return found;
}
