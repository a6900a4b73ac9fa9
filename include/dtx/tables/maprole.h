/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * maprole.h - what maps of a program are for: maproles.def as a table (base/tables/maproles.c), for
 * those who make maps or look for one.  To image.h a role is a number.
 */
#ifndef DTX_MAPROLE_H
#define DTX_MAPROLE_H

#include <dtx/base.h>

enum map_role {
#define ROLE(role, ...) ROLE_##role,
#define ROLE_ALSO(...)
#include <dtx/tables/maproles.def>
#undef ROLE
#undef ROLE_ALSO
	ROLE_N
};

struct maprole {
	const char *name;        /* of the one map of this role; NULL: there may be many */
	u32 type;                /* enum bpf_map_type */
	u32 key_size, val_size;  /* bytes; 0: any */
};

extern const struct maprole maproles[ROLE_N];
extern const char *const maprole_words[];        /* the same; NULL-terminated */

bool maprole_has_type(u32 role, u32 type);

#endif
