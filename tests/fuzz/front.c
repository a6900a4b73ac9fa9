/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * front.c - libFuzzer harness of the front half of the compiler: lexer, parser, checker, layout.
 *
 * One input is one program.  Its first byte, when it is above 0x7f, chooses how the program is
 * given (script, -n, -P … and options); the rest is the text.  Nothing of the machine is looked
 * at: probes are dtrace's, profile's and those made below, so are kernel types, abilities are all
 * there.  Everything is freed before the next input.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/kind.h>
#include <dtx/tables/loc.h>
#include <dtx/opt.h>

#include "compiler/comp.h"

static void show(void *out, const struct dtx_message *m)
{
	message_text(m, out, false, 160);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define INPUT_MAX  8192          /* longer ones only repeat what shorter ones show */

/* ---- in place of the kernel ---------------------------------------------------------- */

static struct type mm = { .kind = T_STRUCT, .name = "mm_struct", .incomplete = true };
static struct type mm_ptr = { .kind = T_PTR, .size = 8, .to = &mm };
static struct type task, task_ptr = { .kind = T_PTR, .size = 8, .to = &task };
static struct type comm = { .kind = T_ARRAY, .size = 16, .to = &ty_char, .count = 16 };
static struct type_member task_members[] = {
	{ "pid", &ty_int, 0, 0 }, { "tgid", &ty_int, 32, 0 }, { "comm", &comm, 64, 0 },
	{ "parent", &task_ptr, 192, 0 }, { "mm", &mm_ptr, 256, 0 }, { "flags", &ty_uint, 320, 0 },
	{ "bit", &ty_uint, 352, 3 }, { "utime", &ty_ulong, 384, 0 },
};
static struct type task = {
	.kind = T_STRUCT, .name = "task_struct", .size = 56, .members = task_members,
	.count = ARRAY_SIZE(task_members), .origin = "the harness",
};

extern const struct dtx_provider provider_syscall;

static struct type *types_by_name(struct type_source *src, struct arena *a, enum type_kind what,
				  const char *name)
{
	if (what != T_STRUCT)
		return NULL;
	return !strcmp(name, "task_struct") ? &task : !strcmp(name, "mm_struct") ? &mm : NULL;
}

static struct type *types_function(struct type_source *src, struct arena *a, const char *module,
				   const char *name)
{
	return NULL;
}

static struct type *types_variable(struct type_source *src, struct arena *a, const char *module,
				   const char *name)
{
	return !strcmp(name, "jiffies") ? &ty_ulong : !strcmp(name, "init_task") ? &task : NULL;
}

static struct type_source types = {
	.name = "the harness", .by_name = types_by_name, .function = types_function,
	.variable = types_variable,
};

bool env_has(struct dtx_env *env, u32 f)
{
	return true;
}

/* A few system calls, with arguments of every kind; the numbers are those of the real one. */
static int syscall_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
			void *arg)
{
	static const char *const funcs[] = { "read", "write", "openat", "exit_group" };
	static const char *const names[] = { "entry", "return" };

	for (u32 i = 0; i < 2 * ARRAY_SIZE(funcs); i++) {
		struct dtx_probe *p = ARENA_NEW(env->arena, struct dtx_probe);
		int err;

		*p = (struct dtx_probe){
			.provider = &provider_syscall, .id = 1000 + i, .prov = "syscall",
			.mod = "vmlinux", .func = funcs[i / 2], .name = names[i % 2],
			.prog = { .kind = PK_RAW_TP, .ident = IDENT_DISPATCH,
				  .hook = i % 2 ? "sys_exit" : "sys_enter" },
			.place = { .num = i / 2, .is_syscall_return = i % 2 },
			.args.ret = -1,
		};
		if ((pat->id && pat->id != p->id) || !glob_matches(pat->prov, p->prov) ||
		    !glob_matches(pat->mod, p->mod) || !glob_matches(pat->func, p->func) ||
		    !glob_matches(pat->name, p->name))
			continue;
		err = each(arg, p);
		if (err)
			return err;
	}
	return 0;
}

