/* SPDX-License-Identifier: BSD-2-Clause */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM dtx_known
#if !defined(DTX_KNOWN_H) || defined(TRACE_HEADER_MULTI_READ)
#define DTX_KNOWN_H
#include <linux/tracepoint.h>

TRACE_EVENT(known_call, TP_PROTO(int n), TP_ARGS(n), TP_STRUCT__entry( __field(int, n) ),
	TP_fast_assign( __entry->n = n; ), TP_printk("%d", __entry->n));

#endif
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE dtx_known
#include <trace/define_trace.h>
