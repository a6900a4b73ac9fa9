/* SPDX-License-Identifier: BSD-2-Clause */
/* kitchen.c - an ability that every kernel has. */
#include "runtime/kernel/kernel.h"

bool probe_FEAT_KITCHEN(struct dtx_env *env);
bool probe_FEAT_KITCHEN(struct dtx_env *env)
{
	return true;
}
