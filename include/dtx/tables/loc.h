/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loc.h - the places where arguments lie by name, rows of locs.def: for files that find, keep or
 * load one.  To provider.h a place is a number.
 */
#ifndef DTX_LOC_H
#define DTX_LOC_H

enum dtx_loc {
#define LOC(name, load, word) LOC_##name,
#define NO_LOC(name, word) LOC_##name,
#include <dtx/tables/locs.def>
};

#endif
