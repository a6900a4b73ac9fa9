/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggid.h - the aggregating functions by name, rows of aggs.def.
 */
#ifndef DTX_AGGID_H
#define DTX_AGGID_H

enum agg_id {
#define AGG(name, ...) AGG_##name,
#include <dtx/tables/aggs.def>
	AGG_N
};

#endif
