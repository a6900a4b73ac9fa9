/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compile.h - the compiler as the rest of dtx sees it: program texts in, image out.
 */
#ifndef DTX_COMPILE_H
#define DTX_COMPILE_H

#include <stdio.h>

#include "env.h"
#include "image.h"

/* One program: a script or one -n/-P/-m/-f/-i argument; command-line order. */
struct dtx_program {
	const struct source *src;
	u32 align; /* fields the first rule aligns to: 4 script/-n/-i, 3 -f, 2 -m, 1 -P */
	bool is_script;
	bool is_id;              /* -i: the first word is a probe id */
};

/*
 * Compile everything into one image.  NULL when env->diags has errors.  `dump` names
 * stages separated by commas ("ast,typed,plan,llvm,bpf"; NULL: none) whose text is
 * added to `dumped`.  With `stop_after` set to a stage the compilation ends there
 * (result NULL without errors): "ast" needs neither rights nor kernel types.
 */
struct compile_opts {
	const char *dump;
	const char *stop_after;
	struct buf *dumped;
	bool listed;             /* fill img->listed */
	bool keep;               /* the image is for a file: record what it was made for */
	struct buf *header;      /* -h: make only the C header of the provider declarations
				  * (result NULL); needs neither rights nor kernel types */
	/* Takes the tokens of the programs; nothing else is made (result NULL). */
	void (*token)(void *arg, int token, size_t from, size_t to);
	void *token_arg;
};
struct img *dtx_compile_image(struct dtx_env *, struct dtx_program *, u32 n, struct arena *,
			      const struct compile_opts *);

void linkobj_make(struct buf *);          /* -G: an empty object file to link */

#endif
