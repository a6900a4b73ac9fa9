/* SPDX-License-Identifier: BSD-2-Clause */
/* symtabs.c - the symbol tables of an environment, made on first use. */
#include <stdlib.h>

#include "runtime/code/symtabs.h"

struct symtabs *symtabs_get(struct dtx_env *env)
{
	if (!env->sym)
		env->sym = xcalloc(1, sizeof(struct symtabs));
	return env->sym;
}
