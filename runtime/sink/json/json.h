/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.h - values as JSON, for the sinks that write it (json.c, trace.c).  All functions append to
 * a buffer.  docs/output.schema.json describes the objects.
 */
#ifndef DTX_OUT_JSON_H
#define DTX_OUT_JSON_H

#include "runtime/sink/sink.h"

/* How the values of a sink are written. */
struct json {
	struct dtx_env *env;     /* symbols */
	struct arena *arena;     /* cleared by the sink now and then */
	struct buf tmp;
	bool big_string;         /* jsonint=string: integers beyond 2^53 are strings */
};

/* ---- jsonval.c: values -------------------------------------------------------------- */

void json_init(struct json *, struct dtx_env *);
void json_free(struct json *);

/* A JSON string; {"hex":"…"} if the bytes are no UTF-8. */
void json_bytes(struct buf *, const char *, size_t len);
/* The same at `to`, which has room for JSON_BYTES_MOST(len); where it ends. */
#define JSON_BYTES_MOST(len)  (6 * (len) + 16)
char *json_put_bytes(char *to, const char *, size_t len);
void json_str(struct buf *, const char *);       /* the same; NULL: null */
void json_name(struct buf *, const char *);      /* "NAME": */
void json_int(const struct json *, struct buf *, s64);
void json_uint(const struct json *, struct buf *, u64);
void json_wide(const struct json *, struct buf *, s128);
/* Integers up to here are exact in a double (RFC 8259, 6); json_uint() may quote others. */
#define JSON_EXACT  (1ull << 53)
/* An integer without names at `to`, which has room for JSON_INT_MOST; where it ends. */
#define JSON_INT_MOST  (DECIMAL_MOST + 2)
char *json_put_int(const struct json *, char *to, const struct val *);
void json_val(struct json *, struct buf *, const struct val *);
/* ,"KEY":VALUE and nothing if the text is NULL, or the number 0. */
void json_opt_str(struct buf *, const char *key, const char *text);
void json_opt_uint(const struct json *, struct buf *, const char *key, u64);

/* ---- jsonobj.c: whole objects, one line each, with the newline ------------------------ */

void json_begin(struct json *, struct buf *, const struct run_info *);
void json_end(const struct json *, struct buf *, const struct run_end *);
void json_message(const struct json *, struct buf *, const struct dtx_message *);
/* "when": "end", "printa" or "sample". */
void json_agg_head(const struct json *, struct buf *, const struct agg_print *, const char *when,
		   s64 time);
/* The i-th aggregation of a row; a joined row is several objects. */
void json_agg_row(struct json *, struct buf *, const struct agg_print *, u32 i,
		  const struct agg_row *);

#endif
