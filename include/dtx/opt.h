/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * opt.h - the options by name: for files that name one.
 */
#ifndef DTX_OPT_H
#define DTX_OPT_H

#include <dtx/optrow.h>

enum opt_id {
#define OPTION(name, ...) OPT_##name,
#include <dtx/tables/options.def>
#undef OPTION
	OPT_N
};

struct options {
	struct opt_value v[OPT_N];
};

#endif
