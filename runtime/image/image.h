/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.h - shared by the files of image/, in addition to dtx/image.h.
 *
 * runtime/image/ includes provider.h, kernel.h, types.h, machine.h, code.h and base.
 */
#ifndef DTX_RUNTIME_IMAGE_H
#define DTX_RUNTIME_IMAGE_H

#include <dtx/image.h>

/* ---- imgentry.c: the folder of compiled programs, each named by a hash of what it is made of - */

int imgentry_folder(void);       /* an fd, or -1: there is none that only this user may write to */
char *imgentry_read(int folder, u64 hash, size_t *len);  /* malloc'd; NULL: none */
void imgentry_used(int folder, u64 hash);        /* now: others go before it */
void imgentry_write(int folder, u64 hash, const struct buf *);

/* ---- imgtype.c: types in the manifest ---- */

bool imgtype_valid(const struct img_type *, u32 index);
void imgtype_build(struct arena *, struct img *);

#endif
