/* SPDX-License-Identifier: BSD-2-Clause */
/* symenv.h - a handle without a session, for the tests of symbols and types. */
#ifndef SYMENV_H
#define SYMENV_H

#include <stdlib.h>

#include <dtx/optrow.h>

#include "runtime/code/symtabs.h"
#include "runtime/run/run.h"

static inline struct dtx_env *env_make(void)
{
	struct dtx_env *env = xcalloc(1, sizeof(*env));

	env->arena = arena_new();
	diags_init(&env->diags, env->arena);
	env->opts = options_new(env->arena);
	return env;
}

static inline void env_drop(struct dtx_env *env)
{
	symtabs_free(env);
	arena_free(env->arena);
	free(env);
}

#endif
