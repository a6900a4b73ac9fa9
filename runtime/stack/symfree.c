/* SPDX-License-Identifier: BSD-2-Clause */
/* symfree.c - the end of the symbol tables of an environment (code/symtabs.c). */
#include <stdlib.h>

#include "runtime/code/symtabs.h"
#include "runtime/types/types.h"

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
	ahead_free(s->ahead);
	map_free(s->kdebug);
	pynames_free(s->pynames);
	tracefs_free(s->tracefs);
	codefiles_free(s->codefiles);
	dwarf_free(s->dwarf);
	free(s);
	env->sym = NULL;
}
