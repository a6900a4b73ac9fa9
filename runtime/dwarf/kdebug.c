/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kdebug.c - finds the files with the debugging information of the running kernel and of its
 * modules: by build id, by the kernel's release below /usr/lib/debug, or the module itself.  A file
 * of another build is not used: its addresses would be wrong.
 */
#include <stdlib.h>
#include <sys/utsname.h>

#include <elfutils/libdwelf.h>


#include "runtime/code/code.h"
#include "runtime/dwarf/dwarf-private.h"

#define ID_MOST   64                     /* bytes of a build id */
#define NOTE_ID   3                      /* NT_GNU_BUILD_ID (elf.h) */
#define MODULES   "/lib/modules/%s/%s"

struct search {
	struct dtx_env *env;
	const char *module, *release;
	u8 id[ID_MOST];
	u32 id_len;                      /* 0: unknown */
	const char *found, *expected;    /* expected: where a package would put it */
	const char *other;               /* a file of another build */
};

/* ---- the build id ------------------------------------------------------------------------ */

static u32 padded(u32 n)
{
	return (n + 3) & ~3u;
}

/* ELF notes: the length of the name and of the content, the kind, then both, padded to words. */
static void read_build_id(struct search *s)
{
	const char *file = !strcmp(s->module, "vmlinux") ? "/sys/kernel/notes" :
			   arena_printf(s->env->arena,
					"/sys/module/%s/notes/.note.gnu.build-id", s->module);
	char *data;
	size_t len;
	u32 h[3];

	if (machine_read(s->env, file, &data, &len))
		return;
	for (size_t at = 0; at + sizeof(h) <= len; at += sizeof(h) + padded(h[0]) + padded(h[1])) {
		const char *name = data + at + sizeof(h);

		memcpy(h, data + at, sizeof(h));
		if (h[0] > len || h[1] > ID_MOST || at + sizeof(h) + padded(h[0]) + h[1] > len)
			break;
		if (h[2] != NOTE_ID || h[0] != 4 || memcmp(name, "GNU", 4))
			continue;
		s->id_len = h[1];
		memcpy(s->id, name + 4, h[1]);
		break;
	}
	free(data);
}

/* ---- files --------------------------------------------------------------------------------- */

static bool is_same_build(const struct search *s, Elf *elf)
{
	const void *id;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &id);

	if (!s->id_len)                  /* of a description: nothing else tells */
		return machine_is_here(s->env);
	return n == (ssize_t)s->id_len && !memcmp(id, s->id, s->id_len);
}

static void try_file(struct search *s, const char *path)
{
	struct dwarf_obj *o = NULL;

	if (!s->found && !file_access(path, 0)) {
		file_view_except(path);  /* its build id tells that it is the kernel's */
		o = dwarf_open(s->env, path);
	}
	if (o && is_same_build(s, o->elf)) {
		o->module = arena_strdup(s->env->arena, s->module);
		s->found = o->path;
	} else if (o) {
		s->other = s->other ? s->other : o->path;
	}
}

static void try_build_id(struct search *s)
{
	struct buf b = { 0 };

	if (s->id_len < 2)
		return;
	buf_printf(&b, "/usr/lib/debug/.build-id/%02x/", s->id[0]);
	for (u32 i = 1; i < s->id_len; i++)
		buf_printf(&b, "%02x", s->id[i]);
	buf_puts(&b, ".debug");
	try_file(s, b.data);
	buf_free(&b);
}

static void try_kernel(struct search *s)
{
	static const char *const places[] = {
		"/usr/lib/debug/boot/vmlinux-%s", "/usr/lib/debug/lib/modules/%s/vmlinux",
		"/usr/lib/debug/vmlinux-%s", "/lib/modules/%s/build/vmlinux",
		"/lib/modules/%s/vmlinux", "/boot/vmlinux-%s",
	};
	struct arena *a = s->env->arena;

	s->expected = arena_printf(a, places[0], s->release);
	for (u32 i = 0; i < ARRAY_SIZE(places); i++)
		try_file(s, arena_printf(a, places[i], s->release));
}

/* "kernel/fs/xfs/xfs.ko.xz" of the line for this module, without ".xz"; names of files may have
 * '-' where names of modules have '_'. */
static const char *module_path(struct search *s, char *text)
{
	char *save = NULL;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *end = strchr(line, ':'), *base, *ko;

		if (!end)
			continue;
		*end = '\0';
		base = strrchr(line, '/') ? strrchr(line, '/') + 1 : line;
		ko = strstr(base, ".ko");
		if (!ko || strlen(s->module) != (size_t)(ko - base))
			continue;
		ko[3] = '\0';
		for (end = base; end < ko && (*end == '-' ? '_' : *end) == s->module[end - base];)
			end++;
		if (end == ko)
			return arena_strdup(s->env->arena, line);
	}
	return NULL;
}

