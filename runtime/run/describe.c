/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * describe.c - dtx --describe FILE: all that a compilation asks of this machine.
 *
 * What is in files is read (machine.def).  What the kernel is asked by trying is tried here: the
 * functions of the runtime that ask note the answers (machine_note()), so each of them is called
 * as a program would call it.
 * Why: docs/decisions/47-machines.md
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>

#include "runtime/machine/machine.h"
#include "runtime/provider/provider.h"
#include "runtime/run/run.h"
#include "runtime/types/types.h"
#include "runtime/kernel/kernel.h"

#define DESCRIBE_LEAST (24ull << 20)     /* bytes that reading takes; packing says what it takes */

/* The arguments of a raw tracepoint alone: then they are those that BTF types. */
static int describe_args(void *arg, struct dtx_probe *p)
{
	provider_args(arg, p, ARGS_TYPED);
	return 0;
}

static int describe_event(void *arg, const struct tp_id *t)
{
	struct dtx_env *env = arg;
	const struct dtx_pattern one = { "rawtp", t->group, "", t->name, 0, false };

	provider_list(env, &one, describe_args, env);
	return 0;
}

static int describe_nothing(void *arg, struct dtx_probe *p)
{
	(void)arg;
	(void)p;
	return 0;
}

/* Which events of perf can be opened. */
static void describe_counters(struct dtx_env *env)
{
	static const char *const providers[] = { "software", "hardware" };

	for (u32 i = 0; i < ARRAY_SIZE(providers); i++) {
		const struct dtx_pattern all = { providers[i], "", "", "", 0, true };

		provider_list(env, &all, describe_nothing, NULL);
	}
}

static void describe_answers(struct dtx_env *env, struct machine_record *r)
{
	bool trampolines;

	if (!features_note(env, &trampolines)) {
		machine_record_lack_answers(r);
		return;
	}
	btf_note_modules(btf_src_open(env));
	tpevents_each(env, "", "*", describe_event, env);
	describe_counters(env);
	if (trampolines)
		trampoline_describe(env);
}

static void describe_lack(void *arg, const char *what, const char *who)
{
	struct dtx_env *env = arg;

	diags_say(&env->diags, MESSAGE(DTX_NOTICE, DTX_INFO), "not described: %s (%s can read it)",
		  what, who);
}

void describe_add_program(struct dtx_env *env, const char *name)
{
	ARENA_PUSH(env->arena, env->described, env->ndescribed, arena_strdup(env->arena, name));
}

static int describe_no_room(struct dtx_env *env, u64 room)
{
	return dtx_env_fail(env, -ENOMEM, "a description takes more memory than the memory group "
			    "of dtx has left, %llu MB: raise the limit of the group",
			    (unsigned long long)room >> 20);
}

int describe_write(struct dtx_env *env, const char *path, FILE *out)
{
	struct machine_record *r;
	char *data = NULL;
	u64 room = env_memory_left();
	size_t len = 0;
	int err, bad;

	if (!machine_is_here(env))
		return dtx_env_fail(env, -EINVAL, "--describe describes this machine: leave "
				    "-x machine out");
	if (room < DESCRIBE_LEAST)
		return describe_no_room(env, room);
	r = machine_record_begin(env);
	env_note_numbers(env);
	describe_answers(env, r);
	machine_record_files(r, tracefs_path(env), env_has_cap(CAP_SYS_ADMIN));
	bad = describe_programs(env, r);
	if (!bad)
		machine_record_lacks(r, describe_lack, env);
	room = env_memory_left();
	err = machine_record_end(r, room, &data, &len);
	if (err == -ENOMEM && !bad)
		err = describe_no_room(env, room);
	err = bad ? bad : err;
	if (!err && path)
		err = env_put_file(env, path, true, data, len);
	else if (!err && (fwrite(data, 1, len, out) != len || fflush(out)))
		err = env_fail_write(env, -errno, "the description");
	free(data);
	return err;
}
