/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trampoline.c - which kernel functions a trampoline (fentry, fexit) can pass on.
 *
 * The kernel is asked with a program that reads all that there is: it has trampolines for no
 * function that returns a struct, and gives no argument that is a pointer to a function, to another
 * pointer or to a type it has no definition of.  Kernels differ in this.
 *
 * A description of a machine cannot ask for each of 50,000 functions: a load takes milliseconds on
 * old kernels.  But the kernel looks at each parameter alone, and only at the kind of its type
 * (btf_ctx_access(), btf_distill_func_proto() of kernel/bpf/btf.c).  So it is asked once for each
 * kind of parameter and of result, and for functions that it refuses by name.  A sample of all
 * functions is then asked one by one: where the answer is another one, it is kept.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/machine/machine.h"
#include "runtime/provider/provider.h"
#include "runtime/types/types.h"
#include "runtime/kernel/kernel.h"

#define FENTRY_ARGS 6            /* trampolines before 6.6 pass no stack arguments */
#define SAMPLES     64           /* functions that are asked one by one */

/*
 * Can a trampoline pass these parameters?  They come in one word each here, whatever the kernel
 * makes of a struct.
 */
bool trampoline_fits(const struct type *proto)
{
	if (!proto || proto->variadic || proto->count > FENTRY_ARGS)
		return false;
	for (u32 i = 0; i < proto->count; i++) {
		struct type *t = type_base(proto->params[i].type);

		/* Nor what is in two registers: Linux 6.1 takes __int128 for one. */
		if (!t || t->kind == T_STRUCT || t->kind == T_UNION || t->kind == T_FLOAT ||
		    (t->kind == T_INT && t->size > 8))
			return false;
	}
	return true;
}

/* Functions that do not return: noreturn_deny of kernel/bpf/verifier.c, since Linux 6.15. */
static const char *const endless[] = {
	"do_exit", "do_group_exit", "kthread_exit", "kthread_complete_and_exit", "make_task_dead",
	"__module_put_and_kthread_exit", "__kunit_abort", "kunit_try_catch_throw",
};
/* The same, after the words of the architecture. */
static const char *const endless_calls[] = { "_sys_exit", "_sys_exit_group" };

bool trampoline_returns(const char *func)
{
	size_t len = strlen(func), n;

	for (u32 i = 0; i < ARRAY_SIZE(endless); i++)
		if (!strcmp(func, endless[i]))
			return false;
	for (u32 i = 0; i < ARRAY_SIZE(endless_calls); i++) {
		n = strlen(endless_calls[i]);
		if (len > n && !strcmp(func + len - n, endless_calls[i]))
			return false;
	}
	return true;
}

static bool has_result(const struct type *proto)
{
	const struct type *result = type_base(proto->to);

	return result && result->kind != T_VOID;
}

static bool asked_here(const struct type *proto, bool ret, struct trampoline at)
{
	u32 n = args_nslots(proto, 0), slots = (1u << n) - 1;

	if (ret && has_result(proto))
		slots |= 1u << n;
	return feature_trampoline_reads(ret, at.btf_id, at.btf_obj_id, slots);
}

/* ---- kinds ---------------------------------------------------------------------------------- */

static const char *kind_word(const struct type *t)
{
	static const char *const words[] = {
		[T_VOID] = "void", [T_INT] = "int", [T_FLOAT] = "float", [T_ENUM] = "enum",
		[T_PTR] = "pointer", [T_ARRAY] = "array", [T_STRUCT] = "struct",
		[T_UNION] = "union", [T_FUNC] = "function",
	};

	if (!t)
		return "unknown";
	return t->kind < ARRAY_SIZE(words) && words[t->kind] ? words[t->kind] : "other";
}

/* "int4", "pointer-struct", "pointer-forward". */
static const char *slot_kind(struct arena *a, struct type *type)
{
	struct type *t = type_base(type), *to = t && t->kind == T_PTR ? type_base(t->to) : NULL;

	if (!t || t->kind != T_PTR)
		return arena_printf(a, "%s%llu", kind_word(t),
				    (unsigned long long)(t ? t->size : 0));
	return arena_printf(a, "pointer-%s%s", to && to->incomplete ? "forward-" : "",
			    kind_word(to));
}

static const char *result_question(struct dtx_env *env, const struct type *proto, bool ret)
{
	return arena_printf(env->arena, "trampoline.%s.result.%s", ret ? "fexit" : "fentry",
			    slot_kind(env->arena, proto->to));
}

static const char *argument_question(struct dtx_env *env, const struct type *proto, u32 i)
{
	return arena_printf(env->arena, "trampoline.argument.%s",
			    slot_kind(env->arena, proto->params[i].type));
}

static const char *function_question(struct dtx_env *env, const char *func, bool ret)
{
	return arena_printf(env->arena, "trampoline.%s.function.%s", ret ? "fexit" : "fentry",
			    func);
}

/* By the description, from what is known of its parts. */
static bool takes_parts(struct dtx_env *env, const struct type *proto, bool ret)
{
	bool yes = machine_says_yes(env, result_question(env, proto, ret));

	for (u32 i = 0; i < proto->count && yes; i++)
		yes = machine_says_yes(env, argument_question(env, proto, i));
	return yes;
}