static void try_module(struct search *s)
{
	struct arena *a = s->env->arena;
	const char *path = NULL;
	char *text;
	size_t len;

	if (!file_read(arena_printf(a, MODULES, s->release, "modules.dep"), &text, &len)) {
		path = module_path(s, text);
		free(text);
	}
	if (path) {
		s->expected = arena_printf(a, "/usr/lib/debug" MODULES, s->release, path);
		try_file(s, s->expected);
		try_file(s, arena_printf(a, "%s.debug", s->expected));
		try_file(s, arena_printf(a, MODULES, s->release, path));
		if (strncmp(path, "kernel/", 7))
			s->expected = NULL;      /* of no package of the kernel */
	}
	try_file(s, arena_printf(a, "/lib/modules/%s/extra/%s.ko", s->release, s->module));
	try_file(s, arena_printf(a, "/lib/modules/%s/updates/%s.ko", s->release, s->module));
}

/* ---- what is missing ------------------------------------------------------------------------ */

/* Packages by the ID of os-release(5). */
static const struct { const char *id, *package; } packages[] = {
	{ "debian", "linux-image-%s-dbg" },  { "ubuntu", "linux-image-%s-dbgsym" },
	{ "fedora", "kernel-debuginfo-%s" }, { "rhel", "kernel-debuginfo-%s" },
	{ "centos", "kernel-debuginfo-%s" }, { "rocky", "kernel-debuginfo-%s" },
	{ "almalinux", "kernel-debuginfo-%s" },
};

/* The package with the file; NULL: unknown. */
static const char *package_of(struct search *s)
{
	const char *package = NULL;
	char *text, *id;
	size_t len;

	if (file_read("/etc/os-release", &text, &len))
		return NULL;
	id = !strncmp(text, "ID=", 3) ? text : strstr(text, "\nID=");
	id = id ? id + strcspn(id, "=") + 1 : NULL;
	for (u32 i = 0; id && i < ARRAY_SIZE(packages); i++) {
		size_t n = strlen(packages[i].id);
		const char *at = id + (*id == '"');

		if (!strncmp(at, packages[i].id, n) && strchr("\"\n", at[n]))
			package = arena_printf(s->env->arena, packages[i].package, s->release);
	}
	free(text);
	return package;
}

static const char *missing(struct search *s)
{
	bool is_kernel = !strcmp(s->module, "vmlinux");
	const char *whose = is_kernel ? "the kernel" :
			    arena_printf(s->env->arena, "module '%s'", s->module);
	const char *package = s->expected ? package_of(s) : NULL;

	if (s->other)
		return arena_printf(s->env->arena, "%s is of another build of %s: its build id "
				    "differs", s->other, whose);
	if (package)
		return arena_printf(s->env->arena, "the debugging information of %s is not "
				    "installed: package %s has it, as %s", whose, package,
				    s->expected);
	if (s->expected)
		return arena_printf(s->env->arena, "the debugging information of %s is not here: "
				    "its place is %s", whose, s->expected);
	return arena_printf(s->env->arena, "%s has no debugging information: compile it with -g, "
			    "and install it as /lib/modules/%s/extra/%s.ko", whose, s->release,
			    s->module);
}

const char *kdebug_file(struct dtx_env *env, const char *module, const char **why)
{
	struct search s = { .env = env, .module = module };

	s.release = arena_strdup(env->arena, machine_uname(env)->release);
	read_build_id(&s);
	try_build_id(&s);
	if (!strcmp(module, "vmlinux"))
		try_kernel(&s);
	else
		try_module(&s);
	if (!s.found && s.id_len) {
		const char *fetched = debug_fetch_id(env->arena, s.id, s.id_len);

		if (fetched)
			try_file(&s, fetched);
	}
	if (!s.found && why)
		*why = missing(&s);
	return s.found;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* kdebug_file(), asked once for each module. */
static struct dwarf_obj *open_once(struct dtx_env *env, const char *module)
{
	struct symtabs *sym = symtabs_get(env);
	const char *path;

	if (!sym->kdebug)
		sym->kdebug = map_new();
	path = map_get(sym->kdebug, module);
	if (!path) {
		path = kdebug_file(env, module, NULL);
		path = path ? path : "";
		map_add(sym->kdebug, module, (void *)path);
	}
	return *path ? dwarf_open(env, path) : NULL;
}

const char *kdebug_symbol(struct elfsyms *syms, const char *module, u64 addr, u64 *off)
{
	const struct elfsym *s;
	u64 at;

	if (!strcmp(module, "vmlinux") && elfsyms_value(syms, KDEBUG_FIRST_CODE, &at)) {
		*off = addr - at;
		return KDEBUG_FIRST_CODE;
	}
	s = elfsyms_only(syms, addr);
	*off = s ? addr - s->addr : 0;
	return s ? s->name : NULL;
}

/* In a module only the place of a function is known, if one alone has the name. */
struct dwarf_obj *kdebug_place(struct dtx_env *env, const char *module, const char *func, u64 addr,
			       u64 off, u64 *vaddr)
{
	struct dwarf_obj *o = open_once(env, module);
	struct elfsyms *syms = o ? dwarf_code(o) : NULL;
	u64 start = ksyms_addr(ksyms_get(env), module, KDEBUG_FIRST_CODE), at;
	const struct elfsym *f;

	if (!syms)
		return NULL;
	if (!strcmp(module, "vmlinux") && elfsyms_value(syms, KDEBUG_FIRST_CODE, &at)) {
		*vaddr = addr - start + at;
		return start ? o : NULL;
	}
	f = elfsyms_by_name(syms, func);
	if (!f || f->is_twice)
		return NULL;
	*vaddr = f->addr + off;
	return o;
}
