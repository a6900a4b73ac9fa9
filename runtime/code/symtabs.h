/* SPDX-License-Identifier: BSD-2-Clause */
/* symtabs.h - the symbol tables of an environment. */
#ifndef DTX_SYMTABS_H
#define DTX_SYMTABS_H

#include <dtx/env.h>

/* code/symtabs.c: env->sym points to this; made on first use, freed by symtabs_free(). */
struct symtabs {
	struct btf_src *btf;
	struct ksyms *ksyms;
	struct codefiles *codefiles;
	struct usyms *usyms;
	struct stackfiles *stackfiles;
	struct stacktext *stacktext;
	struct ahead *ahead;
	struct map *kdebug;              /* module → file with its DWARF, "": none */
	struct pynames *pynames;
	struct tracefs *tracefs;
	struct dwarf_src *dwarf;
};
struct symtabs *symtabs_get(struct dtx_env *);
/* Why debugging information from servers is missing (debugserver.c), as a sentence; NULL: it is
 * not, or none was wanted. */
const char *debug_server_trouble(void);
void symtabs_free(struct dtx_env *); /* frees everything of them, with the environment */


/* What it is made of, freed by its files. */
void ksyms_free(struct ksyms *);
void usyms_free(struct usyms *);
void stackfiles_free(struct stackfiles *);
void stacktext_free(struct stacktext *);
void ahead_free(struct ahead *);
void tracefs_free(struct tracefs *);
void dwarf_free(struct dwarf_src *);
void codefiles_free(struct codefiles *);
void pynames_free(struct pynames *);

#endif