bool trampoline_takes(struct dtx_env *env, const char *func, const struct type *proto, bool ret,
		      struct trampoline at)
{
	const char *question;

	if (machine_is_here(env))
		return asked_here(proto, ret, at);
	question = function_question(env, func, ret);
	return machine_has_answer(env, question) ? machine_says_yes(env, question) :
	       (!ret || trampoline_returns(func)) && takes_parts(env, proto, ret);
}

/* ---- a machine is described ----------------------------------------------------------------- */

/* Refused by name, by some kernels (btf_id_deny of the verifier), besides those above. */
static const char *const named[] = {
	"__rcu_read_lock", "__rcu_read_unlock", "migrate_disable", "migrate_enable",
	"rcu_read_unlock_strict", "preempt_count_add", "preempt_count_sub", "bpf_fentry_test1",
	"vfs_read",
};

struct telling {
	struct dtx_env *env;
	struct btf_src *btf;
	struct map *known;               /* question → (void *)1 no, (void *)2 yes */
	u32 position, each;              /* every so many functions one is asked */
};

#define SAYS(yes) ((void *)(uintptr_t)((yes) + 1))

/* One yes is a yes: a no may be of the function, and not of the kind. */
static bool told_yes(struct telling *t, const char *question)
{
	return map_get(t->known, question) == SAYS(true);
}

static void tell(struct telling *t, const char *question, bool yes)
{
	if (yes || !map_get(t->known, question))
		map_set(t->known, question, SAYS(yes));
}

#define TRIES 3                  /* functions that are asked before a kind is refused */

static bool tried(struct telling *t, const char *question)
{
	char *count = xprintf("tries %s", question);
	uintptr_t n = (uintptr_t)map_get(t->known, count) + 1;
	bool enough = told_yes(t, question) || n > TRIES;

	if (!enough)
		map_set(t->known, count, (void *)n);
	free(count);
	return enough;
}

static void tell_kinds(struct telling *t, const struct type *proto, struct trampoline at)
{
	const char *question;
	u32 slot = args_nslots(proto, 0);

	for (u32 ret = 0; ret < 2; ret++) {
		question = result_question(t->env, proto, ret);
		if (!tried(t, question))
			tell(t, question, feature_trampoline_reads(ret, at.btf_id, at.btf_obj_id,
				ret && has_result(proto) ? 1u << slot : 0));
	}
	for (u32 i = 0; i < proto->count; i++) {
		question = argument_question(t->env, proto, i);
		if (!tried(t, question))
			tell(t, question, feature_trampoline_reads(false, at.btf_id, at.btf_obj_id,
								   1u << i));
	}
}

static struct type *proto_of(struct telling *t, const char *func)
{
	struct type_source *types = btf_src_types(t->btf);
	struct type *proto = types->function(types, t->env->arena, "vmlinux", func);

	return proto && proto->kind == T_FUNC && trampoline_fits(proto) ? proto : NULL;
}

static int consider_function(void *arg, const char *func, u32 id)
{
	struct telling *t = arg;
	struct type *proto = proto_of(t, func);

	t->position++;
	if (proto && env_ksym(t->env, "vmlinux", func))
		tell_kinds(t, proto, (struct trampoline){ id, 0 });
	return 0;
}

static bool by_parts(struct telling *t, const struct type *proto, bool ret)
{
	bool yes = told_yes(t, result_question(t->env, proto, ret));

	for (u32 i = 0; i < proto->count; i++)
		yes = yes && told_yes(t, argument_question(t->env, proto, i));
	return yes;
}

static void ask_function(struct telling *t, const char *func, u32 id)
{
	struct type *proto = proto_of(t, func);

	if (!proto || !id || !env_ksym(t->env, "vmlinux", func))
		return;
	for (u32 ret = 0; ret < 2; ret++) {
		bool yes = asked_here(proto, ret, (struct trampoline){ id, 0 });
		bool expected = (!ret || trampoline_returns(func)) && by_parts(t, proto, ret);

		if (yes != expected)             /* by trampoline_takes() */
			machine_note_yes(t->env, function_question(t->env, func, ret), yes);
	}
}

static int sample(void *arg, const char *func, u32 id)
{
	struct telling *t = arg;

	if (!(t->position++ % t->each))
		ask_function(t, func, id);
	return 0;
}

static void ask_named(struct telling *t, const char *const *funcs, u32 n)
{
	for (u32 i = 0; i < n; i++)
		ask_function(t, funcs[i], btf_vmlinux_func(t->btf, funcs[i]));
}

static int note_known(const char *question, void *value, void *arg)
{
	if (strncmp(question, "tries ", 6))
		machine_note_yes(arg, question, value == SAYS(true));
	return 0;
}

void trampoline_describe(struct dtx_env *env)
{
	struct telling t = { .env = env, .btf = btf_src_open(env) };

	if (!t.btf)
		return;
	t.known = map_new();
	btf_each_func(t.btf, consider_function, &t);
	t.each = MAX(t.position / SAMPLES, 1u);
	t.position = 0;
	btf_each_func(t.btf, sample, &t);
	ask_named(&t, named, ARRAY_SIZE(named));
	ask_named(&t, endless, ARRAY_SIZE(endless));
	map_each(t.known, note_known, env);
	map_free(t.known);
}
