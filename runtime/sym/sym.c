/* SPDX-License-Identifier: BSD-2-Clause */
/* sym.c - the symbol tables of an environment, made on first use. */
#include <stdlib.h>

#include "runtime/sym/sym.h"

struct sym *sym_get(struct dtx_env *env)
{
	if (!env->sym)
		env->sym = xcalloc(1, sizeof(struct sym));
	return env->sym;
}

void sym_free(struct dtx_env *env)
{
	struct sym *s = env->sym;

	if (!s)
		return;
	btf_src_free(s->btf);
	ksyms_free(s->ksyms);
	usyms_free(s->usyms);
	tracefs_free(s->tracefs);
	dwarf_free(s->dwarf);
	free(s);
	env->sym = NULL;
}
