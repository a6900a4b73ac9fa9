/* SPDX-License-Identifier: BSD-2-Clause */
/* sym.c - the symbol tables of an environment, made on first use. */
#include <stdlib.h>

#include "runtime/sym/tables.h"

struct symtabs *symtabs_get(struct dtx_env *env)
{
	if (!env->sym)
		env->sym = xcalloc(1, sizeof(struct symtabs));
	return env->sym;
}

void symtabs_free(struct dtx_env *env)
{
	struct symtabs *s = env->sym;

	if (!s)
		return;
	btf_src_free(s->btf);
	ksyms_free(s->ksyms);
	usyms_free(s->usyms);
	stackfiles_free(s->stackfiles);
	stacktext_free(s->stacktext);
	map_free(s->kdebug);
	pynames_free(s->pynames);
	tracefs_free(s->tracefs);
	dwarf_free(s->dwarf);
	free(s);
	env->sym = NULL;
}
