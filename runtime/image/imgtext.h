/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * imgtext.h - what image.c and imgtext.c share: an image that is being read, and where we are in
 * it, for messages.
 */
#ifndef DTX_IMGTEXT_H
#define DTX_IMGTEXT_H

#include <libelf.h>

#include "runtime/image/imgfile.h"

struct image_reader {
	struct arena *a;
	struct diags *diags;
	bool bad;                /* the first problem is the failure of diags */
	const char *at, *end;    /* what is left of the text */
	struct image_step {
		const char *name;
		s64 index;       /* -1: a member */
	} path[16];              /* where we are: "progs[3].probes[0]" */
	u32 depth;
	/* the last one; the next probe has the same in most cases */
	const struct dtx_provider *provider;
};

u32 image_enter(struct image_reader *, const char *name, s64 index);    /* for image_leave() */
void image_leave(struct image_reader *, u32 old);
bool image_bad(struct image_reader *, const char *fmt, ...) PRINTF_LIKE(2, 3);    /* false */
bool image_text(struct image_reader *, struct img *);    /* the text into the structs, unchecked */
bool image_check_versions(struct image_reader *, const struct img *);    /* image.c */
/* imgelf.c: nothing in the object leads outside of it. */
bool image_check_object(struct image_reader *, Elf *);

#endif
