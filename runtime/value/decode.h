/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decode.h - bytes of records and keys to values; aggregations (agg.h).
 *
 * runtime/value/ includes this; load.h and sym.h where a file uses them; and base.
 */
#ifndef DTX_DECODE_H
#define DTX_DECODE_H

#include <dtx/value.h>

#include <dtx/image.h>

struct loaded;                   /* runtime/load/load.h */

/* ---- decode.c ----------------------------------------------------------------- */

/*
 * Bytes of a record to an event, in the arena.  false: malformed (never trusted).
 * `out` is zeroed, or an earlier event of the same site, whose memory is reused.
 * Text and bytes point into the record.
 */
bool decode_event(struct loaded *, struct arena *, const void *data, size_t size,
		  struct event *out);
/* One field of a record (base = record, tails allowed) or of a key (base = key). */
bool decode_field(struct loaded *, struct arena *, const struct img_field *, const u8 *base,
		  size_t size, bool in_key, struct val *out);

#endif
