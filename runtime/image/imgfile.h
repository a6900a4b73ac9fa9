/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * imgfile.h - shared by the files of image/, in addition to dtx/image.h.
 *
 * runtime/image/ includes providers.h, kernel.h, types.h and base.
 */
#ifndef DTX_IMGFILE_H
#define DTX_IMGFILE_H

#include "runtime/provider/providers.h"

/* ---- imgtype.c: types in the manifest ---- */

bool imgtype_valid(const struct img_type *, u32 index);
void imgtype_build(struct arena *, struct img *);

#endif
