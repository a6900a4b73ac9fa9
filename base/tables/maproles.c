/* SPDX-License-Identifier: BSD-2-Clause */
/* maproles.c - maproles.def as a table. */
#include <linux/bpf.h>

#include <dtx/tables/maprole.h>
#include <dtx/abi.h>
#include <dtx/python.h>
#include <dtx/stack.h>
#include <dtx/unwind.h>

const struct maprole maproles[ROLE_N] = {
#define ROLE(role, name, type, key, value, doc) { name, BPF_MAP_TYPE_##type, key, value },
#define ROLE_ALSO(...)
#include <dtx/tables/maproles.def>
#undef ROLE
#undef ROLE_ALSO
};

const char *const maprole_words[] = {
#define ROLE(role, ...) #role,
#define ROLE_ALSO(...)
#include <dtx/tables/maproles.def>
#undef ROLE
#undef ROLE_ALSO
	NULL
};

bool maprole_has_type(u32 role, u32 type)
{
	static const struct { u32 role, type; } also[] = {
#define ROLE(...)
#define ROLE_ALSO(role, type) { ROLE_##role, BPF_MAP_TYPE_##type },
#include <dtx/tables/maproles.def>
#undef ROLE
#undef ROLE_ALSO
	};

	for (u32 i = 0; i < ARRAY_SIZE(also); i++)
		if (also[i].role == role && also[i].type == type)
			return true;
	return maproles[role].type == type;
}
