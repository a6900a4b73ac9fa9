/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf.c - libFuzzer harness of the debugging information of traced programs: prototypes of their
 * functions by address, their types by name, their lines, and the variables and functions
 * at each.
 */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "walk.h"

#include "runtime/code/code.h"
#include "runtime/dwarf/debuginfo.h"
#include "runtime/dwarf/frame.h"
#include "runtime/kernel/kernel.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

struct seen { struct dtx_env *env; const char *path; u32 n; };

static int function(void *arg, const struct elfsym *s)
{
	struct seen *f = arg;

	struct type *proto = dwarf_function(f->env, f->path, s->addr, s->name);
	struct dwarf_params params = { .n = proto ? MIN(proto->count, 16u) : 0 };

	walk_type(f->env->arena, proto, 0);
	params.args = ARENA_ARRAY(f->env->arena, struct dtx_arg, params.n + 1);
	for (u32 i = 0; i < params.n; i++) {
		params.args[i].type = proto->params[i].type;
		params.args[i].size = (u16)type_complete(type_base(proto->params[i].type))->size;
	}
	dwarf_parameters(f->env, f->path, s->addr, &params);
	return ++f->n == 32;
}

static void lines(struct dtx_env *env, const char *path)
{
	const struct dwarf_lines_of all = { .file = "*", .func = "*" };
	struct dwarf_site *sites;
	struct dtx_arg *vars;
	u32 n = dwarf_lines(env, path, &all, &sites);
	struct dwarf_obj *o = dwarf_file(env, codefile_at(env, path));
	struct dwarf_frame frames[DWARF_FRAMES];

	for (u32 i = 0; i < n && i < 32; i++) {
		dwarf_variables(env, path, sites[i].addr,
				i % 2 ? sites[i].func : i % 4 ? "" : NULL, &vars);
		if (o && dwarf_frames_at(o, sites[i].addr, frames) > DWARF_FRAMES)
			__builtin_trap();
	}
	dwarf_copies(env, path, "f", &sites);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct dtx_env env;
	const char *err;
	char path[64];
	int fd = memfd_create("dwarf", MFD_CLOEXEC);

	walked = 0;
	env_open(&env);
	if (write(fd, data, size) == (ssize_t)size) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		struct elfsyms *e = elfsyms_open(path, &err);
		struct seen f = { &env, path };

		if (e) {
			elfsyms_each(e, function, &f);
			dwarf_note(&env, path);
			walk_names(env.arena, dwarf_types(&env), data, size);
			lines(&env, path);
		}
		elfsyms_close(e);
	}
	env_close(&env);
	close(fd);
	return 0;
}
