/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tag.h - the classes of diagnostics by name, rows of diags.def: for files that report one.  To
 * diag.h a tag is a number, and 0 is DIAG_NONE.
 */
#ifndef DTX_TAG_H
#define DTX_TAG_H

enum diag_tag {
	DIAG_NO_ROW,             /* DIAG_NONE */
#define DIAG(tag, doc) tag,
#include <dtx/tables/diags.def>
#undef DIAG
	DIAG_NTAGS
};

#endif
