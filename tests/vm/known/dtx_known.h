/* SPDX-License-Identifier: BSD-2-Clause */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM dtx_known
#if !defined(DTX_KNOWN_H) || defined(TRACE_HEADER_MULTI_READ)
#define DTX_KNOWN_H
#include <linux/tracepoint.h>

TRACE_EVENT(known_call, TP_PROTO(int n), TP_ARGS(n), TP_STRUCT__entry( __field(int, n) ),
	TP_fast_assign( __entry->n = n; ), TP_printk("%d", __entry->n));

#ifndef DTX_KNOWN_TYPES
#define DTX_KNOWN_TYPES
/* The kernel has another struct of this name, with other members (kernel/workqueue_internal.h). */
struct worker { short x, y; };
enum known_color { KNOWN_RED = -3, KNOWN_BLUE = 200 };
#endif

TRACE_EVENT(known_odd, TP_PROTO(const struct worker *w), TP_ARGS(w),
	TP_STRUCT__entry( __field_struct(struct worker, w) __field(const struct worker *, at)
		__field(signed char, s) __field(enum known_color, color) __array(s64, wide, 2)
		__string(text, "50 %s") ),
	TP_fast_assign( __entry->w = *w; __entry->at = w; __entry->s = -100;
		__entry->color = KNOWN_RED; __entry->wide[0] = -5; __entry->wide[1] = 6;
		strcpy(__get_str(text), "50 %s"); ),
	TP_printk("%d", __entry->s));

#endif
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE dtx_known
#include <trace/define_trace.h>
