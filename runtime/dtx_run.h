/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtx_run.h - the handle of the public interface; private to runtime/dtx_run.c, dtx_image.c and
 * dtx_fleet.c.
 */
#ifndef DTX_DTX_RUN_H
#define DTX_DTX_RUN_H

#include <signal.h>

#include <dtx/handle.h>

#include "runtime/run/run.h"

struct dtx {
	struct dtx_env env;
	const char *signers;                     /* of images; NULL: they need no signature */
	char *bytes;                             /* of the image, until it runs */
	struct img *img;                         /* compiled, or opened from a file */
	VEC(struct target *) targets;            /* of -c and -p */
	bool grabbed;                            /* one of them was given by -p */
	struct dtx_session *volatile ses;        /* after dtx_start() */
	volatile sig_atomic_t interrupts, by_key;
	s32 exit_status;
	u32 reported;                            /* refused probes already reported */
};

/* Ends every function that may fail: reports the collected messages. */
int dtx_told(struct dtx *, int err);
/* 0, or -EINVAL with a failure: another machine is compiled for, and `what` is of this one. */
int dtx_only_here(struct dtx *, const char *what);

#endif
