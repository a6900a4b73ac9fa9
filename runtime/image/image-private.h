/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image-private.h - shared by image.c and imgtext.c: an image being read, and the place in it, for
 * messages.
 */
#ifndef DTX_IMAGE_PRIVATE_H
#define DTX_IMAGE_PRIVATE_H

#include <libelf.h>

#include "runtime/image/image.h"

struct image_reader {
	struct arena *a, *names; /* names: those of functions, img.names */
	struct diags *diags;
	bool bad;                /* the first problem is the failure of diags */
	const char *at, *end;    /* the rest of the text */
	struct image_step {
		const char *name;
		s64 index;       /* -1: a member */
	} path[16];              /* the position: "progs[3].probes[0]" */
	u32 depth;
	/* of the last probe; the next one has the same in most cases */
	const struct dtx_provider *provider;
};

u32 image_enter(struct image_reader *, const char *name, s64 index);    /* for image_leave() */
void image_leave(struct image_reader *, u32 old);
bool image_bad(struct image_reader *, const char *fmt, ...) PRINTF_LIKE(2, 3);    /* false */
bool image_text(struct image_reader *, struct img *);    /* reads the text into the structs,
							  * unchecked */
bool image_check_versions(struct image_reader *, const struct img *);    /* image.c */
/* imgelf.c: checks that all offsets in the object stay inside it. */
bool image_check_object(struct image_reader *, Elf *);

#endif
