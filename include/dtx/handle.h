/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * handle.h - what the compiling part of the public interface (dtx.h: compiler/dtx.c) calls in
 * the running part (dtx-run.h: runtime/dtx_run.c).  It calls no other file of the runtime.
 */
#ifndef DTX_HANDLE_H
#define DTX_HANDLE_H

#include <dtx-run.h>

#include "env.h"
#include "image.h"

struct dtx_env *handle_env(struct dtx *);

/* Before compiling: can this kernel do the filters that the options name?  0 or -errno. */
int handle_check_filters(struct dtx *);

/* Before compiling and listing: can the machine and the types that the options name be used?  0 or
 * -errno. */
int handle_check_machine(struct dtx *);

/* Takes the compiled image for dtx_start(), with the options of its pragmas.  0 or -errno. */
int handle_take_image(struct dtx *, const struct img *made);

/* An image has no target processes: 0, or -EINVAL after -c or -p. */
int handle_check_targets(struct dtx *);

/* Are the files whose types were read still complete?  If one was cut, reports it. */
bool handle_check_types(struct dtx *);

/* ---- the rows of -l and -lv (runtime/provider/list.c) --------------------------------------- */

struct lister;

struct lister *lister_new(struct dtx_env *, bool verbose, FILE *out);
int lister_pattern(struct lister *, const struct dtx_pattern *);     /* the rows are written when it
								      * returns */
int lister_probe(void *lister, struct dtx_probe *);      /* a dtx_probe_fn */
u32 lister_count(const struct lister *);
void lister_forget_head(struct lister *);        /* if nothing was listed */
void lister_free(struct lister *);

#endif