static int syscall_args(struct dtx_env *env, struct dtx_probe *p)
{
	static const struct dtx_arg entry[] = {
		{ .name = "fd", .ctype = "unsigned int" },
		{ .name = "buf", .ctype = "char *", .user = true },
		{ .name = "task", .type = &task_ptr, .trusted = true },
		{ .name = "odd", .ctype = "struct nowhere *", .user = true },
	};

	p->args.n = p->place.is_syscall_return ? 2 : ARRAY_SIZE(entry);
	p->args.v = ARENA_ARRAY(env->arena, struct dtx_arg, p->args.n);
	if (!p->place.is_syscall_return)
		memcpy(p->args.v, entry, sizeof(entry));
	for (u32 i = 0; i < p->args.n; i++) {
		p->args.v[i].loc = LOC_CTX;
		p->args.v[i].off = 8 * i;
		p->args.v[i].size = 8;
	}
	p->args.untyped = p->place.is_syscall_return;
	p->args.ret = p->place.is_syscall_return ? 1 : -1;
	return 0;
}

const struct dtx_provider provider_syscall = {
	.name = "syscall", .doc = "", .list = syscall_list, .args = syscall_args,
};

u64 env_ksym(struct dtx_env *env, const char *module, const char *name)
{
	bool known = !strcmp(name, "jiffies") || !strcmp(name, "init_task");

	return known && (!*module || !strcmp(module, "vmlinux")) ? 0xffffffff81000000 : 0;
}

/* No files, no other programs. */
int file_read(const char *path, char **data, size_t *len)
{
	return -ENOENT;
}

pid_t fork(void)
{
	errno = EAGAIN;
	return -1;
}

static int no_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
		   void *arg)
{
	return 0;
}

#define NO_PROVIDER(id)  const struct dtx_provider provider_##id = { #id, "", .list = no_list }
NO_PROVIDER(tracepoint);
NO_PROVIDER(rawtp);
NO_PROVIDER(fbt);
NO_PROVIDER(rawfbt);
NO_PROVIDER(uprobe);
NO_PROVIDER(pid);
NO_PROVIDER(usdt);
NO_PROVIDER(iter);
NO_PROVIDER(watchpoint);
NO_PROVIDER(hardware);
NO_PROVIDER(software);
NO_PROVIDER(cpc);

/* The rows of stable.def stand on probes of the machine. */
#define PROVIDER(name, base)
#define STABLE(name, base, doc)  NO_PROVIDER(name);
#include <dtx/tables/providers.def>
#undef PROVIDER

/* The end of the pipeline. */
bool emit_image(struct comp *c)
{
	return false;
}

/* ---- one program ------------------------------------------------------------------------ */

static void env_make(struct dtx_env *env, u8 mode)
{
	static const char *const flags[] = { "pspec", "zdefs", "empty", "destructive" };
	static const char *args[] = { "front", "1", "two" };
	const char *near;

	memset(env, 0, sizeof(*env));
	env->arena = arena_new();
	env->sources[0] = &types;
	diags_init(&env->diags, env->arena);
	env->opts = options_new(env->arena);
	for (u32 i = 0; i < ARRAY_SIZE(flags); i++)
		if (mode & 8 << i)
			options_set(env->opts, env->arena, flags[i], NULL, &near);
	options_set(env->opts, env->arena, "argref", NULL, &near);
	env->nargs = ARRAY_SIZE(args);
	env->args = args;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const struct { u32 align; bool script, id; } kinds[8] = {
		{ 4, true, false }, { 4, false, false }, { 3, false, false }, { 2, false, false },
		{ 1, false, false }, { 4, false, true }, { 4, true, false }, { 4, false, false },
	};
	u8 mode = size && *data > 0x7f ? *data & 0x7f : 0x40;
	struct compile_opts opts = { .stop_after = "plan", .dump = "ast,typed,plan" };
	struct buf dumped = { 0 }, errors = { 0 };
	struct dtx_env env;

	if (size > INPUT_MAX)
		return -1;
	if (size && *data > 0x7f)
		data++, size--;
	opts.dumped = &dumped;
	env_make(&env, mode);
	struct dtx_program p = {
		.src = source_open(env.arena, "front.d", (const char *)data, size, true),
		.align = kinds[mode & 7].align, .is_script = kinds[mode & 7].script,
		.is_id = kinds[mode & 7].id,
	};
	const struct source *texts[] = { p.src };
	env.texts = texts;
	env.ntexts = 1;
	dtx_compile_image(&env, &p, 1, env.arena, &opts);
	env.diags.fn = show;
	env.diags.arg = &errors;
	diags_tell(&env.diags);
	buf_free(&dumped);
	buf_free(&errors);
	diags_close(&env.diags);
	arena_free(env.arena);
	return 0;
}
