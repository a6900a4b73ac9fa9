/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fleet.h - runs of several machines, merged into one set of sinks.
 *
 * runtime/fleet/ includes read.h, sink.h, value.h, proc.h and base.
 * What merging means: docs/decisions/48-merging.md
 */
#ifndef DTX_FLEET_H
#define DTX_FLEET_H

#include <stdio.h>

#include <dtx/base.h>

struct dtx_env;
struct fleet;

struct fleet *fleet_new(struct dtx_env *, FILE *out);
void fleet_free(struct fleet *);                 /* NULL is fine */
/* The manifest of the program that the hosts run (img.text), which they are compared with; without
 * it, that of the first one.  0, or -EINVAL with a failure. */
int fleet_program(struct fleet *, const char *manifest, size_t len);
/* A further host; its number.  Those that are known before the first byte comes are waited for. */
u32 fleet_host(struct fleet *, const char *name);
/*
 * Bytes of its stream (runtime/sink/record.h), as they come.  -EINVAL: they are no stream, which
 * is told with the host's name; it is out, the others are not harmed.  Another error: the output
 * cannot be written, with a failure.
 */
int fleet_bytes(struct fleet *, u32 host, const void *, size_t);
/* No more comes.  `why` NULL: it has ended.  What it had sent stays in any case. */
void fleet_gone(struct fleet *, u32 host, const char *why);
/* Shows what is due; ns until the next call. */
s64 fleet_turn(struct fleet *);
/* Prints the aggregations, and ends the run; 0, or -errno with a failure. */
int fleet_end(struct fleet *);
/* Does a sink want the run to end, or has a host called exit() with -x exit=all? */
/* Its recording is read by another run of several, which shows the messages that are in it. */
void fleet_relays(struct fleet *);
/* A warning that was told before the run; `host` NULL: of several. */
void fleet_note(struct fleet *, const char *host, const char *text);
bool fleet_stop(const struct fleet *);
bool fleet_ended(const struct fleet *, u32 host);        /* has its run come to its end? */
int fleet_status(const struct fleet *);          /* the first exit status that is not 0 */

/* files.c: --replay of n recordings; 0, or -errno with a failure. */
int fleet_files(struct dtx_env *, const char *const *paths, u32 n, FILE *out);
/* The same of one; `path` is for messages. */
int fleet_stream(struct dtx_env *, FILE *, const char *path, FILE *out);

#endif
