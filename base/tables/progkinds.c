/* SPDX-License-Identifier: BSD-2-Clause */
/* progkinds.c - progkinds.def as a table. */
#include <linux/bpf.h>

#include <dtx/feat.h>
#include <dtx/kind.h>
#include <dtx/progkind.h>

const struct progkind progkinds[] = {
#define PROGKIND(id, name, type, attach, context, ...) \
	{ name, type, attach, KIND_CTX_##context, __VA_ARGS__ },
#include <dtx/tables/progkinds.def>
#undef PROGKIND
};

const char *const progkind_names[] = {
#define PROGKIND(id, name, ...) name,
#include <dtx/tables/progkinds.def>
#undef PROGKIND
	NULL
};
