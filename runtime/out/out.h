/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * out.h - values to text: printf, print, charts; the sinks are declared in dtx/value.h.
 *
 * runtime/out/ includes agg.h, sym.h and base.
 */
#ifndef DTX_OUT_H
#define DTX_OUT_H

#include "runtime/value/agg.h"

/* ---- printf.c ------------------------------------------------------------------------ */

/* Formats values by a checked format (DTrace guide "Output Formatting").  The last arguments are
 * for printa: the aggregations, and a row of them; else NULL. */
void printf_run(struct dtx_env *, const struct img_conv *, u32 nconvs, const struct val *vals,
		u32 nvals, const struct agg_print *, const struct agg_row *, struct buf *out);

/* ---- print.c ------------------------------------------------------------------------- */

/* DTrace's text of print(): the object at `addr`, `len` bytes of type `ctype` captured. */
/* The name of a value of an enumeration, or of its bits ("A|B|0x40"). */
void print_names(const struct type *, u64 value, struct buf *out);
void print_object(struct dtx_env *, const struct img_field *, u64 addr, const void *data,
		  size_t len, struct buf *out);

/* ---- out/chart.c: agghist and aggpack -------------------------------------------------- */

/* false: not requested by the options or the aggregations. */
bool chart_rows(struct out *, const struct agg_print *, struct buf *);

/* out/elapsed.c: option flowtime; nanoseconds since the entry of the function that returns, -1: its
 * entry was not seen. */
struct elapsed;
struct elapsed *elapsed_new(void);
void elapsed_free(struct elapsed *);             /* NULL is fine */
void elapsed_entry(struct elapsed *, const struct event *);
s64 elapsed_return(struct elapsed *, const struct event *);

#endif
