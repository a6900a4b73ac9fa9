/* SPDX-License-Identifier: BSD-2-Clause */
/* asked.c - what the options ask of frames. */
#include <dtx/opt.h>

#include "runtime/stack/stack-private.h"

bool stack_names(struct dtx_env *env)
{
	return !opt_num(env, OPT_noresolve);
}

bool stack_lines(struct dtx_env *env)
{
	return opt_num(env, OPT_stacklines) && stack_names(env);
}

bool stack_inlined(struct dtx_env *env, bool user)
{
	return opt_num(env, user ? OPT_ustackinline : OPT_stackinline) && stack_names(env);
}

struct dwarf_obj *stack_source(struct dtx_env *env, struct codefile *file)
{
	return stack_lines(env) || stack_inlined(env, true) ? dwarf_file(env, file) : NULL;
}
