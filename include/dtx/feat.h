/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * feat.h - the abilities of a kernel by name (features.def; runtime/kernel/feature.c): for files
 * that ask env_has() for one.
 */
#ifndef DTX_FEAT_H
#define DTX_FEAT_H

enum feature {
#define FEATURE(id, name, doc) id,
#include <dtx/tables/features.def>
#undef FEATURE
	FEAT_N
};

#endif
